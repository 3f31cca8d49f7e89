//! The one-time set-up link: whoever holds it sets the household's first passphrase, or another when it is forgotten.
//!
//! The store keeps until when it is good by the clock. Beside it this process counts the time that passes, so that no
//! clock that is set back makes a link last longer. What passed before a restart only the clock has counted: a link of
//! before has at most what it says is left.

use std::collections::HashMap;

use chrono::Duration;
use parking_lot::Mutex;

use super::words::{HOUSEHOLD, end_setup, purpose_fingerprint};
use crate::store::{ReadTransaction, WriteTx};
use hanok_base::secret::random_token;
use hanok_base::{Error, Kind, MessageTemplate, Moment, Result};

/// A set-up link of before.
const LINK_ENDED: MessageTemplate = MessageTemplate::new(
    "house.setup_link_ended",
    "this set-up link is not valid any more; `hanok household setup-link --data-dir DIR` prints a new one",
);
/// For how many hours a set-up link is good.
pub const SETUP_HOURS: i64 = 24;
/// How far a clock may be put back before the set-up link that it had given out ends.
const FROM_THE_FUTURE: Duration = Duration::hours(1);

/// At which moment each set-up link ends that this process knows of, by the hash of its word.
#[derive(Debug, Default)]
pub struct SetupLinks(Mutex<HashMap<String, Moment>>);

impl SetupLinks {
    /// A fresh word for the one-time set-up link, good for [`SETUP_HOURS`] from `now`; an earlier one no longer works. Only
    /// its hash is kept.
    pub fn new_token(&self, tx: &WriteTx, now: Moment) -> Result<String> {
        let token = random_token(24);
        let hash = purpose_fingerprint("setup", &token);
        let hours = Duration::hours(SETUP_HOURS);
        let before = tx.get(&HOUSEHOLD, "setup")?;
        tx.put(&HOUSEHOLD, "setup", &hash)?;
        tx.put(&HOUSEHOLD, "setup_until", &(tx.now() + hours).timestamp().to_string())?;
        let mut ends = self.0.lock();
        // Where this is not written after all, the one before it stays the last.
        ends.retain(|known, _| before.as_ref() == Some(known));
        ends.insert(hash, now + hours);
        Ok(token)
    }

    /// Knows the link that an earlier process has given out.
    pub fn know(&self, tx: &impl ReadTransaction, now: Moment) -> Result<()> {
        if let Some((hash, left)) = last(tx)? {
            self.0.lock().insert(hash, now + left.min(Duration::hours(SETUP_HOURS)));
        }
        Ok(())
    }

    /// Uses up the word of the set-up link.
    ///
    /// # Errors
    /// `UNAUTHORIZED` when it is not the one that was given out last, has expired, or was used before.
    pub fn take(&self, tx: &WriteTx, token: &str, now: Moment) -> Result<()> {
        self.check(tx, token, now)?;
        end_setup(tx)
    }

    /// Whether this is the word of the set-up link that was given out last, without using it up.
    ///
    /// # Errors
    /// `UNAUTHORIZED` when it is not, has expired, or was used before.
    pub fn check(&self, tx: &impl ReadTransaction, token: &str, now: Moment) -> Result<()> {
        let asked = purpose_fingerprint("setup", token);
        // One that a clock had given out that ran far ahead would be good for longer.
        let longest = Duration::hours(SETUP_HOURS) + FROM_THE_FUTURE;
        let is_last = last(tx)?.is_some_and(|(hash, left)| hash == asked && left > Duration::zero() && left <= longest);
        let has_ended = || self.0.lock().get(&asked).is_some_and(|end| now >= *end);
        if is_last && !has_ended() {
            return Ok(());
        }
        Err(Error::new(Kind::Unauthorized, LINK_ENDED))
    }
}

/// The hash of the link that was given out last, and what it has left by the clock.
fn last(tx: &impl ReadTransaction) -> Result<Option<(String, Duration)>> {
    let until = tx.get(&HOUSEHOLD, "setup_until")?.and_then(|until| until.parse::<i64>().ok());
    let left = until.and_then(|until| Duration::try_seconds(until.saturating_sub(tx.now().timestamp())));
    Ok(tx.get(&HOUSEHOLD, "setup")?.zip(left))
}
