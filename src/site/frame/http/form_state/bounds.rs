//! The bounds of a request, read once from how its type describes itself.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use serde_json::{Map, Value};

use hanok_base::schema::{Components, ToSchema};

/// What is known of each field, by its name.
pub type Bounds = HashMap<String, Bound>;

/// What a field must be, as far as a browser can look at it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bound {
    /// Whether it must be there.
    pub is_required: bool,
    /// The longest text, in characters.
    pub max_length: Option<u64>,
    /// The least number.
    pub minimum: Option<f64>,
    /// The greatest number.
    pub maximum: Option<f64>,
}

/// What was read so far.
static KNOWN: LazyLock<Mutex<HashMap<TypeId, Arc<Bounds>>>> = LazyLock::new(Mutex::default);

/// The bounds of the fields of a request `T`.
pub fn of<T: ToSchema + 'static>() -> Arc<Bounds> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(known.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(read::<T>())))
}

fn read<T: ToSchema>() -> Bounds {
    let mut components = Components::new();
    let own = serde_json::to_value(T::to_schema(&mut components)).unwrap_or_default();
    let named = serde_json::to_value(&components.schemas).unwrap_or_default();
    let mut bounds = Bounds::new();
    collect(&own, named.as_object().unwrap_or(&Map::new()), &mut bounds);
    bounds
}

/// The fields of `schema`, also of those that it is put together of.
fn collect(schema: &Value, named: &Map<String, Value>, bounds: &mut Bounds) {
    for part in parts_of(schema, named) {
        collect(part, named, bounds);
    }
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let bound = Bound {
            is_required: required.contains(&name.as_str()),
            max_length: find(field, "maxLength", named).and_then(Value::as_u64),
            minimum: find(field, "minimum", named).and_then(Value::as_f64),
            maximum: find(field, "maximum", named).and_then(Value::as_f64),
        };
        bounds.insert(name.clone(), bound);
    }
}

/// What `schema` says of `key`, or what it leads to does: by its name, beside its description, or where null is allowed, too.
fn find<'v>(schema: &'v Value, key: &str, named: &'v Map<String, Value>) -> Option<&'v Value> {
    schema.get(key).or_else(|| parts_of(schema, named).find_map(|part| find(part, key, named)))
}

fn parts_of<'v>(schema: &'v Value, named: &'v Map<String, Value>) -> impl Iterator<Item = &'v Value> {
    let name = schema["$ref"].as_str().and_then(|place| place.strip_prefix("#/components/schemas/"));
    let lists = ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|key| schema[key].as_array());
    name.and_then(|name| named.get(name)).into_iter().chain(lists.flatten())
}
