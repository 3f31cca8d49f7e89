//! Slow callers and full houses: each limit of `[http]` acts, and whoever keeps to them is served meanwhile.

use std::time::Instant;

use serde_json::json;

use crate::house::{Caller, House};
use crate::raw::{Wire, get};

const TODOS: &str = "GET /api/todos HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[tokio::test]
async fn a_header_that_is_not_whole_in_time_ends_its_connection() {
    let house = House::open_with(|config| config.http.header_seconds = 1).await;
    let mut slow = Wire::to(house.appliance.ops_address()).await;
    let begun = Instant::now();
    slow.say("GET /api/todos HTTP/1.1\r\n").await;
    let mut drips = 0;
    // A byte now and then does not put the end off.
    while begun.elapsed().as_secs() < 30 {
        if !slow.say("X").await
            || tokio::time::timeout(std::time::Duration::from_millis(50), slow.hear_some()).await.is_ok()
        {
            break;
        }
        drips += 1;
        house.household().get("/api/todos").await.ok();
    }
    let took = begun.elapsed().as_secs_f64();
    assert!((0.9..10.0).contains(&took), "ended after {took} s and {drips} bytes");
}

#[tokio::test]
async fn a_second_header_of_the_same_connection_is_limited_too() {
    let house = House::open_with(|config| config.http.header_seconds = 1).await;
    let mut wire = Wire::to(house.appliance.ops_address()).await;
    wire.say(TODOS).await;
    assert_eq!(wire.hear().await.unwrap().status, 200);
    let begun = Instant::now();
    wire.say("GET /api").await;
    assert!(wire.hear_some().await.is_empty());
    assert!(begun.elapsed().as_secs() < 20, "the idle limit of a minute would have come first");
}

#[tokio::test]
async fn a_body_that_is_not_whole_in_time_is_refused() {
    let house = House::open_with(|config| config.http.body_seconds = 1).await;
    for lines in ["Content-Length: 100\r\n", "Transfer-Encoding: chunked\r\n"] {
        let mut slow = Wire::to(house.appliance.ops_address()).await;
        slow.say(format!("POST /api/todos HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n")).await;
        slow.say(if lines.starts_with('C') { "{\"title\":" } else { "9\r\n{\"title\":" }).await;
        house.household().get("/api/todos").await.ok();
        slow.hear().await.unwrap().refused(400, "INVALID_JSON");
        assert!(slow.hear().await.is_none(), "nothing more is read from it");
    }
}

#[tokio::test]
async fn a_large_body_that_finds_no_room_is_not_called_slow_and_hears_when_to_try_again() {
    let house = House::open_with(|config| config.http.body_seconds = 8).await;
    // One of these fills what one caller may have of the room, and it never comes.
    let large =
        "POST /api/lotto/purchase/import/preview HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15728640\r\n\r\n";
    let mut wires = Vec::new();
    for _ in 0..2 {
        let mut wire = Wire::to(house.appliance.ops_address()).await;
        wire.say(large).await;
        wires.push(wire);
    }
    let note = json!({"title": "우유", "note": " ".repeat(100_000)});
    house.household().post("/api/todos", note).await.refused(422, "INVALID_INPUT");
    let answers = wires.iter_mut().map(|wire| Box::pin(wire.hear()));
    let (first, ..) = futures_util::future::select_all(answers).await;
    let first = first.unwrap();
    first.refused(429, "RATE_LIMITED");
    assert_eq!(first.header("retry-after"), "5");
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_however_it_is_sent() {
    let house = House::open_with(|config| config.http.body_limit_bytes = 2_000).await;
    let door = house.appliance.ops_address();
    let mut declared = Wire::to(door).await;
    declared.say("POST /api/todos HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2001\r\n\r\n").await;
    let answered = declared.hear().await.unwrap();
    assert_eq!(answered.status, 413);
    answered.refused(413, "TOO_LARGE");
    let mut chunked = Wire::to(door).await;
    chunked.say("POST /api/todos HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n").await;
    for _ in 0..3 {
        chunked.say(format!("3e8\r\n{}\r\n", "a".repeat(1_000))).await;
    }
    chunked.hear().await.unwrap().refused(413, "TOO_LARGE");
}

#[tokio::test]
async fn an_idle_connection_is_closed_and_a_stream_of_events_goes_on() {
    let house = House::open_with(|config| config.http.idle_seconds = 1).await;
    let household = house.household();
    let mut events = household.events().await;
    let mut asked = Wire::to(house.appliance.ops_address()).await;
    asked.say(TODOS).await;
    assert_eq!(asked.hear().await.unwrap().status, 200);
    let mut silent = Wire::to(house.appliance.ops_address()).await;
    // Both were opened after the stream and said something or nothing since; the stream has been as quiet.
    for idle in [&mut asked, &mut silent] {
        assert!(idle.hear_some().await.is_empty(), "closed");
    }
    household.post("/api/todos", json!({"title": "우유"})).await.ok();
    events.until("changed", |data| data["what"] == "todos").await;
}

#[tokio::test]
async fn work_that_takes_longer_than_the_idle_limit_is_answered() {
    let house = House::open_with(|config| config.http.idle_seconds = 1).await;
    let household = house.household();
    let begun = Instant::now();
    // As often as it takes to be longer than the limit, one after the other, on one connection.
    let mut wire = Wire::to(house.appliance.ops_address()).await;
    let exact = "POST /api/admin/simulate?n_candidates=8145060&top_k=10&best_n=5 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    while begun.elapsed().as_millis() < 1_500 {
        wire.say(exact).await;
        assert_eq!(wire.hear().await.expect("an answer").status, 200);
    }
    household.get("/api/todos").await.ok();
}

#[tokio::test]
async fn a_full_door_lets_the_next_one_in_when_somebody_leaves() {
    let house = House::open_with(|config| config.http.max_connections = 3).await;
    let door = house.appliance.ops_address();
    let mut held = Vec::new();
    for _ in 0..3 {
        let mut wire = Wire::to(door).await;
        wire.say(TODOS).await;
        assert_eq!(wire.hear().await.unwrap().status, 200);
        held.push(wire);
    }
    let mut next = Wire::to(door).await;
    next.say(TODOS).await;
    let early = tokio::time::timeout(std::time::Duration::from_millis(300), next.hear()).await;
    assert!(early.is_err(), "a fourth was served: {early:?}");
    let mut elsewhere = Wire::to(house.appliance.site_address()).await;
    elsewhere.say(get("/health/live", "Host: localhost\r\n")).await;
    assert_eq!(elsewhere.hear().await.unwrap().status, 200, "the other door has places of its own");
    held.pop();
    assert_eq!(next.hear().await.unwrap().status, 200);
}
