//! Data folders in bad places: read-only, without inodes, without room for a migration, deep in the tree; and a log
//! that nobody can write. The house works all the same, or refuses with the sentence that helps.

use std::fs::{self, OpenOptions};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use hanok::base::{Clock, Kind, Result};
use hanok::platform::events::Events;
use hanok::platform::store::open::Options;
use hanok::platform::store::{Migration, ReadTransaction, ReadTx, Schema, Store, Table};
use rustix::fs::Mode;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::appliance::until;
use crate::http::Caller;
use crate::installation::{Installation, Ran};
use crate::small_disk::SmallDisk;
use crate::tables;

#[test]
fn a_read_only_data_folder_is_refused_naming_it_and_serves_again_afterwards() {
    let Some(disk) = SmallDisk::mount("size=64m") else { return };
    let installation = Installation::at(&disk.path().join("data"));
    for is_new in [true, false] {
        disk.becomes("ro");
        let commands = [["restore", "--latest"], ["household", "sessions"]];
        for refused in commands.map(|words| installation.run(&words)).into_iter().chain([installation.refusal()]) {
            let complaint = refused.complained();
            let is_nowhere = is_new && complaint.contains("there is no house in ");
            assert_eq!(refused.code(), Some(if is_nowhere { 1 } else { 2 }), "{complaint}");
            assert!(is_nowhere || complaint.contains("data.dir must be a folder"), "{complaint}");
            assert!(complaint.contains(installation.data().to_str().unwrap()), "{complaint}");
        }
        disk.becomes("rw");
        let appliance = installation.serve();
        let todos = appliance.caller().get("/api/todos").unwrap().ok();
        assert_eq!(todos["total"], if is_new { 0 } else { 1 });
        appliance.caller().post("/api/todos", &json!({"title": "kept"})).unwrap().ok();
        appliance.end();
    }
}

#[test]
fn a_folder_without_free_inodes_serves_and_heals_also_through_restarts() {
    let Some(disk) = SmallDisk::mount("size=64m,nr_inodes=60") else { return };
    let installation = Installation::at(&disk.path().join("data")).with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    let add = |caller: &mut Caller, title: &str| caller.post("/api/todos", &json!({"title": title})).unwrap();
    disk.fill_inodes();
    // The store needs no new file, a snapshot does.
    add(&mut caller, "without an inode").ok();
    assert_eq!(caller.post("/api/system/backups", &Value::Null).unwrap().code(), "STORAGE_FULL");
    appliance.end();
    // The end has given an inode back; let nothing be left again.
    disk.empty();
    disk.fill_inodes();
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    assert_eq!(caller.get("/api/todos").unwrap().ok()["total"], 1);
    disk.empty();
    until("writes are taken again", || (add(&mut caller, "with inodes").status == 201).then_some(()));
    until("the command line is heard again", || {
        (installation.run(&["backup", "--json"]).code() == Some(0)).then_some(())
    });
    appliance.end();
    let store = tables::open_file(&installation.store()).unwrap();
    assert_eq!(tables::flaws(&store), [""; 0]);
    assert_eq!(tables::rows(&store).todos.len(), 2);
}

#[test]
fn a_first_start_without_room_is_refused_and_works_when_there_is_some() {
    for limits in ["size=64m,nr_inodes=9", "size=64k"] {
        let Some(disk) = SmallDisk::mount(limits) else { return };
        if limits.contains("nr_inodes") {
            disk.fill_inodes()
        } else {
            disk.fill()
        }
        let installation = Installation::at(&disk.path().join("data"));
        let refused = installation.refusal();
        assert!(refused.complained().contains("the disk is full"), "{limits}: {}", refused.complained());
        disk.empty();
        disk.becomes("size=64m,nr_inodes=100");
        installation.serve().end();
    }
}

#[test]
fn a_data_folder_deep_in_the_tree_serves_and_hears_the_command_line() {
    let folder = TempDir::new().unwrap();
    for length in [100, 108, 250, 1200] {
        let mut data = folder.path().join(format!("{length}-깊은-곳"));
        while data.as_os_str().len() < length {
            data.push("a-folder-in-a-folder");
        }
        fs::create_dir_all(&data).unwrap();
        let installation = Installation::at(&data).with("HANOK_JOBS__SCHEDULE", "false");
        let appliance = installation.serve();
        appliance.caller().post("/api/todos", &json!({"title": "deep"})).unwrap().ok();
        // Only the running appliance can make this one: it holds the folder.
        let made = installation.run(&["backup", "--json"]).json();
        assert_eq!(made["tables"]["todos-1"], 1, "{length}");
        appliance.end();
        assert!(!installation.data().join("run/control.sock").exists());
        assert_eq!(installation.run(&["verify", "--json"]).json()["snapshots"], 1, "{length}");
    }
}

