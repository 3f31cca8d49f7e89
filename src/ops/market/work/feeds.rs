//! The client of the news feeds: each is asked whether it has changed, and one that fails harms no other.

use std::time::Duration;

use tracing::warn;

use super::super::model::feeds::{FeedSetting, MOST_FEEDS, read};
use super::super::store::news;
use super::settings::MarketSettings;
use hanok_base::{Error, Result};
use hanok_platform::app::App;
use hanok_platform::upstream::{Accept, Limits, Provider, Validators};

/// The largest feed that is read.
const LARGEST: usize = 5 << 20;

/// Each feed by its place in the settings, so that the breaker of one leaves the others alone.
pub static FEEDS: [Provider; MOST_FEEDS] = [
    feed("market_feed_1", "뉴스 피드 1", "News feed 1"),
    feed("market_feed_2", "뉴스 피드 2", "News feed 2"),
    feed("market_feed_3", "뉴스 피드 3", "News feed 3"),
    feed("market_feed_4", "뉴스 피드 4", "News feed 4"),
    feed("market_feed_5", "뉴스 피드 5", "News feed 5"),
    feed("market_feed_6", "뉴스 피드 6", "News feed 6"),
    feed("market_feed_7", "뉴스 피드 7", "News feed 7"),
    feed("market_feed_8", "뉴스 피드 8", "News feed 8"),
    feed("market_feed_9", "뉴스 피드 9", "News feed 9"),
    feed("market_feed_10", "뉴스 피드 10", "News feed 10"),
    feed("market_feed_11", "뉴스 피드 11", "News feed 11"),
    feed("market_feed_12", "뉴스 피드 12", "News feed 12"),
];

const fn feed(name: &'static str, title_ko: &'static str, title_en: &'static str) -> Provider {
    Provider { name, title_ko, title_en, setting: "market.feeds" }
}

/// Asks every feed once and keeps what is new. How many news that are.
///
/// # Errors
/// Those of the store; a feed that fails is passed over.
pub async fn fetch(app: &App) -> Result<usize> {
    let settings = app.config.section::<MarketSettings>();
    let mut added = 0;
    if settings.sync {
        for (provider, feed) in FEEDS.iter().zip(settings.feeds()) {
            added += fetch_one(app, provider, feed, settings.timeout_seconds).await?;
        }
    }
    Ok(added)
}

async fn fetch_one(app: &App, provider: &'static Provider, feed: FeedSetting, seconds: u64) -> Result<usize> {
    let address = feed.address.clone();
    let known = app.data.store.read(move |tx| news::known_of(tx, &address)).await?;
    // What another version has kept is as good as nothing.
    let known: Validators = serde_json::from_value(known).unwrap_or_default();
    let limits = Limits {
        timeout: Duration::from_secs(seconds),
        max_bytes: LARGEST,
        accept: Accept::Anything,
        headers: Vec::new(),
    };
    let told =
        app.outside.upstream.read_if_changed(provider, &feed.address, limits, &known, |answer| read(&answer.body));
    // Why it failed is in the log, and on the page of the providers.
    let Ok(Some(((items, beyond), known))) = told.await else { return Ok(0) };
    if beyond > 0 {
        warn!(provider = provider.name, "{beyond} entries of the feed are passed over: they are too many");
    }
    let known = serde_json::to_value(known).map_err(Error::internal)?;
    app.data.store.write(move |tx| news::take(tx, &feed, items, &known)).await
}
