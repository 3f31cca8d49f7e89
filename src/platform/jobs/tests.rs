//! Jobs in a world of their own: a store in memory and a clock in the hand.

use std::sync::atomic::{AtomicU32, Ordering};

use chrono::Duration;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::app::App;
use crate::events::Event;
use crate::testing::{Log, app, draw_night};
use hanok_base::{Clock, Kind, Message, Page};

#[derive(Default, Serialize, Deserialize)]
struct Greet {
    name: String,
}

impl Job for Greet {
    const KIND: &'static str = "test_greet";
    const TITLE: (&'static str, &'static str) = ("인사", "Greet");
    const LANE: Lane = Lane::Quick;

    async fn run(self, _app: App, progress: Progress) -> Result<()> {
        progress.say(50, Message::english(format!("hello {}", self.name))).await
    }
}

#[derive(Serialize, Deserialize)]
struct Stumble {}

static STUMBLES: AtomicU32 = AtomicU32::new(0);

impl Job for Stumble {
    const KIND: &'static str = "test_stumble";
    const TITLE: (&'static str, &'static str) = ("비틀", "Stumble");
    const LANE: Lane = Lane::Quick;
    const RESUME: bool = false;
    const ATTEMPTS: u32 = 2;

    async fn run(self, _app: App, _progress: Progress) -> Result<()> {
        if STUMBLES.fetch_add(1, Ordering::SeqCst) == 0 {
            return Err(Error::new(Kind::UpstreamUnavailable, Message::english("nobody answers")));
        }
        Ok(())
    }
}

/// Fails in passing, every time.
#[derive(Serialize, Deserialize)]
struct Fail {}

impl Job for Fail {
    const KIND: &'static str = "test_fail";
    const TITLE: (&'static str, &'static str) = ("실패", "Fail");
    const LANE: Lane = Lane::Quick;
    const ATTEMPTS: u32 = 9;

    async fn run(self, _app: App, _progress: Progress) -> Result<()> {
        Err(Error::new(Kind::UpstreamUnavailable, Message::english("nobody answers")))
    }
}

#[derive(Default, Serialize, Deserialize)]
struct Wait {}

impl Job for Wait {
    const KIND: &'static str = "test_wait";
    const TITLE: (&'static str, &'static str) = ("기다림", "Wait");
    const LANE: Lane = Lane::Quick;
    const UNIQUE: bool = true;

    async fn run(self, _app: App, progress: Progress) -> Result<()> {
        progress.say(10, Message::english("waiting")).await?;
        std::future::pending().await
    }
}

#[derive(Serialize, Deserialize)]
struct Panic {}

impl Job for Panic {
    const KIND: &'static str = "test_panic";
    const TITLE: (&'static str, &'static str) = ("놀람", "Panic");
    const LANE: Lane = Lane::Quick;
    const UNIQUE: bool = true;

    async fn run(self, _app: App, _progress: Progress) -> Result<()> {
        panic!("on purpose")
    }
}

mod failing;
mod first_start;
mod lanes;
mod once;
mod restored;
mod stopping;
mod unread;
mod when_due;

fn handle(schedule: Vec<ScheduleEntry>) -> Jobs {
    Jobs::new(Registry::new().with::<Greet>().with::<Stumble>().with::<Fail>().with::<Wait>().with::<Panic>(), schedule)
}

/// How long jobs may take to end with their world.
const GRACE: std::time::Duration = std::time::Duration::from_millis(50);

struct World {
    app: App,
    stop: CancellationToken,
    runner: tokio::task::JoinHandle<()>,
}

impl World {
    async fn begin(clock: &Clock, schedule: Vec<ScheduleEntry>) -> World {
        Self::with(app(clock, handle(schedule))).await
    }

    async fn with(app: App) -> World {
        app.workers.jobs.recover(&app).await.unwrap();
        Self::on(app)
    }

