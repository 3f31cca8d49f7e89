//! The open store. Its file can be closed and opened again while the appliance runs: after an I/O error, to compact,
//! and to put a restored file in its place.
//!
//! When nothing can be written, the store is read only: reads go on, and the next write tries again. How the store is at
//! a moment is one [`Condition`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use redb::Database;
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use super::super::rows::Schema;
use super::super::rows::transaction::Storage;
use super::condition::{Condition, Current};
use super::direct::Direct;
use super::disk::KnownBlocks;
use super::fault::{self, Meaning};
use super::folder::{DataFolder, STORE_FILE};
use super::marker::{self, FileIdentity};
use super::source::{self, Broken, Mended, StoreSource, Torn};
use super::space::{self, Space, StorageState};
use super::turn::{Pace, Turn};
use super::versions::{self, Migrated};
use crate::blocking;
use hanok_base::{Clock, Error, Kind, Result};

pub(in crate::store) struct OpenStore {
    source: StoreSource,
    /// What is known about the bytes of the file that is in place.
    known: Mutex<Arc<KnownBlocks>>,
    /// Which file was opened to be written.
    file: Mutex<Option<FileIdentity>>,
    cache_bytes: usize,
    reserve_bytes: u64,
    clock: Clock,
    schema: Schema,
    database: RwLock<Option<Database>>,
    condition: Current,
    /// Something worth a snapshot was written since the last one. True at the start: nobody knows better.
    changed: AtomicBool,
    /// Whether short reads may be done on the calling thread.
    pace: Pace,
}

