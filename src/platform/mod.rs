//! Floor 2: what any domain stands on. Nothing here knows a domain.

pub mod config;
pub mod events;
pub mod keep;
pub mod store;
pub mod upstream;
