//! The lottery kernel: how near it is to a bare loop, what a second core brings, and what a sample costs.

use std::hint::black_box;
use std::time::{Duration, Instant};

use hanok::base::Clock;
use hanok::calc::lottery::import::built_in;
use hanok::calc::lottery::odds::TOTAL_COMBINATIONS;
use hanok::calc::lottery::scoring::Terms;
use hanok::calc::lottery::{CoWinners, History, Parameters, Search};
use hanok::ops::lottery::SearchWork;
use hanok::platform::compute::Compute;
use hanok::platform::config::Config;
use hanok::platform::upstream::Upstreams;

use crate::report::{Goal, Report};

/// Measures the kernel.
pub fn run(report: &mut Report) {
    report.begin("The lottery kernel");
    let draws = built_in();
    let history = History::of(draws);
    let scoring = Terms::new(&history, &Parameters::default(), &CoWinners::fit(draws)).scoring();
    let sample = Search { scoring, exclude: 0, seed: 42, candidates: 20_000, top_k: 100 };
    let exact = Search { candidates: TOTAL_COMBINATIONS, ..sample.clone() };

    let bare = fastest(30, || bare_loop(black_box(&exact.scoring.numbers)));
    let one = fastest(30, || exact.run());
    report.line("bare loop over 8,145,060 combinations, six weights", format!("{bare:.2} ms"));
    report.goal(
        "exact, full score, top 100, against it",
        one / bare,
        Goal::AtMost(3.0),
        "times",
        format!("{one:.2} ms"),
    );

    let host = |workers| {
        let mut config = Config::default();
        config.compute.workers = workers;
        let upstream = Upstreams::new(&config.upstream, Clock::system()).unwrap();
        Compute::new(&config.compute, &upstream).unwrap()
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let on =
        |compute: &Compute| fastest(40, || runtime.block_on(compute.run(SearchWork(exact.clone()))).unwrap().answer);
    let (alone, pair) = (host(1), host(2));
    let (on_one, on_two) = (on(&alone), on(&pair));
    let detail = format!("{on_one:.2} ms, {on_two:.2} ms through the compute host");
    let limit = Config::default().compute.timeout_seconds as f64;
    let within = format!("{on_one:.2} ms, one core");
    report.goal("exact through the compute host, within its limit", on_one / 1e3, Goal::AtMost(limit), "s", within);
    report.goal("exact on two cores against one", on_one / on_two, Goal::AtLeast(1.8), "times", detail);

    let drawn = fastest(200, || sample.run());
    report.goal("Monte Carlo, 20,000 candidates, top 100", drawn, Goal::AtMost(5.0), "ms", "one core".to_owned());
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

/// The shortest time of `runs` runs, in milliseconds: what the work costs when nobody interferes.
pub fn fastest<T>(runs: usize, work: impl Fn() -> T) -> f64 {
    let mut shortest = Duration::MAX;
    for _ in 0..runs {
        let begun = Instant::now();
        black_box(work());
        shortest = shortest.min(begun.elapsed());
    }
    shortest.as_secs_f64() * 1e3
}
