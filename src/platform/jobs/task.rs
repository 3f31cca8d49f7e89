//! A task: one piece of work that takes time, as callers see it and as it is kept.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::lane::Lane;
use crate::store::{Order, ReadTransaction, Table};
use hanok_base::message::LocalizedMessage;
use hanok_base::schema::ToSchema;
use hanok_base::text::cut;
use hanok_base::{Message, Result};

/// A task's id: an opaque string (UUIDv7, so ids sort by age).
pub type TaskId = String;

/// The states of the one task model (contract, section 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Waits for its turn.
    Queued,
    /// Is being worked on.
    Running,
    /// Has done what it was for.
    Succeeded,
    /// Has ended without; `error` and `message` say why.
    Failed,
    /// Was called off.
    Cancelled,
}

impl TaskStatus {
    /// Whether nothing more happens to it by itself.
    pub fn has_ended(self) -> bool {
        !matches!(self, TaskStatus::Queued | TaskStatus::Running)
    }
}

/// A task as callers see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Task {
    /// Opaque.
    pub id: String,
    /// Which job it is.
    pub kind: String,
    /// What it is, in Korean.
    pub title_ko: String,
    /// What it is, in English.
    pub title_en: String,
    /// Where it stands.
    pub status: TaskStatus,
    /// 0 to 100; never goes back within one attempt.
    pub progress: u8,
    /// What happens now, or how it ended.
    pub message: String,
    /// How a browser says `message` in its language.
    #[serde(default, alias = "spoken")]
    pub localized: Option<LocalizedMessage>,
    /// The code of a failure.
    pub error: Option<String>,
    /// Whether nobody is called when it fails: what it leaves undone is said where it is missed, with the cause.
    #[serde(default)]
    pub quiet: bool,
    /// How often it was begun.
    pub attempts: u32,
    /// When it was asked for.
    pub created_at: DateTime<Utc>,
    /// When it may begin.
    pub run_at: DateTime<Utc>,
    /// When the present attempt began.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub finished_at: Option<DateTime<Utc>>,
}

/// Characters that a task says at most, enough for what the weekly check finds: what it says goes to every browser and is
/// kept as long as the task.
pub(super) const LONGEST_MESSAGE: usize = 2_000;

impl Task {
    /// Says what happens now, or how it ended.
    pub(super) fn say(&mut self, said: &Message) {
        self.message = cut(said.text(), LONGEST_MESSAGE);
        // What was cut has no catalogue's words: its values would say all of it again.
        self.localized = said.localized().filter(|_| self.message == said.text()).cloned();
    }

    /// Says nothing: it has not begun.
    pub(super) fn say_nothing(&mut self) {
        self.message.clear();
        self.localized = None;
    }
}

/// Table: every task. Key: its id, which sorts by age. Value: the task and its payload.
pub(super) const TASKS: Table<&'static str, StoredTask> = Table::new("tasks-1");
/// Table: what runs, so that a start finds it without a search. Key: task id. Value: nothing.
pub(super) const RUNNING: Table<&'static str, ()> = Table::new("tasks_running-1");
/// Table: the open task of a job of which only one may be open. Key: kind. Value: task id.
pub(super) const UNIQUE: Table<&'static str, TaskId> = Table::new("tasks_alone-1");
/// Table: the task that was queued last of a job that waits once. Key: kind, and what it was told, as JSON. Value: task id.
pub(super) const ONCE: Table<(&'static str, &'static str), TaskId> = Table::new("tasks_once-1");

/// Table: the task that ended last by itself, as failed or as done, of each kind that is told nothing; and of work that is
/// told what to do, as failed. Key: kind, and behind a space what it was told, as JSON. Value: task id.
pub(super) const LAST_ENDS: Table<&'static str, TaskId> = Table::new("tasks_last_ends-1");

/// A task as it is stored: with what the job needs to run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct StoredTask {
    pub task: Task,
    /// Where it waits, or has waited.
    #[serde(default)]
    pub lane: Lane,
    /// Whether it was cancelled while it ran: whatever happens, it is not begun again.
    #[serde(default)]
    pub cancel_asked: bool,
    pub payload: serde_json::Value,
}

/// The task `id` as it is stored. None, too, where this version cannot read its row: another version or a fault of the
/// disk has left it, and it is laid aside, so that it keeps nothing else from being done.
pub(super) fn stored(tx: &impl ReadTransaction, id: &str) -> Result<Option<StoredTask>> {
    let entry = tx.first(&TASKS, id..=id, Order::Ascending)?;
    Ok(entry.and_then(|entry| entry.value().ok()))
}
