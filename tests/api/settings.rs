//! Settings read and changed from a page: written to the file, never a broken one, and no edit lost.

use std::fs;

use hanok::platform::config::{Environment, Flags};
use serde_json::{Value, json};

use crate::changes::PASSPHRASE;
use crate::house::{Answer, Caller, House, Household};

async fn change(household: &Household<'_>, key: &str, value: &str, revision: &Value) -> Answer {
    household.put(&format!("/api/system/settings/{key}"), json!({"value": value, "revision": revision})).await
}

async fn shown(household: &Household<'_>) -> Value {
    household.get("/api/system/settings").await.ok()
}

fn row<'a>(settings: &'a Value, key: &str) -> &'a Value {
    settings["settings"].as_array().unwrap().iter().find(|row| row["key"] == key).unwrap()
}

#[tokio::test]
async fn every_setting_has_a_name_and_an_explanation_in_both_languages_and_belongs_to_a_section() {
    let house = House::open().await;
    let settings = shown(&house.household()).await;
    let is_korean = |text: &str| text.chars().any(|c| ('가'..='힣').contains(&c));
    let sections: Vec<&Value> = settings["sections"].as_array().unwrap().iter().map(|one| &one["key"]).collect();
    for row in settings["settings"].as_array().unwrap() {
        for what in ["name", "about"] {
            let (ko, en) = (row[what]["ko"].as_str().unwrap(), row[what]["en"].as_str().unwrap());
            // What is quoted may be in any language.
            let plain: String = en.split('"').step_by(2).collect();
            assert!(is_korean(ko) && !is_korean(&plain) && en.len() > 2, "{row}");
        }
        // A number says what it counts; a plain count says that it is one.
        let unit = &row["unit"];
        assert_eq!(unit.is_null(), row["entry"] != "number", "{row}");
        assert!(unit.is_null() || ["ko", "en"].iter().all(|word| !unit["name"][word].as_str().unwrap().is_empty()));
        let section = row["key"].as_str().unwrap().split('.').next().unwrap();
        assert!(sections.iter().any(|known| **known == section), "{row}");
        assert!(row["editable"] == false || row["secret"] == false, "{row}");
    }
    for (key, unit, ko, en) in [
        ("http.body_seconds", "seconds", "초", "seconds"),
        ("backup.every_minutes", "minutes", "분", "minutes"),
        ("ops.session_idle_days", "days", "일", "days"),
        ("backup.upload_mib", "mebibytes", "MiB", "MiB"),
        ("lottery.monthly_limit", "won", "원", "won"),
        ("backup.hourly", "count", "개", "count"),
    ] {
        assert_eq!(row(&settings, key)["unit"], json!({"key": unit, "name": {"ko": ko, "en": en}}), "{key}");
    }
    for key in ["compute.token", "data.dir", "ops.access", "site.listen", "http.trusted_proxies", "lottery.operator"] {
        assert_eq!(row(&settings, key)["editable"], false, "{key}");
    }
}

