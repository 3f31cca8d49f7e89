//! The store's own tests: atomicity, ids, group commit, storage that fails, snapshots, restore, hot copies.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use chrono::{DateTime, Utc};
use redb::StorageBackend;

use super::open::Options;
use super::retention::Retention;
use super::*;
use crate::events::Events;
use hanok_base::{Clock, Error, Kind, Result};

const NAMES: Table<u64, String> = Table::new("test_names-1");
const KEEP: Retention = Retention { hourly: 24, daily: 14, weekly: 8 };

fn clock() -> Clock {
    Clock::held("2026-10-10T12:00:00Z".parse::<DateTime<Utc>>().unwrap())
}

fn open(root: &Path) -> Result<Store> {
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    Store::open(root, &options, Schema::default(), clock(), Events::default()).map(|(store, _)| store)
}

async fn add(store: &Store, name: &str) -> Result<u64> {
    let name = name.to_owned();
    store
        .write(move |tx| {
            let id = tx.next_id("test_names")?;
            tx.put(&NAMES, id, &name)?;
            Ok(id)
        })
        .await
}

async fn names(store: &Store) -> Vec<String> {
    store.read(|tx| tx.values(&NAMES, 0u64.., Order::Ascending, 0, usize::MAX)).await.unwrap()
}

#[tokio::test]
async fn a_closure_that_fails_leaves_nothing_and_its_neighbours_stay() {
    let store = Store::memory(clock(), Events::default()).unwrap();
    let failing = store.write(|tx| {
        tx.put(&NAMES, 7, &"lost".to_owned())?;
        Err::<(), _>(Error::conflict("on purpose"))
    });
    let (failed, added) = tokio::join!(failing, add(&store, "kept"));
    assert_eq!(failed.unwrap_err().kind, Kind::Conflict);
    added.unwrap();
    assert_eq!(names(&store).await, ["kept"]);
}

#[tokio::test]
async fn a_closure_that_panics_is_an_error_and_the_store_goes_on() {
    let store = Store::memory(clock(), Events::default()).unwrap();
    let failed = store.write::<(), _>(|_| panic!("on purpose")).await.unwrap_err();
    assert_eq!(failed.kind, Kind::Internal);
    assert_eq!(add(&store, "after").await.unwrap(), 1);
}

#[tokio::test]
async fn ids_are_never_given_twice_even_after_the_newest_row_is_deleted() {
    let store = Store::memory(clock(), Events::default()).unwrap();
    let first = add(&store, "a").await.unwrap();
    store.write(move |tx| tx.remove(&NAMES, first)).await.unwrap();
    assert!(add(&store, "b").await.unwrap() > first);
}

#[tokio::test]
async fn pages_skip_and_take_in_both_directions() {
    let store = Store::memory(clock(), Events::default()).unwrap();
    for name in ["a", "b", "c", "d"] {
        add(&store, name).await.unwrap();
    }
    let newest = store.read(|tx| tx.values(&NAMES, 0u64.., Order::Descending, 1, 2)).await.unwrap();
    assert_eq!(newest, ["c", "b"]);
    assert_eq!(store.read(|tx| tx.count(&NAMES)).await.unwrap(), 4);
}

/// A backend that counts syncs and can be made to have no room.
#[derive(Debug)]
struct Moody {
    inner: redb::backends::InMemoryBackend,
    full: AtomicBool,
    syncs: AtomicU64,
}

impl Moody {
    fn new() -> Arc<Self> {
        Arc::new(Moody {
            inner: redb::backends::InMemoryBackend::new(),
            full: AtomicBool::new(false),
            syncs: AtomicU64::new(0),
        })
    }

