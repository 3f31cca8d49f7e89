//! What others say of the markets, passed on untouched: charts of four symbols, and the sentiment.

use std::sync::Arc;

use chrono::TimeDelta;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::quotes::{chart, limits};
use super::settings::MarketSettings;
use hanok_base::{Error, Result};
use hanok_platform::app::App;
use hanok_platform::upstream::{AnswerSet, LastGood, Provider, UpstreamResponse};

/// Who measures fear and greed.
pub const SENTIMENT: Provider = Provider {
    name: "market_sentiment",
    title_ko: "시장 심리 제공처",
    title_en: "The provider of sentiment",
    setting: "market.sentiment",
};

/// The one answer of the provider of sentiment.
static SENTIMENTS: AnswerSet = AnswerSet {
    name: "market_sentiment",
    provider: &SENTIMENT,
    fresh_for: TimeDelta::minutes(5),
    pause: TimeDelta::minutes(5),
    kept_for: TimeDelta::days(7),
    most: 1,
    check: |answer: &UpstreamResponse| answer.json::<Sentiment>().map(drop),
};

/// What the answer must have: a score that is a number.
#[derive(Deserialize)]
struct Sentiment {
    #[serde(rename = "fear_and_greed")]
    _now: Score,
}

#[derive(Deserialize)]
struct Score {
    #[serde(rename = "score")]
    _score: f64,
    #[serde(rename = "rating")]
    _rating: Option<Box<RawValue>>,
}

/// A chart that is passed on.
#[derive(Debug, Clone, Copy)]
pub enum Relayed {
    /// Expected fluctuation of the S&P 500.
    Vix,
    /// Yield of ten-year treasury notes of the United States.
    Treasury,
    /// Crude oil of West Texas, the next future.
    Wti,
    /// Crude oil of the North Sea, the next future.
    Brent,
}

/// A body that is passed on.
#[derive(Debug, Clone)]
pub struct RelayedBody {
    /// As the provider has sent it.
    pub body: Arc<str>,
    /// How many seconds ago that was.
    pub age: u64,
    /// Whether the provider fails.
    pub stale: bool,
}

fn relayed(app: &App, good: LastGood) -> RelayedBody {
    let age = (app.clock.now() - good.as_of).num_seconds().max(0).unsigned_abs();
    RelayedBody { body: good.body, age, stale: good.stale }
}

/// The last good chart of it.
///
/// # Errors
/// `NOT_CONFIGURED`; `UPSTREAM_UNAVAILABLE` and `UPSTREAM_TIMEOUT` where there is none.
pub async fn of_chart(app: &App, what: Relayed) -> Result<RelayedBody> {
    let symbol = match what {
        Relayed::Vix => "^VIX",
        Relayed::Treasury => "^TNX",
        Relayed::Wti => "CL=F",
        Relayed::Brent => "BZ=F",
    };
    Ok(relayed(app, chart(app, symbol).await?))
}

/// The last good answer on sentiment.
///
/// # Errors
/// As [`of_chart`].
pub async fn of_sentiment(app: &App) -> Result<RelayedBody> {
    let settings = app.config.section::<MarketSettings>();
    if !settings.sync {
        return Err(Error::not_configured("market.sync"));
    }
    if settings.sentiment.is_empty() {
        return Err(Error::not_configured("market.sentiment"));
    }
    let url = format!("{}/index/fearandgreed/graphdata", settings.sentiment);
    let good = app.outside.upstream.last_good(&SENTIMENTS, "now", &url, limits(&settings)).await?;
    Ok(relayed(app, good))
}