#[tokio::test]
async fn a_change_is_written_to_the_file_and_holds_from_the_next_start() {
    let house = House::open().await;
    let household = house.household();
    let seen = shown(&household).await;
    assert_eq!((&seen["file"], &seen["next"]), (&Value::Null, &shown(&household).await["next"]));
    let changed = change(&household, "backup.hourly", "48", &seen["revision"]).await.ok();
    let own = house.config.data.dir.join("appliance.toml");
    assert_eq!(changed["written_to"], own.display().to_string());
    assert!(changed["next"].as_array().unwrap().contains(&json!({"key": "backup.hourly", "value": "48"})));
    assert_eq!(row(&changed, "backup.hourly")["value"], "24", "what is in force is told as it is");
    assert_eq!(fs::read_to_string(&own).unwrap(), "[backup]\nhourly = 48\n");
    let flags = Flags { data_dir: Some(house.config.data.dir.clone()), ..Flags::default() };
    let next = hanok::appliance::domains::settings(&flags, &Environment::default()).unwrap();
    assert_eq!(next.backup.hourly, 48);
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&own).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn what_cannot_be_is_refused_by_name_and_the_file_stays_as_it_was() {
    let house = House::open().await;
    let household = house.household();
    let own = house.config.data.dir.join("appliance.toml");
    const TEXT: &str = "# ours\n[backup]\nhourly = 12 # enough\n";
    fs::write(&own, TEXT).unwrap();
    let seen = shown(&household).await["revision"].clone();
    for (key, value) in
        [("backup.hourly", "1001"), ("log.level", "loud"), ("ops.hosts", "a b"), ("ops.listen", "192.0.2.1:8420")]
    {
        let refused = change(&household, key, value, &seen).await;
        refused.refused(422, "INVALID_INPUT");
        assert!(refused.json()["fields"]["value"].as_str().unwrap().starts_with("must be"), "{key}: {}", refused.text);
        assert!(refused.json()["localized_fields"]["value"]["message_key"].is_string(), "{key}: {}", refused.text);
    }
    let beyond = change(&household, "ops.listen", "0.0.0.0:8420", &seen).await;
    beyond.refused(422, "INVALID_INPUT");
    assert!(beyond.text.contains("passphrase"), "{}", beyond.text);
    for key in ["compute.token", "ops.access", "data.dir"] {
        let refused = change(&household, key, "open", &seen).await;
        refused.refused(409, "CONFLICT");
        assert_eq!(refused.json()["localized"]["message_key"], "house.setting_by_hand");
    }
    change(&household, "no.such", "1", &seen).await.refused(404, "NOT_FOUND");
    household.put("/api/system/settings/backup.hourly", json!({"value": 3})).await.refused(422, "INVALID_INPUT");
    assert_eq!(fs::read_to_string(&own).unwrap(), TEXT);
    fs::write(&own, "[ops\n").unwrap();
    let broken = shown(&household).await;
    assert!(broken["problem"].as_str().unwrap().contains("line 1"), "{}", broken["problem"]);
    assert_eq!(broken["problem_localized"]["message_key"], "house.settings_unreadable_from");
    assert_eq!(broken["problem_localized"]["params"]["line"], 1);
    change(&household, "backup.hourly", "3", &broken["revision"]).await.refused(409, "CONFLICT");
    assert_eq!(fs::read_to_string(&own).unwrap(), "[ops\n");
}

#[tokio::test]
async fn a_file_that_the_next_start_cannot_use_is_said_by_the_system_page_and_by_today_until_it_is_mended() {
    let house = House::open().await;
    let household = house.household();
    let own = house.config.data.dir.join("appliance.toml");
    let keys =
        |today: &Value| (today["settings_problem"].clone(), today["settings_problem_localized"]["message_key"].clone());
    let check = |system: &Value| {
        let mut checks = system["health"]["checks"].as_array().unwrap().iter();
        checks.find(|check| check["name"] == "settings").cloned().unwrap()
    };
    assert_eq!(keys(&household.get("/api/today").await.ok()), (Value::Null, Value::Null));
    for (text, key) in [
        ("[backup]\nhourly = \"viele\"\n", "house.settings_unfit"),
        ("[backup]\nhourly = 3\nhourly = 4\n", "house.settings_unfit"),
        ("[backup]\n\n\nhourly 3\n", "house.settings_unreadable_from"),
    ] {
        fs::write(&own, text).unwrap();
        let shown = shown(&household).await;
        let system = household.get("/api/system").await.ok();
        let failing = check(&system);
        assert_eq!((&failing["ok"], &failing["message"]), (&json!(false), &shown["problem"]), "{text}");
        assert_eq!(failing["localized"]["message_key"], key, "{text}");
        assert_eq!(system["health"]["ready"], true, "requests are served as before");
        house.anonymous().get("/health/ready").await.ok();
        assert_eq!(keys(&household.get("/api/today").await.ok()), (shown["problem"].clone(), json!(key)), "{text}");
    }
    assert_eq!(shown(&household).await["problem_localized"]["params"]["line"], 4);
    fs::remove_file(&own).unwrap();
    fs::create_dir(&own).unwrap();
    assert_eq!(
        check(&household.get("/api/system").await.ok())["localized"]["message_key"],
        "house.settings_unreadable"
    );
    fs::remove_dir(&own).unwrap();
    fs::write(&own, "[backup]\nhourly = 3\n").unwrap();
    assert_eq!(check(&household.get("/api/system").await.ok())["ok"], true);
    assert_eq!(keys(&household.get("/api/today").await.ok()), (Value::Null, Value::Null));
}

