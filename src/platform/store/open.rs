//! A start: the store of a data folder is opened, each check in its order, and what was found and mended is said.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use redb::Database;

use super::copies::snapshot::{self, Snapshot, SnapshotKind};
use super::copies::{make, pack, pre_restore, put_in_order, rehearse, restore, retention, unpack, uploads};
use super::file::direct::Direct;
use super::file::disk::PageChecksums;
use super::file::marker::{self, FileIdentity, ShutdownMarker};
use super::file::open_store::OpenStore;
use super::file::source::{self, Broken, Mended, StoreSource, Torn};
use super::file::versions::{self, Migrated};
use super::file::{fault, space};
use super::{DataFolder, Schema, StartReport, StartStep, Store};
use crate::blocking;
use crate::events::Events;
use hanok_base::{Clock, Error, Kind, Message, Result};

const MEBIBYTE: u64 = 1 << 20;

/// What it means that the last write was left out, behind the words of what it is the last write of.
pub const LAST_WRITE_LEFT_OUT: &str = "which is not on the disk whole and was left out; when the program was \
    killed or the machine lost its power in the middle of it, nobody had been told that it was written; otherwise it may be \
    missing: look whether what was entered last is there";

/// How the store is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// Memory for pages, in bytes.
    pub cache_bytes: usize,
    /// Room below which writes are refused, in bytes.
    pub reserve_bytes: u64,
}

impl Store {
    /// Opens the store in the data folder at `root`, creating it when there is none and none is missing.
    ///
    /// # Errors
    /// Each with the sentence that helps: folder in use, network file system, a hot copy, a damaged file, snapshots
    /// without a store, a store of a newer version.
    pub fn open(
        root: &Path,
        options: &Options,
        schema: Schema,
        clock: Clock,
        events: Events,
    ) -> Result<(Store, StartReport)> {
        let mut report = StartReport::default();
        let begun = Instant::now();
        let unserved = |error| fault::unserved(root, error);
        let folder = DataFolder::take(root).map_err(unserved)?;
        if let Some(done) = restore::tidy(&folder, &clock).map_err(unserved)? {
            report.add(StartStep::RestoreUndone, done, begun);
        }
        unpack::sweep(&folder).map_err(unserved)?;
        snapshot::sweep(&folder).map_err(unserved)?;
        pack::sweep(&folder);
        uploads::sweep(&folder);
        folder.sweep_settings();
        let open = if folder.store_file().exists() {
            open_existing(&folder, options, schema, &clock, &mut report)?
        } else {
            refuse_beside_snapshots(&folder)?;
            let begun = Instant::now();
            source::create(&folder).map_err(unserved)?;
            let (open, _) = fill(&folder, options, schema, &clock, Arc::default(), Torn::IsCutOff)?;
            report.add(StartStep::Created, "created a new store", begun);
            open
        };
        open.alone(|place| {
            let Some(database) = place.as_ref() else { return Err(fault::damaged("closed")) };
            migrate_where_needed(&open, database, &folder, &mut report)?;
            match make_ready(&open, database, &mut report) {
                // A restart on a full disk: what there is can be read, and the first write that finds room goes on.
                Err(error) if fault::is_for_lack_of_room(&error) => {
                    open.note_full();
                    open.open_in(place, false)
                }
                ready => ready,
            }
        })?;
        Ok((Store::start(open, events), report))
    }

    /// Puts in order what a copy of the folder has brought of snapshots in part, and adds to `report` what was done. Whoever
    /// only looks into the folder leaves it as it is.
    ///
    /// # Errors
    /// `STORAGE_FULL`; `INTERNAL` when `backups/` cannot be read.
    pub async fn put_snapshots_in_order(&self, report: &mut StartReport) -> Result<()> {
        let Some(folder) = self.folder().cloned() else { return Ok(()) };
        let (begun, clock) = (Instant::now(), self.open.clock().clone());
        let turn = Arc::clone(&self.copying).lock_owned().await;
        let put = blocking::run(move |_| {
            let _turn = turn;
            if !marker::is_copied(&folder) {
                return Ok(None);
            }
            let put = put_in_order(&folder, &clock)?;
            if put.failed == 0 {
                marker::mark_in_order(&folder)?;
            }
            Ok(put.said())
        });
        if let Some(done) = put.await? {
            report.add(StartStep::SnapshotsCleared, done, begun);
        }
        Ok(())
    }
}

/// Refuses to begin a house where one was: an empty one would look as if everything was lost, and snapshots of it would
/// take the places of those that are there.
pub(super) fn refuse_beside_snapshots(folder: &DataFolder) -> Result<()> {
    if !folder.has_snapshots() {
        return Ok(());
    }
    let go_on = match snapshot::may_lead_back(folder) {
        true => "but there are snapshots: run `hanok restore --latest` to go on from the newest verified one",
        false => {
            "and none of the snapshots there is sound: put it back, or take over a backup file \
             (`hanok restore --from FILE`)"
        }
    };
    let refusal = Error::conflict(Message::english(format!(
        "hanok.redb is missing in {}, {go_on}; to begin an empty house instead, move backups/ away first, and \
         hanok.redb.before-restore-*",
        folder.root().display()
    )));
    Err(pre_restore::naming_the_kept(folder, refusal))
}

