//! What lies in a folder that was copied while snapshots came and went: descriptions and files that lie alone.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use chrono::Duration;
use tempfile::TempDir;

use super::super::copies::adopting;
use super::super::file::marker;

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
async fn whoever_only_looks_into_a_copied_folder_takes_nothing_away() {
    let (root, store, clock, names) = house().await;
    store.close().await.unwrap();
    drop(store);
    let copy = copy(&root, &names);
    let all = || {
        let mut all: Vec<_> = fs::read_dir(copy.path().join("backups")).unwrap().map(|it| it.unwrap().path()).collect();
        all.sort();
        all
    };
    let before = all();
    // As a check and a listing do, one after the other.
    for _ in 0..2 {
        let (store, _) = start(copy.path(), &clock);
        assert_eq!((all(), incomplete(copy.path())), (before.clone(), 2));
        store.close().await.unwrap();
    }
    // It is known all the same that the folder was copied, and that nobody has put it in order yet.
    let (store, mut report) = start(copy.path(), &clock);
    store.put_snapshots_in_order(&mut report).await.unwrap();
    assert_eq!(incomplete(copy.path()), 0);
    let described = snapshot::list(&DataFolder::at(copy.path())).unwrap();
    assert_eq!(described.iter().map(|found| &found.name).collect::<Vec<_>>(), [&names[2], &names[1]]);
    let [newer, anew] = &described[..] else { panic!("there are two") };
    let original = snapshot::find(store.folder().unwrap(), &names[2]).unwrap();
    assert_eq!((anew.kind, &anew.tables["test_names-1"]), (SnapshotKind::Hourly, &original.tables["test_names-1"]));
    assert!(anew.number < newer.number || anew.created_at < newer.created_at);
    assert_eq!(restores(&store).restore(Some(names[1].clone()), |_| ()).await.unwrap().restored, names[1]);
}

#[tokio::test]
async fn a_file_that_came_over_without_its_description_and_is_not_sound_stays_as_a_finding() {
    let (root, store, clock, names) = house().await;
    store.close().await.unwrap();
    drop(store);
    let copy = copy(&root, &names);
    let torn = place(copy.path(), &names[1], "redb");
    snapshot::writable(&torn).unwrap();
    fs::OpenOptions::new().write(true).open(&torn).unwrap().set_len(9_000).unwrap();
    let (store, mut report) = start(copy.path(), &clock);
    store.put_snapshots_in_order(&mut report).await.unwrap();
    assert_eq!((torn.exists(), incomplete(copy.path())), (true, 1), "{report:?}");
    assert!(!marker::is_copied(&DataFolder::at(copy.path())), "damage is finished with");
}

#[tokio::test]
async fn snapshots_made_in_a_copied_folder_take_nothing_away_that_lies_alone_until_it_is_in_order() {
    let (root, store, clock, names) = house().await;
    let all_kept = Retention { hourly: 100, ..KEEP };
    for _ in 0..24 {
        store.snapshot(SnapshotKind::Hourly, all_kept).await.unwrap();
        clock.set(clock.now() + Duration::hours(1));
    }
    store.close().await.unwrap();
    drop(store);
    let copy = copy(&root, &names);
    let alone = place(copy.path(), &names[1], "redb");
    let (store, mut report) = start(copy.path(), &clock);
    store.snapshot(SnapshotKind::Manual, all_kept).await.unwrap();
    assert_eq!((alone.exists(), incomplete(copy.path())), (true, 2));
    store.put_snapshots_in_order(&mut report).await.unwrap();
    assert!(snapshot::find(&DataFolder::at(copy.path()), &names[1]).unwrap().is_sound(), "{report:?}");
}

/// Keeps the description of a snapshot from being written, until the returned place is removed.
fn bar_the_description(root: &Path, name: &str) -> PathBuf {
    let bar = place(root, name, "json.partial");
    fs::create_dir(&bar).unwrap();
    bar
}

