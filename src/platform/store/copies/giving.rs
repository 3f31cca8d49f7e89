//! What somebody is given at a place of their own: made beside it under a name that nobody can foresee, and put there when
//! all of it is on disk, never over what came there meanwhile. Whoever asked for it does this, as with a backup file.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::super::file::partial::Partial;
use super::placing::{begin_beside, check_outside, name_beside, sweep_in};
use hanok_base::{Error, Result};

/// A file beside the place that it is written for, and removed with this while it is not put there.
pub struct Giving {
    partial: Partial,
    /// Whoever clears up leaves it alone while this is held, also when it has been written.
    file: File,
    target: PathBuf,
}

/// A folder beside the place that it is filled for.
struct Folder(PathBuf);

impl Giving {
    /// Begins a file for `target`, where nothing may lie, outside of the house at `house`. Gives it with the file, which is to
    /// be written.
    ///
    /// # Errors
    /// `INVALID_INPUT` for the field `file` in the house; `AlreadyExists` when something lies there and those of the disk, as
    /// `told` says them.
    pub fn begin(house: &Path, target: &Path, told: impl Fn(io::Error) -> Error) -> Result<(Giving, File)> {
        // A name that ends as that of a folder is that of a folder or a file.
        let target: PathBuf = std::path::absolute(target).map_err(&told)?.components().collect();
        let folder = target.parent().unwrap_or(&target);
        if let (Ok(root), Ok(folder)) = (house.canonicalize(), folder.canonicalize()) {
            check_outside("file", &root, &folder)?;
        }
        check_free(&target).map_err(&told)?;
        sweep_in(folder);
        let (partial, file) = begin_beside(&target).map_err(&told)?;
        let written = file.try_clone().map_err(&told)?;
        Ok((Giving { partial, file, target }, written))
    }

    /// What was written.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn written(&self) -> io::Result<File> {
        File::open(self.partial.path())
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// `AlreadyExists` when something has come there; those of the disk.
    pub fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        put(self.partial.path(), &self.target)
    }

    /// Puts a folder in its place, which `fill` fills from the file that was written: it is given what makes a file of a
    /// name in there.
    ///
    /// # Errors
    /// Those of [`Giving::finish`], as `told` says them; those of `fill`.
    pub fn finish_as_folder(
        self,
        fill: impl FnOnce(File, &mut dyn FnMut(&Path) -> io::Result<File>) -> Result<()>,
        told: impl Fn(io::Error) -> Error,
    ) -> Result<()> {
        let (folder, _lock) = begin_folder_beside(&self.target).map_err(&told)?;
        let (mut files, mut folders) = (Vec::new(), BTreeSet::from([folder.0.clone()]));
        let mut make = |name: &Path| -> io::Result<File> {
            let path = folder.0.join(name);
            let above = path.ancestors().skip(1).take_while(|above| above.starts_with(&folder.0));
            folders.extend(above.map(Path::to_owned));
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            let file = File::create_new(&path)?;
            files.push(path);
            Ok(file)
        };
        fill(self.written().map_err(&told)?, &mut make)?;
        for path in files.iter().chain(&folders) {
            File::open(path).and_then(|made| made.sync_all()).map_err(&told)?;
        }
        put(&folder.0, &self.target).map_err(&told)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A file without a name among those that are only for a while.
///
/// # Errors
/// Those of the disk.
pub fn nameless() -> io::Result<File> {
    let (partial, _lock) = begin_beside(&std::env::temp_dir().join("hanok"))?;
    OpenOptions::new().read(true).write(true).open(partial.path())
}

fn check_free(target: &Path) -> io::Result<()> {
    match fs::symlink_metadata(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(_) => Err(ErrorKind::AlreadyExists.into()),
    }
}

/// Gives what lies at `from` its name, which it keeps through a power cut, unless something has that name.
fn put(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Ok(()) => {}
        // Some file systems cannot look and rename at once.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            check_free(to)?;
            fs::rename(from, to)?;
        }
        Err(error) => return Err(error.into()),
    }
    to.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// As with a file, the lock of a folder is held by whoever fills it.
