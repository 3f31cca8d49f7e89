//! The one derive that describes an answer's shape for the OpenAPI documents.
//!
//! It is re-exported here so that pure types (`calc`, `model.rs`) can describe themselves
//! without naming the web framework. Nothing else of the framework may be used outside
//! `platform/http`, the `http.rs` files and `appliance`.

pub use salvo_oapi::ToSchema;
