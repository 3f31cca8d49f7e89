//! What a trade costs: the broker's fee, and the tax on a sale by the day on which it settles.

use std::sync::LazyLock;

use chrono::NaiveDate;
use hanok_base::day;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::Market;

/// From which settlement day on, market, and the two parts of the tax in hundredths of a percent.
const SALE_TAX_CSV: &str = include_str!("../../../assets/data/krx-calendar/sale-tax.csv");

/// The tax on a sale, in whole won.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SaleTax {
    /// The securities transaction tax.
    pub transfer: i64,
    /// The special tax for rural development.
    pub rural: i64,
}

impl SaleTax {
    /// Both together.
    pub fn total(self) -> i64 {
        self.transfer + self.rural
    }
}

struct Rate {
    from: NaiveDate,
    market: String,
    transfer: i128,
    rural: i128,
}

/// In the order of their days.
static RATES: LazyLock<Vec<Rate>> = LazyLock::new(|| SALE_TAX_CSV.lines().skip(1).filter_map(rate).collect());

fn rate(row: &str) -> Option<Rate> {
    let mut fields = row.split(',');
    Some(Rate {
        from: day::parse(fields.next()?)?,
        market: fields.next()?.to_owned(),
        transfer: fields.next()?.parse().ok()?,
        rural: fields.next()?.parse().ok()?,
    })
}

/// The tax on a sale for `proceeds` won that settles on `settles`, each part cut to the won. Funds and notes, and what is not
/// listed in Korea, pay none.
pub fn sale_tax(market: Market, proceeds: i64, settles: NaiveDate) -> SaleTax {
    let name = market.to_string();
    let rate = RATES.iter().rev().find(|rate| rate.market == name && rate.from <= settles);
    let part = |hundredths: i128| i64::try_from(i128::from(proceeds.max(0)) * hundredths / 10_000).unwrap_or(i64::MAX);
    rate.map_or(SaleTax::default(), |rate| SaleTax { transfer: part(rate.transfer), rural: part(rate.rural) })
}

/// The broker's fee for a trade of `amount` won at `percent`, cut to the won; none where that is too much to reckon with.
pub fn fee(amount: i64, percent: Decimal) -> Option<i64> {
    let fee = Decimal::from(amount).checked_mul(percent)?.checked_div(Decimal::ONE_HUNDRED)?;
    fee.floor().to_i64()
}

#[cfg(test)]
mod tests {
    use super::super::settlement_day;
    use super::*;

    fn day(text: &str) -> NaiveDate {
        day::parse(text).unwrap()
    }

    #[test]
    fn the_tax_is_that_of_the_day_on_which_a_sale_settles() {
        assert_eq!(RATES.len(), SALE_TAX_CSV.lines().count() - 1);
        let tax = |market, settles| sale_tax(market, 1_000_000, day(settles)).total();
        // The table of the ministry, for a million won.
        for (settles, [kospi, kosdaq, konex]) in [
            ("2019-06-02", [3_000, 3_000, 3_000]),
            ("2019-06-03", [2_500, 2_500, 1_000]),
            ("2021-01-01", [2_300, 2_300, 1_000]),
            ("2023-01-01", [2_000, 2_000, 1_000]),
            ("2024-01-01", [1_800, 1_800, 1_000]),
            ("2025-01-01", [1_500, 1_500, 1_000]),
            ("2025-12-31", [1_500, 1_500, 1_000]),
            ("2026-01-01", [2_000, 2_000, 1_000]),
        ] {
            let taxes = [Market::Kospi, Market::Kosdaq, Market::Konex].map(|market| tax(market, settles));
            assert_eq!(taxes, [kospi, kosdaq, konex], "{settles}");
        }
        assert_eq!(tax(Market::Etf, "2026-01-01"), 0);
    }

    #[test]
    fn the_last_two_sessions_of_a_year_pay_what_the_next_one_asks_for() {
        let tax = |trade| sale_tax(Market::Kosdaq, 1_000_000, settlement_day(day(trade)).unwrap()).total();
        assert_eq!([tax("2025-12-26"), tax("2025-12-29"), tax("2025-12-30")], [1_500, 2_000, 2_000]);
        assert_eq!([tax("2024-12-26"), tax("2024-12-27")], [1_800, 1_500]);
    }

    #[test]
    fn each_part_of_the_tax_is_cut_to_the_won_by_itself() {
        // By hand: 0.05 % of 1,999 is 0.9995, 0.15 % is 2.9985; together they would be 3.998.
        assert_eq!(sale_tax(Market::Kospi, 1_999, day("2026-10-14")), SaleTax { transfer: 0, rural: 2 });
        assert_eq!(sale_tax(Market::Kosdaq, 1_999, day("2026-10-14")).total(), 3);
        assert_eq!(sale_tax(Market::Kospi, -5, day("2026-10-14")).total(), 0);
    }

    #[test]
    fn the_fee_is_cut_to_the_won() {
        let percent = "0.0140527".parse().unwrap();
        // By hand: 7,125,000 × 0.000140527 = 1001.25…
        assert_eq!(fee(7_125_000, percent), Some(1_001));
        assert_eq!(fee(7_000, percent), Some(0));
        assert_eq!(fee(1_000_000, Decimal::ZERO), Some(0));
        assert_eq!(fee(i64::MAX, Decimal::MAX), None);
    }
}
