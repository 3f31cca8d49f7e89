//! Whose a folder is: only one in which a house lies, or in which nobody keeps anything, is taken. What is taken is closed
//! to everybody else, so a name alone proves nothing: others, too, have a `run/lock` and a `backups/`.

use std::fs::{self, DirEntry, File, FileType, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use super::{DataFolder, is_of_settings, not_ours};
use hanok_base::{Error, Message, Result};

/// What stands in the lock file of a house, by which its folder is known also when the store and all snapshots are gone.
const MARK: &[u8] = b"hanok keeps its house in this folder\n";

/// Refuses the folder in which the system lies, and one in which somebody else keeps something: it would become the house's,
/// and be closed to others. Only looks.
pub(super) fn refuse_foreign(folder: &DataFolder) -> Result<()> {
    let root = folder.root();
    match fs::canonicalize(root) {
        Ok(path) => refuse_of_the_system(&path)?,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(not_ours(root, error)),
    }
    let found = if is_ours(folder) {
        // Where the lock should lie, there may be something on which every start would wait.
        let is_lock = fs::metadata(folder.lock()).map_or(true, |there| there.is_file());
        (!is_lock).then(|| "run/lock in it, which is no file".to_owned())
    } else {
        kept_by_others(folder)?.map(|name| format!("{name} in it and no house"))
    };
    let Some(found) = found else { return Ok(()) };
    Err(Error::conflict(Message::english(format!(
        "{} is no data folder: there is {found}, and nothing was changed; name an empty or a new folder with `--data-dir \
         DIR`, or in the setting data.dir (HANOK_DATA__DIR)",
        root.display()
    ))))
}

/// No house lies in the root of all folders: closed to others, it would end the system.
fn refuse_of_the_system(path: &Path) -> Result<()> {
    if path.parent().is_some() {
        return Ok(());
    }
    Err(Error::conflict(Message::english(
        "/ is no data folder: the whole system lies in it, and nothing was changed; name a folder of its own with \
         `--data-dir DIR`, or in the setting data.dir (HANOK_DATA__DIR)",
    )))
}

/// Writes into a lock file that its folder holds a house. Where there is no room, it is marked at a later start.
pub(super) fn mark(folder: &DataFolder) {
    let is_unmarked = fs::symlink_metadata(folder.lock()).is_ok_and(|lock| lock.is_file() && lock.len() == 0);
    if is_unmarked && let Ok(mut lock) = OpenOptions::new().write(true).open(folder.lock()) {
        let _ = lock.write_all(MARK);
    }
}

/// Whether a house lies there, or what is left of one.
fn is_ours(folder: &DataFolder) -> bool {
    folder.store_file().is_file() || folder.has_snapshots() || is_marked(&folder.lock())
}

fn is_marked(lock: &Path) -> bool {
    let mut text = Vec::new();
    let is_file = fs::symlink_metadata(lock).is_ok_and(|lock| lock.is_file());
    let read = |file: File| file.take(MARK.len() as u64 + 1).read_to_end(&mut text);
    is_file && File::open(lock).and_then(read).is_ok() && text == MARK
}

/// What lies in the folder and was laid out neither by a first start that was cut off nor by a system: the first by name.
fn kept_by_others(folder: &DataFolder) -> Result<Option<String>> {
    let own: [(&str, MayLie); 4] = [
        ("blobs", |name, _| is_of_a_blob(name)),
        ("backups", |_, _| false),
        ("index", |name, kind| kind.is_dir() && ["current", "new"].contains(&name)),
        ("run", may_lie_in_run),
    ];
    let mut kept = Vec::new();
    for (name, entry) in entries(folder.root())? {
        match own.iter().find(|(own, _)| *own == name) {
            // Also behind a link: on which disk they lie is for the household to say.
            Some((_, may_lie)) if entry.path().is_dir() => {
                let inside = entries(&entry.path())?.into_iter();
                let others = inside.filter(|(name, entry)| !is_of(entry, |kind| may_lie(name, kind)));
                kept.extend(others.map(|(inside, _)| format!("{name}/{inside}")));
            }
            None if is_of(&entry, |kind| may_lie_beside(&name, kind)) => {}
            _ => kept.push(name),
        }
    }
    Ok(kept.into_iter().min())
}

/// Whether an entry of this name and type may lie in a folder of ours.
type MayLie = fn(&str, FileType) -> bool;

fn is_of(entry: &DirEntry, is_wanted: impl FnOnce(FileType) -> bool) -> bool {
    entry.file_type().is_ok_and(is_wanted)
}

/// What lies in a folder, but for what a system puts into every one.
fn entries(path: &Path) -> Result<Vec<(String, DirEntry)>> {
    let all = fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let all = all.map_err(|error| not_ours(path, error))?.into_iter();
    let named = all.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry));
    Ok(named.filter(|(name, _)| !is_of_a_system(name)).collect())
}

