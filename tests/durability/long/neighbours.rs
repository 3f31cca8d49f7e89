//! Two who work on one data folder: two appliances, two restores, a check and a hand that takes a snapshot away.
//! One of them works, the other is refused with a sentence; neither does any harm.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use hanok::platform::store::DataFolder;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::appliance::until;
use crate::endless::Endless;
use crate::installation::{Installation, Ran};
use crate::load::{Load, gaps};
use crate::{rounds, tables};

#[test]
fn a_second_appliance_on_one_folder_is_refused_and_the_first_goes_on() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let load = Load::begin(appliance.address(), 4);
    for _ in 0..rounds(3, 30) {
        load.wait_for(load.told().iter().sum::<u64>() + 10);
        let refused = installation.refusal();
        assert_eq!(refused.code(), Some(1), "{}", refused.complained());
        assert!(refused.complained().contains("is in use by a running hanok"), "{}", refused.complained());
    }
    // The one that runs is still the one that is asked.
    assert!(installation.run(&["backup", "--json"]).json()["rows"].as_u64() > Some(0));
    let (told, _) = load.end();
    appliance.end();
    let store = tables::open_file(&installation.store()).unwrap();
    assert_eq!(tables::flaws(&store), [""; 0]);
    assert_eq!(gaps(&tables::rows(&store).todos, &told, Some(&told)), [""; 0]);
}

#[test]
fn who_only_asks_whether_a_folder_is_in_use_keeps_nobody_from_taking_it() {
    let folder = TempDir::new().unwrap();
    drop(DataFolder::take(folder.path()).unwrap());
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                DataFolder::at(folder.path()).is_taken();
            }
        });
        let refused = (0..2000).find_map(|_| DataFolder::take(folder.path()).err());
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(refused.is_none(), "{}", refused.unwrap());
    });
    let held = DataFolder::take(folder.path()).unwrap();
    assert!(DataFolder::at(folder.path()).is_taken());
    assert!(DataFolder::take(folder.path()).is_err());
    drop(held);
}

/// A file behind a pipe: whoever reads it has to wait until this lets go.
pub struct Slow {
    bytes: Vec<u8>,
    pipe: File,
}

impl Slow {
    /// Puts a pipe in the place of the file. Gives the way to wait for its reader.
    pub fn instead_of(path: &Path) -> impl FnOnce() -> Slow + use<> {
        let bytes = fs::read(path).unwrap();
        let path = path.to_owned();
        fs::remove_file(&path).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        // A pipe opens for writing when somebody has opened it for reading.
        move || Slow { bytes, pipe: File::options().write(true).open(&path).unwrap() }
    }

    /// Gives the first of so many parts, and lets whoever reads wait for the rest.
    pub fn give_one_in(&mut self, parts: usize) {
        self.pipe.write_all(&self.bytes[..self.bytes.len() / parts]).unwrap();
    }

    fn let_go(mut self) {
        self.pipe.write_all(&self.bytes).unwrap();
    }
}