/// Opens a store file after every check that can be made without changing it.
fn open_existing(
    folder: &DataFolder,
    options: &Options,
    schema: Schema,
    clock: &Clock,
    report: &mut StartReport,
) -> Result<OpenStore> {
    let identity = marker::identity(&folder.store_file())?;
    let marker = marker::beside(folder);
    if let Some(marker) = &marker {
        refuse_copied(folder, marker, &identity)?;
    }
    let was_damaged = marker.is_some_and(|marker| marker::was_found_damaged(&marker, &identity));
    let torn = if was_damaged { Torn::IsDamage } else { Torn::IsCutOff };
    let begun = Instant::now();
    let known = Arc::default();
    let source = StoreSource::File(folder.clone());
    let closed = source::check_closed(&source, Arc::clone(&known));
    let closed = closed.map_err(|broken| unreadable(folder, broken))?;
    if let Some(closed) = &closed {
        check_inside(folder, closed, &identity)?;
        report.add(StartStep::Checked, "checked every page of the store", begun);
    }
    drop(closed);
    let begun = Instant::now();
    let (open, mended) = fill(folder, options, schema, clock, known, torn)?;
    open.alone(|place| match place {
        Some(database) => check_inside(folder, database, &identity),
        None => Err(fault::damaged("closed")),
    })?;
    let (step, what) = match mended {
        Mended::Nothing => (StartStep::Opened, "opened the store, closed cleanly before".to_owned()),
        Mended::Repaired => {
            let what = "repaired the store, which had not been closed: the last write in it is whole";
            (StartStep::Repaired, what.to_owned())
        }
        Mended::CutOff => (
            StartStep::RepairedInPart,
            format!(
                "repaired the store, which had not been closed, to the write before its last one, {LAST_WRITE_LEFT_OUT}"
            ),
        ),
    };
    report.add(step, what, begun);
    Ok(open)
}

fn fill(
    folder: &DataFolder,
    options: &Options,
    schema: Schema,
    clock: &Clock,
    known: Arc<PageChecksums>,
    torn: Torn,
) -> Result<(OpenStore, Mended)> {
    let source = StoreSource::File(folder.clone());
    OpenStore::fill(source, options.cache_bytes, options.reserve_bytes, clock.clone(), schema, known, torn)
        .map_err(|broken| unreadable(folder, broken))
}

/// A file that was copied alone, without the marker beside it, is known by the marker inside.
fn check_inside(folder: &DataFolder, database: &Database, identity: &FileIdentity) -> Result<()> {
    match marker::inside(database)? {
        Some(marker) => refuse_copied(folder, &marker, identity),
        None => Ok(()),
    }
}

/// Refuses `marker` when it says that another file than this one was open, naming what the house has kept of that one.
pub(super) fn refuse_copied(folder: &DataFolder, marker: &ShutdownMarker, file: &FileIdentity) -> Result<()> {
    marker::check(marker, file).map_err(|refusal| pre_restore::naming_the_kept(folder, refusal))
}

/// Migrates a store of an earlier version, and refuses one of a later.
fn migrate_where_needed(
    open: &OpenStore,
    database: &Database,
    folder: &DataFolder,
    report: &mut StartReport,
) -> Result<()> {
    let (store, schema) = (open.direct(database), open.schema());
    refuse_newer(&store, schema, folder)?;
    // Steps of which none is needed change nothing: they are noted when the store is made ready.
    if !versions::is_needed(&store, &versions::pending(&store, schema)?)? {
        return Ok(());
    }
    let mut migrated = None;
    // Before anything is written: what is free afterwards says nothing of what there was.
    let room = Room { needed: room_to_migrate(folder, open.reserve_bytes()), free: space::free(folder.root()) };
    migrate(open, database, folder, &room, &mut migrated, report).map_err(|error| {
        match fault::is_for_lack_of_room(&error) {
            true => Error { cause: error.cause, ..no_room_to_migrate(open, folder, &room, migrated.as_ref()) },
            false => error,
        }
    })
}

/// Bytes that a migration needs, and those that the system said to be free when it began.
struct Room {
    needed: u64,
    free: Option<u64>,
}

impl Room {
    fn is_too_little(&self) -> bool {
        self.free.is_some_and(|free| free < self.needed)
    }
}

/// Refuses a store that a newer version wrote, naming the snapshot that helps.
pub(super) fn refuse_newer(store: &Direct<'_>, schema: &Schema, folder: &DataFolder) -> Result<()> {
    if let Some(newer) = versions::newer(store, schema)? {
        let usable = match newer.unknown {
            None => snapshot::newest_usable(folder, schema.version()),
            // Only the snapshot from before a migration is sure not to hold its steps.
            Some(_) => match before_what_is_under_way(store, folder)? {
                Some(whole) if whole.store_version <= schema.version() => Some(whole.name),
                _ => snapshot::newest_before_a_migration(folder, schema.version()),
            },
        };
        let help = match usable {
            Some(name) => format!("; the newest snapshot that this version can use is {name}: `hanok restore {name}`"),
            None if newer.unknown.is_none() => "; there is no snapshot that this version can use".to_owned(),
            None => "; of the snapshots none is known to be usable by this version; `hanok restore NAME` checks one \
                     before it replaces anything (`hanok backup --list`)"
                .to_owned(),
        };
        return Err(newer.no_start(schema, &help));
    }
    Ok(())
}

