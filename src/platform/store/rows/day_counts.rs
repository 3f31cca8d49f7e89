//! Rows counted by day: how many lie before a day, without walking them.
//!
//! Each row counts for its day and for the block of 512 days that its day lies in. A sum reads the blocks
//! before the day and the days of its own block, so its cost does not grow with the rows.

use std::collections::BTreeMap;

use super::indexed::{Derived, RowsOf, all, unreadable};
use super::reading::ReadTransaction;
use super::table::{Order, Table};
use super::transaction::{ReadTx, WriteTx};
use hanok_base::Result;

/// Rows of `V` counted by a day. Key of a count: level (0: days, 1: blocks) and number; value: rows.
pub struct DayCounts<V> {
    table: Table<(u64, u64), u64>,
    day: fn(&V) -> Option<u64>,
}

const DAYS: u64 = 0;
const BLOCKS: u64 = 1;
const DAYS_IN_BLOCK: u64 = 512;

impl<V> DayCounts<V> {
    /// Counts in the table `name`. The day of a row is any number of days since any beginning; none: it is not counted.
    pub const fn new(name: &'static str, day: fn(&V) -> Option<u64>) -> Self {
        DayCounts { table: Table::new(name), day }
    }

    /// How many rows lie before `day`.
    pub fn before(&self, tx: &impl ReadTransaction, day: u64) -> Result<u64> {
        let block = day / DAYS_IN_BLOCK;
        let whole = self.sum(tx, (BLOCKS, 0), (BLOCKS, block))?;
        Ok(whole + self.sum(tx, (DAYS, block * DAYS_IN_BLOCK), (DAYS, day))?)
    }

    /// How many rows there are.
    pub fn total(&self, tx: &impl ReadTransaction) -> Result<u64> {
        self.sum(tx, (BLOCKS, 0), (BLOCKS, u64::MAX))
    }

    fn count(&self, tx: &WriteTx, day: u64, count: impl Fn(u64) -> u64) -> Result<()> {
        for key in keys(day) {
            match count(tx.get(&self.table, key)?.unwrap_or(0)) {
                0 => drop(tx.remove(&self.table, key)?),
                rows => tx.put(&self.table, key, &rows)?,
            }
        }
        Ok(())
    }

    fn sum(&self, tx: &impl ReadTransaction, from: (u64, u64), to: (u64, u64)) -> Result<u64> {
        Ok(tx.values(&self.table, from..to, Order::Ascending, 0, usize::MAX)?.into_iter().sum())
    }

    fn counted(&self, rows: RowsOf<'_, V>) -> Result<BTreeMap<(u64, u64), u64>> {
        let mut counts = BTreeMap::new();
        for row in rows() {
            for key in (self.day)(&row?).into_iter().flat_map(keys) {
                *counts.entry(key).or_default() += 1;
            }
        }
        Ok(counts)
    }
}

/// The day and its block.
fn keys(day: u64) -> [(u64, u64); 2] {
    [(DAYS, day), (BLOCKS, day / DAYS_IN_BLOCK)]
}

impl<V> Derived<V> for DayCounts<V> {
    fn change(&self, tx: &WriteTx, before: Option<&V>, after: Option<&V>) -> Result<()> {
        let (before, after) = (before.and_then(self.day), after.and_then(self.day));
        if before == after {
            return Ok(());
        }
        before.map_or(Ok(()), |day| self.count(tx, day, |rows| rows.saturating_sub(1)))?;
        after.map_or(Ok(()), |day| self.count(tx, day, |rows| rows + 1))
    }

    fn rebuild(&self, tx: &WriteTx, rows: RowsOf<'_, V>) -> Result<()> {
        tx.clear(&self.table)?;
        self.counted(rows)?.into_iter().try_for_each(|(key, rows)| tx.put(&self.table, key, &rows))
    }

    fn flaws(&self, tx: &ReadTx, rows: RowsOf<'_, V>) -> Result<Vec<String>> {
        let unreadable = unreadable(tx, &self.table)?;
        if !unreadable.is_empty() {
            return Ok(unreadable);
        }
        let mut stored = BTreeMap::new();
        for entry in all(tx, &self.table) {
            let entry = entry?;
            stored.insert(entry.key(), entry.value()?);
        }
        let counted = self.counted(rows)?;
        if stored == counted {
            return Ok(Vec::new());
        }
        let is_wrong = |key: &&(u64, u64)| stored.get(key) != counted.get(key);
        let key = counted.keys().chain(stored.keys()).find(is_wrong).copied().unwrap_or_default();
        let (rows, kept) = (counted.get(&key).unwrap_or(&0), stored.get(&key).unwrap_or(&0));
        let days = match key {
            (DAYS, day) => format!("day {day}"),
            (_, block) => format!("the {DAYS_IN_BLOCK} days from day {}", block.saturating_mul(DAYS_IN_BLOCK)),
        };
        Ok(vec![format!("{}: for {days} expected are {rows} rows, but found are {kept}", self.table.name())])
    }

    fn tables(&self) -> Vec<&'static str> {
        vec![self.table.name()]
    }
}
