//! Rung 8, time: what was missed while the machine was off runs once, and a clock that jumps does no harm. The whole
//! appliance runs in this process, on a real data folder, with its clock in the test's hand.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

use chrono::{DateTime, Duration, Utc};
use hanok::appliance::start::{Appliance, start};
use hanok::base::Clock;
use hanok::ops::lottery::LotterySettings;
use hanok::ops::market::MarketSettings;
use hanok::platform::config::Config;
use hanok::platform::events::{Change, Event};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::appliance::until;
use crate::http::Caller;
use crate::installation::Installation;
use crate::long::rot::rot;
use crate::simulated::noon;

struct House {
    runtime: Runtime,
    clock: Clock,
    config: Config,
    appliance: Option<Appliance>,
    _folder: TempDir,
}

impl House {
    fn open() -> House {
        House::with(Config::default())
    }

    fn with(mut config: Config) -> House {
        let folder = TempDir::new().unwrap();
        config.data.dir = folder.path().join("data");
        config.ops.listen = "127.0.0.1:0".parse().unwrap();
        config.site.listen = "127.0.0.1:0".parse().unwrap();
        config.set(LotterySettings { operator: "http://127.0.0.1:9".to_owned(), ..LotterySettings::default() });
        config.set(MarketSettings { sync: false, ..MarketSettings::default() });
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let mut house = House { runtime, clock: Clock::fixed(noon()), config, appliance: None, _folder: folder };
        house.start();
        house
    }

    fn start(&mut self) {
        let started = self.runtime.block_on(start(self.config.clone(), self.clock.clone()));
        self.appliance = Some(started.unwrap_or_else(|error| panic!("no start: {error}")));
    }

    fn stop(&mut self) {
        self.runtime.block_on(self.appliance.take().unwrap().stop()).unwrap();
    }

    fn caller(&self) -> Caller {
        Caller::to(self.appliance.as_ref().unwrap().ops_address())
    }

    /// Every task, once nothing waits or runs and every entry of the schedule has its next run ahead.
    fn tasks_at_rest(&self) -> Vec<Value> {
        let now = self.clock.now();
        until("the queue is empty", || {
            let listed = self.caller().get("/api/system/jobs?limit=500").unwrap().ok();
            let tasks = listed["jobs"].as_array().unwrap().clone();
            let is_ahead = |entry: &Value| entry["next_run_at"].is_null() || instant(&entry["next_run_at"]) > now;
            let at_rest = tasks.iter().all(|task| task["status"] != "running" && !is_due(task, now));
            (at_rest && listed["schedule"].as_array().unwrap().iter().all(is_ahead)).then_some(tasks)
        })
    }

    fn newest_snapshot(&self) -> Value {
        self.caller().get("/api/system/backups").unwrap().ok()["backups"][0].clone()
    }
}

fn is_due(task: &Value, now: DateTime<Utc>) -> bool {
    task["status"] == "queued" && instant(&task["run_at"]) <= now
}

fn instant(value: &Value) -> DateTime<Utc> {
    value.as_str().unwrap().parse().unwrap()
}

#[test]
fn what_was_missed_in_a_week_off_runs_once() {
    let mut house = House::open();
    until("the first snapshot is made", || Some(house.newest_snapshot()).filter(Value::is_object));
    house.tasks_at_rest();
    house.caller().post("/api/todos", &json!({"title": "before the week off"})).unwrap().ok();
    house.stop();
    house.clock.set(noon() + Duration::days(7));
    house.start();
    let back = noon() + Duration::days(7);
    let tasks = house.tasks_at_rest();
    let since =
        |kind: &str| tasks.iter().filter(|task| task["kind"] == kind && instant(&task["created_at"]) >= back).count();
    for kind in ["backup", "purge", "scrub", "lottery_sync"] {
        assert_eq!(since(kind), 1, "{kind}: {tasks:#?}");
    }
    assert_eq!(instant(&house.newest_snapshot()["created_at"]), back);
    house.stop();
}

