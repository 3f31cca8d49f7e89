//! Todos, from the first to the last.

use chrono::Duration;
use hanok::base::Error;
use serde_json::{Value, json};

use crate::house::{Caller, House, evening_of_draw_1245};

fn titles(answer: &Value) -> Vec<&str> {
    answer["todos"].as_array().unwrap().iter().map(|todo| todo["title"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn todos_are_added_changed_done_and_cleared() {
    let house = House::open().await;
    let household = house.household();
    let water = household.post("/api/todos", json!({"title": "베란다 화분에 물 주기", "due": "2026-10-12"})).await;
    assert_eq!(water.status, 201);
    let water = water.json();
    assert_eq!((&water["done"], &water["note"], &water["done_at"]), (&json!(false), &json!(""), &Value::Null));
    assert_eq!(water["created_at"], "2026-10-10T12:30:00Z");
    let milk = household.post("/api/todos", json!({"title": "우유 사기"})).await.ok();
    let bill = household.post("/api/todos", json!({"title": "관리비 내기", "due": "2026-10-11"})).await.ok();
    assert_eq!(titles(&household.get("/api/todos").await.ok()), ["관리비 내기", "베란다 화분에 물 주기", "우유 사기"]);

    let done = household.put(&format!("/api/todos/{}", bill["id"]), json!({"done": true})).await.ok();
    assert_eq!((&done["done_at"], &done["due"]), (&json!("2026-10-10T12:30:00Z"), &json!("2026-10-11")));
    assert_eq!(titles(&household.get("/api/todos").await.ok()), ["베란다 화분에 물 주기", "우유 사기", "관리비 내기"]);
    let again = household.put(&format!("/api/todos/{}", bill["id"]), json!({"done": false})).await.ok();
    assert_eq!(again["done_at"], Value::Null);

    household.put(&format!("/api/todos/{}", milk["id"]), json!({"done": true})).await.ok();
    assert_eq!(household.delete("/api/todos/done").await.ok(), json!({"ok": true, "removed": 1}));
    assert_eq!(household.delete(&format!("/api/todos/{}", water["id"])).await.ok(), json!({"ok": true}));
    household.delete(&format!("/api/todos/{}", water["id"])).await.refused(404, "NOT_FOUND");
    assert_eq!(titles(&household.get("/api/todos").await.ok()), ["관리비 내기"]);
}

#[tokio::test]
async fn todos_done_after_an_instant_stay_when_those_until_it_are_cleared() {
    let house = House::open().await;
    let household = house.household();
    let evening = evening_of_draw_1245();
    let later = [0, 1, 2_000, 2_001].map(|micros| evening + Duration::microseconds(micros));
    for (instant, title) in later.into_iter().zip(["하나", "둘", "셋", "넷"]) {
        house.clock.set(instant);
        household.post("/api/todos", json!({"title": title, "done": true})).await.ok();
    }
    household.post("/api/todos", json!({"title": "열린 일"})).await.ok();

    let clear = async |until: &str| household.delete(&format!("/api/todos/done?until={until}")).await;
    for until in ["", "yesterday", "2026-10-10", "2026-02-30T00:00:00Z"] {
        let refused = clear(until).await;
        refused.refused(422, "INVALID_INPUT");
        assert!(refused.json()["fields"]["until"].is_string(), "{refused:?}");
    }
    assert_eq!(clear("2026-10-10T12:29:59.999Z").await.ok(), json!({"ok": true, "removed": 0}));
    assert_eq!(titles(&household.get("/api/todos").await.ok()), ["열린 일", "넷", "셋", "둘", "하나"]);
    assert_eq!(clear("2026-10-10T21:30:00%2B09:00").await.ok(), json!({"ok": true, "removed": 1}));
    assert_eq!(clear("2026-10-10T12:30:00.002Z").await.ok(), json!({"ok": true, "removed": 2}));
    assert_eq!(titles(&household.get("/api/todos").await.ok()), ["열린 일", "넷"]);
    assert_eq!(household.delete("/api/todos/done").await.ok(), json!({"ok": true, "removed": 1}));
}

#[tokio::test]
async fn ids_are_never_used_again_and_todos_survive_a_restart() {
    let house = House::open().await;
    let first = house.household().post("/api/todos", json!({"title": "하나"})).await.ok();
    house.household().delete(&format!("/api/todos/{}", first["id"])).await.ok();
    let second = house.household().post("/api/todos", json!({"title": "둘"})).await.ok();
    assert!(second["id"].as_u64() > first["id"].as_u64());
    let house = house.restart().await;
    assert_eq!(titles(&house.household().get("/api/todos").await.ok()), ["둘"]);
}

#[tokio::test]
async fn a_title_must_be_there_and_short_enough() {
    let house = House::open().await;
    for body in [json!({}), json!({"title": ""}), json!({"title": "가".repeat(501)}), json!({"title": null})] {
        let refused = house.household().post("/api/todos", body).await;
        refused.refused(422, "INVALID_INPUT");
        assert!(refused.json()["fields"]["title"].is_string(), "{refused:?}");
    }
    house.household().post("/api/todos", json!({"title": "가".repeat(500), "colour": "unknown"})).await.ok();
    let refused = house.household().post("/api/todos", json!({"title": "a", "due": "2026-02-30"})).await;
    refused.refused(422, "INVALID_INPUT");
    assert!(refused.json()["fields"]["due"].is_string(), "{refused:?}");
}

#[tokio::test]
async fn today_counts_all_that_is_due_and_open_though_it_names_ten_and_the_next_eight() {
    let house = House::open().await;
    let household = house.household();
    for day in ["2026-10-09", "2026-10-10", "2026-10-11"] {
        for number in 0..9 {
            household.post("/api/todos", json!({"title": format!("{number}"), "due": day})).await.ok();
        }
    }
    let done = household.post("/api/todos", json!({"title": "끝", "due": "2026-10-10", "done": true})).await;
    assert_eq!(done.status, 201);
    let todos = household.get("/api/today").await.ok()["todos"].clone();
    assert_eq!(todos["due"].as_array().unwrap().len(), 10);
    assert_eq!(titles(&json!({"todos": todos["next"]})), ["8", "7", "6", "5", "4", "3", "2", "1"]);
    assert_eq!(
        (&todos["due_count"], &todos["overdue_count"], &todos["open_count"]),
        (&json!(18), &json!(9), &json!(27))
    );
}

#[tokio::test]
async fn today_counts_what_is_open_and_what_is_past_its_day() {
    let house = House::open().await;
    let household = house.household();
    let mut ids = Vec::new();
    for (title, due) in
        [("관리비", Some("2026-10-09")), ("세금", Some("2025-01-31")), ("화분", Some("2026-10-10")), ("우유", None)]
    {
        let added = household.post("/api/todos", json!({"title": title, "due": due})).await.ok();
        ids.push(added["id"].as_u64().unwrap());
    }
    let counts = || async {
        let todos = household.get("/api/today").await.ok()["todos"].clone();
        (titles(&json!({"todos": todos["due"]})).join(" "), todos["open_count"].clone(), todos["overdue_count"].clone())
    };
    assert_eq!(counts().await, ("세금 관리비 화분".to_owned(), json!(4), json!(2)));
    household.put(&format!("/api/todos/{}", ids[1]), json!({"done": true})).await.ok();
    household.put(&format!("/api/todos/{}", ids[0]), json!({"due": "2026-10-11"})).await.ok();
    assert_eq!(counts().await, ("화분".to_owned(), json!(3), json!(0)));
    household.put(&format!("/api/todos/{}", ids[1]), json!({"done": false})).await.ok();
    household.delete(&format!("/api/todos/{}", ids[3])).await.ok();
    household.delete("/api/todos/done").await.ok();
    assert_eq!(counts().await, ("세금 화분".to_owned(), json!(3), json!(1)));
}

#[tokio::test]
async fn what_is_refused_is_refused_while_the_writer_is_busy() {
    let house = House::open().await;
    let household = house.household();
    let todo = household.post("/api/todos", json!({"title": "화분"})).await.ok();
    let purchase = household.post("/api/lotto/purchase", json!({"count": 5})).await.ok();
    let todo = format!("/api/todos/{}", todo["id"]);
    let purchase = format!("/api/lotto/purchase/{}", purchase["id"]);
    household.rest().await;
    let (go_on, waits) = std::sync::mpsc::channel::<()>();
    let store = house.appliance.app().data.store.clone();
    let holds = async { store.write(move |_| waits.recv().map_err(Error::internal)).await.unwrap() };
    let asks = async {
        for (address, body) in [
            ("/api/todos", json!({"title": " "})),
            ("/api/lotto/purchase", json!({"count": 0})),
            ("/api/lotto/purchase/bulk", json!({"tier_mode": "core", "sets": 99})),
            ("/api/lotto/purchase/bulk", json!({"tier_mode": "core", "amount": -1})),
        ] {
            let refused = household.post(address, body.clone()).await;
            assert_eq!(refused.status, 422, "{address} {body}");
        }
        for (address, status, body) in [
            (&todo, 422, json!({"title": " "})),
            (&todo, 422, json!({"due": "soon", "repeat": {"every": "blue moon"}})),
            (&purchase, 422, json!({"count": 0})),
            (&purchase, 422, json!({"sets": [[0, 0, 0, 0, 0, 0]], "amount": -1})),
            (&purchase, 422, json!({"numbers": [1, 2, 3, 4, 5, 6], "prize": 5_000})),
            (&purchase, 409, json!({"draw_no": 9_999})),
        ] {
            let refused = household.put(address, body.clone()).await;
            assert_eq!(refused.status, status, "{address} {body}");
        }
        go_on.send(()).unwrap();
        assert_eq!(household.post("/api/todos", json!({"title": "우유 사기"})).await.status, 201);
    };
    tokio::join!(holds, asks);
    assert_eq!(titles(&household.get("/api/todos").await.ok()), ["우유 사기", "화분"]);
    household.put(&purchase, json!({"prize": null, "note": "동네"})).await.ok();
}
