//! Floor 3, the customers' rooms: one folder for each domain of Part B.

pub mod account;
pub mod admin;
pub mod contact;
pub mod frame;
pub mod front;
