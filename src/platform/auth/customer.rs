//! The sessions of customers: who is signed in at the customer door, on which device, and how that ends.
//!
//! A customer is named by its id alone. Whoever asks for sessions or ends one by its id names the customer first, so that
//! another's is not found. A token is drawn here at every sign-in, never taken from a browser.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::lifetime::Lived;
use crate::store::{Before, Index, IndexedTable, Order, Reads, WriteTx};
use hanok_base::secret::{fingerprint, random_token};
use hanok_base::{Result, text};

/// Table: customers who are signed in. Key: SHA-256 of the session token. Value: the session.
pub(super) const SESSIONS: IndexedTable<&'static str, CustomerSession> =
    IndexedTable::new("customer_sessions-1", |session| session.key.as_str(), &[&OF_CUSTOMER]);
/// Table: sessions by whose they are. Key: id of the customer, id of the session. Value: the session's key.
const OF_CUSTOMER: Index<CustomerSession, (&'static str, u64), String> =
    Index::new("customer_sessions_of-1", |session| {
        Some(((session.customer.as_str(), session.id), session.key.clone()))
    });

/// Who is signed in is what the present says. Where it cannot be relied on, every customer signs in again.
pub(super) fn carry(before: &Before<'_>, restored: &WriteTx) -> Result<()> {
    forget(restored)?;
    match before.state {
        Some(present) if !before.is_damaged => {
            SESSIONS.walk(present).try_for_each(|session| SESSIONS.put(restored, &session?))
        }
        _ => Ok(()),
    }
}

/// Nobody is signed in.
pub(super) fn forget(tx: &WriteTx) -> Result<()> {
    end_where(tx, |_| true).map(drop)
}

/// After so many days without a visit a customer signs in again.
const IDLE_DAYS: u32 = 30;
/// After so many days a customer signs in again, however often the house was visited.
const ABSOLUTE_DAYS: u32 = 180;
/// The most characters that are kept of what a browser calls itself.
const LONGEST_AGENT: usize = 200;

/// A device on which a customer is signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerSession {
    key: String,
    /// A number to name it by, of all customers' sessions.
    pub id: u64,
    /// Whose it is.
    pub customer: String,
    /// When it signed in.
    pub created_at: DateTime<Utc>,
    /// When it was last seen, to the hour.
    pub last_seen_at: DateTime<Utc>,
    /// What the browser calls itself.
    pub agent: String,
    /// From where it came last.
    pub address: IpAddr,
}

impl CustomerSession {
    fn lived(&self) -> Lived {
        Lived { since: self.created_at, seen: self.last_seen_at }
    }

    fn is_alive(&self, now: DateTime<Utc>) -> bool {
        self.lived().is_alive(now, IDLE_DAYS, ABSOLUTE_DAYS)
    }

    /// Whether it is to be written down that it is seen at `now`: to the hour, also when the clock was set back.
    pub fn is_seen_anew(&self, now: DateTime<Utc>) -> bool {
        self.lived().is_seen_anew(now)
    }
}

/// Signs `customer` in and gives the token that the cookie carries. The session that the browser had `before` ends, whoever's
/// it was: what somebody knew or planted before the sign-in opens nothing after it.
///
/// # Errors
/// Those of writing.
pub fn begin_customer_session(
    tx: &WriteTx,
    customer: &str,
    before: Option<&str>,
    agent: &str,
    address: IpAddr,
) -> Result<String> {
    before.map_or(Ok(()), |before| sign_customer_out(tx, before))?;
    let token = random_token(32);
    let session = CustomerSession {
        key: key_of(&token),
        id: tx.next_id("customer_sessions")?,
        customer: customer.to_owned(),
        created_at: tx.now(),
        last_seen_at: tx.now(),
        agent: text::cut(agent, LONGEST_AGENT),
        address,
    };
    SESSIONS.put(tx, &session)?;
    Ok(token)
}

/// The key of a token's session: a token of the household's, or of another purpose, has another.
fn key_of(token: &str) -> String {
    fingerprint(&format!("customer session {token}"))
}

/// The session of `token`, unless it has ended.
///
/// # Errors
/// Those of reading.
pub fn find_customer_session(tx: &impl Reads, token: &str) -> Result<Option<CustomerSession>> {
    Ok(tx.get(&SESSIONS, key_of(token).as_str())?.filter(|session| session.is_alive(tx.now())))
}

/// Notes that the session of `token` was seen now, and from where. One that has ended stays ended.
///
/// # Errors
/// Those of writing.
pub fn touch_customer_session(tx: &WriteTx, token: &str, address: IpAddr) -> Result<()> {
    let Some(session) = find_customer_session(tx, token)? else { return Ok(()) };
    let Lived { since, seen } = session.lived().seen_at(tx.now());
    SESSIONS.put(tx, &CustomerSession { created_at: since, last_seen_at: seen, address, ..session })
}

/// The sessions of `customer` that have not ended, newest first.
///
/// # Errors
/// Those of reading.
pub fn list_customer_sessions(tx: &impl Reads, customer: &str) -> Result<Vec<CustomerSession>> {
    let keys = tx.values(&OF_CUSTOMER, (customer, 0)..=(customer, u64::MAX), Order::Descending, 0, usize::MAX)?;
    let mut sessions = tx.rows(&SESSIONS, keys.iter().map(String::as_str))?;
    sessions.retain(|session| session.is_alive(tx.now()));
    Ok(sessions)
}

/// Ends the session of `token`.
///
/// # Errors
/// Those of writing.
pub fn sign_customer_out(tx: &WriteTx, token: &str) -> Result<()> {
    SESSIONS.remove(tx, key_of(token).as_str()).map(drop)
}

/// Ends the session `id` of `customer`. False when the customer has none like that, whoever else may.
///
/// # Errors
/// Those of writing.
pub fn end_customer_session(tx: &WriteTx, customer: &str, id: u64) -> Result<bool> {
    let Some(key) = tx.get(&OF_CUSTOMER, (customer, id))? else { return Ok(false) };
    SESSIONS.remove(tx, key.as_str()).map(|ended| ended.is_some())
}

/// Ends every session of `customer`, but for that of the token in `but`. Gives how many.
///
/// # Errors
/// Those of writing.
pub fn end_customer_sessions(tx: &WriteTx, customer: &str, but: Option<&str>) -> Result<usize> {
    let own = but.map(key_of);
    let keys = tx.values(&OF_CUSTOMER, (customer, 0)..=(customer, u64::MAX), Order::Ascending, 0, usize::MAX)?;
    let ended: Vec<_> = keys.into_iter().filter(|key| Some(key) != own.as_ref()).collect();
    ended.iter().try_for_each(|key| SESSIONS.remove(tx, key.as_str()).map(drop))?;
    Ok(ended.len())
}

/// Removes sessions that have ended by themselves. Gives how many.
///
/// # Errors
/// Those of writing.
pub fn purge_customer_sessions(tx: &WriteTx) -> Result<usize> {
    let now = tx.now();
    end_where(tx, |session| !session.is_alive(now))
}

fn end_where(tx: &WriteTx, ends: impl Fn(&CustomerSession) -> bool) -> Result<usize> {
    let mut ended = 0;
    for entry in tx.entries(&SESSIONS, "".., Order::Ascending) {
        let entry = entry?;
        if ends(&entry.value()?) {
            SESSIONS.remove(tx, entry.key())?;
            ended += 1;
        }
    }
    Ok(ended)
}
