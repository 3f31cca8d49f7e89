//! The clock: the only place that asks the machine what time it is.
//!
//! Every part gets its time from here, so that a test can hold the clock still and move it.

use std::ops::{Add, AddAssign, Sub};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Datelike, NaiveDate, SubsecRound, TimeDelta, Utc};
use tokio::sync::watch;

use super::day;
use super::error::{Error, Result};
use super::message::Message;

/// The machine's clock, or one that a test holds in its hand.
#[derive(Clone)]
pub struct Clock(Inner);

#[derive(Clone)]
enum Inner {
    Machine,
    Held(Arc<watch::Sender<Hands>>),
}

/// Where a held clock stands.
#[derive(Clone, Copy)]
struct Hands {
    at: DateTime<Utc>,
    moment: Moment,
}

/// A reading that only goes on, whatever happens to the clock: what waits for a span of time to pass is measured by it.
/// It means nothing after the process has ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(TimeDelta);

impl Moment {
    /// The first one.
    pub const BEGIN: Moment = Moment(TimeDelta::zero());
}

impl Add<TimeDelta> for Moment {
    type Output = Moment;

    fn add(self, span: TimeDelta) -> Moment {
        Moment(self.0 + span)
    }
}

impl AddAssign<TimeDelta> for Moment {
    fn add_assign(&mut self, span: TimeDelta) {
        self.0 += span;
    }
}

impl Sub for Moment {
    type Output = TimeDelta;

    fn sub(self, before: Moment) -> TimeDelta {
        self.0 - before.0
    }
}

/// From where this process counts its moments.
static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// How long a sleeper on the machine's clock may sleep before it looks again,
/// so that a clock that was set back or forward is noticed.
const LOOK_AGAIN: Duration = Duration::from_secs(30);
/// The longest span that is waited for: a hundred years.
const LONGEST: TimeDelta = TimeDelta::days(36_500);
/// The first second of the year 9999: room is left for what is planned ahead.
const LATEST: i64 = 253_370_764_800;

/// What a machine's clock says, to the microsecond; what lies before 1970 or beyond 9998, which cannot be, is the nearest
/// instant that can.
fn within_bounds(said: SystemTime) -> DateTime<Utc> {
    let Ok(since) = said.duration_since(UNIX_EPOCH) else { return DateTime::UNIX_EPOCH };
    let seconds = i64::try_from(since.as_secs()).unwrap_or(LATEST).min(LATEST);
    DateTime::from_timestamp(seconds, since.subsec_nanos()).unwrap_or_default().trunc_subsecs(6)
}

impl Clock {
    /// The machine's own clock.
    pub fn system() -> Self {
        Clock(Inner::Machine)
    }

    /// A clock that stands at `at` until it is moved with [`Clock::set`].
    pub fn fixed(at: DateTime<Utc>) -> Self {
        Clock(Inner::Held(Arc::new(watch::Sender::new(Hands { at, moment: Moment::default() }))))
    }

    /// This instant, to the microsecond.
    pub fn now(&self) -> DateTime<Utc> {
        match &self.0 {
            #[expect(clippy::disallowed_methods, reason = "the one place that asks the machine")]
            Inner::Machine => within_bounds(SystemTime::now()),
            Inner::Held(held) => held.borrow().at,
        }
    }

    /// This moment, which no setting of the clock puts back or ahead.
    pub fn moment(&self) -> Moment {
        match &self.0 {
            Inner::Machine => Moment(TimeDelta::from_std(BEGUN.elapsed()).unwrap_or_default()),
            Inner::Held(held) => held.borrow().moment,
        }
    }

    /// Whether it says a year that can be.
    pub fn is_set(&self) -> bool {
        (1971..9999).contains(&self.now().year())
    }

