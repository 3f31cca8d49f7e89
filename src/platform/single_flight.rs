//! Keys that are claimed while their work is under way: whoever comes with the same key meanwhile starts nothing, and
//! hears the outcome of the work that is under way.
//!
//! The work runs on the process's own threads, not inside the request that began it: a caller that goes away, or comes
//! to its limit of time, ends nothing. It belongs to the process, which joins it before the store closes
//! ([`SingleFlight::end`]). A claim lives in memory only, as long as its work: a crash frees it. Only where somebody was told that
//! the work goes on ([`SingleFlight::run_soon`]) its outcome is kept for a while, a failure, too: who asks again hears it, and does
//! not begin it anew. A failure that nobody waits for is in the log.

use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::Shared;
use parking_lot::Mutex;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio_util::task::TaskTracker;
use tracing::warn;

use crate::blocking;
use hanok_base::{Error, Kind, MessageTemplate, Result};

/// The claimed keys and the work that belongs to them; clones share them.
#[derive(Clone)]
pub struct SingleFlight(hanok_base::Shared<Claimed>);

struct Claimed {
    by_key: Mutex<HashMap<String, Claim>>,
    work: Mutex<JoinSet<()>>,
    /// What the works have handed to other threads.
    handed_on: TaskTracker,
    /// How many works came without a key.
    without_key: AtomicU64,
    runtime: Handle,
}

struct Claim {
    caller: String,
    /// What is asked for under the key.
    request: String,
    outcome: Outcome,
    /// What becomes of the outcome: set when somebody was told that the work goes on.
    promised: Option<KeepOutcome>,
    /// Since when the work has ended.
    ended: Option<Instant>,
}

type Outcome = Shared<oneshot::Receiver<Result<Value>>>;

/// For how long an outcome is kept that somebody was promised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepOutcome {
    /// For some minutes, however often it is asked for.
    Minutes,
    /// Until it is heard, for as long at most: then the work may be asked for anew.
    UntilHeard,
}

/// Works of one caller under way at most: whoever sends request after request and does not wait for the answers is held
/// up, and nobody else.
const MOST_OF_ONE: usize = 64;
/// Works of all callers under way at most.
const MOST: usize = 1024;
/// How long a promised outcome is kept.
const KEPT: Duration = Duration::from_secs(10 * 60);
/// Promised outcomes that are kept at most; the oldest goes first.
const MOST_KEPT: usize = 256;

impl SingleFlight {
    /// None yet. Their work will run on `runtime`.
    pub fn new(runtime: Handle) -> SingleFlight {
        SingleFlight(hanok_base::Shared::new(Claimed {
            by_key: Mutex::default(),
            work: Mutex::default(),
            handed_on: TaskTracker::new(),
            without_key: AtomicU64::new(0),
            runtime,
        }))
    }

    /// The outcome of `work`, or of the work that is under way for `key` of `caller` already. An outcome is not kept.
    ///
    /// # Errors
    /// Those of the work; `IDEMPOTENCY_CONFLICT` when the key is claimed for another `request`; `RATE_LIMITED` when
    /// too many works are under way.
    pub async fn run(
        &self,
        caller: &str,
        key: &str,
        request: &str,
        work: impl Future<Output = Result<Value>> + Send + 'static,
    ) -> Result<Value> {
        heard(self.outcome(caller, key, request, work)?.await)
    }

    /// [`SingleFlight::run`], heard for `wait_timeout` at most: none when the work goes on then. Whoever asks again within some
    /// minutes hears what came of it.
    ///
    /// # Errors
    /// As [`SingleFlight::run`].
    pub async fn run_soon(
        &self,
        caller: &str,
        key: &str,
        request: &str,
        work: impl Future<Output = Result<Value>> + Send + 'static,
        wait_timeout: Duration,
        kept: KeepOutcome,
    ) -> Result<Option<Value>> {
        let outcome = self.outcome(caller, key, request, work)?;
        if let Ok(outcome) = tokio::time::timeout(wait_timeout, outcome.clone()).await {
            return heard(outcome).map(Some);
        }
        let mut by_key = self.0.by_key.lock();
        // Looked at under the lock: a key is freed under it, after the outcome is there.
        if let Some(outcome) = outcome.now_or_never() {
            return heard(outcome).map(Some);
        }
        if let Some(claim) = by_key.get_mut(&full(caller, key)) {
            claim.promised = Some(kept);
        }
        Ok(None)
    }

    /// The outcome of `work` that came without a key: nobody else hears it, and it is done whoever waits for it.
    ///
    /// # Errors
    /// Those of the work; `RATE_LIMITED` when too many works are under way.
    pub async fn run_without_key(
        &self,
        caller: &str,
        work: impl Future<Output = Result<Value>> + Send + 'static,
    ) -> Result<Value> {
        // No key of a request has a blank at its end.
        let number = self.0.without_key.fetch_add(1, Ordering::Relaxed);
        self.run(caller, &format!("{number} "), "", work).await
    }

