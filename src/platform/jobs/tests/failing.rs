//! What fails just now of all that jobs are for.

use super::super::store::Ending;
use super::super::task::LAST_ENDS;
use super::*;
use crate::store::ReadTransaction;

/// Greets everybody, by the schedule.
#[derive(Serialize, Deserialize)]
struct GreetAll {}

impl Job for GreetAll {
    const KIND: &'static str = "test_greet_all";
    const TITLE: (&'static str, &'static str) = ("모두에게 인사", "Greet everybody");
    const LANE: Lane = Lane::Quick;

    async fn run(self, _app: App, _progress: Progress) -> Result<()> {
        Ok(())
    }
}

/// Greets everybody because somebody asked for it.
#[derive(Serialize, Deserialize)]
struct GreetNow {}

impl Job for GreetNow {
    const KIND: &'static str = "test_greet_now";
    const TITLE: (&'static str, &'static str) = ("바로 인사", "Greet now");
    const LANE: Lane = Lane::Quick;
    const SUBJECT: Option<&'static str> = GreetAll::SUBJECT;

    async fn run(self, _app: App, _progress: Progress) -> Result<()> {
        Ok(())
    }
}

/// Sends a card that somebody wrote.
#[derive(Serialize, Deserialize)]
struct SendCard {}

impl Job for SendCard {
    const KIND: &'static str = "test_card";
    const TITLE: (&'static str, &'static str) = ("카드", "Card");
    const LANE: Lane = Lane::Quick;
    const SUBJECT: Option<&'static str> = None;

    async fn run(self, _app: App, _progress: Progress) -> Result<()> {
        Ok(())
    }
}

fn refused() -> Ending {
    Ending::Failed(Error::new(Kind::UpstreamUnavailable, Message::english("nobody answers")))
}

/// Ends a task of the kind `J` at `clock`'s time.
async fn ended<J: Job>(app: &App, job: J, ending: Ending) -> TaskId {
    let write = app.data.store.write(move |tx| {
        let id = enqueue(tx, &job)?;
        take_next(tx)?;
        store::end(tx, &id, ending)?;
        Ok(id)
    });
    write.await.unwrap()
}

async fn failing(app: &App) -> Vec<TaskId> {
    let jobs = app.workers.jobs.clone();
    let failing = app.data.store.read(move |tx| jobs.failing(tx)).await.unwrap();
    failing.into_iter().map(|task| task.id).collect()
}

#[tokio::test]
async fn a_kind_fails_from_its_newest_failure_until_it_succeeds_whatever_ran_since_and_whatever_the_clock_said() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, handle(vec![]));
    clock.set(draw_night() + Duration::days(3_650));
    ended(&app, Fail {}, refused()).await;
    assert_eq!(failing(&app).await.len(), 1);

    clock.set(draw_night());
    assert_eq!(failing(&app).await, [""; 0]);
    ended(&app, Fail {}, refused()).await;
    clock.set(draw_night() + Duration::minutes(1));
    let newest = ended(&app, Fail {}, refused()).await;
    for _ in 0..60 {
        ended(&app, Greet::default(), Ending::Succeeded).await;
    }
    ended(&app, Fail {}, Ending::Cancelled).await;
    assert_eq!(failing(&app).await, [newest]);

    clock.set(draw_night() + Duration::minutes(2));
    ended(&app, Fail {}, Ending::Succeeded).await;
    assert_eq!(failing(&app).await, [""; 0]);
}

/// The app, which knows also what is begun by hand.
fn with_work_by_hand(clock: &Clock) -> App {
    let registry =
        Registry::new().with::<Greet>().with::<GreetAll>().with::<GreetNow>().with::<SendCard>().with::<Fail>();
    app(clock, Jobs::new(registry, vec![]))
}

#[tokio::test]
async fn what_failed_by_hand_is_mended_by_the_schedule_and_the_other_way_round() {
    let clock = Clock::fixed(draw_night());
    let app = with_work_by_hand(&clock);
    let by_hand = ended(&app, GreetNow {}, refused()).await;
    assert_eq!(failing(&app).await, [by_hand]);
    clock.set(draw_night() + Duration::minutes(1));
    ended(&app, GreetAll {}, Ending::Succeeded).await;
    assert_eq!(failing(&app).await, [""; 0]);

    clock.set(draw_night() + Duration::minutes(2));
    let by_itself = ended(&app, GreetAll {}, refused()).await;
    assert_eq!(failing(&app).await, [by_itself]);
    clock.set(draw_night() + Duration::minutes(3));
    ended(&app, GreetNow {}, Ending::Succeeded).await;
    assert_eq!(failing(&app).await, [""; 0]);
}