#[tokio::test]
async fn of_two_changes_at_once_one_is_told_of_the_other_and_neither_is_lost() {
    let house = House::open().await;
    let household = house.household();
    let seen = shown(&household).await["revision"].clone();
    let (first, second) =
        tokio::join!(change(&household, "backup.hourly", "48", &seen), change(&household, "backup.daily", "7", &seen));
    let mut both = [first, second];
    both.sort_by_key(|answer| answer.status);
    both[0].ok();
    both[1].refused(409, "CONFLICT");
    assert_eq!(both[1].json()["localized"]["message_key"], "house.settings_changed");
    let own = house.config.data.dir.join("appliance.toml");
    let after = shown(&household).await;
    fs::write(&own, fs::read_to_string(&own).unwrap() + "# by hand\n").unwrap();
    change(&household, "backup.weekly", "9", &after["revision"]).await.refused(409, "CONFLICT");
    change(&household, "backup.weekly", "9", &shown(&household).await["revision"]).await.ok();
    assert!(fs::read_to_string(&own).unwrap().contains("# by hand"));
}

#[tokio::test]
async fn who_knows_the_passphrase_changes_it_and_all_other_sessions_end() {
    let house = House::open_on_the_network(PASSPHRASE).await;
    let (mine, other) = (house.signed_in(PASSPHRASE).await, house.signed_in(PASSPHRASE).await);
    const NEW: &str = "뒷마당의 오래된 감나무";
    let path = "/api/household/passphrase";
    house.anonymous().put(path, json!({"present": PASSPHRASE, "passphrase": NEW})).await.refused(401, "UNAUTHORIZED");
    for wrong in [json!({"present": "not the one", "passphrase": NEW}), json!({"passphrase": NEW})] {
        mine.put(path, wrong).await.refused(403, "FORBIDDEN");
    }
    mine.put(path, json!({"present": PASSPHRASE, "passphrase": "short"})).await.refused(422, "INVALID_INPUT");
    other.get("/api/todos").await.ok();
    mine.put(path, json!({"present": PASSPHRASE, "passphrase": NEW})).await.ok();
    mine.get("/api/todos").await.ok();
    other.get("/api/todos").await.refused(401, "UNAUTHORIZED");
    let old = house.anonymous().post("/api/household/sign-in", json!({"passphrase": PASSPHRASE})).await;
    old.refused(401, "UNAUTHORIZED");
    let again = house.signed_in(NEW).await;
    assert_eq!(again.get("/api/household/sessions").await.ok()["sessions"].as_array().unwrap().len(), 2);
    for _ in 0..6 {
        again.put(path, json!({"present": "a guess", "passphrase": NEW})).await;
    }
    again.put(path, json!({"present": NEW, "passphrase": PASSPHRASE})).await.refused(429, "RATE_LIMITED");
}

#[tokio::test]
async fn the_first_passphrase_is_set_on_the_machine_itself_and_then_the_door_may_open_to_the_network() {
    let house = House::open().await;
    let household = house.household();
    household.put("/api/household/passphrase", json!({"passphrase": PASSPHRASE})).await.ok();
    assert_eq!(household.get("/api/household").await.ok()["passphrase_set"], true);
    household.put("/api/household/passphrase", json!({"passphrase": PASSPHRASE})).await.refused(403, "FORBIDDEN");
    let seen = shown(&household).await["revision"].clone();
    change(&household, "ops.listen", "0.0.0.0:0", &seen).await.ok();
    let written = fs::read_to_string(house.config.data.dir.join("appliance.toml")).unwrap();
    assert_eq!(written, "[ops]\nlisten = \"0.0.0.0:0\"\n");
}
