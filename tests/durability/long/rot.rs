//! Rung 6: bit rot. A byte that has changed in the store or in a snapshot is found by `hanok verify`, by the scrub, at
//! the start, and when it is about to be read; what it says is never served.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;

use hanok::appliance::schema::schema;
use hanok::base::Clock;
use hanok::platform::events::Events;
use hanok::platform::store::Store;
use hanok::platform::store::open::Options;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::appliance::{Appliance, until};
use crate::dice::Dice;
use crate::installation::Installation;
use crate::rounds;
use crate::tables::{self, Rows};

const PAGE: usize = 4096;

/// What a page of the store is, by its first byte (redb's `LEAF` and `BRANCH`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Header,
    Leaf,
    Branch,
    Other,
}

fn class(bytes: &[u8], page: usize) -> Class {
    match (page, bytes[page * PAGE]) {
        (0, _) => Class::Header,
        (_, 1) => Class::Leaf,
        (_, 2) => Class::Branch,
        _ => Class::Other,
    }
}

/// A household with rows enough for every class of page.
pub fn household() -> Installation {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false").with("HANOK_STORE__CACHE_MIB", "1");
    let appliance = installation.serve();
    fill(&appliance, 300, 60);
    appliance.end();
    installation
}

/// Adds todos with notes of so many words.
fn fill(appliance: &Appliance, todos: usize, words: usize) {
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let mut caller = appliance.caller();
            scope.spawn(move || {
                for number in 0..todos / 8 {
                    let note = format!("{writer} {number} ").repeat(words);
                    let body = json!({"title": format!("할 일 {writer} {number}"), "note": note});
                    caller.post("/api/todos", &body).unwrap().ok();
                }
            });
        }
    });
}

pub fn flip(path: &Path, at: usize, bit: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    let file = fs::OpenOptions::new().read(true).write(true).open(path).unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, at as u64).unwrap();
    file.write_all_at(&[byte[0] ^ (1 << bit)], at as u64).unwrap();
}

/// What stands in the row of one todo of [`household`], and nowhere else.
pub const ROTTING: &str = "\"note\":\"7 31 7 31 ";

/// Flips a bit in the first byte of these words wherever they stand in a file: also in pages without rows, as those are in
/// which a row waited for the index.
pub fn rot(path: &Path, words: &str, bit: u32) {
    let bytes = fs::read(path).unwrap();
    let places: Vec<_> =
        bytes.windows(words.len()).enumerate().filter(|(_, window)| window == &words.as_bytes()).collect();
    assert!(!places.is_empty(), "{words:?} stands nowhere in {}", path.display());
    places.into_iter().for_each(|(at, _)| flip(path, at, bit));
}

/// Where the last of these words stands in a file.
pub fn last_place(path: &Path, words: &str) -> usize {
    let bytes = fs::read(path).unwrap();
    bytes.windows(words.len()).rposition(|window| window == words.as_bytes()).unwrap()
}

/// How many bytes at the start of a page are in use at least: a branch may have two children only, and what
/// lies behind them is nobody's.
fn used_bytes(class: Class) -> usize {
    match class {
        Class::Header => 320,
        Class::Branch => 56,
        _ => PAGE,
    }
}

#[test]
fn a_flipped_bit_in_any_class_of_page_is_refused_at_the_start_or_changes_nothing() {
    let (seed, mut dice) = Dice::of_this_run();
    let installation = household();
    let whole = tables::rows(&tables::open_file(&installation.store()).unwrap());
    let bytes = fs::read(installation.store()).unwrap();
    let mut found: BTreeMap<Class, (usize, usize)> = BTreeMap::new();
    for wanted in [Class::Header, Class::Leaf, Class::Branch, Class::Other] {
        let pages: Vec<usize> = (0..bytes.len() / PAGE).filter(|page| class(&bytes, *page) == wanted).collect();
        for number in 0..if pages.is_empty() { 0 } else { rounds(25, 1000) } {
            let page = pages[dice.below(pages.len())];
            let at = page * PAGE + dice.below(used_bytes(wanted));
            let flipped =
                Flipped::of(&installation, at, dice.below(8) as u32, format!("seed {seed}, {wanted:?} at {at}"));
            let refused = flipped.is_refused_by_the_store(&whole);
            // The binary takes longer; it says the same.
            if number < rounds(2, 25) {
                flipped.is_treated_alike_by_the_binary(refused);
            }
            let counts = found.entry(wanted).or_default();
            *counts = (counts.0 + 1, counts.1 + usize::from(refused));
        }
    }
    println!("flipped bits by class of page (tried, refused; the others changed nothing): {found:?}; seed {seed}");
    assert!(found[&Class::Header].1 > 0 && found[&Class::Leaf].1 > 0 && found[&Class::Branch].1 > 0, "seed {seed}");
}

