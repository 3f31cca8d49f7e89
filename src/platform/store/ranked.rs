//! An index whose rows can be found by their place: page 5,000 of a long list costs what page 1 costs.
//!
//! About one key in 256, chosen by a hash of the key, begins a block, and one block in 256 begins a block of blocks; the
//! rows of each are counted. A place is found by adding up counts instead of walking rows, as in a skip list (W. Pugh,
//! "Skip Lists: A Probabilistic Alternative to Balanced Trees", 1990, with widths). Which keys begin blocks depends on the
//! keys alone, so the counts are the same whatever happened before.

use std::ops::{ControlFlow, RangeInclusive};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::table::{Order, Table};
use super::transaction::{Reads, WriteTx};
use hanok_base::{Page, Result};

/// A key that is made of numbers, which put it in order.
pub trait Place: Copy + Ord {
    /// The numbers, filled up with 0.
    fn numbers(self) -> [u64; 3];
    /// The key of these numbers.
    fn of(numbers: [u64; 3]) -> Self;
}

/// An index and the counts of its rows.
pub struct Ranked<K: redb::Key + 'static, V> {
    rows: Table<K, V>,
    counts: Table<Block, u64>,
    /// One key in 2 to this power begins a block.
    bits: u32,
    /// Rows up to which walking is cheaper than counting.
    near: usize,
}

/// Level (1: blocks of rows, 2: blocks of blocks) and the numbers of the key that begins the block.
type Block = (u64, u64, u64, u64);

const LEVELS: u64 = 2;

