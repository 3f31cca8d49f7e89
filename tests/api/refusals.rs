//! Whoever sends several things that do not fit is told of all of them at once, whatever is wrong with each: it is
//! missing, of another type, or out of bounds. The routes come from the OpenAPI documents.

use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Map, Value, json};

use crate::document::{Document, Operation, types};
use crate::hostile::{filled, furnish, wrong_values};
use crate::house::{Answer, Caller, House, answer};
use crate::visitors::Everybody;

#[tokio::test]
async fn one_answer_names_every_field_that_is_refused() {
    let house = House::open().await;
    let household = house.household();
    furnish(&household).await;
    let mut flaws = every_flaw(&household).await;
    flaws.extend(every_flaw(&Everybody::of(&house).await).await);
    assert!(flaws.is_empty(), "{} flaws\n{}", flaws.len(), flaws.join("\n"));
}

#[tokio::test]
async fn what_each_field_must_be_is_said_in_words_of_its_own_and_not_in_those_of_a_parser() {
    let house = House::open().await;
    let household = house.household();
    furnish(&household).await;
    let document = Document::of(&household).await;
    let mut flaws = Vec::new();
    for operation in document.operations() {
        let fields = operation.body.iter().flat_map(|schema| schema["properties"].as_object()).flatten();
        for (name, sent) in fields.flat_map(|(name, _)| ODD.map(|sent| (name, sent))) {
            let request = household.request(operation.method.clone(), &filled(&operation.path, "1"));
            let body = format!("{{{}: {sent}}}", json!(name));
            let answer = answer(request.header(CONTENT_TYPE, "application/json").body(body.clone())).await;
            let body_of = serde_json::from_str::<Value>(&answer.text).unwrap_or_default();
            let musts = body_of["fields"].as_object().into_iter().flatten().filter_map(|(_, must)| must.as_str());
            let foreign = musts.filter(|must| FOREIGN.iter().any(|word| must.contains(word))).collect::<Vec<_>>();
            if answer.status.is_server_error() || !foreign.is_empty() {
                flaws.push(format!("{} {body}: {} {foreign:?}", operation.id, answer.status));
            }
        }
    }
    assert!(flaws.is_empty(), "{} flaws\n{}", flaws.len(), flaws.join("\n"));
    let counted = household.request(Method::POST, "/api/lotto/purchase").header(CONTENT_TYPE, "application/json");
    let refused = answer(counted.body("{\"draw_no\": 1245, \"sets\": 1e400}")).await.json();
    assert_eq!(refused["fields"], json!({"sets": "must be 1 to 1000 games"}));
}

#[tokio::test]
async fn fields_that_are_refused_are_said_to_be_those_of_the_domain_that_answers() {
    let house = House::open().await;
    let household = house.household();
    furnish(&household).await;
    let document = Document::of(&household).await;
    let mut flaws = Vec::new();
    for operation in document.operations() {
        let owner = Some(&operation.tag).filter(|tag| !OF_THE_HOUSE.contains(&tag.as_str()));
        for (query, body, _) in attempts(&document, &operation).into_iter().take(1) {
            let path = format!("{}?{query}", filled(&operation.path, "1"));
            let request = household.request(operation.method.clone(), &path).header(CONTENT_TYPE, "application/json");
            let refused = answer(request.body(body)).await.json();
            if refused["owner"].as_str() != owner.map(String::as_str) {
                flaws.push(format!("{}: {}, not {owner:?}", operation.id, refused["owner"]));
            }
        }
    }
    assert!(flaws.is_empty(), "{} flaws\n{}", flaws.len(), flaws.join("\n"));
    let not_there = answer(household.request(Method::DELETE, "/api/todos/7777")).await;
    assert_eq!((not_there.status.as_u16(), not_there.json().get("owner")), (404, None));
}

/// The tags of what belongs to no domain.
const OF_THE_HOUSE: [&str; 4] = ["house", "household", "system", "health"];

/// What hardly any field takes.
const ODD: [&str; 5] = ["1e400", "-1e400", "[\"a at line 3\"]", "\"a at line 3\"", "{\"expected \": 1e400}"];
/// What a parser says, and what stands in [`ODD`].
const FOREIGN: [&str; 7] = ["cannot be read", "out of range", "invalid", "unknown", "at line", "1e400", "expected"];

async fn every_flaw(door: &impl Caller) -> Vec<String> {
    let document = Document::of(door).await;
    let mut flaws = Vec::new();
    for operation in document.operations().into_iter().filter(|operation| !operation.asks_for_a_secret()) {
        for (query, body, fields) in attempts(&document, &operation) {
            let path = format!("{}?{query}", filled(&operation.path, "1"));
            let request = door.request(operation.method.clone(), &path).header(CONTENT_TYPE, "application/json");
            let answer = answer(request.body(body.clone())).await;
            let unnamed: Vec<&String> = fields.iter().filter(|field| !is_named(&answer, field)).collect();
            if answer.status != 422 || !unnamed.is_empty() {
                let name = format!("{} {path} {body}", operation.method);
                flaws.push(format!("{name}: {} names no {unnamed:?}: {}", answer.status, answer.text));
            }
        }
    }
    flaws
}

/// Queries and bodies, and the names of all fields that each must be refused for.
fn attempts(document: &Document, operation: &Operation) -> Vec<(String, String, Vec<String>)> {
    let is_number = |schema: &Value| types(document, schema).iter().any(|kind| kind == "integer" || kind == "number");
    let numbers = operation.query.iter().filter(|(_, schema)| is_number(schema)).map(|(name, _)| name.clone());
    let numbers: Vec<String> = numbers.collect();
    let query = |value: &str| numbers.iter().map(|name| format!("{name}={value}")).collect::<Vec<_>>().join("&");
    let twice = format!("{}&{}", query("1"), query("1"));
    let mut attempts = Vec::new();
    if operation.body.is_none() && !numbers.is_empty() {
        attempts.extend([query("abc"), query("-1"), twice].map(|query| (query, String::new(), numbers.clone())));
    }
    let Some(schema) = &operation.body else { return attempts };
    let known = schema["properties"].as_object().cloned().unwrap_or_default();
    let names = || known.keys().cloned().collect::<Vec<_>>();
    for which in 0..6 {
        let wrong = |(name, kind): (&String, &Value)| {
            let wrong = wrong_values(&types(document, kind));
            (name.clone(), wrong[which % wrong.len()].clone())
        };
        attempts.push((
            String::new(),
            Value::from(known.iter().map(wrong).collect::<Map<_, _>>()).to_string(),
            names(),
        ));
    }
    let doubled: Vec<String> = known.keys().map(|name| format!("{0}: null, {0}: null", json!(name))).collect();
    attempts.push((String::new(), format!("{{{}}}", doubled.join(", ")), names()));
    let required: Vec<String> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect();
    if !required.is_empty() {
        attempts.push((String::new(), "{}".to_owned(), required));
    }
    attempts
}

/// Whether the answer refuses `field`, or a part of it.
fn is_named(answer: &Answer, field: &str) -> bool {
    let body: Value = serde_json::from_str(&answer.text).unwrap_or_default();
    let mut named = body["fields"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    named.any(|name| name.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.'])))
}