fn begin_folder_beside(target: &Path) -> io::Result<(Folder, File)> {
    loop {
        let folder = Folder(name_beside(target));
        fs::create_dir(&folder.0)?;
        let lock = match File::open(&folder.0) {
            // Whoever clears up has found it in the moment before it was locked.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            opened => opened?,
        };
        let is_taken = matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
        if !is_taken && folder.0.exists() {
            return Ok((folder, lock));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use tempfile::TempDir;

    use super::*;

    fn names_in(place: &TempDir) -> Vec<String> {
        let names = fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn what_came_to_the_place_meanwhile_stays_and_nothing_is_left_beside_it() {
        let place = TempDir::new().unwrap();
        let target = place.path().join("posts.zip");
        let begin = || Giving::begin(&place.path().join("data"), &target, Error::internal);
        let (giving, mut file) = begin().unwrap();
        file.write_all(b"all of it").unwrap();
        fs::write(&target, "somebody's").unwrap();
        assert_eq!(giving.finish().unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&target).unwrap(), b"somebody's");
        assert_eq!(begin().err().map(|error| error.code()), Some("INTERNAL"));
        assert_eq!(names_in(&place), ["posts.zip"]);
    }

    #[test]
    fn a_folder_is_there_with_all_that_is_in_it_and_what_a_killed_process_left_is_not() {
        let place = TempDir::new().unwrap();
        let left = name_beside(&place.path().join("out"));
        fs::create_dir_all(left.join("pictures")).unwrap();
        let (giving, mut file) =
            Giving::begin(&place.path().join("data"), &place.path().join("out/"), Error::internal).unwrap();
        assert!(!left.exists());
        file.write_all(b"packed").unwrap();
        let given = giving.finish_as_folder(
            |mut from, make| {
                let mut packed = Vec::new();
                from.read_to_end(&mut packed).unwrap();
                make(Path::new("pictures/a.png")).unwrap().write_all(&packed).unwrap();
                // Another one that clears up leaves alone what is being filled.
                sweep_in(place.path());
                Ok(())
            },
            Error::internal,
        );
        given.unwrap();
        assert_eq!(names_in(&place), ["out"]);
        assert_eq!(fs::read(place.path().join("out/pictures/a.png")).unwrap(), b"packed");
    }

    #[test]
    fn nothing_is_given_into_the_house_with_which_it_would_be_lost() {
        let place = TempDir::new().unwrap();
        let house = place.path().join("data");
        fs::create_dir_all(house.join("backups")).unwrap();
        std::os::unix::fs::symlink(&house, place.path().join("link")).unwrap();
        for target in ["data/out", "data/backups/posts.zip", "link/out", "link/backups/out"] {
            let refused = Giving::begin(&house, &place.path().join(target), Error::internal).err().unwrap();
            assert!(refused.code() == "INVALID_INPUT" && refused.fields.contains_key("file"), "{target}: {refused}");
        }
        assert_eq!((names_in(&place), fs::read_dir(&house).unwrap().count()), (vec!["data".into(), "link".into()], 1));
    }

    #[test]
    fn of_a_folder_that_could_not_be_filled_nothing_stays() {
        let place = TempDir::new().unwrap();
        let (giving, _file) =
            Giving::begin(&place.path().join("data"), &place.path().join("out"), Error::internal).unwrap();
        let given = giving.finish_as_folder(
            |_, make| {
                make(Path::new("a.md")).map_err(Error::internal)?;
                Err(Error::not_found("post"))
            },
            Error::internal,
        );
        assert_eq!(given.unwrap_err().code(), "NOT_FOUND");
        assert_eq!(names_in(&place), [""; 0]);
    }
}