#[tokio::test]
async fn the_end_that_came_last_decides_whatever_was_asked_for_first() {
    let clock = Clock::fixed(draw_night());
    let app = with_work_by_hand(&clock);
    let first = ended(&app, GreetNow {}, refused()).await;
    clock.set(draw_night() + Duration::minutes(1));
    let second = ended(&app, GreetAll {}, refused()).await;
    assert_eq!(failing(&app).await, [second]);
    clock.set(draw_night() + Duration::minutes(2));
    let (jobs, again) = (app.workers.jobs.clone(), first.clone());
    let tried_again = app.data.store.write(move |tx| {
        jobs.retry(tx, &again)?;
        take_next(tx)?;
        store::end(tx, &again, Ending::Succeeded)
    });
    tried_again.await.unwrap();
    assert_eq!(failing(&app).await, [""; 0]);
}

#[tokio::test]
async fn what_somebody_asked_for_once_needs_no_care_when_it_fails_and_the_rest_stands_newest_first() {
    let clock = Clock::fixed(draw_night());
    let app = with_work_by_hand(&clock);
    let first = ended(&app, GreetAll {}, refused()).await;
    clock.set(draw_night() + Duration::minutes(1));
    ended(&app, SendCard {}, refused()).await;
    let second = ended(&app, Fail {}, refused()).await;
    assert_eq!(failing(&app).await, [second, first]);
}

#[tokio::test]
async fn what_failed_before_an_earlier_version_stopped_still_fails_after_the_start_of_this_one() {
    let clock = Clock::fixed(draw_night());
    let app = with_work_by_hand(&clock);
    ended(&app, GreetAll {}, refused()).await;
    clock.set(draw_night() + Duration::minutes(1));
    ended(&app, GreetAll {}, Ending::Succeeded).await;
    let failed = ended(&app, Fail {}, refused()).await;
    let forget = app.data.store.write(|tx| {
        tx.discard(&LAST_ENDS, GreetAll::KIND)?;
        tx.discard(&LAST_ENDS, Fail::KIND)
    });
    forget.await.unwrap();
    assert_eq!(failing(&app).await, [""; 0]);
    app.workers.jobs.recover(&app).await.unwrap();
    assert_eq!(failing(&app).await, [failed]);
}

fn greeting(name: &str) -> Greet {
    Greet { name: name.to_owned() }
}

#[tokio::test]
async fn what_failed_for_one_is_mended_by_the_same_for_that_one_and_by_nothing_that_was_done_for_others() {
    let clock = Clock::fixed(draw_night());
    let app = with_work_by_hand(&clock);
    let first = ended(&app, greeting("first"), refused()).await;
    clock.set(draw_night() + Duration::minutes(1));
    ended(&app, greeting("second"), refused()).await;
    clock.set(draw_night() + Duration::minutes(2));
    for name in ["third", "fourth", "second"] {
        ended(&app, greeting(name), Ending::Succeeded).await;
    }
    assert_eq!(failing(&app).await, [first]);
    clock.set(draw_night() + Duration::minutes(3));
    let again = ended(&app, greeting("first"), refused()).await;
    assert_eq!(failing(&app).await, [again]);
    ended(&app, greeting("first"), Ending::Succeeded).await;
    assert_eq!(failing(&app).await, [""; 0]);
    let noted = app.data.store.read(|tx| tx.count(&LAST_ENDS)).await.unwrap();
    assert_eq!(noted, 0, "what was done well for each of many leaves nothing behind");
}

#[tokio::test]
async fn a_failure_that_an_earlier_version_lost_sight_of_is_seen_after_the_start_of_this_one() {
    let clock = Clock::fixed(draw_night());
    let app = with_work_by_hand(&clock);
    let failed = ended(&app, greeting("first"), refused()).await;
    clock.set(draw_night() + Duration::minutes(1));
    let other = ended(&app, greeting("second"), Ending::Succeeded).await;
    let as_before = app.data.store.write(move |tx| {
        tx.clear(&LAST_ENDS)?;
        tx.put(&LAST_ENDS, Greet::KIND, &other)
    });
    as_before.await.unwrap();
    assert_eq!(failing(&app).await, [""; 0]);
    app.workers.jobs.recover(&app).await.unwrap();
    assert_eq!(failing(&app).await, [failed]);
}

#[tokio::test]
async fn a_failure_is_forgotten_with_its_task() {
    let clock = Clock::fixed(draw_night());
    let app = with_work_by_hand(&clock);
    ended(&app, greeting("first"), refused()).await;
    clock.set(draw_night() + Duration::days(31));
    let jobs = app.workers.jobs.clone();
    assert_eq!(app.data.store.write(move |tx| jobs.prune(tx, 30)).await.unwrap(), 1);
    assert_eq!(app.data.store.read(|tx| tx.count(&LAST_ENDS)).await.unwrap(), 0);
}
