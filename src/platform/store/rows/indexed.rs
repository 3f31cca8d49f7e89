//! Rows with what is derived from them: indexes, counts and totals, each declared as a function of the row.
//!
//! ```text
//! const TODOS: IndexedTable<u64, Todo> = IndexedTable::new("todos-1", |todo| todo.id, &[&IN_ORDER, &OPEN_BY_DAY]);
//! ```
//!
//! [`put`](IndexedTable::put) and [`remove`](IndexedTable::remove) bring everything derived from what the old row said
//! to what the new one says, and write only what differs. What is derived can be rebuilt from the rows, and compared
//! with them, by one verb each ([`Declared`]).

use std::borrow::Borrow;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::integrity::{IntegrityErrors, key_in_words};
use super::reading::ReadTransaction;
use super::table::{Order, Stored, Table};
use super::transaction::{ReadTx, WriteTx};
use super::walk::{Bounds, Entries, Entry};
use hanok_base::Result;

/// A table whose rows know their key, with everything that is derived from them.
pub struct IndexedTable<K: redb::Key + 'static, V: 'static> {
    rows: Table<K, V>,
    key: for<'r> fn(&'r V) -> K::SelfType<'r>,
    derived: &'static [&'static dyn Derived<V>],
}

/// What is derived from each row of `V` and kept with it.
pub trait Derived<V>: Sync {
    /// Refuses the change from `before` to `after` when another row stands in its way. Writes nothing.
    fn admit(&self, _tx: &WriteTx, _before: Option<&V>, _after: &V) -> Result<()> {
        Ok(())
    }

    /// Brings what `before` gave to what `after` gives; none: the row was not there, or is there no more.
    fn change(&self, tx: &WriteTx, before: Option<&V>, after: Option<&V>) -> Result<()>;

    /// Derives everything anew.
    fn rebuild(&self, tx: &WriteTx, rows: RowsOf<'_, V>) -> Result<()>;

    /// What is not as it would be if it were derived anew, one line each; also what is kept and cannot be read.
    fn flaws(&self, tx: &ReadTx, rows: RowsOf<'_, V>) -> Result<Vec<String>>;

    /// The names of its tables.
    fn tables(&self) -> Vec<&'static str>;

    /// The table whose rows it reads by itself; none: it reads only those that it is given.
    fn reads(&self) -> Option<&'static str> {
        None
    }
}

/// Of what is wrong with one table in one way so many are named; the others are counted.
const NAMED: usize = 3;

/// Walks all rows of a table, as often as it is called.
pub type RowsOf<'t, V> = &'t dyn Fn() -> Box<dyn Iterator<Item = Result<V>> + 't>;

/// A table as a domain declares it, whatever its types are.
pub trait Declared: Sync {
    /// The names of the table and of all that is derived from it.
    fn tables(&self) -> Vec<&'static str>;

    /// Whether anything is derived from its rows.
    fn has_derived(&self) -> bool {
        false
    }

    /// Derives everything anew from the rows.
    fn rebuild(&self, tx: &WriteTx) -> Result<()>;

    /// What is wrong: rows that cannot be read, entries without a row and rows without an entry, counts and totals that
    /// are not those of the rows.
    fn flaws(&self, tx: &ReadTx) -> Result<IntegrityErrors>;
}

impl<K: redb::Key + 'static, V: Serialize + DeserializeOwned> IndexedTable<K, V> {
    /// The rows in the table `name`, the key of a row, and all that is derived from it.
    pub const fn new(
        name: &'static str,
        key: for<'r> fn(&'r V) -> K::SelfType<'r>,
        derived: &'static [&'static dyn Derived<V>],
    ) -> Self {
        IndexedTable { rows: Table::new(name), key, derived }
    }

    /// The name of the table of its rows, with its version.
    pub const fn name(&self) -> &'static str {
        self.rows.name()
    }

    /// Writes `row` in the place of the one with its key, with all that is derived from it.
    ///
    /// # Errors
    /// That of a unique index when another row stands there already; nothing is written then.
    pub fn put(&self, tx: &WriteTx, row: &V) -> Result<()> {
        let before = tx.get(self, (self.key)(row))?;
        self.derived.iter().try_for_each(|derived| derived.admit(tx, before.as_ref(), row))?;
        tx.put(&self.rows, (self.key)(row), row)?;
        self.derived.iter().try_for_each(|derived| derived.change(tx, before.as_ref(), Some(row)))
    }

    /// Removes the row under `key`, with all that is derived from it, and gives it.
    pub fn remove<'k>(&self, tx: &WriteTx, key: impl Borrow<K::SelfType<'k>>) -> Result<Option<V>> {
        let Some(removed) = tx.remove(&self.rows, key)? else { return Ok(None) };
        self.derived.iter().try_for_each(|derived| derived.change(tx, Some(&removed), None))?;
        Ok(Some(removed))
    }

    /// Every row, one after the other.
    pub fn walk<'t>(&self, tx: &'t impl ReadTransaction) -> Box<dyn Iterator<Item = Result<V>> + 't> {
        Box::new(all(tx, &self.rows).map(|row| row.and_then(|row| row.value())))
    }
}

