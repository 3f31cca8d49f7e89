//! Keys that are claimed, and what becomes of their work.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tokio::sync::Notify;

use super::*;
use crate::testing::Log;
use hanok_base::Message;

fn claims() -> SingleFlight {
    SingleFlight::new(Handle::current())
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
    let fails = || claims.run("ops kim", "key", "request", async { Err(Error::conflict(Message::english("not now"))) });
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

/// Work that somebody was promised, and that has failed by now.
async fn promised(claims: &SingleFlight, key: &str, kept: KeepOutcome) {
    let failed = Arc::new(Notify::new());
    let fails = failed.clone();
    let work = async move {
        fails.notified().await;
        Err(Error::conflict(Message::english("of the first")))
    };
    let told = claims.run_soon("ops kim", key, "request", work, Duration::ZERO, kept).await.unwrap();
    assert_eq!(told, None, "it goes on");
    failed.notify_one();
    while claims.0.by_key.lock().get(&full("ops kim", key)).is_some_and(|claim| claim.ended.is_none()) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn who_was_told_that_work_goes_on_hears_its_failure_and_begins_nothing_anew() {
    let claims = claims();
    promised(&claims, "key", KeepOutcome::Minutes).await;
    for _ in 0..2 {
        let again = claims.run("ops kim", "key", "request", done(json!("of the second"))).await;
        assert_eq!(again.unwrap_err().message, "of the first");
    }
    let another = claims.run("ops kim", "key", "another request", done(json!(1))).await;
    assert_eq!(another.unwrap_err().kind, Kind::IdempotencyConflict);
    promised(&claims, "file", KeepOutcome::UntilHeard).await;
    let again = || claims.run("ops kim", "file", "request", done(json!("of the second")));
    assert_eq!(again().await.unwrap_err().message, "of the first");
    assert_eq!(again().await.unwrap(), "of the second");
}

#[tokio::test]
async fn promised_outcomes_are_few_and_are_forgotten_after_some_minutes() {
    let claims = claims();
    for number in 0..=MOST_KEPT {
        promised(&claims, &number.to_string(), KeepOutcome::Minutes).await;
    }
    let is_kept = |number: usize| claims.0.by_key.lock().contains_key(&full("ops kim", &number.to_string()));
    assert_eq!([is_kept(0), is_kept(1), is_kept(MOST_KEPT)], [false, true, true]);
    forget_what_has_run_out(&mut claims.0.by_key.lock(), Instant::now() + KEPT);
    assert!(claims.0.by_key.lock().is_empty());
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

#[tokio::test]
async fn a_failure_that_nobody_waits_for_is_in_the_log_and_one_that_is_heard_is_not() {
    let (claims, log) = (claims(), Log::default());
    let _written = tracing::subscriber::set_default(log.clone().subscriber());
    let fails = |key: &'static str| {
        claims.run("ops kim", key, "", async move { Err(Error::conflict(Message::english(format!("{key} failed")))) })
    };
    assert_eq!(fails("heard").await.unwrap_err().message, "heard failed");
    assert!(fails("unheard").now_or_never().is_none());
    claims.end(Duration::from_secs(60)).await;
    let line = log.line("nobody waits for it");
    assert!(line.contains("unheard failed"), "{line}");
}
