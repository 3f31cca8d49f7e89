//! What restores replace, what they leave as it is, and snapshots that are found damaged.

use chrono::Duration;

use super::super::restore::Wanted;
use super::copies::flip;
use super::*;

const OPTIONS: Options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };

fn listed(store: &Store, kind: SnapshotKind) -> Vec<Snapshot> {
    let all = snapshot::list(store.folder().unwrap()).unwrap();
    all.into_iter().filter(|snapshot| snapshot.kind == kind).collect()
}

async fn restore_named(store: &Store, name: &str) -> restore::Restored {
    restores(store).restore(Some(name.to_owned()), |_| ()).await.unwrap()
}

#[tokio::test]
async fn a_snapshot_that_a_check_finds_damaged_stays_known_as_such_and_is_refused_naming_the_newest_sound_one() {
    let root = tempfile::tempdir().unwrap();
    let clock = clock();
    let (store, _) = Store::open(root.path(), &OPTIONS, Schema::default(), clock.clone(), Events::default()).unwrap();
    add(&store, "xxxxxxxxxxxx").await.unwrap();
    let sound = store.snapshot(SnapshotKind::Hourly, KEEP).await.unwrap();
    clock.set(clock.now() + Duration::hours(1));
    let rotten = store.snapshot(SnapshotKind::Hourly, KEEP).await.unwrap();
    let folder = store.folder().unwrap().clone();
    let file = snapshot::file(&folder, &rotten.name);
    let whole = std::fs::read(&file).unwrap();
    flip(&file, b"xxxxxxxxxxxx");
    snapshot::verify(&folder, &rotten, rotten.verified_at, |_| Ok(())).unwrap_err();
    drop(folder);
    store.close().await.unwrap();
    drop(store);

    let store = open(root.path()).unwrap();
    let folder = store.folder().unwrap().clone();
    assert_eq!(snapshot::find(&folder, &rotten.name).unwrap().state, SnapshotState::Damaged);
    assert_eq!(snapshot::newest(&folder).unwrap().unwrap().name, sound.name);
    let refused = restores(&store).restore(Some(rotten.name.clone()), |_| ()).await.unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict);
    assert!(refused.message.contains(&format!("snapshot {} is damaged", rotten.name)), "{refused}");
    assert!(refused.message.contains(&format!("`hanok restore {}`", sound.name)), "{refused}");
    // Without a sound one, how to get one is said.
    let description = snapshot::description_file(&folder, &sound.name);
    let hidden = root.path().join("hidden");
    std::fs::rename(&description, &hidden).unwrap();
    let none_left = restores(&store).restore(Some(rotten.name.clone()), |_| ()).await.unwrap_err();
    assert!(none_left.message.ends_with("; there is no sound one; `hanok backup` makes one"), "{none_left}");
    std::fs::rename(&hidden, &description).unwrap();
    // The room that it takes is not that of a sound one.
    let one = Retention { hourly: 1, daily: 0, weekly: 0 };
    retention::prune(&folder, &one).unwrap();
    assert!(snapshot::find(&folder, &sound.name).is_ok(), "the last sound one went for a damaged one");
    // Brought back whole, it is found whole.
    std::fs::write(&file, whole).unwrap();
    let rotten = snapshot::find(&folder, &rotten.name).unwrap();
    snapshot::verify(&folder, &rotten, rotten.verified_at, |_| Ok(())).unwrap();
    assert!(snapshot::list(&folder).unwrap().iter().all(Snapshot::is_sound));
}

