//! Opening and closing the store of a data folder: each check in its order, and what was found and mended.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use chrono::{DateTime, Utc};
use redb::{Database, ReadableDatabase};
use serde::{Deserialize, Serialize};

use super::fault;
use super::folder::DataFolder;
use super::migrate::{self, Migration};
use super::seal::{self, SEAL, Seal};
use super::slot::{self, Slot};
use super::snapshot::{self, SnapshotKind};
use super::transaction::Reads;
use super::{ReadTx, Store, restore};
use crate::base::schema::ToSchema;
use crate::base::{Clock, Error, Result};
use crate::platform::events::Events;

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
    pub fn open(root: &Path, options: &Options, clock: Clock, events: Events) -> Result<(Store, StartReport)> {
        Self::open_with(root, options, clock, events, migrate::MIGRATIONS)
    }

    /// [`Store::open`] with migrations of the caller's, for tests of migration itself.
    pub fn open_with(
        root: &Path,
        options: &Options,
        clock: Clock,
        events: Events,
        migrations: &[Migration],
    ) -> Result<(Store, StartReport)> {
        let mut report = StartReport::default();
        let begun = Instant::now();
        let folder = DataFolder::take(root)?;
        if let Some(done) = restore::finish_interrupted(&folder)? {
            report.add(StartStep::RestoreUndone, done, begun);
        }
        let begun = Instant::now();
        let existed = folder.store_file().exists();
        let sealed = if existed { seal::beside(&folder) } else { None };
        if let Some(seal) = &sealed {
            seal::check(seal, &seal::identity(&folder.store_file())?)?;
        }
        let crashed = sealed.as_ref().is_some_and(|seal| seal.open);
        let slot = Slot::on_file(folder.clone(), options.cache_bytes, options.reserve_bytes)
            .map_err(|error| if existed { unreadable(&folder, error) } else { error })?;
        let (step, what) = match (existed, crashed) {
            (false, _) => (StartStep::Created, "created a new store"),
            (true, false) => (StartStep::Opened, "opened the store, closed cleanly before"),
            (true, true) => (StartStep::Repaired, "repaired the store to its last acknowledged write"),
        };
        report.add(step, what, begun);
        if existed {
            let begun = Instant::now();
            slot.alone(|database| check_file(&slot, database, &folder, &clock))?;
            report.add(StartStep::Checked, "checked every page of the store", begun);
        }
        slot.alone(|database| {
            let Some(open) = database.as_ref() else { return Err(slot::damaged("closed")) };
            bring_up_to_date(&slot, open, &folder, &clock, migrations, &mut report)?;
            mark_open(&slot, open, &folder, &clock)
        })?;
        Ok((Store::start(Arc::new(slot), clock, events), report))
    }
}

/// Checks checksums and the seal inside, before anything is served.
fn check_file(slot: &Slot, database: &mut Option<Database>, folder: &DataFolder, clock: &Clock) -> Result<()> {
    let Some(open) = database.as_mut() else { return Err(slot::damaged("closed")) };
    let intact = fault::without_panic(|| open.check_integrity().map_err(Error::internal));
    match intact {
        Ok(true) => {}
        Ok(false) => return Err(unreadable(folder, Error::internal("checksums do not match"))),
        Err(error) => return Err(unreadable(folder, error)),
    }
    let transaction = open.begin_read().map_err(|e| slot.fault(e))?;
    match ReadTx::new(transaction, slot, clock.now()).get(&SEAL, "seal")? {
        Some(seal) => seal::check(&seal, &seal::identity(&folder.store_file())?),
        None => Ok(()),
    }
}

fn bring_up_to_date(
    slot: &Slot,
    database: &Database,
    folder: &DataFolder,
    clock: &Clock,
    migrations: &[Migration],
    report: &mut StartReport,
) -> Result<()> {
    if let Some(found) = migrate::found(slot, database, clock)? {
        let usable = snapshot::newest_usable(folder, migrate::current(migrations));
        migrate::refuse_newer(&found, migrations, usable.as_deref())?;
        if found.store < migrate::current(migrations) {
            let begun = Instant::now();
            let before = snapshot::make(slot, database, clock.now(), SnapshotKind::Migration)?;
            snapshot::rehearse(slot, folder, &before, clock, found.store, migrations)?;
            report.add(
                StartStep::Rehearsed,
                format!("made the snapshot {} and rehearsed the migration on a copy", before.name),
                begun,
            );
            let begun = Instant::now();
            migrate::run(slot, database, clock, migrate::steps(found.store, migrations))?;
            report.add(
                StartStep::Migrated,
                format!("migrated the store from {} to {}", found.store, migrate::current(migrations)),
                begun,
            );
        }
    }
    migrate::stamp(slot, database, clock, migrations)
}

/// Writes the seal of an open store, inside first: a file copied from now on is known as a hot copy.
pub(super) fn mark_open(slot: &Slot, database: &Database, folder: &DataFolder, clock: &Clock) -> Result<()> {
    let seal = Seal { open: true, file: seal::identity(&folder.store_file())? };
    migrate::write(slot, database, clock, |tx| tx.put(&SEAL, "seal", &seal))?;
    seal::put_beside(folder, &seal)
}

/// Writes the seal of a closed store and closes the file.
pub(super) fn mark_closed(slot: &Slot, now: DateTime<Utc>) -> Result<()> {
    let Some(folder) = slot.folder() else {
        return slot.alone(|database| {
            *database = None;
            Ok(())
        });
    };
    let seal = Seal { open: false, file: seal::identity(&folder.store_file())? };
    slot.alone(|database| {
        if let Some(open) = database.as_ref() {
            let clock = Clock::held(now);
            migrate::write(slot, open, &clock, |tx| tx.put(&SEAL, "seal", &seal))?;
        }
        drop(database.take());
        File::open(folder.store_file()).and_then(|file| file.sync_all()).map_err(|e| fault::io("closing", e))
    })?;
    seal::put_beside(folder, &seal)
}

/// A store file that cannot be read: damaged, or copied while it was written.
fn unreadable(folder: &DataFolder, cause: Error) -> Error {
    if cause.kind == crate::base::Kind::StorageFull {
        return cause;
    }
    let hint = snapshot::list(folder).ok().and_then(|all| all.first().map(|newest| newest.name.clone()));
    slot::damaged(format!("{cause}; newest snapshot: {}", hint.as_deref().unwrap_or("none")))
}
