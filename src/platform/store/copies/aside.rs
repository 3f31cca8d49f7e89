//! What a restore replaces. At the moment of the exchange the store file gets a second name under a number, so that
//! nothing that was written until then is lost and no room is taken; right after it is checked, and listed as a snapshot
//! of its own kind. Killed in between, the next start lists it. What is not sound stays as it is, and nothing removes it.
//!
//! The number orders what was replaced, and counts on with the numbers of the snapshots: a wrong clock changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, Utc};
use tracing::warn;

use super::super::file::direct::{Direct, SeparateFile};
use super::super::file::folder::{self, DataFolder};
use super::super::file::source::{self, Broken, Torn};
use super::super::file::{fault, marker, versions};
use super::names;
use super::snapshot::{self, Snapshot, SnapshotKind, SnapshotState};
use hanok_base::{Clock, Error, Kind, Result};

/// How the names of what was replaced begin.
const BEFORE_RESTORE: &str = "hanok.redb.before-restore-";
/// How the names of those end that are not sound.
const DAMAGED: &str = "-damaged";
/// How the instant stands in a name.
const INSTANT: &str = "%Y%m%dT%H%M%SZ";

/// A state that a restore has replaced and that is not listed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Aside {
    path: PathBuf,
    number: u64,
    at: DateTime<Utc>,
    is_damaged: bool,
}

/// Gives the store file a second name, under which it stays when another takes its place. None when there is no store.
pub(in crate::store) fn keep(folder: &DataFolder, now: DateTime<Utc>, is_damaged: bool) -> Result<Option<PathBuf>> {
    let store = folder.store_file();
    if !store.exists() {
        return Ok(None);
    }
    let damaged = if is_damaged { DAMAGED } else { "" };
    let name = format!("{BEFORE_RESTORE}{}-{}{damaged}", next_number(folder)?, now.format(INSTANT));
    let aside = folder.root().join(name);
    // A second name for the same bytes; where a file system has none, a copy.
    if fs::hard_link(&store, &aside).is_err() {
        let partial = partial_file(folder);
        fs::copy(&store, &partial).map_err(|e| fault::io("keeping the state before", e))?;
        folder::rename_durably(&partial, &aside)?;
    }
    Ok(Some(aside))
}

/// Lists what restores have replaced, the oldest first. Gives the newest that was listed. What cannot be listed now is
/// tried again; what is not sound gets a name that says so.
pub(in crate::store) fn list(folder: &DataFolder, clock: &Clock) -> Option<Snapshot> {
    let mut newest = None;
    let in_place = marker::identity(&folder.store_file()).ok();
    let is_replaced = |aside: &Aside| !aside.is_damaged && marker::identity(&aside.path).ok() != in_place;
    for aside in all(folder).unwrap_or_default().into_iter().filter(is_replaced) {
        match list_one(folder, &aside, clock) {
            Ok(listed) => newest = Some(listed),
            Err(error) => {
                warn!(%error, kept = %aside.path.display(), "the state before a restore is kept and not listed");
            }
        }
    }
    newest
}

/// The name of the snapshot that undoes the last restore: of what was there before it.
///
/// # Errors
/// `CONFLICT` when there was no restore, or the state before it is not sound: then it names the file that keeps it.
pub(in crate::store) fn newest(folder: &DataFolder) -> Result<String> {
    let listed = snapshot::list(folder)?.into_iter().find(|snapshot| snapshot.kind == SnapshotKind::Restore);
    let number = listed.as_ref().map_or(0, |listed| listed.number);
    if let Some(unsound) = all(folder)?.into_iter().rfind(|aside| aside.number > number) {
        return Err(Error::conflict(format!(
            "the state before the last restore is damaged and cannot be put back; its file is kept as {}",
            unsound.path.display()
        )));
    }
    listed.map(|listed| listed.name).ok_or_else(|| Error::conflict("there is no restore to undo"))
}

/// Removes what a restore has left that was killed before the exchange: the second name of the state that is still in
/// place, and half a copy of it.
pub(in crate::store) fn sweep(folder: &DataFolder) -> Result<()> {
    let _ = fs::remove_file(partial_file(folder));
    let in_place = marker::identity(&folder.store_file()).ok();
    for aside in all(folder)? {
        if marker::identity(&aside.path).ok() == in_place {
            fs::remove_file(&aside.path).map_err(|e| fault::io("removing what an interrupted restore left", e))?;
        }
    }
    Ok(())
}

