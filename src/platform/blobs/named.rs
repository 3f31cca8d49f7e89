//! Which files the rows of a table name: declared once, kept in the row's own transaction.

use std::collections::{BTreeMap, BTreeSet};

use super::id::BlobId;
use super::row::{BLOBS, NAMED, note_use};
use crate::store::{Derived, Order, ReadTransaction, ReadTx, RowsOf, WriteTx};
use hanok_base::{Error, MessageTemplate, Result};

const GONE: MessageTemplate = MessageTemplate::new(
    "house.file_gone",
    "a large file that belongs to it is not there any more; send the file again",
);

/// The files that rows of a table name: declared among what is derived from the rows, so that every `put` and `remove`
/// says in its own transaction which files are needed. A row that names one that is not there is refused.
///
/// ```text
/// const PICTURES: BlobsNamed<Post> = BlobsNamed::new("posts", |post| post.pictures.clone());
/// const POSTS: IndexedTable<u64, Post> = IndexedTable::new("posts-1", |post| post.id, &[&PICTURES]);
/// ```
pub struct BlobsNamed<V> {
    by: &'static str,
    names: fn(&V) -> Vec<BlobId>,
}

impl<V> BlobsNamed<V> {
    /// What each row names, under a name for these rows that no others have.
    pub const fn new(by: &'static str, names: fn(&V) -> Vec<BlobId>) -> BlobsNamed<V> {
        BlobsNamed { by, names }
    }

    fn of(&self, row: Option<&V>) -> BTreeSet<BlobId> {
        row.map(self.names).unwrap_or_default().into_iter().collect()
    }

    fn count(&self, tx: &WriteTx, id: &BlobId, change: fn(u64) -> u64) -> Result<()> {
        let key = (id.as_str(), self.by);
        match change(tx.get(&NAMED, key)?.unwrap_or_default()) {
            0 => tx.discard(&NAMED, key).map(drop)?,
            rows => tx.put(&NAMED, key, &rows)?,
        }
        note_use(tx, id.as_str())
    }

    /// How many rows name each file, by what was noted.
    fn noted(&self, tx: &impl ReadTransaction) -> Result<BTreeMap<String, u64>> {
        let mut noted = BTreeMap::new();
        for entry in tx.entries(&NAMED, ("", "").., Order::Ascending) {
            let entry = entry?;
            let (id, by) = entry.key();
            if by == self.by {
                noted.insert(id.to_owned(), entry.value()?);
            }
        }
        Ok(noted)
    }

    /// How many do, by the rows themselves.
    fn counted(&self, rows: RowsOf<'_, V>) -> Result<BTreeMap<String, u64>> {
        let mut counted = BTreeMap::new();
        for row in rows() {
            for id in self.of(Some(&row?)) {
                *counted.entry(id.as_str().to_owned()).or_default() += 1;
            }
        }
        Ok(counted)
    }
}

impl<V> Derived<V> for BlobsNamed<V> {
    fn admit(&self, tx: &WriteTx, before: Option<&V>, after: &V) -> Result<()> {
        for id in self.of(Some(after)).difference(&self.of(before)) {
            if !tx.contains(&BLOBS, id.as_str())? {
                return Err(Error::conflict(GONE));
            }
        }
        Ok(())
    }

    fn change(&self, tx: &WriteTx, before: Option<&V>, after: Option<&V>) -> Result<()> {
        let (before, after) = (self.of(before), self.of(after));
        after.difference(&before).try_for_each(|id| self.count(tx, id, |rows| rows.saturating_add(1)))?;
        before.difference(&after).try_for_each(|id| self.count(tx, id, |rows| rows.saturating_sub(1)))
    }

    fn rebuild(&self, tx: &WriteTx, rows: RowsOf<'_, V>) -> Result<()> {
        let (noted, counted) = (self.noted(tx)?, self.counted(rows)?);
        for id in noted.keys().filter(|id| !counted.contains_key(*id)) {
            tx.discard(&NAMED, (id.as_str(), self.by))?;
            note_use(tx, id)?;
        }
        for (id, rows) in &counted {
            tx.put(&NAMED, (id.as_str(), self.by), rows)?;
            note_use(tx, id)?;
        }
        Ok(())
    }

    fn flaws(&self, tx: &ReadTx, rows: RowsOf<'_, V>) -> Result<Vec<String>> {
        let (noted, counted) = (self.noted(tx)?, self.counted(rows)?);
        let mut wrong = 0;
        for (id, rows) in &counted {
            let is_called_unused = tx.get(&BLOBS, id.as_str())?.is_some_and(|blob| blob.unused.is_some());
            wrong += usize::from(is_called_unused || noted.get(id) != Some(rows));
        }
        wrong += noted.keys().filter(|id| !counted.contains_key(*id)).count();
        let said = || format!("{}: {wrong} files are not named as {} name them", NAMED.name(), self.by);
        Ok((wrong > 0).then(said).into_iter().collect())
    }

    /// The table in which it is kept belongs to all that name files.
    fn tables(&self) -> Vec<&'static str> {
        Vec::new()
    }
}
