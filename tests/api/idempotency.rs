//! Requests with an `Idempotency-Key`: sent twice, at the same time, with another body, by callers who go away, they are
//! done once.

use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::house::{Answer, Caller, House, Household, answer};
use crate::raw::Wire;

fn keyed(household: &Household<'_>, path: &str, key: &str) -> RequestBuilder {
    household.request(Method::POST, path).header("idempotency-key", key)
}

/// How many snapshots have been made; the retention takes some away again.
async fn snapshots_made(household: &Household<'_>) -> u64 {
    household.get("/api/system/backups").await.ok()["backups"][0]["number"].as_u64().unwrap()
}

#[tokio::test]
async fn three_requests_at_once_with_one_key_make_one_snapshot_and_get_one_answer() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let before = snapshots_made(&household).await;
    let ask = || answer(keyed(&household, "/api/system/backups", "k-1"));
    let (first, second, third) = tokio::join!(ask(), ask(), ask());
    assert_eq!([&first, &second, &third].map(|answer| answer.status.as_u16()), [201; 3], "{first:?}");
    assert_eq!((&first.text, &first.text), (&second.text, &third.text));
    assert_eq!(ask().await.text, first.text, "also later");
    assert_eq!(snapshots_made(&household).await, before + 1);
}

#[tokio::test]
async fn of_two_bodies_under_one_key_at_once_one_is_done_and_the_other_refused() {
    let house = House::open().await;
    let household = house.household();
    for round in 0..20 {
        let key = format!("k-{round}");
        let ask = |title: &str| answer(keyed(&household, "/api/todos", &key).json(&json!({"title": title})));
        let (first, second) = tokio::join!(ask("우유"), ask("달걀"));
        let refused: Vec<&Answer> = [&first, &second].into_iter().filter(|answer| answer.status != 201).collect();
        assert_eq!(refused.len(), 1, "{first:?} {second:?}");
        refused[0].refused(409, "IDEMPOTENCY_CONFLICT");
    }
    assert_eq!(household.get("/api/todos").await.ok()["total"], 20);
}

#[tokio::test]
async fn a_key_of_one_path_says_nothing_of_another() {
    let house = House::open().await;
    let household = house.household();
    let todo = answer(keyed(&household, "/api/todos", "k-1").json(&json!({"title": "우유"}))).await;
    let purchase =
        answer(keyed(&household, "/api/lotto/purchase", "k-1").json(&json!({"draw_no": 1246, "sets": 2}))).await;
    assert_eq!((todo.status.as_u16(), purchase.status.as_u16()), (201, 201), "{todo:?} {purchase:?}");
}

#[tokio::test]
async fn however_a_request_is_spelled_its_key_is_one() {
    let house = House::open().await;
    let household = house.household();
    let first = answer(keyed(&household, "/api/todos", "k-1").json(&json!({"title": "우유"}))).await.ok();
    let spelled =
        ["/api/todos/", "/api//todos", "//api/todos", "/%61pi/todos", "/api/tod%6Fs", "/apitodos", "/api/todos?"];
    for path in spelled {
        let again = answer(keyed(&household, path, "k-1").json(&json!({"title": "우유"}))).await;
        assert!(again.status == 404 || again.json() == first, "{path}: {again:?}");
        let other = answer(keyed(&household, path, "k-1").json(&json!({"title": "달걀"}))).await;
        assert!(other.status == 404 || other.status == 409, "{path}: {other:?}");
    }
    assert_eq!(household.get("/api/todos").await.ok()["total"], 1);
}

#[tokio::test]
async fn parameters_belong_to_a_key_as_they_are_meant() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let run = |path: &'static str| answer(keyed(&household, path, "k-1"));
    let backup = run("/api/system/schedule/backup/run").await.ok();
    assert_eq!(run("/api/system/schedule/%62ackup/run").await.status, 404, "a path has one spelling");
    assert_ne!(run("/api/system/schedule/purge/run").await.ok(), backup, "another parameter is another request");
    let simulated = run("/api/admin/simulate?n_candidates=1000&seed=7").await.ok()["run_id"].clone();
    assert_eq!(run("/api/admin/simulate?seed=%37&n_candidates=1000").await.ok()["run_id"], simulated);
    assert_ne!(run("/api/admin/simulate?n_candidates=1000&seed=8").await.ok()["run_id"], simulated);
}

#[tokio::test]
async fn a_caller_who_goes_away_in_the_middle_and_comes_back_finds_what_was_done() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let before = snapshots_made(&household).await;
    let lines = "Host: localhost\r\nIdempotency-Key: k-1\r\nContent-Length: 0\r\n\r\n";
    for _ in 0..3 {
        let mut wire = Wire::to(house.appliance.ops_address()).await;
        wire.say(format!("POST /api/system/backups HTTP/1.1\r\n{lines}")).await;
    }
    let made = answer(keyed(&household, "/api/system/backups", "k-1")).await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(snapshots_made(&household).await, before + 1);
}

#[tokio::test]
async fn work_whose_caller_has_gone_is_ended_before_the_house_closes() {
    let house = House::open().await;
    house.household().rest().await;
    let before = snapshots_made(&house.household()).await;
    let mut events = house.household().events().await;
    let mut wire = Wire::to(house.appliance.ops_address()).await;
    let lines = "Host: localhost\r\nIdempotency-Key: k-1\r\nContent-Length: 0\r\n\r\n";
    wire.say(format!("POST /api/system/backups HTTP/1.1\r\n{lines}")).await;
    events.until("changed", |change| change["what"] == "backups").await;
    drop((wire, events));
    let house = house.restart().await;
    let household = house.household();
    let again = answer(keyed(&household, "/api/system/backups", "k-1")).await;
    assert_eq!(again.status, 201, "{again:?}");
    assert_eq!(snapshots_made(&household).await, before + 1, "the answer was written before the store closed");
}
