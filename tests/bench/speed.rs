//! How fast the product is. `README.md` tells what is measured and how, `RESULTS.md` what came out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "what cannot be measured must stop the measuring"
)]

mod analytics;
mod bare;
mod before;
mod beside;
mod client;
mod crowd;
mod data;
mod growth;
mod house;
mod kernel;
mod load;
mod memory;
mod packed;
mod peers;
mod report;
mod screener;
mod search;
mod servers;
mod site;
mod start;
mod writes;

use std::path::PathBuf;

use report::Report;

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let part = words.next().unwrap_or_default();
    let rest: Vec<String> = words.collect();
    let mut report = Report::default();
    match part.as_str() {
        "kernel" => kernel::run(&mut report),
        "writes" => writes::run(&mut report),
        "start" => start::run(&mut report, &binary()),
        "memory" => memory::run(&mut report, &binary()),
        "beside" => beside::run(&mut report, &binary()),
        "crowd" => crowd::run(&mut report, &binary()),
        "growth" => growth::run(&mut report, &binary()),
        "packed" => packed::run(&mut report, &binary()),
        "peers" => peers::run(&mut report, &binary()),
        "site" => site::run(&mut report, &binary()),
        "search" => search::run(&mut report, &binary()),
        "analytics" => analytics::run(&mut report),
        "screener" => screener::run(&mut report, &binary()),
        "bare" => bare::run(&mut report, &binary()),
        "before" => before::run(&mut report, &before(), &binary()),
        "load" => load::run(&rest),
        "answer" => bare::answer(&rest),
        other => panic!("there is no part {other:?}; see tests/bench/README.md"),
    }
    std::process::exit(i32::from(report.missed() > 0));
}

/// The release binary of an earlier commit.
fn before() -> PathBuf {
    named("BENCH_BEFORE").expect("BENCH_BEFORE names the release binary of before")
}

/// The release binary, as `tests/bench/run` has built it.
fn binary() -> PathBuf {
    named("BENCH_BINARY").expect("BENCH_BINARY names the release binary")
}

/// The file that the environment names, from anywhere: a house runs in its own folder.
fn named(variable: &str) -> Option<PathBuf> {
    std::fs::canonicalize(std::env::var_os(variable)?).ok()
}