impl<K: redb::Key + 'static, V> Stored for IndexedTable<K, V> {
    type Key = K;
    type Value = V;

    fn stored(&self) -> &Table<K, V> {
        &self.rows
    }
}

impl<K: redb::Key + 'static, V: Serialize + DeserializeOwned> Declared for IndexedTable<K, V> {
    fn tables(&self) -> Vec<&'static str> {
        std::iter::once(self.rows.name()).chain(self.derived.iter().flat_map(|derived| derived.tables())).collect()
    }

    fn has_derived(&self) -> bool {
        !self.derived.is_empty()
    }

    fn rebuild(&self, tx: &WriteTx) -> Result<()> {
        self.derived.iter().try_for_each(|derived| derived.rebuild(tx, &|| self.walk(tx)))
    }

    fn flaws(&self, tx: &ReadTx) -> Result<IntegrityErrors> {
        let is_its_own = |entry: &Entry<K, V>, row: &V| bytes::<K>(&(self.key)(row)) == bytes::<K>(&entry.key());
        let mut flaws =
            IntegrityErrors { of_rows: wrong_rows(tx, &self.rows, is_its_own)?, ..IntegrityErrors::default() };
        if !flaws.is_empty() && !self.derived.is_empty() {
            let derived: Vec<_> = self.derived.iter().flat_map(|derived| derived.tables()).collect();
            flaws.of_rows.push(format!(
                "{}: so these cannot be compared with it: {}",
                self.rows.name(),
                derived.join(", ")
            ));
        }
        for read in self.derived.iter().filter_map(|derived| derived.reads()).filter(|read| *read != self.rows.name()) {
            flaws.of_rows.push(format!("{}: what is derived from it reads the rows of {read}", self.rows.name()));
        }
        if flaws.is_empty() {
            for derived in self.derived {
                flaws.of_derived.extend(derived.flaws(tx, &|| self.walk(tx))?);
            }
        }
        Ok(flaws)
    }
}

impl<K: redb::Key + 'static, V: DeserializeOwned> Declared for Table<K, V> {
    fn tables(&self) -> Vec<&'static str> {
        vec![self.name()]
    }

    fn rebuild(&self, _tx: &WriteTx) -> Result<()> {
        Ok(())
    }

    fn flaws(&self, tx: &ReadTx) -> Result<IntegrityErrors> {
        Ok(IntegrityErrors { of_rows: unreadable(tx, self)?, ..IntegrityErrors::default() })
    }
}

/// The first entries of `table` that cannot be read, and how many more there are.
pub(super) fn unreadable<K: redb::Key + 'static, V: DeserializeOwned>(
    tx: &impl ReadTransaction,
    table: &Table<K, V>,
) -> Result<Vec<String>> {
    wrong_rows(tx, table, |_, _| true)
}

/// The first rows of `table` that cannot be read or are not under their own key, and how many more there are.
fn wrong_rows<K: redb::Key + 'static, V: DeserializeOwned>(
    tx: &impl ReadTransaction,
    table: &Table<K, V>,
    is_its_own: impl Fn(&Entry<K, V>, &V) -> bool,
) -> Result<Vec<String>> {
    let mut flaws = Vec::new();
    for entry in all(tx, table) {
        let entry = entry?;
        match entry.value() {
            Ok(row) if is_its_own(&entry, &row) => {}
            Ok(_) => flaws.push(format!(
                "{}: under {} lies a row with another key",
                table.name(),
                key_in_words(&entry.key())
            )),
            Err(_) => flaws.push(format!("{}: {} cannot be read", table.name(), key_in_words(&entry.key()))),
        }
    }
    if flaws.len() > NAMED {
        let others = flaws.split_off(NAMED).len();
        flaws.push(format!("{}: {others} more like these", table.name()));
    }
    Ok(flaws)
}

/// Every entry of `table`.
pub(super) fn all<'t, X: ReadTransaction, K: redb::Key + 'static, V>(
    tx: &'t X,
    table: &Table<K, V>,
) -> Entries<'t, X, K, V> {
    Entries::new(tx, table.name(), Bounds::all(), Order::Ascending)
}

/// A key as it is stored.
pub(super) fn bytes<K: redb::Key + 'static>(key: &K::SelfType<'_>) -> Vec<u8> {
    K::as_bytes(key).as_ref().to_vec()
}

/// The first few of what was found, and how many there are.
pub(super) fn some_of(found: &[String]) -> String {
    let named: Vec<_> = found.iter().take(NAMED).map(String::as_str).collect();
    format!("{} ({})", found.len(), named.join("; "))
}
