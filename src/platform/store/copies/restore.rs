//! Restore: puts the state of a snapshot in the place of the present one, in steps of which each can be
//! killed. Until the one rename that makes it count, the old state stands; it is kept beside the new one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use redb::Database;
use serde::{Deserialize, Serialize};
use tracing::warn;

use super::super::file::direct::{Direct, SeparateFile};
use super::super::file::folder::{self, DataFolder};
use super::super::file::marker::{self, MARKER, MARKER_KEY, ShutdownMarker};
use super::super::file::open_store::OpenStore;
use super::super::file::versions::{self, Migrated};
use super::super::file::{fault, source, store::Store};
use super::super::rows::Schema;
use super::rehearsal;
use super::snapshot::{self, Snapshot};
use crate::blocking;
use hanok_base::schema::ToSchema;
use hanok_base::{Clock, Error, Kind, Result};

/// What a restore did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Restored {
    /// Always true.
    pub ok: bool,
    /// The snapshot or file whose state is in place now.
    pub restored: String,
    /// Where the state before is kept, inside the data folder. Null when there was none.
    pub kept_aside: Option<String>,
    /// Rows in all tables.
    pub rows: u64,
}

/// States before a restore that are kept.
const KEPT_ASIDE: usize = 3;

impl Store {
    /// Puts the snapshot `name`, or the newest sound one, in the place of the present state while the appliance runs.
    /// Writers and readers wait for the moment of the exchange only. `progress` hears percent.
    pub async fn restore(
        &self,
        name: Option<String>,
        mut progress: impl FnMut(u8) + Send + 'static,
    ) -> Result<Restored> {
        let Some(folder) = self.folder().cloned() else {
            return Err(Error::conflict("a store in memory has no snapshots"));
        };
        let _turn = self.restoring.lock().await;
        let open = Arc::clone(&self.open);
        let prepared = blocking::run(move |abandoned| {
            let hears = |percent| {
                progress(percent);
                blocking::go_on(abandoned)
            };
            prepare_one(&folder, open.schema(), open.clock(), name.as_deref(), hears)
        });
        let prepared = prepared.await?;
        self.exchange(prepared).await
    }

    /// Puts a prepared file in place while the appliance runs.
    pub(in crate::store) async fn exchange(&self, prepared: Prepared) -> Result<Restored> {
        self.writer.alone(move |open| open.alone(|database| exchange_in(open, database, prepared))).await
    }
}

fn exchange_in(open: &OpenStore, database: &mut Option<Database>, prepared: Prepared) -> Result<Restored> {
    let Some(folder) = open.folder() else { return Err(Error::internal("no folder")) };
    let migrated = bring_up_to_date(&prepared, open.schema(), open.clock())?;
    drop(database.take());
    let put = put_in_place(folder, prepared, migrated, open.clock().now());
    // Whether it worked or not, what is in place now is what the house goes on with.
    if put.is_ok() {
        open.forget_the_file();
    }
    open.open_in(database, true)?;
    open.note_change();
    put
}

/// Brings a snapshot of an earlier version up to date before it is put in place, so that this can fail.
fn bring_up_to_date(prepared: &Prepared, schema: &Schema, clock: &Clock) -> Result<Option<Migrated>> {
    rehearsal::bring_up_to_date(&prepared.waiting.0, schema, clock, prepared.snapshot.as_deref())
}

/// Restores the snapshot `name`, or the newest sound one, in a folder that no appliance has open, for a program with
/// this `schema`.
pub fn offline(
    folder: &DataFolder,
    schema: &Schema,
    clock: &Clock,
    name: Option<&str>,
    mut progress: impl FnMut(u8),
) -> Result<Restored> {
    let prepared = prepare_one(folder, schema, clock, name, |percent| {
        progress(percent);
        Ok(())
    });
    prepared
        .and_then(|prepared| put_in_place_offline(folder, prepared, schema, clock))
        .map_err(|e| fault::unserved(folder.root(), e))
}

/// Puts a prepared file in place in a folder that no appliance has open.
pub(in crate::store) fn put_in_place_offline(
    folder: &DataFolder,
    prepared: Prepared,
    schema: &Schema,
    clock: &Clock,
) -> Result<Restored> {
    let migrated = bring_up_to_date(&prepared, schema, clock)?;
    snapshot::sync(&prepared.waiting.0)?;
    put_in_place(folder, prepared, migrated, clock.now())
}

/// A checked file that lies beside the store, ready to take its place.
pub(in crate::store) struct Prepared {
    waiting: Waiting,
    origin: String,
    /// The snapshot that it is a copy of, if it is one.
    snapshot: Option<String>,
    rows: u64,
}

/// Prepares the snapshot `name`; without a name the newest, and where that has rotted the one before it.
fn prepare_one(
    folder: &DataFolder,
    schema: &Schema,
    clock: &Clock,
    name: Option<&str>,
    mut progress: impl FnMut(u8) -> Result<()>,
) -> Result<Prepared> {
    if let Some(name) = name {
        return prepare_snapshot(folder, schema, clock, &snapshot::find(folder, name)?, &mut progress);
    }
    let mut outcome = Err(Error::not_found("snapshot"));
    for snapshot in snapshot::list(folder)? {
        outcome = prepare_snapshot(folder, schema, clock, &snapshot, &mut progress);
        match &outcome {
            Err(error) if error.kind == Kind::Internal => {
                warn!(%error, name = snapshot.name, "this snapshot cannot be restored; trying the one before it");
            }
            _ => break,
        }
    }
    outcome
}

