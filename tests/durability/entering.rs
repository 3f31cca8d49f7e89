//! Rung 4: who may enter is what the present state says, whatever becomes of the rest of it.

use std::fs::{self, File};

use serde_json::{Value, json};

use crate::appliance::Appliance;
use crate::installation::{Installation, Ran};
use crate::rot::{flip, household, last_place};

const FIRST: &str = "the first of two";
const SECOND: &str = "the second of two";

#[test]
fn a_passphrase_that_was_changed_stays_changed_when_a_store_that_rotted_elsewhere_is_restored() {
    let installation = household();
    set_passphrase(&installation, FIRST);
    installation.run(&["backup"]).ok();
    set_passphrase(&installation, SECOND);
    let appliance = installation.serve();
    assert_eq!(opening(&appliance), [false, true]);
    flip(&installation.store(), last_place(&installation.store(), "7 31 7 31 "), 0);
    installation.run(&["verify"]).refused_with_the_cure();
    installation.run(&["restore", "--latest"]).ok();
    assert_eq!(opening(&appliance), [false, true], "restored by the running house");
    flip(&installation.store(), last_place(&installation.store(), "7 31 7 31 "), 0);
    installation.run(&["verify"]).refused_with_the_cure();
    appliance.end();
    installation.run(&["restore", "--latest"]).ok();
    let appliance = installation.serve();
    assert_eq!(opening(&appliance), [false, true], "restored with nothing running");
    appliance.end();
}

#[test]
fn whoever_needs_no_passphrase_comes_into_a_damaged_house_and_puts_a_backup_back_there() {
    let installation = household();
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    let made = caller.post("/api/system/backups", &Value::Null).unwrap().ok();
    flip(&installation.store(), last_place(&installation.store(), "7 31 7 31 "), 0);
    installation.run(&["verify"]).refused_with_the_cure();
    let entrance = caller.get("/api/household").unwrap().ok();
    assert_eq!((&entrance["signed_in"], &entrance["passphrase_set"]), (&json!(true), &json!(true)));
    assert_eq!(caller.get("/api/system").unwrap().ok()["storage"]["state"], "damaged");
    let listed = caller.get("/api/system/backups").unwrap().ok();
    assert_eq!(listed["backups"][0]["name"], made["name"]);
    let restore = format!("/api/system/backups/{}/restore", made["name"].as_str().unwrap());
    caller.post(&restore, &Value::Null).unwrap().ok();
    assert_eq!(caller.get("/api/household").unwrap().ok()["passphrase_set"], false);
    assert_eq!(caller.get("/api/todos").unwrap().status, 200);
    appliance.end();
}

fn set_passphrase(installation: &Installation, passphrase: &str) {
    let line = installation.data().with_file_name("line");
    fs::write(&line, format!("{passphrase}\n")).unwrap();
    let mut command = installation.command(&["household", "passphrase"]);
    Ran(command.stdin(File::open(&line).unwrap()).output().unwrap()).ok();
}

/// Whether each of the two opens the house.
fn opening(appliance: &Appliance) -> [bool; 2] {
    [FIRST, SECOND].map(|passphrase| {
        let asked = appliance.caller().post("/api/household/sign-in", &json!({"passphrase": passphrase})).unwrap();
        asked.status == 200
    })
}
