//! Entries that are found by their position: page 5,000 of a long list costs what page 1 costs (an order-statistic index).
//!
//! About one key in 256, chosen by a hash of the key, begins a block, and one block in 256 begins a block of blocks; the
//! entries of each are counted. A position is found by adding up counts instead of walking entries, as in a skip list
//! (W. Pugh, "Skip Lists: A Probabilistic Alternative to Balanced Trees", 1990, with widths). Which keys begin blocks
//! depends on the keys alone, so the counts are the same whatever happened before.

use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::index::{EntryOf, Index};
use super::indexed::{Derived, RowsOf, all, unreadable};
use super::integrity::{expected_and_found, key_in_words};
pub use super::ordinal::Ordinal;
use super::reading::ReadTransaction;
use super::table::{Order, Stored, Table};
use super::transaction::{ReadTx, WriteTx};
use hanok_base::{Error, Page, Result};

/// An [`Index`] whose entries are counted, so that each of its pages is found at once.
pub struct CountedIndex<V, K: redb::Key + 'static, C = ()> {
    index: Index<V, K, C>,
    positions: Positions<K>,
}

/// The rows of an indexed table counted in the order of their keys, so that each page of them is found at once.
pub struct CountedRows<V, K: redb::Key + 'static> {
    rows: Table<K, V>,
    key: fn(&V) -> K,
    positions: Positions<K>,
}

/// What is counted of the keys of one table.
struct Positions<K> {
    counts: Table<Block, u64>,
    /// One key in 2 to this power begins a block.
    bits: u32,
    /// Entries up to which walking is cheaper than counting.
    near: usize,
    keys: std::marker::PhantomData<fn(K)>,
}

/// Level (1: blocks of entries, 2: blocks of blocks) and the numbers of the key that begins the block.
type Block = (u64, u64, u64, u64);

const LEVELS: u64 = 2;

impl<V, K: redb::Key + 'static, C: PartialEq + Serialize + DeserializeOwned> CountedIndex<V, K, C> {
    /// An index in the table `name`, counted in the table `counts`.
    pub const fn new(name: &'static str, counts: &'static str, entry: EntryOf<V, K, C>) -> Self {
        CountedIndex { index: Index::new(name, entry), positions: Positions::new(counts) }
    }
}

impl<V, K, C> CountedIndex<V, K, C>
where
    K: Ordinal + redb::Key + 'static,
    for<'a> K: redb::Value<SelfType<'a> = K>,
    C: PartialEq + Serialize + DeserializeOwned,
{
    /// The entries of `range` on `page`, in this order.
    pub fn page(
        &self,
        tx: &impl ReadTransaction,
        range: RangeInclusive<K>,
        order: Order,
        page: Page,
    ) -> Result<Vec<(K, C)>> {
        self.positions.page(tx, self.index.stored(), range, order, page)
    }
}

impl<V, K, C> Stored for CountedIndex<V, K, C>
where
    K: redb::Key + 'static,
{
    type Key = K;
    type Value = C;

    fn stored(&self) -> &Table<K, C> {
        self.index.stored()
    }
}

impl<V, K, C> Derived<V> for CountedIndex<V, K, C>
where
    K: Ordinal + redb::Key + 'static,
    for<'a> K: redb::Value<SelfType<'a> = K>,
    C: PartialEq + Serialize + DeserializeOwned,
{
    fn admit(&self, tx: &WriteTx, before: Option<&V>, after: &V) -> Result<()> {
        self.index.admit(tx, before, after)
    }

    fn change(&self, tx: &WriteTx, before: Option<&V>, after: Option<&V>) -> Result<()> {
        let key = |row: &V| self.index.entry(row).map(|(key, _)| key);
        // The index first: what is counted out must not be met when a block is counted.
        self.index.change(tx, before, after)?;
        self.positions.change(tx, self.index.stored(), before.and_then(key), after.and_then(key))
    }

    fn rebuild(&self, tx: &WriteTx, rows: RowsOf<'_, V>) -> Result<()> {
        self.index.rebuild(tx, rows)?;
        self.positions.rebuild(tx, self.index.stored())
    }

    fn flaws(&self, tx: &ReadTx, rows: RowsOf<'_, V>) -> Result<Vec<String>> {
        let mut flaws = self.index.flaws(tx, rows)?;
        flaws.extend(self.positions.flaws(tx, self.index.stored())?);
        Ok(flaws)
    }

    fn tables(&self) -> Vec<&'static str> {
        vec![self.index.stored().name(), self.positions.counts.name()]
    }
}

