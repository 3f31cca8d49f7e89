//! Whether there is a place for writes, and room in it.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;

use tracing::{error, info, warn};

use super::super::described;
use super::super::fault::{self, WayBack};
use super::super::marker;
use super::super::names;
use super::super::source::StoreSource;
use super::super::space::{self, Space};
use super::OpenStore;
use hanok_base::Result;

impl OpenStore {
    /// Refuses writes before the last room is used up, so that what is running can still be finished; and while a hand
    /// has the file out of its place, or has written over it: what is written there is lost with the process, or lies among
    /// what is not ours.
    pub(in crate::store) fn room_for_writes(&self) -> Result<()> {
        let StoreSource::File(folder) = &self.source else { return Ok(()) };
        self.must_be_in_place()?;
        space::check_room(folder.root(), 0, self.reserve_bytes).inspect_err(|_| self.note_full())
    }

    /// Refuses to go on with a file that is not in its place, or over which something else has written.
    pub(in crate::store) fn must_be_in_place(&self) -> Result<()> {
        self.must_be_ours()?;
        let Some(file) = self.unplaced() else { return Ok(()) };
        if self.condition.found_away() {
            warn!("hanok.redb is not in its place, or another file is: writes are refused until it is back");
        }
        Err(fault::away(self.way_back(&file)))
    }

    /// What leads back to the state that `file` holds, which is not in its place: the best there is now.
    fn way_back(&self, file: &File) -> WayBack {
        let StoreSource::File(folder) = &self.source else { return WayBack::Nothing };
        if !folder.root().is_dir() {
            return WayBack::Folder;
        }
        let kept = self.file.lock().as_ref().and_then(|opened| opened.kept.clone());
        match kept {
            Some(kept) if names::is_sound_aside(&kept) => WayBack::Kept,
            None if file.metadata().is_ok_and(|file| file.nlink() == 0) => WayBack::Unkept,
            _ if described::has_sound(folder) => WayBack::Snapshot,
            _ => WayBack::Nothing,
        }
    }

    /// Refuses to go on with a file over which something else has written while it was open. The next start takes what
    /// is in it for a copy, also after a crash.
    pub(in crate::store) fn must_be_ours(&self) -> Result<()> {
        let StoreSource::File(folder) = &self.source else { return Ok(()) };
        if !self.is_overwritten() {
            return Ok(());
        }
        if self.condition.found_away() {
            error!("something else has written over hanok.redb while it was open: writes are refused until a restore");
        }
        if let Err(error) = marker::mark_overwritten(folder) {
            error!(%error, "that hanok.redb was written over could not be written down");
        }
        Err(fault::overwritten(described::has_sound(folder)))
    }

    /// Whether something else has written over the file while it was open: what it holds is not the state any more.
    pub(in crate::store) fn is_overwritten(&self) -> bool {
        let handle = self.file.lock().as_ref().map(|opened| Arc::clone(&opened.handle));
        handle.is_some_and(|handle| self.known().is_overwritten(&handle))
    }

    /// The file that is open, when it does not have its name in the data folder any more.
    pub(in crate::store) fn unplaced(&self) -> Option<Arc<File>> {
        let StoreSource::File(folder) = &self.source else { return None };
        let opened = self.file.lock();
        let opened = opened.as_ref()?;
        let is_in_place = marker::identity(&folder.store_file()).is_ok_and(|file| file == opened.identity);
        (!is_in_place).then(|| Arc::clone(&opened.handle))
    }

    /// Whether what the file holds is kept beside it already.
    pub(in crate::store) fn is_kept(&self) -> bool {
        self.file.lock().as_ref().is_some_and(|opened| opened.kept.is_some())
    }

    /// Notes that what the file holds, which has no name any more, is kept at `path`.
    pub(in crate::store) fn note_kept(&self, path: PathBuf) {
        if let Some(opened) = self.file.lock().as_mut() {
            opened.kept = Some(path);
        }
    }

    /// Where what the file holds was kept before now.
    pub(in crate::store) fn take_kept(&self) -> Option<PathBuf> {
        self.file.lock().as_mut()?.kept.take()
    }

    pub(in crate::store) fn note_full(&self) {
        if self.condition.found_no_room() {
            warn!("the disk is full: writes are refused until there is room");
        }
    }

    /// Notes that a write has reached the disk.
    pub(in crate::store) fn note_written(&self) {
        if self.condition.written() {
            info!("the store takes writes again");
        }
    }

    pub(in crate::store) fn is_full(&self) -> bool {
        self.condition.get().is_full()
    }

    pub(in crate::store) fn space(&self) -> Space {
        let space = match &self.source {
            StoreSource::File(folder) => space::of(folder),
            StoreSource::Backend(backend) => Space { store_bytes: backend.len().unwrap_or(0), ..Space::default() },
        };
        Space { state: self.state(), ..space }
    }
}