    fn on(app: App) -> World {
        let stop = CancellationToken::new();
        let runner = tokio::spawn({
            let (app, stop) = (app.clone(), stop.clone());
            async move { app.workers.jobs.clone().run_with_grace(app, stop, GRACE).await }
        });
        World { app, stop, runner }
    }

    async fn enqueue<J: Job>(&self, job: J) -> TaskId {
        self.app.data.store.write(move |tx| enqueue(tx, &job)).await.unwrap()
    }

    /// Waits until the task is in a state that `holds`.
    async fn until(&self, id: &str, holds: impl Fn(&Task) -> bool) -> Task {
        let mut events = self.app.events.listen();
        loop {
            let wanted = id.to_owned();
            let task = self.app.data.store.read(move |tx| find(tx, &wanted)).await.unwrap().unwrap();
            if holds(&task) {
                return task;
            }
            while !matches!(events.recv().await, Ok(Event::Changed(_) | Event::Task(_)) | Err(_)) {}
        }
    }

    async fn end(self) -> App {
        self.stop.cancel();
        self.runner.await.unwrap();
        self.app
    }
}

#[tokio::test]
async fn a_queued_job_runs_and_says_how_far_it_is() {
    let world = World::begin(&Clock::fixed(draw_night()), vec![]).await;
    let id = world.enqueue(Greet { name: "민지".into() }).await;
    let done = world.until(&id, |task| task.status == TaskStatus::Succeeded).await;
    assert_eq!((done.progress, done.message.as_str(), done.attempts), (100, "hello 민지", 1));
    world.end().await;
}

#[tokio::test]
async fn what_a_task_says_is_bounded_whoever_it_got_it_from() {
    let world = World::begin(&Clock::fixed(draw_night()), vec![]).await;
    let id = world.enqueue(Greet { name: "가".repeat(10_000) }).await;
    let done = world.until(&id, |task| task.status == TaskStatus::Succeeded).await;
    assert_eq!((done.message.chars().count(), done.message.chars().last()), (2_000, Some('…')));
    let failed = world.app.data.store.write(|tx| {
        let id = enqueue(tx, &Wait {})?;
        take_next(tx)?;
        store::end(tx, &id, store::Ending::Failed(Error::new(Kind::Internal, Message::english("x".repeat(2_001)))))
    });
    assert_eq!(failed.await.unwrap().unwrap().message.chars().count(), 2_000);
    world.end().await;
}

#[tokio::test]
async fn a_job_that_failed_in_passing_is_tried_again_after_a_pause() {
    let clock = Clock::fixed(draw_night());
    let world = World::begin(&clock, vec![]).await;
    let id = world.enqueue(Stumble {}).await;
    let waits = world.until(&id, |task| task.status == TaskStatus::Queued && task.attempts == 1).await;
    assert_eq!(waits.error.as_deref(), Some("UPSTREAM_UNAVAILABLE"));
    assert_eq!(waits.run_at, draw_night() + Duration::minutes(1));
    clock.set(draw_night() + Duration::minutes(2));
    let done = world.until(&id, |task| task.status.has_ended()).await;
    assert_eq!((done.status, done.attempts), (TaskStatus::Succeeded, 2));
    world.end().await;
}

#[tokio::test]
async fn pauses_double_from_a_minute_to_about_an_hour_and_the_last_attempt_ends_the_task() {
    let clock = Clock::fixed(draw_night());
    let world = World::begin(&clock, vec![]).await;
    let id = world.enqueue(Fail {}).await;
    for (attempt, minutes) in (1..).zip([1, 2, 4, 8, 16, 32, 64, 64]) {
        let ran = |task: &Task| task.attempts == attempt && task.status != TaskStatus::Running;
        let waits = world.until(&id, ran).await;
        assert_eq!((waits.status, waits.run_at), (TaskStatus::Queued, clock.now() + Duration::minutes(minutes)));
        clock.set(waits.run_at);
    }
    let failed = world.until(&id, |task| task.attempts == 9 && task.status != TaskStatus::Running).await;
    assert_eq!((failed.status, failed.error.as_deref()), (TaskStatus::Failed, Some("UPSTREAM_UNAVAILABLE")));
    world.end().await;
}

