//! Restore: puts the state of a snapshot in the place of the present one, in steps of which each can be
//! killed. Until the one rename that makes it count, the old state stands; it is kept ([`aside`](super::aside)), and what
//! must not go back with it is carried over ([`carried`](super::carried)).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use redb::Database;
use serde::{Deserialize, Serialize};
use tracing::warn;

use super::super::file::direct::{Direct, SeparateFile};
use super::super::file::folder::{self, DataFolder};
use super::super::file::handover::Handover;
use super::super::file::marker::{self, MARKER, MARKER_KEY, ShutdownMarker};
use super::super::file::open_store::OpenStore;
use super::super::file::source::StoreSource;
use super::super::file::space::StorageState;
use super::super::file::versions::{self, Migrated};
use super::super::file::{fault, source, store::Store};
use super::super::rows::{Schema, WriteTx};
use super::carried::carry_over;
use super::snapshot::{self, Snapshot, SnapshotState};
use super::{aside, rehearsal, retention};
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
    /// The snapshot that holds the state before: restoring it undoes this. Null when there was none, or it is damaged.
    pub undo: Option<String>,
    /// Rows in all tables.
    pub rows: u64,
    /// Snapshots of which a copy of the folder had brought a part only, and which were cleared away.
    #[serde(default)]
    pub cleared: u64,
}

impl Store {
    /// Puts the snapshot `name`, or the newest sound one, in the place of the present state while the appliance runs.
    /// All that takes long is done beside it: writers and readers wait for the exchange only, which is done whole once it
    /// has begun, whoever waits for it. `progress` hears percent.
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

    /// Puts back what was there before the last restore, while the appliance runs: a restore like any other.
    ///
    /// # Errors
    /// `CONFLICT` when there is nothing to undo; those of [`Store::restore`].
    pub async fn undo_restore(&self, progress: impl FnMut(u8) + Send + 'static) -> Result<Restored> {
        let Some(folder) = self.folder().cloned() else {
            return Err(Error::conflict("a store in memory has no snapshots"));
        };
        let name = blocking::run(move |_| aside::newest(&folder)).await?;
        self.restore(Some(name), progress).await
    }

    /// Puts a prepared file in place while the appliance runs.
    pub(in crate::store) async fn exchange(&self, mut prepared: Prepared) -> Result<Restored> {
        let handover = Arc::clone(&self.handover);
        let exchanged = self.writer.alone(move |open| {
            if let Some(handover) = handover.get() {
                prepared.write(&handover.make_ready, open.clock())?;
            }
            open.alone(|database| exchange_in(open, database, prepared, handover.get()))
        });
        let restored = exchanged.await?;
        let turn = Arc::clone(&self.copying).lock_owned().await;
        let open = Arc::clone(&self.open);
        let listed = blocking::run(move |_| {
            let _turn = turn;
            Ok(open.folder().and_then(|folder| aside::list(folder, open.clock())))
        });
        Ok(restored.with(listed.await?))
    }
}

impl Restored {
    /// With the state before as the snapshot that was `listed`.
    fn with(self, listed: Option<Snapshot>) -> Restored {
        match listed {
            Some(listed) if self.kept_aside.is_some() => {
                Restored { kept_aside: Some(format!("backups/{}.redb", listed.name)), undo: Some(listed.name), ..self }
            }
            _ => self,
        }
    }
}

fn exchange_in(
    open: &OpenStore,
    database: &mut Option<Database>,
    prepared: Prepared,
    handover: Option<&Handover>,
) -> Result<Restored> {
    let Some(folder) = open.folder() else { return Err(Error::internal("no folder")) };
    let is_damaged = open.state() == StorageState::Damaged;
    let present = database.as_ref().filter(|_| !is_damaged).map(|database| open.direct(database));
    carry_over(&prepared.waiting.0, present.as_ref(), open.schema(), open.clock())?;
    drop(database.take());
    let replacing = marker::identity(&prepared.waiting.0).ok();
    let put = put_in_place(folder, prepared, open.clock(), is_damaged);
    // Whether it worked or not, what is in place now is what the house goes on with.
    let is_replaced = put.is_ok() || marker::identity(&folder.store_file()).ok() == replacing;
    if is_replaced {
        open.forget_the_file();
    }
    let opened = open.open_in(database, true);
    open.note_change();
    if let Some(handover) = handover.filter(|_| is_replaced) {
        (handover.go_on)();
    }
    opened.and(put)
}

