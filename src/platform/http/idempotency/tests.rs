//! Keys, whose they are, and what is done once under them.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::FutureExt;
use proptest::prelude::*;

use super::*;
use crate::http::DoorKind;
use crate::http::body_limits::{BodyLimits, Sender};
use crate::jobs::Jobs;
use crate::testing::{app, draw_night};
use hanok_base::{Clock, Kind, Message};

proptest! {
    #[test]
    fn any_header_is_a_key_as_it_was_sent_or_refused_by_its_name(
        value in prop_oneof![prop::collection::vec(any::<u8>(), 0..40), "[!-~]{1,210}".prop_map(String::into_bytes)],
    ) {
        let Ok(header) = HeaderValue::from_bytes(&value) else { return Ok(()) };
        let is_key = (1..=200).contains(&value.len()) && value.iter().all(|byte| (b'!'..=b'~').contains(byte));
        match key_of([&header]) {
            Ok(key) => prop_assert!(is_key && key.map(str::as_bytes) == Some(&value)),
            Err(error) => {
                prop_assert!(!is_key && error.kind == Kind::InvalidInput);
                prop_assert!(error.fields.contains_key("Idempotency-Key"));
            }
        }
        prop_assert!(key_of([&header, &header]).is_err(), "which of two it is, nobody can say");
    }
}

#[test]
fn without_the_header_there_is_no_key() {
    assert_eq!(key_of([]).unwrap(), None);
}

/// Whoever a permission of some door let in.
struct Caller(DoorKind, &'static str);

impl Permission for Caller {
    fn door(&self) -> DoorKind {
        self.0
    }

    fn caller(&self) -> Cow<'static, str> {
        self.1.into()
    }
}

/// Longer than anything here takes.
const LONG: std::time::Duration = std::time::Duration::from_secs(60);

const HOUSEHOLD: Caller = Caller(DoorKind::Ops, "household");

/// Asks for something in the name of `caller`; gives which time it is that this is done.
async fn ask(app: &App, caller: &Caller, request: &str, body: &str) -> Result<u64> {
    let key = IdempotencyKey(Some(Keyed { request: request.to_owned(), body_sha256: body.to_owned(), room: None }));
    key.once(app, caller, tx_op(|tx| tx.next_id("times"))).await
}

#[tokio::test]
async fn a_key_belongs_to_its_door_its_caller_and_its_request() {
    let app = app(&Clock::fixed(draw_night()), Jobs::default());
    let stranger = Caller(DoorKind::Site, "address:203.0.113.9");
    let at_the_other_door = Caller(DoorKind::Site, "household");
    let another = Caller(DoorKind::Site, "address:203.0.113.10");
    let mut times = Vec::new();
    for caller in [&HOUSEHOLD, &stranger, &at_the_other_door, &another] {
        times.push(ask(&app, caller, "POST /api/contact key", "body").await.unwrap());
    }
    times.push(ask(&app, &HOUSEHOLD, "POST /api/todos key", "body").await.unwrap());
    assert_eq!(times, [1, 2, 3, 4, 5]);
    for (caller, time) in [(&HOUSEHOLD, 1), (&stranger, 2), (&at_the_other_door, 3), (&another, 4)] {
        assert_eq!(ask(&app, caller, "POST /api/contact key", "body").await.unwrap(), time);
        let refused = ask(&app, caller, "POST /api/contact key", "another body").await.unwrap_err();
        assert_eq!(refused.kind, Kind::IdempotencyConflict);
    }
}

#[tokio::test]
async fn work_whose_caller_has_gone_keeps_the_room_of_its_body_until_its_end() {
    let app = app(&Clock::fixed(draw_night()), Jobs::default());
    let limits = BodyLimits::new(1 << 20, 1);
    let sender = Sender { address: [192, 168, 0, 7].into(), is_known: true };
    let room = limits.place_in_time(sender, 16 << 20).await.unwrap();
    let key = IdempotencyKey(Some(Keyed { request: "POST /x key".to_owned(), body_sha256: String::new(), room }));
    let (let_go, held) = tokio::sync::oneshot::channel::<()>();
    let work = |_: App| async move {
        held.await.map_err(Error::internal)?;
        Ok(|tx: &WriteTx| tx.next_id("times"))
    };
    let mut asked = Box::pin(key.once(&app, &HOUSEHOLD, work));
    assert!(asked.as_mut().now_or_never().is_none());
    drop(asked);
    assert_eq!(limits.place_in_time(sender, 16 << 20).await.unwrap_err().kind, Kind::RateLimited);
    let_go.send(()).unwrap();
    let mut patient = limits;
    patient.seconds = 120;
    assert!(patient.place_in_time(sender, 16 << 20).await.unwrap().is_some());
}

#[tokio::test]
async fn an_answer_of_an_earlier_version_is_given_to_the_household_again_and_runs_out() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, Jobs::default());
    let written = app.data.store.write(|tx| {
        let first = FirstAnswer { body_sha256: "body".to_owned(), answer: 99.into(), at: tx.now() };
        tx.put(&ANSWERS, "POST /api/todos key", &first)?;
        tx.put(&BY_TIME, (day::millis(tx.now()), "POST /api/todos key"), &())
    });
    written.await.unwrap();
    assert!(app.data.store.read(MIGRATIONS[0].needed).await.unwrap());
    app.data.store.write(MIGRATIONS[0].apply).await.unwrap();
    assert!(!app.data.store.read(MIGRATIONS[0].needed).await.unwrap());
    assert_eq!(ask(&app, &HOUSEHOLD, "POST /api/todos key", "body").await.unwrap(), 99);
    clock.set(draw_night() + KEPT + Duration::seconds(1));
    assert_eq!(app.data.store.write(purge).await.unwrap(), 1);
}

