//! Rung 8, the real thing: the lottery's sync with its operator is killed at each step, and each draw is there once.

use serde_json::{Value, json};

use crate::appliance::until;
use crate::dice::Dice;
use crate::installation::Installation;
use crate::operator::{Mood, Operator, Stage};
use crate::{rounds, tables};

#[test]
fn a_sync_killed_at_any_step_stores_each_draw_once_and_ends_visibly() {
    let (seed, mut dice) = Dice::of_this_run();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    for round in 0..rounds(4, 100) {
        let operator = runtime.block_on(Operator::start());
        for draw_no in 1246..=1250 {
            operator.publish(draw_no, [1, 2, 3, 4, 5, 6], 7, Stage::Complete);
        }
        // Half of the time the answer hangs in the middle.
        operator.has_a_bad_time(if round % 2 == 0 { &[Mood::Slow] } else { &[] });
        let installation = Installation::new()
            .with("HANOK_LOTTERY__OPERATOR", operator.address())
            .with("HANOK_LOTTERY__TIMEOUT_SECONDS", 2)
            .with("HANOK_JOBS__SCHEDULE", "false");
        let appliance = installation.serve();
        let mut caller = appliance.caller();
        let bought = caller.post("/api/lotto/purchase", &json!({"draw_no": 1250, "numbers": [1, 2, 3, 4, 5, 8]}));
        assert_eq!(bought.unwrap().ok()["status"], "waiting");
        let id = caller.post("/api/lotto/sync", &Value::Null).unwrap().ok()["task_id"].as_str().unwrap().to_owned();
        std::thread::sleep(std::time::Duration::from_millis(dice.between(0, 200)));
        appliance.kill();

        let appliance = installation.serve();
        let mut caller = appliance.caller();
        let ended = until("the sync has ended", || {
            let jobs = caller.get("/api/system/jobs").unwrap().ok();
            let task = jobs["jobs"].as_array().unwrap().iter().find(|task| task["id"] == json!(id)).cloned();
            task.filter(|task| task["status"] == "succeeded" || task["status"] == "failed")
        });
        if ended["status"] == "failed" {
            caller.post(&format!("/api/system/jobs/{id}/retry"), &Value::Null).unwrap().ok();
        }
        until("the newest draw is there", || {
            (caller.get("/api/lotto/latest").unwrap().ok()["draw_no"] == 1250).then_some(())
        });
        let purchases = caller.get("/api/lotto/purchase").unwrap().ok();
        assert_eq!(purchases["purchases"][0]["status"], "checked", "seed {seed}, round {round}");
        assert_eq!(caller.get("/api/lotto/draws?limit=1").unwrap().ok()["total"], 1250);
        appliance.end();
        assert_eq!(
            tables::flaws(&tables::open_file(&installation.store()).unwrap()),
            [""; 0],
            "seed {seed}, round {round}"
        );
    }
}
