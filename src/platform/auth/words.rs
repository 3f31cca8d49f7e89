//! What is kept of the words that open the door, none of which can be read back from it.

use crate::store::{ReadTransaction, Table, WriteTx};
use hanok_base::Result;
use hanok_base::secret::fingerprint;

/// Table: words of the household, hashed. Key: `passphrase` or `setup`. Value: the hash. Beside it, until when the set-up
/// link is good. Key: `setup_until`. Value: seconds since 1970.
pub(super) const HOUSEHOLD: Table<&'static str, String> = Table::new("household-1");

/// Under which word the hash of the passphrase stands.
pub(super) const PASSPHRASE: &str = "passphrase";

/// The stored hash of the passphrase.
pub fn is_passphrase_set(tx: &impl ReadTransaction) -> Result<Option<String>> {
    tx.get(&HOUSEHOLD, PASSPHRASE)
}

/// No set-up link is good from here on.
pub(super) fn end_setup(tx: &WriteTx) -> Result<()> {
    tx.remove(&HOUSEHOLD, "setup")?;
    tx.remove(&HOUSEHOLD, "setup_until").map(drop)
}

/// A token of one purpose is never taken for another's.
pub(super) fn purpose_fingerprint(purpose: &str, token: &str) -> String {
    fingerprint(&format!("household {purpose} {token}"))
}
