//! How long a session lasts, of the household and of a customer alike, by a clock that may be set ahead or back.

use chrono::{DateTime, Duration, Utc};

/// How often it is written down when a session was seen.
const SEEN_TO: Duration = Duration::hours(1);
/// How far a clock may be set back before the sessions that it had begun end: they would last longer than any other.
const FROM_THE_FUTURE: Duration = Duration::days(1);

/// When a session began and was seen last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lived {
    /// When it began.
    pub(super) since: DateTime<Utc>,
    /// When it was seen last.
    pub(super) seen: DateTime<Utc>,
}

impl Lived {
    /// Whether it has not ended by being idle or by its age, both in days, nor was begun or seen by a clock that ran far
    /// ahead.
    pub(super) fn is_alive(self, now: DateTime<Utc>, idle_days: u32, absolute_days: u32) -> bool {
        let (age, unseen) = (now - self.since, now - self.seen);
        unseen < Duration::days(idle_days.into())
            && age < Duration::days(absolute_days.into())
            && age.min(unseen) > -FROM_THE_FUTURE
    }

    /// Whether it is to be written down that it is seen at `now`: to the hour, also when the clock was set back.
    pub(super) fn is_seen_anew(self, now: DateTime<Utc>) -> bool {
        (now - self.seen).abs() > SEEN_TO
    }

    /// It is seen at `now`. When the clock was set back, it has begun earlier by as much: no clock makes it younger.
    pub(super) fn seen_at(self, now: DateTime<Utc>) -> Lived {
        Lived { since: self.since + (now - self.seen).min(Duration::zero()), seen: now }
    }
}
