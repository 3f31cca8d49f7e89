//! Every move of a task between its states.

use chrono::{DateTime, Duration, Utc};
use tracing::warn;
use uuid::{NoContext, Timestamp, Uuid};

use super::lane::Lane;
use super::registry::{Job, Registry};
use super::task::{ONCE, RUNNING, StoredTask, TASKS, Task, TaskId, TaskStatus, UNIQUE, stored};
use super::{ends, queue};
use crate::events::Change;
use crate::store::{Order, ReadTransaction, WriteTx};
use hanok_base::{Error, MessageTemplate, Page, Result, day};

const HAS_ENDED: MessageTemplate = MessageTemplate::new("house.task.has_ended", "the task has ended already");
const NOT_FAILED: MessageTemplate =
    MessageTemplate::new("house.task.not_failed", "only a failed or cancelled task can be tried again");
const ANOTHER_IS_OPEN: MessageTemplate =
    MessageTemplate::new("house.task.another_is_open", "another task of this kind is open already");
const INTERRUPTED: MessageTemplate =
    MessageTemplate::new("house.task.interrupted", "the appliance stopped while this was running");

/// Queues `job` in this transaction, to begin as soon as it is on disk. Of a job that runs alone, an open task is
/// given instead of a second one.
pub fn enqueue<J: Job>(tx: &WriteTx, job: &J) -> Result<TaskId> {
    if J::UNIQUE
        && let Some(open) = open_alone(tx, J::KIND)?
    {
        return Ok(open);
    }
    enqueue_at(tx, job, tx.now())
}

fn enqueue_at<J: Job>(tx: &WriteTx, job: &J, run_at: DateTime<Utc>) -> Result<TaskId> {
    let id = new_id(tx.now());
    let task = Task {
        id: id.clone(),
        kind: J::KIND.to_owned(),
        title_ko: J::TITLE.0.to_owned(),
        title_en: J::TITLE.1.to_owned(),
        status: TaskStatus::Queued,
        progress: 0,
        message: String::new(),
        localized: None,
        error: None,
        quiet: J::QUIET,
        attempts: 0,
        created_at: tx.now(),
        run_at,
        started_at: None,
        finished_at: None,
    };
    let payload = serde_json::to_value(job).map_err(Error::internal)?;
    queue::wait(tx, &StoredTask { task, lane: J::LANE, cancel_asked: false, payload })?;
    if J::UNIQUE {
        tx.put(&UNIQUE, J::KIND, &id)?;
    }
    tx.announce(Change::JOBS);
    Ok(id)
}

/// Queues `job` in this transaction, to begin when it has settled ([`Job::SETTLES`]), unless one of its kind that is told
/// the same waits already, which is given instead: it begins after this transaction and finds what that has written.
pub fn enqueue_once<J: Job>(tx: &WriteTx, job: &J) -> Result<TaskId> {
    const { assert!(!J::UNIQUE, "one that is alone is queued with `enqueue`") };
    const { assert!(J::SETTLES.num_seconds() < 60, "the pause before a next attempt would pass for settling") };
    let told = serde_json::to_string(job).map_err(Error::internal)?;
    let key = (J::KIND, told.as_str());
    if let Some(id) = tx.get(&ONCE, key)?
        && stored(tx, &id)?.is_some_and(|stored| waits_for_its_turn::<J>(tx, &stored.task))
    {
        return Ok(id);
    }
    let id = enqueue_at(tx, job, tx.now() + J::SETTLES)?;
    tx.put(&ONCE, key, &id)?;
    Ok(id)
}

/// Not one that waits out the pause before its next attempt.
fn waits_for_its_turn<J: Job>(tx: &WriteTx, task: &Task) -> bool {
    task.status == TaskStatus::Queued && task.run_at <= tx.now() + J::SETTLES
}

