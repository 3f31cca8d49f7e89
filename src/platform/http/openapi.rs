//! The OpenAPI document of a door, generated from its handlers, and put right where the generator is vague.

use std::any::TypeId;
use std::collections::BTreeSet;

use salvo::Router;
use salvo::oapi::OpenApi;
use salvo::oapi::naming::{NameRule, Namer, set_name_type_info, set_namer, type_info_by_name};
use serde_json::{Value, json};

use super::owner::domain_of;

/// The document of the door whose routes are `routes`. `rules` say of component schemas what their types cannot,
/// each as a merge patch (RFC 7396) of some of them; see [`unknown_schemas`].
pub fn document(routes: &Router, title: &str, description: &str, rules: &[Value]) -> Value {
    set_namer(ByDomain);
    let document = OpenApi::new(title, env!("CARGO_PKG_VERSION")).merge_router(routes);
    let mut value = serde_json::to_value(&document).unwrap_or(Value::Null);
    value["info"]["description"] = json!(description);
    require_what_is_always_there(&mut value);
    say_of_reads_alone_that_they_may_have_stayed(&mut value);
    if let Some(schemas) = value["components"]["schemas"].as_object_mut() {
        schemas.values_mut().for_each(name_keys_as_texts);
        schemas.values_mut().for_each(write_plainly);
        for (name, rule) in rules.iter().filter_map(Value::as_object).flatten() {
            if let Some(schema) = schemas.get_mut(name) {
                merge(schema, rule.clone());
            }
        }
    }
    value
}

/// The schemas of `rules` that `document` does not have: a rule that says nothing.
pub fn unknown_schemas<'r>(document: &Value, rules: &'r [Value]) -> Vec<&'r str> {
    let names = rules.iter().filter_map(Value::as_object).flat_map(|rule| rule.keys());
    names.map(String::as_str).filter(|name| document["components"]["schemas"].get(*name).is_none()).collect()
}

/// A schema is named after its type; one of a domain carries the domain before it: `todos.Todo`. A second type of
/// one name is marked with [`SECOND`], which no name of ours has.
struct ByDomain;

/// Stands behind the name of a schema that another type has already.
pub const SECOND: &str = "--";

impl Namer for ByDomain {
    fn assign_name(&self, id: TypeId, type_name: &'static str, _rule: NameRule) -> String {
        let mut name = name_of(type_name);
        while type_info_by_name(&name).is_some_and(|(other, _)| other != id) {
            name += SECOND;
        }
        set_name_type_info(name.clone(), id, type_name);
        name
    }
}

/// `todos.Todo` for `hanok_ops::todos::model::Todo`, `todos.TodoList` for a page of them, `Task` for `hanok_platform::jobs::task::Task`.
fn name_of(type_name: &str) -> String {
    if let Some(listed) = type_name.strip_prefix("hanok_base::page::Paged<").and_then(|rest| rest.strip_suffix('>')) {
        return format!("{}List", name_of(listed));
    }
    let plain = type_name.split('<').next().unwrap_or(type_name);
    let name = plain.rsplit("::").next().unwrap_or(plain);
    domain_of(plain).map_or_else(|| name.to_owned(), |domain| format!("{domain}.{name}"))
}

/// Puts `patch` over `target`: objects field by field, null takes away, anything else replaces.
fn merge(target: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    let Some(fields) = target.as_object_mut() else { return };
    for (name, value) in patch {
        if value.is_null() {
            fields.remove(&name);
        } else {
            merge(fields.entry(name).or_insert(Value::Null), value);
        }
    }
}

/// The names in a JSON object are texts, also where ours are numbers.
fn name_keys_as_texts(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("propertyNames").is_some_and(|names| names["type"] == "integer") {
                fields.insert("propertyNames".to_owned(), json!({"type": "string", "pattern": "^[0-9]+$"}));
            }
            fields.values_mut().for_each(name_keys_as_texts);
        }
        Value::Array(items) => items.iter_mut().for_each(name_keys_as_texts),
        _ => {}
    }
}

/// The generator wraps a constraint that stands in a field; here it is written as one schema: the description beside
/// the bounds, and "or null" as a second type.
fn write_plainly(schema: &mut Value) {
    match schema {
        Value::Object(fields) => fields.values_mut().for_each(write_plainly),
        Value::Array(items) => return items.iter_mut().for_each(write_plainly),
        _ => return,
    }
    if let Some([inner, described]) = schema["allOf"].as_array().map(Vec::as_slice)
        && let (Some(inner), Some(described)) = (inner.as_object(), described.as_object())
        && !inner.contains_key("$ref")
        && described.keys().eq(["description"])
    {
        *schema = inner.iter().chain(described).map(|(name, value)| (name.clone(), value.clone())).collect();
    }
    if let Some([null, inner]) = schema["oneOf"].as_array().map(Vec::as_slice)
        && *null == json!({"type": "null"})
        && let (Some(kind), Some(fields)) = (inner["type"].as_str(), inner.as_object())
    {
        let mut plain = fields.clone();
        plain.insert("type".to_owned(), json!([kind, "null"]));
        plain.extend(schema.get("description").map(|said| ("description".to_owned(), said.clone())));
        *schema = Value::Object(plain);
    }
}

