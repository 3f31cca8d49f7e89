//! A file that a hand takes out of its place while it is open, or writes over.

use super::super::adopting;
use super::super::restore::Wanted;
use super::copies::flip;
use super::migrations::close;
use super::*;

/// The data folder, whose store has one row, and the place it is put away to.
async fn filled() -> (tempfile::TempDir, Store) {
    let root = tempfile::tempdir().unwrap();
    let store = open(&root.path().join("data")).unwrap();
    add(&store, "before").await.unwrap();
    (root, store)
}

#[tokio::test]
async fn a_folder_that_is_away_for_a_while_refuses_writes_is_read_meanwhile_and_goes_on_when_it_is_back() {
    let (root, store) = filled().await;
    let (data, away) = (root.path().join("data"), root.path().join("away"));
    std::fs::rename(&data, &away).unwrap();
    for _ in 0..2 {
        let refused = add(&store, "meanwhile").await.unwrap_err();
        assert_eq!(refused.message.localized().unwrap().key, "house.folder_away");
        assert_eq!(store.state(), StorageState::Away);
        assert_eq!(names(&store).await, ["before"]);
    }
    std::fs::rename(&away, &data).unwrap();
    add(&store, "after").await.unwrap();
    assert_eq!(store.state(), StorageState::Ok);
    close(store).await;
    assert_eq!(names(&open(&data).unwrap()).await, ["before", "after"]);
}

#[tokio::test]
async fn another_file_in_its_place_is_neither_written_nor_marked_and_the_one_that_is_put_back_is_sound() {
    let (root, store) = filled().await;
    let file = root.path().join("data").join("hanok.redb");
    let aside = root.path().join("aside");
    std::fs::rename(&file, &aside).unwrap();
    std::fs::write(&file, "of another hand").unwrap();
    add(&store, "meanwhile").await.unwrap_err();
    close(store).await;
    assert_eq!(std::fs::read(&file).unwrap(), b"of another hand");
    std::fs::rename(&aside, &file).unwrap();
    assert_eq!(names(&open(&root.path().join("data")).unwrap()).await, ["before"]);
}

#[tokio::test]
async fn what_lies_in_its_place_is_neither_checked_for_it_nor_condemns_it() {
    let (root, store) = filled().await;
    let file = root.path().join("data").join("hanok.redb");
    let aside = root.path().join("aside");
    for foreign in [None, Some(vec![7; 200_000]), Some(std::fs::read(&file).unwrap())] {
        std::fs::rename(&file, &aside).unwrap();
        if let Some(bytes) = foreign {
            std::fs::write(&file, bytes).unwrap();
        }
        let refused = store.check_integrity().await.unwrap_err();
        assert_eq!(refused.message.localized().unwrap().key, "house.store_away_alone");
        assert_eq!((store.state(), names(&store).await), (StorageState::Away, vec!["before".to_owned()]));
        std::fs::rename(&aside, &file).unwrap();
        store.check_integrity().await.unwrap();
    }
    add(&store, "after").await.unwrap();
    assert_eq!(store.state(), StorageState::Ok);
}

#[tokio::test]
async fn whoever_is_refused_is_told_the_best_way_back_that_there_is_at_that_moment() {
    let (root, store) = filled().await;
    let file = root.path().join("data").join("hanok.redb");
    let aside = root.path().join("aside");
    std::fs::rename(&file, &aside).unwrap();
    assert_eq!(refusal_of(&store).await, "house.store_away_alone");
    std::fs::rename(&aside, &file).unwrap();
    store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    std::fs::rename(&file, &aside).unwrap();
    assert_eq!(refusal_of(&store).await, "house.store_away");
    // From here on the process alone has it.
    std::fs::remove_file(&aside).unwrap();
    assert_eq!(refusal_of(&store).await, "house.store_away_unkept");
    assert!(restores(&store).keep_removed().await.unwrap().is_some());
    assert_eq!(refusal_of(&store).await, "house.store_away_kept");
    // What it names works while the house runs.
    restores(&store).undo(|_| ()).await.unwrap();
    add(&store, "after").await.unwrap();
    assert_eq!(names(&store).await, ["before", "after"]);
}

#[tokio::test]
async fn where_something_has_written_over_the_open_file_a_snapshot_is_offered_only_where_there_is_one() {
    let (root, store) = filled().await;
    let file = root.path().join("data").join("hanok.redb");
    let older = std::fs::read(&file).unwrap();
    add(&store, "since").await.unwrap();
    std::fs::write(&file, older).unwrap();
    assert_eq!(refusal_of(&store).await, "house.store_overwritten_alone");
}

