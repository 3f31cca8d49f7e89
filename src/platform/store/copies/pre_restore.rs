//! What a restore replaces. At the moment of the exchange the store file gets a second name under a number, so that
//! nothing that was written until then is lost and no room is taken; right after it is checked, and listed as a snapshot
//! of its own kind. Killed in between, the next start lists it. What is not sound stays as it is, and nothing removes it.
//!
//! The number orders what was replaced, and counts on with the numbers of the snapshots: a wrong clock changes nothing.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use redb::Database;
use tracing::warn;

use super::super::file::direct::{Direct, SeparateFile};
use super::super::file::folder::{self, DataFolder};
use super::super::file::names::{self, DAMAGED, PreRestoreName};
use super::super::file::partial::Partial;
use super::super::file::source::{self, Broken, Mended, Torn};
use super::super::file::{fault, marker, versions};
use super::said;
use super::snapshot::{self, Snapshot, SnapshotKind, SnapshotState};
use hanok_base::{Clock, Error, Kind, Message, Result};

/// A state that a restore has replaced and that is not listed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PreRestore {
    path: PathBuf,
    number: u64,
    at: DateTime<Utc>,
    is_damaged: bool,
}

impl PreRestore {
    /// The name of its snapshot. Always the same for the same state: killed in the middle of listing it, the next start does
    /// it once more.
    fn listed_as(&self) -> String {
        names::name(self.at, SnapshotKind::Restore, Some(self.number))
    }
}

/// Gives the store file a second name, under which it stays when another takes its place. None when there is no store.
pub(in crate::store) fn keep(folder: &DataFolder, now: DateTime<Utc>, is_damaged: bool) -> Result<Option<PathBuf>> {
    keep_as(folder, &name(next_number(folder)?, now, is_damaged))
}

/// [`keep`] of what another hand has laid in the place of the state before, which is listed under this `number`: that one
/// stays what undoes. As one of those that are not sound, this is never listed, and nothing removes it.
pub(in crate::store) fn keep_beside(folder: &DataFolder, now: DateTime<Utc>, number: u64) -> Result<Option<PathBuf>> {
    keep_as(folder, &name(number, now, true))
}

fn keep_as(folder: &DataFolder, name: &str) -> Result<Option<PathBuf>> {
    let store = folder.store_file();
    if !store.exists() {
        return Ok(None);
    }
    let pre_restore = folder.root().join(name);
    // A folder, as one is made for a mount that is missing, has no second name, and is no state.
    if store.is_dir() {
        folder::rename_durably(&store, &pre_restore)?;
        return Ok(Some(pre_restore));
    }
    // A second name for the same bytes; where a file system has none, a copy.
    if fs::hard_link(&store, &pre_restore).is_err() {
        copy_to(&store, &partial_file(folder), &pre_restore)?;
    }
    Ok(Some(pre_restore))
}

/// Keeps what `file` holds, which was taken out of its place while it was open, as the state before. What another hand has
/// laid there gets a second name, too, as one of those that are not sound: it is none of ours.
pub(in crate::store) fn keep_unplaced(
    folder: &DataFolder,
    now: DateTime<Utc>,
    mut file: &File,
    is_damaged: bool,
) -> Result<PathBuf> {
    let cannot = |e| fault::io("keeping the state before", e);
    keep(folder, now, true)?;
    let pre_restore = folder.root().join(name(next_number(folder)?, now, is_damaged));
    let partial = Partial::at(partial_file(folder));
    let copy = OpenOptions::new().write(true).create_new(true).mode(0o600).open(partial.path());
    let copied = copy.and_then(|mut copy| {
        file.seek(SeekFrom::Start(0))?;
        io::copy(&mut file, &mut copy)?;
        copy.sync_all()
    });
    copied.map_err(cannot)?;
    folder::rename_durably(partial.path(), &pre_restore)?;
    Ok(pre_restore)
}

fn name(number: u64, at: DateTime<Utc>, is_damaged: bool) -> String {
    names::pre_restore(PreRestoreName { number, at, is_damaged })
}

/// Notes that what lies at `path` is what the house held when its file was taken away: until something else is put in the
/// place of the store, that is the newest there is.
pub(in crate::store) fn note_newest(folder: &DataFolder, path: &Path) -> Result<()> {
    parse(path.to_owned()).map_or(Ok(()), |pre_restore| marker::note_kept(folder, pre_restore.listed_as()))
}

/// The snapshot of what the house held when its file was taken away, where nothing was restored since.
pub(in crate::store) fn kept_of_the_house(folder: &DataFolder) -> Result<Option<Snapshot>> {
    let Some(name) = marker::beside(folder).and_then(|marker| marker.kept) else { return Ok(None) };
    let is_it = |one: &Snapshot| one.name == name && one.is_sound();
    Ok(snapshot::list(folder)?.into_iter().find(is_it))
}

