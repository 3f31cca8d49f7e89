//! Floor 4, the only room that knows everything: every route, every recurring task, the life of the process,
//! and the pages that look at the whole house.

mod answerers;
pub mod compute_host;
pub mod control;
mod files;
pub mod house;
pub mod log;
pub mod routes;
pub mod schedule;
pub mod start;