impl<V, K: redb::Key + 'static> CountedRows<V, K> {
    /// The rows in the table `rows`, each under its `key`, counted in the table `counts`.
    pub const fn new(rows: &'static str, counts: &'static str, key: fn(&V) -> K) -> Self {
        CountedRows { rows: Table::new(rows), key, positions: Positions::new(counts) }
    }
}

impl<V, K> CountedRows<V, K>
where
    K: Ordinal + redb::Key + 'static,
    for<'a> K: redb::Value<SelfType<'a> = K>,
    V: DeserializeOwned,
{
    /// The rows of `range` on `page`, in this order.
    pub fn page(
        &self,
        tx: &impl ReadTransaction,
        range: RangeInclusive<K>,
        order: Order,
        page: Page,
    ) -> Result<Vec<V>> {
        let found = self.positions.page(tx, &self.rows, range, order, page)?;
        Ok(found.into_iter().map(|(_, row)| row).collect())
    }
}

impl<V, K> Derived<V> for CountedRows<V, K>
where
    K: Ordinal + redb::Key + 'static,
    for<'a> K: redb::Value<SelfType<'a> = K>,
{
    fn change(&self, tx: &WriteTx, before: Option<&V>, after: Option<&V>) -> Result<()> {
        self.positions.change(tx, &self.rows, before.map(self.key), after.map(self.key))
    }

    fn rebuild(&self, tx: &WriteTx, _rows: RowsOf<'_, V>) -> Result<()> {
        self.positions.rebuild(tx, &self.rows)
    }

    fn flaws(&self, tx: &ReadTx, _rows: RowsOf<'_, V>) -> Result<Vec<String>> {
        self.positions.flaws(tx, &self.rows)
    }

    fn reads(&self) -> Option<&'static str> {
        Some(self.rows.name())
    }

    fn tables(&self) -> Vec<&'static str> {
        vec![self.positions.counts.name()]
    }
}

impl<K> Positions<K> {
    const fn new(counts: &'static str) -> Self {
        Positions { counts: Table::new(counts), bits: 8, near: 256, keys: std::marker::PhantomData }
    }
}

