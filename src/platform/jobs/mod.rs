//! Durable jobs: work that goes on after a restart, and the one schedule.
//!
//! A domain queues a job in the transaction of the row it belongs to ([`enqueue`]); both live or die
//! together. The runner ([`runner`]) takes due tasks in order, keeps their progress in the store and
//! tells the browsers. Whatever was running when the process ended is asked again when the job says
//! that this is safe, and fails visibly as `INTERRUPTED` otherwise.

mod effect;
mod progress;
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

pub use effect::Failure;
pub use progress::Progress;
pub use registry::{Job, Registry};
pub use schedule::{ScheduleEntry, ScheduleState, Timing};
pub use store::{enqueue, enqueue_at, find, list, prune, waiting};
pub use task::{Task, TaskId, TaskStatus};

use crate::store::{Reads, Store, WriteTx};
use hanok_base::{Error, Result};

/// The handle to queue, cancel and look at jobs.
#[derive(Clone, Default)]
pub struct Jobs(Arc<Inner>);

#[derive(Default)]
struct Inner {
    registry: Registry,
    schedule: Vec<ScheduleEntry>,
    running: Mutex<HashMap<String, CancellationToken>>,
}

impl Jobs {
    /// Jobs of these kinds, started by this schedule.
    pub fn new(registry: Registry, schedule: Vec<ScheduleEntry>) -> Self {
        Jobs(Arc::new(Inner { registry, schedule, running: Mutex::default() }))
    }

    /// Cancels a task: a queued one at once, a running one when it next looks.
    ///
    /// # Errors
    /// `NOT_FOUND`; `CONFLICT` when it has ended already.
    pub async fn cancel(&self, store: &Store, id: &str) -> Result<()> {
        let asked = id.to_owned();
        let was_queued = store.write(move |tx| store::cancel_queued(tx, &asked)).await?;
        if was_queued {
            return Ok(());
        }
        match self.0.running.lock().get(id) {
            Some(token) => token.cancel(),
            None => return Err(Error::conflict("the task has ended already")),
        }
        Ok(())
    }

    /// Queues a failed or cancelled task again.
    ///
    /// # Errors
    /// `NOT_FOUND`; `CONFLICT` when it is not failed or cancelled.
    pub async fn retry(&self, store: &Store, id: &str) -> Result<()> {
        let (jobs, id) = (self.clone(), id.to_owned());
        let alone = move |kind: &str| jobs.0.registry.get(kind).is_some_and(|entry| entry.alone);
        store.write(move |tx| store::retry(tx, &id, alone)).await
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
