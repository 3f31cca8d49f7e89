//! What lies in a folder that was copied while snapshots came and went: descriptions and files that lie alone.

use std::fs;
use std::path::PathBuf;

use chrono::Duration;
use tempfile::TempDir;

use super::super::copies::adopting;
use super::super::open::{StartReport, StartStep};
use super::super::restore::Wanted;
use super::*;

fn start(root: &Path, clock: &Clock) -> (Store, StartReport) {
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    Store::open(root, &options, Schema::default(), clock.clone(), Events::default()).unwrap()
}

/// A house with three snapshots, an hour apart, the oldest first.
async fn house() -> (TempDir, Store, Clock, Vec<String>) {
    let (root, clock) = (TempDir::new().unwrap(), clock());
    let (store, _) = start(root.path(), &clock);
    add(&store, "kept").await.unwrap();
    let mut names = Vec::new();
    for _ in 0..3 {
        names.push(store.snapshot(SnapshotKind::Hourly, KEEP).await.unwrap().name);
        clock.set(clock.now() + Duration::hours(1));
    }
    (root, store, clock, names)
}

/// A copy of it as one that is made by files: of the oldest only the description came over, of the next only the file.
fn copy(root: &TempDir, names: &[String]) -> TempDir {
    let copy = TempDir::new().unwrap();
    let mut cp = std::process::Command::new("cp");
    cp.args(["-a", &format!("{}/.", root.path().display()), &copy.path().display().to_string()]);
    assert!(cp.status().unwrap().success());
    tear(copy.path(), names);
    copy
}

fn tear(root: &Path, names: &[String]) {
    fs::remove_file(place(root, &names[0], "redb")).unwrap();
    fs::remove_file(place(root, &names[1], "json")).unwrap();
}

fn place(root: &Path, name: &str, extension: &str) -> PathBuf {
    root.join("backups").join(format!("{name}.{extension}"))
}

fn incomplete(root: &Path) -> usize {
    snapshot::incomplete(&DataFolder::at(root)).unwrap().len()
}

#[tokio::test]
async fn a_restore_in_a_copied_folder_clears_what_came_over_in_part_and_says_so() {
    let (root, _store, clock, names) = house().await;
    for has_run in [false, true] {
        let copy = copy(&root, &names);
        if !has_run {
            fs::remove_dir_all(copy.path().join("run")).unwrap();
        }
        assert_eq!(incomplete(copy.path()), 2);
        let folder = DataFolder::take(copy.path()).unwrap();
        let restored = restore::offline(&folder, &Schema::default(), &clock, Wanted::Newest, |_| ()).unwrap();
        drop(folder);
        assert_eq!((restored.restored, restored.cleared, incomplete(copy.path())), (names[2].clone(), 2, 0));
        assert!(place(copy.path(), &names[2], "redb").exists());
    }
    let copy = copy(&root, &names);
    let folder = DataFolder::take(copy.path()).unwrap();
    let adopted = adopting::offline(&folder, &Schema::default(), &clock, |_| ()).unwrap();
    assert_eq!((adopted.cleared, incomplete(copy.path())), (2, 0));
}

#[tokio::test]
async fn the_first_start_in_a_copied_folder_clears_what_came_over_in_part_and_says_so() {
    let (root, store, clock, names) = house().await;
    store.close().await.unwrap();
    drop(store);
    let copy = copy(&root, &names);
    let (store, report) = start(copy.path(), &clock);
    let said: Vec<_> = report.items.iter().filter(|item| item.step == StartStep::SnapshotsCleared).collect();
    assert_eq!((said.len(), incomplete(copy.path())), (1, 0), "{report:?}");
    store.close().await.unwrap();
    drop(store);
    // Where nothing sound came over, all stays: it may be all that there is.
    let bare = self::copy(&root, &names);
    fs::remove_file(place(bare.path(), &names[2], "json")).unwrap();
    let (_store, _) = start(bare.path(), &clock);
    assert_eq!(incomplete(bare.path()), 3);
}

#[tokio::test]
async fn what_a_house_has_lost_itself_stays_said_until_so_many_sound_snapshots_were_made_after_it() {
    let (root, store, clock, names) = house().await;
    tear(root.path(), &names);
    store.close().await.unwrap();
    drop(store);
    let (store, report) = start(root.path(), &clock);
    assert!(report.items.iter().all(|item| item.step != StartStep::SnapshotsCleared), "{report:?}");
    let restored = store.restore(Some(names[2].clone()), |_| ()).await.unwrap();
    assert_eq!((restored.cleared, incomplete(root.path())), (0, 2));
    // The third one and what the restore has replaced are sound and came later.
    for _ in 0..21 {
        clock.set(clock.now() + Duration::hours(1));
        store.snapshot(SnapshotKind::Hourly, KEEP).await.unwrap();
    }
    assert_eq!(incomplete(root.path()), 2);
    clock.set(clock.now() + Duration::hours(1));
    store.snapshot(SnapshotKind::Hourly, KEEP).await.unwrap();
    assert_eq!(incomplete(root.path()), 0);
}

/// Looks for what lies alone, again and again, as long as it lives.
struct Looking {
    looked: Arc<AtomicU64>,
    ends: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<Vec<String>>>,
}

impl Looking {
    fn begin(folder: DataFolder) -> Looking {
        let (looked, ends) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (counted, ended) = (Arc::clone(&looked), Arc::clone(&ends));
        let thread = std::thread::spawn(move || {
            let mut found = Vec::new();
            while !ended.load(Ordering::SeqCst) {
                found.extend(snapshot::incomplete(&folder).unwrap());
                counted.fetch_add(1, Ordering::SeqCst);
            }
            found
        });
        Looking { looked, ends, thread: Some(thread) }
    }

    /// Waits until a look has begun and ended that saw all that is there now.
    fn see(&self) {
        let wanted = self.looked.load(Ordering::SeqCst) + 2;
        while self.looked.load(Ordering::SeqCst) < wanted {
            std::thread::yield_now();
        }
    }

    fn end(mut self) -> Vec<String> {
        self.ends.store(true, Ordering::SeqCst);
        self.thread.take().unwrap().join().unwrap()
    }
}

#[tokio::test]
async fn whoever_looks_while_a_snapshot_is_made_or_removed_finds_none_in_part() {
    let (_root, store, clock, names) = house().await;
    let folder = store.folder().unwrap().clone();
    let looking = Looking::begin(folder.clone());
    for _ in 0..10 {
        clock.set(clock.now() + Duration::hours(1));
        store.snapshot(SnapshotKind::Hourly, KEEP).await.unwrap();
    }
    assert_eq!(looking.end(), [""; 0], "while they are made");

    let description = fs::read_to_string(snapshot::description_file(&folder, &names[0])).unwrap();
    let looking = Looking::begin(folder.clone());
    for number in 2..400 {
        let name = format!("{}-{number}", names[0]);
        let partial = snapshot::partial_file(&folder, &name);
        fs::write(&partial, "whole").unwrap();
        let described = description.replace(&names[0], &name);
        let unseen = folder.root().join("unseen");
        fs::write(&unseen, described).unwrap();
        fs::rename(unseen, snapshot::description_file(&folder, &name)).unwrap();
        fs::rename(partial, snapshot::file(&folder, &name)).unwrap();
        looking.see();
        snapshot::remove(&folder, &name);
    }
    assert_eq!(looking.end(), [""; 0], "while they are removed");
}
