//! The open store. Its file can be closed and opened again while the appliance runs ([`opening`]): after an I/O error, to
//! compact, and to put a restored file in its place.
//!
//! When nothing can be written, the store is read only: reads go on, and the next write tries again. How the store is at
//! a moment is one [`Condition`]; [`faults`] and [`room`] lead from one to the next.

mod faults;
mod opening;
mod room;
mod upkeep;

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parking_lot::{Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};
use redb::Database;
use tokio_util::sync::CancellationToken;

use super::super::rows::Schema;
use super::blob_files::BlobFiles;
use super::condition::{Condition, Current};
use super::direct::Direct;
use super::disk::PageChecksums;
use super::fault;
use super::folder::DataFolder;
use super::marker::FileIdentity;
use super::source::{Broken, Mended, StoreSource, Torn};
use super::space::StorageState;
use super::turn::{Pace, Turn};
use hanok_base::{Clock, Result};

pub(in crate::store) struct OpenStore {
    source: StoreSource,
    /// What is known about the bytes of the file that is in place.
    known: Mutex<Arc<PageChecksums>>,
    /// Which file was opened to be written.
    file: Mutex<Option<OpenedFile>>,
    cache_bytes: usize,
    reserve_bytes: u64,
    clock: Clock,
    schema: Schema,
    database: RwLock<Option<Database>>,
    /// What reads long holds it, and ends when it is cancelled.
    long_reads: Mutex<CancellationToken>,
    condition: Current,
    /// Something worth a snapshot was written since the last one. True at the start: nobody knows better.
    changed: AtomicBool,
    /// Who has a hand on which large file.
    blob_files: BlobFiles,
    /// Whether short reads may be done on the calling thread.
    pub(in crate::store) pace: Pace,
}

/// The file that was opened to be written. By its handle it is reached also when a hand has taken it out of its place.
struct OpenedFile {
    identity: FileIdentity,
    handle: Arc<File>,
    /// Where what it holds is kept since it has no name any more.
    kept: Option<PathBuf>,
}

impl OpenStore {
    /// Opens the store that `source` names, read only when nothing can be written at the moment.
    pub(in crate::store) fn fill(
        source: StoreSource,
        cache_bytes: usize,
        reserve_bytes: u64,
        clock: Clock,
        schema: Schema,
        known: Arc<PageChecksums>,
        torn: Torn,
    ) -> Result<(OpenStore, Mended), Broken> {
        let open = OpenStore {
            source,
            known: Mutex::new(known),
            file: Mutex::default(),
            cache_bytes,
            reserve_bytes,
            clock,
            schema,
            database: RwLock::new(None),
            long_reads: Mutex::default(),
            condition: Current::default(),
            changed: AtomicBool::new(true),
            blob_files: BlobFiles::default(),
            pace: Pace::default(),
        };
        let (opened, mended) = match open.open_to_write(torn) {
            Err(Broken::Io(error)) if fault::is_for_lack_of_room(&error) => {
                open.note_full();
                (open.open_read_only()?, Mended::Nothing)
            }
            opened => {
                let opened = opened?;
                open.condition.opened_to_write();
                opened
            }
        };
        *open.database.write() = Some(opened);
        Ok((open, mended))
    }

    /// Runs `work` with the open database, many at once. Opens the file again first when it must be.
    pub(in crate::store) fn read<T>(&self, work: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        self.with_open(false, work)
    }

    /// Runs `work` with a database that can be written.
    pub(in crate::store) fn write<T>(&self, work: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        self.with_open(true, work)
    }

    fn with_open<T>(&self, tx_op: bool, work: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        let condition = self.condition.get();
        if condition == Condition::Damaged {
            return Err(fault::damaged("found before"));
        }
        if condition.must_be_opened(tx_op) {
            self.open_again(tx_op)?;
        }
        match self.database.read().as_ref() {
            Some(database) => work(database),
            None => Err(fault::unavailable("closed")),
        }
    }

    /// A turn at the open database on the calling thread: none while it would have to wait for anything, or
    /// while the storage has shown itself to be slow.
    pub(in crate::store) fn at_once(&self) -> Option<Turn<'_>> {
        let condition = self.condition.get();
        if condition == Condition::Damaged || condition.must_be_opened(false) || self.pace.is_slow() {
            return None;
        }
        let database = RwLockReadGuard::try_map(self.database.try_read()?, Option::as_ref).ok()?;
        Some(Turn::new(&self.pace, database))
    }

    /// Runs `work` with nobody else in the database. What it leaves in its place is what others find.
    pub(in crate::store) fn alone<T>(&self, work: impl FnOnce(&mut Option<Database>) -> Result<T>) -> Result<T> {
        work(&mut self.place_alone())
    }

    /// The place of the database, with nobody else in it. Whatever reads long makes way: who comes after waits for nothing
    /// but short reads and what is done here.
    fn place_alone(&self) -> RwLockWriteGuard<'_, Option<Database>> {
        let mut long_reads = self.long_reads.lock();
        std::mem::take(&mut *long_reads).cancel();
        self.database.write()
    }

    /// Is cancelled as soon as somebody must be alone with the database: for a long read, asked for before it begins.
    pub(in crate::store) fn makes_way(&self) -> CancellationToken {
        self.long_reads.lock().clone()
    }

    /// Whether the store is only read.
    pub(in crate::store) fn is_read_only(&self) -> bool {
        self.condition.get().is_read_only()
    }

    pub(in crate::store) fn state(&self) -> StorageState {
        self.condition.get().state()
    }

    pub(in crate::store) fn folder(&self) -> Option<&DataFolder> {
        match &self.source {
            StoreSource::File(folder) => Some(folder),
            StoreSource::Backend(_) => None,
        }
    }

    pub(in crate::store) fn known(&self) -> Arc<PageChecksums> {
        Arc::clone(&self.known.lock())
    }

    pub(in crate::store) fn cache_bytes(&self) -> usize {
        self.cache_bytes
    }

    pub(in crate::store) fn reserve_bytes(&self) -> u64 {
        self.reserve_bytes
    }

    pub(in crate::store) fn blob_files(&self) -> &BlobFiles {
        &self.blob_files
    }

    pub(in crate::store) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The open `database`, to be read and written by whoever is alone with it.
    pub(in crate::store) fn direct<'d>(&'d self, database: &'d Database) -> Direct<'d> {
        Direct { database, storage: self, clock: &self.clock }
    }

    /// What is declared of the tables.
    pub(in crate::store) fn schema(&self) -> &Schema {
        &self.schema
    }
}
