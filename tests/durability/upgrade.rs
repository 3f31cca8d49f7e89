//! Rung 7: upgrades. Every data folder of the series in `fixtures/` opens with all its rows; a store of a newer version
//! is refused with both versions named; a migration is rehearsed on a copy, after a snapshot, before it touches the
//! real file.
//!
//! The folder of a new version, of the program or of the store, is added with
//! `HANOK_MAKE_FIXTURE=1 cargo test --test durability upgrade::this_version`; none is ever made again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hanok::appliance::schema::schema;
use hanok::base::{Clock, Error, Message, Result};
use hanok::platform::events::Events;
use hanok::platform::store::StartStep;
use hanok::platform::store::open::Options;
use hanok::platform::store::{Migration, ReadTransaction, Store, Table, WriteTx};
use serde_json::{Value, json};

use crate::installation::Installation;
use crate::series::{self, Unpacked};
use crate::tables;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The oldest folder of the series.
const FIRST: &str = "0.1.0-store-1.tar.gz";

#[test]
fn every_folder_of_the_series_opens_with_all_its_rows() {
    let mut versions = 0;
    for entry in fs::read_dir(series::folder()).unwrap().flatten() {
        let Unpacked { installation, expected, name, .. } = &series::unpack(&entry.path());
        // Of those that came with the folder the newest.
        let snapshot = installation.snapshots().remove(0);
        series::assert_rows_at_rest(name, installation, expected);
        series::assert_first_answers(name, installation, expected);
        let appliance = installation.serve();
        let mut caller = appliance.caller();
        series::assert_seen(name, &mut caller, expected);
        series::assert_begun(name, &mut caller, expected);
        caller.post("/api/todos", &json!({"title": "이 판에서"})).unwrap().ok();
        appliance.end();
        assert_eq!(tables::flaws(&tables::open_file(&installation.store()).unwrap()), [""; 0], "{name}");
        // Its snapshot, too: at rest, and under a running appliance.
        for running in [false, true] {
            let appliance = running.then(|| installation.serve());
            assert_eq!(installation.run(&["restore", &snapshot, "--json"]).json()["restored"], json!(snapshot));
            let appliance = appliance.unwrap_or_else(|| installation.serve());
            appliance.caller().post("/api/todos", &json!({"title": "그 뒤에"})).unwrap().ok();
            let todo = series::seen(&mut appliance.caller())["todos"]["todos"].as_array().unwrap().len();
            assert_eq!(todo, expected["todos"]["todos"].as_array().unwrap().len() + 1, "{name}");
            series::assert_begun(name, &mut appliance.caller(), expected);
            appliance.end();
            assert_eq!(tables::flaws(&tables::open_file(&installation.store()).unwrap()), [""; 0], "{name}");
        }
        versions += 1;
    }
    assert!(versions > 1);
}

#[test]
fn a_migration_is_said_once_and_only_what_was_done() {
    let Unpacked { installation, .. } = &series::unpack(&series::folder().join(FIRST));
    let appliance = installation.serve();
    let what = appliance.start_item("migrated").unwrap()["what"].as_str().unwrap().to_owned();
    let log = appliance.end();
    assert!(what.contains("first answers belong to the household"), "{what}");
    // Nothing waited there, and nothing was recommended.
    assert!(!what.contains("lane") && !what.contains("recommendations"), "{what}");
    assert_eq!(log.matches("migrated").count(), 1, "{log}");
    assert!(log.contains(&what), "{log}");
}

#[test]
fn a_migration_is_said_once_by_every_command_that_does_it_and_by_a_start_that_is_refused_afterwards() {
    let commands: [&[&str]; 5] = [
        &["verify"],
        &["job", "list"],
        &["backup"],
        &["household", "sessions"],
        &["serve", "--ops-listen", "0.0.0.0:0"],
    ];
    for words in commands {
        let unpacked = series::unpack(&series::folder().join(FIRST));
        // Whatever is said of all else.
        let installation = unpacked.installation.with("HANOK_LOG__LEVEL", "error");
        let said = installation.run(words).complained();
        assert_eq!(said.matches("migrated the store").count(), 1, "{words:?}: {said}");
        let snapshot = installation.snapshots().into_iter().find(|name| name.contains("migration")).unwrap();
        for part in ["from version 1 to ", "first answers belong to the household", &snapshot] {
            assert!(said.contains(part), "{words:?}, {part}: {said}");
        }
        let again = installation.run(words).complained();
        assert!(!again.contains("migrated"), "{words:?}: {again}");
    }
    let Unpacked { installation, .. } = &series::unpack(&series::folder().join(FIRST));
    let snapshot = installation.snapshots().remove(0);
    let said = installation.run(&["restore", &snapshot]).complained();
    assert_eq!(said.matches("migrated the store from version 1 to ").count(), 1, "{said}");
    assert!(said.contains(&format!("the state from before it is in the snapshot {snapshot}")), "{said}");
}

