//! Migrations: from a store of an earlier version to this one, rehearsed on a copy before they touch the real file.
//!
//! Each finds out by itself whether it is needed, and is noted by its name in the transaction in which it runs: after a
//! cut-off the next start goes on with those that are not noted. Before the first one a snapshot is made and verified.

use std::collections::BTreeSet;
use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use tracing::info;

use super::super::rows::{Order, ReadTransaction, Schema, ShippedData, Step, Table, WriteTx};
use super::direct::Direct;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Kind, Message, MessageTemplate, Result};

/// Under this target of the log stands every migration that is done, and nothing else.
pub const SAID_OF_MIGRATIONS: &str = "hanok::migration";

/// Which version wrote the store. Table: `meta-1`; key: `version`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Version of the store's tables.
    pub store: u32,
    /// Version of the program that wrote it last.
    pub app: String,
}

pub(in crate::store) const META: Table<&'static str, Version> = Table::new("meta-1");
/// Table: the migrations that a store has behind it. Key: the name of the step. A store that was written before they
/// were noted has none here: each step is asked once more whether it is needed.
pub(in crate::store) const MIGRATED: Table<&'static str, ()> = Table::new("migrated-1");

/// Table: the data that was put in with the program. Key: the name of the data. Value: its revision.
pub(in crate::store) const SHIPPED: Table<&'static str, u32> = Table::new("shipped-1");
/// Table: the last migration of a store. Key: `last`; `under_way` beside it as long as steps of it are to come. A store
/// that was never migrated has none, nor one whose last migration was done before they were written down.
pub(in crate::store) const LAST_MIGRATION: Table<&'static str, Migrated> = Table::new("last_migration-1");
/// The key under which a migration stands that has steps to come.
const UNDER_WAY: &str = "under_way";

/// A migration that a store has behind it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Migrated {
    /// Version of the store's tables before.
    pub from: u32,
    /// Their version after it.
    pub to: u32,
    /// When its last step was done.
    pub at: DateTime<Utc>,
    /// The names of the steps that have changed anything, in their order.
    pub steps: Vec<String>,
    /// The snapshot that holds the state from before it. Null where nothing had to be changed, and for a file that was
    /// taken over.
    pub snapshot: Option<String>,
}

impl Migrated {
    fn of(found: &Version, snapshot: Option<&str>, at: DateTime<Utc>) -> Migrated {
        Migrated { from: found.store, to: found.store, at, steps: Vec::new(), snapshot: snapshot.map(str::to_owned) }
    }

    /// Writes it down as the last one, and whether it has steps to come.
    fn note(&self, tx: &WriteTx, is_under_way: bool) -> Result<()> {
        tx.put(&LAST_MIGRATION, "last", self)?;
        match is_under_way {
            true => tx.put(&LAST_MIGRATION, UNDER_WAY, self),
            false => tx.remove(&LAST_MIGRATION, UNDER_WAY).map(drop),
        }
    }

    /// Says it where it has happened, once: in the log of the house, and on standard error of a command.
    pub(in crate::store) fn say(&self) {
        info!(target: SAID_OF_MIGRATIONS, "{self}");
    }
}

/// The one sentence in which a migration is said.
impl fmt::Display for Migrated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from == self.to {
            true => write!(f, "migrated the store of version {}: ", self.to)?,
            false => write!(f, "migrated the store from version {} to {}: ", self.from, self.to)?,
        }
        match self.steps.is_empty() {
            true => write!(f, "nothing in it had to be changed")?,
            false => write!(f, "{}", self.steps.join("; "))?,
        }
        match &self.snapshot {
            Some(snapshot) => write!(f, "; the state from before it is in the snapshot {snapshot}"),
            None => Ok(()),
        }
    }
}

/// The version found in a store; none in one that was just created.
pub(in crate::store) fn found(store: &Direct<'_>) -> Result<Option<Version>> {
    store.read(|tx| tx.get(&META, "version"))
}

/// What of a store is newer than this program; none: nothing is.
///
/// # Errors
/// Those of the storage.
pub(in crate::store) fn newer(store: &Direct<'_>, schema: &Schema) -> Result<Option<Newer>> {
    let Some(found) = found(store)? else { return Ok(None) };
    if found.store > schema.version() {
        return Ok(Some(Newer { found, unknown: None }));
    }
    let known: BTreeSet<&str> = schema.steps().iter().map(|step| step.name).collect();
    let unknown = noted(store)?.into_iter().find(|name| !known.contains(name.as_str()));
    Ok(unknown.map(|name| Newer { found, unknown: Some(name) }))
}

