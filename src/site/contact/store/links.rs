//! The links by which customers follow their requests. Only the hash of the word that opens one is kept here.

use serde::{Deserialize, Serialize};

use super::{CHANGED, REQUESTS, Request, find, no_such};
use hanok_base::secret::{fingerprint, random_token};
use hanok_base::{Error, Result};
use hanok_platform::store::{Before, Index, IndexedTable, Order, ReadTransaction, WriteTx};

/// Table: links to requests. Key: number of the request. Value: the link.
pub const LINKS: IndexedTable<u64, Link> = IndexedTable::new("contact_links-1", |link| link.request, &[&BY_HASH]);
/// Table: links by the hash of their word. Key: the hash. Value: number of the request.
const BY_HASH: Index<Link, &'static str, u64> = Index::unique(
    "contact_links_by_hash-1",
    |link| Some((link.hash.as_str(), link.request)),
    |_| Error::internal("a word was drawn twice"),
);

/// A link to a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    request: u64,
    hash: String,
}

/// Bytes of randomness in a word: 192 bits.
const BYTES: usize = 24;
/// A word is never longer.
const LONGEST: usize = 64;

/// The request that the word opens. A word of another purpose opens nothing: what is hashed names this one.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find_by_token(tx: &impl ReadTransaction, token: &str) -> Result<Request> {
    if token.len() > LONGEST {
        return Err(no_such());
    }
    let number = tx.get(&BY_HASH, hash(token).as_str())?.ok_or_else(no_such)?;
    tx.get(&REQUESTS, number)?.ok_or_else(no_such)
}

/// Gives the request a link in the place of the one that it has. Gives the word that opens it.
///
/// # Errors
/// `NOT_FOUND`.
pub fn renew_link(tx: &WriteTx, id: &str) -> Result<String> {
    let request = find(tx, id)?;
    tx.announce(CHANGED);
    renew(tx, request.number)
}

/// Ends the link of the request: nobody follows it any more.
///
/// # Errors
/// `NOT_FOUND`.
pub fn end_link(tx: &WriteTx, id: &str) -> Result<()> {
    let request = find(tx, id)?;
    LINKS.remove(tx, request.number)?;
    tx.announce(CHANGED);
    Ok(())
}

/// A fresh word for the request of this number.
pub fn renew(tx: &WriteTx, request: u64) -> Result<String> {
    let token = random_token(BYTES);
    LINKS.put(tx, &Link { request, hash: hash(&token) })?;
    Ok(token)
}

fn hash(token: &str) -> String {
    fingerprint(&format!("contact request {token}"))
}

/// Which links open something is what the present says: one that was ended stays so. Where that cannot be relied on, none
/// does.
pub fn carry(before: Before<'_>, restored: &WriteTx) -> Result<()> {
    forget(restored)?;
    let Some(present) = before.state.filter(|_| !before.is_damaged) else { return Ok(()) };
    for link in LINKS.walk(present) {
        let link = link?;
        if restored.contains(&REQUESTS, link.request)? {
            LINKS.put(restored, &link)?;
        }
    }
    Ok(())
}

/// No link opens anything.
pub fn forget(tx: &WriteTx) -> Result<()> {
    for entry in tx.entries(&LINKS, 0.., Order::Ascending) {
        LINKS.remove(tx, entry?.key())?;
    }
    Ok(())
}
