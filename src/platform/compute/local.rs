//! The compute host on this machine: a pool of threads of low priority, one piece of work at a time on all
//! of them, and a bounded queue before it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use tokio::sync::{Semaphore, oneshot};

use super::{BUSY, CALLED_OFF, Done, GAVE_UP, Work, timed_out, unavailable};
use crate::blocking;
use hanok_base::{Error, Result};

pub(super) struct Local {
    pool: rayon::ThreadPool,
    turn: Arc<Semaphore>,
    depth: Arc<AtomicUsize>,
    limit: usize,
}

/// Requests go before: the compute threads are nicer than everyone else by this much.
const NICENESS: i32 = 19;

impl Local {
    /// Starts `workers` threads (0: one for each core) with a queue of `limit`.
    pub fn start(workers: usize, limit: usize) -> Result<Local> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(workers)
            .thread_name(|number| format!("compute-{number}"))
            .start_handler(|_| {
                // On Linux this is the calling thread only. Where it is refused the work is merely less polite.
                let _ = rustix::process::nice(NICENESS);
            })
            .build()
            .map_err(Error::internal)?;
        Ok(Local { pool, turn: Arc::new(Semaphore::new(1)), depth: Arc::default(), limit })
    }

    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    pub fn depth(&self) -> usize {
        self.depth.load(Ordering::Relaxed)
    }

    pub fn limit(&self) -> usize {
        self.limit
    }

    pub async fn run<W: Work>(
        &self,
        work: W,
        limit: Duration,
        progress: impl Fn(u8) + Send + Sync + 'static,
    ) -> Result<Done<W::Answer>> {
        let _place = self.queue()?;
        let finished = async {
            let turn = Arc::clone(&self.turn).acquire_owned().await.map_err(Error::internal)?;
            let call_off = CallOff::default();
            let cancelled = Arc::clone(&call_off.0);
            let (answer, heard) = oneshot::channel();
            let threads = self.threads();
            let computing = blocking::held(move || {
                // The turn ends with the work, not with the caller: a second piece must not run beside it.
                let _turn = turn;
                let begun = Instant::now();
                let joined = compute(&work, &cancelled, &progress);
                let elapsed_ms = begun.elapsed().as_millis() as u64;
                let _ = answer.send(joined.map(|answer| Done { answer, elapsed_ms, threads }));
            });
            #[expect(
                clippy::disallowed_methods,
                reason = "the compute host: it has the hold of the job, and is heard below"
            )]
            self.pool.spawn(computing);
            let done = heard.await.map_err(|_| unavailable(GAVE_UP))?;
            drop(call_off);
            done.ok_or_else(|| unavailable(CALLED_OFF))
        };
        let done = tokio::time::timeout(limit, finished).await.map_err(|_| timed_out(limit))??;
        metrics::histogram!("hanok_compute_seconds", "work" => W::NAME).record(done.elapsed_ms as f64 / 1000.0);
        Ok(done)
    }

    fn queue(&self) -> Result<InQueue> {
        if self.depth.fetch_add(1, Ordering::AcqRel) > self.limit {
            self.depth.fetch_sub(1, Ordering::AcqRel);
            return Err(unavailable(BUSY).retry_after(2));
        }
        Ok(InQueue(Arc::clone(&self.depth)))
    }
}

fn compute<W: Work>(work: &W, cancelled: &AtomicBool, progress: &(impl Fn(u8) + Sync)) -> Option<W::Answer> {
    let parts = work.parts();
    let done = AtomicUsize::new(0);
    let is_cancelled = || cancelled.load(Ordering::Relaxed);
    let results: Option<Vec<W::Part>> = (0..parts)
        .into_par_iter()
        .map(|part| {
            let result = work.part(part, &is_cancelled)?;
            progress(((done.fetch_add(1, Ordering::Relaxed) + 1) * 100 / parts) as u8);
            Some(result)
        })
        .collect();
    results.map(|parts| work.join(parts))
}

/// A place in the queue, given back when the caller has its answer or has gone away.
struct InQueue(Arc<AtomicUsize>);

impl Drop for InQueue {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Calls the work off when nobody waits for it any more.
#[derive(Default)]
struct CallOff(Arc<AtomicBool>);

impl Drop for CallOff {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
