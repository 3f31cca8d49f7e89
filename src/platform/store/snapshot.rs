//! Snapshots: plain files in `backups/` that were opened, checked and counted before they count.
//!
//! The copy is made while the writer stands still and holds an empty write transaction; readers never
//! wait. Then the copy is opened, every checksum is checked, and each table is counted against what the
//! live store held at that moment. Only then is its description written, and only a described file counts.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use chrono::{DateTime, Utc};
use redb::{Database, ReadableDatabase, ReadableTableMetadata, TableHandle};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;

use super::folder::{self, DataFolder};
use super::migrate::{self, Migration};
use super::retention;
use super::slot::Slot;
use super::{Store, fault};
use crate::base::schema::ToSchema;
use crate::base::secret::hex;
use crate::base::{Clock, Error, Kind, Result};

/// Why a snapshot was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotKind {
    /// By the schedule.
    Hourly,
    /// Because somebody asked for it.
    Manual,
    /// Before a migration.
    Migration,
    /// Before a restore put another state in place.
    Restore,
}

/// A verified snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Snapshot {
    /// Its name, which is also the name of its files.
    pub name: String,
    /// Why it was made.
    pub kind: SnapshotKind,
    /// The moment whose state it holds.
    pub created_at: DateTime<Utc>,
    /// When it had been opened, checked and counted.
    pub verified_at: DateTime<Utc>,
    /// Size of the file.
    pub bytes: u64,
    /// Rows in all tables.
    pub rows: u64,
    /// Rows of each table.
    pub tables: BTreeMap<String, u64>,
    /// Version of the tables.
    pub store_version: u32,
    /// Version of the program that made it.
    pub app_version: String,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// How long writers stood still for it, in milliseconds.
    pub pause_ms: u64,
}

/// How much nicer than everyone else a snapshot is verified.
const NICENESS: i32 = 10;

impl Store {
    /// Makes a snapshot, verifies it, and removes those that the retention no longer keeps.
    ///
    /// # Errors
    /// `STORAGE_FULL` when there is no room for a copy; `INTERNAL` when the copy does not verify.
    pub async fn snapshot(&self, kind: SnapshotKind, keep: retention::Keep) -> Result<Snapshot> {
        let now = self.clock.now();
        let copied = self.writer.alone(move |slot| slot.read(|database| copy(slot, database, now, kind))).await?;
        let slot = std::sync::Arc::clone(&self.slot);
        let clock = self.clock.clone();
        let (answer, heard) = oneshot::channel();
        let verify = move || {
            let snapshot = verify_copy(&slot, copied, clock.now())?;
            if let Some(folder) = slot.folder() {
                retention::prune(folder, &keep)?;
            }
            Ok(snapshot)
        };
        // A thread of its own can be polite: requests go before the reading of a whole store.
        let thread = std::thread::Builder::new().name("snapshot".to_owned()).spawn(move || {
            let _ = rustix::process::nice(NICENESS);
            let _ = answer.send(verify());
        });
        thread.map_err(Error::internal)?;
        heard.await.map_err(Error::internal)?
    }
}

/// Makes and verifies a snapshot in one go, for the time before the writer has started.
pub(super) fn make(slot: &Slot, database: &Database, now: DateTime<Utc>, kind: SnapshotKind) -> Result<Snapshot> {
    verify_copy(slot, copy(slot, database, now, kind)?, now)
}

/// A copy that has not been verified yet.
struct Copied {
    partial: PathBuf,
    description: Snapshot,
}

fn copy(slot: &Slot, database: &Database, now: DateTime<Utc>, kind: SnapshotKind) -> Result<Copied> {
    let Some(folder) = slot.folder() else {
        return Err(Error::conflict("a store in memory has no snapshots"));
    };
    slot.room_for_writes()?;
    let name = free_name(folder, now, kind);
    let partial = folder.backups().join(format!("{name}.partial"));
    let begun = Instant::now();
    let hold = database.begin_write().map_err(|e| slot.fault(e))?;
    let tables = count_tables(database)?;
    let copied = fs::copy(folder.store_file(), &partial);
    slot.note_snapshot();
    hold.abort().map_err(|e| slot.fault(e))?;
    let pause_ms = begun.elapsed().as_millis() as u64;
    if let Err(error) = copied {
        let _ = fs::remove_file(&partial);
        slot.note_change();
        return Err(fault::io("copying the store", error));
    }
    let description = Snapshot {
        name,
        kind,
        created_at: now,
        verified_at: now,
        bytes: 0,
        rows: tables.values().sum(),
        tables,
        store_version: migrate::current(migrate::MIGRATIONS),
        app_version: env!("CARGO_PKG_VERSION").to_owned(),
        sha256: String::new(),
        pause_ms,
    };
    Ok(Copied { partial, description })
}

fn verify_copy(slot: &Slot, copied: Copied, now: DateTime<Utc>) -> Result<Snapshot> {
    let Some(folder) = slot.folder() else { return Err(Error::internal("no folder")) };
    let Copied { partial, mut description } = copied;
    let verified = inspect(&partial, slot.cache_bytes()).and_then(|tables| {
        if tables != description.tables {
            return Err(Error::internal("the copy does not hold what the store held"));
        }
        sync(&partial)?;
        sha256(&partial, |_| ())
    });
    let (sha256, bytes) = match verified {
        Ok(found) => found,
        Err(error) => {
            let _ = fs::remove_file(&partial);
            slot.note_change();
            return Err(error);
        }
    };
    description.sha256 = sha256;
    description.bytes = bytes;
    description.verified_at = now;
    read_only(&partial)?;
    folder::rename_durably(&partial, &file(folder, &description.name))?;
    let text = serde_json::to_vec_pretty(&description).map_err(Error::internal)?;
    folder::write_whole(&folder.backups().join(format!("{}.json", description.name)), &text)?;
    Ok(description)
}