/// Lets the task `id` begin now if it waits for its next attempt.
pub(super) fn hurry(tx: &WriteTx, id: &str) -> Result<()> {
    let is_later = |stored: &StoredTask| stored.task.status == TaskStatus::Queued && stored.task.run_at > tx.now();
    let Some(mut stored) = stored(tx, id)?.filter(is_later) else { return Ok(()) };
    queue::leave(tx, stored.lane, stored.task.run_at, id)?;
    stored.task.run_at = tx.now();
    queue::wait(tx, &stored)?;
    tx.announce(Change::JOBS);
    Ok(())
}

/// The task `id`; none, too, where this version cannot read it.
pub fn find(tx: &impl ReadTransaction, id: &str) -> Result<Option<Task>> {
    Ok(stored(tx, id)?.map(|stored| stored.task))
}

/// Whether the task `id` is there, also where this version cannot read it.
pub fn is_kept(tx: &impl ReadTransaction, id: &str) -> Result<bool> {
    tx.contains(&TASKS, id)
}

/// Tasks, newest first, and how many there are. A page leaves out those of its rows that this version cannot read.
pub fn list(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<Task>, u64)> {
    let mut tasks = Vec::new();
    for entry in tx.entries(&TASKS, "".., Order::Descending).skip(page.offset).take(page.limit) {
        tasks.extend(entry?.value().ok().map(|stored| stored.task));
    }
    Ok((tasks, tx.count(&TASKS)?))
}

/// Removes tasks that ended more than `days` ago, and what this version cannot read of that age: nobody waits for it
/// any more. What was kept for trying one of them again goes with it. Gives how many.
pub(super) fn prune(tx: &WriteTx, days: i64, registry: &Registry) -> Result<usize> {
    let oldest_kept = new_id(tx.now() - Duration::days(days));
    let mut removed = 0;
    for entry in tx.entries(&TASKS, ..oldest_kept.as_str(), Order::Ascending) {
        let entry = entry?;
        match entry.value() {
            Ok(stored) if !stored.task.status.has_ended() => continue,
            Ok(_) => {}
            Err(error) => {
                warn!(task = entry.key(), %error, "a task that cannot be read is cleared away");
                tx.discard(&RUNNING, entry.key())?;
                queue::forget(tx, entry.key())?;
            }
        }
        tx.discard(&TASKS, entry.key())?;
        removed += 1;
    }
    for entry in tx.entries(&ONCE, ("", "").., Order::Ascending) {
        let entry = entry?;
        if !tx.contains(&TASKS, entry.value()?.as_str())? {
            tx.remove(&ONCE, entry.key())?;
        }
    }
    ends::prune(tx)?;
    registry.clear_left(tx)?;
    Ok(removed)
}

