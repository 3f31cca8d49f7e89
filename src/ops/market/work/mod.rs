//! What the markets do: ask the providers, now and by schedule.

mod command;
mod feeds;
pub mod indices;
pub mod news;
pub mod quotes;
pub mod relay;
pub mod settings;
mod tasks;
mod today;

pub use command::{COMMAND, QUOTES_IN_REACH};
pub use quotes::refresh;
pub use settings::MarketSettings;
pub use tasks::{jobs, schedule};

use super::model::listings::{self, Listing};
use hanok_base::Result;
use hanok_platform::blocking;
use hanok_platform::config::Config;
use hanok_platform::upstream::Provider;

/// The providers, and whether each is asked.
pub fn providers(config: &Config) -> Vec<(&'static Provider, bool)> {
    let settings = config.section::<MarketSettings>();
    let named = feeds::FEEDS.iter().zip(settings.feeds()).map(|(provider, _)| (provider, settings.sync));
    let sentiment = settings.sync && !settings.sentiment.is_empty();
    [(&quotes::QUOTES, settings.sync), (&relay::SENTIMENT, sentiment)].into_iter().chain(named).collect()
}

/// What is listed and meant by `words`, looked for off the threads that answer.
///
/// # Errors
/// `INTERNAL`.
pub async fn find_listings(words: String, most: usize) -> Result<Vec<Listing>> {
    blocking::run(move |_| Ok(listings::find_listings(&words, most))).await
}
