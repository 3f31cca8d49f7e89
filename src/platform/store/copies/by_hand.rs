//! What people decide about single snapshots: which one undoes the last restore, and that a damaged one goes.

use chrono::{DateTime, Utc};

use super::super::file::folder::DataFolder;
use super::pre_restore;
use super::said;
use super::snapshot::{self, Snapshot};
use hanok_base::{Error, Kind, Result};

/// The name of the snapshot that undoes the last restore. None when there was no restore, and when the state before it is
/// not sound or not listed yet: an earlier one would undo another restore.
///
/// # Errors
/// `INTERNAL` when the folder cannot be read.
pub fn undoes_the_last_restore(folder: &DataFolder) -> Result<Option<String>> {
    let name = match pre_restore::newest_listed(folder, None) {
        Err(error) if error.kind == Kind::Conflict => return Ok(None),
        found => found?,
    };
    Ok(snapshot::find(folder, &name).ok().filter(Snapshot::is_sound).map(|found| found.name))
}

/// Removes a damaged snapshot, so that it is no finding any more. It is read once more before: what could not be read for
/// a while may be whole. `progress` hears how many bytes were read; its error ends the reading.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` when it is sound; `INTERNAL` when its files cannot be removed.
pub fn remove_damaged(
    folder: &DataFolder,
    name: &str,
    now: DateTime<Utc>,
    progress: impl FnMut(u64) -> Result<()>,
) -> Result<()> {
    let found = snapshot::find(folder, name)?;
    let checked = if found.is_sound() { Ok(()) } else { snapshot::verify(folder, &found, now, progress) };
    match checked {
        Ok(()) => {
            return Err(Error::conflict(said::SOUND.with([("name", name.into())])));
        }
        Err(error) if error.kind == Kind::Internal => {}
        Err(error) => return Err(error),
    }
    snapshot::remove(folder, name);
    if snapshot::find(folder, name).is_ok() {
        return Err(Error::new(Kind::Internal, said::NOT_REMOVED.with([("name", name.into())])));
    }
    Ok(())
}
