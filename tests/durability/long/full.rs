//! Rung 3: a full disk. Writes are refused with 507, reads and sign-in go on, also after a restart; when there is
//! room again everything heals without anybody's help, and nothing that was acknowledged is lost.

use std::fs::{self, File};

use serde_json::{Value, json};

use crate::appliance::{Appliance, until};
use crate::http::{Answer, Caller};
use crate::installation::{Installation, Ran};
use crate::rounds;
use crate::simulated::Simulated;
use crate::small_disk::SmallDisk;
use crate::tables;

const PASSPHRASE: &str = "우리 집 열쇠 말";

#[test]
fn full_at_every_kth_write_refuses_reads_on_heals_and_loses_nothing() {
    let mut house = Simulated::open();
    let mut caller = house.caller();
    let mut titles = Vec::new();
    let mut refusals = 0;
    let most = rounds(40, 400);
    for k in 0..most {
        house.disk.is_full_after(k % 40);
        refusals += write_until_refused(&mut caller, &mut titles, k);
        assert!(house.disk.has_refused());
        reads_go_on(&mut caller, &titles);
        // Refused again, without a restart in between.
        assert_eq!(add(&mut caller, "no room").status, 507);
        reads_go_on(&mut caller, &titles);
        house.disk.has_room();
        let title = format!("room again {k}");
        assert_eq!(add(&mut caller, &title).status, 201, "k = {k}");
        titles.push(title);
        assert_eq!(titles_there(&mut caller), sorted(&titles), "k = {k}");
        if k % 10 == 9 {
            caller.delete("/api/todos/done").unwrap().ok();
            assert_eq!(tables::flaws(&house.store), [""; 0], "k = {k}");
        }
    }
    house.stop();
    assert_eq!(refusals, most);
    println!("full at {most} different writes: each refused with 507, read from, healed, and nothing lost");
}

#[test]
fn full_at_the_sync_says_that_nobody_knows_and_all_or_nothing_is_there() {
    let mut house = Simulated::open();
    let mut caller = house.caller();
    for round in 0..rounds(3, 200) {
        let syncs = round % 20;
        house.disk.cannot_sync_after(syncs);
        let mut titles = titles_there(&mut caller);
        let refused = (0..100).map(|number| format!("round {round} #{number}")).find(|title| {
            let answer = add(&mut caller, title);
            let is_refused = answer.status == 507;
            if is_refused && answer.body["message"].as_str().is_some_and(|text| text.contains("look again")) {
                return true;
            }
            assert!(!is_refused || syncs == 0 || house.disk.has_refused(), "{answer:?}");
            if !is_refused {
                titles.push(title.clone());
            }
            is_refused
        });
        house.disk.has_room();
        assert_eq!(add(&mut caller, &format!("after {round}")).status, 201);
        let there: Vec<String> = titles_there(&mut caller);
        let lost: Vec<_> = titles.iter().filter(|title| !there.contains(title)).collect();
        assert!(lost.is_empty(), "{lost:?}");
        assert!(refused.is_some());
        assert_eq!(tables::flaws(&house.store), [""; 0]);
    }
    house.stop();
}

/// Adds todos until one is refused for lack of room. 1 when it was.
fn write_until_refused(caller: &mut Caller, titles: &mut Vec<String>, k: usize) -> usize {
    for number in 0..200 {
        let title = format!("k {k} #{number}");
        let answer = add(caller, &title);
        if answer.status == 507 {
            assert_eq!((answer.code(), answer.body["retry_after"].as_u64()), ("STORAGE_FULL", Some(30)));
            return 1;
        }
        answer.ok();
        titles.push(title);
    }
    0
}

fn add(caller: &mut Caller, title: &str) -> Answer {
    caller.post("/api/todos", &json!({"title": title, "note": "가나다 ".repeat(40)})).unwrap()
}

fn reads_go_on(caller: &mut Caller, titles: &[String]) {
    assert_eq!(titles_there(caller), sorted(titles));
    let today = caller.get("/api/today").unwrap().ok();
    assert_eq!(today["storage_state"], "full", "{today}");
    assert_eq!(caller.get("/health/ready").unwrap().status, 503);
}

