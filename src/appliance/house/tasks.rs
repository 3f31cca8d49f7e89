//! The routes of jobs and the schedule: list, cancel, try again, run now.

use std::path::Path;

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use hanok_base::schema::ToSchema;
use hanok_base::{Page, Result, command};
use hanok_platform::app::App;
use hanok_platform::http::{
    Accepted, Done, HandlerResult, Household, IdempotencyKey, Json, Key, Paging, Query, TaskBegun, tx_op,
};
use hanok_platform::jobs::{self, ScheduleState, Task};

/// Tasks and the schedule.
#[derive(Debug, Serialize, ToSchema)]
pub struct Tasks {
    /// Newest first.
    pub jobs: Vec<Task>,
    /// How many there are.
    pub total: u64,
    /// Of all that jobs are for, the one that ended last by itself, where it failed, on every page: what another kind has
    /// mended since, or somebody asked for once, is not here. What failed for one draw is, until that is done.
    pub failing: Vec<Task>,
    /// What begins by itself.
    pub schedule: Vec<ScheduleState>,
}

/// Tasks, newest first, and the schedule.
#[endpoint(operation_id = "jobs_list", tags("system"))]
pub async fn list(app: App, _caller: Household, paging: Query<Paging<50>>) -> HandlerResult<Json<Tasks>> {
    Ok(Json(read(&app, paging.0.page()?).await?))
}

/// Reads a page of the tasks, and the schedule.
pub async fn read(app: &App, page: Page) -> Result<Tasks> {
    let (handle, place) = (app.workers.jobs.clone(), app.config.data.dir.clone());
    let read = app.data.store.read(move |tx| {
        let (jobs, total) = jobs::list(tx, page)?;
        let all_placed = |tasks: Vec<Task>| tasks.into_iter().map(|task| placed(task, &place)).collect();
        let (jobs, failing) = (all_placed(jobs), all_placed(handle.failing(tx)?));
        Ok(Tasks { jobs, total, failing, schedule: handle.schedule(tx)? })
    });
    read.await
}

/// With the data folder at `place` named in each command that a task offers: one that has failed may say what helps.
pub fn placed(task: Task, place: &Path) -> Task {
    let (message, localized) = command::placed_said(place, task.message, task.localized);
    Task { message, localized, ..task }
}

/// Calls a task off. An `Idempotency-Key` is passed over: a running task must stop also where no room is left to keep an
/// answer, and one that has ended already stays as it is.
#[endpoint(operation_id = "jobs_cancel", tags("system"))]
pub async fn cancel(app: App, _caller: Household, id: Key) -> HandlerResult<Done> {
    app.workers.jobs.cancel(&app.data.store, &id.0).await?;
    Ok(Done::default())
}

/// Tries a failed or cancelled task again.
#[endpoint(operation_id = "jobs_retry", tags("system"))]
pub async fn retry(app: App, caller: Household, key: IdempotencyKey, id: Key) -> HandlerResult<Done> {
    let jobs = app.workers.jobs.clone();
    let write = tx_op(move |tx| jobs.retry(tx, &id.0).map(|()| Done::default()));
    Ok(key.once(&app, &caller, write).await?)
}

/// Runs an entry of the schedule now.
#[endpoint(operation_id = "schedule_run", tags("system"))]
pub async fn run_now(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    name: Key,
) -> HandlerResult<Accepted<TaskBegun>> {
    let jobs = app.workers.jobs.clone();
    let write = tx_op(move |tx| Ok(TaskBegun { task_id: jobs.run_now(tx, &name.0)? }));
    Ok(Accepted(key.once(&app, &caller, write).await?))
}
