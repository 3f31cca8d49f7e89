//! Short reads on the calling thread, and when they are not done there: while the storage is slow.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::MappedRwLockReadGuard;
use redb::Database;

use crate::thread_account::{computing, without_core};

/// A short read that took longer than this has waited for the disk.
const SLOW: Duration = Duration::from_millis(2);
/// For how long short reads are then done where they may wait.
const LEFT_ALONE: Duration = Duration::from_secs(1);

thread_local! {
    static SLOW_READS: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Whether slow reads are measured.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// From now on, [`slow_reads`] counts.
pub(crate) fn watch_slow_reads() {
    IS_WATCHED.store(true, Ordering::Relaxed);
}

/// How long the calling thread was blocked in short reads that turned out slow. The first shows that the storage is slow,
/// and nobody could know before: the threads that answer are forgiven for it. What they computed there is not forgiven.
pub(crate) fn slow_reads() -> Duration {
    SLOW_READS.get()
}

/// What of a thread's time is explained: it computed, or it had no core. None while nobody watches, as it costs more than
/// a short read.
fn explained() -> Option<Duration> {
    IS_WATCHED.load(Ordering::Relaxed).then(|| computing() + without_core().unwrap_or_default())
}

/// A turn at the open database, taken on the calling thread.
pub(in crate::store) struct Turn<'s> {
    pace: &'s Pace,
    database: MappedRwLockReadGuard<'s, Database>,
}

impl<'s> Turn<'s> {
    pub(in crate::store) fn new(pace: &'s Pace, database: MappedRwLockReadGuard<'s, Database>) -> Self {
        Turn { pace, database }
    }

    /// Runs `work`, and notes when it took so long that the next ones should not be done here.
    pub(in crate::store) fn read<T>(self, work: impl FnOnce(&Database) -> T) -> T {
        let explained_before = explained();
        let begun = Instant::now();
        let done = work(&self.database);
        let taken = begun.elapsed();
        if taken > SLOW {
            self.pace.leave_alone();
            if let (Some(before), Some(now)) = (explained_before, explained()) {
                SLOW_READS.set(SLOW_READS.get() + taken.saturating_sub(now - before));
            }
        }
        done
    }
}

/// How fast the storage has shown itself to be.
pub(in crate::store) struct Pace {
    begun: Instant,
    /// Until when short reads are not done on the async threads, in milliseconds since `begun`.
    pub(in crate::store) slow_until: AtomicU64,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { begun: Instant::now(), slow_until: AtomicU64::new(0) }
    }
}

impl Pace {
    pub(in crate::store) fn is_slow(&self) -> bool {
        self.begun.elapsed().as_millis() < self.slow_until.load(Ordering::Relaxed).into()
    }

    fn leave_alone(&self) {
        let until = (self.begun.elapsed() + LEFT_ALONE).as_millis();
        self.slow_until.store(u64::try_from(until).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}
