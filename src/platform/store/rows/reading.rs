//! Reading, the same in both kinds of transaction. A table that was never written reads as empty.

use std::borrow::Borrow;
use std::ops::RangeBounds;

use chrono::{DateTime, Utc};
use redb::{ReadableTable, ReadableTableMetadata};
use serde::de::DeserializeOwned;

use super::opens::{Opens, decode};
use super::table::{KeyOf, Order, Stored};
use super::walk::{Bounds, Entries, Entry};
use hanok_base::{Error, Result};

impl<T: Opens> ReadTransaction for T {}

/// Reading, the same in both kinds of transaction.
pub trait ReadTransaction: Opens {
    /// The instant at which this transaction began.
    fn now(&self) -> DateTime<Utc> {
        self.begun_at()
    }

    /// For who computes long between walks, which ask by themselves: ends what nobody waits for any more.
    ///
    /// # Errors
    /// `CONFLICT` then.
    fn while_waited_for(&self) -> Result<()> {
        self.go_on()
    }

    /// The value under `key`.
    fn get<'k, T>(&self, table: &T, key: impl Borrow<KeyOf<'k, T>>) -> Result<Option<T::Value>>
    where
        T: Stored<Value: DeserializeOwned>,
    {
        let name = table.stored().name();
        let Some(open) = self.open::<T::Key>(name)? else { return Ok(None) };
        let found = open.get(key).map_err(|error| self.fault(error.into()))?;
        found.map(|bytes| decode(name, bytes.value())).transpose()
    }

    /// Whether there is something under `key`.
    fn contains<'k, T: Stored>(&self, table: &T, key: impl Borrow<KeyOf<'k, T>>) -> Result<bool> {
        let Some(open) = self.open::<T::Key>(table.stored().name())? else { return Ok(false) };
        Ok(open.get(key).map_err(|error| self.fault(error.into()))?.is_some())
    }

    /// How many entries `table` has, without reading them.
    fn count<T: Stored>(&self, table: &T) -> Result<u64> {
        let Some(open) = self.open::<T::Key>(table.stored().name())? else { return Ok(0) };
        open.len().map_err(|error| self.fault(error.into()))
    }

    /// The values under `keys`, in their order: what an index has named.
    ///
    /// # Errors
    /// `INTERNAL` when there is nothing under one of them.
    fn rows<'k, T>(&self, table: &T, keys: impl IntoIterator<Item = impl Borrow<KeyOf<'k, T>>>) -> Result<Vec<T::Value>>
    where
        T: Stored<Value: DeserializeOwned>,
    {
        let name = table.stored().name();
        let missing = || Error::internal(format!("{name}: an index names a row that is not there"));
        // All of them first: while the table is open, the way to the next key may lead through it.
        let keys: Vec<_> = keys.into_iter().collect();
        let Some(open) = self.open::<T::Key>(name)? else {
            return if keys.is_empty() { Ok(Vec::new()) } else { Err(missing()) };
        };
        let find = |key| match open.get(key).map_err(|error| self.fault(error.into()))? {
            Some(bytes) => decode(name, bytes.value()),
            None => Err(missing()),
        };
        keys.into_iter().map(find).collect()
    }

    /// The values of `range`: `skip` of them passed over undecoded, then at most `take`.
    fn values<'k, T, R>(
        &self,
        table: &T,
        range: impl RangeBounds<R> + 'k,
        order: Order,
        skip: usize,
        take: usize,
    ) -> Result<Vec<T::Value>>
    where
        T: Stored<Value: DeserializeOwned>,
        R: Borrow<KeyOf<'k, T>> + 'k,
    {
        let name = table.stored().name();
        let Some(open) = self.open::<T::Key>(name)? else { return Ok(Vec::new()) };
        let mut found = open.range(range).map_err(|error| self.fault(error.into()))?;
        let mut values = Vec::with_capacity(take.min(64));
        for position in 0..skip.saturating_add(take) {
            let entry = match order {
                Order::Ascending => found.next(),
                Order::Descending => found.next_back(),
            };
            let Some(entry) = entry else { break };
            let (_, bytes) = entry.map_err(|error| self.fault(error.into()))?;
            if position >= skip {
                values.push(decode(name, bytes.value())?);
            }
        }
        Ok(values)
    }

    /// The entries of `range`, one after the other. They are read in portions and the table is closed in between, so
    /// whatever is read or written while they are walked, also in the same table, works; what is written meanwhile may
    /// be met or not.
    fn entries<'k, T, R>(
        &self,
        table: &T,
        range: impl RangeBounds<R>,
        order: Order,
    ) -> Entries<'_, Self, T::Key, T::Value>
    where
        Self: Sized,
        T: Stored,
        R: Borrow<KeyOf<'k, T>>,
    {
        Entries::new(self, table.stored().name(), Bounds::of::<T::Key, R>(range), order)
    }

    /// The first entry of `range` in this order.
    fn first<'k, T, R>(
        &self,
        table: &T,
        range: impl RangeBounds<R>,
        order: Order,
    ) -> Result<Option<Entry<T::Key, T::Value>>>
    where
        Self: Sized,
        T: Stored,
        R: Borrow<KeyOf<'k, T>>,
    {
        self.entries(table, range, order).first_portion(1).next().transpose()
    }
}
