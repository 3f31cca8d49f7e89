//! The jobs of the lottery and its part of the schedule. Each does what is due and nothing twice.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};

use super::super::model::said;
use super::super::store::draws as stored;
use super::new_draws::NewDraws;
use super::{draws, reports};
use hanok_base::{Kind, Message, Result, day};
use hanok_calc::lottery::draw::date_of;
use hanok_platform::app::App;
use hanok_platform::events::Change;
use hanok_platform::jobs::{Job, Lane, Progress, Registry, ScheduleEntry, Timely, Timing};
use hanok_platform::store::{ReadTransaction, WriteTx};

/// Counted from the beginning of the day of a draw.
const FROM_THE_NEXT_NOON: Duration = Duration::hours(36);

/// Fetches new draws when the schedule says so; tries again when the operator is away.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Sync {}

/// Fetches new draws because somebody asked; says at once how it went.
#[derive(Debug, Serialize, Deserialize)]
pub struct SyncNow {}

/// Fetches what was drawn since the program was made, at the very first start.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct SyncFirst {}

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

impl Job for Sync {
    const KIND: &'static str = "lottery_sync";
    const TITLE: (&'static str, &'static str) = ("추첨 결과 가져오기", "Fetch draws from the operator");
    const LANE: Lane = Lane::Outside;
    const UNIQUE: bool = true;
    const ATTEMPTS: u32 = 3;
    const QUIET: bool = true;

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        fetch_by_itself(&app, &progress).await
    }
}

/// While draws are missing the operator is asked once a day, from the day after the first of them was held on: until
/// then it may not have published it, and is asked at fixed hours.
impl Timely for Sync {
    const ON: Change = stored::CHANGED;
    const PAUSE: Duration = Duration::days(1);

    fn next(tx: &impl ReadTransaction) -> Result<Option<DateTime<Utc>>> {
        let ranges = stored::missing_ranges(tx, stored::missing(tx)?)?;
        let first = ranges.first().map(|range| date_of(range.from)).transpose()?;
        Ok(first.map(|held| day::start(held) + FROM_THE_NEXT_NOON))
    }
}

impl Job for SyncFirst {
    const KIND: &'static str = "lottery_sync_first";
    const TITLE: (&'static str, &'static str) = ("처음 켤 때 추첨 결과 가져오기", "Fetch draws at the first start");
    const LANE: Lane = Lane::Outside;
    const UNIQUE: bool = true;
    const ATTEMPTS: u32 = 3;
    const QUIET: bool = true;
    const SUBJECT: Option<&'static str> = Sync::SUBJECT;

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        if app.data.store.read(|tx| stored::missing(tx)).await? == 0 {
            return Ok(());
        }
        fetch_by_itself(&app, &progress).await
    }
}

impl Job for SyncNow {
    const KIND: &'static str = "lottery_sync_now";
    const TITLE: (&'static str, &'static str) = ("추첨 결과 바로 가져오기", "Fetch draws now");
    const LANE: Lane = Lane::Outside;
    const UNIQUE: bool = true;
    const QUIET: bool = true;
    const SUBJECT: Option<&'static str> = Sync::SUBJECT;

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        fetch(&app, &progress).await
    }
}

impl Job for WriteReport {
    const KIND: &'static str = "lottery_report";
    const TITLE: (&'static str, &'static str) = ("로또 주간 리포트", "Weekly lottery report");
    const LANE: Lane = Lane::Quick;
    const UNIQUE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        reports::make_report_when_due(&app).await
    }
}

impl Job for WriteBriefing {
    const KIND: &'static str = "lottery_briefing";
    const TITLE: (&'static str, &'static str) = ("로또 브리핑", "Lottery briefing");
    const LANE: Lane = Lane::Quick;
    const UNIQUE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        reports::compose_briefing_when_due(&app).await
    }
}

impl Job for ReviewDraw {
    const KIND: &'static str = "lottery_review";
    const TITLE: (&'static str, &'static str) = ("로또 회차 복기", "Review of the draw");
    const LANE: Lane = Lane::Quick;
    const SETTLES: Duration = Duration::seconds(2);

    fn example(_tx: &WriteTx) -> Result<Self> {
        Ok(ReviewDraw { draw_no: Some(1000) })
    }

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        reports::review_draw(&app, self.draw_no).await
    }
}

