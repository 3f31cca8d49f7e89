//! Snapshots: plain files in `backups/` that were opened, checked and counted before they count.
//!
//! The copy is made beside the writers ([`copy`](super::copy)); they stand still for the last little of it, and
//! readers never wait. Then the copy is opened, every checksum is checked, and each table is counted against what
//! the live store held at that moment. Only then is its description written, and only a described file counts.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use chrono::{DateTime, Datelike, Utc};
use redb::{Database, ReadableDatabase, ReadableTableMetadata, TableHandle};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::super::file::folder::{self, DataFolder};
use super::super::file::open_store::OpenStore;
use super::super::file::source::{self, Broken};
use super::super::file::{fault, space, store::Store};
use super::copy::{Copying, Partial};
use super::retention;
use crate::blocking;
use hanok_base::schema::ToSchema;
use hanok_base::secret::hex;
use hanok_base::{Error, Kind, Result};

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
    /// One more than any snapshot before it had: which is newer, also after the clock was wrong.
    #[serde(default)]
    pub number: u64,
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
const NICENESS: i32 = 19;

impl Store {
    /// Makes a snapshot, verifies it, and removes those that the retention no longer keeps.
    ///
    /// # Errors
    /// `STORAGE_FULL` when there is no room for a copy; `INTERNAL` when the copy does not verify.
    pub async fn snapshot(&self, kind: SnapshotKind, keep: retention::Retention) -> Result<Snapshot> {
        let turn = Arc::clone(&self.copying).lock_owned().await;
        let open = Arc::clone(&self.open);
        let begun = politely(move |abandoned| Ok((begin(&open, abandoned)?, turn))).await?;
        let unverified = Unverified(Some(Arc::clone(&self.open)));
        let copied = self.writer.alone(move |open| {
            let (begun, turn) = begun;
            Ok((open.write(|database| finish(open, database, begun, kind))?, unverified, turn))
        });
        let copied = copied.await?;
        let open = Arc::clone(&self.open);
        let verify = move |abandoned: &CancellationToken| {
            let (copied, unverified, _turn) = copied;
            let snapshot = verify_copy(&open, copied, abandoned)?;
            unverified.end();
            if let Some(folder) = open.folder() {
                retention::prune(folder, &keep)?;
            }
            Ok(snapshot)
        };
        match politely(verify).await {
            // A copy that does not verify may be the copy of a store that has rotted: then that is the finding.
            Err(error) if !fault::is_for_lack_of_room(&error) => self.check_integrity().await.and(Err(error)),
            verified => verified,
        }
    }
}

/// A copy that may come to nothing. Until it is verified, what it holds is worth a snapshot as before.
struct Unverified(Option<Arc<OpenStore>>);

impl Unverified {
    fn end(mut self) {
        self.0 = None;
    }
}

impl Drop for Unverified {
    fn drop(&mut self) {
        if let Some(open) = &self.0 {
            open.note_change();
        }
    }
}

/// Runs `work` in a thread of its own, which can be polite: requests go before the reading of a whole store. It hears
/// when nobody waits for it any more.
async fn politely<T: Send + 'static>(work: impl FnOnce(&CancellationToken) -> Result<T> + Send + 'static) -> Result<T> {
    let (answer, heard) = oneshot::channel();
    let abandoned = CancellationToken::new();
    let _caller_waits = abandoned.clone().drop_guard();
    let work = blocking::held(move || {
        let _ = rustix::process::nice(NICENESS);
        let _ = answer.send(work(&abandoned));
    });
    let thread = std::thread::Builder::new().name("snapshot".to_owned()).spawn(work);
    thread.map_err(Error::internal)?;
    heard.await.map_err(Error::internal)?
}

/// Makes and verifies a snapshot in one go, for the time before the writer has started.
pub(in crate::store) fn make(open: &OpenStore, database: &Database, kind: SnapshotKind) -> Result<Snapshot> {
    let to_its_end = CancellationToken::new();
    verify_copy(open, finish(open, database, begin(open, &to_its_end)?, kind)?, &to_its_end)
}

/// A copy that follows the store, and the number that the snapshot will have.
struct Begun {
    copying: Copying,
    number: u64,
}

