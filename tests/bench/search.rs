//! Finding by words among a hundred thousand notes of some forty words, most of them Korean. Words are as frequent as in a
//! language (Zipf's law): the one in place `n` comes up `1/n` as often as the first, and those that are asked for are among
//! the sixty most frequent.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use hanok::calc::lottery::random::SplitMix64;
use serde_json::{Value, json};

use crate::client::{ask, drive, get, post, send_all, with_query};
use crate::data;
use crate::house::{House, fresh_folder};
use crate::load::USUAL;
use crate::report::{Goal, Report};

const NOTES: u64 = 100_000;
/// After so long without a write the index is of one piece, and the house at rest.
const TIDIED_UP: Duration = Duration::from_secs(45);
/// How many words the language has.
const LANGUAGE: f64 = 30_000.0;
/// Its most frequent words, in their order; the others are made of `SYLLABLES`.
const WORDS: [&str; 60] = [
    "오늘",
    "아침",
    "집",
    "아이",
    "학교",
    "회사",
    "점심",
    "저녁",
    "주말",
    "가족",
    "엄마",
    "아빠",
    "친구",
    "전화",
    "예약",
    "병원",
    "약국",
    "시장",
    "김치",
    "두부",
    "우유",
    "빵",
    "커피",
    "고양이",
    "강아지",
    "산책",
    "운동",
    "자전거",
    "자동차",
    "보험",
    "갱신",
    "서류",
    "영수증",
    "은행",
    "이체",
    "월세",
    "관리비",
    "전기",
    "수도",
    "가스",
    "점검",
    "청소",
    "빨래",
    "화분",
    "베란다",
    "텃밭",
    "상추",
    "토마토",
    "여행",
    "비행기",
    "제주도",
    "한라산",
    "사진",
    "앨범",
    "생일",
    "선물",
    "backup",
    "restore",
    "server",
    "disk",
];
const SYLLABLES: [char; 40] = [
    '가', '고', '구', '기', '나', '노', '다', '도', '두', '라', '로', '리', '마', '모', '무', '미', '바', '보', '부',
    '비', '사', '소', '수', '시', '아', '오', '우', '이', '자', '조', '주', '지', '차', '초', '카', '타', '파', '하',
    '호', '희',
];
const PARTICLES: [&str; 10] = ["을", "를", "이", "가", "은", "는", "에", "에서", "으로", "까지"];
/// As people type: a word, with a particle, two words, a compound, initial consonants, half of a word, one mistyped.
const ASKED: [&str; 16] = [
    "보험",
    "보험을",
    "자동차 보험",
    "자동차보험",
    "ㅂㅎ",
    "한라산에서",
    "제주도 여행",
    "토마토",
    "빵",
    "back",
    "restroe",
    "관리비 영수증",
    "고양이 병원 예약",
    "ㅎㄹㅅ",
    "server disk",
    "베란다화분",
];

/// Measures how soon and how fast notes are found, and what the index takes.
pub fn run(report: &mut Report, binary: &Path) {
    report.begin("Search among 100,000 notes");
    let house = House::open(binary, &fresh_folder("search").join("data"));
    let notes = data::posts("/api/todos", (0..NOTES).map(note));
    assert_eq!(send_all(house.door, notes, 64), NOTES as usize, "notes were refused");
    let written = Instant::now();
    let behind = until_taken(house.door, written);
    report.line("behind the last of 100,000 notes written at once", format!("{behind:.1} s"));
    let lags: Vec<f64> = (0..20).map(|number| found_after(house.door, number)).collect();
    let longest = lags.iter().copied().fold(0.0, f64::max);
    report.goal("a new note is found after, longest of 20", longest, Goal::AtMost(2.0), "s", String::new());
    // As a house is nearly always: what was written some time ago is tidied up.
    std::thread::sleep(TIDIED_UP);
    let requests: Vec<Vec<u8>> = ASKED.iter().map(|line| get(&address(line))).collect();
    let outcome = drive(house.door, &requests, USUAL);
    assert_eq!(outcome.failures, 0, "searches failed");
    let rate = format!("{:.0} a second, half within {:.1} ms", outcome.rate(), outcome.within(0.5));
    report.goal("99th percentile at 16 callers", outcome.within(0.99), Goal::AtMost(10.0), "ms", rate);
    for line in ASKED {
        let alone = drive(house.door, &[get(&address(line))], crate::client::Loop { connections: 1, ..USUAL });
        report.line(line, format!("{:.2} ms (half), {:.2} ms (99th)", alone.within(0.5), alone.within(0.99)));
    }
    std::thread::sleep(TIDIED_UP);
    let mapped = format!("{:.0} MB with the files that are mapped, program and index", house.resident());
    report.goal("memory at rest", house.own_memory(), Goal::AtMost(60.0), "MB", mapped);
    let state = state(house.door);
    report.line("the index", format!("{:.0} MB", state["bytes"].as_f64().unwrap_or(0.0) / 1e6));
}

/// A note of some forty words. The same number gives the same note.
pub fn note(number: u64) -> Value {
    let mut random = SplitMix64::new(number);
    let mut words = |most: u64| {
        let count = most / 2 + random.below(most / 2);
        let word = |_| {
            let word = word(random.below(1 << 32) as f64 / 2f64.powi(32));
            match random.below(3) {
                0 => format!("{word}{}", PARTICLES[random.below(10) as usize]),
                _ => word,
            }
        };
        (0..count).map(word).collect::<Vec<_>>().join(" ")
    };
    json!({"title": words(6), "note": words(60)})
}

/// The word of the language at this share of all that is said.
fn word(share: f64) -> String {
    let place = LANGUAGE.powf(share) as usize - 1;
    WORDS.get(place).map_or_else(|| made(place), |word| (*word).to_owned())
}

/// The word in this place, of three syllables.
fn made(place: usize) -> String {
    let mut random = SplitMix64::new(place as u64);
    (0..3).map(|_| SYLLABLES[random.below(SYLLABLES.len() as u64) as usize]).collect()
}

/// Where the house is asked for what `line` says.
pub fn address(line: &str) -> String {
    with_query("/api/search", &[("q", line)])
}

fn answer(door: SocketAddr, path: &str) -> Value {
    let (status, body) = ask(door, &get(path));
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).unwrap()
}

fn state(door: SocketAddr) -> Value {
    answer(door, "/api/system")["search"].clone()
}

/// Seconds since `written` until the index has taken everything.
pub fn until_taken(door: SocketAddr, written: Instant) -> f64 {
    while state(door)["waiting"] != 0 {
        std::thread::sleep(Duration::from_millis(50));
    }
    written.elapsed().as_secs_f64()
}

/// Seconds from the answer to a new note until it is found.
fn found_after(door: SocketAddr, number: u64) -> f64 {
    let word = format!("newcomer{number}x{}", number * 7_919);
    let (status, body) = ask(door, &post("/api/todos", &json!({"title": word}).to_string()));
    assert_eq!(status, 201, "{body}");
    let written = Instant::now();
    while answer(door, &address(&word))["total"] != 1 {}
    written.elapsed().as_secs_f64()
}
