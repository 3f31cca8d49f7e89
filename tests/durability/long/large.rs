//! Rung 4 on a large store: what snapshots, the full check and a restore make callers wait under full load does not
//! grow with the store.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::installation::Installation;
use crate::load::{Load, Longest, gaps};
use crate::{ballast, is_long, rounds, tables};

#[test]
fn snapshots_of_a_large_store_let_writers_and_readers_go_on() {
    // A snapshot is made and verified while its caller waits, however long a busy machine takes over it.
    let installation =
        Installation::new().with("HANOK_JOBS__SCHEDULE", "false").with("HANOK_HTTP__REQUEST_SECONDS", "600");
    ballast::seed(&installation, if is_long() { 256 } else { 24 });
    let appliance = installation.serve();
    let load = Load::begin(appliance.address(), 8);
    load.wait_for(200);
    let alone = load.take_longest();
    let mut caller = appliance.caller();
    let (mut pauses, mut took) = (Vec::new(), Vec::new());
    for round in 0..rounds(2, 20) {
        let at_least = load.told();
        let begun = Instant::now();
        let made = caller.post("/api/system/backups", &Value::Null).unwrap().ok();
        took.push(begun.elapsed());
        let at_most = load.asked();
        pauses.push(made["pause_ms"].as_u64().unwrap());
        let file = installation.backups().join(format!("{}.redb", made["name"].as_str().unwrap()));
        let store = tables::open_file(&file).unwrap();
        assert_eq!(tables::flaws(&store), [""; 0], "round {round}");
        assert_eq!(gaps(&tables::rows(&store).todos, &at_least, Some(&at_most)), [""; 0], "round {round}");
    }
    let beside_snapshots = load.take_longest();
    let (checked, beside_check) = beside(&load, || installation.run(&["verify", "--json"]).json());
    assert_eq!(checked["ok"], true);
    let (_, beside_restore) = beside(&load, || installation.run(&["restore", "--latest", "--json"]).json());
    load.end();
    let size = std::fs::metadata(installation.store()).unwrap().len() >> 20;
    appliance.end();
    assert_eq!(tables::flaws(&tables::open_file(&installation.store()).unwrap()), [""; 0]);
    pauses.sort_unstable();
    took.sort_unstable();
    println!(
        "a store of {size} MiB under the load of 8 writers: {} snapshots, each made and verified in {:?} (median); the \
         writer stood still for {} ms (median), {} ms (longest). The longest that callers waited: {alone:?} alone, \
         {beside_snapshots:?} beside snapshots, {beside_check:?} beside a full check, {beside_restore:?} beside a restore",
        took.len(),
        took[took.len() / 2],
        pauses[pauses.len() / 2],
        pauses[pauses.len() - 1],
    );
    assert!(pauses[pauses.len() / 2] < 100, "{pauses:?}");
}

/// Does it beside the load; gives how long callers waited meanwhile.
fn beside<T>(load: &Load, work: impl FnOnce() -> T) -> (T, Longest) {
    load.take_longest();
    let done = work();
    load.wait_for(load.told().iter().sum::<u64>() + 10);
    (done, load.take_longest())
}

#[test]
fn a_start_after_a_kill_of_a_large_store_says_how_long_its_repair_took() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    ballast::seed(&installation, if is_long() { 256 } else { 24 });
    let appliance = installation.serve();
    let load = Load::begin(appliance.address(), 8);
    load.wait_for(100);
    appliance.kill();
    let (told, _) = load.end();
    let begun = Instant::now();
    let appliance = installation.serve();
    let whole = begun.elapsed();
    let repaired = appliance.repair().expect("the start says that it repaired");
    let took = Duration::from_millis(repaired["elapsed_ms"].as_u64().unwrap());
    appliance.end();
    let todos = tables::rows(&tables::open_file(&installation.store()).unwrap()).todos;
    assert_eq!(gaps(&todos, &told, None), [""; 0]);
    println!("a large store repaired in {took:?}; both doors were open {whole:?} after the start");
    assert!(took <= whole);
}
