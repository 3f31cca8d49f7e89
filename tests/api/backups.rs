//! The snapshots as the household sees them: which one undoes the last restore, and that a damaged one can be cleared away.

use std::fs;
use std::time::Duration;

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::{Value, json};

use hanok::appliance::schema::schema;
use hanok::base::Error;
use hanok::platform::events::{Change, Event};
use hanok::platform::store::SnapshotKind;
use hanok::platform::store::retention::Retention;

use crate::changes::{damage, rot};
use crate::document::Document;
use crate::house::{Caller, House, Household};

async fn made(household: &Household<'_>) -> String {
    household.post("/api/system/backups", Value::Null).await.ok()["name"].as_str().unwrap().to_owned()
}

async fn restored(household: &Household<'_>, name: &str) -> String {
    let path = format!("/api/system/backups/{name}/restore");
    household.post(&path, Value::Null).await.ok()["undo"].as_str().unwrap().to_owned()
}

async fn undo(household: &Household<'_>) -> Value {
    household.get("/api/system/backups").await.ok()["undo"].clone()
}

#[tokio::test]
async fn the_list_names_the_snapshot_that_undoes_the_last_restore_and_no_earlier_one_when_that_is_damaged() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    assert_eq!(undo(&household).await, Value::Null, "nothing was restored yet");
    let first = made(&household).await;
    let before_the_first = restored(&household, &first).await;
    assert_eq!(undo(&household).await, json!(before_the_first));
    let before_the_last = restored(&household, &first).await;
    assert_eq!(undo(&household).await, json!(before_the_last));
    damage(house.appliance.app(), &before_the_last);
    assert_eq!(undo(&household).await, Value::Null, "an earlier one undoes another restore");
}

#[tokio::test]
async fn a_damaged_snapshot_is_told_with_its_time_and_kind_and_can_be_removed_and_a_sound_one_cannot() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let (damaged, sound) = (made(&household).await, made(&household).await);
    damage(house.appliance.app(), &damaged);
    let told = household.get("/api/today").await.ok()["damaged_backups"].clone();
    assert_eq!((&told[0]["name"], &told[0]["kind"]), (&json!(damaged), &json!("manual")));
    assert!(told[0]["created_at"].is_string(), "{told}");

    household.delete(&format!("/api/system/backups/{sound}")).await.refused(409, "CONFLICT");
    household.delete("/api/system/backups/20261120T050000Z-manual").await.refused(404, "NOT_FOUND");
    household.delete(&format!("/api/system/backups/{damaged}")).await.ok();
    assert_eq!(household.get("/api/today").await.ok()["damaged_backups"], json!([]));
    let listed = household.get("/api/system/backups").await.ok();
    let names: Vec<&Value> = listed["backups"].as_array().unwrap().iter().map(|backup| &backup["name"]).collect();
    assert!(names.contains(&&json!(sound)) && !names.contains(&&json!(damaged)), "{names:?}");
}

#[tokio::test]
async fn where_the_backups_cannot_be_looked_at_today_names_what_it_lacks_and_shows_the_rest() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    household.post("/api/todos", json!({"title": "김장"})).await.ok();
    let name = made(&household).await;
    let (place, aside) = (house.config.data.dir.join("backups"), house.config.data.dir.join("aside"));
    fs::rename(&place, &aside).unwrap();
    fs::write(&place, "no folder").unwrap();
    let left = household.get("/api/today").await.ok();
    let mut unread: Vec<_> = left["unread"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    unread.sort_unstable();
    assert_eq!(unread, ["damaged_backups", "last_verified_backup", "sound_backups_as_of"]);
    assert!(unread.iter().all(|field| left.get(field).is_none()), "{left}");
    assert!(left["todos"]["open_count"] == 1 && left["tasks"].is_array(), "{left}");
    fs::remove_file(&place).unwrap();
    fs::rename(&aside, &place).unwrap();
    let whole = household.get("/api/today").await.ok();
    assert_eq!((&whole["unread"], &whole["last_verified_backup"]["name"]), (&json!([]), &json!(name)));
}

