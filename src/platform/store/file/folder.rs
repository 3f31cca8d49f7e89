//! The data folder: what lies where, who holds it, and files that are written so that they are whole or absent.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::fault;
use super::names;
use super::partial::Partial;
use hanok_base::{Error, Kind, Message, MessageTemplate, Result};

mod whose;

/// The name of the store file in the data folder.
pub(in crate::store) const STORE_FILE: &str = "hanok.redb";

/// The name of the note of the passphrase in `run/`.
pub const PASSPHRASE_NOTE: &str = "passphrase";

/// The paths of one data folder (contract, section 6).
#[derive(Debug, Clone)]
pub struct DataFolder {
    root: PathBuf,
    /// Held as long as a handle lives: no second process works on the same folder.
    _locks: Option<Arc<[File; 2]>>,
}

const LEADS_NOWHERE: MessageTemplate =
    MessageTemplate::new("house.link_leads_nowhere", "{path} is a link that leads back to itself; nothing was changed");

/// Magic numbers of network file systems (`statfs(2)`), on which a memory-mapped or locked store breaks.
const NETWORK_FILE_SYSTEMS: [(u64, &str); 6] = [
    (0x6969, "NFS"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB"),
    (0x517b, "SMB"),
    (0x0102_1997, "9P"),
    (0x00c3_6400, "Ceph"),
];

impl DataFolder {
    /// Names the folder without touching it.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        DataFolder { root: root.into(), _locks: None }
    }

    /// Refuses network mounts and folders of others, takes the locks, and creates what is missing. A folder that is refused
    /// stays as it is.
    ///
    /// # Errors
    /// `CONFLICT` when another process works on this folder, and where something lies in it and nothing of a house;
    /// `INVALID_INPUT` on a network file system.
    pub fn take(root: &Path) -> Result<Self> {
        DataFolder::take_on_local(root, network_file_system)
    }

    fn take_on_local(root: &Path, network: impl Fn(&Path) -> Option<&'static str>) -> Result<Self> {
        let folder = DataFolder::at(root);
        folder.refuse_foreign()?;
        if let Some(kind) = network(existing(root)) {
            let why = format!("must be on a local disk: {} is on {kind}, where a store can be damaged", root.display());
            return Err(Error::field("data.dir", Message::english(why)));
        }
        fs::create_dir_all(root).map_err(|e| not_ours(root, e))?;
        // The folder itself, too: a hand that clears `run/` must not let a second process in.
        let open = File::open(root).map_err(|e| not_ours(root, e))?;
        if !takes(&open) {
            return Err(in_use(root));
        }
        let path = folder.lock();
        let lock = |create: bool| OpenOptions::new().create(create).truncate(false).write(true).open(&path);
        let there = path.exists().then(|| lock(false)).transpose().map_err(|e| not_ours(&path, e))?;
        if there.as_ref().is_some_and(|lock| !takes(lock)) {
            return Err(in_use(root));
        }
        restrict(root)?;
        for path in [folder.blobs(), folder.backups(), folder.run()] {
            fs::create_dir_all(&path).map_err(|e| not_ours(&path, e))?;
        }
        let lock = match there {
            Some(lock) => lock,
            None => lock(true).map_err(|e| not_ours(&path, e)).and_then(|new| match takes(&new) {
                true => Ok(new),
                false => Err(in_use(root)),
            })?,
        };
        whose::mark(&folder);
        Ok(DataFolder { _locks: Some(Arc::new([lock, open])), ..folder })
    }

    /// Refuses a folder in which somebody else keeps something. Only looks.
    ///
    /// # Errors
    /// `CONFLICT` naming what lies there; `INVALID_INPUT` where it cannot be looked at.
    pub fn refuse_foreign(&self) -> Result<()> {
        whose::refuse_foreign(self)
    }

    /// Whether another process holds the folder.
    pub fn is_taken(&self) -> bool {
        let is_locked = |path: PathBuf| File::open(path).is_ok_and(|lock| lock.try_lock_shared().is_err());
        // What is no file may let nobody open it before somebody else does.
        (self.lock().is_file() && is_locked(self.lock())) || is_locked(self.root.clone())
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The store file, `hanok.redb`.
    pub fn store_file(&self) -> PathBuf {
        self.root.join(STORE_FILE)
    }

    /// Large bytes, named by their SHA-256.
    pub fn blobs(&self) -> PathBuf {
        self.root.join("blobs")
    }

    /// The search index; worth nothing by itself, and made anew from the store when it is gone.
    pub fn index(&self) -> PathBuf {
        self.root.join("index")
    }

    /// Mails that no server takes, each as a file.
    pub fn mail(&self) -> PathBuf {
        self.root.join("mail")
    }

    /// Verified snapshots.
    pub fn backups(&self) -> PathBuf {
        self.root.join("backups")
    }

    /// Whether a snapshot lies there, described or not, or what was replaced and is none yet. What others have put there is
    /// none, whatever it ends with.
    pub fn has_snapshots(&self) -> bool {
        names::names(&self.backups(), "redb").is_ok_and(|names| !names.is_empty()) || names::has_pre_restore(&self.root)
    }

    /// Removes what a killed writing of the settings has left.
    pub(in crate::store) fn sweep_settings(&self) {
        let Ok(entries) = fs::read_dir(&self.root) else { return };
        for entry in entries.flatten() {
            if entry.file_name().to_str().and_then(|name| name.strip_suffix(".partial")).is_some_and(is_of_settings) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Where the hash of the passphrase is noted beside the store, which may be lost or damaged.
    pub fn passphrase_note(&self) -> PathBuf {
        self.run().join(PASSPHRASE_NOTE)
    }

    /// Whether something is noted beside the store.
    pub(in crate::store) fn has_notes(&self) -> bool {
        self.passphrase_note().exists()
    }

    /// Lock file, clean-shutdown marker, control socket, and what is noted or kept secret beside the store.
    pub fn run(&self) -> PathBuf {
        self.root.join("run")
    }

    /// Held by the process that works on the folder. What stands in it says that a house lies here.
    fn lock(&self) -> PathBuf {
        self.run().join("lock")
    }

    /// The socket on which the running appliance takes commands.
    pub fn control_socket(&self) -> PathBuf {
        self.run().join("control.sock")
    }
}

/// How the file is called in the data folder to which settings of a backup file are laid that are not taken over: the first,
/// the second, and so on.
pub fn settings_laid_aside(number: u32) -> String {
    let number = if number < 2 { String::new() } else { format!("-{number}") };
    format!("appliance.restored{number}.toml")
}

/// Whether the settings are called so, or such as were laid aside.
fn is_of_settings(name: &str) -> bool {
    let kept = name.strip_prefix("appliance.restored").and_then(|rest| rest.strip_suffix(".toml"));
    let is_number = |rest: &str| rest.strip_prefix('-').is_some_and(|number| number.parse::<u32>().is_ok());
    name == "appliance.toml" || kept.is_some_and(|rest| rest.is_empty() || is_number(rest))
}

/// Writes `bytes` to `path` so that after a power cut there is the old file, the new one, or none, but never a part.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    put(path, bytes, 0o666, |_| Ok(()))
}

/// [`write_whole`] in the place of a file that a person may have put there: a link stays and what it names is replaced,
/// and who may read the file stays, too. A new one is for its owner alone.
pub fn replace_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let path = led_to(path)?;
    let before = fs::metadata(&path).ok();
    put(&path, bytes, 0o600, |file| {
        let Some(before) = before else { return Ok(()) };
        // Where the file is another's, it becomes ours; who could read it still can.
        let _ = fchown(file, Some(before.uid()), Some(before.gid()));
        file.set_permissions(fs::Permissions::from_mode(before.mode() & 0o777))
    })
}

/// What `path` leads to in the end, also when nothing lies there yet.
fn led_to(path: &Path) -> Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut end = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&end) else { return Ok(end) };
        end = end.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(Error::conflict(LEADS_NOWHERE.with([("path", path.display().to_string().into())])))
}

