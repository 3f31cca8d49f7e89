//! What it costs to pack answers: the same requests with and without `Accept-Encoding: gzip`, in turn within one run, and
//! the 99th percentile of short answers beside callers who take long ones packed.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::client::{Loop, Pace, drive, get, one_by_one, pace};
use crate::data;
use crate::house::{House, fresh_folder};
use crate::report::{Goal, Report};

const SHORT: Loop = Loop { connections: 16, warm: Duration::from_millis(500), counted: Duration::from_secs(2) };
const STEADY: Pace = Pace { connections: 4, every: Duration::from_millis(5), time: Duration::from_secs(5) };

/// Long and kept as text, long and made anew each time, and of some kilobytes.
const LONG: [(&str, &str); 3] = [
    ("the statistics, kept as text", "/api/lotto/stats"),
    ("500 todos, written each time", "/api/todos?limit=500"),
    ("10 todos, packed where they are answered", "/api/todos?limit=10"),
];

/// Measures length and rate of both forms, and what others notice of it.
pub fn run(report: &mut Report, binary: &Path) {
    report.begin("Packed answers");
    let house = House::open(binary, &fresh_folder("packed").join("data"));
    data::add_todos(house.door, 0..500);
    for (what, path) in LONG {
        let (plain, packed) = (get(path), packed(path));
        let lengths = [&plain, &packed].map(|one| one_by_one(house.door, std::slice::from_ref(one), 1).body_bytes);
        let ratio = lengths[0] as f64 / lengths[1] as f64;
        let detail = format!("{} and {} bytes", lengths[0], lengths[1]);
        report.goal(&format!("{what}: length"), ratio, Goal::AtLeast(3.0), "times shorter", detail);
        let rates =
            [&plain, &packed, &plain, &packed].map(|one| drive(house.door, std::slice::from_ref(one), SHORT).rate());
        let (plain, packed) = (rates[0].max(rates[2]), rates[1].max(rates[3]));
        let detail = format!("{plain:.0}/s plain, {packed:.0}/s packed");
        report.goal(&format!("{what}: cost"), plain / packed, Goal::AtMost(20.0), "times", detail);
    }
    let short = [get("/api/lotto/latest")];
    let idle = pace(house.door, &short, STEADY);
    let beside = beside_packing(house.door, || pace(house.door, &short, STEADY));
    let detail = format!("idle {:.2} ms, beside {:.2} ms", idle.within(0.99), beside.within(0.99));
    let ratio = beside.within(0.99) / idle.within(0.99);
    report.goal("99th percentile of short answers beside packing", ratio, Goal::AtMost(5.0), "times", detail);
    assert_eq!(idle.failures + beside.failures, 0);
}

fn packed(path: &str) -> Vec<u8> {
    let request = String::from_utf8(get(path)).unwrap();
    request.replacen("Accept:", "Accept-Encoding: gzip\r\nAccept:", 1).into_bytes()
}

/// Runs `measure` while two callers ask without a pause for what must be packed each time.
fn beside_packing<T>(door: SocketAddr, measure: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    one_by_one(door, &[packed(LONG[1].1)], 20);
                }
            });
        }
        let measured = measure();
        stop.store(true, Ordering::Relaxed);
        measured
    })
}