#[tokio::test]
async fn a_clock_set_back_while_the_runner_lives_lets_what_waits_for_the_wrong_time_begin() {
    let clock = Clock::fixed(draw_night() + Duration::days(3650));
    let world = World::begin(&clock, vec![]).await;
    let id = world.enqueue(Fail {}).await;
    let waits = world.until(&id, |task| task.attempts == 1 && task.status == TaskStatus::Queued).await;
    assert!(waits.run_at > draw_night() + Duration::days(3650));
    clock.set(draw_night());
    let again = world.until(&id, |task| task.attempts == 2 && task.status == TaskStatus::Queued).await;
    assert_eq!(again.run_at, draw_night() + Duration::minutes(2));
    world.end().await;
}

#[tokio::test]
async fn a_job_that_panics_fails_visibly_and_the_next_one_runs() {
    let log = Log::default();
    let _written = tracing::subscriber::set_default(log.clone().subscriber());
    let world = World::begin(&Clock::fixed(draw_night()), vec![]).await;
    let id = world.enqueue(Panic {}).await;
    let failed = world.until(&id, |task| task.status.has_ended()).await;
    assert_eq!((failed.status, failed.error.as_deref()), (TaskStatus::Failed, Some("INTERNAL")));
    assert!(!failed.message.contains("on purpose"), "{}", failed.message);
    let line = log.line("a job panicked");
    assert!(line.contains("on purpose") && line.contains("test_panic") && line.contains(&id), "{line}");
    assert_ne!(world.enqueue(Panic {}).await, id, "nobody holds its place any more");
    let id = world.enqueue(Greet { name: "다음".into() }).await;
    world.until(&id, |task| task.status == TaskStatus::Succeeded).await;
    world.end().await;
}

#[tokio::test]
async fn a_job_that_runs_alone_is_not_queued_twice_and_can_be_called_off() {
    let world = World::begin(&Clock::fixed(draw_night()), vec![]).await;
    let first = world.enqueue(Wait {}).await;
    world.until(&first, |task| task.progress == 10).await;
    assert_eq!(world.enqueue(Wait {}).await, first);
    world.app.workers.jobs.cancel(&world.app.data.store, &first).await.unwrap();
    let ended = world.until(&first, |task| task.status.has_ended()).await;
    assert_eq!(ended.status, TaskStatus::Cancelled);
    assert_ne!(world.enqueue(Wait {}).await, first);
    world.end().await;
}

#[tokio::test]
async fn what_was_running_at_the_end_goes_on_or_is_failed_as_interrupted() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, handle(vec![]));
    let (greet, stumble) = app
        .data
        .store
        .write(|tx| {
            let greet = enqueue(tx, &Greet { name: "다시".into() })?;
            let stumble = enqueue(tx, &Stumble {})?;
            take_next(tx)?;
            take_next(tx)?;
            Ok((greet, stumble))
        })
        .await
        .unwrap();
    let recovered = app.workers.jobs.recover(&app).await.unwrap();
    assert_eq!(recovered.interrupted().as_deref(), Some("1 interrupted jobs go on, 1 are failed as interrupted"));
    let world = World::on(app);
    let done = world.until(&greet, |task| task.status.has_ended()).await;
    assert_eq!((done.status, done.attempts), (TaskStatus::Succeeded, 2));
    let failed = world.until(&stumble, |task| task.status.has_ended()).await;
    assert_eq!(failed.error.as_deref(), Some("INTERRUPTED"));
    world.end().await;
}