/// The one way in which a file comes to its place: whole, as a new one of this `mode` that was `readied` before anything
/// was in it. Where that fails, nothing of it stays.
fn put(path: &Path, bytes: &[u8], mode: u32, readied: impl FnOnce(&File) -> io::Result<()>) -> Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut beside = path.as_os_str().to_owned();
    beside.push(".partial");
    // What an earlier one has left may be a link: what it leads to is not written.
    let partial = Partial::at(PathBuf::from(beside));
    let file = OpenOptions::new().write(true).create_new(true).mode(mode).open(partial.path());
    let written = file.and_then(|mut file| {
        readied(&file)?;
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|e| fault::io(format!("writing {}", partial.path().display()), e))?;
    rename_durably(partial.path(), path)
}

/// Renames and syncs the folder, so that the new name survives a power cut.
pub fn rename_durably(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|e| fault::io(format!("renaming to {}", to.display()), e))?;
    let parent = to.parent().unwrap_or(Path::new("."));
    File::open(parent)
        .and_then(|folder| folder.sync_all())
        .map_err(|e| fault::io(format!("syncing {}", parent.display()), e))
}

/// The folder itself, or else the nearest one above it that exists.
fn existing(root: &Path) -> &Path {
    let named = root.ancestors().filter(|path| !path.as_os_str().is_empty());
    named.into_iter().find(|path| path.exists()).unwrap_or(Path::new("."))
}

