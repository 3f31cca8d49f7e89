//! Customers, as far as they come in: who there is, and the hash of the password where there is one. What else is known of
//! them their domains keep.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::identities;
use super::sessions::CUSTOMERS;
use crate::store::{Before, Declared, Index, IndexedTable, Order, ReadTransaction, Table, WriteTx};
use hanok_base::{Error, MessageTemplate, Page, Result};

/// Table: customers. Key: id (UUIDv7). Value: the customer.
const ROWS: IndexedTable<&'static str, CustomerRow> =
    IndexedTable::new("customers-1", |customer| customer.id.as_str(), &[&BY_MAIL]);
/// Table: customers by their address, in small letters. Key: the address. Value: id.
const BY_MAIL: Index<CustomerRow, &'static str, String> = Index::unique(
    "customers_by_mail-1",
    |customer| (!customer.known_as.is_empty()).then(|| (customer.known_as.as_str(), customer.id.clone())),
    |_| Error::conflict(TAKEN),
);
/// Table: passwords of customers. Key: id of the customer. Value: Argon2id hash.
const PASSWORDS: Table<&'static str, String> = Table::new("customer_passwords-1");

/// Every table of customers.
pub(super) const TABLES: [&dyn Declared; 2] = [&ROWS, &PASSWORDS];

const TAKEN: MessageTemplate =
    MessageTemplate::new("house.mail_taken", "somebody has an account with this mail address");

/// A customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerRow {
    /// Its id.
    pub id: String,
    /// Its confirmed mail address, as it was written; empty where it has none: it came in by a provider that told none.
    pub mail: String,
    known_as: String,
    /// Since when it is a customer.
    pub created_at: DateTime<Utc>,
}

/// By what an address is known, however it is written.
pub fn known_as(mail: &str) -> String {
    mail.to_lowercase()
}

/// A new customer, whose mail address was confirmed; an empty one where it has none.
///
/// # Errors
/// `CONFLICT` when there is one of this address.
pub fn add_customer(tx: &WriteTx, mail: &str) -> Result<CustomerRow> {
    let id = Uuid::now_v7().to_string();
    let customer = CustomerRow { id, mail: mail.to_owned(), known_as: known_as(mail), created_at: tx.now() };
    ROWS.put(tx, &customer)?;
    Ok(customer)
}

/// Gives the customer `id`, who had none, a mail address that was confirmed.
///
/// # Errors
/// `CONFLICT` when there is another one of this address.
pub fn give_mail(tx: &WriteTx, id: &str, mail: &str) -> Result<()> {
    match find_customer(tx, id)?.filter(|customer| customer.mail.is_empty()) {
        Some(customer) => {
            ROWS.put(tx, &CustomerRow { mail: mail.to_owned(), known_as: known_as(mail), ..customer }).map(drop)
        }
        None => Ok(()),
    }
}

/// The customer `id`, when there is one.
///
/// # Errors
/// Those of reading.
pub fn find_customer(tx: &impl ReadTransaction, id: &str) -> Result<Option<CustomerRow>> {
    tx.get(&ROWS, id)
}

/// The customer of this address, when there is one.
///
/// # Errors
/// Those of reading.
pub fn find_customer_by_mail(tx: &impl ReadTransaction, mail: &str) -> Result<Option<CustomerRow>> {
    match tx.get(&BY_MAIL, known_as(mail).as_str())? {
        Some(id) => find_customer(tx, &id),
        None => Ok(None),
    }
}

/// Customers, newest first, and how many there are.
///
/// # Errors
/// Those of reading.
pub fn list_customers(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<CustomerRow>, u64)> {
    let customers = tx.values(&ROWS, "".., Order::Descending, page.offset, page.limit)?;
    Ok((customers, tx.count(&ROWS)?))
}

/// Every customer, newest first: for who looks for some among them, off the async threads.
pub fn walk_customers(tx: &impl ReadTransaction) -> impl Iterator<Item = Result<CustomerRow>> {
    tx.entries(&ROWS, "".., Order::Descending).map(|entry| entry?.value())
}

/// The hash of the password of the customer `id`, where one is set.
///
/// # Errors
/// Those of reading.
pub fn customer_password(tx: &impl ReadTransaction, id: &str) -> Result<Option<String>> {
    tx.get(&PASSWORDS, id)
}

/// Stores the hash of a new password and ends every session of the customer but that of the token in `but`.
///
/// # Errors
/// Those of writing.
pub fn set_customer_password(tx: &WriteTx, id: &str, hash: &String, but: Option<&str>) -> Result<()> {
    tx.put(&PASSWORDS, id, hash)?;
    CUSTOMERS.end_all(tx, id, but).map(drop)
}

/// Removes a customer with password, sessions and whatever lets it in from elsewhere.
///
/// # Errors
/// Those of writing.
pub fn remove_customer(tx: &WriteTx, id: &str) -> Result<()> {
    CUSTOMERS.end_all(tx, id, None)?;
    tx.remove(&PASSWORDS, id)?;
    identities::end_all(tx, id)?;
    ROWS.remove(tx, id).map(drop)
}

/// Who is a customer, and by which password, is what the present says: nobody who has gone comes back, and nobody who has
/// come goes. Where it cannot be relied on, those of the restored state set their passwords anew by mail.
pub(super) fn carry(before: &Before<'_>, restored: &WriteTx) -> Result<()> {
    restored.clear(&PASSWORDS)?;
    let Some(present) = before.state.filter(|_| !before.is_damaged) else { return Ok(()) };
    for entry in restored.entries(&ROWS, "".., Order::Ascending) {
        ROWS.remove(restored, entry?.key())?;
    }
    ROWS.walk(present).try_for_each(|customer| ROWS.put(restored, &customer?))?;
    restored.put_all_of(&PASSWORDS, present)
}

/// No customer has a password.
pub(super) fn forget(tx: &WriteTx) -> Result<()> {
    tx.clear(&PASSWORDS)
}
