//! Connections shared out evenly: of the threads that accept from one listener, the one that holds the fewest goes first.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

/// How many connections each thread holds.
pub struct Balancer {
    held: Vec<AtomicUsize>,
    changed: Notify,
}

/// For how long a thread lets the others go first: one that is busy must not keep a caller waiting.
const COURTESY: Duration = Duration::from_millis(5);

impl Balancer {
    /// For so many threads, none of which holds a connection.
    pub fn among(threads: usize) -> Arc<Balancer> {
        Arc::new(Balancer { held: (0..threads).map(|_| AtomicUsize::new(0)).collect(), changed: Notify::new() })
    }

    /// Waits while another thread holds fewer connections than `thread`, for a moment at most.
    pub(super) async fn turn(&self, thread: usize) {
        let until = Instant::now() + COURTESY;
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            if self.is_least(thread) || timeout_at(until, changed).await.is_err() {
                return;
            }
        }
    }

    fn is_least(&self, thread: usize) -> bool {
        let own = self.held[thread].load(Ordering::Relaxed);
        self.held.iter().all(|other| other.load(Ordering::Relaxed) >= own)
    }

    /// One connection more on `thread`, until what this gives is dropped.
    pub(super) fn take(self: &Arc<Self>, thread: usize) -> Share {
        self.held[thread].fetch_add(1, Ordering::Relaxed);
        self.changed.notify_waiters();
        Share { shares: Arc::clone(self), thread }
    }
}

/// One connection of a thread.
pub(super) struct Share {
    shares: Arc<Balancer>,
    thread: usize,
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shares.held[self.thread].fetch_sub(1, Ordering::Relaxed);
        self.shares.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn the_thread_with_the_fewest_connections_goes_first_and_the_others_wait_a_moment_only() {
        let shares = Balancer::among(2);
        let first = shares.take(0);
        assert!(shares.turn(1).now_or_never().is_some(), "it holds none");
        assert!(shares.turn(0).now_or_never().is_none(), "the other one holds none");
        let second = shares.take(1);
        assert!(shares.turn(0).now_or_never().is_some(), "both hold one");
        drop(first);
        assert!(shares.turn(1).now_or_never().is_none());
        shares.turn(1).await;
        drop(second);
        assert!(shares.turn(1).now_or_never().is_some());
    }
}
