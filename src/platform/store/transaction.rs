//! What a closure may do with its transaction. Both kinds read alike ([`Reads`]); only [`WriteTx`] writes.
//! A table that was never written reads as empty.

use std::borrow::Borrow;
use std::cell::{Cell, RefCell};
use std::ops::{ControlFlow, RangeBounds};

use chrono::{DateTime, Utc};
use redb::{ReadableTable, ReadableTableMetadata, TableError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::slot::Slot;
use super::table::{Order, Table};
use super::undo::Undo;
use crate::events::Change;
use hanok_base::{Error, Result};

/// A read transaction: a picture of the store at one moment.
pub struct ReadTx<'s> {
    transaction: redb::ReadTransaction,
    slot: &'s Slot,
    now: DateTime<Utc>,
}

/// One caller's part of a write transaction. What it wrote can be taken back without touching what others wrote in
/// the same transaction.
pub struct WriteTx<'s> {
    transaction: &'s redb::WriteTransaction,
    slot: &'s Slot,
    now: DateTime<Utc>,
    announced: RefCell<Vec<Change>>,
    quiet: Cell<bool>,
    undo: RefCell<Undo>,
}

/// What a closure leaves behind when it has ended.
pub(super) struct Left {
    /// What the browsers are to hear once it is on disk.
    pub announced: Vec<Change>,
    /// Whether it was housekeeping only.
    pub quiet: bool,
    /// What takes it back.
    pub undo: Undo,
}

/// Counters from which ids are drawn. Table: `sequences-1`; key: noun; value: the last id given.
const SEQUENCES: Table<&'static str, u64> = Table::new("sequences-1");

impl<'s> ReadTx<'s> {
    pub(super) fn new(transaction: redb::ReadTransaction, slot: &'s Slot, now: DateTime<Utc>) -> Self {
        ReadTx { transaction, slot, now }
    }
}

impl<'s> WriteTx<'s> {
    pub(super) fn new(transaction: &'s redb::WriteTransaction, slot: &'s Slot, now: DateTime<Utc>) -> Self {
        let (announced, quiet, undo) = (RefCell::default(), Cell::new(false), RefCell::default());
        WriteTx { transaction, slot, now, announced, quiet, undo }
    }

    /// Writes `value` under `key`, in the place of what was there.
    pub fn put<'k, K: redb::Key + 'static, V: Serialize>(
        &self,
        table: &Table<K, V>,
        key: impl Borrow<K::SelfType<'k>>,
        value: &V,
    ) -> Result<()> {
        let bytes = serde_json::to_vec(value).map_err(Error::internal)?;
        let mut open = self.transaction.open_table(table.definition()).map_err(|e| self.slot.fault(e))?;
        let before = open.insert(key.borrow(), bytes.as_slice()).map_err(|e| self.slot.fault(e))?;
        self.undo.borrow_mut().note(table, key.borrow(), before.as_ref().map(|bytes| bytes.value()));
        Ok(())
    }

    /// Removes what is under `key` and gives it back.
    pub fn remove<'k, K: redb::Key + 'static, V: DeserializeOwned>(
        &self,
        table: &Table<K, V>,
        key: impl Borrow<K::SelfType<'k>>,
    ) -> Result<Option<V>> {
        let mut open = self.transaction.open_table(table.definition()).map_err(|e| self.slot.fault(e))?;
        let Some(before) = open.remove(key.borrow()).map_err(|e| self.slot.fault(e))? else { return Ok(None) };
        self.undo.borrow_mut().note(table, key.borrow(), Some(before.value()));
        decode(table, before.value()).map(Some)
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

    pub(super) fn leave(self) -> Left {
        Left { announced: self.announced.into_inner(), quiet: self.quiet.get(), undo: self.undo.into_inner() }
    }
}

/// Reading, the same in both kinds of transaction.
pub trait Reads {
    /// The instant at which this transaction began.
    fn now(&self) -> DateTime<Utc>;

    /// The value under `key`.
    fn get<'k, K: redb::Key + 'static, V: DeserializeOwned>(
        &self,
        table: &Table<K, V>,
        key: impl Borrow<K::SelfType<'k>>,
    ) -> Result<Option<V>>;

    /// How many entries `table` has, without reading them.
    fn count<K: redb::Key + 'static, V>(&self, table: &Table<K, V>) -> Result<u64>;

    /// Walks the entries of `range` until `visit` breaks. Values are decoded only as they are visited.
    fn each<'k, K, V, R>(
        &self,
        table: &Table<K, V>,
        range: impl RangeBounds<R> + 'k,
        order: Order,
        visit: impl FnMut(K::SelfType<'_>, Lazy<'_, V>) -> Result<ControlFlow<()>>,
    ) -> Result<()>
    where
        K: redb::Key + 'static,
        V: DeserializeOwned,
        R: Borrow<K::SelfType<'k>> + 'k;

    /// The values under `keys`, in their order: what an index has named.
    ///
    /// # Errors
    /// `INTERNAL` when there is nothing under one of them.
    fn rows<'k, K: redb::Key + 'static, V: DeserializeOwned>(
        &self,
        table: &Table<K, V>,
        keys: impl IntoIterator<Item = impl Borrow<K::SelfType<'k>>>,
    ) -> Result<Vec<V>>;

