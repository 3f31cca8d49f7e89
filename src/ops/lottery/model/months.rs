//! What was spent and won month by month, in months of Asia/Seoul.
//!
//! A purchase is money of the month in which it was bought. Nobody enters that day, so it is the day on which it was
//! written down, or that of the draw where it was written down later: no game is bought after its draw. A prize is
//! money of the month in which its draw was held.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::purchases::Purchase;
use super::totals::{DrawTotals, Paid};
use hanok_base::day;
use hanok_base::schema::ToSchema;
use hanok_calc::lottery::draw::date_of;

/// What one month cost and won, and all months up to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MonthStatistics {
    /// The month in Asia/Seoul, such as `2026-11`.
    pub month: String,
    /// Won paid for what was bought in it.
    pub invested: u64,
    /// Won of that which was paid for games that wait for their draw, or for a prize that is entered by hand.
    pub waiting_invested: u64,
    /// Won won in the draws that were held in it, before tax.
    pub prize: u64,
    /// Won paid from the first month to the end of this one.
    pub invested_so_far: u64,
    /// Won won from the first month to the end of this one, before tax.
    pub prize_so_far: u64,
}

/// What the household has spent this month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ThisMonth {
    /// The month in Asia/Seoul, such as `2026-11`.
    pub month: String,
    /// Won paid for what was bought in it.
    pub invested: u64,
    /// What the household means to spend in a month at most, in won; null without a limit.
    pub limit: Option<u64>,
}

impl ThisMonth {
    /// Whether more was spent than the household has set.
    pub fn is_over(&self) -> bool {
        self.limit.is_some_and(|limit| self.invested > limit)
    }
}

/// The month in which a purchase was bought, counted from the year 0.
pub fn month_of(purchase: &Purchase) -> u64 {
    let written = day::of(purchase.created_at);
    counted(date_of(purchase.draw_no).map_or(written, |drawn| drawn.min(written)))
}

/// The month of `now`, counted from the year 0.
pub fn month_now(now: DateTime<Utc>) -> u64 {
    counted(day::of(now))
}

/// What was spent in the month of `now`, whose totals are these, beside the `limit` that the household has set; 0 is none.
pub fn this_month(totals: Option<Paid>, limit: u64, now: DateTime<Utc>) -> ThisMonth {
    let invested = totals.map_or(0, |totals| totals.invested);
    ThisMonth { month: written(month_now(now)), invested, limit: Some(limit).filter(|limit| *limit > 0) }
}

/// Every month from the first in which something was bought to that of `now`, newest first.
pub fn month_statistics(
    bought: &BTreeMap<u64, Paid>,
    draws: &[DrawTotals],
    now: DateTime<Utc>,
) -> Vec<MonthStatistics> {
    let mut won: BTreeMap<u64, u64> = BTreeMap::new();
    for draw in draws.iter().filter(|draw| draw.prize > 0) {
        if let Ok(drawn) = date_of(draw.draw_no) {
            *won.entry(counted(drawn)).or_default() += draw.prize;
        }
    }
    let known = || bought.keys().chain(won.keys());
    let Some(first) = known().min().copied() else { return Vec::new() };
    let last = known().max().map_or(first, |last| (*last).max(month_now(now)));
    let (mut invested_so_far, mut prize_so_far) = (0, 0);
    let mut months: Vec<MonthStatistics> = (first..=last)
        .map(|month| {
            let Paid { invested, settled_invested, .. } = bought.get(&month).copied().unwrap_or_default();
            let prize = won.get(&month).copied().unwrap_or(0);
            invested_so_far += invested;
            prize_so_far += prize;
            MonthStatistics {
                month: written(month),
                invested,
                waiting_invested: invested.saturating_sub(settled_invested),
                prize,
                invested_so_far,
                prize_so_far,
            }
        })
        .collect();
    months.reverse();
    months
}

fn counted(day: NaiveDate) -> u64 {
    u64::try_from(day.year()).unwrap_or(0) * 12 + u64::from(day.month0())
}

fn written(month: u64) -> String {
    format!("{:04}-{:02}", month / 12, month % 12 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_over_its_limit_from_the_next_won_on_and_never_without_one() {
        let is_over = |invested, limit| {
            let now = "2026-11-30T15:00:00Z".parse().unwrap();
            let month = this_month(Some(Paid { invested, ..Paid::default() }), limit, now);
            assert_eq!(month.month, "2026-12");
            month.is_over()
        };
        assert_eq!([is_over(9_999, 10_000), is_over(10_000, 10_000), is_over(10_001, 10_000)], [false, false, true]);
        assert!(!is_over(1_000_000, 0));
    }
}
