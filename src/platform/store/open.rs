//! Opening and closing the store of a data folder: each check in its order, and what was found and mended.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use redb::Database;
use serde::{Deserialize, Serialize};
use tracing::warn;

use super::disk::Known;
use super::fault;
use super::folder::DataFolder;
use super::migrate;
use super::rows::Schema;
use super::seal::{self, FileIdentity, SEAL, Seal};
use super::slot::{self, Slot};
use super::snapshot::{self, SnapshotKind};
use super::source::{self, Broken, Mended, Source};
use super::{StorageState, Store, restore, retention};
use crate::events::Events;
use hanok_base::schema::ToSchema;
use hanok_base::{Clock, Error, Result};

/// How the store is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// Memory for pages, in bytes.
    pub cache_bytes: usize,
    /// Room below which writes are refused, in bytes.
    pub reserve_bytes: u64,
}

/// What was done at the start, and how long each part took.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StartReport {
    /// Each thing that was checked, mended or done.
    pub items: Vec<StartItem>,
    /// All of it, in milliseconds.
    pub elapsed_ms: u64,
}

/// One thing of the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StartItem {
    /// Which step it was: the screens say it in their language.
    pub step: StartStep,
    /// What was done, in one sentence for the log.
    pub what: String,
    /// In milliseconds.
    pub elapsed_ms: u64,
}

/// The steps of a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StartStep {
    /// A new store was created.
    Created,
    /// The store was opened; it had been closed cleanly.
    Opened,
    /// The store was opened after an unclean end and repaired.
    Repaired,
    /// Every page was checked.
    Checked,
    /// What an interrupted restore had left was removed.
    RestoreUndone,
    /// A migration was rehearsed on a copy.
    Rehearsed,
    /// The store was migrated.
    Migrated,
    /// Interrupted jobs were put right.
    JobsRecovered,
    /// The data that ships with the program was brought up to date.
    DataAdded,
}

impl StartReport {
    /// Adds what was done since `begun`.
    pub fn add(&mut self, step: StartStep, what: impl Into<String>, begun: Instant) {
        let elapsed_ms = begun.elapsed().as_millis() as u64;
        self.elapsed_ms += elapsed_ms;
        self.items.push(StartItem { step, what: what.into(), elapsed_ms });
    }
}

impl Store {
    /// Opens the store in the data folder at `root`, creating it when there is none.
    ///
    /// # Errors
    /// Each with the sentence that helps: folder in use, network file system, a hot copy, a damaged file,
    /// a store of a newer version.
    pub fn open(
        root: &Path,
        options: &Options,
        schema: Schema,
        clock: Clock,
        events: Events,
    ) -> Result<(Store, StartReport)> {
        let mut report = StartReport::default();
        let begun = Instant::now();
        let folder = DataFolder::take(root)?;
        if let Some(done) = restore::finish_interrupted(&folder)? {
            report.add(StartStep::RestoreUndone, done, begun);
        }
        snapshot::sweep(&folder)?;
        let slot = if folder.store_file().exists() {
            open_existing(&folder, options, schema, &clock, &mut report)?
        } else {
            let begun = Instant::now();
            source::create(&folder)?;
            let (slot, _) = fill(&folder, options, schema, &clock, Arc::default())?;
            report.add(StartStep::Created, "created a new store", begun);
            slot
        };
        slot.alone(|place| {
            let Some(open) = place.as_ref() else { return Err(slot::damaged("closed")) };
            bring_up_to_date(&slot, open, &folder, &mut report)?;
            match ready_to_write(&slot, open, &folder, &mut report) {
                // A restart on a full disk: what there is can be read, and the first write that finds room goes on.
                Err(error) if fault::is_for_lack_of_room(&error) => {
                    slot.note_full();
                    slot.open_in(place, false)
                }
                ready => ready,
            }
        })?;
        Ok((Store::start(Arc::new(slot), events), report))
    }
}

/// Opens a store file after every check that can be made without changing it.
fn open_existing(
    folder: &DataFolder,
    options: &Options,
    schema: Schema,
    clock: &Clock,
    report: &mut StartReport,
) -> Result<Slot> {
    let identity = seal::identity(&folder.store_file())?;
    if let Some(seal) = seal::beside(folder) {
        seal::check(&seal, &identity)?;
    }
    let begun = Instant::now();
    let known = Arc::default();
    let source = Source::File(folder.clone());
    let closed = source::check_closed(&source, Arc::clone(&known));
    let closed = closed.map_err(|broken| unreadable(folder, broken))?;
    if let Some(look) = &closed {
        check_inside(look, &identity)?;
        report.add(StartStep::Checked, "checked every page of the store", begun);
    }
    drop(closed);
    let begun = Instant::now();
    let (slot, mended) = fill(folder, options, schema, clock, known)?;
    slot.alone(|place| match place {
        Some(open) => check_inside(open, &identity),
        None => Err(slot::damaged("closed")),
    })?;
    let (step, what) = match mended {
        Mended::Nothing => (StartStep::Opened, "opened the store, closed cleanly before"),
        Mended::Repaired => (StartStep::Repaired, "repaired the store to its last acknowledged write"),
        Mended::CutOff => (
            StartStep::Repaired,
            "repaired the store to its last acknowledged write; one that was not on the disk whole was left out",
        ),
    };
    report.add(step, what, begun);
    Ok(slot)
}

