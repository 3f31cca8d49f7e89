//! Snapshots, restores, copies, migrations and what ships with the program.

use std::collections::BTreeSet;
use std::fs;

use super::super::file::versions::SHIPPED as NOTED;
use super::super::restore::Wanted;
use super::*;

/// The names of the snapshots that a check has found damaged, newest first.
fn damaged(folder: &DataFolder) -> Vec<String> {
    let all = snapshot::list(folder).unwrap().into_iter();
    all.filter(|snapshot| !snapshot.is_sound()).map(|snapshot| snapshot.name).collect()
}

#[tokio::test]
async fn a_snapshot_is_verified_and_restores_while_the_store_is_open() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    add(&store, "kept").await.unwrap();
    let snapshot = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    assert!(snapshot.rows > 0 && snapshot.bytes > 0);
    add(&store, "too late").await.unwrap();
    let restored = restores(&store).restore(Some(snapshot.name.clone()), |_| ()).await.unwrap();
    assert_eq!(names(&store).await, ["kept"]);
    assert!(root.path().join(restored.pre_restore.unwrap()).exists());
    add(&store, "goes on").await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let again = open(root.path()).unwrap();
    assert_eq!(names(&again).await, ["kept", "goes on"]);
}

#[tokio::test]
async fn a_snapshot_of_another_length_is_damaged_without_being_read() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    let folder = DataFolder::at(root.path());
    let made = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    let file = snapshot::file(&folder, &made.name);
    snapshot::writable(&file).unwrap();
    fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(made.bytes + 1).unwrap();
    let reading = |_| Err(Error::conflict(Message::english("it is read")));
    let refused = snapshot::verify(&folder, &made, made.verified_at, reading).unwrap_err();
    assert!(refused.message.contains(&format!("{} bytes", made.bytes + 1)), "{refused}");
    assert!(!snapshot::find(&folder, &made.name).unwrap().is_sound());
    by_hand::remove_damaged(&folder, &made.name, made.verified_at, reading).unwrap();
    assert!(!file.exists());
}

#[tokio::test]
async fn the_name_of_a_snapshot_that_was_removed_is_not_given_again_within_its_second() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    let mut given = Vec::new();
    for _ in 0..3 {
        given.push(store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap().name);
        if let [first, _] = &given[..] {
            fs::remove_file(root.path().join(format!("backups/{first}.redb"))).unwrap();
            fs::remove_file(root.path().join(format!("backups/{first}.json"))).unwrap();
        }
    }
    assert_eq!(given.iter().collect::<BTreeSet<_>>().len(), 3, "{given:?}");
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
    restore::offline(&folder, &Schema::default(), &clock(), Wanted::Newest, |_| ()).unwrap();
    drop(folder);
    let restored = open(copy.path()).unwrap();
    assert_eq!(names(&restored).await, ["kept"]);
}

#[tokio::test]
async fn what_another_system_has_left_in_backups_keeps_no_house_from_beginning() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("backups")).unwrap();
    fs::write(root.path().join("backups/._20260101T000000Z-daily.redb"), "").unwrap();
    assert!(add(&open(root.path()).unwrap(), "first").await.is_ok());
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
    let found = snapshot::verify(&folder, &snapshot, snapshot.verified_at, |_| Ok(())).unwrap_err();
    assert!(found.message.contains(&snapshot.name));
    assert_eq!(damaged(&folder), [snapshot.name]);
    flip(&folder.store_file(), b"xxxxxxxxxxxx");
    drop(folder);
    let refused = open(root.path()).err().unwrap();
    assert!(refused.message.contains("restore"), "{refused}");
}

/// Flips one bit in the last place where `pattern` stands.
pub(super) fn flip(path: &Path, pattern: &[u8]) {
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
        title: ("upper-case names", "upper-case names"),
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
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("house.hanok");
    pack(&store, &snapshot, "[ops]\n", &target, true).await.unwrap();

    let there = open(other.path()).unwrap();
    add(&there, "before").await.unwrap();
    let whole = std::fs::read(&target).unwrap();
    let cut = other.path().join("cut.hanok");
    std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(restores(&there).restore_from(&cut, |_| ()).await.unwrap_err().kind, Kind::InvalidInput);
    assert_eq!(names(&there).await, ["before"]);
    let (_, settings) = restores(&there).restore_from(&target, |_| ()).await.unwrap();
    assert_eq!(settings.as_deref(), Some("[ops]\n"));
    assert_eq!(names(&there).await, ["moved"]);
    assert_eq!(std::fs::read_to_string(other.path().join("blobs").join(&blob)).unwrap(), "a song");
    assert!(!other.path().join("appliance.toml").exists(), "what becomes of the settings is for the caller to say");
}

