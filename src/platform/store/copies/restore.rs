//! Restore: puts the state of a snapshot in the place of the present one, in steps of which each can be
//! killed ([`restores`](super::restores) while the appliance runs). Until the one rename that makes it count, the old state stands; it is kept ([`pre_restore`](super::pre_restore)), and what
//! must not go back with it is carried over ([`carried`](super::carried)).

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use redb::Database;
use serde::{Deserialize, Serialize};
use tracing::warn;

use super::super::file::direct::{Direct, SeparateFile};
use super::super::file::fault;
use super::super::file::folder::{self, DataFolder};
use super::super::file::marker::{self, MARKER, MARKER_KEY, ShutdownMarker};
use super::super::file::names;
use super::super::file::source::{self, StoreSource};
use super::super::file::versions::{self, Migrated};
use super::super::rows::{Schema, WriteTx};
use super::carried::{Present, carry_over};
use super::partly_copied::{self, PutInOrder};
use super::said;
use super::snapshot::{self, Snapshot, SnapshotState};
use super::texts::{self, WaitingTexts};
pub(in crate::store) use super::waiting::{Waiting, waiting_file};
use super::{pre_restore, rehearsal};
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
    pub pre_restore: Option<String>,
    /// The snapshot that holds the state before: restoring it undoes this. Null when there was none, or it is damaged.
    pub undo: Option<String>,
    /// Rows in all tables.
    pub rows: u64,
    /// Snapshots of which a copy of the folder had not brought the description, and which were described anew.
    #[serde(default)]
    pub described: u64,
    /// Descriptions of snapshots of which a copy of the folder had not brought the file, and which were cleared away.
    #[serde(default)]
    pub cleared: u64,
    /// Whether the last write of the state that is in place now was not on the disk whole and was left out, so that it may
    /// be missing.
    #[serde(default)]
    pub last_write_left_out: bool,
    /// Whether the state before could not be read, so that everyone signs in again: with the passphrase that is noted beside
    /// the store, or else with that of the state that is in place now.
    #[serde(default)]
    pub signed_out: bool,
    /// The owner's texts that came with it and took their places, by their names. What lay there stays beside.
    #[serde(default)]
    pub texts: Vec<String>,
}

impl Restored {
    /// With the state before as the snapshot that was `listed`, or under the name that it has got as a damaged one.
    pub(super) fn with(self, folder: &DataFolder, listed: Option<Snapshot>) -> Restored {
        let as_damaged = self.pre_restore.as_ref().map(|name| format!("{name}{}", names::DAMAGED));
        let pre_restore = as_damaged.filter(|name| folder.root().join(name).exists()).or(self.pre_restore);
        match listed {
            Some(listed) if pre_restore.is_some() => {
                Restored { pre_restore: Some(format!("backups/{}.redb", listed.name)), undo: Some(listed.name), ..self }
            }
            _ => Restored { pre_restore, ..self },
        }
    }
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
        // First: it may be the one that is wanted.
        let described = if marker::is_copied(folder) { partly_copied::describe(folder, clock)?.described } else { 0 };
        let before;
        let name = match wanted {
            Wanted::Named(name) => Some(name),
            Wanted::Newest => None,
            Wanted::BeforeTheLast => {
                before = pre_restore::newest(folder, clock)?;
                Some(before.as_str())
            }
        };
        let prepared = prepare_one(folder, schema, clock, name, |percent| {
            progress(percent);
            Ok(())
        });
        let restored = put_in_place_offline(folder, prepared?, schema, clock)?;
        Ok(Restored { described: restored.described + described, ..restored })
    });
    restored.map_err(|e| fault::unserved(folder.root(), e))
}

