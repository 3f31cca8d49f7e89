//! Migrations that are added later, that find no room, and that meet data which ships with the program.

use std::sync::atomic::AtomicUsize;

use super::super::file::versions::{META, MIGRATED, Version, note_unneeded};
use super::super::restore::Wanted;
use super::*;

/// Puts down that the step `number` has run: more than once, when it runs more than once.
pub(super) fn mark(tx: &WriteTx, number: u64) -> Result<()> {
    let before = tx.get(&NAMES, number)?.unwrap_or_default();
    tx.put(&NAMES, number, &format!("{before}{number}"))
}

pub(super) fn start(root: &Path, steps: &[Migration], shipped: &[ShippedData]) -> Result<(Store, StartReport)> {
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    Store::open(root, &options, Schema::default().with(&[], steps, shipped), clock(), Events::default())
}

pub(super) async fn close(store: Store) {
    store.close().await.unwrap();
    drop(store);
}

#[tokio::test]
async fn a_step_that_is_added_later_without_raising_the_version_runs() {
    const FIRST: Migration =
        Migration { to: 2, name: "one", title: ("one", "one"), needed: |_| Ok(true), apply: |tx| mark(tx, 1) };
    const LATER: Migration =
        Migration { to: 2, name: "two", title: ("two", "two"), needed: |_| Ok(true), apply: |tx| mark(tx, 2) };
    let root = tempfile::tempdir().unwrap();
    close(open(root.path()).unwrap()).await;
    close(start(root.path(), &[FIRST], &[]).unwrap().0).await;
    let (store, _) = start(root.path(), &[LATER, FIRST], &[]).unwrap();
    assert_eq!(names(&store).await, ["1", "2"]);
    let both = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    close(store).await;
    // A program that does not know the step is refused, and can be helped.
    let refused = start(root.path(), &[FIRST], &[]).err().unwrap();
    assert!(refused.message.contains("two") && refused.message.contains("-migration"), "{refused}");
    let other = tempfile::tempdir().unwrap();
    let (store, _) = start(other.path(), &[FIRST], &[]).unwrap();
    let folder = store.folder().unwrap();
    for file in [format!("{}.redb", both.name), format!("{}.json", both.name)] {
        std::fs::copy(root.path().join("backups").join(&file), folder.backups().join(&file)).unwrap();
    }
    let refused = restores(&store).restore(Some(both.name), |_| ()).await.unwrap_err();
    assert_eq!((refused.kind, names(&store).await.len()), (Kind::Conflict, 0), "{refused}");
}

#[tokio::test]
async fn a_refusal_for_an_unknown_step_does_not_say_of_snapshots_what_nobody_has_looked_at() {
    const FIRST: Migration =
        Migration { to: 2, name: "one", title: ("one", "one"), needed: |_| Ok(true), apply: |tx| mark(tx, 1) };
    const LATER: Migration =
        Migration { to: 2, name: "two", title: ("two", "two"), needed: |_| Ok(true), apply: |tx| mark(tx, 2) };
    let root = tempfile::tempdir().unwrap();
    let (store, _) = start(root.path(), &[FIRST], &[]).unwrap();
    let usable = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    // As a later program leaves it whose snapshot from before the step was taken away.
    store.write(|tx| tx.put(&MIGRATED, LATER.name, &())).await.unwrap();
    close(store).await;
    let refused = start(root.path(), &[FIRST], &[]).err().unwrap();
    assert!(refused.message.contains("none is known to be usable"), "{refused}");
    assert!(refused.message.contains("`hanok restore NAME` checks one before it replaces anything"), "{refused}");
    let folder = DataFolder::take(root.path()).unwrap();
    let known = Schema::default().with(&[], &[FIRST], &[]);
    restore::offline(&folder, &known, &clock(), Wanted::Named(&usable.name), |_| ()).unwrap();
}