#[tokio::test]
async fn no_number_of_restores_loses_a_state_that_only_a_restore_has_kept_whatever_the_clock_says() {
    let root = tempfile::tempdir().unwrap();
    let clock = clock();
    let (store, _) = Store::open(root.path(), &OPTIONS, Schema::default(), clock.clone(), Events::default()).unwrap();
    add(&store, "in the snapshot").await.unwrap();
    let made = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    add(&store, "only here").await.unwrap();
    let first = restore_named(&store, &made.name).await;
    assert_eq!(names(&store).await, ["in the snapshot"]);
    // Ten years ahead, and back.
    clock.set(clock.now() + Duration::days(3650));
    add(&store, "only here, in another year").await.unwrap();
    let second = restore_named(&store, &made.name).await;
    clock.set(clock.now() - Duration::days(3650));
    for _ in 0..3 {
        restore_named(&store, &made.name).await;
    }
    let restores_here = restores(&store);
    let four = (0..4).map(|_| restores_here.restore(Some(made.name.clone()), |_| ()));
    for restored in futures_util::future::join_all(four).await {
        restored.unwrap();
    }
    // Snapshots of every hour meanwhile, and the retention at work.
    for _ in 0..3 {
        store.snapshot(SnapshotKind::Hourly, Retention { hourly: 1, daily: 1, weekly: 1 }).await.unwrap();
    }
    let kept = listed(&store, SnapshotKind::Restore);
    assert_eq!(kept.len(), 9, "{kept:#?}");
    assert!(kept.windows(2).all(|pair| pair[0].number > pair[1].number));
    let folder = store.folder().unwrap().clone();
    for snapshot in &kept {
        snapshot::verify(&folder, snapshot, snapshot.verified_at, |_| Ok(())).unwrap();
    }
    for (restored, expected) in [(first, "only here"), (second, "only here, in another year")] {
        restore_named(&store, &restored.undo.unwrap()).await;
        assert!(names(&store).await.contains(&expected.to_owned()), "{expected}");
    }
}

#[tokio::test]
async fn a_restore_is_undone_and_the_undoing_too_and_the_newest_is_never_what_was_left() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    assert_eq!(restores(&store).undo(|_| ()).await.unwrap_err().kind, Kind::Conflict);
    add(&store, "before").await.unwrap();
    let made = store.snapshot(SnapshotKind::Hourly, KEEP).await.unwrap();
    add(&store, "after").await.unwrap();
    let restored = restore_named(&store, &made.name).await;
    let kept = restored.pre_restore.unwrap();
    assert!(root.path().join(&kept).exists() && kept.starts_with("backups/"), "{kept}");
    let folder = store.folder().unwrap().clone();
    assert_eq!(snapshot::newest(&folder).unwrap().unwrap().name, made.name);
    assert_eq!(restores(&store).undo(|_| ()).await.unwrap().restored, restored.undo.unwrap());
    assert_eq!(names(&store).await, ["before", "after"]);
    restores(&store).undo(|_| ()).await.unwrap();
    assert_eq!(names(&store).await, ["before"]);
    drop(folder);
    store.close().await.unwrap();
    drop(store);
    // At rest, too.
    let folder = DataFolder::take(root.path()).unwrap();
    restore::offline(&folder, &Schema::default(), &clock(), Wanted::BeforeTheLast, |_| ()).unwrap();
    drop(folder);
    assert_eq!(names(&open(root.path()).unwrap()).await, ["before", "after"]);
}

#[tokio::test]
async fn an_undoing_puts_back_what_the_restore_under_way_replaces_and_waits_until_that_is_listed() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    add(&store, "in the snapshot").await.unwrap();
    let made = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    add(&store, "before the first").await.unwrap();
    restore_named(&store, &made.name).await;
    add(&store, "before the second").await.unwrap();
    let before = names(&store).await;
    let listing = Arc::clone(&store.copying).lock_owned().await;
    let restored = restore_named(&store, &made.name);
    let restores = restores(&store);
    let undone = restores.undo(|_| ());
    let listed = async {
        while names(&store).await == before {
            tokio::task::yield_now().await;
        }
        assert_eq!(names(&store).await, ["in the snapshot"]);
        drop(listing);
    };
    let (restored, undone, ()) = tokio::join!(restored, undone, listed);
    assert_eq!(undone.unwrap().restored, restored.undo.unwrap());
    assert_eq!(names(&store).await, ["in the snapshot", "before the second"]);
}