#[test]
fn whatever_is_written_below_the_data_folder_is_for_its_user_alone_whatever_the_shell_lets_others_do() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    rustix::process::umask(Mode::WGRP | Mode::WOTH);
    let appliance = installation.serve();
    appliance.caller().post("/api/todos", &json!({"title": "ours"})).unwrap().ok();
    installation.run(&["backup"]).ok();
    appliance.end();
    let mut left = vec![installation.data().to_owned()];
    let mut seen = 0;
    while let Some(path) = left.pop() {
        let found = fs::symlink_metadata(&path).unwrap();
        assert_eq!(found.permissions().mode() & 0o077, 0, "{}", path.display());
        if found.is_dir() {
            left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        seen += 1;
    }
    assert!(seen > 8, "{seen}");
}

/// A service with a `/tmp` of its own sees another file under one path, as every process does under `/proc/self/cwd`.
#[test]
fn a_backup_file_is_written_and_read_where_the_command_sees_it_also_when_the_appliance_sees_another_place() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    appliance.caller().post("/api/todos", &json!({"title": "in the file"})).unwrap().ok();
    let here = TempDir::new().unwrap();
    let path = "/proc/self/cwd/house.tar.gz";
    let run = |words: &[&str]| Ran(installation.command(words).current_dir(here.path()).output().unwrap()).json();
    let written = run(&["backup", "--to", path, "--json"]);
    let file = fs::metadata(here.path().join("house.tar.gz")).unwrap();
    assert_eq!((&written["path"], &written["bytes"]), (&json!(path), &json!(file.len())));
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    let theirs = installation.data().with_file_name("house.tar.gz");
    assert!(!theirs.exists(), "in the appliance's own view");

    appliance.caller().post("/api/todos", &json!({"title": "later"})).unwrap().ok();
    assert_eq!(run(&["restore", "--from", path, "--json"])["restored"], path);
    assert_eq!(appliance.caller().get("/api/todos").unwrap().ok()["total"], 1);
    appliance.end();
}

#[test]
fn a_backup_file_for_a_place_that_takes_none_is_refused_before_anything_is_made() {
    let Some(disk) = SmallDisk::mount("size=1m") else { return };
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let target = disk.path().join("house.tar.gz");
    let refused = |said: &str| {
        let complaint = installation.run(&["backup", "--to", target.to_str().unwrap()]).complained();
        assert!(complaint.contains(said), "{complaint}");
        assert!(!target.exists());
    };
    disk.becomes("ro");
    refused("path must be a file in a folder that you may write to");
    assert_eq!(installation.snapshots(), [""; 0]);
    disk.becomes("rw");
    fs::write(disk.path().join("ballast"), vec![1; 2 << 20]).unwrap_err();
    refused("there is no room for the backup file where it was to lie");
    appliance.end();
}

#[test]
fn a_name_that_nothing_bears_is_answered_with_the_command_that_shows_those_there_are() {
    let installation = Installation::new();
    installation.serve().end();
    let place = installation.data().display();
    for (words, what, listing) in [
        (["job", "show", "nope"].as_slice(), "job", "job list"),
        (&["job", "run", "nope"], "entry of the schedule", "job list"),
        (&["mail", "send", "42"], "mail", "mail list"),
        (&["restore", "nope"], "snapshot", "backup --list"),
    ] {
        let refused = installation.run(words);
        assert_eq!(refused.code(), Some(1), "{words:?}: {}", refused.complained());
        let said = format!("no such {what}; `hanok {listing} --data-dir {place}` shows those there are");
        assert!(refused.complained().contains(&said), "{words:?}: {}", refused.complained());
    }
}

