//! The rows of a table that are found by words: a change of a row is told to the index in the row's own transaction.

use super::document::{Document, Visit};
use super::waiting;
use crate::store::{Derived, ReadTx, RowsOf, WriteTx};
use hanok_base::Result;

/// The rows of a table as they are found by words: declared among what is derived from the rows, so that every `put` and
/// `remove` tells the index in its own transaction.
pub struct Searched<V> {
    document: fn(&V) -> Document,
}

impl<V> Searched<V> {
    /// What of a row can be found.
    pub const fn new(document: fn(&V) -> Document) -> Searched<V> {
        Searched { document }
    }

    /// Gives what can be found of every one of `rows`.
    ///
    /// # Errors
    /// Those of reading, and of `visit`.
    pub fn walk(&self, mut rows: impl Iterator<Item = Result<V>>, visit: Visit<'_>) -> Result<()> {
        rows.try_for_each(|row| visit((self.document)(&row?)))
    }
}

impl<V> Derived<V> for Searched<V> {
    fn change(&self, tx: &WriteTx, before: Option<&V>, after: Option<&V>) -> Result<()> {
        let (before, after) = (before.map(self.document), after.map(self.document));
        match (before, after) {
            (before, Some(after)) if before.as_ref() != Some(&after) => waiting::put(tx, after),
            (Some(before), None) => waiting::remove(tx, before.kind, before.id),
            _ => Ok(()),
        }
    }

    /// The index is made anew: it may hold what no row says.
    fn rebuild(&self, tx: &WriteTx, _rows: RowsOf<'_, V>) -> Result<()> {
        waiting::make_anew(tx)
    }

    /// Nothing is kept in the store but what the index has not taken yet.
    fn flaws(&self, _tx: &ReadTx, _rows: RowsOf<'_, V>) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn tables(&self) -> Vec<&'static str> {
        Vec::new()
    }
}