#[tokio::test]
async fn a_snapshot_that_was_found_damaged_is_named_as_a_way_back_nowhere() {
    for (is_overwritten, said) in [(false, "house.store_away_alone"), (true, "house.store_overwritten_alone")] {
        let (root, store) = filled().await;
        let data = root.path().join("data");
        let made = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
        let folder = store.folder().unwrap().clone();
        flip(&snapshot::file(&folder, &made.name), b"before");
        snapshot::verify(&folder, &made, made.verified_at, |_| Ok(())).unwrap_err();
        let older = std::fs::read(data.join("hanok.redb")).unwrap();
        add(&store, "since").await.unwrap();
        if is_overwritten {
            std::fs::write(data.join("hanok.redb"), older).unwrap();
        } else {
            std::fs::rename(data.join("hanok.redb"), root.path().join("aside")).unwrap();
        }
        assert_eq!(refusal_of(&store).await, said);
        // And so says the restore itself.
        let refused = restores(&store).restore(None, |_| ()).await.unwrap_err();
        assert_eq!(refused.message.localized().unwrap().key, "house.no_sound_snapshot");
        if !is_overwritten {
            drop(folder);
            close(store).await;
            let refused = open(&data).err().unwrap();
            assert!(refused.message.contains("`hanok restore --from FILE`"), "{refused}");
            assert!(!refused.message.contains("--latest"), "{refused}");
        }
    }
}

/// What is said to whoever writes.
async fn refusal_of(store: &Store) -> String {
    let refused = add(store, "refused").await.unwrap_err();
    assert_eq!(refused.kind, Kind::StorageAway);
    refused.message.localized().unwrap().key.clone()
}

/// The snapshot of a store, and what its file held before something was added that is in neither.
async fn copied(root: &Path, store: &Store) -> Vec<u8> {
    store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    let older = std::fs::read(root.join("data").join("hanok.redb")).unwrap();
    add(store, "since").await.unwrap();
    older
}

#[tokio::test]
async fn what_is_written_over_the_open_file_is_noticed_by_the_next_write_and_neither_written_nor_taken_for_the_store() {
    for is_cut in [false, true] {
        let (root, store) = filled().await;
        let (data, older) = (root.path().join("data"), copied(root.path(), &store).await);
        let written = if is_cut { &older[..4096] } else { &older[..] };
        std::fs::write(data.join("hanok.redb"), written).unwrap();
        for _ in 0..2 {
            let refused = add(&store, "into nowhere").await.unwrap_err();
            assert_eq!(refused.kind, Kind::StorageAway);
            assert_eq!(refused.message.localized().unwrap().key, "house.store_overwritten");
            assert_eq!((store.state(), names(&store).await.len()), (StorageState::Away, 2));
        }
        close(store).await;
        assert!(std::fs::read(data.join("hanok.redb")).unwrap() == written, "what lies there was written");
        let refused = open(&data).err().unwrap();
        assert!(refused.message.contains("`hanok restore --latest`"), "{refused}");
    }
}

#[tokio::test]
async fn a_restore_goes_on_from_the_snapshot_where_something_has_written_over_the_open_file_and_keeps_that() {
    let (root, store) = filled().await;
    let (data, older) = (root.path().join("data"), copied(root.path(), &store).await);
    std::fs::write(data.join("hanok.redb"), &older).unwrap();
    add(&store, "into nowhere").await.unwrap_err();
    let restored = restores(&store).restore(None, |_| ()).await.unwrap();
    assert_eq!((names(&store).await, restored.undo), (vec!["before".to_owned()], None));
    assert!(std::fs::read(data.join(restored.pre_restore.unwrap())).unwrap() == older);
    add(&store, "after").await.unwrap();
    assert_eq!(store.state(), StorageState::Ok);
    close(store).await;
    assert_eq!(names(&open(&data).unwrap()).await, ["before", "after"]);
}