/// A copy that has not been verified yet.
struct Copied {
    partial: Partial,
    description: Snapshot,
}

fn begin(open: &OpenStore, abandoned: &CancellationToken) -> Result<Begun> {
    let Some(folder) = open.folder() else {
        return Err(Error::conflict("a store in memory has no snapshots"));
    };
    room_for_copy(open, folder, &folder.store_file())?;
    let number = 1 + list(folder)?.first().map_or(0, |newest| newest.number);
    fs::create_dir_all(folder.backups()).map_err(|e| fault::io("creating backups/", e))?;
    let target = folder.backups().join("making.partial");
    Ok(Begun { copying: Copying::begin(open.known(), &folder.store_file(), target, abandoned)?, number })
}

/// The moment whose state the snapshot holds: the writer stands still and holds an empty transaction.
fn finish(open: &OpenStore, database: &Database, begun: Begun, kind: SnapshotKind) -> Result<Copied> {
    let Some(folder) = open.folder() else { return Err(Error::internal("no folder")) };
    let stopped = Instant::now();
    let now = open.clock().now();
    // What the store says of itself: before a migration that is not what this program writes.
    let version = open.version(database)?.map_or(open.schema().version(), |version| version.store);
    let hold = database.begin_write().map_err(|e| open.fault(e))?;
    let tables = count_tables(database)?;
    let partial = begun.copying.finish(&open.known(), &folder.store_file())?;
    open.note_snapshot();
    hold.abort().map_err(|e| open.fault(e))?;
    let description = Snapshot {
        name: free_name(folder, now, kind),
        kind,
        number: begun.number,
        created_at: now,
        verified_at: now,
        bytes: 0,
        rows: tables.values().sum(),
        tables,
        store_version: version,
        app_version: env!("CARGO_PKG_VERSION").to_owned(),
        sha256: String::new(),
        pause_ms: stopped.elapsed().as_millis() as u64,
    };
    Ok(Copied { partial, description })
}

fn verify_copy(open: &OpenStore, copied: Copied, abandoned: &CancellationToken) -> Result<Snapshot> {
    let Some(folder) = open.folder() else { return Err(Error::internal("no folder")) };
    let Copied { partial, mut description } = copied;
    let partial = partial.path();
    let verified = inspect(partial).and_then(|tables| {
        if tables != description.tables {
            return Err(Error::internal("the copy does not hold what the store held"));
        }
        sync(partial)?;
        sha256(partial, |_| blocking::go_on(abandoned))
    });
    (description.sha256, description.bytes) = verified.inspect_err(|_| open.note_change())?;
    description.verified_at = open.clock().now();
    read_only(partial)?;
    // The description first: killed in between, there is a description without a file, which counts for nothing.
    let text = serde_json::to_vec_pretty(&description).map_err(Error::internal)?;
    folder::write_whole(&description_file(folder, &description.name), &text)?;
    folder::rename_durably(partial, &file(folder, &description.name))?;
    Ok(description)
}

/// Refuses a copy of `original` that would leave less room than is kept in reserve.
fn room_for_copy(open: &OpenStore, folder: &DataFolder, original: &Path) -> Result<()> {
    open.room_for_writes()?;
    let needed = fs::metadata(original).map_or(0, |file| file.len()) + open.reserve_bytes();
    if space::free(folder.root()).is_some_and(|free| free < needed) {
        return Err(fault::storage_full().because(format!("a copy of {} needs {needed} bytes", original.display())));
    }
    Ok(())
}

/// Removes what a killed snapshot or its killed removal has left.
pub(in crate::store) fn sweep(folder: &DataFolder) -> Result<()> {
    for entry in fs::read_dir(folder.backups()).map_err(|e| fault::io("reading backups/", e))?.flatten() {
        let path = entry.path();
        let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
        let is_left_over = match extension.as_deref() {
            Some("partial") => true,
            Some("json") => !path.with_extension("redb").exists(),
            _ => false,
        };
        if is_left_over {
            let _ = fs::remove_file(path);
        }
    }
    Ok(())
}

