//! The job that brings todos to mind, and when it runs.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::store::{self, TodosToday};
use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::config::Config;
use hanok_platform::domain::Today;
use hanok_platform::events::Change;
use hanok_platform::jobs::{Job, Lane, Progress, Registry, ScheduleEntry, Timely};
use hanok_platform::store::{ReadTx, Reads};

/// Brings to mind what is due for it. Whoever is to hear of it listens for the change, or is another job begun here.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Remind {}

impl Job for Remind {
    const KIND: &'static str = "todo_reminders";
    const TITLE: (&'static str, &'static str) = ("할 일 알림", "Reminders of todos");
    const LANE: Lane = Lane::Quick;
    const ALONE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        while app.data.store.write(store::remind).await? {}
        Ok(())
    }
}

impl Timely for Remind {
    const ON: Change = store::CHANGED;

    fn next(tx: &impl Reads) -> Result<Option<DateTime<Utc>>> {
        store::next_reminder(tx)
    }
}

/// The kinds of job of the todos, added to those that are known.
pub fn jobs(registry: Registry) -> Registry {
    registry.with::<Remind>()
}

/// The part of the todos in the schedule.
pub fn schedule() -> Vec<ScheduleEntry> {
    vec![ScheduleEntry::when_due::<Remind>("todo_reminders")]
}

impl Today for TodosToday {
    fn read(tx: &ReadTx, _config: &Config) -> Result<TodosToday> {
        store::today(tx)
    }
}
