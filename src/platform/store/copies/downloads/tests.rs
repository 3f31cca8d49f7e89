//! Files that go out: how many lie there, and what a kill leaves of them.

use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::events::Events;
use crate::store::open::Options;
use crate::store::retention::Retention;
use crate::store::{Schema, SnapshotKind};
use crate::testing::draw_night;
use hanok_base::Clock;

fn open(root: &Path) -> Store {
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    Store::open(root, &options, Schema::default(), Clock::fixed(draw_night()), Events::default()).unwrap().0
}

fn lying(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[tokio::test]
async fn of_all_that_are_asked_for_at_once_two_are_kept_at_most_and_each_was_there() {
    let root = TempDir::new().unwrap();
    let store = open(root.path());
    let keep = Retention { hourly: 9, daily: 9, weekly: 9 };
    let mut packing = tokio::task::JoinSet::new();
    for _ in 0..9 {
        let snapshot = store.snapshot(SnapshotKind::Manual, keep).await.unwrap();
        let store = store.clone();
        packing.spawn(async move {
            let path = store.packed_for_download(&snapshot, "").await.unwrap();
            fs::metadata(path).unwrap();
        });
    }
    packing.join_all().await;
    let kept = lying(&root.path().join("run")).into_iter().filter(|name| is_named(name)).count();
    assert!((1..=2).contains(&kept), "{kept}");
}

#[tokio::test]
async fn a_start_removes_what_a_kill_has_left_and_nothing_that_is_on_its_way_or_that_a_person_has_put_there() {
    let root = TempDir::new().unwrap();
    open(root.path()).close().await.unwrap();
    let run = root.path().join("run");
    let ours = [".hanok-AAAAAAAAAAAAAAAA.partial", "upload-AAAAAAAAAAAAAAAA.tar.gz"];
    let theirs = [
        // Whole, and perhaps on its way to somebody who was interrupted.
        "download-20261010T123000Z-manual-3-0123456789ab.tar.gz",
        ".hanok-mine.partial",
        "upload-2024.csv",
        "upload-2024.tar.gz",
        "download-photos.tar.gz",
        "download-2024-0123456789ab.tar.gz",
        "download-20261010T123000Z-manual-0123456789xy.tar.gz",
    ];
    for name in ours.iter().chain(&theirs) {
        fs::write(run.join(name), "half").unwrap();
    }
    let settings = ["appliance.toml.partial", "appliance.restored.toml.partial", "appliance.restored-2.toml.partial"];
    for name in settings.iter().chain(&["mine.toml.partial"]) {
        fs::write(root.path().join(name), "half").unwrap();
    }
    open(root.path()).close().await.unwrap();
    let left = lying(&run);
    assert_eq!(ours.iter().find(|name| left.iter().any(|left| left == *name)), None);
    assert_eq!(theirs.iter().find(|name| !left.iter().any(|left| left == *name)), None);
    let left = lying(root.path());
    assert_eq!(settings.iter().find(|name| left.iter().any(|left| left == *name)), None);
    assert!(left.iter().any(|left| left == "mine.toml.partial"));
}

#[tokio::test]
async fn a_snapshot_that_was_taken_away_before_it_is_packed_is_not_found() {
    let root = TempDir::new().unwrap();
    let store = open(root.path());
    let made = store.snapshot(SnapshotKind::Manual, Retention { hourly: 9, daily: 9, weekly: 9 }).await.unwrap();
    fs::remove_file(root.path().join("backups").join(format!("{}.redb", made.name))).unwrap();
    let refused = store.packed_for_download(&made, "").await.unwrap_err();
    assert_eq!(refused.kind, hanok_base::Kind::NotFound);
}
