//! The guide "Add a domain" of `src/ARCHITECTURE.md`, followed to the letter: the template's folders are copied, the
//! lines that the guide shows are put in, and the house with the new domain is built, asked and checked: on an empty folder
//! and on one that an earlier version has left, by the domain's own tests, by the lints, by the rules of the structure and
//! by the callers that walk over every route.
//!
//! It builds a second house, so it is no part of a plain `cargo test`: `tests/prove template` runs it, and then
//! `tests/template/app.test.js` on what it has built, with the browser tests that look at every section, page and card.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where something is wrong")]
#![allow(clippy::disallowed_methods, reason = "what only the product must not do")]

#[path = "durability/http.rs"]
#[allow(dead_code, reason = "the durability tests need more of it")]
mod http;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use flate2::read::GzDecoder;
use serde_json::{Value, json};

use http::Caller;

/// More lines than this are too much for one domain.
const MOST_EDITED_LINES: usize = 8;

/// What is not copied: other people's work, and what is built.
const LEFT_OUT: [&str; 5] = [".git", "target", "node_modules", "dist", "generated"];

/// What of the tree is built and tested. With these the libraries are the ones that the whole workspace is tested with,
/// which `tests/prove` lays there before, and so are the crates of the house that have no line of the new domain.
const PACKAGES: [&str; 6] = ["-p", "hanok", "-p", "hanok-ops", "-p", "hanok-base"];
const BUILT: [&str; 6] = ["--test", "architecture", "--test", "api", "--test", "durability"];

/// The tests of the doors that look at every operation, command, setting and refusal there is. `places` runs by itself: it
/// begins processes, which hold for a moment what the tests beside it have open.
const WALKS: [&str; 9] = [
    "changes::",
    "document",
    "headers::",
    "hostile::",
    "odd::",
    "packed::",
    "refusals::",
    "settings::",
    "threads::no_change",
];

/// The data folder of a house without the domain.
const EARLIER: &str = "tests/durability/fixtures/0.3.0-store-3.tar.gz";

#[test]
fn the_guide_adds_a_domain_with_at_most_eight_edited_lines_and_it_works() {
    let house = Path::new(env!("CARGO_MANIFEST_DIR"));
    let work = target_folder(house).join("template");
    let tree = work.join("tree");
    let edits = edits(include_str!("../src/ARCHITECTURE.md"));
    assert!(edits.iter().map(|edit| edit.added.len()).sum::<usize>() <= MOST_EDITED_LINES, "{edits:#?}");

    remove_left_over(house, &tree);
    copy(house, &tree, Age::Same);
    copy(&house.join("tests/template/ops"), &tree.join("src/ops"), Age::New);
    copy(&house.join("tests/template/pages"), &tree.join("assets/ops/src/pages"), Age::New);
    copy(&house.join("tests/template/bounds"), &tree.join("assets/ops/src/bounds"), Age::New);
    edits.iter().for_each(|edit| edit.apply(&tree));

    // The tests' build has the binary too: one build serves all that follows.
    let test = |words: &[&str]| cargo(&tree, &work, &[&["test"][..], &PACKAGES, words].concat());
    test(&[&["--no-run", "--lib"][..], &BUILT].concat());
    let binary = work.join("build/debug/hanok");
    write(&tree.join("appliance.toml"), run(&binary, &work, &["config", "--example"]).as_bytes());
    assert!(run(&binary, &work, &["config"]).contains("plants.morning"));
    assert!(run(&binary, &work, &["plants", "--help"]).contains("hanok plants thirsty"));
    it_answers(&binary, &work);
    a_house_that_stands_gets_it(&binary, &work);
    a_step_of_it_is_told(&binary, &work);
    test(&["--lib", "plants"]);
    test(&["--test", "architecture"]);
    test(&["--test", "api", "--", "places::"]);
    test(&[&["--test", "api", "--"][..], &WALKS].concat());
    test(&["--test", "durability", "--", "cancel::a_job_of_every_kind"]);
    cargo(&tree, &work, &[&["clippy"][..], &PACKAGES, &["--lib", "--", "-D", "warnings"]].concat());
}

