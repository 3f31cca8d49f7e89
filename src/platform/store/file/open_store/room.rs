//! Whether there is room for writes.

use tracing::{info, warn};

use super::super::marker;
use super::super::source::StoreSource;
use super::super::space::{self, Space};
use super::OpenStore;
use hanok_base::Result;

impl OpenStore {
    /// Refuses writes before the last room is used up, so that what is running can still be finished; and when a hand
    /// has put another file in the place of the store: what is written to one without a name is lost with the process.
    pub(in crate::store) fn room_for_writes(&self) -> Result<()> {
        let StoreSource::File(folder) = &self.source else { return Ok(()) };
        let opened = self.file.lock().clone();
        if opened.is_some() && marker::identity(&folder.store_file()).ok() != opened {
            return Err(self.note_damage("hanok.redb was taken away or replaced while it was open"));
        }
        space::check_room(folder.root(), 0, self.reserve_bytes).inspect_err(|_| self.note_full())
    }

    pub(in crate::store) fn note_full(&self) {
        if self.condition.found_no_room() {
            warn!("the disk is full: writes are refused until there is room");
        }
    }

    /// Notes that a write has reached the disk.
    pub(in crate::store) fn note_written(&self) {
        if self.condition.written() {
            info!("the disk has room again; writes go on");
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