#[test]
fn a_log_that_cannot_be_written_keeps_nobody_from_serving() {
    let installation = Installation::new();
    let full = || Stdio::from(OpenOptions::new().write(true).open("/dev/full").unwrap());
    let gone = || Stdio::from(std::io::pipe().unwrap().1);
    for (out, err) in [(full(), full()), (gone(), gone())] {
        let address = free_address();
        let mut command = installation.command(&["serve", "--ops-listen", &address.to_string()]);
        let mut child = command.stdout(out).stderr(err).spawn().unwrap();
        let mut caller = Caller::to(address);
        until("it serves", || caller.get("/health/ready").ok().filter(|answer| answer.status == 200));
        // A refusal is logged, too.
        assert_eq!(caller.get("/api/nothing").unwrap().status, 404);
        caller.post("/api/todos", &json!({"title": "unlogged"})).unwrap().ok();
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    // A refusal to start has its own exit code, also when nobody can read why.
    let appliance = installation.serve();
    let refused = installation.command(&["serve"]).stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(refused.code(), Some(1));
    assert_eq!(appliance.caller().get("/api/todos").unwrap().ok()["total"], 2);
    appliance.end();
}

fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

#[test]
fn where_nobody_serves_a_full_disk_is_not_said_to_go_on_reading() {
    let Some(disk) = SmallDisk::mount("size=24m") else { return };
    let installation = Installation::at(&disk.path().join("data"));
    disk.fill();
    let refused = installation.refusal().complained();
    assert!(refused.contains("there is no room in") && !refused.contains("reading goes on"), "{refused}");
    disk.empty();
    let appliance = installation.serve();
    let made = installation.run(&["backup", "--json"]).json()["name"].as_str().unwrap().to_owned();
    appliance.end();
    disk.fill();
    let refused = installation.run(&["restore", &made]).complained();
    assert!(refused.contains("there is no room in") && !refused.contains("reading goes on"), "{refused}");
    disk.empty();
    installation.run(&["restore", &made]).ok();
}

/// A row of a test's own.
const BALLAST: Table<u64, String> = Table::new("ladder_ballast-1");
/// A row that a migration to version 2 writes.
const MIGRATED: Table<u64, String> = Table::new("ladder_migrated-1");

const TO_VERSION_2: &[Migration] = &[Migration {
    to: 2,
    name: "a larger store",
    title: ("a larger store", "a larger store"),
    needed: |_| Ok(true),
    apply: |tx| (0..1000).try_for_each(|number| tx.put(&MIGRATED, number, &"다".repeat(1000))),
}];

fn open(installation: &Installation, migrations: &'static [Migration]) -> Result<Store> {
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let schema = Schema::default().with(&[], migrations, &[]);
    Store::open(installation.data(), &options, schema, Clock::system(), Events::default()).map(|(store, _)| store)
}

#[test]
fn a_migration_on_a_full_disk_is_refused_leaves_the_store_as_it_was_and_runs_when_there_is_room() {
    let Some(disk) = SmallDisk::mount("size=96m") else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let installation = Installation::at(&disk.path().join("data"));
    let store = open(&installation, &[]).unwrap();
    let fill = store.write(|tx| (0..2000).try_for_each(|number| tx.put(&BALLAST, number, &"가".repeat(900))));
    runtime.block_on(fill).unwrap();
    let close = |store: Store| runtime.block_on(store.close()).unwrap();
    close(store);
    let size = fs::metadata(installation.store()).unwrap().len();
    let rows = |store: &Store| {
        let count = |tx: &ReadTx| Ok((tx.count(&BALLAST)?, tx.count(&MIGRATED)?));
        store.read_now(count).unwrap()
    };
    // No room at all; none for the snapshot; for the snapshot, but not for the rehearsal.
    for left in [0, size / 2, size + size / 2] {
        disk.fill_but(left);
        for _ in 0..2 {
            let refused = open(&installation, TO_VERSION_2).map(drop).expect_err("it migrated without room");
            assert_eq!(refused.kind, Kind::StorageFull, "{left} bytes left: {refused}");
            let size = fs::metadata(installation.store()).unwrap().len();
            let needed = format!("more than {} MiB", (2 * size).div_ceil(1 << 20));
            for said in [needed.as_str(), "MiB are free", "make room and start again", "nothing was changed"] {
                assert!(refused.message.contains(said), "{left} bytes left: {refused}");
            }
            assert!(!refused.message.contains("reading goes on"), "{left} bytes left: {refused}");
        }
        assert!(!installation.data().join("run/rehearsal.redb").exists(), "{left} bytes left");
        assert_eq!(rows(&tables::open_file(&installation.store()).unwrap()), (2000, 0));
        disk.empty();
        // The version before goes on meanwhile.
        let store = open(&installation, &[]).unwrap();
        runtime.block_on(store.write(|tx| tx.put(&BALLAST, 0, &"goes on".to_owned()))).unwrap();
        close(store);
        for name in installation.snapshots() {
            fs::remove_file(installation.backups().join(format!("{name}.redb"))).unwrap();
        }
    }
    let store = open(&installation, TO_VERSION_2).unwrap();
    assert_eq!(rows(&store), (2000, 1000));
    close(store);
}
