//! Floor 4, the only room that knows everything: every route, every recurring task, the life of the process,
//! and the pages that look at the whole house.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "what only the product must not do"))]

pub mod assemble;
mod chat;
pub mod compute_host;
pub mod control;
pub mod domains;
pub mod files;
pub mod house;
mod http_workers;
pub mod life;
pub mod log;
pub mod memory;
mod prepare;
pub mod routes;
pub mod schedule;
pub mod schema;
pub mod start;
