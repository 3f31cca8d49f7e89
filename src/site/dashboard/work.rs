//! What the desk shows, gathered from the domains.

pub mod audit;
pub mod mails;
pub mod members;
pub mod services;
pub mod waiting;
pub mod week;

use crate::quotes::{self, Quote};
use hanok_base::{Page, Result};
use hanok_platform::store::ReadTransaction;

/// So many rows are read at once where things of a week are looked for, and so many quotes are looked at.
const PORTION: usize = 200;

/// The newest quotes: what was drafted, sent or decided lately is among them.
///
/// # Errors
/// Those of reading.
pub fn newest_quotes(tx: &impl ReadTransaction) -> Result<Vec<Quote>> {
    Ok(quotes::list(tx, None, Page { limit: PORTION, offset: 0 })?.0)
}