/// Which state to put in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted<'n> {
    /// The snapshot of this name.
    Named(&'n str),
    /// The newest sound one.
    Newest,
    /// What was there before the last restore.
    BeforeTheLast,
}

/// Restores the state that is `wanted` in a folder that no appliance has open, for a program with this `schema`.
pub fn offline(
    folder: &DataFolder,
    schema: &Schema,
    clock: &Clock,
    wanted: Wanted<'_>,
    mut progress: impl FnMut(u8),
) -> Result<Restored> {
    let restored = tidy(folder, clock).and_then(|_| {
        let before;
        let name = match wanted {
            Wanted::Named(name) => Some(name),
            Wanted::Newest => None,
            Wanted::BeforeTheLast => {
                before = aside::newest(folder)?;
                Some(before.as_str())
            }
        };
        let prepared = prepare_one(folder, schema, clock, name, |percent| {
            progress(percent);
            Ok(())
        });
        put_in_place_offline(folder, prepared?, schema, clock)
    });
    restored.map_err(|e| fault::unserved(folder.root(), e))
}

/// Puts a prepared file in place in a folder that no appliance has open.
pub(in crate::store) fn put_in_place_offline(
    folder: &DataFolder,
    prepared: Prepared,
    schema: &Schema,
    clock: &Clock,
) -> Result<Restored> {
    let present = present(folder);
    let is_damaged = folder.store_file().exists() && present.is_none();
    if folder.store_file().exists() {
        let present = present.as_ref().map(|database| Direct { database, storage: &SeparateFile, clock });
        carry_over(&prepared.waiting.0, present.as_ref(), schema, clock)?;
    }
    drop(present);
    snapshot::sync(&prepared.waiting.0)?;
    let restored = put_in_place(folder, prepared, clock, is_damaged)?;
    Ok(restored.with(aside::list(folder, clock)))
}

/// Puts the checked copy of the present state in its place: nothing is carried over, it is the same.
pub(super) fn put_adopted_in_place(folder: &DataFolder, prepared: Prepared, clock: &Clock) -> Result<Restored> {
    snapshot::sync(&prepared.waiting.0)?;
    let restored = put_in_place(folder, prepared, clock, false)?;
    Ok(restored.with(aside::list(folder, clock)))
}

/// The present state of a folder that no appliance has open, without changing a byte of it. None when there is none, or
/// its file cannot be relied on.
fn present(folder: &DataFolder) -> Option<Database> {
    let file = marker::identity(&folder.store_file()).ok()?;
    let is_trusted =
        |marker: &ShutdownMarker| marker::check(marker, &file).is_ok() && !marker::was_found_damaged(marker, &file);
    let source = StoreSource::File(folder.clone());
    if !marker::beside(folder).as_ref().is_none_or(is_trusted) {
        return None;
    }
    let database = source::open_read_only(&source, Arc::default(), source::CHECK_CACHE).ok()?;
    let inside = fault::without_panic(|| marker::inside(&database)).ok()?;
    inside.as_ref().is_none_or(is_trusted).then_some(database)
}

/// A checked file that lies beside the store, ready to take its place.
pub(in crate::store) struct Prepared {
    waiting: Waiting,
    origin: String,
    /// The snapshot that it is a copy of, if it is one.
    snapshot: Option<String>,
    /// What was migrated in it.
    migrated: Option<Migrated>,
    rows: u64,
}

impl Prepared {
    /// Brings a state of an earlier version up to date, as a start would: beside the store, and so that it can fail.
    pub(super) fn bring_up_to_date(mut self, schema: &Schema, clock: &Clock) -> Result<Prepared> {
        let (path, snapshot) = (&self.waiting.0, self.snapshot.as_deref());
        (self.migrated, self.rows) = rehearsal::on_file(path, source::CHECK_CACHE, clock, |store| {
            Ok((versions::bring_up_to_date(store, schema, snapshot)?, rows_of(store)?))
        })?;
        snapshot::sync(path)?;
        Ok(self)
    }

