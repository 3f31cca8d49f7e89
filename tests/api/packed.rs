//! Answers above one kilobyte come packed to who takes it so, with the same words in them.

use std::io::Read;

use flate2::read::GzDecoder;
use reqwest::Method;
use serde_json::{Value, json};

use crate::document::Document;
use crate::house::{Caller, House, Household, answer};

/// An answer as it travels.
struct Sent {
    headers: reqwest::header::HeaderMap,
    status: u16,
    body: Vec<u8>,
}

impl Sent {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn unpacked(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        GzDecoder::new(&self.body[..]).read_to_end(&mut plain).unwrap();
        plain
    }
}

async fn ask(household: &Household<'_>, path: &str, headers: &[(&str, &str)]) -> Sent {
    let request = household.request(Method::GET, path);
    let response = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let response = response.send().await.unwrap();
    let (headers, status) = (response.headers().clone(), response.status().as_u16());
    Sent { headers, status, body: response.bytes().await.unwrap().to_vec() }
}

const GZIP: (&str, &str) = ("accept-encoding", "gzip, deflate, br, zstd");

#[tokio::test]
async fn the_statistics_of_the_lottery_travel_in_a_quarter_of_their_length() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    for path in ["/api/lotto/stats", "/api/openapi.json"] {
        let (plain, small) = (ask(&household, path, &[]).await, ask(&household, path, &[GZIP]).await);
        assert_eq!(small.unpacked(), plain.body, "{path}");
        assert!(4 * small.body.len() < plain.body.len(), "{path}: {} of {}", small.body.len(), plain.body.len());
    }
}

#[tokio::test]
async fn what_is_created_comes_packed_too_and_its_repetition_says_the_same() {
    let house = House::open().await;
    let household = house.household();
    let body = json!({"title": "책장", "note": "가나다 ".repeat(300)});
    let send = async || {
        let request = household.request(Method::POST, "/api/todos").header("idempotency-key", "once").json(&body);
        let response = request.header(GZIP.0, GZIP.1).send().await.unwrap();
        let (headers, status) = (response.headers().clone(), response.status().as_u16());
        Sent { headers, status, body: response.bytes().await.unwrap().to_vec() }
    };
    let (first, again) = (send().await, send().await);
    assert_eq!((first.status, first.header("content-encoding"), first.header("etag")), (201, "gzip", ""));
    assert_eq!(first.unpacked(), again.unpacked());
}

#[tokio::test]
async fn only_json_is_packed_and_files_of_the_app_are_not_packed_again() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let measures = ask(&household, "/metrics", &[GZIP]).await;
    assert!(measures.status == 200 && measures.body.len() > 1024, "{}: {}", measures.status, measures.body.len());
    assert_eq!(measures.header("content-encoding"), "");
    let events = household.request(Method::GET, "/api/events").header(GZIP.0, GZIP.1).send().await.unwrap();
    assert!(!events.headers().contains_key("content-encoding"), "{:?}", events.headers());
    let page = answer(household.request(Method::GET, "/").header("accept-encoding", "identity")).await.text;
    let (_, script) = page.split_once("src=\"/assets/").unwrap();
    let script = format!("/assets/{}", script.split('"').next().unwrap());
    assert_eq!(ask(&household, &script, &[GZIP]).await.header("content-encoding"), "br");
}

/// For the long suite.
mod long {
    use super::*;

    #[tokio::test]
    async fn every_long_answer_is_packed_for_who_takes_it_and_says_the_same() {
        let house = House::open().await;
        let household = house.household();
        household.rest().await;
        for number in 0..40 {
            household
                .post("/api/todos", json!({"title": format!("할 일 {number}"), "note": "가나다 ".repeat(40)}))
                .await
                .ok();
        }
        let mut packed = 0;
        for operation in Document::of(&household).await.operations() {
            if operation.method != Method::GET || operation.path.contains('{') || operation.path == "/api/events" {
                continue;
            }
            let path = operation.path + &operation.least_query;
            let plain = ask(&household, &path, &[]).await;
            assert_eq!(plain.header("content-encoding"), "", "{path}");
            let small = ask(&household, &path, &[GZIP]).await;
            let is_json = plain.header("content-type") == "application/json";
            if !is_json || plain.status != 200 || plain.body.len() < 1024 {
                assert_eq!(small.header("content-encoding"), "", "{path}");
                continue;
            }
            packed += 1;
            assert_eq!((small.header("content-encoding"), small.header("vary")), ("gzip", "accept-encoding"), "{path}");
            assert_eq!(plain.header("vary"), "accept-encoding", "{path}");
            assert!(small.body.len() < plain.body.len(), "{path}: {} of {}", small.body.len(), plain.body.len());
            let said: Value = serde_json::from_slice(&small.unpacked()).unwrap();
            assert!(said.is_object() || said.is_array());
            let tag = small.header("etag").to_owned();
            if !tag.is_empty() && tag == plain.header("etag") {
                assert_eq!(small.unpacked(), plain.body, "{path}");
                assert!(tag.starts_with("W/"), "two forms of one answer are not the same bytes: {path}: {tag}");
                for accepted in ["gzip", "identity"] {
                    let again = ask(&household, &path, &[("accept-encoding", accepted), ("if-none-match", &tag)]).await;
                    let said = (again.status, again.body.len(), again.header("vary"), again.header("content-encoding"));
                    assert_eq!(said, (304, 0, "accept-encoding", ""), "{path}");
                }
            }
        }
        assert!(packed > 8, "{packed} answers were long");
    }
}
