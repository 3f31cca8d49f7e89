//! The data folder: what lies where, who holds it, and files that are written so that they are whole or absent.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::fault;
use hanok_base::{Error, Kind, Result};

/// The name of the store file in the data folder.
pub(in crate::store) const STORE_FILE: &str = "hanok.redb";

/// The paths of one data folder (contract, section 6).
#[derive(Debug, Clone)]
pub struct DataFolder {
    root: PathBuf,
    /// Held as long as a handle lives: no second process works on the same folder.
    _locks: Option<Arc<[File; 2]>>,
}

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

    /// Creates what is missing, refuses network mounts, and takes the lock.
    ///
    /// # Errors
    /// `CONFLICT` when another process works on this folder; `INVALID_INPUT` on a network file system.
    pub fn take(root: &Path) -> Result<Self> {
        let folder = DataFolder::at(root);
        for path in [folder.root.clone(), folder.blobs(), folder.backups(), folder.run()] {
            fs::create_dir_all(&path).map_err(|e| not_ours(&path, e))?;
        }
        restrict(&folder.root)?;
        if let Some(kind) = network_file_system(&folder.root) {
            return Err(Error::field(
                "data.dir",
                format!("must be on a local disk: {} is on {kind}, where a store can be damaged", root.display()),
            ));
        }
        let path = folder.run().join("lock");
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        // The folder itself, too: a hand that clears `run/` must not let a second process in.
        let open = File::open(&folder.root).map_err(|e| not_ours(&folder.root, e))?;
        let locks = [lock.map_err(|e| not_ours(&path, e))?, open];
        if !locks.iter().all(takes) {
            return Err(in_use(&folder.root));
        }
        Ok(DataFolder { _locks: Some(Arc::new(locks)), ..folder })
    }

    /// Whether another process holds the folder.
    pub fn is_taken(&self) -> bool {
        let is_locked = |path: PathBuf| File::open(path).is_ok_and(|lock| lock.try_lock_shared().is_err());
        is_locked(self.run().join("lock")) || is_locked(self.root.clone())
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

    /// Verified snapshots.
    pub fn backups(&self) -> PathBuf {
        self.root.join("backups")
    }

    /// Lock file, clean-shutdown marker and control socket.
    pub fn run(&self) -> PathBuf {
        self.root.join("run")
    }

    /// The socket on which the running appliance takes commands.
    pub fn control_socket(&self) -> PathBuf {
        self.run().join("control.sock")
    }
}

/// Writes `bytes` to `path` so that after a power cut there is the old file, the new one, or none, but never a part.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let written = File::create(&partial).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|e| fault::io(format!("writing {}", partial.display()), e))?;
    rename_durably(&partial, path)
}

/// Renames and syncs the folder, so that the new name survives a power cut.
pub fn rename_durably(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|e| fault::io(format!("renaming to {}", to.display()), e))?;
    let parent = to.parent().unwrap_or(Path::new("."));
    File::open(parent)
        .and_then(|folder| folder.sync_all())
        .map_err(|e| fault::io(format!("syncing {}", parent.display()), e))
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
            Error::field("data.dir", format!("{must}: {}", path.display())).because(error)
        }
        _ => fault::io(path.display(), error),
    }
}

fn in_use(root: &Path) -> Error {
    Error::new(
        Kind::Conflict,
        format!("{} is in use by a running hanok; stop it first, or let the command talk to it", root.display()),
    )
}
