//! A request taken apart before it is read: each field is parsed by itself, so that one which does not fit leaves the
//! others readable. [`hanok_base::Validated`] keeps what was refused, and one answer names all of it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::MapDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;

use super::numbers::{NO_NUMBER, NOT_WHOLE, number, whole};
use hanok_base::Error;
use hanok_base::expected::{one_of, plainly};

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
pub(super) enum RawJson<'de> {
    /// Its text, and how deep it lies in the body.
    Once(&'de str, u8),
    /// A field that stands twice.
    Twice,
}

impl<'de> RawJson<'de> {
    /// A whole body.
    pub fn of(body: &'de RawValue) -> Self {
        RawJson::Once(body.get(), 0)
    }

    fn text(self) -> serde_json::Result<(&'de str, u8)> {
        match self {
            RawJson::Once(text, depth) => Ok((text, depth)),
            RawJson::Twice => Err(serde_json::Error::custom(TWICE)),
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

impl<'de> Deserializer<'de> for RawJson<'de> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        let (text, depth) = self.text()?;
        let is_nested = text.starts_with(['[', '{']);
        if is_nested && depth == DEEPEST {
            return Err(serde_json::Error::custom("recursion limit exceeded"));
        }
        let part = |value: &'de RawValue| RawJson::Once(value.get(), depth + 1);
        if text.starts_with('[') {
            return serde_json::Deserializer::from_str(text).deserialize_seq(Items { visitor, depth: depth + 1 });
        }
        if text.starts_with('{') {
            let Fields(fields) = serde_json::from_str(text)?;
            let fields = fields.into_iter().map(|(name, value)| (name, value.map_or(RawJson::Twice, part)));
            return visitor.visit_map(MapDeserializer::new(fields));
        }
        match number(text) {
            Some(number) => visit_number(text, number, visitor),
            None => serde_json::Deserializer::from_str(text).deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        if matches!(self, RawJson::Once("null", _)) { visitor.visit_none() } else { visitor.visit_some(self) }
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
        // Whatever is no text is none of the words.
        let word: Cow<str> = if text.starts_with('"') { serde_json::from_str(text)? } else { Cow::Borrowed("") };
        read_word(word, name, variants, visitor)
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

impl<'de> IntoDeserializer<'de, serde_json::Error> for RawJson<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Gives a visitor the entries of a list one by one, so that none is kept that it does not keep.
struct Items<V> {
    visitor: V,
    depth: u8,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Items<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        let mut each = Each { list, depth: self.depth, given: 0 };
        let value = self.visitor.visit_seq(&mut each)?;
        match each.list.next_element::<IgnoredAny>()? {
            None => Ok(value),
            Some(_) => Err(A::Error::custom(format!("must be a list of {}", each.given))),
        }
    }
}

struct Each<A> {
    list: A,
    depth: u8,
    given: usize,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for &mut Each<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let Some(item) = self.list.next_element::<&RawValue>()? else { return Ok(None) };
        self.given += 1;
        seed.deserialize(RawJson::Once(item.get(), self.depth)).map(Some).map_err(A::Error::custom)
    }
}

/// The number that `text` writes, which is about `number`, for a type that takes several kinds. One beyond the largest
/// is given as the whole number that it is about, so that none of them takes it for something else.
fn visit_number<'de, V: Visitor<'de>, E: serde::de::Error>(text: &str, number: f64, visitor: V) -> Result<V::Value, E> {
    let whole = whole(text);
    match (whole.and_then(|whole| whole.try_into().ok()), whole.and_then(|whole| whole.try_into().ok())) {
        (Some(number), _) => visitor.visit_u64(number),
        (_, Some(number)) => visitor.visit_i64(number),
        _ if number.is_finite() => visitor.visit_f64(number),
        _ => visitor.visit_i128(if number > 0.0 { i128::MAX } else { i128::MIN }),
    }
}

/// The one of `variants` that `word` names.
fn read_word<'de, V: Visitor<'de>, E: serde::de::Error>(
    word: Cow<str>,
    name: &'static str,
    variants: &'static [&'static str],
    visitor: V,
) -> Result<V::Value, E> {
    if !variants.contains(&word.as_ref()) {
        return Err(E::custom(one_of(variants)));
    }
    word.into_deserializer().deserialize_enum(name, variants, visitor)
}

/// So many names at most has an object: no type here has as many, and what is passed over costs memory, too.
const MOST_NAMES: usize = 1_000;

/// The fields of an object by their names, each with its value; none when it stands twice. However often one stands there,
/// it is kept once.
struct Fields<'de>(BTreeMap<Cow<'de, str>, Option<&'de RawValue>>);

/// A name, which is copied only where it is not written as it reads.
#[derive(serde::Deserialize)]
struct Name<'n>(#[serde(borrow)] Cow<'n, str>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EachField;
        impl<'de> Visitor<'de> for EachField {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = BTreeMap::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    fields.entry(name).and_modify(|before| *before = None).or_insert(Some(value));
                    if fields.len() > MOST_NAMES {
                        return Err(A::Error::custom(format!("must be an object of at most {MOST_NAMES} fields")));
                    }
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(EachField)
    }
}

/// A query parameter that is not parsed yet; none when it stands twice.
#[derive(Debug, Clone)]
pub(super) struct Parameter<'de> {
    text: Option<Cow<'de, str>>,
    /// It stands for null where its type knows that.
    is_null: bool,
}

/// The parameters of a query by their names.
pub(super) fn parameters(query: &str) -> BTreeMap<Cow<'_, str>, Parameter<'_>> {
    let mut parameters = BTreeMap::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let twice = |before: &mut Parameter| before.text = None;
        parameters.entry(name).and_modify(twice).or_insert(Parameter { text: Some(value), is_null: false });
    }
    parameters
}

impl<'de> Parameter<'de> {
    /// The same, which stands for null where it is empty and its type knows that.
    pub fn or_null(self) -> Parameter<'de> {
        Parameter { is_null: self.text.as_ref().is_some_and(|text| text.is_empty()), ..self }
    }

    fn text(self) -> Result<Cow<'de, str>, serde::de::value::Error> {
        self.text.ok_or_else(|| serde::de::value::Error::custom(TWICE))
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
        if self.is_null { visitor.visit_none() } else { visitor.visit_some(self) }
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
        read_word(self.text()?, name, variants, visitor)
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
mod tests;
