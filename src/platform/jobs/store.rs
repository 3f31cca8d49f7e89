//! Every move of a task between its states.

use chrono::{DateTime, Duration, Utc};
use uuid::{NoContext, Timestamp, Uuid};

use super::lane::Lane;
use super::queue;
use super::registry::{Job, Registry};
use super::task::{ALONE, RUNNING, StoredTask, TASKS, Task, TaskId, TaskStatus};
use crate::events::Change;
use crate::store::{Order, Reads, WriteTx};
use hanok_base::{Error, Page, Result};

/// Queues `job` in this transaction, to begin as soon as it is on disk. Of a job that runs alone, an open task is
/// given instead of a second one.
pub fn enqueue<J: Job>(tx: &WriteTx, job: &J) -> Result<TaskId> {
    if J::ALONE
        && let Some(open) = tx.get(&ALONE, J::KIND)?
    {
        return Ok(open);
    }
    let id = new_id(tx.now());
    let task = Task {
        id: id.clone(),
        kind: J::KIND.to_owned(),
        title_ko: J::TITLE.0.to_owned(),
        title_en: J::TITLE.1.to_owned(),
        status: TaskStatus::Queued,
        progress: 0,
        message: String::new(),
        error: None,
        attempts: 0,
        created_at: tx.now(),
        run_at: tx.now(),
        started_at: None,
        finished_at: None,
    };
    let payload = serde_json::to_value(job).map_err(Error::internal)?;
    queue::wait(tx, &StoredTask { task, lane: J::LANE, payload })?;
    if J::ALONE {
        tx.put(&ALONE, J::KIND, &id)?;
    }
    tx.announce(Change::JOBS);
    Ok(id)
}

/// The task `id`.
pub fn find(tx: &impl Reads, id: &str) -> Result<Option<Task>> {
    Ok(tx.get(&TASKS, id)?.map(|stored| stored.task))
}

/// Tasks, newest first, and how many there are.
pub fn list(tx: &impl Reads, page: Page) -> Result<(Vec<Task>, u64)> {
    let stored = tx.values(&TASKS, "".., Order::Descending, page.offset, page.limit)?;
    Ok((stored.into_iter().map(|stored| stored.task).collect(), tx.count(&TASKS)?))
}

