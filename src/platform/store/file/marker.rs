//! The clean-shutdown marker: how a store file that was copied while it was being written is told from one that was not.
//!
//! While the store is open, the marker says so and names the very file by its inode and its time of birth.
//! After a crash the same file is found and redb repairs it. A copy is another file: when its marker says
//! "open", it was copied under a running appliance and may be torn, so it is refused before it is opened.
//! The marker is kept twice: beside the file (`run/seal.json`) and inside the store, for a file copied alone.
//!
//! The one beside the file also says when damage was found in it. Without that, the next start would take a last commit
//! that no longer verifies for one that a crash cut off, and leave out what was acknowledged.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use redb::{Database, ReadableDatabase};
use serde::{Deserialize, Serialize};

use super::super::rows::{Reads, Table};
use super::direct::Direct;
use super::fault;
use super::folder::{self, DataFolder, STORE_FILE};
use hanok_base::{Error, Kind, Result};

/// Whether the store is open, and in which file. Table: `seal-1`; key: `seal`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShutdownMarker {
    /// Whether a process has the file open for writing.
    pub open: bool,
    /// The file that this marker speaks of.
    pub file: FileIdentity,
    /// Whether the process that had it open found it damaged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub damaged: bool,
}

pub(in crate::store) const MARKER: Table<&'static str, ShutdownMarker> = Table::new("seal-1");
/// The one key of [`MARKER`].
pub(in crate::store) const MARKER_KEY: &str = "seal";

/// What makes a file the same file: it changes with every copy, and never with a crash or a reboot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileIdentity {
    /// Inode number.
    pub inode: u64,
    /// Time of birth in nanoseconds since 1970, where the file system knows it.
    pub born_ns: Option<u64>,
}

/// The identity of the file at `path`.
pub fn identity(path: &Path) -> Result<FileIdentity> {
    let metadata = fs::metadata(path).map_err(|e| fault::io(path.display(), e))?;
    let born = metadata.created().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    Ok(FileIdentity { inode: metadata.ino(), born_ns: born.and_then(|age| u64::try_from(age.as_nanos()).ok()) })
}

/// Refuses `marker` when it says that another file than this one was open.
pub fn check(marker: &ShutdownMarker, file: &FileIdentity) -> Result<()> {
    if marker.open && marker.file != *file {
        return Err(copied_hot());
    }
    Ok(())
}

/// Where the marker lies beside the store file.
fn path_beside(folder: &DataFolder) -> PathBuf {
    folder.run().join("seal.json")
}

/// The marker beside the store file, if there is one.
pub(in crate::store) fn beside(folder: &DataFolder) -> Option<ShutdownMarker> {
    let text = fs::read(path_beside(folder)).ok()?;
    serde_json::from_slice(&text).ok()
}

/// The marker inside an open store.
pub(in crate::store) fn inside(database: &Database) -> Result<Option<ShutdownMarker>> {
    let transaction = database.begin_read().map_err(|error| fault::redb(STORE_FILE, error))?;
    let table = match transaction.open_table(MARKER.definition()) {
        Ok(table) => table,
        Err(redb::TableError::TableDoesNotExist(_)) => return Ok(None),
        Err(error) => return Err(fault::redb(STORE_FILE, error)),
    };
    let found = table.get(MARKER_KEY).map_err(|error| fault::redb(STORE_FILE, error))?;
    Ok(found.and_then(|text| serde_json::from_slice(text.value()).ok()))
}

/// Whether the store file was put here by other means than the house's: the marker beside it is missing, or speaks of
/// another file.
pub(in crate::store) fn is_copied(folder: &DataFolder) -> bool {
    identity(&folder.store_file()).is_ok_and(|file| beside(folder).is_none_or(|marker| marker.file != file))
}