#[tokio::test]
async fn where_one_snapshot_is_found_damaged_the_others_are_read_before_they_are_called_sound() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let names = [made(&household).await, made(&household).await, made(&household).await];
    let [older, newer, sound] = &names;
    [older, newer].into_iter().for_each(|name| rot(house.appliance.app(), name));
    let known = household.get("/api/today").await.ok();
    assert_eq!(known["damaged_backups"], json!([]));
    let read_before = instant(&known["sound_backups_as_of"]);

    let mut events = household.events().await;
    house.clock.set(house.clock.now() + TimeDelta::minutes(1));
    let restore = format!("/api/system/backups/{older}/restore");
    household.post(&restore, Value::Null).await.refused(409, "CONFLICT");
    events.until("task", |task| task["kind"] == "scrub" && task["finished_at"].is_string()).await;
    let today = household.get("/api/today").await.ok();
    let damaged: Vec<&Value> =
        today["damaged_backups"].as_array().unwrap().iter().map(|found| &found["name"]).collect();
    assert_eq!(damaged, [&json!(newer), &json!(older)]);
    let read = instant(&today["sound_backups_as_of"]);
    assert!(read > read_before, "{read} {read_before}");
    assert!(read >= instant(&today["damaged_backups"][1]["read_at"]), "{today}");
    let listed = household.get("/api/system/backups").await.ok();
    let left = listed["backups"].as_array().unwrap().iter().find(|backup| backup["name"] == json!(sound)).unwrap();
    assert_eq!((&left["state"], instant(&left["read_at"])), (&json!("verified"), read));

    // What all were read for they are not read for again.
    household.post(&restore, Value::Null).await.refused(409, "CONFLICT");
    let jobs = household.get("/api/system/jobs").await.ok();
    assert_eq!(jobs["jobs"].as_array().unwrap().iter().filter(|job| job["kind"] == "scrub").count(), 1);
}

fn instant(value: &Value) -> chrono::DateTime<chrono::Utc> {
    value.as_str().unwrap_or_else(|| panic!("{value} is no instant")).parse().unwrap()
}

#[tokio::test]
async fn a_snapshot_that_was_found_damaged_and_is_whole_again_is_not_removed() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let name = made(&household).await;
    let file = house.appliance.app().data.store.folder().unwrap().backups().join(format!("{name}.redb"));
    let whole = std::fs::read(&file).unwrap();
    damage(house.appliance.app(), &name);
    std::fs::write(&file, whole).unwrap();
    household.delete(&format!("/api/system/backups/{name}")).await.refused(409, "CONFLICT");
    let listed = household.get("/api/system/backups").await.ok();
    assert_eq!(listed["backups"][0]["state"], "verified");
    assert_eq!(household.get("/api/today").await.ok()["damaged_backups"], json!([]));
}

#[tokio::test]
async fn a_damaged_snapshot_that_takes_longer_to_read_than_a_request_may_last_is_removed_all_the_same() {
    let house = House::open_with(|config| config.http.request_seconds = 1).await;
    let household = house.household();
    household.rest().await;
    let keep = Retention { hourly: 1, daily: 1, weekly: 1 };
    let name = house.appliance.app().data.store.snapshot(SnapshotKind::Manual, keep).await.unwrap().name;
    damage(house.appliance.app(), &name);
    let backups = house.appliance.app().data.store.folder().unwrap().backups();
    // Of nothing but holes: it takes no room, and nobody reads it within a second.
    let bytes: u64 = 64 << 30;
    let file = backups.join(format!("{name}.redb"));
    std::fs::remove_file(&file).unwrap();
    let grown = std::fs::File::create(&file).unwrap();
    grown.set_len(bytes).unwrap();
    let description = backups.join(format!("{name}.json"));
    let mut described: Value = serde_json::from_slice(&std::fs::read(&description).unwrap()).unwrap();
    described["bytes"] = json!(bytes);
    std::fs::write(&description, described.to_string()).unwrap();

    let path = format!("/api/system/backups/{name}");
    household.delete(&path).await.refused(504, "UPSTREAM_TIMEOUT");
    let mut events = house.appliance.app().events.listen();
    // Who still reads it comes to its end.
    grown.set_len(0).unwrap();
    let is_told = async { while !matches!(events.recv().await, Ok(Event::Changed(Change::BACKUPS))) {} };
    tokio::time::timeout(Duration::from_secs(30), is_told).await.expect("the removal goes on without its caller");
    assert!(!file.exists() && !description.exists());
}

