//! Restores while the store is open: what the house does with the state that is put in place, and who waits meanwhile.

use std::sync::mpsc;

use parking_lot::Mutex;

use super::*;

/// A store with a snapshot in which only "kept" stands; in the store itself "too late" stands, too.
async fn restorable(root: &Path) -> (Store, String) {
    let store = open(root).unwrap();
    add(&store, "kept").await.unwrap();
    let snapshot = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    add(&store, "too late").await.unwrap();
    (store, snapshot.name)
}

#[tokio::test]
async fn an_exchange_that_has_begun_is_done_whole_when_whoever_asked_has_gone() {
    let root = tempfile::tempdir().unwrap();
    let (store, snapshot) = restorable(root.path()).await;
    let (has_begun, mut begun) = tokio::sync::mpsc::unbounded_channel();
    let (let_go, held) = mpsc::channel::<()>();
    let (goes_on, gone_on) = tokio::sync::oneshot::channel();
    let (held, goes_on) = (Mutex::new(held), Mutex::new(Some(goes_on)));
    let handover = Handover {
        make_ready: Box::new(move |tx| {
            has_begun.send(()).unwrap();
            held.lock().recv().unwrap();
            tx.put(&NAMES, 7, &"ready".to_owned())
        }),
        go_on: Box::new(move || goes_on.lock().take().unwrap().send(()).unwrap()),
    };
    let restores = Restores::new(store.clone(), handover);
    tokio::select! {
        restored = restores.restore(Some(snapshot), |_| ()) => panic!("{restored:?}"),
        begun = begun.recv() => begun.unwrap(),
    }
    // Who asked has gone. The state before stands, and is read, until the exchange.
    assert_eq!(names(&store).await, ["kept", "too late"]);
    let_go.send(()).unwrap();
    gone_on.await.unwrap();
    assert_eq!(names(&store).await, ["kept", "ready"]);
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_state_that_cannot_be_made_ready_replaces_nothing() {
    let root = tempfile::tempdir().unwrap();
    let (store, snapshot) = restorable(root.path()).await;
    let handover = Handover {
        make_ready: Box::new(|tx| {
            tx.put(&NAMES, 7, &"half".to_owned())?;
            Err(Error::conflict(Message::english("on purpose")))
        }),
        go_on: Box::new(|| panic!("nothing was replaced")),
    };
    let refused = Restores::new(store.clone(), handover).restore(Some(snapshot), |_| ()).await.unwrap_err();
    assert_eq!(refused.message, "on purpose");
    assert_eq!(names(&store).await, ["kept", "too late"]);
    store.close().await.unwrap();
    let files = std::fs::read_dir(root.path()).unwrap().flatten().map(|file| file.file_name().into_string().unwrap());
    assert_eq!(files.filter(|name| name.starts_with("hanok.redb")).count(), 1, "nothing is left lying");
}

#[tokio::test]
async fn readers_and_writers_go_on_while_an_older_state_is_migrated_and_its_rows_are_counted_after_that() {
    static HELD: AtomicBool = AtomicBool::new(false);
    static BEGUN: AtomicBool = AtomicBool::new(false);
    const STEP: Migration = Migration {
        to: 2,
        name: "fill",
        title: ("fill", "fill"),
        needed: |_| Ok(true),
        apply: |tx| {
            BEGUN.store(true, Ordering::SeqCst);
            while HELD.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            (100..200).try_for_each(|number| tx.put(&NAMES, number, &"filled".to_owned()))
        },
    };
    let root = tempfile::tempdir().unwrap();
    let (store, snapshot) = restorable(root.path()).await;
    store.close().await.unwrap();
    drop(store);
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let schema = Schema::default().with(&[], &[STEP], &[]);
    let (store, _) = Store::open(root.path(), &options, schema, clock(), Events::default()).unwrap();
    BEGUN.store(false, Ordering::SeqCst);
    HELD.store(true, Ordering::SeqCst);
    let restores = restores(&store);
    let restoring = restores.restore(Some(snapshot), |_| ());
    let meanwhile = async {
        while !BEGUN.load(Ordering::SeqCst) {
            tokio::task::yield_now().await;
        }
        add(&store, "meanwhile").await.unwrap();
        assert!(names(&store).await.contains(&"meanwhile".to_owned()));
        HELD.store(false, Ordering::SeqCst);
    };
    let (restored, ()) = tokio::join!(restoring, meanwhile);
    assert_eq!(names(&store).await.len(), 101);
    let now = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    assert_eq!(restored.unwrap().rows, now.rows);
    store.close().await.unwrap();
}
