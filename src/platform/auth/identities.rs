//! By which accounts elsewhere customers come in. One is known by the provider's address and by what the provider calls it
//! (issuer and subject) and by nothing else: an address for mail can pass on to somebody else.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::store::{Before, Declared, Index, IndexedTable, Order, ReadTransaction, WriteTx};
use hanok_base::{Error, MessageTemplate, Result};

/// Table: accounts elsewhere. Key: address of the provider, what it calls the account. Value: the identity.
const ROWS: IndexedTable<(&'static str, &'static str), Identity> = IndexedTable::new(
    "customer_identities-1",
    |identity| (identity.issuer.as_str(), identity.subject.as_str()),
    &[&OF_CUSTOMER],
);
/// Table: accounts elsewhere by whom they let in. Key: id of the customer, provider, subject. Value: nothing.
const OF_CUSTOMER: Index<Identity, (&'static str, &'static str, &'static str)> =
    Index::new("customer_identities_of-1", |identity| {
        Some(((identity.customer.as_str(), identity.issuer.as_str(), identity.subject.as_str()), ()))
    });

/// Every table of the accounts elsewhere.
pub(super) const TABLES: [&dyn Declared; 1] = [&ROWS];

const ANOTHER_S: MessageTemplate =
    MessageTemplate::new("house.identity_taken", "somebody else comes in by this account");

/// An account elsewhere that lets a customer in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The address of the provider.
    pub issuer: String,
    /// What the provider calls the account.
    pub subject: String,
    /// Whom it lets in.
    pub customer: String,
    /// What the provider showed the account as when it was taken: its address for mail or its name; empty where it told neither.
    pub shown_as: String,
    /// Since when it lets them in.
    pub added_at: DateTime<Utc>,
}

/// The identity by which the provider `issuer` knows `subject`, where it lets somebody in.
///
/// # Errors
/// Those of reading.
pub fn find_identity(tx: &impl ReadTransaction, issuer: &str, subject: &str) -> Result<Option<Identity>> {
    tx.get(&ROWS, (issuer, subject))
}

/// Lets the customer `id` in by this account from here on.
///
/// # Errors
/// `CONFLICT` when it lets somebody else in.
pub fn add_identity(tx: &WriteTx, id: &str, issuer: &str, subject: &str, shown_as: &str) -> Result<()> {
    match find_identity(tx, issuer, subject)? {
        Some(known) if known.customer == id => Ok(()),
        Some(_) => Err(Error::conflict(ANOTHER_S)),
        None => {
            let identity = Identity {
                issuer: issuer.to_owned(),
                subject: subject.to_owned(),
                customer: id.to_owned(),
                shown_as: shown_as.to_owned(),
                added_at: tx.now(),
            };
            ROWS.put(tx, &identity).map(drop)
        }
    }
}

/// The accounts elsewhere that let the customer `id` in, by provider.
///
/// # Errors
/// Those of reading.
pub fn list_identities(tx: &impl ReadTransaction, id: &str) -> Result<Vec<Identity>> {
    let mut found = Vec::new();
    for entry in tx.entries(&OF_CUSTOMER, (id, "", "").., Order::Ascending) {
        let entry = entry?;
        let (of, issuer, subject) = entry.key();
        if of != id {
            break;
        }
        found.extend(find_identity(tx, issuer, subject)?);
    }
    Ok(found)
}

/// Ends every account of the provider `issuer` that lets the customer `id` in. Gives how many.
///
/// # Errors
/// Those of writing.
pub fn end_identities(tx: &WriteTx, id: &str, issuer: &str) -> Result<usize> {
    let ended: Vec<_> = list_identities(tx, id)?.into_iter().filter(|known| known.issuer == issuer).collect();
    ended.iter().try_for_each(|known| ROWS.remove(tx, (known.issuer.as_str(), known.subject.as_str())).map(drop))?;
    Ok(ended.len())
}

/// Ends whatever lets the customer `id` in from elsewhere.
pub(super) fn end_all(tx: &WriteTx, id: &str) -> Result<()> {
    let ended = list_identities(tx, id)?;
    ended.iter().try_for_each(|known| ROWS.remove(tx, (known.issuer.as_str(), known.subject.as_str())).map(drop))
}

/// By which accounts elsewhere customers come in is what the present says. Where it cannot be relied on, whoever has a mail
/// address comes in by that first, as for the password; those who have none (`has_mail`) keep the way of the restored state.
pub(super) fn carry(before: &Before<'_>, restored: &WriteTx, has_mail: impl Fn(&str) -> Result<bool>) -> Result<()> {
    let Some(present) = before.state.filter(|_| !before.is_damaged) else {
        return end_where(restored, |identity| has_mail(&identity.customer));
    };
    forget(restored)?;
    ROWS.walk(present).try_for_each(|identity| ROWS.put(restored, &identity?).map(drop))
}

/// No account elsewhere lets anybody in.
pub(super) fn forget(tx: &WriteTx) -> Result<()> {
    end_where(tx, |_| Ok(true))
}

fn end_where(tx: &WriteTx, ends: impl Fn(&Identity) -> Result<bool>) -> Result<()> {
    for entry in tx.entries(&ROWS, ("", "").., Order::Ascending) {
        let entry = entry?;
        if ends(&entry.value()?)? {
            ROWS.remove(tx, entry.key())?;
        }
    }
    Ok(())
}
