//! An OpenAPI document as a list of operations.

use reqwest::{RequestBuilder, Url};
use serde_json::{Value, json};

use crate::house::Caller;

/// What one method of one path takes.
#[derive(Debug, Clone)]
pub struct Operation {
    pub method: reqwest::Method,
    /// The path as it is documented, with `{names}`.
    pub path: String,
    pub id: String,
    /// The room that it belongs to.
    pub tag: String,
    /// Names and schemas of the query parameters.
    pub query: Vec<(String, Value)>,
    /// The query without which it cannot be asked, from its `?` on, or nothing.
    pub least_query: String,
    /// The headers without which it cannot be asked.
    pub least_headers: Vec<(String, String)>,
    /// The schema of the JSON body, when it takes one.
    pub body: Option<Value>,
    /// How many bytes the body may have, where that is more than others may.
    pub most_bytes: Option<u64>,
    /// Whether it writes although it is a read.
    pub writes: bool,
    /// Who may call it: alternatives of security requirements; empty for anyone.
    pub security: Value,
    /// The schema of its successful answers, by status.
    pub answers: Vec<(String, Option<Value>)>,
    /// Whether it answers with the way to a page.
    pub leads_on: bool,
}

impl Operation {
    /// Whether nobody is heard who does not show the secret of a setting: all others find nothing, whatever they send.
    pub fn asks_for_a_secret(&self) -> bool {
        self.path == "/api/chat/hook"
    }

    /// `request` with the headers without which it is not understood.
    pub fn understood(&self, request: RequestBuilder) -> RequestBuilder {
        self.least_headers.iter().fold(request, |request, (name, value)| request.header(name, value))
    }

    /// A body that fits, when it takes one.
    pub fn sample(&self, document: &Document) -> Option<Value> {
        self.body.as_ref().map(|schema| sample(document, schema))
    }
}

/// A door's own OpenAPI document.
pub struct Document(Value);

impl Document {
    pub async fn of(door: &impl Caller) -> Document {
        Document(door.get("/api/openapi.json").await.ok())
    }

    /// Every operation, in the order of the paths.
    pub fn operations(&self) -> Vec<Operation> {
        let paths = self.0["paths"].as_object().expect("paths");
        let methods = paths.iter().flat_map(|(path, item)| {
            let methods = item.as_object().expect("a path item").iter();
            methods
                .filter(|(_, operation)| operation.is_object())
                .map(move |(method, operation)| (path, method, operation))
        });
        methods.map(|(path, method, operation)| self.operation(path, method, operation)).collect()
    }

    fn operation(&self, path: &str, method: &str, operation: &Value) -> Operation {
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let query = parameters.iter().filter(|parameter| parameter["in"] == "query");
        let needed = query.clone().filter(|parameter| parameter["required"] == true);
        let needed = needed.map(|p| (p["name"].as_str().unwrap(), plain(&sample(self, &p["schema"]))));
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        let in_headers =
            parameters.iter().filter(|parameter| parameter["in"] == "header" && parameter["required"] == true);
        let headers = in_headers.map(|p| (p["name"].as_str().unwrap().to_owned(), plain(&p["example"])));
        let bodies = operation["requestBody"]["content"].as_object().into_iter().flat_map(|content| content.keys());
        let part =
            bodies.filter(|kind| kind.contains("octet-stream")).map(|kind| ("content-type".to_owned(), kind.clone()));
        let answers = operation["responses"].as_object().into_iter().flatten();
        Operation {
            method: method.to_uppercase().parse().unwrap(),
            path: path.to_owned(),
            id: operation["operationId"].as_str().unwrap_or_default().to_owned(),
            tag: operation["tags"][0].as_str().unwrap_or_default().to_owned(),
            least_query: least_query(needed.collect()),
            least_headers: headers.chain(part).collect(),
            query: query.map(|p| (p["name"].as_str().unwrap().to_owned(), self.resolve(&p["schema"]))).collect(),
            most_bytes: operation["requestBody"]["x-most-bytes"].as_u64(),
            writes: operation["x-writes"] == true,
            body: body.is_object().then(|| self.resolve(body)),
            security: operation["security"].clone(),
            leads_on: operation["responses"]["303"].is_object(),
            answers: answers
                .filter(|(status, _)| status.starts_with('2'))
                .map(|(status, answer)| {
                    let content = answer["content"].as_object().and_then(|content| content.values().next());
                    (status.clone(), content.map(|content| self.resolve(&content["schema"])))
                })
                .collect(),
        }
    }