#[tokio::test]
async fn a_snapshot_with_a_step_that_is_not_known_here_is_refused_before_anything_is_replaced() {
    const FIRST: Migration =
        Migration { to: 2, name: "one", title: ("one", "one"), needed: |_| Ok(true), apply: |tx| mark(tx, 1) };
    const LATER: Migration =
        Migration { to: 2, name: "two", title: ("two", "two"), needed: |_| Ok(true), apply: |tx| mark(tx, 2) };
    let root = tempfile::tempdir().unwrap();
    close(open(root.path()).unwrap()).await;
    let (store, _) = start(root.path(), &[LATER, FIRST], &[]).unwrap();
    let both = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let packed = elsewhere.path().join("house.hanok");
    pack(&store, &both, "", &packed, true).await.unwrap();
    close(store).await;

    let before = std::fs::read(root.path().join("hanok.redb")).unwrap();
    let folder = DataFolder::take(root.path()).unwrap();
    let known = Schema::default().with(&[], &[FIRST], &[]);
    for refused in [
        restore::offline(&folder, &known, &clock(), Wanted::Named(&both.name), |_| ()),
        restore::offline(&folder, &known, &clock(), Wanted::Newest, |_| ()),
        unpack::offline(&folder, &known, 0, &clock(), &packed, |_| ()).map(|(restored, _)| restored),
    ] {
        let refused = refused.unwrap_err();
        assert_eq!(refused.kind, Kind::Conflict, "{refused}");
        assert!(refused.message.contains("the unknown step \"two\""), "{refused}");
        assert!(refused.message.ends_with("nothing was replaced"), "{refused}");
    }
    assert!(std::fs::read(root.path().join("hanok.redb")).unwrap() == before, "the store was touched");
    let names = std::fs::read_dir(root.path()).unwrap().flatten().map(|entry| entry.file_name());
    let left: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with("hanok.redb.")).collect();
    assert!(left.is_empty(), "{left:?}");
    // The program that knows it takes it.
    let known = Schema::default().with(&[], &[LATER, FIRST], &[]);
    restore::offline(&folder, &known, &clock(), Wanted::Named(&both.name), |_| ()).unwrap();
}

#[tokio::test]
async fn what_is_said_to_be_migrated_is_what_was_really_done() {
    const STEPS: [Migration; 3] = [
        Migration { to: 2, name: "one", title: ("one", "one"), needed: |_| Ok(true), apply: |tx| mark(tx, 1) },
        Migration { to: 2, name: "two", title: ("two", "two"), needed: |_| Ok(false), apply: |tx| mark(tx, 2) },
        Migration { to: 3, name: "three", title: ("three", "three"), needed: |_| Ok(true), apply: |tx| mark(tx, 3) },
    ];
    let migrated = |report: &StartReport| {
        let items = report.items.iter().filter(|item| item.step == StartStep::Migrated);
        items.map(|item| item.what.clone()).collect::<Vec<_>>()
    };
    let root = tempfile::tempdir().unwrap();
    close(open(root.path()).unwrap()).await;
    let (store, report) = start(root.path(), &STEPS, &[]).unwrap();
    assert_eq!(names(&store).await, ["1", "3"]);
    let [said] = migrated(&report).try_into().unwrap();
    let before = said.strip_prefix(
        "migrated the store from version 1 to 3: one; three; the state from before it is in the snapshot ",
    );
    let last = store.last_migration().await.unwrap().unwrap();
    assert_eq!((last.from, last.to, last.snapshot.as_deref(), last.to_string()), (1, 3, before, said.clone()));
    snapshot::find(store.folder().unwrap(), before.unwrap()).unwrap();
    close(store).await;
    // A later start has nothing to say, and what was done stays written down.
    let (store, report) = start(root.path(), &STEPS, &[]).unwrap();
    assert_eq!(migrated(&report), [""; 0]);
    assert_eq!(store.last_migration().await.unwrap(), Some(last));
    close(store).await;
    let root = tempfile::tempdir().unwrap();
    close(open(root.path()).unwrap()).await;
    let (store, report) = start(root.path(), &STEPS[1..2], &[]).unwrap();
    assert_eq!(migrated(&report), ["migrated the store from version 1 to 2: nothing in it had to be changed"]);
    close(store).await;
}