impl<K> Positions<K>
where
    K: Ordinal + redb::Key + 'static,
    for<'a> K: redb::Value<SelfType<'a> = K>,
{
    fn change<C>(&self, tx: &WriteTx, entries: &Table<K, C>, before: Option<K>, after: Option<K>) -> Result<()> {
        if before == after {
            return Ok(());
        }
        before.map_or(Ok(()), |key| self.remove(tx, key))?;
        after.map_or(Ok(()), |key| self.add(tx, entries, key))
    }

    /// Counts a key that was not counted before; whether it stands among `entries` already makes no difference.
    fn add<C>(&self, tx: &WriteTx, entries: &Table<K, C>, key: K) -> Result<()> {
        for level in 1..=LEVELS {
            let (floor, rows) = self.block_of(tx, level, key)?;
            if self.begins(level, key) {
                let before = self.between(tx, entries, level, floor, key)?;
                tx.put(&self.counts, block(level, floor), &before)?;
                tx.put(&self.counts, block(level, key), &(rows + 1).saturating_sub(before))?;
            } else {
                tx.put(&self.counts, block(level, floor), &(rows + 1))?;
            }
        }
        Ok(())
    }

    /// Counts a key no more.
    fn remove(&self, tx: &WriteTx, key: K) -> Result<()> {
        for level in 1..=LEVELS {
            let own = if self.begins(level, key) { tx.remove(&self.counts, block(level, key))? } else { None };
            let (floor, rows) = self.block_of(tx, level, key)?;
            tx.put(&self.counts, block(level, floor), &(rows + own.unwrap_or(0)).saturating_sub(1))?;
        }
        Ok(())
    }

    fn page<C: DeserializeOwned>(
        &self,
        tx: &impl ReadTransaction,
        entries: &Table<K, C>,
        range: RangeInclusive<K>,
        order: Order,
        page: Page,
    ) -> Result<Vec<(K, C)>> {
        let (first, last) = range.into_inner();
        let (range, skip) = match (page.offset, order) {
            (offset, _) if offset <= self.near => (first..=last, offset),
            (offset, Order::Ascending) => {
                match self.at(tx, entries, self.before(tx, entries, first)? + offset as u64)? {
                    Some(from) if from <= last => (from..=last, 0),
                    _ => return Ok(Vec::new()),
                }
            }
            (offset, Order::Descending) => {
                let end = self.before(tx, entries, last)? + u64::from(tx.contains(entries, last)?);
                let Some(position) = end.checked_sub(offset as u64 + 1) else { return Ok(Vec::new()) };
                match self.at(tx, entries, position)? {
                    Some(from) if from >= first => (first..=from, 0),
                    _ => return Ok(Vec::new()),
                }
            }
        };
        let found = tx.entries(entries, range, order).first_portion(skip.saturating_add(page.limit));
        let found = found.skip(skip).take(page.limit);
        found.map(|entry| entry.and_then(|entry| Ok((entry.key(), entry.value()?)))).collect()
    }

    /// What would be counted if it were counted anew.
    fn counted<C>(&self, tx: &impl ReadTransaction, entries: &Table<K, C>) -> Result<Vec<(Block, u64)>> {
        let mut counts = Vec::new();
        let mut open = [(K::of([0; 3]), 0u64); LEVELS as usize];
        for entry in all(tx, entries) {
            let key = entry?.key();
            for (level, (begin, rows)) in (1..).zip(&mut open) {
                if self.begins(level, key) {
                    counts.push((block(level, *begin), *rows));
                    (*begin, *rows) = (key, 0);
                }
                *rows += 1;
            }
        }
        counts.extend((1..).zip(open).map(|(level, (begin, rows))| (block(level, begin), rows)));
        counts.retain(|(_, rows)| *rows > 0);
        counts.sort_unstable();
        Ok(counts)
    }

    fn rebuild<C>(&self, tx: &WriteTx, entries: &Table<K, C>) -> Result<()> {
        tx.clear(&self.counts)?;
        self.counted(tx, entries)?.into_iter().try_for_each(|(block, rows)| tx.put(&self.counts, block, &rows))
    }

    fn flaws<C>(&self, tx: &impl ReadTransaction, entries: &Table<K, C>) -> Result<Vec<String>> {
        let unreadable = unreadable(tx, &self.counts)?;
        if !unreadable.is_empty() {
            return Ok(unreadable);
        }
        let mut kept = Vec::new();
        for entry in all(tx, &self.counts) {
            let entry = entry?;
            kept.push((entry.key(), entry.value()?));
        }
        // A block may have lost all its rows; what begins the list is always kept.
        kept.retain(|(_, rows)| *rows > 0);
        let counted = self.counted(tx, entries)?;
        if kept == counted {
            return Ok(Vec::new());
        }
        let is_wrong = |count: &&(Block, u64)| !(kept.contains(count) && counted.contains(count));
        let Some((block, _)) = counted.iter().chain(&kept).find(is_wrong) else { return Ok(Vec::new()) };
        let of = |counts: &[(Block, u64)]| counts.iter().find(|(begin, _)| begin == block).map_or(0, |(_, rows)| *rows);
        let (what, begin) = (if block.0 == 1 { "block" } else { "block of blocks" }, key_of::<K>(*block));
        let said = expected_and_found(Some(&of(&counted)), Some(&of(&kept)));
        let (table, begin) = (self.counts.name(), key_in_words(&begin));
        Ok(vec![format!("{table}: the entries do not add up: in the {what} from {begin} {said}")])
    }

    /// How many entries lie before `key`.
    fn before<C>(&self, tx: &impl ReadTransaction, entries: &Table<K, C>, key: K) -> Result<u64> {
        let (mut from, mut sum) = (K::of([0; 3]), 0);
        for level in (1..=LEVELS).rev() {
            let mut floor = None;
            for count in tx.entries(&self.counts, block(level, from)..=block(level, key), Order::Ascending) {
                let count = count?;
                sum += floor.replace((count.key(), count.value()?)).map_or(0, |(_, rows)| rows);
            }
            from = floor.map_or(from, |(begin, _)| key_of(begin));
        }
        Ok(sum + self.between(tx, entries, 1, from, key)?)
    }

    /// The key of the entry before which `position` others lie.
    fn at<C>(&self, tx: &impl ReadTransaction, entries: &Table<K, C>, mut position: u64) -> Result<Option<K>> {
        let mut from = K::of([0; 3]);
        for level in (1..=LEVELS).rev() {
            let mut found = None;
            let last = (level, u64::MAX, u64::MAX, u64::MAX);
            for count in tx.entries(&self.counts, block(level, from)..=last, Order::Ascending) {
                let count = count?;
                let rows = count.value()?;
                if position < rows {
                    found = Some(key_of(count.key()));
                    break;
                }
                position -= rows;
            }
            let Some(begin) = found else { return Ok(None) };
            from = begin;
        }
        let position = usize::try_from(position).map_err(Error::internal)?;
        let entry = tx.entries(entries, from.., Order::Ascending).nth(position).transpose()?;
        Ok(entry.map(|entry| entry.key()))
    }

    /// How many entries lie from `first` up to and without `end`, where both begin blocks below `level`.
    fn between<C>(
        &self,
        tx: &impl ReadTransaction,
        entries: &Table<K, C>,
        level: u64,
        first: K,
        end: K,
    ) -> Result<u64> {
        if level == 1 {
            return tx.entries(entries, first..end, Order::Ascending).try_fold(0, |sum, entry| entry.map(|_| sum + 1));
        }
        let range = block(level - 1, first)..block(level - 1, end);
        Ok(tx.values(&self.counts, range, Order::Ascending, 0, usize::MAX)?.into_iter().sum())
    }

    /// The block in which `key` lies, and its entries.
    fn block_of(&self, tx: &WriteTx, level: u64, key: K) -> Result<(K, u64)> {
        let found = tx.first(&self.counts, (level, 0, 0, 0)..=block(level, key), Order::Descending)?;
        found.map_or(Ok((K::of([0; 3]), 0)), |count| Ok((key_of(count.key()), count.value()?)))
    }

    fn begins(&self, level: u64, key: K) -> bool {
        let numbers = key.numbers();
        let hash = numbers.into_iter().fold(0, |hash: u64, number| mixed(hash ^ number));
        numbers != [0; 3] && u64::from(hash.trailing_zeros()) >= level * u64::from(self.bits)
    }
}

/// A hash that stays the same on every machine: the last step of SplitMix64 (Steele, Lea and Flood, 2014).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

fn block(level: u64, key: impl Ordinal) -> Block {
    let [first, second, third] = key.numbers();
    (level, first, second, third)
}

fn key_of<K: Ordinal>((_, first, second, third): Block) -> K {
    K::of([first, second, third])
}

#[cfg(test)]
mod tests;
