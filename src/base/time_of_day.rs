//! Times of day as people set them: hours and minutes in Asia/Seoul.

use std::fmt;

use chrono::{NaiveTime, Timelike};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::schema::{BasicType, Components, Object, RefOr, Schema, SchemaFormat, ToSchema};
use super::validated::{Constraint, ValidationErrors};
use super::validation_messages;

/// A time of day to the minute, written `15:00`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeOfDay(NaiveTime);

/// Hours and minutes.
const FORM: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]$";

impl TimeOfDay {
    /// The time that `text` says; in no other form than `15:00`.
    pub fn parse(text: &str) -> Option<TimeOfDay> {
        let [a, b, b':', c, d] = text.as_bytes() else { return None };
        let two = |tens: &u8, ones: &u8| {
            (tens.is_ascii_digit() && ones.is_ascii_digit())
                .then(|| u32::from(tens - b'0') * 10 + u32::from(ones - b'0'))
        };
        NaiveTime::from_hms_opt(two(a, b)?, two(c, d)?, 0).map(TimeOfDay)
    }

    /// The same for who calculates with it.
    pub fn time(self) -> NaiveTime {
        self.0
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0.hour(), self.0.minute())
    }
}

impl Serialize for TimeOfDay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeOfDay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        TimeOfDay::parse(&text).ok_or_else(|| D::Error::custom("no time of day"))
    }
}

impl ToSchema for TimeOfDay {
    fn to_schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).format(SchemaFormat::Custom("time-of-day".to_owned())).pattern(FORM).into()
    }
}

impl Constraint for TimeOfDay {
    type Input = String;
    type Value = TimeOfDay;

    fn check(sent: String) -> Result<TimeOfDay, ValidationErrors> {
        TimeOfDay::parse(&sent).ok_or_else(|| validation_messages::TIME_OF_DAY.into())
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        Self::to_schema(components)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_day_is_written_in_one_form() {
        for text in ["00:00", "09:05", "15:00", "23:59"] {
            assert_eq!(TimeOfDay::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "9:05", "24:00", "12:60", "12:00:00", "+1:00", "1２:00", "12.00", " 12:00"] {
            assert_eq!(TimeOfDay::parse(text), None, "{text}");
        }
    }
}
