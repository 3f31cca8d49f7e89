//! What arrives in a request and what it must be: a constraint is written once, as a type, and both checks the value
//! and describes itself in the OpenAPI document.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, de::DeserializeOwned};

use super::expected::plainly;
use super::fields::Fields;
use super::message::{Message, MessageTemplate};
use super::schema::{BasicType, Components, Object, RefOr, Schema, ToSchema};
use super::validation_messages;

/// What a value must be. A type that says it need not have values of its own: it stands in [`Validated`].
pub trait Constraint {
    /// What is sent.
    type Input: DeserializeOwned;
    /// What is kept of it.
    type Value;

    /// The value, or why it is not taken ("must be …").
    fn check(sent: Self::Input) -> Result<Self::Value, ValidationErrors>;

    /// How it is described.
    fn schema(components: &mut Components) -> RefOr<Schema>;
}

/// A value that was sent, checked by `C`. A refusal waits here until `Check::take` names the field, so that one
/// answer names every refused field: one that is missing or of the wrong type as well as one that is out of bounds.
///
/// So every field of a request is a `Validated`, or an `Option` of one where it may be left out. It is read from a
/// deserializer that parses each value by itself, as the doors' do.
pub struct Validated<C: Constraint>(Result<C::Value, ValidationErrors>);

impl<C: Constraint> Validated<C> {
    /// What becomes of `sent`.
    pub fn of(sent: C::Input) -> Self {
        Validated(C::check(sent))
    }

    /// A value that needs no check.
    pub fn taken(value: C::Value) -> Self {
        Validated(Ok(value))
    }

    /// The value, unless it is refused.
    pub fn value(&self) -> Option<&C::Value> {
        self.0.as_ref().ok()
    }

    /// The checked value, or why it is not taken.
    pub fn checked(self) -> Result<C::Value, ValidationErrors> {
        self.0
    }
}

impl<C: Constraint<Value: Clone>> Clone for Validated<C> {
    fn clone(&self) -> Self {
        Validated(self.0.clone())
    }
}

impl<C: Constraint> fmt::Debug for Validated<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_ok() { "Validated(taken)" } else { "Validated(refused)" })
    }
}

impl<'de, C: Constraint> Deserialize<'de> for Validated<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let sent = C::Input::deserialize(deserializer);
        Ok(sent.map_or_else(|error| Validated(Err(plainly(&error.to_string()).into())), Self::of))
    }
}

impl<C: Constraint> ToSchema for Validated<C> {
    fn to_schema(components: &mut Components) -> RefOr<Schema> {
        C::schema(components)
    }
}

/// Why a value is not taken: what it must be, or what parts of it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationErrors(Fields);

impl ValidationErrors {
    /// What each part must be, by its place in the value: `[2]`, `.name`, nothing for the value itself.
    pub fn parts(parts: Fields) -> Self {
        ValidationErrors(parts)
    }

    /// The refused fields, when the value was sent as `path`.
    pub fn at(self, path: &str) -> impl Iterator<Item = (String, Message)> {
        self.0.into_iter().map(move |(part, must)| (format!("{path}{part}"), must))
    }
}

impl From<Message> for ValidationErrors {
    fn from(must: Message) -> Self {
        ValidationErrors(Fields::from([(String::new(), must)]))
    }
}

impl From<MessageTemplate> for ValidationErrors {
    fn from(must: MessageTemplate) -> Self {
        Message::from(must).into()
    }
}

/// Any value of the type `T`: a flag, one word of several, a text that is looked at elsewhere.
pub struct Unchecked<T>(PhantomData<T>);

impl<T: DeserializeOwned + ToSchema> Constraint for Unchecked<T> {
    type Input = T;
    type Value = T;

    fn check(sent: T) -> Result<T, ValidationErrors> {
        Ok(sent)
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        T::to_schema(components)
    }
}

/// A whole number from `LEAST` to `MOST`.
pub enum IntRange<const LEAST: u64, const MOST: u64> {}

impl<const LEAST: u64, const MOST: u64> Constraint for IntRange<LEAST, MOST> {
    type Input = Integer;
    type Value = u64;

    fn check(sent: Integer) -> Result<u64, ValidationErrors> {
        sent.within(LEAST, MOST).ok_or_else(|| validation_messages::between(LEAST, MOST).into())
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Integer::schema(LEAST, MOST).into()
    }
}

/// A sum of at most `MOST` won.
pub enum KrwRange<const MOST: u64> {}

impl<const MOST: u64> Constraint for KrwRange<MOST> {
    type Input = Integer;
    type Value = u64;

