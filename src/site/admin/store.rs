//! The tables of what was done and of the second steps.

mod second_steps;

use std::net::IpAddr;

use super::model::{AuditAction, AuditEntry};
use hanok_base::{Page, Result};
use hanok_platform::store::{CountedRows, Declared, IndexedTable, Order, ReadTransaction, WriteTx};

pub use second_steps::{PRESERVED_ON_RESTORE, find_second_step, put_second_step, remove_second_step, use_up};

/// Table: what admins have done. Key: number. Value: the note.
const NOTES: IndexedTable<u64, AuditEntry> = IndexedTable::new("admin_audit-1", |noted| noted.id, &[&COUNTED]);
/// Table: notes counted in their order.
const COUNTED: CountedRows<AuditEntry, u64> =
    CountedRows::new("admin_audit-1", "admin_audit_counts-1", |noted| noted.id);

/// Every table of the desk.
pub const TABLES: &[&dyn Declared] = &[&NOTES, &second_steps::ROWS];

/// Notes in the transaction of the deed what was done to an admin, or by one to its own session.
///
/// # Errors
/// Those of writing.
pub fn note(tx: &WriteTx, name: &str, deed: AuditAction, address: Option<IpAddr>) -> Result<()> {
    write(tx, name, deed, address, None)
}

/// Notes in the transaction of the deed what the admin `name` did to the thing of the id `about`.
///
/// # Errors
/// Those of writing.
pub fn note_about(tx: &WriteTx, name: &str, deed: AuditAction, address: IpAddr, about: &str) -> Result<()> {
    write(tx, name, deed, Some(address), Some(about))
}

fn write(tx: &WriteTx, name: &str, deed: AuditAction, address: Option<IpAddr>, about: Option<&str>) -> Result<()> {
    let (id, at, name) = (tx.next_id("admin_audit")?, tx.now(), name.to_owned());
    let (address, about) = (address.map(|address| address.to_string()), about.map(str::to_owned));
    NOTES.put(tx, &AuditEntry { id, at, name, deed, address, about })
}

/// What was done, newest first, and how much there is.
///
/// # Errors
/// Those of reading.
pub fn list(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<AuditEntry>, u64)> {
    Ok((COUNTED.page(tx, 0..=u64::MAX, Order::Descending, page)?, tx.count(&NOTES)?))
}
