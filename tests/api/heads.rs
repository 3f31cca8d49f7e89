//! `HEAD` on every route of both doors: the head of what `GET` answers, and nothing done.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use reqwest::Method;
use reqwest::header::ALLOW;
use serde_json::Value;

use crate::document::{Document, Operation};
use crate::hostile::{filled, fingerprint, furnish};
use crate::house::{Caller, House, answer};

/// Every read of the household, with a query and parameters that it takes.
async fn reads(household: &impl Caller) -> Vec<(Operation, String)> {
    let backup = household.post("/api/system/backups", Value::Null).await.ok();
    let operations = Document::of(household).await.operations();
    let reads = operations.into_iter().filter(|operation| operation.method == Method::GET);
    let asked = reads.map(|read| {
        let parameter = if read.path.contains("{name}") { backup["name"].as_str().unwrap() } else { "1245" };
        let address = filled(&read.path, parameter) + &read.least_query;
        (read, address)
    });
    asked.collect()
}

/// Every file of the house's folder.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path().display().to_string());
        }
    }
    found.sort();
    found
}

/// The status and the headers, but those that no two answers share, and the length, which a head may leave out.
async fn head(caller: &impl Caller, method: Method, address: &str) -> (u16, BTreeMap<String, String>) {
    let answered = caller.request(method, address).send().await.unwrap();
    let headers = answered.headers().iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    let mut headers: BTreeMap<_, _> = headers.collect();
    headers.retain(|name, _| !["date", "x-request-id", "content-length", "transfer-encoding"].contains(&name.as_str()));
    (answered.status().as_u16(), headers)
}

/// For the long suite.
mod long {
    use super::*;

    #[tokio::test]
    async fn a_read_that_writes_does_not_take_head_and_writes_nothing_then() {
        let house = House::open().await;
        let household = house.household();
        furnish(&household).await;
        let reads = reads(&household).await;
        household.rest().await;
        let before = (fingerprint(&household).await, files(&house.config.data.dir));
        let mut refused = Vec::new();
        for (read, address) in reads.iter().filter(|(read, _)| read.writes) {
            let head = answer(household.request(Method::HEAD, address)).await;
            assert_eq!((head.status.as_u16(), head.text.as_str()), (405, ""), "{address}");
            assert_eq!(head.headers[ALLOW], "GET", "{address}");
            assert_eq!(head.header("content-type"), "application/json", "{address}");
            refused.push(read.id.as_str());
        }
        assert_eq!((fingerprint(&household).await, files(&house.config.data.dir)), before);
        for known in ["lottery_recommend", "lottery_combine", "backups_download"] {
            assert!(refused.contains(&known), "{known} is none of {refused:?}");
        }
        // What they would have written is seen when they are asked in earnest.
        household.get("/api/lotto/recommend?seed=7").await.ok();
        assert_ne!(fingerprint(&household).await, before.0);
    }

    #[tokio::test]
    async fn every_other_read_writes_nothing_and_answers_head_with_the_head_of_its_answer() {
        let house = House::open().await;
        let household = house.household();
        furnish(&household).await;
        let reads = reads(&household).await;
        household.rest().await;
        let before = (fingerprint(&household).await, files(&house.config.data.dir));
        let addresses = reads.iter().filter(|(read, _)| !read.writes).map(|(_, address)| address.as_str());
        for address in
            addresses.chain(["/", "/lottery", "/no-such-page", "/assets/none.js", "/api/openapi.json", "/api/none"])
        {
            let whole = head(&household, Method::GET, address).await;
            assert_eq!(head(&household, Method::HEAD, address).await, whole, "{address}");
            let text = answer(household.request(Method::HEAD, address)).await.text;
            assert_eq!(text, "", "{address}");
        }
        assert_eq!((fingerprint(&household).await, files(&house.config.data.dir)), before);
        let passer_by = house.passer_by();
        for read in Document::of(&passer_by).await.operations().into_iter().filter(|read| !read.writes) {
            let whole = head(&passer_by, Method::GET, &read.path).await;
            assert_eq!(head(&passer_by, Method::HEAD, &read.path).await, whole, "{}", read.path);
        }
    }
}
