//! Those who keep the shop, as far as they come in: names, and the hashes of their passwords.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::sessions::ADMINS;
use crate::store::{Before, Declared, Order, ReadTransaction, Table, WriteTx};
use hanok_base::Result;

/// Table: those who keep the shop. Key: name. Value: the admin.
const ROWS: Table<&'static str, AdminRow> = Table::new("admins-1");

/// Every table of admins.
pub(super) const TABLES: [&dyn Declared; 1] = [&ROWS];

/// Somebody who keeps the shop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdminRow {
    /// By which one signs in.
    pub name: String,
    /// Argon2id hash of the password.
    pub password: String,
    /// When the password was set first.
    pub created_at: DateTime<Utc>,
}

/// The admin `name`, when there is one.
///
/// # Errors
/// Those of reading.
pub fn find_admin(tx: &impl ReadTransaction, name: &str) -> Result<Option<AdminRow>> {
    tx.get(&ROWS, name)
}

/// Everyone who keeps the shop.
///
/// # Errors
/// Those of reading.
pub fn list_admins(tx: &impl ReadTransaction) -> Result<Vec<AdminRow>> {
    tx.values(&ROWS, "".., Order::Ascending, 0, usize::MAX)
}

/// Stores the hash of the password of `name`, who is an admin from here on, and ends the sessions there are.
///
/// # Errors
/// Those of writing.
pub fn set_admin_password(tx: &WriteTx, name: &str, hash: &str) -> Result<()> {
    let created_at = find_admin(tx, name)?.map_or(tx.now(), |admin| admin.created_at);
    tx.put(&ROWS, name, &AdminRow { name: name.to_owned(), password: hash.to_owned(), created_at })?;
    ADMINS.end_all(tx, name, None).map(drop)
}

/// Removes the admin `name` with all sessions. False when there is none.
///
/// # Errors
/// Those of writing.
pub fn remove_admin(tx: &WriteTx, name: &str) -> Result<bool> {
    ADMINS.end_all(tx, name, None)?;
    let is_there = tx.contains(&ROWS, name)?;
    tx.remove(&ROWS, name)?;
    Ok(is_there)
}

/// Who keeps the shop is what the present says. Where it cannot be relied on, nobody does until one is created anew.
pub(super) fn carry(before: &Before<'_>, restored: &WriteTx) -> Result<()> {
    forget(restored)?;
    let Some(present) = before.state.filter(|_| !before.is_damaged) else { return Ok(()) };
    restored.put_all_of(&ROWS, present)
}

/// Nobody keeps the shop.
pub(super) fn forget(tx: &WriteTx) -> Result<()> {
    tx.clear(&ROWS)
}
