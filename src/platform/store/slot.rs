//! The place where the open database stands. It can be taken out and put back while the appliance runs:
//! after an I/O error, to compact, and to put a restored file in its place.
//!
//! When nothing can be written, the store is only looked at: reads go on, and the next write tries again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use redb::Database;
use tracing::{error, info, warn};

use super::direct::Direct;
use super::disk::Known;
use super::fault::{self, Meaning};
use super::folder::DataFolder;
use super::rows::Schema;
use super::rows::transaction::Storage;
use super::seal::{self, FileIdentity};
use super::source::{self, Broken, Mended, Source};
use super::space::{self, Space, StorageState};
use super::turn::{Pace, Turn};
use super::{migrate, open};
use hanok_base::{Clock, Error, Kind, Result};

pub(super) struct Slot {
    source: Source,
    /// What is known about the bytes of the file that is in place.
    known: Mutex<Arc<Known>>,
    /// Which file was opened to be written.
    file: Mutex<Option<FileIdentity>>,
    cache_bytes: usize,
    reserve_bytes: u64,
    clock: Clock,
    schema: Schema,
    database: RwLock<Option<Database>>,
    /// The handle met an I/O error and must be opened again.
    faulted: AtomicBool,
    /// The store is only looked at: what redb would write stays in memory.
    looking: AtomicBool,
    /// The file says that it is open for writing.
    marked: AtomicBool,
    /// The last thing a write heard was that there is no room.
    full: AtomicBool,
    /// A page is not what was written. Nothing is served until a restore puts another file in place.
    damaged: AtomicBool,
    /// Something worth a snapshot was written since the last one. True at the start: nobody knows better.
    changed: AtomicBool,
    /// Whether short reads may be done on the calling thread.
    pace: Pace,
}

impl Slot {
    /// Opens the store that `source` names, or looks at it when nothing can be written at the moment.
    pub(super) fn fill(
        source: Source,
        cache_bytes: usize,
        reserve_bytes: u64,
        clock: Clock,
        schema: Schema,
        known: Arc<Known>,
    ) -> Result<(Slot, Mended), Broken> {
        let slot = Slot {
            source,
            known: Mutex::new(known),
            file: Mutex::default(),
            cache_bytes,
            reserve_bytes,
            clock,
            schema,
            database: RwLock::new(None),
            faulted: AtomicBool::new(false),
            looking: AtomicBool::new(false),
            marked: AtomicBool::new(false),
            full: AtomicBool::new(false),
            damaged: AtomicBool::new(false),
            changed: AtomicBool::new(true),
            pace: Pace::default(),
        };
        let (opened, mended) = slot.open_to_write().or_else(|broken| match broken {
            Broken::Io(error) if fault::is_for_lack_of_room(&error) => {
                slot.note_full();
                slot.open_to_look().map(|database| (database, Mended::Nothing))
            }
            broken => Err(broken),
        })?;
        *slot.database.write() = Some(opened);
        Ok((slot, mended))
    }