#[tokio::test]
async fn a_sound_state_that_cannot_be_listed_is_not_called_damaged_and_is_put_back_once_it_can_be() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    let made = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    add(&store, "only here").await.unwrap();
    // Where its description is to be written something else lies.
    let in_the_way = root.path().join("backups/20261010T120000Z-restore-2.json.partial");
    std::fs::create_dir(&in_the_way).unwrap();
    let restored = restore_named(&store, &made.name).await;
    let kept = restored.pre_restore.unwrap();
    assert_eq!((restored.undo, kept.as_str()), (None, "hanok.redb.before-restore-2-20261010T120000Z"));
    let refused = restores(&store).undo(|_| ()).await.unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict);
    assert!(refused.message.contains("is not listed yet") && refused.message.contains(&kept), "{refused}");
    assert!(refused.cause.as_ref().is_some_and(|cause| cause.contains("json.partial")), "{refused:?}");
    std::fs::remove_dir(in_the_way).unwrap();
    restores(&store).undo(|_| ()).await.unwrap();
    assert_eq!(names(&store).await, ["only here"]);
}

#[tokio::test]
async fn what_a_killed_restore_or_an_earlier_version_has_kept_aside_is_listed_at_the_next_start() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    add(&store, "kept").await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let place = root.path().join("hanok.redb");
    // Killed before the exchange: a second name of what is in place.
    std::fs::hard_link(&place, root.path().join("hanok.redb.before-restore-1-20261009T120000Z")).unwrap();
    let store = open(root.path()).unwrap();
    assert!(listed(&store, SnapshotKind::Restore).is_empty());
    store.close().await.unwrap();
    drop(store);
    // Killed after it: another file is in place.
    std::fs::copy(&place, root.path().join("hanok.redb.before-restore-3-20261009T130000Z")).unwrap();
    std::fs::copy(&place, root.path().join("hanok.redb.before-restore-20261001T120000123Z")).unwrap();
    std::fs::write(root.path().join("hanok.redb.before-restore-2-20261009T125900Z"), "no store").unwrap();
    let store = open(root.path()).unwrap();
    let kept = listed(&store, SnapshotKind::Restore);
    let days: Vec<String> = kept.iter().map(|one| one.created_at.to_rfc3339()).collect();
    assert_eq!(days, ["2026-10-09T13:00:00+00:00", "2026-10-01T12:00:00.123+00:00"], "{kept:#?}");
    assert!(root.path().join("hanok.redb.before-restore-2-20261009T125900Z-damaged").exists());
    restore_named(&store, &kept[0].name).await;
    assert_eq!(names(&store).await, ["kept"]);
}

#[tokio::test]
async fn a_damaged_state_is_kept_as_it_is_and_nothing_is_undone_with_an_older_one() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    add(&store, "xxxxxxxxxxxx").await.unwrap();
    let made = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    restore_named(&store, &made.name).await;
    flip(&root.path().join("hanok.redb"), b"xxxxxxxxxxxx");
    store.check_integrity().await.unwrap_err();
    let restored = restore_named(&store, &made.name).await;
    assert_eq!((restored.undo, names(&store).await), (None, vec!["xxxxxxxxxxxx".to_owned()]));
    let kept = restored.pre_restore.unwrap();
    assert!(kept.ends_with("-damaged") && root.path().join(&kept).exists(), "{kept}");
    let refused = restores(&store).undo(|_| ()).await.unwrap_err();
    assert!(refused.kind == Kind::Conflict && refused.message.contains(&kept), "{refused}");
}

#[tokio::test]
async fn ids_given_after_a_snapshot_are_not_given_again_after_its_restore_running_or_at_rest() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    add(&store, "first").await.unwrap();
    let made = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    let given = add(&store, "second").await.unwrap();
    restore_named(&store, &made.name).await;
    let next = add(&store, "third").await.unwrap();
    assert!(next > given, "{next} after {given}");
    store.close().await.unwrap();
    drop(store);
    let folder = DataFolder::take(root.path()).unwrap();
    restore::offline(&folder, &Schema::default(), &clock(), Wanted::Named(&made.name), |_| ()).unwrap();
    drop(folder);
    assert!(add(&open(root.path()).unwrap(), "fourth").await.unwrap() > next);
}
