//! How a shape is described for the OpenAPI documents.
//!
//! It is re-exported here so that pure types (`calc`, `model.rs`) can describe themselves
//! without naming the web framework. Nothing else of the framework may be used outside
//! `platform/http`, the `http.rs` files and `appliance`.

use salvo_oapi::naming::{NameRule, assign_name};
use salvo_oapi::schema::Ref;
pub use salvo_oapi::schema::{AllOf, OneOf};
pub use salvo_oapi::{
    Array, BasicType, Components, KnownFormat, Object, RefOr, Schema, SchemaFormat, ToParameters, ToSchema,
};

/// Puts `schema` into the document under the name of `T`, and refers to it.
pub fn named<T: 'static>(components: &mut Components, schema: impl Into<RefOr<Schema>>) -> RefOr<Schema> {
    let name = assign_name::<T>(NameRule::Auto);
    components.schemas.insert(name.clone(), schema);
    RefOr::Ref(Ref::from_schema_name(name))
}
