//! Rows counted by day: how many lie before a day, without walking them.
//!
//! Each row counts for its day and for the block of 512 days that its day lies in. A sum reads the blocks
//! before the day and the days of its own block, so its cost does not grow with the rows.

use std::ops::ControlFlow;

use super::table::{Order, Table};
use super::transaction::{Reads, WriteTx};
use hanok_base::Result;

/// Counts in a table of their own. Key: level (0: days, 1: blocks) and number; value: rows.
pub struct Tally(Table<(u64, u64), u64>);

const DAYS: u64 = 0;
const BLOCKS: u64 = 1;
const DAYS_IN_BLOCK: u64 = 512;

impl Tally {
    /// Counts that are kept in `table`.
    pub const fn on(table: Table<(u64, u64), u64>) -> Self {
        Tally(table)
    }

    /// Counts one row more on `day`, any number of days since any beginning.
    pub fn add(&self, tx: &WriteTx, day: u64) -> Result<()> {
        self.change(tx, day, |rows| rows + 1)
    }

    /// Counts one row less on `day`.
    pub fn subtract(&self, tx: &WriteTx, day: u64) -> Result<()> {
        self.change(tx, day, |rows| rows.saturating_sub(1))
    }

    /// How many rows lie before `day`.
    pub fn before(&self, tx: &impl Reads, day: u64) -> Result<u64> {
        let block = day / DAYS_IN_BLOCK;
        let whole = self.sum(tx, (BLOCKS, 0), (BLOCKS, block))?;
        Ok(whole + self.sum(tx, (DAYS, block * DAYS_IN_BLOCK), (DAYS, day))?)
    }

    /// How many rows there are.
    pub fn total(&self, tx: &impl Reads) -> Result<u64> {
        self.sum(tx, (BLOCKS, 0), (BLOCKS, u64::MAX))
    }

    fn change(&self, tx: &WriteTx, day: u64, change: impl Fn(u64) -> u64) -> Result<()> {
        for key in [(DAYS, day), (BLOCKS, day / DAYS_IN_BLOCK)] {
            match change(tx.get(&self.0, key)?.unwrap_or(0)) {
                0 => drop(tx.remove(&self.0, key)?),
                rows => tx.put(&self.0, key, &rows)?,
            }
        }
        Ok(())
    }

    fn sum(&self, tx: &impl Reads, from: (u64, u64), to: (u64, u64)) -> Result<u64> {
        let mut sum = 0;
        tx.each(&self.0, from..to, Order::Ascending, |_, rows| {
            sum += rows.decode()?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Events;
    use crate::store::Store;
    use hanok_base::Clock;

    const VISITS: Tally = Tally::on(Table::new("test_visits-1"));

    #[tokio::test]
    async fn rows_before_a_day_are_counted_over_days_and_blocks() {
        let store = Store::memory(Clock::machine(), Events::default()).unwrap();
        let days = [3, 3, 511, 512, 700_000, 739_901, 739_901, u64::from(u32::MAX)];
        store.write(move |tx| days.iter().try_for_each(|day| VISITS.add(tx, *day))).await.unwrap();
        let count = |day: u64| store.read_now(|tx| VISITS.before(tx, day)).unwrap();
        for day in [0, 3, 4, 511, 512, 513, 700_000, 739_901, 739_902, u64::MAX] {
            assert_eq!(count(day), days.iter().filter(|other| **other < day).count() as u64, "before day {day}");
        }
        assert_eq!(store.read_now(|tx| VISITS.total(tx)).unwrap(), 8);
        store.write(move |tx| days.iter().try_for_each(|day| VISITS.subtract(tx, *day))).await.unwrap();
        assert_eq!(store.read_now(|tx| VISITS.total(tx)).unwrap(), 0);
    }
}
