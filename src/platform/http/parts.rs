//! A request taken apart before it is read: each field is parsed by itself, so that one which does not fit leaves the
//! others readable. [`hanok_base::Sent`] keeps what was refused, and one answer names all of it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserialize, Deserializer, Error as _, IntoDeserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;

use super::numbers::{NO_NUMBER, NOT_WHOLE, number, whole};
use hanok_base::Error;
use hanok_base::expected::plainly;

/// How deep a body may be nested as far as its type looks into it: each level is parsed anew.
const DEEPEST: u8 = 32;

/// What a parser says of a field that stands twice.
const TWICE: &str = "duplicate field";

/// The refusal of what does not fit its type; `whole` is what was sent.
pub(super) fn unfit<E: fmt::Display>(whole: &str, error: serde_path_to_error::Error<E>) -> Error {
    let path = error.path().to_string();
    let path = if path == "." || path == "?" { "" } else { &path };
    let said = error.inner().to_string();
    match said.strip_prefix("missing field `").and_then(|rest| rest.split('`').next()) {
        Some(name) if path.is_empty() => Error::field(name, plainly(&said)),
        Some(name) => Error::field(format!("{path}.{name}"), plainly(&said)),
        None => Error::field(if path.is_empty() { whole } else { path }, plainly(&said)),
    }
}

/// A JSON value that is not parsed yet.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part<'de> {
    /// Its text, and how deep it lies in the body.
    Once(&'de str, u8),
    /// A field that stands twice.
    Twice,
}

impl<'de> Part<'de> {
    /// A whole body.
    pub fn of(body: &'de RawValue) -> Self {
        Part::Once(body.get(), 0)
    }

    fn text(self) -> serde_json::Result<(&'de str, u8)> {
        match self {
            Part::Once(text, depth) => Ok((text, depth)),
            Part::Twice => Err(serde_json::Error::custom(TWICE)),
        }
    }

    fn whole(self) -> serde_json::Result<Option<i128>> {
        Ok(whole(self.text()?.0))
    }

    fn number(self) -> serde_json::Result<Option<f64>> {
        Ok(number(self.text()?.0))
    }

    fn no_number<V: Visitor<'de>>(self, _must: &str, visitor: V) -> serde_json::Result<V::Value> {
        self.deserialize_any(visitor)
    }
}

/// Numbers by the type that is asked for.
macro_rules! read_numbers {
    () => {
        read_numbers! {
            deserialize_i8 visit_i8 i8 deserialize_i16 visit_i16 i16 deserialize_i32 visit_i32 i32
            deserialize_i64 visit_i64 i64
            deserialize_u8 visit_u8 u8 deserialize_u16 visit_u16 u16 deserialize_u32 visit_u32 u32
            deserialize_u64 visit_u64 u64
        }

        fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            match self.clone().whole()? {
                Some(number) => visitor.visit_i128(number),
                None => self.no_number(NOT_WHOLE, visitor),
            }
        }

        fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            self.deserialize_f64(visitor)
        }

        fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            match self.clone().number()? {
                Some(number) => visitor.visit_f64(number),
                None => self.no_number(NO_NUMBER, visitor),
            }
        }
    };
    ($($deserialize:ident $visit:ident $kind:ident)*) => {
        $(fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            let Some(number) = self.clone().whole()? else { return self.no_number(NOT_WHOLE, visitor) };
            let bounds = |_| Self::Error::custom(format!("must be between {} and {}", $kind::MIN, $kind::MAX));
            visitor.$visit($kind::try_from(number).map_err(bounds)?)
        })*
    };
}

impl<'de> Deserializer<'de> for Part<'de> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        let (text, depth) = self.text()?;
        let is_nested = text.starts_with(['[', '{']);
        if is_nested && depth == DEEPEST {
            return Err(serde_json::Error::custom("recursion limit exceeded"));
        }
        let part = |value: &'de RawValue| Part::Once(value.get(), depth + 1);
        if text.starts_with('[') {
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            let mut items = SeqDeserializer::new(items.into_iter().map(part));
            let list = visitor.visit_seq(&mut items)?;
            return items.end().map(|()| list);
        }
        if text.starts_with('{') {
            let Fields(pairs) = serde_json::from_str(text)?;
            let mut fields = BTreeMap::new();
            for (name, value) in pairs {
                fields.entry(name).and_modify(|before| *before = Part::Twice).or_insert(part(value));
            }
            return visitor.visit_map(MapDeserializer::new(fields.into_iter()));
        }
        let whole = whole(text);
        match (whole.and_then(|whole| whole.try_into().ok()), whole.and_then(|whole| whole.try_into().ok())) {
            (Some(number), _) => visitor.visit_u64(number),
            (_, Some(number)) => visitor.visit_i64(number),
            _ => serde_json::Deserializer::from_str(text).deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        if matches!(self, Part::Once("null", _)) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> serde_json::Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> serde_json::Result<V::Value> {
        let (text, _) = self.text()?;
        let read = serde_json::Deserializer::from_str(text).deserialize_enum(name, variants, visitor);
        // Whatever is no text is none of the words.
        read.map_err(|error| match text.starts_with('"') {
            true => error,
            false => serde_json::Error::unknown_variant(text, variants),
        })
    }

    read_numbers! {}

    /// A field that nobody asks for is not looked at.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool u128 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

impl<'de> IntoDeserializer<'de, serde_json::Error> for Part<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The fields of an object in their order, also those that stand twice.
struct Fields<'de>(Vec<(String, &'de RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EachField;
        impl<'de> Visitor<'de> for EachField {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(EachField)
    }
}

/// A query parameter that is not parsed yet; none when it stands twice.
#[derive(Debug, Clone)]
pub(super) struct Parameter<'de>(Option<Cow<'de, str>>);

/// The parameters of a query by their names.
pub(super) fn parameters(query: &str) -> BTreeMap<Cow<'_, str>, Parameter<'_>> {
    let mut parameters = BTreeMap::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let twice = |before: &mut Parameter| before.0 = None;
        parameters.entry(name).and_modify(twice).or_insert(Parameter(Some(value)));
    }
    parameters
}

impl<'de> Parameter<'de> {
    fn text(self) -> Result<Cow<'de, str>, serde::de::value::Error> {
        self.0.ok_or_else(|| serde::de::value::Error::custom(TWICE))
    }

    fn whole(self) -> Result<Option<i128>, serde::de::value::Error> {
        Ok(whole(&self.text()?))
    }

    fn number(self) -> Result<Option<f64>, serde::de::value::Error> {
        Ok(number(&self.text()?))
    }

    fn no_number<V: Visitor<'de>>(self, must: &str, _visitor: V) -> Result<V::Value, serde::de::value::Error> {
        Err(serde::de::value::Error::custom(must))
    }
}

impl<'de> Deserializer<'de> for Parameter<'de> {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.text()?.into_deserializer().deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.text()?.into_deserializer().deserialize_enum(name, variants, visitor)
    }

    /// A parameter that nobody asks for is not looked at.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_unit()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_bool(self.text()?.parse().map_err(Self::Error::custom)?)
    }

    read_numbers! {}

    forward_to_deserialize_any! {
        u128 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

impl<'de> IntoDeserializer<'de, serde::de::value::Error> for Parameter<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_whole_number_is_the_same_value_however_it_is_written() {
        for (sent, value) in [("5.0", json!(5)), ("-5", json!(-5)), ("-5.0", json!(-5)), ("-5e0", json!(-5))] {
            let read = Value::deserialize(Part::Once(sent, 0)).unwrap();
            assert_eq!((&read, read.is_f64()), (&value, false), "{sent}");
        }
    }
}