    /// Refuses a machine's clock by which nothing can be kept.
    ///
    /// # Errors
    /// `CONFLICT` with the cure before 1971 and beyond 9998.
    pub fn check(&self) -> Result<()> {
        if self.is_set() {
            return Ok(());
        }
        let sentence = "the clock of this machine is not set: it says a year before 1971 or after 9998; set it (`date -s`, \
                        or a time service) and start again; nothing was changed";
        Err(Error::conflict(Message::english(sentence)))
    }

    /// Today in Asia/Seoul.
    pub fn today(&self) -> NaiveDate {
        day::of(self.now())
    }

    /// Moves a held clock and wakes everyone who sleeps on it: ahead as time passes, back as somebody sets it. The
    /// machine's clock is not ours to move.
    pub fn set(&self, at: DateTime<Utc>) {
        self.turn(|hands| Hands { at, moment: hands.moment + (at - hands.at).max(TimeDelta::zero()) });
    }

    /// Sets a held clock as somebody sets it, ahead or back, while no time passes.
    pub fn put(&self, at: DateTime<Utc>) {
        self.turn(|hands| Hands { at, ..hands });
    }

    fn turn(&self, turned: impl FnOnce(Hands) -> Hands) {
        if let Inner::Held(held) = &self.0 {
            held.send_modify(|hands| *hands = turned(*hands));
        }
    }

    /// Waits until `span` has passed, whatever is done to the clock meanwhile.
    pub async fn sleep(&self, span: Duration) {
        match &self.0 {
            Inner::Machine => tokio::time::sleep(span).await,
            Inner::Held(held) => {
                let until = self.moment() + TimeDelta::from_std(span).unwrap_or(LONGEST);
                let mut moved = held.subscribe();
                // The sender lives in `self`, so the wait ends only when the span has passed.
                let _ = moved.wait_for(|hands| hands.moment >= until).await;
            }
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone;

    #[test]
    fn a_machine_whose_clock_says_what_cannot_be_has_the_nearest_instant_that_can() {
        let at = |seconds: u64| UNIX_EPOCH + Duration::from_secs(seconds);
        assert_eq!(within_bounds(UNIX_EPOCH - Duration::from_secs(86_400)), DateTime::UNIX_EPOCH);
        assert_eq!(within_bounds(at(1_791_636_300)).to_rfc3339(), "2026-10-10T12:45:00+00:00");
        assert_eq!(within_bounds(at(300_000_000_000)).to_rfc3339(), "9999-01-01T00:00:00+00:00");
        assert_eq!(within_bounds(at(1 << 60)).to_rfc3339(), "9999-01-01T00:00:00+00:00");
        for (year, is_right) in [(1970, false), (1971, true), (2026, true), (9998, true), (9999, false)] {
            let clock = Clock::fixed(Utc.with_ymd_and_hms(year, 6, 1, 0, 0, 0).unwrap());
            assert_eq!(clock.check().is_ok(), is_right, "{year}");
        }
    }

    #[tokio::test]
    async fn a_span_passes_with_time_and_not_with_the_clock() {
        let start = Utc.with_ymd_and_hms(2026, 10, 10, 11, 0, 0).unwrap();
        let (clock, begun) = (Clock::fixed(start), Moment::default());
        clock.put(start + TimeDelta::days(3650));
        assert_eq!((clock.now() - start, clock.moment()), (TimeDelta::days(3650), begun));
        let mut sleeper = Box::pin(clock.sleep(Duration::from_secs(5)));
        let mut has_woken = async || tokio::time::timeout(Duration::ZERO, &mut sleeper).await.is_ok();
        assert!(!has_woken().await);
        clock.set(start);
        assert!(!has_woken().await, "the clock was set back, and nothing has passed");
        clock.set(start + TimeDelta::seconds(5));
        assert_eq!(clock.moment() - begun, TimeDelta::seconds(5));
        assert!(has_woken().await);
        let machine = Clock::system();
        let before = machine.moment();
        machine.put(start);
        assert!(machine.moment() >= before);
    }
}
