//! The OpenAPI document of a door, generated from its handlers, and put right where the generator is vague.

use salvo::Router;
use salvo::oapi::OpenApi;
use salvo::oapi::naming::{FlexNamer, set_namer};
use serde_json::{Value, json};

/// The document of the door whose routes are `routes`.
pub fn document(routes: &Router, title: &str, description: &str) -> Value {
    set_namer(FlexNamer::new().short_mode(true).generic_delimiter('_', '_'));
    let document = OpenApi::new(title, env!("CARGO_PKG_VERSION")).merge_router(routes);
    let mut value = serde_json::to_value(&document).unwrap_or(Value::Null);
    value["info"]["description"] = json!(description);
    value
}
