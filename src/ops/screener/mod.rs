//! The screener: bars of every stock of the Korean exchange, rules that judge them, and runs that say why each is in or out.
//!
//! Used by the household's page of the screener; the closes of what is imported are prices for the other rooms, too
//! (`ops/market`). Tables `screener_bars-1` (a year of a stock in a row, in won as they were then),
//! `screener_instruments-1`, `screener_days-1`, `screener_state-1`, `screener_settings-1`, `screener_runs-1` with
//! `screener_results-1`. Bars come by `hanok screener import`, from the exchange's open API where there is a key, or are made
//! up (`hanok screener demo`). They are adjusted for splits where they are read, held in memory until they change, and a run is
//! worked out from there. The indicators are those of `calc/indicators`.
//!
//! Deliberately not here: orders, and any advice. A rule whose data are missing never passes.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::config::SectionKind;
use hanok_platform::domain::Domain;

pub use work::settings::ScreenerSettings;

/// What the room says of itself.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    changes: &[store::CHANGED],
    settings: Some(SectionKind::of::<ScreenerSettings>()),
    providers: work::refresh::providers,
    jobs: work::refresh::jobs,
    schedule: work::refresh::schedule,
    command: Some(work::command::COMMAND),
    document_rules: http::document_rules,
    pages: &["screener"],
    ..Domain::EMPTY
};
