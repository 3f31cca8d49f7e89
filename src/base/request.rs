//! What a request is made of: each field says once what it must be, and from that follow the check, the refusal that
//! names the field, and the description in the OpenAPI document.
//!
//! ```
//! use hanok_base::Request;
//! use hanok_base::text::Text;
//! use hanok_base::validated::IntRange;
//!
//! /// A plant to be added.
//! #[derive(Debug, Request)]
//! pub struct NewPlant {
//!     /// What it is called.
//!     #[field(Text<1, 100>)]
//!     pub name: String,
//!     /// More about it; left out it is empty.
//!     #[field(Text<0, 1000>, default)]
//!     pub note: String,
//!     /// How many days it goes without water; left out it is none.
//!     #[field(IntRange<1, 90>)]
//!     pub every: Option<u32>,
//!     /// Whether it stands outside: any value of the type.
//!     pub outside: Option<bool>,
//! }
//!
//! struct Plant {
//!     name: String,
//!     note: Option<String>,
//! }
//!
//! /// What changes of a plant; the others stay.
//! #[derive(Debug, Request)]
//! #[request(changes = Plant)]
//! pub struct PlantChanges {
//!     /// What it is called; null is refused.
//!     #[field(Text<1, 100>, change)]
//!     pub name: Option<String>,
//!     /// More about it; null clears it.
//!     #[field(Text<0, 1000>, clear)]
//!     pub note: Option<Option<String>>,
//! }
//! # fn main() {}
//! ```
//!
//! A handler takes it as `Checked<NewPlant>`, in the address (with `#[request(query)]`) as `CheckedQuery<PlantQuery>`: what
//! it gets is checked, and `PlantChanges::apply_to(&mut plant)` puts it into the row. What fields must be together is
//! looked at after that, by a [`Check`](crate::error::Check). `#[serde(deny_unknown_fields)]`, `alias` and `rename` hold as
//! they do elsewhere.

use std::fmt;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use crate::error::Result;
use crate::fields::Fields;
use crate::list::List;
use crate::message::MessageTemplate;
use crate::money::Krw;
use crate::schema::{Array, Components, RefOr, Schema, ToSchema};
use crate::validated::{Constraint, ValidationErrors};
pub use hanok_derive::Request;

const ENTRIES: MessageTemplate =
    MessageTemplate::new("house.must.entries", "must be a list of {least} to {most} entries, not {sent}");

/// A request whose fields are checked; derived.
pub trait Request: Sized {
    /// It as it is sent: each field with what became of its check.
    type Wire: DeserializeOwned + std::fmt::Debug + Send + 'static;

    /// It, when no field is refused.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field.
    fn check(wire: Self::Wire) -> Result<Self>;
}

/// A list of `LEAST` to `MOST` requests, each of which is checked by itself: what is refused is named as `items[2].name`.
pub struct ListOf<T, const LEAST: usize, const MOST: usize>(PhantomData<T>);

impl<T, const LEAST: usize, const MOST: usize> fmt::Debug for ListOf<T, LEAST, MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ListOf")
    }
}

impl<T: Request<Wire: ToSchema>, const LEAST: usize, const MOST: usize> Constraint for ListOf<T, LEAST, MOST> {
    type Input = List<T::Wire, MOST>;
    type Value = Vec<T>;

    fn check(sent: List<T::Wire, MOST>) -> Result<Vec<T>, ValidationErrors> {
        if !(LEAST..=MOST).contains(&sent.sent()) {
            let bounds = [("least", LEAST.into()), ("most", MOST.into()), ("sent", sent.sent().into())];
            return Err(ENTRIES.with(bounds).into());
        }
        let (mut taken, mut refused) = (Vec::new(), Fields::new());
        for (place, wire) in sent.into_kept() {
            match T::check(wire) {
                Ok(entry) => taken.push(entry),
                Err(error) if error.fields.is_empty() => drop(refused.insert(format!("[{place}]"), error.message)),
                Err(error) => {
                    refused.extend(error.fields.into_iter().map(|(field, must)| (format!("[{place}].{field}"), must)));
                }
            }
        }
        if refused.is_empty() { Ok(taken) } else { Err(ValidationErrors::parts(refused)) }
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        Array::new().items(T::Wire::to_schema(components)).min_items(LEAST).max_items(MOST).into()
    }
}

/// A checked value as the type that a request keeps it in: the same, or a narrower whole number, whose bounds the check has
/// seen to.
pub trait Fit<T> {
    /// It in that type; a number beyond it is the largest of it.
    fn fit(self) -> T;
}

impl<T> Fit<T> for T {
    fn fit(self) -> T {
        self
    }
}

