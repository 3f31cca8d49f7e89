//! The household's passphrase and its sessions.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::lifetime::Lived;
use super::noted::noted;
use super::password::is_hash;
use super::words::{HOUSEHOLD, PASSPHRASE, end_setup, is_passphrase_set, purpose_fingerprint};
use crate::events::Change;
use crate::store::{Before, Declared, Order, ReadTransaction, Table, WriteTx};
use hanok_base::Result;
use hanok_base::secret::random_token;

/// Table: who is signed in. Key: SHA-256 of the session token. Value: the session.
const SESSIONS: Table<&'static str, HouseholdSession> = Table::new("household_sessions-1");

/// Every table of the household's sign-in.
pub(super) const TABLES: [&dyn Declared; 2] = [&HOUSEHOLD, &SESSIONS];

/// Where the state before cannot be read, everyone signs in again: sessions and set-up links may have been ended since. The
/// passphrase is then, and where that state is damaged, the one noted beside the store; where none is noted, a damaged state
/// can change it, and not take it away.
pub(super) fn carry(before: &Before<'_>, restored: &WriteTx) -> Result<()> {
    let of_the_restored = is_passphrase_set(restored)?;
    restored.clear(&SESSIONS)?;
    end_setup(restored)?;
    if let Some(state) = before.state {
        restored.clear(&HOUSEHOLD)?;
        restored.put_all_of(&HOUSEHOLD, state)?;
        restored.put_all_of(&SESSIONS, state)?;
    }
    if !before.is_damaged {
        return Ok(());
    }
    let may_be_relied_on = is_passphrase_set(restored)?.filter(|hash| is_hash(hash)).or(of_the_restored);
    match noted(before.beside).or(may_be_relied_on) {
        Some(hash) => restored.put(&HOUSEHOLD, PASSPHRASE, &hash),
        None => Ok(()),
    }
}

/// Nobody is signed in, and no passphrase is set.
pub(super) fn forget(tx: &WriteTx) -> Result<()> {
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
    /// From where it came last.
    #[serde(default)]
    pub address: Option<IpAddr>,
}

impl HouseholdSession {
    fn lived(&self) -> Lived {
        Lived { since: self.created_at, seen: self.last_seen_at }
    }

    /// Whether it has not ended by being idle or by its age, both in days, nor was begun or seen by a clock that ran far
    /// ahead.
    pub fn is_alive(&self, now: DateTime<Utc>, idle_days: u32, absolute_days: u32) -> bool {
        self.lived().is_alive(now, idle_days, absolute_days)
    }

    /// Whether it is to be written down that it is seen at `now`: to the hour, also when the clock was set back.
    pub fn is_seen_anew(&self, now: DateTime<Utc>) -> bool {
        self.lived().is_seen_anew(now)
    }

    fn see(&mut self, now: DateTime<Utc>) {
        let lived = self.lived().seen_at(now);
        (self.created_at, self.last_seen_at) = (lived.since, lived.seen);
    }
}

/// Stores the hash of a new passphrase and ends every session.
pub fn set_passphrase(tx: &WriteTx, hash: &String) -> Result<()> {
    change_passphrase(tx, hash, None)
}

/// Stores the hash of a new passphrase and ends every session but the one of `token`.
pub fn change_passphrase(tx: &WriteTx, hash: &String, token: Option<&str>) -> Result<()> {
    tx.put(&HOUSEHOLD, PASSPHRASE, hash)?;
    end_setup(tx)?;
    let own = token.map(|token| find_session(tx, token)).transpose()?.flatten();
    end_where(tx, |session| own.as_ref().is_none_or(|own| own.id != session.id))?;
    tx.announce(Change::HOUSEHOLD);
    Ok(())
}

/// Signs a device in; gives the token that its cookie carries.
pub fn add_session(tx: &WriteTx, agent: &str, address: IpAddr) -> Result<String> {
    let NewSession { token, key, session } = new_session(agent, address, tx.now());
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

pub(super) fn new_session(agent: &str, address: IpAddr, now: DateTime<Utc>) -> NewSession {
    let token = random_token(32);
    let agent = agent.chars().take(200).collect();
    let session = HouseholdSession { id: 0, created_at: now, last_seen_at: now, agent, address: Some(address) };
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
pub fn find_session(tx: &impl ReadTransaction, token: &str) -> Result<Option<HouseholdSession>> {
    tx.get(&SESSIONS, session_key(token).as_str())
}

/// Notes that the session of `token` was seen now, and from where.
pub fn touch_session(tx: &WriteTx, token: &str, address: IpAddr) -> Result<()> {
    let key = session_key(token);
    if let Some(mut session) = tx.get(&SESSIONS, key.as_str())? {
        session.see(tx.now());
        session.address = Some(address);
        tx.put(&SESSIONS, key.as_str(), &session)?;
    }
    Ok(())
}

/// Every session, newest first.
pub fn list_sessions(tx: &impl ReadTransaction) -> Result<Vec<HouseholdSession>> {
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