#[tokio::test]
async fn a_migration_without_room_says_how_much_it_needs_and_what_has_been_done() {
    static RUN: AtomicUsize = AtomicUsize::new(0);
    const STEPS: [Migration; 2] = [
        Migration { to: 2, name: "one", title: ("one", "one"), needed: |_| Ok(true), apply: |tx| mark(tx, 1) },
        Migration {
            to: 2,
            name: "two",
            title: ("two", "two"),
            needed: |_| Ok(true),
            apply: |tx| match RUN.fetch_add(1, Ordering::SeqCst) {
                // It is rehearsed, and then the disk is full.
                1 => Err(Error::new(
                    Kind::StorageFull,
                    Message::english("the disk is full; nothing was changed, and reading goes on"),
                )),
                _ => mark(tx, 2),
            },
        },
    ];
    let root = tempfile::tempdir().unwrap();
    close(open(root.path()).unwrap()).await;
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 1 << 60 };
    let schema = Schema::default().with(&[], &STEPS, &[]);
    let refused = Store::open(root.path(), &options, schema, clock(), Events::default()).err().unwrap();
    assert_eq!(refused.kind, Kind::StorageFull);
    for said in ["migrated to version 2", "more than 10995116", "MiB are free", "make room", "nothing was changed"] {
        assert!(refused.message.contains(said), "{said}: {refused}");
    }
    assert!(!refused.message.contains("reading goes on"), "{refused}");
    let made = std::fs::read_dir(root.path().join("backups")).unwrap().count();
    assert_eq!(made, 0, "a snapshot was made where there is no room for it");
    let refused = start(root.path(), &STEPS, &[]).err().unwrap();
    assert_eq!(refused.kind, Kind::StorageFull);
    assert!(refused.message.ends_with("done already is: one; the next start goes on with the rest"), "{refused}");
    // The system says that there is room, and the disk that there is none: a quota, or somebody was faster.
    for said in ["need more than", "MiB were said to be free when it began", "the disk has taken no more: a quota"] {
        assert!(refused.message.contains(said), "{said}: {refused}");
    }
    let (store, report) = start(root.path(), &STEPS, &[]).unwrap();
    assert_eq!(names(&store).await, ["1", "2"]);
    assert!(
        report.items.iter().any(|item| item.what.starts_with("migrated the store from version 1 to 2: one; two; ")),
        "{report:?}"
    );
    close(store).await;
}

#[tokio::test]
async fn a_new_store_has_every_step_behind_it_and_one_that_notes_none_asks_each() {
    const STEP: Migration =
        Migration { to: 2, name: "one", title: ("one", "one"), needed: |_| Ok(true), apply: |tx| mark(tx, 1) };
    let root = tempfile::tempdir().unwrap();
    close(start(root.path(), &[STEP], &[]).unwrap().0).await;
    let (store, _) = start(root.path(), &[STEP], &[]).unwrap();
    assert_eq!(names(&store).await.len(), 0);
    close(store).await;
    // As a program left it that noted its version alone.
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    let version = Version { store: 2, app: env!("CARGO_PKG_VERSION").to_owned() };
    store.write(move |tx| tx.put(&META, "version", &version)).await.unwrap();
    close(store).await;
    let (store, _) = start(root.path(), &[STEP], &[]).unwrap();
    assert_eq!(names(&store).await, ["1"]);
}

