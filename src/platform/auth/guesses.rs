//! Slows down guessing: after five failures from one address each further try must wait, twice as long each time; and all
//! addresses that have never succeeded share one slow rate, however many they are.

use std::collections::HashMap;
use std::net::IpAddr;

use chrono::{DateTime, Duration, Utc};
use parking_lot::Mutex;

use crate::config::one_caller;
use hanok_base::{Error, Kind, Result};

/// Failures that cost nothing: people mistype.
const FREE: u32 = 5;
/// The longest wait, in seconds.
const LONGEST: i64 = 900;
/// After so long without a failure an address starts afresh.
const FORGET: Duration = Duration::hours(1);
/// Failures of all addresses together that cost nothing.
const FREE_OF_ALL: i64 = 100;
/// After so many seconds one of them is forgiven: who guesses from everywhere has 8,640 tries a day.
const FORGIVEN_AFTER: i64 = 10;
/// Addresses remembered for their last success; beyond it the oldest is forgotten.
const KNOWN: usize = 1_000;

/// Tries by address since its last success, and of all of them together.
#[derive(Debug, Default)]
pub struct Guesses(Mutex<Tries>);

#[derive(Debug, Default)]
struct Tries {
    by_address: HashMap<IpAddr, Tried>,
    /// When each address succeeded last: a household that is known does not wait for strangers who guess.
    succeeded: HashMap<IpAddr, DateTime<Utc>>,
    of_all: OfAll,
}

#[derive(Debug, Clone, Copy)]
struct Tried {
    times: u32,
    last: DateTime<Utc>,
}

impl Guesses {
    /// Whether `address` may try now. A try counts as a failure until [`Guesses::succeeded`] says otherwise, so
    /// that fifty tries at the same time are held back like fifty in a row.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the seconds to wait.
    pub fn admit(&self, address: IpAddr, now: DateTime<Utc>) -> Result<()> {
        let address = one_caller(address);
        let mut tries = self.0.lock();
        let mut tried = tries.by_address.get(&address).copied().unwrap_or(Tried { times: 0, last: now });
        if now - tried.last >= FORGET {
            tried.times = 0;
        }
        // A clock that was set back must not lock anyone out until it has caught up.
        tried.last = tried.last.min(now);
        let left = tried.last + wait(tried.times) - now;
        if tried.times >= FREE && left > Duration::zero() {
            tries.by_address.insert(address, tried);
            return Err(wait_for(left.num_seconds().max(1)));
        }
        if !tries.succeeded.contains_key(&address) {
            tries.of_all.admit(now)?;
        }
        // The rate of all keeps these few, but for those of known addresses, which are few themselves.
        tries.by_address.retain(|_, tried| now - tried.last < FORGET);
        tries.by_address.insert(address, Tried { times: tried.times + 1, last: now });
        Ok(())
    }

    /// Forgets the tries of `address` after a success.
    pub fn succeeded(&self, address: IpAddr, now: DateTime<Utc>) {
        let address = one_caller(address);
        let mut tries = self.0.lock();
        tries.by_address.remove(&address);
        if tries.succeeded.insert(address, now).is_none() {
            tries.of_all.forgive_one();
        }
        if tries.succeeded.len() > KNOWN {
            let oldest = tries.succeeded.iter().min_by_key(|(_, at)| **at).map(|(address, _)| *address);
            oldest.and_then(|oldest| tries.succeeded.remove(&oldest));
        }
    }
}

/// The failures of all strangers that are not forgiven yet.
#[derive(Debug, Default)]
struct OfAll {
    failures: i64,
    /// Until when those before are forgiven.
    forgiven_at: Option<DateTime<Utc>>,
}

impl OfAll {
    fn admit(&mut self, now: DateTime<Utc>) -> Result<()> {
        // A clock that was set back must not lock anyone out until it has caught up.
        let since = self.forgiven_at.unwrap_or(now).min(now);
        let forgiven = (now - since).num_seconds() / FORGIVEN_AFTER;
        self.failures = (self.failures - forgiven).max(0);
        let since = since + Duration::seconds(forgiven * FORGIVEN_AFTER);
        self.forgiven_at = Some(if self.failures == 0 { now } else { since });
        if self.failures >= FREE_OF_ALL {
            return Err(wait_for((FORGIVEN_AFTER - (now - since).num_seconds()).max(1)));
        }
        self.failures += 1;
        Ok(())
    }

    fn forgive_one(&mut self) {
        self.failures = (self.failures - 1).max(0);
    }
}

fn wait_for(seconds: i64) -> Error {
    let seconds = seconds.unsigned_abs();
    let message = format!("too many wrong passphrases; try again in {seconds} s");
    Error::new(Kind::RateLimited, message).retry_after(seconds)
}

fn wait(times: u32) -> Duration {
    let doublings = times.saturating_sub(FREE).min(16);
    Duration::seconds((1i64 << doublings).min(LONGEST))
}
