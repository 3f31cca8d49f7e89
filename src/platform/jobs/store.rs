//! The tables of the jobs and every move of a task between its states.

use chrono::{DateTime, Duration, Utc};
use uuid::{NoContext, Timestamp, Uuid};

use super::lane::Lane;
use super::registry::{Job, Registry};
use super::schedule::LAST_RUNS;
use super::task::{StoredTask, Task, TaskId, TaskStatus};
use crate::events::Change;
use crate::store::{Declared, Migration, Order, Reads, Table, WriteTx};
use hanok_base::{Error, Page, Result};

/// Table: every task. Key: its id, which sorts by age. Value: the task and its payload.
const TASKS: Table<&'static str, StoredTask> = Table::new("tasks-1");
/// Table: what waits. Key: its lane, when it may begin (milliseconds since 1970) and its id. Value: nothing.
const DUE: Table<(&'static str, u64, &'static str), ()> = Table::new("tasks_due-2");
/// Table: what waited before there were lanes. Key: when it may begin and its id. Value: nothing.
const DUE_WITHOUT_LANES: Table<(u64, &'static str), ()> = Table::new("tasks_due-1");
/// Table: what runs, so that a start finds it without a search. Key: task id. Value: nothing.
const RUNNING: Table<&'static str, ()> = Table::new("tasks_running-1");
/// Table: the open task of a job of which only one may be open. Key: kind. Value: task id.
const ALONE: Table<&'static str, TaskId> = Table::new("tasks_alone-1");

/// Every table of the jobs.
pub const TABLES: &[&dyn Declared] = &[&TASKS, &DUE, &RUNNING, &ALONE, &LAST_RUNS];

/// The steps from stores of earlier versions.
pub const MIGRATIONS: &[Migration] = &[QUEUE_BY_LANE];

/// What waits, waits in its lane. Which lane a kind belongs to is the registry's to say: until [`recover`] asks it, all
/// wait in the first one.
const QUEUE_BY_LANE: Migration = Migration {
    to: 2,
    name: "jobs: give each lane a queue of its own",
    needed: |tx| Ok(tx.count(&DUE_WITHOUT_LANES)? > 0),
    apply: |tx| {
        for entry in tx.entries(&DUE_WITHOUT_LANES, (0u64, "").., Order::Ascending) {
            let entry = entry?;
            let (at, id) = entry.key();
            tx.put(&DUE, (Lane::default().name(), at, id), &())?;
        }
        tx.clear(&DUE_WITHOUT_LANES)
    },
};

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
    wait(tx, &StoredTask { task, lane: J::LANE, payload })?;
    if J::ALONE {
        tx.put(&ALONE, J::KIND, &id)?;
    }
    tx.announce(Change::Jobs);
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

/// How many tasks wait, and since when the first of them could have begun.
pub fn waiting(tx: &impl Reads) -> Result<(u64, Option<DateTime<Utc>>)> {
    let mut oldest = None;
    for lane in Lane::ALL {
        oldest = next_due(tx, lane)?.map(|(at, _)| at).into_iter().chain(oldest).min();
    }
    Ok((tx.count(&DUE)?, oldest))
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

/// When the next task that waits in `lane` may begin, and which it is.
pub(super) fn next_due(tx: &impl Reads, lane: Lane) -> Result<Option<(DateTime<Utc>, TaskId)>> {
    let next = tx.first(&DUE, (lane.name(), 0, "")..(lane.name(), u64::MAX, ""), Order::Ascending)?;
    Ok(next.and_then(|next| {
        let (_, at, id) = next.key();
        Some((DateTime::from_timestamp_millis(i64::try_from(at).ok()?)?, id.to_owned()))
    }))
}

/// What waits in `lane` from `from` on, in order.
fn waiting_in(tx: &impl Reads, lane: Lane, from: u64) -> Result<Vec<(u64, TaskId)>> {
    let waiting = tx.entries(&DUE, (lane.name(), from, "")..(lane.name(), u64::MAX, ""), Order::Ascending);
    let place = |(_, at, id): (&str, u64, &str)| (at, id.to_owned());
    waiting.map(|entry| entry.map(|entry| place(entry.key()))).collect()
}

/// Lets what was planned while the clock was ahead begin now: its own time may be years away. Gives how many.
pub(super) fn plan_anew(tx: &WriteTx) -> Result<usize> {
    let mut planned = 0;
    for lane in Lane::ALL {
        for (at, id) in waiting_in(tx, lane, millis(tx.now()) + 1)? {
            let Some(mut stored) = tx.get(&TASKS, id.as_str())? else { continue };
            if stored.task.created_at.max(stored.task.started_at.unwrap_or_default()) <= tx.now() {
                continue;
            }
            tx.remove(&DUE, (lane.name(), at, id.as_str()))?;
            stored.task.run_at = tx.now();
            wait(tx, &stored)?;
            planned += 1;
        }
    }
    Ok(planned)
}

/// Lets what waits in another lane than its kind has now wait in that one: it was queued by another version.
fn sort_into_lanes(tx: &WriteTx, registry: &Registry) -> Result<()> {
    for lane in Lane::ALL {
        for (at, id) in waiting_in(tx, lane, 0)? {
            let Some(mut stored) = tx.get(&TASKS, id.as_str())? else { continue };
            let Some(entry) = registry.get(&stored.task.kind).filter(|entry| entry.lane != lane) else { continue };
            tx.remove(&DUE, (lane.name(), at, id.as_str()))?;
            stored.lane = entry.lane;
            wait(tx, &stored)?;
        }
    }
    Ok(())
}

/// Puts a task into the queue of its lane.
fn wait(tx: &WriteTx, stored: &StoredTask) -> Result<()> {
    let Task { id, run_at, .. } = &stored.task;
    tx.put(&DUE, (stored.lane.name(), millis(*run_at), id.as_str()), &())?;
    tx.put(&TASKS, id.as_str(), stored)
}

/// Takes the task `id`, which is due in `lane` since `at`, and marks it as running. None when it does not wait any more.
pub(super) fn take(tx: &WriteTx, lane: Lane, at: DateTime<Utc>, id: &str) -> Result<Option<StoredTask>> {
    tx.remove(&DUE, (lane.name(), millis(at), id))?;
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
    tx.announce(Change::Jobs);
    Ok(Some(stored))
}

/// Notes how far a running task is.
pub(super) fn note_progress(tx: &WriteTx, id: &str, progress: u8, message: &str) -> Result<Option<Task>> {
    let Some(mut stored) = tx.get(&TASKS, id)? else { return Ok(None) };
    if stored.task.status != TaskStatus::Running {
        return Ok(None);
    }
    stored.task.progress = stored.task.progress.max(progress.min(100));
    stored.task.message = message.to_owned();
    tx.put(&TASKS, id, &stored)?;
    Ok(Some(stored.task))
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
            task.error = Some(error.kind.code().to_owned());
            task.message = error.message;
        }
        Ending::Again(error, run_at) => {
            task.status = TaskStatus::Queued;
            task.error = Some(error.kind.code().to_owned());
            task.message = error.message;
            task.run_at = run_at;
            task.finished_at = None;
            wait(tx, &stored)?;
        }
    }
    if stored.task.status.has_ended() {
        release(tx, &stored.task)?;
        tx.put(&TASKS, id, &stored)?;
    }
    tx.announce(Change::Jobs);
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
    tx.remove(&DUE, (stored.lane.name(), millis(stored.task.run_at), id))?;
    stored.task.status = TaskStatus::Cancelled;
    stored.task.finished_at = Some(tx.now());
    release(tx, &stored.task)?;
    tx.put(&TASKS, id, &stored)?;
    tx.announce(Change::Jobs);
    Ok(())
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
    stored.task.message = String::new();
    stored.task.progress = 0;
    stored.task.finished_at = None;
    stored.task.run_at = tx.now();
    wait(tx, &stored)?;
    tx.announce(Change::Jobs);
    Ok(())
}

/// What is said to run and is not `claimed` ran when the process ended: it is asked again when its kind resumes, and
/// failed as `INTERRUPTED` otherwise. Gives how many of each.
pub(super) fn recover(tx: &WriteTx, registry: &Registry, claimed: impl Fn(&str) -> bool) -> Result<(usize, usize)> {
    sort_into_lanes(tx, registry)?;
    plan_anew(tx)?;
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
            wait(tx, &stored)?;
            resumed += 1;
        } else {
            stored.task.status = TaskStatus::Failed;
            stored.task.error = Some("INTERRUPTED".to_owned());
            stored.task.message = "the appliance stopped while this was running".to_owned();
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

fn millis(at: DateTime<Utc>) -> u64 {
    u64::try_from(at.timestamp_millis()).unwrap_or(0)
}
