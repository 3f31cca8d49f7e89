//! Floor 3, the household's rooms: one folder for each domain of Part A.

pub mod blog;
pub mod lottery;
pub mod market;
pub mod portfolio;
pub mod screener;
pub mod todos;
pub mod trade;
