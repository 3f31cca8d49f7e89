//! From the start of the process to both doors being open, and the memory it takes when nobody asks anything.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::data;
use crate::house::{House, fresh_folder};
use crate::report::{Goal, Report, median};

const STARTS: usize = 11;
/// The size of the store that counts as an existing one.
const LARGE: u64 = 100 << 20;

/// Measures starts, and memory at rest.
pub fn run(report: &mut Report, binary: &Path) {
    report.begin("Start, and memory at rest");
    let folder = fresh_folder("start");
    let first = median((0..STARTS).map(|number| opened_in(binary, &folder.join(format!("empty-{number}")))).collect());
    report.goal("start on an empty folder", first, Goal::AtMost(300.0), "ms", median_of(STARTS));

    let data = folder.join("large");
    let rows = fill(binary, &data);
    let again = median((0..STARTS).map(|_| opened_in(binary, &data)).collect());
    let size = fs::metadata(data.join("hanok.redb")).unwrap().len() >> 20;
    let detail = format!("{}, {rows} purchases, {size} MB", median_of(STARTS));
    report.goal("start on an existing folder", again, Goal::AtMost(150.0), "ms", detail);

    for (what, folder) in [("an empty folder", folder.join("empty-0")), ("the large folder", data)] {
        let house = House::open(binary, &folder);
        // The first seconds bring the first snapshot; at rest is after it.
        std::thread::sleep(Duration::from_secs(8));
        let what = format!("memory at rest, {what}");
        report.goal(&what, house.resident(), Goal::AtMost(40.0), "MB", "resident set after 8 s".to_owned());
    }
}

fn opened_in(binary: &Path, data: &Path) -> f64 {
    House::open(binary, data).opened_in.as_secs_f64() * 1e3
}

/// Writes purchases down until the closed store is large. Gives how many.
fn fill(binary: &Path, data: &Path) -> u64 {
    let mut rows = 0;
    loop {
        let house = House::open(binary, data);
        data::add_purchases(house.door, "/api/lotto/purchase", rows..rows + 40_000);
        rows += 40_000;
        drop(house);
        if fs::metadata(data.join("hanok.redb")).unwrap().len() >= LARGE {
            return rows;
        }
    }
}

fn median_of(starts: usize) -> String {
    format!("median of {starts} starts")
}
