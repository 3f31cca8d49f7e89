//! What a running job holds in its hand: a way to say how far it is, and to end a step before it is cancelled.

use std::future::Future;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::task::{TASKS, Task, TaskStatus, stored};
use crate::events::{Event, Events};
use crate::store::{Store, WriteTx};
use hanok_base::{Error, Message, Result};

/// A running task's way to speak.
#[derive(Clone)]
pub struct Progress {
    id: String,
    store: Store,
    events: Events,
    cancelled: CancellationToken,
    /// How many steps are under way that must not be torn.
    steps: watch::Sender<usize>,
}

impl Progress {
    pub(super) fn new(id: String, store: Store, events: Events, cancelled: CancellationToken) -> Self {
        Progress { id, store, events, cancelled, steps: watch::Sender::new(0) }
    }

    /// Says that `percent` is done and what happens now, in 2,000 characters at most. Kept in the store and shown in the
    /// browsers.
    pub async fn say(&self, percent: u8, message: impl Into<Message>) -> Result<()> {
        let (id, message) = (self.id.clone(), message.into());
        let task = self.store.write(move |tx| {
            tx.quiet();
            note(tx, &id, percent, &message)
        });
        let task = task.await?;
        if let Some(task) = task {
            self.events.send(Event::Task(serde_json::to_value(task).map_err(Error::internal)?));
        }
        Ok(())
    }

    /// Does a step that must not be torn. A job may be cancelled wherever it waits, and is then dropped there; one that
    /// is cancelled within `step` is dropped when the step has ended, and no step begins after that. Only the end of
    /// the process tears it, as a power cut would.
    pub async fn uninterrupted<T>(&self, step: impl Future<Output = T>) -> T {
        if self.cancelled.is_cancelled() && *self.steps.borrow() == 0 {
            // The runner is about to drop the job here.
            return std::future::pending().await;
        }
        self.steps.send_modify(|steps| *steps += 1);
        let _under_way = StepUnderWay(&self.steps);
        step.await
    }

    /// Waits until the task has been cancelled and no step is under way that must not be torn.
    pub(super) async fn cancelled_between_steps(&self) {
        self.cancelled.cancelled().await;
        // The sender lives in `self`, so this ends only when the steps have.
        let _ = self.steps.subscribe().wait_for(|steps| *steps == 0).await;
    }
}

/// Notes how far a running task is.
fn note(tx: &WriteTx, id: &str, percent: u8, message: &Message) -> Result<Option<Task>> {
    let Some(mut stored) = stored(tx, id)?.filter(|stored| stored.task.status == TaskStatus::Running) else {
        return Ok(None);
    };
    stored.task.progress = stored.task.progress.max(percent.min(100));
    stored.task.say(message);
    tx.put(&TASKS, id, &stored)?;
    Ok(Some(stored.task))
}

struct StepUnderWay<'p>(&'p watch::Sender<usize>);

impl Drop for StepUnderWay<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|steps| *steps -= 1);
    }
}