/// A copy of a store with one bit flipped.
struct Flipped {
    copy: Installation,
    place: String,
    _folder: TempDir,
}

impl Flipped {
    fn of(installation: &Installation, at: usize, bit: u32, place: String) -> Flipped {
        let folder = TempDir::new().unwrap();
        let copy = Installation::at(&folder.path().join("data")).with("HANOK_JOBS__SCHEDULE", "false");
        fs::create_dir_all(copy.data()).unwrap();
        fs::copy(installation.store(), copy.store()).unwrap();
        flip(&copy.store(), at, bit);
        Flipped { copy, place, _folder: folder }
    }

    /// Whether it is refused, twice: the first refusal has not mended the rot away. What is not refused is whole.
    fn is_refused_by_the_store(&self, whole: &Rows) -> bool {
        let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
        let open = || Store::open(self.copy.data(), &options, schema(), Clock::system(), Events::default());
        match open() {
            Err(refused) => {
                assert!(refused.message.contains("hanok restore --latest"), "{}: {refused}", self.place);
                assert!(open().is_err(), "{}: refused once, then taken", self.place);
                true
            }
            Ok((store, _)) => {
                assert_eq!(&tables::rows(&store), whole, "{}", self.place);
                tokio::runtime::Runtime::new().unwrap().block_on(store.close()).unwrap();
                false
            }
        }
    }

    fn is_treated_alike_by_the_binary(&self, refused: bool) {
        let checked = self.copy.run(&["verify"]);
        if refused {
            checked.refused_with_the_cure();
            assert_eq!(said_by_the_doctor(&self.copy)["verdict"], "failure", "{}", self.place);
            self.copy.refusal().refused_with_the_cure();
        } else {
            assert_eq!(checked.code(), Some(0), "{}: {}", self.place, checked.complained());
            self.copy.serve().end();
        }
    }
}

#[test]
fn rot_under_a_running_appliance_is_found_by_the_scrub_and_ends_the_serving_until_a_restore() {
    let installation = household();
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    let snapshot = caller.post("/api/system/backups", &Value::Null).unwrap().ok()["name"].as_str().unwrap().to_owned();
    rot(&installation.store(), ROTTING, 0);
    let begun = caller.post("/api/system/schedule/scrub/run", &Value::Null).unwrap().ok();
    // The finding cannot be written into a store that is not served: the doors say it.
    until("the scrub finds it", || (caller.get("/health/ready").unwrap().status == 503).then_some(()));
    assert!(begun["task_id"].is_string());
    let refused = caller.get("/api/todos").unwrap();
    assert_eq!((refused.status, refused.code()), (500, "INTERNAL"));
    let place = installation.data().display();
    let cure = format!("`hanok restore --latest --data-dir {place}`");
    assert!(refused.body["message"].as_str().unwrap().contains(&cure), "{}", refused.body);
    assert_eq!(caller.post("/api/todos", &json!({"title": "no"})).unwrap().status, 500);
    assert_eq!(caller.get("/api/system").unwrap().ok()["storage"]["state"], "damaged");
    let checked = installation.run(&["verify"]);
    checked.refused_with_the_cure();
    assert_eq!(said_by_the_doctor(&installation)["verdict"], "failure");
    // A restart does not forget it.
    appliance.end();
    installation.refusal().refused_with_the_cure();
    assert_eq!(said_by_the_doctor(&installation)["finding"], "a check has found the store damaged");
    assert_eq!(installation.run(&["restore", "--latest", "--json"]).json()["restored"], json!(snapshot));
    assert_eq!(said_by_the_doctor(&installation)["verdict"], "ok");
    let appliance = installation.serve();
    assert_eq!(appliance.caller().get("/api/todos").unwrap().ok()["total"], 296);
    // And online: found again, restored without a restart.
    rot(&installation.store(), ROTTING, 0);
    installation.run(&["verify"]).refused_with_the_cure();
    installation.run(&["restore", "--latest", "--json"]).json();
    assert_eq!(appliance.caller().get("/api/todos").unwrap().ok()["total"], 296);
    assert_eq!(appliance.caller().get("/health/ready").unwrap().status, 200);
    appliance.end();
}

/// What the doctor finds out about the store.
fn said_by_the_doctor(installation: &Installation) -> Value {
    let found: Value = serde_json::from_str(&installation.run(&["doctor", "--json"]).said()).unwrap();
    found["checks"].as_array().unwrap().iter().find(|check| check["check"] == "store").expect("it looks").clone()
}