/// Puts a prepared file in place in a folder that no appliance has open.
pub(in crate::store) fn put_in_place_offline(
    folder: &DataFolder,
    mut prepared: Prepared,
    schema: &Schema,
    clock: &Clock,
) -> Result<Restored> {
    let kept = pre_restore::kept_of_the_house(folder)?;
    let present = present(folder);
    let is_there = folder.store_file().exists();
    let is_damaged = is_there && present.as_ref().is_none_or(|(_, is_damaged)| *is_damaged);
    // What it kept itself is what it held last, whatever another hand has laid in the place of that since.
    let held = kept.as_ref().and_then(|kept| pre_restore::held_last(folder, kept));
    let last = held.map(|held| (held, false)).or(present.map(|(database, _)| (database, is_damaged)));
    let direct =
        last.as_ref().map(|(database, is_damaged)| (Direct { database, storage: &SeparateFile, clock }, *is_damaged));
    let of_present = match &direct {
        Some((direct, false)) => Present::Sound(direct),
        Some((direct, true)) => Present::Damaged(direct),
        None if is_there || folder.has_snapshots() || folder.has_notes() => Present::Lost,
        None => Present::NewPlace,
    };
    prepared.signed_out = carry_over(&prepared.waiting.0, folder, of_present, schema, clock)?;
    drop(last);
    snapshot::sync(&prepared.waiting.0)?;
    // What another hand has laid there was not the state before where that is kept, unless that is put in place now.
    let before = kept.filter(|kept| prepared.snapshot.as_ref() != Some(&kept.name));
    let replaced = Replaced { is_damaged, unplaced: None, beside: before.map(|before| before.number) };
    let restored = put_in_place(folder, prepared, clock, &replaced)?;
    Ok(restored.with(folder, pre_restore::list(folder, clock)))
}

/// Puts the checked copy of the present state in its place: nothing is carried over, it is the same.
pub(super) fn put_adopted_in_place(folder: &DataFolder, prepared: Prepared, clock: &Clock) -> Result<Restored> {
    snapshot::sync(&prepared.waiting.0)?;
    let before = pre_restore::kept_of_the_house(folder)?;
    let replaced = Replaced { beside: before.as_ref().map(|before| before.number), ..Replaced::default() };
    let restored = put_in_place(folder, prepared, clock, &replaced)?;
    let restored = restored.with(folder, pre_restore::list(folder, clock));
    Ok(Restored { undo: before.map(|before| before.name).or(restored.undo), ..restored })
}

/// The present state of a folder that no appliance has open, without changing a byte of it, and whether a check has found
/// it damaged. None when there is none, or its file is not the one that this house wrote.
fn present(folder: &DataFolder) -> Option<(Database, bool)> {
    let file = marker::identity(&folder.store_file()).ok()?;
    let is_ours = |marker: &ShutdownMarker| marker::check(marker, &file).is_ok();
    let is_damaged = |marker: &ShutdownMarker| marker::was_found_damaged(marker, &file);
    let source = StoreSource::File(folder.clone());
    let beside = marker::beside(folder);
    if !beside.as_ref().is_none_or(is_ours) {
        return None;
    }
    // What is open to be read has not been checked.
    let is_rotten = source::check_closed(&source, Arc::default()).is_err();
    let opened = fault::caught(|| source::open_read_only(&source, Arc::default(), source::CHECK_CACHE));
    let database = opened.ok()?.ok()?;
    let inside = fault::without_panic(|| marker::inside(&database)).ok()?;
    let found = [beside.as_ref(), inside.as_ref()].into_iter().flatten().any(is_damaged);
    inside.as_ref().is_none_or(is_ours).then_some((database, found || is_rotten))
}

/// A checked file that lies beside the store, ready to take its place.
pub(in crate::store) struct Prepared {
    pub(super) waiting: Waiting,
    origin: String,
    /// The snapshot that it is a copy of, if it is one.
    snapshot: Option<String>,
    /// What was migrated in it.
    migrated: Option<Migrated>,
    rows: u64,
    /// Whether its last write was left out.
    last_write_left_out: bool,
    /// Whether nothing says who was in before it.
    pub(super) signed_out: bool,
    /// The owner's texts that come with it.
    texts: WaitingTexts,
}

