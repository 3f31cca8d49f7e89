//! What holdings are worth: the arithmetic alone, exact until one rounding at the end, half away from zero.
//!
//! What is unknown stays unknown: a holding without a price, or without the rate of its currency, has no value in won, takes
//! no part in sums and weights, and makes them partial.

use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};

use hanok_base::{Amount, Currency, Krw, Money};

/// A holding with what is known of its market.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    /// How many.
    pub quantity: Amount,
    /// What one cost, in `currency`.
    pub avg_price: Amount,
    /// The currency of both prices.
    pub currency: Currency,
    /// Won for one of the currency when it was bought; none where that is not known.
    pub buy_fx_rate: Option<Amount>,
    /// What one costs now, in `currency`.
    pub price: Option<Amount>,
    /// Won for one of the currency now.
    pub fx_rate: Option<Amount>,
}

/// What one position comes to, not rounded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Worth {
    /// In its own currency.
    pub value: Option<Decimal>,
    /// In won, by the rate of now.
    pub value_krw: Option<Decimal>,
    /// What it cost in won, by the rate at which it was bought, else by that of now.
    pub cost_krw: Option<Decimal>,
}

/// What all positions and all cash come to. A sum that is beyond what can be said in won is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sums {
    /// Positions whose value is known, and cash.
    pub assets: Option<Krw>,
    /// What positions cost, of those of which that is known.
    pub cost: Option<Krw>,
    /// What positions are worth, of those of which that is known.
    pub value: Option<Krw>,
    /// Cash.
    pub cash: Option<Krw>,
    /// Value without cost, of the positions of which both are known.
    pub profit: Option<Krw>,
    /// That in percent of what they cost; none when they cost nothing.
    pub profit_pct: Option<f64>,
    /// Positions whose value is known, and cash, not rounded: what weights are shares of.
    pub whole: Decimal,
}

impl Worth {
    /// What `position` comes to.
    pub fn of(position: &Position) -> Worth {
        let Position { quantity, avg_price, currency, buy_fx_rate, price, fx_rate } = *position;
        let (now, then) = match currency {
            Currency::KRW => (Some(Decimal::ONE), Some(Decimal::ONE)),
            _ => (fx_rate.map(Amount::get), buy_fx_rate.or(fx_rate).map(Amount::get)),
        };
        let value = price.and_then(|price| quantity.get().checked_mul(price.get()));
        let cost = quantity.get().checked_mul(avg_price.get());
        let in_won = |amount: Option<Decimal>, rate: Option<Decimal>| {
            amount?.checked_mul(rate?).filter(|sum| won(*sum).is_some())
        };
        Worth { value, value_krw: in_won(value, now), cost_krw: in_won(cost, then) }
    }

    /// Value without cost; none where one of them is not known.
    pub fn profit(&self) -> Option<Decimal> {
        self.value_krw?.checked_sub(self.cost_krw?)
    }

    /// Profit in percent of what it cost; none where that is nothing.
    pub fn profit_pct(&self) -> Option<f64> {
        percent(self.profit()?, self.cost_krw?)
    }
}

/// What `positions` and `cash` come to together.
pub fn sums(positions: &[Worth], cash: &[Krw]) -> Sums {
    let sum = |of: &dyn Fn(&Worth) -> Option<Decimal>| -> Option<Decimal> {
        positions.iter().filter_map(of).try_fold(Decimal::ZERO, Decimal::checked_add)
    };
    let value = sum(&|worth| worth.value_krw);
    let cash = cash.iter().map(|cash| Decimal::from(cash.get())).try_fold(Decimal::ZERO, Decimal::checked_add);
    let whole = value.zip(cash).and_then(|(value, cash)| value.checked_add(cash));
    let profit = sum(&Worth::profit);
    let cost_of_known = sum(&|worth| worth.cost_krw.filter(|_| worth.value_krw.is_some()));
    Sums {
        assets: whole.and_then(won),
        cost: sum(&|worth| worth.cost_krw).and_then(won),
        value: value.and_then(won),
        cash: cash.and_then(won),
        profit: profit.and_then(won),
        profit_pct: profit.zip(cost_of_known).and_then(|(profit, cost)| percent(profit, cost)),
        whole: whole.unwrap_or_default(),
    }
}

/// The share of `part` in `whole` in percent; none where the whole is not more than nothing.
pub fn weight(part: Decimal, whole: Decimal) -> Option<f64> {
    (whole > Decimal::ZERO).then(|| percent(part, whole)).flatten()
}

