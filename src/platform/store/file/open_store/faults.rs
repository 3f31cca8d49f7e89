//! What an error of the storage means for the open store, and what it is told to callers as.

use tracing::error;

use super::super::super::rows::transaction::Storage;
use super::super::fault::{self, Meaning};
use super::super::folder::STORE_FILE;
use super::super::marker;
use super::super::source::{Broken, StoreSource};
use super::OpenStore;
use hanok_base::Error;

impl OpenStore {
    /// [`Storage::fault`] of any of redb's errors.
    pub(in crate::store) fn fault(&self, error: impl Into<redb::Error>) -> Error {
        Storage::fault(self, error.into())
    }

    pub(super) fn note(&self, error: redb::Error) -> Error {
        match fault::meaning(&error) {
            Meaning::Full => {
                self.condition.faulted();
                self.note_full();
                if self.known().take_unsure() { fault::perhaps_written() } else { fault::storage_full() }.because(error)
            }
            Meaning::Broken => {
                self.condition.faulted();
                if self.is_full() {
                    return fault::storage_full().because(error);
                }
                fault::broken(STORE_FILE, error)
            }
            Meaning::Damaged => self.note_damage(error),
            Meaning::Ours => Error::internal(error),
        }
    }

    /// Notes that redb gave up in the middle of something: the handle must be opened again.
    pub(in crate::store) fn note_fault(&self) {
        self.condition.faulted();
    }

    pub(super) fn note_damage(&self, cause: impl std::fmt::Display) -> Error {
        if self.condition.damaged() {
            error!(%cause, "the store file is damaged: nothing is served until a restore");
            self.keep_in_mind_that_it_is_damaged();
        }
        fault::damaged(cause)
    }

    /// For the next start, after a crash too. Where that cannot be written, every page is checked then all the same.
    pub(super) fn keep_in_mind_that_it_is_damaged(&self) {
        let StoreSource::File(folder) = &self.source else { return };
        if let Err(error) = marker::mark_damaged(folder) {
            error!(%error, "that the store is damaged could not be written down");
        }
    }

    pub(super) fn refusal(&self, broken: Broken) -> Error {
        match broken {
            Broken::Damaged(cause) => self.note_damage(cause),
            Broken::Io(error) => error,
        }
    }
}

impl Storage for OpenStore {
    fn fault(&self, error: redb::Error) -> Error {
        self.note(error)
    }
}