/// Removes a snapshot.
pub(in crate::store) fn remove(folder: &DataFolder, name: &str) {
    let _ = fs::remove_file(file(folder, name));
    let _ = fs::remove_file(description_file(folder, name));
}

/// Every described snapshot, newest first.
pub fn list(folder: &DataFolder) -> Result<Vec<Snapshot>> {
    let entries = match fs::read_dir(folder.backups()) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|e| fault::io("reading backups/", e))?,
    };
    let mut snapshots: Vec<Snapshot> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .filter_map(|path| described(&path))
        .filter(|snapshot| file(folder, &snapshot.name).exists())
        .collect();
    snapshots.sort_by(|a, b| (b.number, b.created_at, &b.name).cmp(&(a.number, a.created_at, &a.name)));
    Ok(snapshots)
}

/// The snapshot that the file at `path` describes. A description that no appliance wrote counts for nothing: its name
/// becomes a path, its number is counted on, its times are shown in our zone.
fn described(path: &Path) -> Option<Snapshot> {
    let snapshot: Snapshot = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    let is_its_own = path.file_stem().is_some_and(|stem| stem == snapshot.name.as_str());
    let years = [snapshot.created_at.year(), snapshot.verified_at.year()];
    let is_ours = snapshot.number < u64::MAX / 2 && years.iter().all(|year| (1970..=9999).contains(year));
    (is_its_own && is_ours).then_some(snapshot)
}

/// The snapshot of this name.
pub fn find(folder: &DataFolder, name: &str) -> Result<Snapshot> {
    list(folder)?.into_iter().find(|snapshot| snapshot.name == name).ok_or_else(|| Error::not_found("snapshot"))
}

/// The file of a snapshot.
pub fn file(folder: &DataFolder, name: &str) -> PathBuf {
    folder.backups().join(format!("{name}.redb"))
}

fn description_file(folder: &DataFolder, name: &str) -> PathBuf {
    folder.backups().join(format!("{name}.json"))
}

/// The name of the newest snapshot that store version `version` can open.
pub(in crate::store) fn newest_usable(folder: &DataFolder, version: u32) -> Option<String> {
    list(folder).ok()?.into_iter().find(|snapshot| snapshot.store_version <= version).map(|snapshot| snapshot.name)
}

/// Reads a finished snapshot from disk and compares it with its description.
///
/// # Errors
/// `INTERNAL` naming the snapshot when a byte has changed; those of `progress`, which hears how many bytes were read.
pub fn verify(folder: &DataFolder, snapshot: &Snapshot, progress: impl FnMut(u64) -> Result<()>) -> Result<()> {
    let (found, _) = sha256(&file(folder, &snapshot.name), progress)?;
    if found == snapshot.sha256 {
        return Ok(());
    }
    Err(Error::new(Kind::Internal, format!("snapshot {} is damaged: its bytes have changed", snapshot.name)))
}

/// Opens a store file of its own, checks every checksum and counts its tables.
pub(in crate::store) fn inspect(path: &Path) -> Result<BTreeMap<String, u64>> {
    let opened = source::open_checked(path);
    let database = opened.map_err(|broken| match broken {
        Broken::Io(error) => error,
        Broken::Damaged(cause) => Error::internal(format!("{}: {cause}", path.display())),
    })?;
    fault::without_panic(|| count_tables(&database))
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

/// SHA-256 and length of a file. `progress` hears how many bytes have been read; its error ends the reading.
pub(in crate::store) fn sha256(path: &Path, mut progress: impl FnMut(u64) -> Result<()>) -> Result<(String, u64)> {
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
        progress(total)?;
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
    let mut name = base.clone();
    for number in 2.. {
        if !file(folder, &name).exists() {
            break;
        }
        name = format!("{base}-{number}");
    }
    name
}

pub(in crate::store) fn sync(path: &Path) -> Result<()> {
    File::open(path).and_then(|file| file.sync_all()).map_err(|e| fault::io(path.display(), e))
}

fn read_only(path: &Path) -> Result<()> {
    set_mode(path, 0o400)
}

pub(in crate::store) fn writable(path: &Path) -> Result<()> {
    set_mode(path, 0o600)
}

fn set_mode(path: &Path, mode: u32) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|e| fault::io(path.display(), e))
}