/// `part` in percent of `whole`, to two decimals; none where the whole is nothing.
pub fn percent(part: Decimal, whole: Decimal) -> Option<f64> {
    let share = part.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(whole)?;
    rounded(share, 2).to_f64()
}

/// Whole won; none beyond what can be said.
pub fn won(sum: Decimal) -> Option<Krw> {
    rounded(sum, 0).to_i64().and_then(Krw::new)
}

/// An amount of `currency` as it is paid; none beyond what can be said.
pub fn paid(sum: Decimal, currency: Currency) -> Option<Amount> {
    Some(Money { amount: Amount::new(rounded(sum, DIGITS))?, currency }.rounded().amount)
}

/// The average price of two lots, and the rate at which they were bought together; none beyond what can be said.
pub fn merged(one: &Position, other: &Position) -> Option<(Amount, Amount, Option<Amount>)> {
    let quantity = one.quantity.get().checked_add(other.quantity.get())?;
    let cost = |lot: &Position| lot.quantity.get().checked_mul(lot.avg_price.get());
    let (first, second) = (cost(one)?, cost(other)?);
    let both = first.checked_add(second)?;
    let average = both.checked_div(quantity)?;
    let rate = match one.buy_fx_rate.zip(other.buy_fx_rate) {
        Some((rate, _)) if both.is_zero() => Some(rate),
        Some((one, other)) => {
            let sum = first.checked_mul(one.get())?.checked_add(second.checked_mul(other.get())?)?;
            Amount::new(rounded(sum.checked_div(both)?, DIGITS))
        }
        None => None,
    };
    Some((Amount::new(quantity)?, Amount::new(rounded(average, DIGITS))?, rate))
}

/// Digits behind the point of an amount.
const DIGITS: u32 = 10;

