//! The tables of the jobs and every move of a task between its states.

use std::ops::ControlFlow;

use chrono::{DateTime, Duration, Utc};
use uuid::{NoContext, Timestamp, Uuid};

use super::effect;
use super::registry::Job;
use super::task::{Kept, Task, TaskId, TaskStatus};
use crate::events::Change;
use crate::store::{Order, Reads, Table, WriteTx};
use hanok_base::{Error, Page, Result};

/// Table: every task. Key: its id, which sorts by age. Value: the task and its payload.
const TASKS: Table<&'static str, Kept> = Table::new("tasks-1");
/// Table: what waits. Key: when it may begin (milliseconds since 1970) and its id. Value: nothing.
const DUE: Table<(u64, &'static str), ()> = Table::new("tasks_due-1");
/// Table: what runs, so that a start finds it without a search. Key: task id. Value: nothing.
const RUNNING: Table<&'static str, ()> = Table::new("tasks_running-1");
/// Table: the open task of a job of which only one may be open. Key: kind. Value: task id.
const ALONE: Table<&'static str, TaskId> = Table::new("tasks_alone-1");

/// Queues `job` in this transaction, to begin as soon as it is on disk.
pub fn enqueue<J: Job>(tx: &WriteTx, job: &J) -> Result<TaskId> {
    enqueue_at(tx, job, tx.now())
}

/// Queues `job` in this transaction, to begin at `run_at`. Of a job that runs alone, an open task is
/// given instead of a second one.
pub fn enqueue_at<J: Job>(tx: &WriteTx, job: &J, run_at: DateTime<Utc>) -> Result<TaskId> {
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
        run_at,
        started_at: None,
        finished_at: None,
    };
    let payload = serde_json::to_value(job).map_err(Error::internal)?;
    tx.put(&TASKS, id.as_str(), &Kept { task, payload })?;
    tx.put(&DUE, (millis(run_at), id.as_str()), &())?;
    if J::ALONE {
        tx.put(&ALONE, J::KIND, &id)?;
    }
    tx.announce(Change::Jobs);
    Ok(id)
}

/// The task `id`.
pub fn find(tx: &impl Reads, id: &str) -> Result<Option<Task>> {
    Ok(tx.get(&TASKS, id)?.map(|kept| kept.task))
}

/// Tasks, newest first, and how many there are.
pub fn list(tx: &impl Reads, page: Page) -> Result<(Vec<Task>, u64)> {
    let kept = tx.values(&TASKS, "".., Order::Descending, page.offset, page.limit)?;
    Ok((kept.into_iter().map(|kept| kept.task).collect(), tx.count(&TASKS)?))
}

/// How many tasks wait, and since when the first of them could have begun.
pub fn waiting(tx: &impl Reads) -> Result<(u64, Option<DateTime<Utc>>)> {
    Ok((tx.count(&DUE)?, next_due(tx)?.map(|(at, _)| at)))
}

/// Removes tasks that ended more than `days` ago. Gives how many.
pub fn prune(tx: &WriteTx, days: i64) -> Result<usize> {
    let oldest_kept = new_id(tx.now() - Duration::days(days));
    let mut old = Vec::new();
    tx.each(&TASKS, ..oldest_kept.as_str(), Order::Ascending, |id, kept| {
        if kept.decode()?.task.status.has_ended() {
            old.push(id.to_owned());
        }
        Ok(ControlFlow::Continue(()))
    })?;
    for id in &old {
        tx.remove(&TASKS, id.as_str())?;
        effect::clear(tx, id)?;
    }
    Ok(old.len())
}

/// When the next waiting task may begin, and which it is.
pub(super) fn next_due(tx: &impl Reads) -> Result<Option<(DateTime<Utc>, TaskId)>> {
    let mut next = None;
    tx.each(&DUE, (0u64, "").., Order::Ascending, |(at, id), _| {
        next = Some((at, id.to_owned()));
        Ok(ControlFlow::Break(()))
    })?;
    Ok(next.and_then(|(at, id)| Some((DateTime::from_timestamp_millis(i64::try_from(at).ok()?)?, id))))
}

/// Lets what was planned while the clock was ahead begin now: its own time may be years away. Gives how many.
pub(super) fn plan_anew(tx: &WriteTx) -> Result<usize> {
    let mut ahead = Vec::new();
    tx.each(&DUE, (millis(tx.now()) + 1, "").., Order::Ascending, |(at, id), _| {
        ahead.push((at, id.to_owned()));
        Ok(ControlFlow::Continue(()))
    })?;
    let mut planned = 0;
    for (at, id) in ahead {
        let Some(mut kept) = tx.get(&TASKS, id.as_str())? else { continue };
        if kept.task.created_at.max(kept.task.started_at.unwrap_or_default()) <= tx.now() {
            continue;
        }
        tx.remove(&DUE, (at, id.as_str()))?;
        kept.task.run_at = tx.now();
        tx.put(&DUE, (millis(tx.now()), id.as_str()), &())?;
        tx.put(&TASKS, id.as_str(), &kept)?;
        planned += 1;
    }
    Ok(planned)
}

/// Takes the next due task and marks it as running.
pub(super) fn take_due(tx: &WriteTx) -> Result<Option<Kept>> {
    let Some((at, id)) = next_due(tx)? else { return Ok(None) };
    if at > tx.now() {
        return Ok(None);
    }
    tx.remove(&DUE, (millis(at), id.as_str()))?;
    let Some(mut kept) = tx.get(&TASKS, id.as_str())? else { return Ok(None) };
    kept.task.status = TaskStatus::Running;
    kept.task.progress = 0;
    kept.task.attempts += 1;
    kept.task.started_at = Some(tx.now());
    kept.task.error = None;
    tx.put(&TASKS, id.as_str(), &kept)?;
    tx.put(&RUNNING, id.as_str(), &())?;
    tx.announce(Change::Jobs);
    Ok(Some(kept))
}