#[test]
fn a_byte_that_rots_between_the_start_and_a_read_is_never_served() {
    let (seed, mut dice) = Dice::of_this_run();
    let installation = household();
    let appliance = installation.serve();
    // Three times what the memory for pages holds, so that most rows are read from the disk.
    fill(&appliance, 480, 1200);
    let mut caller = appliance.caller();
    let all = |caller: &mut crate::http::Caller| {
        let mut rows = BTreeMap::new();
        loop {
            let page = caller.get(&format!("/api/todos?limit=100&offset={}", rows.len())).unwrap();
            if page.status != 200 {
                return (rows, Some(page));
            }
            let page = page.ok();
            let todos = page["todos"].as_array().unwrap();
            rows.extend(todos.iter().map(|todo| (todo["id"].as_u64().unwrap(), todo.clone())));
            if todos.len() < 100 {
                return (rows, None);
            }
        }
    };
    let (whole, _) = all(&mut caller);
    let bytes = fs::read(installation.store()).unwrap();
    let leaves: Vec<usize> = (1..bytes.len() / PAGE).filter(|page| class(&bytes, *page) == Class::Leaf).collect();
    let mut refusal = None;
    for _ in 0..100 {
        flip(&installation.store(), leaves[dice.below(leaves.len())] * PAGE + dice.below(PAGE), dice.below(8) as u32);
        let (rows, refused) = all(&mut caller);
        for (id, row) in &rows {
            assert_eq!(whole.get(id), Some(row), "seed {seed}");
        }
        refusal = refused;
        if refusal.is_some() {
            break;
        }
    }
    let refusal = refusal.expect("some page is read from the disk");
    assert_eq!((refusal.status, refusal.code()), (500, "INTERNAL"));
    assert_eq!(caller.get("/health/ready").unwrap().status, 503);
    appliance.end();
    installation.refusal().refused_with_the_cure();
}

#[test]
fn rot_in_a_snapshot_is_named_and_the_one_before_it_restores() {
    let installation = household();
    let first = installation.run(&["backup", "--json"]).json()["name"].as_str().unwrap().to_owned();
    let appliance = installation.serve();
    appliance.caller().post("/api/todos", &json!({"title": "later"})).unwrap().ok();
    let second = installation.run(&["backup", "--json"]).json()["name"].as_str().unwrap().to_owned();
    appliance.end();
    let rotten = installation.backups().join(format!("{second}.redb"));
    rot(&rotten, "later", 1);
    let checked = installation.run(&["verify"]);
    assert_eq!(checked.code(), Some(1));
    assert!(checked.complained().contains(&second), "{}", checked.complained());
    let refused = installation.run(&["restore", &second]);
    assert_eq!(refused.code(), Some(1));
    assert!(refused.complained().contains("damaged"), "{}", refused.complained());
    let cure = format!("`hanok restore {first} --data-dir {}`", installation.data().display());
    assert!(refused.complained().contains(&cure), "{}", refused.complained());
    let restored = installation.run(&["restore", "--latest"]);
    assert!(restored.said().contains(&format!("restored    {first}\nstate of    20")), "{}", restored.said());
    let passed_over = format!("{second} is newer, damaged, and was passed over");
    assert!(restored.complained().contains(&passed_over), "{}", restored.complained());
    let appliance = installation.serve();
    assert_eq!(appliance.caller().get("/api/todos").unwrap().ok()["total"], 296);
    let today = appliance.caller().get("/api/today").unwrap().ok();
    assert_eq!(
        (&today["damaged_backups"][0]["name"], &today["last_verified_backup"]["name"]),
        (&json!(second), &json!(first))
    );
    let refused = appliance.caller().post(&format!("/api/system/backups/{second}/restore"), &Value::Null).unwrap();
    assert_eq!((refused.status, refused.code()), (409, "CONFLICT"));
    let again = installation.run(&["restore", "--latest"]);
    let left_behind = "is newer and was passed over, as it was kept aside and is none of the backups; `hanok restore 2";
    assert!(again.complained().contains(left_behind), "{}", again.complained());
    assert!(again.complained().contains("`hanok restore --undo --data-dir "), "{}", again.complained());
    let begun = appliance.caller().post("/api/system/schedule/scrub/run", &Value::Null).unwrap().ok();
    let id = begun["task_id"].as_str().unwrap().to_owned();
    let ended = until("the scrub has ended", || {
        let jobs = appliance.caller().get("/api/system/jobs").unwrap().ok();
        jobs["jobs"]
            .as_array()
            .unwrap()
            .iter()
            .find(|task| task["id"] == json!(id) && task["status"] == "failed")
            .cloned()
    });
    assert!(ended["message"].as_str().unwrap().contains(&second), "{ended}");
    appliance.end();
}