/// Takes the task `id`, which is due in `lane` since `at`, and marks it as running. None when it does not wait any more.
pub(super) fn take(tx: &WriteTx, lane: Lane, at: DateTime<Utc>, id: &str) -> Result<Option<StoredTask>> {
    queue::leave(tx, lane, at, id)?;
    if is_laid_aside(tx, id)? {
        warn!(task = id, "a task that was waiting is laid aside: this version cannot read it");
        queue::lay_aside(tx, day::millis(at), id)?;
        return Ok(None);
    }
    let Some(mut stored) = stored(tx, id)?.filter(|stored| stored.task.status == TaskStatus::Queued) else {
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
    let Some(mut stored) = stored(tx, id)?.filter(|stored| stored.task.status == TaskStatus::Running) else {
        return Ok(None);
    };
    tx.discard(&RUNNING, id)?;
    let task = &mut stored.task;
    task.finished_at = Some(tx.now());
    match ending {
        Ending::Succeeded => {
            task.status = TaskStatus::Succeeded;
            task.progress = 100;
        }
        Ending::Again(..) if stored.cancel_asked => task.status = TaskStatus::Cancelled,
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
        ends::note(tx, &stored)?;
        release(tx, &stored.task)?;
        tx.put(&TASKS, id, &stored)?;
    }
    tx.announce(Change::JOBS);
    Ok(Some(stored.task))
}

/// Cancels a task that waits, and notes of one that runs that it is to end: after a crash it is not begun again.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` when it has ended.
pub(super) fn cancel(tx: &WriteTx, id: &str) -> Result<()> {
    let mut stored = stored(tx, id)?.ok_or_else(|| Error::not_found("task"))?;
    match stored.task.status {
        TaskStatus::Queued => cancel_queued(tx, stored),
        TaskStatus::Running => {
            stored.cancel_asked = true;
            tx.put(&TASKS, id, &stored)
        }
        _ => Err(Error::conflict(HAS_ENDED)),
    }
}

/// Cancels a task if it waits.
pub(super) fn end_queued(tx: &WriteTx, id: &str) -> Result<()> {
    match stored(tx, id)?.filter(|stored| stored.task.status == TaskStatus::Queued) {
        Some(stored) => cancel_queued(tx, stored),
        None => Ok(()),
    }
}

fn cancel_queued(tx: &WriteTx, stored: StoredTask) -> Result<()> {
    queue::leave(tx, stored.lane, stored.task.run_at, &stored.task.id)?;
    end_as_cancelled(tx, stored)
}

pub(super) fn end_as_cancelled(tx: &WriteTx, mut stored: StoredTask) -> Result<()> {
    stored.task.status = TaskStatus::Cancelled;
    stored.task.finished_at = Some(tx.now());
    release(tx, &stored.task)?;
    tx.put(&TASKS, stored.task.id.as_str(), &stored)?;
    tx.announce(Change::JOBS);
    Ok(())
}

/// Queues a failed or cancelled task again.
pub(super) fn retry(tx: &WriteTx, id: &str, registry: &Registry) -> Result<()> {
    let mut stored = stored(tx, id)?.ok_or_else(|| Error::not_found("task"))?;
    if !matches!(stored.task.status, TaskStatus::Failed | TaskStatus::Cancelled) {
        return Err(Error::conflict(NOT_FAILED));
    }
    let entry = registry.get(&stored.task.kind);
    if entry.is_some_and(|entry| entry.alone) {
        if open_alone(tx, &stored.task.kind)?.is_some() {
            return Err(Error::conflict(ANOTHER_IS_OPEN));
        }
        tx.put(&UNIQUE, stored.task.kind.as_str(), &stored.task.id)?;
    }
    stored.lane = entry.map_or(stored.lane, |entry| entry.lane);
    stored.cancel_asked = false;
    stored.task.status = TaskStatus::Queued;
    stored.task.error = None;
    stored.task.say_nothing();
    stored.task.progress = 0;
    stored.task.finished_at = None;
    stored.task.run_at = tx.now();
    queue::wait(tx, &stored)?;
    tx.announce(Change::JOBS);
    Ok(())
}

/// The tasks that are said to run, but for those that are laid aside because this version cannot read them.
pub(super) fn readable_running(tx: &impl ReadTransaction) -> Result<Vec<TaskId>> {
    let mut readable = running(tx)?;
    let mut laid_aside = Vec::new();
    for id in &readable {
        if is_laid_aside(tx, id)? {
            laid_aside.push(id.clone());
        }
    }
    readable.retain(|id| !laid_aside.contains(id));
    Ok(readable)
}

fn is_laid_aside(tx: &impl ReadTransaction, id: &str) -> Result<bool> {
    Ok(stored(tx, id)?.is_none() && tx.contains(&TASKS, id)?)
}

/// The tasks that are said to run.
pub(super) fn running(tx: &impl ReadTransaction) -> Result<Vec<TaskId>> {
    let running = tx.entries(&RUNNING, "".., Order::Ascending);
    running.map(|entry| entry.map(|entry| entry.key().to_owned())).collect()
}

/// How many tasks that were said to run and did not were put right, and how.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Recovered {
    resumed: usize,
    failed: usize,
    cancelled: usize,
    laid_aside: usize,
}

