//! Transactions outside the writer's queue: on the live store before its writer has started, and on files of their own.

use redb::{Database, ReadableDatabase};

use super::super::rows::transaction::Storage;
use super::super::rows::{ReadTx, WriteTx};
use super::fault;
use hanok_base::{Clock, Error, Result};

/// An open database to which nobody else writes.
pub(in crate::store) struct Direct<'d> {
    pub database: &'d Database,
    pub storage: &'d dyn Storage,
    pub clock: &'d Clock,
}

impl Direct<'_> {
    pub fn read<T>(&self, read: impl FnOnce(&ReadTx) -> Result<T>) -> Result<T> {
        let transaction = self.database.begin_read().map_err(|error| self.storage.fault(error.into()))?;
        read(&ReadTx::new(transaction, self.storage, self.clock.now(), &[]))
    }

    /// One durable transaction.
    pub fn write<T>(&self, write: impl FnOnce(&WriteTx) -> Result<T>) -> Result<T> {
        let transaction = self.database.begin_write().map_err(|error| self.storage.fault(error.into()))?;
        let value = write(&WriteTx::new(&transaction, self.storage, self.clock.now()))?;
        transaction.commit().map_err(|error| self.storage.fault(error.into()))?;
        Ok(value)
    }
}

/// The storage of a file that is not the live store: a copy, a snapshot, what is to be restored. What is wrong with it
/// is said of it alone.
pub(in crate::store) struct SeparateFile;

impl Storage for SeparateFile {
    fn fault(&self, error: redb::Error) -> Error {
        fault::redb("a copy of the store", error)
    }
}
