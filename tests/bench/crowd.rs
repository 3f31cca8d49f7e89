//! How long a writer waits beside a hundred large bodies that are refused, alone first and then with so many in flight all
//! the time.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::client::{Pace, pace, with_body};
use crate::data;
use crate::house::{House, fresh_folder};
use crate::report::{Goal, Report};

/// Bodies in flight at once.
const BODIES: usize = 100;
/// About as long as a body may be.
const BYTES: usize = 1_000_000;
/// The writers, whose pace leaves the machine idle.
const STEADY: Pace = Pace { connections: 4, every: Duration::from_millis(20), time: Duration::from_secs(10) };
/// Within which 99 of 100 writes beside them are answered, in milliseconds.
const WRITER: f64 = 100.0;

/// Measures writers alone, and beside bodies of wrong numbers and of many fields.
pub fn run(report: &mut Report, binary: &Path) {
    report.begin("Beside a crowd of large bodies");
    let house = House::open(binary, &fresh_folder("crowd").join("data"));
    let writes = data::posts("/api/todos", (0..500).map(data::todo));
    let alone = pace(house.door, &writes, STEADY);
    let numbers = format!("{{\"sets\":[[{}0]]}}", "0,".repeat(BYTES / 2 - 10));
    let fields = format!("{{{}\"\":0}}", "\"\":0,".repeat(BYTES / 5 - 2));
    for (what, path, body) in [("wrong numbers", "/api/lotto/purchase", numbers), ("fields", "/api/todos", fields)] {
        let request = with_body("POST", path, "Connection: close\r\n", &body);
        let (beside, crowd) = beside_a_crowd(house.door, request, || pace(house.door, &writes, STEADY));
        let [refused, without_room, cut] =
            [&crowd.refused, &crowd.without_room, &crowd.cut].map(|count| count.load(Ordering::Relaxed));
        let detail = format!(
            "alone {:.2} ms, beside {:.2} ms (median {:.2} and {:.2} ms); meanwhile {refused} bodies were refused, \
             {without_room} found no room, {cut} were cut off",
            alone.within(0.99),
            beside.within(0.99),
            alone.within(0.5),
            beside.within(0.5)
        );
        let figure = format!("99th percentile of a writer beside {BODIES} bodies of {what}");
        report.goal(&figure, beside.within(0.99), Goal::AtMost(WRITER), "ms", detail);
        assert!(refused > 0, "nobody read a body");
        assert_eq!(alone.failures + beside.failures, 0);
    }
}

/// What became of the bodies.
#[derive(Default)]
struct Crowd {
    ends: AtomicBool,
    /// Their fields were looked at, and refused.
    refused: AtomicU64,
    without_room: AtomicU64,
    /// Without an answer that could be read.
    cut: AtomicU64,
}

/// Runs `measure` while a hundred callers on a thread of their own send `request`, each again as soon as it is answered.
fn beside_a_crowd<T>(door: SocketAddr, request: Vec<u8>, measure: impl FnOnce() -> T) -> (T, Arc<Crowd>) {
    let (crowd, request) = (Arc::new(Crowd::default()), Arc::new(request));
    let measured = std::thread::scope(|scope| {
        scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(send_on(door, &request, &crowd));
        });
        let measured = measure();
        crowd.ends.store(true, Ordering::Relaxed);
        measured
    });
    (measured, crowd)
}

async fn send_on(door: SocketAddr, request: &Arc<Vec<u8>>, crowd: &Arc<Crowd>) {
    let mut callers = JoinSet::new();
    for _ in 0..BODIES {
        let (request, crowd) = (Arc::clone(request), Arc::clone(crowd));
        callers.spawn(async move {
            while !crowd.ends.load(Ordering::Relaxed) {
                let count = match send(door, &request).await {
                    Some(422) => &crowd.refused,
                    Some(429) => &crowd.without_room,
                    None => &crowd.cut,
                    Some(other) => panic!("{other} is neither a refusal nor that there is no room"),
                };
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    while let Some(one) = callers.join_next().await {
        one.unwrap();
    }
}

/// The status of the answer, on a connection of its own. Who is answered before the end may be cut off.
async fn send(door: SocketAddr, request: &[u8]) -> Option<u16> {
    let mut stream = TcpStream::connect(door).await.ok()?;
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    str::from_utf8(answer.get(9..12)?).ok()?.parse().ok()
}
