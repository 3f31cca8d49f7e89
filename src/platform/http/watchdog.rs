//! A watchdog that tests turn on: it finds handlers and hoops that hold the thread which answers.
//!
//! Such a thread serves many connections and steals no work, so whoever computes or waits there for a disk holds up all
//! of them. Each single step of a request, from one `await` that waits to the next or to its being dropped, is measured while the watchdog is
//! on. Two things count together: what the thread computed, and what it was blocked, for a disk, a lock or a sleep. What
//! the machine did does not count, so that what is found once is the fault of the code: that the thread waited for a
//! core ([`without_core`]), that its core was taken away from below (it never gave it up by itself; what other guests of the machine took while
//! it computed is known in ticks, [`Stolen`]), that a page of the
//! program itself had to be read from a disk, or that a short read of the store was the first to meet a slow disk
//! ([`slow_reads`]).

use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::store::{slow_reads, watch_slow_reads};
use crate::thread_account::{Stolen, computing, pages_read, waits, without_core};

/// A step of a request that held its thread for too long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Where its door listens.
    pub door: SocketAddr,
    /// Method and route.
    pub route: String,
    /// What it computed and was blocked.
    pub step: Step,
}

/// For what a step held its thread.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Step {
    /// How long it computed, by the account of its thread.
    pub computing: Duration,
    /// How much of that other guests of the machine may have taken from its processor.
    pub stolen: Duration,
    /// How long it waited by its own doing.
    pub blocked: Duration,
}

/// The limit in nanoseconds; 0 while the watchdog is off.
static LIMIT: AtomicU64 = AtomicU64::new(0);
static FOUND: Mutex<Vec<Held>> = Mutex::new(Vec::new());