/// Whether a system puts what is called so into folders by itself: a file system, a NAS, a Mac, a Windows.
fn is_of_a_system(name: &str) -> bool {
    const NAMED: [&str; 19] = [
        "lost+found",
        "@eaDir",
        "@Recycle",
        "@Recently-Snapshot",
        "#recycle",
        "#snapshot",
        "System Volume Information",
        "$RECYCLE.BIN",
        "Thumbs.db",
        "desktop.ini",
        ".DS_Store",
        ".apdisk",
        ".fseventsd",
        ".Spotlight-V100",
        ".TemporaryItems",
        ".Trashes",
        ".@__thumb",
        ".snapshot",
        ".snapshots",
    ];
    NAMED.contains(&name) || name.starts_with("._") || name.starts_with(".Trash-")
}

/// The settings, and a store that had not come to its place, or that another has replaced.
fn may_lie_beside(name: &str, kind: FileType) -> bool {
    let whole = name.strip_suffix(".partial").unwrap_or(name);
    (!kind.is_dir() && is_of_settings(whole)) || (kind.is_file() && name.starts_with("hanok.redb."))
}

/// A lock that says nothing yet, as earlier versions left it, is told by its folder: nothing else lies there.
fn may_lie_in_run(name: &str, kind: FileType) -> bool {
    match name {
        "control.sock" => !kind.is_dir() && !kind.is_file(),
        _ => kind.is_file() && ["lock", "seal.json", "seal.json.partial"].contains(&name),
    }
}