#[tokio::test]
async fn what_a_removed_file_held_is_kept_while_it_is_open_and_the_way_back_to_it_is_named_whatever_lies_in_its_place()
{
    let schema = Schema::default().with(&[&NAMES], &[], &[]);
    for is_adopted in [false, true] {
        let (root, store) = filled().await;
        let (data, hot) = (root.path().join("data"), root.path().join("hot"));
        std::fs::write(&hot, copied(root.path(), &store).await).unwrap();
        std::fs::rename(&hot, data.join("hanok.redb")).unwrap();
        add(&store, "refused").await.unwrap_err();
        assert!(restores(&store).keep_removed().await.unwrap().is_some());
        assert_eq!(restores(&store).keep_removed().await.unwrap(), None, "it is kept once");
        assert_eq!(names(&store).await, ["before", "since"], "it is read meanwhile");
        close(store).await;
        let refused = open(&data).err().unwrap();
        let folder = DataFolder::take(&data).unwrap();
        let kept = snapshot::list(&folder).unwrap().remove(0);
        assert!(refused.message.contains(&format!("`hanok restore {}`", kept.name)), "{refused}");
        // Whatever else is put in place first, undoing it leads back.
        if is_adopted {
            let adopted = adopting::offline(&folder, &schema, &clock(), |_| ()).unwrap();
            assert_eq!(adopted.undo, Some(kept.name));
        } else {
            restore::offline(&folder, &schema, &clock(), Wanted::Newest, |_| ()).unwrap();
        }
        restore::offline(&folder, &schema, &clock(), Wanted::BeforeTheLast, |_| ()).unwrap();
        drop(folder);
        assert_eq!(names(&open(&data).unwrap()).await, ["before", "since"], "{is_adopted}");
    }
}

#[tokio::test]
async fn what_a_removed_file_held_is_kept_also_where_a_folder_lies_in_its_place() {
    let schema = Schema::default().with(&[&NAMES], &[], &[]);
    let (root, store) = filled().await;
    let data = root.path().join("data");
    std::fs::remove_file(data.join("hanok.redb")).unwrap();
    std::fs::create_dir(data.join("hanok.redb")).unwrap();
    add(&store, "refused").await.unwrap_err();
    assert!(restores(&store).keep_removed().await.unwrap().is_some());
    close(store).await;
    let folder = DataFolder::take(&data).unwrap();
    restore::offline(&folder, &schema, &clock(), Wanted::BeforeTheLast, |_| ()).unwrap();
    drop(folder);
    assert_eq!(names(&open(&data).unwrap()).await, ["before"]);
}

/// Table: who may enter, which a restore does not take back. Key: the device.
const ENTERS: Table<&'static str, String> = Table::new("away_enters-1");
const STAYS: &[PreservedOnRestore] = &[PreservedOnRestore {
    carry: |before, restored| {
        restored.clear(&ENTERS)?;
        before.state.filter(|_| !before.is_damaged).map_or(Ok(()), |present| restored.put_all_of(&ENTERS, present))
    },
    forget: |tx| tx.clear(&ENTERS),
}];

#[tokio::test]
async fn who_was_signed_in_when_the_file_was_removed_stays_so_and_who_had_signed_out_does_not_come_back() {
    let schema = || Schema::default().with(&[&NAMES, &ENTERS], &[], &[]).carrying(STAYS);
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    for wanted in [Wanted::BeforeTheLast, Wanted::Newest] {
        for is_replaced in [false, true] {
            let root = tempfile::tempdir().unwrap();
            let data = root.path().join("data");
            let (store, _) = Store::open(&data, &options, schema(), clock(), Events::default()).unwrap();
            store.write(|tx| tx.put(&ENTERS, "phone", &"in the snapshot".to_owned())).await.unwrap();
            store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
            let since = |tx: &WriteTx| {
                tx.remove(&ENTERS, "phone")?;
                tx.put(&ENTERS, "tablet", &"since".to_owned())
            };
            store.write(since).await.unwrap();
            let file = data.join("hanok.redb");
            std::fs::remove_file(&file).unwrap();
            if is_replaced {
                std::fs::write(&file, "of another hand").unwrap();
            }
            add(&store, "refused").await.unwrap_err();
            assert!(restores(&store).keep_removed().await.unwrap().is_some());
            close(store).await;
            let folder = DataFolder::take(&data).unwrap();
            let restored = restore::offline(&folder, &schema(), &clock(), wanted, |_| ()).unwrap();
            assert!(!restored.signed_out, "{wanted:?} {is_replaced}");
            drop(folder);
            let (store, _) = Store::open(&data, &options, schema(), clock(), Events::default()).unwrap();
            let enters = |tx: &ReadTx| Ok((tx.get(&ENTERS, "phone")?, tx.get(&ENTERS, "tablet")?));
            let found = store.read_now(enters).unwrap();
            assert_eq!(found, (None, Some("since".to_owned())), "{wanted:?} {is_replaced}");
        }
    }
}
