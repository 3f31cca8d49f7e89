//! Walking a range in portions: between two of them the table is closed, so that nothing is held while the caller works.

use std::borrow::Borrow;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};

use redb::ReadableTable;
use serde::de::DeserializeOwned;

use super::opens::{Opens, decode};
use super::table::Order;
use hanok_base::Result;

/// Entries of the first portion: most walks want few.
const FIRST_PORTION: usize = 16;
/// Entries of the largest portion; each is four times the one before it up to this.
const LARGEST_PORTION: usize = 1024;

/// An entry that was met on the way: its key, and its value, which is decoded when it is asked for.
pub struct Entry<K, V> {
    table: &'static str,
    key: Vec<u8>,
    value: Vec<u8>,
    types: PhantomData<fn() -> (K, V)>,
}

impl<K: redb::Key + 'static, V> Entry<K, V> {
    /// The key.
    pub fn key(&self) -> K::SelfType<'_> {
        K::from_bytes(&self.key)
    }

    /// The value.
    ///
    /// # Errors
    /// `INTERNAL` when the stored bytes are not what this version writes.
    pub fn value(&self) -> Result<V>
    where
        V: DeserializeOwned,
    {
        decode(self.table, &self.value)
    }
}

/// The entries of a range, on demand.
pub struct Entries<'t, X, K, V> {
    tx: &'t X,
    table: &'static str,
    /// What has not been read yet.
    left: Bounds,
    order: Order,
    portion: std::vec::IntoIter<Entry<K, V>>,
    /// How many the next portion may have; 0 when nothing is left.
    next_portion: usize,
}

impl<'t, X: Opens, K: redb::Key + 'static, V> Entries<'t, X, K, V> {
    pub(super) fn new(tx: &'t X, table: &'static str, left: Bounds, order: Order) -> Self {
        Entries { tx, table, left, order, portion: Vec::new().into_iter(), next_portion: FIRST_PORTION }
    }

    /// With a first portion of `size` entries, for a caller who knows how many are wanted.
    pub(super) fn first_portion(self, size: usize) -> Self {
        Entries { next_portion: size.clamp(1, LARGEST_PORTION), ..self }
    }

    fn read_portion(&mut self) -> Result<()> {
        self.tx.go_on()?;
        let size = std::mem::take(&mut self.next_portion);
        let Some(open) = self.tx.open::<K>(self.table)? else { return Ok(()) };
        let mut found = open.range::<K::SelfType<'_>>(self.left.keys::<K>()).map_err(|e| self.tx.fault(e.into()))?;
        let mut portion = Vec::with_capacity(size);
        while portion.len() < size {
            let entry = match self.order {
                Order::Ascending => found.next(),
                Order::Descending => found.next_back(),
            };
            let Some(entry) = entry else { break };
            let (key, value) = entry.map_err(|e| self.tx.fault(e.into()))?;
            let key = K::as_bytes(&key.value()).as_ref().to_vec();
            portion.push(Entry { table: self.table, key, value: value.value().to_vec(), types: PhantomData });
        }
        drop(found);
        if let (true, Some(last)) = (portion.len() == size, portion.last()) {
            let beyond = Bound::Excluded(last.key.clone());
            match self.order {
                Order::Ascending => self.left.from = beyond,
                Order::Descending => self.left.to = beyond,
            }
            self.next_portion = (size * 4).min(LARGEST_PORTION);
        }
        self.portion = portion.into_iter();
        Ok(())
    }
}

impl<X: Opens, K: redb::Key + 'static, V> Iterator for Entries<'_, X, K, V> {
    type Item = Result<Entry<K, V>>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(entry) = self.portion.next() {
            return Some(Ok(entry));
        }
        if self.next_portion == 0 {
            return None;
        }
        match self.read_portion() {
            Ok(()) => self.portion.next().map(Ok),
            Err(error) => Some(Err(error)),
        }
    }
}

/// A range whose ends do not depend on where its keys came from.
pub(super) struct Bounds {
    from: Bound<Vec<u8>>,
    to: Bound<Vec<u8>>,
}

impl Bounds {
    /// Everything.
    pub fn all() -> Bounds {
        Bounds { from: Bound::Unbounded, to: Bound::Unbounded }
    }

    pub fn of<'k, K: redb::Key + 'static, R: Borrow<K::SelfType<'k>>>(range: impl RangeBounds<R>) -> Bounds {
        let bytes = |key: &R| K::as_bytes(key.borrow()).as_ref().to_vec();
        Bounds { from: range.start_bound().map(bytes), to: range.end_bound().map(bytes) }
    }

    fn keys<K: redb::Key + 'static>(&self) -> (Bound<K::SelfType<'_>>, Bound<K::SelfType<'_>>) {
        (self.from.as_ref().map(|key| K::from_bytes(key)), self.to.as_ref().map(|key| K::from_bytes(key)))
    }
}
