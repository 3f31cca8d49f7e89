//! Rung 7: upgrades. Every data folder of the series in `fixtures/` opens with all its rows; a store of a newer version
//! is refused with both versions named; a migration is rehearsed on a copy, after a snapshot, before it touches the
//! real file.
//!
//! The folder of a new version is added with
//! `HANOK_MAKE_FIXTURE=1 cargo test --test durability upgrade::this_version`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use hanok::appliance::schema::schema;
use hanok::base::{Clock, Error, Result};
use hanok::platform::events::Events;
use hanok::platform::store::open::{Options, StartStep};
use hanok::platform::store::{Migration, Reads, Store, Table, WriteTx};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::http::Caller;
use crate::installation::Installation;
use crate::tables;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/durability/fixtures")
}

/// What callers see of a house: every todo, every purchase with its totals, and how many draws there are.
fn seen(caller: &mut Caller) -> Value {
    let mut get = |path: &str| caller.get(path).unwrap().ok();
    json!({
        "todos": get("/api/todos"),
        "purchases": get("/api/lotto/purchase?limit=500"),
        "totals": get("/api/lotto/purchase/stats"),
        "draws": get("/api/lotto/draws?limit=1")["total"],
    })
}

#[test]
fn every_folder_of_the_series_opens_with_all_its_rows() {
    let mut versions = 0;
    for entry in fs::read_dir(fixtures()).unwrap().flatten() {
        let folder = TempDir::new().unwrap();
        tar::Archive::new(GzDecoder::new(File::open(entry.path()).unwrap())).unpack(folder.path()).unwrap();
        let expected: Value = serde_json::from_slice(&fs::read(folder.path().join("expected.json")).unwrap()).unwrap();
        let installation = Installation::at(&folder.path().join("data")).with("HANOK_JOBS__SCHEDULE", "false");
        let appliance = installation.serve();
        let mut caller = appliance.caller();
        let name = entry.file_name();
        for (what, rows) in expected.as_object().unwrap() {
            // A later version may ship more draws, and may show more of a row than the one that wrote it.
            if what == "draws" {
                assert!(seen(&mut caller)[what].as_u64() >= rows.as_u64(), "{name:?}");
            } else {
                assert!(holds(&seen(&mut caller)[what], rows), "{name:?}: {what}");
            }
        }
        caller.post("/api/todos", &json!({"title": "이 판에서"})).unwrap().ok();
        appliance.end();
        assert_eq!(tables::flaws(&tables::open_file(&installation.store()).unwrap()), [""; 0], "{name:?}");
        // Its snapshot, too: at rest, and under a running appliance.
        let snapshot = installation.snapshots().pop().unwrap();
        for running in [false, true] {
            let appliance = running.then(|| installation.serve());
            assert_eq!(installation.run(&["restore", &snapshot, "--json"]).json()["restored"], json!(snapshot));
            let appliance = appliance.unwrap_or_else(|| installation.serve());
            appliance.caller().post("/api/todos", &json!({"title": "그 뒤에"})).unwrap().ok();
            let todo = seen(&mut appliance.caller())["todos"]["todos"].as_array().unwrap().len();
            assert_eq!(todo, expected["todos"]["todos"].as_array().unwrap().len() + 1, "{name:?}");
            appliance.end();
            assert_eq!(tables::flaws(&tables::open_file(&installation.store()).unwrap()), [""; 0], "{name:?}");
        }
        versions += 1;
    }
    assert!(versions > 0);
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

#[test]
fn this_version_is_in_the_series() {
    let fixture = fixtures().join(format!("{VERSION}.tar.gz"));
    if std::env::var("HANOK_MAKE_FIXTURE").is_ok_and(|word| word == "1") {
        make(&fixture);
    }
    assert!(fixture.exists(), "{} is missing: see the head of this file", fixture.display());
}

fn make(fixture: &Path) {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
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
    let key = Some("fixture");
    caller.send("POST", "/api/lotto/purchase", Some(&json!({"sets": 5, "draw_no": 1245})), key).unwrap().ok();
    let expected = seen(&mut caller);
    caller.post("/api/system/backups", &Value::Null).unwrap().ok();
    appliance.end();
    fs::write(installation.data().join("../expected.json"), expected.to_string()).unwrap();
    fs::create_dir_all(fixtures()).unwrap();
    let mut tar = tar::Builder::new(GzEncoder::new(File::create(fixture).unwrap(), Compression::best()));
    tar.append_path_with_name(installation.data().join("../expected.json"), "expected.json").unwrap();
    tar.append_dir_all("data", installation.data()).unwrap();
    tar.into_inner().unwrap().finish().unwrap();
}

const NOTES: Table<u64, String> = Table::new("ladder_notes-1");

/// A step to the version after this one.
fn next(name: &'static str, apply: fn(&WriteTx) -> Result<()>) -> Migration {
    Migration { to: schema().version() + 1, name, needed: |tx| Ok(tx.count(&NOTES)? > 0), apply }
}

fn louder_notes() -> Migration {
    next("louder notes", |tx| {
        let note = tx.get(&NOTES, 1)?.unwrap_or_default();
        tx.put(&NOTES, 1, &note.to_uppercase())
    })
}

fn that_fails() -> Migration {
    next("a mistake", |tx| {
        tx.put(&NOTES, 1, &"half done".to_owned())?;
        Err(Error::conflict("this migration does not fit these rows"))
    })
}

fn that_panics() -> Migration {
    next("a worse one", |_| panic!("on purpose"))
}

fn open(data: &Path, migrations: &[Migration]) -> Result<(Store, Vec<StartStep>)> {
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let schema = schema().with(&[], migrations, &[]);
    let opened = Store::open(data, &options, schema, Clock::machine(), Events::default());
    opened.map(|(store, report)| (store, report.items.into_iter().map(|item| item.step).collect()))
}

/// A data folder of this version with a note in it.
fn with_a_note() -> Installation {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    installation.serve().end();
    let (store, _) = open(installation.data(), &[]).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(store.write(|tx| tx.put(&NOTES, 1, &"a note".to_owned()))).unwrap();
    runtime.block_on(store.close()).unwrap();
    installation
}

fn note(store: &Store) -> Option<String> {
    store.read_now(|tx| tx.get(&NOTES, 1)).unwrap()
}

fn close(store: Store) {
    tokio::runtime::Runtime::new().unwrap().block_on(store.close()).unwrap();
}

#[test]
fn a_newer_store_is_refused_naming_both_versions_and_the_snapshot_that_helps() {
    let installation = with_a_note();
    let (store, steps) = open(installation.data(), &[louder_notes()]).unwrap();
    assert_eq!(note(&store).as_deref(), Some("A NOTE"));
    assert!(steps.contains(&StartStep::Rehearsed) && steps.contains(&StartStep::Migrated), "{steps:?}");
    close(store);
    let refused = installation.refusal();
    let complaint = refused.complained();
    assert_eq!(refused.code(), Some(1), "{complaint}");
    let (ours, next) = (schema().version(), schema().version() + 1);
    assert!(complaint.contains(&format!("has version {next}")), "{complaint}");
    assert!(complaint.contains(&format!("store version {ours}")), "{complaint}");
    assert!(complaint.contains(&format!("hanok {VERSION}")), "{complaint}");
    // The snapshot from before the migration is one that this version can use, and is named.
    let snapshot = installation.snapshots().into_iter().find(|name| name.contains("migration")).unwrap();
    assert!(complaint.contains(&format!("hanok restore {snapshot}")), "{complaint}");
    installation.run(&["restore", &snapshot, "--json"]).json();
    installation.serve().end();
    assert_eq!(note(&tables::open_file(&installation.store()).unwrap()).as_deref(), Some("a note"));
}

#[test]
fn a_migration_that_does_not_fit_fails_in_the_rehearsal_and_leaves_the_store_as_it_was() {
    let installation = with_a_note();
    for migration in [that_fails(), that_panics()] {
        assert!(open(installation.data(), &[migration]).is_err());
        assert_eq!(note(&tables::open_file(&installation.store()).unwrap()).as_deref(), Some("a note"));
    }
    assert!(installation.snapshots().iter().any(|name| name.contains("migration")));
    assert!(!installation.data().join("run/rehearsal.redb").exists());
    installation.serve().end();
    assert_eq!(note(&tables::open_file(&installation.store()).unwrap()).as_deref(), Some("a note"));
}
