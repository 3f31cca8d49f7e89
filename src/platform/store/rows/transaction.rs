//! What a closure may do with its transaction. Both kinds read alike ([`ReadTransaction`]); only [`WriteTx`] writes.

use std::any::Any;
use std::borrow::Borrow;
use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

use chrono::{DateTime, Utc};
use redb::{ReadOnlyTable, ReadableTable, TableError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;

use super::opens::{Opens, decode};
use super::reading::ReadTransaction;
use super::table::{Order, Table};
use super::undo::Undo;
use super::walk::{Bounds, Entries};
use crate::blocking;
use crate::events::Change;
use hanok_base::{Error, Result};

/// Whose storage a transaction stands on: it hears of each fault, and says what the caller is told.
pub(in crate::store) trait Storage {
    /// Notes what an error of redb means and gives the error for the caller.
    fn fault(&self, error: redb::Error) -> Error;
}

/// A read transaction: a picture of the store at one moment.
pub struct ReadTx<'s> {
    transaction: redb::ReadTransaction,
    storage: &'s dyn Storage,
    begun_at: DateTime<Utc>,
    until: &'s [CancellationToken],
    opened: RefCell<OpenedTables>,
}

/// The tables that a read transaction has opened, each with its name: to find one in the file takes longer than to read a row
/// of it.
type OpenedTables = Vec<(&'static str, Rc<dyn Any>)>;

/// One caller's part of a write transaction. What it wrote can be taken back without touching what others wrote in
/// the same transaction.
pub struct WriteTx<'s> {
    transaction: &'s redb::WriteTransaction,
    storage: &'s dyn Storage,
    begun_at: DateTime<Utc>,
    announced: RefCell<Vec<Change>>,
    quiet: Cell<bool>,
    undo: RefCell<Undo>,
}

/// What a closure leaves behind when it has ended.
pub(in crate::store) struct Left {
    /// What the browsers are to hear once it is on disk.
    pub announced: Vec<Change>,
    /// Whether it was housekeeping only.
    pub quiet: bool,
    /// What takes it back.
    pub undo: Undo,
}

/// Counters from which ids are drawn. Table: `sequences-1`; key: noun; value: the last id given.
pub(in crate::store) const SEQUENCES: Table<&'static str, u64> = Table::new("sequences-1");

/// The id of `noun` that was given last, 0 before the first.
///
/// # Errors
/// Those of reading.
pub fn last_id(tx: &impl ReadTransaction, noun: &'static str) -> Result<u64> {
    Ok(tx.get(&SEQUENCES, noun)?.unwrap_or(0))
}

impl<'s> ReadTx<'s> {
    /// One whose walks end when any of `until` is cancelled.
    pub(in crate::store) fn new(
        transaction: redb::ReadTransaction,
        storage: &'s dyn Storage,
        begun_at: DateTime<Utc>,
        until: &'s [CancellationToken],
    ) -> Self {
        ReadTx { transaction, storage, begun_at, until, opened: RefCell::default() }
    }
}

impl<'s> WriteTx<'s> {
    pub(in crate::store) fn new(
        transaction: &'s redb::WriteTransaction,
        storage: &'s dyn Storage,
        begun_at: DateTime<Utc>,
    ) -> Self {
        let (announced, quiet, undo) = (RefCell::default(), Cell::new(false), RefCell::default());
        WriteTx { transaction, storage, begun_at, announced, quiet, undo }
    }

    /// Writes `value` under `key`, in the place of what was there.
    pub fn put<'k, K: redb::Key + 'static, V: Serialize>(
        &self,
        table: &Table<K, V>,
        key: impl Borrow<K::SelfType<'k>>,
        value: &V,
    ) -> Result<()> {
        let bytes = serde_json::to_vec(value).map_err(Error::internal)?;
        let mut open = self.open_to_write(table)?;
        let before = open.insert(key.borrow(), bytes.as_slice()).map_err(|error| self.fault(error.into()))?;
        self.undo.borrow_mut().note(table, key.borrow(), before.as_ref().map(|bytes| bytes.value()));
        Ok(())
    }