fn in_background(installation: &Installation, words: &[&str]) -> Child {
    installation.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn ended(child: Child) -> Ran {
    Ran(child.wait_with_output().unwrap())
}

#[test]
fn a_restore_beside_a_restore_is_refused_or_waits_its_turn_and_one_state_is_there_whole() {
    for online in [false, true] {
        let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
        let appliance = installation.serve();
        appliance.caller().post("/api/todos", &json!({"title": "in both"})).unwrap().ok();
        let snapshot = installation.run(&["backup", "--json"]).json()["name"].as_str().unwrap().to_owned();
        appliance.caller().post("/api/todos", &json!({"title": "in the file only"})).unwrap().ok();
        let file: PathBuf = installation.data().with_extension("hanok");
        installation.run(&["backup", "--to", file.to_str().unwrap(), "--json"]).json();
        let running = match online {
            true => Some(appliance),
            false => {
                appliance.end();
                None
            }
        };

        // A running house waits for no pipe.
        let wait_for_reader = (!online).then(|| Slow::instead_of(&file));
        let first = in_background(&installation, &["restore", "--from", file.to_str().unwrap(), "--json"]);
        let slow = wait_for_reader.map(|wait| wait());
        let second = in_background(&installation, &["restore", &snapshot, "--json"]);
        let expected: &[usize] = match slow {
            // Nobody has the folder twice.
            Some(slow) => {
                let refused = ended(second);
                assert_eq!(refused.code(), Some(1));
                assert!(refused.complained().contains("try again"), "{}", refused.complained());
                slow.let_go();
                ended(first).ok();
                &[2]
            }
            // Either may come last.
            None => {
                ended(first).ok();
                ended(second).ok();
                &[1, 2]
            }
        };
        drop(running.map(|appliance| appliance.end()));
        let store = tables::open_file(&installation.store()).unwrap();
        assert_eq!(tables::flaws(&store), [""; 0]);
        assert!(expected.contains(&tables::rows(&store).todos.len()), "online: {online}");
    }
}

#[test]
fn a_snapshot_that_is_taken_away_while_all_are_checked_is_no_finding() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let made: Vec<String> = (0..4)
        .map(|_| appliance.caller().post("/api/system/backups", &Value::Null).unwrap().ok())
        .map(|made| made["name"].as_str().unwrap().to_owned())
        .collect();
    let file = |number: usize| installation.backups().join(format!("{}.redb", made[number]));
    // The newest is checked first. While it is read, a hand takes the one before it away, and then itself.
    let endless = Endless::instead_of(&installation.backups(), &made[3]);
    let checking = in_background(&installation, &["verify", "--json"]);
    let process = appliance.process().as_raw_nonzero();
    until("the newest is read", || endless.is_read_by(process).then_some(()));
    fs::remove_file(file(2)).unwrap();
    endless.take_away();
    let checked = ended(checking).json();
    assert_eq!((&checked["ok"], &checked["snapshots"]), (&json!(true), &json!(2)));
    assert_eq!(installation.run(&["backup", "--list", "--json"]).json()["total"], 2);
    appliance.end();
}

#[test]
fn a_hand_that_clears_folders_under_a_running_appliance_lets_nobody_else_in_and_breaks_nothing() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    caller.post("/api/system/backups", &Value::Null).unwrap().ok();
    fs::remove_dir_all(installation.data().join("run")).unwrap();
    assert!(installation.refusal().complained().contains("is in use by a running hanok"));
    for words in [["restore", "--latest"], ["verify", "--json"], ["compact", "--json"]] {
        let refused = installation.run(&words);
        assert_eq!(refused.code(), Some(1), "{words:?}: {}", refused.said());
    }
    caller.post("/api/todos", &json!({"title": "still the only one"})).unwrap().ok();
    fs::remove_dir_all(installation.backups()).unwrap();
    assert_eq!(caller.get("/api/system/backups").unwrap().ok()["total"], 0);
    caller.get("/api/today").unwrap().ok();
    caller.post("/api/system/backups", &Value::Null).unwrap().ok();
    appliance.end();
    let appliance = installation.serve();
    assert!(appliance.start_item("opened").is_some());
    assert_eq!(appliance.caller().get("/api/todos").unwrap().ok()["todos"][0]["title"], "still the only one");
    appliance.end();
    assert_eq!(installation.run(&["verify", "--json"]).json()["snapshots"], 1);
}

