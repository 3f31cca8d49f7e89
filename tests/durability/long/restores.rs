//! Rung 4, the way back: restores of each kind, and restores that are killed half-way, which leave the old state or
//! the new one, and never a broken one.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::appliance::until;
use crate::dice::Dice;
use crate::http::Caller;
use crate::installation::Installation;
use crate::load::{Load, gaps};
use crate::long::neighbours::Slow;
use crate::tables::{self, Rows};
use crate::{load, rounds};

/// A installation whose newest snapshot is older than its state, and the rows of both.
struct Restorable {
    installation: Installation,
    snapshot: String,
    before: Rows,
}

impl Restorable {
    fn new() -> Restorable {
        let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
        let appliance = installation.serve();
        let mut caller = appliance.caller();
        for number in 0..20 {
            add(&mut caller, &format!("kept {number}"));
        }
        caller.post("/api/lotto/purchase", &json!({"numbers": [1, 2, 3, 4, 5, 6]})).unwrap().ok();
        let made = caller.post("/api/system/backups", &Value::Null).unwrap().ok();
        let snapshot = made["name"].as_str().unwrap().to_owned();
        add(&mut caller, "too late");
        appliance.end();
        let before = rows_of(&installation.backups().join(format!("{snapshot}.redb")));
        Restorable { installation, snapshot, before }
    }

    fn rows(&self) -> Rows {
        rows_of(&self.installation.store())
    }

    /// How long a restore takes on this machine when nobody kills it. The state is older than before after it.
    fn time_of_a_restore(&self) -> Duration {
        let begun = Instant::now();
        self.installation.run(&["restore", &self.snapshot]).ok();
        let whole = begun.elapsed();
        let appliance = self.installation.serve();
        add(&mut appliance.caller(), "too late again");
        appliance.end();
        whole
    }
}

fn rows_of(path: &Path) -> Rows {
    let store = tables::open_file(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(tables::flaws(&store), [""; 0]);
    tables::rows(&store)
}

fn add(caller: &mut Caller, title: &str) {
    caller.post("/api/todos", &json!({"title": title})).unwrap().ok();
}

fn same(one: &Rows, other: &Rows) -> bool {
    (&one.todos, &one.purchases, &one.draws) == (&other.todos, &other.purchases, &other.draws)
}

#[test]
fn each_kind_of_restore_brings_back_every_row_of_its_snapshot() {
    let Restorable { installation, snapshot, before } = &Restorable::new();
    // Offline, by name.
    let restored = installation.run(&["restore", snapshot, "--json"]).json();
    assert_eq!(restored["restored"], json!(snapshot));
    assert!(installation.data().join(restored["pre_restore"].as_str().unwrap()).exists());
    assert!(same(&rows_of(&installation.store()), before));
    // And back: what was there before is a snapshot like any other.
    assert_eq!(installation.run(&["restore", "--undo", "--json"]).json()["restored"], restored["undo"]);
    assert_eq!(rows_of(&installation.store()).todos.len(), before.todos.len() + 1);
    installation.run(&["restore", snapshot]).ok();
    // Online, by the newest, after a change.
    let appliance = installation.serve();
    add(&mut appliance.caller(), "online");
    assert_eq!(installation.run(&["restore", "--latest", "--json"]).json()["restored"], json!(snapshot));
    let todos = appliance.caller().get("/api/todos").unwrap().ok();
    assert_eq!(todos["total"].as_u64(), Some(before.todos.len() as u64));
    // Online, over HTTP.
    add(&mut appliance.caller(), "online");
    let path = format!("/api/system/backups/{snapshot}/restore");
    appliance.caller().post(&path, &Value::Null).unwrap().ok();
    add(&mut appliance.caller(), "goes on");
    let todos = appliance.caller().get("/api/todos").unwrap().ok();
    assert_eq!(todos["total"].as_u64(), Some(before.todos.len() as u64 + 1));
    // One file, taken to another place, offline and online.
    let file = installation.data().with_extension("hanok");
    installation.run(&["backup", "--to", file.to_str().unwrap(), "--json"]).json();
    appliance.end();
    let moved = rows_of(&installation.store());
    for online in [false, true] {
        let there = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
        let running = online.then(|| there.serve());
        there.run(&["restore", "--from", file.to_str().unwrap(), "--json"]).json();
        drop(running.map(|appliance| appliance.end()));
        assert!(same(&rows_of(&there.store()), &moved), "online: {online}");
        drop(there.serve().end());
    }
}

#[test]
fn a_restore_that_is_killed_leaves_the_old_state_or_the_new_one() {
    let (seed, mut dice) = Dice::of_this_run();
    let house = Restorable::new();
    let whole = house.time_of_a_restore();
    let mut outcomes = [0, 0];
    for round in 0..rounds(8, 400) {
        let old = house.rows();
        let words: &[&str] = if round % 2 == 0 { &["restore", &house.snapshot] } else { &["restore", "--latest"] };
        let mut command = house.installation.command(words);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole.mul_f64(dice.between(0, 120) as f64 / 100.0));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = house.rows();
        let is_new = same(&now, &house.before);
        assert!(is_new || same(&now, &old), "seed {seed}, round {round}: neither the old state nor the new one");
        outcomes[usize::from(is_new)] += 1;
        let appliance = house.installation.serve();
        add(&mut appliance.caller(), &format!("round {round}"));
        appliance.end();
        assert!(!house.installation.data().join("hanok.redb.restoring").exists());
    }
    println!(
        "restores killed half-way: {} left the old state, {} the new one, none a broken one; seed {seed}",
        outcomes[0], outcomes[1]
    );
    assert!(outcomes[0] > 0);
}

