//! Files on a real folder: a small album whose rows name them, in a house that can be killed.

mod checked;
mod collected;
mod in_parts;
mod kept;
mod killed;
mod moved;
mod together;

use std::fs;

use chrono::Duration;
use tempfile::TempDir;

use super::row::{self, NAMED};
use super::*;
use crate::events::Events;
use crate::store;
use crate::store::open::Options;
use crate::store::retention::Retention;
use crate::store::{IndexedTable, Order, ReadTransaction, Schema, Snapshot, SnapshotKind};
use crate::testing::draw_night;
use hanok_base::Clock;

/// Table: songs of the household. Key: number. Value: the song with its files.
const SONGS: IndexedTable<u64, Song> = IndexedTable::new("songs-1", |song| song.0, &[&FILES]);
const FILES: BlobsNamed<Song> = BlobsNamed::new("songs", |song| song.1.clone());

/// A number and files.
type Song = (u64, Vec<BlobId>);

const KEEP: Retention = Retention { hourly: 24, daily: 14, weekly: 8 };

struct House {
    root: TempDir,
    clock: Clock,
    store: Store,
    blobs: Blobs,
}

fn schema() -> Schema {
    Schema::default()
        .with(store::TABLES, &[], &[])
        .with(TABLES, &[], &[])
        .with(&[&SONGS], &[], &[])
        .carrying(PRESERVED_ON_RESTORE)
}

impl House {
    fn new() -> House {
        House::at(TempDir::new().unwrap(), Clock::fixed(draw_night()))
    }

    fn at(root: TempDir, clock: Clock) -> House {
        let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
        let (store, _) = Store::open(root.path(), &options, schema(), clock.clone(), Events::default()).unwrap();
        House { blobs: Blobs::new(store.clone(), clock.clone()), root, clock, store }
    }

    /// The house after its process was killed: what was not on the disk is gone, and it starts again.
    async fn killed(self) -> House {
        let House { root, clock, store, blobs } = self;
        drop(blobs);
        store.close().await.unwrap();
        drop(store);
        House::at(root, clock)
    }

    async fn put(&self, words: &str) -> BlobId {
        self.blobs.put(words.as_bytes().to_vec()).await.unwrap().blob.id.clone()
    }

    async fn song(&self, number: u64, files: &[&BlobId]) -> Result<()> {
        let files = files.iter().map(|id| (*id).clone()).collect();
        self.store.write(move |tx| SONGS.put(tx, &(number, files))).await
    }

    async fn no_song(&self, number: u64) {
        self.store.write(move |tx| SONGS.remove(tx, number)).await.unwrap().unwrap();
    }

    async fn snapshot(&self) -> Snapshot {
        self.store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap()
    }

    fn hours_pass(&self, hours: i64) {
        self.clock.set(self.clock.now() + Duration::hours(hours));
    }

    /// Two collections, each a day after the one before.
    async fn days_pass(&self) -> Collected {
        let mut all = Collected::default();
        for _ in 0..2 {
            self.hours_pass(25);
            let collected = self.blobs.collect().await.unwrap().unwrap();
            all.files += collected.files;
            all.found += collected.found;
        }
        all
    }

    fn is_there(&self, id: &BlobId) -> bool {
        let is_known = self.store.read_now(|tx| find(tx, id)).unwrap().is_some();
        let lies = self.blobs.path(id).unwrap().exists();
        assert!(is_known || !lies, "a file without a row: {id}");
        is_known && lies
    }

    /// What lies in `blobs/`.
    fn lying(&self) -> Vec<String> {
        let entries = fs::read_dir(self.store.folder().unwrap().blobs()).unwrap().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    fn flaws(&self) -> Vec<String> {
        self.store.read_now(|tx| schema().flaws(tx)).unwrap().all()
    }
}

fn sha(words: &str) -> BlobId {
    BlobId::parse(&hanok_base::secret::fingerprint(words)).unwrap()
}
