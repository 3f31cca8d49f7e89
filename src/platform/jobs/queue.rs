//! The queue: what waits in each lane, found without walking what waits in the others.

use chrono::{DateTime, Utc};

use super::lane::Lane;
use super::registry::Registry;
use super::task::{self, StoredTask, TASKS, Task, TaskId};
use crate::store::{Migration, Order, Reads, Table, WriteTx};
use hanok_base::{Result, day};

/// Table: what waits. Key: its lane, when it may begin (milliseconds since 1970) and its id. Value: nothing.
pub(super) const DUE: Table<(&'static str, u64, &'static str), ()> = Table::new("tasks_due-2");
/// Table: what waited before there were lanes. Key: when it may begin and its id. Value: nothing.
pub(super) const DUE_WITHOUT_LANES: Table<(u64, &'static str), ()> = Table::new("tasks_due-1");

/// What waits, waits in its lane. Which lane a kind belongs to is the registry's to say: until
/// [`sort_into_lanes`] asks it, all wait in the first one.
pub(super) const QUEUE_BY_LANE: Migration = Migration {
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

/// How many tasks wait, and since when the first of them could have begun.
pub fn waiting(tx: &impl Reads) -> Result<(u64, Option<DateTime<Utc>>)> {
    let mut oldest = None;
    for lane in Lane::ALL {
        oldest = next_due(tx, lane)?.map(|(at, _)| at).into_iter().chain(oldest).min();
    }
    Ok((tx.count(&DUE)?, oldest))
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
        for (at, id) in waiting_in(tx, lane, day::millis(tx.now()) + 1)? {
            let Some(mut stored) = task::stored(tx, &id)? else { continue };
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

/// Lets what waits in another lane than its kind has now wait in that one: it was queued by another version, perhaps in
/// a lane that this one does not have. What this version cannot read stays where it is.
pub(super) fn sort_into_lanes(tx: &WriteTx, registry: &Registry) -> Result<()> {
    for entry in tx.entries(&DUE, ("", 0, "").., Order::Ascending) {
        let entry = entry?;
        let (lane, at, id) = entry.key();
        let Some(mut stored) = task::stored(tx, id)? else { continue };
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
