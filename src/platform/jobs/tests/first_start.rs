//! What is for the first start: it begins then, once, or by nobody at all.

use super::super::store::Ending;
use super::*;
use crate::store::ReadTransaction;

#[tokio::test]
async fn what_is_for_the_first_start_begins_once_and_is_never_due_again() {
    let once = || vec![ScheduleEntry::of::<Greet>("test_once", Timing::Once)];
    let app = app(&Clock::fixed(draw_night()), handle(once()));
    for _ in 0..2 {
        app.data.store.write(move |tx| schedule::enqueue_due(&once(), tx)).await.unwrap();
    }
    assert_eq!(greetings(&app).await, 1);
    let jobs = app.workers.jobs.clone();
    let state = app.data.store.read(move |tx| jobs.schedule(tx)).await.unwrap().remove(0);
    assert_eq!((state.last_run_at, state.next_run_at), (Some(draw_night()), None));
}

#[tokio::test]
async fn what_is_for_the_first_start_and_never_begins_by_itself_has_no_next_run_and_nothing_waits_for_it() {
    let never = || vec![ScheduleEntry::of::<Greet>("test_never", Timing::Never).at_first_start()];
    let app = app(&Clock::fixed(draw_night()), handle(never()));
    assert_eq!(app.data.store.read(move |tx| schedule::next_due(&never(), tx)).await.unwrap(), None);
    let jobs = app.workers.jobs.clone();
    let state = app.data.store.read(move |tx| jobs.schedule(tx)).await.unwrap().remove(0);
    assert_eq!((state.last_run_at, state.next_run_at), (None, None));
}

#[tokio::test]
async fn what_was_begun_by_hand_has_run_and_is_due_when_it_was_before() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, handle(weekly()));
    app.data.store.write(|tx| schedule::begin(&weekly(), tx)).await.unwrap();
    let begin = |minutes| {
        clock.set(draw_night() + Duration::minutes(minutes));
        let jobs = app.workers.jobs.clone();
        app.data.store.write(move |tx| jobs.run_now(tx, "test_weekly"))
    };
    let state = || async {
        let jobs = app.workers.jobs.clone();
        app.data.store.read(move |tx| jobs.schedule(tx)).await.unwrap().remove(0)
    };
    let due = state().await.next_run_at;
    let first = begin(1).await.unwrap();
    let seen = state().await;
    assert_eq!((seen.last_run_at, seen.last_task_id), (Some(draw_night() + Duration::minutes(1)), Some(first)));
    assert_eq!(seen.next_run_at, due);
    // The newer of the two is told, whichever it is.
    clock.set(draw_night() + Duration::minutes(5));
    app.data.store.write(|tx| schedule::enqueue_due(&weekly(), tx)).await.unwrap();
    let seen = state().await;
    assert_eq!(seen.last_run_at, Some(draw_night() + Duration::minutes(5)));
    let again = begin(6).await.unwrap();
    let later = state().await;
    assert_eq!((later.last_run_at, later.last_task_id), (Some(draw_night() + Duration::minutes(6)), Some(again)));
    assert_eq!(later.next_run_at, seen.next_run_at);
}

#[tokio::test]
async fn what_was_begun_by_hand_while_the_clock_ran_ahead_counts_from_when_it_was_set_right() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, handle(weekly()));
    app.data.store.write(|tx| schedule::begin(&weekly(), tx)).await.unwrap();
    clock.put(draw_night() + Duration::days(1));
    let jobs = app.workers.jobs.clone();
    let begun = app.data.store.write(move |tx| jobs.run_now(tx, "test_weekly")).await.unwrap();
    // Nothing of the schedule itself is of the wrong day.
    clock.put(draw_night() + Duration::minutes(2));
    let looks_at = app.data.store.read(|tx| schedule::next_due(&weekly(), tx)).await.unwrap();
    assert_eq!(looks_at, Some(draw_night() + Duration::minutes(2)), "it is put right at once");
    let next = app.data.store.write(|tx| schedule::enqueue_due(&weekly(), tx)).await.unwrap();
    clock.set(draw_night() + Duration::minutes(3));
    let jobs = app.workers.jobs.clone();
    let state = app.data.store.read(move |tx| jobs.schedule(tx)).await.unwrap().remove(0);
    assert_eq!((state.last_run_at, state.last_task_id), (Some(draw_night() + Duration::minutes(2)), Some(begun)));
    assert_eq!(state.next_run_at, next, "what is done by hand moves nothing");
    let looks_at = app.data.store.read(|tx| schedule::next_due(&weekly(), tx)).await.unwrap();
    assert_eq!(looks_at, next, "once is enough");
}

#[tokio::test]
async fn what_is_for_the_first_start_still_begins_by_itself_after_it_was_begun_by_hand() {
    let once = || vec![ScheduleEntry::of::<Greet>("test_once", Timing::Once).at_first_start()];
    let app = app(&Clock::fixed(draw_night()), handle(once()));
    let jobs = app.workers.jobs.clone();
    app.data.store.write(move |tx| jobs.run_now(tx, "test_once")).await.unwrap();
    app.data.store.write(move |tx| schedule::enqueue_due(&once(), tx)).await.unwrap();
    assert_eq!(greetings(&app).await, 2);
}

#[tokio::test]
async fn what_is_begun_by_hand_does_not_wait_out_the_pause_before_its_next_attempt() {
    let by_hand = vec![ScheduleEntry::of::<Wait>("test_wait", Timing::Never)];
    let app = app(&Clock::fixed(draw_night()), handle(by_hand));
    let jobs = app.workers.jobs.clone();
    let begin = move |tx: &WriteTx| {
        let first = jobs.run_now(tx, "test_wait")?;
        take_next(tx)?;
        let busy = Error::conflict(Message::english("busy"));
        store::end(tx, &first, Ending::Again(busy, tx.now() + Duration::hours(1)))?;
        assert_eq!(jobs.run_now(tx, "test_wait")?, first, "it is the one that is open");
        assert_eq!(queue::next_due(tx, Lane::Quick)?, Some((tx.now(), first.clone())));
        Ok(first)
    };
    let id = app.data.store.write(begin).await.unwrap();
    let task = app.data.store.read(move |tx| find(tx, &id)).await.unwrap().unwrap();
    assert_eq!((task.status, task.run_at), (TaskStatus::Queued, draw_night()));
}
