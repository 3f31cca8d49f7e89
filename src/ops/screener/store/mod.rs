//! The tables of the screener and the verbs over a transaction.

pub mod bars;
mod import;
pub mod runs;

use hanok_platform::events::Change;
use hanok_platform::store::Declared;

pub use import::{ImportOutcome, Source, import_bars, remove_all, remove_demo};

/// The data, the settings or the runs have changed.
pub const CHANGED: Change = Change::new("screener");

/// Every table of the screener.
pub const TABLES: &[&dyn Declared] =
    &[&bars::BARS, &bars::INSTRUMENTS, &bars::DAYS, &bars::STATE, &runs::SETTINGS, &runs::RUNS, &runs::RESULTS];
