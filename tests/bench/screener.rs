//! The screener over 2,500 stocks of 500 days through ten rules, on one core, beside the same in pandas over the same table.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

use chrono::{Days, NaiveDate};
use serde_json::{Value, json};

use crate::client::{ask, one_by_one, post};
use crate::house::{House, fresh_folder, on_core};
use crate::report::{Goal, Report};
use crate::servers;

/// The core on which both work, in turn.
const CORE: usize = 0;
const STOCKS: u64 = 2_500;
const DAYS: usize = 500;
/// Runs of each; the median counts.
const TIMES: usize = 20;
/// What a run may take once the series are in memory, in milliseconds.
const MOST: f64 = 100.0;

/// Measures a run and its twin.
pub fn run(report: &mut Report, binary: &Path) {
    report.begin("2,500 stocks of 500 days through ten rules, on one core");
    let folder = fresh_folder("screener");
    let table = folder.join("bars.csv");
    write_table(&table);
    let data = folder.join("data");
    let house = House::open_on(CORE, binary, &data);
    let import = Command::new(binary).args(["screener", "import"]).arg(&table).arg("--data-dir").arg(&data).output();
    let import = import.unwrap();
    assert!(import.status.success(), "{}", String::from_utf8_lossy(&import.stderr));
    let request = post("/api/stock/screener/run", &rules().to_string());
    let (status, answer) = ask(house.door, &request);
    assert_eq!(status, 201, "{answer}");
    let passed = serde_json::from_str::<Value>(&answer).unwrap()["passed"].clone();
    let ours = one_by_one(house.door, &[request], TIMES);
    assert_eq!(ours.failures, 0);
    let ours = ours.within(0.5);
    let (theirs, their_passed) = twin(&table);
    assert_eq!(passed.to_string(), their_passed, "both judge alike");
    report.goal(
        "a run, asked for, written down and answered",
        ours,
        Goal::AtMost(MOST),
        "ms",
        format!("{passed} pass"),
    );
    report.line("the same rules in pandas, computed alone", format!("{theirs:.1} ms ({their_passed} pass)"));
    report.line("pandas against a run", format!("{:.1} times", theirs / ours));
    report.line("memory with the series", format!("{:.0} MB", house.resident()));
}

/// Ten rules that need every kind of series.
fn rules() -> Value {
    let nodes = [
        ("market", json!({})),
        ("price", json!({"minimum": 1_000})),
        ("market_cap", json!({"minimum": 100})),
        ("liquidity", json!({"days": 20, "minimum": 100})),
        ("ma_position", json!({"days": 60})),
        ("momentum", json!({"days": 60, "minimum": 0})),
        ("rsi", json!({"days": 14, "minimum": 30, "maximum": 80})),
        ("macd", json!({"state": "above_signal"})),
        ("bollinger", json!({"days": 20, "minimum": 0, "maximum": 120})),
        ("atr", json!({"days": 14, "maximum": 20})),
    ];
    let nodes: Vec<Value> =
        nodes.into_iter().map(|(node, parameters)| json!({"node": node, "parameters": parameters})).collect();
    json!({"name": "bench", "nodes": nodes, "limit": 100})
}

/// Bars that walk at random, the same each time, in the columns of marcap.
fn write_table(path: &Path) {
    let mut to = BufWriter::new(File::create(path).unwrap());
    writeln!(to, "Date,Code,Name,Market,Close,ChangeCode,Changes,Open,High,Low,Volume,Amount,Stocks").unwrap();
    let mut seed = 1u64;
    let mut random = move |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % most) as i64
    };
    let first = NaiveDate::from_ymd_opt(2025, 1, 1).unwrap();
    let mut closes: Vec<i64> = (0..STOCKS).map(|_| 2_000 + random(80_000)).collect();
    for day in first.iter_days().take(DAYS) {
        debug_assert!(day < first + Days::new(DAYS as u64));
        for (number, close) in closes.iter_mut().enumerate() {
            let before = *close;
            *close = (before + before * (random(601) - 300) / 10_000).max(500);
            let (open, high, low) = (before, before.max(*close) + 10, before.min(*close) - 10);
            let volume = 10_000 + random(1_000_000);
            let (change, amount) = (*close - before, *close * volume);
            let code = if change < 0 { 2 } else { 1 };
            writeln!(
                to,
                "{day},{number:06},stock {number},KOSPI,{close},{code},{change},{open},{high},{low},{volume},{amount},10000000"
            )
            .unwrap();
        }
    }
    to.flush().unwrap();
}

/// Milliseconds of the twin, and how many pass.
fn twin(table: &Path) -> (f64, String) {
    let mut command = on_core(CORE, &servers::programs().join("python"));
    let done =
        command.arg(servers::peers().join("screener_pandas.py")).arg(table).arg(TIMES.to_string()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let (time, passed) = said.trim().split_once(' ').expect("milliseconds and how many pass");
    (time.parse().unwrap(), passed.to_owned())
}
