//! The clock: the only place that asks the machine what time it is.
//!
//! Every part gets its time from here, so that a test can hold the clock still and move it.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, NaiveDate, SubsecRound, Utc};
use tokio::sync::watch;

use super::day;

/// The machine's clock, or one that a test holds in its hand.
#[derive(Clone)]
pub struct Clock(Inner);

#[derive(Clone)]
enum Inner {
    Machine,
    Held(Arc<watch::Sender<DateTime<Utc>>>),
}

/// How long a sleeper on the machine's clock may sleep before it looks again,
/// so that a clock that was set back or forward is noticed.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

impl Clock {
    /// The machine's own clock.
    pub fn machine() -> Self {
        Clock(Inner::Machine)
    }

    /// A clock that stands at `at` until it is moved with [`Clock::set`].
    pub fn held(at: DateTime<Utc>) -> Self {
        Clock(Inner::Held(Arc::new(watch::Sender::new(at))))
    }

    /// This instant, to the microsecond.
    pub fn now(&self) -> DateTime<Utc> {
        match &self.0 {
            #[expect(clippy::disallowed_methods, reason = "the one place that asks the machine")]
            Inner::Machine => Utc::now().trunc_subsecs(6),
            Inner::Held(at) => *at.borrow(),
        }
    }

    /// Today in Asia/Seoul.
    pub fn today(&self) -> NaiveDate {
        day::of(self.now())
    }

    /// Moves a held clock and wakes everyone who sleeps on it. The machine's clock is not ours to move.
    pub fn set(&self, at: DateTime<Utc>) {
        if let Inner::Held(held) = &self.0 {
            held.send_replace(at);
        }
    }

    /// Waits until `instant` has come on this clock, or until the clock was set back since `planned`: then what was
    /// planned by the wrong clock must be planned anew.
    pub async fn sleep_until_or_set_back(&self, instant: DateTime<Utc>, planned: DateTime<Utc>) {
        let mut moved = match &self.0 {
            Inner::Machine => None,
            Inner::Held(held) => Some(held.subscribe()),
        };
        let mut before = planned;
        loop {
            let now = self.now();
            if now < before || now >= instant {
                return;
            }
            before = now;
            match &mut moved {
                None => tokio::time::sleep((instant - now).to_std().unwrap_or_default().min(LOOK_AGAIN)).await,
                // The sender lives in `self`, so this ends only when the clock is moved.
                Some(moved) => drop(moved.changed().await),
            }
        }
    }

    /// Waits until `instant` has come on this clock, also when the clock is moved meanwhile.
    pub async fn sleep_until(&self, instant: DateTime<Utc>) {
        match &self.0 {
            Inner::Machine => {
                while let Ok(left) = (instant - self.now()).to_std() {
                    if left.is_zero() {
                        return;
                    }
                    tokio::time::sleep(left.min(LOOK_AGAIN)).await;
                }
            }
            Inner::Held(held) => {
                let mut moved = held.subscribe();
                // The sender lives in `self`, so the wait ends only when the instant has come.
                let _ = moved.wait_for(|now| *now >= instant).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone;

    #[tokio::test]
    async fn a_held_clock_wakes_sleepers_only_when_their_instant_has_come() {
        let start = Utc.with_ymd_and_hms(2026, 10, 10, 11, 0, 0).unwrap();
        let clock = Clock::held(start);
        let sleeper = clock.clone();
        let woken = tokio::spawn(async move {
            sleeper.sleep_until(start + chrono::Duration::minutes(45)).await;
            sleeper.now()
        });
        clock.set(start + chrono::Duration::minutes(10));
        clock.set(start + chrono::Duration::minutes(50));
        assert_eq!(woken.await.unwrap(), start + chrono::Duration::minutes(50));
    }
}
