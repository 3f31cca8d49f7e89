//! The paper account: cash, holdings, and what a trade makes of them. Whole won.

use chrono::{DateTime, NaiveDate, Utc};
use hanok_base::Krw;
use hanok_calc::exchange::{Market, fee, sale_tax, settlement_day};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::order::Side;

/// The paper account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Won in it, with what is held back for open orders.
    pub cash: Krw,
    /// Won that it began with.
    pub started_with: Krw,
    /// When it began.
    pub started_at: DateTime<Utc>,
}

/// Shares in the paper account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holding {
    /// What it is.
    pub symbol: String,
    /// Where it is listed.
    pub market: Market,
    /// What it is called.
    pub name: String,
    /// How many, above zero.
    pub quantity: u64,
    /// Won that they cost, without fees.
    pub cost: Krw,
}

/// Shares that change hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trade {
    /// Where they are listed.
    pub market: Market,
    /// Which way.
    pub side: Side,
    /// How many.
    pub quantity: u64,
    /// Won for one.
    pub price: i64,
    /// On which day.
    pub day: NaiveDate,
    /// The broker's fee in percent.
    pub fee_percent: Decimal,
}

/// What a trade comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Costs {
    /// Price times quantity.
    pub amount: Krw,
    /// The broker's fee.
    pub fees: Krw,
    /// The tax of a sale.
    pub tax: Krw,
    /// What is paid, or what is received.
    pub total: Krw,
}

impl Trade {
    /// What it comes to; none where that is too much to reckon with.
    pub fn costs(&self) -> Option<Costs> {
        let amount = Krw::new(self.price)?.times(i64::try_from(self.quantity).ok()?)?;
        let fees = Krw::new(fee(amount.get(), self.fee_percent)?)?;
        let settles = settlement_day(self.day).unwrap_or(self.day);
        let (tax, total) = match self.side {
            Side::Buy => (Krw::ZERO, amount.plus(fees)?),
            Side::Sell => {
                let tax = Krw::new(sale_tax(self.market, amount.get(), settles).total())?;
                (tax, amount.minus(fees)?.minus(tax)?)
            }
        };
        Some(Costs { amount, fees, tax, total })
    }
}

impl Account {
    /// The account and what is held of `empty`'s symbol after `trade`, which `held` was before; none where the cash or the
    /// shares are not there. `empty` says what is traded.
    pub fn after(
        &self,
        trade: &Trade,
        held: Option<Holding>,
        empty: impl FnOnce() -> Holding,
    ) -> Option<(Account, Option<Holding>)> {
        let Costs { amount, total, .. } = trade.costs()?;
        let (cash, holding) = match trade.side {
            Side::Buy => {
                let cash = self.cash.minus(total).filter(|left| *left >= Krw::ZERO)?;
                let held = held.unwrap_or_else(empty);
                let quantity = held.quantity.checked_add(trade.quantity)?;
                (cash, Some(Holding { quantity, cost: held.cost.plus(amount)?, ..held }))
            }
            Side::Sell => {
                let held = held?;
                let quantity = held.quantity.checked_sub(trade.quantity)?;
                // What is left keeps its average price, cut to the won; the last share takes the rest with it.
                let cost = i128::from(held.cost.get()) * i128::from(quantity) / i128::from(held.quantity.max(1));
                let cost = Krw::new(i64::try_from(cost).ok()?)?;
                (self.cash.plus(total)?, (quantity > 0).then_some(Holding { quantity, cost, ..held }))
            }
        };
        Some((Account { cash, ..self.clone() }, holding))
    }
}