    /// Whether there is something under `key`.
    fn contains<'k, K: redb::Key + 'static, V>(
        &self,
        table: &Table<K, V>,
        key: impl Borrow<K::SelfType<'k>>,
    ) -> Result<bool>;

    /// The values of `range`: `skip` of them passed over undecoded, then at most `take`.
    fn values<'k, K, V, R>(
        &self,
        table: &Table<K, V>,
        range: impl RangeBounds<R> + 'k,
        order: Order,
        skip: usize,
        take: usize,
    ) -> Result<Vec<V>>
    where
        K: redb::Key + 'static,
        V: DeserializeOwned,
        R: Borrow<K::SelfType<'k>> + 'k,
    {
        let mut values = Vec::with_capacity(take.min(64));
        let mut position = 0;
        self.each(table, range, order, |_, value| {
            if values.len() == take {
                return Ok(ControlFlow::Break(()));
            }
            position += 1;
            if position > skip {
                values.push(value.decode()?);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(values)
    }
}

/// A stored value that has not been decoded yet.
pub struct Lazy<'a, V> {
    table: &'a Table<&'static str, V>,
    bytes: &'a [u8],
}

impl<V: DeserializeOwned> Lazy<'_, V> {
    /// The value.
    ///
    /// # Errors
    /// `INTERNAL` when the stored bytes are not what this version writes.
    pub fn decode(&self) -> Result<V> {
        decode(self.table, self.bytes)
    }
}

fn decode<K: redb::Key + 'static, V: DeserializeOwned>(table: &Table<K, V>, bytes: &[u8]) -> Result<V> {
    serde_json::from_slice(bytes).map_err(|error| Error::internal(format!("{}: {error}", table.name())))
}

macro_rules! reads {
    ($transaction:ident) => {
        impl Reads for $transaction<'_> {
            fn now(&self) -> DateTime<Utc> {
                self.now
            }

            fn get<'k, K: redb::Key + 'static, V: DeserializeOwned>(
                &self,
                table: &Table<K, V>,
                key: impl Borrow<K::SelfType<'k>>,
            ) -> Result<Option<V>> {
                let open = match self.transaction.open_table(table.definition()) {
                    Ok(open) => open,
                    Err(TableError::TableDoesNotExist(_)) => return Ok(None),
                    Err(error) => return Err(self.slot.fault(error)),
                };
                let found = open.get(key).map_err(|e| self.slot.fault(e))?;
                found.map(|bytes| decode(table, bytes.value())).transpose()
            }

            fn rows<'k, K: redb::Key + 'static, V: DeserializeOwned>(
                &self,
                table: &Table<K, V>,
                keys: impl IntoIterator<Item = impl Borrow<K::SelfType<'k>>>,
            ) -> Result<Vec<V>> {
                let mut keys = keys.into_iter().peekable();
                if keys.peek().is_none() {
                    return Ok(Vec::new());
                }
                let open = self.transaction.open_table(table.definition()).map_err(|e| self.slot.fault(e))?;
                keys.map(|key| match open.get(key).map_err(|e| self.slot.fault(e))? {
                    Some(bytes) => decode(table, bytes.value()),
                    None => Err(Error::internal(format!("{}: an index names a row that is not there", table.name()))),
                })
                .collect()
            }

            fn contains<'k, K: redb::Key + 'static, V>(
                &self,
                table: &Table<K, V>,
                key: impl Borrow<K::SelfType<'k>>,
            ) -> Result<bool> {
                match self.transaction.open_table(table.definition()) {
                    Ok(open) => Ok(open.get(key).map_err(|e| self.slot.fault(e))?.is_some()),
                    Err(TableError::TableDoesNotExist(_)) => Ok(false),
                    Err(error) => Err(self.slot.fault(error)),
                }
            }

            fn count<K: redb::Key + 'static, V>(&self, table: &Table<K, V>) -> Result<u64> {
                match self.transaction.open_table(table.definition()) {
                    Ok(open) => open.len().map_err(|e| self.slot.fault(e)),
                    Err(TableError::TableDoesNotExist(_)) => Ok(0),
                    Err(error) => Err(self.slot.fault(error)),
                }
            }

            fn each<'k, K, V, R>(
                &self,
                table: &Table<K, V>,
                range: impl RangeBounds<R> + 'k,
                order: Order,
                mut visit: impl FnMut(K::SelfType<'_>, Lazy<'_, V>) -> Result<ControlFlow<()>>,
            ) -> Result<()>
            where
                K: redb::Key + 'static,
                V: DeserializeOwned,
                R: Borrow<K::SelfType<'k>> + 'k,
            {
                let open = match self.transaction.open_table(table.definition()) {
                    Ok(open) => open,
                    Err(TableError::TableDoesNotExist(_)) => return Ok(()),
                    Err(error) => return Err(self.slot.fault(error)),
                };
                let mut entries = open.range(range).map_err(|e| self.slot.fault(e))?;
                let named = Table::<&'static str, V>::new(table.name());
                loop {
                    let entry = match order {
                        Order::Ascending => entries.next(),
                        Order::Descending => entries.next_back(),
                    };
                    let Some(entry) = entry else { return Ok(()) };
                    let (key, value) = entry.map_err(|e| self.slot.fault(e))?;
                    if visit(key.value(), Lazy { table: &named, bytes: value.value() })?.is_break() {
                        return Ok(());
                    }
                }
            }
        }
    };
}

reads!(ReadTx);
reads!(WriteTx);
