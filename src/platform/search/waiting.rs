//! What the index has still to take, in the order in which it was written.
//!
//! A row, its follow-ups and what is to be found of it are one transaction. The index follows: it takes what waits, notes
//! with its own commit how far it came, and only then is that removed here. So whatever breaks in between, nothing is
//! missing and nothing is there twice.

use serde::{Deserialize, Serialize};

use super::document::Document;
use crate::store::{Declared, Order, PreservedOnRestore, ReadTransaction, Table, WriteTx, last_id};
use hanok_base::{Error, Result};

/// Table: what the index has still to take. Key: its place in the order of all there ever was. Value: what is to be done.
const WAITING: Table<u64, Waiting> = Table::new("search_waiting-1");
/// Table: which state of the rows an index must be of. Key: `state`. Value: a random number, drawn anew whenever the rows
/// become others than those that the index followed.
const STATE: Table<&'static str, u64> = Table::new("search_state-1");

const THE_STATE: &str = "state";
const NOUN: &str = "search_waiting";

/// Every table of the search.
pub const TABLES: &[&dyn Declared] = &[&WAITING, &STATE];

/// A restored state is another one than the index followed.
pub const PRESERVED_ON_RESTORE: &[PreservedOnRestore] =
    &[PreservedOnRestore { carry: |_, restored| make_anew(restored), forget: |_| Ok(()) }];

/// What the index has to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Waiting {
    /// To take this in the place of an earlier one with its kind and id.
    Put(Document),
    /// To forget this one.
    Remove {
        /// Its kind.
        kind: String,
        /// Its id.
        id: u64,
    },
}

/// How far an index is, or must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    /// Which state of the rows it follows.
    pub state: u64,
    /// The last place in the order that it has taken.
    pub upto: u64,
}

/// Tells the index of `document`. Whoever has an [`IndexedTable`](crate::store::IndexedTable) declares
/// [`Searched`](super::Searched) with it instead.
pub fn put(tx: &WriteTx, document: Document) -> Result<()> {
    note(tx, &Waiting::Put(document))
}

/// Tells the index that there is no such document any more.
pub fn remove(tx: &WriteTx, kind: String, id: u64) -> Result<()> {
    note(tx, &Waiting::Remove { kind, id })
}

/// Has the index made anew from all rows; what waits is in them.
///
/// # Errors
/// Those of the storage, and of the machine's randomness.
pub fn make_anew(tx: &WriteTx) -> Result<()> {
    tx.clear(&WAITING)?;
    tx.put(&STATE, THE_STATE, &getrandom::u64().map_err(Error::internal)?)
}

/// Where an index must be to know every row; none as long as none was ever asked for.
pub(super) fn position(tx: &impl ReadTransaction) -> Result<Option<Position>> {
    let upto = last_id(tx, NOUN)?;
    Ok(tx.get(&STATE, THE_STATE)?.map(|state| Position { state, upto }))
}

/// At most `most` of what waits behind `upto`, with its places, in its order.
pub(super) fn after(tx: &impl ReadTransaction, upto: u64, most: usize) -> Result<Vec<(u64, Waiting)>> {
    tx.entries(&WAITING, upto + 1.., Order::Ascending)
        .take(most)
        .map(|entry| entry.and_then(|entry| Ok((entry.key(), entry.value()?))))
        .collect()
}

/// How much waits.
pub(super) fn count(tx: &impl ReadTransaction) -> Result<u64> {
    tx.count(&WAITING)
}

/// Removes at most `most` of what an index has taken for good. Gives whether there is more.
pub(super) fn taken(tx: &WriteTx, upto: u64, most: usize) -> Result<bool> {
    tx.quiet();
    let places: Vec<u64> = tx
        .entries(&WAITING, ..=upto, Order::Ascending)
        .take(most)
        .map(|entry| entry.map(|entry| entry.key()))
        .collect::<Result<_>>()?;
    for place in &places {
        tx.discard(&WAITING, *place)?;
    }
    Ok(places.len() == most)
}

fn note(tx: &WriteTx, waiting: &Waiting) -> Result<()> {
    tx.put(&WAITING, tx.next_id(NOUN)?, waiting)
}
