//! What the plants do by themselves and on the command line.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::store;
use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::config::rule::SWITCH;
use hanok_platform::config::{Config, section};
use hanok_platform::domain::{Column, Command, Verb, View};
use hanok_platform::jobs::{Job, Lane, Progress, ScheduleEntry, Timing};

section! {
    /// The household's plants.
    pub struct PlantSettings("plants") {
        /// Whether screens that are left open show each morning what needs water.
        morning: bool = true, SWITCH;
    }
}

/// How many thirsty plants the command lists, the driest first.
const MOST_SHOWN: usize = 100;

/// `hanok plants`.
pub const COMMAND: Command = Command {
    name: "plants",
    about: "The household's plants: what needs water",
    example: "hanok plants thirsty",
    verbs: &[Verb {
        name: "thirsty",
        about: "Show the plants that need water",
        example: "hanok plants thirsty --json",
        takes: &[],
        run: |app, _| {
            Box::pin(async move {
                let (plants, total) = app.data.store.read(|tx| store::thirsty(tx, MOST_SHOWN)).await?;
                Ok(json!({ "plants": plants, "total": total }))
            })
        },
        shows: &[
            View::Thing(&[Column::count("thirsty", "/total")]),
            View::List("plants", &[Column::text("plant", "/name"), Column::text("since", "/due")]),
        ],
    }],
};

/// A new day has come: other plants need water than yesterday.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct NewDay {}

impl Job for NewDay {
    const KIND: &'static str = "plants_new_day";
    const TITLE: (&'static str, &'static str) = ("오늘 물 줄 화분", "Plants that need water today");
    const LANE: Lane = Lane::Quick;
    const ALONE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        app.data
            .store
            .write(|tx| {
                tx.announce(store::CHANGED);
                Ok(())
            })
            .await
    }
}

/// Every morning, when the household wants it.
pub fn schedule(config: &Config) -> Vec<ScheduleEntry> {
    if !config.section::<PlantSettings>().morning {
        return Vec::new();
    }
    vec![ScheduleEntry::of::<NewDay>("plants_new_day", Timing::Cron("0 6 * * *"))]
}
