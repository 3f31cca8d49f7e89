//! How work ended last, and what fails just now.
//!
//! Work that is told nothing is known by its kind: how it ended last stands under that. Work that is told what to do, such
//! as the review of one draw, is known by what it was told as well: other work of its kind mends nothing of it. It stands
//! there only from its failure until the same has been done, so that what is done well for each draw leaves nothing behind.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::Value;

use super::registry::Registry;
use super::task::{LAST_ENDS, StoredTask, TASKS, Task, TaskId, TaskStatus, stored};
use crate::store::{Order, ReadTransaction, WriteTx};
use hanok_base::Result;

/// Notes that `ended` ended last of all that is the same work, if it ended by itself.
pub(super) fn note(tx: &WriteTx, ended: &StoredTask) -> Result<()> {
    let (task, work) = (&ended.task, work_of(ended));
    match task.status {
        TaskStatus::Succeeded if told(ended).is_some() => tx.discard(&LAST_ENDS, work.as_str()).map(drop),
        TaskStatus::Succeeded | TaskStatus::Failed => tx.put(&LAST_ENDS, work.as_str(), &task.id),
        _ => Ok(()),
    }
}

/// Finds how all work ended last in a store in which an earlier version has not noted it, or only by kinds.
pub(super) fn find(tx: &WriteTx) -> Result<()> {
    if is_noted(tx)? {
        return Ok(());
    }
    tx.clear(&LAST_ENDS)?;
    let mut last: BTreeMap<String, StoredTask> = BTreeMap::new();
    for entry in tx.entries(&TASKS, "".., Order::Descending) {
        let Ok(ended) = entry?.value() else { continue };
        let work = work_of(&ended);
        let is_later = || last.get(&work).is_none_or(|other| other.task.finished_at < ended.task.finished_at);
        if ended_by_itself(&ended.task) && has_ended_by(&ended.task, tx) && is_later() {
            last.insert(work, ended);
        }
    }
    last.values().try_for_each(|ended| note(tx, ended))
}

/// Whether anything is noted, and each under what it is known by.
fn is_noted(tx: &WriteTx) -> Result<bool> {
    for entry in tx.entries(&LAST_ENDS, "".., Order::Ascending) {
        let entry = entry?;
        if stored(tx, &entry.value()?)?.is_some_and(|ended| work_of(&ended) != entry.key()) {
            return Ok(false);
        }
    }
    Ok(tx.count(&LAST_ENDS)? > 0)
}

/// Forgets what ended as a task that is not there any more.
pub(super) fn prune(tx: &WriteTx) -> Result<()> {
    for entry in tx.entries(&LAST_ENDS, "".., Order::Ascending) {
        let entry = entry?;
        if !tx.contains(&TASKS, entry.value()?.as_str())? {
            tx.remove(&LAST_ENDS, entry.key())?;
        }
    }
    Ok(())
}

/// Of all that jobs are for, the task that ended last by itself, where it failed; newest first. What ended while the clock
/// ran ahead is not later than what came after.
pub(super) fn failing(tx: &impl ReadTransaction, registry: &Registry) -> Result<Vec<Task>> {
    let mut last: BTreeMap<(&str, Option<String>), Task> = BTreeMap::new();
    for entry in tx.entries(&LAST_ENDS, "".., Order::Ascending) {
        let id: TaskId = entry?.value()?;
        let ended = stored(tx, &id)?.filter(|ended| ended_by_itself(&ended.task) && has_ended_by(&ended.task, tx));
        let Some(ended) = ended else { continue };
        let Some(subject) = registry.get(&ended.task.kind).and_then(|kind| kind.subject) else { continue };
        let work = (subject, told(&ended));
        if last.get(&work).is_none_or(|other| other.finished_at < ended.task.finished_at) {
            last.insert(work, ended.task);
        }
    }
    let mut failing: Vec<Task> = last.into_values().filter(|task| task.status == TaskStatus::Failed).collect();
    failing.sort_by_key(|task| Reverse(task.finished_at));
    Ok(failing)
}

/// What work is known by: its kind, and what it was told.
fn work_of(task: &StoredTask) -> String {
    let kind = &task.task.kind;
    told(task).map_or_else(|| kind.clone(), |told| format!("{kind} {told}"))
}

/// What it was told, as JSON; none where that is nothing.
fn told(task: &StoredTask) -> Option<String> {
    let is_nothing = task.payload.as_object().is_none_or(|told| told.values().all(Value::is_null));
    (!is_nothing).then(|| task.payload.to_string())
}

fn ended_by_itself(task: &Task) -> bool {
    matches!(task.status, TaskStatus::Succeeded | TaskStatus::Failed)
}

/// Whether it has ended by the time of the clock as it stands now.
fn has_ended_by(task: &Task, tx: &impl ReadTransaction) -> bool {
    task.finished_at.is_some_and(|at| at <= tx.now())
}
