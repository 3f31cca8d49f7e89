//! Group commit: how much faster many callers write than one does, each write on disk before it is answered.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hanok::base::Clock;
use hanok::platform::events::Events;
use hanok::platform::store::open::Options;
use hanok::platform::store::{Schema, Store, Table};
use redb::StorageBackend;
use redb::backends::InMemoryBackend;
use serde::{Deserialize, Serialize};

use crate::house::fresh_folder;
use crate::report::{Goal, Report};

/// Table: rows of the benchmark. Key: id. Value: the row.
const ROWS: Table<u64, Row> = Table::new("bench_rows-1");
/// Table: the rows by their group. Key: group and id. Value: nothing.
const BY_GROUP: Table<(u64, u64), ()> = Table::new("bench_rows_by_group-1");

/// A sync of a disk in a NAS.
const SLOW_SYNC: Duration = Duration::from_millis(8);

#[derive(Serialize, Deserialize)]
struct Row {
    id: u64,
    group: u64,
    text: String,
}

/// Measures one caller against 64, on this disk and on one that syncs slowly.
pub fn run(report: &mut Report) {
    report.begin("Durable writes");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let folder = fresh_folder("writes").join("data");
        let options = Options { cache_bytes: 32 << 20, reserve_bytes: 0 };
        let (store, _) = Store::open(&folder, &options, Schema::default(), Clock::system(), Events::default()).unwrap();
        compare(report, "this disk", &store, 5.0).await;
        store.close().await.unwrap();
        let backend = Arc::new(SlowDisk(InMemoryBackend::new()));
        let store = Store::on_backend(backend, Schema::default(), Clock::system(), Events::default()).unwrap();
        compare(report, "a sync of 8 ms", &store, 30.0).await;
        store.close().await.unwrap();
    });
}

async fn compare(report: &mut Report, disk: &str, store: &Store, least: f64) {
    rate(store, 64, Duration::from_millis(500)).await;
    let one = rate(store, 1, Duration::from_secs(3)).await;
    let many = rate(store, 64, Duration::from_secs(3)).await;
    let detail = format!("{one:.0}/s, {many:.0}/s");
    report.goal(&format!("64 callers against one, {disk}"), many / one, Goal::AtLeast(least), "times", detail);
}

/// Acknowledged writes a second. Each is a transaction of its own: an id, a row and its index entry.
async fn rate(store: &Store, callers: usize, time: Duration) -> f64 {
    let begun = Instant::now();
    let mut running = tokio::task::JoinSet::new();
    for caller in 0..callers {
        let store = store.clone();
        running.spawn(async move {
            let mut written = 0u64;
            while begun.elapsed() < time {
                let group = caller as u64;
                let write = store.write(move |tx| {
                    let id = tx.next_id("bench_rows")?;
                    let text = "우유 사기, 저녁 여섯 시 전에".to_owned();
                    tx.put(&ROWS, id, &Row { id, group, text })?;
                    tx.put(&BY_GROUP, (group, id), &())
                });
                write.await.unwrap();
                written += 1;
            }
            written
        });
    }
    let mut written = 0;
    while let Some(one) = running.join_next().await {
        written += one.unwrap();
    }
    written as f64 / begun.elapsed().as_secs_f64()
}

/// Memory whose sync takes as long as that of a slow disk.
#[derive(Debug)]
struct SlowDisk(InMemoryBackend);

impl StorageBackend for SlowDisk {
    fn len(&self) -> std::io::Result<u64> {
        self.0.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<()> {
        self.0.read(offset, out)
    }

    fn set_len(&self, len: u64) -> std::io::Result<()> {
        self.0.set_len(len)
    }

    fn sync_data(&self) -> std::io::Result<()> {
        std::thread::sleep(SLOW_SYNC);
        self.0.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> std::io::Result<()> {
        self.0.write(offset, data)
    }
}
