//! What both kinds of transaction can do by themselves; all reading is built on it.

use std::ops::Deref;

use chrono::{DateTime, Utc};
use redb::ReadableTable;
use serde::de::DeserializeOwned;

use hanok_base::{Error, Kind, MessageTemplate, Result};

/// What a transaction must be able to do so that it can be read.
pub trait Opens {
    /// The instant at which it began.
    fn begun_at(&self) -> DateTime<Utc>;

    /// The table of this name; none when it was never written. A transaction that only reads finds it in the file once.
    fn open<K: redb::Key + 'static>(
        &self,
        name: &'static str,
    ) -> Result<Option<impl Deref<Target = impl ReadableTable<K, &'static [u8]>>>>;

    /// Ends a walk that nobody waits for any more; asked before each portion of it.
    ///
    /// # Errors
    /// `CONFLICT` then.
    fn go_on(&self) -> Result<()> {
        Ok(())
    }

    /// Notes what an error of the storage means and gives the error for the caller.
    fn fault(&self, error: redb::Error) -> Error;
}

/// What helps against rows that cannot be read.
pub(super) const HELP_OF_A_ROW: &str =
    "`hanok restore NAME` goes back to a snapshot from before it (`hanok backup --list`)";

/// A row that this version cannot read.
const UNREADABLE: MessageTemplate =
    MessageTemplate::new("house.row_unreadable", "something that is stored cannot be read");

/// The value that these bytes of the table `name` are.
///
/// # Errors
/// `INTERNAL` when they are none; its cause names the table and the cure.
pub(super) fn decode<V: DeserializeOwned>(name: &str, bytes: &[u8]) -> Result<V> {
    serde_json::from_slice(bytes).map_err(|error| {
        let cure = format!("a row of {name} cannot be read ({error}); `hanok verify` names it, and {HELP_OF_A_ROW}");
        Error::new(Kind::Internal, UNREADABLE).because(cure)
    })
}