#[tokio::test]
async fn what_is_wrong_with_a_file_under_restore_is_no_fault_of_the_live_store() {
    /// The file that is cut off while it is brought up to date.
    static CUT_OFF: std::sync::OnceLock<std::path::PathBuf> = std::sync::OnceLock::new();
    const STEPS: &[Migration] = &[Migration {
        to: 2,
        name: "reads every name",
        title: ("reads every name", "reads every name"),
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
    let (sha256, _) = snapshot::sha256(&file, |_| Ok(())).unwrap();
    let description = serde_json::to_vec(&Snapshot { sha256, ..damaged.clone() }).unwrap();
    std::fs::write(folder.backups().join(format!("{}.json", damaged.name)), description).unwrap();
    drop(folder);

    let options = Options { cache_bytes: 1 << 20, reserve_bytes: 0 };
    let schema = Schema::default().with(&[], STEPS, &[]);
    let (store, _) = Store::open(root.path(), &options, schema, clock(), Events::default()).unwrap();
    CUT_OFF.set(restore::waiting_file(store.folder().unwrap())).unwrap();
    let refused = restores(&store).restore(Some(damaged.name.clone()), |_| ()).await.unwrap_err();
    assert_eq!((refused.kind, store.state()), (Kind::Conflict, StorageState::Ok), "{refused}");
    assert_eq!(self::damaged(store.folder().unwrap()), [damaged.name]);
    // Sound at first, it cannot be read to its end.
    let refused = restores(&store).restore(Some(sound.name), |_| ()).await.unwrap_err();
    assert_eq!((refused.kind, store.state()), (Kind::Internal, StorageState::Ok), "{refused}");
    store.write(|tx| tx.put(&NAMES, 300, &"goes on".to_owned())).await.unwrap();
    assert_eq!(names(&store).await.len(), 301);
    assert!(!CUT_OFF.get().unwrap().exists());
}

#[tokio::test]
async fn what_ships_with_the_program_is_put_in_once_and_into_restored_states_that_lack_it() {
    const SHIPPED: &[ShippedData] = &[ShippedData {
        name: "names",
        revision: 1,
        as_of: || None,
        put_in: |tx| {
            let id = tx.next_id("test_names")?;
            tx.put(&NAMES, id, &format!("shipped {id}"))?;
            Ok(Some("a name put in".to_owned()))
        },
    }];
    let root = tempfile::tempdir().unwrap();
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let start = || {
        let schema = Schema::default().with(&[], &[], SHIPPED);
        let (store, report) = Store::open(root.path(), &options, schema, clock(), Events::default()).unwrap();
        (store, report.items.iter().filter(|item| item.step == StartStep::DataAdded).count())
    };
    let (store, put_in) = start();
    assert_eq!((names(&store).await, put_in), (vec!["shipped 1".to_owned()], 1));
    let snapshot = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let (store, put_in) = start();
    assert_eq!((names(&store).await.len(), put_in), (1, 0), "the same revision is not put in twice");
    store.write(|tx| tx.clear(&NOTED)).await.unwrap();
    let older = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    restores(&store).restore(Some(older.name), |_| ()).await.unwrap();
    assert_eq!(names(&store).await.len(), 2, "a state that lacks it gets it with its restore");
    restores(&store).restore(Some(snapshot.name), |_| ()).await.unwrap();
    assert_eq!(names(&store).await.len(), 1);
}

#[tokio::test]
async fn a_start_clears_away_half_a_snapshot_and_keeps_a_whole_one_with_its_description() {
    const HALF: &str = "20200101T000000Z-hourly";
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    let whole = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let place = |name: &str, extension: &str| root.path().join("backups").join(format!("{name}.{extension}"));
    // A removal that was killed before it had begun, and one that had moved the file away.
    std::fs::write(place(&whole.name, "partial"), "half").unwrap();
    std::fs::write(place(HALF, "partial"), "half").unwrap();
    std::fs::write(place(HALF, "json"), "{}").unwrap();
    let store = open(root.path()).unwrap();
    assert_eq!(snapshot::list(store.folder().unwrap()).unwrap(), std::slice::from_ref(&whole));
    for (name, extension) in [(whole.name.as_str(), "partial"), (HALF, "partial"), (HALF, "json")] {
        assert!(!place(name, extension).exists(), "{name}.{extension}");
    }
}
