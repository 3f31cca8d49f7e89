//! The place where the open database stands. It can be taken out and put back while the appliance runs:
//! after an I/O error, to compact, and to put a restored file in its place.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{MappedRwLockReadGuard, RwLock, RwLockReadGuard};
use redb::{Database, StorageBackend};
use tracing::{error, info, warn};

use super::fault::{self, Meaning};
use super::folder::DataFolder;
use super::space::{self, Space, StorageState};
use crate::base::{Error, Kind, Result};

pub(super) struct Slot {
    source: Source,
    cache_bytes: usize,
    reserve_bytes: u64,
    database: RwLock<Option<Database>>,
    /// The handle met an I/O error and must be opened again.
    faulted: AtomicBool,
    /// The last thing a write heard was that there is no room.
    full: AtomicBool,
    /// Something worth a snapshot was written since the last one. True at the start: nobody knows better.
    changed: AtomicBool,
    begun: Instant,
    /// Until when short reads are not done on the async threads, in milliseconds since `begun`.
    slow_until: AtomicU64,
}

/// A turn at the open database, taken on the calling thread.
pub(super) struct Turn<'s> {
    slot: &'s Slot,
    database: MappedRwLockReadGuard<'s, Database>,
}

impl Turn<'_> {
    /// Runs `work`, and notes when it took so long that the next ones should not be done here.
    pub(super) fn read<T>(self, work: impl FnOnce(&Database) -> T) -> T {
        let begun = Instant::now();
        let done = work(&self.database);
        if begun.elapsed() > SLOW {
            let until = (self.slot.begun.elapsed() + LEFT_ALONE).as_millis();
            self.slot.slow_until.store(u64::try_from(until).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
        done
    }
}

/// A short read that took longer than this has waited for the disk.
const SLOW: Duration = Duration::from_millis(2);
/// For how long short reads are then done where they may wait.
const LEFT_ALONE: Duration = Duration::from_secs(1);

enum Source {
    File(DataFolder),
    Backend(Arc<dyn StorageBackend>),
}

impl Slot {
    /// Opens the store file of `folder`, creating it when it is not there.
    pub(super) fn on_file(folder: DataFolder, cache_bytes: usize, reserve_bytes: u64) -> Result<Slot> {
        Self::fill(Source::File(folder), cache_bytes, reserve_bytes)
    }

    pub(super) fn on_backend(backend: Arc<dyn StorageBackend>) -> Result<Slot> {
        Self::fill(Source::Backend(backend), 8 << 20, 0)
    }

    fn fill(source: Source, cache_bytes: usize, reserve_bytes: u64) -> Result<Slot> {
        let slot = Slot {
            source,
            cache_bytes,
            reserve_bytes,
            database: RwLock::new(None),
            faulted: AtomicBool::new(false),
            full: AtomicBool::new(false),
            changed: AtomicBool::new(true),
            begun: Instant::now(),
            slow_until: AtomicU64::new(0),
        };
        *slot.database.write() = Some(slot.open()?);
        Ok(slot)
    }

    /// Runs `work` with the open database, many at once. Opens the file again first when it must be.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        self.heal()?;
        let guard = self.database.read();
        match guard.as_ref() {
            Some(database) => work(database),
            None => Err(unavailable("the store is being opened again")),
        }
    }

    /// A turn at the open database on the calling thread: none while it would have to wait for anything, or
    /// while the storage has shown itself to be slow.
    pub(super) fn at_once(&self) -> Option<Turn<'_>> {
        if self.faulted.load(Ordering::Acquire)
            || self.begun.elapsed().as_millis() < self.slow_until.load(Ordering::Relaxed).into()
        {
            return None;
        }
        let database = RwLockReadGuard::try_map(self.database.try_read()?, Option::as_ref).ok()?;
        Some(Turn { slot: self, database })
    }

    /// Runs `work` with nobody else in the database. What it leaves in the slot is what others find.
    pub(super) fn alone<T>(&self, work: impl FnOnce(&mut Option<Database>) -> Result<T>) -> Result<T> {
        work(&mut self.database.write())
    }

    /// Closes the file and opens it again when an I/O error made the handle unusable.
    fn heal(&self) -> Result<()> {
        if !self.faulted.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut guard = self.database.write();
        if !self.faulted.load(Ordering::Acquire) {
            return Ok(());
        }
        *guard = None;
        *guard = Some(self.open().inspect_err(|cause| error!(%cause, "the store could not be opened again"))?);
        self.faulted.store(false, Ordering::Release);
        info!("the store was closed and opened again after an I/O error");
        Ok(())
    }

    /// Opens what the source names.
    pub(super) fn open(&self) -> Result<Database> {
        fault::without_panic(|| {
            let mut builder = redb::Builder::new();
            builder.set_cache_size(self.cache_bytes);
            let opened = match &self.source {
                Source::File(folder) => builder.create(folder.store_file()),
                Source::Backend(backend) => builder.create_with_backend(Shared(Arc::clone(backend))),
            };
            opened.map_err(|error| match redb::Error::from(error) {
                redb::Error::Io(io) => fault::io("opening the store", io),
                other => Error::internal(format!("opening the store: {other}")),
            })
        })
    }

    /// Notes what a redb error means and gives the error for the caller.
    pub(super) fn fault(&self, error: impl Into<redb::Error>) -> Error {
        let error = error.into();
        match fault::meaning(&error) {
            Meaning::Full => {
                self.faulted.store(true, Ordering::Release);
                self.note_full();
                fault::storage_full().because(error)
            }
            Meaning::Broken => {
                self.faulted.store(true, Ordering::Release);
                if self.full.load(Ordering::Acquire) {
                    return fault::storage_full().because(error);
                }
                unavailable(error)
            }
            Meaning::Ours => Error::internal(error),
        }
    }

    /// Refuses writes before the last room is used up, so that what is running can still be finished.
    pub(super) fn room_for_writes(&self) -> Result<()> {
        let Source::File(folder) = &self.source else { return Ok(()) };
        if space::free(folder.root()).is_some_and(|free| free < self.reserve_bytes) {
            self.note_full();
            return Err(fault::storage_full());
        }
        Ok(())
    }

    /// Notes that a write has reached the disk. True when the disk was full before.
    pub(super) fn note_written(&self) -> bool {
        let was_full = self.full.swap(false, Ordering::AcqRel);
        if was_full {
            info!("the disk has room again; writes go on");
        }
        was_full
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

    fn note_full(&self) {
        if !self.full.swap(true, Ordering::AcqRel) {
            warn!("the disk is full: writes are refused until there is room");
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.full.load(Ordering::Acquire)
    }

    pub(super) fn folder(&self) -> Option<&DataFolder> {
        match &self.source {
            Source::File(folder) => Some(folder),
            Source::Backend(_) => None,
        }
    }

    pub(super) fn cache_bytes(&self) -> usize {
        self.cache_bytes
    }

    pub(super) fn space(&self) -> Space {
        let mut space = match &self.source {
            Source::File(folder) => space::of(folder),
            Source::Backend(backend) => Space { store_bytes: backend.len().unwrap_or(0), ..Space::default() },
        };
        if self.is_full() {
            space.state = StorageState::Full;
        } else if self.faulted.load(Ordering::Acquire) {
            space.state = StorageState::Recovering;
        }
        space
    }

    pub(super) fn compact(&self) -> Result<()> {
        self.alone(|database| {
            let Some(open) = database else { return Err(unavailable("closed")) };
            open.compact().map_err(|error| self.fault(error))?;
            Ok(())
        })
    }

    pub(super) fn check_integrity(&self) -> Result<()> {
        self.alone(|database| {
            let Some(open) = database else { return Err(unavailable("closed")) };
            let intact = fault::without_panic(|| open.check_integrity().map_err(|error| self.fault(error)));
            match intact {
                Ok(true) => Ok(()),
                Ok(false) => Err(damaged("a page was damaged and the file was repaired to its last sound state")),
                Err(error) => Err(damaged(error)),
            }
        })
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

/// Lets a database and its successor share one backend, so that it can be closed and opened again.
#[derive(Debug)]
struct Shared(Arc<dyn StorageBackend>);

impl StorageBackend for Shared {
    fn len(&self) -> std::io::Result<u64> {
        self.0.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<()> {
        self.0.read(offset, out)
    }

    fn set_len(&self, len: u64) -> std::io::Result<()> {
        self.0.set_len(len)
    }

    fn sync_data(&self) -> std::io::Result<()> {
        self.0.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> std::io::Result<()> {
        self.0.write(offset, data)
    }
}
