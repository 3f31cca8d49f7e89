//! Todos that repeat, and todos that are brought to mind.

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};

use crate::house::{Caller, House, evening_of_draw_1245};

/// Title, day and whether it is done, of every todo: open ones first.
async fn list(house: &House) -> Vec<(String, String, bool)> {
    let todos = house.household().get("/api/todos").await.ok()["todos"].clone();
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    todos.as_array().unwrap().iter().map(|one| (text(&one["title"]), text(&one["due"]), one["done"] == true)).collect()
}

fn row(title: &str, due: &str, done: bool) -> (String, String, bool) {
    (title.to_owned(), due.to_owned(), done)
}

async fn finish(house: &House, todo: &Value, done: bool) -> Value {
    house.household().put(&format!("/api/todos/{}", todo["id"]), json!({"done": done})).await.ok()
}

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

#[tokio::test]
async fn ticking_one_that_repeats_makes_the_next_and_undoing_takes_it_back() {
    let house = House::open().await;
    let weekly = json!({"title": "분리수거", "due": "2026-10-12", "repeat": {"every": "week"}});
    let first = house.household().post("/api/todos", weekly).await.ok();
    assert_eq!(
        first["repeat"],
        json!({"every": "week", "interval": 1, "weekdays": ["mon"], "day": null, "week": null, "month": null, "from": "due"})
    );

    let done = finish(&house, &first, true).await;
    assert_eq!(list(&house).await, [row("분리수거", "2026-10-19", false), row("분리수거", "2026-10-12", true)]);
    // Said twice it is done once.
    assert_eq!(finish(&house, &first, true).await["followed_by"], done["followed_by"]);
    assert_eq!(list(&house).await.len(), 2);

    let open = finish(&house, &first, false).await;
    assert_eq!((&open["followed_by"], &open["repeat"]), (&Value::Null, &first["repeat"]));
    assert_eq!(list(&house).await, [row("분리수거", "2026-10-12", false)]);
}

#[tokio::test]
async fn the_next_one_stays_when_somebody_has_touched_it_and_the_undone_one_is_open_this_once() {
    let house = House::open().await;
    let daily = json!({"title": "약", "due": "2026-10-10", "repeat": {"every": "day"}});
    let first = house.household().post("/api/todos", daily).await.ok();
    let done = finish(&house, &first, true).await;
    let next = format!("/api/todos/{}", done["followed_by"]);
    house.household().put(&next, json!({"note": "식후에"})).await.ok();
    assert_eq!(finish(&house, &first, false).await["repeat"], Value::Null);
    assert_eq!(list(&house).await, [row("약", "2026-10-10", false), row("약", "2026-10-11", false)]);
    finish(&house, &first, true).await;
    assert_eq!(list(&house).await.len(), 2, "the repetition goes on from one of them only");
}

#[tokio::test]
async fn after_a_month_away_one_is_open_and_ticking_it_brings_one() {
    let house = House::open().await;
    let daily = json!({"title": "화분", "due": "2026-10-10", "repeat": {"every": "day"}, "remind_before": 0});
    let first = house.household().post("/api/todos", daily).await.ok();
    let house = house.restart_at(evening_of_draw_1245() + Duration::days(31)).await;
    house.household().rest().await;
    assert_eq!(list(&house).await, [row("화분", "2026-10-10", false)]);
    finish(&house, &first, true).await;
    assert_eq!(list(&house).await, [row("화분", "2026-11-10", false), row("화분", "2026-10-10", true)]);
}

#[tokio::test]
async fn one_that_was_done_before_it_was_written_down_is_followed_too() {
    let house = House::open().await;
    let yearly = json!({"title": "검진", "due": "2026-10-01", "done": true, "repeat": {"every": "year"}});
    house.household().post("/api/todos", yearly).await.ok();
    assert_eq!(list(&house).await, [row("검진", "2027-10-01", false), row("검진", "2026-10-01", true)]);
}

