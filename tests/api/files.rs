//! Large files on their way out: whole, in parts, known already, and never executed by a browser.

use std::time::Duration;

use hanok::platform::blobs::BlobId;
use reqwest::{Method, Response};
use serde_json::Value;
use tokio::time::timeout;

use crate::house::{Caller, House, Household};
use crate::raw::Wire;

async fn put(house: &House, bytes: &[u8]) -> BlobId {
    house.appliance.app().data.blobs.put(bytes.to_vec()).await.unwrap().blob.id.clone()
}

async fn ask(household: &Household<'_>, path: &str, headers: &[(&'static str, &str)]) -> Response {
    let asked = household.request(Method::GET, path);
    headers.iter().fold(asked, |asked, (name, value)| asked.header(*name, *value)).send().await.unwrap()
}

fn header<'r>(answer: &'r Response, name: &str) -> &'r str {
    answer.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn a_file_is_given_whole_in_parts_and_not_at_all_to_who_has_it() {
    let house = House::open().await;
    let household = house.household();
    // More than one piece.
    let bytes: Vec<u8> = (0..700_001u32).map(|number| (number % 251) as u8).collect();
    let id = put(&house, &bytes).await;
    let (path, tag) = (format!("/api/files/{id}"), format!("\"{id}\""));
    let whole = ask(&household, &path, &[]).await;
    assert_eq!((whole.status().as_u16(), header(&whole, "etag")), (200, tag.as_str()));
    assert_eq!((header(&whole, "accept-ranges"), header(&whole, "content-length")), ("bytes", "700001"));
    assert_eq!(whole.bytes().await.unwrap(), bytes);
    for (range, from, to) in
        [("bytes=0-0", 0, 1), ("bytes=262143-262145", 262_143, 262_146), ("bytes=-5", 699_996, 700_001)]
    {
        let part = ask(&household, &path, &[("range", range), ("if-range", &tag)]).await;
        assert_eq!(part.status(), 206, "{range}");
        assert_eq!(header(&part, "content-range"), format!("bytes {from}-{}/700001", to - 1));
        assert_eq!(part.bytes().await.unwrap(), bytes[from..to], "{range}");
    }
    let other = ask(&household, &path, &[("range", "bytes=0-0"), ("if-range", "\"another\"")]).await;
    assert_eq!((other.status().as_u16(), other.bytes().await.unwrap().len()), (200, 700_001));
    let beyond = ask(&household, &path, &[("range", "bytes=700001-")]).await;
    assert_eq!((beyond.status().as_u16(), header(&beyond, "content-range")), (416, "bytes */700001"));
    assert_eq!(beyond.json::<Value>().await.unwrap()["error"], "INVALID_INPUT");
    assert_eq!(ask(&household, &path, &[("if-none-match", &tag)]).await.status(), 304);
    assert_eq!(ask(&household, &path, &[("if-match", "\"another\"")]).await.status(), 412);
    let head = household.request(Method::HEAD, &path).header("range", "bytes=0-0").send().await.unwrap();
    assert_eq!((head.status().as_u16(), header(&head, "content-length")), (200, "700001"));
    let nobody = ask(&household, &format!("/api/files/{}", "0".repeat(64)), &[]).await;
    assert_eq!(nobody.json::<Value>().await.unwrap()["error"], "NOT_FOUND");
}

#[tokio::test]
async fn a_file_that_a_browser_would_execute_is_text_in_a_sandbox_or_only_kept() {
    let house = House::open().await;
    let household = house.household();
    let page = put(&house, b"<!DOCTYPE html><script>alert(1)</script>").await;
    let shown = ask(&household, &format!("/api/files/{page}?name=%EC%82%AC%EC%A7%84.html"), &[]).await;
    assert_eq!(header(&shown, "content-type"), "text/plain; charset=utf-8");
    assert_eq!(header(&shown, "x-content-type-options"), "nosniff");
    assert!(header(&shown, "content-security-policy").ends_with("sandbox"), "{shown:?}");
    assert_eq!(
        header(&shown, "content-disposition"),
        "inline; filename=\"__.html\"; filename*=UTF-8''%EC%82%AC%EC%A7%84.html"
    );
    let kept = ask(&household, &format!("/api/files/{page}?keep=true"), &[]).await;
    assert_eq!(header(&kept, "content-disposition"), "attachment");
    let paper = put(&house, b"%PDF-1.7\n").await;
    let paper = ask(&household, &format!("/api/files/{paper}"), &[]).await;
    assert_eq!(
        (header(&paper, "content-type"), header(&paper, "content-disposition")),
        ("application/pdf", "attachment")
    );
}

#[tokio::test]
async fn a_file_that_has_rotted_is_named_by_the_check_and_never_given_out() {
    let house = House::open().await;
    let household = house.household();
    let id = put(&house, b"a song").await;
    let app = house.appliance.app().clone();
    std::fs::write(app.data.blobs.path(&id).unwrap(), "a sonk").unwrap();
    app.data.blobs.check(|_| ()).await.unwrap();
    let path = format!("/api/files/{id}");
    let refused = ask(&household, &path, &[]).await;
    assert_eq!(refused.status(), 500);
    assert!(refused.text().await.unwrap().contains("put the same file there again"));
    put(&house, b"a song").await;
    assert_eq!(ask(&household, &path, &[]).await.bytes().await.unwrap(), "a song");
}

const TUS: (&str, &str) = ("tus-resumable", "1.0.0");

