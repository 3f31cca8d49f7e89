//! Instants as they are written in requests.

use chrono::{DateTime, Datelike, Timelike, Utc};
use serde::{Deserialize, Deserializer};

use super::schema::{BasicType, Components, KnownFormat, Object, RefOr, Schema, SchemaFormat};
use super::validated::{Constraint, ValidationErrors};
use super::validation_messages;

/// How an instant is written; which days and hours there are, the format says.
const FORM: &str = "^(19|[2-9][0-9])[0-9]{2}-[01][0-9]-[0-3][0-9][Tt][0-2][0-9]:[0-5][0-9]:[0-5][0-9]([.][0-9]+)?\
     ([Zz]|[+-][0-2][0-9]:[0-5][0-9])$";
/// The years that instants lie in: what other programs can read and write without a sign.
const YEARS: std::ops::RangeInclusive<i32> = 1900..=9999;
/// The first instant there is, in seconds since 1970.
const FIRST: i64 = -2_208_988_800;
/// The last one.
const LAST: i64 = 253_402_300_799;
/// A second that is inserted is counted by nanoseconds beyond these.
const SECOND: u32 = 1_000_000_000;

/// An instant of RFC 3339 in a request, in any zone, between 1900 and 9999 where it is written and in UTC. Nothing but a `T`
/// stands between day and time, and no second is the sixtieth: hardly any program can read it.
pub enum Timestamp {}

impl Constraint for Timestamp {
    type Input = String;
    type Value = DateTime<Utc>;

    fn check(sent: String) -> Result<DateTime<Utc>, ValidationErrors> {
        let is_plain =
            sent.is_ascii() && sent.as_bytes().get(10).is_some_and(|between| between.eq_ignore_ascii_case(&b'T'));
        let read = DateTime::parse_from_rfc3339(&sent).ok().filter(|read| is_plain && read.nanosecond() < SECOND);
        let instant = read.ok_or(validation_messages::INSTANT)?;
        let is_known = YEARS.contains(&instant.year()) && YEARS.contains(&instant.to_utc().year());
        if is_known { Ok(instant.to_utc()) } else { Err(validation_messages::INSTANT_OF_OURS.into()) }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String)
            .format(SchemaFormat::KnownFormat(KnownFormat::DateTime))
            .pattern(FORM)
            .description("An instant between 1900 and 9999, where it is written and in UTC.")
            .into()
    }
}

/// Reads a stored instant. One that an earlier version took, and that no request may name now, is the nearest one that
/// there is.
///
/// # Errors
/// When it is no instant.
pub fn read_stored<'de, D: Deserializer<'de>>(stored: D) -> Result<Option<DateTime<Utc>>, D::Error> {
    Ok(Option::<DateTime<Utc>>::deserialize(stored)?.and_then(nearest))
}

fn nearest(stored: DateTime<Utc>) -> Option<DateTime<Utc>> {
    match stored.timestamp() {
        ..FIRST => DateTime::from_timestamp(FIRST, 0),
        FIRST..=LAST => stored.with_nanosecond(stored.nanosecond() % SECOND),
        _ => DateTime::from_timestamp(LAST, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_read_in_any_zone_or_refused() {
        let sent = |text: &str| Timestamp::check(text.to_owned());
        let evening = "2026-10-10T12:30:00.000001Z".parse().unwrap();
        assert_eq!(sent("2026-10-10T12:30:00.000001Z"), Ok(evening));
        assert_eq!(sent("2026-10-10T21:30:00.000001+09:00"), Ok(evening));
        for text in [
            "",
            "now",
            "2026-10-10",
            "2026-10-10T12:30:00",
            "2026-10-10 12:30:00Z",
            "2026-10-10T12:30:00\u{2212}09:00",
            "2026-02-30T12:30:00Z",
            "1760099400",
            "2027-11-22T09:00:60Z",
            "2016-12-31T23:59:60Z",
        ] {
            assert_eq!(sent(text), Err(validation_messages::INSTANT.into()), "{text}");
        }
    }

    #[test]
    fn an_instant_lies_in_the_years_there_are_where_it_is_written_and_in_utc() {
        let sent = |text: &str| Timestamp::check(text.to_owned());
        for text in ["1900-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"] {
            assert_eq!(sent(text), Ok(text.parse().unwrap()));
        }
        for text in [
            "9999-12-31T23:59:59-23:59",
            "0000-01-01T00:00:00+23:59",
            "1899-12-31T23:59:59Z",
            "1900-01-01T00:00:00+00:01",
            "1899-12-31T23:59:59-00:01",
        ] {
            assert_eq!(sent(text), Err(validation_messages::INSTANT_OF_OURS.into()), "{text}");
        }
    }

    #[test]
    fn what_an_earlier_version_stored_is_read_as_the_nearest_there_is() {
        let read = |stored: &str| read_stored(&serde_json::json!(stored)).unwrap().unwrap().to_rfc3339();
        assert_eq!(read("2027-11-22T09:00:60Z"), "2027-11-22T09:00:59+00:00");
        assert_eq!(read("+10000-01-01T23:58:59Z"), "9999-12-31T23:59:59+00:00");
        assert_eq!(read("-0001-12-31T00:01:00Z"), "1900-01-01T00:00:00+00:00");
        assert_eq!(read("2026-10-10T12:30:00.000001Z"), "2026-10-10T12:30:00.000001+00:00");
        assert_eq!(read_stored(&serde_json::Value::Null).unwrap(), None);
    }
}
