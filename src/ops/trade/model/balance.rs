//! What an account holds and is worth.

use chrono::{DateTime, Utc};
use hanok_base::Krw;
use hanok_base::schema::ToSchema;
use hanok_calc::exchange::Market;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::{Deserialize, Serialize};

use super::order::{Broker, Mode};
use super::terms::KnownPrice;

/// What the account at the broker holds and is worth, in won.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Balance {
    /// Whether money is at stake.
    pub mode: Mode,
    /// Whose account it is.
    pub broker: Broker,
    /// Whether new orders are refused.
    pub stopped: bool,
    /// Won in the account.
    pub cash: Krw,
    /// Won that new orders may cost.
    pub orderable_cash: Krw,
    /// What the holdings are worth, as far as their prices are known.
    pub total_eval: Krw,
    /// Cash and holdings together, as far as prices are known.
    pub total_assets: Krw,
    /// The holdings.
    pub holdings: Vec<BalanceHolding>,
    /// As of when.
    pub as_of: DateTime<Utc>,
    /// Whether something of it is older than it should be.
    pub stale: bool,
    /// Whether prices are missing.
    pub partial: bool,
    /// The symbols without a price.
    pub missing: Vec<String>,
}

/// Shares in an account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BalanceHolding {
    /// What it is.
    pub symbol: String,
    /// Where it is listed; null where that is not known.
    pub market: Option<Market>,
    /// What it is called.
    pub name: String,
    /// How many.
    pub quantity: u64,
    /// How many of them are not in orders to sell.
    pub available: u64,
    /// Won that one has cost on average, without fees.
    pub avg_price: Krw,
    /// What one costs now; null where it is not known.
    pub current_price: Option<Krw>,
    /// What all are worth.
    pub value: Option<Krw>,
    /// What that is more, or less, than they have cost.
    pub profit: Option<Krw>,
    /// The same in percent of it, to two decimals.
    pub profit_pct: Option<f64>,
    /// When one cost that.
    pub price_as_of: Option<DateTime<Utc>>,
    /// Whether a newer price should be here.
    pub stale: bool,
}

/// What is known of a holding.
#[derive(Debug, Clone)]
pub struct Position {
    /// What it is.
    pub symbol: String,
    /// Where it is listed.
    pub market: Option<Market>,
    /// What it is called.
    pub name: String,
    /// How many.
    pub quantity: u64,
    /// How many are not in orders to sell.
    pub available: u64,
    /// Won that one has cost on average.
    pub avg_price: Krw,
    /// Won that all have cost; none where that is not known.
    pub cost: Option<Krw>,
    /// The price now.
    pub price: Option<KnownPrice>,
}

impl Position {
    fn shown(self) -> BalanceHolding {
        let count = i64::try_from(self.quantity).ok();
        let value = self.price.and_then(|price| Krw::new(price.won)?.times(count?));
        let profit = value.zip(self.cost).and_then(|(value, cost)| value.minus(cost));
        BalanceHolding {
            symbol: self.symbol,
            market: self.market,
            name: self.name,
            quantity: self.quantity,
            available: self.available,
            avg_price: self.avg_price,
            current_price: self.price.and_then(|price| Krw::new(price.won)),
            value,
            profit,
            profit_pct: profit.zip(self.cost).and_then(|(profit, cost)| percent(profit, cost)),
            price_as_of: self.price.map(|price| price.as_of),
            stale: self.price.is_some_and(|price| price.stale),
        }
    }
}

/// `part` in percent of `whole`, to two decimals; none of nothing.
fn percent(part: Krw, whole: Krw) -> Option<f64> {
    let percent =
        Decimal::from(part.get()).checked_mul(Decimal::ONE_HUNDRED)?.checked_div(Decimal::from(whole.get()))?;
    percent.round_dp_with_strategy(2, rust_decimal::RoundingStrategy::MidpointAwayFromZero).to_f64()
}

/// The balance of these holdings and this cash. A sum that is too large to say leaves out what does not fit and is partial.
pub fn balance(
    (mode, broker, stopped): (Mode, Broker, bool),
    (cash, orderable_cash): (Krw, Krw),
    holdings: Vec<Position>,
    now: DateTime<Utc>,
) -> Balance {
    let holdings: Vec<BalanceHolding> = holdings.into_iter().map(Position::shown).collect();
    let missing: Vec<String> =
        holdings.iter().filter(|held| held.value.is_none()).map(|held| held.symbol.clone()).collect();
    let worth = Krw::sum(holdings.iter().filter_map(|held| held.value));
    let total_eval = worth.unwrap_or_default();
    let total = cash.plus(total_eval);
    Balance {
        mode,
        broker,
        stopped,
        cash,
        orderable_cash,
        total_eval,
        total_assets: total.unwrap_or(total_eval),
        stale: holdings.iter().any(|held| held.stale),
        partial: !missing.is_empty() || worth.is_none() || total.is_none(),
        missing,
        holdings,
        as_of: now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(won: i64) -> Krw {
        Krw::new(won).unwrap()
    }

    fn held(symbol: &str, quantity: u64, cost: i64, price: Option<i64>) -> Position {
        let price = price.map(|won| KnownPrice { won, as_of: DateTime::UNIX_EPOCH, stale: false });
        Position {
            symbol: symbol.to_owned(),
            market: Some(Market::Kospi),
            name: symbol.to_owned(),
            quantity,
            available: quantity,
            avg_price: won(cost / 3),
            cost: Some(won(cost)),
            price,
        }
    }

    #[test]
    fn what_has_no_price_is_named_and_counts_for_nothing() {
        let holdings = vec![held("A", 3, 300_000, Some(98_765)), held("B", 2, 50_000, None)];
        let kind = (Mode::Paper, Broker::Paper, false);
        let seen = balance(kind, (won(1_000), won(900)), holdings, DateTime::UNIX_EPOCH);
        assert_eq!((seen.total_eval, seen.total_assets), (won(296_295), won(297_295)));
        assert_eq!((seen.partial, seen.missing), (true, vec!["B".to_owned()]));
        // By hand: −3,705 of 300,000 is −1.235 %, half away from zero.
        assert_eq!((seen.holdings[0].profit, seen.holdings[0].profit_pct), (Some(won(-3_705)), Some(-1.24)));
        assert_eq!((seen.holdings[1].value, seen.holdings[1].profit_pct), (None, None));
    }
}
