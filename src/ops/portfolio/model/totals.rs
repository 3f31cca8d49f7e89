//! What sales came to: sums that are kept as the sales change.

use chrono::{Datelike, NaiveDate};
use serde::{Deserialize, Serialize};

use super::sale::SellRecord;
use hanok_base::Krw;
use hanok_base::schema::ToSchema;

/// What several sales came to, as it is kept: gains and losses apart, so that each only grows with its sales.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleTotals {
    /// Won earned by those that earned something.
    pub gains: u64,
    /// Won lost by the others.
    pub losses: u64,
    /// Won that they were sold for.
    pub proceeds: u64,
    /// Won of fees.
    pub fees: u64,
    /// Won of tax.
    pub tax: u64,
    /// How many.
    pub count: u64,
    /// Of how many something is not known in won.
    pub unknown: u64,
}

/// What sales came to, in won. A sum beyond what can be said is null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct SoldTotals {
    /// Earned, after fees and tax.
    pub profit_krw: Option<Krw>,
    /// Sold for, before fees and tax.
    pub proceeds_krw: Option<Krw>,
    /// Fees.
    pub fees_krw: Option<Krw>,
    /// Tax.
    pub tax_krw: Option<Krw>,
    /// How many sales.
    pub count: u64,
    /// Whether some of them have no rate, and take no part.
    pub partial: bool,
}

/// What was earned in a month or in a year.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProfitPeriod {
    /// The month in Asia/Seoul, such as `2026-11`; null for a year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month: Option<String>,
    /// The year.
    pub year: u64,
    /// Won earned, after fees and tax; null where that is beyond what can be said.
    pub profit_krw: Option<Krw>,
    /// How many sales.
    pub count: u64,
}

/// What was earned, by month and by year.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProfitReport {
    /// The months with sales, newest first.
    pub months: Vec<ProfitPeriod>,
    /// The years with sales, newest first.
    pub years: Vec<ProfitPeriod>,
    /// Won earned in all of them; null where that is beyond what can be said.
    pub total_krw: Option<Krw>,
}

impl SaleTotals {
    /// Counts a sale in, by a function that adds each figure or takes it away.
    pub fn count(&mut self, sale: &SellRecord, with: fn(u64, u64) -> u64) {
        let won = |sum: Option<Krw>| sum.map_or(0, |sum| sum.get().unsigned_abs());
        let profit = won(sale.profit_krw);
        match sale.profit_krw {
            Some(sum) if sum < Krw::ZERO => self.losses = with(self.losses, profit),
            _ => self.gains = with(self.gains, profit),
        }
        self.proceeds = with(self.proceeds, won(sale.proceeds_krw));
        self.fees = with(self.fees, won(sale.fees_krw));
        self.tax = with(self.tax, won(sale.tax_krw));
        self.count = with(self.count, 1);
        self.unknown = with(self.unknown, u64::from(sale.profit_krw.is_none()));
    }

    /// Whether it is of no sales.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Both together.
    pub fn plus(self, other: SaleTotals) -> SaleTotals {
        SaleTotals {
            gains: self.gains.saturating_add(other.gains),
            losses: self.losses.saturating_add(other.losses),
            proceeds: self.proceeds.saturating_add(other.proceeds),
            fees: self.fees.saturating_add(other.fees),
            tax: self.tax.saturating_add(other.tax),
            count: self.count.saturating_add(other.count),
            unknown: self.unknown.saturating_add(other.unknown),
        }
    }

    /// What was earned; none beyond what can be said.
    pub fn profit(&self) -> Option<Krw> {
        let profit = i128::from(self.gains) - i128::from(self.losses);
        i64::try_from(profit).ok().and_then(Krw::new)
    }

    /// As it is answered.
    pub fn said(&self) -> SoldTotals {
        let won = |sum: u64| i64::try_from(sum).ok().and_then(Krw::new);
        SoldTotals {
            profit_krw: self.profit(),
            proceeds_krw: won(self.proceeds),
            fees_krw: won(self.fees),
            tax_krw: won(self.tax),
            count: self.count,
            partial: self.unknown > 0,
        }
    }
}

/// The month of `day`, counted from the year 0.
pub fn month_of(day: NaiveDate) -> u64 {
    u64::try_from(day.year()).unwrap_or(0) * 12 + u64::from(day.month0())
}

/// A month that was counted so, such as `2026-11`.
pub fn month_in_words(month: u64) -> String {
    format!("{:04}-{:02}", month / 12, month % 12 + 1)
}
