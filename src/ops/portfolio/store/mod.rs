//! The tables of the portfolio and the verbs over a transaction.

pub mod cash;
pub mod imports;
pub mod items;
pub mod sales;
pub mod snapshots;

use hanok_platform::events::Change;
use hanok_platform::search::SearchKind;
use hanok_platform::store::Declared;

/// Items, cash, sales or snapshots have changed.
pub const CHANGED: Change = Change::new("portfolio");

/// Every table of the portfolio.
pub const TABLES: &[&dyn Declared] =
    &[&items::ITEMS, &cash::CASH, &sales::SALES, &snapshots::SNAPSHOTS, &imports::IMPORTS];

/// What of the portfolio is found by words.
pub const SEARCH: &[SearchKind] =
    &[SearchKind { name: "holding", walk: |tx, visit| items::SEARCHED.walk(items::ITEMS.walk(tx), visit) }];