impl Prepared {
    /// With the owner's texts, which take their place when it does.
    pub(super) fn with_texts(self, texts: WaitingTexts) -> Prepared {
        Prepared { texts, ..self }
    }

    /// Says whether its last write was left out.
    pub(super) fn noting(self, last_write_left_out: bool) -> Prepared {
        Prepared { last_write_left_out, ..self }
    }

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
    pub(super) fn write(&mut self, write: impl FnOnce(&WriteTx) -> Result<()>, clock: &Clock) -> Result<()> {
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
pub(super) fn prepare_one(
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
    let mut outcome = Err(Error::new(Kind::NotFound, said::NO_SOUND_SNAPSHOT));
    for snapshot in snapshot::sound(folder)? {
        outcome = prepare_snapshot(folder, schema, clock, &snapshot, &mut progress);
        match &outcome {
            // What has failed with a snapshot that is sound fails with an older one, too, or would lose what lies between.
            Err(error) if error.kind == Kind::Internal && !is_still_sound(folder, &snapshot) => {
                warn!(%error, name = snapshot.name, "this snapshot cannot be restored; trying the one before it");
            }
            _ => break,
        }
    }
    outcome?.bring_up_to_date(schema, clock)
}

fn is_still_sound(folder: &DataFolder, snapshot: &Snapshot) -> bool {
    snapshot::find(folder, &snapshot.name).is_ok_and(|found| found.is_sound())
}

/// Why the snapshot `name` is not restored, with the sentence that helps when it is damaged.
fn refusal(folder: &DataFolder, name: &str, error: Error) -> Error {
    let is_damaged = snapshot::find(folder, name).is_ok_and(|found| !found.is_sound());
    if error.kind != Kind::Internal || !is_damaged {
        return error;
    }
    let sentence = match snapshot::newest(folder) {
        Ok(Some(sound)) => said::DAMAGED_AND_ANOTHER.with([("name", name.into()), ("sound", sound.name.into())]),
        _ => said::DAMAGED_AND_NO_OTHER.with([("name", name.into())]),
    };
    Error::new(Kind::Conflict, sentence).because(error.cause.unwrap_or_else(|| error.message.to_string()))
}

fn prepare_snapshot(
    folder: &DataFolder,
    schema: &Schema,
    clock: &Clock,
    snapshot: &Snapshot,
    progress: &mut impl FnMut(u8) -> Result<()>,
) -> Result<Prepared> {
    if snapshot.store_version > schema.version() {
        return Err(Error::conflict(said::TOO_NEW.with([
            ("name", snapshot.name.as_str().into()),
            ("version", snapshot.store_version.into()),
            ("known", schema.version().into()),
        ])));
    }
    let size = snapshot.bytes.max(1);
    snapshot::verify(folder, snapshot, clock.now(), |read| progress((read * 50 / size).min(50) as u8))?;
    let waiting = Waiting::at(folder);
    fs::copy(snapshot::file(folder, &snapshot.name), &waiting.0).map_err(|e| fault::io("copying the snapshot", e))?;
    snapshot::writable(&waiting.0)?;
    progress(75)?;
    let prepared = prepare(waiting, snapshot.name.clone(), schema, clock).inspect_err(|error| {
        // Its bytes are those of its description: it was damaged before it was described, or the copy of it has failed.
        if error.kind == Kind::Internal && source::is_damaged(&snapshot::file(folder, &snapshot.name)) {
            snapshot::note(folder, &snapshot.name, SnapshotState::Damaged, clock.now());
        }
    })?;
    progress(95)?;
    Ok(Prepared { snapshot: Some(snapshot.name.clone()), ..prepared.noting(snapshot.last_write_left_out) })
}

/// Checks a waiting file and marks it as closed cleanly. One that is newer than `schema` is refused.
pub(in crate::store) fn prepare(waiting: Waiting, origin: String, schema: &Schema, clock: &Clock) -> Result<Prepared> {
    let path = &waiting.0;
    let tables = snapshot::inspect(path)?;
    let marker = ShutdownMarker::closed(marker::identity(path)?);
    fault::without_panic(|| {
        let database = redb::Builder::new().set_cache_size(source::CHECK_CACHE).open(path).map_err(Error::internal)?;
        let store = Direct { database: &database, storage: &SeparateFile, clock };
        if let Some(newer) = versions::newer(&store, schema)? {
            return Err(newer.not_taken_over(&origin, schema));
        }
        store.write(|tx| tx.put(&MARKER, MARKER_KEY, &marker))
    })?;
    snapshot::sync(path)?;
    let rows = tables.values().sum();
    Ok(Prepared {
        waiting,
        origin,
        snapshot: None,
        migrated: None,
        rows,
        last_write_left_out: false,
        signed_out: false,
        texts: WaitingTexts::default(),
    })
}

/// The state that a restore replaces.
#[derive(Default)]
pub(super) struct Replaced {
    pub is_damaged: bool,
    /// Its file, where a hand has taken it out of its place while it was open.
    pub unplaced: Option<Arc<File>>,
    /// The number under which the state before is listed already, where it lies only in the place of that.
    pub beside: Option<u64>,
}

/// The rename that makes the new state count. Before it the old state stands; after it the new one.
pub(super) fn put_in_place(
    folder: &DataFolder,
    prepared: Prepared,
    clock: &Clock,
    replaced: &Replaced,
) -> Result<Restored> {
    let is_copied = marker::is_copied(folder);
    let pre_restore = match (&replaced.unplaced, replaced.beside) {
        (Some(file), _) => Some(pre_restore::keep_unplaced(folder, clock.now(), file, replaced.is_damaged)?),
        (None, Some(number)) => pre_restore::keep_beside(folder, clock.now(), number)?,
        (None, None) => pre_restore::keep(folder, clock.now(), replaced.is_damaged)?,
    };
    // Beside the store first: whichever file is found after a power cut, the marker speaks of it.
    let file = marker::identity(&prepared.waiting.0)?;
    prepared.texts.hand_over(folder, &file)?;
    let marked = marker::put_of_the_next(folder, &ShutdownMarker { copied: is_copied, ..ShutdownMarker::closed(file) });
    let renamed = marked.and_then(|()| folder::rename_durably(&prepared.waiting.0, &folder.store_file()));
    // Whether it has come to its place or not: nothing waits any longer.
    let texts = texts::settle(folder);
    renamed?;
    prepared.migrated.iter().for_each(Migrated::say);
    let pre_restore = pre_restore.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    // The state is in place: that something could not be put in order is no failure of the restore.
    let order = if is_copied { partly_copied::put_in_order(folder, clock) } else { Ok(PutInOrder::default()) };
    if order.as_ref().is_ok_and(|put| put.failed == 0) {
        let _ = marker::mark_in_order(folder);
    }
    let PutInOrder { described, cleared, .. } = order.unwrap_or_default();
    Ok(Restored {
        ok: true,
        restored: prepared.origin,
        pre_restore,
        undo: None,
        rows: prepared.rows,
        described,
        cleared,
        last_write_left_out: prepared.last_write_left_out,
        signed_out: prepared.signed_out,
        texts,
    })
}

/// Removes what a killed restore has left half-made, ends what one has begun that counts, and lists what one has replaced.
/// Gives a sentence when the state from before it is the one in place.
pub(in crate::store) fn tidy(folder: &DataFolder, clock: &Clock) -> Result<Option<&'static str>> {
    pre_restore::sweep(folder)?;
    texts::settle(folder);
    pre_restore::list(folder, clock);
    let left = waiting_file(folder);
    if !left.exists() {
        return Ok(None);
    }
    fs::remove_file(&left).map_err(|e| fault::io("removing what an interrupted restore left", e))?;
    Ok(Some("removed what an interrupted restore had left; the state from before it is in place"))
}