/// From now on, steps of every door of this process that compute and are blocked longer than `limit` in all are noted.
pub fn turn_on(limit: Duration) {
    watch_slow_reads();
    LIMIT.store(u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

/// What was noted at the door that listens on `door`.
pub fn held_at(door: SocketAddr) -> Vec<Held> {
    FOUND.lock().iter().filter(|held| held.door == door).cloned().collect()
}

/// Whether requests are to be measured.
pub(super) fn is_on() -> bool {
    LIMIT.load(Ordering::Relaxed) > 0
}

/// Notes the longest step of a request, when it was too long.
pub(super) fn note(door: SocketAddr, method: &str, route: &str, step: Step) {
    if step.held() > Duration::from_nanos(LIMIT.load(Ordering::Relaxed)) {
        FOUND.lock().push(Held { door, route: format!("{method} {route}"), step });
    }
}

/// What `work` gives. `note` hears its longest step, and dropping it counts as one, also when nobody waits for it to its end.
pub(super) async fn watched<T>(work: impl Future<Output = T>, note: impl FnOnce(Step)) -> T {
    let mut watched = Watched { work: Some(Box::pin(work)), longest: Step::default(), note: Some(note) };
    poll_fn(move |context| watched.poll(context)).await
}

/// Work that is measured until it has been dropped.
struct Watched<Work, Note: FnOnce(Step)> {
    work: Option<Pin<Box<Work>>>,
    longest: Step,
    note: Option<Note>,
}

impl<Work: Future, Note: FnOnce(Step)> Watched<Work, Note> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Work::Output> {
        let Some(work) = &mut self.work else { return Poll::Pending };
        let begun = ThreadTimes::now();
        let polled = work.as_mut().poll(context);
        self.took(begun.until_now());
        polled
    }
}

impl<Work, Note: FnOnce(Step)> Watched<Work, Note> {
    fn took(&mut self, step: Step) {
        if step.held() > self.longest.held() {
            self.longest = step;
        }
    }
}

impl<Work, Note: FnOnce(Step)> Drop for Watched<Work, Note> {
    fn drop(&mut self) {
        let begun = ThreadTimes::now();
        drop(self.work.take());
        self.took(begun.until_now());
        if let Some(note) = self.note.take() {
            note(self.longest);
        }
    }
}

impl Step {
    /// How long it computed itself.
    pub fn computed(&self) -> Duration {
        self.computing.saturating_sub(self.stolen)
    }

    fn held(&self) -> Duration {
        self.computed() + self.blocked
    }
}

/// What has become of the time of the calling thread.
struct ThreadTimes {
    all: Instant,
    computing: Duration,
    /// Ready to run, without a core.
    without_core: Duration,
    /// How often it gave up its core by itself, to wait for something.
    waits: u64,
    /// How many pages of its memory had to come from a disk. What a handler reads from a file is none of them.
    pages_read: u64,
    /// Blocked in short reads of the store that showed it to be slow.
    slow_reads: Duration,
    stolen: Stolen,
}

impl ThreadTimes {
    /// Now, at which this has been read: a step begins after the reading.
    fn now() -> ThreadTimes {
        let stolen = Stolen::now();
        let pages_read = pages_read().unwrap_or_default();
        let waits = waits().unwrap_or_default();
        let without_core = without_core().unwrap_or_default();
        let computing = computing();
        let slow_reads = slow_reads();
        ThreadTimes { all: Instant::now(), computing, without_core, waits, pages_read, slow_reads, stolen }
    }

    /// Read in the opposite order: what the reading takes, or waits for a core, is no part of the step.
    fn until_now(self) -> Step {
        let all = Instant::now();
        let computing = computing();
        let without_core = without_core().unwrap_or_default();
        let slow_reads = slow_reads();
        let waits = waits().unwrap_or_default();
        let pages_read = pages_read().unwrap_or_default();
        let stolen = Stolen::now();
        self.until(&ThreadTimes { all, computing, without_core, waits, pages_read, slow_reads, stolen })
    }

    fn until(&self, now: &ThreadTimes) -> Step {
        let computing = now.computing.saturating_sub(self.computing);
        let without_core = now.without_core.saturating_sub(self.without_core);
        let waited = (now.all - self.all).saturating_sub(computing + without_core + (now.slow_reads - self.slow_reads));
        let is_own_doing = now.waits > self.waits && now.pages_read == self.pages_read;
        let stolen = now.stolen.since(&self.stolen);
        Step { computing, stolen, blocked: if is_own_doing { waited } else { Duration::ZERO } }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::events::Events;
    use crate::store::Store;
    use crate::testing::draw_night;
    use hanok_base::Clock;

    const LIMIT: Duration = Duration::from_millis(20);

    async fn longest_step<T>(work: impl Future<Output = T>) -> Step {
        let mut longest = Step::default();
        watched(work, |step| longest = step).await;
        longest
    }

    fn compute_for(time: Duration) {
        // Its own clock alone: whoever reads the kernel's files waits for others who do.
        let begun = computing();
        while computing() - begun < time {}
    }

    #[tokio::test]
    async fn a_step_that_computes_is_found_out() {
        let step = longest_step(async { compute_for(2 * LIMIT) }).await;
        assert!(step.computing > LIMIT, "{step:?}");
    }

    #[tokio::test]
    async fn a_step_that_blocks_is_found_out() {
        // A page of the program that is fetched meanwhile would be taken for the wait: all of it is there after this.
        longest_step(async { std::thread::sleep(Duration::from_millis(1)) }).await;
        let step = longest_step(async { std::thread::sleep(2 * LIMIT) }).await;
        assert!(step.blocked > LIMIT && step.computing < LIMIT, "{step:?}");
    }

    #[test]
    fn work_that_nobody_waits_for_any_more_is_measured_until_it_has_been_dropped() {
        struct Slow;
        impl Drop for Slow {
            fn drop(&mut self) {
                std::thread::sleep(2 * LIMIT);
            }
        }
        let mut longest = Step::default();
        let goes_away = async {
            let _slow = Slow;
            std::future::pending::<()>().await;
        };
        assert!(watched(goes_away, |step| longest = step).now_or_never().is_none());
        assert!(longest.blocked > LIMIT, "{longest:?}");
    }

    #[tokio::test]
    async fn a_step_that_computes_and_blocks_is_found_out_by_the_sum() {
        let step = longest_step(async {
            compute_for(LIMIT * 3 / 4);
            std::thread::sleep(LIMIT * 3 / 4);
        });
        let step = step.await;
        assert!(step.held() + step.stolen > LIMIT, "{step:?}");
    }

    #[tokio::test]
    async fn the_short_read_that_shows_the_storage_to_be_slow_is_forgiven() {
        watch_slow_reads();
        let store = Store::memory(Clock::fixed(draw_night()), Events::default()).unwrap();
        let before = slow_reads();
        let read = store.read_inline(|_| {
            std::thread::sleep(2 * LIMIT);
            Ok(std::thread::current().id())
        });
        let step = longest_step(async { assert_eq!(read.await.unwrap(), std::thread::current().id()) }).await;
        assert!(step.held() < LIMIT && slow_reads() - before >= LIMIT, "{step:?}");
    }

    #[tokio::test]
    async fn what_a_slow_read_computes_is_not_forgiven_together_with_it() {
        watch_slow_reads();
        let store = Store::memory(Clock::fixed(draw_night()), Events::default()).unwrap();
        let before = slow_reads();
        let read = store.read_inline(|_| {
            compute_for(LIMIT * 19 / 20);
            Ok(())
        });
        let step = longest_step(async {
            read.await.unwrap();
            std::thread::sleep(LIMIT * 19 / 20);
        });
        let step = step.await;
        assert!(step.computing > LIMIT * 9 / 10 && slow_reads() - before < LIMIT / 2, "{step:?}");
        assert!(step.held() + step.stolen > LIMIT, "{step:?}");
    }

    #[tokio::test]
    async fn waiting_without_the_thread_and_computing_in_short_steps_hold_nobody_up() {
        let step = longest_step(async {
            tokio::time::sleep(2 * LIMIT).await;
            for _ in 0..8 {
                compute_for(LIMIT / 4);
                tokio::task::yield_now().await;
            }
            tokio::task::spawn_blocking(|| std::thread::sleep(2 * LIMIT)).await.unwrap();
        });
        let step = step.await;
        assert!(step.held() < LIMIT, "{step:?}");
    }

    #[test]
    fn what_the_machine_did_is_not_held_against_the_code() {
        let before = ThreadTimes::now();
        let after = |waits: u64, pages_read: u64| ThreadTimes {
            all: before.all + 2 * LIMIT,
            computing: before.computing,
            without_core: before.without_core,
            waits: before.waits + waits,
            pages_read: before.pages_read + pages_read,
            slow_reads: before.slow_reads,
            stolen: before.stolen.clone(),
        };
        assert_eq!(before.until(&after(1, 0)).blocked, 2 * LIMIT, "it waited for something");
        let read = ThreadTimes { slow_reads: before.slow_reads + LIMIT, ..after(1, 0) };
        assert_eq!(before.until(&read).blocked, LIMIT, "the disk was slow, and it waited for something else");
        assert_eq!(before.until(&after(0, 0)).blocked, Duration::ZERO, "its core was taken away");
        assert_eq!(before.until(&after(1, 1)).blocked, Duration::ZERO, "a page of the program was not in memory");
    }

    #[test]
    fn what_was_stolen_from_its_processor_is_not_what_a_step_computed() {
        let stolen = |stolen| Stolen::of(0, vec![stolen]);
        let before = ThreadTimes { stolen: stolen(LIMIT), ..ThreadTimes::now() };
        let after = |taken| ThreadTimes {
            all: before.all + 3 * LIMIT,
            computing: before.computing + 3 * LIMIT,
            stolen: stolen(LIMIT + taken),
            ..ThreadTimes::now()
        };
        for (taken, computed) in [(0, 3), (2, 1), (5, 0)] {
            let step = before.until(&after(taken * LIMIT));
            assert_eq!((step.computed(), step.computing), (computed * LIMIT, 3 * LIMIT));
        }
    }

    #[test]
    fn waiting_for_a_core_of_a_busy_machine_is_not_held_against_the_code() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..4 * cores {
                scope.spawn(|| {
                    let times = ThreadTimes::now();
                    compute_for(LIMIT);
                    let step = times.until_now();
                    assert!(step.blocked < LIMIT, "{step:?} after {:?}", begun.elapsed());
                });
            }
        });
    }
}