/// What lies half written in `folder`, however deep.
fn half_written(folder: &Path) -> Vec<String> {
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).partition(|path| path.is_dir());
    let here = files.iter().map(|path| path.display().to_string()).filter(|name| name.ends_with(".partial"));
    here.chain(folders.iter().flat_map(|folder| half_written(folder))).collect()
}

#[test]
fn a_restore_of_a_file_that_is_killed_in_its_middle_leaves_no_part_after_the_next_start() {
    let Restorable { installation, .. } = Restorable::new();
    let file = installation.data().with_extension("hanok");
    installation.run(&["backup", "--to", file.to_str().unwrap(), "--json"]).json();
    let appliance = installation.serve();
    add(&mut appliance.caller(), "later than the file");
    appliance.end();
    let (bytes, old) = (fs::read(&file).unwrap(), rows_of(&installation.store()));
    for parts in [4, 2] {
        fs::write(&file, &bytes).unwrap();
        let wait_for_reader = Slow::instead_of(&file);
        let mut command = installation.command(&["restore", "--from", file.to_str().unwrap()]);
        let mut restoring = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut slow = wait_for_reader();
        slow.give_one_in(parts);
        until("a part of it lies there", || (!half_written(installation.data()).is_empty()).then_some(()));
        restoring.kill().unwrap();
        restoring.wait().unwrap();
        assert!(same(&rows_of(&installation.store()), &old), "the old state stays");
        installation.serve().end();
        assert_eq!(half_written(installation.data()), [""; 0]);
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn an_appliance_killed_while_it_restores_comes_up_with_the_old_state_or_the_new_one() {
    let (seed, mut dice) = Dice::of_this_run();
    let house = Restorable::new();
    let whole = house.time_of_a_restore();
    for round in 0..rounds(6, 400) {
        let appliance = house.installation.serve();
        add(&mut appliance.caller(), &format!("round {round}"));
        let todos = appliance.caller().get("/api/todos").unwrap().ok()["total"].as_u64().unwrap();
        let (address, path) = (appliance.address(), format!("/api/system/backups/{}/restore", house.snapshot));
        let restoring = std::thread::spawn(move || Caller::to(address).post(&path, &Value::Null).is_ok());
        std::thread::sleep(whole.mul_f64(dice.between(0, 120) as f64 / 100.0));
        appliance.kill();
        let answered = restoring.join().unwrap();
        let now = house.rows();
        let is_new = same(&now, &house.before);
        let is_old = now.todos.len() as u64 == todos;
        assert!(is_new || (is_old && !answered), "seed {seed}, round {round}: {} todos", now.todos.len());
        drop(house.installation.serve().end());
    }
}

#[test]
fn a_restore_whose_caller_goes_away_is_done_whole_and_snapshots_go_on() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    for round in 0..rounds(4, 100) {
        // The job that was running when the snapshot was made begins anew after the restore, and makes one of its own.
        until("no snapshot is being made", || open_backups(&mut caller).is_empty().then_some(()));
        add(&mut caller, "kept");
        // Made by a job, it holds that job as running.
        backup_by_its_job(&mut caller);
        let snapshot = installation.snapshots().into_iter().find(|name| name.contains("-hourly")).unwrap();
        add(&mut caller, "too late");
        let mut leaves = TcpStream::connect(appliance.address()).unwrap();
        let key = if round % 2 == 0 { String::new() } else { format!("Idempotency-Key: {round}\r\n") };
        let head = format!("POST /api/system/backups/{snapshot}/restore HTTP/1.1\r\nHost: localhost\r\n{key}");
        leaves.write_all(format!("{head}Content-Length: 0\r\n\r\n").as_bytes()).unwrap();
        let waiting = installation.data().join("hanok.redb.restoring");
        let mut is_restored = || caller.get("/api/todos").unwrap().ok()["total"] == round + 1;
        until("the restore has begun", || (waiting.exists() || is_restored()).then_some(()));
        drop(leaves);
        until("the state is that of the snapshot", || is_restored().then_some(()));
    }
    backup_by_its_job(&mut caller);
    appliance.end();
    let now = rows_of(&installation.store());
    assert!(now.todos.values().all(|todo| todo["title"] == "kept"), "{:?}", now.todos);
}

/// Runs the job that makes snapshots, and waits until it has ended well.
fn backup_by_its_job(caller: &mut Caller) {
    let begun = caller.post("/api/system/schedule/backup/run", &Value::Null).unwrap().ok();
    until("the job has ended", || {
        let jobs = jobs(caller);
        let task = jobs.iter().find(|task| task["id"] == begun["task_id"]).expect("it is there");
        (task["status"] == "succeeded" && task["kind"] == "backup").then_some(())
    });
}

/// The jobs that make snapshots and wait or run.
fn open_backups(caller: &mut Caller) -> Vec<Value> {
    let is_open =
        |task: &Value| task["kind"] == "backup" && matches!(task["status"].as_str(), Some("queued" | "running"));
    jobs(caller).into_iter().filter(is_open).collect()
}

fn jobs(caller: &mut Caller) -> Vec<Value> {
    caller.get("/api/system/jobs").unwrap().ok()["jobs"].as_array().unwrap().clone()
}

#[test]
fn a_damaged_store_is_put_right_by_a_restore_with_a_key() {
    let house = Restorable::new();
    let appliance = house.installation.serve();
    // Another file stands where the store stood: the next write finds out.
    let store = house.installation.store();
    std::fs::rename(&store, store.with_extension("taken")).unwrap();
    std::fs::copy(store.with_extension("taken"), &store).unwrap();
    let mut caller = appliance.caller();
    let refused = caller.post("/api/todos", &json!({"title": "lost"})).unwrap();
    assert_eq!((refused.status, refused.code()), (503, "STORAGE_AWAY"), "{}", refused.body);
    let path = format!("/api/system/backups/{}/restore", house.snapshot);
    let restored = caller.send("POST", &path, Some(&Value::Null), Some("once")).unwrap().ok();
    assert_eq!(restored["restored"], json!(house.snapshot));
    let again = caller.send("POST", &path, Some(&Value::Null), Some("once")).unwrap().ok();
    assert_eq!(again, restored);
    appliance.end();
    assert!(same(&house.rows(), &house.before));
}

#[test]
fn restores_at_the_same_time_and_under_load_take_turns() {
    let house = Restorable::new();
    let appliance = house.installation.serve();
    let load = Load::begin(appliance.address(), 4);
    load.wait_for(40);
    let path = format!("/api/system/backups/{}/restore", house.snapshot);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let mut caller = appliance.caller();
            let path = &path;
            scope.spawn(move || caller.post(path, &Value::Null).unwrap().ok());
        }
    });
    load.wait_for(load.told().iter().sum::<u64>() + 20);
    let (told, longest) = load.end();
    appliance.end();
    let now = house.rows();
    let of_the_load = |todo: &&Value| todo["title"].as_str().unwrap().starts_with('l');
    let (after, kept) = (now.todos.values().filter(of_the_load).count(), now.todos.len());
    println!("four restores at once under load: a caller waited at most {:?} for a write", longest.writer);
    assert_eq!(kept - after, house.before.todos.len());
    assert!(after as u64 <= told.iter().sum::<u64>() && after >= 20 - 4);
    assert_eq!(gaps(&house.before.todos, &vec![0; 4], None), [""; 0]);
    let _: &load::Counts = &told;
}