/// Its routes, its event's name, its error code, its part of Today, its verb, its jobs and its page.
fn it_answers(binary: &Path, work: &Path) {
    let _ = fs::remove_dir_all(work.join("data"));
    let house = House::start(binary, work);
    let plant = house.ask("POST", "/api/plants", json!({"title": "몬스테라", "every_days": 7}), 201);
    let refused = house.ask("POST", "/api/plants", json!({"title": " ", "every_days": 0}), 422);
    assert_eq!(refused["fields"], json!({"title": "must not be empty", "every_days": "must be between 1 and 365"}));
    let path = format!("/api/plants/{}", plant["id"]);
    assert_eq!(house.ask("GET", "/api/today", Value::Null, 200)["thirsty_plants"], json!([plant]));
    let found = house.ask("GET", "/api/search?q=%E3%85%81%E3%85%85", Value::Null, 200);
    let hit = &found["results"][0];
    let leads_to = format!("/plants/{}", plant["id"]);
    assert_eq!((&found["total"], &hit["kind"], &hit["title"]), (&json!(1), &json!("plant"), &json!("몬스테라")));
    assert_eq!(hit["leads_to"], json!(leads_to), "by its initial consonants");
    let shown = run(binary, work, &["plants", "thirsty"]);
    assert!(shown.contains("몬스테라"), "{shown}");
    assert_eq!(house.ask("PUT", &path, json!({"every_days": 3}), 200)["every_days"], 3);
    // More than others may bring, and read by a job that finds it in a table.
    let diary = "2026-01-02 물을 주었다\n".repeat(50_000);
    house.task_ends_well(&format!("{path}/diary"), json!({ "text": diary }));
    assert_eq!(house.ask("GET", "/api/plants", Value::Null, 200)["plants"][0]["watered_on"], "2026-01-02");
    house.ask("POST", &format!("{path}/water"), Value::Null, 200);
    let again = house.ask("POST", &format!("{path}/water"), Value::Null, 409);
    assert_eq!(again["error"], "ALREADY_WATERED");
    assert_eq!(house.ask("GET", "/api/plants", Value::Null, 200)["total"], 1);
    house.task_ends_well("/api/system/schedule/plants_new_day/run", Value::Null);
    every_one_of_many_is_counted_and_found(&house);
    house.ask("DELETE", &path, Value::Null, 200);
    let document = house.ask("GET", "/api/openapi.json", Value::Null, 200);
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["plants.NewPlant"]["properties"]["every_days"]["maximum"], 365);
    let listed = |list: &Value, name: &str| list.as_array().unwrap().contains(&json!(name));
    assert!(listed(&schemas["ChangedSubject"]["properties"]["what"]["enum"], "plants"));
    assert!(listed(&schemas["ErrorBody"]["properties"]["error"]["enum"], "ALREADY_WATERED"));
    house.ask("GET", "/plants", Value::Null, 200);
    house.ask("GET", "/plants/1", Value::Null, 200);
}

/// What an earlier version has left opens with everything in it, and the new domain is at home there, also after the next
/// start.
fn a_house_that_stands_gets_it(binary: &Path, work: &Path) {
    let _ = fs::remove_dir_all(work.join("data"));
    unpack_earlier(work);
    let expected: Value = serde_json::from_slice(&fs::read(work.join("expected.json")).unwrap()).unwrap();
    let house = House::start(binary, work);
    assert_eq!(house.ask("GET", "/api/plants", Value::Null, 200), json!({"plants": [], "total": 0}));
    let plant = house.ask("POST", "/api/plants", json!({"title": "몬스테라", "every_days": 7}), 201);
    assert_eq!(plant["id"], 1);
    drop(house);
    let house = House::start(binary, work);
    assert_eq!(house.ask("GET", "/api/today", Value::Null, 200)["thirsty_plants"], json!([plant]));
    assert_eq!(house.ask("GET", "/api/todos", Value::Null, 200)["total"], expected["todos"]["total"]);
    drop(house);
    run(binary, work, &["verify"]);
}

