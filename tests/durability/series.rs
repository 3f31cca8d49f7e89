//! The series of data folders in `fixtures/`, one for each version of the program and of the store: how one is made, and
//! what of it must be there in whichever version opens it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use hanok::appliance::schedule;
use hanok::appliance::schema::schema;
use hanok::appliance::start::start;
use hanok::base::Clock;
use hanok::ops::lottery::LotterySettings;
use hanok::ops::market::MarketSettings;
use hanok::platform::config::Config;
use hanok::platform::events::Events;
use hanok::platform::store::Store;
use hanok::platform::store::open::Options;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::appliance::{Appliance, until};
use crate::http::Caller;
use crate::installation::{Installation, Ran};
use crate::long::cancel::queue_example;
use crate::tables;

const PASSPHRASE: &str = "우리 집 열쇠 말";
/// A draw that no version of the program brings along when it makes its folder.
const DRAW: &str = "draw_no,date,n1,n2,n3,n4,n5,n6,bonus,first_winners,first_prize_each,total_sales
1246,2026-10-17,1,2,3,4,5,6,7,10,2000000000,110000000000
";

/// Where the folders lie.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/durability/fixtures")
}

/// What the folder of this version is called.
pub fn name() -> String {
    format!("{}-store-{}.tar.gz", env!("CARGO_PKG_VERSION"), schema().version())
}

/// A folder of the series, unpacked.
pub struct Unpacked {
    pub name: String,
    pub installation: Installation,
    /// What its own version had of it.
    pub expected: Value,
    _folder: TempDir,
}

pub fn unpack(fixture: &Path) -> Unpacked {
    let folder = TempDir::new().unwrap();
    tar::Archive::new(GzDecoder::new(File::open(fixture).unwrap())).unpack(folder.path()).unwrap();
    let expected = serde_json::from_slice(&fs::read(folder.path().join("expected.json")).unwrap()).unwrap();
    let installation = Installation::at(&folder.path().join("data")).with("HANOK_JOBS__SCHEDULE", "false");
    let name = fixture.file_name().unwrap().to_string_lossy().into_owned();
    Unpacked { name, installation, expected, _folder: folder }
}

/// What callers see of a house: every todo, every purchase with its totals, and how many draws there are.
pub fn seen(caller: &mut Caller) -> Value {
    let mut get = |path: &str| caller.get(path).unwrap().ok();
    json!({
        "todos": get("/api/todos"),
        "purchases": get("/api/lotto/purchase?limit=500"),
        "totals": get("/api/lotto/purchase/stats"),
        "draws": get("/api/lotto/draws?limit=1")["total"],
    })
}

/// Asserts that callers see what they saw in its own version.
pub fn assert_seen(name: &str, caller: &mut Caller, expected: &Value) {
    let seen = seen(caller);
    for (what, rows) in seen.as_object().unwrap() {
        // A later version may bring more draws along, and may show more of a row than the one that wrote it.
        match what.as_str() {
            "draws" => assert!(rows.as_u64() >= expected[what].as_u64(), "{name}"),
            "totals" => assert!(holds(rows, &without_waiting_losses(&expected[what])), "{name}: {what}"),
            _ => assert!(holds(rows, &expected[what]), "{name}: {what}"),
        }
    }
}

/// The totals of a version that took games which wait for their draw as losses, without what followed from it.
fn without_waiting_losses(totals: &Value) -> Value {
    let mut totals = totals.clone();
    if let Some(figures) = totals.as_object_mut().filter(|figures| !figures.contains_key("settled_invested")) {
        figures.retain(|figure, _| !["net", "return_rate"].contains(&figure.as_str()));
    }
    totals
}

/// Asserts that what waited waits and that who was signed in still is, before anything runs.
pub fn assert_rows_at_rest(name: &str, installation: &Installation, expected: &Value) {
    if let Some(waiting) = expected.get("waiting") {
        assert_eq!(&waiting_tasks(installation), waiting, "{name}");
    }
    if let Some(sessions) = expected.get("sessions") {
        assert!(holds(&installation.run(&["household", "sessions", "--json"]).json(), sessions), "{name}");
    }
}

