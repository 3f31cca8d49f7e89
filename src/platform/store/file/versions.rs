//! Migrations: from a store of an earlier version to this one, rehearsed on a copy before they touch the real file.
//!
//! Each runs in its own transaction together with the new version number, and finds out by itself whether
//! it is needed. Before the first one a snapshot is made and verified.

use serde::{Deserialize, Serialize};
use tracing::info;

use super::super::rows::{Migration, Reads, Schema, Table};
use super::direct::Direct;
use hanok_base::{Error, Kind, Result};

/// Which version wrote the store. Table: `meta-1`; key: `version`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Version of the store's tables.
    pub store: u32,
    /// Version of the program that wrote it last.
    pub app: String,
}

pub(in crate::store) const META: Table<&'static str, Version> = Table::new("meta-1");

/// The version found in a store; none in one that was just created.
pub(in crate::store) fn found(store: &Direct<'_>) -> Result<Option<Version>> {
    store.read(|tx| tx.get(&META, "version"))
}

/// Refuses a store that a newer version wrote.
pub(in crate::store) fn refuse_newer(found: &Version, schema: &Schema, newest_usable: Option<&str>) -> Result<()> {
    let ours = schema.version();
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

/// Runs `steps`, each in its own durable transaction.
pub(in crate::store) fn run<'m>(store: &Direct<'_>, steps: impl Iterator<Item = &'m Migration>) -> Result<()> {
    for step in steps {
        let needed = store.read(step.needed)?;
        store.write(|tx| {
            if needed {
                (step.apply)(tx)?;
            }
            tx.put(&META, "version", &version(step.to))
        })?;
        info!(to = step.to, name = step.name, needed, "migrated the store");
    }
    Ok(())
}

/// Does all that a start does with a store, where that needs neither a snapshot nor a rehearsal.
pub(in crate::store) fn bring_up_to_date(store: &Direct<'_>, schema: &Schema) -> Result<Vec<String>> {
    if let Some(found) = found(store)? {
        run(store, schema.steps_from(found.store))?;
    }
    stamp(store, schema)
}

/// Writes down that this program and version wrote the store, and puts in what ships with this version, when it has
/// not done so yet. Gives a sentence for each thing that was put in.
pub(in crate::store) fn stamp(store: &Direct<'_>, schema: &Schema) -> Result<Vec<String>> {
    let ours = version(schema.version());
    if found(store)?.as_ref() == Some(&ours) {
        return Ok(Vec::new());
    }
    store.write(|tx| {
        let put_in: Result<Vec<_>> = schema.shipped().iter().map(|shipped| (shipped.put_in)(tx)).collect();
        tx.put(&META, "version", &ours)?;
        Ok(put_in?.into_iter().flatten().collect())
    })
}

fn version(store: u32) -> Version {
    Version { store, app: env!("CARGO_PKG_VERSION").to_owned() }
}