#[tokio::test]
async fn a_failed_attempt_is_not_kept_and_an_answer_only_for_a_day() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, Jobs::default());
    let key =
        || IdempotencyKey(Some(Keyed { request: "POST /x key".to_owned(), body_sha256: String::new(), room: None }));
    let fails = key().once(&app, &HOUSEHOLD, tx_op(|_| Err::<u64, _>(Error::conflict(Message::english("not now")))));
    assert_eq!(fails.await.unwrap_err().kind, Kind::Conflict);
    assert_eq!(ask(&app, &HOUSEHOLD, "POST /x key", "").await.unwrap(), 1);
    clock.set(draw_night() + KEPT - Duration::seconds(1));
    assert_eq!(ask(&app, &HOUSEHOLD, "POST /x key", "").await.unwrap(), 1);
    clock.set(draw_night() + KEPT);
    assert_eq!(ask(&app, &HOUSEHOLD, "POST /x key", "").await.unwrap(), 2);
    // One of a clock that ran ahead is not given until that time has come.
    clock.put(draw_night());
    assert_eq!(ask(&app, &HOUSEHOLD, "POST /x key", "").await.unwrap(), 3);
    clock.put(draw_night() - Duration::days(3650));
    app.data.store.write(purge).await.unwrap();
    assert_eq!(app.data.store.read(|tx| Ok((tx.count(&ANSWERS)?, tx.count(&BY_TIME)?))).await.unwrap(), (0, 0));
}

#[tokio::test]
async fn what_was_done_for_good_is_the_answer_also_where_that_cannot_be_kept() {
    for keyed in [Some("POST /x key"), None] {
        let app = app(&Clock::fixed(draw_night()), Jobs::default());
        let key = keyed.map(|request| Keyed { request: request.to_owned(), body_sha256: String::new(), room: None });
        let answer = IdempotencyKey(key).once_for_good(&app, &HOUSEHOLD, LONG, |app| async move {
            // From here on nothing can be written.
            app.data.store.close().await.map(|()| "done".to_owned())
        });
        assert_eq!(answer.await.unwrap().unwrap(), "done");
    }
}

#[tokio::test]
async fn what_is_done_for_good_goes_on_when_its_caller_goes_and_is_done_once_under_a_key() {
    let app = app(&Clock::fixed(draw_night()), Jobs::default());
    let (done, go_on) = (Arc::new(AtomicUsize::new(0)), Arc::new(tokio::sync::Semaphore::new(0)));
    let ask = |request: Option<&str>| {
        let (done, go_on) = (done.clone(), go_on.clone());
        let key = request.map(|request| Keyed { request: request.to_owned(), body_sha256: String::new(), room: None });
        IdempotencyKey(key).once_for_good(&app, &HOUSEHOLD, LONG, |_| async move {
            drop(go_on.acquire().await);
            Ok(done.fetch_add(1, Ordering::SeqCst))
        })
    };
    for request in [Some("POST /x key"), None] {
        assert!(futures_util::poll!(Box::pin(ask(request))).is_pending(), "it goes away in the middle");
    }
    go_on.add_permits(1);
    let first = ask(Some("POST /x key")).await.unwrap().unwrap();
    app.workers.claims.end(std::time::Duration::from_secs(60)).await;
    assert_eq!(done.load(Ordering::SeqCst), 2);
    assert_eq!(ask(Some("POST /x key")).await.unwrap(), Some(first));
}

#[tokio::test]
async fn who_was_told_that_work_goes_on_hears_under_the_key_that_it_failed_and_it_is_not_begun_anew() {
    let app = app(&Clock::fixed(draw_night()), Jobs::default());
    let (begun, go_on) = (Arc::new(AtomicUsize::new(0)), Arc::new(tokio::sync::Semaphore::new(0)));
    let ask = |wait_timeout| {
        let (begun, go_on) = (begun.clone(), go_on.clone());
        let key =
            IdempotencyKey(Some(Keyed { request: "POST /x key".to_owned(), body_sha256: String::new(), room: None }));
        key.once_for_good::<u64, _>(&app, &HOUSEHOLD, wait_timeout, |_| async move {
            begun.fetch_add(1, Ordering::SeqCst);
            drop(go_on.acquire().await);
            Err(Error::conflict(Message::english("it did not work")))
        })
    };
    assert_eq!(ask(std::time::Duration::ZERO).await.unwrap(), None, "it goes on");
    go_on.add_permits(9);
    app.workers.claims.end(LONG).await;
    for _ in 0..2 {
        assert_eq!(ask(LONG).await.unwrap_err().message, "it did not work");
    }
    assert_eq!(begun.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn work_is_done_once_and_what_it_gives_is_written_with_the_answer() {
    let app = app(&Clock::fixed(draw_night()), Jobs::default());
    let worked = Arc::new(AtomicUsize::new(0));
    let ask = || {
        let worked = worked.clone();
        let key =
            IdempotencyKey(Some(Keyed { request: "POST /x key".to_owned(), body_sha256: String::new(), room: None }));
        key.once(&app, &HOUSEHOLD, |_| async move {
            worked.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
            Ok(|tx: &WriteTx| tx.next_id("times"))
        })
    };
    let (first, second, third) = tokio::join!(ask(), ask(), ask());
    assert_eq!([first.unwrap(), second.unwrap(), third.unwrap()], [1, 1, 1]);
    assert_eq!((ask().await.unwrap(), worked.load(Ordering::Relaxed)), (1, 1));
}