/// Every described snapshot, newest first.
pub fn list(folder: &DataFolder) -> Result<Vec<Snapshot>> {
    let entries = fs::read_dir(folder.backups()).map_err(|e| fault::io("reading backups/", e))?;
    let mut snapshots: Vec<Snapshot> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .filter_map(|path| serde_json::from_slice(&fs::read(path).ok()?).ok())
        .filter(|snapshot: &Snapshot| file(folder, &snapshot.name).exists())
        .collect();
    snapshots.sort_by(|a, b| (b.created_at, &b.name).cmp(&(a.created_at, &a.name)));
    Ok(snapshots)
}

/// The snapshot of this name.
pub fn find(folder: &DataFolder, name: &str) -> Result<Snapshot> {
    list(folder)?.into_iter().find(|snapshot| snapshot.name == name).ok_or_else(|| Error::not_found("snapshot"))
}

/// The file of a snapshot.
pub fn file(folder: &DataFolder, name: &str) -> PathBuf {
    folder.backups().join(format!("{name}.redb"))
}

/// The name of the newest snapshot that store version `version` can open.
pub(super) fn newest_usable(folder: &DataFolder, version: u32) -> Option<String> {
    list(folder).ok()?.into_iter().find(|snapshot| snapshot.store_version <= version).map(|snapshot| snapshot.name)
}

/// Reads a finished snapshot from disk and compares it with its description.
///
/// # Errors
/// `INTERNAL` naming the snapshot when a byte has changed.
pub fn verify(folder: &DataFolder, snapshot: &Snapshot, progress: impl FnMut(u64)) -> Result<()> {
    let (found, _) = sha256(&file(folder, &snapshot.name), progress)?;
    if found == snapshot.sha256 {
        return Ok(());
    }
    Err(Error::new(Kind::Internal, format!("snapshot {} is damaged: its bytes have changed", snapshot.name)))
}

/// Opens a store file of its own, checks every checksum and counts its tables.
pub(super) fn inspect(path: &Path, cache_bytes: usize) -> Result<BTreeMap<String, u64>> {
    fault::without_panic(|| {
        let mut builder = redb::Builder::new();
        builder.set_cache_size(cache_bytes.min(16 << 20));
        let mut database = builder.open(path).map_err(Error::internal)?;
        if !database.check_integrity().map_err(Error::internal)? {
            return Err(Error::internal(format!("{}: checksums do not match", path.display())));
        }
        count_tables(&database)
    })
}

fn count_tables(database: &Database) -> Result<BTreeMap<String, u64>> {
    let transaction = database.begin_read().map_err(Error::internal)?;
    let mut counts = BTreeMap::new();
    for table in transaction.list_tables().map_err(Error::internal)? {
        let name = table.name().to_owned();
        let rows = transaction.open_untyped_table(table).and_then(|open| Ok(open.len()?)).map_err(Error::internal)?;
        counts.insert(name, rows);
    }
    Ok(counts)
}

/// Runs the migration on a copy of `snapshot`, so that the real file is touched only when it will succeed.
pub(super) fn rehearse(
    slot: &Slot,
    folder: &DataFolder,
    snapshot: &Snapshot,
    clock: &Clock,
    from: u32,
    migrations: &[Migration],
) -> Result<()> {
    let copy = folder.run().join("rehearsal.redb");
    let _ = fs::remove_file(&copy);
    fs::copy(file(folder, &snapshot.name), &copy).map_err(|e| fault::io("copying for the rehearsal", e))?;
    writable(&copy)?;
    let rehearsed = fault::without_panic(|| {
        let database = redb::Builder::new().set_cache_size(slot.cache_bytes()).open(&copy).map_err(Error::internal)?;
        migrate::run(slot, &database, clock, migrate::steps(from, migrations))
    });
    let _ = fs::remove_file(&copy);
    rehearsed
}

/// SHA-256 and length of a file. `progress` hears how many bytes have been read.
pub(super) fn sha256(path: &Path, mut progress: impl FnMut(u64)) -> Result<(String, u64)> {
    let failed = |error| fault::io(path.display(), error);
    let mut file = File::open(path).map_err(failed)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0u8; 1 << 20];
    let mut total = 0;
    loop {
        let read = file.read(&mut buffer).map_err(failed)?;
        if read == 0 {
            return Ok((hex(&digest.finalize()), total));
        }
        digest.update(&buffer[..read]);
        total += read as u64;
        progress(total);
    }
}

fn free_name(folder: &DataFolder, now: DateTime<Utc>, kind: SnapshotKind) -> String {
    let kind = match kind {
        SnapshotKind::Hourly => "hourly",
        SnapshotKind::Manual => "manual",
        SnapshotKind::Migration => "migration",
        SnapshotKind::Restore => "restore",
    };
    let base = format!("{}-{kind}", now.format("%Y%m%dT%H%M%SZ"));
    let taken = |name: &str| file(folder, name).exists() || folder.backups().join(format!("{name}.partial")).exists();
    let mut name = base.clone();
    for number in 2.. {
        if !taken(&name) {
            break;
        }
        name = format!("{base}-{number}");
    }
    name
}

pub(super) fn sync(path: &Path) -> Result<()> {
    File::open(path).and_then(|file| file.sync_all()).map_err(|e| fault::io(path.display(), e))
}

fn read_only(path: &Path) -> Result<()> {
    set_mode(path, 0o400)
}

pub(super) fn writable(path: &Path) -> Result<()> {
    set_mode(path, 0o600)
}

fn set_mode(path: &Path, mode: u32) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|e| fault::io(path.display(), e))
}
