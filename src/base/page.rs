//! Pages of a list that can grow: `limit` and `offset`, as the contract has them.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::error::{Check, Result};
use super::schema::{Array, BasicType, Components, Object, RefOr, Schema, ToSchema, named};
use super::validated::{IntRange, Validated};

/// The most that one page may hold.
pub const MOST: u64 = 500;

/// The farthest that a page may begin.
pub const LAST_OFFSET: u64 = u32::MAX as u64;

/// How many a caller may ask for.
pub type Limit = IntRange<1, MOST>;

/// How many a caller may pass over.
pub type Offset = IntRange<0, LAST_OFFSET>;

/// Which part of a list to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// How many to give, 1 to [`MOST`].
    pub limit: usize,
    /// How many to pass over first.
    pub offset: usize,
}

impl Page {
    /// Checks what the caller sent; `limit` left out is `default_limit`, `offset` left out is 0.
    pub fn parse(
        limit: Option<Validated<Limit>>,
        offset: Option<Validated<Offset>>,
        default_limit: u64,
    ) -> Result<Page> {
        Check::of(|check| Page::take(check, limit, offset, default_limit))
    }

    /// The same among other things that are checked.
    pub fn take(
        check: &mut Check,
        limit: Option<Validated<Limit>>,
        offset: Option<Validated<Offset>>,
        default_limit: u64,
    ) -> Page {
        let limit = limit.map_or(default_limit, |limit| check.take("limit", limit));
        let offset = offset.map_or(0, |offset| check.take("offset", offset));
        Page { limit: limit as usize, offset: offset as usize }
    }
}

/// What stands in lists: what an answer calls several of them.
pub trait Listed: ToSchema {
    /// Such as `plants`.
    const PLURAL: &'static str;
}

/// A page of a list with how many there are in all, as the contract has lists: `{"plants": […], "total": 30}`. In the OpenAPI
/// document it is called after what it lists, such as `plants.PlantList`.
#[derive(Debug, Clone, PartialEq)]
pub struct Paged<T> {
    /// The page.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: u64,
}

/// What a store gives for a page.
impl<T> From<(Vec<T>, u64)> for Paged<T> {
    fn from((items, total): (Vec<T>, u64)) -> Self {
        Paged { items, total }
    }
}

impl<T: Listed + Serialize> Serialize for Paged<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry(T::PLURAL, &self.items)?;
        map.serialize_entry("total", &self.total)?;
        map.end()
    }
}

impl<T: Listed + 'static> ToSchema for Paged<T> {
    fn to_schema(components: &mut Components) -> RefOr<Schema> {
        let items = Array::new().items(T::to_schema(components)).description("The page that was asked for.");
        let total = Object::with_type(BasicType::Integer).minimum(0.0).description("How many there are in all.");
        let list = Object::new()
            .description(format!("A page of {}.", T::PLURAL))
            .property(T::PLURAL, items)
            .property("total", total)
            .required(T::PLURAL)
            .required("total");
        named::<Paged<T>>(components, Schema::Object(Box::new(list)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::validated::Integer;

    fn parse(limit: Option<u64>, offset: Option<u64>) -> Result<Page> {
        let sent = |number: u64| Integer::from(number);
        Page::parse(limit.map(sent).map(Validated::of), offset.map(sent).map(Validated::of), 30)
    }

    #[test]
    fn a_page_out_of_range_is_refused_and_not_cut() {
        assert_eq!(parse(None, None).unwrap(), Page { limit: 30, offset: 0 });
        assert!(parse(Some(0), None).is_err());
        assert!(parse(Some(501), None).is_err());
    }

    proptest! {
        #[test]
        fn any_page_is_within_its_bounds_or_refused_by_name(limit in prop::option::of(prop_oneof![0u64..3, 498u64..503, any::<u64>()]), offset in any::<Option<u64>>()) {
            match parse(limit, offset) {
                Ok(page) => {
                    prop_assert!((1..=500).contains(&page.limit) && u32::try_from(page.offset).is_ok());
                    prop_assert_eq!((page.limit as u64, page.offset as u64), (limit.unwrap_or(30), offset.unwrap_or(0)));
                }
                Err(error) => {
                    prop_assert_eq!(error.fields.contains_key("limit"), limit.is_some_and(|limit| limit == 0 || limit > 500));
                    prop_assert_eq!(error.fields.contains_key("offset"), offset.is_some_and(|offset| offset > u64::from(u32::MAX)));
                }
            }
        }
    }
}