#[test]
fn a_hand_that_takes_the_store_away_ends_the_writing_before_anything_is_acknowledged_into_nowhere() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    caller.post("/api/todos", &json!({"title": "in the snapshot"})).unwrap().ok();
    caller.post("/api/system/backups", &Value::Null).unwrap().ok();
    let other = installation.data().join("other.redb");
    for is_replaced in [false, true] {
        fs::copy(installation.store(), &other).unwrap();
        if is_replaced {
            fs::rename(&other, installation.store()).unwrap()
        } else {
            fs::remove_file(installation.store()).unwrap()
        }
        let refused = caller.post("/api/todos", &json!({"title": "into nowhere"})).unwrap();
        assert_eq!((refused.status, refused.code()), (503, "STORAGE_AWAY"));
        // Nothing is newer than what it held, which is kept as soon as that is known.
        let place = installation.data().display().to_string();
        let undo = format!("`hanok restore --undo --data-dir {place}`");
        let offers = |body: &Value| body.to_string().contains(&undo);
        until("the way back to what is kept is named", || {
            let refused = caller.post("/api/todos", &json!({"title": "into nowhere"})).unwrap();
            assert!(!refused.body.to_string().contains("--latest"), "{}", refused.body);
            offers(&refused.body).then_some(())
        });
        let ready = caller.get("/health/ready").unwrap();
        assert!(ready.status == 503 && offers(&ready.body), "who looks at its health is told the same: {}", ready.body);
        assert_eq!(caller.post("/api/system/backups", &Value::Null).unwrap().status, 503);
        assert_eq!(caller.get("/api/system").unwrap().ok()["storage"]["state"], "away");
        assert_eq!(caller.get("/api/todos").unwrap().ok()["total"], 1 + u64::from(is_replaced), "it is read meanwhile");
        // Online and without a restart; and what the snapshot lacks is not lost, whatever lies in the file's place.
        let total = |caller: &mut crate::http::Caller| caller.get("/api/todos").unwrap().ok()["total"].clone();
        installation.run(&["restore", "--latest"]).ok();
        assert_eq!(total(&mut caller), 1);
        installation.run(&["restore", "--undo"]).ok();
        assert_eq!(total(&mut caller), 1 + u64::from(is_replaced));
        caller.post("/api/todos", &json!({"title": "goes on"})).unwrap().ok();
    }
    appliance.end();
    assert_eq!(tables::rows(&tables::open_file(&installation.store()).unwrap()).todos.len(), 3);
}

#[test]
fn what_was_acknowledged_outlives_a_hand_that_removes_the_file_also_when_the_appliance_ends() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    caller.post("/api/todos", &json!({"title": "in the snapshot"})).unwrap().ok();
    caller.post("/api/system/backups", &Value::Null).unwrap().ok();
    caller.post("/api/todos", &json!({"title": "in no snapshot"})).unwrap().ok();
    fs::remove_file(installation.store()).unwrap();
    appliance.end();
    let refused = installation.refusal();
    let offered =
        |command: &str| refused.complained().find(command).unwrap_or_else(|| panic!("{}", refused.complained()));
    assert!(offered("`hanok restore 2") < offered("hanok restore --latest"), "the newest stands first");
    let restored = installation.run(&["restore", "--latest"]);
    assert!(restored.complained().contains("is newer and was passed over"), "{}", restored.said());
    installation.run(&["restore", "--undo"]).ok();
    let appliance = installation.serve();
    assert_eq!(appliance.caller().get("/api/todos").unwrap().ok()["total"], 2);
    appliance.end();
}

#[test]
fn what_a_removed_file_held_outlives_an_appliance_that_is_killed_after_that_was_noticed() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    caller.post("/api/todos", &json!({"title": "in no snapshot"})).unwrap().ok();
    fs::remove_file(installation.store()).unwrap();
    let refused = caller.post("/api/todos", &json!({"title": "into nowhere"})).unwrap();
    assert_eq!((refused.status, refused.code()), (503, "STORAGE_AWAY"));
    until("it is kept", || {
        let mut names = fs::read_dir(installation.data()).unwrap().map(|entry| entry.unwrap().file_name());
        let is_kept = |name: &str| name.starts_with("hanok.redb.before-restore-") && !name.ends_with(".partial");
        names.find(|name| is_kept(&name.to_string_lossy()))
    });
    appliance.kill();
    installation.run(&["restore", "--undo"]).ok();
    let appliance = installation.serve();
    assert_eq!(appliance.caller().get("/api/todos").unwrap().ok()["total"], 1);
    appliance.end();
}
