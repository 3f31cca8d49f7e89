//! How jobs end before their time: cancelled, or with the process. Nothing of them works on.

use std::sync::LazyLock;

use tokio::sync::Semaphore;

use super::super::attempt::Claim;
use super::*;
use crate::blocking;
use crate::compute::Work;
use crate::store::{Order, ReadTransaction, ReadTx};

/// Two steps that must not be torn; the first waits for [`GATE`].
#[derive(Serialize, Deserialize)]
struct Post {}

static GATE: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(0));
static POSTED: AtomicU32 = AtomicU32::new(0);

impl Job for Post {
    const KIND: &'static str = "test_post";
    const TITLE: (&'static str, &'static str) = ("보냄", "Post");
    const LANE: Lane = Lane::Outside;

    async fn run(self, _app: App, progress: Progress) -> Result<()> {
        let first = progress.uninterrupted(async {
            progress.say(10, Message::english("posting")).await?;
            drop(GATE.acquire().await);
            progress.uninterrupted(std::future::ready(())).await;
            progress.say(40, Message::english("posted")).await?;
            POSTED.fetch_add(1, Ordering::SeqCst);
            Ok::<(), Error>(())
        });
        first.await?;
        let second = progress.uninterrupted(async { POSTED.fetch_add(1, Ordering::SeqCst) });
        second.await;
        Ok(())
    }
}

#[tokio::test]
async fn a_step_that_must_not_be_torn_ends_before_its_task_is_cancelled_and_no_other_begins() {
    let jobs = Jobs::new(Registry::new().with::<Post>().with::<Greet>(), vec![]);
    let world = World::with(app(&Clock::fixed(draw_night()), jobs)).await;
    let id = world.enqueue(Post {}).await;
    world.until(&id, |task| task.progress == 10).await;
    world.app.workers.jobs.cancel(&world.app.data.store, &id).await.unwrap();
    // Others come and go meanwhile.
    let greet = world.enqueue(Greet { name: "사이".into() }).await;
    world.until(&greet, |task| task.status == TaskStatus::Succeeded).await;
    assert_eq!(world.until(&id, |_| true).await.status, TaskStatus::Running);
    GATE.add_permits(1);
    let ended = world.until(&id, |task| task.status.has_ended()).await;
    assert_eq!((ended.status, ended.message.as_str()), (TaskStatus::Cancelled, "posted"));
    assert_eq!(POSTED.load(Ordering::SeqCst), 1);
    world.end().await;
}

/// Work that ticks as long as it lives, wherever it was put.
#[derive(Serialize, Deserialize)]
struct Tick {
    spot: Spot,
}

/// Where something ticks, and for which test: several run in one process.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Spot {
    test: Test,
    place: WorkPlace,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
enum Test {
    Cancels,
    EndsTheRunner,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum WorkPlace {
    Async,
    Step,
    Blocking,
    Compute,
    Read,
}

const PLACES: [WorkPlace; 5] =
    [WorkPlace::Async, WorkPlace::Step, WorkPlace::Blocking, WorkPlace::Compute, WorkPlace::Read];

/// How much ticks for each test in each place.
static TICKING: [[AtomicU32; PLACES.len()]; 2] = [const { [const { AtomicU32::new(0) }; PLACES.len()] }; 2];

impl Spot {
    fn ticking(self) -> &'static AtomicU32 {
        &TICKING[self.test as usize][self.place as usize]
    }

    fn count(self) -> u32 {
        self.ticking().load(Ordering::SeqCst)
    }
}

struct Ticking(Spot);

impl Ticking {
    fn begin(spot: Spot) -> Ticking {
        spot.ticking().fetch_add(1, Ordering::SeqCst);
        Ticking(spot)
    }
}

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.ticking().fetch_sub(1, Ordering::SeqCst);
    }
}

impl Job for Tick {
    const KIND: &'static str = "test_tick";
    const TITLE: (&'static str, &'static str) = ("똑딱", "Tick");
    const LANE: Lane = Lane::Outside;
    const RESUME: bool = false;

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        let spot = self.spot;
        match spot.place {
            WorkPlace::Async => forever(spot).await,
            WorkPlace::Step => progress.uninterrupted(forever(spot)).await,
            WorkPlace::Blocking => blocking::run(move |abandoned| tick_until(spot, || abandoned.is_cancelled())).await,
            WorkPlace::Compute => app.workers.compute.run(Ticks { spot }).await.map(drop),
            WorkPlace::Read => app.data.store.read(move |tx| walk_forever(tx, spot)).await,
        }
    }
}

async fn forever(spot: Spot) -> Result<()> {
    let _ticking = Ticking::begin(spot);
    loop {
        tokio::task::yield_now().await;
    }
}

