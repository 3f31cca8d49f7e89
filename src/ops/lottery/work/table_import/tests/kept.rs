//! What is kept of a table that was stopped, and for how long.

use chrono::Duration;
use hanok_platform::jobs::{self, Registry};

use super::*;

const TEXT: &str = "draw_no,count\n1240,1\n1240,2\n";

/// A house in which nothing runs by itself, with its clock.
fn open() -> (App, Clock) {
    let clock = Clock::fixed(testing::draw_night());
    let jobs = Jobs::new(Registry::new().with::<ImportTable>(), Vec::new());
    (testing::app(&clock, jobs), clock)
}

/// Begins to write [`TEXT`] down. Gives its task.
async fn begun(app: &App) -> TaskId {
    app.data.store.write(|tx| begin(tx, &TEXT.to_owned(), 2, Some(OfRepeated::Add))).await.unwrap()
}

async fn text(app: &App) -> Option<String> {
    app.data.store.read(|tx| imports::text(tx)).await.unwrap()
}

async fn prune(app: &App) {
    let jobs = app.workers.jobs.clone();
    app.data.store.write(move |tx| jobs.prune(tx, 30)).await.unwrap();
}

#[tokio::test]
async fn the_text_of_a_table_that_was_stopped_is_kept_as_long_as_its_task_and_no_longer() {
    let (app, clock) = open();
    let task = begun(&app).await;
    app.workers.jobs.cancel(&app.data.store, &task).await.unwrap();
    for (days, kept) in [(29, Some(TEXT)), (31, None)] {
        clock.set(testing::draw_night() + Duration::days(days));
        prune(&app).await;
        assert_eq!(text(&app).await.as_deref(), kept, "after {days} days");
        let task = task.clone();
        let is_there = app.data.store.read(move |tx| jobs::find(tx, &task)).await.unwrap().is_some();
        assert_eq!(is_there, kept.is_some(), "after {days} days");
    }
}

#[tokio::test]
async fn the_text_of_a_table_that_still_waits_or_is_tried_again_is_kept_whatever_its_age() {
    let (app, clock) = open();
    let task = begun(&app).await;
    clock.set(testing::draw_night() + Duration::days(31));
    prune(&app).await;
    assert_eq!(text(&app).await.as_deref(), Some(TEXT), "it waits");
    app.workers.jobs.cancel(&app.data.store, &task).await.unwrap();
    let (jobs, again) = (app.workers.jobs.clone(), task.clone());
    app.data.store.write(move |tx| jobs.retry(tx, &again)).await.unwrap();
    prune(&app).await;
    assert_eq!(text(&app).await.as_deref(), Some(TEXT), "it is tried again");
}

#[tokio::test]
async fn a_table_whose_task_was_called_off_is_not_written_on_by_an_attempt_that_is_still_under_way() {
    let (app, _clock) = open();
    let task = begun(&app).await;
    // As a runner has it that has taken the task.
    let id = app.data.store.read(|tx| imports::newest(tx)).await.unwrap().unwrap().id;
    app.workers.jobs.cancel(&app.data.store, &task).await.unwrap();
    assert!(write_down(&app, id, 1).await.is_err());
    assert_eq!(app.data.store.read(|tx| purchases::all(tx)).await.unwrap(), []);
}
