//! What the desk does: keeps the draws up to date, and works out what the pages show.

pub mod desk;
pub mod draws;
pub mod picks;
pub mod purchases;
pub mod reports;
mod tasks;

pub use draws::{BUILT_IN, OPERATOR, Outcome, import_csv, register, sync};
pub use tasks::{SyncNow, jobs, schedule};

#[cfg(test)]
mod tests;
