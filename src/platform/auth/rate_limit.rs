//! How often something may be done at the customer door, where it costs somebody's attention: by one address, to one
//! recipient, or by all together.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;

use chrono::Duration;
use parking_lot::Mutex;

use crate::config::one_caller;
use hanok_base::{Error, Kind, MessageTemplate, Moment, Result};

/// Addresses or recipients that are counted apart at the same time, of whatever is done.
const MOST: usize = 50_000;

/// Somebody asks too often.
pub(crate) const TOO_OFTEN: MessageTemplate =
    MessageTemplate::new("house.too_often", "too many requests; try again in {seconds} s");

/// How often something may be done.
#[derive(Debug, Clone, Copy)]
pub struct RateLimit {
    /// What is done, unique in the house.
    pub what: &'static str,
    /// How often at most,
    pub most: usize,
    /// within this span.
    pub within: Duration,
}

/// What was done lately, by what it was and by who did it or whom it was done to.
#[derive(Debug, Default)]
pub struct RateLimiter(Mutex<HashMap<&'static str, HashMap<String, VecDeque<Moment>>>>);

impl RateLimiter {
    /// Whether `address` may do it now, which is counted then. What is refused is not counted.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the seconds to wait.
    pub fn admit(&self, pace: RateLimit, address: IpAddr, now: Moment) -> Result<()> {
        self.admit_to(pace, &one_caller(address).to_string(), now)
    }

    /// Whether `address` may do it to `whom` now, which is counted then. What is refused is not counted.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the seconds to wait.
    pub fn admit_both(&self, pace: RateLimit, address: IpAddr, whom: &str, now: Moment) -> Result<()> {
        self.admit_to(pace, &format!("{} {whom}", one_caller(address)), now)
    }

    /// Whether it may be done to `whom` now, whoever does it, which is counted then. What is refused is not counted.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the seconds to wait.
    pub fn admit_to(&self, pace: RateLimit, whom: &str, now: Moment) -> Result<()> {
        let mut paces = self.0.lock();
        // Each by itself: what many do holds nothing else up.
        let counted = paces.entry(pace.what).or_default();
        if counted.len() >= MOST {
            counted.retain(|_, done| done.back().is_some_and(|at| now - *at < pace.within));
        }
        if counted.len() >= MOST && !counted.contains_key(whom) {
            return Err(wait_for(pace.within));
        }
        let done = counted.entry(whom.to_owned()).or_default();
        while done.front().is_some_and(|at| now - *at >= pace.within) {
            done.pop_front();
        }
        if done.len() >= pace.most
            && let Some(oldest) = done.front()
        {
            return Err(wait_for(*oldest + pace.within - now));
        }
        done.push_back(now);
        Ok(())
    }
}

fn wait_for(span: Duration) -> Error {
    let seconds = (span + Duration::milliseconds(999)).num_seconds().max(1).unsigned_abs();
    Error::new(Kind::RateLimited, TOO_OFTEN.with([("seconds", seconds.into())])).retry_after(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: RateLimit = RateLimit { what: "letters", most: 5, within: Duration::minutes(1) };

    #[test]
    fn the_sixth_within_a_minute_waits_until_the_first_is_a_minute_old() {
        let (paces, address) = (RateLimiter::default(), IpAddr::from([203, 0, 113, 9]));
        let after = |seconds| Moment::BEGIN + Duration::seconds(seconds);
        for second in 0..5 {
            paces.admit(LETTERS, address, after(second)).unwrap();
        }
        let refused = paces.admit(LETTERS, address, after(10)).unwrap_err();
        assert_eq!((refused.kind, refused.retry_after), (Kind::RateLimited, Some(50)));
        paces.admit(LETTERS, [203, 0, 113, 10].into(), after(10)).unwrap();
        paces.admit(RateLimit { what: "orders", ..LETTERS }, address, after(10)).unwrap();
        let nearly = after(59) + Duration::milliseconds(500);
        assert_eq!(paces.admit(LETTERS, address, nearly).unwrap_err().retry_after, Some(1));
        paces.admit(LETTERS, address, after(60)).unwrap();
        assert_eq!(paces.admit(LETTERS, address, after(60)).unwrap_err().retry_after, Some(1));
    }

    #[test]
    fn who_has_been_quiet_is_forgotten_when_there_are_too_many() {
        let paces = RateLimiter::default();
        for number in 0..MOST as u32 {
            paces.admit(LETTERS, IpAddr::from(number.to_be_bytes()), Moment::BEGIN).unwrap();
        }
        let newcomer = IpAddr::from([203, 0, 113, 9]);
        assert_eq!(paces.admit(LETTERS, newcomer, Moment::BEGIN).unwrap_err().kind, Kind::RateLimited);
        paces.admit(RateLimit { what: "orders", ..LETTERS }, newcomer, Moment::BEGIN).unwrap();
        paces.admit(LETTERS, newcomer, Moment::BEGIN + Duration::minutes(1)).unwrap();
        assert_eq!(paces.0.lock()[LETTERS.what].len(), 1);
    }
}