async fn begin(household: &Household<'_>, length: usize) -> String {
    // "노래.flac" in base64.
    let asked = household.request(Method::POST, "/api/uploads").header(TUS.0, TUS.1);
    let named = asked.header("upload-metadata", "filename 64W4656YLmZsYWM=,filetype YXVkaW8vZmxhYw==");
    let begun = named.header("upload-length", length.to_string()).send().await.unwrap();
    assert_eq!((begun.status().as_u16(), header(&begun, "tus-resumable")), (201, "1.0.0"));
    header(&begun, "location").to_owned()
}

async fn bring(household: &Household<'_>, path: &str, offset: usize, bytes: Vec<u8>) -> Response {
    let part = household.request(Method::PATCH, path).header(TUS.0, TUS.1).body(bytes);
    let part =
        part.header("upload-offset", offset.to_string()).header("content-type", "application/offset+octet-stream");
    part.send().await.unwrap()
}

async fn offset(household: &Household<'_>, path: &str) -> String {
    let head = household.request(Method::HEAD, path).header(TUS.0, TUS.1).send().await.unwrap();
    assert_eq!((head.status().as_u16(), header(&head, "cache-control")), (200, "no-store"));
    header(&head, "upload-offset").to_owned()
}

#[tokio::test]
async fn a_file_that_comes_in_parts_goes_on_after_a_start_and_is_given_out_as_it_was_brought() {
    let house = House::open().await;
    // More than any body may have.
    let bytes: Vec<u8> = (0..5_000_000u32).map(|number| (number % 251) as u8).collect();
    let (first, rest) = bytes.split_at(3_000_000);
    let path = begin(&house.household(), bytes.len()).await;
    let brought = bring(&house.household(), &path, 0, first.to_vec()).await;
    assert_eq!((brought.status().as_u16(), header(&brought, "upload-offset")), (204, "3000000"));
    let house = house.restart().await;
    let household = house.household();
    assert_eq!(offset(&household, &path).await, "3000000");
    // A short one: who is still sending when the refusal comes may not read it.
    assert_eq!(bring(&household, &path, 0, first[..10].to_vec()).await.status(), 409);
    assert_eq!(bring(&household, &path, 3_000_000, rest.to_vec()).await.status(), 204);
    let whole = household.get(&path).await.ok();
    assert_eq!((whole["offset"].as_u64(), whole["name"].as_str()), (Some(5_000_000), Some("노래.flac")));
    let file = ask(&household, &format!("/api/files/{}", whole["file"].as_str().unwrap()), &[]).await;
    assert_eq!(file.bytes().await.unwrap(), bytes);
}

#[tokio::test]
async fn what_came_in_of_a_part_that_breaks_off_stays() {
    let house = House::open().await;
    let household = house.household();
    let path = begin(&household, 1_000).await;
    let address = house.appliance.ops_address();
    let head = format!("PATCH {path} HTTP/1.1\r\nHost: {address}\r\nTus-Resumable: 1.0.0\r\nContent-Length: 1000\r\n");
    let head = format!("{head}Content-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\n\r\n");
    let mut wire = Wire::to(address).await;
    assert!(wire.say([head.as_bytes(), &[7; 300]].concat()).await);
    drop(wire);
    let there = async {
        loop {
            // As long as it comes in nobody else goes on with it, and before that nothing is there.
            let head = household.request(Method::HEAD, &path).header(TUS.0, TUS.1).send().await.unwrap();
            if head.status() == 200 && header(&head, "upload-offset") != "0" {
                break header(&head, "upload-offset").to_owned();
            }
            tokio::task::yield_now().await;
        }
    };
    assert_eq!(timeout(Duration::from_secs(20), there).await.expect("it stays"), "300");
    assert_eq!(bring(&household, &path, 300, vec![7; 700]).await.status(), 204);
    assert!(household.get(&path).await.ok()["file"].is_string());
}

#[tokio::test]
async fn what_is_no_part_of_a_file_is_refused_and_changes_nothing() {
    let house = House::open_with(|config| config.store.upload_mib = 1).await;
    let household = house.household();
    let path = begin(&household, 10).await;
    let tus = |method: Method, path: &str| household.request(method, path).header(TUS.0, TUS.1);
    let large = tus(Method::POST, "/api/uploads").header("upload-length", "1048577").send().await.unwrap();
    let unsaid = tus(Method::POST, "/api/uploads").send().await.unwrap();
    let negative = tus(Method::POST, "/api/uploads").header("upload-length", "-1").send().await.unwrap();
    assert_eq!([large.status().as_u16(), unsaid.status().as_u16(), negative.status().as_u16()], [413, 422, 422]);
    let other = household.request(Method::PATCH, &path).header("upload-offset", "0").send().await.unwrap();
    assert_eq!(other.status(), 412);
    assert_eq!(header(&other, "tus-version"), "1.0.0");
    let json = tus(Method::PATCH, &path).header("upload-offset", "0").json(&Value::Null).send().await.unwrap();
    assert_eq!(json.status(), 422);
    assert_eq!(bring(&household, &path, 0, vec![1; 11]).await.status(), 413);
    assert_eq!(offset(&household, &path).await, "0");
    let foreign = tus(Method::PATCH, &path).header("origin", "https://evil.example").header("upload-offset", "0");
    assert_eq!(foreign.send().await.unwrap().status(), 403);
    assert_eq!(tus(Method::DELETE, &path).send().await.unwrap().status(), 204);
    assert_eq!(household.get(&path).await.status.as_u16(), 404);
}