    /// Runs `work` with the open database, many at once. Opens the file again first when it must be.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        self.refuse_damaged()?;
        if self.faulted.load(Ordering::Acquire) {
            self.open_again(false)?;
        }
        match self.database.read().as_ref() {
            Some(database) => work(database),
            None => Err(unavailable("closed")),
        }
    }

    /// Runs `work` with a database that can be written.
    pub(super) fn write<T>(&self, work: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        self.refuse_damaged()?;
        if self.faulted.load(Ordering::Acquire) || self.looking.load(Ordering::Acquire) {
            self.open_again(true)?;
        }
        match self.database.read().as_ref() {
            Some(database) => work(database),
            None => Err(unavailable("closed")),
        }
    }

    /// A turn at the open database on the calling thread: none while it would have to wait for anything, or
    /// while the storage has shown itself to be slow.
    pub(super) fn at_once(&self) -> Option<Turn<'_>> {
        if self.refuse_damaged().is_err() || self.faulted.load(Ordering::Acquire) || self.pace.is_slow() {
            return None;
        }
        let database = RwLockReadGuard::try_map(self.database.try_read()?, Option::as_ref).ok()?;
        Some(Turn::new(&self.pace, database))
    }

    /// Runs `work` with nobody else in the database. What it leaves in the slot is what others find.
    pub(super) fn alone<T>(&self, work: impl FnOnce(&mut Option<Database>) -> Result<T>) -> Result<T> {
        work(&mut self.database.write())
    }

    /// Closes the file and opens it again; when it cannot be written, looks at it, so that reads go on.
    fn open_again(&self, to_write: bool) -> Result<()> {
        let mut place = self.database.write();
        let looks_where_it_should_write = to_write && self.looking.load(Ordering::Acquire);
        if !self.faulted.load(Ordering::Acquire) && !looks_where_it_should_write {
            return Ok(());
        }
        self.open_in(&mut place, to_write || !self.is_full())?;
        info!(looks = self.is_looking(), "the store was closed and opened again");
        if to_write && self.looking.load(Ordering::Acquire) {
            return Err(if self.is_full() { fault::storage_full() } else { unavailable("it is only looked at") });
        }
        Ok(())
    }

    /// Opens the file anew in `place`: to write when that is wanted and possible, to look at otherwise.
    pub(super) fn open_in(&self, place: &mut Option<Database>, to_write: bool) -> Result<()> {
        *place = None;
        // Until it stands again, whoever comes tries to open it.
        self.faulted.store(true, Ordering::Release);
        let opened = if to_write { self.open_and_mark() } else { Err(Broken::Io(fault::storage_full())) };
        let (database, looks) = match opened {
            Ok(database) => (database, false),
            Err(Broken::Damaged(cause)) => return Err(self.note_damage(cause)),
            Err(Broken::Io(cause)) => {
                if fault::is_for_lack_of_room(&cause) {
                    self.note_full();
                } else {
                    error!(%cause, "the store cannot be written; it is only looked at");
                }
                (self.open_to_look().map_err(|broken| self.refusal(broken))?, true)
            }
        };
        *place = Some(database);
        self.looking.store(looks, Ordering::Release);
        self.faulted.store(false, Ordering::Release);
        Ok(())
    }

    /// Opens the file to write, and says in it that it is open.
    fn open_and_mark(&self) -> Result<Database, Broken> {
        let (database, _) = self.open_to_write()?;
        if let (Source::File(folder), false) = (&self.source, self.marked.load(Ordering::Acquire)) {
            open::mark_open(self, &database, folder).map_err(Broken::Io)?;
        }
        Ok(database)
    }

    /// A commit that failed or was cut off is left out. One whose bytes have changed since is not taken for such a
    /// one: its bytes are known.
    fn open_to_write(&self) -> Result<(Database, Mended), Broken> {
        let opened = source::open_to_write(&self.source, self.known(), self.cache_bytes)?;
        if let Source::File(folder) = &self.source {
            *self.file.lock() = seal::identity(&folder.store_file()).ok();
        }
        Ok(opened)
    }

    fn open_to_look(&self) -> Result<Database, Broken> {
        self.looking.store(true, Ordering::Release);
        source::open_to_look(&self.source, self.known(), self.cache_bytes)
    }

    /// Another file stands where the store stood: nothing that was known holds any more.
    pub(super) fn forget_the_file(&self) {
        *self.known.lock() = Arc::default();
        self.marked.store(false, Ordering::Release);
        self.damaged.store(false, Ordering::Release);
        *self.file.lock() = None;
    }

    pub(super) fn note_marked(&self) {
        self.marked.store(true, Ordering::Release);
    }

    /// Whether the store is only looked at.
    pub(super) fn is_looking(&self) -> bool {
        self.looking.load(Ordering::Acquire)
    }

    /// [`Storage::fault`] of any of redb's errors.
    pub(super) fn fault(&self, error: impl Into<redb::Error>) -> Error {
        Storage::fault(self, error.into())
    }

    fn note(&self, error: redb::Error) -> Error {
        match fault::meaning(&error) {
            Meaning::Full => {
                self.faulted.store(true, Ordering::Release);
                self.note_full();
                if self.known().take_unsure() { fault::perhaps_written() } else { fault::storage_full() }.because(error)
            }
            Meaning::Broken => {
                self.faulted.store(true, Ordering::Release);
                if self.full.load(Ordering::Acquire) {
                    return fault::storage_full().because(error);
                }
                unavailable(error)
            }
            Meaning::Damaged => self.note_damage(error),
            Meaning::Ours => Error::internal(error),
        }
    }

    /// Notes that redb gave up in the middle of something: the handle must be opened again.
    pub(super) fn note_fault(&self) {
        self.faulted.store(true, Ordering::Release);
    }

    fn note_damage(&self, cause: impl std::fmt::Display) -> Error {
        if !self.damaged.swap(true, Ordering::AcqRel) {
            error!(%cause, "the store file is damaged: nothing is served until a restore");
        }
        damaged(cause)
    }

    fn refusal(&self, broken: Broken) -> Error {
        match broken {
            Broken::Damaged(cause) => self.note_damage(cause),
            Broken::Io(error) => error,
        }
    }

    fn refuse_damaged(&self) -> Result<()> {
        if self.damaged.load(Ordering::Acquire) { Err(damaged("found before")) } else { Ok(()) }
    }

    /// Refuses writes before the last room is used up, so that what is running can still be finished; and when a hand
    /// has put another file in the place of the store: what is written to one without a name is lost with the process.
    pub(super) fn room_for_writes(&self) -> Result<()> {
        let Source::File(folder) = &self.source else { return Ok(()) };
        let opened = self.file.lock().clone();
        if opened.is_some() && seal::identity(&folder.store_file()).ok() != opened {
            return Err(self.note_damage("hanok.redb was taken away or replaced while it was open"));
        }
        if space::free(folder.root()).is_some_and(|free| free < self.reserve_bytes) {
            self.note_full();
            return Err(fault::storage_full());
        }
        Ok(())
    }

    /// Notes that a write has reached the disk.
    pub(super) fn note_written(&self) {
        if self.full.swap(false, Ordering::AcqRel) {
            info!("the disk has room again; writes go on");
        }
    }

    pub(super) fn note_change(&self) {
        self.changed.store(true, Ordering::Release);
    }

    /// Forgets the changes: a snapshot that holds them was made.
    pub(super) fn note_snapshot(&self) {
        self.changed.store(false, Ordering::Release);
    }

    pub(super) fn has_changed(&self) -> bool {
        self.changed.load(Ordering::Acquire)
    }

    pub(super) fn note_full(&self) {
        if !self.full.swap(true, Ordering::AcqRel) {
            warn!("the disk is full: writes are refused until there is room");
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.full.load(Ordering::Acquire)
    }

    pub(super) fn state(&self) -> StorageState {
        if self.damaged.load(Ordering::Acquire) {
            StorageState::Damaged
        } else if self.is_full() {
            StorageState::Full
        } else if self.faulted.load(Ordering::Acquire) || self.is_looking() {
            StorageState::Recovering
        } else {
            StorageState::Ok
        }
    }

    pub(super) fn folder(&self) -> Option<&DataFolder> {
        match &self.source {
            Source::File(folder) => Some(folder),
            Source::Backend(_) => None,
        }
    }

    pub(super) fn known(&self) -> Arc<Known> {
        Arc::clone(&self.known.lock())
    }

    pub(super) fn cache_bytes(&self) -> usize {
        self.cache_bytes
    }

    pub(super) fn reserve_bytes(&self) -> u64 {
        self.reserve_bytes
    }

    pub(super) fn clock(&self) -> &Clock {
        &self.clock
    }

    pub(super) fn space(&self) -> Space {
        let space = match &self.source {
            Source::File(folder) => space::of(folder),
            Source::Backend(backend) => Space { store_bytes: backend.len().unwrap_or(0), ..Space::default() },
        };
        Space { state: self.state(), ..space }
    }

    pub(super) fn compact(&self) -> Result<()> {
        self.write(|_| Ok(()))?;
        self.alone(|database| {
            let Some(open) = database else { return Err(unavailable("closed")) };
            open.compact().map_err(|error| self.fault(error))?;
            Ok(())
        })
    }

    /// Reads every page of the live file from the disk and compares checksums, without changing a byte of it.
    /// Writers stand still meanwhile; readers do not.
    pub(super) fn check(&self) -> Result<()> {
        self.read(|database| {
            let hold = database.begin_write().map_err(|error| self.fault(error))?;
            let sound = source::check_live(&self.source, self.known());
            hold.abort().map_err(|error| self.fault(error))?;
            sound.map_err(|broken| self.refusal(broken))
        })
    }

    /// The version that wrote the store; none in a store that was just created.
    pub(super) fn version(&self, database: &Database) -> Result<Option<migrate::Version>> {
        migrate::found(&self.direct(database))
    }

    /// The open `database`, to be read and written by whoever is alone with it.
    pub(super) fn direct<'d>(&'d self, database: &'d Database) -> Direct<'d> {
        Direct { database, storage: self, clock: &self.clock }
    }

    /// What is declared of the tables.
    pub(super) fn schema(&self) -> &Schema {
        &self.schema
    }
}

impl Storage for Slot {
    fn fault(&self, error: redb::Error) -> Error {
        self.note(error)
    }
}

/// The store cannot be used at this moment; `cause` is for the log.
fn unavailable(cause: impl std::fmt::Display) -> Error {
    Error::new(Kind::Internal, "the store cannot be used at the moment; it is being opened again").because(cause)
}

/// The live file has a damaged page.
pub(super) fn damaged(cause: impl std::fmt::Display) -> Error {
    Error::new(
        Kind::Internal,
        "the store file is damaged; run `hanok restore --latest` to go back to the newest verified snapshot",
    )
    .because(cause)
}
