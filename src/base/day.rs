//! Days of Asia/Seoul. "Today", months, expiries and draw nights are counted there, whatever the machine's zone.

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeZone, Utc};
use chrono_tz::Asia::Seoul;
use chrono_tz::Tz;

use super::schema::{BasicType, Components, KnownFormat, Object, RefOr, Schema, SchemaFormat};
use super::validated::{Constraint, ValidationErrors};
use super::validation_messages;

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

/// A day as it is written in requests, `2026-10-10`; in no other form.
pub fn parse(text: &str) -> Option<NaiveDate> {
    let form = |(place, byte): (usize, u8)| if matches!(place, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    let fits = text.len() == 10 && text.bytes().enumerate().all(form);
    fits.then(|| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()).flatten()
}

/// `instant` in milliseconds since 1970, 0 before: how an instant sorts in a key.
pub fn millis(instant: DateTime<Utc>) -> u64 {
    u64::try_from(instant.timestamp_millis()).unwrap_or(0)
}

/// A day between 1900 and 9999 in a request.
pub enum Day {}

impl Constraint for Day {
    type Input = String;
    type Value = NaiveDate;

    fn check(sent: String) -> Result<NaiveDate, ValidationErrors> {
        let day = parse(&sent).ok_or(validation_messages::DAY)?;
        let is_in_range = (1900..=9999).contains(&day.year());
        if is_in_range { Ok(day) } else { Err(validation_messages::DAY_OF_OURS.into()) }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String)
            .format(SchemaFormat::KnownFormat(KnownFormat::Date))
            .pattern("^(19|[2-9][0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}$")
            .into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_day_is_written_in_one_form() {
        assert_eq!(parse("2028-02-29"), NaiveDate::from_ymd_opt(2028, 2, 29));
        for text in
            ["", "2026-2-29", "2027-02-29", "2026-13-01", " 2026-01-01", "2026-01-01 ", "+026-01-01", "２０２６-01-01"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_day_that_was_sent_is_one_of_this_house_or_refused() {
        let sent = |text: &str| Day::check(text.to_owned());
        assert_eq!(sent("1900-01-01"), Ok(NaiveDate::from_ymd_opt(1900, 1, 1).unwrap()));
        for text in ["2026-02-30", "2026-2-3", "+2026-02-03", ""] {
            assert_eq!(sent(text), Err(validation_messages::DAY.into()), "{text}");
        }
        assert_eq!(sent("1899-12-31"), Err(validation_messages::DAY_OF_OURS.into()));
    }

    #[test]
    fn the_day_changes_at_midnight_in_seoul() {
        let before: DateTime<Utc> = "2026-10-10T14:59:59Z".parse().unwrap();
        let after: DateTime<Utc> = "2026-10-10T15:00:00Z".parse().unwrap();
        assert_eq!(of(before).to_string(), "2026-10-10");
        assert_eq!(of(after).to_string(), "2026-10-11");
        assert_eq!(start(of(after)), after);
    }

    proptest! {
        #[test]
        fn any_text_is_a_day_that_is_written_the_same_or_none(text in "[+ ]?[0-9]{3,5}-[0-9]{1,2}-[0-9]{1,2} ?|[0-9]{4}-[01][0-9]-[0-3][0-9]|\\PC{0,12}") {
            if let Some(day) = parse(&text) {
                prop_assert_eq!(day.to_string(), text);
            }
        }
    }
}
