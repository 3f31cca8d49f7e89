//! Sessions of the Korean exchange: which days are open, from when until when, and when a trade settles.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Utc, Weekday};
use hanok_base::day;

/// Closed weekdays: day, reason, and whether it is decided or provisional.
const CLOSED_CSV: &str = include_str!("../../../assets/data/krx-calendar/closed.csv");
/// Days with other hours: day, opening, close, reason.
const LATE_CSV: &str = include_str!("../../../assets/data/krx-calendar/late.csv");

/// The regular session in most days, in minutes of the day.
const REGULAR: (u32, u32) = (9 * 60, 15 * 60 + 30);
/// Trades settle with the second session after their own.
const SETTLES_AFTER: usize = 2;

/// The regular session of one day, the auctions at both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session {
    /// The day.
    pub day: NaiveDate,
    /// The first instant of it.
    pub opens: DateTime<Utc>,
    /// The first instant after it.
    pub closes: DateTime<Utc>,
}

impl Session {
    /// Whether it is on at `instant`.
    pub fn is_on(&self, instant: DateTime<Utc>) -> bool {
        (self.opens..self.closes).contains(&instant)
    }
}

struct Calendar {
    closed: BTreeSet<NaiveDate>,
    late: BTreeMap<NaiveDate, (NaiveTime, NaiveTime)>,
    /// The years whose closed days are known, the last that are decided among them.
    first_year: i32,
    last_decided_year: i32,
}

static CALENDAR: LazyLock<Calendar> = LazyLock::new(|| {
    let closed: Vec<(NaiveDate, bool)> = rows(CLOSED_CSV).filter_map(closed_day).collect();
    let years = |only_decided: bool| {
        closed.iter().filter(move |(_, decided)| *decided || !only_decided).map(|(day, _)| day.year())
    };
    Calendar {
        first_year: years(true).min().unwrap_or(i32::MAX),
        last_decided_year: years(true).max().unwrap_or(i32::MIN),
        closed: closed.iter().map(|(day, _)| *day).collect(),
        late: rows(LATE_CSV).filter_map(late_day).collect(),
    }
});

fn rows(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().skip(1).filter(|line| !line.is_empty())
}

fn closed_day(row: &str) -> Option<(NaiveDate, bool)> {
    let mut fields = row.split(',');
    let day = day::parse(fields.next()?)?;
    Some((day, fields.nth(1)? == "decided"))
}

fn late_day(row: &str) -> Option<(NaiveDate, (NaiveTime, NaiveTime))> {
    let mut fields = row.split(',');
    let day = day::parse(fields.next()?)?;
    let mut time = || NaiveTime::parse_from_str(fields.next()?, "%H:%M").ok();
    Some((day, (time()?, time()?)))
}

/// The session of `day`; none when the exchange is closed.
pub fn session(day: NaiveDate) -> Option<Session> {
    let is_weekend = matches!(day.weekday(), Weekday::Sat | Weekday::Sun);
    if is_weekend || CALENDAR.closed.contains(&day) {
        return None;
    }
    let time = |minutes: u32| NaiveTime::from_hms_opt(minutes / 60, minutes % 60, 0).unwrap_or_default();
    let (opens, closes) = CALENDAR.late.get(&day).copied().unwrap_or((time(REGULAR.0), time(REGULAR.1)));
    Some(Session { day, opens: day::at(day, opens), closes: day::at(day, closes) })
}

/// The session that an order given at `instant` takes part in: the one that is on or still to come today, or else the next.
/// None at the end of the calendar.
pub fn current_or_next_session(instant: DateTime<Utc>) -> Option<Session> {
    day::of(instant).iter_days().filter_map(session).find(|session| instant < session.closes)
}

/// The day on which a trade of `day` settles; none at the end of the calendar.
pub fn settlement_day(day: NaiveDate) -> Option<NaiveDate> {
    day.iter_days().skip(1).filter_map(session).nth(SETTLES_AFTER - 1).map(|session| session.day)
}