#[tokio::test]
async fn the_list_says_how_many_are_kept_as_it_is_set() {
    let house = House::open_with(|config| config.backup.hourly = 3).await;
    let keep = house.household().get("/api/system/backups").await.ok()["keep"].clone();
    assert_eq!(keep, json!({"hourly": 3, "daily": 14, "weekly": 8, "by_hand": 8}));
}

#[tokio::test]
async fn how_often_backups_are_made_by_themselves_is_told_and_that_none_is() {
    for (every_minutes, schedule, told) in
        [(60, true, json!(60)), (720, true, json!(720)), (0, true, Value::Null), (60, false, Value::Null)]
    {
        let house = House::open_with(move |config| {
            (config.backup.every_minutes, config.jobs.schedule) = (every_minutes, schedule);
        })
        .await;
        let household = house.household();
        assert_eq!(household.get("/api/system/backups").await.ok()["every_minutes"], told);
        assert_eq!(household.get("/api/today").await.ok()["backup_every_minutes"], told);
    }
}

/// For the long suite.
mod long {
    use super::*;

    #[tokio::test]
    async fn no_answer_names_a_table_of_the_store() {
        let house = House::open().await;
        let household = house.household();
        household.rest().await;
        let made = household.post("/api/system/backups", Value::Null).await.text;
        assert!(made.contains("\"rows\":"), "{made}");
        let mut answers = vec![("the snapshot that was made".to_owned(), made)];
        for operation in Document::of(&household).await.operations() {
            if operation.method == Method::GET && !operation.path.contains('{') && operation.path != "/api/events" {
                answers.push((
                    operation.path.clone(),
                    household.get(&(operation.path + &operation.least_query)).await.text,
                ));
            }
        }
        let tables = schema().table_names();
        for (path, text) in answers {
            let named: Vec<_> = tables.iter().filter(|table| text.contains(&format!("\"{table}\""))).collect();
            assert!(named.is_empty(), "{path} names {named:?}");
        }
    }

    #[tokio::test]
    async fn a_snapshot_that_takes_longer_than_a_request_goes_on_and_is_heard_of_under_its_key() {
        let house = House::open_with(|config| config.http.request_seconds = 2).await;
        let household = house.household();
        household.rest().await;
        // Whoever makes one waits for the writer, who waits for us.
        let (go_on, waits) = std::sync::mpsc::channel::<()>();
        let store = house.appliance.app().data.store.clone();
        let holds = async { store.write(move |_| waits.recv().map_err(Error::internal)).await.unwrap() };
        let ask = async || {
            let request = household.request(Method::POST, "/api/system/backups").header("idempotency-key", "one");
            let answer = request.send().await.unwrap();
            (answer.status().as_u16(), answer.json::<Value>().await.unwrap())
        };
        let asks = async {
            for _ in 0..2 {
                assert_eq!(ask().await, (202, json!({"in_progress": true})));
            }
            go_on.send(()).unwrap();
            loop {
                match ask().await {
                    (201, made) => return made,
                    (status, told) => assert_eq!(status, 202, "{told}"),
                }
            }
        };
        let ((), made) = tokio::join!(holds, asks);
        let listed = household.get("/api/system/backups").await.ok();
        let by_hand: Vec<&Value> =
            listed["backups"].as_array().unwrap().iter().filter(|backup| backup["kind"] == "manual").collect();
        assert_eq!(by_hand, [&made], "it was made once");
    }
}
