//! Snapshots: plain files in `backups/` that were opened, checked and counted before they count
//! ([`making`](super::making)). Only a file that is described is one.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use redb::{Database, ReadableDatabase, ReadableTableMetadata, TableHandle};
use sha2::{Digest, Sha256};
use tracing::warn;

pub use super::super::file::described::{Snapshot, SnapshotState, file, list};
use super::super::file::described::{described, has_sound, is_own};
pub(in crate::store) use super::super::file::described::{description_file, sound};
use super::super::file::folder::{self, DataFolder};
pub use super::super::file::names::SnapshotKind;
use super::super::file::names::{self, names};
use super::super::file::source::{self, Broken, Torn};
use super::super::file::{disk, fault};
use super::said;
use hanok_base::secret::hex;
use hanok_base::{Error, Kind, Message, Result};

/// Removes what a killed snapshot or its killed removal has left. Either has a `.partial` of its name meanwhile: a
/// description that lies alone without one has lost its file, and stays as a finding.
pub(in crate::store) fn sweep(folder: &DataFolder) -> Result<()> {
    let _ = fs::remove_file(making_file(folder));
    for name in names(&folder.backups(), "partial")? {
        if !is_taken(&file(folder, &name)) {
            let _ = fs::remove_file(description_file(folder, &name));
        }
        let _ = fs::remove_file(partial_file(folder, &name));
    }
    // What a description is written to before it gets its name.
    for name in names(&folder.backups(), "json.partial")? {
        let _ = fs::remove_file(description_file(folder, &name).with_extension("json.partial"));
    }
    Ok(())
}

/// Removes a snapshot.
pub(in crate::store) fn remove(folder: &DataFolder, name: &str) {
    let partial = partial_file(folder, name);
    let _ = fs::rename(file(folder, name), &partial);
    let _ = fs::remove_file(description_file(folder, name));
    let _ = fs::remove_file(partial);
}

/// What of snapshots lies in `backups/` and is no whole one, one sentence each: a description whose file is gone, one that
/// cannot be read, and a file that nothing describes. What is being made or taken away meanwhile is none of these, and
/// neither is what somebody else has put there.
///
/// # Errors
/// `INTERNAL` when `backups/` cannot be read.
pub fn incomplete(folder: &DataFolder) -> Result<Vec<Message>> {
    let lost = lost(folder)?.into_iter().map(|name| said::LOST.with([("name", name.into())]));
    let undescribed = undescribed(folder)?.into_iter().map(|name| said::UNDESCRIBED.with([("name", name.into())]));
    let mut found: Vec<Message> = lost.chain(undescribed).collect();
    for name in names(&folder.backups(), "json")? {
        let description = description_file(folder, &name);
        if is_own(&file(folder, &name)) && described(&description).is_none() && is_own(&description) {
            found.push(said::DESCRIPTION_UNREADABLE.with([("name", name.into())]));
        }
    }
    for extension in ["redb", "json"] {
        let linked = names::taken_by_no_file(&folder.backups(), extension)?.into_iter();
        found.extend(linked.map(|name| said::NO_FILE.with([("name", name.into()), ("extension", extension.into())])));
    }
    found.sort_by(|a, b| a.text().cmp(b.text()));
    Ok(found)
}

/// The names of the descriptions and of the files that lie alone.
pub(in crate::store) fn lone(folder: &DataFolder) -> Result<Vec<String>> {
    Ok(lost(folder)?.into_iter().chain(undescribed(folder)?).collect())
}

/// The names of the descriptions whose files are gone.
pub(super) fn lost(folder: &DataFolder) -> Result<Vec<String>> {
    let is_lost = |name: &String| {
        let (file, partial) = (file(folder, name), partial_file(folder, name));
        // Looked for twice: between the first look and the second it may have got its name.
        !is_taken(&file) && !is_taken(&partial) && !is_taken(&file) && is_own(&description_file(folder, name))
    };
    Ok(names(&folder.backups(), "json")?.into_iter().filter(is_lost).collect())
}

/// The names of the files that nothing describes.
pub(super) fn undescribed(folder: &DataFolder) -> Result<Vec<String>> {
    let is_alone = |name: &String| !is_taken(&description_file(folder, name)) && is_own(&file(folder, name));
    Ok(names(&folder.backups(), "redb")?.into_iter().filter(is_alone).collect())
}

