//! Rung 1: SIGKILL at any moment under concurrent writes. No acknowledged write is lost, no invariant is broken,
//! a customer's request is there once with its mails or not at all, and the start repairs by itself and says so.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use crate::dice::Dice;
use crate::household::{Writer, wrong_after};
use crate::installation::Installation;
use crate::requests::{self, Customer};
use crate::{rounds, tables};

const WRITERS: usize = 8;
const CUSTOMERS: usize = 2;

#[test]
fn killed_at_any_moment_no_acknowledged_write_is_lost() {
    let (seed, mut dice) = Dice::of_this_run();
    let rounds = rounds(2, 1000);
    let installation =
        Installation::new().with("HANOK_HTTP__TRUSTED_PROXIES", "127.0.0.1").with("HANOK_CONTACT__PER_HOUR", "0");
    let mut appliance = installation.serve();
    let mut customers: Vec<Customer> = (0..CUSTOMERS).map(|number| Customer::new(number, appliance.site())).collect();
    let mut writers: Vec<Writer> = (0..WRITERS).map(|number| Writer::new(number, appliance.address(), seed)).collect();
    let mut repairs = Vec::new();
    for round in 0..rounds {
        let alive = Duration::from_millis(dice.between(5, 400));
        let process = Mutex::new(Some(appliance));
        thread::scope(|scope| {
            for writer in &mut writers {
                scope.spawn(|| writer.write_until(|| false));
            }
            for customer in &mut customers {
                scope.spawn(|| customer.send_until_the_end());
            }
            thread::sleep(alive);
            process.lock().unwrap().take().unwrap().kill();
        });
        let left =
            tables::open_file(&installation.store()).unwrap_or_else(|e| panic!("seed {seed}, round {round}: {e}"));
        let mut wrong = tables::flaws(&left);
        let requests = tables::requests(&left);
        appliance = installation.serve();
        let repaired = appliance.repair();
        wrong.extend(repaired.is_none().then(|| "the start does not say that it repaired".to_owned()));
        repairs.extend(repaired.and_then(|item| item["elapsed_ms"].as_u64()));
        wrong.extend(wrong_after(appliance.address(), &mut writers));
        let (household, site) = (appliance.address(), appliance.site());
        wrong.extend(requests::wrong_after(household, site, requests, &mut customers));
        assert!(wrong.is_empty(), "seed {seed}, round {round}:\n{}", wrong.join("\n"));
    }
    appliance.end();
    let acknowledged: u64 = writers.iter().map(|writer| writer.acknowledged).sum();
    repairs.sort_unstable();
    println!(
        "{rounds} rounds of SIGKILL: {acknowledged} acknowledged writes, none lost; repaired in {} ms (median), {} ms \
         (longest); seed {seed}",
        repairs[repairs.len() / 2],
        repairs[repairs.len() - 1]
    );
    assert_eq!(repairs.len(), rounds);
    assert!(acknowledged as usize > rounds * WRITERS);
    assert!(customers.iter().map(Customer::acknowledged).sum::<usize>() >= rounds * CUSTOMERS);
}

#[test]
fn killed_while_the_store_is_created_it_is_created_at_the_next_start() {
    let (seed, mut dice) = Dice::of_this_run();
    for round in 0..rounds(2, 200) {
        let installation = Installation::new();
        let mut child = installation.command(&["serve"]).stdout(std::process::Stdio::null()).spawn().unwrap();
        let begun = std::time::Instant::now();
        // From the moment on which the data folder appears, anything may be half done.
        while !installation.data().join("run").exists() && begun.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_micros(200));
        }
        thread::sleep(Duration::from_micros(dice.between(0, 30_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        let appliance = installation.serve();
        let todo = serde_json::json!({"title": "첫 할 일"});
        appliance.caller().post("/api/todos", &todo).unwrap().ok();
        let flaws = {
            appliance.end();
            tables::flaws(&tables::open_file(&installation.store()).unwrap())
        };
        assert!(flaws.is_empty(), "seed {seed}, round {round}: {flaws:?}");
    }
}
