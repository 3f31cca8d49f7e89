//! Powers with one home each: what time it is, the environment, beginning a task or a thread. Clippy keeps them
//! (`clippy.toml`); here it is seen to do so, and nobody but the homes lifts its lint.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::tree::Tree;

/// What clippy must refuse, each with code that uses it.
const BANNED: [(&str, &str); 20] = [
    ("chrono::Utc::now", "chrono::Utc::now();"),
    ("chrono::Local::now", "chrono::Local::now();"),
    ("std::time::SystemTime::now", "std::time::SystemTime::now();"),
    ("std::time::SystemTime::elapsed", "std::time::SystemTime::UNIX_EPOCH.elapsed();"),
    ("std::env::var", "std::env::var(\"HOME\");"),
    ("std::env::var_os", "std::env::var_os(\"HOME\");"),
    ("std::env::vars", "std::env::vars();"),
    ("std::env::vars_os", "std::env::vars_os();"),
    ("tokio::spawn", "tokio::spawn(async {});"),
    ("tokio::task::spawn", "tokio::task::spawn(async {});"),
    ("tokio::task::spawn_local", "tokio::task::spawn_local(async {});"),
    ("tokio::runtime::Handle::spawn", "tokio::runtime::Handle::current().spawn(async {});"),
    ("tokio::runtime::Runtime::spawn", "tokio::runtime::Runtime::new().unwrap().spawn(async {});"),
    ("tokio::task::spawn_blocking", "tokio::task::spawn_blocking(|| ());"),
    ("tokio::runtime::Handle::spawn_blocking", "tokio::runtime::Handle::current().spawn_blocking(|| ());"),
    ("tokio::runtime::Runtime::spawn_blocking", "tokio::runtime::Runtime::new().unwrap().spawn_blocking(|| ());"),
    ("rayon::spawn", "rayon::spawn(|| ());"),
    ("rayon::ThreadPool::spawn", "rayon::ThreadPoolBuilder::new().build().unwrap().spawn(|| ());"),
    ("std::thread::spawn", "std::thread::spawn(|| ());"),
    ("std::thread::Builder::spawn", "std::thread::Builder::new().spawn(|| ());"),
];

/// The homes, and how often each lifts the lint.
const HOMES: [(&str, usize); 6] = [
    ("src/appliance/http_workers.rs", 1),
    ("src/base/clock.rs", 1),
    ("src/platform/blocking.rs", 2),
    ("src/platform/compute/local.rs", 1),
    ("src/platform/config/sources.rs", 1),
    ("src/platform/store/file/writer.rs", 1),
];

/// Crates that do not take the lints of the workspace, and files that lift the lint without being a home.
pub fn lifted(manifests: &Tree, source: &Tree) -> Vec<String> {
    let takes = |text: &str| text.replace(' ', "").contains("[lints]\nworkspace=true");
    let without = manifests.files().filter(|(_, text)| !takes(text));
    let mut found: Vec<String> =
        without.map(|(file, _)| format!("{file} does not take the workspace's lints")).collect();
    for (file, text) in source.files() {
        // Tests may: `cfg_attr(test, …)`.
        let product = text.lines().filter(|line| !line.contains("cfg_attr(test"));
        let product = product.collect::<Vec<_>>().join("\n");
        let count = product.matches("clippy::disallowed_methods").count();
        let home = HOMES.iter().find(|(home, _)| *home == file).map_or(0, |(_, count)| *count);
        if count != home {
            found.push(format!("{file} lifts `clippy::disallowed_methods` {count} times, not {home}"));
        }
        let whole = ["clippy::all", "clippy::style", "(warnings)"].into_iter().filter(|lint| product.contains(lint));
        found.extend(whole.map(|lint| format!("{file} lifts {lint} as a whole")));
    }
    found
}