#[test]
fn four_restores_under_one_key_are_one_and_what_only_they_have_kept_is_listed_and_undone() {
    let house = Restorable::new();
    let appliance = house.installation.serve();
    let before = appliance.caller().get("/api/todos").unwrap().ok()["total"].as_u64().unwrap();
    let path = format!("/api/system/backups/{}/restore", house.snapshot);
    let restored_at_once = |key: &str| {
        std::thread::scope(|scope| {
            let four: Vec<_> = (0..4)
                .map(|_| {
                    let (mut caller, path) = (appliance.caller(), &path);
                    scope.spawn(move || caller.send("POST", path, Some(&Value::Null), Some(key)).unwrap().ok())
                })
                .collect();
            four.into_iter().map(|one| one.join().unwrap()).collect::<Vec<_>>()
        })
    };
    let answers = restored_at_once("one");
    assert!(answers.iter().all(|answer| answer == &answers[0]), "{answers:#?}");
    for round in 0..3 {
        add(&mut appliance.caller(), &format!("round {round}"));
        restored_at_once(&format!("round-{round}"));
    }
    let listed = appliance.caller().get("/api/system/backups").unwrap().ok();
    let kept: Vec<&Value> =
        listed["backups"].as_array().unwrap().iter().filter(|backup| backup["kind"] == "restore").collect();
    assert_eq!(kept.len(), 4, "{kept:#?}");
    let undo = answers[0]["undo"].as_str().unwrap();
    let path = format!("/api/system/backups/{undo}/restore");
    appliance.caller().post(&path, &Value::Null).unwrap().ok();
    assert_eq!(appliance.caller().get("/api/todos").unwrap().ok()["total"].as_u64(), Some(before));
    appliance.end();
}

