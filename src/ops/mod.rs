//! Floor 3, the household's rooms: one folder for each domain of Part A.

pub mod blog;
pub mod lottery;
pub mod todos;