/// The name of the network file system on which `path` lies, if it lies on one.
pub fn network_file_system(path: &Path) -> Option<&'static str> {
    let stat = rustix::fs::statfs(path).ok()?;
    let magic = u64::from(stat.f_type as u32);
    NETWORK_FILE_SYSTEMS.iter().find(|(known, _)| *known == magic).map(|(_, name)| *name)
}

/// The household's data is for the user who runs the appliance.
fn restrict(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).map_err(|e| not_ours(path, e))
}

/// Whether the lock is ours now. Somebody who only asks whether it is taken holds it for a moment, so it is tried
/// more than once.
fn takes(lock: &File) -> bool {
    (0..20).any(|turn| {
        if turn > 0 {
            std::thread::sleep(Duration::from_millis(10));
        }
        lock.try_lock().is_ok()
    })
}

/// The refusal of a folder in which this user may not write, or nobody.
fn not_ours(path: &Path, error: io::Error) -> Error {
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            let must =
                "must be a folder that the user who runs hanok owns and may write, on a disk that is not read-only";
            Error::field("data.dir", Message::english(format!("{must}: {}", path.display()))).because(error)
        }
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists | ErrorKind::InvalidFilename => {
            let must = "must be a folder, or the path of one that can be made";
            Error::field("data.dir", Message::english(format!("{must}: {}", path.display()))).because(error)
        }
        _ => fault::io(path.display(), error),
    }
}

