//! What the screener does: brings data in, screens, and asks the exchange.

pub mod command;
pub mod import;
mod packed;
pub mod refresh;
pub mod screening;
pub mod settings;
