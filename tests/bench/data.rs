//! The data that every server gets alike: draws that were held, and purchases of a busy household.

use std::net::SocketAddr;

use hanok::calc::lottery::import::built_in;
use hanok::calc::lottery::random::SplitMix64;
use hanok::calc::lottery::{Draw, Numbers};
use serde_json::{Value, json};

use crate::client::{post, send_all};

/// Draws over which purchases are spread.
const DRAWS: usize = 300;

/// A purchase of two games in one of the newest draws that are known. The same number gives the same purchase.
pub fn purchase(number: u64) -> Value {
    let newest = built_in().last().map_or(1, |draw| draw.draw_no);
    let mut random = SplitMix64::new(number);
    let sets: [Numbers; 2] = [random.numbers(), random.numbers()];
    let draw_no = newest - (number % DRAWS as u64) as u32;
    json!({"draw_no": draw_no, "sets": sets, "note": format!("{number}번째, 퇴근길 편의점에서")})
}

/// A todo; every third one is due on some day of 2026.
pub fn todo(number: u64) -> Value {
    let due = number.is_multiple_of(3).then(|| format!("2026-{:02}-{:02}", number % 12 + 1, number % 28 + 1));
    json!({"title": format!("우유 사기 {number}"), "note": "저녁 여섯 시 전에", "due": due})
}

/// Requests that write `bodies` down.
pub fn posts(path: &str, bodies: impl Iterator<Item = Value>) -> Vec<Vec<u8>> {
    bodies.map(|body| post(path, &body.to_string())).collect()
}

/// Adds the purchases of these numbers and says that none was refused.
pub fn add_purchases(door: SocketAddr, path: &str, numbers: std::ops::Range<u64>) {
    let wanted = (numbers.end - numbers.start) as usize;
    assert_eq!(send_all(door, posts(path, numbers.map(purchase)), 64), wanted, "purchases were refused");
}

/// Adds the todos of these numbers.
pub fn add_todos(door: SocketAddr, numbers: std::ops::Range<u64>) {
    let wanted = (numbers.end - numbers.start) as usize;
    assert_eq!(send_all(door, posts("/api/todos", numbers.map(todo)), 64), wanted, "todos were refused");
}

/// Every draw that ships with the program.
pub fn draws() -> &'static [Draw] {
    built_in()
}