/// Whether the closed days around `day` are not decided yet, or not known here: it may turn out to be closed.
pub fn is_provisional(day: NaiveDate) -> bool {
    !(CALENDAR.first_year..=CALENDAR.last_decided_year).contains(&day.year())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        day::parse(text).unwrap()
    }

    fn at(text: &str) -> DateTime<Utc> {
        DateTime::parse_from_rfc3339(text).unwrap().to_utc()
    }

    #[test]
    fn every_row_of_the_data_is_read() {
        assert_eq!(CALENDAR.closed.len(), rows(CLOSED_CSV).count());
        assert_eq!(CALENDAR.late.len(), rows(LATE_CSV).count());
        assert!(CALENDAR.late.keys().all(|day| session(*day).is_some()));
    }

    #[test]
    fn each_year_has_as_many_sessions_as_the_exchange_counts() {
        let sessions = |year| {
            let first = NaiveDate::from_ymd_opt(year, 1, 1).unwrap();
            first.iter_days().take_while(|day| day.year() == year).filter_map(session).count()
        };
        // As two calendars of others count them.
        assert_eq!([2024, 2025, 2026, 2027].map(sessions), [244, 242, 244, 245]);
    }

    #[test]
    fn a_session_is_on_from_its_first_to_its_last_instant() {
        let monday = session(day("2026-10-12")).unwrap();
        assert!(!monday.is_on(at("2026-10-12T08:59:59.999+09:00")));
        assert!(monday.is_on(at("2026-10-12T09:00:00+09:00")));
        assert!(monday.is_on(at("2026-10-12T15:29:59.999+09:00")));
        assert!(!monday.is_on(at("2026-10-12T15:30:00+09:00")));
        let test_day = session(day("2026-11-19")).unwrap();
        assert_eq!(
            (test_day.opens, test_day.closes),
            (at("2026-11-19T10:00:00+09:00"), at("2026-11-19T16:30:00+09:00"))
        );
        assert_eq!(session(day("2027-01-04")).unwrap().opens, at("2027-01-04T10:00:00+09:00"));
    }

    #[test]
    fn an_order_takes_part_in_the_session_that_is_on_or_in_the_next() {
        let taken = |text| current_or_next_session(at(text)).unwrap().day.to_string();
        assert_eq!(taken("2026-10-12T07:00:00+09:00"), "2026-10-12");
        assert_eq!(taken("2026-10-12T15:29:00+09:00"), "2026-10-12");
        assert_eq!(taken("2026-10-12T15:30:00+09:00"), "2026-10-13");
        // Saturday; and a holiday before a weekend that ends with a substitute day before it.
        assert_eq!(taken("2026-10-10T21:30:00+09:00"), "2026-10-12");
        assert_eq!(taken("2026-10-02T16:00:00+09:00"), "2026-10-06");
        assert_eq!(taken("2026-12-31T10:00:00+09:00"), "2027-01-04");
        assert_eq!(current_or_next_session(day::start(NaiveDate::MAX)), None);
    }

    #[test]
    fn a_trade_settles_with_the_second_session_after_it() {
        let settles = |text| settlement_day(day(text)).unwrap().to_string();
        assert_eq!(settles("2024-12-27"), "2025-01-02");
        assert_eq!(settles("2025-12-26"), "2025-12-30");
        assert_eq!(settles("2025-12-29"), "2026-01-02");
        assert_eq!(settles("2026-09-22"), "2026-09-28");
        assert_eq!(settles("2026-10-12"), "2026-10-14");
        assert_eq!(settlement_day(NaiveDate::MAX), None);
    }

    #[test]
    fn days_whose_decree_has_not_come_are_provisional() {
        assert!(!is_provisional(day("2024-01-01")) && !is_provisional(day("2026-12-31")));
        assert!(is_provisional(day("2023-12-29")) && is_provisional(day("2027-01-04")));
        // Beyond the data only weekends are closed.
        assert!(is_provisional(day("2028-03-01")) && session(day("2028-03-01")).is_some());
        assert_eq!(session(day("2028-03-04")), None);
    }
}