/// A store that a newer version wrote.
pub(in crate::store) struct Newer {
    found: Version,
    /// A step that this program does not know, where the version alone does not tell.
    pub unknown: Option<String>,
}

/// A file that is not taken over: its version is newer.
const NEWER: MessageTemplate = MessageTemplate::new(
    "house.newer_file",
    "{what} has version {version} (written by hanok {app}), this is hanok {own} with store version {known}; nothing was \
     replaced",
);
/// A file that is not taken over: what was done to it is not known.
const NEWER_STEP: MessageTemplate = MessageTemplate::new(
    "house.newer_step",
    "{what} has version {version} and the unknown step \"{step}\" (written by hanok {app}), this is hanok {own} with store \
     version {known}; nothing was replaced",
);

impl Newer {
    /// Refuses to start with it; `help` ends the sentence.
    pub fn no_start(&self, schema: &Schema, help: &str) -> Error {
        let step = match &self.unknown {
            Some(name) => format!(" and the unknown step \"{name}\""),
            None => String::new(),
        };
        let Version { store, app, .. } = &self.found;
        let (own, known) = (env!("CARGO_PKG_VERSION"), schema.version());
        Error::new(
            Kind::Conflict,
            Message::english(format!(
                "the store has version {store}{step} (written by hanok {app}), this is hanok {own} with store version \
                 {known}{help}"
            )),
        )
    }

    /// Refuses to put `what` (a snapshot, a file) in the place of the store.
    pub fn not_taken_over(&self, what: &str, schema: &Schema) -> Error {
        let values = [
            ("what", what.into()),
            ("version", self.found.store.into()),
            ("app", self.found.app.as_str().into()),
            ("own", env!("CARGO_PKG_VERSION").into()),
            ("known", schema.version().into()),
            ("step", self.unknown.as_deref().unwrap_or_default().into()),
        ];
        Error::conflict(if self.unknown.is_some() { NEWER_STEP } else { NEWER }.with(values))
    }
}

/// The migration that was cut off between two steps, as far as it has come: its rest goes on from there.
pub(in crate::store) fn under_way(store: &Direct<'_>) -> Result<Option<Migrated>> {
    store.read(|tx| tx.get(&LAST_MIGRATION, UNDER_WAY))
}

/// The steps that a store does not have behind it, in order; none for one that was just created.
pub(in crate::store) fn pending<'m>(store: &Direct<'_>, schema: &'m Schema) -> Result<Vec<&'m Step>> {
    if found(store)?.is_none() {
        return Ok(Vec::new());
    }
    let noted = noted(store)?;
    Ok(schema.steps().iter().filter(|step| !noted.contains(step.name)).collect())
}

/// Whether any of these steps finds something to do. Where none does, none will after another: nothing is changed.
pub(in crate::store) fn is_needed(store: &Direct<'_>, steps: &[&Step]) -> Result<bool> {
    store.read(|tx| {
        for step in steps {
            if step.is_needed(tx)? {
                return Ok(true);
            }
        }
        Ok(false)
    })
}

/// Notes the steps that a store does not have behind it, in one write, where none of them is needed. Gives what was
/// noted; none where nothing was. A migration that was cut off and has no steps to come any more is over.
///
/// # Errors
/// `INTERNAL` when one is needed: it needs a snapshot and a rehearsal first.
pub(in crate::store) fn note_unneeded(store: &Direct<'_>, schema: &Schema) -> Result<Option<Migrated>> {
    let steps = pending(store, schema)?;
    let cut_off = under_way(store)?;
    if steps.is_empty() {
        // Nothing of it is to come: from here on the house writes, and no snapshot of it is the state before.
        if cut_off.is_some() {
            store.write(|tx| tx.remove(&LAST_MIGRATION, UNDER_WAY).map(drop))?;
        }
        return Ok(None);
    }
    let Some(found) = found(store)? else { return Ok(None) };
    if is_needed(store, &steps)? {
        return Err(Error::internal("the store must be migrated first"));
    }
    store.write(|tx| {
        steps.iter().try_for_each(|step| tx.put(&MIGRATED, step.name, &()))?;
        let so_far = cut_off.unwrap_or_else(|| Migrated::of(&found, None, tx.now()));
        let migrated = Migrated { to: found.store.max(schema.version()), at: tx.now(), ..so_far };
        migrated.note(tx, false)?;
        tx.put(&META, "version", &Version { store: migrated.to, app: found.app })?;
        Ok(Some(migrated))
    })
}

