//! The one embedded store: every record, queue and setting, in a single redb file.
//!
//! `store.read(|tx| …)` and `store.write(|tx| …)` run a synchronous closure off the async threads;
//! `store.read_inline(|tx| …)` reads a few rows without that detour. An error from the closure takes back everything it
//! wrote ([`undo`]). An acknowledged write is on disk: many writers share one transaction and its sync ([`writer`]).
//! After an I/O error the file is closed and opened again ([`slot`]), so a full disk heals by itself. Snapshots are
//! verified before they count ([`snapshot`]); a file that was copied while it was written is refused at the start
//! ([`seal`]).
//!
//! What is deliberately not here: what the tables hold. Each domain's `store.rs` owns its tables.

mod copy;
mod direct;
mod disk;
mod fault;
pub mod folder;
mod migrate;
pub mod open;
pub mod pack;
pub mod restore;
pub mod retention;
mod rows;
pub mod seal;
mod slot;
pub mod snapshot;
mod source;
mod space;
mod turn;
pub mod unpack;
mod writer;

use std::sync::Arc;

use redb::{Database, ReadableDatabase};

pub use folder::DataFolder;
pub use rows::{
    CountedIndex, CountedRows, DayCounts, Declared, Derived, Entries, Entry, Index, IndexedTable, Migration, Order,
    ReadTx, Reads, RunningTotals, Schema, ShippedData, Table, WriteTx,
};
pub use snapshot::{Snapshot, SnapshotKind};
pub use space::{Space, StorageState};

use crate::events::Events;
use hanok_base::{Clock, Error, Page, Result};
use slot::Slot;
use source::{Broken, Source};
use writer::Writer;

/// A handle to the store; clones share it.
#[derive(Clone)]
pub struct Store {
    slot: Arc<Slot>,
    writer: Writer,
    /// Held by the one restore that may be under way.
    restoring: Arc<tokio::sync::Mutex<()>>,
    /// Held by the one snapshot that is being made.
    copying: Arc<tokio::sync::Mutex<()>>,
}

/// Rows up to which a page is short: those that are passed over and those that are given.
const SHORT: usize = 100;

impl Store {
    /// A store in memory for tests: the same code, no file.
    pub fn memory(clock: Clock, events: Events) -> Result<Store> {
        Self::on_backend(Arc::new(redb::backends::InMemoryBackend::new()), Schema::default(), clock, events)
    }

    /// A store on a storage backend of the caller's, for tests that make storage fail. It is brought up to date
    /// without a snapshot and a rehearsal.
    pub fn on_backend(
        backend: Arc<dyn redb::StorageBackend>,
        schema: Schema,
        clock: Clock,
        events: Events,
    ) -> Result<Store> {
        let filled = Slot::fill(Source::Backend(backend), 8 << 20, 0, clock, schema, Arc::default());
        let (slot, _) = filled.map_err(|broken| match broken {
            Broken::Damaged(cause) => slot::damaged(cause),
            Broken::Io(error) => error,
        })?;
        slot.alone(|place| match place {
            Some(open) if !slot.is_looking() => migrate::bring_up_to_date(&slot.direct(open), slot.schema()).map(drop),
            _ => Ok(()),
        })?;
        Ok(Self::start(Arc::new(slot), events))
    }

    fn start(slot: Arc<Slot>, events: Events) -> Store {
        let writer = Writer::start(Arc::clone(&slot), events);
        Store { slot, writer, restoring: Arc::default(), copying: Arc::default() }
    }

    /// Runs `read` with one read transaction: a picture of the store that does not move meanwhile.
    ///
    /// # Errors
    /// Those of the closure; `STORAGE_FULL` or `INTERNAL` when the storage fails.
    pub async fn read<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&ReadTx) -> Result<T> + Send + 'static,
    {
        let store = self.clone();
        tokio::task::spawn_blocking(move || store.read_now(read)).await.map_err(Error::internal)?
    }

    /// [`Store::read`] for little: a few rows, or a short page. It is done on the calling thread, which costs a
    /// few microseconds instead of the way to another thread and back. While the storage is slow, or the store
    /// is about to be opened again, it is done off the async threads after all, so that a door never stands
    /// still for a disk.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub async fn read_inline<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&ReadTx) -> Result<T> + Send + 'static,
    {
        if let Some(turn) = self.slot.at_once() {
            return turn.read(|database| self.look(database, read));
        }
        self.read(read).await
    }

    /// [`Store::read_inline`] for a page that is short and near the beginning of its list, [`Store::read`] for others.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub async fn page<T, F>(&self, page: Page, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&ReadTx) -> Result<T> + Send + 'static,
    {
        match page.offset.saturating_add(page.limit) {
            ..=SHORT => self.read_inline(read).await,
            _ => self.read(read).await,
        }
    }

    /// [`Store::read`] for code that is off the async threads already.
    pub fn read_now<T>(&self, read: impl FnOnce(&ReadTx) -> Result<T>) -> Result<T> {
        self.slot.read(|database| self.look(database, read))
    }

    fn look<T>(&self, database: &Database, read: impl FnOnce(&ReadTx) -> Result<T>) -> Result<T> {
        let transaction = database.begin_read().map_err(|error| self.slot.fault(error))?;
        read(&ReadTx::new(transaction, &*self.slot, self.slot.clock().now()))
    }

    /// Runs `write` with one write transaction and answers when what it wrote is on disk.
    ///
    /// # Errors
    /// Those of the closure, after which nothing it wrote is there; `STORAGE_FULL` when the disk is full.
    pub async fn write<T, F>(&self, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&WriteTx) -> Result<T> + Send + 'static,
    {
        self.writer.write(write).await
    }

    /// How the storage is: room left, sizes, and whether writes are refused.
    pub fn space(&self) -> Space {
        self.slot.space()
    }

    /// Whether the storage takes writes, without looking at sizes.
    pub fn state(&self) -> StorageState {
        self.slot.state()
    }

    /// Whether anything worth a snapshot was written since the last one.
    pub fn has_changed(&self) -> bool {
        self.slot.has_changed()
    }

    /// The data folder, when the store is on disk.
    pub fn folder(&self) -> Option<&DataFolder> {
        self.slot.folder()
    }

    /// Gives back unused room of the file; readers and writers wait meanwhile. Bytes before and after.
    pub async fn compact(&self) -> Result<(u64, u64)> {
        let before = self.space().store_bytes;
        self.writer.alone(|slot| slot.compact()).await?;
        Ok((before, self.space().store_bytes))
    }

    /// Checks every page's checksum of the live file without changing it; writers wait meanwhile, readers do not.
    ///
    /// # Errors
    /// `INTERNAL` naming the cure when a page is damaged; from then on nothing is served until a restore.
    pub async fn check_integrity(&self) -> Result<()> {
        self.writer.alone(Slot::check).await
    }

    /// Ends the writer after what is queued, marks the file as cleanly closed, and closes it.
    pub async fn close(&self) -> Result<()> {
        self.writer.close().await
    }
}

#[cfg(test)]
mod tests;
