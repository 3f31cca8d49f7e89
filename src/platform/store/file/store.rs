//! The handle to the store: what every room holds and calls.

use std::ops::Deref;
use std::slice;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use redb::{Database, ReadableDatabase};
use tokio_util::sync::CancellationToken;

use super::super::rows::{DoneStep, IntegrityErrors, ReadTransaction, ReadTx, Schema, WriteTx};
use super::blob_files::BlobFiles;
use super::fault;
use super::folder::DataFolder;
use super::open_store::OpenStore;
use super::source::{Broken, StoreSource, Torn};
use super::space::{self, Space, StorageState};
use super::versions::{self, LAST_MIGRATION, Migrated};
use super::writer::Writer;
use crate::blocking;
use crate::events::Events;
use hanok_base::{Clock, Error, Kind, Message, Page, Result, Shared};

/// A handle to the store; clones share it.
#[derive(Clone)]
pub struct Store(Shared<Parts>);

/// What the handles share.
pub struct Parts {
    pub(in crate::store) open: Shared<OpenStore>,
    pub(in crate::store) writer: Writer,
    /// Held by the one restore that may be under way.
    pub(in crate::store) restoring: Arc<tokio::sync::Mutex<()>>,
    /// Held by the one snapshot that is being made.
    pub(in crate::store) copying: Arc<tokio::sync::Mutex<()>>,
    /// Held by the one copy that is being packed.
    pub(in crate::store) packing: Arc<tokio::sync::Mutex<()>>,
    /// Held while a file is packed: the large files that it names stay.
    pub(in crate::store) blobs_stay: Arc<tokio::sync::RwLock<()>>,
}