#[test]
fn the_system_page_shows_the_last_migration_and_the_doctor_foresees_it() {
    let Unpacked { installation, .. } = &series::unpack(&series::folder().join(FIRST));
    let before = fs::read(installation.store()).unwrap();
    let said = foreseen(installation);
    let version = schema().version();
    let versions = format!("the next start will migrate from version 1 to {version}: ");
    for part in [versions.as_str(), "first answers belong to the household", "of room", "a snapshot is made before"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(fs::read(installation.store()).unwrap() == before, "the doctor has changed something");
    let appliance = installation.serve();
    let last = appliance.caller().get("/api/system").unwrap().ok()["last_migration"].clone();
    appliance.end();
    assert_eq!((last["from"].clone(), last["to"].clone()), (json!(1), json!(version)), "{last}");
    assert!(installation.snapshots().contains(&last["snapshot"].as_str().unwrap().to_owned()), "{last}");
    assert_eq!(foreseen(installation), "can be read, and the next start has nothing to migrate");
}

/// What the doctor says of the store.
fn foreseen(installation: &Installation) -> String {
    let found: Value = serde_json::from_str(&installation.run(&["doctor", "--json"]).said()).unwrap();
    let store = found["checks"].as_array().unwrap().iter().find(|check| check["check"] == "store").cloned().unwrap();
    store["finding"].as_str().unwrap().to_owned()
}

#[test]
fn this_version_is_in_the_series() {
    let fixture = series::folder().join(series::name());
    if std::env::var("HANOK_MAKE_FIXTURE").is_ok_and(|word| word == "1") {
        series::make(&fixture);
    }
    assert!(fixture.exists(), "{} is missing: see the head of this file", fixture.display());
}

#[test]
fn a_version_of_the_program_has_one_version_of_the_store() {
    let names = || fs::read_dir(series::folder()).unwrap().flatten().map(|entry| entry.file_name());
    let mut stores: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in names() {
        let name = name.into_string().unwrap();
        let (program, store) = name.strip_suffix(".tar.gz").and_then(|name| name.split_once("-store-")).unwrap();
        stores.entry(program.to_owned()).or_default().push(store.to_owned());
    }
    stores.retain(|_, stores| stores.len() > 1);
    // Raise the version of the program with that of the store: these two were named alike before this was looked at.
    assert_eq!(stores.keys().collect::<Vec<_>>(), ["0.2.0"], "{stores:?}");
    assert_eq!(stores["0.2.0"].len(), 2, "{stores:?}");
}

#[test]
fn a_folder_of_an_earlier_store_gets_what_ships_and_was_taken_out_of_it() {
    const DRAWS: redb::TableDefinition<u64, &[u8]> = redb::TableDefinition::new("lottery_draws-1");
    for name in ["0.2.0-store-2.tar.gz", "0.2.0-store-3.tar.gz"] {
        let Unpacked { installation, .. } = &series::unpack(&series::folder().join(name));
        let database = redb::Database::open(installation.store()).unwrap();
        let write = database.begin_write().unwrap();
        assert!(write.open_table(DRAWS).unwrap().remove(1_000).unwrap().is_some());
        write.commit().unwrap();
        drop(database);
        let appliance = installation.serve();
        assert_eq!(appliance.caller().get("/api/lotto/draws/1000").unwrap().ok()["draw_no"], 1_000, "{name}");
        appliance.end();
    }
}

#[test]
fn a_folder_of_the_series_is_never_made_again() {
    let first = series::folder().join(FIRST);
    let before = fs::read(&first).unwrap();
    assert!(std::panic::catch_unwind(|| series::make(&first)).is_err(), "it was made again");
    assert!(fs::read(&first).unwrap() == before, "it was touched");
}

const NOTES: Table<u64, String> = Table::new("ladder_notes-1");

/// A step to the version after this one.
fn next(name: &'static str, apply: fn(&WriteTx) -> Result<()>) -> Migration {
    Migration { to: schema().version() + 1, name, title: (name, name), needed: |tx| Ok(tx.count(&NOTES)? > 0), apply }
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
        Err(Error::conflict(Message::english("this migration does not fit these rows")))
    })
}

fn that_panics() -> Migration {
    next("a worse one", |_| panic!("on purpose"))
}

fn open(data: &Path, migrations: &[Migration]) -> Result<(Store, Vec<StartStep>)> {
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let schema = schema().with(&[], migrations, &[]);
    let opened = Store::open(data, &options, schema, Clock::system(), Events::default());
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
    let listed = installation.run(&["backup", "--list"]).ok();
    let line = listed.lines().find(|line| line.starts_with(&snapshot)).unwrap_or_default();
    assert!(listed.lines().next().is_some_and(|titles| titles.ends_with("store version")), "{listed}");
    let ends: Vec<&str> = line.split_whitespace().rev().take(2).collect();
    assert_eq!(ends, [ours.to_string().as_str(), VERSION], "{listed}");
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

/// For the long suite.
mod long {
    use super::*;

    #[test]
    fn what_the_doctor_foresees_of_any_folder_of_the_series_is_what_the_start_does_and_nothing_else() {
        let mut migrated = 0;
        for entry in fs::read_dir(series::folder()).unwrap().flatten() {
            let Unpacked { installation, name, .. } = &series::unpack(&entry.path());
            let said = foreseen(installation);
            let steps = said.split_once(": ").and_then(|(_, rest)| rest.split_once("; this needs "));
            let steps: Vec<&str> = steps.map(|(steps, _)| steps.split("; ").collect()).unwrap_or_default();
            let appliance = installation.serve();
            let last = appliance.caller().get("/api/system").unwrap().ok()["last_migration"].clone();
            appliance.end();
            let done: Vec<&str> = last["steps"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            assert_eq!(steps, done, "{name}: {said}");
            migrated += usize::from(!done.is_empty());
        }
        assert!(migrated > 1);
    }
}
