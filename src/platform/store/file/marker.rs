//! The clean-shutdown marker: how a store file that was copied while it was being written is told from one that was not.
//!
//! While the store is open, the marker says so and names the very file by its inode and its time of birth.
//! After a crash the same file is found and redb repairs it. A copy is another file: when its marker says
//! "open", it was copied under a running appliance and may be torn, so it is refused before it is opened.
//! The marker is kept twice: beside the file (`run/seal.json`) and inside the store, for a file copied alone.
//!
//! The one beside the file also says when damage was found in it. Without that, the next start would take a last commit
//! that no longer verifies for one that a crash cut off, and leave out what was acknowledged.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use redb::{Database, ReadableDatabase};
use serde::{Deserialize, Serialize};

use super::super::rows::{ReadTransaction, Table};
use super::direct::Direct;
use super::fault;
use super::folder::{self, DataFolder, STORE_FILE};
use hanok_base::{Error, Kind, Message, Result};

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
    /// Whether the folder was copied and is not in order since: what came over of its snapshots may be in parts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub copied: bool,
    /// The name of the snapshot under which what the file held is listed since it was taken out of its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
}

impl ShutdownMarker {
    /// The marker of a file that is closed and sound.
    pub(in crate::store) const fn closed(file: FileIdentity) -> ShutdownMarker {
        ShutdownMarker { open: false, file, damaged: false, copied: false, kept: None }
    }
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
    Ok(identity_in(&fs::metadata(path).map_err(|e| fault::io(path.display(), e))?))
}

/// The identity that is told with what a file is.
pub fn identity_in(metadata: &Metadata) -> FileIdentity {
    let born = metadata.created().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    FileIdentity { inode: metadata.ino(), born_ns: born.and_then(|age| u64::try_from(age.as_nanos()).ok()) }
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

/// What lies beside the store file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Beside {
    #[serde(flatten)]
    marker: ShutdownMarker,
    /// Until the file that `marker` speaks of has taken its place: the marker of the one that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until_then: Option<ShutdownMarker>,
}

/// The marker beside the store file, if there is one.
pub(in crate::store) fn beside(folder: &DataFolder) -> Option<ShutdownMarker> {
    let text = fs::read(path_beside(folder)).ok()?;
    let Beside { marker, until_then } = serde_json::from_slice(&text).ok()?;
    let is_in_place = || identity(&folder.store_file()).is_ok_and(|file| file == marker.file);
    if until_then.is_some() && !is_in_place() { until_then } else { Some(marker) }
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

/// Whether what lies here was put here by other means than the house's, and the folder is not in order since: no marker
/// speaks of the store file, or it says so. Where there are snapshots and no store file, that is what did not come over.
pub(in crate::store) fn is_copied(folder: &DataFolder) -> bool {
    match identity(&folder.store_file()) {
        Ok(file) => beside(folder).is_none_or(|marker| marker.file != file || marker.copied),
        Err(_) => folder.has_snapshots(),
    }
}

/// Writes beside the store file that the folder is in order.
pub(in crate::store) fn mark_in_order(folder: &DataFolder) -> Result<()> {
    let Some(marker) = beside(folder).filter(|marker| marker.copied) else { return Ok(()) };
    put_beside(folder, &ShutdownMarker { copied: false, ..marker })
}

/// Writes that the store is open, inside first: a file copied from now on is known as a hot copy.
pub(in crate::store) fn mark_open(store: &Direct<'_>, folder: &DataFolder) -> Result<()> {
    let open = ShutdownMarker { open: true, ..ShutdownMarker::closed(identity(&folder.store_file())?) };
    let inside = store.read(|tx| tx.get(&MARKER, MARKER_KEY))?;
    if inside.as_ref() != Some(&open) {
        store.write(|tx| tx.put(&MARKER, MARKER_KEY, &open))?;
    }
    // A file that was just created has no marker inside.
    let open = ShutdownMarker { copied: inside.is_some() && is_copied(folder), ..open };
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

/// The identity of a file that is no more.
const NO_MORE: FileIdentity = FileIdentity { inode: 0, born_ns: None };

/// Writes beside the store file that something else has written over it: what is in it now counts as a copy.
pub(in crate::store) fn mark_overwritten(folder: &DataFolder) -> Result<()> {
    let Some(marker) = beside(folder).filter(|marker| marker.open && marker.file != NO_MORE) else { return Ok(()) };
    put_beside(folder, &ShutdownMarker { file: NO_MORE, ..marker })
}

/// Writes beside the store file under which `name` what it held is listed.
pub(in crate::store) fn note_kept(folder: &DataFolder, name: String) -> Result<()> {
    let Some(marker) = beside(folder) else { return Ok(()) };
    put_beside(folder, &ShutdownMarker { kept: Some(name), ..marker })
}

/// Whether whoever had `file` open last, as `marker` says, found it damaged.
pub(in crate::store) fn was_found_damaged(marker: &ShutdownMarker, file: &FileIdentity) -> bool {
    marker.open && marker.damaged && marker.file == *file
}

/// Whether a check has found the store in `folder` damaged, and nothing has taken its place since.
pub fn is_known_damaged(folder: &DataFolder) -> bool {
    let (Some(marker), Ok(file)) = (beside(folder), identity(&folder.store_file())) else { return false };
    was_found_damaged(&marker, &file)
}

pub(in crate::store) fn put_beside(folder: &DataFolder, marker: &ShutdownMarker) -> Result<()> {
    put(folder, &Beside { marker: marker.clone(), until_then: None })
}

/// Writes the marker of a file that is about to take the place of the store: whichever of the two is found after a power
/// cut, what is said of it holds.
pub(in crate::store) fn put_of_the_next(folder: &DataFolder, marker: &ShutdownMarker) -> Result<()> {
    put(folder, &Beside { marker: marker.clone(), until_then: beside(folder) })
}

fn put(folder: &DataFolder, beside: &Beside) -> Result<()> {
    let text = serde_json::to_vec(beside).map_err(Error::internal)?;
    fs::create_dir_all(folder.run()).map_err(|e| fault::io("creating run/", e))?;
    folder::write_whole(&path_beside(folder), &text)
}

/// The refusal of a hot copy, with the sentence that helps.
pub(in crate::store) fn copied_hot() -> Error {
    Error::new(
        Kind::Conflict,
        Message::english(format!(
            "hanok.redb is a copy of a store that was open. If nothing was running when it was copied or moved, as after \
             a crash, run `hanok restore --adopt`: it checks every page and row and takes it over when all is sound. If \
             the appliance was writing it, it is no backup: {GO_BACK_TO_THE_NEWEST}"
        )),
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
        let said = (any::<bool>(), file, any::<bool>(), any::<bool>(), prop::option::of("[a-z0-9-]{1,20}"));
        said.prop_map(|(open, file, damaged, copied, kept)| ShutdownMarker { open, file, damaged, copied, kept })
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