/// The household is told in both languages what its step has done. The folder stays for the app's tests.
fn a_step_of_it_is_told(binary: &Path, work: &Path) {
    const PLANTS: redb::TableDefinition<u64, &[u8]> = redb::TableDefinition::new("plants-1");
    let _ = fs::remove_dir_all(work.join("data"));
    unpack_earlier(work);
    let database = redb::Database::open(work.join("data/hanok.redb")).unwrap();
    let write = database.begin_write().unwrap();
    let plant = json!({"id": 1, "title": "고사리", "watered_on": null, "due": "2026-10-09"}).to_string();
    write.open_table(PLANTS).unwrap().insert(1, plant.as_bytes()).unwrap();
    write.commit().unwrap();
    drop(database);
    let house = House::start(binary, work);
    assert_eq!(house.ask("GET", "/api/plants", Value::Null, 200)["plants"][0]["every_days"], 7);
    let system = house.ask("GET", "/api/system", Value::Null, 200);
    let told = json!({
        "name": "plants: a week between two waterings where none was said",
        "title_ko": "간격이 없던 화분에 일주일을 적었습니다",
        "title_en": "Plants without an interval are watered every week",
    });
    assert!(system["last_migration_steps"].as_array().unwrap().contains(&told), "{system}");
    drop(house);
    // Closes the store, so that it may be copied.
    run(binary, work, &["verify"]);
    let _ = fs::remove_dir_all(work.join("earlier"));
    fs::rename(work.join("data"), work.join("earlier")).unwrap();
}

fn unpack_earlier(work: &Path) {
    let fixture = fs::File::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(EARLIER)).unwrap();
    tar::Archive::new(GzDecoder::new(fixture)).unpack(work).unwrap();
}

/// More than a page of the list and more than Today shows.
fn every_one_of_many_is_counted_and_found(house: &House) {
    let add = |number| house.ask("POST", "/api/plants", json!({"title": format!("{number}"), "every_days": 7}), 201);
    let added: Vec<Value> = (1..=101).map(add).collect();
    let last = house.ask("GET", "/api/plants?offset=100", Value::Null, 200);
    // The one that is there has had its water: it comes after the thirsty ones.
    assert_eq!((&last["plants"][0], &last["total"]), (&added[100], &json!(102)));
    let today = house.ask("GET", "/api/today", Value::Null, 200);
    assert_eq!((&today["thirsty_plants"], &today["thirsty_count"]), (&json!(added[..10]), &json!(101)));
}

/// Lines that go into one file after a line that is there.
#[derive(Debug)]
struct Edit {
    file: String,
    after: String,
    added: Vec<String>,
}

impl Edit {
    fn apply(&self, tree: &Path) {
        let path = tree.join(&self.file);
        let text = fs::read_to_string(&path).unwrap();
        let at = text.lines().position(|line| line.trim() == self.after.trim());
        let at = at.unwrap_or_else(|| panic!("{} has no line {:?}", self.file, self.after));
        let mut lines: Vec<&str> = text.lines().collect();
        lines.splice(at + 1..at + 1, self.added.iter().map(String::as_str));
        write(&path, (lines.join("\n") + "\n").as_bytes());
    }
}

/// The guide's edits: each file's name on a line of its own, a line that is there, and behind `+` those that follow it.
fn edits(guide: &str) -> Vec<Edit> {
    let shown = guide.split("```diff\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the guide's edits");
    let mut edits: Vec<Edit> = Vec::new();
    let mut file = "";
    for line in shown.lines() {
        match (line.strip_prefix('+'), line.strip_prefix(' ')) {
            (Some(added), _) => edits.last_mut().unwrap().added.push(added.to_owned()),
            (_, Some(after)) => edits.push(Edit { file: file.to_owned(), after: after.to_owned(), added: Vec::new() }),
            _ => file = line.trim(),
        }
    }
    edits
}

/// How old a copy is: as old as what it was copied from, so that what was built of that counts as built of the copy too, or
/// new.
#[derive(Clone, Copy)]
enum Age {
    Same,
    New,
}

/// Copies a folder; a file that is the same there stays untouched, so that it is not built again.
fn copy(from: &Path, to: &Path, age: Age) {
    fs::create_dir_all(to).unwrap();
    for entry in copied(from) {
        let (original, copied) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().unwrap().is_dir() {
            copy(&original, &copied, age);
        } else if write(&copied, &fs::read(&original).unwrap()) && matches!(age, Age::Same) {
            let file = fs::File::options().write(true).open(&copied).unwrap();
            file.set_modified(fs::metadata(&original).unwrap().modified().unwrap()).unwrap();
        }
    }
}

