//! Tries one address by hand: `speed load ADDRESS GET PATH` or `speed load ADDRESS POST PATH BODY`,
//! for profiling a server that runs already.

use std::time::Duration;

use crate::client::{self, Loop, drive};

/// Sixteen connections for five seconds.
pub const USUAL: Loop = Loop { connections: 16, warm: Duration::from_secs(1), counted: Duration::from_secs(5) };

/// Prints rate and latencies.
pub fn run(words: &[String]) {
    let [address, method, path, rest @ ..] = words else { panic!("speed load ADDRESS METHOD PATH [BODY]") };
    let request = match method.as_str() {
        "GET" => client::get(path),
        _ => client::with_body(method, path, "", rest.first().map_or("", String::as_str)),
    };
    let outcome = drive(address.parse().unwrap(), &[request], USUAL);
    println!(
        "{:.0}/s, p50 {:.3} ms, p99 {:.3} ms, {} failures, {} bytes",
        outcome.rate(),
        outcome.within(0.5),
        outcome.within(0.99),
        outcome.failures,
        outcome.body_bytes
    );
}