#[tokio::test]
async fn a_copied_folder_is_not_in_order_as_long_as_a_snapshot_of_it_could_not_be_described() {
    let (root, store, clock, names) = house().await;
    store.close().await.unwrap();
    drop(store);
    let is_copied = |copy: &TempDir| marker::is_copied(&DataFolder::at(copy.path()));
    let copy = copy(&root, &names);
    let bar = bar_the_description(copy.path(), &names[1]);
    for _ in 0..2 {
        let (store, mut report) = start(copy.path(), &clock);
        store.put_snapshots_in_order(&mut report).await.unwrap();
        assert!(is_copied(&copy) && place(copy.path(), &names[1], "redb").exists(), "{report:?}");
        store.close().await.unwrap();
    }
    // Nor is it after a restore, and the next start goes on with it.
    let folder = DataFolder::take(copy.path()).unwrap();
    let restored = restore::offline(&folder, &Schema::default(), &clock, Wanted::Newest, |_| ()).unwrap();
    drop(folder);
    assert_eq!((restored.described, is_copied(&copy)), (0, true));
    fs::remove_dir(bar).unwrap();
    let (store, mut report) = start(copy.path(), &clock);
    let restored = restores(&store).restore(Some(names[2].clone()), |_| ()).await.unwrap();
    assert_eq!((restored.described, is_copied(&copy)), (1, false));
    store.put_snapshots_in_order(&mut report).await.unwrap();
    let described = snapshot::find(&DataFolder::at(copy.path()), &names[1]).unwrap();
    assert!(described.is_sound() && !is_copied(&copy));
    let mode = fs::metadata(place(copy.path(), &names[1], "redb")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o400, "a finished snapshot cannot be written");
}

#[tokio::test]
async fn the_only_snapshot_of_a_copied_folder_is_restored_although_its_description_is_missing() {
    let (root, _store, clock, names) = house().await;
    let copy = copy(&root, &names);
    fs::remove_file(place(copy.path(), &names[2], "json")).unwrap();
    let folder = DataFolder::take(copy.path()).unwrap();
    let restored = restore::offline(&folder, &Schema::default(), &clock, Wanted::Newest, |_| ()).unwrap();
    assert_eq!((restored.restored, restored.described, restored.cleared), (names[2].clone(), 2, 1));
}

#[tokio::test]
async fn where_the_one_file_is_missing_no_empty_house_is_begun_and_undescribed_snapshots_are_restored() {
    let (root, _store, clock, names) = house().await;
    for has_run in [true, false] {
        let copy = copy(&root, &names);
        let folder = DataFolder::at(copy.path());
        fs::remove_file(folder.store_file()).unwrap();
        fs::remove_file(place(copy.path(), &names[2], "json")).unwrap();
        if !has_run {
            fs::remove_dir_all(folder.run()).unwrap();
        }
        assert!(marker::is_copied(&folder));
        let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
        let begun = Store::open(copy.path(), &options, Schema::default(), clock.clone(), Events::default());
        let refused = begun.err().expect("an empty house would look as if all was lost");
        for way in ["`hanok restore --latest`", "move backups/ away", &copy.path().display().to_string()] {
            assert!(refused.message.contains(way), "{refused}");
        }
        let foreseen = dry_run::dry_run(copy.path(), 0, &Schema::default(), &clock).unwrap_err();
        assert_eq!((foreseen.message, folder.store_file().exists()), (refused.message, false));

        let taken = DataFolder::take(copy.path()).unwrap();
        let restored = restore::offline(&taken, &Schema::default(), &clock, Wanted::Newest, |_| ()).unwrap();
        drop(taken);
        assert_eq!((restored.restored, restored.described, restored.cleared), (names[2].clone(), 2, 1));
        assert!(!marker::is_copied(&folder));
        let (store, _) = start(copy.path(), &clock);
        assert_eq!(self::names(&store).await, ["kept"]);
        store.close().await.unwrap();
        drop(store);
        // Moved away, nothing speaks against a new house.
        fs::remove_file(folder.store_file()).unwrap();
        fs::rename(folder.backups(), copy.path().join("away")).unwrap();
        assert!(!marker::is_copied(&folder));
        start(copy.path(), &clock);
    }
}

