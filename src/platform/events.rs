//! Live state for the browser: what changed, and how tasks go on. A broadcast, not a log:
//! who was away reads the present state again.

use serde::Serialize;
use tokio::sync::broadcast;

/// What may change. The name is what the browser listens for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The todo list.
    Todos,
    /// The stored draws or what was kept aside of them.
    Draws,
    /// Lottery purchases.
    Purchases,
    /// Recommendations and best picks.
    Recommendations,
    /// Weekly reports, briefings and reviews.
    Reports,
    /// Jobs and the schedule.
    Jobs,
    /// Snapshots.
    Backups,
    /// Whether the disk has room.
    Storage,
    /// The passphrase and sessions of the household.
    Household,
}

impl Change {
    /// Everything that may change.
    pub const ALL: [Change; 9] = [
        Change::Todos,
        Change::Draws,
        Change::Purchases,
        Change::Recommendations,
        Change::Reports,
        Change::Jobs,
        Change::Backups,
        Change::Storage,
        Change::Household,
    ];
}

/// One event on the stream.
#[derive(Debug, Clone)]
pub enum Event {
    /// Something stored has changed.
    Changed(Change),
    /// A task moved; its present state as JSON.
    Task(serde_json::Value),
}

/// The handle to send and to listen.
#[derive(Clone)]
pub struct Events(broadcast::Sender<Event>);

/// How many events a slow listener may lag behind before it is told to read again.
const BACKLOG: usize = 256;

impl Default for Events {
    fn default() -> Self {
        Events(broadcast::Sender::new(BACKLOG))
    }
}

impl Events {
    /// Tells every listener. Without listeners nothing happens.
    pub fn send(&self, event: Event) {
        let _ = self.0.send(event);
    }

    /// Listens from now on.
    pub fn listen(&self) -> broadcast::Receiver<Event> {
        self.0.subscribe()
    }
}
