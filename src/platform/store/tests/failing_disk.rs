//! A disk that cannot give the bytes at a place: what is said of it, and that the store goes on when it can again.

use super::*;

/// A backend that answers with EIO when it is asked for the bytes of a place.
#[derive(Debug, Default)]
struct Failing {
    inner: redb::backends::InMemoryBackend,
    fails: AtomicBool,
}

/// Where the bytes begin that it cannot give: behind redb's header.
const BAD_FROM: u64 = 4096;
const EIO: i32 = 5;

impl StorageBackend for Failing {
    fn len(&self) -> std::io::Result<u64> {
        self.inner.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<()> {
        if self.fails.load(Ordering::SeqCst) && offset + out.len() as u64 > BAD_FROM {
            return Err(std::io::Error::from_raw_os_error(EIO));
        }
        self.inner.read(offset, out)
    }

    fn set_len(&self, len: u64) -> std::io::Result<()> {
        self.inner.set_len(len)
    }

    fn sync_data(&self) -> std::io::Result<()> {
        self.inner.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> std::io::Result<()> {
        self.inner.write(offset, data)
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
    let disk = Arc::new(Failing::default());
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
