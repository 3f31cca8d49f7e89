//! What the lottery does: keeps the draws up to date, and works out what the pages show.

pub mod command;
pub mod draws;
pub mod fitted_draws;
mod new_draws;
pub mod picks;
pub mod purchases;
pub mod reports;
pub mod search;
pub mod settings;
mod tasks;

pub use draws::{BUILT_IN, OPERATOR, providers, sync};
pub use search::SearchWork;
pub use tasks::{SyncNow, jobs, schedule};

#[cfg(test)]
mod tests;
