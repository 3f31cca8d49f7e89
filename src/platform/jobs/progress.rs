//! What a running job holds in its hand: a way to say how far it is, and to see that it was called off.

use tokio_util::sync::CancellationToken;

use super::store;
use crate::events::{Event, Events};
use crate::store::Store;
use hanok_base::{Error, Result};

/// A running task's way to speak.
#[derive(Clone)]
pub struct Progress {
    id: String,
    store: Store,
    events: Events,
    cancelled: CancellationToken,
}

impl Progress {
    pub(super) fn new(id: String, store: Store, events: Events, cancelled: CancellationToken) -> Self {
        Progress { id, store, events, cancelled }
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// The task's id.
    pub fn task_id(&self) -> &str {
        &self.id
    }

    /// Says that `percent` is done and what happens now. Kept in the store and shown in the browsers.
    pub async fn say(&self, percent: u8, message: impl Into<String>) -> Result<()> {
        let (id, message) = (self.id.clone(), message.into());
        let task = self.store.write(move |tx| {
            tx.quiet();
            store::note_progress(tx, &id, percent, &message)
        });
        let task = task.await?;
        if let Some(task) = task {
            self.events.send(Event::Task(serde_json::to_value(task).map_err(Error::internal)?));
        }
        Ok(())
    }

    /// Whether the task was called off; it should stop soon.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.is_cancelled()
    }

    /// Waits until the task is called off.
    pub async fn cancelled(&self) {
        self.cancelled.cancelled().await;
    }
}