/// Marks the task that comes next as running, as a runner does.
fn take_next(tx: &WriteTx) -> Result<()> {
    let (at, id) = queue::next_due(tx, Lane::Quick)?.unwrap();
    store::take(tx, Lane::Quick, at, &id).map(drop)
}

fn weekly() -> Vec<ScheduleEntry> {
    vec![ScheduleEntry::of::<Greet>("test_weekly", Timing::Cron("45 20 * * 6"))]
}

#[tokio::test]
async fn an_entry_of_the_schedule_is_called_what_its_job_is_unless_it_says_more() {
    let entry = |name| ScheduleEntry::of::<Greet>(name, Timing::Never);
    let schedule = vec![entry("test_greet"), entry("test_party").titled("손님 인사", "Greet the guests")];
    let app = app(&Clock::fixed(draw_night()), handle(schedule));
    let jobs = app.workers.jobs.clone();
    let states = app.data.store.read(move |tx| jobs.schedule(tx)).await.unwrap();
    let titles: Vec<_> = states.iter().map(|state| (state.title_ko.as_str(), state.title_en.as_str())).collect();
    assert_eq!(titles, [Greet::TITLE, ("손님 인사", "Greet the guests")]);
}

async fn greetings(app: &App) -> u64 {
    let page = Page { limit: 100, offset: 0 };
    app.data.store.read(move |tx| list(tx, page)).await.unwrap().1
}

#[tokio::test]
async fn the_schedule_begins_on_saturday_night_in_seoul() {
    let clock = Clock::fixed(draw_night());
    let world = World::begin(&clock, weekly()).await;
    let jobs = world.app.workers.jobs.clone();
    let state = world.app.data.store.read(move |tx| jobs.schedule(tx)).await.unwrap().remove(0);
    assert_eq!(state.next_run_at, Some(draw_night() + Duration::minutes(5)));
    assert_eq!(state.last_run_at, None, "it was seen, and has not run");
    assert_eq!(greetings(&world.app).await, 0);
    let mut events = world.app.events.listen();
    clock.set(draw_night() + Duration::minutes(5));
    while greetings(&world.app).await == 0 {
        events.recv().await.unwrap();
    }
    world.end().await;
}

#[tokio::test]
async fn what_was_missed_for_a_month_runs_once_and_a_clock_set_back_does_no_harm() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, handle(weekly()));
    app.workers.jobs.recover(&app).await.unwrap();
    let enqueue_due = |app: &App| {
        let store = app.data.store.clone();
        async move { store.write(|tx| schedule::enqueue_due(&weekly(), tx)).await.unwrap() }
    };
    clock.set(draw_night() + Duration::days(30));
    let next = enqueue_due(&app).await.unwrap();
    enqueue_due(&app).await;
    assert_eq!(greetings(&app).await, 1, "four Saturdays were missed");
    assert!(next > clock.now() && next <= clock.now() + Duration::days(7));
    clock.set(draw_night());
    let next = enqueue_due(&app).await.unwrap();
    assert_eq!(next, draw_night() + Duration::minutes(5), "the next Saturday of the clock as it is now");
}

#[tokio::test]
async fn ended_tasks_are_cleared_after_a_month_and_open_ones_stay() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, Jobs::default());
    let (old, open) = app
        .data
        .store
        .write(|tx| {
            let old = enqueue(tx, &Greet { name: "옛".into() })?;
            take_next(tx)?;
            store::end(tx, &old, store::Ending::Succeeded)?;
            Ok((old, enqueue(tx, &Greet { name: "열린".into() })?))
        })
        .await
        .unwrap();
    clock.set(draw_night() + Duration::days(31));
    assert_eq!(app.data.store.write(|tx| store::prune(tx, 30, &Registry::new())).await.unwrap(), 1);
    let left = app.data.store.read(move |tx| Ok((find(tx, &old)?, find(tx, &open)?))).await.unwrap();
    assert!(left.0.is_none() && left.1.is_some());
}