#[test]
fn a_clock_that_jumps_ten_years_ahead_and_back_does_no_harm() {
    let mut house = House::open();
    let first = until("the first snapshot is made", || Some(house.newest_snapshot()).filter(Value::is_object));
    house.tasks_at_rest();
    house.clock.set(noon() + Duration::days(3650));
    house.caller().post("/api/todos", &json!({"title": "from the year 2036"})).unwrap().ok();
    house.tasks_at_rest();
    let ahead = house.newest_snapshot();
    assert!(ahead["number"].as_u64() > first["number"].as_u64());
    // A task that was asked for in the wrong year and waits for its second try.
    let begun = house.caller().post("/api/lotto/sync", &Value::Null).unwrap();
    assert_eq!(begun.status, 202);
    let begun = house.caller().post("/api/system/schedule/purge/run", &Value::Null).unwrap();
    assert_eq!(begun.status, 202);

    house.clock.set(noon() + Duration::minutes(1));
    house.caller().post("/api/todos", &json!({"title": "from the right year"})).unwrap().ok();
    until("the schedule counts from the right time", || {
        let schedule = house.caller().get("/api/system/jobs").unwrap().ok()["schedule"].clone();
        let counts_from_now =
            |entry: &Value| entry["last_run_at"].is_null() || instant(&entry["last_run_at"]) <= house.clock.now();
        schedule.as_array().unwrap().iter().all(counts_from_now).then_some(())
    });
    house.clock.set(noon() + Duration::minutes(62));
    let newest = until("a snapshot is made by the right clock", || {
        let newest = house.newest_snapshot();
        (instant(&newest["created_at"]) <= house.clock.now()).then_some(newest)
    });
    assert!(newest["number"].as_u64() > ahead["number"].as_u64());
    let tasks = house.tasks_at_rest();
    assert!(
        !tasks.iter().any(|task| task["status"] == "queued" && instant(&task["run_at"]) > noon() + Duration::days(30))
    );
    let schedule = house.caller().get("/api/system/jobs").unwrap().ok()["schedule"].clone();
    for entry in schedule.as_array().unwrap().iter().filter(|entry| !entry["next_run_at"].is_null()) {
        assert!(instant(&entry["next_run_at"]) < noon() + Duration::days(9), "{entry}");
    }
    let todos = house.caller().get("/api/todos").unwrap().ok();
    assert_eq!(todos["total"], 2);

    // The newest is the newest that was made, whatever its date: the todo of the right year comes back, too.
    house.stop();
    house.start();
    assert_eq!(house.newest_snapshot()["number"], newest["number"]);
    house.stop();
}

/// The process with a clock of the machine that this test shifts, by seconds in a file.
#[test]
fn a_clock_that_jumps_beyond_the_year_9999_or_before_1970_ends_no_thread_and_no_house_begins_by_it() {
    let folder = TempDir::new().unwrap();
    let (shim, shift) = (folder.path().join("clock.so"), folder.path().join("shift"));
    let set = |seconds: i64| std::fs::write(&shift, seconds.to_string()).unwrap();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/durability/clock.c");
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&shim).args([source, "-ldl"]).status();
    assert!(built.unwrap().success());
    set(0);
    let house = Installation::new().with("LD_PRELOAD", shim.display()).with("CLOCK_SHIFT", shift.display());
    let appliance = house.serve();
    appliance.caller().post("/api/todos", &json!({"title": "of today"})).unwrap().ok();
    // The year 10,272, and one before 1970.
    for seconds in [262_000_000_000, -2_000_000_000] {
        set(seconds);
        for number in 0..20 {
            let mut wire = TcpStream::connect(appliance.address()).unwrap();
            wire.write_all(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
            let mut answered = String::new();
            let heard = wire.read_to_string(&mut answered);
            assert!(heard.is_ok() && answered.starts_with("HTTP/1.1 503"), "request {number}: {heard:?} {answered}");
            let refused: Value = serde_json::from_str(answered.split_once("\r\n\r\n").unwrap().1).unwrap();
            assert_eq!(refused["error"], "NOT_CONFIGURED");
            let said = refused["message"].as_str().unwrap();
            assert!(said.contains("nothing is served: the clock of this machine") && said.contains("set it"), "{said}");
        }
        let elsewhere = Installation::new().with("LD_PRELOAD", shim.display()).with("CLOCK_SHIFT", shift.display());
        let refused = elsewhere.refusal();
        assert!(refused.complained().contains("the clock of this machine is not set"), "{}", refused.complained());
    }
    set(0);
    assert_eq!(appliance.caller().get("/api/todos").unwrap().ok()["total"], 1);
    // A connection that was open before may have ended by the library's panic; every thread answers on.
    for _ in 0..20 {
        assert_eq!(appliance.caller().get("/health/live").unwrap().status, 200);
    }
    // What is said by such a clock has a time, too.
    set(-2_000_000_000);
    let log = appliance.end();
    assert!(log.contains("1970-01-01T00:00:00"), "{log}");
}