    /// A schema with its reference followed.
    pub fn resolve(&self, schema: &Value) -> Value {
        match schema["$ref"].as_str() {
            Some(reference) => self.resolve(self.0.pointer(reference.trim_start_matches('#')).expect("a known schema")),
            None => schema.clone(),
        }
    }
}

/// The names and values as they stand in an address.
fn least_query(needed: Vec<(&str, String)>) -> String {
    match needed.is_empty() {
        true => String::new(),
        false => format!("?{}", Url::parse_with_params("http://house", needed).unwrap().query().unwrap()),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The JSON types that a schema admits: one name, a list of names, or alternatives.
pub fn types(document: &Document, schema: &Value) -> Vec<String> {
    let schema = document.resolve(schema);
    let mut found: Vec<String> = match &schema["type"] {
        Value::String(one) => vec![one.clone()],
        Value::Array(several) => several.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    };
    for alternatives in ["oneOf", "anyOf", "allOf"] {
        for alternative in schema[alternatives].as_array().into_iter().flatten() {
            found.extend(types(document, alternative));
        }
    }
    found
}

/// A value that fits `schema`: its example where it has one, else with everything that an object may have and with empty
/// lists. What cannot be made from its types alone has an example.
pub fn sample(document: &Document, schema: &Value) -> Value {
    let schema = document.resolve(schema);
    if let Some(example) = schema["examples"].get(0) {
        return example.clone();
    }
    let alternatives =
        ["oneOf", "anyOf", "allOf"].into_iter().flat_map(|kind| schema[kind].as_array().into_iter().flatten());
    let known: Vec<String> = types(document, &schema);
    if let Some(chosen) = schema["enum"].as_array().and_then(|words| words.first()) {
        return chosen.clone();
    }
    if let Some(properties) = schema["properties"].as_object() {
        return properties.iter().map(|(name, kind)| (name.clone(), sample(document, kind))).collect();
    }
    if schema["type"].is_null() {
        return alternatives.map(|one| sample(document, one)).find(|value| !value.is_null()).unwrap_or_default();
    }
    match known.iter().find(|kind| *kind != "null").map(String::as_str) {
        Some("string") if schema["format"] == "date" => json!("2026-10-11"),
        Some("string") if schema["format"] == "time-of-day" => json!("15:00"),
        Some("string") if schema["format"] == "date-time" => json!("2026-10-10T12:30:00Z"),
        Some("string") => json!("가".repeat(schema["minLength"].as_u64().unwrap_or(1).max(1) as usize)),
        Some("integer") => json!(schema["minimum"].as_f64().unwrap_or(1.0) as u64),
        Some("number") => json!(schema["minimum"].as_f64().unwrap_or(1.0)),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        _ => Value::Null,
    }
}

#[test]
fn what_cannot_be_made_from_types_alone_is_taken_from_its_example() {
    let parameter = |name: &str, schema: Value, required: bool| json!({"name": name, "in": "query", "required": required, "schema": schema});
    let word = json!({"type": "string", "pattern": "^[a-z]+ [a-z]+$", "examples": ["dry soil"]});
    let parameters = json!([parameter("needs", word, true), parameter("limit", json!({"type": "integer"}), false)]);
    let body = json!({"properties": {"legs": {"type": "array", "minItems": 1}}, "examples": [{"legs": [4]}]});
    let body = json!({"content": {"application/json": {"schema": body}}});
    let adding = json!({"operationId": "add", "parameters": parameters, "requestBody": body});
    let document = Document(json!({"paths": {"/tables": {"post": adding}}}));
    let [adding] = document.operations().try_into().unwrap();
    assert_eq!(adding.least_query, "?needs=dry+soil");
    assert_eq!(sample(&document, &adding.body.unwrap()), json!({"legs": [4]}));
}