impl Holding {
    /// Won that one has cost on average, to the nearest.
    pub fn average_price(&self) -> Krw {
        let (cost, quantity) = (i128::from(self.cost.get()), i128::from(self.quantity.max(1)));
        i64::try_from((cost * 2 + quantity) / (quantity * 2)).ok().and_then(Krw::new).unwrap_or(self.cost)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn day() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 10, 12).unwrap()
    }

    fn trade(side: Side, quantity: u64, price: i64) -> Trade {
        let fee_percent = "0.0140527".parse().unwrap();
        Trade { market: Market::Kospi, side, quantity, price, day: day(), fee_percent }
    }

    fn empty(symbol: &str) -> Holding {
        Holding {
            symbol: symbol.to_owned(),
            market: Market::Kospi,
            name: symbol.to_owned(),
            quantity: 0,
            cost: Krw::ZERO,
        }
    }

    fn account(cash: i64) -> Account {
        Account {
            cash: Krw::new(cash).unwrap(),
            started_with: Krw::new(cash).unwrap(),
            started_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn a_purchase_and_a_sale_come_to_what_they_do_by_hand() {
        // 100 × 71,200 = 7,120,000; × 0.0140527 % = 1,000.55; × 0.05 % = 3,560; × 0.15 % = 10,680.
        let won = |won| Krw::new(won).unwrap();
        let bought = trade(Side::Buy, 100, 71_200).costs().unwrap();
        let (amount, fees) = (won(7_120_000), won(1_000));
        assert_eq!(bought, Costs { amount, fees, tax: won(0), total: won(7_121_000) });
        let sold = trade(Side::Sell, 100, 71_200).costs().unwrap();
        assert_eq!(sold, Costs { amount, fees, tax: won(14_240), total: won(7_104_760) });
        assert_eq!(trade(Side::Buy, u64::MAX, 71_200).costs(), None);
    }

    #[test]
    fn the_average_price_stays_when_part_is_sold_and_nothing_is_left_when_all_is() {
        let (account, held) = account(1_000_000).after(&trade(Side::Buy, 3, 1_000), None, || empty("A")).unwrap();
        let (account, held) = account.after(&trade(Side::Buy, 1, 1_401), held, || empty("A")).unwrap();
        assert_eq!(held.as_ref().unwrap().average_price(), Krw::new(1_100).unwrap());
        let (account, held) = account.after(&trade(Side::Sell, 2, 900), held, || empty("A")).unwrap();
        assert_eq!((held.as_ref().unwrap().quantity, held.as_ref().unwrap().cost), (2, Krw::new(2_200).unwrap()));
        assert_eq!(account.after(&trade(Side::Sell, 3, 900), held.clone(), || empty("A")), None);
        assert_eq!(account.after(&trade(Side::Sell, 2, 900), held, || empty("A")).unwrap().1, None);
        assert_eq!(account.after(&trade(Side::Buy, 2_000, 900), None, || empty("A")), None);
    }

    proptest! {
        #[test]
        fn cash_and_holdings_agree_with_every_trade_that_was_done(
            steps in prop::collection::vec((0_usize..3, any::<bool>(), 1_u64..500, 1_i64..300_000), 1..120),
        ) {
            let start = 50_000_000;
            let mut account = account(start);
            let mut holdings: BTreeMap<usize, Holding> = BTreeMap::new();
            let (mut expected, mut shares) = (start, [0_i64; 3]);
            for (symbol, buys, quantity, price) in steps {
                let trade = trade(if buys { Side::Buy } else { Side::Sell }, quantity, price);
                let held = holdings.get(&symbol).cloned();
                let Some((after, holding)) = account.after(&trade, held, || empty("A")) else { continue };
                let Costs { amount, fees, tax, .. } = trade.costs().unwrap();
                let sign = if buys { -1 } else { 1 };
                expected += sign * amount.get() - fees.get() - tax.get();
                shares[symbol] -= sign * i64::try_from(quantity).unwrap();
                account = after;
                match holding {
                    Some(holding) => drop(holdings.insert(symbol, holding)),
                    None => drop(holdings.remove(&symbol)),
                }
                prop_assert!(account.cash >= Krw::ZERO);
                prop_assert!(holdings.values().all(|held| held.quantity > 0 && held.cost >= Krw::ZERO));
            }
            prop_assert_eq!(account.cash.get(), expected);
            for (symbol, count) in shares.into_iter().enumerate() {
                let held = holdings.get(&symbol).map_or(0, |held| held.quantity);
                prop_assert_eq!(i64::try_from(held).unwrap(), count);
            }
        }
    }
}