/// The snapshot of this name.
pub fn find(folder: &DataFolder, name: &str) -> Result<Snapshot> {
    list(folder)?.into_iter().find(|snapshot| snapshot.name == name).ok_or_else(|| Error::not_found("snapshot"))
}

/// Whether anything lies at `path`, wherever it leads.
fn is_taken(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Where the file of a snapshot lies until it is described, and once it is to go.
pub(in crate::store) fn partial_file(folder: &DataFolder, name: &str) -> PathBuf {
    folder.backups().join(format!("{name}.partial"))
}

/// Where a copy is made before it has a name.
pub(in crate::store) fn making_file(folder: &DataFolder) -> PathBuf {
    folder.backups().join("making.partial")
}

/// The snapshot to return to when nothing else is said: the newest sound one that no restore made, else one that a
/// restore made.
///
/// # Errors
/// `INTERNAL` when `backups/` cannot be read.
pub fn newest(folder: &DataFolder) -> Result<Option<Snapshot>> {
    Ok(newest_of(&list(folder)?).cloned())
}

/// The same among `snapshots`, which are listed newest first.
pub fn newest_of(snapshots: &[Snapshot]) -> Option<&Snapshot> {
    let mut sound = snapshots.iter().filter(|snapshot| snapshot.is_sound());
    sound.clone().find(|snapshot| snapshot.kind != SnapshotKind::Restore).or_else(|| sound.next())
}

/// Whether a restore that is told no name may lead on where no house has the folder: by a sound one, or by one that it
/// describes or lists first, such as what a restore has replaced.
pub fn may_lead_back(folder: &DataFolder) -> bool {
    has_sound(folder)
        || names::has_pre_restore(folder.root())
        || undescribed(folder).is_ok_and(|names| !names.is_empty())
}

/// As of when no damage is known in those of `snapshots` that are sound: when the one was read that was read longest ago.
pub fn sound_as_of(snapshots: &[Snapshot]) -> Option<DateTime<Utc>> {
    snapshots.iter().filter(|snapshot| snapshot.is_sound()).map(Snapshot::known_at).min()
}

/// Whether one was found damaged since the sound ones were read last: what has happened to it may have happened to them.
///
/// # Errors
/// `INTERNAL` when `backups/` cannot be read.
pub fn are_in_doubt(folder: &DataFolder) -> Result<bool> {
    let snapshots = list(folder)?;
    let damaged = snapshots.iter().filter(|snapshot| !snapshot.is_sound()).map(Snapshot::known_at).max();
    Ok(damaged.zip(sound_as_of(&snapshots)).is_some_and(|(found, read)| read < found))
}

/// The name of the newest snapshot that store version `version` can open.
pub(in crate::store) fn newest_usable(folder: &DataFolder, version: u32) -> Option<String> {
    sound(folder).ok()?.into_iter().find(|snapshot| snapshot.store_version <= version).map(|snapshot| snapshot.name)
}

/// The name of the newest snapshot from before a migration that store version `version` can open.
pub(in crate::store) fn newest_before_a_migration(folder: &DataFolder, version: u32) -> Option<String> {
    let is_usable = |found: &Snapshot| found.kind == SnapshotKind::Migration && found.store_version <= version;
    sound(folder).ok()?.into_iter().find(is_usable).map(|snapshot| snapshot.name)
}

/// Compares a finished snapshot with its description, its length before its bytes, and notes there what was found by a
/// check that began at `now`.
///
/// # Errors
/// `INTERNAL` naming the snapshot when a byte has changed or cannot be read; those of `progress`, which hears how many
/// bytes were read.
pub fn verify(
    folder: &DataFolder,
    snapshot: &Snapshot,
    now: DateTime<Utc>,
    progress: impl FnMut(u64) -> Result<()>,
) -> Result<()> {
    let compared = compare(folder, snapshot, progress);
    match &compared {
        Ok(()) => note(folder, &snapshot.name, SnapshotState::Verified, now),
        Err(error) if error.kind == Kind::Internal => note(folder, &snapshot.name, SnapshotState::Damaged, now),
        Err(_) => {}
    }
    compared
}

fn compare(folder: &DataFolder, snapshot: &Snapshot, progress: impl FnMut(u64) -> Result<()>) -> Result<()> {
    let name = format!("snapshot {}", snapshot.name);
    let opened =
        source::open_unwaiting(&file(folder, &snapshot.name)).map_err(|error| match fault::is_of_the_disk(&error) {
            true => fault::io(&name, error),
            false => Error::new(Kind::Internal, said::UNREADABLE.with([("name", snapshot.name.as_str().into())]))
                .because(error),
        })?;
    let length = opened.metadata().map_err(|error| fault::io(&name, error))?.len();
    if length != snapshot.bytes {
        let values =
            [("name", snapshot.name.as_str().into()), ("length", length.into()), ("before", snapshot.bytes.into())];
        return Err(Error::new(Kind::Internal, said::OF_ANOTHER_LENGTH.with(values)));
    }
    if digest(opened, &name, progress)?.0 == snapshot.sha256 {
        return Ok(());
    }
    Err(Error::new(Kind::Internal, said::CHANGED.with([("name", snapshot.name.as_str().into())])))
}

/// Writes into the description of a snapshot what a check that began at `now` has found. Where it cannot be written, the
/// next check finds it again.
pub(in crate::store) fn note(folder: &DataFolder, name: &str, state: SnapshotState, now: DateTime<Utc>) {
    let path = description_file(folder, name);
    let Some(known) = described(&path).filter(|_| is_own(&file(folder, name))) else { return };
    // What is damaged is found once.
    let is_known = state == SnapshotState::Damaged && known.state == state;
    let read_at = known.read_at.filter(|_| is_known).or(Some(now));
    let text = serde_json::to_vec_pretty(&Snapshot { state, read_at, ..known }).map_err(Error::internal);
    if let Err(error) = text.and_then(|text| folder::write_whole(&path, &text)) {
        warn!(%error, name, ?state, "what was found of a snapshot could not be written down");
    }
}

/// Opens a store file of its own, checks every checksum and counts its tables.
pub(in crate::store) fn inspect(path: &Path) -> Result<BTreeMap<String, u64>> {
    let opened = source::open_checked(path, Torn::IsDamage);
    let (database, _) = opened.map_err(|broken| match broken {
        Broken::Io(error) => error,
        Broken::Damaged(cause) => Error::internal(format!("{}: {cause}", path.display())),
    })?;
    fault::without_panic(|| count_tables(&database))
}

pub(in crate::store) fn count_tables(database: &Database) -> Result<BTreeMap<String, u64>> {
    let failed = |error: redb::Error| fault::redb("the store or a copy of it", error);
    let transaction = database.begin_read().map_err(|error| failed(error.into()))?;
    let mut counts = BTreeMap::new();
    for table in transaction.list_tables().map_err(|error| failed(error.into()))? {
        let name = table.name().to_owned();
        let rows = transaction.open_untyped_table(table).and_then(|open| Ok(open.len()?));
        let rows = rows.map_err(|error| failed(error.into()))?;
        counts.insert(name, rows);
    }
    Ok(counts)
}

/// SHA-256 and length of a file. `progress` hears how many bytes have been read; its error ends the reading.
pub(in crate::store) fn sha256(path: &Path, progress: impl FnMut(u64) -> Result<()>) -> Result<(String, u64)> {
    let file = File::open(path).map_err(|error| fault::io(path.display(), error))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    digest(file, &name, progress)
}

/// [`sha256`] of an open file that people know as `name`.
pub(in crate::store) fn digest(
    mut file: impl Read,
    name: &str,
    mut progress: impl FnMut(u64) -> Result<()>,
) -> Result<(String, u64)> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0u8; 1 << 20];
    let mut total = 0;
    loop {
        let read = file.read(&mut buffer).map_err(|error| fault::io(name, disk::unread(total, error)))?;
        if read == 0 {
            return Ok((hex(&digest.finalize()), total));
        }
        digest.update(&buffer[..read]);
        total += read as u64;
        progress(total)?;
    }
}

pub(in crate::store) fn sync(path: &Path) -> Result<()> {
    File::open(path).and_then(|file| file.sync_all()).map_err(|e| fault::io(path.display(), e))
}

pub(in crate::store) fn read_only(path: &Path) -> Result<()> {
    set_mode(path, 0o400)
}

pub(in crate::store) fn writable(path: &Path) -> Result<()> {
    set_mode(path, 0o600)
}

fn set_mode(path: &Path, mode: u32) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|e| fault::io(path.display(), e))
}

#[cfg(test)]
mod tests;
