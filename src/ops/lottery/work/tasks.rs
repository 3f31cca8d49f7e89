//! The desk's jobs and its part of the schedule.

use serde::{Deserialize, Serialize};

use super::draws::sync;
use crate::base::{Kind, Result};
use crate::platform::app::App;
use crate::platform::jobs::{Job, Progress, Registry, ScheduleEntry, Timing, enqueue};

/// Fetches new draws when the schedule says so; tries again when the operator is away.
#[derive(Debug, Serialize, Deserialize)]
pub struct Sync {}

/// Fetches new draws because somebody asked; says at once how it went.
#[derive(Debug, Serialize, Deserialize)]
pub struct SyncNow {}

const SYNC_TITLE: (&str, &str) = ("추첨 결과 가져오기", "Fetch draws from the operator");

impl Job for Sync {
    const KIND: &'static str = "lottery_sync";
    const TITLE: (&'static str, &'static str) = SYNC_TITLE;
    const ALONE: bool = true;
    const ATTEMPTS: u32 = 3;

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        let done = SyncNow {}.run(app, progress).await;
        match done {
            // Turned off on purpose: the schedule goes on without it.
            Err(error) if error.kind == Kind::NotConfigured => Ok(()),
            done => done,
        }
    }
}

impl Job for SyncNow {
    const KIND: &'static str = "lottery_sync_now";
    const TITLE: (&'static str, &'static str) = SYNC_TITLE;
    const ALONE: bool = true;

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        let outcome = sync(&app).await?;
        let said = format!("{} new, {} completed, {} kept aside", outcome.added, outcome.completed, outcome.conflicts);
        progress.say(100, said).await
    }
}

/// The desk's kinds of job, added to those that are known.
pub fn jobs(registry: Registry) -> Registry {
    registry.with::<Sync>().with::<SyncNow>()
}

/// The desk's part of the schedule. A draw is held on Saturday at 20:35 and published until about 21:10.
pub fn schedule() -> Vec<ScheduleEntry> {
    let sync = |name, cron| ScheduleEntry {
        name,
        title: SYNC_TITLE,
        timing: Timing::Cron(cron),
        at_first_start: false,
        enqueue: |tx| enqueue(tx, &Sync {}),
    };
    vec![
        sync("lottery_sync", "45,55 20 * * 6"),
        sync("lottery_sync_complete", "15 21 * * 6"),
        sync("lottery_sync_sunday", "0 9 * * 0"),
    ]
}
