//! Rung 6: bit rot in what was written last, by itself or in the slot of the header that says where it stands.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::appliance::{Appliance, until};
use crate::http::Caller;
use crate::installation::Installation;
use crate::long::rot::{flip, household, rot};

/// Writes what no index takes up afterwards, once all that is written is in it: nothing is written behind it. Gives how
/// many such rows there were.
fn write_the_last_row(appliance: &Appliance) -> Value {
    let mut caller = appliance.caller();
    let is_taken_up = |caller: &mut Caller| caller.get("/api/system").unwrap().ok()["search"]["waiting"] == 0;
    until("the index has taken all", || is_taken_up(&mut caller).then_some(()));
    let there_were = caller.get("/api/lotto/recommend/combined/history").unwrap().ok()["total"].clone();
    caller.get("/api/lotto/recommend/combined").unwrap().ok();
    there_were
}

#[test]
fn rot_in_the_newest_write_is_not_taken_for_a_write_that_was_cut_off() {
    for end in [Appliance::end, Appliance::kill] {
        let installation = household();
        let appliance = installation.serve();
        appliance.caller().post("/api/todos", &json!({"title": "the newest of all"})).unwrap().ok();
        rot(&installation.store(), "the newest of all", 0);
        installation.run(&["verify"]).refused_with_the_cure();
        end(appliance);
        let refused = installation.refusal();
        assert!(!refused.complained().contains("repaired"), "{}", refused.complained());
        refused.refused_with_the_cure();
    }
}

#[test]
fn rot_in_the_slot_of_the_last_commit_is_said_with_what_may_be_missing_and_never_called_whole() {
    let installation = household();
    let appliance = installation.serve();
    assert_eq!(write_the_last_row(&appliance), 0);
    appliance.kill();
    let header = fs::read(installation.store()).unwrap();
    let last = usize::from(header[9] & 1 != 0);
    flip(&installation.store(), 64 + 128 * last + 20, 3);
    let appliance = installation.serve();
    let start = &appliance.caller().get("/api/system").unwrap().ok()["start_report"];
    let repaired = start["items"].as_array().unwrap().iter().find(|item| item["step"] == "repaired_in_part");
    let said = repaired.unwrap_or_else(|| panic!("{start}"))["what"].as_str().unwrap();
    assert!(said.contains("it may be missing") && !said.contains("acknowledged"), "{said}");
    // Without the last one.
    assert_eq!(write_the_last_row(&appliance), 0);
    appliance.kill();
    // A slot of which nothing has rotted is the last write, whole.
    let appliance = installation.serve();
    let system = appliance.caller().get("/api/system").unwrap().ok();
    assert!(system["start_report"].to_string().contains("the last write in it is whole"), "{system}");
    assert_eq!(write_the_last_row(&appliance), 1);
    appliance.end();
}

#[test]
fn a_state_without_its_last_write_is_called_so_where_it_is_taken_over_and_where_it_is_kept() {
    let installation = household();
    let appliance = installation.serve();
    appliance.caller().post("/api/system/backups", &Value::Null).unwrap().ok();
    write_the_last_row(&appliance);
    appliance.kill();
    let moved = TempDir::new().unwrap();
    let copies = ["whole", "torn"].map(|name| {
        let copy = Installation::at(&moved.path().join(name)).with("HANOK_JOBS__SCHEDULE", "false");
        let copied = Command::new("cp").arg("-a").arg(installation.data()).arg(copy.data()).status().unwrap();
        assert!(copied.success());
        copy
    });
    let ([whole, adopted], restored) = (copies, installation);
    for torn in [&adopted, &restored] {
        let header = fs::read(torn.store()).unwrap();
        flip(&torn.store(), 64 + 128 * usize::from(header[9] & 1 != 0) + 20, 3);
    }
    let listed = |house: &Installation| {
        let kept = house.run(&["backup", "--list", "--json"]).json();
        let kept = kept["backups"].as_array().unwrap().clone();
        let of_kind = |kind: &str| kept.iter().find(|one| one["kind"] == kind).expect("is listed").clone();
        (of_kind("restore")["last_write_left_out"].clone(), of_kind("manual")["last_write_left_out"].clone())
    };
    let may_be_missing = "otherwise it may be missing: look whether what was entered last is there";
    let told = whole.run(&["restore", "--adopt"]);
    assert!(!told.complained().contains(may_be_missing), "{}", told.complained());
    assert_eq!(listed(&whole), (json!(false), json!(false)));
    let told = adopted.run(&["restore", "--adopt"]);
    assert!(told.complained().contains(may_be_missing), "{}", told.complained());
    assert_eq!(listed(&adopted), (json!(true), json!(false)));
    // What was put in place is whole, and what it took the place of is not; going back to that brings the same word.
    let told = restored.run(&["restore", "--latest", "--json"]).json();
    assert_eq!(told["last_write_left_out"], false, "{told}");
    assert_eq!(listed(&restored), (json!(true), json!(false)));
    let list = restored.run(&["backup", "--list"]);
    assert!(list.said().contains("last write left out") && list.complained().contains(may_be_missing));
    let told = restored.run(&["restore", "--undo", "--json"]).json();
    assert_eq!(told["last_write_left_out"], true, "{told}");
    for (house, rows) in [(whole, 1), (adopted, 0), (restored, 0)] {
        let appliance = house.serve();
        assert_eq!(write_the_last_row(&appliance), rows);
        appliance.end();
    }
}
