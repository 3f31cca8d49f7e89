//! Keys that are claimed while their work is under way: whoever comes with the same key meanwhile starts nothing, and
//! hears the outcome of the work that is under way.
//!
//! The work runs on the process's own threads, not inside the request that began it: a caller that goes away, or comes
//! to its limit of time, ends nothing. It belongs to the process, which joins it before the store closes
//! ([`Claims::end`]). A claim lives in memory only, as long as its work: a crash frees it.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::Shared;
use parking_lot::Mutex;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use hanok_base::{Error, Kind, Result};

/// The claimed keys and the work that belongs to them; clones share them.
#[derive(Clone)]
pub struct Claims(Arc<Claimed>);

struct Claimed {
    by_key: Mutex<HashMap<String, Claim>>,
    work: Mutex<JoinSet<()>>,
    /// How many works came without a key.
    without_key: AtomicU64,
    runtime: Handle,
}

struct Claim {
    caller: String,
    /// What is asked for under the key.
    request: String,
    outcome: Shared<oneshot::Receiver<Result<Value>>>,
}

/// Works of one caller under way at most: whoever sends request after request and does not wait for the answers is held
/// up, and nobody else.
const MOST_OF_ONE: usize = 64;
/// Works of all callers under way at most.
const MOST: usize = 1024;

