//! Slows down guessing: after five failures from one address each further try must wait, twice as long each time.

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
/// Addresses remembered at most; beyond it the oldest are forgotten.
const ADDRESSES: usize = 10_000;

/// Tries by address since its last success.
#[derive(Debug, Default)]
pub struct Guesses(Mutex<HashMap<IpAddr, Tried>>);

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
        let mut all = self.0.lock();
        if all.len() >= ADDRESSES {
            all.retain(|_, tried| now - tried.last < FORGET);
        }
        if all.len() >= ADDRESSES {
            all.clear();
        }
        let tried = all.entry(one_caller(address)).or_insert(Tried { times: 0, last: now });
        if now - tried.last >= FORGET {
            tried.times = 0;
        }
        // A clock that was set back must not lock anyone out until it has caught up.
        tried.last = tried.last.min(now);
        let left = tried.last + wait(tried.times) - now;
        if tried.times >= FREE && left > Duration::zero() {
            let seconds = left.num_seconds().max(1).unsigned_abs();
            let message = format!("too many wrong passphrases; try again in {seconds} s");
            return Err(Error::new(Kind::RateLimited, message).retry_after(seconds));
        }
        tried.times += 1;
        tried.last = now;
        Ok(())
    }

    /// Forgets the tries of `address` after a success.
    pub fn succeeded(&self, address: IpAddr) {
        self.0.lock().remove(&one_caller(address));
    }
}

fn wait(times: u32) -> Duration {
    let doublings = times.saturating_sub(FREE).min(16);
    Duration::seconds((1i64 << doublings).min(LONGEST))
}
