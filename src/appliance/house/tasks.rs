//! The routes of jobs and the schedule: list, cancel, try again, run now.

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;
use hanok_base::{Page, Result};
use hanok_platform::app::App;
use hanok_platform::http::{Accepted, Answer, Done, Household, IdempotencyKey, Json, Key, Query, TaskBegun, to_write};
use hanok_platform::jobs::{self, ScheduleState, Task};

/// Which part of the list.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Part {
    /// How many, at most 500; left out it is 50.
    #[salvo(parameter(minimum = 1, maximum = 500))]
    pub limit: Option<u64>,
    /// How many to pass over first.
    #[salvo(parameter(maximum = 4294967295_f64))]
    pub offset: Option<u64>,
}

/// Tasks and the schedule.
#[derive(Debug, Serialize, ToSchema)]
pub struct Tasks {
    /// Newest first.
    pub jobs: Vec<Task>,
    /// How many there are.
    pub total: u64,
    /// What begins by itself.
    pub schedule: Vec<ScheduleState>,
}

/// Tasks, newest first, and the schedule.
#[endpoint(operation_id = "jobs_list", tags("system"))]
pub async fn list(app: App, _caller: Household, part: Query<Part>) -> Answer<Json<Tasks>> {
    Ok(Json(read(&app, Page::parse(part.0.limit, part.0.offset, 50)?).await?))
}

/// Reads a page of the tasks, and the schedule.
pub async fn read(app: &App, page: Page) -> Result<Tasks> {
    let handle = app.workers.jobs.clone();
    let read = app.data.store.read(move |tx| {
        let (jobs, total) = jobs::list(tx, page)?;
        Ok(Tasks { jobs, total, schedule: handle.schedule(tx)? })
    });
    read.await
}

/// Calls a task off.
#[endpoint(operation_id = "jobs_cancel", tags("system"))]
pub async fn cancel(app: App, _caller: Household, id: Key) -> Answer<Done> {
    app.workers.jobs.cancel(&app.data.store, &id.0).await?;
    Ok(Done::default())
}

/// Tries a failed or cancelled task again.
#[endpoint(operation_id = "jobs_retry", tags("system"))]
pub async fn retry(app: App, _caller: Household, id: Key) -> Answer<Done> {
    app.workers.jobs.retry(&app.data.store, &id.0).await?;
    Ok(Done::default())
}

/// Runs an entry of the schedule now.
#[endpoint(operation_id = "schedule_run", tags("system"))]
pub async fn run_now(app: App, caller: Household, key: IdempotencyKey, name: Key) -> Answer<Accepted<TaskBegun>> {
    let jobs = app.workers.jobs.clone();
    let write = to_write(move |tx| Ok(TaskBegun { task_id: jobs.run_now(tx, &name.0)? }));
    Ok(Accepted(key.once(&app, &caller, write).await?))
}
