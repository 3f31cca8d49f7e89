//! Slows down guessing: after five failures from one address each further try must wait, twice as long each time.

use std::collections::HashMap;
use std::net::IpAddr;

use chrono::{DateTime, Duration, Utc};
use parking_lot::Mutex;

use crate::base::{Error, Kind, Result};

/// Failures that cost nothing: people mistype.
const FREE: u32 = 5;
/// The longest wait, in seconds.
const LONGEST: i64 = 900;
/// After so long without a failure an address starts afresh.
const FORGET: Duration = Duration::hours(1);
/// Addresses remembered at most; beyond it the oldest are forgotten.
const ADDRESSES: usize = 10_000;

/// Failed tries by address.
#[derive(Debug, Default)]
pub struct Guesses(Mutex<HashMap<IpAddr, Failed>>);

#[derive(Debug, Clone, Copy)]
struct Failed {
    times: u32,
    last: DateTime<Utc>,
}

impl Guesses {
    /// Whether `address` may try now.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the seconds to wait.
    pub fn admit(&self, address: IpAddr, now: DateTime<Utc>) -> Result<()> {
        let Some(failed) = self.0.lock().get(&address).copied() else { return Ok(()) };
        let left = failed.last + wait(failed.times) - now;
        if failed.times < FREE || left <= Duration::zero() {
            return Ok(());
        }
        let seconds = left.num_seconds().max(1).unsigned_abs();
        Err(Error::new(Kind::RateLimited, format!("too many wrong passphrases; try again in {seconds} s"))
            .retry_after(seconds))
    }

    /// Notes a failure of `address`.
    pub fn failed(&self, address: IpAddr, now: DateTime<Utc>) {
        let mut all = self.0.lock();
        if all.len() >= ADDRESSES {
            all.retain(|_, failed| now - failed.last < FORGET);
        }
        if all.len() >= ADDRESSES {
            all.clear();
        }
        let failed = all.entry(address).or_insert(Failed { times: 0, last: now });
        if now - failed.last >= FORGET {
            failed.times = 0;
        }
        failed.times += 1;
        failed.last = now;
    }

    /// Forgets the failures of `address` after a success.
    pub fn succeeded(&self, address: IpAddr) {
        self.0.lock().remove(&address);
    }
}

fn wait(times: u32) -> Duration {
    let doublings = times.saturating_sub(FREE).min(16);
    Duration::seconds((1i64 << doublings).min(LONGEST))
}
