//! The tables of the lottery desk and the verbs over a transaction.

pub mod draws;
pub mod purchases;
