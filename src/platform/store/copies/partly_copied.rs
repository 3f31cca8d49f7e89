//! What lies alone in a folder that was copied: a snapshot that came or went while the copy was made came over in part. A
//! file whose description is missing may be all that is left of a state: it is looked through and described anew. Only a
//! description whose file is missing is cleared away, for it holds nothing. Whoever only looks into the folder changes
//! none of it: `serve` and a restore put it in order and say so.

use std::collections::BTreeMap;
use std::fs;

use tracing::warn;

use super::super::file::fault;
use super::super::file::folder::{self, DataFolder};
use super::super::file::names::{self, SaidByName};
use super::super::file::partial::Partial;
use super::super::file::source::{self, Broken, Mended, Torn};
use super::snapshot::{self, Snapshot, SnapshotKind, SnapshotState};
use super::{pre_restore, retention};
use hanok_base::{Clock, Error, Result};

/// What was done with what lay alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::store) struct PutInOrder {
    /// Snapshots that were described anew.
    pub described: u64,
    /// Descriptions without a file that were cleared away.
    pub cleared: u64,
    /// Snapshots without a description of which nobody could find out whether they are sound: the folder is not in order.
    pub failed: u64,
}

impl PutInOrder {
    /// In one sentence; none when there was nothing to do.
    pub fn said(&self) -> Option<String> {
        let described = (self.described > 0).then(|| {
            let kept = "of which the copy of this folder had not brought the description";
            format!("looked through {} snapshots {kept}, and described them anew", self.described)
        });
        let cleared = (self.cleared > 0).then(|| {
            format!("cleared {} descriptions of which the copy of this folder had not brought the file", self.cleared)
        });
        let said: Vec<String> = described.into_iter().chain(cleared).collect();
        (!said.is_empty()).then(|| said.join("; "))
    }
}

/// Describes the snapshots anew that came over without their descriptions, and clears away the descriptions that came
/// over without their files, in a folder that was copied. Where nothing sound came over, those stay: they say what is lost.
pub(in crate::store) fn put_in_order(folder: &DataFolder, clock: &Clock) -> Result<PutInOrder> {
    let put = describe(folder, clock)?;
    let lost = if snapshot::newest(folder)?.is_some() { snapshot::lost(folder)? } else { Vec::new() };
    lost.iter().for_each(|name| retention::clear(folder, name));
    Ok(PutInOrder { cleared: lost.len() as u64, ..put })
}

/// Describes anew what is sound of the snapshots without descriptions. The others stay as they are: a damaged one as a
/// finding, and one that could not be read or described now is tried again.
pub(in crate::store) fn describe(folder: &DataFolder, clock: &Clock) -> Result<PutInOrder> {
    let mut put = PutInOrder::default();
    for name in snapshot::undescribed(folder)? {
        match describe_one(folder, &name, clock) {
            Ok(()) => put.described += 1,
            Err(Broken::Damaged(cause)) => {
                warn!(cause, name, "this snapshot has no description and is damaged: it is not described anew");
            }
            Err(Broken::Io(error)) => {
                warn!(%error, name, "this snapshot has no description and cannot be described now; it is tried again");
                put.failed += 1;
            }
        }
    }
    Ok(put)
}

/// What a snapshot without a description says of itself.
struct Found {
    looked: (u32, BTreeMap<String, u64>),
    last_write_left_out: bool,
}

fn describe_one(folder: &DataFolder, name: &str, clock: &Clock) -> Result<(), Broken> {
    let known = names::said(name).ok_or_else(|| Broken::Damaged("no snapshot has this name".to_owned()))?;
    let path = snapshot::file(folder, name);
    // What a restore has replaced was the store itself, which may have been cut off.
    let torn = if known.kind == SnapshotKind::Restore { Torn::IsCutOff } else { Torn::IsDamage };
    let found = match source::check_as_it_lies(&path)? {
        Some(database) => Found { looked: pre_restore::look_through(&database, clock)?, last_write_left_out: false },
        None => mend(folder, name, torn, clock)?,
    };
    put_description(folder, name, &known, found, clock).map_err(Broken::Io)
}

/// Puts a mended copy in the place of a snapshot that was not closed. The file itself is not written: a copy that was
/// made of links knows it by another name, too.
fn mend(folder: &DataFolder, name: &str, torn: Torn, clock: &Clock) -> Result<Found, Broken> {
    let (path, copy) = (snapshot::file(folder, name), Partial::at(snapshot::partial_file(folder, name)));
    fs::copy(&path, copy.path()).map_err(|error| Broken::Io(fault::io("copying a snapshot to mend it", error)))?;
    snapshot::writable(copy.path()).map_err(Broken::Io)?;
    let found = source::open_checked(copy.path(), torn).and_then(|(database, mended)| {
        Ok(Found {
            looked: pre_restore::look_through(&database, clock)?,
            last_write_left_out: mended == Mended::CutOff,
        })
    })?;
    let put = || {
        snapshot::sync(copy.path())?;
        snapshot::read_only(copy.path())?;
        folder::rename_durably(copy.path(), &path)
    };
    put().map_err(Broken::Io).map(|()| found)
}

/// Writes the description of a snapshot that is sound, of which its file has said the store version and its rows.
fn put_description(folder: &DataFolder, name: &str, known: &SaidByName, found: Found, clock: &Clock) -> Result<()> {
    let Found { looked: (store_version, tables), last_write_left_out } = found;
    let path = snapshot::file(folder, name);
    snapshot::sync(&path)?;
    let (sha256, bytes) = snapshot::sha256(&path, |_| Ok(()))?;
    let older = snapshot::list(folder)?.into_iter().filter(|other| other.created_at <= known.at);
    let described = Snapshot {
        name: name.to_owned(),
        kind: known.kind,
        state: SnapshotState::Verified,
        // As the one before it where its name does not say: among equals the later one is the newer.
        number: older.map(|other| other.number).chain(known.number).max().unwrap_or_default(),
        created_at: known.at,
        verified_at: clock.now(),
        read_at: None,
        bytes,
        rows: tables.values().sum(),
        tables,
        store_version,
        app_version: env!("CARGO_PKG_VERSION").to_owned(),
        sha256,
        pause_ms: 0,
        last_write_left_out,
    };
    let text = serde_json::to_vec_pretty(&described).map_err(Error::internal)?;
    folder::write_whole(&snapshot::description_file(folder, name), &text)
}