impl Recovered {
    /// What was done, when anything was.
    pub fn interrupted(&self) -> Option<String> {
        let Recovered { resumed, failed, cancelled, .. } = self;
        let as_asked = match cancelled {
            0 => String::new(),
            cancelled => format!(", {cancelled} are cancelled as was asked"),
        };
        (resumed + failed + cancelled > 0)
            .then(|| format!("{resumed} interrupted jobs go on, {failed} are failed as interrupted{as_asked}"))
    }

    /// A sentence when anything is laid aside because this version cannot read it.
    pub fn laid_aside(&self) -> Option<String> {
        let count = self.laid_aside;
        (count > 0).then(|| format!("open tasks that this version cannot read are laid aside: {count}"))
    }
}

/// What is said to run and is not `claimed` was interrupted: it is cancelled when that was asked, begun again when its
/// kind resumes, and failed as `INTERRUPTED` otherwise. What cannot be read stays as it is, for the version that can.
pub(super) fn recover(tx: &WriteTx, registry: &Registry, claimed: impl Fn(&str) -> bool) -> Result<Recovered> {
    queue::sort_into_lanes(tx, registry)?;
    queue::plan_anew(tx)?;
    ends::find(tx)?;
    let mut recovered = Recovered { laid_aside: queue::laid_aside(tx)?.len(), ..Recovered::default() };
    for id in running(tx)?.iter().map(String::as_str).filter(|id| !claimed(id)) {
        if is_laid_aside(tx, id)? {
            warn!(task = id, "a task that was running is laid aside: this version cannot read it");
            recovered.laid_aside += 1;
            continue;
        }
        tx.discard(&RUNNING, id)?;
        let Some(mut stored) = stored(tx, id)? else { continue };
        if stored.cancel_asked {
            end_as_cancelled(tx, stored)?;
            recovered.cancelled += 1;
        } else if let Some(entry) = registry.get(&stored.task.kind).filter(|entry| entry.resume) {
            stored.lane = entry.lane;
            stored.task.status = TaskStatus::Queued;
            stored.task.run_at = tx.now();
            queue::wait(tx, &stored)?;
            recovered.resumed += 1;
        } else {
            stored.task.status = TaskStatus::Failed;
            stored.task.error = Some("INTERRUPTED".to_owned());
            stored.task.say(&INTERRUPTED.into());
            stored.task.finished_at = Some(tx.now());
            ends::note(tx, &stored)?;
            release(tx, &stored.task)?;
            tx.put(&TASKS, id, &stored)?;
            recovered.failed += 1;
        }
    }
    Ok(recovered)
}

/// The moves of tasks are housekeeping: what the jobs themselves write is what a snapshot is made for.
pub(super) fn quietly<T>(write: impl FnOnce(&WriteTx) -> Result<T>) -> impl FnOnce(&WriteTx) -> Result<T> {
    |tx| {
        tx.quiet();
        write(tx)
    }
}

/// The open task of a job of which only one may be open. One that cannot be read keeps no other from being queued.
fn open_alone(tx: &WriteTx, kind: &str) -> Result<Option<TaskId>> {
    let Some(open) = tx.get(&UNIQUE, kind)? else { return Ok(None) };
    Ok(stored(tx, &open)?.is_some().then_some(open))
}

fn release(tx: &WriteTx, task: &Task) -> Result<()> {
    if tx.get(&UNIQUE, task.kind.as_str())?.as_ref() == Some(&task.id) {
        tx.remove(&UNIQUE, task.kind.as_str())?;
    }
    Ok(())
}

fn new_id(at: DateTime<Utc>) -> TaskId {
    let seconds = u64::try_from(at.timestamp()).unwrap_or(0);
    Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, at.timestamp_subsec_nanos())).to_string()
}
