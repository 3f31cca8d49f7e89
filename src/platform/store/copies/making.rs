//! Making a snapshot.
//!
//! The copy is made beside the writers ([`copy`](super::copy)); they stand still for the last little of it, and
//! readers never wait. Then the copy is opened, every checksum is checked, and each table is counted against what
//! the live store held at that moment. Only then is its description written, and only a described file counts.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use chrono::{DateTime, Utc};
use redb::Database;
use tokio_util::sync::CancellationToken;

use super::super::file::folder::{self, DataFolder};
use super::super::file::names;
use super::super::file::open_store::OpenStore;
use super::super::file::partial::Partial;
use super::super::file::store::Store;
use super::super::file::{fault, space};
use super::copy::Copying;
use super::snapshot::{
    self, Snapshot, SnapshotKind, SnapshotState, count_tables, description_file, file, inspect, list, partial_file,
    read_only, remove, sha256, sync,
};
use super::{pre_restore, retention, said};
use crate::blocking;
use hanok_base::{Error, Result};

impl Store {
    /// Makes a snapshot, verifies it, and removes those that the retention no longer keeps.
    ///
    /// # Errors
    /// `STORAGE_FULL` when there is no room for a copy; `INTERNAL` when the copy does not verify.
    pub async fn snapshot(&self, kind: SnapshotKind, keep: retention::Retention) -> Result<Snapshot> {
        let turn = Arc::clone(&self.copying).lock_owned().await;
        let open = self.open.clone();
        let begun = blocking::run_politely("snapshot", move |abandoned| Ok((begin(&open, abandoned)?, turn))).await?;
        let unverified = Unverified(Some(self.open.clone()));
        let copied = self.writer.alone(move |open| {
            let (begun, turn) = begun;
            Ok((open.write(|database| finish(open, database, begun, kind))?, unverified, turn))
        });
        let copied = copied.await?;
        let open = self.open.clone();
        let verify = move |abandoned: &CancellationToken| {
            let (copied, unverified, _turn) = copied;
            let snapshot = verify_copy(&open, copied, abandoned)?;
            unverified.end();
            if let Some(folder) = open.folder() {
                retention::prune(folder, &keep)?;
            }
            Ok(snapshot)
        };
        match blocking::run_politely("snapshot", verify).await {
            // A copy that does not verify may be the copy of a store that has rotted: then that is the finding.
            Err(error) if !fault::is_for_lack_of_room(&error) => self.check_integrity().await.and(Err(error)),
            verified => verified,
        }
    }
}

/// A copy that may come to nothing. Until it is verified, what it holds is worth a snapshot as before.
struct Unverified(Option<hanok_base::Shared<OpenStore>>);

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

/// Makes and verifies a snapshot in one go, for the time before the writer has started.
pub(in crate::store) fn make(open: &OpenStore, database: &Database, kind: SnapshotKind) -> Result<Snapshot> {
    let to_its_end = CancellationToken::new();
    verify_copy(open, finish(open, database, begin(open, &to_its_end)?, kind)?, &to_its_end)
}

/// A copy that follows the store, the number that the snapshot will have, and when the newest one before it was made.
struct Begun {
    copying: Copying,
    number: u64,
    newest: Option<DateTime<Utc>>,
}

/// A copy that has not been verified yet.
struct Copied {
    partial: Partial,
    description: Snapshot,
}

fn begin(open: &OpenStore, abandoned: &CancellationToken) -> Result<Begun> {
    let Some(folder) = open.folder() else {
        return Err(Error::conflict(said::IN_MEMORY));
    };
    room_for_copies(open, folder, &folder.store_file(), 1)?;
    // What a killed command has left is listed first, so that it stands before this one.
    pre_restore::list(folder, open.clock());
    let listed = list(folder)?;
    let (number, newest) = listed.first().map_or((1, None), |newest| (newest.number + 1, Some(newest.created_at)));
    fs::create_dir_all(folder.backups()).map_err(|e| fault::io("creating backups/", e))?;
    let target = snapshot::making_file(folder);
    Ok(Begun { copying: Copying::begin(open.known(), &folder.store_file(), target, abandoned)?, number, newest })
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
    let name = free_name(folder, now, kind, &begun);
    let partial = begun.copying.finish(&open.known(), &folder.store_file())?;
    open.note_snapshot();
    hold.abort().map_err(|e| open.fault(e))?;
    let description = Snapshot {
        name,
        kind,
        state: SnapshotState::Verified,
        number: begun.number,
        created_at: now,
        verified_at: now,
        read_at: None,
        bytes: 0,
        rows: tables.values().sum(),
        tables,
        store_version: version,
        app_version: env!("CARGO_PKG_VERSION").to_owned(),
        sha256: String::new(),
        pause_ms: stopped.elapsed().as_millis() as u64,
        last_write_left_out: false,
    };
    Ok(Copied { partial, description })
}

fn verify_copy(open: &OpenStore, copied: Copied, abandoned: &CancellationToken) -> Result<Snapshot> {
    let Some(folder) = open.folder() else { return Err(Error::internal("no folder")) };
    let Copied { partial, mut description } = copied;
    let copy = partial.path();
    let verified = inspect(copy).and_then(|tables| {
        if tables != description.tables {
            return Err(Error::internal("the copy does not hold what the store held"));
        }
        sync(copy)?;
        sha256(copy, |_| blocking::go_on(abandoned))
    });
    (description.sha256, description.bytes) = verified.inspect_err(|_| open.note_change())?;
    description.verified_at = open.clock().now();
    read_only(copy)?;
    // The description first: killed in between, there is a description beside a partial file, which counts for nothing.
    let described = Partial::at(partial_file(folder, &description.name));
    folder::rename_durably(copy, described.path())?;
    let text = serde_json::to_vec_pretty(&description).map_err(Error::internal)?;
    let named = folder::write_whole(&description_file(folder, &description.name), &text)
        .and_then(|()| folder::rename_durably(described.path(), &file(folder, &description.name)));
    named.inspect_err(|_| remove(folder, &description.name))?;
    Ok(description)
}

/// Refuses so many copies of `original` that would leave less room than is kept in reserve.
pub(super) fn room_for_copies(open: &OpenStore, folder: &DataFolder, original: &Path, copies: u64) -> Result<()> {
    room_for(open, folder, original, copies, 0)
}

/// The same with `more` bytes beside the copies.
pub(super) fn room_for(open: &OpenStore, folder: &DataFolder, original: &Path, copies: u64, more: u64) -> Result<()> {
    open.room_for_writes()?;
    let length = fs::metadata(original).map_or(0, |file| file.len());
    space::check_room(folder.root(), length.saturating_mul(copies).saturating_add(more), open.reserve_bytes())
}

/// A name that no snapshot has, nor had within this second: whoever is about to remove that one must not find this one.
fn free_name(folder: &DataFolder, now: DateTime<Utc>, kind: SnapshotKind, begun: &Begun) -> String {
    let name = names::name(now, kind, None);
    let is_of_another_second = begun.newest.is_none_or(|newest| newest.timestamp() < now.timestamp());
    if is_of_another_second && !file(folder, &name).exists() {
        name
    } else {
        names::name(now, kind, Some(begun.number))
    }
}
