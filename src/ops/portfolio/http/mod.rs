//! The routes of the portfolio.

pub mod items;
pub mod sales;
pub mod snapshots;
pub mod tables;

use super::model::MUST_BE_DAYS;
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema};
use hanok_base::validated::{Constraint, ValidationErrors};

/// Days that a history goes back at most: a hundred years.
const MOST_DAYS: u64 = 36_525;

/// So many days, today among them; empty is as left out.
#[derive(Debug)]
pub struct DaysBack;

impl Constraint for DaysBack {
    type Input = String;
    type Value = Option<u64>;

    fn check(sent: String) -> Result<Option<u64>, ValidationErrors> {
        if sent.is_empty() {
            return Ok(None);
        }
        let is_plain = sent.bytes().all(|byte| byte.is_ascii_digit());
        let days = sent.parse().ok().filter(|days| is_plain && (1..=MOST_DAYS).contains(days));
        days.map(Some).ok_or_else(|| MUST_BE_DAYS.with([("most", MOST_DAYS.into())]).into())
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::Integer).minimum(1.0).maximum(MOST_DAYS as f64).into()
    }
}
