//! A change of a quote as the desk sends it. Only what [`QuoteChanges`] names can be changed: whatever else is sent is refused,
//! each by its name, and together with what is wrong with the rest.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, IntoDeserializer, MapAccess, Visitor};

use super::QuoteChanges;
use hanok_base::request::Request;
use hanok_base::schema::{Components, RefOr, Schema, ToSchema};
use hanok_base::{Error, Result, validation_messages};

/// The fields that can be sent.
const KNOWN: [&str; 16] = [
    ID,
    "revision",
    "version",
    "title",
    "client_name",
    "client_email",
    "client_phone",
    "language",
    "valid_until",
    "wbs",
    "items",
    "maintenance",
    "discount",
    "vat",
    "notes",
    "internal_notes",
];
/// The field without which nothing is changed.
const ID: &str = "id";

/// Changes of a quote that name nothing but what can be changed.
#[derive(Debug)]
pub struct OnlyChanges(pub QuoteChanges);

/// [`OnlyChanges`] as they are sent.
#[derive(Debug)]
pub struct SentChanges {
    changes: <QuoteChanges as Request>::Wire,
    /// The names of what cannot be changed.
    unknown: Vec<String>,
}

impl Request for OnlyChanges {
    type Wire = SentChanges;

    fn check(SentChanges { changes, unknown }: SentChanges) -> Result<OnlyChanges> {
        let unknown = unknown.into_iter().map(|name| (name, validation_messages::KNOWN.into()));
        let mut refused = hanok_base::error::Fields::from_iter(unknown);
        match QuoteChanges::check(changes) {
            Ok(changes) if refused.is_empty() => return Ok(OnlyChanges(changes)),
            Ok(_) => {}
            Err(error) if error.fields.is_empty() => return Err(error),
            Err(error) => refused.extend(error.fields),
        }
        Err(Error::fields(refused))
    }
}

impl ToSchema for SentChanges {
    fn to_schema(components: &mut Components) -> RefOr<Schema> {
        <QuoteChanges as Request>::Wire::to_schema(components)
    }
}

impl<'de> Deserialize<'de> for SentChanges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ChangesVisitor;
        impl<'de> Visitor<'de> for ChangesVisitor {
            type Value = SentChanges;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SentChanges, A::Error> {
                let mut unknown = Vec::new();
                let fields = KnownFields { map, unknown: &mut unknown, id: Id::Missing };
                let changes = Deserialize::deserialize(MapAccessDeserializer::new(fields))?;
                Ok(SentChanges { changes, unknown })
            }
        }
        deserializer.deserialize_map(ChangesVisitor)
    }
}

/// Where the id is among the fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Id {
    /// It was not there yet.
    Missing,
    /// It was there.
    Present,
    /// It was not there at all; an empty one, which is refused like any other field, stands for it.
    Empty,
}

/// The fields of a body that can be changed; the names of the others are noted.
struct KnownFields<'u, A> {
    map: A,
    unknown: &'u mut Vec<String>,
    id: Id,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for KnownFields<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(name) = self.map.next_key::<String>()? {
            if KNOWN.contains(&name.as_str()) {
                if name == ID {
                    self.id = Id::Present;
                }
                return seed.deserialize(name.into_deserializer()).map(Some);
            }
            self.map.next_value::<IgnoredAny>()?;
            self.unknown.push(name);
        }
        if self.id != Id::Missing {
            return Ok(None);
        }
        self.id = Id::Empty;
        seed.deserialize(ID.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        if self.id == Id::Empty { seed.deserialize("".into_deserializer()) } else { self.map.next_value_seed(seed) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(body: Value) -> Result<QuoteChanges> {
        OnlyChanges::check(serde_json::from_value(body).unwrap()).map(|OnlyChanges(changes)| changes)
    }

    #[test]
    fn every_field_that_cannot_be_changed_is_named_together_with_what_is_wrong_with_the_others() {
        let refused =
            read(json!({"status": "accepted", "title": "", "user_id": null, "accepted_total": 1})).unwrap_err();
        assert_eq!(refused.fields.keys().collect::<Vec<_>>(), ["accepted_total", "id", "status", "title", "user_id"]);
    }

    #[test]
    fn the_list_of_names_is_that_of_the_fields() {
        let mut components = Components::new();
        SentChanges::to_schema(&mut components);
        let described = serde_json::to_value(&components).unwrap().to_string();
        for name in KNOWN {
            assert!(described.contains(&format!("\"{name}\":{{")), "{name}: {described}");
        }
        let sent = KNOWN.map(|name| (name.to_owned(), if name == ID { json!("x") } else { json!(true) }));
        let refused = read(Value::Object(sent.into_iter().collect())).unwrap_err();
        assert_eq!(refused.fields.len(), KNOWN.len() - 1, "all but the id are no boolean: {:?}", refused.fields);
    }
}
