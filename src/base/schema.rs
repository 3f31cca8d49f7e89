//! How a shape is described for the OpenAPI documents.
//!
//! It is re-exported here so that pure types (`calc`, `model.rs`) can describe themselves
//! without naming the web framework. Nothing else of the framework may be used outside
//! `platform/http`, the `http.rs` files and `appliance`.

pub use salvo_oapi::schema::OneOf;
pub use salvo_oapi::{Array, BasicType, Components, KnownFormat, Object, RefOr, Schema, SchemaFormat, ToSchema};
