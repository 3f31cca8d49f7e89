//! The pure rules of the markets: what a symbol is, what a quote says, how old is too old.

pub mod age;
pub mod feeds;
pub mod listings;
pub mod plain;
pub mod quote;
pub mod symbols;
