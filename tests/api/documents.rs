//! Both OpenAPI documents: whole, honest, and in step with the specification.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};

use crate::document::{Document, Operation};
use crate::house::{Caller, House, answer};

/// The specification's routes by door and domain: `household lottery` to `GET /api/lotto/latest` and its kin.
struct Domain {
    door: String,
    name: String,
    is_built: bool,
    routes: Vec<String>,
}

fn specification() -> Vec<Domain> {
    let mut domains: Vec<Domain> = Vec::new();
    for line in include_str!("spec_routes.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(heading) => {
                let words: Vec<&str> = heading.split(' ').collect();
                let is_built = words.get(2) == Some(&"built");
                let (door, name) = (words[0].to_owned(), words[1].to_owned());
                domains.push(Domain { door, name, is_built, routes: Vec::new() });
            }
            None => domains.last_mut().unwrap().routes.push(line.to_owned()),
        }
    }
    domains
}

/// `GET /api/lotto/report/{}`: how a parameter is called is not seen from outside.
fn anonymous_parameters(route: &str) -> String {
    route.split('/').map(|part| if part.starts_with('{') { "{}" } else { part }).collect::<Vec<_>>().join("/")
}

async fn operations(house: &House) -> BTreeMap<&'static str, Vec<Operation>> {
    BTreeMap::from([
        ("household", Document::of(&house.household()).await.operations()),
        ("customers", Document::of(&house.passer_by()).await.operations()),
    ])
}

#[tokio::test]
async fn every_route_of_the_specification_that_is_built_is_documented_and_no_other() {
    let house = House::open().await;
    let documented = operations(&house).await;
    for Domain { door, name, is_built, routes } in specification() {
        let known: BTreeSet<String> = documented[door.as_str()]
            .iter()
            .map(|operation| anonymous_parameters(&format!("{} {}", operation.method, operation.path)))
            .collect();
        for route in routes {
            let is_there = known.contains(&anonymous_parameters(&route));
            assert_eq!(
                is_there, is_built,
                "{door} {name}: {route} (is the domain marked as it is in spec_routes.txt?)"
            );
        }
    }
}

#[test]
fn the_list_of_routes_is_the_whole_specification() {
    let count = |door: &str| {
        let domains = specification().into_iter().filter(|domain| domain.door == door);
        domains.map(|domain| domain.routes.len()).sum::<usize>()
    };
    assert_eq!((count("household"), count("customers")), (156, 33));
}

#[tokio::test]
async fn every_operation_has_an_id_of_its_own_and_a_described_answer() {
    let house = House::open().await;
    for (door, operations) in operations(&house).await {
        let mut ids = BTreeSet::new();
        for operation in operations {
            let name = format!("{door}: {} {}", operation.method, operation.path);
            assert!(!operation.id.is_empty() && ids.insert(operation.id.clone()), "{name}: id {:?}", operation.id);
            // Where others send customers back to leads on to a page, and does nothing else.
            assert_eq!(operation.leads_on, operation.path == "/auth/callback", "{name}");
            assert_ne!(operation.leads_on, !operation.answers.is_empty(), "{name}: no successful answer is described");
            for (status, schema) in &operation.answers {
                // An answer without content.
                assert!(schema.is_some() || status == "204", "{name}: the answer {status} has no schema");
            }
        }
    }
}

#[tokio::test]
async fn every_number_in_a_query_is_documented_with_its_bounds() {
    let house = House::open().await;
    for (door, operations) in operations(&house).await {
        for operation in operations {
            for (name, schema) in &operation.query {
                let is_number =
                    schema["type"].to_string().contains("integer") || schema["type"].to_string().contains("number");
                let is_bounded = schema["minimum"].is_number() && schema["maximum"].is_number();
                assert!(is_bounded || !is_number, "{door} {} {}: {name}: {schema}", operation.method, operation.path);
            }
        }
    }
}

#[tokio::test]
async fn every_list_in_a_request_has_a_most() {
    let house = House::open().await;
    for document in [Document::of(&house.household()).await, Document::of(&house.passer_by()).await] {
        for Operation { method, path, query, body, .. } in document.operations() {
            for schema in query.iter().map(|(_, schema)| schema).chain(&body) {
                assert_eq!(endless_lists(&document, schema, &path), Vec::<String>::new(), "{method} {path}");
            }
        }
    }
}

