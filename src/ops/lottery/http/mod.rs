//! The routes of the lottery desk.

mod document;
pub mod draws;
pub mod picks;
pub mod purchases;
pub mod reports;

pub use document::document_rules;

use salvo::oapi::ToParameters;
use serde::Deserialize;

use hanok_base::{Page, Result};

/// Which part of a list.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Part {
    /// How many, at most 500.
    #[salvo(parameter(minimum = 1, maximum = 500))]
    pub limit: Option<u64>,
    /// How many to pass over first.
    #[salvo(parameter(maximum = 4294967295_f64))]
    pub offset: Option<u64>,
}

impl Part {
    fn page(&self, default_limit: u64) -> Result<Page> {
        Page::parse(self.limit, self.offset, default_limit)
    }
}
