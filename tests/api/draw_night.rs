//! A Saturday evening and the days after: the operator publishes a draw in three stages, leaves gaps, and has bad days.

use chrono::{DateTime, TimeZone, Utc};
use hanok::ops::lottery::LotterySettings;
use serde_json::{Value, json};

use crate::house::{Caller, House};
use crate::operator::{Mood, Stage};

const NUMBERS: [u64; 6] = [3, 11, 17, 24, 38, 44];

fn seoul(day: u32, hour: u32, minute: u32) -> DateTime<Utc> {
    let seoul = chrono_tz::Asia::Seoul.with_ymd_and_hms(2026, 10, day, hour, minute, 0);
    seoul.unwrap().with_timezone(&Utc)
}

/// Asks for new draws by hand and waits until that task has ended.
async fn sync(house: &House) -> Value {
    let household = house.household();
    let mut events = household.events().await;
    let accepted = household.post("/api/lotto/sync", json!({})).await;
    assert_eq!(accepted.status, 202, "{}", accepted.text);
    let task = accepted.json()["task_id"].clone();
    events.until("task", |data| data["id"] == task && ["succeeded", "failed"].contains(&status(data))).await
}

/// Waits until every job has ended or waits for a later moment; what the schedule would begin is left aside.
async fn until_no_job_is_due(household: &impl Caller) {
    loop {
        let now = household.get("/api/today").await.ok()["now"].clone();
        let work = household.get("/api/system/jobs").await.ok();
        let is_later = |job: &Value| status(job) == "queued" && job["run_at"].as_str() > now.as_str();
        let is_over = |job: &Value| !["queued", "running"].contains(&status(job));
        if work["jobs"].as_array().unwrap().iter().all(|job| is_later(job) || is_over(job)) {
            return;
        }
        tokio::task::yield_now().await;
    }
}