    /// Writes into it what the house must find there.
    fn write(&mut self, write: impl FnOnce(&WriteTx) -> Result<()>, clock: &Clock) -> Result<()> {
        self.rows = rehearsal::on_file(&self.waiting.0, source::CHECK_CACHE, clock, |store| {
            store.write(write)?;
            rows_of(store)
        })?;
        snapshot::sync(&self.waiting.0)
    }
}

/// Rows in all tables.
fn rows_of(store: &Direct<'_>) -> Result<u64> {
    Ok(snapshot::count_tables(store.database)?.values().sum())
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
        let prepared = prepare_snapshot(folder, schema, clock, &snapshot::find(folder, name)?, &mut progress);
        return prepared.map_err(|error| refusal(folder, name, error))?.bring_up_to_date(schema, clock);
    }
    let mut outcome = Err(Error::not_found("sound snapshot"));
    for snapshot in snapshot::sound(folder)? {
        outcome = prepare_snapshot(folder, schema, clock, &snapshot, &mut progress);
        match &outcome {
            Err(error) if error.kind == Kind::Internal => {
                warn!(%error, name = snapshot.name, "this snapshot cannot be restored; trying the one before it");
            }
            _ => break,
        }
    }
    outcome?.bring_up_to_date(schema, clock)
}

/// Why the snapshot `name` is not restored, with the sentence that helps when it is damaged.
fn refusal(folder: &DataFolder, name: &str, error: Error) -> Error {
    let is_damaged = snapshot::find(folder, name).is_ok_and(|found| !found.is_sound());
    if error.kind != Kind::Internal || !is_damaged {
        return error;
    }
    let help = match snapshot::newest(folder) {
        Ok(Some(sound)) => format!("the newest sound one is {0}: `hanok restore {0}`", sound.name),
        _ => "there is no sound one; `hanok backup` makes one".to_owned(),
    };
    let sentence = format!("snapshot {name} is damaged and is not restored; {help}");
    Error::new(Kind::Conflict, sentence).because(error.cause.unwrap_or(error.message))
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
    let prepared = prepare(waiting, snapshot.name.clone(), schema, clock).inspect_err(|error| {
        // Its bytes are those of its description: it was damaged before it was described.
        if error.kind == Kind::Internal {
            snapshot::note(folder, &snapshot.name, SnapshotState::Damaged);
        }
    })?;
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
    Ok(Prepared { waiting, origin, snapshot: None, migrated: None, rows: tables.values().sum() })
}

/// The rename that makes the new state count. Before it the old state stands; after it the new one.
fn put_in_place(folder: &DataFolder, prepared: Prepared, clock: &Clock, is_damaged: bool) -> Result<Restored> {
    let is_copied = marker::is_copied(folder);
    let aside = aside::keep(folder, clock.now(), is_damaged)?;
    // Beside the store first: whichever file is found after a power cut, this marker does not refuse it.
    let file = marker::identity(&prepared.waiting.0)?;
    marker::put_beside(folder, &ShutdownMarker { open: false, file, damaged: false })?;
    folder::rename_durably(&prepared.waiting.0, &folder.store_file())?;
    prepared.migrated.iter().for_each(Migrated::say);
    let kept_aside = aside.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    // The state is in place: that something could not be cleared away is no failure of the restore.
    let cleared = if is_copied { retention::clear_what_was_copied_in_part(folder).unwrap_or_default() } else { 0 };
    Ok(Restored { ok: true, restored: prepared.origin, kept_aside, undo: None, rows: prepared.rows, cleared })
}

/// Removes what a killed restore has left half-made, and lists what one has replaced. Gives a sentence when the state
/// from before it is the one in place.
pub(in crate::store) fn tidy(folder: &DataFolder, clock: &Clock) -> Result<Option<&'static str>> {
    aside::sweep(folder)?;
    aside::list(folder, clock);
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
