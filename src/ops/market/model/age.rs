//! How old is too old. The provider is asked every ten minutes from Monday to Saturday, by the days of Seoul: the exchanges
//! of the world are closed on its Sunday.

use chrono::{DateTime, Datelike, TimeDelta, Utc, Weekday};

use hanok_base::day;

/// For how long what the provider said counts as of now.
const ASKED_WITHIN: TimeDelta = TimeDelta::minutes(30);
/// For how long imported closes count as the newest: a long weekend.
const IMPORTED_WITHIN: TimeDelta = TimeDelta::days(5);

/// Whether what was fetched then should have been fetched again by `now`.
pub fn is_stale(fetched_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    let today = day::of(now);
    let asked_last = if today.weekday() == Weekday::Sun { day::start(today) } else { now };
    asked_last - fetched_at > ASKED_WITHIN
}

/// Whether a close that was imported is of an earlier day than it should be.
pub fn is_old_import(as_of: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now - as_of > IMPORTED_WITHIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_a_sunday_what_was_fetched_on_saturday_night_is_the_newest() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        // 2026-10-10 is a Saturday; Sunday begins in Seoul at 15:00 UTC.
        assert!(!is_stale(at("2026-10-10T14:50:00Z"), at("2026-10-11T12:00:00Z")));
        assert!(is_stale(at("2026-10-10T14:20:00Z"), at("2026-10-11T12:00:00Z")));
        assert!(!is_stale(at("2026-10-12T01:00:00Z"), at("2026-10-12T01:30:00Z")));
        assert!(is_stale(at("2026-10-12T01:00:00Z"), at("2026-10-12T01:31:00Z")));
    }
}
