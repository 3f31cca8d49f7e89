//! The routes of the markets.

pub mod news;
pub mod prices;
pub mod quotes;
pub mod relay;