#[tokio::test]
async fn a_version_that_migrates_puts_in_what_ships_with_it_at_a_start_and_with_a_restore() {
    const STEP: Migration =
        Migration { to: 2, name: "one", title: ("one", "one"), needed: |_| Ok(true), apply: |tx| mark(tx, 1) };
    const SHIPPED: ShippedData = ShippedData {
        name: "names",
        revision: 1,
        as_of: || None,
        put_in: |tx| mark(tx, 7).map(|()| Some("a name put in".to_owned())),
    };
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    let earlier = Version { store: 1, app: "0.0.1".to_owned() };
    store.write(move |tx| tx.put(&META, "version", &earlier)).await.unwrap();
    let older = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    close(store).await;
    let (store, report) = start(root.path(), &[STEP], &[SHIPPED]).unwrap();
    assert_eq!(names(&store).await, ["1", "7"]);
    assert!(report.items.iter().any(|item| item.step == StartStep::DataAdded), "{report:?}");
    store.write(|tx| tx.clear(&NAMES)).await.unwrap();
    restores(&store).restore(Some(older.name.clone()), |_| ()).await.unwrap();
    assert_eq!(names(&store).await, ["1", "7"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let packed = elsewhere.path().join("house.hanok");
    pack(&store, &older, "", &packed, true).await.unwrap();
    close(store).await;
    // At rest, too: the next start has nothing to do.
    let known = Schema::default().with(&[], &[STEP], &[SHIPPED]);
    for from_file in [false, true] {
        let folder = DataFolder::take(root.path()).unwrap();
        match from_file {
            true => unpack::offline(&folder, &known, 0, &clock(), &packed, |_| ()).unwrap().0,
            false => restore::offline(&folder, &known, &clock(), Wanted::Named(&older.name), |_| ()).unwrap(),
        };
        drop(folder);
        let (store, report) = start(root.path(), &[STEP], &[SHIPPED]).unwrap();
        assert_eq!(names(&store).await, ["1", "7"]);
        let done = |item: &StartItem| [StartStep::Migrated, StartStep::DataAdded].contains(&item.step);
        assert!(!report.items.iter().any(done), "{report:?}");
        close(store).await;
    }
}

#[tokio::test]
async fn steps_of_which_none_is_needed_ask_for_no_room_no_snapshot_and_no_rehearsal() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    const STEPS: [Migration; 2] = [
        Migration {
            to: 2,
            name: "one",
            title: ("one", "one"),
            needed: |_| {
                ASKED.fetch_add(1, Ordering::SeqCst);
                Ok(false)
            },
            apply: |tx| mark(tx, 1),
        },
        Migration { to: 3, name: "two", title: ("two", "two"), needed: |_| Ok(false), apply: |tx| mark(tx, 2) },
    ];
    let root = tempfile::tempdir().unwrap();
    close(open(root.path()).unwrap()).await;
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 1 << 60 };
    let start = || {
        let schema = Schema::default().with(&[], &STEPS, &[]);
        Store::open(root.path(), &options, schema, clock(), Events::default()).unwrap()
    };
    let (store, report) = start();
    assert_eq!(names(&store).await.len(), 0);
    assert!(report.items.iter().all(|item| item.step != StartStep::Rehearsed), "{report:?}");
    assert_eq!(std::fs::read_dir(root.path().join("backups")).unwrap().count(), 0);
    let version = store.read(|tx| tx.get(&META, "version")).await.unwrap().unwrap();
    assert_eq!(version.store, 3);
    close(store).await;
    let asked = ASKED.load(Ordering::SeqCst);
    close(start().0).await;
    assert_eq!(ASKED.load(Ordering::SeqCst), asked, "what is noted is not asked again");
}

