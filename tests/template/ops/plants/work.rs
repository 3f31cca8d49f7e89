//! What the plants do by themselves and on the command line.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::model::NewPlant;
use super::store::{self, PlantsToday};
use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::config::rule::SWITCH;
use hanok_platform::config::{Config, section};
use hanok_platform::domain::{Column, Command, Today, Verb, View};
use hanok_platform::jobs::{Job, Lane, Progress, ScheduleEntry, TaskId, Timing, enqueue};
use hanok_platform::store::{ReadTx, WriteTx};

section! {
    /// The household's plants.
    pub struct PlantSettings("plants", "화분") {
        /// Whether screens that are left open show each morning what needs water.
        #[ko("아침마다 새로 보여 주기", "열어 둔 화면에 매일 아침 물 줄 화분을 새로 보여 줄지 정합니다.")]
        #[en("Shown anew each morning")]
        morning: bool = true, SWITCH.on_page();
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
            View::List("plants", &[Column::text("plant", "/title"), Column::text("since", "/due")]),
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
    const UNIQUE: bool = true;

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

/// Reads the diary of a plant, which may be long.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadDiary {
    /// The id of the plant.
    pub plant: u64,
}

impl Job for ReadDiary {
    const KIND: &'static str = "plants_read_diary";
    const TITLE: (&'static str, &'static str) = ("화분 일지 읽기", "Read a plant's diary");
    const LANE: Lane = Lane::Quick;
    // Somebody asked for it once and is told.
    const SUBJECT: Option<&'static str> = None;

    fn example(tx: &WriteTx) -> Result<Self> {
        let plant = store::add(tx, NewPlant { title: "몬스테라".to_owned(), every_days: 7 })?.id;
        store::keep_diary(tx, plant, &"2026-10-02 물".to_owned())?;
        Ok(ReadDiary { plant })
    }

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        app.data.store.write(move |tx| store::read_diary(tx, self.plant)).await
    }
}

/// Keeps the diary of a plant and queues that it is read.
///
/// # Errors
/// `NOT_FOUND`.
pub fn bring_diary(tx: &WriteTx, plant: u64, diary: &String) -> Result<TaskId> {
    store::keep_diary(tx, plant, diary)?;
    enqueue(tx, &ReadDiary { plant })
}

/// Every morning, when the household wants it.
pub fn schedule(config: &Config) -> Vec<ScheduleEntry> {
    if !config.section::<PlantSettings>().morning {
        return Vec::new();
    }
    vec![ScheduleEntry::of::<NewDay>("plants_new_day", Timing::Cron("0 6 * * *"))]
}

impl Today for PlantsToday {
    fn read(tx: &ReadTx, _config: &Config) -> Result<PlantsToday> {
        store::today(tx)
    }
}
