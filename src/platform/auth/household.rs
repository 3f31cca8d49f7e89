//! The tables of the household's passphrase, its sessions and the one-time set-up link.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};

use crate::events::Change;
use crate::store::{CarriedOver, Declared, Order, ReadTx, Reads, Table, WriteTx};
use hanok_base::secret::{fingerprint, random_token};
use hanok_base::{Error, Kind, Result};

/// Table: words of the household, hashed. Key: `passphrase` or `setup`. Value: the hash. Beside it, until when the set-up
/// link is good. Key: `setup_until`. Value: seconds since 1970.
pub(super) const HOUSEHOLD: Table<&'static str, String> = Table::new("household-1");
/// Table: who is signed in. Key: SHA-256 of the session token. Value: the session.
const SESSIONS: Table<&'static str, HouseholdSession> = Table::new("household_sessions-1");

/// Every table of the household's sign-in.
pub const TABLES: &[&dyn Declared] = &[&HOUSEHOLD, &SESSIONS];

/// Who may enter is what the present says, never what a snapshot says.
pub const CARRIED: &[CarriedOver] = &[CarriedOver { carry, forget }];

/// Where the present cannot be read, everyone signs in again, with the passphrase of the restored state: sessions and
/// set-up links may have been ended since.
fn carry(present: Option<&ReadTx>, restored: &WriteTx) -> Result<()> {
    let Some(present) = present else {
        restored.clear(&SESSIONS)?;
        restored.remove(&HOUSEHOLD, "setup")?;
        return Ok(());
    };
    forget(restored)?;
    for word in present.entries(&HOUSEHOLD, "".., Order::Ascending) {
        let word = word?;
        restored.put(&HOUSEHOLD, word.key(), &word.value()?)?;
    }
    for session in present.entries(&SESSIONS, "".., Order::Ascending) {
        let session = session?;
        restored.put(&SESSIONS, session.key(), &session.value()?)?;
    }
    Ok(())
}

fn forget(tx: &WriteTx) -> Result<()> {
    tx.clear(&HOUSEHOLD)?;
    tx.clear(&SESSIONS)
}

/// A device that is signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HouseholdSession {
    /// A number to name it by.
    pub id: u64,
    /// When it signed in.
    pub created_at: DateTime<Utc>,
    /// When it was last seen, to the hour.
    pub last_seen_at: DateTime<Utc>,
    /// What the browser calls itself.
    pub agent: String,
}

impl HouseholdSession {
    /// Whether it has not ended by being idle or by its age, both in days.
    pub fn is_alive(&self, now: DateTime<Utc>, idle_days: u32, absolute_days: u32) -> bool {
        now - self.last_seen_at < Duration::days(idle_days.into())
            && now - self.created_at < Duration::days(absolute_days.into())
    }
}

/// The stored hash of the passphrase.
pub fn is_passphrase_set(tx: &impl Reads) -> Result<Option<String>> {
    tx.get(&HOUSEHOLD, "passphrase")
}

/// Stores the hash of a new passphrase and ends every session.
pub fn set_passphrase(tx: &WriteTx, hash: &String) -> Result<()> {
    tx.put(&HOUSEHOLD, "passphrase", hash)?;
    tx.remove(&HOUSEHOLD, "setup")?;
    end_all_sessions(tx)?;
    tx.announce(Change::HOUSEHOLD);
    Ok(())
}

/// For how many hours a set-up link is good.
pub const SETUP_HOURS: i64 = 24;

/// A fresh word for the one-time set-up link, good for [`SETUP_HOURS`]; an earlier one no longer works. Only its hash is
/// kept.
pub fn new_setup_token(tx: &WriteTx) -> Result<String> {
    let token = random_token(24);
    let until = tx.now() + Duration::hours(SETUP_HOURS);
    tx.put(&HOUSEHOLD, "setup", &purpose_fingerprint("setup", &token))?;
    tx.put(&HOUSEHOLD, "setup_until", &until.timestamp().to_string())?;
    Ok(token)
}

/// Uses up the word of the set-up link.
///
/// # Errors
/// `UNAUTHORIZED` when it is not the one that was given out last, has expired, or was used before.
pub fn take_setup_token(tx: &WriteTx, token: &str) -> Result<()> {
    check_setup_token(tx, token)?;
    tx.remove(&HOUSEHOLD, "setup").map(drop)
}