/// Runs the steps that the store does not have behind it, after a snapshot and a rehearsal on a copy of it. `migrated` has
/// what was done, also when a later step fails, and it is said then, too.
fn migrate(
    open: &OpenStore,
    database: &Database,
    folder: &DataFolder,
    room: &Room,
    migrated: &mut Option<Migrated>,
    report: &mut StartReport,
) -> Result<()> {
    let begun = Instant::now();
    if open.is_read_only() || room.is_too_little() {
        return Err(fault::storage_full());
    }
    let whole = before_what_is_under_way(&open.direct(database), folder)?;
    let made = make(open, database, SnapshotKind::Migration)?;
    let rehearsed = rehearse(open, folder, &made);
    // What a migration that was cut off has come to is in no snapshot: no program can go on from that alone.
    if let Some(whole) = &whole {
        retention::clear_half_migrated(folder, whole)?;
    }
    retention::prune_kind(folder, SnapshotKind::Migration)?;
    rehearsed?;
    let before = &whole.unwrap_or(made).name;
    let rehearsed = format!("rehearsed the migration on a copy; the state from before it is in the snapshot {before}");
    report.add(StartStep::Rehearsed, rehearsed, begun);
    let begun = Instant::now();
    let ran = versions::run(&open.direct(database), open.schema(), Some(before), migrated);
    if let Some(migrated) = migrated.as_ref().filter(|migrated| ran.is_ok() || !migrated.steps.is_empty()) {
        report.add_migration(migrated, begun);
    }
    ran
}

/// The snapshot from before a migration that was cut off, where it is there and sound.
fn before_what_is_under_way(store: &Direct<'_>, folder: &DataFolder) -> Result<Option<Snapshot>> {
    let name = versions::under_way(store)?.and_then(|migrated| migrated.snapshot);
    Ok(name.and_then(|name| snapshot::find(folder, &name).ok()).filter(Snapshot::is_sound))
}

/// Bytes that must be free for a migration: for the snapshot, for the copy on which it is rehearsed, and the reserve.
/// What the steps themselves write comes on top of it.
pub(super) fn room_to_migrate(folder: &DataFolder, reserve_bytes: u64) -> u64 {
    let store_bytes = fs::metadata(folder.store_file()).map_or(0, |file| file.len());
    store_bytes.saturating_mul(2).saturating_add(reserve_bytes)
}

/// Where the disk has refused although it had said to have room, that is said: a quota does not show in what is free, and
/// another program may have filled it in between.
fn no_room_to_migrate(open: &OpenStore, folder: &DataFolder, room: &Room, migrated: Option<&Migrated>) -> Error {
    let (version, root) = (open.schema().version(), folder.root().display());
    let needed = room.needed.div_ceil(MEBIBYTE);
    let mebibytes =
        |free: Option<u64>| free.map_or("an unknown number of".to_owned(), |free| (free / MEBIBYTE).to_string());
    let free = match room.is_too_little() {
        true => format!("{} MiB are free", mebibytes(room.free)),
        false => format!(
            "{} MiB were said to be free when it began and {} MiB are now, but the disk has taken no more: a quota or \
             another limit of this user, or something else that fills it",
            mebibytes(room.free),
            mebibytes(space::free(folder.root()))
        ),
    };
    let state = match migrated.map(|migrated| migrated.steps.as_slice()).unwrap_or_default() {
        [] => "nothing was changed, and the program that wrote it can go on with it".to_owned(),
        done => format!("done already is: {}; the next start goes on with the rest", done.join("; ")),
    };
    Error::new(
        Kind::StorageFull,
        Message::english(format!(
            "the store must be migrated to version {version} before it can be used, and there is no room for that: \
             a snapshot and a copy to rehearse on need more than {needed} MiB in {root}, {free}; make room and start \
             again; {state}"
        )),
    )
}

fn make_ready(open: &OpenStore, database: &Database, report: &mut StartReport) -> Result<()> {
    if open.is_read_only() {
        return Ok(());
    }
    let begun = Instant::now();
    let (migrated, put_in) = open.make_ready(database)?;
    if let Some(migrated) = migrated {
        report.add_migration(&migrated, begun);
    }
    for put_in in put_in {
        report.add(StartStep::DataAdded, put_in, begun);
    }
    Ok(())
}

/// A store file that cannot be read: damaged, or copied while it was written.
pub(super) fn unreadable(folder: &DataFolder, broken: Broken) -> Error {
    let cause = match broken {
        Broken::Io(error) => return error,
        Broken::Damaged(cause) => cause,
    };
    let hint = snapshot::newest(folder).ok().flatten().map(|newest| newest.name);
    fault::damaged(format!("{cause}; newest snapshot: {}", hint.as_deref().unwrap_or("none")))
}
