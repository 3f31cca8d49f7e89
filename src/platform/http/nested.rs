//! Fields of a form that say by their names how they are nested: `items[0].name`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::value::{Error, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, IntoDeserializer, Visitor};

use super::parts::Parameter;

/// So deep a name may say.
const DEEPEST: usize = 8;

/// What was sent, as its names nest it.
#[derive(Debug)]
pub(super) enum Nested<'f> {
    /// A value.
    Value(Parameter<'f>),
    /// Fields by their names.
    Fields(BTreeMap<String, Nested<'f>>),
    /// Entries by the places that were sent; they close up.
    Entries(BTreeMap<usize, Nested<'f>>),
}

/// One step of a name.
#[derive(Debug, PartialEq, Eq)]
enum Step<'n> {
    Field(&'n str),
    Place(usize),
    /// `[]`: a list that may be empty.
    Any,
}

impl<'f> Nested<'f> {
    /// The tree of what was sent: of each field whether it is empty, its name and its value. An empty one at the top stands for
    /// null, one below counts as not sent.
    pub fn of(sent: impl Iterator<Item = (bool, Cow<'f, str>, Parameter<'f>)>) -> Nested<'f> {
        let mut top = Nested::Fields(BTreeMap::new());
        for (is_empty, name, value) in sent {
            let steps = steps(&name);
            match &steps[..] {
                [_] => top.put(&steps, value.or_null()),
                [.., Step::Any] => top.put(&steps, value),
                _ if is_empty => {}
                _ => top.put(&steps, value),
            }
        }
        top
    }

    /// A name that contradicts one before it (`a` and `a.b`) is passed over: its type refuses what is left.
    fn put(&mut self, steps: &[Step<'_>], value: Parameter<'f>) {
        let Some((first, rest)) = steps.split_first() else {
            *self = Nested::Value(value);
            return;
        };
        let empty = || match rest.first() {
            Some(Step::Field(_)) | None => Nested::Fields(BTreeMap::new()),
            Some(Step::Place(_) | Step::Any) => Nested::Entries(BTreeMap::new()),
        };
        match (self, first) {
            (Nested::Fields(fields), Step::Field(name)) => {
                fields.entry((*name).to_owned()).or_insert_with(empty).put(rest, value);
            }
            (Nested::Entries(entries), Step::Place(place)) => {
                entries.entry(*place).or_insert_with(empty).put(rest, value)
            }
            _ => {}
        }
    }
}

/// The steps of a name; a name that is none of this kind is one step.
fn steps(name: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    for part in name.split('.') {
        let (field, places) = part.split_once('[').map_or((part, ""), |(field, _)| (field, &part[field.len()..]));
        steps.push(Step::Field(field));
        for place in places.split_terminator(']') {
            match place.strip_prefix('[').map(|place| (place.is_empty(), place.parse())) {
                Some((true, _)) => steps.push(Step::Any),
                Some((false, Ok(place))) => steps.push(Step::Place(place)),
                _ => return vec![Step::Field(name)],
            }
        }
    }
    if steps.len() > DEEPEST { vec![Step::Field(name)] } else { steps }
}

/// Each kind of value is asked of the parameter; what is nested tells itself.
macro_rules! of_value {
    ($($deserialize:ident)*) => {
        $(fn $deserialize<V: Visitor<'f>>(self, visitor: V) -> Result<V::Value, Error> {
            match self {
                Nested::Value(value) => value.$deserialize(visitor),
                nested => nested.deserialize_any(visitor),
            }
        })*
    };
}

impl<'f> Deserializer<'f> for Nested<'f> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'f>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Nested::Value(value) => value.deserialize_any(visitor),
            Nested::Fields(fields) => visitor.visit_map(MapDeserializer::new(fields.into_iter())),
            Nested::Entries(entries) => visitor.visit_seq(SeqDeserializer::new(entries.into_values())),
        }
    }

    fn deserialize_option<V: Visitor<'f>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Nested::Value(value) => value.deserialize_option(visitor),
            nested => visitor.visit_some(nested),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'f>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'f>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Nested::Value(value) => value.deserialize_enum(name, variants, visitor),
            nested => nested.deserialize_any(visitor),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'f>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_tuple<V: Visitor<'f>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'f>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'f>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    of_value! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char
        deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit deserialize_seq
        deserialize_map deserialize_identifier deserialize_ignored_any
    }
}

impl<'f> IntoDeserializer<'f, Error> for Nested<'f> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::parts::parameters;
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Line {
        name: String,
        price: i64,
        #[serde(default)]
        optional: bool,
        #[serde(default)]
        note: Option<String>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Sent {
        title: String,
        until: Option<String>,
        lines: Vec<Line>,
        #[serde(default)]
        chosen: Vec<u8>,
        #[serde(default)]
        answers: BTreeMap<String, String>,
    }

    fn read(body: &str) -> Result<Sent, Error> {
        let sent = parameters(body).into_iter();
        Sent::deserialize(Nested::of(sent.map(|(name, value)| (body.contains(&format!("{name}=&")), name, value))))
    }

    #[test]
    fn names_say_how_fields_are_nested_and_left_out_places_close_up() {
        let body = "title=a&until=&lines[0].name=b&lines[0].price=3&lines[7].name=c&lines[7].price=4&\
                    lines[7].optional=true&lines[7].note=&chosen[3]=7&answers.why=so&x=";
        let line = |name: &str, price, optional| Line { name: name.to_owned(), price, optional, note: None };
        let sent = read(body).unwrap();
        assert_eq!((sent.title.as_str(), sent.until), ("a", None));
        assert_eq!(sent.lines, [line("b", 3, false), line("c", 4, true)]);
        assert_eq!((sent.chosen, sent.answers["why"].as_str()), (vec![7], "so"));
    }

    #[test]
    fn a_list_without_entries_is_there_by_its_mark_and_what_contradicts_itself_is_refused() {
        assert_eq!(read("title=a&lines[]=").unwrap().lines, []);
        for refused in
            ["title=a", "title=a&lines=3", "title=a&lines[0]=3", "title=a&lines[0].name=b", "title=a&lines.x=1"]
        {
            assert!(read(refused).is_err(), "{refused}");
        }
        assert_eq!(steps("a[x]"), [Step::Field("a[x]")]);
        assert_eq!(steps("a[1].b[]"), [Step::Field("a"), Step::Place(1), Step::Field("b"), Step::Any]);
    }
}
