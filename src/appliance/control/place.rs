//! Where a command works: only `serve`, and who says so, begins a house where there is none. In the wrong folder a command
//! would else work on an empty house of its own making, and call it verified.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

use hanok_base::{Error, Kind, Message, Result, command};
use hanok_platform::config::Config;
use hanok_platform::store::{DataFolder, snapshot};

/// What must lie in the data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// The store.
    Store,
    /// The store, or snapshots from which it can come back.
    Snapshots,
    /// Nothing: what is brought may begin a house.
    Nothing,
    /// No house yet: it is begun here.
    NewPlace,
}

/// Refuses a command in a folder where what it needs does not lie. The folder of a house that runs has it.
///
/// # Errors
/// `NOT_FOUND` naming the folder and how another is named; `CONFLICT` where a house is that is to be new.
pub fn check_place(config: &Config, needs: Needs) -> Result<()> {
    let folder = DataFolder::at(&config.data.dir);
    match needs {
        Needs::NewPlace if holds_a_house(&folder) => Err(Error::conflict(Message::english(format!(
            "there is a house in {} already; leave out --new to set its passphrase",
            shown(folder.root())
        )))),
        Needs::Nothing | Needs::NewPlace => Ok(()),
        Needs::Store | Needs::Snapshots if folder.store_file().exists() || folder.is_taken() => Ok(()),
        Needs::Snapshots if folder.has_snapshots() => Ok(()),
        Needs::Store | Needs::Snapshots => Err(nowhere(&folder)),
    }
}

/// Whether a store lies in the folder, or what is left of one.
pub(super) fn holds_a_house(folder: &DataFolder) -> bool {
    folder.store_file().exists() || folder.is_taken() || folder.has_snapshots()
}

/// The refusal of a folder without a store.
pub(super) fn nowhere(folder: &DataFolder) -> Error {
    let shown = shown(folder.root());
    let sentence = if folder.has_snapshots() && snapshot::may_lead_back(folder) {
        let restore = command::on(folder.root(), "restore --latest");
        format!("there is no store in {shown}, but there are snapshots: `{restore}` goes on from the newest")
    } else if folder.has_snapshots() {
        let restore = command::on(folder.root(), "restore --from FILE");
        format!(
            "there is no store in {shown}, and none of the snapshots there is sound: `{restore}` takes over a backup file"
        )
    } else if let Err(refused) = folder.refuse_foreign() {
        return refused;
    } else {
        let [serve, passphrase] =
            ["serve", "household passphrase --new"].map(|words| command::on(folder.root(), words));
        format!(
            "there is no house in {shown}, and nothing was made there; name the data folder of yours with `--data-dir \
             DIR`, or in the setting data.dir (HANOK_DATA__DIR); `{serve}` begins a new one, as does `{passphrase}`"
        )
    };
    Error::new(Kind::NotFound, Message::english(sentence))
}

/// Refuses the system's administrator in the folder of another user: what is made there would be closed to the service that
/// runs as that one.
///
/// # Errors
/// `CONFLICT` naming the command that does it as the owner.
pub(super) fn check_owner(folder: &DataFolder) -> Result<()> {
    let Ok(owner) = fs::metadata(folder.root()).map(|found| found.uid()) else { return Ok(()) };
    if !geteuid().is_root() || owner == 0 {
        return Ok(());
    }
    Err(Error::conflict(Message::english(format!(
        "{} belongs to user {owner}, and what root makes there is closed to that one; nothing was changed; do the same as its \
         owner, with `sudo -u '#{owner}'` before it",
        shown(folder.root())
    ))))
}

/// A folder as it is named from anywhere.
pub(super) fn shown(root: &Path) -> String {
    std::path::absolute(root).unwrap_or_else(|_| root.to_owned()).display().to_string()
}

/// What a command lays out in a place without a house: taken away again when the command fails before there is one.
pub(super) struct LaidOut {
    folder: DataFolder,
    new: Vec<PathBuf>,
}

impl LaidOut {
    /// What is not there yet of the folder.
    pub fn before(folder: DataFolder) -> LaidOut {
        let root = folder.root().to_owned();
        let above: Vec<&Path> = root.ancestors().filter(|path| !path.as_os_str().is_empty()).collect();
        let all = above.into_iter().rev().map(Path::to_owned).chain([folder.blobs(), folder.backups(), folder.run()]);
        let new = all.filter(|path| !path.exists()).collect();
        LaidOut { folder, new }
    }

    /// Takes away again what has come, but what somebody else has put there.
    pub fn take_away(self) {
        // Another command may have come first, and works there.
        if self.folder.store_file().exists() || self.folder.is_taken() {
            return;
        }
        for path in self.new.iter().rev() {
            // Whatever lies in these two came with them.
            let _ = if *path == self.folder.run() || *path == self.folder.blobs() {
                fs::remove_dir_all(path)
            } else {
                fs::remove_dir(path)
            };
        }
    }
}