    fn outcome(
        &self,
        caller: &str,
        key: &str,
        request: &str,
        work: impl Future<Output = Result<Value>> + Send + 'static,
    ) -> Result<Outcome> {
        let key = full(caller, key);
        let mut by_key = self.0.by_key.lock();
        forget_what_has_run_out(&mut by_key, Instant::now());
        if let Some(claim) = by_key.get(&key) {
            if claim.request != request {
                return Err(used_for_another_request());
            }
            let outcome = claim.outcome.clone();
            if claim.ended.is_some() && claim.promised == Some(KeepOutcome::UntilHeard) {
                by_key.remove(&key);
            }
            return Ok(outcome);
        }
        let under_way = || by_key.values().filter(|claim| claim.ended.is_none());
        if under_way().count() >= MOST || under_way().filter(|claim| claim.caller == caller).count() >= MOST_OF_ONE {
            return Err(Error::new(Kind::RateLimited, TOO_MANY).retry_after(1));
        }
        let (tell, heard) = oneshot::channel();
        let outcome = heard.shared();
        let (caller, request) = (caller.to_owned(), request.to_owned());
        let claim = Claim { caller, request, outcome: outcome.clone(), promised: None, ended: None };
        by_key.insert(key.clone(), claim);
        let freed_at_the_end = Freed { claimed: self.0.clone(), key };
        let work = blocking::owned_by(self.0.handed_on.clone(), async move {
            let outcome = work.await;
            freed_at_the_end.say_what_nobody_hears(&outcome);
            drop(tell.send(outcome));
            drop(freed_at_the_end);
        });
        let mut under_way = self.0.work.lock();
        while under_way.try_join_next().is_some() {}
        under_way.spawn_on(work, &self.0.runtime);
        Ok(outcome)
    }

    /// Waits until all work has ended, for `grace` at most; then stops what is left, and joins it.
    pub async fn end(&self, grace: Duration) {
        let mut work = std::mem::take(&mut *self.0.work.lock());
        let ended = async { while work.join_next().await.is_some() {} };
        if tokio::time::timeout(grace, ended).await.is_err() {
            work.shutdown().await;
            blocking::broken_off(&self.0.handed_on).await;
        }
    }
}

const TOO_MANY: MessageTemplate = MessageTemplate::new("house.too_many_requests", "too many requests are under way");
const KEY_USED: MessageTemplate =
    MessageTemplate::new("house.key_used", "this Idempotency-Key was used before with another body");

/// The key came before, for something else.
pub fn used_for_another_request() -> Error {
    Error::new(Kind::IdempotencyConflict, KEY_USED)
}

/// A key is its caller's.
fn full(caller: &str, key: &str) -> String {
    format!("{caller} {key}")
}

fn heard(outcome: std::result::Result<Result<Value>, oneshot::error::RecvError>) -> Result<Value> {
    outcome.unwrap_or_else(|_| Err(Error::internal("work that belongs to the process ended without an outcome")))
}

/// Forgets promised outcomes that are old, and the oldest of too many.
fn forget_what_has_run_out(by_key: &mut HashMap<String, Claim>, now: Instant) {
    by_key.retain(|_, claim| claim.ended.is_none_or(|ended| now.duration_since(ended) < KEPT));
    let mut ended: Vec<_> = by_key.values().filter_map(|claim| claim.ended).collect();
    if ended.len() > MOST_KEPT {
        ended.sort_unstable();
        let oldest_kept = ended[ended.len() - MOST_KEPT];
        by_key.retain(|_, claim| claim.ended.is_none_or(|ended| ended >= oldest_kept));
    }
}

/// Frees a key when its work has ended, however it ended, or keeps its outcome where it was promised.
struct Freed {
    claimed: hanok_base::Shared<Claimed>,
    key: String,
}

impl Freed {
    /// A failure that no request waits for is told here.
    fn say_what_nobody_hears(&self, outcome: &Result<Value>) {
        let Err(error) = outcome else { return };
        let by_key = self.claimed.by_key.lock();
        // The claim itself holds one.
        let is_heard = by_key.get(&self.key).is_some_and(|claim| claim.outcome.strong_count() > Some(1));
        if !is_heard {
            warn!(%error, "work failed that a request had begun, and nobody waits for it");
        }
    }
}

impl Drop for Freed {
    fn drop(&mut self) {
        let mut by_key = self.claimed.by_key.lock();
        let claim = by_key.get_mut(&self.key);
        match claim.filter(|claim| claim.promised.is_some()) {
            Some(claim) => claim.ended = Some(Instant::now()),
            None => drop(by_key.remove(&self.key)),
        }
        forget_what_has_run_out(&mut by_key, Instant::now());
    }
}

#[cfg(test)]
mod tests;