/// Where in a schema a list may be as long as one likes. A list without items only says which of several forms is sent.
fn endless_lists(document: &Document, schema: &Value, place: &str) -> Vec<String> {
    let schema = document.resolve(schema);
    let is_endless = schema["items"].is_object() && !schema["maxItems"].is_number();
    let mut found: Vec<String> = is_endless.then(|| place.to_owned()).into_iter().collect();
    for several in ["allOf", "oneOf", "anyOf"] {
        let forms = schema[several].as_array().into_iter().flatten();
        found.extend(forms.flat_map(|form| endless_lists(document, form, place)));
    }
    let fields = schema["properties"].as_object().into_iter().flatten();
    found.extend(fields.flat_map(|(name, field)| endless_lists(document, field, &format!("{place} {name}"))));
    if schema["items"].is_object() {
        found.extend(endless_lists(document, &schema["items"], &format!("{place}[]")));
    }
    found
}

#[tokio::test]
async fn every_post_takes_an_idempotency_key_or_says_why_not() {
    let house = House::open().await;
    for door in
        [house.household().get("/api/openapi.json").await.ok(), house.passer_by().get("/api/openapi.json").await.ok()]
    {
        for (path, item) in door["paths"].as_object().unwrap().iter().filter(|(_, item)| item["post"].is_object()) {
            let parameters = item["post"]["parameters"].as_array().into_iter().flatten();
            let takes = parameters.into_iter().any(|parameter| parameter["name"] == "Idempotency-Key");
            let says = ["summary", "description"]
                .iter()
                .any(|said| item["post"][said].to_string().contains("Idempotency-Key"));
            assert!(takes != says, "{path}: {}", item["post"]);
        }
    }
}

#[tokio::test]
async fn every_operation_says_who_may_call_it() {
    let open = [
        "/api/household",
        "/api/household/sign-in",
        "/api/household/setup",
        "/api/account/register",
        "/api/account/forgotten",
        "/api/account/sign-in",
        "/api/admin/sign-in",
        "/api/admin/sign-in/code",
        "/api/admin/setup",
        "/api/chat/hook",
        "/api/contact",
        "/api/contact/{token}",
        "/api/contact/{token}/shares",
        "/api/contact/{token}/shares/{share}",
        "/api/questionnaire/kinds",
        "/api/questionnaire/kinds/{kind}",
        "/api/questionnaire/submit",
        "/api/quote/{token}",
        "/api/quote/{token}/total",
        "/api/shared/{token}",
        "/auth/callback",
        "/health/live",
        "/health/ready",
        "/portfolio/{token}",
    ];
    let house = House::open().await;
    for (door, operations) in operations(&house).await {
        for operation in operations {
            let path = operation.path.as_str();
            // The link of a mail sets a password, too.
            let is_by_link = (operation.method.as_str(), path) == ("POST", "/api/account/password");
            let expected = match door {
                _ if open.contains(&path) || is_by_link => json!([]),
                "household" => json!([{"household": []}, {}]),
                _ if path.starts_with("/api/admin/") => json!([{"admin": []}]),
                _ => json!([{"customer": []}]),
            };
            assert_eq!(operation.security, expected, "{door}: {} {path}", operation.method);
        }
    }
}

/// For the long suite.
mod long {
    use super::*;

    #[tokio::test]
    async fn every_read_says_whether_it_answers_304() {
        let house = House::open().await;
        let household = house.household();
        let document = household.get("/api/openapi.json").await.ok();
        let mut tagged = 0;
        for operation in Document::of(&household).await.operations() {
            if operation.method != Method::GET || operation.path.contains('{') || operation.path == "/api/events" {
                continue;
            }
            let path = format!("{}{}", operation.path, operation.least_query);
            let read = household.get(&path).await;
            // What there is none of yet has no tag either.
            if read.status == 404 {
                continue;
            }
            let says = document["paths"][&operation.path]["get"]["responses"].get("304").is_some();
            assert_eq!(says, read.headers.contains_key("etag"), "{}: {}", operation.path, read.status);
            if says {
                let again =
                    household.request(Method::GET, &path).header("if-none-match", read.header("etag").to_owned());
                assert_eq!(answer(again).await.status, 304, "{path} is promised to whoever has it, and is another one");
            }
            tagged += usize::from(says);
        }
        assert!(tagged > 10, "{tagged} reads");
    }
}
