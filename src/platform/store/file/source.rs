//! Opening a store with redb: to write it, or read only, and what each way of failing means.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redb::backends::FileBackend;
use redb::{Database, StorageBackend};
use rustix::fs::OFlags;
use tokio_util::sync::CancellationToken;

use super::commit_slot::Header;
use super::disk::{ChecksummedBackend, Overlay, PageChecksums};
use super::fault;
use super::folder::{self, DataFolder, STORE_FILE};
use hanok_base::{Error, Message, Result};

/// Memory for the pages of a store that is checked: each of them is read once.
pub(in crate::store) const CHECK_CACHE: usize = 1 << 20;

/// Where the bytes of the store are.
pub(in crate::store) enum StoreSource {
    /// In the store file of this folder.
    File(DataFolder),
    /// In a backend of a test's own.
    Backend(Arc<dyn StorageBackend>),
}

/// What it means when the last commit is not there whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum Torn {
    /// The machine stopped in the middle of it, so nobody was told that it was written: the one before it counts.
    IsCutOff,
    /// It had been synced, so its bytes have changed since.
    IsDamage,
}

/// Why a store cannot be opened.
#[derive(Debug)]
pub(in crate::store) enum Broken {
    /// Its bytes are not those of a store; the cause is for the log.
    Damaged(String),
    /// The disk or the system failed.
    Io(Error),
}

/// What opening to write did on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum Mended {
    /// Nothing: it had been closed.
    Nothing,
    /// Checked every page and counted anew what is free.
    Repaired,
    /// That, and left out a last commit that was not there whole.
    CutOff,
}

/// Makes an empty store file, whole or not at all.
pub(in crate::store) fn create(folder: &DataFolder) -> Result<()> {
    let new = folder.root().join("hanok.redb.new");
    let _ = fs::remove_file(&new);
    drop(redb::Builder::new().create(&new).map_err(|error| fault::redb("creating the store", error))?);
    File::open(&new).and_then(|file| file.sync_all()).map_err(|e| fault::io("creating the store", e))?;
    folder::rename_durably(&new, &folder.store_file())
}

/// Opens the store to write it.
pub(in crate::store) fn open_to_write(
    source: &StoreSource,
    known: Arc<PageChecksums>,
    cache_bytes: usize,
    torn: Torn,
) -> Result<(Database, Mended), Broken> {
    open(ChecksummedBackend::new(source.bytes(true)?, known), STORE_FILE, cache_bytes, torn)
}

/// Opens the store without changing a byte of it: what redb writes stays in memory.
pub(in crate::store) fn open_read_only(
    source: &StoreSource,
    known: Arc<PageChecksums>,
    cache_bytes: usize,
) -> Result<Database, Broken> {
    open(source.overlay(known)?, STORE_FILE, cache_bytes, Torn::IsCutOff).map(|(database, _)| database)
}

/// Opens a store that nobody has open read only and checks every page. None when it was not closed cleanly: then opening it
/// to write checks as much.
pub(in crate::store) fn check_closed(
    source: &StoreSource,
    known: Arc<PageChecksums>,
) -> Result<Option<Database>, Broken> {
    check_if_closed(source.overlay(known)?, STORE_FILE)
}

fn check_if_closed(overlay: Overlay, name: &str) -> Result<Option<Database>, Broken> {
    let mut builder = redb::Builder::new();
    builder.set_cache_size(CHECK_CACHE).set_repair_callback(redb::RepairSession::abort);
    let opened = fault::caught(|| builder.create_with_backend(overlay)).map_err(Broken::Damaged)?;
    match opened {
        Ok(mut database) => check(&mut database, name).map(|()| Some(database)),
        Err(redb::DatabaseError::RepairAborted) => Ok(None),
        Err(error) => Err(meaning(error, name)),
    }
}

