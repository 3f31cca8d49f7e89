//! What was brought to mind, and what a wrong clock only seems to have.

use chrono::{DateTime, Utc};

use super::Todo;

impl Todo {
    /// The same, brought to mind at `now`.
    pub fn reminded(self, now: DateTime<Utc>) -> Todo {
        Todo { remind_at: None, reminded_at: Some(now), reminded_for: self.remind_at, ..self }
    }

    /// The same when a clock that ran ahead has brought it to mind: that is still to come.
    pub fn still_to_remind(self) -> Todo {
        // An earlier version did not keep when it was to be.
        let planned = self.remind_at.or(self.reminded_for).or_else(|| self.reminder());
        Todo { remind_at: planned, reminded_at: None, reminded_for: None, ..self }
    }
}