/// What the house held when its file was taken away, as it was `kept`, to be asked for what does not go back with a restore:
/// from that moment on every write was refused, so that who was signed out by then is signed out in it. None where it is not
/// whole: its last write may have ended a session.
pub(in crate::store) fn held_last(folder: &DataFolder, kept: &Snapshot) -> Option<Database> {
    let held = source::check_as_it_lies(&snapshot::file(folder, &kept.name)).ok().flatten();
    held.filter(|_| !kept.last_write_left_out)
}

/// With the name of what the house has kept itself, and the command that leads back to it, before what `refusal` offers: it is
/// newer than that.
pub(in crate::store) fn naming_the_kept(folder: &DataFolder, refusal: Error) -> Error {
    let kept = if refusal.kind == Kind::Conflict { kept_of_the_house(folder) } else { Ok(None) };
    let Ok(Some(Snapshot { name, .. })) = kept else { return refusal };
    let newer = format!(
        "what the house held when its own file was taken away is kept as {name}: run `hanok restore {name}` to go on from \
         there; it is newer than whatever else leads back: {}",
        refusal.message
    );
    refusal.saying(Message::english(newer))
}

/// Makes a whole copy of `from` under the name `to`, whatever lies there.
fn copy_to(from: &Path, partial: &Path, to: &Path) -> Result<()> {
    let partial = Partial::at(partial.to_owned());
    fs::copy(from, partial.path()).map_err(|e| fault::io("keeping the state before", e))?;
    snapshot::sync(partial.path())?;
    folder::rename_durably(partial.path(), to)
}

/// Lists what restores have replaced, the oldest first. Gives the newest that was listed. What cannot be listed now is
/// tried again; what is not sound gets a name that says so.
pub(in crate::store) fn list(folder: &DataFolder, clock: &Clock) -> Option<Snapshot> {
    list_each(folder, clock).0
}

/// [`list`], which gives why the newest of those is not listed that could be, too.
fn list_each(folder: &DataFolder, clock: &Clock) -> (Option<Snapshot>, Option<Error>) {
    let (mut newest, mut unlisted) = (None, None);
    for pre_restore in replaced(folder).unwrap_or_default().into_iter().filter(|pre_restore| !pre_restore.is_damaged) {
        match list_one(folder, &pre_restore, clock) {
            Ok(listed) => newest = Some(listed),
            Err(error) => {
                warn!(%error, kept = %pre_restore.path.display(), "the state before a restore is kept and not listed");
                unlisted = Some(error);
            }
        }
    }
    (newest, unlisted)
}

/// The name of the snapshot that undoes the last restore: of what was there before it. What is not listed yet is listed
/// first, so nobody may restore or make a snapshot meanwhile.
///
/// # Errors
/// `CONFLICT` when there was no restore, or the state before it is not sound or cannot be listed: then it names the file
/// that keeps it.
pub(in crate::store) fn newest(folder: &DataFolder, clock: &Clock) -> Result<String> {
    let (_, unlisted) = list_each(folder, clock);
    newest_listed(folder, unlisted)
}

/// The same of what is listed already; `unlisted` is why the newest that could be listed is not.
///
/// # Errors
/// Those of [`newest`].
pub(in crate::store) fn newest_listed(folder: &DataFolder, unlisted: Option<Error>) -> Result<String> {
    let listed = snapshot::list(folder)?.into_iter().find(|snapshot| snapshot.kind == SnapshotKind::Restore);
    let number = listed.as_ref().map_or(0, |listed| listed.number);
    let Some(kept) = replaced(folder)?.into_iter().rfind(|pre_restore| pre_restore.number > number) else {
        return listed.map(|listed| listed.name).ok_or_else(|| Error::conflict(said::NO_RESTORE));
    };
    let path = kept.path.display().to_string();
    if kept.is_damaged {
        return Err(Error::conflict(said::ASIDE_IS_DAMAGED.with([("path", path.into())])));
    }
    let why = unlisted.unwrap_or_else(|| Error::internal("nobody has tried"));
    Err(Error::conflict(said::ASIDE_IS_NOT_LISTED.with([("path", path.into())])).because(why))
}

/// Removes what a restore has left that was killed before the exchange: the second name of the state that is still in
/// place, and half a copy of it.
pub(in crate::store) fn sweep(folder: &DataFolder) -> Result<()> {
    let _ = fs::remove_file(partial_file(folder));
    let in_place = marker::identity(&folder.store_file()).ok();
    for pre_restore in all(folder)? {
        if marker::identity(&pre_restore.path).ok() == in_place {
            fs::remove_file(&pre_restore.path)
                .map_err(|e| fault::io("removing what an interrupted restore left", e))?;
        }
    }
    Ok(())
}

