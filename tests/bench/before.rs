//! This program beside an earlier one: every kind of request that `growth` knows, sent to both in turn within one run.

use std::path::Path;

use crate::client::one_by_one;
use crate::data;
use crate::growth::requests;
use crate::house::{House, fresh_folder};
use crate::report::{Goal, Report};

/// Purchases, and as many todos, that both have.
const SIZE: u64 = 2_000;
/// How often each is asked in turn, so that whatever else the machine does meets both.
const ROUNDS: usize = 41;
/// Requests of a round, sent by one caller without a queue.
const TIMES: usize = 20;
/// Nothing may be slower than before by more.
const MOST: f64 = 1.05;

/// Measures every request of both programs.
pub fn run(report: &mut Report, before: &Path, now: &Path) {
    report.begin("Beside the program of before");
    let folder = fresh_folder("before");
    let houses = [("before", before), ("now", now)].map(|(name, binary)| House::open(binary, &folder.join(name)));
    for house in &houses {
        data::add_purchases(house.door, "/api/lotto/purchase", 0..SIZE);
        data::add_todos(house.door, 0..SIZE);
    }
    for (what, requests) in requests(SIZE) {
        let mut rounds = [Vec::new(), Vec::new()];
        for round in 0..ROUNDS {
            // Each is the first one as often as the other.
            for which in [round % 2, (round + 1) % 2] {
                let outcome = one_by_one(houses[which].door, &requests, TIMES);
                assert_eq!(outcome.failures, 0, "{what}");
                rounds[which].push(outcome.within(0.5));
            }
        }
        let [before, now] = rounds.map(undisturbed);
        let detail = format!("{before:.3} ms before, {now:.3} ms now");
        report.goal(what, now / before, Goal::AtMost(MOST), "times", detail);
    }
}

/// The tenth part of the rounds went as fast: whatever else the machine does makes a round longer, never shorter.
fn undisturbed(mut rounds: Vec<f64>) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 10]
}