/// Asserts that everything that waited is begun by this version.
pub fn assert_begun(name: &str, caller: &mut Caller, expected: &Value) {
    let waiting: Vec<&Value> = expected["waiting"].as_array().into_iter().flatten().collect();
    until(&format!("{name}: all that waited has begun"), || {
        let tasks = caller.get("/api/system/jobs?limit=500").unwrap().ok()["jobs"].as_array().unwrap().clone();
        let attempts = |task: &Value| task["attempts"].as_u64();
        let is_begun = |task: &Value, before: &Value| task["id"] == before["id"] && attempts(task) > attempts(before);
        let has_begun = |before: &&Value| tasks.iter().any(|task| is_begun(task, before));
        waiting.iter().all(has_begun).then_some(())
    });
}

/// Asserts that whoever comes again with a key hears the first answer, within the day of the folder, on a copy of it.
pub fn assert_first_answers(name: &str, installation: &Installation, expected: &Value) {
    let Some(answers) = expected.get("answers").and_then(Value::as_array) else { return };
    let copy = TempDir::new().unwrap();
    let mut config = Config::default();
    config.data.dir = copy.path().join("data");
    fs::create_dir(&config.data.dir).unwrap();
    fs::copy(installation.store(), config.data.dir.join("hanok.redb")).unwrap();
    config.ops.listen = "127.0.0.1:0".parse().unwrap();
    config.site.listen = "127.0.0.1:0".parse().unwrap();
    config.jobs.schedule = false;
    config.set(LotterySettings { operator: "http://127.0.0.1:9".to_owned(), ..LotterySettings::default() });
    config.set(MarketSettings { sync: false, ..MarketSettings::default() });
    let made_at = expected["made_at"].as_str().unwrap().parse().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let appliance = runtime.block_on(start(config, Clock::fixed(made_at))).unwrap();
    let mut caller = Caller::to(appliance.ops_address());
    for first in answers {
        let (path, key) = (first["path"].as_str().unwrap(), first["key"].as_str());
        let again = caller.send("POST", path, Some(&first["body"]), key).unwrap().ok();
        let mut answer = first["answer"].clone();
        // Earlier versions named the tables of a snapshot, too.
        answer.as_object_mut().unwrap().remove("tables");
        assert!(holds(&again, &answer), "{name}: {again}");
    }
    runtime.block_on(appliance.stop()).unwrap();
}

/// Whether `found` has everything that `expected` has.
fn holds(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            expected.iter().all(|(name, value)| found.get(name).is_some_and(|found| holds(found, value)))
        }
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len() && found.iter().zip(expected).all(|(found, expected)| holds(found, expected))
        }
        (found, expected) => found == expected,
    }
}

/// Makes the folder of this version: with rows of every kind, an answer under a key, sessions, and a waiting job of every
/// kind that this version knows.
pub fn make(fixture: &Path) {
    assert!(!fixture.exists(), "{} is there: raise the version of the program or of the store", fixture.display());
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let mut expected = live(&appliance);
    appliance.end();
    sign_in_twice(&installation);
    queue_every_kind(&installation);
    expected["waiting"] = waiting_tasks(&installation);
    expected["sessions"] = installation.run(&["household", "sessions", "--json"]).json();
    installation.run(&["backup"]).ok();
    assert_eq!(tables::flaws(&tables::open_file(&installation.store()).unwrap()), [""; 0]);
    let beside = installation.data().join("../expected.json");
    fs::write(&beside, expected.to_string()).unwrap();
    fs::create_dir_all(folder()).unwrap();
    let mut tar = tar::Builder::new(GzEncoder::new(File::create_new(fixture).unwrap(), Compression::best()));
    tar.append_path_with_name(&beside, "expected.json").unwrap();
    tar.append_dir_all("data", installation.data()).unwrap();
    tar.into_inner().unwrap().finish().unwrap();
}