/// Whole: every page of it is checked. A last write that was cut off when a machine stopped is left out, as a start would,
/// and the description says so.
fn list_one(folder: &DataFolder, pre_restore: &PreRestore, clock: &Clock) -> Result<Snapshot> {
    let path = &pre_restore.path;
    // A copy of the folder that was made of links has the same bytes, which are not ours to write.
    let is_shared = fs::symlink_metadata(path).is_ok_and(|file| file.nlink() > 1);
    if is_shared {
        copy_to(path, &partial_file(folder), path)?;
    }
    let looked = source::open_checked(path, Torn::IsCutOff)
        .and_then(|(database, mended)| Ok((look_through(&database, clock)?, mended == Mended::CutOff)));
    let ((version, tables), last_write_left_out) = match looked {
        Ok(found) => found,
        Err(Broken::Io(error)) => return Err(error),
        Err(Broken::Damaged(cause)) => {
            let mut damaged = path.clone().into_os_string();
            damaged.push(DAMAGED);
            folder::rename_durably(path, Path::new(&damaged))?;
            return Err(Error::new(Kind::Internal, said::REPLACED_IS_DAMAGED).because(cause));
        }
    };
    snapshot::sync(path)?;
    let (sha256, bytes) = snapshot::sha256(path, |_| Ok(()))?;
    let newest = snapshot::list(folder)?.first().map_or(0, |newest| newest.number);
    let description = Snapshot {
        name: pre_restore.listed_as(),
        kind: SnapshotKind::Restore,
        state: SnapshotState::Verified,
        number: pre_restore.number.max(newest + 1),
        created_at: pre_restore.at,
        verified_at: clock.now(),
        read_at: None,
        bytes,
        rows: tables.values().sum(),
        tables,
        store_version: version,
        app_version: env!("CARGO_PKG_VERSION").to_owned(),
        sha256,
        pause_ms: 0,
        last_write_left_out,
    };
    fs::create_dir_all(folder.backups()).map_err(|e| fault::io("creating backups/", e))?;
    snapshot::read_only(path)?;
    let text = serde_json::to_vec_pretty(&description).map_err(Error::internal)?;
    folder::write_whole(&snapshot::description_file(folder, &description.name), &text)?;
    folder::rename_durably(path, &snapshot::file(folder, &description.name))?;
    Ok(description)
}

/// The store version and the rows of each table of a store file that lies by itself.
pub(super) fn look_through(database: &Database, clock: &Clock) -> Result<(u32, BTreeMap<String, u64>), Broken> {
    let found = fault::without_panic(|| {
        let version = versions::found(&Direct { database, storage: &SeparateFile, clock })?;
        Ok((version.map_or(1, |version| version.store), snapshot::count_tables(database)?))
    });
    found.map_err(|error| Broken::Damaged(error.to_string()))
}

/// Whether a sound state lies aside that is not listed.
pub(super) fn waits(folder: &DataFolder) -> Result<bool> {
    Ok(replaced(folder)?.iter().any(|pre_restore| !pre_restore.is_damaged))
}

fn next_number(folder: &DataFolder) -> Result<u64> {
    let listed = snapshot::list(folder)?.first().map_or(0, |newest| newest.number);
    Ok(1 + all(folder)?.last().map_or(0, |newest| newest.number).max(listed))
}

/// Where a file system without second names gets its copy.
fn partial_file(folder: &DataFolder) -> PathBuf {
    folder.root().join("hanok.redb.before-restore.partial")
}

/// What lies aside and is not just a second name of what is in place, the oldest first.
fn replaced(folder: &DataFolder) -> Result<Vec<PreRestore>> {
    let in_place = marker::identity(&folder.store_file()).ok();
    let all = all(folder)?.into_iter();
    Ok(all.filter(|pre_restore| in_place.is_none() || marker::identity(&pre_restore.path).ok() != in_place).collect())
}

/// Everything that lies aside, the oldest first.
fn all(folder: &DataFolder) -> Result<Vec<PreRestore>> {
    let entries = fs::read_dir(folder.root()).map_err(|e| fault::io("reading the data folder", e))?;
    let files = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut found: Vec<PreRestore> = files.filter_map(|entry| parse(entry.path())).collect();
    found.sort_by_key(|pre_restore| (pre_restore.number, pre_restore.at));
    Ok(found)
}

fn parse(path: PathBuf) -> Option<PreRestore> {
    let PreRestoreName { number, at, is_damaged } = names::parse_pre_restore(path.file_name()?.to_str()?)?;
    Some(PreRestore { path, number, at, is_damaged })
}