/// As nobody asked for it, nothing is wrong where it is turned off.
async fn fetch_by_itself(app: &App, progress: &Progress) -> Result<()> {
    match fetch(app, progress).await {
        Err(error) if error.kind == Kind::NotConfigured => Ok(()),
        done => done,
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

/// What became of the rows of an answer, in numbers, and only what happened: nothing of what the operator wrote.
fn sentence(outcome: &draws::Outcome) -> Message {
    let draws::Outcome { added, completed, corrected, conflicts, refused, .. } = *outcome;
    let counted = [
        (said::TAKEN_IN, "added", added),
        (said::TAKEN_IN_COMPLETED, "completed", completed),
        (said::TAKEN_IN_CORRECTED, "corrected", corrected),
        (said::TAKEN_IN_ASIDE, "aside", conflicts),
        (said::TAKEN_IN_REFUSED, "refused", refused),
    ];
    let happened = counted.into_iter().filter(|(.., count)| *count > 0);
    let parts: Vec<Message> = happened.map(|(sentence, name, count)| sentence.with([(name, count.into())])).collect();
    if parts.is_empty() { said::NOTHING_NEW.into() } else { Message::all(parts) }
}

/// The kinds of job of the lottery that stand here, added to those that are known.
pub fn jobs(registry: Registry) -> Registry {
    registry
        .with::<Sync>()
        .with::<SyncNow>()
        .with::<SyncFirst>()
        .with::<NewDraws>()
        .with::<WriteReport>()
        .with::<WriteBriefing>()
        .with::<ReviewDraw>()
}

/// The part of the lottery in the schedule. A draw is held on Saturday at 20:35 and published until about 21:10.
pub fn schedule() -> Vec<ScheduleEntry> {
    vec![
        ScheduleEntry::of::<Sync>("lottery_sync", Timing::Cron("45,55 20 * * 6"))
            .titled("추첨 직후 결과 가져오기", "Fetch the draw right after it is held"),
        ScheduleEntry::of::<Sync>("lottery_sync_complete", Timing::Cron("15 21 * * 6"))
            .titled("당첨금 발표 뒤 결과 가져오기", "Fetch the draw once its prizes are out"),
        ScheduleEntry::of::<Sync>("lottery_sync_sunday", Timing::Cron("0 9 * * 0"))
            .titled("일요일 아침에 추첨 결과 가져오기", "Fetch draws on Sunday morning"),
        ScheduleEntry::of::<SyncFirst>("lottery_sync_first", Timing::Once),
        ScheduleEntry::when_due::<Sync>("lottery_sync_missing")
            .at_each_start()
            .titled("빠진 추첨 결과 가져오기", "Fetch draws that are missing"),
        ScheduleEntry::of::<ReviewDraw>("lottery_review", Timing::Cron("20 21 * * 6"))
            .titled("추첨한 날 저녁 회차 복기", "Review of the draw, the same evening"),
        ScheduleEntry::of::<ReviewDraw>("lottery_review_sunday", Timing::Cron("10 9 * * 0"))
            .titled("일요일 아침 회차 복기", "Review of the draw, Sunday morning"),
        ScheduleEntry::of::<WriteReport>("lottery_report", Timing::Cron("30 9 * * 0")).at_first_start(),
        ScheduleEntry::of::<WriteBriefing>("lottery_briefing", Timing::Cron("30 9 * * 0")).at_first_start(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_became_of_an_answer_is_said_without_what_did_not_happen() {
        let mut outcome = draws::Outcome { added: 1, completed: 2, corrected: 3, conflicts: 4, ..Default::default() };
        let mut said = || {
            let said = sentence(&outcome);
            outcome.refused += 1;
            said
        };
        assert_eq!(said(), "1 new draw; 2 completed; 3 corrected; 4 kept aside");
        assert_eq!(said(), "1 new draw; 2 completed; 3 corrected; 4 kept aside; 1 row is no draw");
        assert_eq!(said(), "1 new draw; 2 completed; 3 corrected; 4 kept aside; 2 rows are no draws");
        assert_eq!(sentence(&draws::Outcome { completed: 1, ..Default::default() }), "1 completed");
        assert_eq!(sentence(&draws::Outcome { unchanged: 7, ..Default::default() }), "nothing new");
    }
}
