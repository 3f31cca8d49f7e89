//! How the cost of a request grows with the data: ten, a hundred and a thousand times the purchases and todos.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::client::{get, one_by_one, post, with_body};
use crate::data;
use crate::house::{House, fresh_folder};
use crate::report::{Goal, Report};

/// Purchases, and as many todos, at each step.
const SIZES: [u64; 4] = [200, 2_000, 20_000, 200_000];
/// How often each request is sent by one caller, without a queue.
const TIMES: usize = 300;
/// The same for requests that add rows, so that they do not become the data.
const TIMES_ADDING: usize = 40;
/// A request on a thousand times the data may take so many times as long; its logarithm grows by 2.3.
const MOST: f64 = 3.0;

/// Measures every request that reads or writes purchases and todos at each size, and draws the chart.
pub fn run(report: &mut Report, binary: &Path) {
    let house = House::open(binary, &fresh_folder("growth").join("data"));
    let door = house.door;
    let mut rows: Vec<(&str, Vec<f64>)> = requests(1).into_iter().map(|(what, _)| (what, Vec::new())).collect();
    let mut filled = 0;
    for size in SIZES {
        data::add_purchases(door, "/api/lotto/purchase", filled..size);
        data::add_todos(door, filled..size);
        filled = size;
        for ((what, medians), (_, requests)) in rows.iter_mut().zip(requests(size)) {
            let adds = requests[0].starts_with(b"POST");
            let outcome = one_by_one(door, &requests, if adds { TIMES_ADDING } else { TIMES });
            assert_eq!(outcome.failures, 0, "{what}");
            medians.push(outcome.within(0.5));
        }
    }
    let sizes = SIZES.map(|size| format!("{size} of each")).join(" | ");
    println!("\n| median, one caller, ms | {sizes} |\n|---|---|---|---|---|");
    for (what, medians) in &rows {
        let cells: Vec<String> = medians.iter().map(|median| format!("{median:.3}")).collect();
        println!("| {what} | {} |", cells.join(" | "));
    }
    report.begin("Growth from 200 to 200,000 of each");
    for (what, medians) in &rows {
        let growth = medians[medians.len() - 1] / medians[0];
        report.goal(what, growth, Goal::AtMost(MOST), "times", String::new());
    }
    let chart = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/growth.svg");
    std::fs::write(chart, draw(&rows)).unwrap();
}

/// What is asked at a size of `size`.
pub fn requests(size: u64) -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let page = |path: &str| vec![get(path)];
    let change = |path: &str, body: &Value| vec![with_body("PUT", path, "", &body.to_string())];
    let note = serde_json::json!({"note": "바꾼 쪽지"});
    let middle = (size / 2).max(1);
    let newest = data::draws().last().map_or(1, |draw| draw.draw_no);
    vec![
        ("purchases, first 30", page("/api/lotto/purchase?limit=30")),
        // One row, because at the smallest size most draws have no more.
        ("purchases of one draw, the newest", page(&format!("/api/lotto/purchase?limit=1&draw_no={newest}"))),
        ("purchases of the last 30 days, first 30", page("/api/lotto/purchase?limit=30&days=30")),
        ("purchases, 30 from the middle", page(&format!("/api/lotto/purchase?limit=30&offset={middle}"))),
        ("purchase statistics", page("/api/lotto/purchase/stats")),
        ("own pattern", page("/api/lotto/analysis/personal")),
        ("write a purchase down", data::posts("/api/lotto/purchase", (0..200).map(data::purchase))),
        ("change a purchase", change(&format!("/api/lotto/purchase/{middle}"), &note)),
        ("todos, first 30", page("/api/todos?limit=30")),
        ("todos, 30 from the middle", page(&format!("/api/todos?limit=30&offset={middle}"))),
        ("add a todo", data::posts("/api/todos", (0..200).map(data::todo))),
        ("change a todo", change(&format!("/api/todos/{middle}"), &note)),
        ("clear finished todos (none is)", vec![with_body("DELETE", "/api/todos/done", "", "")]),
        ("today", page("/api/today")),
        ("latest draw", page("/api/lotto/latest")),
        ("recommend", page("/api/lotto/recommend")),
        ("simulate 20,000", vec![post("/api/admin/simulate?n_candidates=20000", "")]),
        ("ready", page("/health/ready")),
        ("metrics", page("/metrics")),
    ]
}

/// Both axes logarithmic: what grows in proportion rises by one square for each, what does not stays level.
fn draw(rows: &[(&str, Vec<f64>)]) -> String {
    const SQUARE: f64 = 150.0;
    let (left, top, bottom_ms) = (70.0, 30.0, 0.01f64);
    let decades = 4.0;
    let x = |step: usize| left + SQUARE * step as f64;
    let y = |ms: f64| top + SQUARE * (decades - (ms / bottom_ms).log10()).clamp(0.0, decades);
    let (right, bottom) = (x(SIZES.len() - 1), y(bottom_ms));
    let height = (bottom + 50.0).max(top + 24.0 * rows.len() as f64 + 20.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        right + 330.0
    );
    for (step, size) in SIZES.iter().enumerate() {
        let at = x(step);
        let _ = writeln!(svg, "<path d=\"M{at} {top}V{bottom}\" stroke=\"#ddd\"/>");
        let _ = writeln!(svg, "<text x=\"{at}\" y=\"{}\" text-anchor=\"middle\">{size}</text>", bottom + 20.0);
    }
    for ms in [0.01, 0.1, 1.0, 10.0, 100.0] {
        let at = y(ms);
        let _ = writeln!(svg, "<path d=\"M{left} {at}H{right}\" stroke=\"#ddd\"/>");
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{ms} ms</text>", left - 8.0, at + 4.0);
    }
    let middle = (left + right) / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">purchases, and as many todos</text>",
        bottom + 40.0
    );
    for (number, (what, medians)) in rows.iter().enumerate() {
        let colour = format!("hsl({} 70% 40%)", number * 360 / rows.len());
        let dash = ["", "6 3", "2 3"][number % 3];
        let points: Vec<String> =
            medians.iter().enumerate().map(|(step, ms)| format!("{:.1},{:.1}", x(step), y(*ms))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>",
            points.join(" ")
        );
        let (from, line) = (right + 20.0, top + 24.0 * number as f64);
        let _ = writeln!(
            svg,
            "<path d=\"M{from} {line}h30\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>\
             <text x=\"{}\" y=\"{}\">{what}</text>",
            from + 38.0,
            line + 4.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}
