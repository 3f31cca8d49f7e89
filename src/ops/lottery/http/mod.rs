//! The routes of the lottery.

mod document;
pub mod draws;
pub mod picks;
pub mod purchase_table;
pub mod purchases;
pub mod reports;

pub use document::document_rules;