/// Whether this is the word of the set-up link that was given out last, without using it up.
///
/// # Errors
/// `UNAUTHORIZED` when it is not, has expired, or was used before.
pub fn check_setup_token(tx: &impl Reads, token: &str) -> Result<()> {
    let is_last = tx.get(&HOUSEHOLD, "setup")?.as_deref() == Some(purpose_fingerprint("setup", token).as_str());
    let until = tx.get(&HOUSEHOLD, "setup_until")?.and_then(|until| until.parse().ok());
    if is_last && until.is_some_and(|until: i64| tx.now().timestamp() < until) {
        return Ok(());
    }
    let message = "this set-up link is not valid any more; `hanok household setup-link` prints a new one";
    Err(Error::new(Kind::Unauthorized, message))
}

/// Signs a device in; gives the token that its cookie carries.
pub fn add_session(tx: &WriteTx, agent: &str) -> Result<String> {
    let NewSession { token, key, session } = new_session(agent, tx.now());
    put(tx, &key, session)?;
    Ok(token)
}

/// A session that is not written down yet.
pub(super) struct NewSession {
    /// What the cookie carries.
    pub(super) token: String,
    /// Under which it is kept.
    pub(super) key: String,
    /// Its number comes with being written.
    pub(super) session: HouseholdSession,
}

pub(super) fn new_session(agent: &str, now: DateTime<Utc>) -> NewSession {
    let token = random_token(32);
    let agent = agent.chars().take(200).collect();
    let session = HouseholdSession { id: 0, created_at: now, last_seen_at: now, agent };
    NewSession { key: session_key(&token), token, session }
}

/// Writes a session down under its key, with a number of its own.
pub(super) fn put(tx: &WriteTx, key: &str, session: HouseholdSession) -> Result<()> {
    let session = HouseholdSession { id: tx.next_id("household_sessions")?, ..session };
    tx.put(&SESSIONS, key, &session)?;
    tx.announce(Change::HOUSEHOLD);
    Ok(())
}

/// The key of a token's session.
pub(super) fn session_key(token: &str) -> String {
    purpose_fingerprint("session", token)
}

/// The session of `token`.
pub fn find_session(tx: &impl Reads, token: &str) -> Result<Option<HouseholdSession>> {
    tx.get(&SESSIONS, session_key(token).as_str())
}

/// Notes that the session of `token` was seen now.
pub fn touch_session(tx: &WriteTx, token: &str) -> Result<()> {
    let key = session_key(token);
    if let Some(mut session) = tx.get(&SESSIONS, key.as_str())? {
        session.last_seen_at = tx.now();
        tx.put(&SESSIONS, key.as_str(), &session)?;
    }
    Ok(())
}

/// Every session, newest first.
pub fn list_sessions(tx: &impl Reads) -> Result<Vec<HouseholdSession>> {
    let mut sessions = tx.values(&SESSIONS, "".., Order::Ascending, 0, usize::MAX)?;
    sessions.sort_by_key(|session| std::cmp::Reverse(session.id));
    Ok(sessions)
}

/// Ends the session of `token`.
pub fn end_session(tx: &WriteTx, token: &str) -> Result<()> {
    tx.remove(&SESSIONS, session_key(token).as_str())?;
    tx.announce(Change::HOUSEHOLD);
    Ok(())
}

/// Ends the session with this id. False when there is none.
pub fn end_session_by_id(tx: &WriteTx, id: u64) -> Result<bool> {
    end_where(tx, |session| session.id == id).map(|ended| ended > 0)
}

/// Ends every session. Gives how many.
pub fn end_all_sessions(tx: &WriteTx) -> Result<usize> {
    end_where(tx, |_| true)
}

/// Removes sessions that have ended by themselves. Gives how many.
pub fn purge_sessions(tx: &WriteTx, idle_days: u32, absolute_days: u32) -> Result<usize> {
    let now = tx.now();
    end_where(tx, |session| !session.is_alive(now, idle_days, absolute_days))
}

fn end_where(tx: &WriteTx, ends: impl Fn(&HouseholdSession) -> bool) -> Result<usize> {
    let mut ended = 0;
    for entry in tx.entries(&SESSIONS, "".., Order::Ascending) {
        let entry = entry?;
        if ends(&entry.value()?) {
            tx.remove(&SESSIONS, entry.key())?;
            ended += 1;
        }
    }
    if ended > 0 {
        tx.announce(Change::HOUSEHOLD);
    }
    Ok(ended)
}

/// A token of one purpose is never taken for another's.
fn purpose_fingerprint(purpose: &str, token: &str) -> String {
    fingerprint(&format!("household {purpose} {token}"))
}
