//! The sessions of customers, and of those who keep the shop: who is signed in at the customer door, on which device, and
//! how that ends. They are kept apart: a session of one kind is never found among the other's.
//!
//! Whose a session is, is an id alone. Whoever asks for sessions or ends one by its id names whose they are first, so that
//! another's is not found. A token is drawn here at every sign-in, never taken from a browser.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::lifetime::Lived;
use crate::store::{Before, Index, IndexedTable, Order, ReadTransaction, WriteTx};
use hanok_base::secret::{fingerprint, random_token};
use hanok_base::{Result, text};

/// Sessions of one kind.
pub struct Sessions {
    pub(super) table: &'static SessionTable,
    of: &'static OfWhom,
    /// What its tokens are for: none is taken for another's.
    purpose: &'static str,
    /// After so many days without a visit one signs in again.
    idle_days: u32,
    /// After so many days one signs in again, however often the house was visited.
    pub(crate) absolute_days: u32,
}

type SessionTable = IndexedTable<&'static str, Session>;
type OfWhom = Index<Session, (&'static str, u64), String>;

/// The sessions of customers.
pub const CUSTOMERS: Sessions =
    Sessions { table: &OF_CUSTOMERS, of: &OF_CUSTOMER, purpose: "customer session", idle_days: 30, absolute_days: 180 };

/// The sessions of those who keep the shop.
pub const ADMINS: Sessions =
    Sessions { table: &OF_ADMINS, of: &OF_ADMIN, purpose: "admin session", idle_days: 1, absolute_days: 7 };

/// Table: customers who are signed in. Key: SHA-256 of the session token. Value: the session.
static OF_CUSTOMERS: SessionTable =
    IndexedTable::new("customer_sessions-1", |session| session.key.as_str(), &[&OF_CUSTOMER]);
/// Table: sessions by whose they are. Key: id of the customer, id of the session. Value: the session's key.
static OF_CUSTOMER: OfWhom =
    Index::new("customer_sessions_of-1", |session| Some(((session.whose.as_str(), session.id), session.key.clone())));
/// Table: admins who are signed in. Key: SHA-256 of the session token. Value: the session.
static OF_ADMINS: SessionTable = IndexedTable::new("admin_sessions-1", |session| session.key.as_str(), &[&OF_ADMIN]);
/// Table: sessions by whose they are. Key: name of the admin, id of the session. Value: the session's key.
static OF_ADMIN: OfWhom =
    Index::new("admin_sessions_of-1", |session| Some(((session.whose.as_str(), session.id), session.key.clone())));

/// On so many devices one can be signed in at once: the session that began longest ago gives way.
pub(super) const MOST_DEVICES: usize = 50;
/// The most characters that are kept of what a browser calls itself.
const LONGEST_AGENT: usize = 200;

/// A device on which somebody is signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    key: String,
    /// A number to name it by, of all sessions of its kind.
    pub id: u64,
    /// Whose it is.
    pub whose: String,
    /// When it signed in.
    pub created_at: DateTime<Utc>,
    /// When it was last seen, to the hour.
    pub last_seen_at: DateTime<Utc>,
    /// What the browser calls itself.
    pub agent: String,
    /// From where it came last.
    pub address: IpAddr,
}

impl Session {
    fn lived(&self) -> Lived {
        Lived { since: self.created_at, seen: self.last_seen_at }
    }

    /// Whether it is to be written down that it is seen at `now`: to the hour, also when the clock was set back.
    pub fn is_seen_anew(&self, now: DateTime<Utc>) -> bool {
        self.lived().is_seen_anew(now)
    }
}

impl Sessions {
    /// Signs `whose` in and gives the token that the cookie carries. The session that the browser had `before` ends, whoever's
    /// it was: what somebody knew or planted before the sign-in opens nothing after it. So does the oldest beyond
    /// [`MOST_DEVICES`].
    ///
    /// # Errors
    /// Those of writing.
    pub fn begin(
        &self,
        tx: &WriteTx,
        whose: &str,
        before: Option<&str>,
        agent: &str,
        address: IpAddr,
    ) -> Result<String> {
        before.map_or(Ok(()), |before| self.sign_out(tx, before))?;
        let token = random_token(32);
        let session = Session {
            key: self.key_of(&token),
            id: tx.next_id(self.purpose)?,
            whose: whose.to_owned(),
            created_at: tx.now(),
            last_seen_at: tx.now(),
            agent: text::cut(agent, LONGEST_AGENT),
            address,
        };
        self.table.put(tx, &session)?;
        let beyond = tx.values(self.of, (whose, 0)..=(whose, u64::MAX), Order::Descending, MOST_DEVICES, usize::MAX)?;
        beyond.iter().try_for_each(|key| self.table.remove(tx, key.as_str()).map(drop))?;
        Ok(token)
    }

