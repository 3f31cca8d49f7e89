//! What is held, and cash.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::said::MUST_BE_BROKER;
use super::valuation::{Position, Worth, paid, weight, won};
use crate::market::{MarketName, Price, PriceSource, Rate, Symbol};
use hanok_base::money::{NonNegativeAmount, PositiveAmount};
use hanok_base::schema::{Components, RefOr, Schema, ToSchema};
use hanok_base::text::{Line, Text, composed};
use hanok_base::validated::{Constraint, Unchecked, ValidationErrors};
use hanok_base::{Amount, Currency, Krw, Request};
use hanok_calc::exchange::Market;
use rust_decimal::Decimal;

/// Items that are kept at most: an answer holds all of them.
pub const MOST_ITEMS: u64 = 1_000;
/// Brokers whose cash is kept at most.
pub const MOST_BROKERS: u64 = 100;

/// The name of a broker: one line. `ALL` stands for all of them, and a dot or two are no part of an address.
#[derive(Debug)]
pub struct Broker;

impl Constraint for Broker {
    type Input = String;
    type Value = String;

    fn check(sent: String) -> Result<String, ValidationErrors> {
        let name = composed(&Line::<1, 50>::check(sent)?).into_owned();
        if matches!(name.as_str(), "ALL" | "." | "..") { Err(MUST_BE_BROKER.into()) } else { Ok(name) }
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        Line::<1, 50>::schema(components)
    }
}

/// What an item may be called.
pub type Name = Line<1, 100>;
/// A note.
pub type Note = Text<0, 1_000>;

/// An item as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holding {
    /// Ever increasing, never reused.
    pub id: u64,
    /// Where it is held.
    pub broker: String,
    /// Its symbol.
    pub symbol: String,
    /// Where it is listed.
    pub market: Market,
    /// What it is called.
    pub name: String,
    /// How many.
    pub quantity: Amount,
    /// What one cost.
    pub avg_price: Amount,
    /// Of that price.
    pub currency: Currency,
    /// Won for one of the currency when it was bought; none where that is not known.
    pub buy_fx_rate: Option<Amount>,
    /// More about it.
    #[serde(default)]
    pub note: String,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When it was changed last.
    pub updated_at: DateTime<Utc>,
    /// How often it was changed since: an import can be undone only while nobody has changed what it added.
    #[serde(default)]
    pub changes: u64,
}

/// An item, with what it is worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Item {
    /// Ever increasing, never reused.
    pub id: u64,
    /// Where it is held.
    pub broker: String,
    /// Its symbol, such as `005930`.
    pub symbol: String,
    /// Where it is listed.
    pub market: Market,
    /// What it is called.
    pub name: String,
    /// How many.
    pub quantity: Amount,
    /// What one cost, by the average-cost method.
    pub avg_price: Amount,
    /// Of both prices.
    pub currency: Currency,
    /// What one costs now; null where nobody has said it.
    pub current_price: Option<Amount>,
    /// When it was traded at that price.
    pub price_as_of: Option<DateTime<Utc>>,
    /// Whether a newer price or rate should be here.
    pub stale: bool,
    /// Where the price came from.
    pub price_source: Option<PriceSource>,
    /// What all of it is worth, in its currency.
    pub value: Option<Amount>,
    /// The same in won, by the rate of now.
    pub value_krw: Option<Krw>,
    /// What it cost in won, by the rate at which it was bought, else by that of now.
    pub cost_krw: Option<Krw>,
    /// Value without cost.
    pub profit_krw: Option<Krw>,
    /// That in percent of the cost, to two decimals; null where it cost nothing.
    pub profit_pct: Option<f64>,
    /// Its share of all whose value is known, cash among them, in percent to two decimals.
    pub weight_pct: Option<f64>,
    /// Won for one of its currency now; null where nobody has said it.
    pub fx_rate: Option<Amount>,
    /// When the rate was that; null for won.
    pub fx_as_of: Option<DateTime<Utc>>,
    /// Won for one of its currency when it was bought; null where that is not known.
    pub buy_fx_rate: Option<Amount>,
    /// More about it.
    pub note: String,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When it was changed last.
    pub updated_at: DateTime<Utc>,
}

/// Cash at a broker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Cash {
    /// Where it lies.
    pub broker: String,
    /// How much, in won.
    pub cash: Krw,
    /// When it was changed last.
    pub updated_at: DateTime<Utc>,
}

/// What is held, with what it is worth.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Portfolio {
    /// The items, by broker, and in the order in which they were added.
    pub items: Vec<Item>,
    /// Cash, by broker.
    pub cash: Vec<Cash>,
    /// What all of it comes to.
    pub totals: PortfolioTotals,
}

/// What all of it comes to, in won. What is unknown takes no part; a sum beyond what can be said is null.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PortfolioTotals {
    /// Items and cash.
    pub total_assets: Option<Krw>,
    /// What the items cost.
    pub total_buy: Option<Krw>,
    /// What the items are worth.
    pub total_eval: Option<Krw>,
    /// Cash.
    pub total_cash: Option<Krw>,
    /// Worth without cost, of the items of which both are known.
    pub total_profit: Option<Krw>,
    /// That in percent of what these cost, to two decimals; null where they cost nothing.
    pub total_profit_pct: Option<f64>,
    /// When the oldest price or rate that took part was of; null without any.
    pub as_of: Option<DateTime<Utc>>,
    /// Whether the value of some item is not known.
    pub partial: bool,
    /// The symbols of those items.
    pub missing: Vec<String>,
}

