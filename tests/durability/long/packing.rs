//! Rung 4, what leaves the house: a backup to a file that is killed, told to stop, or has no room leaves nothing behind
//! that is not whole, and takes nobody else's room.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::json;
use tempfile::TempDir;

use crate::appliance::until;
use crate::ballast;
use crate::installation::Installation;
use crate::small_disk::SmallDisk;

/// What lies in `folder`, by its names.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// What lies in `backups/` and is neither the file of a listed snapshot nor its description.
fn not_of_snapshots(installation: &Installation) -> Vec<String> {
    let listed = installation.snapshots();
    let is_of_one =
        |name: &String| listed.iter().any(|listed| [format!("{listed}.redb"), format!("{listed}.json")].contains(name));
    names(&installation.backups()).into_iter().filter(|name| !is_of_one(name)).collect()
}

/// Begins a backup to a file, and waits until something is written beside it.
fn begin_to_pack(installation: &Installation, target: &Path) -> Child {
    let before = names(target.parent().unwrap());
    let mut command = installation.command(&["backup", "--to", target.to_str().unwrap()]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("it is being packed", || {
        let now = names(target.parent().unwrap());
        now.iter().any(|name| name.ends_with(".partial") && !before.contains(name)).then_some(())
    });
    child
}

#[test]
fn a_backup_to_a_file_that_is_told_to_stop_or_killed_leaves_only_whole_snapshots_and_nothing_beside_the_file() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let elsewhere = TempDir::new().unwrap();
    let target = elsewhere.path().join("house.hanok");
    fs::write(elsewhere.path().join(".theirs.partial"), "theirs").unwrap();
    installation.serve().end();
    // So long that nobody packs it to its end, and it takes no room.
    let blob = installation.data().join("blobs").join("0".repeat(64));
    File::create(&blob).unwrap().set_len(1 << 40).unwrap();
    for orderly in [true, false] {
        let appliance = installation.serve();
        let mut packing = begin_to_pack(&installation, &target);
        until("the house is in the middle of it", || (!not_of_snapshots(&installation).is_empty()).then_some(()));
        if orderly {
            appliance.end();
            assert_eq!(not_of_snapshots(&installation), [""; 0], "an orderly stop leaves something");
            assert_eq!(names(elsewhere.path()), [".theirs.partial"], "an orderly stop leaves something");
        } else {
            appliance.kill();
        }
        assert_eq!(packing.wait().unwrap().code(), Some(1));
        installation.serve().end();
        assert_eq!(not_of_snapshots(&installation), [""; 0], "orderly: {orderly}");
    }
    // With nothing running, too.
    let mut packing = begin_to_pack(&installation, &target);
    packing.kill().unwrap();
    packing.wait().unwrap();
    installation.serve().end();
    assert_eq!(not_of_snapshots(&installation), [""; 0]);
    // What was left beside the file goes with the next one that is written there, but not what is being written.
    let other = elsewhere.path().join("other.hanok");
    let mut writing = begin_to_pack(&installation, &other);
    let being_written = names(elsewhere.path());
    let appliance_is_in_the_way = installation.run(&["backup", "--to", target.to_str().unwrap()]);
    assert_eq!(appliance_is_in_the_way.code(), Some(1), "the folder is taken by the one that is written");
    assert_eq!(being_written.len(), 2, "only theirs and the one that is written: {being_written:?}");
    let there = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    there.serve().end();
    there.run(&["backup", "--to", target.to_str().unwrap()]).ok();
    assert!(being_written.iter().all(|name| elsewhere.path().join(name).exists()), "{:?}", names(elsewhere.path()));
    writing.kill().unwrap();
    writing.wait().unwrap();
    fs::remove_file(blob).unwrap();
    installation.run(&["backup", "--to", target.to_str().unwrap()]).ok();
    assert_eq!(names(elsewhere.path()), [".theirs.partial", "house.hanok"]);
}

#[test]
fn a_backup_to_another_disk_is_refused_before_it_takes_the_room_that_is_kept_for_writes() {
    let Some(disk) = SmallDisk::mount("size=192m") else { return };
    let elsewhere = TempDir::new().unwrap();
    let target = elsewhere.path().join("house.hanok");
    let installation = Installation::at(&disk.path().join("data"))
        .with("HANOK_JOBS__SCHEDULE", "false")
        .with("HANOK_STORE__RESERVED_DISK_MIB", 16);
    ballast::seed(&installation, 24);
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    let length = || fs::metadata(installation.store()).unwrap().len();
    let at_rest = length();
    while length() == at_rest {
        caller.post("/api/todos", &json!({"title": "the file grows, at once for a long time"})).unwrap().ok();
    }
    let store = length();
    // Room for the snapshot and the reserve, but not for the copy that is packed.
    disk.fill_but((16 << 20) + store + store / 2);
    let pack = || installation.run(&["backup", "--to", target.to_str().unwrap(), "--json"]);
    let refused = std::thread::scope(|scope| {
        let packing = scope.spawn(pack);
        while !packing.is_finished() {
            caller.post("/api/todos", &json!({"title": "goes on"})).unwrap().ok();
        }
        packing.join().unwrap()
    });
    assert_eq!(refused.code(), Some(1), "{}", refused.said());
    assert!(refused.complained().contains("the disk is full"), "{}", refused.complained());
    assert_eq!((installation.snapshots(), target.exists()), (vec![], false), "what it began with stays");
    disk.empty();
    pack().ok();
    appliance.end();
}

#[test]
fn a_download_and_a_file_on_the_disk_of_the_house_leave_the_room_that_is_kept_for_writes() {
    let Some(disk) = SmallDisk::mount("size=192m") else { return };
    let installation = Installation::at(&disk.path().join("data"))
        .with("HANOK_JOBS__SCHEDULE", "false")
        .with("HANOK_STORE__RESERVED_DISK_MIB", 32);
    installation.serve().end();
    // What compressing makes no smaller: it takes half of what is free, and packed it would take the rest.
    let mut noise = vec![0; 100 << 20];
    File::open("/dev/urandom").unwrap().read_exact(&mut noise).unwrap();
    fs::write(installation.data().join("blobs").join("0".repeat(64)), noise).unwrap();
    let appliance = installation.serve();
    let mut caller = appliance.caller();
    let made = caller.post("/api/system/backups", &json!({})).unwrap().ok();
    let download = caller.get(&format!("/api/system/backups/{}/download", made["name"].as_str().unwrap())).unwrap();
    assert_eq!(download.status, 507);
    let target = disk.path().join("house.hanok");
    let mut command = installation.command(&["backup", "--to", target.to_str().unwrap()]);
    let mut packing = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut least = u64::MAX;
    let ended = loop {
        let statvfs = rustix::fs::statvfs(disk.path()).unwrap();
        least = least.min(statvfs.f_bavail * statvfs.f_frsize);
        if let Some(ended) = packing.try_wait().unwrap() {
            break ended;
        }
        caller.post("/api/todos", &json!({"title": "there is room for this"})).unwrap().ok();
    };
    assert_eq!(ended.code(), Some(1));
    assert!(least >= 32 << 20, "{least} bytes were left");
    assert_eq!(names(disk.path()), ["data"]);
    appliance.end();
}
