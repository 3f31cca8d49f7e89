//! The tables of the markets and the verbs over a transaction.

pub mod indices;
pub mod news;
pub mod prices;

use hanok_platform::store::Declared;

/// Every table of the markets, each with what is derived from it.
pub const TABLES: &[&dyn Declared] =
    &[&prices::PRICES, &prices::RATES, &prices::WATCHED, &indices::LAST, &indices::CLOSES, &news::NEWS, &news::FEEDS];
