//! Floor 2: what any domain stands on. Nothing here knows a domain.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "what only the product must not do"))]

pub mod app;
pub mod auth;
pub mod blobs;
pub mod blocking;
pub mod chat;
pub mod compute;
pub mod config;
pub mod derived;
pub mod domain;
pub mod events;
pub mod http;
pub mod jobs;
pub mod mail;
pub mod openid;
pub mod own_data;
pub mod sealing;
pub mod search;
pub mod settings_file;
pub mod single_flight;
pub mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod thread_account;
pub mod tokens;
pub mod upstream;
pub mod writes;