    /// Writes every row that `state` has in `table`, each in the place of what was there.
    pub fn put_all_of<K: redb::Key + 'static, V: Serialize + DeserializeOwned>(
        &self,
        table: &Table<K, V>,
        state: &ReadTx<'_>,
    ) -> Result<()> {
        let entries: Entries<'_, ReadTx<'_>, K, V> = Entries::new(state, table.name(), Bounds::all(), Order::Ascending);
        for entry in entries {
            let entry = entry?;
            self.put(table, entry.key(), &entry.value()?)?;
        }
        Ok(())
    }

    /// Removes what is under `key` and gives it back.
    pub fn remove<'k, K: redb::Key + 'static, V: DeserializeOwned>(
        &self,
        table: &Table<K, V>,
        key: impl Borrow<K::SelfType<'k>>,
    ) -> Result<Option<V>> {
        let mut open = self.open_to_write(table)?;
        let removed = open.remove(key.borrow()).map_err(|error| self.fault(error.into()))?;
        let Some(before) = removed else { return Ok(None) };
        self.undo.borrow_mut().note(table, key.borrow(), Some(before.value()));
        decode(table.name(), before.value()).map(Some)
    }

    /// Removes what is under `key`, whatever it is. Gives whether there was anything.
    pub fn discard<'k, K: redb::Key + 'static, V>(
        &self,
        table: &Table<K, V>,
        key: impl Borrow<K::SelfType<'k>>,
    ) -> Result<bool> {
        let mut open = self.open_to_write(table)?;
        let removed = open.remove(key.borrow()).map_err(|error| self.fault(error.into()))?;
        let Some(before) = removed else { return Ok(false) };
        self.undo.borrow_mut().note(table, key.borrow(), Some(before.value()));
        Ok(true)
    }

    /// Removes everything in `table`.
    pub fn clear<K: redb::Key + 'static, V>(&self, table: &Table<K, V>) -> Result<()> {
        let entries: Entries<'_, Self, K, V> = Entries::new(self, table.name(), Bounds::all(), Order::Ascending);
        for entry in entries {
            let entry = entry?;
            let mut open = self.open_to_write(table)?;
            let removed = open.remove(entry.key()).map_err(|error| self.fault(error.into()))?;
            self.undo.borrow_mut().note(table, &entry.key(), removed.as_ref().map(|bytes| bytes.value()));
        }
        Ok(())
    }

    fn open_to_write<K: redb::Key + 'static, V>(
        &self,
        table: &Table<K, V>,
    ) -> Result<redb::Table<'_, K, &'static [u8]>> {
        self.transaction.open_table(table.definition()).map_err(|error| self.fault(error.into()))
    }

    /// The next id of `noun`: one more than ever given before, also after the newest was deleted.
    pub fn next_id(&self, noun: &'static str) -> Result<u64> {
        let next = self.get(&SEQUENCES, noun)?.unwrap_or(0) + 1;
        self.put(&SEQUENCES, noun, &next)?;
        Ok(next)
    }

    /// Tells the browsers of `change` once this transaction is on disk, and never if it is not.
    pub fn announce(&self, change: Change) {
        let mut announced = self.announced.borrow_mut();
        if !announced.contains(&change) {
            announced.push(change);
        }
    }

    /// Marks what this transaction writes as housekeeping: it alone is no reason for a new snapshot.
    pub fn quiet(&self) {
        self.quiet.set(true);
    }

    pub(in crate::store) fn leave(self) -> Left {
        Left { announced: self.announced.into_inner(), quiet: self.quiet.get(), undo: self.undo.into_inner() }
    }
}

impl Opens for ReadTx<'_> {
    fn begun_at(&self) -> DateTime<Utc> {
        self.begun_at
    }

    fn go_on(&self) -> Result<()> {
        self.until.iter().try_for_each(blocking::go_on)
    }

    fn open<K: redb::Key + 'static>(
        &self,
        name: &'static str,
    ) -> Result<Option<impl Deref<Target = impl ReadableTable<K, &'static [u8]>>>> {
        let known = self.opened.borrow().iter().find(|(of, _)| *of == name).map(|(_, opened)| Rc::clone(opened));
        if let Some(known) = known.and_then(|opened| opened.downcast::<ReadOnlyTable<K, &[u8]>>().ok()) {
            return Ok(Some(known));
        }
        match self.transaction.open_table(Table::<K, ()>::new(name).definition()) {
            Ok(open) => {
                let open = Rc::new(open);
                self.opened.borrow_mut().push((name, Rc::clone(&open) as Rc<dyn Any>));
                Ok(Some(open))
            }
            Err(TableError::TableDoesNotExist(_)) => Ok(None),
            Err(error) => Err(self.fault(error.into())),
        }
    }

    fn fault(&self, error: redb::Error) -> Error {
        self.storage.fault(error)
    }
}

impl Opens for WriteTx<'_> {
    fn begun_at(&self) -> DateTime<Utc> {
        self.begun_at
    }

    fn open<K: redb::Key + 'static>(
        &self,
        name: &'static str,
    ) -> Result<Option<impl Deref<Target = impl ReadableTable<K, &'static [u8]>>>> {
        self.open_to_write(&Table::<K, ()>::new(name)).map(|open| Some(Box::new(open)))
    }

    fn fault(&self, error: redb::Error) -> Error {
        self.storage.fault(error)
    }
}