fn status(task: &Value) -> &str {
    task["status"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn the_schedule_follows_a_draw_through_its_three_stages_and_checks_the_tickets() {
    let house = House::open().await;
    let household = house.household();
    let sets = json!([NUMBERS, [3, 11, 17, 24, 38, 45], [1, 2, 3, 4, 5, 6]]);
    let ticket = household.post("/api/lotto/purchase", json!({"draw_no": 1246, "sets": sets})).await.ok();
    assert_eq!(ticket["status"], "waiting");
    assert_eq!(ticket["amount"], 3000);
    assert_eq!(ticket["prize"], Value::Null);

    let stages = [
        (Stage::Numbers, seoul(17, 20, 45), "numbers"),
        (Stage::Prizes, seoul(17, 20, 55), "prizes"),
        (Stage::Complete, seoul(17, 21, 15), "complete"),
    ];
    for (stage, instant, published) in stages {
        house.operator.publish(1246, NUMBERS, 9, stage);
        let mut events = household.events().await;
        house.clock.set(instant);
        events.until("changed", |data| data["what"] == "draws").await;
        events.until("task", |data| data["kind"] == "lottery_sync" && status(data) == "succeeded").await;
        let latest = household.get("/api/lotto/latest").await.ok();
        assert_eq!((&latest["draw_no"], &latest["published"]), (&json!(1246), &json!(published)), "{latest}");
        assert_eq!(latest["numbers"], json!(NUMBERS));
        let first = &latest["prizes"][0];
        let unknown_yet = stage == Stage::Numbers;
        assert_eq!(first["winners"].is_null(), unknown_yet, "nobody has won only when the operator says so: {first}");
        assert_eq!(latest["total_sales"].is_null(), unknown_yet);
        assert_eq!(latest["first_prize_methods"].is_null(), stage != Stage::Complete);
    }

    let purchases = household.get("/api/lotto/purchase?draw_no=1246").await.ok();
    let ticket = &purchases["purchases"][0];
    let ranks: Vec<&Value> = ticket["results"].as_array().unwrap().iter().map(|result| &result["rank"]).collect();
    assert_eq!(ticket["status"], "checked");
    assert_eq!(ranks, [&json!(1), &json!(3), &Value::Null]);
    let prize = 1_998_542_133u64 + 1_708_156;
    assert_eq!((&ticket["prize"], &ticket["net"]), (&json!(prize), &json!(prize - 3000)));
}

#[tokio::test]
async fn a_gap_of_several_draws_is_filled_in_one_go() {
    let house = House::open().await;
    for draw_no in 1246..=1249 {
        house.operator.publish(draw_no, NUMBERS, 9, Stage::Complete);
    }
    house.clock.set(Utc.with_ymd_and_hms(2026, 11, 10, 3, 0, 0).unwrap());
    assert_eq!(house.household().get("/api/lotto/latest").await.ok()["missing"], 4);
    assert_eq!(status(&sync(&house).await), "succeeded");
    let latest = house.household().get("/api/lotto/latest").await.ok();
    assert_eq!((&latest["draw_no"], &latest["missing"]), (&json!(1249), &json!(0)));
    assert_eq!(house.household().get("/api/lotto/draws/1247").await.ok()["date"], "2026-10-24");
}

#[tokio::test]
async fn a_short_stumble_is_forgiven_and_a_long_one_ends_the_asking() {
    let house = House::open_with(|config| {
        config.upstream.failures_to_open = 2;
        // The schedule asks beside the hand, and its question may still be under way when the last one is counted.
        config.jobs.schedule = false;
    });
    let house = house.await;
    house.operator.publish(1246, NUMBERS, 9, Stage::Complete);
    house.operator.has_a_bad_time(&[Mood::Broken]);
    house.clock.set(seoul(18, 12, 0));
    assert_eq!(status(&sync(&house).await), "succeeded");
    assert_eq!(house.household().get("/api/lotto/latest").await.ok()["draw_no"], 1246);

    house.operator.is_always(Mood::Broken);
    house.clock.set(seoul(25, 12, 0));
    for _ in 0..4 {
        sync(&house).await;
    }
    let asked = house.operator.asked().len();
    house.clock.set(seoul(25, 12, 1));
    let refused = sync(&house).await;
    assert_eq!(house.operator.asked().len(), asked, "an operator who is down is still asked");

    // Who looks at both can tell that it is one outage, and when asking helps.
    let household = house.household();
    let today = household.get("/api/today").await.ok();
    let operator = &today["failing_providers"][0];
    assert_eq!(refused["localized"]["message_key"], "house.upstream.left_alone");
    let who = &refused["localized"]["params"]["who"];
    assert_eq!((&who["ko"], &who["en"]), (&operator["title_ko"], &operator["title_en"]));
    let failing = &household.get("/api/system/jobs").await.ok()["failing"];
    assert_eq!((&failing[0]["id"], &failing[1]), (&refused["id"], &Value::Null));
    assert_eq!((&operator["state"], &operator["retry_at"]), (&json!("open"), &json!("2026-10-25T03:05:00Z")));
    assert_eq!(household.get("/api/lotto/latest").await.ok()["failure"]["retry_at"], operator["retry_at"]);
    house.clock.set(seoul(25, 12, 5));
    let today = household.get("/api/today").await.ok();
    let operator = &today["failing_providers"][0];
    assert_eq!((&operator["state"], &operator["retry_at"]), (&json!("failing"), &Value::Null));
}

#[tokio::test]
async fn what_failed_by_hand_while_the_operator_was_away_is_mended_when_the_schedule_has_fetched() {
    let house = House::open_with(|config| config.jobs.schedule = false).await;
    let household = house.household();
    house.operator.publish(1246, NUMBERS, 9, Stage::Complete);
    house.operator.is_always(Mood::Elsewhere);
    house.clock.set(seoul(18, 12, 0));
    let by_hand = sync(&house).await;
    assert_eq!(status(&by_hand), "failed");
    assert_eq!(household.get("/api/system/jobs").await.ok()["failing"][0]["id"], by_hand["id"]);

    // What asks by itself as soon as a draw is missing has failed, too, and tries again before that hour is over.
    until_no_job_is_due(&household).await;
    house.operator.is_always(Mood::Good);
    let mut events = household.events().await;
    house.clock.set(seoul(18, 13, 0));
    household.post("/api/system/schedule/lottery_sync/run", Value::Null).await.ok();
    events.until("task", |data| data["kind"] == "lottery_sync" && status(data) == "succeeded").await;
    assert_eq!(household.get("/api/system/jobs").await.ok()["failing"], json!([]));
}

#[tokio::test]
async fn an_empty_answer_means_not_drawn_yet() {
    let house = House::open().await;
    house.operator.is_always(Mood::Empty);
    house.clock.set(seoul(18, 12, 0));
    sync(&house).await;
    let latest = house.household().get("/api/lotto/latest").await.ok();
    assert_eq!((&latest["draw_no"], &latest["missing"]), (&json!(1245), &json!(1)));
}

#[tokio::test]
async fn a_draw_that_contradicts_a_stored_one_is_kept_aside_and_shown() {
    let house = House::open().await;
    house.operator.publish(1245, NUMBERS, 9, Stage::Complete);
    house.operator.publish(1246, NUMBERS, 9, Stage::Complete);
    house.clock.set(seoul(18, 12, 0));
    sync(&house).await;
    let stored = house.household().get("/api/lotto/draws/1245").await.ok();
    assert_eq!(stored["numbers"], json!([4, 5, 25, 28, 32, 42]));
    let latest = house.household().get("/api/lotto/latest").await.ok();
    let conflicts = latest["conflicts"].as_array().unwrap();
    assert!(conflicts.iter().any(|conflict| conflict["draw_no"] == 1245 && conflict["field"] == "numbers"), "{latest}");
}

#[tokio::test]
async fn a_draw_that_is_refused_by_its_route_is_gone_for_good_and_the_stored_one_stays() {
    let house = House::open().await;
    let household = house.household();
    let stored = household.get("/api/lotto/draws/1245").await.ok();
    house.operator.publish(1245, NUMBERS, 9, Stage::Complete);
    house.operator.publish(1246, NUMBERS, 9, Stage::Complete);
    house.clock.set(seoul(18, 12, 0));
    sync(&house).await;
    let kept_aside = household.get("/api/lotto/latest").await.ok()["undecided"].clone();
    assert_eq!((kept_aside.as_array().unwrap().len(), &kept_aside[0]["draw_no"]), (1, &json!(1245)));

    let refuse = "/api/lotto/draws/1245/refuse";
    household.post(&format!("{refuse}?source=import"), Value::Null).await.refused(404, "NOT_FOUND");
    let answer = household.post(&format!("{refuse}?source=operator"), Value::Null).await.ok();
    assert_eq!(
        (&answer["draw_no"], &answer["undecided"], &answer["conflicts"]),
        (&json!(1246), &json!([]), &json!([]))
    );
    assert_eq!(household.get("/api/lotto/draws/1245").await.ok(), stored);
    household.post(refuse, Value::Null).await.refused(404, "NOT_FOUND");

    // The operator says the same again: the household has decided about it.
    house.clock.set(seoul(18, 12, 30));
    sync(&house).await;
    let latest = household.get("/api/lotto/latest").await.ok();
    assert_eq!((&latest["undecided"], &latest["conflicts"]), (&json!([]), &json!([])));
    assert_eq!(household.get("/api/lotto/draws/1245").await.ok(), stored);
}

#[tokio::test]
async fn what_was_missed_while_the_machine_was_off_is_fetched_once_at_the_start() {
    let house = House::open().await;
    house.household().rest().await;
    let asked = house.operator.asked().len();
    house.operator.publish(1246, NUMBERS, 9, Stage::Complete);
    house.operator.publish(1247, [1, 2, 3, 4, 5, 6], 7, Stage::Complete);
    let house = house.restart_at(seoul(25, 12, 0)).await;
    let household = house.household();
    household.rest().await;
    assert_eq!(house.operator.asked().len(), asked + 1, "{:?}", house.operator.asked());
    assert_eq!(household.get("/api/lotto/latest").await.ok()["draw_no"], 1247);
}

/// A house whose first start comes a week after draw 1245, with an operator in this mood.
async fn started_a_week_later(mood: Mood) -> House {
    let mut house = House::open_with(|config| config.jobs.schedule = false).await;
    house.operator.publish(1246, NUMBERS, 9, Stage::Complete);
    house.operator.is_always(mood);
    house.config.jobs.schedule = true;
    house.restart_at(seoul(18, 12, 0)).await
}

/// The task that the first start begins, once it has come so far.
async fn first_fetch(house: &House, is_wanted: impl Fn(&Value) -> bool) -> Value {
    let household = house.household();
    let mut events = household.events().await;
    loop {
        let jobs = household.get("/api/system/jobs").await.ok();
        let found = jobs["jobs"].as_array().unwrap().iter().find(|job| job["kind"] == "lottery_sync_first").cloned();
        if let Some(task) = found.filter(|task| is_wanted(task)) {
            return task;
        }
        events.until("task", |_| true).await;
    }
}

#[tokio::test]
async fn the_first_start_fetches_what_is_missing_by_itself_and_says_what_came_of_it() {
    let house = started_a_week_later(Mood::Good).await;
    first_fetch(&house, |task| status(task) == "succeeded").await;
    // What the schedule has missed may have come first: what was missing is fetched once, and whoever did it says so.
    let jobs = house.household().get("/api/system/jobs").await.ok();
    let said = |task: &&Value| {
        task["localized"]["message_key"] == "lottery.taken_in" && task["localized"]["params"]["added"] == 1
    };
    let fetched: Vec<&Value> = jobs["jobs"].as_array().unwrap().iter().filter(said).collect();
    let [task] = fetched[..] else { panic!("{jobs:#}") };
    assert_eq!((&task["message"], &task["quiet"]), (&json!("1 new draw"), &json!(true)));
    let latest = house.household().get("/api/lotto/latest").await.ok();
    assert_eq!((&latest["draw_no"], &latest["missing"], &latest["failure"]), (&json!(1246), &json!(0), &Value::Null));
}

#[tokio::test]
async fn a_first_start_without_the_operator_says_why_and_calls_nobody() {
    let house = started_a_week_later(Mood::Broken).await;
    let task = first_fetch(&house, |task| task["error"] == "UPSTREAM_UNAVAILABLE").await;
    assert_eq!((&task["quiet"], &task["localized"]["message_key"]), (&json!(true), &json!("house.upstream.status")));
    let latest = house.household().get("/api/lotto/latest").await.ok();
    assert_eq!((&latest["missing"], &latest["as_of"]), (&json!(1), &Value::Null));
    assert_eq!(latest["failure"]["localized"]["message_key"], "house.upstream.status");
    let today = house.household().get("/api/today").await.ok();
    assert_eq!(today["failing_providers"][0]["name"], "lottery_operator");
}

#[tokio::test]
async fn while_a_draw_is_missing_the_operator_is_asked_at_each_start_and_each_day_and_its_failure_stays_known() {
    let house = started_a_week_later(Mood::Broken).await;
    first_fetch(&house, |task| task["error"] == "UPSTREAM_UNAVAILABLE").await;
    let again = seoul(19, 15, 0);
    let house = house.restart_at(again).await;
    let household = house.household();
    let mut events = household.events().await;
    let latest = household.get("/api/lotto/latest").await.ok();
    assert_eq!(latest["failure"]["localized"]["message_key"], "house.upstream.status", "{latest}");
    // On a Monday nothing of the week is due.
    loop {
        let jobs = household.get("/api/system/jobs").await.ok();
        let mut schedule = jobs["schedule"].as_array().unwrap().iter();
        let entry = schedule.find(|entry| entry["name"] == "lottery_sync_missing").unwrap();
        if instant(&entry["last_run_at"]) == Some(again) {
            assert_eq!(instant(&entry["next_run_at"]), Some(seoul(20, 15, 0)));
            return;
        }
        events.until("task", |_| true).await;
    }
}

fn instant(value: &Value) -> Option<DateTime<Utc>> {
    value.as_str().and_then(|text| text.parse().ok())
}

/// For the long suite.
mod long {
    use super::*;

    #[tokio::test]
    async fn a_bad_day_of_the_operator_changes_nothing_and_the_next_day_is_good() {
        for mood in [Mood::Page, Mood::Elsewhere, Mood::Slow, Mood::Cut, Mood::Throttled, Mood::Broken] {
            let is_slow = matches!(mood, Mood::Slow);
            let house = House::open_with(|config| {
                let patience = if is_slow { 2 } else { 60 };
                // The schedule asks by itself after a failure, and who asks beside it is told to wait.
                config.jobs.schedule = false;
                config.set(LotterySettings {
                    timeout_seconds: patience,
                    ..(*config.section::<LotterySettings>()).clone()
                });
            });
            let house = house.await;
            let household = house.household();
            let before = household.get("/api/lotto/draws?limit=3").await.ok();
            house.operator.publish(1246, NUMBERS, 9, Stage::Complete);
            house.operator.is_always(mood);
            house.clock.set(seoul(18, 12, 0));
            sync(&house).await;
            assert_eq!(household.get("/api/lotto/draws?limit=3").await.ok(), before);
            let providers = household.get("/api/system/providers").await.ok();
            let operator =
                providers["providers"].as_array().unwrap().iter().find(|p| p["setting"] == "lottery.operator");
            let operator = operator.expect("the operator is listed");
            assert!(operator["failure"].is_string(), "{mood:?}: {operator}");
            assert!(!operator["failure"].as_str().unwrap().contains("html"), "upstream text is shown: {operator}");

            house.operator.is_always(Mood::Good);
            house.clock.set(seoul(18, 13, 0));
            assert_eq!(status(&sync(&house).await), "succeeded", "after {mood:?}");
            assert_eq!(household.get("/api/lotto/latest").await.ok()["draw_no"], 1246, "after {mood:?}");
        }
    }
}
