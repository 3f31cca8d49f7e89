//! Days of Asia/Seoul. "Today", months, expiries and draw nights are counted there, whatever the machine's zone.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeZone, Utc};
use chrono_tz::Asia::Seoul;
use chrono_tz::Tz;

/// The zone in which every day of this house is counted.
pub const ZONE: Tz = Seoul;

/// The day in Asia/Seoul on which `instant` falls.
pub fn of(instant: DateTime<Utc>) -> NaiveDate {
    instant.with_timezone(&ZONE).date_naive()
}

/// The instant at which `time` is reached on `day` in Asia/Seoul.
///
/// Korea has had no daylight saving time since 1988; for the hour that was skipped then,
/// the moment of the change is given.
pub fn at(day: NaiveDate, time: NaiveTime) -> DateTime<Utc> {
    let local = day.and_time(time);
    match ZONE.from_local_datetime(&local).earliest() {
        Some(instant) => instant.with_timezone(&Utc),
        None => DateTime::from_naive_utc_and_offset(local - chrono::Duration::hours(9), Utc),
    }
}

/// The instant at which `day` begins in Asia/Seoul.
pub fn start(day: NaiveDate) -> DateTime<Utc> {
    at(day, NaiveTime::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_changes_at_midnight_in_seoul() {
        let before: DateTime<Utc> = "2026-10-10T14:59:59Z".parse().unwrap();
        let after: DateTime<Utc> = "2026-10-10T15:00:00Z".parse().unwrap();
        assert_eq!(of(before).to_string(), "2026-10-10");
        assert_eq!(of(after).to_string(), "2026-10-11");
        assert_eq!(start(of(after)), after);
    }
}
