//! How each kind of job ended last, and what fails just now.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::registry::Registry;
use super::task::{LAST_ENDS, TASKS, Task, TaskId, TaskStatus, stored};
use crate::store::{Order, Reads, WriteTx};
use hanok_base::Result;

/// Notes that `task` ended last of its kind, if it ended by itself.
pub(super) fn note(tx: &WriteTx, task: &Task) -> Result<()> {
    if ended_by_itself(task) { tx.put(&LAST_ENDS, task.kind.as_str(), &task.id) } else { Ok(()) }
}

/// Finds how each kind ended last in a store in which an earlier version has not noted it.
pub(super) fn find(tx: &WriteTx) -> Result<()> {
    if tx.count(&LAST_ENDS)? > 0 {
        return Ok(());
    }
    let mut last: BTreeMap<String, Task> = BTreeMap::new();
    for entry in tx.entries(&TASKS, "".., Order::Descending) {
        let Ok(task) = entry?.value().map(|stored| stored.task) else { continue };
        let is_later = || last.get(&task.kind).is_none_or(|other| other.finished_at < task.finished_at);
        if ended_by_itself(&task) && has_ended_by(&task, tx) && is_later() {
            last.insert(task.kind.clone(), task);
        }
    }
    last.values().try_for_each(|task| note(tx, task))
}

/// Of all that jobs are for, the task that ended last by itself, where it failed; newest first. What ended while the clock
/// ran ahead is not later than what came after.
pub(super) fn failing(tx: &impl Reads, registry: &Registry) -> Result<Vec<Task>> {
    let mut last: BTreeMap<&str, Task> = BTreeMap::new();
    for entry in tx.entries(&LAST_ENDS, "".., Order::Ascending) {
        let entry = entry?;
        let Some(subject) = registry.get(entry.key()).and_then(|kind| kind.subject) else { continue };
        let id: TaskId = entry.value()?;
        let ended = stored(tx, &id)?.map(|stored| stored.task).filter(|task| has_ended_by(task, tx));
        let Some(task) = ended.filter(ended_by_itself) else { continue };
        if last.get(subject).is_none_or(|other| other.finished_at < task.finished_at) {
            last.insert(subject, task);
        }
    }
    let mut failing: Vec<Task> = last.into_values().filter(|task| task.status == TaskStatus::Failed).collect();
    failing.sort_by_key(|task| Reverse(task.finished_at));
    Ok(failing)
}

fn ended_by_itself(task: &Task) -> bool {
    matches!(task.status, TaskStatus::Succeeded | TaskStatus::Failed)
}

/// Whether it has ended by the time of the clock as it stands now.
fn has_ended_by(task: &Task, tx: &impl Reads) -> bool {
    task.finished_at.is_some_and(|at| at <= tx.now())
}