impl Deref for Store {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
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
        let filled =
            OpenStore::fill(StoreSource::Backend(backend), 8 << 20, 0, clock, schema, Arc::default(), Torn::IsCutOff);
        let (open_store, _) = filled.map_err(|broken| match broken {
            Broken::Damaged(cause) => fault::damaged(cause),
            Broken::Io(error) => error,
        })?;
        open_store.alone(|place| match place {
            Some(open) if !open_store.is_read_only() => {
                versions::bring_up_to_date(&open_store.direct(open), open_store.schema(), None).map(drop)
            }
            _ => Ok(()),
        })?;
        Ok(Self::start(open_store, events))
    }

    pub(in crate::store) fn start(open: OpenStore, events: Events) -> Store {
        let open = Shared::new(open);
        let writer = Writer::start(open.clone(), events);
        let (restoring, copying, packing) = (Arc::default(), Arc::default(), Arc::default());
        Store(Shared::new(Parts { open, writer, restoring, copying, packing, blobs_stay: Arc::default() }))
    }

    /// Runs `read` with one read transaction: a picture of the store that does not move meanwhile. When the caller stops
    /// waiting, its walks end.
    ///
    /// # Errors
    /// Those of the closure; `STORAGE_FULL` or `INTERNAL` when the storage fails.
    pub fn read<T, F>(&self, read: F) -> BoxFuture<'static, Result<T>>
    where
        T: Send + 'static,
        F: FnOnce(&ReadTx) -> Result<T> + Send + 'static,
    {
        let store = self.clone();
        blocking::run(move |abandoned| store.read_until(slice::from_ref(abandoned), read))
    }

    /// [`Store::read`] for what takes much memory: one after the other, with all other work that does
    /// ([`blocking::run_in_turn`]).
    ///
    /// # Errors
    /// As [`Store::read`].
    pub async fn read_in_turn<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&ReadTx) -> Result<T> + Send + 'static,
    {
        let store = self.clone();
        blocking::run_in_turn(move |abandoned| store.read_until(slice::from_ref(abandoned), read)).await
    }

    /// [`Store::read`] for little: a few rows, or a short page. It is done on the calling thread, which costs a
    /// few microseconds instead of the way to another thread and back. While the storage is slow, or the store
    /// is about to be opened again, it is done off the async threads after all, so that a door never stands
    /// still for a disk.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub fn read_inline<T, F>(&self, read: F) -> BoxFuture<'_, Result<T>>
    where
        T: Send + 'static,
        F: FnOnce(&ReadTx) -> Result<T> + Send + 'static,
    {
        Box::pin(async move {
            if let Some(turn) = self.open.at_once() {
                return without_types(read, |read| turn.read(|database| self.read_with(database, &[], read)));
            }
            self.read(read).await
        })
    }

    /// [`Store::read_inline`] for a page that is short and near the beginning of its list, [`Store::read`] for others.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub fn page<T, F>(&self, page: Page, read: F) -> BoxFuture<'_, Result<T>>
    where
        T: Send + 'static,
        F: FnOnce(&ReadTx) -> Result<T> + Send + 'static,
    {
        match page.offset.saturating_add(page.limit) {
            ..=SHORT => self.read_inline(read),
            _ => self.read(read),
        }
    }

    /// [`Store::read`] for code that is off the async threads already.
    pub fn read_now<T>(&self, read: impl FnOnce(&ReadTx) -> Result<T>) -> Result<T> {
        self.read_until(&[], read)
    }

    fn read_until<T>(&self, until: &[CancellationToken], read: impl FnOnce(&ReadTx) -> Result<T>) -> Result<T> {
        without_types(read, |read| self.open.read(|database| self.read_with(database, until, read)))
    }

    fn read_with(&self, database: &Database, until: &[CancellationToken], read: ErasedRead) -> Result<()> {
        let transaction = database.begin_read().map_err(|error| self.open.fault(error))?;
        read(&ReadTx::new(transaction, &*self.open, self.open.clock().now(), until))
    }

    /// Runs `write` with one write transaction and answers when what it wrote is on disk.
    ///
    /// # Errors
    /// Those of the closure, after which nothing it wrote is there; `STORAGE_FULL` when the disk is full.
    pub fn write<T, F>(&self, write: F) -> BoxFuture<'_, Result<T>>
    where
        T: Send + 'static,
        F: FnOnce(&WriteTx) -> Result<T> + Send + 'static,
    {
        Box::pin(self.writer.write(write))
    }

    /// The last migration that the store has behind it; none where none was ever written down.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub async fn last_migration(&self) -> Result<Option<Migrated>> {
        self.read_inline(|tx| tx.get(&LAST_MIGRATION, "last")).await
    }

    /// What people are told of the steps of a migration.
    pub fn told(&self, migrated: &Migrated) -> Vec<DoneStep> {
        self.open.schema().told(&migrated.steps)
    }

    /// How the storage is: room left, sizes, and whether writes are refused.
    pub fn space(&self) -> Space {
        self.open.space()
    }

    /// Whether the storage takes writes, without looking at sizes.
    pub fn state(&self) -> StorageState {
        self.open.state()
    }

    /// Whether what the file held is kept, which was removed while it was open.
    pub fn is_removed_kept(&self) -> bool {
        self.open.is_kept()
    }

    /// Whether anything worth a snapshot was written since the last one.
    pub fn has_changed(&self) -> bool {
        self.open.has_changed()
    }

    /// The data folder, when the store is on disk.
    pub fn folder(&self) -> Option<&DataFolder> {
        self.open.folder()
    }

    /// Who has a hand on which large file.
    pub(crate) fn blob_files(&self) -> BlobFiles {
        self.open.blob_files().clone()
    }

    /// Refuses what takes `more` bytes of the disk where less than the reserve would stay free.
    ///
    /// # Errors
    /// `STORAGE_FULL` with the figures.
    pub(crate) fn check_room(&self, more: u64) -> Result<()> {
        let Some(folder) = self.folder() else { return Ok(()) };
        space::check_room(folder.root(), more, self.open.reserve_bytes())
    }

    /// Looks whether the file of the store is in its place and as it was last written, which else the next write does.
    ///
    /// # Errors
    /// `STORAGE_AWAY`: writes are refused from then on.
    pub async fn look_at_its_place(&self) -> Result<()> {
        self.writer.alone(OpenStore::must_be_in_place).await
    }

    /// Gives back unused room of the file; readers and writers wait meanwhile. Bytes before and after.
    pub async fn compact(&self) -> Result<(u64, u64)> {
        let before = self.space().store_bytes;
        self.writer.alone(|open_store| open_store.compact()).await?;
        Ok((before, self.space().store_bytes))
    }

    /// Checks every page's checksum of the live file without changing it; writers wait meanwhile, readers do not. Ends at
    /// the next page when the caller stops waiting.
    ///
    /// # Errors
    /// `INTERNAL` naming the cure when a page is damaged; from then on nothing is served until a restore.
    pub async fn check_integrity(&self) -> Result<()> {
        let abandoned = CancellationToken::new();
        let _caller_waits = abandoned.clone().drop_guard();
        self.writer.alone(move |open_store| open_store.check(&abandoned)).await
    }

    /// Compares every index, count and total with the rows from which it is derived. Makes way for who must be alone with
    /// the file, and begins anew with what is there then. Ends soon when the caller stops waiting.
    ///
    /// # Errors
    /// `INTERNAL` naming what does not fit and rows that cannot be read, and the cure of each.
    pub async fn check_rows(&self) -> Result<()> {
        loop {
            let store = self.clone();
            if let Some(flaws) = blocking::run(move |abandoned| store.flaws(abandoned)).await? {
                return flaws.none();
            }
        }
    }

    /// What is wrong with the rows of the file that is in place; none when it had to make way.
    fn flaws(&self, abandoned: &CancellationToken) -> Result<Option<IntegrityErrors>> {
        let makes_way = self.open.makes_way();
        match self.read_until(&[abandoned.clone(), makes_way.clone()], |tx| self.open.schema().flaws(tx)) {
            Err(_) if makes_way.is_cancelled() => Ok(None),
            flaws => flaws.map(Some),
        }
    }

    /// Derives every index, count and total anew from the rows, those of each table in one transaction: one whose rows
    /// cannot be read keeps no other from it.
    ///
    /// # Errors
    /// `STORAGE_FULL`; else `INTERNAL` naming the tables of which nothing could be derived.
    pub async fn rebuild_derived(&self) -> Result<()> {
        let mut failed = Vec::new();
        for table in self.open.schema().with_derived() {
            match self.write(move |tx| table.rebuild(tx)).await {
                Err(error) if fault::is_for_lack_of_room(&error) => return Err(error),
                Err(error) => failed.push((table.tables()[0], error)),
                Ok(()) => {}
            }
        }
        if failed.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = failed.iter().map(|(name, _)| *name).collect();
        let causes: Vec<_> = failed.iter().map(|(name, error)| format!("{name}: {error}")).collect();
        let sentence = format!("nothing can be derived anew from the rows of {}", names.join(", "));
        Err(Error::new(Kind::Internal, Message::english(sentence)).because(causes.join("; ")))
    }

    /// Ends the writer after what is queued, marks the file as cleanly closed, and closes it.
    pub async fn close(&self) -> Result<()> {
        self.writer.close().await
    }
}

/// What reads, with its types taken off.
type ErasedRead<'a> = &'a mut dyn FnMut(&ReadTx) -> Result<()>;

/// Has `run` do `read` without knowing its types, so that what `run` calls is compiled once for all of them.
fn without_types<T>(read: impl FnOnce(&ReadTx) -> Result<T>, run: impl FnOnce(ErasedRead) -> Result<()>) -> Result<T> {
    let (mut read, mut value) = (Some(read), None);
    run(&mut |tx| {
        if let Some(read) = read.take() {
            value = Some(read(tx)?);
        }
        Ok(())
    })?;
    value.ok_or_else(|| Error::internal("nothing was read"))
}