    fn check(sent: Integer) -> Result<u64, ValidationErrors> {
        sent.within(0, MOST).ok_or_else(|| {
            validation_messages::BETWEEN_WON.with([("least", 0u64.into()), ("most", MOST.into())]).into()
        })
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Integer::schema(0, MOST).into()
    }
}

/// A number from 0 to 1.
pub enum Fraction {}

impl Constraint for Fraction {
    type Input = f64;
    type Value = f64;

    fn check(sent: f64) -> Result<f64, ValidationErrors> {
        if (0.0..=1.0).contains(&sent) { Ok(sent) } else { Err(validation_messages::between(0, 1).into()) }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::Number).minimum(0.0).maximum(1.0).into()
    }
}

/// A whole number as it was sent, however large or small: one beyond 128 bits is the largest or the smallest of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integer(i128);

impl Integer {
    /// The number, when it is from `least` to `most`.
    pub fn within(self, least: u64, most: u64) -> Option<u64> {
        u64::try_from(self.0).ok().filter(|number| (least..=most).contains(number))
    }

    /// How a whole number from `least` to `most` is described.
    pub fn schema(least: u64, most: u64) -> Object {
        Object::with_type(BasicType::Integer).minimum(least as f64).maximum(most as f64)
    }
}

impl<T: Into<i128>> From<T> for Integer {
    fn from(number: T) -> Self {
        Integer(number.into())
    }
}

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyInteger;
        impl Visitor<'_> for AnyInteger {
            type Value = Integer;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                // The parser's own word, which the door says in words for people.
                f.write_str("i128")
            }

            fn visit_u64<E>(self, number: u64) -> Result<Integer, E> {
                Ok(number.into())
            }

            fn visit_i64<E>(self, number: i64) -> Result<Integer, E> {
                Ok(number.into())
            }

            fn visit_i128<E>(self, number: i128) -> Result<Integer, E> {
                Ok(number.into())
            }
        }
        deserializer.deserialize_i128(AnyInteger)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::error::Check;
    use crate::{day::Day, text::Text};

    #[derive(Deserialize)]
    struct Form {
        title: Validated<Text<1, 5>>,
        #[serde(default)]
        count: Option<Validated<IntRange<1, 9>>>,
        #[serde(default)]
        due: Option<Validated<Day>>,
    }

    fn refused(form: Form) -> Vec<String> {
        let checked = Check::of(|check| {
            check.take("title", form.title);
            form.count.map(|count| check.take("count", count));
            form.due.map(|due| check.find("due", due));
        });
        checked.unwrap_err().fields.into_iter().map(|(field, must)| format!("{field} {must}")).collect()
    }

    #[test]
    fn every_refused_field_is_named_in_one_answer() {
        let form: Form = serde_json::from_str(r#"{"title": " ", "count": -1, "due": "1899-12-31"}"#).unwrap();
        assert_eq!(
            refused(form),
            ["count must be between 1 and 9", "due must be a day between 1900 and 9999", "title must not be empty"]
        );
    }

    #[test]
    fn a_field_that_is_missing_or_of_another_type_is_named_beside_the_others() {
        let sent = serde_json::json!({"count": "three", "due": 5});
        let form: Form = serde_json::from_value(sent).unwrap();
        assert_eq!(refused(form), ["count must be a whole number", "due must be text", "title is required"]);
    }

    #[test]
    fn what_a_constraint_checks_is_what_it_describes() {
        let whole = serde_json::to_value(IntRange::<1, 9>::schema(&mut Components::new())).unwrap();
        assert_eq!((whole["minimum"].as_f64(), whole["maximum"].as_f64()), (Some(1.0), Some(9.0)));
        let text = serde_json::to_value(Text::<1, 5>::schema(&mut Components::new())).unwrap();
        assert_eq!((text["minLength"].as_u64(), text["maxLength"].as_u64()), (Some(1), Some(5)));
    }

    #[test]
    fn a_fraction_is_a_number_from_0_to_1_and_says_so() {
        for (sent, is_taken) in [(0.0, true), (0.5, true), (1.0, true), (-0.1, false), (1.1, false), (f64::NAN, false)]
        {
            assert_eq!(Fraction::check(sent).is_ok(), is_taken, "{sent}");
        }
        let described = serde_json::to_value(Fraction::schema(&mut Components::new())).unwrap();
        assert_eq!((described["minimum"].as_f64(), described["maximum"].as_f64()), (Some(0.0), Some(1.0)));
    }

    proptest! {
        #[test]
        fn any_number_is_within_its_bounds_or_refused(number in prop_oneof![any::<i64>(), -2i64..12]) {
            let sent: Validated<IntRange<1, 9>> = serde_json::from_str(&number.to_string()).unwrap();
            prop_assert_eq!(sent.checked().is_ok(), (1..=9).contains(&number));
        }
    }
}