macro_rules! narrower {
    ($($number:ty),*) => {$(
        impl Fit<$number> for u64 {
            fn fit(self) -> $number {
                <$number>::try_from(self).unwrap_or(<$number>::MAX)
            }
        }
    )*};
}
narrower!(u8, u16, u32, usize);

impl Fit<Krw> for u64 {
    fn fit(self) -> Krw {
        i64::try_from(self).ok().and_then(Krw::new).unwrap_or_default()
    }
}

/// [`Fit::fit`], for what the derive writes.
pub fn fit<T, V: Fit<T>>(value: V) -> T {
    value.fit()
}

/// A field that null clears: one that may be none, or a text, which is empty then.
pub trait Cleared<T> {
    /// Puts it there.
    fn put(self, field: &mut T);
}

impl<T> Cleared<Option<T>> for Option<T> {
    fn put(self, field: &mut Option<T>) {
        *field = self;
    }
}

impl Cleared<String> for Option<String> {
    fn put(self, field: &mut String) {
        *field = self.unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Components, ToSchema};
    use crate::text::Text;
    use crate::validated::IntRange;

    /// A plant to be added.
    #[derive(Debug, PartialEq, Request)]
    #[serde(deny_unknown_fields)]
    pub struct NewPlant {
        /// What it is called.
        #[field(Text<1, 5>)]
        name: String,
        /// More about it.
        #[field(Text<0, 5>, default)]
        note: String,
        /// How many days it goes without water.
        #[field(IntRange<1, 90>)]
        #[serde(rename = "everyDays")]
        every: Option<u32>,
        /// Whether it stands outside.
        outside: Option<bool>,
    }

    #[derive(Debug, Clone, PartialEq)]
    pub struct Plant {
        name: String,
        note: String,
        every: Option<u32>,
    }

    /// What changes.
    #[derive(Debug, Request)]
    #[request(changes = Plant)]
    pub struct PlantChanges {
        #[field(Text<1, 5>, change)]
        name: Option<String>,
        #[field(Text<0, 5>, clear)]
        note: Option<Option<String>>,
        #[field(IntRange<1, 90>, clear)]
        every: Option<Option<u32>>,
    }

    fn read<T: Request>(text: &str) -> Result<T> {
        T::check(serde_json::from_str(text).unwrap())
    }

    #[test]
    fn what_fits_is_taken_and_what_is_left_out_has_its_default() {
        let plant = NewPlant { name: "장미".to_owned(), note: String::new(), every: Some(3), outside: None };
        assert_eq!(read::<NewPlant>(r#"{"name": " 장미 ", "everyDays": 3}"#).unwrap(), plant);
        assert_eq!(read::<NewPlant>(r#"{"name": "장미", "note": "x", "outside": true}"#).unwrap().outside, Some(true));
    }

    #[test]
    fn one_answer_names_every_refused_field_as_it_is_sent() {
        let refused =
            read::<NewPlant>(r#"{"name": "", "note": "too long", "everyDays": 0, "outside": 3}"#).unwrap_err();
        assert_eq!(refused.fields.keys().collect::<Vec<_>>(), ["everyDays", "name", "note", "outside"]);
        assert!(serde_json::from_str::<<NewPlant as Request>::Wire>(r#"{"name": "a", "nmae": 1}"#).is_err());
    }

    #[test]
    fn changes_leave_what_is_left_out_and_null_clears_only_what_can_be_cleared() {
        let plant = Plant { name: "a".to_owned(), note: "b".to_owned(), every: Some(2) };
        let changed = |text: &str| {
            let mut plant = plant.clone();
            read::<PlantChanges>(text).map(|changes| changes.apply_to(&mut plant))?;
            Ok::<_, crate::Error>(plant)
        };
        assert_eq!(changed("{}").unwrap(), plant);
        assert_eq!(changed(r#"{"name": "c"}"#).unwrap(), Plant { name: "c".to_owned(), ..plant.clone() });
        let cleared = Plant { note: String::new(), every: None, ..plant.clone() };
        assert_eq!(changed(r#"{"note": null, "every": null}"#).unwrap(), cleared);
        assert!(changed(r#"{"name": null}"#).unwrap_err().fields.contains_key("name"));
    }

    #[test]
    fn it_is_described_by_what_its_fields_must_be() {
        let mut components = Components::new();
        <NewPlant as Request>::Wire::to_schema(&mut components);
        let described = serde_json::to_value(&components).unwrap().to_string();
        for said in ["A plant to be added.", "everyDays", r#""maximum":90"#, r#""required":["name"]"#] {
            assert!(described.contains(said), "{said}: {described}");
        }
    }
}