/// What a household does in an evening. Gives what it has seen of it.
fn live(appliance: &Appliance) -> Value {
    let mut caller = appliance.caller();
    for (number, title) in ["관리비 내기", "우유 사기", "베란다 화분에 물 주기", "할머니께 전화"].iter().enumerate()
    {
        let due = format!("2026-12-{:02}", 10 + number);
        let todo = caller.post("/api/todos", &json!({"title": title, "due": due, "note": "한옥"})).unwrap().ok();
        if number == 1 {
            caller.put(&format!("/api/todos/{}", todo["id"]), &json!({"done": true})).unwrap().ok();
        }
    }
    for draw_no in [1200, 1244, 1245, 1260] {
        let body = json!({"draw_no": draw_no, "sets": [[4, 5, 25, 28, 32, 42], [1, 2, 3, 4, 5, 6]], "note": "자동"});
        caller.post("/api/lotto/purchase", &body).unwrap().ok();
    }
    let keyed = [
        ("/api/lotto/purchase", json!({"sets": 5, "draw_no": 1245})),
        ("/api/todos", json!({"title": "한 번만"})),
        ("/api/system/backups", Value::Null),
    ];
    let answers = keyed.map(|(path, body)| {
        let answer = caller.send("POST", path, Some(&body), Some("fixture")).unwrap().ok();
        json!({"path": path, "body": body, "key": "fixture", "answer": answer})
    });
    // It fails, for there is no operator here, and can be tried again.
    caller.post("/api/lotto/sync", &Value::Null).unwrap().ok();
    until("the sync has failed", || {
        let jobs = caller.get("/api/system/jobs").unwrap().ok();
        jobs["jobs"].as_array().unwrap().iter().any(|task| task["status"] == "failed").then_some(())
    });
    let mut expected = seen(&mut caller);
    expected["made_at"] = answers[1]["answer"]["created_at"].clone();
    expected["answers"] = answers.into_iter().collect();
    expected
}

fn sign_in_twice(installation: &Installation) {
    let line = installation.data().join("../line");
    fs::write(&line, format!("{PASSPHRASE}\n")).unwrap();
    let mut command = installation.command(&["household", "passphrase"]);
    Ran(command.stdin(File::open(&line).unwrap()).output().unwrap()).ok();
    let on_the_network = Installation::at(installation.data()).with("HANOK_OPS__LISTEN", "0.0.0.0:0");
    let appliance = on_the_network.with("HANOK_JOBS__SCHEDULE", "false").serve();
    for _ in 0..2 {
        appliance.caller().post("/api/household/sign-in", &json!({"passphrase": PASSPHRASE})).unwrap().ok();
    }
    appliance.end();
}

/// Queues a job of every kind while nobody runs them.
fn queue_every_kind(installation: &Installation) {
    let file = installation.data().join("../draw.csv");
    fs::write(&file, DRAW).unwrap();
    installation.run(&["lotto", "import", file.to_str().unwrap()]).ok();
    let listed = installation.run(&["job", "list", "--limit", "200", "--json"]).json();
    for task in listed["jobs"].as_array().unwrap().iter().filter(|task| task["status"] == "failed") {
        installation.run(&["job", "retry", task["id"].as_str().unwrap()]).ok();
    }
    for entry in listed["schedule"].as_array().unwrap() {
        installation.run(&["job", "run", entry["name"].as_str().unwrap()]).ok();
    }
    let waiting = waiting_tasks(installation);
    let kinds: BTreeSet<&str> = waiting.as_array().unwrap().iter().map(|task| task["kind"].as_str().unwrap()).collect();
    let others: Vec<&str> = schedule::jobs().kinds().filter(|kind| !kinds.contains(kind)).collect();
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let (store, _) = Store::open(installation.data(), &options, schema(), Clock::system(), Events::default()).unwrap();
    let queue = |kind: &'static str| store.write(move |tx| queue_example(tx, kind, kind));
    let queued = async {
        for kind in others {
            queue(kind).await?;
        }
        store.close().await
    };
    tokio::runtime::Runtime::new().unwrap().block_on(queued).unwrap();
}

#[test]
fn a_job_of_every_kind_can_wait_in_the_folder_that_is_made_for_the_next_version() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    installation.serve().end();
    queue_every_kind(&installation);
    let waiting = waiting_tasks(&installation);
    let kinds: BTreeSet<&str> = waiting.as_array().unwrap().iter().map(|task| task["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, schedule::jobs().kinds().collect());
}

/// Id and kind of each task that waits, newest first, and how often it was begun before.
fn waiting_tasks(installation: &Installation) -> Value {
    let listed = installation.run(&["job", "list", "--limit", "200", "--json"]).json();
    let waiting = listed["jobs"].as_array().unwrap().iter().filter(|task| task["status"] == "queued");
    waiting.map(|task| json!({"id": task["id"], "kind": task["kind"], "attempts": task["attempts"]})).collect()
}
