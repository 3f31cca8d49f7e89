//! The seal: how a store file that was copied while it was being written is told from one that was not.
//!
//! While the store is open, the seal says so and names the very file by its inode and its time of birth.
//! After a crash the same file is found and redb repairs it. A copy is another file: when its seal says
//! "open", it was copied under a running appliance and may be torn, so it is refused before it is opened.
//! The seal is kept twice: beside the file (`run/seal.json`) and inside the store, for a file copied alone.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::UNIX_EPOCH;

use redb::{Database, ReadableDatabase};
use serde::{Deserialize, Serialize};

use super::fault;
use super::folder::{self, DataFolder};
use super::rows::Table;
use hanok_base::{Error, Kind, Result};

/// Whether the store is open, and in which file. Table: `seal-1`; key: `seal`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// Whether a process has the file open for writing.
    pub open: bool,
    /// The file that this seal speaks of.
    pub file: FileIdentity,
}

pub(super) const SEAL: Table<&'static str, Seal> = Table::new("seal-1");

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

/// Refuses `seal` when it says that another file than this one was open.
pub fn check(seal: &Seal, file: &FileIdentity) -> Result<()> {
    if seal.open && seal.file != *file {
        return Err(copied_hot());
    }
    Ok(())
}

/// The seal beside the store file, if there is one.
pub(super) fn beside(folder: &DataFolder) -> Option<Seal> {
    let text = fs::read(folder.run().join("seal.json")).ok()?;
    serde_json::from_slice(&text).ok()
}

/// The seal inside a store that is only looked at.
pub(super) fn inside(database: &Database) -> Result<Option<Seal>> {
    let transaction = database.begin_read().map_err(Error::internal)?;
    let table = match transaction.open_table(SEAL.definition()) {
        Ok(table) => table,
        Err(redb::TableError::TableDoesNotExist(_)) => return Ok(None),
        Err(error) => return Err(Error::internal(error)),
    };
    let found = table.get("seal").map_err(Error::internal)?;
    Ok(found.and_then(|text| serde_json::from_slice(text.value()).ok()))
}

pub(super) fn put_beside(folder: &DataFolder, seal: &Seal) -> Result<()> {
    let text = serde_json::to_vec(seal).map_err(Error::internal)?;
    fs::create_dir_all(folder.run()).map_err(|e| fault::io("creating run/", e))?;
    folder::write_whole(&folder.run().join("seal.json"), &text)
}

/// The refusal of a hot copy, with the sentence that helps.
pub(super) fn copied_hot() -> Error {
    Error::new(
        Kind::Conflict,
        "hanok.redb was copied while the appliance was writing it, which is not a backup; \
         run `hanok restore --latest` to go on from the newest verified snapshot in backups/",
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_seal() -> impl Strategy<Value = Seal> {
        // Few enough that two of them often have something in common.
        (any::<bool>(), prop_oneof![0u64..3, any::<u64>()], prop::option::of(prop_oneof![0u64..3, any::<u64>()]))
            .prop_map(|(open, inode, born_ns)| Seal { open, file: FileIdentity { inode, born_ns } })
    }

    /// A data folder of its own with these bytes as its seal.
    fn sealed_with(bytes: &[u8]) -> (tempfile::TempDir, DataFolder) {
        let place = tempfile::TempDir::new().unwrap();
        let folder = DataFolder::at(place.path());
        fs::create_dir_all(folder.run()).unwrap();
        fs::write(folder.run().join("seal.json"), bytes).unwrap();
        (place, folder)
    }

    proptest! {
        #[test]
        fn a_seal_reads_back_as_it_was_written(seal in any_seal()) {
            let (_place, folder) = sealed_with(b"");
            put_beside(&folder, &seal).unwrap();
            prop_assert_eq!(beside(&folder), Some(seal));
        }

        #[test]
        fn a_seal_refuses_only_another_file_than_the_open_one(seal in any_seal(), file in any_seal()) {
            prop_assert!(check(&seal, &seal.file).is_ok());
            prop_assert_eq!(check(&seal, &file.file).is_err(), seal.open && seal.file != file.file);
        }

        #[test]
        fn any_bytes_are_a_seal_or_none(bytes in prop::collection::vec(any::<u8>(), 0..80), cut in any::<prop::sample::Index>(), seal in any_seal()) {
            let (_place, folder) = sealed_with(&bytes);
            prop_assert_eq!(beside(&folder), serde_json::from_slice(&bytes).ok());
            let whole = serde_json::to_vec(&seal).unwrap();
            let (_place, folder) = sealed_with(&whole[..cut.index(whole.len())]);
            prop_assert_eq!(beside(&folder), None, "a seal that was cut off says nothing");
        }
    }
}
