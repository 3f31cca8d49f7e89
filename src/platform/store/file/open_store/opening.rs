//! The file is closed and opened again, to write or read only, and says of itself what it must before it is written.

use std::fs::File;
use std::sync::Arc;

use redb::Database;
use tracing::{error, info};

use super::super::fault;
use super::super::folder::DataFolder;
use super::super::marker;
use super::super::source::{self, Broken, Mended, StoreSource, Torn};
use super::super::versions::{self, Migrated};
use super::{OpenStore, OpenedFile};
use hanok_base::Result;

impl OpenStore {
    /// Closes the file and opens it again, read only when it cannot be written, so that reads go on.
    pub(super) fn open_again(&self, tx_op: bool) -> Result<()> {
        let mut place = self.place_alone();
        if !self.condition.get().must_be_opened(tx_op) {
            return Ok(());
        }
        self.open_in(&mut place, tx_op || !self.is_full())?;
        info!(read_only = self.is_read_only(), "the store was closed and opened again");
        if tx_op && self.is_read_only() {
            return Err(if self.is_full() { fault::storage_full() } else { fault::unavailable("it is read only") });
        }
        Ok(())
    }

    /// Opens the file anew in `place`: to write when that is wanted and possible, read only otherwise. What another hand has
    /// put in its place, or written over it, is not opened.
    pub(in crate::store) fn open_in(&self, place: &mut Option<Database>, tx_op: bool) -> Result<()> {
        self.must_be_in_place().inspect_err(|_| {
            if place.is_none() {
                self.condition.faulted();
            }
        })?;
        *place = None;
        // Until it stands again, whoever comes tries to open it.
        self.condition.faulted();
        let opened = if tx_op { self.open_and_make_ready() } else { Err(Broken::Io(fault::storage_full())) };
        *place = Some(match opened {
            Ok(database) => {
                self.condition.opened_to_write();
                database
            }
            Err(Broken::Damaged(cause)) => return Err(self.note_damage(cause)),
            Err(Broken::Io(cause)) => {
                if fault::is_for_lack_of_room(&cause) {
                    self.note_full();
                } else {
                    error!(%cause, "the store cannot be written; it is read only");
                }
                self.open_read_only().map_err(|broken| self.refusal(broken))?
            }
        });
        Ok(())
    }

    pub(super) fn open_and_make_ready(&self) -> Result<Database, Broken> {
        let (database, _) = self.open_to_write(Torn::IsCutOff)?;
        let (migrated, _) = self.make_ready(&database).map_err(Broken::Io)?;
        migrated.iter().for_each(Migrated::say);
        Ok(database)
    }

    /// Writes into an open file what it must say before anything else is written: the steps that it did not need, whose
    /// version it is, with what ships with that, and that it is open. Gives the migration that this was, and a sentence for
    /// each thing that was put in.
    pub(in crate::store) fn make_ready(&self, database: &Database) -> Result<(Option<Migrated>, Vec<String>)> {
        let direct = self.direct(database);
        let migrated = versions::note_unneeded(&direct, &self.schema)?;
        let put_in = versions::stamp(&direct, &self.schema)?;
        if let StoreSource::File(folder) = &self.source {
            marker::mark_open(&direct, folder)?;
        }
        Ok((migrated, put_in))
    }

    /// A commit that failed or was cut off is left out. One whose bytes have changed since is not taken for such a
    /// one: its bytes are known.
    pub(super) fn open_to_write(&self, torn: Torn) -> Result<(Database, Mended), Broken> {
        let opened = source::open_to_write(&self.source, self.known(), self.cache_bytes, torn)?;
        if let StoreSource::File(folder) = &self.source {
            *self.file.lock() = Some(opened_file(folder).map_err(Broken::Io)?);
        }
        Ok(opened)
    }

    pub(super) fn open_read_only(&self) -> Result<Database, Broken> {
        let database = source::open_read_only(&self.source, self.known(), self.cache_bytes)?;
        self.condition.opened_read_only();
        Ok(database)
    }

    /// Another file stands where the store stood: nothing that was known holds any more.
    pub(in crate::store) fn forget_the_file(&self) {
        *self.known.lock() = Arc::default();
        *self.file.lock() = None;
        self.condition.another_file();
    }
}

fn opened_file(folder: &DataFolder) -> Result<OpenedFile> {
    let path = folder.store_file();
    let unread = |e| fault::io(path.display(), e);
    let handle = File::open(&path).map_err(unread)?;
    let identity = marker::identity_in(&handle.metadata().map_err(unread)?);
    Ok(OpenedFile { identity, handle: Arc::new(handle), kept: None })
}