impl OpenStore {
    /// Opens the store that `source` names, read only when nothing can be written at the moment.
    pub(in crate::store) fn fill(
        source: StoreSource,
        cache_bytes: usize,
        reserve_bytes: u64,
        clock: Clock,
        schema: Schema,
        known: Arc<KnownBlocks>,
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
            condition: Current::default(),
            changed: AtomicBool::new(true),
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

    fn with_open<T>(&self, to_write: bool, work: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        let condition = self.condition.get();
        if condition == Condition::Damaged {
            return Err(damaged("found before"));
        }
        if condition.must_be_opened(to_write) {
            self.open_again(to_write)?;
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
        work(&mut self.database.write())
    }

    /// Closes the file and opens it again, read only when it cannot be written, so that reads go on.
    fn open_again(&self, to_write: bool) -> Result<()> {
        let mut place = self.database.write();
        if !self.condition.get().must_be_opened(to_write) {
            return Ok(());
        }
        self.open_in(&mut place, to_write || !self.is_full())?;
        info!(read_only = self.is_read_only(), "the store was closed and opened again");
        if to_write && self.is_read_only() {
            return Err(if self.is_full() { fault::storage_full() } else { fault::unavailable("it is read only") });
        }
        Ok(())
    }

    /// Opens the file anew in `place`: to write when that is wanted and possible, read only otherwise.
    pub(in crate::store) fn open_in(&self, place: &mut Option<Database>, to_write: bool) -> Result<()> {
        *place = None;
        // Until it stands again, whoever comes tries to open it.
        self.condition.faulted();
        let opened = if to_write { self.open_and_make_ready() } else { Err(Broken::Io(fault::storage_full())) };
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

    fn open_and_make_ready(&self) -> Result<Database, Broken> {
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
    fn open_to_write(&self, torn: Torn) -> Result<(Database, Mended), Broken> {
        let opened = source::open_to_write(&self.source, self.known(), self.cache_bytes, torn)?;
        if let StoreSource::File(folder) = &self.source {
            *self.file.lock() = marker::identity(&folder.store_file()).ok();
        }
        Ok(opened)
    }

    fn open_read_only(&self) -> Result<Database, Broken> {
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

    /// Whether the store is only read.
    pub(in crate::store) fn is_read_only(&self) -> bool {
        self.condition.get().is_read_only()
    }

    /// [`Storage::fault`] of any of redb's errors.
    pub(in crate::store) fn fault(&self, error: impl Into<redb::Error>) -> Error {
        Storage::fault(self, error.into())
    }

    fn note(&self, error: redb::Error) -> Error {
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

    fn note_damage(&self, cause: impl std::fmt::Display) -> Error {
        if self.condition.damaged() {
            error!(%cause, "the store file is damaged: nothing is served until a restore");
            self.keep_in_mind_that_it_is_damaged();
        }
        damaged(cause)
    }

    /// For the next start, after a crash too. Where that cannot be written, every page is checked then all the same.
    fn keep_in_mind_that_it_is_damaged(&self) {
        let StoreSource::File(folder) = &self.source else { return };
        if let Err(error) = marker::mark_damaged(folder) {
            error!(%error, "that the store is damaged could not be written down");
        }
    }

    fn refusal(&self, broken: Broken) -> Error {
        match broken {
            Broken::Damaged(cause) => self.note_damage(cause),
            Broken::Io(error) => error,
        }
    }

    /// Refuses writes before the last room is used up, so that what is running can still be finished; and when a hand
    /// has put another file in the place of the store: what is written to one without a name is lost with the process.
    pub(in crate::store) fn room_for_writes(&self) -> Result<()> {
        let StoreSource::File(folder) = &self.source else { return Ok(()) };
        let opened = self.file.lock().clone();
        if opened.is_some() && marker::identity(&folder.store_file()).ok() != opened {
            return Err(self.note_damage("hanok.redb was taken away or replaced while it was open"));
        }
        if space::free(folder.root()).is_some_and(|free| free < self.reserve_bytes) {
            self.note_full();
            return Err(fault::storage_full());
        }
        Ok(())
    }

    /// Notes that a write has reached the disk.
    pub(in crate::store) fn note_written(&self) {
        if self.condition.written() {
            info!("the disk has room again; writes go on");
        }
    }

    pub(in crate::store) fn note_change(&self) {
        self.changed.store(true, Ordering::Release);
    }

    /// Forgets the changes: a snapshot that holds them was made.
    pub(in crate::store) fn note_snapshot(&self) {
        self.changed.store(false, Ordering::Release);
    }

    pub(in crate::store) fn has_changed(&self) -> bool {
        self.changed.load(Ordering::Acquire)
    }

    pub(in crate::store) fn note_full(&self) {
        if self.condition.found_no_room() {
            warn!("the disk is full: writes are refused until there is room");
        }
    }

    pub(in crate::store) fn is_full(&self) -> bool {
        self.condition.get().is_full()
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

    pub(in crate::store) fn known(&self) -> Arc<KnownBlocks> {
        Arc::clone(&self.known.lock())
    }

    pub(in crate::store) fn cache_bytes(&self) -> usize {
        self.cache_bytes
    }

    pub(in crate::store) fn reserve_bytes(&self) -> u64 {
        self.reserve_bytes
    }

    pub(in crate::store) fn clock(&self) -> &Clock {
        &self.clock
    }

    pub(in crate::store) fn space(&self) -> Space {
        let space = match &self.source {
            StoreSource::File(folder) => space::of(folder),
            StoreSource::Backend(backend) => Space { store_bytes: backend.len().unwrap_or(0), ..Space::default() },
        };
        Space { state: self.state(), ..space }
    }

    pub(in crate::store) fn compact(&self) -> Result<()> {
        self.write(|_| Ok(()))?;
        self.alone(|database| {
            let Some(open) = database else { return Err(fault::unavailable("closed")) };
            open.compact().map_err(|error| self.fault(error))?;
            Ok(())
        })
    }

    /// Reads every page of the live file from the disk and compares checksums, without changing a byte of it.
    /// Writers stand still meanwhile; readers do not. Ends at the next page once it is `abandoned`.
    pub(in crate::store) fn check(&self, abandoned: &CancellationToken) -> Result<()> {
        self.read(|database| {
            let hold = database.begin_write().map_err(|error| self.fault(error))?;
            let sound = source::check_live(&self.source, self.known(), abandoned);
            hold.abort().map_err(|error| self.fault(error))?;
            blocking::go_on(abandoned)?;
            sound.map_err(|broken| self.refusal(broken))
        })
    }

    /// The version that wrote the store; none in a store that was just created.
    pub(in crate::store) fn version(&self, database: &Database) -> Result<Option<versions::Version>> {
        versions::found(&self.direct(database))
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

impl Storage for OpenStore {
    fn fault(&self, error: redb::Error) -> Error {
        self.note(error)
    }
}

/// The live file has a damaged page.
pub(in crate::store) fn damaged(cause: impl std::fmt::Display) -> Error {
    Error::new(
        Kind::Internal,
        "the store file is damaged; run `hanok restore --latest` to go back to the newest verified snapshot",
    )
    .because(cause)
}
