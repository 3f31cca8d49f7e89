//! The newest day from the exchange's open API: the whole market in three answers.

use std::time::Duration;

use chrono::{Datelike, Days, NaiveDate, Weekday};
use serde::{Deserialize, Serialize};

use super::super::model::krx::read_answer;
use super::super::model::said;
use super::super::model::table::ListedDays;
use super::super::store::{self, ImportOutcome, Source, bars};
use super::settings::ScreenerSettings;
use hanok_base::{Error, Kind, MessageTemplate, Result, day};
use hanok_platform::app::App;
use hanok_platform::config::Config;
use hanok_platform::jobs::{Job, Lane, Progress, Registry, ScheduleEntry, Timing};
use hanok_platform::upstream::{Limits, Provider};

/// The exchange.
pub const EXCHANGE: Provider = Provider {
    name: "screener_exchange",
    title_ko: "한국거래소",
    title_en: "The Korean exchange",
    setting: "screener.krx_key",
};

/// How far is gone back for a day that is published: a long holiday is shorter.
const BACK: u64 = 14;
/// So many days without any trade are asked for at most.
const MOST_ASKED: usize = 7;
/// Bytes of one answer; a market of two thousand stocks has a tenth of it.
const LARGEST: usize = 8 << 20;

/// The markets; the first has trade on every day that the exchange is open.
const MARKETS: [&str; 3] = ["stk_bydd_trd", "ksq_bydd_trd", "knx_bydd_trd"];

const NOTHING_PUBLISHED: MessageTemplate =
    MessageTemplate::new("screener.upstream.nothing", "the exchange has published nothing of the last days");

/// The exchange, and whether it is asked at all.
pub fn providers(config: &Config) -> Vec<(&'static Provider, bool)> {
    vec![(&EXCHANGE, !config.section::<ScreenerSettings>().krx_key.is_empty())]
}

/// Takes in the newest day that is published.
///
/// # Errors
/// `NOT_CONFIGURED` without a key; `UPSTREAM_UNAVAILABLE` and `UPSTREAM_TIMEOUT`, after which nothing has changed.
pub async fn refresh(app: &App) -> Result<ImportOutcome> {
    let settings = app.config.section::<ScreenerSettings>();
    if settings.krx_key.is_empty() {
        return Err(Error::not_configured("screener.krx_key"));
    }
    let today = day::of(app.clock.now());
    let is_weekday = |day: &NaiveDate| !matches!(day.weekday(), Weekday::Sat | Weekday::Sun);
    let back = (0..BACK).filter_map(|days| today.checked_sub_days(Days::new(days))).filter(is_weekday);
    for day in back.take(MOST_ASKED) {
        let mut listed = ask(app, &settings, MARKETS[0], day).await?;
        if listed.stocks.is_empty() {
            continue;
        }
        for market in &MARKETS[1..] {
            listed.join(ask(app, &settings, market, day).await?);
        }
        for what in &listed.named {
            tracing::warn!(provider = EXCHANGE.name, "a row of the answer is no stock: {what}");
        }
        return app.data.store.write(move |tx| store::import_bars(tx, &listed, Source::Exchange)).await;
    }
    Err(Error::new(Kind::UpstreamUnavailable, NOTHING_PUBLISHED))
}

async fn ask(app: &App, settings: &ScreenerSettings, market: &str, day: NaiveDate) -> Result<ListedDays> {
    let url = format!("{}/sto/{market}?basDd={}", settings.krx_address, day.format("%Y%m%d"));
    let limits = Limits {
        headers: vec![("AUTH_KEY", settings.krx_key.reveal().to_owned())],
        max_bytes: LARGEST,
        ..Limits::json(Duration::from_secs(settings.timeout_seconds))
    };
    let read = |listed: ListedDays| {
        // On a day with trade on the main board there is trade on the others, too.
        let is_whole = market == MARKETS[0] || !listed.stocks.is_empty();
        if is_whole { Ok(listed) } else { Err(format!("{market} is empty on a day with trade")) }
    };
    app.outside.upstream.read(&EXCHANGE, &url, limits, |answer| read_answer(&answer.body, day).and_then(read)).await
}

/// Takes in the newest day when the schedule says so.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Refresh {}

impl Job for Refresh {
    const KIND: &'static str = "screener_refresh";
    const TITLE: (&'static str, &'static str) = ("종목 시세 가져오기", "Fetch the bars of all stocks");
    const LANE: Lane = Lane::Outside;
    const UNIQUE: bool = true;
    const ATTEMPTS: u32 = 3;
    const QUIET: bool = true;

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        let taken = match refresh(&app).await {
            // As nobody asked for it, nothing is wrong where there is no key.
            Err(error) if error.kind == Kind::NotConfigured => return Ok(()),
            taken => taken?,
        };
        let day = taken.data_day.map(|day| day.to_string()).unwrap_or_default();
        progress.say(100, said::REFRESHED.with([("symbols", taken.symbols.into()), ("day", day.into())])).await
    }
}

/// The kinds of job of the screener, added to those that are known.
pub fn jobs(registry: Registry) -> Registry {
    registry.with::<Refresh>()
}

/// Every weekday after the exchange has published the day before.
pub fn schedule(config: &Config) -> Vec<ScheduleEntry> {
    if config.section::<ScreenerSettings>().krx_key.is_empty() {
        return Vec::new();
    }
    vec![ScheduleEntry::of::<Refresh>("screener_refresh", Timing::Cron("30 8 * * 1-5"))]
}

/// The newest day and how many stocks it has.
///
/// # Errors
/// Those of the store.
pub async fn extent(app: &App) -> Result<bars::Extent> {
    app.data.store.read_inline(|tx| bars::extent(tx)).await
}