impl Claims {
    /// None yet. Their work will run on `runtime`.
    pub fn new(runtime: Handle) -> Claims {
        Claims(Arc::new(Claimed {
            by_key: Mutex::default(),
            work: Mutex::default(),
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
        let heard = self.outcome(caller, key, request, work)?.await;
        heard.unwrap_or_else(|_| Err(Error::internal("work that belongs to the process ended without an outcome")))
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
    ) -> Result<Shared<oneshot::Receiver<Result<Value>>>> {
        let key = format!("{caller} {key}");
        let mut by_key = self.0.by_key.lock();
        if let Some(claim) = by_key.get(&key) {
            return if claim.request == request { Ok(claim.outcome.clone()) } else { Err(used_for_another_request()) };
        }
        let of_one = by_key.values().filter(|claim| claim.caller == caller).count();
        if by_key.len() >= MOST || of_one >= MOST_OF_ONE {
            return Err(Error::new(Kind::RateLimited, "too many requests are under way").retry_after(1));
        }
        let (tell, heard) = oneshot::channel();
        let outcome = heard.shared();
        by_key.insert(
            key.clone(),
            Claim { caller: caller.to_owned(), request: request.to_owned(), outcome: outcome.clone() },
        );
        let freed_at_the_end = Freed { claimed: self.0.clone(), key };
        let work = async move {
            let outcome = work.await;
            drop(tell.send(outcome));
            drop(freed_at_the_end);
        };
        let mut under_way = self.0.work.lock();
        while under_way.try_join_next().is_some() {}
        under_way.spawn_on(work, &self.0.runtime);
        Ok(outcome)
    }

    /// Waits until all work has ended, for `grace` at most; then stops what is left.
    pub async fn end(&self, grace: Duration) {
        let mut work = std::mem::take(&mut *self.0.work.lock());
        let ended = async { while work.join_next().await.is_some() {} };
        if tokio::time::timeout(grace, ended).await.is_err() {
            work.shutdown().await;
        }
    }
}

/// The key came before, for something else.
pub fn used_for_another_request() -> Error {
    Error::new(Kind::IdempotencyConflict, "this Idempotency-Key was used before with another body")
}

/// Frees a key when its work has ended, however it ended.
struct Freed {
    claimed: Arc<Claimed>,
    key: String,
}

impl Drop for Freed {
    fn drop(&mut self) {
        self.claimed.by_key.lock().remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use serde_json::json;
    use tokio::sync::Notify;

    use super::*;

    fn claims() -> Claims {
        Claims::new(Handle::current())
    }

    async fn done(value: Value) -> Result<Value> {
        Ok(value)
    }

    #[tokio::test]
    async fn who_comes_with_a_claimed_key_starts_nothing_and_hears_the_one_outcome() {
        let (claims, begun, go_on) = (claims(), Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let ask = || {
            let (begun, go_on) = (begun.clone(), go_on.clone());
            claims.run("ops kim", "key", "request", async move {
                let number = begun.fetch_add(1, Ordering::Relaxed);
                go_on.notified().await;
                Ok(json!(number))
            })
        };
        let (first, second, third, ()) = tokio::join!(ask(), ask(), ask(), async {
            let refused = claims.run("ops kim", "key", "another request", done(json!(9))).await.unwrap_err();
            assert_eq!(refused.kind, Kind::IdempotencyConflict);
            assert_eq!(claims.run("ops kim", "another key", "request", done(json!(8))).await.unwrap(), 8);
            go_on.notify_one();
        });
        assert_eq!([first.unwrap(), second.unwrap(), third.unwrap()], [json!(0), json!(0), json!(0)]);
        assert_eq!(claims.run("ops kim", "key", "another request", done(json!(7))).await.unwrap(), 7, "it is free");
    }

    #[tokio::test]
    async fn a_failure_is_heard_by_all_who_wait_and_the_next_one_works_anew() {
        let claims = claims();
        let fails = || claims.run("ops kim", "key", "request", async { Err(Error::conflict("not now")) });
        let (first, second) = tokio::join!(fails(), fails());
        assert_eq!([first.unwrap_err().kind, second.unwrap_err().kind], [Kind::Conflict; 2]);
        assert_eq!(claims.run("ops kim", "key", "request", done(json!(1))).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_caller_that_goes_away_ends_nothing_and_who_comes_back_hears_the_outcome() {
        let (claims, go_on) = (claims(), Arc::new(Notify::new()));
        let waits = go_on.clone();
        let begun = claims.run("ops kim", "key", "request", async move {
            waits.notified().await;
            Ok(json!("of the first"))
        });
        assert!(begun.now_or_never().is_none(), "it went away in the middle");
        let again = claims.run("ops kim", "key", "request", done(json!("of the second")));
        go_on.notify_one();
        assert_eq!(again.await.unwrap(), "of the first");
    }

    #[tokio::test]
    async fn work_that_panics_frees_its_key() {
        let claims = claims();
        let panicked = claims.run("ops kim", "key", "request", async { panic!("on purpose") }).await;
        assert_eq!(panicked.unwrap_err().kind, Kind::Internal);
        assert_eq!(claims.run("ops kim", "key", "request", done(json!(1))).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn the_end_waits_for_work_and_cuts_off_what_takes_too_long() {
        let claims = claims();
        let ended = Arc::new(AtomicUsize::new(0));
        let at_the_end = ended.clone();
        let short = claims.run("ops kim", "short", "", async move {
            tokio::task::yield_now().await;
            at_the_end.fetch_add(1, Ordering::Relaxed);
            done(json!(1)).await
        });
        assert!(short.now_or_never().is_none());
        claims.end(Duration::from_secs(60)).await;
        assert_eq!(ended.load(Ordering::Relaxed), 1);
        let endless = claims.run("ops kim", "endless", "", std::future::pending());
        let (heard, ()) = tokio::join!(endless, claims.end(Duration::ZERO));
        assert_eq!(heard.unwrap_err().kind, Kind::Internal);
    }

    #[tokio::test]
    async fn only_so_many_works_are_under_way() {
        let claims = claims();
        let begin = |caller: &str, number: usize| {
            let key = number.to_string();
            assert!(claims.run(caller, &key, "", std::future::pending()).now_or_never().is_none());
        };
        for number in 0..MOST_OF_ONE {
            begin("site address:192.0.2.7", number);
        }
        let refused = claims.run("site address:192.0.2.7", "one more", "", done(json!(1))).await.unwrap_err();
        assert_eq!((refused.kind, refused.retry_after), (Kind::RateLimited, Some(1)));
        assert_eq!(claims.run("ops household", "key", "", done(json!(1))).await.unwrap(), 1, "others go on");
        for number in MOST_OF_ONE..MOST {
            begin(&format!("site address:198.51.100.{number}"), number);
        }
        assert_eq!(claims.run("ops household", "key", "", done(json!(1))).await.unwrap_err().kind, Kind::RateLimited);
    }

    #[tokio::test]
    async fn of_work_that_has_ended_nothing_is_held() {
        let claims = claims();
        for number in 0..1_000 {
            claims.run("ops kim", &number.to_string(), "", done(json!(number))).await.unwrap();
        }
        assert!(claims.0.work.lock().len() <= 1, "the last one, which the next one clears");
        assert_eq!(claims.0.by_key.lock().len(), 0);
    }
}
