//! The markets: news, indices, sentiment, and the prices and rates that other rooms of the household reckon with.
//!
//! Used by the pages of the markets, by Today, and by portfolio, trade and screener. A price that is kept by hand is the one
//! that counts until it is cleared; after it the newer of the provider's and the one that came with imported data. Nothing here
//! needs a network: closes of the Korean indices and the list of what is traded there ship with the program
//! (`assets/data/krx`, whose `README.md` says how they are made).
//!
//! Deliberately not here: what the household owns, and any advice.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::config::SectionKind;
use hanok_platform::domain::{Domain, TodayPart};

pub use model::listings::{Listing, find_listings, listing, market_of};
pub use model::symbols::{MarketName, Symbol};
pub use store::prices::{
    CHANGED, Price, PriceSource, Rate, clear_manual_price, clear_manual_rate, price, rate, set_imported_price,
    set_manual_price, set_manual_rate, unwatch, watch, watch_while_held,
};
pub use work::{MarketSettings, refresh};

/// What the room says of itself.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    changes: &[CHANGED],
    settings: Some(SectionKind::of::<MarketSettings>()),
    providers: work::providers,
    jobs: work::jobs,
    schedule: work::schedule,
    today: Some(TodayPart::of::<store::indices::MarketToday>()),
    search: store::news::SEARCH,
    command: Some(work::COMMAND),
    reaches: &[work::QUOTES_IN_REACH],
    pages: &["market"],
    ..Domain::EMPTY
};