fn fill(
    folder: &DataFolder,
    options: &Options,
    schema: Schema,
    clock: &Clock,
    known: Arc<Known>,
) -> Result<(Slot, Mended)> {
    let source = Source::File(folder.clone());
    Slot::fill(source, options.cache_bytes, options.reserve_bytes, clock.clone(), schema, known)
        .map_err(|broken| unreadable(folder, broken))
}

/// A file that was copied alone, without the seal beside it, is known by the seal inside.
fn check_inside(database: &Database, identity: &FileIdentity) -> Result<()> {
    match seal::inside(database)? {
        Some(seal) => seal::check(&seal, identity),
        None => Ok(()),
    }
}

fn bring_up_to_date(slot: &Slot, database: &Database, folder: &DataFolder, report: &mut StartReport) -> Result<()> {
    let ours = slot.schema().version();
    let Some(found) = slot.version(database)? else { return Ok(()) };
    let usable = snapshot::newest_usable(folder, ours);
    migrate::refuse_newer(&found, slot.schema(), usable.as_deref())?;
    if found.store == ours {
        return Ok(());
    }
    if slot.is_looking() {
        return Err(fault::storage_full().because("there is no room for the migration of the store"));
    }
    let begun = Instant::now();
    let before = snapshot::make(slot, database, SnapshotKind::Migration)?;
    retention::prune_kind(folder, SnapshotKind::Migration)?;
    snapshot::rehearse(slot, folder, &before, found.store)?;
    let done = format!("made the snapshot {} and rehearsed the migration on a copy", before.name);
    report.add(StartStep::Rehearsed, done, begun);
    let begun = Instant::now();
    migrate::run(&slot.direct(database), slot.schema().steps_from(found.store))?;
    let done = format!("migrated the store from {} to {ours}", found.store);
    report.add(StartStep::Migrated, done, begun);
    Ok(())
}

fn ready_to_write(slot: &Slot, database: &Database, folder: &DataFolder, report: &mut StartReport) -> Result<()> {
    if slot.is_looking() {
        return Ok(());
    }
    let begun = Instant::now();
    for put_in in migrate::stamp(&slot.direct(database), slot.schema())? {
        report.add(StartStep::DataAdded, put_in, begun);
    }
    mark_open(slot, database, folder)
}

/// Writes the seal of an open store, inside first: a file copied from now on is known as a hot copy.
pub(super) fn mark_open(slot: &Slot, database: &Database, folder: &DataFolder) -> Result<()> {
    let seal = Seal { open: true, file: seal::identity(&folder.store_file())? };
    slot.direct(database).write(|tx| tx.put(&SEAL, "seal", &seal))?;
    seal::put_beside(folder, &seal)?;
    slot.note_marked();
    Ok(())
}

/// Writes the seal of a closed store and closes the file. What cannot be written is left to the next start to repair.
pub(super) fn mark_closed(slot: &Slot) -> Result<()> {
    let Some(folder) = slot.folder().filter(|_| slot.state() == StorageState::Ok) else {
        return slot.alone(|database| {
            *database = None;
            Ok(())
        });
    };
    let closed = seal_and_close(slot, folder);
    match closed {
        Err(error) if fault::is_for_lack_of_room(&error) => {
            warn!(%error, "the store was closed without its seal; the next start repairs it");
            slot.alone(|database| {
                *database = None;
                Ok(())
            })
        }
        closed => closed,
    }
}

fn seal_and_close(slot: &Slot, folder: &DataFolder) -> Result<()> {
    let seal = Seal { open: false, file: seal::identity(&folder.store_file())? };
    slot.alone(|database| {
        if let Some(open) = database.as_ref() {
            slot.direct(open).write(|tx| tx.put(&SEAL, "seal", &seal))?;
        }
        drop(database.take());
        File::open(folder.store_file()).and_then(|file| file.sync_all()).map_err(|e| fault::io("closing", e))
    })?;
    seal::put_beside(folder, &seal)
}

/// A store file that cannot be read: damaged, or copied while it was written.
fn unreadable(folder: &DataFolder, broken: Broken) -> Error {
    let cause = match broken {
        Broken::Io(error) => return error,
        Broken::Damaged(cause) => cause,
    };
    let hint = snapshot::list(folder).ok().and_then(|all| all.first().map(|newest| newest.name.clone()));
    slot::damaged(format!("{cause}; newest snapshot: {}", hint.as_deref().unwrap_or("none")))
}