/// Removes tasks that ended more than `days` ago. Gives how many.
pub fn prune(tx: &WriteTx, days: i64) -> Result<usize> {
    let oldest_kept = new_id(tx.now() - Duration::days(days));
    let mut removed = 0;
    for entry in tx.entries(&TASKS, ..oldest_kept.as_str(), Order::Ascending) {
        let entry = entry?;
        if entry.value()?.task.status.has_ended() {
            tx.remove(&TASKS, entry.key())?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Takes the task `id`, which is due in `lane` since `at`, and marks it as running. None when it does not wait any more.
pub(super) fn take(tx: &WriteTx, lane: Lane, at: DateTime<Utc>, id: &str) -> Result<Option<StoredTask>> {
    queue::leave(tx, lane, at, id)?;
    let Some(mut stored) = tx.get(&TASKS, id)?.filter(|stored| stored.task.status == TaskStatus::Queued) else {
        return Ok(None);
    };
    stored.task.status = TaskStatus::Running;
    stored.task.progress = 0;
    stored.task.attempts += 1;
    stored.task.started_at = Some(tx.now());
    stored.task.error = None;
    tx.put(&TASKS, id, &stored)?;
    tx.put(&RUNNING, id, &())?;
    tx.announce(Change::JOBS);
    Ok(Some(stored))
}

/// How an attempt ended.
#[derive(Clone)]
pub(super) enum Ending {
    Succeeded,
    Failed(Error),
    Cancelled,
    /// To be tried again at this instant.
    Again(Error, DateTime<Utc>),
}

/// Writes down how an attempt ended. None when the task does not run any more: a restore has put another state in place.
pub(super) fn end(tx: &WriteTx, id: &str, ending: Ending) -> Result<Option<Task>> {
    let Some(mut stored) = tx.get(&TASKS, id)?.filter(|stored| stored.task.status == TaskStatus::Running) else {
        return Ok(None);
    };
    tx.remove(&RUNNING, id)?;
    let task = &mut stored.task;
    task.finished_at = Some(tx.now());
    match ending {
        Ending::Succeeded => {
            task.status = TaskStatus::Succeeded;
            task.progress = 100;
        }
        Ending::Cancelled => task.status = TaskStatus::Cancelled,
        Ending::Failed(error) => {
            task.status = TaskStatus::Failed;
            task.error = Some(error.code().to_owned());
            task.say(&error.message);
        }
        Ending::Again(error, run_at) => {
            task.status = TaskStatus::Queued;
            task.error = Some(error.code().to_owned());
            task.say(&error.message);
            task.run_at = run_at;
            task.finished_at = None;
            queue::wait(tx, &stored)?;
        }
    }
    if stored.task.status.has_ended() {
        release(tx, &stored.task)?;
        tx.put(&TASKS, id, &stored)?;
    }
    tx.announce(Change::JOBS);
    Ok(Some(stored.task))
}

/// Cancels a task that waits.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` when it does not wait.
pub(super) fn cancel_queued(tx: &WriteTx, id: &str) -> Result<()> {
    let mut stored = tx.get(&TASKS, id)?.ok_or_else(|| Error::not_found("task"))?;
    if stored.task.status != TaskStatus::Queued {
        return Err(Error::conflict("the task has ended already"));
    }
    queue::leave(tx, stored.lane, stored.task.run_at, id)?;
    stored.task.status = TaskStatus::Cancelled;
    stored.task.finished_at = Some(tx.now());
    release(tx, &stored.task)?;
    tx.put(&TASKS, id, &stored)?;
    tx.announce(Change::JOBS);
    Ok(())
}

/// Cancels a task if it waits.
pub(super) fn end_queued(tx: &WriteTx, id: &str) -> Result<()> {
    let waits = tx.get(&TASKS, id)?.is_some_and(|stored| stored.task.status == TaskStatus::Queued);
    if waits { cancel_queued(tx, id) } else { Ok(()) }
}

/// Queues a failed or cancelled task again.
pub(super) fn retry(tx: &WriteTx, id: &str, registry: &Registry) -> Result<()> {
    let mut stored = tx.get(&TASKS, id)?.ok_or_else(|| Error::not_found("task"))?;
    if !matches!(stored.task.status, TaskStatus::Failed | TaskStatus::Cancelled) {
        return Err(Error::conflict("only a failed or cancelled task can be tried again"));
    }
    let entry = registry.get(&stored.task.kind);
    if entry.is_some_and(|entry| entry.alone) {
        if tx.contains(&ALONE, stored.task.kind.as_str())? {
            return Err(Error::conflict("another task of this kind is open already"));
        }
        tx.put(&ALONE, stored.task.kind.as_str(), &stored.task.id)?;
    }
    stored.lane = entry.map_or(stored.lane, |entry| entry.lane);
    stored.task.status = TaskStatus::Queued;
    stored.task.error = None;
    stored.task.say("");
    stored.task.progress = 0;
    stored.task.finished_at = None;
    stored.task.run_at = tx.now();
    queue::wait(tx, &stored)?;
    tx.announce(Change::JOBS);
    Ok(())
}

/// What is said to run and is not `claimed` ran when the process ended: it is asked again when its kind resumes, and
/// failed as `INTERRUPTED` otherwise. Gives how many of each.
pub(super) fn recover(tx: &WriteTx, registry: &Registry, claimed: impl Fn(&str) -> bool) -> Result<(usize, usize)> {
    queue::sort_into_lanes(tx, registry)?;
    queue::plan_anew(tx)?;
    let (mut resumed, mut failed) = (0, 0);
    for entry in tx.entries(&RUNNING, "".., Order::Ascending) {
        let entry = entry?;
        let id = entry.key();
        if claimed(id) {
            continue;
        }
        tx.remove(&RUNNING, id)?;
        let Some(mut stored) = tx.get(&TASKS, id)? else { continue };
        if let Some(entry) = registry.get(&stored.task.kind).filter(|entry| entry.resume) {
            stored.lane = entry.lane;
            stored.task.status = TaskStatus::Queued;
            stored.task.run_at = tx.now();
            queue::wait(tx, &stored)?;
            resumed += 1;
        } else {
            stored.task.status = TaskStatus::Failed;
            stored.task.error = Some("INTERRUPTED".to_owned());
            stored.task.say("the appliance stopped while this was running");
            stored.task.finished_at = Some(tx.now());
            release(tx, &stored.task)?;
            tx.put(&TASKS, id, &stored)?;
            failed += 1;
        }
    }
    Ok((resumed, failed))
}

/// The moves of tasks are housekeeping: what the jobs themselves write is what a snapshot is made for.
pub(super) fn quietly<T>(write: impl FnOnce(&WriteTx) -> Result<T>) -> impl FnOnce(&WriteTx) -> Result<T> {
    |tx| {
        tx.quiet();
        write(tx)
    }
}

fn release(tx: &WriteTx, task: &Task) -> Result<()> {
    if tx.get(&ALONE, task.kind.as_str())?.as_ref() == Some(&task.id) {
        tx.remove(&ALONE, task.kind.as_str())?;
    }
    Ok(())
}

fn new_id(at: DateTime<Utc>) -> TaskId {
    let seconds = u64::try_from(at.timestamp()).unwrap_or(0);
    Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, at.timestamp_subsec_nanos())).to_string()
}
