//! Instants as they are written in requests.

use chrono::{DateTime, Utc};

use super::schema::{BasicType, Components, KnownFormat, Object, RefOr, Schema, SchemaFormat};
use super::sent::{Constraint, Refused};

/// An instant of RFC 3339 in a request, in any zone. Nothing but a `T` stands between day and time.
pub enum Instant {}

impl Constraint for Instant {
    type Sent = String;
    type Value = DateTime<Utc>;

    fn check(sent: String) -> Result<DateTime<Utc>, Refused> {
        let is_plain =
            sent.is_ascii() && sent.as_bytes().get(10).is_some_and(|between| between.eq_ignore_ascii_case(&b'T'));
        let read = DateTime::parse_from_rfc3339(&sent).ok().filter(|_| is_plain);
        read.map(|instant| instant.to_utc()).ok_or_else(|| "must be an instant such as 2026-10-10T12:30:00Z".into())
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).format(SchemaFormat::KnownFormat(KnownFormat::DateTime)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_read_in_any_zone_or_refused() {
        let sent = |text: &str| Instant::check(text.to_owned());
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
        ] {
            assert_eq!(sent(text), Err("must be an instant such as 2026-10-10T12:30:00Z".into()), "{text}");
        }
    }
}