#[tokio::test]
async fn a_todo_is_brought_to_mind_once_when_its_time_has_come_and_the_browsers_hear_of_it() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let mut events = household.events().await;
    let dentist = json!({"title": "치과", "due": "2026-10-11", "time": "15:00", "remind_before": 30});
    let dentist = household.post("/api/todos", dentist).await.ok();
    assert_eq!(dentist["remind_at"], "2026-10-11T05:30:00Z");
    assert_eq!(household.get("/api/todos/reminders").await.ok(), json!({"todos": []}));

    house.clock.set(instant("2026-10-11T05:30:00Z"));
    events.until("changed", |said| said["what"] == "todo_reminders").await;
    let reminded = household.get("/api/todos/reminders").await.ok();
    let [todo] = reminded["todos"].as_array().unwrap().as_slice() else { panic!("{reminded}") };
    assert_eq!((&todo["title"], &todo["remind_at"]), (&json!("치과"), &Value::Null));
    assert_eq!(todo["reminded_at"], "2026-10-11T05:30:00Z");

    // Later: once more, at the instant that was asked for.
    let path = format!("/api/todos/{}", dentist["id"]);
    household.put(&path, json!({"remind_at": "2026-10-11T06:30:00Z"})).await.ok();
    assert_eq!(household.get("/api/todos/reminders").await.ok(), json!({"todos": []}));
    house.clock.set(instant("2026-10-11T06:30:00Z"));
    events.until("changed", |said| said["what"] == "todo_reminders").await;
    finish(&house, &dentist, true).await;
    assert_eq!(household.get("/api/todos/reminders").await.ok(), json!({"todos": []}));
}

#[tokio::test]
async fn one_that_repeats_is_brought_to_mind_on_each_of_its_days_until_it_is_done_and_put_off_in_between() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let mut events = household.events().await;
    house.clock.set(instant("2026-10-10T20:00:00+09:00"));
    let pills = json!({"title": "약", "time": "07:00", "remind_before": 0, "repeat": {"every": "day"}});
    let pills = household.post("/api/todos", pills).await.ok();
    assert_eq!((&pills["due"], &pills["remind_at"]), (&json!("2026-10-10"), &json!("2026-10-10T22:00:00Z")));

    let path = format!("/api/todos/{}", pills["id"]);
    let mut come = async |at: &str, next: &str| {
        house.clock.set(instant(at));
        events.until("changed", |said| said["what"] == "todo_reminders").await;
        let reminded = household.get("/api/todos/reminders").await.ok();
        let [todo] = reminded["todos"].as_array().unwrap().as_slice() else { panic!("{at}: {reminded}") };
        assert_eq!((&todo["reminded_at"], &todo["remind_at"]), (&json!(at), &json!(next)));
    };
    come("2026-10-10T22:00:00Z", "2026-10-11T22:00:00Z").await;
    come("2026-10-11T22:00:00Z", "2026-10-12T22:00:00Z").await;
    household.put(&path, json!({"remind_at": "2026-10-11T23:00:00Z"})).await.ok();
    assert_eq!(household.get("/api/todos/reminders").await.ok(), json!({"todos": []}));
    come("2026-10-11T23:00:00Z", "2026-10-12T22:00:00Z").await;
    come("2026-10-12T22:00:00Z", "2026-10-13T22:00:00Z").await;

    let done = finish(&house, &pills, true).await;
    assert_eq!(household.get("/api/todos/reminders").await.ok(), json!({"todos": []}));
    let todos = household.get("/api/todos").await.ok()["todos"].clone();
    assert_eq!((&todos[0]["id"], &todos[0]["remind_at"]), (&done["followed_by"], &json!("2026-10-13T22:00:00Z")));
}

#[tokio::test]
async fn what_was_to_be_brought_to_mind_while_the_machine_was_off_is_brought_once_at_the_start() {
    let house = House::open().await;
    let due = json!({"title": "관리비", "due": "2026-10-12", "remind_before": 0});
    house.household().post("/api/todos", due).await.ok();
    let house = house.restart_at(instant("2026-10-14T03:00:00Z")).await;
    house.household().rest().await;
    let reminded = house.household().get("/api/todos/reminders").await.ok();
    assert_eq!(reminded["todos"][0]["reminded_at"], "2026-10-14T03:00:00Z", "{reminded}");
    let house = house.restart_at(instant("2026-10-15T03:00:00Z")).await;
    house.household().rest().await;
    let again = house.household().get("/api/todos/reminders").await.ok();
    assert_eq!(again["todos"][0]["reminded_at"], "2026-10-14T03:00:00Z");
}