fn titles_there(caller: &mut Caller) -> Vec<String> {
    let mut titles = Vec::new();
    loop {
        let page = caller.get(&format!("/api/todos?offset={}", titles.len())).unwrap().ok();
        titles.extend(page["todos"].as_array().unwrap().iter().map(|todo| todo["title"].as_str().unwrap().to_owned()));
        if titles.len() as u64 >= page["total"].as_u64().unwrap() {
            titles.sort();
            return titles;
        }
    }
}

fn sorted(titles: &[String]) -> Vec<String> {
    let mut titles = titles.to_vec();
    titles.sort();
    titles
}

#[test]
fn a_disk_that_is_really_full_is_lived_with_through_restarts() {
    let Some(disk) = SmallDisk::mount("size=24m") else { return };
    let installation = Installation::at(&disk.path().join("data")).with("HANOK_OPS__LISTEN", "0.0.0.0:0");
    set_passphrase(&installation);
    let mut appliance = installation.serve();
    let mut household = signed_in(&appliance).expect("the first sign-in");
    let mut titles: Vec<String> = Vec::new();
    add(&mut household, "before").ok();
    titles.push("before".to_owned());
    // Until then a copy is on the disk that may be given up, and its room given back.
    until("the first snapshot is made", || {
        (household.get("/api/system/backups").unwrap().ok()["total"] == 1).then_some(())
    });
    disk.fill();
    write_until_refused(&mut household, &mut titles, 0);
    assert_eq!(household.post("/api/system/backups", &Value::Null).unwrap().code(), "STORAGE_FULL");
    reads_go_on(&mut household, &titles);
    let mut second = signed_in(&appliance).expect("a sign-in on a full disk");
    reads_go_on(&mut second, &titles);
    assert_eq!(second.post("/api/household/sign-out", &Value::Null).unwrap().status, 200);
    assert_eq!(second.get("/api/todos").unwrap().status, 401);

    for orderly in [true, false] {
        if orderly {
            drop(appliance.end())
        } else {
            drop(appliance.kill())
        };
        appliance = installation.serve();
        household = appliance.caller().with(household.cookie);
        reads_go_on(&mut household, &titles);
        assert_eq!(add(&mut household, "still no room").status, 507);
        let mut newcomer = signed_in(&appliance).expect("a sign-in after a restart on a full disk");
        reads_go_on(&mut newcomer, &titles);
    }

    let newcomer = signed_in(&appliance).unwrap();
    disk.empty();
    until("the banner goes by itself", || {
        (household.get("/api/today").unwrap().ok()["storage_state"] == "ok").then_some(())
    });
    add(&mut household, "after").ok();
    titles.push("after".to_owned());
    assert_eq!(titles_there(&mut household), sorted(&titles));
    // Who signed in while the disk was full is still in after a restart.
    let sessions = || installation.run(&["household", "sessions", "--json"]).json().as_array().unwrap().len();
    until("the sign-ins are written down", || (sessions() >= 3).then_some(()));
    appliance.end();
    appliance = installation.serve();
    let mut newcomer = appliance.caller().with(newcomer.cookie);
    assert_eq!(titles_there(&mut newcomer), sorted(&titles));
    appliance.end();
    assert_eq!(tables::flaws(&tables::open_file(&installation.store()).unwrap()), [""; 0]);
    println!(
        "a real disk of 24 MiB filled to the last byte: 507, reads, sign-ins and two restarts, and healed by itself"
    );
}

fn set_passphrase(installation: &Installation) {
    let line = installation.data().with_file_name("line");
    fs::write(&line, format!("{PASSPHRASE}\n")).unwrap();
    let mut command = installation.command(&["household", "passphrase", "--new"]);
    Ran(command.stdin(File::open(&line).unwrap()).output().unwrap()).ok();
}

fn signed_in(appliance: &Appliance) -> Option<Caller> {
    let mut caller = appliance.caller();
    let answer = caller.post("/api/household/sign-in", &json!({"passphrase": PASSPHRASE})).unwrap();
    caller.cookie = answer.cookie.clone();
    (answer.status == 200 && caller.cookie.is_some()).then_some(caller)
}
