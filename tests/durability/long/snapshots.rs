//! Rung 4: snapshots under a full load of writers. Each is opened, checked, and counted against what had been
//! acknowledged when it was asked for; how long writers and readers waited is told.

use serde_json::Value;

use crate::installation::Installation;
use crate::load::{Load, gaps};
use crate::{rounds, tables};

/// What the writers may add in one round: a thousand rounds must not end in a store that takes minutes to copy and count.
const WRITES_OF_A_ROUND: u64 = 100;

#[test]
fn snapshots_under_full_load_hold_what_was_acknowledged() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let load = Load::begin(appliance.address(), 8);
    let mut caller = appliance.caller();
    let rounds = rounds(5, 1000);
    let mut pauses = Vec::new();
    let mut largest = 0;
    for round in 0..rounds {
        load.allow(WRITES_OF_A_ROUND);
        load.wait_for(load.told().iter().sum::<u64>() + 20);
        let at_least = load.told();
        let snapshot = caller.post_soon("/api/system/backups", &Value::Null).unwrap().ok();
        let at_most = load.asked();
        let name = snapshot["name"].as_str().unwrap();
        let store = tables::open_file(&installation.backups().join(format!("{name}.redb"))).unwrap();
        let rows = tables::rows(&store);
        assert_eq!(tables::flaws(&store), [""; 0], "round {round}");
        assert_eq!(gaps(&rows.todos, &at_least, Some(&at_most)), [""; 0], "round {round}");
        let description = std::fs::read(installation.backups().join(format!("{name}.json"))).unwrap();
        let description: Value = serde_json::from_slice(&description).unwrap();
        assert_eq!(description["tables"]["todos-1"].as_u64(), Some(rows.todos.len() as u64));
        pauses.push(snapshot["pause_ms"].as_u64().unwrap());
        largest = largest.max(snapshot["bytes"].as_u64().unwrap());
    }
    let (told, longest) = load.end();
    assert_eq!(installation.run(&["verify", "--json"]).json()["ok"], true);
    appliance.end();
    pauses.sort_unstable();
    println!(
        "{rounds} snapshots beside {} acknowledged writes, the largest of {} KiB: the writer stood still for {} ms \
         (median), {} ms (longest); a caller waited at most {:?} for a write and {:?} for a read",
        told.iter().sum::<u64>(),
        largest >> 10,
        pauses[pauses.len() / 2],
        pauses[pauses.len() - 1],
        longest.writer,
        longest.reader
    );
    assert!(pauses[pauses.len() / 2] < 1000);
}

#[test]
fn killed_in_the_middle_of_a_snapshot_nothing_half_made_counts_or_stays() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let (_, mut dice) = crate::dice::Dice::of_this_run();
    for _ in 0..rounds(4, 100) {
        let appliance = installation.serve();
        let address = appliance.address();
        let asking =
            std::thread::spawn(move || crate::http::Caller::to(address).post_soon("/api/system/backups", &Value::Null));
        std::thread::sleep(std::time::Duration::from_millis(dice.between(0, 120)));
        appliance.kill();
        let answered = asking.join().unwrap().ok().map(|answer| answer.ok()["name"].as_str().unwrap().to_owned());
        let appliance = installation.serve();
        let listed = installation.snapshots();
        assert!(answered.is_none_or(|name| listed.contains(&name)), "a finished snapshot is gone");
        let files = std::fs::read_dir(installation.backups()).unwrap().count();
        assert_eq!(files, 2 * listed.len(), "something half made was left lying");
        assert_eq!(installation.run(&["verify", "--json"]).json()["ok"], true);
        appliance.end();
    }
}