const LINES: usize = 6_000;

/// Begins to write a table of [`LINES`] purchases down. Gives its task, once some of them are written.
fn begin_import(caller: &mut Caller) -> String {
    let lines: String = (0..LINES).map(|line| format!("1240,1,n{line}\n")).collect();
    let table = json!({"text": format!("draw_no,count,note\n{lines}")});
    let task = caller.post("/api/lotto/purchase/import", &table).unwrap().ok()["task_id"].as_str().unwrap().to_owned();
    until("some lines are written", || (task_of(caller, &task)["progress"].as_u64() > Some(0)).then_some(()));
    task
}

fn task_of(caller: &mut Caller, id: &str) -> Value {
    jobs(caller).into_iter().find(|task| task["id"] == id).expect("it is there")
}

fn purchases(caller: &mut Caller) -> usize {
    caller.get("/api/lotto/purchase?limit=1").unwrap().ok()["total"].as_u64().unwrap() as usize
}

#[test]
fn a_restored_state_does_not_go_on_with_an_import_of_the_state_before_and_says_so_and_it_can_be_tried_again() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    let task = begin_import(&mut caller);
    let made = caller.post("/api/system/backups", &Value::Null).unwrap().ok();
    let snapshot = made["name"].as_str().unwrap();
    let kept = rows_of(&installation.backups().join(format!("{snapshot}.redb")));
    let (half, status) = (kept.purchases.len(), &kept.tasks[&task]["task"]["status"]);
    assert!(half > 0 && half < LINES && status == "running", "the snapshot holds the half of it: {half} {status}");
    let is_called_off = |caller: &mut Caller, how: &str| {
        let told = task_of(caller, &task);
        let said = (&told["status"], &told["localized"]["message_key"]);
        assert_eq!(said, (&json!("cancelled"), &json!("house.task.before_the_restore")), "{how}: {told}");
        assert_eq!(purchases(caller), half, "{how}");
    };
    // While the attempt of the state before is under way, perhaps.
    let path = format!("/api/system/backups/{snapshot}/restore");
    caller.post(&path, &Value::Null).unwrap().ok();
    is_called_off(&mut caller, "while it serves");
    let file = installation.data().with_extension("hanok");
    // Whoever wants it all the same tries it again.
    caller.post(&format!("/api/system/jobs/{task}/retry"), &Value::Null).unwrap().ok();
    until("it is done", || (task_of(&mut caller, &task)["status"] == "succeeded").then_some(()));
    assert_eq!(purchases(&mut caller), LINES);
    appliance.end();
    // With nothing running, whether there is a state before or not.
    installation.run(&["restore", snapshot]).ok();
    let appliance = installation.serve();
    is_called_off(&mut appliance.caller(), "offline");
    appliance.end();
    std::fs::remove_file(installation.store()).unwrap();
    installation.run(&["restore", snapshot]).ok();
    let appliance = installation.serve();
    is_called_off(&mut appliance.caller(), "where there was no store");
    // As one file, on another desk.
    caller = appliance.caller();
    caller.post(&format!("/api/system/jobs/{task}/retry"), &Value::Null).unwrap().ok();
    until("more lines are written", || (purchases(&mut caller) > half).then_some(()));
    installation.run(&["backup", "--to", file.to_str().unwrap()]).ok();
    appliance.end();
    let there = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    there.run(&["restore", "--from", file.to_str().unwrap()]).ok();
    let appliance = there.serve();
    let told = task_of(&mut appliance.caller(), &task);
    assert_eq!(told["status"], "cancelled", "elsewhere: {told}");
    appliance.end();
}
