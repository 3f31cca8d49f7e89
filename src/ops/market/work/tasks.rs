//! The jobs of the markets and their part of the schedule.

use serde::{Deserialize, Serialize};

use super::super::store::prices;
use super::settings::MarketSettings;
use super::{feeds, indices, quotes};
use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::config::Config;
use hanok_platform::jobs::{Job, Lane, Progress, Registry, ScheduleEntry, Timing};

/// Symbols that are asked for in one round at most.
const MOST_IN_A_ROUND: usize = 200;

/// Fetches the indices, the prices that are watched, and the rates of the currencies in use.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct FetchPrices {}

impl Job for FetchPrices {
    const KIND: &'static str = "market_prices";
    const TITLE: (&'static str, &'static str) = ("시세 가져오기", "Fetch prices");
    const LANE: Lane = Lane::Outside;
    const UNIQUE: bool = true;
    const QUIET: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        indices::fetch(&app).await?;
        let wanted = app.data.store.read(|tx| prices::watched(tx, MOST_IN_A_ROUND)).await?;
        quotes::refresh(&app, wanted).await
    }
}

/// Fetches the news.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct FetchNews {}

impl Job for FetchNews {
    const KIND: &'static str = "market_news";
    const TITLE: (&'static str, &'static str) = ("뉴스 가져오기", "Fetch news");
    const LANE: Lane = Lane::Outside;
    const UNIQUE: bool = true;
    const QUIET: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        feeds::fetch(&app).await.map(drop)
    }
}

/// The kinds of job of the markets, added to those that are known.
pub fn jobs(registry: Registry) -> Registry {
    registry.with::<FetchPrices>().with::<FetchNews>()
}

/// The part of the markets in the schedule; none while nobody is asked.
pub fn schedule(config: &Config) -> Vec<ScheduleEntry> {
    if !config.section::<MarketSettings>().sync {
        return Vec::new();
    }
    vec![
        ScheduleEntry::of::<FetchPrices>("market_prices", Timing::Cron("*/10 * * * 1-6")).at_first_start(),
        ScheduleEntry::of::<FetchNews>("market_news", Timing::Cron("*/15 * * * *")).at_first_start(),
    ]
}
