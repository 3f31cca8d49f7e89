//! Which of its two commits a store file was opened with. redb keeps the last commit and the one before it, each in a
//! slot of the header with a checksum. Where that of the last does not verify, it goes on from the one before it without
//! a word.

use std::io::{Error, ErrorKind, Result};

use redb::StorageBackend;

use super::fault;
use super::head::{HEADER, SLOT};

/// The byte that says which slot is the last commit's, and whether the file was closed.
const FLAGS: usize = 9;
const LAST_IS_SECOND: u8 = 1;
const NOT_CLOSED: u8 = 2;

/// The header of a store file, as it was before the file was opened.
pub(super) struct Header {
    bytes: [u8; HEADER],
    length: u64,
}

impl Header {
    /// The header of what is about to be opened.
    pub fn of(backend: &impl StorageBackend) -> Result<Header> {
        let (mut bytes, length) = ([0; HEADER], backend.len()?);
        backend.read(0, &mut bytes)?;
        Ok(Header { bytes, length })
    }

    /// Whether the file was not closed, and the slot of its last commit does not verify. redb is asked, with a header whose
    /// other slot is none: only then is none left.
    pub fn has_lost_its_last_commit(mut self) -> bool {
        if self.bytes[FLAGS] & NOT_CLOSED == 0 {
            return false;
        }
        let slot_before = usize::from(self.bytes[FLAGS] & LAST_IS_SECOND == 0);
        // Its last byte is one of its checksum.
        self.bytes[64 + (slot_before + 1) * SLOT - 1] ^= 1;
        let mut builder = redb::Builder::new();
        builder.set_repair_callback(redb::RepairSession::abort);
        let opened = fault::caught(|| builder.create_with_backend(Alone(self)).map(drop));
        matches!(opened, Ok(Err(redb::DatabaseError::Storage(redb::StorageError::Corrupted(_)))))
    }
}

/// A file of which there is nothing but its header.
struct Alone(Header);

impl std::fmt::Debug for Alone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a header alone")
    }
}

impl StorageBackend for Alone {
    fn len(&self) -> Result<u64> {
        Ok(self.0.length)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let there = from.checked_add(out.len()).and_then(|to| self.0.bytes.get(from..to));
        out.copy_from_slice(there.ok_or_else(|| Error::from(ErrorKind::Unsupported))?);
        Ok(())
    }

    fn set_len(&self, _length: u64) -> Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    fn sync_data(&self) -> Result<()> {
        Ok(())
    }

    fn write(&self, _offset: u64, _data: &[u8]) -> Result<()> {
        Err(ErrorKind::Unsupported.into())
    }
}