#[tokio::test]
async fn a_restore_in_a_copied_folder_puts_what_came_over_in_part_in_order_and_says_so() {
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
        assert_eq!((restored.described, restored.cleared, incomplete(copy.path())), (1, 1, 0));
        assert_eq!(restored.restored, names[2]);
        assert!(place(copy.path(), &names[2], "redb").exists());
    }
    let copy = copy(&root, &names);
    let folder = DataFolder::take(copy.path()).unwrap();
    let adopted = adopting::offline(&folder, &Schema::default(), &clock, |_| ()).unwrap();
    assert_eq!((adopted.described, adopted.cleared, incomplete(copy.path())), (1, 1, 0));
}

#[tokio::test]
async fn the_first_start_in_a_copied_folder_puts_what_came_over_in_part_in_order_and_says_so() {
    let (root, store, clock, names) = house().await;
    store.close().await.unwrap();
    drop(store);
    let copy = copy(&root, &names);
    let (store, mut report) = start(copy.path(), &clock);
    store.put_snapshots_in_order(&mut report).await.unwrap();
    let said: Vec<_> = report.items.iter().filter(|item| item.step == StartStep::SnapshotsCleared).collect();
    assert_eq!((said.len(), incomplete(copy.path())), (1, 0), "{report:?}");
    store.close().await.unwrap();
    drop(store);
    // Where nothing sound came over, all stays: it says what is lost.
    let bare = self::copy(&root, &names);
    for name in &names[1..] {
        let _ = fs::remove_file(place(bare.path(), name, "redb"));
    }
    let (store, mut report) = start(bare.path(), &clock);
    store.put_snapshots_in_order(&mut report).await.unwrap();
    assert_eq!(incomplete(bare.path()), 2);
}

#[tokio::test]
async fn what_a_house_has_lost_itself_stays_said_until_so_many_sound_snapshots_were_made_after_it() {
    let (root, store, clock, names) = house().await;
    tear(root.path(), &names);
    store.close().await.unwrap();
    drop(store);
    let (store, mut report) = start(root.path(), &clock);
    store.put_snapshots_in_order(&mut report).await.unwrap();
    assert!(report.items.iter().all(|item| item.step != StartStep::SnapshotsCleared), "{report:?}");
    let restored = restores(&store).restore(Some(names[2].clone()), |_| ()).await.unwrap();
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
    thread: Option<std::thread::JoinHandle<Vec<hanok_base::Message>>>,
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

    fn end(mut self) -> Vec<hanok_base::Message> {
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

#[tokio::test]
async fn a_restore_that_is_killed_just_before_its_exchange_makes_no_copied_folder_of_its_own_and_forgets_no_damage() {
    let (root, store, clock, names) = house().await;
    store.close().await.unwrap();
    drop(store);
    tear(root.path(), &names);
    let folder = DataFolder::at(root.path());
    let waiting = restore::waiting_file(&folder);
    // As it lies there between the marker and the exchange.
    let kill = || {
        fs::copy(folder.store_file(), &waiting).unwrap();
        let file = marker::identity(&waiting).unwrap();
        marker::put_of_the_next(&folder, &marker::ShutdownMarker::closed(file)).unwrap();
    };
    kill();
    let (store, report) = start(root.path(), &clock);
    assert!(report.items.iter().all(|item| item.step != StartStep::SnapshotsCleared), "{report:?}");
    assert_eq!(incomplete(root.path()), 2);
    store.close().await.unwrap();
    drop(store);
    let file = marker::identity(&folder.store_file()).unwrap();
    marker::put_beside(
        &folder,
        &marker::ShutdownMarker { open: true, damaged: true, ..marker::ShutdownMarker::closed(file) },
    )
    .unwrap();
    kill();
    assert!(is_known_damaged(&folder));
    // Once it is in place, what was said of the one before is no matter.
    fs::rename(&waiting, folder.store_file()).unwrap();
    assert!(!is_known_damaged(&folder) && !marker::is_copied(&folder));
}
