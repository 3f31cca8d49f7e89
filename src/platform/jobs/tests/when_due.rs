//! What begins when something that is stored is due.

use chrono::{DateTime, Utc};

use super::super::store::Ending;
use super::*;
use crate::events::Change;
use crate::store::{ReadTransaction, Table};

/// Table: when the guest comes. Key: `guest`.
const GUESTS: Table<&'static str, DateTime<Utc>> = Table::new("test_guests-1");
const GUEST: &str = "guest";
const GUEST_COMES: Change = Change::new("test_guest_comes");

impl Timely for Greet {
    const ON: Change = GUEST_COMES;

    fn next(tx: &impl ReadTransaction) -> Result<Option<DateTime<Utc>>> {
        tx.get(&GUESTS, GUEST)
    }
}

fn when_a_guest_comes() -> Vec<ScheduleEntry> {
    vec![ScheduleEntry::when_due::<Greet>("test_guests")]
}

/// Stores that the guest comes at `at`, and says no more than that.
async fn expect_a_guest(app: &App, at: DateTime<Utc>) {
    let expect = move |tx: &WriteTx| {
        tx.announce(GUEST_COMES);
        tx.put(&GUESTS, GUEST, &at)
    };
    app.data.store.write(expect).await.unwrap();
}

#[tokio::test]
async fn the_schedule_looks_again_when_something_is_stored_that_may_be_due() {
    let clock = Clock::fixed(draw_night());
    let world = World::begin(&clock, when_a_guest_comes()).await;
    clock.set(draw_night() + Duration::hours(1));
    let mut events = world.app.events.listen();
    expect_a_guest(&world.app, clock.now()).await;
    while greetings(&world.app).await == 0 {
        tokio::time::timeout(std::time::Duration::from_secs(30), events.recv()).await.expect("it is begun").unwrap();
    }
    assert_eq!(greetings(&world.app).await, 1);
    world.end().await;
}

#[tokio::test]
async fn what_stays_due_because_its_job_fails_begins_once_a_minute_and_does_not_spin() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, handle(when_a_guest_comes()));
    app.workers.jobs.recover(&app).await.unwrap();
    expect_a_guest(&app, draw_night() - Duration::hours(1)).await;
    let enqueue_due = async || app.data.store.write(|tx| schedule::enqueue_due(&when_a_guest_comes(), tx)).await;
    for (seconds, begun) in [(59, 0), (60, 1), (60, 1), (119, 1), (120, 2)] {
        clock.set(draw_night() + Duration::seconds(seconds));
        let next = enqueue_due().await.unwrap().unwrap();
        assert!(next > clock.now() && next <= clock.now() + Duration::minutes(1), "{next}");
        assert_eq!(greetings(&app).await, begun, "after {seconds} s");
        let foreseen = app.data.store.read(|tx| schedule::next_due(&when_a_guest_comes(), tx)).await.unwrap();
        assert_eq!(foreseen, Some(next));
    }
}

#[tokio::test]
async fn what_was_planned_while_the_clock_was_ahead_begins_by_the_right_one_whenever_it_was_begun() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, Jobs::default());
    let id = app.data.store.write(|tx| enqueue(tx, &Fail {})).await.unwrap();
    let (taken, at) = (id.clone(), draw_night());
    app.data.store.write(move |tx| store::take(tx, Lane::default(), at, &taken)).await.unwrap().unwrap();
    clock.put(draw_night() + Duration::days(3650));
    let (ended, again) = (id.clone(), clock.now() + Duration::minutes(64));
    let ending = Ending::Again(Error::conflict(Message::english("not now")), again);
    app.data.store.write(move |tx| store::end(tx, &ended, ending.clone())).await.unwrap().unwrap();
    let run_at = async || {
        app.data.store.write(queue::plan_anew).await.unwrap();
        let id = id.clone();
        app.data.store.read(move |tx| find(tx, &id)).await.unwrap().unwrap().run_at
    };
    assert_eq!(run_at().await, again);
    clock.put(draw_night());
    assert_eq!(run_at().await, draw_night());
}

/// Waits for a guest with the patience of a day, and looks at each start whether one is expected.
#[derive(Default, Serialize, Deserialize)]
struct Look {}

impl Job for Look {
    const KIND: &'static str = "test_look";
    const TITLE: (&'static str, &'static str) = ("내다보기", "Look out");
    const LANE: Lane = Lane::Quick;

    async fn run(self, _app: App, _progress: Progress) -> Result<()> {
        Ok(())
    }
}

impl Timely for Look {
    const ON: Change = GUEST_COMES;
    const PAUSE: Duration = Duration::days(1);

    fn next(tx: &impl ReadTransaction) -> Result<Option<DateTime<Utc>>> {
        tx.get(&GUESTS, GUEST)
    }
}

#[tokio::test]
async fn what_is_wanted_begins_at_each_start_but_not_again_and_again_and_else_once_in_its_own_pause() {
    let entries = || vec![ScheduleEntry::when_due::<Look>("test_look").at_each_start()];
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, Jobs::default());
    let looks = async || {
        let last = app.data.store.read(move |tx| schedule::states(&entries(), tx)).await.unwrap().remove(0);
        (last.last_run_at, last.next_run_at)
    };
    let start = async || app.data.store.write(move |tx| schedule::enqueue_at_start(&entries(), tx)).await.unwrap();
    let after = |minutes| draw_night() + Duration::minutes(minutes);
    app.data.store.write(move |tx| schedule::begin(&entries(), tx)).await.unwrap();
    clock.set(after(60));
    start().await;
    assert_eq!(looks().await, (None, None), "nobody is expected");
    expect_a_guest(&app, draw_night()).await;
    start().await;
    assert_eq!(looks().await, (Some(after(60)), Some(after(60 + 24 * 60))));
    clock.set(after(69));
    start().await;
    assert_eq!(looks().await.0, Some(after(60)), "it has just begun");
    clock.set(after(70));
    start().await;
    assert_eq!(looks().await, (Some(after(70)), Some(after(70 + 24 * 60))));
    for (minutes, begun) in [(69 + 24 * 60, 70), (70 + 24 * 60, 70 + 24 * 60)] {
        clock.set(after(minutes));
        app.data.store.write(move |tx| schedule::enqueue_due(&entries(), tx)).await.unwrap();
        assert_eq!(looks().await.0, Some(after(begun)), "after {minutes} minutes");
    }
}
