//! The job that new draws begin: whoever takes draws in queues it.

use serde::{Deserialize, Serialize};

use super::reports;
use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::jobs::{Job, Lane, Progress};
use hanok_platform::store::WriteTx;

/// What follows when draws are new or more complete.
#[derive(Debug, Serialize, Deserialize)]
pub struct NewDraws {
    /// The draws.
    pub draw_nos: Vec<u32>,
}

impl Job for NewDraws {
    const KIND: &'static str = "lottery_new_draws";
    const TITLE: (&'static str, &'static str) = ("새 추첨 결과 반영", "Follow up on new draws");
    const LANE: Lane = Lane::Quick;

    fn example(_tx: &WriteTx) -> Result<Self> {
        Ok(NewDraws { draw_nos: vec![1000, 1001] })
    }

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        for draw_no in self.draw_nos {
            reports::review_draw(&app, Some(draw_no)).await?;
        }
        reports::make_report_when_due(&app).await?;
        reports::compose_briefing_when_due(&app).await
    }
}
