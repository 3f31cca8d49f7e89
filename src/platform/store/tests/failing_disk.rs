//! A disk that cannot give the bytes at a place: what is said of it, and that the store goes on when it can again.

use super::*;

/// A disk that answers with EIO when it is asked for the bytes of a place.
#[derive(Debug, Default)]
struct Failing {
    fails: AtomicBool,
}

/// Where the bytes begin that it cannot give: behind redb's header.
const BAD_FROM: u64 = 4096;
const EIO: i32 = 5;

impl Mood for Failing {
    fn at_read(&self, end: u64) -> io::Result<()> {
        if self.fails.load(Ordering::SeqCst) && end > BAD_FROM {
            return Err(io::Error::from_raw_os_error(EIO));
        }
        Ok(())
    }
}

fn assert_said(error: &Error) {
    for said in ["the disk could not be read at byte ", " of hanok.redb (", "check the disk", "hanok backup --to"] {
        assert!(error.message.contains(said), "{said}: {error}");
    }
    assert!(!error.message.contains("on our side"), "{error}");
}

#[tokio::test]
async fn a_disk_that_cannot_be_read_is_named_by_a_check_a_read_and_a_start_and_is_no_damage() {
    let disk = Disk::of(Failing::default());
    let open = || Store::on_backend(disk.clone(), Schema::default(), clock(), Events::default());
    let store = open().unwrap();
    add(&store, "kept").await.unwrap();
    disk.fails.store(true, Ordering::SeqCst);
    assert_said(&store.check_integrity().await.unwrap_err());
    assert_ne!(store.state(), StorageState::Damaged);
    disk.fails.store(false, Ordering::SeqCst);
    store.check_integrity().await.unwrap();
    assert_eq!(names(&store).await, ["kept"]);
    // More than is kept in memory.
    store.write(|tx| (2..300).try_for_each(|id| tx.put(&NAMES, id, &"large".repeat(20_000)))).await.unwrap();
    disk.fails.store(true, Ordering::SeqCst);
    let read = store.read(|tx| tx.values(&NAMES, 0.., Order::Ascending, 0, usize::MAX));
    assert_said(&read.await.unwrap_err());
    disk.fails.store(false, Ordering::SeqCst);
    assert_eq!(names(&store).await.len(), 299);
    store.close().await.unwrap();
    drop(store);
    disk.fails.store(true, Ordering::SeqCst);
    assert_said(&open().err().unwrap());
}

#[test]
fn a_snapshot_that_the_disk_cannot_give_is_named_with_the_place_and_what_helps() {
    struct Bad;
    impl io::Read for Bad {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::from_raw_os_error(EIO))
        }
    }
    let readable = io::Read::take(io::repeat(7), BAD_FROM);
    let disk = io::Read::chain(readable, Bad);
    let found = snapshot::digest(disk, "snapshot 20261120T050000Z-manual", |_| Ok(())).unwrap_err();
    let place = "the disk could not be read at byte 4096 of snapshot 20261120T050000Z-manual";
    for said in [place, "Input/output error", "check the disk", "hanok backup --to"] {
        assert!(found.message.contains(said), "{said}: {found}");
    }
    assert!(!found.message.contains("on our side"), "{found}");
}

/// A disk of which one write in six fails, while it does.
#[derive(Debug, Default)]
struct Unsteady {
    fails: AtomicBool,
    dice: AtomicU64,
}

impl Unsteady {
    /// A throw of a die: a linear congruential generator (Knuth's MMIX), of which the upper bits are used.
    fn throw(&self) -> u64 {
        let next = |state: u64| state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let before = self.dice.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |state| Some(next(state))).unwrap();
        (next(before) >> 33) % 6
    }
}

impl Mood for Unsteady {
    fn at_write(&self) -> io::Result<()> {
        if self.fails.load(Ordering::SeqCst) && self.throw() == 0 {
            return Err(io::Error::from_raw_os_error(EIO));
        }
        Ok(())
    }
}

#[tokio::test]
async fn a_check_while_writes_fail_takes_no_write_that_was_cut_off_for_damage() {
    for seed in 0..12 {
        let disk = Disk::of(Unsteady { dice: AtomicU64::new(seed), ..Unsteady::default() });
        let store = Store::on_backend(disk.clone(), Schema::default(), clock(), Events::default()).unwrap();
        let mut acknowledged = Vec::new();
        for round in 0..10 {
            disk.fails.store(true, Ordering::SeqCst);
            for number in 0..4 {
                let name = format!("{round} {number} {}", "x".repeat(3_000));
                if add(&store, &name).await.is_ok() {
                    acknowledged.push(name);
                }
                let _ = store.check_integrity().await;
                assert_ne!(store.state(), StorageState::Damaged, "seed {seed}, round {round}, write {number}");
            }
            disk.fails.store(false, Ordering::SeqCst);
            let name = format!("{round} healed");
            add(&store, &name).await.unwrap();
            acknowledged.push(name);
            store.check_integrity().await.unwrap();
        }
        let kept = names(&store).await;
        assert!(acknowledged.iter().all(|name| kept.contains(name)), "seed {seed}");
    }
}
