//! Slows down guessing: after five failures from one address each further try must wait, twice as long each time; and all
//! addresses that are not known share one slow rate, however many they are: those of private networks one, and all others
//! another, so that nobody far away keeps a new device out that comes from a private address. Known is an address that has
//! succeeded, or from which a living session came last.

use std::collections::HashMap;
use std::net::IpAddr;

use chrono::{DateTime, Duration, Utc};
use parking_lot::Mutex;

use super::household::HouseholdSession;
use super::tries::Tries;
use crate::config::one_caller;
use hanok_base::{Error, Kind, MessageTemplate, Moment, Result};

/// Failures of all addresses together that cost nothing.
const FREE_OF_ALL: i64 = 100;
/// After so many seconds one of them is forgiven: who guesses from everywhere has 8,640 tries a day.
const FORGIVEN_AFTER: i64 = 10;
/// Addresses remembered for their last success; beyond it the oldest is forgotten.
const KNOWN: usize = 1_000;

/// Tries by address since its last success, and of all of them together.
#[derive(Debug, Default)]
pub struct Guesses(Mutex<Counted>);

#[derive(Debug, Default)]
struct Counted {
    by_address: Tries<IpAddr>,
    /// When each address succeeded last: a household that is known does not wait for strangers who guess.
    succeeded: HashMap<IpAddr, DateTime<Utc>>,
    /// Those of private networks.
    of_near: OfAll,
    /// All others.
    of_far: OfAll,
}

impl Counted {
    /// The rate of the strangers to whom the caller at this `address` belongs: its own one, not that of its network.
    fn of_all(&mut self, address: IpAddr) -> &mut OfAll {
        if is_near(address.to_canonical()) { &mut self.of_near } else { &mut self.of_far }
    }

    fn know(&mut self, address: IpAddr, now: DateTime<Utc>) -> bool {
        let is_new = self.succeeded.insert(address, now).is_none();
        if self.succeeded.len() > KNOWN {
            let oldest = self.succeeded.iter().min_by_key(|(_, at)| **at).map(|(address, _)| *address);
            oldest.and_then(|oldest| self.succeeded.remove(&oldest));
        }
        is_new
    }
}

/// Whether this is an address of a private network, or of this machine.
fn is_near(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_private() || address.is_loopback() || address.is_link_local(),
        IpAddr::V6(address) => address.is_unique_local() || address.is_loopback() || address.is_unicast_link_local(),
    }
}

impl Guesses {
    /// Whether `address` may try now. A try counts as a failure until [`Guesses::succeeded`] says otherwise, so
    /// that fifty tries at the same time are held back like fifty in a row.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the seconds to wait.
    pub fn admit(&self, address: IpAddr, now: Moment) -> Result<()> {
        let caller = one_caller(address);
        let mut tries = self.0.lock();
        if let Some(left) = tries.by_address.left(&caller, now) {
            return Err(wait_for(left));
        }
        if !tries.succeeded.contains_key(&caller) {
            tries.of_all(address).admit(now)?;
        }
        // The rate of all keeps these few, but for those of known addresses, which are few themselves.
        tries.by_address.count(caller, now);
        Ok(())
    }

    /// Forgets the tries of `address` after a success.
    pub fn succeeded(&self, address: IpAddr, now: DateTime<Utc>) {
        let caller = one_caller(address);
        let mut tries = self.0.lock();
        tries.by_address.forget(&caller);
        if tries.know(caller, now) {
            tries.of_all(address).forgive_one();
        }
    }

    /// Knows the addresses from which the living of these sessions came last: a restart makes nobody a stranger.
    pub fn know<'s>(&self, sessions: impl IntoIterator<Item = &'s HouseholdSession>) {
        let mut tries = self.0.lock();
        for session in sessions {
            if let Some(address) = session.address {
                tries.know(one_caller(address), session.last_seen_at);
            }
        }
    }
}

/// The failures of all strangers that are not forgiven yet.
#[derive(Debug, Default)]
struct OfAll {
    failures: i64,
    /// Until when those before are forgiven.
    forgiven_at: Option<Moment>,
}

impl OfAll {
    fn admit(&mut self, now: Moment) -> Result<()> {
        let since = self.forgiven_at.unwrap_or(now);
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

/// The passphrase was guessed too often.
const TOO_MANY_WRONG: MessageTemplate =
    MessageTemplate::new("house.too_many_wrong_passphrases", "too many wrong passphrases; try again in {seconds} s");

fn wait_for(seconds: i64) -> Error {
    let seconds = seconds.unsigned_abs();
    let message = TOO_MANY_WRONG.with([("seconds", seconds.into())]);
    Error::new(Kind::RateLimited, message).retry_after(seconds)
}