fn in_use(root: &Path) -> Error {
    Error::new(
        Kind::Conflict,
        Message::english(format!(
            "{} is in use by a running hanok: end that one first, or use it (commands on this folder reach it by themselves)",
            root.display()
        )),
    )
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_folder_in_which_others_keep_something_is_refused_and_stays_as_it_is() {
        let place = tempfile::TempDir::new().unwrap();
        let (root, at) = (place.path(), |name: &str| place.path().join(name));
        fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(at("settings.json"), "theirs").unwrap();
        fs::create_dir(at("backups")).unwrap();
        let refused = DataFolder::take(root).unwrap_err();
        assert!(refused.kind == Kind::Conflict && refused.message.contains("settings.json"), "{refused}");
        let names: Vec<_> = fs::read_dir(root).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert_eq!(fs::metadata(root).unwrap().permissions().mode() & 0o777, 0o755);
        // Where there is a house, or what is left of one, it may have company.
        fs::write(at("backups/20261010T114500Z-hourly.redb"), "").unwrap();
        drop(DataFolder::take(root).unwrap());
        for name in ["backups/20261010T114500Z-hourly.redb", "run/lock"] {
            fs::remove_file(at(name)).unwrap();
        }
        assert!(DataFolder::take(root).is_err());
        fs::write(at(STORE_FILE), "").unwrap();
        drop(DataFolder::take(root).unwrap());
    }

    #[test]
    fn only_what_a_snapshot_can_be_called_is_one() {
        let place = tempfile::TempDir::new().unwrap();
        let folder = DataFolder::take(&place.path().join("data")).unwrap();
        for name in ["._20260101T000000Z-daily.redb", "._20260101T000000Z-hourly.redb", "old.redb"] {
            fs::write(folder.backups().join(name), "").unwrap();
        }
        fs::create_dir(folder.backups().join("20260101T000000Z-hourly.redb")).unwrap();
        assert!(!folder.has_snapshots());
        fs::write(folder.backups().join("20260102T000000Z-hourly.redb"), "").unwrap();
        assert!(folder.has_snapshots());
    }

    #[test]
    fn what_a_link_in_the_way_leads_to_is_not_written_and_a_failure_leaves_no_part() {
        let place = tempfile::TempDir::new().unwrap();
        let at = |name: &str| place.path().join(name);
        for (number, write) in [write_whole, replace_whole].into_iter().enumerate() {
            let (victim, target) = (at(&format!("victim-{number}")), at(&format!("file-{number}")));
            fs::write(&victim, "theirs").unwrap();
            std::os::unix::fs::symlink(&victim, at(&format!("file-{number}.partial"))).unwrap();
            write(&target, b"ours").unwrap();
            assert_eq!((fs::read(&victim).unwrap(), fs::read(&target).unwrap()), (b"theirs".into(), b"ours".into()));
            assert!(fs::symlink_metadata(&target).unwrap().is_file());
            // A folder that is not empty gives its place to no file.
            let folder = at(&format!("folder-{number}"));
            fs::create_dir_all(folder.join("full")).unwrap();
            assert!(write(&folder, b"ours").is_err());
            assert!(!at(&format!("folder-{number}.partial")).exists(), "a part was left");
        }
    }

    #[test]
    fn a_link_stays_and_what_it_leads_to_is_replaced_also_where_nothing_lies_there_yet() {
        use std::os::unix::fs::symlink;
        let place = tempfile::TempDir::new().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::create_dir(at("elsewhere")).unwrap();
        symlink("elsewhere/second", at("first")).unwrap();
        symlink("settings", at("elsewhere/second")).unwrap();
        for text in ["new", "changed"] {
            replace_whole(&at("first"), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(at("elsewhere/settings")).unwrap(), text);
        }
        assert!(at("first").is_symlink() && at("elsewhere/second").is_symlink());
        symlink("loop", at("loop")).unwrap();
        let refused = replace_whole(&at("loop"), b"lost").unwrap_err();
        assert!(refused.message.contains("leads back to itself") && at("loop").is_symlink(), "{refused}");
    }

    #[test]
    fn a_house_begins_beside_its_settings_and_what_a_system_puts_into_every_folder() {
        let place = tempfile::TempDir::new().unwrap();
        for name in ["appliance.toml", "lost+found", ".DS_Store", "@eaDir", "hanok.redb.new"] {
            fs::write(place.path().join(name), "").unwrap();
        }
        drop(DataFolder::take(place.path()).unwrap());
        let new = place.path().join("new/data");
        drop(DataFolder::take(&new).unwrap());
        assert!(new.is_dir());
    }
}