/// Whole: every page of it is checked. A last write that was cut off when a machine stopped is left out, as a start would.
fn list_one(folder: &DataFolder, aside: &Aside, clock: &Clock) -> Result<Snapshot> {
    let path = &aside.path;
    let (version, tables) = match look_through(path, clock) {
        Ok(found) => found,
        Err(Broken::Io(error)) => return Err(error),
        Err(Broken::Damaged(cause)) => {
            let mut damaged = path.clone().into_os_string();
            damaged.push(DAMAGED);
            folder::rename_durably(path, Path::new(&damaged))?;
            return Err(Error::new(Kind::Internal, "the state before a restore is damaged").because(cause));
        }
    };
    snapshot::sync(path)?;
    let (sha256, bytes) = snapshot::sha256(path, |_| Ok(()))?;
    let newest = snapshot::list(folder)?.first().map_or(0, |newest| newest.number);
    let description = Snapshot {
        // Always the same name for the same state: killed in the middle of this, the next start does it once more.
        name: names::name(aside.at, SnapshotKind::Restore, Some(aside.number)),
        kind: SnapshotKind::Restore,
        state: SnapshotState::Verified,
        number: aside.number.max(newest + 1),
        created_at: aside.at,
        verified_at: clock.now(),
        bytes,
        rows: tables.values().sum(),
        tables,
        store_version: version,
        app_version: env!("CARGO_PKG_VERSION").to_owned(),
        sha256,
        pause_ms: 0,
    };
    fs::create_dir_all(folder.backups()).map_err(|e| fault::io("creating backups/", e))?;
    snapshot::read_only(path)?;
    let text = serde_json::to_vec_pretty(&description).map_err(Error::internal)?;
    folder::write_whole(&snapshot::description_file(folder, &description.name), &text)?;
    folder::rename_durably(path, &snapshot::file(folder, &description.name))?;
    Ok(description)
}

/// The store version and the rows of each table of a file that is opened as a start would open it.
fn look_through(path: &Path, clock: &Clock) -> Result<(u32, BTreeMap<String, u64>), Broken> {
    let database = source::open_checked(path, Torn::IsCutOff)?;
    let found = fault::without_panic(|| {
        let version = versions::found(&Direct { database: &database, storage: &SeparateFile, clock })?;
        Ok((version.map_or(1, |version| version.store), snapshot::count_tables(&database)?))
    });
    found.map_err(|error| Broken::Damaged(error.to_string()))
}

fn next_number(folder: &DataFolder) -> Result<u64> {
    let listed = snapshot::list(folder)?.first().map_or(0, |newest| newest.number);
    Ok(1 + all(folder)?.last().map_or(0, |newest| newest.number).max(listed))
}

/// Where a file system without second names gets its copy.
fn partial_file(folder: &DataFolder) -> PathBuf {
    folder.root().join("hanok.redb.before-restore.partial")
}

/// Everything that lies aside, the oldest first.
fn all(folder: &DataFolder) -> Result<Vec<Aside>> {
    let entries = fs::read_dir(folder.root()).map_err(|e| fault::io("reading the data folder", e))?;
    let mut found: Vec<Aside> = entries.flatten().filter_map(|entry| parse(entry.path())).collect();
    found.sort_by_key(|aside| (aside.number, aside.at));
    Ok(found)
}

/// Earlier versions gave no numbers, and the instant with its milliseconds: theirs are the oldest.
fn parse(path: PathBuf) -> Option<Aside> {
    let name = path.file_name()?.to_str()?.strip_prefix(BEFORE_RESTORE)?;
    let (name, is_damaged) = name.strip_suffix(DAMAGED).map_or((name, false), |name| (name, true));
    let (number, at) = match name.split_once('-') {
        Some((number, at)) => (number.parse().ok().filter(|number| *number < u64::MAX / 2)?, at),
        None => (0, name),
    };
    let at = [INSTANT, "%Y%m%dT%H%M%S%3fZ"].iter().find_map(|form| NaiveDateTime::parse_from_str(at, form).ok())?;
    Some(Aside { path, number, at: at.and_utc(), is_damaged })
}