fn rounded(sum: Decimal, digits: u32) -> Decimal {
    sum.round_dp_with_strategy(digits, RoundingStrategy::MidpointAwayFromZero)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn amount(text: &str) -> Amount {
        text.parse().unwrap()
    }

    fn krw(quantity: &str, avg_price: &str, price: Option<&str>) -> Position {
        Position {
            quantity: amount(quantity),
            avg_price: amount(avg_price),
            currency: Currency::KRW,
            buy_fx_rate: None,
            price: price.map(amount),
            fx_rate: None,
        }
    }

    fn usd(quantity: &str, avg_price: &str, price: &str, bought: Option<&str>, now: Option<&str>) -> Position {
        Position {
            currency: Currency::USD,
            buy_fx_rate: bought.map(amount),
            fx_rate: now.map(amount),
            ..krw(quantity, avg_price, Some(price))
        }
    }

    fn said(worth: &Worth) -> (Option<i64>, Option<i64>, Option<i64>, Option<f64>) {
        let whole = |sum: Option<Decimal>| sum.and_then(won).map(Krw::get);
        (whole(worth.value_krw), whole(worth.cost_krw), whole(worth.profit()), worth.profit_pct())
    }

    #[test]
    fn shares_in_won_come_to_what_is_worked_out_by_hand() {
        // By hand: 10 × 71,500 = 715,000; 10 × 65,300 = 653,000; 62,000 / 653,000 = 9.4946… %.
        let worth = Worth::of(&krw("10", "65300", Some("71500")));
        assert_eq!(said(&worth), (Some(715_000), Some(653_000), Some(62_000), Some(9.49)));
        // A loss: 3 × 1,000.5 = 3,001.5; 3 × 1,100 = 3,300; −298.5 goes away from zero; −298.5 / 3,300 = −9.0454… %.
        let worth = Worth::of(&krw("3", "1100", Some("1000.5")));
        assert_eq!(said(&worth), (Some(3_002), Some(3_300), Some(-299), Some(-9.05)));
    }

    #[test]
    fn shares_abroad_cost_by_the_rate_of_their_day_and_are_worth_by_that_of_now() {
        // By hand: 12.5 × 210.40 = 2,630 dollars, × 1,391.20 = 3,658,856; 12.5 × 180.25 = 2,253.125, × 1,302.7 =
        // 2,935,145.9375; the difference 723,710.0625, of the cost 24.6566… %.
        let bought = usd("12.5", "180.25", "210.40", Some("1302.7"), Some("1391.20"));
        assert_eq!(said(&Worth::of(&bought)), (Some(3_658_856), Some(2_935_146), Some(723_710), Some(24.66)));
        // Not known when it was bought: 2,253.125 × 1,391.20 = 3,134,547.5, which goes up.
        let not_known = Position { buy_fx_rate: None, ..bought };
        assert_eq!(Worth::of(&not_known).cost_krw.and_then(won), Krw::new(3_134_548));
        assert_eq!(
            paid(Worth::of(&usd("3.5", "1", "191.23", None, None)).value.unwrap(), Currency::USD),
            Some(amount("669.31"))
        );
    }

    #[test]
    fn what_is_not_known_is_no_nothing_and_takes_no_part_in_sums_and_weights() {
        let unknown = Worth::of(&krw("5", "20000", None));
        assert_eq!(said(&unknown), (None, Some(100_000), None, None));
        let without_rate = Worth::of(&usd("1", "100", "110", None, None));
        assert_eq!(said(&without_rate), (None, None, None, None));
        let known = Worth::of(&krw("10", "65300", Some("71500")));
        let cash = [Krw::new(285_000).unwrap()];
        let sums = sums(&[known, unknown, without_rate], &cash);
        // By hand: 715,000 + 285,000; costs 653,000 + 100,000; the percentage is of the 653,000 alone.
        let of = |sum: Option<Krw>| sum.map(Krw::get);
        assert_eq!((of(sums.assets), of(sums.value), of(sums.cash)), (Some(1_000_000), Some(715_000), Some(285_000)));
        assert_eq!((of(sums.cost), of(sums.profit), sums.profit_pct), (Some(753_000), Some(62_000), Some(9.49)));
        assert_eq!(weight(known.value_krw.unwrap(), sums.whole), Some(71.5));
    }

    #[test]
    fn nothing_bought_has_no_percentage_and_what_is_beyond_all_bounds_is_none() {
        let gift = Worth::of(&krw("10", "0", Some("71500")));
        assert_eq!(said(&gift), (Some(715_000), Some(0), Some(715_000), None));
        assert_eq!(sums(&[gift], &[]).profit_pct, None);
        assert_eq!(
            sums(&[], &[]),
            Sums {
                assets: Some(Krw::ZERO),
                cost: Some(Krw::ZERO),
                value: Some(Krw::ZERO),
                cash: Some(Krw::ZERO),
                profit: Some(Krw::ZERO),
                profit_pct: None,
                whole: Decimal::ZERO
            }
        );
        assert_eq!(weight(Decimal::ONE, Decimal::ZERO), None);
        let most = "999999999999999.9999999999";
        assert_eq!(Worth::of(&krw(most, most, Some(most))), Worth::default());
    }

    #[test]
    fn two_lots_have_the_average_of_their_costs() {
        // By hand: (10 × 180.25 + 5 × 210.40) / 15 = 2,854.5 / 15 = 190.3; the rates by cost:
        // (1,802.5 × 1,300 + 1,052 × 1,390) / 2,854.5 = 3,805,530 / 2,854.5 = 1,333.1686809…
        let one = usd("10", "180.25", "1", Some("1300"), None);
        let other = usd("5", "210.40", "1", Some("1390"), None);
        let (quantity, average, rate) = merged(&one, &other).unwrap();
        assert_eq!((quantity, average.get().normalize()), (amount("15"), amount("190.3").get()));
        assert_eq!(rate.map(|rate| rate.get().round_dp(4).to_string()), Some("1333.1687".to_owned()));
        assert_eq!(merged(&one, &Position { buy_fx_rate: None, ..other }).unwrap().2, None);
    }

    proptest! {
        #[test]
        fn weights_of_all_that_is_known_come_to_a_hundred(held in prop::collection::vec((1u32..100_000, 1u32..1_000_000), 1..20), cash in 0i64..1_000_000_000) {
            let worths: Vec<Worth> = held.iter().map(|(quantity, price)| {
                Worth::of(&krw(&quantity.to_string(), "1", Some(&price.to_string())))
            }).collect();
            let sums = sums(&worths, &[Krw::new(cash).unwrap()]);
            let parts = worths.iter().filter_map(|worth| worth.value_krw).chain([cash.into()]);
            let all: f64 = parts.filter_map(|part| weight(part, sums.whole)).sum();
            prop_assert!((all - 100.0).abs() <= 0.005 * (held.len() + 1) as f64 + 1e-9, "{}", all);
            let plain: i64 = held.iter().map(|(quantity, price)| i64::from(*quantity) * i64::from(*price)).sum();
            prop_assert_eq!(sums.assets.map(Krw::get), Some(plain + cash));
        }
    }
}
