//! Durable jobs: work that goes on after a restart, and the one schedule.
//!
//! A domain queues a job in the transaction of the row it belongs to ([`enqueue`]); both live or die
//! together. The runner ([`runner`]) takes due tasks in order, in each [`Lane`] for itself, keeps their progress in the
//! store and tells the browsers. An attempt ([`attempt`]) can be cancelled wherever it waits, and all that it began has
//! ended before its end is told. Whatever was running when the process ended is asked again when the job says that this
//! is safe, and fails visibly as `INTERRUPTED` otherwise. A state that is restored goes on with what follows from its rows,
//! and calls off ([`restored`]) what somebody had asked for in the state before.

mod attempt;
mod ends;
mod lane;
mod progress;
mod queue;
mod registry;
mod restored;
mod runner;
mod schedule;
mod store;
mod task;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

pub use lane::Lane;
pub use progress::Progress;
pub use queue::waiting;
pub use registry::{Job, Registry};
pub use restored::call_off;
pub use schedule::{ScheduleEntry, ScheduleState, Timely, Timing, timing_in_words};
pub use store::{Recovered, enqueue, enqueue_once, find, is_kept, list};
pub use task::{Task, TaskId, TaskStatus};

use crate::store::{Declared, Migration, ReadTx, Store, WriteTx};
use hanok_base::{Error, Kind, MessageTemplate, Result, Shared};

/// Every table of the jobs.
pub const TABLES: &[&dyn Declared] = &[
    &task::TASKS,
    &queue::DUE,
    &task::RUNNING,
    &task::UNIQUE,
    &task::ONCE,
    &task::LAST_ENDS,
    &schedule::LAST_RUNS,
    &schedule::HAND_RUNS,
];

/// The tables of earlier versions, which a step empties and nothing else reads.
pub const RETIRED: &[&str] = &[queue::DUE_WITHOUT_LANES.name()];

/// The steps from stores of earlier versions.
pub const MIGRATIONS: &[Migration] = &[queue::QUEUE_BY_LANE];

/// What is said when there is no room for the wish of who cancels.
const CANCELLED_AND_NOT_WRITTEN_DOWN: MessageTemplate = MessageTemplate::new(
    "house.task.cancelled_and_not_written_down",
    "the task is being cancelled, but that cannot be written down: if the appliance ends before it can, the task is begun \
     again",
);

/// The handle to queue, cancel and look at jobs.
#[derive(Clone, Default)]
pub struct Jobs(Shared<Inner>);

#[derive(Default)]
struct Inner {
    registry: Registry,
    schedule: Vec<ScheduleEntry>,
    /// The tasks that an attempt has been claimed for, each with what cancels it.
    claimed: Mutex<HashMap<TaskId, CancellationToken>>,
}

impl Jobs {
    /// Jobs of these kinds, started by this schedule.
    pub fn new(registry: Registry, schedule: Vec<ScheduleEntry>) -> Self {
        Jobs(Shared::new(Inner { registry, schedule, claimed: Mutex::default() }))
    }

    /// Cancels a task: it stops where it waits, or after the step it is in that must not be torn. That it was cancelled
    /// is on disk when this ends: no crash brings it back.
    ///
    /// # Errors
    /// `NOT_FOUND`; `CONFLICT` when it has ended already; those of the write: a task that runs is cancelled all the
    /// same, and the sentence says so.
    pub async fn cancel(&self, store: &Store, id: &str) -> Result<()> {
        let runs = self.0.claimed.lock().get(id).map(CancellationToken::cancel).is_some();
        let id = id.to_owned();
        match store.write(store::quietly(move |tx| store::cancel(tx, &id))).await {
            // It has come to its end meanwhile.
            Err(error) if runs && matches!(error.kind, Kind::Conflict | Kind::NotFound) => Ok(()),
            Err(error) if runs => Err(error.saying(CANCELLED_AND_NOT_WRITTEN_DOWN)),
            written => written,
        }
    }

    /// Queues a failed or cancelled task again.
    ///
    /// # Errors
    /// `NOT_FOUND`; `CONFLICT` when it is not failed or cancelled.
    pub fn retry(&self, tx: &WriteTx, id: &str) -> Result<()> {
        store::retry(tx, id, &self.0.registry)
    }

    /// Removes tasks that ended more than `days` ago, with what was kept for trying them again. Gives how many.
    pub fn prune(&self, tx: &WriteTx, days: i64) -> Result<usize> {
        store::prune(tx, days, &self.0.registry)
    }

    /// Runs the entry `name` of the schedule now. Gives the task's id.
    ///
    /// # Errors
    /// `NOT_FOUND` when there is no such entry.
    pub fn run_now(&self, tx: &WriteTx, name: &str) -> Result<TaskId> {
        let entry = self.0.schedule.iter().find(|entry| entry.name == name);
        schedule::enqueue_now(entry.ok_or_else(|| Error::not_found("schedule entry"))?, tx)
    }

    /// Of all that jobs are for ([`Job::SUBJECT`]), the task that ended last by itself, where it failed; newest first.
    pub fn failing(&self, tx: &ReadTx) -> Result<Vec<Task>> {
        ends::failing(tx, &self.0.registry)
    }

    /// The schedule with its last and next runs.
    pub fn schedule(&self, tx: &ReadTx) -> Result<Vec<ScheduleState>> {
        schedule::states(&self.0.schedule, tx)
    }
}
