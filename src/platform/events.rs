//! Live state for the browser: what changed, and how tasks go on. A broadcast, not a log:
//! who was away reads the present state again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::Serialize;
use tokio::sync::broadcast;

/// Something stored that may change. The name is what the browser listens for; each room declares its own, and
/// `Domain::changes` lists those of a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Change(&'static str);

impl Change {
    /// Jobs and the schedule.
    pub const JOBS: Change = Change::new("jobs");
    /// Snapshots.
    pub const BACKUPS: Change = Change::new("backups");
    /// Whether the disk has room.
    pub const STORAGE: Change = Change::new("storage");
    /// The passphrase and sessions of the household.
    pub const HOUSEHOLD: Change = Change::new("household");
    /// The settings.
    pub const SETTINGS: Change = Change::new("settings");
    /// Mail: what waits, and how it went out.
    pub const MAIL: Change = Change::new("mail");
    /// Chat: who is connected, and what waits.
    pub const CHAT: Change = Change::new("chat");
    /// What may change without any domain.
    pub const OF_THE_HOUSE: [Change; 7] = [
        Change::JOBS,
        Change::BACKUPS,
        Change::STORAGE,
        Change::HOUSEHOLD,
        Change::SETTINGS,
        Change::MAIL,
        Change::CHAT,
    ];

    /// A change of this name, in snake case.
    pub const fn new(name: &'static str) -> Change {
        Change(name)
    }

    /// What the browser listens for.
    pub const fn name(self) -> &'static str {
        self.0
    }
}

/// One event on the stream.
#[derive(Debug, Clone)]
pub enum Event {
    /// Something stored has changed.
    Changed(Change),
    /// One value has changed, and here it is: who shows it needs not ask, who does not need not care. `key` is what the
    /// app keeps it under: the address that it is read at, with its query.
    Value(Change, String, serde_json::Value),
    /// A task moved; its present state as JSON.
    Task(serde_json::Value),
}

/// The handle to send and to listen.
#[derive(Clone)]
pub struct Events {
    sender: broadcast::Sender<Event>,
    /// When something was told last, or when this began: whoever asked for anything since has the present state. The steps
    /// of tasks are no change: that one begins or ends is told as one.
    last: Arc<Mutex<Instant>>,
}

/// How many events a slow listener may lag behind before it is told to read again.
const BACKLOG: usize = 256;

impl Default for Events {
    fn default() -> Self {
        Events { sender: broadcast::Sender::new(BACKLOG), last: Arc::new(Mutex::new(Instant::now())) }
    }
}

impl Events {
    /// Tells every listener. Without listeners nothing happens.
    pub fn send(&self, event: Event) {
        // Before it is told: who begins to listen in between hears it or finds it here.
        if !matches!(event, Event::Task(_)) {
            *self.last.lock() = Instant::now();
        }
        let _ = self.sender.send(event);
    }

    /// Listens from now on.
    pub fn listen(&self) -> broadcast::Receiver<Event> {
        self.sender.subscribe()
    }

    /// For how long nothing was told. Who asks after beginning to listen misses nothing that was told in between.
    pub fn quiet_for(&self) -> Duration {
        self.last.lock().elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_of_tasks_are_no_change() {
        let events = Events::default();
        while events.quiet_for() < Duration::from_millis(5) {
            std::hint::spin_loop();
        }
        events.send(Event::Task(serde_json::Value::Null));
        assert!(events.quiet_for() >= Duration::from_millis(5));
    }
}
