//! Lanes do not wait for each other, and what waited before there were any goes on.

use serde_json::{Value, json};

use super::*;
use crate::events::Events;
use crate::store::open::Options;
use crate::store::{Order, ReadTransaction, Schema, Store, Table};
use crate::testing::app_on;

/// Takes long.
#[derive(Serialize, Deserialize)]
struct Render {}

impl Job for Render {
    const KIND: &'static str = "test_render";
    const TITLE: (&'static str, &'static str) = ("렌더링", "Render");
    const LANE: Lane = Lane::Heavy;

    async fn run(self, _app: App, progress: Progress) -> Result<()> {
        progress.say(10, Message::english("rendering")).await?;
        std::future::pending().await
    }
}

/// Asks a provider.
#[derive(Serialize, Deserialize)]
struct Ask {}

impl Job for Ask {
    const KIND: &'static str = "test_ask";
    const TITLE: (&'static str, &'static str) = ("물음", "Ask");
    const LANE: Lane = Lane::Outside;

    async fn run(self, _app: App, _progress: Progress) -> Result<()> {
        Ok(())
    }
}

fn lanes() -> Jobs {
    Jobs::new(Registry::new().with::<Greet>().with::<Render>().with::<Ask>(), vec![])
}

async fn status(app: &App, id: &str) -> TaskStatus {
    let id = id.to_owned();
    app.data.store.read(move |tx| find(tx, &id)).await.unwrap().unwrap().status
}

#[tokio::test]
async fn two_long_renders_hold_up_neither_short_work_nor_what_asks_outside() {
    let world = World::with(app(&Clock::fixed(draw_night()), lanes())).await;
    let first = world.enqueue(Render {}).await;
    world.until(&first, |task| task.progress == 10).await;
    let second = world.enqueue(Render {}).await;
    let greet = world.enqueue(Greet { name: "백업".into() }).await;
    let ask = world.enqueue(Ask {}).await;
    for id in [&greet, &ask] {
        world.until(id, |task| task.status == TaskStatus::Succeeded).await;
    }
    // One worker is what the settings give the heavy lane.
    assert_eq!(status(&world.app, &second).await, TaskStatus::Queued);
    world.app.workers.jobs.cancel(&world.app.data.store, &first).await.unwrap();
    world.until(&second, |task| task.progress == 10).await;
    world.end().await;
}

#[tokio::test]
async fn a_clock_set_back_lets_each_lane_begin_what_the_wrong_clock_planned() {
    let clock = Clock::fixed(draw_night() + Duration::days(3650));
    let app = app(&clock, lanes());
    let enqueue_each = |tx: &WriteTx| Ok([enqueue(tx, &Greet { name: "먼 날".into() })?, enqueue(tx, &Ask {})?]);
    let ids = app.data.store.write(enqueue_each).await.unwrap();
    clock.set(draw_night());
    let world = World::with(app).await;
    for id in &ids {
        let done = world.until(id, |task| task.status.has_ended()).await;
        assert_eq!((done.status, done.run_at), (TaskStatus::Succeeded, draw_night()));
    }
    world.end().await;
}

#[tokio::test]
async fn a_kind_that_this_version_does_not_know_fails_visibly_and_blocks_nothing() {
    let app = app(&Clock::fixed(draw_night()), lanes());
    let unknown = app.data.store.write(|tx| enqueue(tx, &Wait {})).await.unwrap();
    let world = World::with(app).await;
    let failed = world.until(&unknown, |task| task.status.has_ended()).await;
    assert_eq!((failed.status, failed.error.as_deref()), (TaskStatus::Failed, Some("INTERNAL")));
    assert!(failed.message.contains("test_wait"), "{}", failed.message);
    let greet = world.enqueue(Greet { name: "다음".into() }).await;
    world.until(&greet, |task| task.status == TaskStatus::Succeeded).await;
    world.end().await;
}

const OLD_TASKS: Table<&'static str, Value> = Table::new(task::TASKS.name());
const OLD_DUE: Table<(u64, &'static str), Value> = Table::new(queue::DUE_WITHOUT_LANES.name());

/// A waiting task as it was written before there were lanes.
fn old_row(id: &str, kind: &str, payload: Value) -> Value {
    let task = json!({
        "id": id, "kind": kind, "title_ko": "옛", "title_en": "Old", "status": "queued", "progress": 0, "message": "",
        "error": null, "attempts": 0, "created_at": draw_night(), "run_at": draw_night(), "started_at": null,
        "finished_at": null,
    });
    json!({ "task": task, "payload": payload })
}

/// What waits, in the order of the queue's keys: its id, the lane it is stored with and the lane of its key.
fn waiting_places(tx: &impl ReadTransaction) -> Result<Vec<(TaskId, Lane, String)>> {
    let due = tx.entries(&queue::DUE, ("", 0, "").., Order::Ascending);
    let place = |(lane, _, id): (&str, u64, &str)| {
        Ok((id.to_owned(), tx.get(&task::TASKS, id)?.unwrap().lane, lane.to_owned()))
    };
    due.map(|entry| place(entry?.key())).collect()
}

#[tokio::test]
async fn what_waited_before_there_were_lanes_goes_on_in_the_lane_of_its_kind() {
    let root = tempfile::tempdir().unwrap();
    let clock = Clock::fixed(draw_night());
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let (old, _) = Store::open(root.path(), &options, Schema::default(), clock.clone(), Events::default()).unwrap();
    let waiting = |tx: &WriteTx| {
        for (id, kind, payload) in [
            ("render-1", "test_render", json!({})),
            ("render-2", "test_render", json!({})),
            ("greet", "test_greet", json!({ "name": "옛집" })),
            ("ask", "test_ask", json!({})),
        ] {
            tx.put(&OLD_TASKS, id, &old_row(id, kind, payload))?;
            tx.put(&OLD_DUE, (draw_night().timestamp_millis() as u64, id), &Value::Null)?;
        }
        Ok(())
    };
    old.write(waiting).await.unwrap();
    old.close().await.unwrap();
    drop(old);

    let events = Events::default();
    let schema = Schema::default().with(TABLES, MIGRATIONS, &[]);
    let (store, _) = Store::open(root.path(), &options, schema, clock.clone(), events.clone()).unwrap();
    let app = app_on(store, events, &clock, lanes());
    app.workers.jobs.recover(&app).await.unwrap();
    // No worker has begun yet: this is where each of them waits.
    let sorted = [
        ("render-1", Lane::Heavy, "heavy"),
        ("render-2", Lane::Heavy, "heavy"),
        ("ask", Lane::Outside, "outside"),
        ("greet", Lane::Quick, "quick"),
    ];
    let places = app.data.store.read(|tx| waiting_places(tx)).await.unwrap();
    assert_eq!(places, sorted.map(|(id, stored, due)| (id.to_owned(), stored, due.to_owned())));
    let world = World::on(app);
    world.until("ask", |task| task.status == TaskStatus::Succeeded).await;
    world.until("greet", |task| task.status == TaskStatus::Succeeded).await;
    world.until("render-1", |task| task.progress == 10).await;
    assert_eq!(status(&world.app, "render-2").await, TaskStatus::Queued);
    world.app.workers.jobs.cancel(&world.app.data.store, "render-2").await.unwrap();
    assert_eq!(status(&world.app, "render-2").await, TaskStatus::Cancelled);
    let app = world.end().await;
    assert_eq!(app.data.store.read(|tx| tx.count(&OLD_DUE)).await.unwrap(), 0);
}
