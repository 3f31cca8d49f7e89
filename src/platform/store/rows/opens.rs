//! What both kinds of transaction can do by themselves; all reading is built on it.

use chrono::{DateTime, Utc};
use redb::ReadableTable;
use serde::de::DeserializeOwned;

use hanok_base::{Error, Kind, Result};

/// What a transaction must be able to do so that it can be read.
pub trait Opens {
    /// The instant at which it began.
    fn begun_at(&self) -> DateTime<Utc>;

    /// The table of this name; none when it was never written.
    fn open<K: redb::Key + 'static>(&self, name: &'static str) -> Result<Option<impl ReadableTable<K, &'static [u8]>>>;

    /// Notes what an error of the storage means and gives the error for the caller.
    fn fault(&self, error: redb::Error) -> Error;
}

/// What helps against rows that cannot be read.
pub(super) const HELP_OF_A_ROW: &str =
    "`hanok restore NAME` goes back to a snapshot from before it (`hanok backup --list`)";

/// The value that these bytes of the table `name` are.
///
/// # Errors
/// `INTERNAL` naming the table and the cure when they are none.
pub(super) fn decode<V: DeserializeOwned>(name: &str, bytes: &[u8]) -> Result<V> {
    serde_json::from_slice(bytes).map_err(|error| {
        let sentence = format!("a row of {name} cannot be read; `hanok verify` names it, and {HELP_OF_A_ROW}");
        Error::new(Kind::Internal, sentence).because(error)
    })
}
