//! An index with several entries for a row, such as one for each of its tags.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::indexed::{Derived, RowsOf, all, bytes, some_of, unreadable};
use super::integrity::{expected_and_found, key_in_words};
use super::reading::ReadTransaction;
use super::table::{Stored, Table};
use super::transaction::{ReadTx, WriteTx};
use hanok_base::Result;

/// An index over rows of `V`, sorted by `K`, in which a row may stand several times, with `C` beside each key.
pub struct ManyIndex<V, K: redb::Key + 'static, C = ()> {
    table: Table<K, C>,
    entries: EntriesOf<V, K, C>,
}

/// The entries of a row, each under a key of its own: the key ends with the key of the row.
pub type EntriesOf<V, K, C> = for<'r> fn(&'r V) -> Vec<(<K as redb::Value>::SelfType<'r>, C)>;

impl<V, K: redb::Key + 'static, C: PartialEq + Serialize + DeserializeOwned> ManyIndex<V, K, C> {
    /// An index in the table `name`.
    pub const fn new(name: &'static str, entries: EntriesOf<V, K, C>) -> Self {
        ManyIndex { table: Table::new(name), entries }
    }

    /// The entries of `row` by their keys as they are stored.
    fn of<'r>(&self, row: Option<&'r V>) -> BTreeMap<Vec<u8>, (K::SelfType<'r>, C)> {
        let entries = row.map(self.entries).unwrap_or_default();
        entries.into_iter().map(|entry| (bytes::<K>(&entry.0), entry)).collect()
    }
}

impl<V, K: redb::Key + 'static, C> Stored for ManyIndex<V, K, C> {
    type Key = K;
    type Value = C;

    fn stored(&self) -> &Table<K, C> {
        &self.table
    }
}

impl<V, K: redb::Key + 'static, C: PartialEq + Serialize + DeserializeOwned> Derived<V> for ManyIndex<V, K, C> {
    fn change(&self, tx: &WriteTx, before: Option<&V>, after: Option<&V>) -> Result<()> {
        let (mut before, after) = (self.of(before), self.of(after));
        for (stored, (key, beside)) in after {
            if before.remove(&stored).is_none_or(|(_, old)| old != beside) {
                tx.put(&self.table, key, &beside)?;
            }
        }
        before.into_values().try_for_each(|(key, _)| tx.remove(&self.table, key).map(drop))
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
        let (mut missing, mut expected) = (Vec::new(), Vec::new());
        for row in rows() {
            let row = row?;
            for (stored, (key, beside)) in self.of(Some(&row)) {
                let named = key_in_words(&key);
                let found = tx.get(self, key)?;
                if found.as_ref() != Some(&beside) {
                    missing.push(format!("{named}: {}", expected_and_found(Some(&beside), found.as_ref())));
                }
                expected.push(stored);
            }
        }
        expected.sort_unstable();
        let mut over = Vec::new();
        for entry in all(tx, &self.table) {
            let entry = entry?;
            if expected.binary_search(&bytes::<K>(&entry.key())).is_err() {
                over.push(format!(
                    "{}: {}",
                    key_in_words(&entry.key()),
                    expected_and_found(None, Some(&entry.value()?))
                ));
            }
        }
        let name = self.table.name();
        for (found, what) in [(missing, "rows that are not in the index"), (over, "entries without a row")] {
            if !found.is_empty() {
                flaws.push(format!("{name}: {what}: {}", some_of(&found)));
            }
        }
        Ok(flaws)
    }

    fn tables(&self) -> Vec<&'static str> {
        vec![self.table.name()]
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::{Declared, IndexedTable, Order};
    use super::*;
    use crate::events::Events;
    use crate::store::Store;
    use hanok_base::Clock;

    /// A book with its subjects.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Book {
        id: u64,
        subjects: Vec<String>,
        lent: bool,
    }

    const BOOKS: IndexedTable<u64, Book> = IndexedTable::new("test_books-1", |book| book.id, &[&SUBJECTS]);
    const SUBJECTS: ManyIndex<Book, (&'static str, u64), bool> = ManyIndex::new("test_book_subjects-1", |book| {
        book.subjects.iter().map(|subject| ((subject.as_str(), book.id), book.lent)).collect()
    });

    #[tokio::test]
    async fn a_row_stands_under_each_of_its_entries_and_under_no_other() {
        let store = Store::memory(Clock::fixed("2026-10-10T12:00:00Z".parse().unwrap()), Events::default()).unwrap();
        let book = |id, subjects: &[&str], lent| Book {
            id,
            subjects: subjects.iter().map(|subject| (*subject).to_owned()).collect(),
            lent,
        };
        let steps: [(Book, &[&str]); 5] = [
            (book(1, &["정원", "나무"], false), &["나무 1 false", "정원 1 false"]),
            (book(2, &["나무"], true), &["나무 1 false", "나무 2 true", "정원 1 false"]),
            (book(1, &["나무", "숲", "나무"], false), &["나무 1 false", "나무 2 true", "숲 1 false"]),
            (book(1, &["나무", "숲"], true), &["나무 1 true", "나무 2 true", "숲 1 true"]),
            (book(2, &[], true), &["나무 1 true", "숲 1 true"]),
        ];
        for (book, expected) in steps {
            store.write(move |tx| BOOKS.put(tx, &book)).await.unwrap();
            let found = store.read_now(|tx| {
                let entries = tx.entries(&SUBJECTS, ("", 0).., Order::Ascending);
                entries
                    .map(|entry| {
                        entry.and_then(|entry| Ok(format!("{} {} {}", entry.key().0, entry.key().1, entry.value()?)))
                    })
                    .collect::<Result<Vec<_>>>()
            });
            assert_eq!(found.unwrap(), expected);
            assert!(store.read_now(|tx| BOOKS.flaws(tx)).unwrap().is_empty());
        }
        let wrong = |tx: &WriteTx| {
            tx.remove(&SUBJECTS.table, ("숲", 1))?;
            tx.put(&SUBJECTS.table, ("바다", 7), &false)
        };
        store.write(wrong).await.unwrap();
        let flaws = store.read_now(|tx| BOOKS.flaws(tx)).unwrap().all();
        assert!(flaws.len() == 2 && flaws[0].contains('숲') && flaws[1].contains("바다"), "{flaws:?}");
        store.write(|tx| BOOKS.rebuild(tx)).await.unwrap();
        assert!(store.read_now(|tx| BOOKS.flaws(tx)).unwrap().is_empty());
        store.write(|tx| BOOKS.remove(tx, 1).map(drop)).await.unwrap();
        assert_eq!(store.read_now(|tx| tx.count(&SUBJECTS)).unwrap(), 0);
    }
}
