//! Running totals: sums over the rows of a group, kept as the rows change, so that nobody adds up all of them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::indexed::{Derived, RowsOf, all, bytes, unreadable};
use super::integrity::{expected_and_found, key_in_words};
use super::reading::ReadTransaction;
use super::table::{Stored, Table};
use super::transaction::{ReadTx, WriteTx};
use hanok_base::Result;

/// The sum of each group of rows of `V`. Key: the group; value: its sum.
pub struct RunningTotals<V, G: redb::Key + 'static, T> {
    table: Table<G, T>,
    group: for<'r> fn(&'r V) -> G::SelfType<'r>,
    count: Count<V, T>,
    is_empty: fn(&T) -> bool,
}

/// Brings each figure of a row into the one of a sum, by a function that adds it or subtracts it.
type Count<V, T> = fn(&mut T, &V, fn(u64, u64) -> u64);

impl<V, G: redb::Key + 'static, T> RunningTotals<V, G, T> {
    /// Sums in the table `name`, of the rows with the same `group`: how a row is counted in a sum, by a function that adds
    /// each of its figures, or subtracts what was added before; and whether a sum is that of no rows, which is not kept.
    pub const fn new(
        name: &'static str,
        group: for<'r> fn(&'r V) -> G::SelfType<'r>,
        count: Count<V, T>,
        is_empty: fn(&T) -> bool,
    ) -> Self {
        RunningTotals { table: Table::new(name), group, count, is_empty }
    }

    fn add(&self, total: &mut T, row: &V) {
        (self.count)(total, row, u64::saturating_add);
    }

    fn subtract(&self, total: &mut T, row: &V) {
        (self.count)(total, row, u64::saturating_sub);
    }
}

impl<V, G, T> RunningTotals<V, G, T>
where
    G: redb::Key + 'static,
    T: Clone + Default + PartialEq + Serialize + DeserializeOwned,
{
    fn adjust(&self, tx: &WriteTx, group: G::SelfType<'_>, adjust: impl FnOnce(&mut T)) -> Result<()> {
        let before = tx.get(&self.table, &group)?.unwrap_or_default();
        let mut after = before.clone();
        adjust(&mut after);
        if (self.is_empty)(&after) {
            tx.remove(&self.table, &group).map(drop)
        } else if after == before {
            Ok(())
        } else {
            tx.put(&self.table, &group, &after)
        }
    }

    fn summed(&self, rows: RowsOf<'_, V>) -> Result<BTreeMap<Vec<u8>, T>> {
        let mut sums: BTreeMap<Vec<u8>, T> = BTreeMap::new();
        for row in rows() {
            let row = row?;
            self.add(sums.entry(bytes::<G>(&(self.group)(&row))).or_default(), &row);
        }
        Ok(sums)
    }
}

impl<V, G: redb::Key + 'static, T> Stored for RunningTotals<V, G, T> {
    type Key = G;
    type Value = T;

    fn stored(&self) -> &Table<G, T> {
        &self.table
    }
}

impl<V, G, T> Derived<V> for RunningTotals<V, G, T>
where
    G: redb::Key + 'static,
    T: Clone + Default + PartialEq + Serialize + DeserializeOwned,
{
    fn change(&self, tx: &WriteTx, before: Option<&V>, after: Option<&V>) -> Result<()> {
        if let (Some(before), Some(after)) = (before, after)
            && bytes::<G>(&(self.group)(before)) == bytes::<G>(&(self.group)(after))
        {
            return self.adjust(tx, (self.group)(after), |total| {
                self.subtract(total, before);
                self.add(total, after);
            });
        }
        before.map_or(Ok(()), |row| self.adjust(tx, (self.group)(row), |total| self.subtract(total, row)))?;
        after.map_or(Ok(()), |row| self.adjust(tx, (self.group)(row), |total| self.add(total, row)))
    }

    fn rebuild(&self, tx: &WriteTx, rows: RowsOf<'_, V>) -> Result<()> {
        tx.clear(&self.table)?;
        self.summed(rows)?.iter().try_for_each(|(group, sum)| tx.put(&self.table, G::from_bytes(group), sum))
    }

    fn flaws(&self, tx: &ReadTx, rows: RowsOf<'_, V>) -> Result<Vec<String>> {
        let mut flaws = unreadable(tx, &self.table)?;
        if !flaws.is_empty() {
            return Ok(flaws);
        }
        let mut sums = self.summed(rows)?;
        let mut compare = |group: G::SelfType<'_>, sum: &T, kept: &T| {
            if sum != kept && !((self.is_empty)(sum) && (self.is_empty)(kept)) {
                let said = expected_and_found(Some(sum), Some(kept));
                flaws.push(format!("{}: for the rows of {} {said}", self.table.name(), key_in_words(&group)));
            }
        };
        for entry in all(tx, &self.table) {
            let entry = entry?;
            let sum = sums.remove(&bytes::<G>(&entry.key())).unwrap_or_default();
            compare(entry.key(), &sum, &entry.value()?);
        }
        sums.iter().for_each(|(group, sum)| compare(G::from_bytes(group), sum, &T::default()));
        Ok(flaws)
    }

    fn tables(&self) -> Vec<&'static str> {
        vec![self.table.name()]
    }
}