    /// The key of a token's session: a token of the household's, or of another purpose, has another.
    fn key_of(&self, token: &str) -> String {
        fingerprint(&format!("{} {token}", self.purpose))
    }

    fn is_alive(&self, session: &Session, now: DateTime<Utc>) -> bool {
        session.lived().is_alive(now, self.idle_days, self.absolute_days)
    }

    /// The session of `token`, unless it has ended.
    ///
    /// # Errors
    /// Those of reading.
    pub fn find(&self, tx: &impl ReadTransaction, token: &str) -> Result<Option<Session>> {
        let found = tx.get(self.table, self.key_of(token).as_str())?;
        Ok(found.filter(|session| self.is_alive(session, tx.now())))
    }

    /// Notes that the session of `token` was seen now, and from where. One that has ended stays ended.
    ///
    /// # Errors
    /// Those of writing.
    pub fn touch(&self, tx: &WriteTx, token: &str, address: IpAddr) -> Result<()> {
        let Some(session) = self.find(tx, token)? else { return Ok(()) };
        let Lived { since, seen } = session.lived().seen_at(tx.now());
        self.table.put(tx, &Session { created_at: since, last_seen_at: seen, address, ..session })
    }

    /// The sessions of `whose` that have not ended, newest first.
    ///
    /// # Errors
    /// Those of reading.
    pub fn list(&self, tx: &impl ReadTransaction, whose: &str) -> Result<Vec<Session>> {
        let keys = tx.values(self.of, (whose, 0)..=(whose, u64::MAX), Order::Descending, 0, usize::MAX)?;
        let mut sessions = tx.rows(self.table, keys.iter().map(String::as_str))?;
        sessions.retain(|session| self.is_alive(session, tx.now()));
        Ok(sessions)
    }

    /// Ends the session of `token`.
    ///
    /// # Errors
    /// Those of writing.
    pub fn sign_out(&self, tx: &WriteTx, token: &str) -> Result<()> {
        self.table.remove(tx, self.key_of(token).as_str()).map(drop)
    }

    /// Ends the session `id` of `whose`. False when there is none like that, whoever else may have it.
    ///
    /// # Errors
    /// Those of writing.
    pub fn end(&self, tx: &WriteTx, whose: &str, id: u64) -> Result<bool> {
        let Some(key) = tx.get(self.of, (whose, id))? else { return Ok(false) };
        self.table.remove(tx, key.as_str()).map(|ended| ended.is_some())
    }

    /// Ends every session of `whose`, but for that of the token in `but`. Gives how many.
    ///
    /// # Errors
    /// Those of writing.
    pub fn end_all(&self, tx: &WriteTx, whose: &str, but: Option<&str>) -> Result<usize> {
        let own = but.map(|token| self.key_of(token));
        let keys = tx.values(self.of, (whose, 0)..=(whose, u64::MAX), Order::Ascending, 0, usize::MAX)?;
        let ended: Vec<_> = keys.into_iter().filter(|key| Some(key) != own.as_ref()).collect();
        ended.iter().try_for_each(|key| self.table.remove(tx, key.as_str()).map(drop))?;
        Ok(ended.len())
    }

    /// Removes sessions that have ended by themselves. Gives how many.
    ///
    /// # Errors
    /// Those of writing.
    pub fn purge(&self, tx: &WriteTx) -> Result<usize> {
        let now = tx.now();
        self.end_where(tx, |session| !self.is_alive(session, now))
    }

    /// Who is signed in is what the present says. Where it cannot be relied on, everybody signs in again.
    pub(super) fn carry(&self, before: &Before<'_>, restored: &WriteTx) -> Result<()> {
        self.forget(restored)?;
        match before.state {
            Some(present) if !before.is_damaged => {
                self.table.walk(present).try_for_each(|session| self.table.put(restored, &session?))
            }
            _ => Ok(()),
        }
    }

    /// Nobody is signed in.
    pub(super) fn forget(&self, tx: &WriteTx) -> Result<()> {
        self.end_where(tx, |_| true).map(drop)
    }

    fn end_where(&self, tx: &WriteTx, ends: impl Fn(&Session) -> bool) -> Result<usize> {
        let mut ended = 0;
        for entry in tx.entries(self.table, "".., Order::Ascending) {
            let entry = entry?;
            if ends(&entry.value()?) {
                self.table.remove(tx, entry.key())?;
                ended += 1;
            }
        }
        Ok(ended)
    }
}