fn walk_forever(tx: &ReadTx, spot: Spot) -> Result<()> {
    let _ticking = Ticking::begin(spot);
    loop {
        tx.entries(&task::TASKS, "".., Order::Ascending).try_for_each(|entry| entry.map(drop))?;
    }
}

fn tick_until(spot: Spot, ends: impl Fn() -> bool) -> Result<()> {
    let _ticking = Ticking::begin(spot);
    while !ends() {
        std::thread::yield_now();
    }
    Ok(())
}

/// Work for the compute host that ends when it is called off.
#[derive(Serialize, Deserialize)]
struct Ticks {
    spot: Spot,
}

impl Work for Ticks {
    const NAME: &'static str = "test_ticks";
    type Part = ();
    type Answer = ();

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn parts(&self) -> usize {
        1
    }

    fn part(&self, _part: usize, cancelled: &(dyn Fn() -> bool + Sync)) -> Option<()> {
        tick_until(self.spot, cancelled).ok().filter(|()| !cancelled())
    }

    fn join(&self, _parts: Vec<()>) {}

    fn admits(&self, _answer: &()) -> bool {
        true
    }
}

/// A world in which this ticks.
async fn ticking(spot: Spot) -> (World, TaskId) {
    let jobs = Jobs::new(Registry::new().with::<Tick>(), vec![]);
    let world = World::with(app(&Clock::fixed(draw_night()), jobs)).await;
    let id = world.enqueue(Tick { spot }).await;
    while spot.count() == 0 {
        tokio::task::yield_now().await;
    }
    (world, id)
}

#[tokio::test]
async fn a_cancelled_task_has_ended_when_nothing_of_it_works_any_more_wherever_it_was_put() {
    for place in PLACES.into_iter().filter(|place| *place != WorkPlace::Step) {
        let spot = Spot { test: Test::Cancels, place };
        let (world, id) = ticking(spot).await;
        world.app.workers.jobs.cancel(&world.app.data.store, &id).await.unwrap();
        let ended = world.until(&id, |task| task.status.has_ended()).await;
        assert_eq!((ended.status, spot.count()), (TaskStatus::Cancelled, 0), "{place:?}");
        world.end().await;
    }
}

