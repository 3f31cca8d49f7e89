//! An index: rows in another order, or found by something else than their key.

use std::collections::HashSet;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::indexed::{Derived, RowsOf, all, bytes, some_of, unreadable};
use super::integrity::{expected_and_found, key_in_words};
use super::reading::ReadTransaction;
use super::table::{Stored, Table};
use super::transaction::{ReadTx, WriteTx};
use hanok_base::{Error, Result};

/// An index over rows of `V`, sorted by `K`, with `C` beside each key for what is asked of the index alone.
pub struct Index<V, K: redb::Key + 'static, C = ()> {
    table: Table<K, C>,
    entry: EntryOf<V, K, C>,
    taken: Option<fn(&V) -> Error>,
}

/// The entry of a row; none when it does not belong in the index.
pub type EntryOf<V, K, C> = for<'r> fn(&'r V) -> Option<(<K as redb::Value>::SelfType<'r>, C)>;

impl<V, K: redb::Key + 'static, C: PartialEq + Serialize + DeserializeOwned> Index<V, K, C> {
    /// An index in the table `name`. Where two rows may be equal in what they are sorted by, the key ends with the key
    /// of the row, so that each has its own.
    pub const fn new(name: &'static str, entry: EntryOf<V, K, C>) -> Self {
        Index { table: Table::new(name), entry, taken: None }
    }

    /// A unique index: a row whose key another row has already is refused with what `taken` says of it.
    pub const fn unique(name: &'static str, entry: EntryOf<V, K, C>, taken: fn(&V) -> Error) -> Self {
        Index { table: Table::new(name), entry, taken: Some(taken) }
    }

    /// The entry of `row`.
    pub(super) fn entry<'r>(&self, row: &'r V) -> Option<(K::SelfType<'r>, C)> {
        (self.entry)(row)
    }
}

impl<V, K: redb::Key + 'static, C> Stored for Index<V, K, C> {
    type Key = K;
    type Value = C;

    fn stored(&self) -> &Table<K, C> {
        &self.table
    }
}

impl<V, K: redb::Key + 'static, C: PartialEq + Serialize + DeserializeOwned> Derived<V> for Index<V, K, C> {
    fn admit(&self, tx: &WriteTx, before: Option<&V>, after: &V) -> Result<()> {
        let Some(taken) = self.taken else { return Ok(()) };
        let Some((key, _)) = self.entry(after) else { return Ok(()) };
        let is_its_own = before
            .and_then(|before| self.entry(before))
            .is_some_and(|(before, _)| bytes::<K>(&before) == bytes::<K>(&key));
        if !is_its_own && tx.contains(self, key)? { Err(taken(after)) } else { Ok(()) }
    }

    fn change(&self, tx: &WriteTx, before: Option<&V>, after: Option<&V>) -> Result<()> {
        let before = before.and_then(|row| self.entry(row));
        let after = after.and_then(|row| self.entry(row));
        if let (Some((old, beside)), Some((new, beside_new))) = (&before, &after)
            && bytes::<K>(old) == bytes::<K>(new)
        {
            return if beside == beside_new { Ok(()) } else { tx.put(&self.table, new, beside_new) };
        }
        if let Some((key, _)) = before {
            tx.remove(&self.table, key)?;
        }
        match after {
            Some((key, beside)) => tx.put(&self.table, key, &beside),
            None => Ok(()),
        }
    }

    fn rebuild(&self, tx: &WriteTx, rows: RowsOf<'_, V>) -> Result<()> {
        tx.clear(&self.table)?;
        rows().try_for_each(|row| self.change(tx, None, Some(&row?)))
    }

    fn flaws(&self, tx: &ReadTx, rows: RowsOf<'_, V>) -> Result<Vec<String>> {
        let mut flaws = unreadable(tx, &self.table)?;
        if !flaws.is_empty() {
            return Ok(flaws);
        }
        let (mut missing, mut present) = (Vec::new(), 0);
        for row in rows() {
            let row = row?;
            let Some((key, beside)) = self.entry(&row) else { continue };
            let named = key_in_words(&key);
            let found = tx.get(self, key)?;
            present += u64::from(found.is_some());
            if found.as_ref() != Some(&beside) {
                missing.push(format!("{named}: {}", expected_and_found(Some(&beside), found.as_ref())));
            }
        }
        if !missing.is_empty() {
            flaws.push(format!("{}: rows that are not in the index: {}", self.table.name(), some_of(&missing)));
        }
        // Keys are collected only when there are more entries than rows: memory does not grow with a sound store.
        if tx.count(self)? != present {
            let without_row = self.without_row(tx, rows)?;
            flaws.push(format!("{}: entries without a row: {}", self.table.name(), some_of(&without_row)));
        }
        Ok(flaws)
    }

    fn tables(&self) -> Vec<&'static str> {
        vec![self.table.name()]
    }
}

impl<V, K: redb::Key + 'static, C: PartialEq + Serialize + DeserializeOwned> Index<V, K, C> {
    fn without_row(&self, tx: &ReadTx, rows: RowsOf<'_, V>) -> Result<Vec<String>> {
        let mut keys = HashSet::new();
        for row in rows() {
            let row = row?;
            keys.extend(self.entry(&row).map(|(key, _)| bytes::<K>(&key)));
        }
        let mut without = Vec::new();
        for entry in all(tx, &self.table) {
            let entry = entry?;
            if !keys.contains(&bytes::<K>(&entry.key())) {
                let found = expected_and_found(None, Some(&entry.value()?));
                without.push(format!("{}: {found}", key_in_words(&entry.key())));
            }
        }
        Ok(without)
    }
}
