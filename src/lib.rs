#![doc = include_str!("ARCHITECTURE.md")]

pub mod appliance;
pub mod base;
pub mod calc;
pub mod cli;
pub mod ops;
pub mod platform;
pub mod site;
