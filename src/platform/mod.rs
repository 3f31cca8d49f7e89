//! Floor 2: what any domain stands on. Nothing here knows a domain.

pub mod app;
pub mod auth;
pub mod compute;
pub mod config;
pub mod events;
pub mod http;
pub mod jobs;
pub mod keep;
pub mod store;
#[cfg(test)]
pub mod testing;
pub mod upstream;