#[tokio::test]
async fn a_reminder_that_is_nearer_than_the_one_that_is_waited_for_comes_first() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let mut events = household.events().await;
    for (title, at) in [("나중", "2026-10-20T00:00:00Z"), ("먼저", "2026-10-11T00:00:00Z")] {
        household.post("/api/todos", json!({"title": title, "remind_at": at})).await.ok();
    }
    house.clock.set(instant("2026-10-11T00:00:00Z"));
    events.until("changed", |said| said["what"] == "todo_reminders").await;
    let reminded = household.get("/api/todos/reminders").await.ok();
    assert_eq!(reminded["todos"].as_array().unwrap().len(), 1);
    assert_eq!(reminded["todos"][0]["title"], "먼저");
}

#[tokio::test]
async fn what_a_repetition_cannot_be_is_refused_by_its_parts_and_changes_nothing() {
    let house = House::open().await;
    let bad = json!({"title": "a", "repeat": {"every": "week", "interval": 100}, "time": "9시", "remind_before": 1e9});
    let refused = house.household().post("/api/todos", bad).await;
    refused.refused(422, "INVALID_INPUT");
    let fields = refused.json()["fields"].clone();
    let named: Vec<&String> = fields.as_object().unwrap().keys().collect();
    assert_eq!(named, ["remind_before", "repeat.interval", "time"]);
    assert!(list(&house).await.is_empty());
}

#[tokio::test]
async fn one_that_is_moved_does_not_move_those_that_follow() {
    let house = House::open().await;
    let household = house.household();
    for (repeat, own, moved, next) in [
        (json!({"every": "week", "interval": 2}), "2026-11-27", "2026-11-30", "2026-12-11"),
        (json!({"every": "month", "day": 25}), "2026-11-25", "2026-11-23", "2026-12-25"),
        (json!({"every": "week"}), "2026-11-27", "2026-11-25", "2026-12-04"),
        (json!({"every": "month", "interval": 2, "day": 31}), "2027-01-31", "2027-02-02", "2027-03-31"),
        (json!({"every": "year", "interval": 2}), "2026-12-30", "2027-01-03", "2028-12-30"),
        (json!({"every": "day", "interval": 3}), "2026-11-24", "2026-11-25", "2026-11-27"),
    ] {
        let first = json!({"title": "약", "due": own, "repeat": repeat});
        let first = household.post("/api/todos", first).await.ok();
        let path = format!("/api/todos/{}", first["id"]);
        let put_off = household.put(&path, json!({"due": moved})).await.ok();
        assert_eq!((&put_off["due"], &put_off["repeat_day"]), (&json!(moved), &json!(own)));
        let done = finish(&house, &first, true).await;
        let days = |todos: &[(String, String, bool)]| todos.iter().map(|one| one.1.clone()).collect::<Vec<_>>();
        assert_eq!(days(&list(&house).await), [next, moved], "{repeat}");
        // What follows is counted from its own day, too.
        let following = household.get("/api/todos").await.ok()["todos"][0].clone();
        assert_eq!((&following["repeat_day"], &following["follows"]), (&json!(next), &done["id"]));
        finish(&house, &first, false).await;
        household.delete(&path).await.ok();
    }
}

