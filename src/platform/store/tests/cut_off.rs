//! Migrations that are cut off between two steps.

use std::sync::atomic::AtomicUsize;

use super::migrations::{close, mark, start};
use super::*;

#[tokio::test]
async fn a_migration_cut_off_between_any_two_steps_goes_on_with_the_rest_at_the_next_start() {
    /// Steps that were run, and the one of them that is cut off.
    static RUN: AtomicUsize = AtomicUsize::new(0);
    static CUT_OFF: AtomicUsize = AtomicUsize::new(usize::MAX);
    fn step(tx: &WriteTx, number: u64) -> Result<()> {
        mark(tx, number)?;
        let run = RUN.fetch_add(1, Ordering::SeqCst);
        if run == CUT_OFF.load(Ordering::SeqCst) { Err(Error::conflict(Message::english("cut off"))) } else { Ok(()) }
    }
    const STEPS: [Migration; 4] = [
        Migration { to: 2, name: "one", title: ("one", "one"), needed: |_| Ok(true), apply: |tx| step(tx, 1) },
        Migration { to: 2, name: "two", title: ("two", "two"), needed: |_| Ok(true), apply: |tx| step(tx, 2) },
        Migration { to: 2, name: "three", title: ("three", "three"), needed: |_| Ok(true), apply: |tx| step(tx, 3) },
        Migration { to: 3, name: "four", title: ("four", "four"), needed: |_| Ok(true), apply: |tx| step(tx, 4) },
    ];
    for cut_off in 0..STEPS.len() {
        let root = tempfile::tempdir().unwrap();
        close(open(root.path()).unwrap()).await;
        // All of them were rehearsed before the first one runs.
        RUN.store(0, Ordering::SeqCst);
        CUT_OFF.store(STEPS.len() + cut_off, Ordering::SeqCst);
        assert!(start(root.path(), &STEPS, &[]).is_err());
        CUT_OFF.store(usize::MAX, Ordering::SeqCst);
        let (store, report) = start(root.path(), &STEPS, &[]).unwrap();
        assert_eq!(names(&store).await, ["1", "2", "3", "4"], "cut off in step {cut_off}");
        // It is one migration, and the one snapshot of it is from before its first step.
        let last = store.last_migration().await.unwrap().unwrap();
        assert_eq!(
            (last.from, last.to, last.steps.as_slice()),
            (1, 3, ["one", "two", "three", "four"].map(String::from).as_slice())
        );
        let made = snapshot::list(store.folder().unwrap()).unwrap();
        let made: Vec<_> = made.iter().filter(|made| made.kind == SnapshotKind::Migration).collect();
        let before = made.iter().find(|made| Some(&made.name) == last.snapshot.as_ref()).expect("it is there");
        assert_eq!(before.tables.get(NAMES.name()), None, "cut off in step {cut_off}: {made:#?}");
        assert!(cut_off == 0 || made.len() == 1, "cut off in step {cut_off}: {made:#?}");
        assert!(report.items.iter().any(|item| item.step == StartStep::Migrated), "{report:?}");
        close(store).await;
        let (store, report) = start(root.path(), &STEPS, &[]).unwrap();
        assert_eq!(names(&store).await, ["1", "2", "3", "4"]);
        assert!(report.items.iter().all(|item| item.step != StartStep::Migrated), "{report:?}");
    }
}

#[tokio::test]
async fn starts_that_fail_half_way_again_and_again_keep_the_state_from_before_and_a_migration_ends_without_its_last_step()
 {
    static RUN: AtomicUsize = AtomicUsize::new(0);
    static IS_NEEDED: AtomicBool = AtomicBool::new(true);
    const STEPS: [Migration; 2] = [
        Migration { to: 1, name: "one", title: ("one", "one"), needed: |_| Ok(true), apply: |tx| mark(tx, 1) },
        Migration {
            to: 1,
            name: "two",
            title: ("two", "two"),
            needed: |_| Ok(IS_NEEDED.load(Ordering::SeqCst)),
            apply: |_| match RUN.fetch_add(1, Ordering::SeqCst) % 2 {
                0 => Ok(()),
                _ => Err(Error::conflict(Message::english("cut off"))),
            },
        },
    ];
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    let mine = store.snapshot(SnapshotKind::Migration, KEEP).await.unwrap();
    close(store).await;
    for _ in 0..12 {
        assert_eq!(start(root.path(), &STEPS, &[]).err().unwrap().message, "cut off");
    }
    // A program that knows none of the steps is sent to the state from before them.
    let refused = start(root.path(), &[], &[]).err().unwrap();
    IS_NEEDED.store(false, Ordering::SeqCst);
    let (store, report) = start(root.path(), &STEPS, &[]).unwrap();
    let last = store.last_migration().await.unwrap().unwrap();
    assert_eq!((last.from, last.to, last.steps.as_slice()), (1, 1, [String::from("one")].as_slice()));
    assert!(report.items.iter().any(|item| item.what == last.to_string()), "{report:?}");
    let before = snapshot::find(store.folder().unwrap(), last.snapshot.as_ref().unwrap()).unwrap();
    assert_eq!((before.number, before.tables.get(NAMES.name())), (mine.number + 1, None));
    assert!(refused.message.contains("the unknown step \"one\""), "{refused}");
    assert!(refused.message.contains(&format!("`hanok restore {}`", before.name)), "{refused}");
    close(store).await;
}

#[tokio::test]
async fn a_migration_whose_rest_was_given_up_is_over_and_the_next_one_keeps_the_snapshot_right_before_it() {
    const DONE: Migration =
        Migration { to: 2, name: "done", title: ("done", "done"), needed: |_| Ok(true), apply: |tx| mark(tx, 1) };
    const FAILING: Migration = Migration {
        to: 2,
        name: "failing",
        title: ("failing", "failing"),
        needed: |_| Ok(true),
        // The rehearsal goes well.
        apply: |_| {
            if RUN.fetch_add(1, Ordering::SeqCst) == 0 {
                Ok(())
            } else {
                Err(Error::conflict(Message::english("cut off")))
            }
        },
    };
    const LATER: Migration =
        Migration { to: 3, name: "later", title: ("later", "later"), needed: |_| Ok(true), apply: |tx| mark(tx, 2) };
    static RUN: AtomicUsize = AtomicUsize::new(0);
    let root = tempfile::tempdir().unwrap();
    close(open(root.path()).unwrap()).await;
    assert_eq!(start(root.path(), &[DONE, FAILING], &[]).err().unwrap().message, "cut off");
    // The house goes on with a program that has the one and no longer has the other.
    let (store, _) = start(root.path(), &[DONE], &[]).unwrap();
    store.write(|tx| tx.put(&NAMES, 50, &"written since".to_owned())).await.unwrap();
    close(store).await;
    let (store, _) = start(root.path(), &[DONE, LATER], &[]).unwrap();
    assert_eq!(names(&store).await, ["1", "2", "written since"]);
    let last = store.last_migration().await.unwrap().unwrap();
    assert_eq!((last.from, last.to, last.steps.as_slice()), (2, 3, [String::from("later")].as_slice()));
    let before = snapshot::find(store.folder().unwrap(), last.snapshot.as_ref().unwrap()).unwrap();
    assert_eq!((before.kind, before.tables.get(NAMES.name())), (SnapshotKind::Migration, Some(&2)));
    close(store).await;
}