/// A file that a restore was bringing: it is called by its SHA-256.
fn is_of_a_blob(name: &str) -> bool {
    let name = name.strip_suffix(".partial").unwrap_or(name);
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::PathBuf;

    use tempfile::TempDir;

    use super::super::STORE_FILE;
    use super::*;
    use hanok_base::Kind;

    /// A folder that others use, with these files and folders in it; what ends with a `/` is a folder.
    fn used(mode: u32, paths: &[&str]) -> TempDir {
        let place = TempDir::new().unwrap();
        for path in paths {
            let at = place.path().join(path);
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            if path.ends_with('/') { fs::create_dir_all(at).unwrap() } else { fs::write(at, "theirs").unwrap() }
        }
        fs::set_permissions(place.path(), fs::Permissions::from_mode(mode)).unwrap();
        place
    }

    /// All that lies there, with modes and contents.
    fn lying(root: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
        let mut found = BTreeMap::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
                let mode = fs::symlink_metadata(&path).unwrap().permissions().mode();
                found.insert(path.clone(), (mode, fs::read(&path).unwrap_or_default()));
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
        found.insert(root.to_owned(), (fs::metadata(root).unwrap().permissions().mode(), Vec::new()));
        found
    }

    fn is_refused_unchanged(place: &TempDir, named: &str) {
        let before = lying(place.path());
        let refused = DataFolder::take(place.path()).unwrap_err();
        assert!(refused.kind == Kind::Conflict && refused.message.contains(named), "{named}: {refused}");
        assert_eq!(lying(place.path()), before, "{named}");
    }

    #[test]
    fn a_folder_with_the_names_of_a_house_and_the_things_of_others_is_refused_and_stays_as_it_is() {
        is_refused_unchanged(&used(0o755, &["run/lock/", "etc/"]), "etc");
        is_refused_unchanged(&used(0o755, &["run/lock/"]), "run/lock");
        is_refused_unchanged(&used(0o775, &["run/lock", "photos/", "backups/"]), "photos");
        is_refused_unchanged(&used(0o777, &["backups/photos.tar", "run/pid"]), "backups/photos.tar");
        is_refused_unchanged(&used(0o755, &["run/pid"]), "run/pid");
        is_refused_unchanged(&used(0o755, &["blobs/song.flac"]), "blobs/song.flac");
        is_refused_unchanged(&used(0o755, &["backups/2025/"]), "backups/2025");
        is_refused_unchanged(&used(0o755, &["blobs"]), "blobs");
        is_refused_unchanged(&used(0o755, &[".ssh/", "run/"]), ".ssh");
        is_refused_unchanged(&used(0o755, &["hanok.redb/"]), "hanok.redb");
        let piped = used(0o755, &["run/", "hanok.redb"]);
        rustix::fs::mkfifoat(rustix::fs::CWD, piped.path().join("run/lock"), rustix::fs::Mode::RWXU).unwrap();
        assert!(!DataFolder::at(piped.path()).is_taken(), "it waits for nobody");
        let refused = DataFolder::take(piped.path()).unwrap_err();
        assert!(refused.message.contains("run/lock"), "{refused}");
    }

    #[test]
    fn what_a_first_start_that_was_cut_off_has_laid_out_is_gone_on_with() {
        let blob = format!("blobs/{}", "0a".repeat(32));
        let cut_off = [blob.as_str(), "backups/.DS_Store", "run/seal.json", "hanok.redb.new", "hanok.redb.restoring"];
        let place = used(0o755, &cut_off);
        fs::write(place.path().join("run/lock"), "").unwrap();
        symlink("/nowhere/appliance.toml", place.path().join("appliance.toml")).unwrap();
        drop(DataFolder::take(place.path()).unwrap());
        assert_eq!(fs::metadata(place.path()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_house_may_have_company_as_long_as_anything_of_it_is_left() {
        let place = used(0o755, &["photos/", "backups/photos.tar"]);
        let at = |name: &str| place.path().join(name);
        is_refused_unchanged(&place, "backups/photos.tar");
        for left in [STORE_FILE, "backups/20261010T114500Z-hourly.redb"] {
            fs::write(at(left), "").unwrap();
            drop(DataFolder::take(place.path()).unwrap());
            fs::remove_file(at(left)).unwrap();
            drop(DataFolder::take(place.path()).expect("it is marked"));
            fs::write(at("run/lock"), "1234\n").unwrap();
            assert!(DataFolder::take(place.path()).is_err(), "a lock of somebody else");
            fs::write(at("run/lock"), "").unwrap();
            assert!(DataFolder::take(place.path()).is_err(), "a lock that says nothing");
        }
    }

    #[test]
    fn the_folder_of_the_system_is_never_taken() {
        let refused = refuse_of_the_system(Path::new("/")).unwrap_err();
        assert!(refused.message.text().starts_with("/ is no data folder"), "{refused}");
        assert!(refuse_of_the_system(Path::new("/srv")).is_ok());
    }

    #[test]
    fn a_folder_on_another_machine_and_one_that_is_held_are_refused_before_anything_is_changed() {
        let place = used(0o755, &[]);
        let before = lying(place.path());
        let refused = DataFolder::take_on_local(place.path(), |_| Some("NFS")).unwrap_err();
        assert!(refused.fields["data.dir"].contains("NFS"), "{refused:?}");
        let new = place.path().join("new/data");
        assert!(DataFolder::take_on_local(&new, |_| Some("NFS")).is_err());
        let holds = File::open(place.path()).unwrap();
        holds.try_lock().unwrap();
        assert!(DataFolder::take(place.path()).unwrap_err().message.contains("in use"));
        assert_eq!(lying(place.path()), before);
    }
}