#[tokio::test]
async fn another_repetition_and_a_first_day_set_with_it_are_counted_from_that_day() {
    let house = House::open().await;
    let household = house.household();
    let weekly = json!({"title": "수영", "due": "2026-11-27", "repeat": {"every": "week", "interval": 2}});
    let first = household.post("/api/todos", weekly).await.ok();
    let path = format!("/api/todos/{}", first["id"]);
    let own = async |changes: Value| household.put(&path, changes).await.ok()["repeat_day"].clone();
    assert_eq!(own(json!({"due": "2026-11-30"})).await, "2026-11-27");
    assert_eq!(own(json!({"repeat": first["repeat"]})).await, "2026-11-27", "it says what it said");
    assert_eq!(own(json!({"due": "2026-12-01", "repeat": first["repeat"]})).await, "2026-12-01");
    assert_eq!(own(json!({"due": "2026-12-03"})).await, "2026-12-01");
    assert_eq!(own(json!({"repeat": {"every": "day", "interval": 3}})).await, "2026-12-03");
    assert_eq!(own(json!({"repeat": null})).await, Value::Null);
}

#[tokio::test]
async fn a_repetition_goes_on_from_the_undone_one_when_the_next_was_deleted_and_from_its_end_otherwise() {
    let house = House::open().await;
    let household = house.household();
    let daily = json!({"title": "약", "due": "2026-10-10", "repeat": {"every": "day"}});
    let first = household.post("/api/todos", daily).await.ok();
    let path = |id: &Value| format!("/api/todos/{id}");
    let next = finish(&house, &first, true).await["followed_by"].clone();
    household.delete(&path(&next)).await.ok();
    assert_eq!(finish(&house, &first, false).await["repeat"], first["repeat"]);
    let second = finish(&house, &first, true).await["followed_by"].clone();
    assert_eq!(list(&house).await, [row("약", "2026-10-11", false), row("약", "2026-10-10", true)]);

    // The next one was done and deleted: the one behind it carries the repetition on.
    let third = finish(&house, &json!({"id": second}), true).await["followed_by"].clone();
    household.delete(&path(&second)).await.ok();
    let undone = finish(&house, &first, false).await;
    assert_eq!(undone["repeat"], Value::Null);
    let todos = household.get("/api/todos").await.ok()["todos"].clone();
    let repeating: Vec<&Value> = todos.as_array().unwrap().iter().filter(|one| !one["repeat"].is_null()).collect();
    assert_eq!((repeating.len(), &repeating[0]["id"], &repeating[0]["follows"]), (1, &third, &Value::Null));
}

#[tokio::test]
async fn what_went_on_by_itself_follows_nothing_also_after_the_undone_one_before_it_is_deleted() {
    let house = House::open().await;
    let household = house.household();
    let daily = json!({"title": "약", "due": "2026-10-10", "repeat": {"every": "day"}});
    let first = household.post("/api/todos", daily).await.ok();
    let next = finish(&house, &first, true).await["followed_by"].clone();
    finish(&house, &json!({"id": next}), true).await;
    finish(&house, &first, false).await;
    let follows = async || {
        let todos = household.get("/api/todos").await.ok()["todos"].clone();
        let next = todos.as_array().unwrap().iter().find(|one| one["id"] == next).unwrap();
        next["follows"].clone()
    };
    assert_eq!(follows().await, Value::Null);
    household.delete(&format!("/api/todos/{}", first["id"])).await.ok();
    assert_eq!(follows().await, Value::Null);
}

#[tokio::test]
async fn a_reminder_outside_of_the_years_there_are_and_a_sixtieth_second_are_refused_and_change_nothing() {
    let house = House::open().await;
    let household = house.household();
    let milk = household.post("/api/todos", json!({"title": "우유"})).await.ok();
    for at in [
        "2027-11-22T09:00:60Z",
        "9999-12-31T23:59:59-23:59",
        "0000-01-01T00:00:00+23:59",
        "1900-01-01T00:00:00+00:01",
        "1899-12-31T23:59:59Z",
    ] {
        let added = household.post("/api/todos", json!({"title": "치과", "remind_at": at})).await;
        let changed = household.put(&format!("/api/todos/{}", milk["id"]), json!({"remind_at": at})).await;
        for refused in [added, changed] {
            refused.refused(422, "INVALID_INPUT");
            assert!(refused.json()["fields"]["remind_at"].is_string(), "{at}");
        }
    }
    assert_eq!(household.get("/api/todos").await.ok()["todos"], json!([milk]));
}
