//! Routes of both doors meet bad callers: here one of each kind, in the long suite all of them. They come from the OpenAPI
//! documents, so that a route that is added later is covered by itself. Whatever happens, the answer has the contract's error
//! shape, it is never the server's fault, and nothing has changed afterwards.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::header::{ALLOW, CONTENT_TYPE};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::document::{Document, Operation, types};
use crate::house::{Answer, Caller, House, answer};
use crate::moving;
use crate::visitors::Everybody;

/// What a bad request may be answered with.
type Allowed<'a> = &'a [(u16, &'a str)];

const INVALID_JSON: (u16, &str) = (400, "INVALID_JSON");
const INVALID_INPUT: (u16, &str) = (422, "INVALID_INPUT");
const NOT_FOUND: (u16, &str) = (404, "NOT_FOUND");
const METHOD_NOT_ALLOWED: (u16, &str) = (405, "METHOD_NOT_ALLOWED");
const FOREIGN_ORIGIN: (u16, &str) = (403, "FOREIGN_ORIGIN");
const TOO_LARGE: (u16, &str) = (413, "TOO_LARGE");

/// Path parameters that are the id of nothing.
const UNKNOWN_IDS: [&str; 9] =
    ["987654321", "0", "-1", "abc", "1.5", "99999999999999999999999", "%00", "%ff%fe", "..%2f..%2f..%2fetc%2fpasswd"];

/// Values that no query parameter of a number takes.
const NO_NUMBERS: [&str; 5] = ["abc", "", "99999999999999999999999", "1e400", "%00"];

#[tokio::test]
async fn one_route_of_each_kind_refuses_bad_callers_and_changes_nothing() {
    let house = House::open().await;
    let household = house.household();
    furnish(&household).await;
    household.rest().await;
    let mut flaws = walk(&household, &household, first_of_its_kind()).await;
    flaws.extend(walk(&Everybody::of(&house).await, &household, first_of_its_kind()).await);
    assert!(flaws.is_empty(), "{} flaws\n{}", flaws.len(), flaws.join("\n"));
}

/// Of operations that take the same (method, ids, parameters, a body) only the first; the long suite asks at all of them.
pub fn first_of_its_kind() -> impl FnMut(&Operation) -> bool {
    let mut seen = BTreeSet::new();
    move |operation| {
        let takes = (operation.path.contains('{'), !operation.query.is_empty(), operation.body.is_some());
        seen.insert((operation.method.to_string(), takes))
    }
}

#[tokio::test]
async fn a_household_behind_a_passphrase_answers_nobody_else() {
    let house = House::open().await;
    let documented = Document::of(&house.household()).await;
    let guarded = House::open_on_the_network("마당에 핀 살구꽃 다섯 송이").await;
    let open = ["/api/household", "/api/household/sign-in", "/api/household/setup", "/health/", "/api/openapi.json"];
    for operation in documented.operations() {
        let answer = answer(guarded.anonymous().request(operation.method.clone(), &filled(&operation.path, "1"))).await;
        let name = format!("{} {}", operation.method, operation.path);
        if open.iter().any(|path| operation.path == *path || path.ends_with('/') && operation.path.starts_with(path)) {
            assert_ne!(answer.status, 401, "{name}");
        } else {
            assert_eq!((answer.status.as_u16(), answer.error_flaw()), (401, None), "{name}: {}", answer.text);
        }
    }
}

/// Things in the house that a bad caller could spoil: one at least of each that is added by one route and changed by
/// another.
pub async fn furnish(household: &impl Caller) {
    household.post("/api/todos", json!({"title": "베란다 화분에 물 주기", "due": "2026-10-11"})).await.ok();
    let done = household.post("/api/todos", json!({"title": "우유 사기"})).await.ok();
    household.put(&format!("/api/todos/{}", done["id"]), json!({"done": true})).await.ok();
    let set = json!([[4, 5, 25, 28, 32, 42], [1, 2, 3, 4, 5, 6]]);
    household.post("/api/lotto/purchase", json!({"draw_no": 1245, "sets": set})).await.ok();
    household.get("/api/lotto/recommend?recent_window=50&recent_weight=0.5&avoid_recent_k=3&seed=1").await.ok();
    household.post("/api/lotto/report", json!({})).await.ok();
    let document = Document::of(household).await;
    let operations = document.operations();
    let is_changed = |path: &str| operations.iter().any(|operation| operation.path == format!("{path}/{{id}}"));
    for adding in operations.iter().filter(|operation| operation.method == Method::POST && is_changed(&operation.path))
    {
        if adding.id == "restore_upload" {
            moving::brought(household).await;
            continue;
        }
        let request = household.request(Method::POST, &format!("{}{}", adding.path, adding.least_query));
        answer(with_body(request, &document, adding)).await.ok();
    }
}

/// The chosen operations of `door` with everything that is bad about a request; the flaws that were found.
pub async fn walk(
    door: &impl Caller,
    household: &impl Caller,
    mut is_chosen: impl FnMut(&Operation) -> bool,
) -> Vec<String> {
    let document = Document::of(door).await;
    let operations = document.operations();
    let chosen: Vec<&Operation> = operations.iter().filter(|operation| is_chosen(operation)).collect();
    assert!(!chosen.is_empty(), "no operation is asked");
    let mut flaws = Vec::new();
    let mut before = fingerprint(household).await;
    for operation in chosen {
        let mut attempts = Vec::new();
        foreign_callers(door, &document, operation, &mut attempts);
        unknown_ids(door, &document, operation, &mut attempts);
        bad_queries(door, &document, operation, &mut attempts);
        bad_bodies(door, &document, operation, &mut attempts);
        wrong_methods(door, &operations, operation, &mut attempts);
        for (what, request, allowed) in attempts {
            let answer = answer(request).await;
            flaws.extend(
                flaw(&answer, &allowed).map(|flaw| format!("{} {}: {what}: {flaw}", operation.method, operation.path)),
            );
        }
        let after = fingerprint(household).await;
        for (path, text) in before.iter().filter(|(path, text)| after.get(*path) != Some(*text)) {
            flaws
                .push(format!("{} {} changed {path} from {text} to {}", operation.method, operation.path, after[path]));
        }
        before = after;
    }
    for path in ["/api/no-such-thing", "/api/", "/api/lotto/..%2f..%2fetc%2fpasswd", "/health/no-such-thing"] {
        flaws.extend(flaw(&door.get(path).await, &[NOT_FOUND]).map(|flaw| format!("GET {path}: {flaw}")));
    }
    flaws
}

type Attempt = (String, RequestBuilder, Vec<(u16, &'static str)>);

/// A refusal with one of the allowed codes; with none given, any refusal that is not the server's fault.
fn flaw(answer: &Answer, allowed: Allowed) -> Option<String> {
    let status = answer.status.as_u16();
    if status < 400 || status == 500 {
        return Some(format!("{status} {}", answer.text.chars().take(200).collect::<String>()));
    }
    if let Some(flaw) = answer.error_flaw() {
        return Some(format!("{status} with {flaw}"));
    }
    let code = answer.json()["error"].as_str().unwrap_or_default().to_owned();
    let fits = allowed.is_empty() || allowed.contains(&(status, code.as_str()));
    (!fits).then(|| format!("{status} {code}, expected one of {allowed:?}: {}", answer.text))
}

/// Reads that answer something else each time, or change by being asked.
const NEVER_THE_SAME: [(&str, &str); 5] = [
    ("/api/events", "never ends"),
    ("/api/today", "says what time it is"),
    ("/api/system", "says how much of the disk is free"),
    ("/api/lotto/recommend", "keeps what it recommends"),
    ("/api/lotto/recommend/combined", "keeps what it recommends"),
];

/// What the household can see, by path: every read of its door that needs no id.
pub async fn fingerprint(household: &impl Caller) -> BTreeMap<String, String> {
    let operations = Document::of(household).await.operations();
    let reads = operations.into_iter().filter(|operation| operation.method == Method::GET);
    let is_left_out = |path: &str| NEVER_THE_SAME.iter().any(|(known, _)| *known == path);
    let mut seen = BTreeMap::new();
    for Operation { path, .. } in reads.filter(|read| !read.path.contains('{') && !is_left_out(&read.path)) {
        let answer = household.get(&path).await;
        let text = if answer.status.is_success() { answer.text } else { answer.status.to_string() };
        seen.insert(path, text);
    }
    seen
}

/// The path with every parameter filled with `value`.
pub fn filled(path: &str, value: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { value } else { part }).collect::<Vec<_>>().join("/")
}

fn changes(operation: &Operation) -> bool {
    operation.method != Method::GET
}

fn with_body(request: RequestBuilder, document: &Document, operation: &Operation) -> RequestBuilder {
    let request = operation.understood(request);
    match operation.sample(document) {
        Some(body) => request.json(&body),
        None => request,
    }
}

fn foreign_callers(door: &impl Caller, document: &Document, operation: &Operation, attempts: &mut Vec<Attempt>) {
    let request = || {
        with_body(door.request(operation.method.clone(), &filled(&operation.path, "987654321")), document, operation)
    };
    for host in ["evil.example", "127.0.0.1.evil.example:8420", "localhost.evil.example"] {
        attempts.push((format!("Host {host}"), request().header("host", host), vec![FOREIGN_ORIGIN]));
    }
    if changes(operation) {
        for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
            attempts.push((format!("Origin {origin}"), request().header("origin", origin), vec![FOREIGN_ORIGIN]));
        }
        attempts.push(("cross-site".into(), request().header("sec-fetch-site", "cross-site"), vec![FOREIGN_ORIGIN]));
    }
}

fn unknown_ids(door: &impl Caller, document: &Document, operation: &Operation, attempts: &mut Vec<Attempt>) {
    if !operation.path.contains('{') {
        return;
    }
    for id in UNKNOWN_IDS {
        let request = door.request(operation.method.clone(), &filled(&operation.path, id));
        attempts.push((format!("id {id}"), with_body(request, document, operation), vec![NOT_FOUND]));
    }
}

fn bad_queries(door: &impl Caller, document: &Document, operation: &Operation, attempts: &mut Vec<Attempt>) {
    for (name, schema) in &operation.query {
        for value in wrong_words(document, schema) {
            let path = format!("{}?{name}={value}", filled(&operation.path, "1"));
            let request = with_body(door.request(operation.method.clone(), &path), document, operation);
            attempts.push((format!("{name}={value}"), request, vec![INVALID_INPUT, NOT_FOUND]));
        }
    }
}

/// Values that a query parameter of this kind does not take.
fn wrong_words(document: &Document, schema: &Value) -> Vec<&'static str> {
    let types = types(document, schema);
    let is = |wanted: &str| types.iter().any(|kind| kind == wanted);
    match () {
        () if is("number") => NO_NUMBERS.to_vec(),
        () if is("integer") => [&NO_NUMBERS[..], &["-1", "1.5"]].concat(),
        () if is("boolean") => vec!["abc", "", "1", "%00"],
        // One word of several, a day, a list of numbers: no text that is looked for ends in a zero byte.
        () => vec!["no-such-word%00"],
    }
}

fn bad_bodies(door: &impl Caller, document: &Document, operation: &Operation, attempts: &mut Vec<Attempt>) {
    let Some(schema) = &operation.body else { return };
    let first = attempts.len();
    let request = || door.request(operation.method.clone(), &filled(&operation.path, "1"));
    let json_text = |text: String| request().header(CONTENT_TYPE, "application/json").body(text);
    let malformed = ["{", "{\"a\":}", "nonsense", "{\"title\": \"\\ud800\"", "\u{feff}{", ""];
    let nested = ["[".repeat(20_000), "{\"a\":".repeat(20_000)];
    for text in malformed.map(str::to_owned).into_iter().chain(nested) {
        let what = format!("body {}", text.chars().take(20).collect::<String>());
        attempts.push((what, json_text(text), vec![INVALID_JSON]));
    }
    for whole in [json!([]), json!("text"), json!(5), json!(null), json!(true)] {
        attempts.push((format!("body {whole}"), request().json(&whole), vec![INVALID_JSON, INVALID_INPUT]));
    }
    for (field, kind) in schema["properties"].as_object().into_iter().flatten() {
        let types = types(document, kind);
        for value in wrong_values(&types) {
            let body = json!({ field: value });
            attempts.push((format!("body {body}"), request().json(&body), vec![INVALID_INPUT]));
        }
        if types.iter().any(|kind| kind == "string") {
            // Whether it is too long or simply wrong (a passphrase) is the route's matter; it is refused.
            let most = document.resolve(kind)["maxLength"].as_u64().unwrap_or_default();
            let long = json!({ field: "가".repeat(most.max(59_999) as usize + 1) });
            attempts.push((format!("a very long {field}"), request().json(&long), vec![]));
        }
    }
    let most = operation.most_bytes.map_or(1 << 20, |most| most as usize);
    let huge = format!("{{\"title\": \"{}\"}}", "a".repeat(most));
    attempts.push(("a body over the limit".into(), json_text(huge), vec![TOO_LARGE]));
    if operation.asks_for_a_secret() {
        attempts[first..].iter_mut().for_each(|(_, _, allowed)| *allowed = vec![NOT_FOUND, TOO_LARGE]);
    }
}

/// Values whose type a field does not have.
pub fn wrong_values(types: &[String]) -> Vec<Value> {
    let admits = |kind: &str| types.iter().any(|known| known == kind);
    let mut wrong = Vec::new();
    if types.is_empty() {
        return wrong;
    }
    if !admits("null") {
        wrong.push(json!(null));
    }
    if !admits("object") {
        wrong.push(json!({"a": [1]}));
    }
    if !admits("array") {
        wrong.push(json!([[[1]]]));
    }
    if !admits("boolean") {
        wrong.push(json!(true));
    }
    if !admits("string") {
        wrong.push(json!("text"));
    }
    if !admits("number") && !admits("integer") {
        wrong.push(json!(7));
    }
    if !admits("number") {
        wrong.push(json!(1.5));
    }
    if admits("integer") {
        wrong.extend([json!(-1), json!(1e300)]);
    }
    wrong
}

fn wrong_methods(door: &impl Caller, operations: &[Operation], operation: &Operation, attempts: &mut Vec<Attempt>) {
    let path = filled(&operation.path, "1");
    let here: Vec<&Method> =
        operations.iter().filter(|other| fits(&other.path, &path)).map(|other| &other.method).collect();
    for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        if here.contains(&&method) {
            continue;
        }
        attempts.push((format!("{method} instead"), door.request(method, &path), vec![METHOD_NOT_ALLOWED]));
    }
}

/// Whether the documented path `pattern` also answers for `path`.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<&str>, Vec<&str>) = (pattern.split('/').collect(), path.split('/').collect());
    pattern.len() == path.len()
        && pattern.iter().zip(path).all(|(known, part)| *known == part || known.starts_with('{'))
}

#[tokio::test]
async fn a_wrong_method_names_the_right_ones() {
    let house = House::open().await;
    let answer = answer(house.household().request(Method::PATCH, "/api/todos")).await;
    answer.refused(405, "METHOD_NOT_ALLOWED");
    let allowed = answer.header(ALLOW.as_str());
    assert!(allowed.contains("GET") && allowed.contains("POST"), "{allowed}");
}
