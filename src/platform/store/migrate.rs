//! Migrations: from a store of an earlier version to this one, rehearsed on a copy before they touch the real file.
//!
//! Each runs in its own transaction together with the new version number, and finds out by itself whether
//! it is needed. Before the first one a snapshot is made and verified.

use std::path::Path;

use redb::{Database, ReadableDatabase};
use serde::{Deserialize, Serialize};
use tracing::info;

use super::fault;
use super::slot::Slot;
use super::table::Table;
use super::transaction::{ReadTx, Reads, WriteTx};
use hanok_base::{Error, Kind, Result};

/// One step to a newer store.
pub struct Migration {
    /// The store version that this step leads to.
    pub to: u32,
    /// What it does, in one sentence for the log.
    pub what: &'static str,
    /// Whether there is anything to do.
    pub needed: fn(&ReadTx) -> Result<bool>,
    /// Does it, in one transaction.
    pub apply: fn(&WriteTx) -> Result<()>,
}

/// Every step since the first version, in order.
pub const MIGRATIONS: &[Migration] = &[crate::jobs::QUEUE_BY_LANE];

/// Which version wrote the store. Table: `meta-1`; key: `version`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Version of the store's tables.
    pub store: u32,
    /// Version of the program that wrote it last.
    pub app: String,
}

const META: Table<&'static str, Version> = Table::new("meta-1");

/// The store version that this program writes.
pub fn current(migrations: &[Migration]) -> u32 {
    migrations.iter().map(|step| step.to).max().unwrap_or(1)
}

/// The version found in `database`; none in a store that was just created.
pub(super) fn found(slot: &Slot, database: &Database) -> Result<Option<Version>> {
    let transaction = database.begin_read().map_err(|e| slot.fault(e))?;
    ReadTx::new(transaction, slot, slot.clock().now()).get(&META, "version")
}

/// Refuses a store that a newer version wrote.
pub(super) fn refuse_newer(found: &Version, migrations: &[Migration], newest_usable: Option<&str>) -> Result<()> {
    let ours = current(migrations);
    if found.store <= ours {
        return Ok(());
    }
    let snapshot = match newest_usable {
        Some(name) => format!("; the newest snapshot that this version can use is {name}: `hanok restore {name}`"),
        None => "; there is no snapshot that this version can use".to_owned(),
    };
    Err(Error::new(
        Kind::Conflict,
        format!(
            "the store has version {} (written by hanok {}), this is hanok {} with store version {ours}{snapshot}",
            found.store,
            found.app,
            env!("CARGO_PKG_VERSION")
        ),
    ))
}

/// The steps that lead from `from` to the current version.
pub(super) fn steps(from: u32, migrations: &[Migration]) -> impl Iterator<Item = &Migration> {
    migrations.iter().filter(move |step| step.to > from)
}

/// Runs `steps` on `database`, each in its own durable transaction.
pub(super) fn run<'m>(slot: &Slot, database: &Database, steps: impl Iterator<Item = &'m Migration>) -> Result<()> {
    for step in steps {
        let transaction = database.begin_read().map_err(|e| slot.fault(e))?;
        let needed = (step.needed)(&ReadTx::new(transaction, slot, slot.clock().now()))?;
        write(slot, database, |tx| {
            if needed {
                (step.apply)(tx)?;
            }
            tx.put(&META, "version", &version(step.to))
        })?;
        info!(to = step.to, what = step.what, needed, "migrated the store");
    }
    Ok(())
}

/// Brings a store file that nobody has open up to date.
pub(super) fn run_on_file(slot: &Slot, path: &Path) -> Result<()> {
    fault::without_panic(|| {
        let database = redb::Builder::new().set_cache_size(slot.cache_bytes()).open(path).map_err(Error::internal)?;
        match found(slot, &database)? {
            Some(found) => run(slot, &database, steps(found.store, MIGRATIONS)),
            None => Ok(()),
        }
    })
}

/// Writes down that this program and version wrote the store.
pub(super) fn stamp(slot: &Slot, database: &Database, migrations: &[Migration]) -> Result<()> {
    let ours = version(current(migrations));
    if found(slot, database)?.as_ref() == Some(&ours) {
        return Ok(());
    }
    write(slot, database, |tx| tx.put(&META, "version", &ours))
}

/// One durable transaction outside the writer's queue, for the time before it has started.
pub(super) fn write<T>(slot: &Slot, database: &Database, write: impl FnOnce(&WriteTx) -> Result<T>) -> Result<T> {
    let transaction = database.begin_write().map_err(|e| slot.fault(e))?;
    let value = write(&WriteTx::new(&transaction, slot, slot.clock().now()))?;
    transaction.commit().map_err(|e| slot.fault(e))?;
    Ok(value)
}

fn version(store: u32) -> Version {
    Version { store, app: env!("CARGO_PKG_VERSION").to_owned() }
}
