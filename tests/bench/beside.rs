//! How much requests slow down while the appliance works: an exact enumeration and a snapshot at the same time.
//!
//! Eight callers ask at a steady pace that leaves the machine mostly idle, as a household does. The same is
//! measured on the idle appliance and on the one that works without a pause.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::client::{Pace, ask, get, pace, post};
use crate::data;
use crate::house::{House, fresh_folder};
use crate::report::{Goal, Report};

const STEADY: Pace = Pace { connections: 8, every: Duration::from_millis(5), time: Duration::from_secs(10) };

/// Measures reads and writes, idle and beside heavy work.
pub fn run(report: &mut Report, binary: &Path) {
    report.begin("Beside heavy work");
    let house = House::open(binary, &fresh_folder("beside").join("data"));
    data::add_purchases(house.door, "/api/lotto/purchase", 0..50_000);
    let reads = [get("/api/lotto/latest"), get("/api/lotto/purchase?limit=30"), get("/api/todos?limit=30")];
    let writes = data::posts("/api/todos", (0..500).map(data::todo));
    for (what, requests) in [("reads", &reads[..]), ("writes", &writes[..])] {
        let idle = pace(house.door, requests, STEADY);
        let (busy, done) = while_working(house.door, || pace(house.door, requests, STEADY));
        let detail = format!(
            "idle {:.2} ms, beside {:.2} ms (median {:.2} and {:.2} ms); meanwhile {done}",
            idle.within(0.99),
            busy.within(0.99),
            idle.within(0.5),
            busy.within(0.5)
        );
        let ratio = busy.within(0.99) / idle.within(0.99);
        report.goal(&format!("99th percentile of {what} beside heavy work"), ratio, Goal::AtMost(5.0), "times", detail);
        assert_eq!(idle.failures + busy.failures, 0);
    }
}

/// Runs `measure` while one thread enumerates and another makes a snapshot after each second.
fn while_working<T>(door: SocketAddr, measure: impl FnOnce() -> T) -> (T, String) {
    let stop = AtomicBool::new(false);
    let (enumerations, snapshots) = (AtomicU64::new(0), AtomicU64::new(0));
    let measured = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let (status, answer) = ask(door, &post("/api/admin/simulate?n_candidates=8145060", ""));
                assert_eq!(status, 200, "{answer}");
                enumerations.fetch_add(1, Ordering::Relaxed);
            }
        });
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let (status, answer) = ask(door, &post("/api/system/backups", ""));
                assert!(status < 300, "{answer}");
                snapshots.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_secs(1));
            }
        });
        let measured = measure();
        stop.store(true, Ordering::Relaxed);
        measured
    });
    let done = format!("{} enumerations, {} snapshots", enumerations.into_inner(), snapshots.into_inner());
    (measured, done)
}