/// Runs the steps that a store does not have behind it, each in its own durable transaction, in which what was done so far
/// is written down; `migrated` has it also when a later one fails. `snapshot` holds the state from before them; a migration
/// that was cut off keeps its own. Which program wrote the store stays as it was found: what ships with this one is not
/// in yet.
pub(in crate::store) fn run(
    store: &Direct<'_>,
    schema: &Schema,
    snapshot: Option<&str>,
    migrated: &mut Option<Migrated>,
) -> Result<()> {
    let Some(found) = found(store)? else { return Ok(()) };
    let cut_off = under_way(store)?;
    let mut to_come = pending(store, schema)?.into_iter().peekable();
    while let Some(step) = to_come.next() {
        let needed = store.read(|tx| step.is_needed(tx))?;
        let so_far = store.write(|tx| {
            let begun = migrated.clone().or_else(|| cut_off.clone());
            let mut so_far = begun.unwrap_or_else(|| Migrated::of(&found, snapshot, tx.now()));
            if needed {
                step.apply(tx)?;
                so_far.steps.push(step.name.to_owned());
            }
            (so_far.to, so_far.at) = (so_far.to.max(step.to), tx.now());
            so_far.note(tx, to_come.peek().is_some())?;
            tx.put(&MIGRATED, step.name, &())?;
            tx.put(&META, "version", &Version { store: so_far.to, app: found.app.clone() })?;
            Ok(so_far)
        })?;
        *migrated = Some(so_far);
    }
    Ok(())
}

/// Does all that a start does with a store, where that needs no rehearsal. `snapshot` holds the state from before it.
/// Gives the migration that was done on the way.
pub(in crate::store) fn bring_up_to_date(
    store: &Direct<'_>,
    schema: &Schema,
    snapshot: Option<&str>,
) -> Result<Option<Migrated>> {
    let mut migrated = None;
    run(store, schema, snapshot, &mut migrated)?;
    stamp(store, schema)?;
    Ok(migrated)
}

/// Writes down that this program and version wrote the store, and puts in what ships with it of which the store has no
/// revision, or an earlier one. A store that was just created has every step behind it. Gives a sentence for each thing
/// that was put in.
pub(in crate::store) fn stamp(store: &Direct<'_>, schema: &Schema) -> Result<Vec<String>> {
    let ours = Version { store: schema.version(), app: env!("CARGO_PKG_VERSION").to_owned() };
    let found = found(store)?;
    let missing = missing(store, schema)?;
    if found.as_ref() == Some(&ours) && missing.is_empty() {
        return Ok(Vec::new());
    }
    store.write(|tx| {
        let mut put_in = Vec::new();
        for data in missing {
            put_in.extend((data.put_in)(tx)?);
            tx.put(&SHIPPED, data.name, &data.revision)?;
        }
        if found.is_none() {
            schema.steps().iter().try_for_each(|step| tx.put(&MIGRATED, step.name, &()))?;
        }
        tx.put(&META, "version", &ours)?;
        Ok(put_in)
    })
}

/// The data that ship with the program and that a store does not have yet.
fn missing<'s>(store: &Direct<'_>, schema: &'s Schema) -> Result<Vec<&'s ShippedData>> {
    store.read(|tx| {
        let mut missing = Vec::new();
        for data in schema.shipped() {
            if tx.get(&SHIPPED, data.name)?.is_none_or(|noted| noted < data.revision) {
                missing.push(data);
            }
        }
        Ok(missing)
    })
}

/// The names of the steps that a store has behind it.
fn noted(store: &Direct<'_>) -> Result<BTreeSet<String>> {
    store.read(|tx| {
        let noted = tx.entries(&MIGRATED, "".., Order::Ascending);
        noted.map(|entry| entry.map(|entry| entry.key().to_owned())).collect()
    })
}
