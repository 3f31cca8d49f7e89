//! What the lottery does: keeps the draws up to date, and works out what the pages show.

pub mod command;
pub mod draws;
pub mod fitted_draws;
mod new_draws;
pub mod picks;
pub mod purchase_table;
pub mod purchases;
pub mod reports;
pub mod search;
pub mod settings;
mod table_import;
mod tasks;
mod today;

pub use draws::{BUILT_IN, OPERATOR, providers, sync};
pub use search::SearchWork;
pub use table_import::begin as begin_import;
pub use tasks::{SyncNow, schedule};

use hanok_platform::jobs::Registry;

/// The kinds of job of the lottery, added to those that are known.
pub fn jobs(registry: Registry) -> Registry {
    tasks::jobs(registry).with::<table_import::ImportTable>()
}

#[cfg(test)]
mod tests;