/// Only a read answers 304.
fn say_of_reads_alone_that_they_may_have_stayed(document: &mut Value) {
    let paths = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    let operations = paths.flat_map(|path| path.as_object_mut().into_iter().flatten());
    for (_, operation) in operations.filter(|(method, _)| *method != "get") {
        if let Some(answers) = operation["responses"].as_object_mut() {
            answers.remove("304");
        }
    }
}

/// An answer names every field, those without a value as null. The generator cannot tell this from a field
/// that a request may leave out, so what only answers use is marked here.
fn require_what_is_always_there(document: &mut Value) {
    let asked = schemas_of_requests(document);
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for (name, schema) in schemas.iter_mut().filter(|(name, _)| !asked.contains(*name)) {
        // The one answer that leaves fields out.
        if name != "ErrorBody" {
            require_all(schema);
        }
    }
}

fn require_all(schema: &mut Value) {
    if let Some(properties) = schema["properties"].as_object() {
        schema["required"] = json!(properties.keys().collect::<Vec<_>>());
    }
    for parts in ["allOf", "oneOf"] {
        if let Some(parts) = schema.get_mut(parts).and_then(Value::as_array_mut) {
            parts.iter_mut().for_each(require_all);
        }
    }
}

/// The names of all schemas that request bodies are made of.
fn schemas_of_requests(document: &Value) -> BTreeSet<String> {
    let mut waiting = Vec::new();
    for path in document["paths"].as_object().into_iter().flat_map(|paths| paths.values()) {
        for operation in path.as_object().into_iter().flat_map(|operations| operations.values()) {
            references(&operation["requestBody"], &mut waiting);
        }
    }
    let mut found = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        if found.insert(name.clone()) {
            references(&document["components"]["schemas"][&name], &mut waiting);
        }
    }
    found
}

fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(name) = fields.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next()) {
                found.push(name.to_owned());
            }
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_laid_over_what_the_types_say() {
        let mut schema = json!({"New": {"properties": {"title": {"type": "string"}}, "required": ["title"]}});
        merge(&mut schema, json!({"New": {"properties": {"title": {"maxLength": 5}}, "required": null}}));
        assert_eq!(schema, json!({"New": {"properties": {"title": {"type": "string", "maxLength": 5}}}}));
    }

    #[test]
    fn a_constraint_in_a_field_is_written_as_one_schema() {
        let mut schema = json!({"properties": {"due": {"allOf": [
            {"oneOf": [{"type": "null"}, {"type": "string", "format": "date"}]},
            {"description": "The day."},
        ]}}});
        write_plainly(&mut schema);
        let due = json!({"type": ["string", "null"], "format": "date", "description": "The day."});
        assert_eq!(schema, json!({"properties": {"due": due}}));
    }

    #[test]
    fn a_schema_carries_its_domain() {
        assert_eq!(name_of("hanok_ops::todos::model::Todo"), "todos.Todo");
        assert_eq!(name_of("hanok_calc::lottery::draw::Draw"), "lottery.Draw");
        assert_eq!(name_of("hanok_platform::jobs::task::Task"), "Task");
    }

    #[test]
    fn a_rule_for_a_schema_that_is_not_there_is_found() {
        let document = json!({"components": {"schemas": {"todos.Todo": {}}}});
        let rules = [json!({"todos.Todo": {}}), json!({"todos.Tudo": {}})];
        assert_eq!(unknown_schemas(&document, &rules), ["todos.Tudo"]);
    }

    #[test]
    fn answers_require_every_field_and_requests_only_what_they_must() {
        let mut document = json!({
            "paths": {"/x": {"post": {"requestBody": {"schema": {"$ref": "#/components/schemas/New"}}}}},
            "components": {"schemas": {
                "New": {"properties": {"title": {}, "part": {"$ref": "#/components/schemas/Part"}}, "required": ["title"]},
                "Part": {"properties": {"a": {}}},
                "Answer": {"properties": {"title": {}, "due": {}}, "required": ["title"]},
            }},
        });
        require_what_is_always_there(&mut document);
        let schemas = &document["components"]["schemas"];
        assert_eq!(schemas["New"]["required"], json!(["title"]));
        assert_eq!(schemas["Part"].get("required"), None);
        assert_eq!(schemas["Answer"]["required"], json!(["due", "title"]));
    }
}
