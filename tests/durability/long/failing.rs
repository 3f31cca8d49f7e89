//! Rung 4, with a disk that fails once: what goes wrong with the copy that a restore prepares says nothing of the snapshot.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

use crate::installation::{Installation, Ran};
use crate::long::entering::{FIRST, SECOND, opening, set_passphrase};
use crate::long::rot::household;
use crate::rounds;

/// So many writes and syncs a restore makes at least of its copy.
const WRITES: usize = 24;

fn shim(folder: &TempDir) -> PathBuf {
    let shim = folder.path().join("failing.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/durability/failing.c");
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&shim).args([source, "-ldl"]).status();
    assert!(built.unwrap().success());
    shim
}

#[test]
fn a_write_that_fails_in_the_copy_of_a_snapshot_damages_no_snapshot_and_brings_back_no_older_one() {
    let folder = TempDir::new().unwrap();
    let shim = shim(&folder);
    let installation = household();
    let made = |installation: &Installation| installation.run(&["backup", "--json"]).json()["name"].clone();
    made(&installation);
    let appliance = installation.serve();
    appliance.caller().post("/api/todos", &json!({"title": "in the newest alone"})).unwrap().ok();
    appliance.end();
    let newest = made(&installation);
    let mut failed = 0;
    for number in (1..=WRITES).step_by(WRITES / rounds(8, WRITES)) {
        let mut restore = installation.command(&["restore", "--latest", "--json"]);
        restore.env("LD_PRELOAD", &shim).env("FAILING_NAME", "/hanok.redb.restoring");
        let ran = Ran(restore.env("FAILING_NUMBER", number.to_string()).output().unwrap());
        if ran.code() == Some(0) {
            assert_eq!(ran.json()["restored"], newest, "write {number}");
        } else {
            failed += 1;
        }
        let listed = installation.run(&["backup", "--list", "--json"]).json();
        let states = listed["backups"].as_array().unwrap().iter().map(|backup| &backup["state"]);
        assert!(states.into_iter().all(|state| state == "verified"), "write {number}: {listed}");
    }
    assert!(failed > 0, "none was met");
    let restored = installation.run(&["restore", "--latest", "--json"]).json();
    assert_eq!(restored["restored"], newest);
}

#[test]
fn a_restore_after_a_passing_fault_of_the_disk_asks_the_store_that_was_closed_by_it_who_may_enter() {
    let folder = TempDir::new().unwrap();
    let (shim, fault) = (shim(&folder), folder.path().join("fault"));
    let installation = household();
    set_passphrase(&installation, FIRST);
    installation.run(&["backup"]).ok();
    set_passphrase(&installation, SECOND);
    // Nothing but the store itself says it.
    fs::remove_file(installation.data().join("run/passphrase")).unwrap();
    let failing = Installation::at(installation.data()).with("HANOK_JOBS__SCHEDULE", "false");
    let failing = failing.with("LD_PRELOAD", shim.display()).with("FAILING_NAME", "/hanok.redb");
    let appliance = failing.with("FAILING_WHILE", fault.display()).serve();
    let _ = fs::remove_file(installation.data().join("run/passphrase"));
    let mut caller = appliance.caller();
    let todo = |title: &str| json!({"title": title});
    let before = caller.post("/api/todos", &todo("before")).unwrap().ok()["id"].as_u64().unwrap();
    fs::write(&fault, "").unwrap();
    assert_eq!(caller.post("/api/todos", &todo("lost")).unwrap().status, 500);
    assert_eq!(caller.get("/api/todos").unwrap().status, 500);
    fs::remove_file(&fault).unwrap();
    let restored = installation.run(&["restore", "--latest", "--json"]).json();
    assert_eq!(restored["signed_out"], false, "{restored}");
    assert_eq!(opening(&appliance), [false, true]);
    let after = caller.post("/api/todos", &todo("after")).unwrap().ok()["id"].as_u64().unwrap();
    assert!(after > before, "{after} was given before");
    appliance.end();
}
