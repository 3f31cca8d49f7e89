//! Where the one backup file may be put: a new name, or the place of an earlier backup. Whatever else lies there is
//! somebody's, and is not written over: a device, a pipe, a folder, another file, a file in another house.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use flate2::read::GzDecoder;

use super::super::file::fault;
use super::super::file::folder::STORE_FILE;
use super::said;
use hanok_base::{Error, Result};

/// The name of the first entry, which says what the file holds.
pub(in crate::store) const DESCRIPTION: &str = "hanok.json";
/// Bytes in which the first entry of a backup is named.
const FIRST_ENTRY: u64 = 64 << 10;

/// Refuses a place where something lies that the file would destroy, and that is no backup: a packed file whose first entry
/// has the name `first_entry`.
///
/// # Errors
/// `INVALID_INPUT` saying what lies there.
pub(super) fn check(target: &Path, first_entry: &str) -> Result<()> {
    if target.as_os_str().as_bytes().ends_with(b"/") {
        return Err(Error::field("path", said::IN_A_FOLDER));
    }
    let parent = target.parent().and_then(|parent| parent.canonicalize().ok());
    let house = parent.as_deref().and_then(|parent| parent.ancestors().find(|above| above.join(STORE_FILE).exists()));
    if let Some(house) = house {
        let house = house.display().to_string();
        return Err(Error::field("path", said::OUTSIDE_OTHERS.with([("path", house.into())])));
    }
    let unseen = |error: io::Error| match error.kind() {
        ErrorKind::InvalidFilename => Error::field("path", said::SHORTER_NAME),
        _ => fault::io(target.display(), error),
    };
    match fs::symlink_metadata(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        found => found.map_err(unseen)?,
    };
    // The end of a link is judged, though it is the link that would be replaced: `/dev/stdout` is one.
    let end = match fs::metadata(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        end => end.map_err(unseen)?,
    };
    if !end.is_file() {
        return Err(Error::field("path", said::NO_FILE_THERE));
    }
    match is_backup(File::open(target).map_err(unseen)?, first_entry) {
        true => Ok(()),
        false => Err(Error::field("path", said::NO_BACKUP_THERE)),
    }
}

fn is_backup(file: File, first_entry: &str) -> bool {
    let mut archive = tar::Archive::new(GzDecoder::new(file).take(FIRST_ENTRY));
    let first = archive.entries().ok().and_then(|mut entries| entries.next()?.ok());
    first.is_some_and(|first| first.path_bytes().as_ref() == first_entry.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{FileTypeExt, symlink};
    use std::path::PathBuf;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use tempfile::TempDir;

    use super::*;

    const FIRST: &str = "first.json";

    /// A tar with one entry of this name.
    fn packed(path: &Path, name: &str) {
        let mut tar = tar::Builder::new(GzEncoder::new(File::create(path).unwrap(), Compression::fast()));
        let mut header = tar::Header::new_gnu();
        header.set_size(2);
        tar.append_data(&mut header, name, "{}".as_bytes()).unwrap();
        tar.into_inner().unwrap().finish().unwrap();
    }

    fn refusal(path: &Path) -> String {
        check(path, FIRST).map_err(|error| error.fields["path"].to_string()).unwrap_err()
    }

    #[test]
    fn a_new_name_and_an_earlier_backup_are_taken_also_by_way_of_a_link() {
        let place = TempDir::new().unwrap();
        let at = |name: &str| place.path().join(name);
        packed(&at("earlier"), FIRST);
        symlink(at("earlier"), at("link")).unwrap();
        symlink(at("nothing"), at("to-nothing")).unwrap();
        for name in ["new", "earlier", "link", "to-nothing"] {
            assert!(check(&at(name), FIRST).is_ok(), "{name}");
        }
    }

    #[test]
    fn what_lies_there_and_is_no_backup_is_never_replaced() {
        let place = TempDir::new().unwrap();
        let at = |name: &str| place.path().join(name);
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::RWXU).unwrap();
        fs::create_dir(at("folder")).unwrap();
        symlink("/dev/null", at("device")).unwrap();
        for name in ["pipe", "folder", "device"] {
            assert!(refusal(&at(name)).contains("must be a file"), "{name}");
        }
        fs::write(at("letter"), "dear").unwrap();
        fs::write(at("empty"), "").unwrap();
        packed(&at("photos.tar.gz"), "photos/1.jpg");
        symlink(at("letter"), at("link")).unwrap();
        for name in ["letter", "empty", "photos.tar.gz", "link"] {
            assert!(refusal(&at(name)).contains("is no backup"), "{name}");
        }
        assert!(fs::symlink_metadata(at("pipe")).unwrap().file_type().is_fifo());
    }

    #[test]
    fn a_name_that_ends_as_that_of_a_folder_is_none_of_a_file() {
        let place = TempDir::new().unwrap();
        packed(&place.path().join("earlier"), FIRST);
        for name in ["new/", "earlier/"] {
            assert!(refusal(&place.path().join(name)).contains("must be a file in a folder that exists"), "{name}");
        }
    }

    #[test]
    fn a_name_that_no_disk_takes_is_refused_as_the_path() {
        let place = TempDir::new().unwrap();
        assert!(refusal(&place.path().join("a".repeat(300))).contains("a shorter name"));
        assert!(check(&place.path().join("a".repeat(255)), FIRST).is_ok());
    }

    #[test]
    fn no_other_house_is_written_into() {
        let place = TempDir::new().unwrap();
        let house: PathBuf = place.path().join("parents");
        fs::create_dir_all(house.join("backups")).unwrap();
        fs::write(house.join(STORE_FILE), "theirs").unwrap();
        symlink(&house, place.path().join("link")).unwrap();
        for inside in ["parents/hanok.redb", "parents/new", "parents/backups/new", "link/new"] {
            assert!(refusal(&place.path().join(inside)).contains("of another hanok"), "{inside}");
        }
        assert!(check(&place.path().join("new"), FIRST).is_ok());
    }
}
