//! Tasks that another version has left, or a fault of the disk: what cannot be read keeps nothing else from being done.

use serde_json::{Value, json};

use super::super::task::{RUNNING, TASKS, UNIQUE};
use super::*;
use crate::store::{ReadTransaction, Table};
use hanok_base::day;

const ROWS: Table<&'static str, Value> = Table::new(TASKS.name());
const NOT_RUNNING: Table<&'static str, String> = Table::new(RUNNING.name());

/// A row of the task `id` with this lane and this status.
fn row(id: &str, kind: &str, lane: &str, status: &str) -> Value {
    let task = json!({
        "id": id, "kind": kind, "title_ko": "남", "title_en": "Other", "status": status, "progress": 0, "message": "",
        "error": null, "attempts": 1, "created_at": draw_night(), "run_at": draw_night(), "started_at": draw_night(),
        "finished_at": null,
    });
    json!({ "task": task, "lane": lane, "payload": { "name": "남" } })
}

async fn world_with(rows: impl Fn(&WriteTx) -> Result<()> + Send + 'static) -> (App, Recovered) {
    let app = app(&Clock::fixed(draw_night()), handle(vec![]));
    app.data.store.write(rows).await.unwrap();
    let recovered = app.workers.jobs.recover(&app).await.unwrap();
    (app, recovered)
}

async fn listed(app: &App) -> (Vec<TaskId>, u64) {
    let (tasks, total) = app.data.store.read(|tx| list(tx, Page { limit: 20, offset: 0 })).await.unwrap();
    (tasks.into_iter().map(|task| task.id).collect(), total)
}

#[tokio::test]
async fn a_task_of_a_lane_that_is_not_known_goes_on_in_that_of_its_kind() {
    let (app, recovered) = world_with(|tx| {
        let at = day::millis(draw_night());
        for (id, kind, status) in
            [("ended", "test_greet", "succeeded"), ("running", "test_greet", "running"), ("other", "test_x", "queued")]
        {
            tx.put(&ROWS, id, &row(id, kind, "render", status))?;
        }
        tx.put(&RUNNING, "running", &())?;
        tx.put(&queue::DUE, ("render", at, "other"), &())
    })
    .await;
    assert_eq!(recovered.interrupted().as_deref(), Some("1 interrupted jobs go on, 0 are failed as interrupted"));
    assert_eq!((recovered.laid_aside(), listed(&app).await.1), (None, 3));
    let world = World::on(app);
    let done = world.until("running", |task| task.status.has_ended()).await;
    assert_eq!((done.status, done.message.as_str()), (TaskStatus::Succeeded, "hello 남"));
    let unknown = world.until("other", |task| task.status.has_ended()).await;
    assert!(unknown.message.contains("test_x"), "{}", unknown.message);
    world.end().await;
}

#[tokio::test]
async fn a_task_of_a_status_that_is_not_known_is_laid_aside_and_kept_for_the_version_that_knows_it() {
    let (app, recovered) = world_with(|tx| {
        let at = day::millis(draw_night());
        for id in ["ended", "running", "waiting"] {
            tx.put(&ROWS, id, &row(id, "test_wait", "quick", "paused"))?;
        }
        tx.put(&RUNNING, "running", &())?;
        tx.put(&UNIQUE, "test_wait", &"running".to_owned())?;
        tx.put(&queue::DUE, ("quick", at, "waiting"), &())?;
        enqueue(tx, &Greet { name: "민지".into() }).map(drop)
    })
    .await;
    assert_eq!(recovered.interrupted(), None);
    assert_eq!(recovered.laid_aside().as_deref(), Some("open tasks that this version cannot read are laid aside: 2"));
    assert_eq!(
        app.data.store.read(|tx| queue::waiting(tx)).await.unwrap().0,
        1,
        "what is laid aside waits for no worker"
    );
    let (tasks, total) = listed(&app).await;
    assert_eq!((tasks.len(), total), (1, 4));
    // It keeps neither the runner nor its kind from going on, and can be asked for nothing.
    let world = World::on(app);
    world.until(&tasks[0], |task| task.status == TaskStatus::Succeeded).await;
    let next = world.enqueue(Wait {}).await;
    world.until(&next, |task| task.progress == 10).await;
    for id in ["ended", "running", "waiting"] {
        let jobs = world.app.workers.jobs.clone();
        let cancelled = jobs.cancel(&world.app.data.store, id).await;
        let retried = world.app.data.store.write(move |tx| jobs.retry(tx, id)).await;
        for refused in [cancelled, retried] {
            assert_eq!(refused.unwrap_err().kind, Kind::NotFound, "{id}");
        }
    }
    let app = world.end().await;
    let kept = app.data.store.read(|tx| Ok((tx.get(&ROWS, "running")?, tx.contains(&RUNNING, "running")?)));
    let (kept, is_running) = kept.await.unwrap();
    assert_eq!((kept.unwrap()["task"]["status"].clone(), is_running), (json!("paused"), true));
    // The version that knows the status finds what waited in its queue again.
    app.data
        .store
        .write(|tx| tx.put(&ROWS, "waiting", &row("waiting", "test_greet", "quick", "queued")))
        .await
        .unwrap();
    app.workers.jobs.recover(&app).await.unwrap();
    let world = World::on(app);
    world.until("waiting", |task| task.status == TaskStatus::Succeeded).await;
    world.end().await;
}

#[tokio::test]
async fn what_is_noted_of_a_running_task_in_no_way_that_can_be_read_keeps_it_from_nothing() {
    let (app, recovered) = world_with(|tx| {
        tx.put(&ROWS, "running", &row("running", "test_greet", "quick", "running"))?;
        tx.put(&NOT_RUNNING, "running", &"rot".to_owned())?;
        tx.put(&NOT_RUNNING, "nobody", &"rot".to_owned())
    })
    .await;
    assert!(recovered.interrupted().is_some() && recovered.laid_aside().is_none(), "{recovered:?}");
    assert_eq!(app.data.store.read(|tx| tx.count(&RUNNING)).await.unwrap(), 0);
}

#[tokio::test]
async fn what_cannot_be_read_is_cleared_away_when_it_is_as_old_as_what_has_ended() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, handle(vec![]));
    let ids = app.data.store.write(|tx| {
        let running = enqueue(tx, &Greet { name: "옛".into() })?;
        take_next(tx)?;
        let waiting = enqueue(tx, &Greet { name: "옛".into() })?;
        for id in [&running, &waiting] {
            tx.put(&ROWS, id.as_str(), &json!("rot"))?;
        }
        Ok([running, waiting])
    });
    let [running, waiting] = ids.await.unwrap();
    app.workers.jobs.recover(&app).await.unwrap();
    for (days, left) in [(29, true), (31, false)] {
        clock.set(draw_night() + Duration::days(days));
        app.data.store.write(|tx| store::prune(tx, 30, &Registry::new())).await.unwrap();
        let (running, waiting) = (running.clone(), waiting.clone());
        let kept = app.data.store.read(move |tx| {
            let rows = [tx.contains(&TASKS, &*running)?, tx.contains(&TASKS, &*waiting)?];
            Ok((rows, tx.contains(&RUNNING, &*running)?, tx.count(&queue::DUE)?))
        });
        assert_eq!(kept.await.unwrap(), ([left; 2], left, u64::from(left)), "after {days} days");
    }
}