/// Takes away what an earlier run has left in `there` and is not in `here`.
fn remove_left_over(here: &Path, there: &Path) {
    for entry in copied(there) {
        let (path, original) = (entry.path(), here.join(entry.file_name()));
        match entry.file_type().unwrap().is_dir() {
            true if original.is_dir() => remove_left_over(&original, &path),
            true => fs::remove_dir_all(path).unwrap(),
            false if !original.exists() => fs::remove_file(path).unwrap(),
            false => {}
        }
    }
}

/// What is in a folder, but for what is never copied.
fn copied(folder: &Path) -> Vec<fs::DirEntry> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(Result::unwrap);
    entries.filter(|entry| !LEFT_OUT.contains(&entry.file_name().to_str().unwrap())).collect()
}

/// Whether anything had to be written.
fn write(path: &Path, bytes: &[u8]) -> bool {
    let is_other = fs::read(path).ok().as_deref() != Some(bytes);
    if is_other {
        fs::write(path, bytes).unwrap();
    }
    is_other
}

fn target_folder(house: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| house.join("target"), PathBuf::from)
}

/// In the tree, into a folder of its own; without what only a debugger reads, which halves the time.
fn cargo(tree: &Path, work: &Path, words: &[&str]) {
    let mut cargo = Command::new("cargo");
    cargo.arg(words[0]).arg("--locked").args(&words[1..]).current_dir(tree).env("CARGO_TARGET_DIR", work.join("build"));
    let done = cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").status().unwrap();
    assert!(done.success(), "cargo {words:?} in {}", tree.display());
}

/// What the binary says.
fn run(binary: &Path, work: &Path, words: &[&str]) -> String {
    let ran = command(binary, work).args(words).output().unwrap();
    assert!(ran.status.success(), "{words:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

fn command(binary: &Path, work: &Path) -> Command {
    let mut command = Command::new(binary);
    command.current_dir(work).env("HANOK_OPS__LISTEN", "127.0.0.1:0").env("HANOK_SITE__LISTEN", "127.0.0.1:0");
    command.env("HANOK_LOTTERY__SYNC", "false").env("HANOK_MARKET__SYNC", "false");
    command
}

/// A house that runs, on the data folder that is there.
struct House {
    process: Child,
    address: SocketAddr,
}

impl House {
    fn start(binary: &Path, work: &Path) -> House {
        let mut process =
            command(binary, work).arg("serve").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let first = BufReader::new(process.stdout.take().unwrap()).lines().next().unwrap().unwrap();
        House { process, address: first.trim_start_matches("household http://").parse().unwrap() }
    }

    /// The body of the answer, which has this status.
    #[track_caller]
    fn ask(&self, method: &str, path: &str, body: Value, status: u16) -> Value {
        let body = Some(&body).filter(|body| !body.is_null());
        let answer = Caller::to(self.address).send(method, path, body, None).unwrap();
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.body);
        answer.body
    }

    /// Begins the task that is begun at this path and waits for its end, and for the change that it makes.
    #[track_caller]
    fn task_ends_well(&self, path: &str, body: Value) {
        let changes = self.events();
        let begun = self.ask("POST", path, body, 202);
        let (mut is_over, mut has_changed) = (false, false);
        for line in changes.lines() {
            let line = line.unwrap();
            let Some(data) = line.strip_prefix("data:") else { continue };
            let data: Value = serde_json::from_str(data.trim()).unwrap();
            if data["id"] == begun["task_id"] {
                assert!(["queued", "running", "succeeded"].contains(&data["status"].as_str().unwrap()), "{data}");
                is_over |= data["status"] == "succeeded";
            }
            has_changed |= data["what"] == "plants";
            if is_over && has_changed {
                return;
            }
        }
        panic!("the events ended before the job");
    }

    /// The live events from now on. They end with the house, or when nothing has come for a minute.
    fn events(&self) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        write!(stream, "GET /api/events HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).unwrap();
        let mut events = BufReader::new(stream);
        let hello = events.by_ref().lines().map(Result::unwrap).any(|line| line == "event: hello");
        assert!(hello, "the events begin");
        events
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
