//! A check of the rows walks over all of them; it ends or makes way at once when it must.

use parking_lot::{Condvar, Mutex};
use tokio::sync::{Mutex as Turn, oneshot};
use tokio::task::JoinSet;
use tokio_util::task::TaskTracker;

use super::*;
use crate::blocking;

/// Rows whose index is derived through the [`GATE`].
const WORDS: IndexedTable<u64, u64> = IndexedTable::new("test_gated-1", |word| *word, &[&GATED]);
const GATED: Index<u64, u64> = Index::new("test_gated_by_word-1", |word| {
    GATE.pass();
    Some((*word, ()))
});
const ROWS: u64 = 2_000;

/// Where a walk stands still until the test lets it go on.
struct Gate {
    is_shut: Mutex<bool>,
    opened: Condvar,
    waiting: AtomicBool,
    passed: AtomicU64,
}

static GATE: Gate = Gate {
    is_shut: Mutex::new(false),
    opened: Condvar::new(),
    waiting: AtomicBool::new(false),
    passed: AtomicU64::new(0),
};

/// There is one gate: the tests of it take turns.
static TURN: Turn<()> = Turn::const_new(());

impl Gate {
    fn pass(&self) {
        self.passed.fetch_add(1, Ordering::SeqCst);
        let mut is_shut = self.is_shut.lock();
        while *is_shut {
            self.waiting.store(true, Ordering::SeqCst);
            self.opened.wait(&mut is_shut);
        }
    }

    fn shut(&self) {
        *self.is_shut.lock() = true;
        self.waiting.store(false, Ordering::SeqCst);
        self.passed.store(0, Ordering::SeqCst);
    }

    fn open(&self) {
        *self.is_shut.lock() = false;
        self.opened.notify_all();
    }

    async fn somebody_waits(&self) {
        while !self.waiting.load(Ordering::SeqCst) {
            tokio::task::yield_now().await;
        }
    }
}

async fn gated() -> Store {
    let schema = Schema::default().with(&[&WORDS], &[], &[]);
    let memory = Arc::new(redb::backends::InMemoryBackend::new());
    let store = Store::on_backend(memory, schema, clock(), Events::default()).unwrap();
    store.write(|tx| (0..ROWS).try_for_each(|word| WORDS.put(tx, &word))).await.unwrap();
    GATE.shut();
    store
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_that_nobody_waits_for_any_more_reads_no_further() {
    let _turn = TURN.lock().await;
    let store = gated().await;
    let owner = TaskTracker::new();
    let mut check = JoinSet::new();
    check.spawn(blocking::owned_by(owner.clone(), async move { store.check_rows().await }));
    GATE.somebody_waits().await;
    check.shutdown().await;
    GATE.open();
    owner.close();
    owner.wait().await;
    let passed = GATE.passed.load(Ordering::SeqCst);
    assert!(passed < ROWS / 10, "{passed} rows were looked at");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_that_takes_much_memory_hears_that_nobody_waits_for_it_any_more() {
    let store = Store::memory(clock(), Events::default()).unwrap();
    let (owner, (begins, begun)) = (TaskTracker::new(), oneshot::channel());
    let (ends, ended) = oneshot::channel();
    let mut reading = JoinSet::new();
    let computes = move |tx: &ReadTx| {
        let _ = begins.send(tx.while_waited_for());
        while tx.while_waited_for().is_ok() {}
        ends.send(()).map_err(|()| Error::internal("nobody hears"))
    };
    reading.spawn(blocking::owned_by(owner.clone(), async move { store.read_in_turn(computes).await }));
    begun.await.unwrap().unwrap();
    reading.shutdown().await;
    blocking::broken_off(&owner).await;
    ended.await.unwrap();
    assert!(owner.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_makes_way_for_who_must_be_alone_and_begins_anew() {
    let _turn = TURN.lock().await;
    let store = gated().await;
    let checking = store.clone();
    let mut under_way = JoinSet::new();
    under_way.spawn(async move { checking.check_rows().await.map(|()| None) });
    GATE.somebody_waits().await;
    let makes_way = store.open.makes_way();
    let open = store.open.clone();
    let passed = || Ok(Some(GATE.passed.load(Ordering::SeqCst)));
    under_way.spawn(blocking::run(move |_| open.alone(|_| passed())));
    makes_way.cancelled().await;
    GATE.open();
    let ended: Vec<_> = under_way.join_all().await.into_iter().map(Result::unwrap).collect();
    let passed = ended.into_iter().flatten().next().unwrap();
    assert!(passed < ROWS / 10, "{passed} rows were looked at before");
    assert!(GATE.passed.load(Ordering::SeqCst) >= ROWS + passed, "then all of them");
}