/// An item to be added.
#[derive(Debug, Clone, Request)]
pub struct NewItem {
    /// Where it is held.
    #[field(Broker)]
    pub broker: String,
    /// Its symbol.
    #[field(Symbol)]
    pub symbol: String,
    /// How many.
    #[field(PositiveAmount)]
    pub quantity: Amount,
    /// What one cost.
    #[field(NonNegativeAmount)]
    pub avg_price: Amount,
    /// What it is called; left out it is what the exchange calls it, else its symbol.
    #[field(Name)]
    pub name: Option<String>,
    /// Where it is listed; left out it is where the exchange says, else where the form of the symbol says.
    #[field(MarketName)]
    pub market: Option<Market>,
    /// Of the prices; left out it is the dollar for the United States, else the won.
    #[field(Unchecked<Currency>)]
    pub currency: Option<Currency>,
    /// A manual price, shared by all items of this symbol; it counts until it is cleared.
    #[field(NonNegativeAmount)]
    pub current_price: Option<Amount>,
    /// Won for one of the currency when it was bought; left out it is the rate of now, where that is known.
    #[field(PositiveAmount)]
    pub buy_fx_rate: Option<Amount>,
    /// More about it.
    #[field(Note, default)]
    pub note: String,
    /// Whether it goes into an item of the same broker, symbol and currency, with the average of both prices.
    #[field(Unchecked<bool>, default)]
    pub merge: bool,
}

/// What changes of an item; the rest stays.
#[derive(Debug, Request)]
pub struct ItemChanges {
    /// Where it is held.
    #[field(Broker, change)]
    pub broker: Option<String>,
    /// Its symbol.
    #[field(Symbol, change)]
    pub symbol: Option<String>,
    /// How many.
    #[field(PositiveAmount, change)]
    pub quantity: Option<Amount>,
    /// What one cost.
    #[field(NonNegativeAmount, change)]
    pub avg_price: Option<Amount>,
    /// What it is called.
    #[field(Name, change)]
    pub name: Option<String>,
    /// Where it is listed; left out with another symbol it follows that.
    #[field(MarketName, change)]
    pub market: Option<Market>,
    /// Of the prices.
    #[field(Unchecked<Currency>, change)]
    pub currency: Option<Currency>,
    /// The price that is kept by hand; null clears it, and the provider's counts again.
    #[field(NonNegativeAmount, clear)]
    pub current_price: Option<Option<Amount>>,
    /// Won for one of the currency when it was bought; null: not known.
    #[field(PositiveAmount, clear)]
    pub buy_fx_rate: Option<Option<Amount>>,
    /// More about it.
    #[field(Note, clear)]
    pub note: Option<Option<String>>,
}

/// Cash at a broker.
#[derive(Debug, Request)]
pub struct CashChange {
    /// Where it lies.
    #[field(Broker)]
    pub broker: String,
    /// How much, in whole won.
    #[field(Krw)]
    pub cash: Krw,
}

impl Holding {
    /// What is known of it and of its market. A price in another currency is none.
    pub fn position(&self, price: Option<&Price>, rate: Option<&Rate>) -> Position {
        Position {
            quantity: self.quantity,
            avg_price: self.avg_price,
            currency: self.currency,
            buy_fx_rate: self.buy_fx_rate,
            price: price.filter(|price| price.currency == self.currency).map(|price| price.price),
            fx_rate: rate.map(|rate| rate.rate),
        }
    }

    /// Itself with what it is worth beside all that is known, which is `whole` in won.
    pub fn valued(self, price: Option<&Price>, rate: Option<&Rate>, worth: &Worth, whole: Decimal) -> Item {
        let price = price.filter(|price| price.currency == self.currency);
        let abroad = rate.filter(|_| self.currency != Currency::KRW);
        Item {
            current_price: price.map(|price| price.price),
            price_as_of: price.map(|price| price.as_of),
            stale: price.is_some_and(|price| price.stale) || abroad.is_some_and(|rate| rate.stale),
            price_source: price.map(|price| price.source),
            value: worth.value.and_then(|value| paid(value, self.currency)),
            value_krw: worth.value_krw.and_then(won),
            cost_krw: worth.cost_krw.and_then(won),
            profit_krw: worth.profit().and_then(won),
            profit_pct: worth.profit_pct(),
            weight_pct: worth.value_krw.and_then(|value| weight(value, whole)),
            fx_rate: rate.map(|rate| rate.rate),
            fx_as_of: abroad.map(|rate| rate.as_of),
            id: self.id,
            broker: self.broker,
            symbol: self.symbol,
            market: self.market,
            name: self.name,
            quantity: self.quantity,
            avg_price: self.avg_price,
            currency: self.currency,
            buy_fx_rate: self.buy_fx_rate,
            note: self.note,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}