#[tokio::test]
async fn a_later_store_of_the_same_program_version_gets_what_ships_also_where_no_step_is_needed() {
    const STEP: Migration =
        Migration { to: 2, name: "one", title: ("one", "one"), needed: |_| Ok(false), apply: |tx| mark(tx, 1) };
    const fn shipped(revision: u32) -> ShippedData {
        ShippedData {
            name: "names",
            revision,
            as_of: || None,
            put_in: |tx| mark(tx, 7).map(|()| Some("a name put in".to_owned())),
        }
    }
    let root = tempfile::tempdir().unwrap();
    // As this version of the program left it before anything shipped with it.
    close(open(root.path()).unwrap()).await;
    for (revision, expected, times) in [(1, "7", 1), (1, "7", 0), (3, "77", 1), (2, "77", 0)] {
        let (store, report) = start(root.path(), &[], &[shipped(revision)]).unwrap();
        let put_in = report.items.iter().filter(|item| item.step == StartStep::DataAdded).count();
        assert_eq!((names(&store).await, put_in), (vec![expected.to_owned()], times), "revision {revision}");
        close(store).await;
    }
    let root = tempfile::tempdir().unwrap();
    close(open(root.path()).unwrap()).await;
    let (store, report) = start(root.path(), &[STEP], &[shipped(1)]).unwrap();
    let done: Vec<_> = report.items.iter().map(|item| item.step).collect();
    assert!(done.contains(&StartStep::Migrated) && done.contains(&StartStep::DataAdded), "{done:?}");
    assert_eq!(names(&store).await, ["7"], "the step had nothing to do");
}

#[tokio::test]
async fn a_step_that_changes_rows_runs_before_what_is_derived_with_the_types_of_today() {
    /// A row as it is today.
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Pet {
        id: u64,
        legs: u64,
    }
    /// As it was at first.
    #[derive(serde::Serialize, serde::Deserialize)]
    struct PetWithoutLegs {
        id: u64,
    }
    const PETS: IndexedTable<u64, Pet> = IndexedTable::new("test_pets-1", |pet| pet.id, &[&BY_LEGS]);
    const BY_LEGS: DayCounts<Pet> = DayCounts::new("test_pets_by_legs-1", |pet| Some(pet.legs));
    const WITHOUT_LEGS: Table<u64, PetWithoutLegs> = Table::new(PETS.name());
    const WRITTEN: Table<u64, Pet> = Table::new(PETS.name());
    const COUNT: Derivation = Derivation::of(2, "count", ("셈", "counted"), &[&PETS]);
    const COUNT_AGAIN: Derivation = Derivation::by(
        2,
        "count again",
        ("다시 셈", "counted again"),
        &[],
        |_| Ok(true),
        |tx| mark(tx, BY_LEGS.total(tx)?),
    );
    const LEGS: Migration = Migration {
        to: 3,
        name: "legs",
        title: ("legs", "legs"),
        needed: |tx| Ok(tx.count(&WITHOUT_LEGS)? > 0),
        apply: |tx| {
            for entry in tx.entries(&WITHOUT_LEGS, 0.., Order::Ascending) {
                let id = entry?.value()?.id;
                tx.put(&WRITTEN, id, &Pet { id, legs: 4 })?;
            }
            Ok(())
        },
    };
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    store.write(|tx| tx.put(&WITHOUT_LEGS, 5, &PetWithoutLegs { id: 5 })).await.unwrap();
    close(store).await;
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let schema = Schema::default().with(&[&PETS], &[LEGS], &[]).deriving(&[COUNT, COUNT_AGAIN]);
    assert_eq!(schema.steps().iter().map(|step| step.name).collect::<Vec<_>>(), ["legs", "count", "count again"]);
    let (store, _) = Store::open(root.path(), &options, schema.clone(), clock(), Events::default()).unwrap();
    assert!(store.read(move |tx| schema.flaws(tx)).await.unwrap().is_empty());
    assert_eq!(names(&store).await, ["1"]);
    assert_eq!(store.read(|tx| tx.get(&META, "version")).await.unwrap().unwrap().store, 3);
}

#[tokio::test]
async fn a_step_that_is_needed_is_never_only_noted() {
    const NEEDED: Migration =
        Migration { to: 2, name: "one", title: ("one", "one"), needed: |_| Ok(true), apply: |tx| mark(tx, 1) };
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    let schema = Schema::default().with(&[], &[NEEDED], &[]);
    let noted = store.open.alone(|place| note_unneeded(&store.open.direct(place.as_ref().unwrap()), &schema));
    assert_eq!(noted.unwrap_err().kind, Kind::Internal);
    assert_eq!(store.read(|tx| tx.count(&MIGRATED)).await.unwrap(), 0);
}