/// Checks every page of a store that is open and stands still, without disturbing it; `torn` says what a last commit is
/// that is not there whole. Once it is `abandoned`, no page can be read any more, and what comes of it says nothing about
/// the store.
pub(in crate::store) fn check_live(
    source: &StoreSource,
    known: Arc<PageChecksums>,
    torn: Torn,
    abandoned: &CancellationToken,
) -> Result<(), Broken> {
    let bytes = Abandonable { under: source.overlay(known)?, abandoned: abandoned.clone() };
    match open(bytes, STORE_FILE, CHECK_CACHE, torn)? {
        (mut database, Mended::Nothing) => check(&mut database, STORE_FILE),
        _ => Ok(()),
    }
}

/// Checks every page of a store file that lies by itself without changing a byte of it, or of what a link leads to. None
/// when it was not closed cleanly: then only a copy of it can be mended.
pub(in crate::store) fn check_as_it_lies(path: &Path) -> Result<Option<Database>, Broken> {
    check_if_closed(as_it_lies(path)?, &path.file_name().unwrap_or_default().to_string_lossy())
}

/// Whether a page of a store file that lies by itself is not what was written, found without changing a byte of it. What
/// cannot be read at all is not known to be damaged.
pub(in crate::store) fn is_damaged(path: &Path) -> bool {
    let checked = as_it_lies(path).and_then(|overlay| match open(overlay, "", CHECK_CACHE, Torn::IsDamage)? {
        (mut database, Mended::Nothing) => check(&mut database, ""),
        _ => Ok(()),
    });
    matches!(checked, Err(Broken::Damaged(_)))
}

/// The bytes of a file, but not of what a link leads to. What is written stays in memory.
fn as_it_lies(path: &Path) -> Result<Overlay, Broken> {
    let failed = |error| Broken::Io(fault::io(path.display(), error));
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(failed)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let under = Arc::new(FileBackend::new(not_empty(file)?).map_err(|error| meaning(error, &name))?);
    Overlay::at(ChecksummedBackend::new(under, Arc::default())).map_err(failed)
}

/// Opens a store file that nobody else has open, after checking every page of it. It is written meanwhile; what was
/// mended in it is said only this once.
pub(in crate::store) fn open_checked(path: &Path, torn: Torn) -> Result<(Database, Mended), Broken> {
    let failed = |error| Broken::Io(fault::io(path.display(), error));
    let file = OpenOptions::new().read(true).write(true).custom_flags(unwaiting()).open(path).map_err(failed)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let under = Arc::new(FileBackend::new(not_empty(file)?).map_err(|error| meaning(error, &name))?);
    match open(ChecksummedBackend::new(under, Arc::default()), &name, CHECK_CACHE, torn)? {
        (mut database, Mended::Nothing) => check(&mut database, &name).map(|()| (database, Mended::Nothing)),
        mended => Ok(mended),
    }
}

/// Copies the store file of `folder`, which nobody has open, to `copy`.
pub(in crate::store) fn copy(folder: &DataFolder, copy: &Path) -> Result<(), Broken> {
    let failed = |error| Broken::Io(fault::io("copying the store", error));
    let mut file = not_empty(open_unwaiting(&folder.store_file()).map_err(failed)?)?;
    let mut copy = OpenOptions::new().write(true).create_new(true).mode(0o600).open(copy).map_err(failed)?;
    io::copy(&mut file, &mut copy).map(drop).map_err(failed)
}

/// Bytes that can be read until nobody waits for them any more.
#[derive(Debug)]
struct Abandonable {
    under: Overlay,
    abandoned: CancellationToken,
}