/// Writes that the store is open, inside first: a file copied from now on is known as a hot copy.
pub(in crate::store) fn mark_open(store: &Direct<'_>, folder: &DataFolder) -> Result<()> {
    let open = ShutdownMarker { open: true, file: identity(&folder.store_file())?, damaged: false };
    if store.read(|tx| tx.get(&MARKER, MARKER_KEY))?.as_ref() != Some(&open) {
        store.write(|tx| tx.put(&MARKER, MARKER_KEY, &open))?;
    }
    if beside(folder).as_ref() != Some(&open) {
        put_beside(folder, &open)?;
    }
    Ok(())
}

/// Writes beside the store file that it was found damaged.
pub(in crate::store) fn mark_damaged(folder: &DataFolder) -> Result<()> {
    let Some(marker) = beside(folder).filter(|marker| marker.open) else { return Ok(()) };
    put_beside(folder, &ShutdownMarker { damaged: true, ..marker })
}

/// Whether whoever had `file` open last, as `marker` says, found it damaged.
pub(in crate::store) fn was_found_damaged(marker: &ShutdownMarker, file: &FileIdentity) -> bool {
    marker.open && marker.damaged && marker.file == *file
}

pub(in crate::store) fn put_beside(folder: &DataFolder, marker: &ShutdownMarker) -> Result<()> {
    let text = serde_json::to_vec(marker).map_err(Error::internal)?;
    fs::create_dir_all(folder.run()).map_err(|e| fault::io("creating run/", e))?;
    folder::write_whole(&path_beside(folder), &text)
}

/// The refusal of a hot copy, with the sentence that helps.
pub(in crate::store) fn copied_hot() -> Error {
    Error::new(
        Kind::Conflict,
        format!(
            "hanok.redb is a copy of a store that was open. If nothing was running when it was copied or moved, as after \
             a crash, run `hanok restore --adopt`: it checks every page and row and takes it over when all is sound. If \
             the appliance was writing it, it is no backup: {GO_BACK_TO_THE_NEWEST}"
        ),
    )
}

/// What helps when the store file cannot be relied on.
pub(in crate::store) const GO_BACK_TO_THE_NEWEST: &str =
    "run `hanok restore --latest` to go on from the newest verified snapshot in backups/";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_marker() -> impl Strategy<Value = ShutdownMarker> {
        // Few enough that two of them often have something in common.
        let born = prop::option::of(prop_oneof![0u64..3, any::<u64>()]);
        let file = (prop_oneof![0u64..3, any::<u64>()], born);
        let file = file.prop_map(|(inode, born_ns)| FileIdentity { inode, born_ns });
        (any::<bool>(), file, any::<bool>()).prop_map(|(open, file, damaged)| ShutdownMarker { open, file, damaged })
    }

    /// A data folder of its own with these bytes as its marker.
    fn marked_with(bytes: &[u8]) -> (tempfile::TempDir, DataFolder) {
        let place = tempfile::TempDir::new().unwrap();
        let folder = DataFolder::at(place.path());
        fs::create_dir_all(folder.run()).unwrap();
        fs::write(path_beside(&folder), bytes).unwrap();
        (place, folder)
    }

    proptest! {
        #[test]
        fn a_marker_reads_back_as_it_was_written(marker in any_marker()) {
            let (_place, folder) = marked_with(b"");
            put_beside(&folder, &marker).unwrap();
            prop_assert_eq!(beside(&folder), Some(marker));
        }

        #[test]
        fn a_marker_refuses_only_another_file_than_the_open_one(marker in any_marker(), file in any_marker()) {
            prop_assert!(check(&marker, &marker.file).is_ok());
            prop_assert_eq!(check(&marker, &file.file).is_err(), marker.open && marker.file != file.file);
        }

        #[test]
        fn any_bytes_are_a_marker_or_none(bytes in prop::collection::vec(any::<u8>(), 0..80), cut in any::<prop::sample::Index>(), marker in any_marker()) {
            let (_place, folder) = marked_with(&bytes);
            prop_assert_eq!(beside(&folder), serde_json::from_slice(&bytes).ok());
            let whole = serde_json::to_vec(&marker).unwrap();
            let (_place, folder) = marked_with(&whole[..cut.index(whole.len())]);
            prop_assert_eq!(beside(&folder), None, "a marker that was cut off says nothing");
        }
    }
}