impl<K, V> Ranked<K, V>
where
    K: Place + redb::Key + 'static,
    for<'a> K: redb::Value<SelfType<'a> = K>,
    V: Serialize + DeserializeOwned,
{
    /// The index `rows`, counted in `counts`. Key of a count: its block. Value: rows in it.
    pub const fn new(rows: Table<K, V>, counts: Table<Block, u64>) -> Self {
        Ranked { rows, counts, bits: 8, near: 256 }
    }

    /// The index itself, to be walked.
    pub const fn rows(&self) -> &Table<K, V> {
        &self.rows
    }

    /// Adds a row under a key that is not there yet.
    pub fn add(&self, tx: &WriteTx, key: K, value: &V) -> Result<()> {
        for level in 1..=LEVELS {
            let (floor, rows) = self.block_of(tx, level, key)?;
            if self.begins(level, key) {
                let before = self.between(tx, level, floor, key)?;
                tx.put(&self.counts, block(level, floor), &before)?;
                tx.put(&self.counts, block(level, key), &(rows - before + 1))?;
            } else {
                tx.put(&self.counts, block(level, floor), &(rows + 1))?;
            }
        }
        tx.put(&self.rows, key, value)
    }

    /// Removes a row and gives it; one that is not there changes nothing.
    pub fn remove(&self, tx: &WriteTx, key: K) -> Result<Option<V>> {
        let Some(removed) = tx.remove(&self.rows, key)? else { return Ok(None) };
        for level in 1..=LEVELS {
            let own = if self.begins(level, key) { tx.remove(&self.counts, block(level, key))? } else { None };
            let (floor, rows) = self.block_of(tx, level, key)?;
            tx.put(&self.counts, block(level, floor), &(rows + own.unwrap_or(0)).saturating_sub(1))?;
        }
        Ok(Some(removed))
    }

    /// The rows of `range` on `page`, in this order.
    pub fn page(&self, tx: &impl Reads, range: RangeInclusive<K>, order: Order, page: Page) -> Result<Vec<(K, V)>> {
        let (first, last) = range.into_inner();
        let (range, skip) = match (page.offset, order) {
            (offset, _) if offset <= self.near => (first..=last, offset),
            (offset, Order::Ascending) => match self.at(tx, self.before(tx, first)? + offset as u64)? {
                Some(from) if from <= last => (from..=last, 0),
                _ => return Ok(Vec::new()),
            },
            (offset, Order::Descending) => {
                let end = self.before(tx, last)? + u64::from(tx.contains(&self.rows, last)?);
                let Some(place) = end.checked_sub(offset as u64 + 1) else { return Ok(Vec::new()) };
                match self.at(tx, place)? {
                    Some(from) if from >= first => (first..=from, 0),
                    _ => return Ok(Vec::new()),
                }
            }
        };
        let mut found = Vec::new();
        let mut passed = 0;
        tx.each(&self.rows, range, order, |key, value| {
            if passed < skip {
                passed += 1;
            } else {
                found.push((key, value.decode()?));
            }
            Ok(if found.len() < page.limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        Ok(found)
    }

    /// Counts the rows of a store that was written before they were counted. Gives whether it had to.
    pub fn prepare(&self, tx: &WriteTx) -> Result<bool> {
        if tx.count(&self.counts)? > 0 || tx.count(&self.rows)? == 0 {
            return Ok(false);
        }
        for level in 1..=LEVELS {
            let (mut blocks, mut begin, mut rows) = (Vec::new(), K::of([0; 3]), 0u64);
            tx.each(&self.rows, K::of([0; 3]).., Order::Ascending, |key, _| {
                if self.begins(level, key) {
                    blocks.push((begin, rows));
                    (begin, rows) = (key, 0);
                }
                rows += 1;
                Ok(ControlFlow::Continue(()))
            })?;
            blocks.push((begin, rows));
            blocks.iter().try_for_each(|(begin, rows)| tx.put(&self.counts, block(level, *begin), rows))?;
        }
        Ok(true)
    }

    /// How many rows lie before `key`.
    fn before(&self, tx: &impl Reads, key: K) -> Result<u64> {
        let (mut from, mut sum) = (K::of([0; 3]), 0);
        for level in (1..=LEVELS).rev() {
            let mut floor = None;
            tx.each(&self.counts, block(level, from)..=block(level, key), Order::Ascending, |begin, rows| {
                sum += floor.replace((begin, rows.decode()?)).map_or(0, |(_, rows)| rows);
                Ok(ControlFlow::Continue(()))
            })?;
            from = floor.map_or(from, |(begin, _)| key_of(begin));
        }
        Ok(sum + self.between(tx, 1, from, key)?)
    }

    /// The key of the row before which `place` others lie.
    fn at(&self, tx: &impl Reads, mut place: u64) -> Result<Option<K>> {
        let mut from = K::of([0; 3]);
        for level in (1..=LEVELS).rev() {
            let mut found = None;
            tx.each(
                &self.counts,
                block(level, from)..=(level, u64::MAX, u64::MAX, u64::MAX),
                Order::Ascending,
                |begin, rows| {
                    let rows = rows.decode()?;
                    if place < rows {
                        found = Some(key_of(begin));
                        return Ok(ControlFlow::Break(()));
                    }
                    place -= rows;
                    Ok(ControlFlow::Continue(()))
                },
            )?;
            let Some(begin) = found else { return Ok(None) };
            from = begin;
        }
        let mut found = None;
        tx.each(&self.rows, from.., Order::Ascending, |key, _| {
            found = Some(key);
            place = place.wrapping_sub(1);
            Ok(if place == u64::MAX { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(found)
    }

    /// How many rows lie from `first` up to and without `end`, where both begin blocks below `level`.
    fn between(&self, tx: &impl Reads, level: u64, first: K, end: K) -> Result<u64> {
        let mut sum = 0;
        if level == 1 {
            tx.each(&self.rows, first..end, Order::Ascending, |_, _| {
                sum += 1;
                Ok(ControlFlow::Continue(()))
            })?;
        } else {
            tx.each(&self.counts, block(level - 1, first)..block(level - 1, end), Order::Ascending, |_, rows| {
                sum += rows.decode()?;
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(sum)
    }

    /// The block in which `key` lies, and its rows.
    fn block_of(&self, tx: &WriteTx, level: u64, key: K) -> Result<(K, u64)> {
        let mut found = (K::of([0; 3]), 0);
        tx.each(&self.counts, (level, 0, 0, 0)..=block(level, key), Order::Descending, |begin, rows| {
            found = (key_of(begin), rows.decode()?);
            Ok(ControlFlow::Break(()))
        })?;
        Ok(found)
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

fn block(level: u64, key: impl Place) -> Block {
    let [first, second, third] = key.numbers();
    (level, first, second, third)
}

fn key_of<K: Place>((_, first, second, third): Block) -> K {
    K::of([first, second, third])
}

impl Place for u64 {
    fn numbers(self) -> [u64; 3] {
        [self, 0, 0]
    }

    fn of([number, ..]: [u64; 3]) -> Self {
        number
    }
}

impl Place for (u64, u64) {
    fn numbers(self) -> [u64; 3] {
        [self.0, self.1, 0]
    }

    fn of([first, second, _]: [u64; 3]) -> Self {
        (first, second)
    }
}

impl Place for (u64, u64, u64) {
    fn numbers(self) -> [u64; 3] {
        [self.0, self.1, self.2]
    }

    fn of([first, second, third]: [u64; 3]) -> Self {
        (first, second, third)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::Store;
    use super::*;
    use crate::events::Events;
    use hanok_base::Clock;

    const ROWS: Table<(u64, u64), u64> = Table::new("test_rows-1");
    const COUNTS: Table<Block, u64> = Table::new("test_counts-1");

    type Counts = Vec<(Block, u64)>;

    fn counts(tx: &impl Reads) -> Counts {
        let mut all = Vec::new();
        tx.each(&COUNTS, (0, 0, 0, 0).., Order::Ascending, |block, rows| {
            all.push((block, rows.decode()?));
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
        all
    }

    proptest! {
        #[test]
        fn every_page_is_what_walking_gives_whatever_was_added_and_removed(
            // Far more blocks than in life, so that few rows have many.
            bits in 1u32..3,
            changes in prop::collection::vec((any::<bool>(), 0u64..6, 0u64..40), 0..300),
            asked in (0u64..7, 0u64..7, 0usize..200, 1usize..30, any::<bool>()),
        ) {
            let index = Ranked { rows: ROWS, counts: COUNTS, bits, near: 0 };
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let store = Store::memory(Clock::machine(), Events::default()).unwrap();
            let (from, to, offset, limit, ascending) = asked;
            let written = runtime.block_on(store.write(move |tx| {
                let mut expected = BTreeSet::new();
                for (adds, first, second) in changes {
                    let key = (first, second);
                    if !adds {
                        index.remove(tx, key)?;
                        expected.remove(&key);
                    } else if expected.insert(key) {
                        index.add(tx, key, &(first * 100 + second))?;
                    }
                }
                let range = (from, 0)..=(to, u64::MAX);
                let in_range = expected.iter().copied().filter(|key| range.contains(key));
                let wanted: Vec<_> = if ascending {
                    in_range.skip(offset).take(limit).collect()
                } else {
                    in_range.rev().skip(offset).take(limit).collect()
                };
                let order = if ascending { Order::Ascending } else { Order::Descending };
                let found = index.page(tx, range, order, Page { limit, offset })?;
                let places: Vec<_> = (0..=expected.len() as u64).map(|place| index.at(tx, place).unwrap()).collect();
                let kept = counts(tx);
                kept.iter().try_for_each(|(block, _)| tx.remove(&COUNTS, *block).map(drop))?;
                let counted = index.prepare(tx)?.then(|| counts(tx));
                Ok((expected, wanted, found, places, kept, counted))
            }));
            let (expected, wanted, found, places, kept, counted) = written.unwrap();
            prop_assert!(found.iter().all(|((first, second), value)| first * 100 + second == *value));
            prop_assert_eq!(found.into_iter().map(|(key, _)| key).collect::<Vec<_>>(), wanted);
            prop_assert_eq!(places, expected.iter().copied().map(Some).chain([None]).collect::<Vec<_>>());
            if let Some(counted) = counted {
                let kept: Counts = kept.into_iter().filter(|(_, rows)| *rows > 0).collect();
                let counted: Counts = counted.into_iter().filter(|(_, rows)| *rows > 0).collect();
                prop_assert_eq!(counted, kept, "counting anew gives what was kept");
            }
        }
    }
}
