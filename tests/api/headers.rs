//! What every answer of either door carries, whatever was asked: pages, files, the interface, refusals. Here one route of each
//! kind is asked, in the long suite all of them.

use reqwest::Method;
use serde_json::json;

use crate::document::{Document, Operation};
use crate::hostile::first_of_its_kind;
use crate::house::{Answer, Caller, House, answer};

/// What is wrong with the headers of an answer.
fn flaw(answer: &Answer, is_https: bool) -> Option<String> {
    for (name, value) in [
        ("x-frame-options", "DENY"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        if answer.header(name) != value || answer.headers.get_all(name).iter().count() != 1 {
            return Some(format!("{name}: {:?}", answer.headers.get_all(name)));
        }
    }
    let policy = answer.header("content-security-policy");
    for rule in ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"] {
        if !policy.split("; ").any(|known| known == rule) {
            return Some(format!("the policy lacks {rule}: {policy}"));
        }
    }
    if policy.contains("unsafe") || policy.contains('*') || policy.contains("http") {
        return Some(format!("the policy allows too much: {policy}"));
    }
    for power in ["camera=()", "microphone=()", "geolocation=()"] {
        if !answer.header("permissions-policy").contains(power) {
            return Some(format!("permissions-policy lacks {power}"));
        }
    }
    if answer.header("x-request-id").is_empty() {
        return Some("no request id".into());
    }
    if answer.header("cache-control").is_empty() && answer.status == 200 {
        return Some("no word about keeping it".into());
    }
    if answer.headers.contains_key("server") || answer.headers.contains_key("access-control-allow-origin") {
        return Some("says more than it should".into());
    }
    let strict = answer.header("strict-transport-security");
    let is_strict = strict.contains("max-age=31536000");
    (is_strict != is_https).then(|| format!("strict-transport-security: {strict:?}"))
}

/// Asks the door for the chosen operations, for its pages and files, and for a good deal that it has not.
pub async fn walk(door: &impl Caller, is_https: bool, is_chosen: impl FnMut(&Operation) -> bool) -> Vec<String> {
    let mut asked = Vec::new();
    for operation in Document::of(door).await.operations().into_iter().filter(is_chosen) {
        // A stream of events has no end to wait for; its head is seen in a test of its own.
        if operation.path == "/api/events" {
            continue;
        }
        let path = operation.path.replace("{name}", "none");
        let path =
            path.split('/').map(|part| if part.starts_with('{') { "987654321" } else { part }).collect::<Vec<_>>();
        for method in
            [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS]
        {
            // Work that has an effect beyond this walk is asked for wrongly only.
            asked.push((method, format!("{}?limit=none&seed=none&n_candidates=none&days=none", path.join("/"))));
        }
        asked.push((Method::from_bytes(b"BREW").unwrap(), path.join("/")));
    }
    let page = door.get("/").await.text;
    let files = page.split('"').filter(|part| part.starts_with('/') && part.contains('.')).map(str::to_owned);
    let files: Vec<String> = files.collect();
    assert!(!files.is_empty(), "{page}");
    let others = [
        "/",
        "/lottery",
        "/no-such-page",
        "/assets/none.js",
        "/api/openapi.json",
        "/api/none",
        "/health/none",
        "/metrics",
    ];
    for path in others.into_iter().map(str::to_owned).chain(files) {
        for method in [Method::GET, Method::HEAD, Method::POST, Method::OPTIONS] {
            asked.push((method, path.clone()));
        }
    }
    let mut flaws = Vec::new();
    for (method, path) in asked {
        let mut requests = vec![
            door.request(method.clone(), &path),
            door.request(method.clone(), &path).header("host", "evil.example"),
        ];
        requests.push(door.request(method.clone(), &path).header("accept-encoding", "br, gzip"));
        for (request, what) in requests.into_iter().zip(["", " from elsewhere", " compressed"]) {
            let first = answer(request).await;
            let name = format!("{method} {path}{what}: {}", first.status);
            flaws.extend(flaw(&first, is_https).map(|flaw| format!("{name}: {flaw}")));
            let tag = first.header("etag").to_owned();
            if !tag.is_empty() && what.is_empty() {
                let again = answer(door.request(method.clone(), &path).header("if-none-match", tag)).await;
                let flaw = if again.status == 304 { flaw(&again, is_https) } else { Some("not 304".into()) };
                flaws.extend(flaw.map(|flaw| format!("{name} again: {}: {flaw}", again.status)));
            }
        }
    }
    flaws
}

#[tokio::test]
async fn answers_of_both_doors_carry_the_headers_that_protect_their_reader() {
    let house = House::open().await;
    let of_household = walk(&house.household(), false, first_of_its_kind()).await;
    for flaws in [of_household, walk(&house.passer_by(), false, first_of_its_kind()).await] {
        assert!(flaws.is_empty(), "{} flaws\n{}", flaws.len(), flaws.join("\n"));
    }
}

#[tokio::test]
async fn only_a_site_that_customers_reach_by_https_insists_on_it() {
    let house = House::open_with(|config| config.site.address = "https://shop.example".into()).await;
    let flaws = walk(&house.passer_by(), true, first_of_its_kind()).await;
    assert!(flaws.is_empty(), "{} flaws\n{}", flaws.len(), flaws.join("\n"));
    assert_eq!(flaw(&house.household().get("/").await, false), None);
    let named = answer(house.passer_by().request(Method::GET, "/").header("host", "shop.example")).await;
    assert_eq!(named.status, 200);
}

#[tokio::test]
async fn the_head_of_the_live_events_is_like_any_other() {
    let house = House::open().await;
    let response = house.household().request(Method::GET, "/api/events").send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let head = Answer { status, headers, text: String::new() };
    assert_eq!((status.as_u16(), head.header("content-type")), (200, "text/event-stream"));
    assert_eq!(flaw(&head, false), None);
}

#[tokio::test]
async fn a_refused_sign_in_carries_them_too() {
    let house = House::open_on_the_network("마당에 핀 살구꽃 다섯 송이").await;
    for _ in 0..8 {
        let answer = house.anonymous().post("/api/household/sign-in", json!({"passphrase": "guess"})).await;
        assert_eq!(flaw(&answer, false), None, "{}", answer.status);
    }
}