/// What clippy, with `settings`, does not refuse in code that does all of it.
pub fn unrefused(settings: &str) -> Vec<String> {
    let planted = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted");
    fs::create_dir_all(planted.join("src")).unwrap();
    let version = |library: &str| {
        let lock = include_str!("../../Cargo.lock");
        let behind =
            lock.split(&format!("name = \"{library}\"\nversion = \"")).nth(1).expect("a library of this house");
        behind.split('"').next().unwrap_or_default().to_owned()
    };
    let manifest = format!(
        "[package]\nname = \"planted\"\nedition = \"2024\"\n[dependencies]\nchrono = {{ version = \"={}\", \
         default-features = false, features = [\"clock\"] }}\ntokio = {{ version = \"={}\", default-features = false, \
         features = [\"rt\", \"rt-multi-thread\"] }}\nrayon = \"={}\"\n[workspace]\n",
        version("chrono"),
        version("tokio"),
        version("rayon")
    );
    let lines: Vec<String> = BANNED.iter().map(|(_, code)| format!("    let _ = {code}")).collect();
    fs::write(planted.join("Cargo.toml"), manifest).unwrap();
    fs::write(planted.join("Cargo.lock"), include_str!("../../Cargo.lock")).unwrap();
    fs::write(planted.join("clippy.toml"), settings).unwrap();
    fs::write(planted.join("src/main.rs"), format!("fn main() {{\n{}\n}}\n", lines.join("\n"))).unwrap();
    let mut clippy = Command::new("cargo");
    clippy.args(["clippy", "--offline", "--quiet", "--message-format", "short"]).current_dir(&planted);
    let ran = clippy.env("CARGO_TARGET_DIR", planted.join("target")).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    let is_refused = |line: usize| {
        said.lines().any(|said| said.contains(&format!("main.rs:{line}:")) && said.contains("disallowed"))
    };
    let unrefused = BANNED.iter().enumerate().filter(|(place, _)| !is_refused(place + 2));
    unrefused.map(|(_, (path, _))| format!("{path} is not refused")).collect()
}

/// What lets somebody in, or leaves somebody alone, by how long ago something was.
const MEASURING: [&str; 3] = ["fn admit(", "fn left(", "fn left_alone_for("];
/// Rows that say until when they hold. They outlive the process, as no moment does; each has a check against a clock that
/// ran ahead.
const KEPT_UNTIL: [&str; 1] = ["src/platform/chat/row.rs"];

/// Spans of time that the platform holds in memory by the clock on the wall, which somebody sets, and not by moments.
pub fn by_the_wall_clock(source: &Tree) -> Vec<String> {
    let is_instant = |kind: &str| kind.trim_start_matches("Option<").starts_with("DateTime<Utc>");
    let holds = |line: &str| {
        let field = line.split_once(": ").filter(|(name, _)| name.ends_with("until") && !name.contains('('));
        field.is_some_and(|(_, kind)| is_instant(kind))
    };
    let mut found = Vec::new();
    for (file, text) in source.files() {
        for (number, line) in (1..).zip(text.lines()) {
            let measures = MEASURING.iter().any(|begins| line.contains(begins)) && line.contains("DateTime<Utc>");
            let is_held = file.starts_with("src/platform/") && !KEPT_UNTIL.contains(&file);
            if measures || (holds(line) && is_held) {
                found.push(format!("{file}:{number} measures a span by a clock that is set; use `base::Moment`"));
            }
        }
    }
    found
}

mod plants {
    use super::*;

    #[test]
    fn a_span_by_a_clock_that_is_set_is_caught() {
        let caught = |line| by_the_wall_clock(&Tree::of(&[("src/platform/auth/guesses.rs", line)])).len();
        let by_instants = [
            "    pub fn admit(&self, address: IpAddr, now: DateTime<Utc>) -> Result<()> {",
            "    pub(super) fn left(&self, key: &K, now: DateTime<Utc>) -> Option<i64> {",
            "    pub open_until: Option<DateTime<Utc>>,",
            "    until: DateTime<Utc>,",
        ];
        assert_eq!(by_instants.map(caught), [1; 4]);
        let others = [
            "    pub fn admit(&self, address: IpAddr, now: Moment) -> Result<()> {",
            "    pub open_until: Option<Moment>,",
            "pub fn remove_done(tx: &WriteTx, until: Option<DateTime<Utc>>) -> Result<u64> {",
            "    pub created_at: DateTime<Utc>,",
        ];
        assert_eq!(others.map(caught), [0; 4]);
    }

    #[test]
    fn a_crate_without_the_lints_and_a_file_that_lifts_one_are_caught() {
        let manifests = Tree::of(&[("a", "[lints]\nworkspace = true\n"), ("b", "[package]\n")]);
        let lifts = "#[allow(clippy::disallowed_methods, reason = \"quick\")]\nfn now() {}";
        let all = "#![allow(clippy::all)]";
        let in_tests = "#![cfg_attr(test, allow(clippy::disallowed_methods, reason = \"tests\"))]";
        let source = Tree::of(&[("src/ops/mod.rs", lifts), ("src/site/mod.rs", all), ("src/base/mod.rs", in_tests)]);
        let found = lifted(&manifests, &source);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("b ") && found[1].starts_with("src/ops/mod.rs"), "{found:?}");
    }

    #[test]
    fn each_power_that_is_not_banned_is_caught() {
        let settings = include_str!("../../clippy.toml");
        let without: String = settings
            .lines()
            .filter(|line| !line.contains("\"tokio::task::spawn_blocking\""))
            .collect::<Vec<_>>()
            .join("\n");
        assert_eq!(unrefused(&without), ["tokio::task::spawn_blocking is not refused"]);
        assert_eq!(unrefused(settings), [""; 0]);
    }
}
