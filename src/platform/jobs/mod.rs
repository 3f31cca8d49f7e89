//! Durable jobs: work that goes on after a restart, and the one schedule.
//!
//! A domain queues a job in the transaction of the row it belongs to ([`enqueue`]); both live or die
//! together. The runner ([`runner`]) takes due tasks in order, in each [`Lane`] for itself, keeps their progress in the
//! store and tells the browsers. An attempt ([`attempt`]) can be cancelled wherever it waits, and all that it began has
//! ended before its end is told. Whatever was running when the process ended is asked again when the job says that this
//! is safe, and fails visibly as `INTERRUPTED` otherwise.

mod attempt;
mod lane;
mod progress;
mod queue;
mod registry;
mod runner;
mod schedule;
mod store;
mod task;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

pub use lane::Lane;
pub use progress::Progress;
pub use queue::waiting;
pub use registry::{Job, Registry};
pub use schedule::{ScheduleEntry, ScheduleState, Timing};
pub use store::{Recovered, enqueue, find, list, prune};
pub use task::{Task, TaskId, TaskStatus};

use crate::store::{Declared, Migration, Reads, Store, WriteTx};
use hanok_base::{Error, Result};

/// Every table of the jobs.
pub const TABLES: &[&dyn Declared] = &[&task::TASKS, &queue::DUE, &task::RUNNING, &task::ALONE, &schedule::LAST_RUNS];

/// The tables of earlier versions, which a step empties and nothing else reads.
pub const RETIRED: &[&str] = &[queue::DUE_WITHOUT_LANES.name()];

/// The steps from stores of earlier versions.
pub const MIGRATIONS: &[Migration] = &[queue::QUEUE_BY_LANE];

/// The handle to queue, cancel and look at jobs.
#[derive(Clone, Default)]
pub struct Jobs(Arc<Inner>);

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
        Jobs(Arc::new(Inner { registry, schedule, claimed: Mutex::default() }))
    }

    /// Cancels a task: it stops where it waits, or after the step it is in that must not be torn.
    ///
    /// # Errors
    /// `NOT_FOUND`; `CONFLICT` when it has ended already.
    pub async fn cancel(&self, store: &Store, id: &str) -> Result<()> {
        if let Some(cancelled) = self.0.claimed.lock().get(id) {
            cancelled.cancel();
            return Ok(());
        }
        let id = id.to_owned();
        store.write(move |tx| store::cancel_queued(tx, &id)).await
    }

    /// Queues a failed or cancelled task again.
    ///
    /// # Errors
    /// `NOT_FOUND`; `CONFLICT` when it is not failed or cancelled.
    pub async fn retry(&self, store: &Store, id: &str) -> Result<()> {
        let (jobs, id) = (self.clone(), id.to_owned());
        store.write(move |tx| store::retry(tx, &id, &jobs.0.registry)).await
    }

    /// Runs the entry `name` of the schedule now. Gives the task's id.
    ///
    /// # Errors
    /// `NOT_FOUND` when there is no such entry.
    pub fn run_now(&self, tx: &WriteTx, name: &str) -> Result<TaskId> {
        let entry = self.0.schedule.iter().find(|entry| entry.name == name);
        (entry.ok_or_else(|| Error::not_found("schedule entry"))?.enqueue)(tx)
    }

    /// The schedule with its last and next runs.
    pub fn schedule(&self, tx: &impl Reads) -> Result<Vec<ScheduleState>> {
        schedule::states(&self.0.schedule, tx)
    }
}
