//! The store's own tests: atomicity, ids, group commit, storage that fails, and its copies.

mod adopting;
mod away;
mod checks;
mod copies;
mod cut_off;
mod disk;
mod failing_disk;
mod handover;
mod leaving;
mod linked;
mod migrations;
mod partly_copied;
mod restores;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use chrono::{DateTime, Utc};

use self::disk::{Disk, Mood};
use super::open::Options;
use super::retention::Retention;
use super::*;
use crate::events::Events;
use crate::testing::{pack, restores};
use hanok_base::{Clock, Error, Kind, Message, Result};

const NAMES: Table<u64, String> = Table::new("test_names-1");
const KEEP: Retention = Retention { hourly: 24, daily: 14, weekly: 8 };

fn clock() -> Clock {
    Clock::fixed("2026-10-10T12:00:00Z".parse::<DateTime<Utc>>().unwrap())
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
        Err::<(), _>(Error::conflict(Message::english("on purpose")))
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

/// A disk that can be full, and counts how often it was synced.
#[derive(Debug, Default)]
struct Moody {
    full: AtomicBool,
    syncs: AtomicU64,
}

impl Moody {
    fn room(&self) -> io::Result<()> {
        if self.full.load(Ordering::SeqCst) { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

impl Mood for Moody {
    fn at_write(&self) -> io::Result<()> {
        self.room()
    }

    fn at_sync(&self) -> io::Result<()> {
        self.syncs.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(std::time::Duration::from_millis(2));
        self.room()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_writers_share_one_sync() {
    let disk = Disk::of(Moody::default());
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
    let disk = Disk::of(Moody::default());
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
        storage_events += u32::from(matches!(event, crate::events::Event::Changed(crate::events::Change::STORAGE)));
    }
    assert_eq!(storage_events, 2, "once when it became full, once when it healed");
}

#[tokio::test]
async fn a_second_process_is_refused_while_the_folder_is_in_use() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    assert_eq!(open(root.path()).err().unwrap().kind, Kind::Conflict);
    store.close().await.unwrap();
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
    // What this machine is too busy for does not count: each step begins with what the one before should have noted.
    let slow_until = &store.open.pace.slow_until;
    slow_until.store(0, Ordering::Relaxed);
    assert!(look(|| ()).await);
    slow_until.store(0, Ordering::Relaxed);
    let slow = || {
        let begun = std::time::Instant::now();
        while begun.elapsed().as_millis() < 5 {}
    };
    assert!(look(slow).await);
    assert!(slow_until.load(Ordering::Relaxed) > 0, "a slow one is noted");
    slow_until.store(u64::MAX, Ordering::Relaxed);
    assert!(!look(|| ()).await, "after a slow one the next are done elsewhere");
    slow_until.store(0, Ordering::Relaxed);
    assert!(store.open.alone(|_| Ok(store.open.at_once().is_none())).unwrap(), "nobody waits here for a turn");
}

/// A disk whose reads wait, while it is held, until the test lets them go on.
#[derive(Debug, Default)]
struct Held {
    is_held: AtomicBool,
    reads: AtomicU64,
}

impl Mood for Held {
    fn at_read(&self, _end: u64) -> io::Result<()> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        while self.is_held.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_check_that_nobody_waits_for_ends_at_the_next_page_and_says_nothing_about_the_store() {
    let disk = Disk::of(Held::default());
    let store = Store::on_backend(disk.clone(), Schema::default(), clock(), Events::default()).unwrap();
    for number in 0..200 {
        add(&store, &format!("{number} {}", "가".repeat(2_000))).await.unwrap();
    }
    let before = disk.reads.load(Ordering::SeqCst);
    store.check_integrity().await.unwrap();
    let whole = disk.reads.load(Ordering::SeqCst) - before;
    assert!(whole > 50, "{whole}");

    disk.is_held.store(true, Ordering::SeqCst);
    let before = disk.reads.load(Ordering::SeqCst);
    tokio::select! {
        _ = store.check_integrity() => panic!("it was held"),
        () = async { while disk.reads.load(Ordering::SeqCst) == before { tokio::task::yield_now().await } } => {}
    }
    disk.is_held.store(false, Ordering::SeqCst);
    add(&store, "afterwards").await.unwrap();
    let read = disk.reads.load(Ordering::SeqCst) - before;
    assert!(read < whole / 2, "{read} of {whole} pages");
    assert_eq!(store.state(), StorageState::Ok);
    store.check_integrity().await.unwrap();
}
