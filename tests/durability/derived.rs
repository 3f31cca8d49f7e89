//! Beside the ladder: what is derived from rows (indexes, counts, totals) is compared with them by `hanok verify`, and
//! derived anew on demand; no table of a house is unknown to what its domains declare.

use hanok::appliance::schema::schema;
use hanok::base::Clock;
use hanok::platform::events::Events;
use hanok::platform::store::open::Options;
use hanok::platform::store::{Store, Table};
use serde_json::{Value, json};

use crate::appliance::until;
use crate::installation::Installation;
use crate::long::rot::rot;
use crate::tables;

#[test]
fn what_does_not_fit_its_rows_is_named_by_verify_and_derived_anew_on_demand() {
    const DRAW_TOTALS: Table<u64, u64> = Table::new("lottery_purchase_draw_totals-1");
    const BY_PRIZE: Table<(u64, u64), ()> = Table::new("lottery_purchases_by_prize-1");
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    for draw_no in [1200, 1245] {
        appliance.caller().post("/api/lotto/purchase", &json!({"draw_no": draw_no, "sets": 5})).unwrap().ok();
    }
    appliance.end();
    installation.run(&["verify"]).ok();

    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let (store, _) = Store::open(installation.data(), &options, schema(), Clock::system(), Events::default()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let damage = store.write(|tx| tx.clear(&DRAW_TOTALS).and_then(|()| tx.put(&BY_PRIZE, (7, 7), &())));
    runtime.block_on(damage).unwrap();
    runtime.block_on(store.close()).unwrap();
    drop(store);
    let checked = installation.run(&["verify"]);
    assert_eq!(checked.code(), Some(1));
    for named in ["lottery_purchase_draw_totals-1", "lottery_purchases_by_prize-1", "hanok verify --rebuild"] {
        assert!(checked.complained().contains(named), "{named}: {}", checked.complained());
    }
    assert!(!checked.complained().contains("hanok restore"), "{}", checked.complained());
    // In words: neither the name of a type nor what holds its fields together.
    for debug in ["Some(", "None", "{ ", "[\""] {
        assert!(!checked.complained().contains(debug), "{debug}: {}", checked.complained());
    }
    assert!(checked.complained().contains("found is an entry"), "{}", checked.complained());
    let appliance = installation.serve();
    assert_eq!(installation.run(&["verify"]).code(), Some(1), "a running appliance finds it, too");
    installation.run(&["verify", "--rebuild"]).ok();
    let stats = appliance.caller().get("/api/lotto/purchase/stats").unwrap().ok();
    assert_eq!(stats["by_draw"].as_array().unwrap().len(), 2);
    appliance.end();
    assert_eq!(tables::flaws(&tables::open_file(&installation.store()).unwrap()), [""; 0]);
}

#[test]
fn every_table_of_a_house_is_declared() {
    let installation = Installation::new();
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    caller.send("POST", "/api/todos", Some(&json!({"title": "우유 사기"})), Some("a-key")).unwrap().ok();
    caller.post("/api/lotto/purchase", &json!({"sets": 5})).unwrap().ok();
    for path in ["/api/lotto/report", "/api/lotto/report", "/api/lotto/briefing", "/api/lotto/briefing"] {
        caller.post(path, &Value::Null).unwrap().ok();
    }
    let made = installation.run(&["backup", "--json"]).json();
    appliance.end();
    installation.run(&["verify"]).ok();
    installation.run(&["verify", "--rebuild"]).ok();
    // What a report and a briefing had goes along; the house itself may have made the first of them.
    assert!(made["tables"]["lottery_replaced_sets-1"].as_u64() >= Some(2), "{made}");
    let declared = schema().table_names();
    let unknown: Vec<_> = made["tables"].as_object().unwrap().keys().collect();
    let is_unknown = |name: &&&String| !declared.contains(&name.as_str());
    assert_eq!(unknown.iter().filter(is_unknown).collect::<Vec<_>>(), Vec::<&&String>::new());
}

/// For the long suite.
mod long {
    use super::*;

    #[test]
    fn a_check_names_every_fault_of_tables_and_snapshots_and_ends_with_failure() {
        const DRAW_TOTALS: Table<u64, u64> = Table::new("lottery_purchase_draw_totals-1");
        const ORDER_COUNTS: Table<(u64, u64, u64, u64), String> = Table::new("todos_order_counts-1");
        const USAGE: Table<u64, String> = Table::new("lottery_curator_usage-1");
        let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
        let appliance = installation.serve();
        let mut caller = appliance.caller();
        caller.post("/api/todos", &json!({"title": "우유 사기"})).unwrap().ok();
        caller.post("/api/lotto/purchase", &json!({"draw_no": 1245, "sets": 5})).unwrap().ok();
        let made =
            [(); 3].map(|()| installation.run(&["backup", "--json"]).json()["name"].as_str().unwrap().to_owned());
        appliance.end();
        let [rotten, sound, another] = &made;
        for name in [rotten, another] {
            let file = installation.backups().join(format!("{name}.redb"));
            rot(&file, "우유 사기", 1);
        }
        let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
        let (store, _) =
            Store::open(installation.data(), &options, schema(), Clock::system(), Events::default()).unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let damage = store.write(|tx| {
            tx.clear(&DRAW_TOTALS)?;
            // These are no numbers, and this row is none of its table.
            tx.put(&ORDER_COUNTS, (1, 0, 0, 0), &"rot".to_owned())?;
            tx.put(&USAGE, 7, &"rot".to_owned())
        });
        runtime.block_on(damage).unwrap();
        runtime.block_on(store.close()).unwrap();
        drop(store);

        let faults =
            ["lottery_purchase_draw_totals-1", "todos_order_counts-1", "lottery_curator_usage-1", rotten, another];
        let all_but_derived = &faults[2..];
        let check = |words: &[&str], named: &[&str]| {
            let checked = installation.run(words);
            assert_eq!(checked.code(), Some(1), "{words:?}: {}", checked.said());
            let complaint = checked.complained();
            for fault in faults {
                assert_eq!(complaint.contains(fault), named.contains(&fault), "{words:?}, {fault}: {complaint}");
            }
            assert!(!complaint.contains(&format!("snapshot {sound} ")), "{complaint}");
        };
        check(&["verify"], &faults);
        let appliance = installation.serve();
        check(&["verify"], &faults);
        let begun = appliance.caller().post("/api/system/schedule/scrub/run", &Value::Null).unwrap().ok();
        let id = begun["task_id"].as_str().unwrap().to_owned();
        let ended = until("the scrub has ended", || {
            let task = installation.run(&["job", "show", &id, "--json"]).json();
            (task["status"] == "failed").then_some(task)
        });
        assert!(faults.iter().all(|fault| ended["message"].as_str().unwrap().contains(fault)), "{ended}");
        appliance.end();
        check(&["verify", "--rebuild"], all_but_derived);
        // A store that cannot be opened hides no snapshot either.
        rot(&installation.store(), "우유 사기", 1);
        check(&["verify"], &[rotten, another]);
        installation.run(&["verify"]).refused_with_the_cure();
    }
}