/// The first full check after noon of Friday: Sunday at 03:40 in Seoul.
fn first_full_check() -> DateTime<Utc> {
    "2026-11-21T18:40:00Z".parse().unwrap()
}

/// A house whose schedule makes no snapshots, with one that was asked for, and a todo of this title in it.
fn with_a_snapshot_of(title: &str) -> (House, String) {
    let mut config = Config::default();
    config.backup.every_minutes = 0;
    let house = House::with(config);
    house.caller().post("/api/todos", &json!({"title": title})).unwrap().ok();
    let made = house.caller().post("/api/system/backups", &Value::Null).unwrap().ok();
    house.tasks_at_rest();
    (house, made["name"].as_str().unwrap().to_owned())
}

#[test]
fn the_weekly_check_finds_a_flipped_bit_in_the_store_and_every_browser_hears_of_it() {
    let (mut house, snapshot) = with_a_snapshot_of("rots on the disk");
    let store = house.config.data.dir.join("hanok.redb");
    rot(&store, "rots on the disk", 0);
    let mut events = house.appliance.as_ref().unwrap().app().events.listen();
    house.clock.set(first_full_check() - Duration::minutes(1));
    house.tasks_at_rest();
    let state = |house: &House| house.caller().get("/api/system").unwrap().ok()["storage"]["state"].clone();
    assert_eq!(state(&house), "ok");
    house.clock.set(first_full_check());
    until("the weekly check finds it", || (state(&house) == "damaged").then_some(()));
    until("the browsers hear of it", || matches!(events.try_recv(), Ok(Event::Changed(Change::STORAGE))).then_some(()));
    // The banner of every page says it; Today shows nothing that may be wrong.
    let today = house.caller().get("/api/today").unwrap();
    assert_eq!(today.status, 500);
    assert!(today.body["message"].as_str().unwrap().contains("hanok restore --latest"), "{}", today.body);
    house.caller().post(&format!("/api/system/backups/{snapshot}/restore"), &Value::Null).unwrap().ok();
    assert_eq!(house.caller().get("/api/today").unwrap().ok()["storage_state"], "ok");
    assert_eq!(house.caller().get("/api/todos").unwrap().ok()["todos"][0]["title"], "rots on the disk");
    house.stop();
}

#[test]
fn the_weekly_check_finds_a_flipped_bit_in_a_snapshot_and_names_it() {
    let (mut house, snapshot) = with_a_snapshot_of("rots in the snapshot");
    let file = house.config.data.dir.join(format!("backups/{snapshot}.redb"));
    rot(&file, "rots in the snapshot", 0);
    house.clock.set(first_full_check());
    let tasks = house.tasks_at_rest();
    let scrub = tasks.iter().find(|task| task["kind"] == "scrub").expect("the weekly check ran");
    assert_eq!(scrub["status"], "failed", "{scrub}");
    assert!(scrub["message"].as_str().unwrap().contains(&snapshot), "{scrub}");
    assert_eq!(house.caller().get("/api/today").unwrap().ok()["storage_state"], "ok");
    house.stop();
}
