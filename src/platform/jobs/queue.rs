//! The queue: what waits in each lane, found without walking what waits in the others.

use chrono::{DateTime, Duration, Utc};

use super::lane::Lane;
use super::registry::Registry;
use super::task::{self, StoredTask, TASKS, Task, TaskId};
use crate::store::{Migration, Order, ReadTransaction, Table, WriteTx};
use hanok_base::{Result, day};

/// Table: what waits. Key: its lane or [`ASIDE`], when it may begin (milliseconds since 1970) and its id. Value: nothing.
pub(super) const DUE: Table<(&'static str, u64, &'static str), ()> = Table::new("tasks_due-2");
/// Where a task waits that this version cannot read: no worker looks there, and a version that can read it sorts it into
/// its lane.
const ASIDE: &str = "aside";
/// Table: what waited before there were lanes. Key: when it may begin and its id. Value: nothing.
pub(super) const DUE_WITHOUT_LANES: Table<(u64, &'static str), ()> = Table::new("tasks_due-1");

/// What waits, waits in its lane. Which lane a kind belongs to is the registry's to say: until
/// [`sort_into_lanes`] asks it, all wait in the first one.
pub(super) const QUEUE_BY_LANE: Migration = Migration {
    to: 2,
    name: "jobs: give each lane a queue of its own",
    title: ("기다리던 작업을 제 줄에 세웠습니다", "Waiting jobs were put into the queues of their lanes"),
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

/// How often the pause before the next attempt doubles, from a minute on.
pub(super) const DOUBLINGS: u32 = 6;
/// The longest pause before the next attempt.
const LONGEST_PAUSE: Duration = Duration::minutes(1 << DOUBLINGS);

/// How many tasks wait for a worker, and since when the first of them could have begun.
pub fn waiting(tx: &impl ReadTransaction) -> Result<(u64, Option<DateTime<Utc>>)> {
    let mut oldest = None;
    for lane in Lane::ALL {
        oldest = next_due(tx, lane)?.map(|(at, _)| at).into_iter().chain(oldest).min();
    }
    Ok((tx.count(&DUE)? - laid_aside(tx)?.len() as u64, oldest))
}

/// What waits for a version that can read it, in order.
pub(super) fn laid_aside(tx: &impl ReadTransaction) -> Result<Vec<(u64, TaskId)>> {
    waiting_in(tx, ASIDE, 0)
}

/// Takes a task that waited since `at` and cannot be read out of the way of others.
pub(super) fn lay_aside(tx: &WriteTx, at: u64, id: &str) -> Result<()> {
    tx.put(&DUE, (ASIDE, at, id), &())
}

/// When the next task that waits in `lane` may begin, and which it is.
pub(super) fn next_due(tx: &impl ReadTransaction, lane: Lane) -> Result<Option<(DateTime<Utc>, TaskId)>> {
    let next = tx.first(&DUE, (lane.name(), 0, "")..(lane.name(), u64::MAX, ""), Order::Ascending)?;
    Ok(next.and_then(|next| {
        let (_, at, id) = next.key();
        Some((DateTime::from_timestamp_millis(i64::try_from(at).ok()?)?, id.to_owned()))
    }))
}

/// Takes a task that is laid aside out of the queue for good.
pub(super) fn forget(tx: &WriteTx, id: &str) -> Result<()> {
    for (at, _) in laid_aside(tx)?.iter().filter(|(_, other)| other == id) {
        tx.remove(&DUE, (ASIDE, *at, id))?;
    }
    Ok(())
}

/// What waits for a worker, whichever lane it waits in.
pub(super) fn all_waiting(tx: &impl ReadTransaction) -> Result<Vec<TaskId>> {
    let waiting = Lane::ALL.into_iter().map(|lane| waiting_in(tx, lane.name(), 0));
    let ids = |waiting: Vec<(u64, TaskId)>| waiting.into_iter().map(|(_, id)| id);
    Ok(waiting.collect::<Result<Vec<_>>>()?.into_iter().flat_map(ids).collect())
}

/// What waits in the lane of this name from `from` on, in order.
fn waiting_in(tx: &impl ReadTransaction, lane: &str, from: u64) -> Result<Vec<(u64, TaskId)>> {
    let waiting = tx.entries(&DUE, (lane, from, "")..(lane, u64::MAX, ""), Order::Ascending);
    let place = |(_, at, id): (&str, u64, &str)| (at, id.to_owned());
    waiting.map(|entry| entry.map(|entry| place(entry.key()))).collect()
}

/// Lets what was planned while the clock was ahead begin now: its own time may be years away. Gives how many.
pub(super) fn plan_anew(tx: &WriteTx) -> Result<usize> {
    let mut planned = 0;
    for lane in Lane::ALL {
        for (at, id) in waiting_in(tx, lane.name(), day::millis(tx.now()) + 1)? {
            let Some(mut stored) = task::stored(tx, &id)? else { continue };
            let begun = stored.task.created_at.max(stored.task.started_at.unwrap_or_default());
            if begun <= tx.now() && stored.task.run_at <= tx.now() + LONGEST_PAUSE {
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

/// Lets what waits in another lane than its kind has now wait in that one: it was queued by another version, perhaps in
/// a lane that this one does not have. What this version cannot read is laid aside; a row that is gone leaves the queue.
pub(super) fn sort_into_lanes(tx: &WriteTx, registry: &Registry) -> Result<()> {
    for entry in tx.entries(&DUE, ("", 0, "").., Order::Ascending) {
        let entry = entry?;
        let (lane, at, id) = entry.key();
        let Some(mut stored) = task::stored(tx, id)? else {
            let is_kept = tx.contains(&TASKS, id)?;
            if lane != ASIDE || !is_kept {
                tx.remove(&DUE, (lane, at, id))?;
            }
            if lane != ASIDE && is_kept {
                lay_aside(tx, at, id)?;
            }
            continue;
        };
        stored.lane = registry.get(&stored.task.kind).map_or(stored.lane, |entry| entry.lane);
        if stored.lane.name() != lane {
            tx.remove(&DUE, (lane, at, id))?;
            wait(tx, &stored)?;
        }
    }
    Ok(())
}

/// Puts a task into the queue of its lane.
pub(super) fn wait(tx: &WriteTx, stored: &StoredTask) -> Result<()> {
    let Task { id, run_at, .. } = &stored.task;
    tx.put(&DUE, (stored.lane.name(), day::millis(*run_at), id.as_str()), &())?;
    tx.put(&TASKS, id.as_str(), stored)
}

/// Takes a task out of the queue of `lane`.
pub(super) fn leave(tx: &WriteTx, lane: Lane, at: DateTime<Utc>, id: &str) -> Result<()> {
    tx.remove(&DUE, (lane.name(), day::millis(at), id)).map(drop)
}
