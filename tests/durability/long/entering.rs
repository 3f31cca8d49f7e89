//! Rung 4: who may enter is what the present state says, whatever becomes of the rest of it.

use std::fs::{self, File};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use hanok::appliance::schema::schema;
use hanok::base::Clock;
use hanok::platform::auth;
use hanok::platform::events::Events;
use hanok::platform::store::Store;
use hanok::platform::store::open::Options;

use crate::appliance::Appliance;
use crate::dice::Dice;
use crate::installation::{Installation, Ran};
use crate::long::rot::{ROTTING, flip, household, last_place, rot};
use crate::rounds;

pub const FIRST: &str = "the first of two";
pub const SECOND: &str = "the second of two";

#[test]
fn a_passphrase_that_was_changed_stays_changed_when_a_store_that_rotted_elsewhere_is_restored() {
    let installation = household();
    set_passphrase(&installation, FIRST);
    installation.run(&["backup"]).ok();
    set_passphrase(&installation, SECOND);
    let appliance = installation.serve();
    assert_eq!(opening(&appliance), [false, true]);
    rot(&installation.store(), ROTTING, 0);
    installation.run(&["verify"]).refused_with_the_cure();
    installation.run(&["restore", "--latest"]).ok();
    assert_eq!(opening(&appliance), [false, true], "restored by the running house");
    rot(&installation.store(), ROTTING, 0);
    installation.run(&["verify"]).refused_with_the_cure();
    appliance.end();
    installation.run(&["restore", "--latest"]).ok();
    let appliance = installation.serve();
    assert_eq!(opening(&appliance), [false, true], "restored with nothing running");
    appliance.end();
}

/// What may become of a store: how its house ends, and what happens to its file.
type Mishap = (&'static str, fn(Appliance) -> String, fn(&Installation));

#[test]
fn a_passphrase_that_was_changed_stays_changed_whatever_has_become_of_the_store() {
    let rotten_todo = |house: &Installation| rot(&house.store(), ROTTING, 0);
    let rotten_hash = |house: &Installation| {
        let hash = fs::read_to_string(house.data().join("run/passphrase")).unwrap();
        flip(&house.store(), last_place(&house.store(), &hash) + hash.len() - 2, 0);
    };
    let rotten_word = |house: &Installation| rot(&house.store(), "passphrase\"$argon2id", 0);
    let mishaps: [Mishap; 6] = [
        ("lost", Appliance::end, |house| fs::remove_file(house.store()).unwrap()),
        ("overwritten", Appliance::end, |house| fs::write(house.store(), [7; 8192]).unwrap()),
        ("emptied", Appliance::kill, |house| fs::write(house.store(), "").unwrap()),
        ("killed, and a byte of a todo rots", Appliance::kill, rotten_todo),
        ("a byte of the hash rots", Appliance::end, rotten_hash),
        ("a byte of the word that it stands under rots", Appliance::end, rotten_word),
    ];
    let installation = household();
    set_passphrase(&installation, FIRST);
    installation.run(&["backup"]).ok();
    set_passphrase(&installation, SECOND);
    for (what, end, mishap) in mishaps {
        end(installation.serve());
        mishap(&installation);
        installation.run(&["verify"]).refused_with_the_cure();
        let restored = installation.run(&["restore", "--latest", "--json"]).json();
        let kept = restored["pre_restore"].as_str().map(|name| installation.data().join(name));
        assert!(kept.is_none_or(|kept| kept.exists()), "{what}: {restored}");
        let appliance = installation.serve();
        assert_eq!(opening(&appliance), [false, true], "{what}");
        appliance.end();
    }
}

#[test]
fn the_passphrase_that_holds_is_the_one_that_is_noted_also_when_who_sets_it_goes_away() {
    let (_, mut dice) = Dice::of_this_run();
    let installation = household();
    let appliance = installation.serve();
    for number in 0..rounds(12, 100) {
        let line = installation.data().with_file_name("line");
        fs::write(&line, format!("passphrase number {number}\n")).unwrap();
        let mut setting = installation.command(&["household", "passphrase"]);
        let setting = setting.stdin(File::open(&line).unwrap()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut setting = setting.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(dice.between(0, 120)));
        setting.kill().unwrap();
        setting.wait().unwrap();
    }
    // What is still under way is done before the house ends.
    appliance.end();
    let noted = fs::read_to_string(installation.data().join("run/passphrase")).ok();
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let (store, _) = Store::open(installation.data(), &options, schema(), Clock::system(), Events::default()).unwrap();
    assert_eq!(store.read_now(|tx| auth::is_passphrase_set(tx)).unwrap(), noted);
}

#[test]
fn a_damaged_state_gives_no_id_a_second_time() {
    let installation = household();
    installation.run(&["backup"]).ok();
    let appliance = installation.serve();
    let add = |appliance: &Appliance| {
        appliance.caller().post("/api/todos", &json!({"title": "one more"})).unwrap().ok()["id"].as_u64().unwrap()
    };
    let given = add(&appliance);
    appliance.kill();
    rot(&installation.store(), ROTTING, 0);
    installation.run(&["restore", "--latest"]).ok();
    let appliance = installation.serve();
    assert!(add(&appliance) > given);
    appliance.end();
}

#[test]
fn where_nothing_says_who_may_enter_everyone_signs_in_again_and_is_told_so() {
    let installation = household();
    set_passphrase(&installation, FIRST);
    let appliance = installation.serve();
    let signed_in = appliance.caller().post("/api/household/sign-in", &json!({"passphrase": FIRST})).unwrap();
    assert_eq!(signed_in.status, 200);
    installation.run(&["backup"]).ok();
    appliance.end();
    fs::remove_file(installation.store()).unwrap();
    fs::remove_file(installation.data().join("run/passphrase")).unwrap();
    let restored = installation.run(&["restore", "--latest"]);
    let told = "the state before could not be read, so everyone signs in again";
    assert!(restored.complained().contains(told), "{}", restored.complained());
    assert_eq!(installation.run(&["household", "sessions", "--json"]).json(), json!([]));
    let appliance = installation.serve();
    assert_eq!(opening(&appliance), [true, false], "that of the snapshot");
    appliance.end();
}

#[test]
fn whoever_needs_no_passphrase_comes_into_a_damaged_house_and_puts_a_backup_back_there() {
    let installation = household();
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    let made = caller.post("/api/system/backups", &Value::Null).unwrap().ok();
    rot(&installation.store(), ROTTING, 0);
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

pub fn set_passphrase(installation: &Installation, passphrase: &str) {
    let line = installation.data().with_file_name("line");
    fs::write(&line, format!("{passphrase}\n")).unwrap();
    let mut command = installation.command(&["household", "passphrase"]);
    Ran(command.stdin(File::open(&line).unwrap()).output().unwrap()).ok();
}

/// Whether each of the two opens the house.
pub fn opening(appliance: &Appliance) -> [bool; 2] {
    [FIRST, SECOND].map(|passphrase| {
        let asked = appliance.caller().post("/api/household/sign-in", &json!({"passphrase": passphrase})).unwrap();
        asked.status == 200
    })
}