/// Notes how far a running task is.
pub(super) fn note_progress(tx: &WriteTx, id: &str, progress: u8, message: &str) -> Result<Option<Task>> {
    let Some(mut kept) = tx.get(&TASKS, id)? else { return Ok(None) };
    if kept.task.status != TaskStatus::Running {
        return Ok(None);
    }
    kept.task.progress = kept.task.progress.max(progress.min(100));
    kept.task.message = message.to_owned();
    tx.put(&TASKS, id, &kept)?;
    Ok(Some(kept.task))
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

/// Writes down how an attempt ended.
pub(super) fn end(tx: &WriteTx, id: &str, ending: Ending) -> Result<Option<Task>> {
    let Some(mut kept) = tx.get(&TASKS, id)? else { return Ok(None) };
    tx.remove(&RUNNING, id)?;
    let task = &mut kept.task;
    task.finished_at = Some(tx.now());
    match ending {
        Ending::Succeeded => {
            task.status = TaskStatus::Succeeded;
            task.progress = 100;
        }
        Ending::Cancelled => task.status = TaskStatus::Cancelled,
        Ending::Failed(error) => {
            task.status = TaskStatus::Failed;
            task.error = Some(error.kind.code().to_owned());
            task.message = error.message;
        }
        Ending::Again(error, run_at) => {
            task.status = TaskStatus::Queued;
            task.error = Some(error.kind.code().to_owned());
            task.message = error.message;
            task.run_at = run_at;
            task.finished_at = None;
            tx.put(&DUE, (millis(run_at), id), &())?;
        }
    }
    if task.status.has_ended() {
        release(tx, task)?;
    }
    let task = task.clone();
    tx.put(&TASKS, id, &kept)?;
    tx.announce(Change::Jobs);
    Ok(Some(task))
}

/// Cancels a task that waits. False when it runs.
pub(super) fn cancel_queued(tx: &WriteTx, id: &str) -> Result<bool> {
    let mut kept = tx.get(&TASKS, id)?.ok_or_else(|| Error::not_found("task"))?;
    if kept.task.status != TaskStatus::Queued {
        return Ok(false);
    }
    tx.remove(&DUE, (millis(kept.task.run_at), id))?;
    kept.task.status = TaskStatus::Cancelled;
    kept.task.finished_at = Some(tx.now());
    release(tx, &kept.task)?;
    tx.put(&TASKS, id, &kept)?;
    tx.announce(Change::Jobs);
    Ok(true)
}

/// Queues a failed or cancelled task again; `alone` when only one of its kind may be open.
pub(super) fn retry(tx: &WriteTx, id: &str, alone: impl Fn(&str) -> bool) -> Result<()> {
    let mut kept = tx.get(&TASKS, id)?.ok_or_else(|| Error::not_found("task"))?;
    if !matches!(kept.task.status, TaskStatus::Failed | TaskStatus::Cancelled) {
        return Err(Error::conflict("only a failed or cancelled task can be tried again"));
    }
    if alone(&kept.task.kind) {
        if tx.contains(&ALONE, kept.task.kind.as_str())? {
            return Err(Error::conflict("another task of this kind is open already"));
        }
        tx.put(&ALONE, kept.task.kind.as_str(), &kept.task.id)?;
    }
    effect::decide(tx, id)?;
    kept.task.status = TaskStatus::Queued;
    kept.task.error = None;
    kept.task.message = String::new();
    kept.task.progress = 0;
    kept.task.finished_at = None;
    kept.task.run_at = tx.now();
    tx.put(&DUE, (millis(tx.now()), id), &())?;
    tx.put(&TASKS, id, &kept)?;
    tx.announce(Change::Jobs);
    Ok(())
}

/// What ran when the process ended: asked again when `resumes` says so, failed as `INTERRUPTED` otherwise.
/// Gives how many of each.
pub(super) fn recover(tx: &WriteTx, resumes: impl Fn(&str) -> bool) -> Result<(usize, usize)> {
    plan_anew(tx)?;
    let mut interrupted = Vec::new();
    tx.each(&RUNNING, "".., Order::Ascending, |id, _| {
        interrupted.push(id.to_owned());
        Ok(ControlFlow::Continue(()))
    })?;
    let (mut resumed, mut failed) = (0, 0);
    for id in interrupted {
        tx.remove(&RUNNING, id.as_str())?;
        let Some(mut kept) = tx.get(&TASKS, id.as_str())? else { continue };
        if resumes(&kept.task.kind) {
            kept.task.status = TaskStatus::Queued;
            kept.task.run_at = tx.now();
            tx.put(&DUE, (millis(tx.now()), id.as_str()), &())?;
            resumed += 1;
        } else {
            kept.task.status = TaskStatus::Failed;
            kept.task.error = Some("INTERRUPTED".to_owned());
            kept.task.message = "the appliance stopped while this was running".to_owned();
            kept.task.finished_at = Some(tx.now());
            release(tx, &kept.task)?;
            failed += 1;
        }
        tx.put(&TASKS, id.as_str(), &kept)?;
    }
    Ok((resumed, failed))
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

fn millis(at: DateTime<Utc>) -> u64 {
    u64::try_from(at.timestamp_millis()).unwrap_or(0)
}