#[tokio::test]
async fn nothing_works_on_after_the_runner_has_ended() {
    for place in PLACES {
        let spot = Spot { test: Test::EndsTheRunner, place };
        let (world, id) = ticking(spot).await;
        let app = world.end().await;
        assert_eq!(spot.count(), 0, "{place:?}");
        // The next start puts it right.
        let wanted = id.clone();
        let left = app.data.store.read(move |tx| find(tx, &wanted)).await.unwrap().unwrap();
        assert_eq!(left.status, TaskStatus::Running, "{place:?}");
        app.data.store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_task_that_runs_is_not_taken_for_an_interrupted_one() {
    let world = World::begin(&Clock::fixed(draw_night()), vec![]).await;
    let id = world.enqueue(Wait {}).await;
    world.until(&id, |task| task.progress == 10).await;
    // As after a restore beside it.
    assert_eq!(world.app.workers.jobs.recover(&world.app).await.unwrap(), Recovered::default());
    let task = world.until(&id, |_| true).await;
    assert_eq!((task.status, task.attempts), (TaskStatus::Running, 1));
    world.app.workers.jobs.cancel(&world.app.data.store, &id).await.unwrap();
    world.until(&id, |task| task.status == TaskStatus::Cancelled).await;
    world.end().await;
}

/// A write that says when it has begun, and ends when it is told to.
fn held_write(
    app: &App,
) -> (impl Future<Output = Result<()>>, std::sync::mpsc::Receiver<()>, std::sync::mpsc::Sender<()>) {
    let (begun, has_begun) = std::sync::mpsc::channel();
    let (end, ends) = std::sync::mpsc::channel::<()>();
    let store = app.data.store.clone();
    let write = async move {
        let write = move |_: &WriteTx| {
            let _ = begun.send(());
            let _ = ends.recv();
            Ok(())
        };
        store.write(write).await
    };
    (write, has_begun, end)
}

#[tokio::test]
async fn who_cancels_a_failed_task_while_its_end_is_written_is_heard() {
    let app = app(&Clock::fixed(draw_night()), handle(vec![]));
    let queued = app.data.store.write(|tx| {
        let id = enqueue(tx, &Stumble {})?;
        take_next(tx)?;
        Ok(id)
    });
    let id = queued.await.unwrap();
    let claim = Claim::take(&app.workers.jobs, &id).unwrap();
    let ending = store::Ending::Again(
        Error::new(Kind::UpstreamTimeout, Message::english("late")),
        draw_night() + Duration::minutes(1),
    );
    // The writer has its hands full while the end comes to it, so that what comes next is in one batch with it.
    let (first, first_has_begun, first_ends) = held_write(&app);
    let (second, second_has_begun, second_ends) = held_write(&app);
    let (never, mut first, mut second) = (CancellationToken::new(), Box::pin(first), Box::pin(second));
    let mut end = Box::pin(claim.note_end(&app, ending, &never));
    assert!(futures_util::poll!(&mut first).is_pending());
    first_has_begun.recv().unwrap();
    assert!(futures_util::poll!(&mut end).is_pending());
    assert!(futures_util::poll!(&mut second).is_pending());
    first_ends.send(()).unwrap();
    second_has_begun.recv().unwrap();
    let named = id.clone();
    let mut cancel = Box::pin(app.workers.jobs.cancel(&app.data.store, &named));
    assert!(futures_util::poll!(&mut cancel).is_pending(), "it is answered when it is on disk");
    second_ends.send(()).unwrap();
    let (first, second, cancelled, ()) = tokio::join!(first, second, cancel, end);
    first.and(second).and(cancelled).unwrap();
    let task = app.data.store.read(move |tx| find(tx, &id)).await.unwrap().unwrap();
    assert_eq!(task.status, TaskStatus::Cancelled);
    assert!(task.finished_at.is_some());
}

#[tokio::test]
async fn a_task_that_was_cancelled_while_it_ran_is_not_begun_again_after_a_crash_until_somebody_asks() {
    let world = World::begin(&Clock::fixed(draw_night()), vec![]).await;
    let id = world.app.data.store.write(|tx| {
        let id = enqueue(tx, &Greet { name: "다시".into() })?;
        take_next(tx)?;
        // The process ends right after this.
        store::cancel(tx, &id)?;
        Ok(id)
    });
    let id = id.await.unwrap();
    let sentence = world.app.workers.jobs.recover(&world.app).await.unwrap();
    let ended = world.until(&id, |task| task.status.has_ended()).await;
    assert_eq!((ended.status, ended.attempts), (TaskStatus::Cancelled, 1), "{sentence:?}");
    let (jobs, again) = (world.app.workers.jobs.clone(), id.clone());
    world.app.data.store.write(move |tx| jobs.retry(tx, &again)).await.unwrap();
    let done = world.until(&id, |task| task.attempts == 2 && task.status.has_ended()).await;
    assert_eq!(done.status, TaskStatus::Succeeded);
    world.end().await;
}

#[tokio::test]
async fn what_is_said_to_run_and_does_not_is_put_right_while_the_house_lives() {
    let world = World::begin(&Clock::fixed(draw_night()), vec![]).await;
    // As when the disk did not say whether the beginning of an attempt was written.
    let taken = world.app.data.store.write(|tx| {
        let (waits, fails) = (enqueue(tx, &Wait {})?, enqueue(tx, &Stumble {})?);
        take_next(tx)?;
        take_next(tx)?;
        Ok((waits, fails))
    });
    let (waits, fails) = taken.await.unwrap();
    world.until(&waits, |task| task.attempts == 2 && task.progress == 10).await;
    let failed = world.until(&fails, |task| task.status.has_ended()).await;
    assert_eq!((failed.status, failed.error.as_deref()), (TaskStatus::Failed, Some("INTERRUPTED")));
    // What does run stays.
    let greet = world.enqueue(Greet { name: "사이".into() }).await;
    world.until(&greet, |task| task.status == TaskStatus::Succeeded).await;
    assert_eq!(world.until(&waits, |_| true).await.attempts, 2);
    world.end().await;
}

#[tokio::test]
async fn a_task_whose_end_was_asked_for_before_it_was_interrupted_is_cancelled_and_said() {
    let app = app(&Clock::fixed(draw_night()), handle(vec![]));
    let asked = app.data.store.write(|tx| {
        let id = enqueue(tx, &Greet { name: "그만".into() })?;
        take_next(tx)?;
        store::cancel(tx, &id)?;
        Ok(id)
    });
    let asked = asked.await.unwrap();
    let recovered = app.workers.jobs.recover(&app).await.unwrap();
    let said = "0 interrupted jobs go on, 0 are failed as interrupted, 1 are cancelled as was asked";
    assert_eq!(recovered.interrupted().as_deref(), Some(said));
    let world = World::on(app);
    assert_eq!(world.until(&asked, |task| task.status.has_ended()).await.status, TaskStatus::Cancelled);
    world.end().await;
}