fn prepare_snapshot(
    folder: &DataFolder,
    schema: &Schema,
    clock: &Clock,
    snapshot: &Snapshot,
    progress: &mut impl FnMut(u8) -> Result<()>,
) -> Result<Prepared> {
    if snapshot.store_version > schema.version() {
        return Err(Error::conflict(format!(
            "snapshot {} has store version {}, this version can read up to {}",
            snapshot.name,
            snapshot.store_version,
            schema.version()
        )));
    }
    let size = snapshot.bytes.max(1);
    snapshot::verify(folder, snapshot, |read| progress((read * 50 / size).min(50) as u8))?;
    let waiting = Waiting::at(folder);
    fs::copy(snapshot::file(folder, &snapshot.name), &waiting.0).map_err(|e| fault::io("copying the snapshot", e))?;
    snapshot::writable(&waiting.0)?;
    progress(75)?;
    let prepared = prepare(waiting, snapshot.name.clone(), schema, clock)?;
    progress(95)?;
    Ok(Prepared { snapshot: Some(snapshot.name.clone()), ..prepared })
}

/// The file beside the store that is to take its place. When it does not come to that, it is removed.
pub(in crate::store) struct Waiting(pub(in crate::store) PathBuf);

impl Waiting {
    pub(in crate::store) fn at(folder: &DataFolder) -> Waiting {
        let path = waiting_file(folder);
        let _ = fs::remove_file(&path);
        Waiting(path)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Checks a waiting file and marks it as closed cleanly. One that is newer than `schema` is refused.
pub(in crate::store) fn prepare(waiting: Waiting, origin: String, schema: &Schema, clock: &Clock) -> Result<Prepared> {
    let path = &waiting.0;
    let tables = snapshot::inspect(path)?;
    let marker = ShutdownMarker { open: false, file: marker::identity(path)?, damaged: false };
    fault::without_panic(|| {
        let database = redb::Builder::new().set_cache_size(source::CHECK_CACHE).open(path).map_err(Error::internal)?;
        let store = Direct { database: &database, storage: &SeparateFile, clock };
        if let Some(newer) = versions::newer(&store, schema)? {
            return Err(newer.refusal(&origin, schema, "; nothing was replaced"));
        }
        store.write(|tx| tx.put(&MARKER, MARKER_KEY, &marker))
    })?;
    snapshot::sync(path)?;
    Ok(Prepared { waiting, origin, snapshot: None, rows: tables.values().sum() })
}

/// The rename that makes the new state count. Before it the old state stands; after it the new one, and it is said what was
/// `migrated` in it.
fn put_in_place(
    folder: &DataFolder,
    prepared: Prepared,
    migrated: Option<Migrated>,
    now: DateTime<Utc>,
) -> Result<Restored> {
    let store = folder.store_file();
    let kept_aside = if store.exists() {
        let aside = folder.root().join(format!("hanok.redb.before-restore-{}", now.format("%Y%m%dT%H%M%S%3fZ")));
        let _ = fs::remove_file(&aside);
        // A second name for the same bytes; where a file system has none, a copy.
        if fs::hard_link(&store, &aside).is_err() {
            fs::copy(&store, &aside).map_err(|e| fault::io("keeping the state before", e))?;
        }
        aside.file_name().map(|name| name.to_string_lossy().into_owned())
    } else {
        None
    };
    // Beside the store first: whichever file is found after a power cut, this marker does not refuse it.
    let file = marker::identity(&prepared.waiting.0)?;
    marker::put_beside(folder, &ShutdownMarker { open: false, file, damaged: false })?;
    folder::rename_durably(&prepared.waiting.0, &store)?;
    migrated.iter().for_each(Migrated::say);
    forget_old(folder)?;
    Ok(Restored { ok: true, restored: prepared.origin, kept_aside, rows: prepared.rows })
}

/// Removes what a killed restore has left. The state in place is the one from before it.
pub(in crate::store) fn finish_interrupted(folder: &DataFolder) -> Result<Option<&'static str>> {
    // A second name that a killed restore gave to the state that is still in place keeps nothing aside.
    let in_place = marker::identity(&folder.store_file()).ok();
    for aside in kept_aside(folder)? {
        if marker::identity(&aside).ok() == in_place {
            fs::remove_file(&aside).map_err(|e| fault::io("removing what an interrupted restore left", e))?;
        }
    }
    let left = waiting_file(folder);
    if !left.exists() {
        return Ok(None);
    }
    fs::remove_file(&left).map_err(|e| fault::io("removing what an interrupted restore left", e))?;
    Ok(Some("removed what an interrupted restore had left; the state from before it is in place"))
}

pub(in crate::store) fn waiting_file(folder: &DataFolder) -> PathBuf {
    folder.root().join("hanok.redb.restoring")
}

fn forget_old(folder: &DataFolder) -> Result<()> {
    let mut aside = kept_aside(folder)?;
    aside.sort();
    for old in aside.iter().rev().skip(KEPT_ASIDE) {
        let _ = fs::remove_file(old);
    }
    Ok(())
}

fn kept_aside(folder: &DataFolder) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder.root()).map_err(|e| fault::io("reading the data folder", e))?;
    Ok(entries.flatten().map(|entry| entry.path()).filter(|path| is_aside(path)).collect())
}

fn is_aside(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("hanok.redb.before-restore-"))
}