    fn room(&self) -> std::io::Result<()> {
        if self.full.load(Ordering::SeqCst) { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

impl StorageBackend for Moody {
    fn len(&self) -> std::io::Result<u64> {
        self.inner.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<()> {
        self.inner.read(offset, out)
    }

    fn set_len(&self, len: u64) -> std::io::Result<()> {
        self.room()?;
        self.inner.set_len(len)
    }

    fn sync_data(&self) -> std::io::Result<()> {
        self.syncs.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(std::time::Duration::from_millis(2));
        self.room()
    }

    fn write(&self, offset: u64, data: &[u8]) -> std::io::Result<()> {
        self.room()?;
        self.inner.write(offset, data)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_writers_share_one_sync() {
    let disk = Moody::new();
    let store = Store::on_backend(disk.clone(), Schema::default(), clock(), Events::default()).unwrap();
    let before = disk.syncs.load(Ordering::SeqCst);
    let writers: Vec<_> = (0..200)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move { add(&store, &number.to_string()).await })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap().unwrap();
    }
    let syncs = disk.syncs.load(Ordering::SeqCst) - before;
    assert_eq!(names(&store).await.len(), 200);
    assert!(syncs < 100, "200 writes took {syncs} syncs");
}

#[tokio::test]
async fn a_full_disk_refuses_writes_keeps_reading_and_heals_by_itself() {
    let disk = Moody::new();
    let events = Events::default();
    let mut heard = events.listen();
    let store = Store::on_backend(disk.clone(), Schema::default(), clock(), events).unwrap();
    add(&store, "before").await.unwrap();
    disk.full.store(true, Ordering::SeqCst);
    let refused = add(&store, "no room").await.unwrap_err();
    assert_eq!(refused.kind, Kind::StorageFull);
    assert_eq!(store.space().state, StorageState::Full);
    disk.full.store(false, Ordering::SeqCst);
    assert_eq!(names(&store).await, ["before"]);
    add(&store, "after").await.unwrap();
    assert_eq!(names(&store).await, ["before", "after"]);
    assert_eq!(store.space().state, StorageState::Ok);
    let mut storage_events = 0;
    while let Ok(event) = heard.try_recv() {
        storage_events += u32::from(matches!(event, crate::events::Event::Changed(crate::events::Change::Storage)));
    }
    assert_eq!(storage_events, 2, "once when it became full, once when it healed");
}

#[tokio::test]
async fn a_snapshot_is_verified_and_restores_while_the_store_is_open() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    add(&store, "kept").await.unwrap();
    let snapshot = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    assert!(snapshot.rows > 0 && snapshot.bytes > 0);
    add(&store, "too late").await.unwrap();
    let restored = store.restore(Some(snapshot.name.clone()), |_| ()).await.unwrap();
    assert_eq!(names(&store).await, ["kept"]);
    assert!(root.path().join(restored.kept_aside.unwrap()).exists());
    add(&store, "goes on").await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let again = open(root.path()).unwrap();
    assert_eq!(names(&again).await, ["kept", "goes on"]);
}

#[tokio::test]
async fn a_second_process_is_refused_while_the_folder_is_in_use() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    assert_eq!(open(root.path()).err().unwrap().kind, Kind::Conflict);
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_hot_copy_of_the_folder_is_refused_and_its_newest_snapshot_restores() {
    let root = tempfile::tempdir().unwrap();
    let copy = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    add(&store, "kept").await.unwrap();
    store.snapshot(SnapshotKind::Hourly, KEEP).await.unwrap();
    let copied = std::process::Command::new("cp")
        .args(["-a", &format!("{}/.", root.path().display()), &copy.path().display().to_string()])
        .status()
        .unwrap();
    assert!(copied.success());
    let refused = open(copy.path()).err().unwrap();
    assert!(refused.message.contains("hanok restore --latest"), "{refused}");
    // Only the file, without the marker beside it: the marker inside speaks.
    std::fs::remove_file(copy.path().join("run/seal.json")).unwrap();
    let refused = open(copy.path()).err().unwrap();
    assert!(refused.message.contains("hanok restore --latest"), "{refused}");

    let folder = DataFolder::take(copy.path()).unwrap();
    restore::offline(&folder, 1, None, Utc::now(), |_| ()).unwrap();
    drop(folder);
    let restored = open(copy.path()).unwrap();
    assert_eq!(names(&restored).await, ["kept"]);
}

#[tokio::test]
async fn a_copy_of_a_closed_folder_opens_like_the_original() {
    let root = tempfile::tempdir().unwrap();
    let copy = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    add(&store, "kept").await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let copied = std::process::Command::new("cp")
        .args(["-a", &format!("{}/.", root.path().display()), &copy.path().display().to_string()])
        .status()
        .unwrap();
    assert!(copied.success());
    assert_eq!(names(&open(copy.path()).unwrap()).await, ["kept"]);
}

#[tokio::test]
async fn a_flipped_byte_is_found_at_the_start_and_in_a_snapshot() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    for number in 0..300 {
        add(&store, &format!("{number} {}", "x".repeat(200))).await.unwrap();
    }
    let snapshot = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    let folder = store.folder().unwrap().clone();
    store.close().await.unwrap();
    drop(store);
    flip(&snapshot::file(&folder, &snapshot.name), b"xxxxxxxxxxxx");
    let found = snapshot::verify(&folder, &snapshot, |_| ()).unwrap_err();
    assert!(found.message.contains(&snapshot.name));
    flip(&folder.store_file(), b"xxxxxxxxxxxx");
    drop(folder);
    let refused = open(root.path()).err().unwrap();
    assert!(refused.message.contains("restore"), "{refused}");
}

/// Flips one bit in the last place where `pattern` stands.
fn flip(path: &Path, pattern: &[u8]) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
    let mut bytes = std::fs::read(path).unwrap();
    let at = bytes.windows(pattern.len()).rposition(|window| window == pattern).unwrap();
    bytes[at] ^= 1;
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_newer_store_is_refused_naming_both_versions_and_an_older_one_is_migrated() {
    const STEPS: &[Migration] = &[Migration {
        to: 2,
        name: "upper-case names",
        needed: |tx| Ok(tx.count(&NAMES)? > 0),
        apply: |tx| {
            let name = tx.get(&NAMES, 1)?.unwrap_or_default();
            tx.put(&NAMES, 1, &name.to_uppercase())
        },
    }];
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    add(&store, "kim").await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let (migrated, report) =
        Store::open(root.path(), &options, Schema::default().with(&[], STEPS, &[]), clock(), Events::default())
            .unwrap();
    assert_eq!(names(&migrated).await, ["KIM"]);
    assert!(report.items.iter().any(|item| item.what.contains("rehearsed")), "{report:?}");
    migrated.close().await.unwrap();
    drop(migrated);
    let refused = open(root.path()).err().unwrap();
    assert!(refused.message.contains("version 2") && refused.message.contains("store version 1"), "{refused}");
    assert!(refused.message.contains("-migration"), "names the snapshot from before: {refused}");
}

#[tokio::test]
async fn one_file_moves_a_house_and_a_broken_file_changes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    add(&store, "moved").await.unwrap();
    let folder = store.folder().unwrap().clone();
    let blob = hanok_base::secret::fingerprint("a song");
    std::fs::write(folder.blobs().join(&blob), "a song").unwrap();
    let snapshot = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    let target = root.path().join("house.hanok");
    pack::write(&folder, &snapshot, "[ops]\n", &target).unwrap();

    let there = open(other.path()).unwrap();
    add(&there, "before").await.unwrap();
    let whole = std::fs::read(&target).unwrap();
    let cut = other.path().join("cut.hanok");
    std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(there.restore_from(&cut, |_| ()).await.unwrap_err().kind, Kind::InvalidInput);
    assert_eq!(names(&there).await, ["before"]);
    there.restore_from(&target, |_| ()).await.unwrap();
    assert_eq!(names(&there).await, ["moved"]);
    assert_eq!(std::fs::read_to_string(other.path().join("blobs").join(&blob)).unwrap(), "a song");
    assert!(other.path().join("appliance.toml").exists());
}

#[tokio::test]
async fn a_short_read_is_done_at_once_until_the_storage_is_slow_or_taken() {
    let store = Store::memory(clock(), Events::default()).unwrap();
    add(&store, "one").await.unwrap();
    let here = std::thread::current().id();
    let look = |work: fn()| {
        let store = store.clone();
        async move {
            let read = store.read_inline(move |tx| {
                work();
                Ok((tx.get(&NAMES, 1)?, std::thread::current().id()))
            });
            let (name, thread) = read.await.unwrap();
            assert_eq!(name.as_deref(), Some("one"));
            thread == here
        }
    };
    assert!(look(|| ()).await);
    let slow = || {
        let begun = std::time::Instant::now();
        while begun.elapsed().as_millis() < 5 {}
    };
    assert!(look(slow).await);
    assert!(!look(|| ()).await, "after a slow one the next are done elsewhere");
    assert!(store.open.alone(|_| Ok(store.open.at_once().is_none())).unwrap(), "nobody waits here for a turn");
}

#[tokio::test]
async fn what_is_wrong_with_a_file_under_restore_is_no_fault_of_the_live_store() {
    /// The file that is cut off while it is brought up to date.
    static CUT_OFF: std::sync::OnceLock<std::path::PathBuf> = std::sync::OnceLock::new();
    const STEPS: &[Migration] = &[Migration {
        to: 2,
        name: "reads every name",
        needed: |tx| Ok(tx.count(&NAMES)? > 0),
        apply: |tx| {
            if let Some(path) = CUT_OFF.get() {
                std::fs::File::options().write(true).open(path).unwrap().set_len(4096).unwrap();
            }
            tx.values(&NAMES, 0u64.., Order::Ascending, 0, usize::MAX).map(drop)
        },
    }];
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    // More than is kept in memory.
    let long = "x".repeat(10_000);
    store.write(move |tx| (0..300).try_for_each(|number| tx.put(&NAMES, number, &long))).await.unwrap();
    let sound = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    let damaged = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    let folder = store.folder().unwrap().clone();
    store.close().await.unwrap();
    drop(store);
    // Damaged before it was described: its bytes are those of its description.
    let file = snapshot::file(&folder, &damaged.name);
    flip(&file, b"xxxxxxxxxxxx");
    let (sha256, _) = snapshot::sha256(&file, |_| ()).unwrap();
    let description = serde_json::to_vec(&Snapshot { sha256, ..damaged.clone() }).unwrap();
    std::fs::write(folder.backups().join(format!("{}.json", damaged.name)), description).unwrap();
    drop(folder);

    let options = Options { cache_bytes: 1 << 20, reserve_bytes: 0 };
    let schema = Schema::default().with(&[], STEPS, &[]);
    let (store, _) = Store::open(root.path(), &options, schema, clock(), Events::default()).unwrap();
    CUT_OFF.set(restore::waiting_file(store.folder().unwrap())).unwrap();
    let refused = store.restore(Some(damaged.name), |_| ()).await.unwrap_err();
    assert_eq!((refused.kind, store.state()), (Kind::Internal, StorageState::Ok), "{refused}");
    // Sound at first, it cannot be read to its end.
    let refused = store.restore(Some(sound.name), |_| ()).await.unwrap_err();
    assert_eq!((refused.kind, store.state()), (Kind::Internal, StorageState::Ok), "{refused}");
    store.write(|tx| tx.put(&NAMES, 300, &"goes on".to_owned())).await.unwrap();
    assert_eq!(names(&store).await.len(), 301);
    assert!(!CUT_OFF.get().unwrap().exists());
}

#[tokio::test]
async fn what_ships_with_the_program_is_put_in_once_with_each_version() {
    const SHIPPED: &[ShippedData] = &[ShippedData {
        name: "names",
        put_in: |tx| {
            let id = tx.next_id("test_names")?;
            tx.put(&NAMES, id, &format!("shipped {id}"))?;
            Ok(Some("a name put in".to_owned()))
        },
    }];
    const VERSION: Table<&'static str, serde_json::Value> = Table::new("meta-1");
    let root = tempfile::tempdir().unwrap();
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let start = || {
        let schema = Schema::default().with(&[], &[], SHIPPED);
        let (store, report) = Store::open(root.path(), &options, schema, clock(), Events::default()).unwrap();
        (store, report.items.iter().filter(|item| item.step == open::StartStep::DataAdded).count())
    };
    let (store, put_in) = start();
    assert_eq!((names(&store).await, put_in), (vec!["shipped 1".to_owned()], 1));
    let snapshot = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let (store, put_in) = start();
    assert_eq!((names(&store).await.len(), put_in), (1, 0), "the same version has nothing to put in");
    store.write(|tx| tx.put(&VERSION, "version", &serde_json::json!({"store": 1, "app": "0.0.1"}))).await.unwrap();
    let older = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    store.restore(Some(older.name), |_| ()).await.unwrap();
    assert_eq!(names(&store).await.len(), 2, "a state of an earlier version gets it with its restore");
    store.restore(Some(snapshot.name), |_| ()).await.unwrap();
    assert_eq!(names(&store).await.len(), 1);
}
