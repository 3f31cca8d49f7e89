//! The jobs of the lottery and its part of the schedule. Each does what is due and nothing twice.

use serde::{Deserialize, Serialize};

use super::new_draws::NewDraws;
use super::{draws, reports};
use hanok_base::{Kind, Result};
use hanok_platform::app::App;
use hanok_platform::jobs::{Job, Lane, Progress, Registry, ScheduleEntry, Timing};

/// Fetches new draws when the schedule says so; tries again when the operator is away.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Sync {}

/// Fetches new draws because somebody asked; says at once how it went.
#[derive(Debug, Serialize, Deserialize)]
pub struct SyncNow {}

/// The report for the coming draw.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct WriteReport {}

/// The briefing for the coming draw.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct WriteBriefing {}

/// The review of a draw.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ReviewDraw {
    /// The draw; none is the newest one.
    #[serde(default)]
    pub draw_no: Option<u32>,
}

const SYNC: (&str, &str) = ("추첨 결과 가져오기", "Fetch draws from the operator");

impl Job for Sync {
    const KIND: &'static str = "lottery_sync";
    const TITLE: (&'static str, &'static str) = SYNC;
    const LANE: Lane = Lane::Outside;
    const ALONE: bool = true;
    const ATTEMPTS: u32 = 3;

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        let done = fetch(&app, &progress).await;
        match done {
            // Turned off on purpose: the schedule goes on without it.
            Err(error) if error.kind == Kind::NotConfigured => Ok(()),
            done => done,
        }
    }
}

impl Job for SyncNow {
    const KIND: &'static str = "lottery_sync_now";
    const TITLE: (&'static str, &'static str) = SYNC;
    const LANE: Lane = Lane::Outside;
    const ALONE: bool = true;

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        fetch(&app, &progress).await
    }
}

impl Job for WriteReport {
    const KIND: &'static str = "lottery_report";
    const TITLE: (&'static str, &'static str) = ("로또 주간 리포트", "Weekly lottery report");
    const LANE: Lane = Lane::Quick;
    const ALONE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        reports::make_report_when_due(&app).await
    }
}

impl Job for WriteBriefing {
    const KIND: &'static str = "lottery_briefing";
    const TITLE: (&'static str, &'static str) = ("로또 브리핑", "Lottery briefing");
    const LANE: Lane = Lane::Quick;
    const ALONE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        reports::compose_briefing_when_due(&app).await
    }
}

impl Job for ReviewDraw {
    const KIND: &'static str = "lottery_review";
    const TITLE: (&'static str, &'static str) = ("로또 회차 돌아보기", "Review of the draw");
    const LANE: Lane = Lane::Quick;
    const EXAMPLE: &'static str = r#"{"draw_no": 1000}"#;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        reports::review_draw(&app, self.draw_no).await
    }
}

async fn fetch(app: &App, progress: &Progress) -> Result<()> {
    let received = draws::ask_operator(app).await?;
    // Of draws that are taken in the task says so, also when it is cancelled at that moment.
    let taken_in = progress.uninterrupted(async {
        let outcome = draws::take_received(app, received).await?;
        progress.say(100, sentence(&outcome)).await
    });
    taken_in.await
}

/// What became of the rows of an answer, in numbers: nothing of what the operator wrote.
fn sentence(outcome: &draws::Outcome) -> String {
    let draws::Outcome { added, completed, corrected, conflicts, refused, .. } = outcome;
    let taken_in = format!("{added} new, {completed} completed, {corrected} corrected, {conflicts} kept aside");
    match refused {
        0 => taken_in,
        1 => format!("{taken_in}; 1 row is no draw"),
        _ => format!("{taken_in}; {refused} rows are no draws"),
    }
}

/// The kinds of job of the lottery, added to those that are known.
pub fn jobs(registry: Registry) -> Registry {
    registry
        .with::<Sync>()
        .with::<SyncNow>()
        .with::<NewDraws>()
        .with::<WriteReport>()
        .with::<WriteBriefing>()
        .with::<ReviewDraw>()
}

/// The part of the lottery in the schedule. A draw is held on Saturday at 20:35 and published until about 21:10.
pub fn schedule() -> Vec<ScheduleEntry> {
    vec![
        ScheduleEntry::of::<Sync>("lottery_sync", Timing::Cron("45,55 20 * * 6")),
        ScheduleEntry::of::<Sync>("lottery_sync_complete", Timing::Cron("15 21 * * 6")),
        ScheduleEntry::of::<Sync>("lottery_sync_sunday", Timing::Cron("0 9 * * 0")),
        ScheduleEntry::of::<ReviewDraw>("lottery_review", Timing::Cron("20 21 * * 6")),
        ScheduleEntry::of::<ReviewDraw>("lottery_review_sunday", Timing::Cron("10 9 * * 0")),
        ScheduleEntry::of::<WriteReport>("lottery_report", Timing::Cron("30 9 * * 0")).at_first_start(),
        ScheduleEntry::of::<WriteBriefing>("lottery_briefing", Timing::Cron("30 9 * * 0")).at_first_start(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_no_draws_are_counted_in_what_the_task_says() {
        let mut outcome = draws::Outcome { added: 1, completed: 2, corrected: 3, conflicts: 4, ..Default::default() };
        let mut said = || {
            let said = sentence(&outcome);
            outcome.refused += 1;
            said
        };
        assert_eq!(said(), "1 new, 2 completed, 3 corrected, 4 kept aside");
        assert_eq!(said(), "1 new, 2 completed, 3 corrected, 4 kept aside; 1 row is no draw");
        assert_eq!(said(), "1 new, 2 completed, 3 corrected, 4 kept aside; 2 rows are no draws");
    }
}
