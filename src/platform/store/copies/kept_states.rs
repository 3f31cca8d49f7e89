//! Which states can be returned to: a file that one of them names must stay, whatever the present state says.

use std::sync::Arc;

use tokio::sync::{OwnedMutexGuard, OwnedRwLockWriteGuard};

use super::super::file::folder::DataFolder;
use super::super::file::marker;
use super::super::file::store::Store;
use super::{pre_restore, snapshot};
use hanok_base::{Clock, Result};

/// The states that can be returned to, by the numbers of their snapshots, which order them whatever a clock said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptStates {
    /// The smallest number of a snapshot; none where there is none.
    pub oldest: Option<u64>,
    /// The largest that any has; 0 where there is none.
    pub newest: u64,
    /// Whether these are all: what lies in the folder and is not listed may be returned to some day.
    pub are_all: bool,
}

/// While this is held nothing is copied: no snapshot is made, none is restored, and no backup file is packed or taken in.
pub struct CopiesHeld {
    _restoring: OwnedMutexGuard<()>,
    _copying: OwnedMutexGuard<()>,
    _packing: OwnedRwLockWriteGuard<()>,
}

impl Store {
    /// Has nothing copied while the hold lasts; none where something is being copied now.
    pub(crate) fn hold_copies(&self) -> Option<CopiesHeld> {
        Some(CopiesHeld {
            _restoring: Arc::clone(&self.restoring).try_lock_owned().ok()?,
            _copying: Arc::clone(&self.copying).try_lock_owned().ok()?,
            _packing: Arc::clone(&self.blobs_stay).try_write_owned().ok()?,
        })
    }

    /// The states in `folder` that can be returned to, while nothing is copied.
    ///
    /// # Errors
    /// `INTERNAL` when the folder cannot be read.
    pub(crate) fn kept_states(&self, folder: &DataFolder, clock: &Clock, _held: &CopiesHeld) -> Result<KeptStates> {
        pre_restore::list(folder, clock);
        let numbers: Vec<u64> = snapshot::list(folder)?.iter().map(|snapshot| snapshot.number).collect();
        let are_all = snapshot::lone(folder)?.is_empty() && !pre_restore::waits(folder)? && !marker::is_copied(folder);
        Ok(KeptStates {
            oldest: numbers.iter().min().copied(),
            newest: numbers.into_iter().max().unwrap_or(0),
            are_all,
        })
    }
}
