//! What the household holds: items, cash, what they were worth day by day, and what was sold.
//!
//! Used by the pages of the portfolio, by Today and by trade. Prices and rates are those of `ops/market`; values
//! are computed when they are asked for (`model/valuation.rs`), so nothing here grows old. Tables: `portfolio_items-1`,
//! `portfolio_cash-1`, `portfolio_snapshots-1`, `portfolio_imports-1`, and `portfolio_sales-1` with its order, the same by
//! broker, and what was sold in each month and on each day.
//!
//! Deliberately not here: what was bought one by one, dividends, and tax advice. A sale record keeps the rates it was
//! computed with; correcting it later never changes an item.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::domain::{Domain, TodayPart};

/// What the room says of itself.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    codes: model::CODES,
    changes: &[store::CHANGED],
    jobs: work::jobs,
    schedule: |_| work::schedule(),
    today: Some(TodayPart::of::<model::PortfolioToday>()),
    search: store::SEARCH,
    command: Some(work::COMMAND),
    pages: &["portfolio"],
    ..Domain::EMPTY
};
