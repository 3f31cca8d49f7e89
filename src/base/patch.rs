//! Changes of some fields: what is left out stays. Whether a field can also be cleared is said once, by its type: from it
//! follow what is refused and what the OpenAPI document says.

use std::fmt;

use serde::{Deserialize, Deserializer};

use super::schema::{BasicType, Components, Object, OneOf, RefOr, Schema, ToSchema};
use super::validated::{Constraint, Validated};

/// A field that may be changed, and cannot be cleared: null is refused. With `#[serde(default)]` it may be left out.
pub struct Patch<C: Constraint>(Option<Validated<C>>);

/// A field that may be changed, and that null clears. With `#[serde(default)]` it may be left out.
pub struct NullablePatch<C: Constraint>(Option<Option<Validated<C>>>);

impl<C: Constraint> Patch<C> {
    /// The field is changed to this.
    pub fn to(sent: Validated<C>) -> Self {
        Patch(Some(sent))
    }

    /// Whether it is changed.
    pub fn is_sent(&self) -> bool {
        self.0.is_some()
    }

    /// What was sent; none when the field stays.
    pub fn into_sent(self) -> Option<Validated<C>> {
        self.0
    }
}

impl<C: Constraint> NullablePatch<C> {
    /// Whether it is changed or cleared.
    pub fn is_sent(&self) -> bool {
        self.0.is_some()
    }

    /// Whether it is changed to something.
    pub fn is_set(&self) -> bool {
        matches!(self.0, Some(Some(_)))
    }

    /// What was sent, which is none when the field is cleared; none at all when it stays.
    pub fn into_sent(self) -> Option<Option<Validated<C>>> {
        self.0
    }
}

impl<C: Constraint> Default for Patch<C> {
    fn default() -> Self {
        Patch(None)
    }
}

impl<C: Constraint> Default for NullablePatch<C> {
    fn default() -> Self {
        NullablePatch(None)
    }
}

impl<C: Constraint<Value: Clone>> Clone for Patch<C> {
    fn clone(&self) -> Self {
        Patch(self.0.clone())
    }
}

impl<C: Constraint<Value: Clone>> Clone for NullablePatch<C> {
    fn clone(&self) -> Self {
        NullablePatch(self.0.clone())
    }
}

impl<C: Constraint> fmt::Debug for Patch<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Patch").field(&self.0).finish()
    }
}

impl<C: Constraint> fmt::Debug for NullablePatch<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NullablePatch").field(&self.0).finish()
    }
}

impl<'de, C: Constraint> Deserialize<'de> for Patch<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Validated::deserialize(deserializer).map(Patch::to)
    }
}

impl<'de, C: Constraint> Deserialize<'de> for NullablePatch<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(|sent| NullablePatch(Some(sent)))
    }
}

impl<C: Constraint> ToSchema for Patch<C> {
    fn to_schema(components: &mut Components) -> RefOr<Schema> {
        C::schema(components)
    }
}

impl<C: Constraint> ToSchema for NullablePatch<C> {
    fn to_schema(components: &mut Components) -> RefOr<Schema> {
        nullable(C::schema(components))
    }
}

/// The schema of what fits `schema` or is null.
fn nullable(schema: RefOr<Schema>) -> RefOr<Schema> {
    let null = Object::with_type(BasicType::Null);
    OneOf::new().item(null).item(schema).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Message;
    use crate::day::Day;
    use crate::error::Check;
    use crate::text::Text;

    #[derive(Deserialize)]
    struct Changes {
        #[serde(default)]
        title: Patch<Text<1, 5>>,
        #[serde(default)]
        due: NullablePatch<Day>,
    }

    /// What becomes of a title and a day that are there already.
    fn changed(sent: &str) -> Result<(String, String), Vec<String>> {
        let changes: Changes = serde_json::from_str(sent).unwrap();
        let (mut title, mut due) = ("우유".to_owned(), crate::day::parse("2026-10-10"));
        let checked = Check::of(|check| {
            check.change("title", changes.title, &mut title);
            check.change_or_clear("due", changes.due, &mut due);
        });
        let named = |(field, must): (String, Message)| format!("{field} {must}");
        checked.map_err(|error| error.fields.into_iter().map(named).collect::<Vec<_>>())?;
        Ok((title, due.map_or("none".to_owned(), |day| day.to_string())))
    }

    #[test]
    fn what_is_left_out_stays_and_null_clears_only_what_can_be_cleared() {
        let is = |title: &str, due: &str| Ok((title.to_owned(), due.to_owned()));
        assert_eq!(changed("{}"), is("우유", "2026-10-10"));
        assert_eq!(changed(r#"{"title": " 빵 ", "due": "2026-11-20"}"#), is("빵", "2026-11-20"));
        assert_eq!(changed(r#"{"due": null}"#), is("우유", "none"));
        assert_eq!(changed(r#"{"title": null}"#), Err(vec!["title must be text".to_owned()]));
        let both = ["due must be a day such as 2026-10-10", "title must not be empty"].map(str::to_owned);
        assert_eq!(changed(r#"{"title": "", "due": "soon"}"#), Err(both.to_vec()));
    }

    #[test]
    fn the_document_admits_null_for_what_can_be_cleared_and_for_nothing_else() {
        let written = |schema: RefOr<Schema>| serde_json::to_string(&schema).unwrap();
        assert!(!written(Patch::<Day>::to_schema(&mut Components::new())).contains("null"));
        assert!(written(NullablePatch::<Day>::to_schema(&mut Components::new())).contains("null"));
    }
}
