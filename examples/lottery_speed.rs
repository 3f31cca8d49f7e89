//! How fast the lottery kernel is on one core of this machine.
//!
//! `cargo run --release --example lottery_speed` prints the fastest of several runs of: a bare loop
//! over all combinations that only adds six weights, the exact search with the full score, a sample of
//! 20,000, and the replay of every method over all draws.

use std::hint::black_box;
use std::time::{Duration, Instant};

use chrono::DateTime;
use hanok::calc::lottery::briefing::briefing;
use hanok::calc::lottery::combined::combined;
use hanok::calc::lottery::import::built_in;
use hanok::calc::lottery::odds::TOTAL_COMBINATIONS;
use hanok::calc::lottery::performance::replay;
use hanok::calc::lottery::scoring::Terms;
use hanok::calc::lottery::statistics::statistics;
use hanok::calc::lottery::{CoWinners, History, Parameters, Search};

fn main() {
    let started = Instant::now();
    let draws = built_in();
    println!("{:>9.3} ms  read {} draws", milliseconds(started.elapsed()), draws.len());
    let (fit, co_winners) = fastest(5, || CoWinners::fit(draws));
    println!("{fit:>9.3} ms  fit the co-winner model");
    let history = History::of(draws);
    let (build, terms) = fastest(20, || Terms::new(&history, &Parameters::default(), &co_winners));
    println!("{build:>9.3} ms  build the scoring");
    let search = Search { scoring: terms.scoring(), exclude: 0, seed: 42, candidates: 20_000, top_k: 100 };
    let (sample, _) = fastest(50, || search.run());
    println!("{sample:>9.3} ms  sample of 20,000, top 100");
    let weights: Vec<i32> = search.scoring.numbers.clone();
    let (bare, _) = fastest(20, || bare_loop(black_box(&weights)));
    println!("{bare:>9.3} ms  bare loop over all combinations");
    let search = Search { candidates: TOTAL_COMBINATIONS, ..search };
    let (exact, top) = fastest(20, || search.run());
    println!("{exact:>9.3} ms  exact, full score, top 100 ({:.2} times the bare loop)", exact / bare);
    let (combine, _) = fastest(5, || combined(&history, &co_winners, 1246, 42, DateTime::UNIX_EPOCH));
    println!("{combine:>9.3} ms  combined recommendation");
    let (compose, _) = fastest(5, || briefing(&history, &co_winners, 1246, 42, DateTime::UNIX_EPOCH));
    println!("{compose:>9.3} ms  briefing of twenty picks");
    let (count, _) = fastest(5, || statistics(draws));
    println!("{count:>9.3} ms  statistics");
    let (replayed, _) = fastest(3, || replay(draws));
    println!("{replayed:>9.3} ms  replay of six methods over {} draws", draws.len());
    println!("best: {} with {} points", top.best[0].numbers, top.best[0].points);
}

/// The largest sum of six weights over all combinations.
fn bare_loop(weights: &[i32]) -> i32 {
    let mut best = i32::MIN;
    for (a, wa) in weights.iter().enumerate() {
        for (b, wb) in weights.iter().enumerate().skip(a + 1) {
            for (c, wc) in weights.iter().enumerate().skip(b + 1) {
                for (d, wd) in weights.iter().enumerate().skip(c + 1) {
                    for (e, we) in weights.iter().enumerate().skip(d + 1) {
                        let five = wa + wb + wc + wd + we;
                        for wf in &weights[e + 1..] {
                            best = best.max(five + wf);
                        }
                    }
                }
            }
        }
    }
    best
}

/// The shortest time in milliseconds of `runs` runs, and the last result.
fn fastest<T>(runs: usize, work: impl Fn() -> T) -> (f64, T) {
    let mut shortest = Duration::MAX;
    let mut last = work();
    for _ in 0..runs {
        let started = Instant::now();
        last = black_box(work());
        shortest = shortest.min(started.elapsed());
    }
    (milliseconds(shortest), last)
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