impl StorageBackend for Abandonable {
    fn len(&self) -> std::io::Result<u64> {
        self.under.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<()> {
        if self.abandoned.is_cancelled() {
            return Err(ErrorKind::Interrupted.into());
        }
        self.under.read(offset, out)
    }

    fn set_len(&self, length: u64) -> std::io::Result<()> {
        self.under.set_len(length)
    }

    fn sync_data(&self) -> std::io::Result<()> {
        self.under.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> std::io::Result<()> {
        self.under.write(offset, data)
    }
}

fn check(database: &mut Database, name: &str) -> Result<(), Broken> {
    match fault::caught(|| database.check_integrity()).map_err(Broken::Damaged)? {
        Ok(true) => Ok(()),
        Ok(false) => Err(Broken::Damaged("checksums do not match".to_owned())),
        Err(error) => Err(meaning(error, name)),
    }
}

fn open(
    backend: impl StorageBackend,
    name: &str,
    cache_bytes: usize,
    torn: Torn,
) -> Result<(Database, Mended), Broken> {
    let (repaired, cut_off) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let mut builder = redb::Builder::new();
    builder.set_cache_size(cache_bytes);
    let (note_repaired, note_cut_off) = (Arc::clone(&repaired), Arc::clone(&cut_off));
    builder.set_repair_callback(move |session| {
        note_repaired.store(true, Ordering::Release);
        // redb says 0.3 only when the last commit does not verify, before it goes back to the one before it.
        if (0.2..0.4).contains(&session.progress()) {
            note_cut_off.store(true, Ordering::Release);
            if torn == Torn::IsDamage {
                session.abort();
            }
        }
    });
    if Header::of(&backend).is_ok_and(Header::has_lost_its_last_commit) {
        if torn == Torn::IsDamage {
            return Err(Broken::Damaged("the slot of the last commit does not verify".to_owned()));
        }
        cut_off.store(true, Ordering::Release);
    }
    let opened = fault::caught(|| builder.create_with_backend(backend)).map_err(Broken::Damaged)?;
    let mended = match (repaired.load(Ordering::Acquire), cut_off.load(Ordering::Acquire)) {
        (_, true) => Mended::CutOff,
        (true, false) => Mended::Repaired,
        (false, false) => Mended::Nothing,
    };
    opened.map(|database| (database, mended)).map_err(|error| meaning(error, name))
}

/// What it means that the file `name` could not be opened or checked.
fn meaning(error: redb::DatabaseError, name: &str) -> Broken {
    match redb::Error::from(error) {
        redb::Error::Io(error) if matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof) => {
            Broken::Damaged(error.to_string())
        }
        redb::Error::Io(error) => Broken::Io(fault::io(name, error)),
        redb::Error::DatabaseAlreadyOpen => Broken::Io(
            Error::conflict(Message::english("hanok.redb is held open by another program"))
                .because("its lock is taken"),
        ),
        other => Broken::Damaged(other.to_string()),
    }
}

impl StoreSource {
    /// The bytes, whose handle is this call's own.
    fn bytes(&self, tx_op: bool) -> Result<Arc<dyn StorageBackend>, Broken> {
        let folder = match self {
            StoreSource::File(folder) => folder,
            StoreSource::Backend(backend) => return Ok(Arc::new(Shared(Arc::clone(backend)))),
        };
        let failed = |error| Broken::Io(fault::io("opening the store", error));
        let mut opening = OpenOptions::new();
        opening.read(true).write(tx_op).custom_flags(unwaiting());
        let file = opening.open(folder.store_file()).map_err(failed)?;
        Ok(Arc::new(FileBackend::new(not_empty(file)?).map_err(|error| meaning(error, STORE_FILE))?))
    }

    fn overlay(&self, known: Arc<PageChecksums>) -> Result<Overlay, Broken> {
        let overlay = Overlay::at(ChecksummedBackend::new(self.bytes(false)?, known));
        overlay.map_err(|error| Broken::Io(fault::io("reading the store", error)))
    }
}

/// Opens a file to read it, without waiting where something else lies in its place.
pub(in crate::store) fn open_unwaiting(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(unwaiting()).open(path)
}

/// Opens without waiting: what lies in the place of a file may be a pipe, at whose other end nobody ever comes.
fn unwaiting() -> i32 {
    OFlags::NONBLOCK.bits().cast_signed()
}

/// redb would take an empty file for a new store.
fn not_empty(file: File) -> Result<File, Broken> {
    match file.metadata() {
        Ok(found) if !found.is_file() => Err(Broken::Damaged("it is no file".to_owned())),
        Ok(found) if found.len() == 0 => Err(Broken::Damaged("the file is empty".to_owned())),
        Ok(_) => Ok(file),
        Err(error) => Err(Broken::Io(fault::io("opening the store", error))),
    }
}

/// Lets successive databases have one backend: it is not closed with the first of them.
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
