//! Beside the ladder: what `hanok verify` looks at does not depend on what a start would do first, and a snapshot of
//! which a part is gone is a finding.

use std::fs;
use std::path::Path;

use hanok::appliance::schema::schema;
use hanok::base::{Clock, Result};
use hanok::platform::events::Events;
use hanok::platform::store::open::Options;
use hanok::platform::store::{Store, Table, WriteTx};
use serde_json::{Value, json};

use crate::installation::Installation;
use crate::long::rot::rot;

/// A house at rest with a todo and so many snapshots of it, oldest first.
fn house(snapshots: usize) -> (Installation, Vec<String>) {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    appliance.caller().post("/api/todos", &json!({"title": "우유 사기"})).unwrap().ok();
    let backup = |_| installation.run(&["backup", "--json"]).json()["name"].as_str().unwrap().to_owned();
    let names = (0..snapshots).map(backup).collect();
    appliance.end();
    (installation, names)
}

fn damage(installation: &Installation, snapshot: &str) {
    let file = installation.backups().join(format!("{snapshot}.redb"));
    rot(&file, "우유 사기", 1);
}

fn write(data: &Path, write: impl FnOnce(&WriteTx) -> Result<()> + Send + 'static) {
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let (store, _) = Store::open(data, &options, schema(), Clock::system(), Events::default()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(store.write(write)).unwrap();
    runtime.block_on(store.close()).unwrap();
}

/// What `hanok verify` complains of.
#[track_caller]
fn finding(installation: &Installation) -> String {
    let checked = installation.run(&["verify"]);
    assert_eq!(checked.code(), Some(1), "{}", checked.said());
    checked.complained()
}

#[test]
fn a_row_of_a_task_that_cannot_be_read_is_named_by_the_check_and_keeps_the_house_from_nothing() {
    const TASKS: Table<&str, String> = Table::new("tasks-1");
    const NOT_RUNNING: Table<&str, String> = Table::new("tasks_running-1");
    let task: fn(&WriteTx) -> Result<()> =
        |tx| tx.put(&TASKS, "garbage", &"rot".to_owned()).and_then(|()| tx.put(&RUNNING, "garbage", &()));
    let running: fn(&WriteTx) -> Result<()> = |tx| tx.put(&NOT_RUNNING, "garbage", &"rot".to_owned());
    for (table, damaging, is_laid_aside) in [("tasks-1", task, true), ("tasks_running-1", running, false)] {
        let (installation, names) = house(1);
        damage(&installation, &names[0]);
        write(installation.data(), damaging);
        let found = finding(&installation);
        for named in [&format!("{table}: \"garbage\" cannot be read"), &names[0]] {
            assert!(found.contains(named), "{named}: {found}");
        }
        assert!(found.contains("hanok restore NAME") && !found.contains("--rebuild"), "{found}");
        goes_on(&installation, is_laid_aside);
    }
}

#[test]
fn a_row_that_cannot_be_read_is_named_with_its_cure_at_the_command_line_and_in_plain_words_at_a_door() {
    const SESSIONS: Table<&str, String> = Table::new("household_sessions-1");
    let (installation, _) = house(0);
    write(installation.data(), |tx| tx.put(&SESSIONS, "garbage", &"rot".to_owned()));
    let cure = |complained: String| {
        for said in ["a row of household_sessions-1 cannot be read", "hanok verify", "hanok restore NAME"] {
            assert!(complained.contains(said), "{said}: {complained}");
        }
    };
    let appliance = installation.serve();
    let refused = appliance.caller().get("/api/household/sessions").unwrap();
    assert_eq!((refused.status, &refused.body["error"]), (500, &json!("INTERNAL")), "{}", refused.body);
    assert_eq!(refused.body["message"], "something that is stored cannot be read");
    for foreign in ["household_sessions", "hanok ", "expected"] {
        assert!(!refused.body.to_string().contains(foreign), "{foreign}: {}", refused.body);
    }
    cure(installation.run(&["household", "sessions"]).complained());
    appliance.end();
    cure(installation.run(&["household", "sessions"]).complained());
}

#[test]
fn words_of_another_version_in_a_task_keep_the_house_from_nothing() {
    const TASKS: Table<&str, Value> = Table::new("tasks-1");
    for (lane, status, is_laid_aside) in [("render", "running", false), ("quick", "paused", true)] {
        for runs in [false, true] {
            let (installation, _) = house(0);
            let status = if runs || is_laid_aside { status } else { "succeeded" };
            write(installation.data(), move |tx| {
                let at = "2026-10-10T11:40:00Z";
                let task = json!({
                    "id": "other", "kind": "backup_hourly", "title_ko": "남", "title_en": "Other", "status": status,
                    "progress": 0, "message": "", "error": null, "attempts": 1, "created_at": at, "run_at": at,
                    "started_at": at, "finished_at": null,
                });
                tx.put(&TASKS, "other", &json!({"task": task, "lane": lane, "payload": {}}))?;
                if runs { tx.put(&RUNNING, "other", &()) } else { Ok(()) }
            });
            goes_on(&installation, is_laid_aside && runs);
        }
    }
}

const RUNNING: Table<&str, ()> = Table::new("tasks_running-1");

/// The house serves, lists its tasks and goes on making snapshots, and says what it has laid aside.
fn goes_on(installation: &Installation, says_what_is_laid_aside: bool) {
    installation.run(&["backup", "--json"]).json();
    installation.run(&["job", "list"]).ok();
    let appliance = installation.serve();
    for path in ["/api/today", "/api/system/jobs", "/api/system"] {
        appliance.caller().get(path).unwrap().ok();
    }
    assert_eq!(appliance.start_item("tasks_laid_aside").is_some(), says_what_is_laid_aside);
    appliance.end();
}

#[test]
fn a_disk_below_its_reserve_keeps_no_check_from_the_snapshots() {
    let (installation, names) = house(1);
    let full = Installation::at(installation.data()).with("HANOK_STORE__RESERVED_DISK_MIB", 1 << 20);
    full.run(&["verify"]).ok();
    damage(&installation, &names[0]);
    assert!(finding(&full).contains(&format!("snapshot {} is damaged", names[0])));
}

#[test]
fn a_snapshot_of_which_a_part_is_gone_is_named_at_rest_and_under_a_running_house() {
    const DRAW_TOTALS: Table<u64, u64> = Table::new("lottery_purchase_draw_totals-1");
    let (installation, names) = house(4);
    let place = |name: &str, extension: &str| installation.backups().join(format!("{name}.{extension}"));
    fs::remove_file(place(&names[0], "redb")).unwrap();
    fs::remove_file(place(&names[1], "json")).unwrap();
    fs::write(place(&names[2], "json"), "{").unwrap();
    // A killed snapshot and a killed removal are none.
    fs::write(installation.backups().join("making.partial"), "half").unwrap();
    fs::write(place("20200101T000000Z-hourly", "json"), "{}").unwrap();
    fs::write(place("20200101T000000Z-hourly", "partial"), "half").unwrap();
    let check = || {
        let found = finding(&installation);
        let lost = format!("snapshot {} is lost", names[0]);
        let undescribed = format!("its description {}.json is not there", names[1]);
        let unreadable = format!("its description {}.json cannot be read", names[2]);
        for named in [&lost, &undescribed, &unreadable] {
            assert!(found.contains(named), "{named}: {found}");
        }
        assert!(!found.contains(&format!("snapshot {} ", names[3])) && !found.contains("20200101"), "{found}");
    };
    check();
    // A start has not cleared it away.
    check();
    let appliance = installation.serve();
    check();
    appliance.end();
    assert!(!place("20200101T000000Z-hourly", "json").exists());

    write(installation.data(), |tx| tx.put(&DRAW_TOTALS, 7, &7));
    let appliance = installation.serve();
    fs::rename(installation.backups(), installation.data().join("elsewhere")).unwrap();
    fs::write(installation.backups(), "no folder").unwrap();
    let found = finding(&installation);
    for named in ["lottery_purchase_draw_totals-1", "the snapshots cannot be found"] {
        assert!(found.contains(named), "{named}: {found}");
    }
    appliance.end();
}
