//! What was sold, by the average-cost method: computed once, when a record is added or corrected.

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::item::{Broker, Cash, Item, Name, Note};
use super::said::NOT_IN_FUTURE;
use super::valuation::{paid, won};
use crate::market::{MarketName, Symbol};
use hanok_base::day::Day;
use hanok_base::money::{NonNegativeAmount, PositiveAmount};
use hanok_base::schema::{Components, RefOr, Schema, ToSchema};
use hanok_base::validated::{Constraint, Unchecked, ValidationErrors};
use hanok_base::{Amount, Currency, Error, Krw, Request, Result, validation_messages};
use hanok_calc::exchange::Market;

/// How the cost of what was sold is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CostMethod {
    /// Each share costs the average of all that were bought.
    #[default]
    Average,
}

/// A sale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SellRecord {
    /// Ever increasing, never reused.
    pub id: u64,
    /// Where it was held.
    pub broker: String,
    /// Its symbol.
    pub symbol: String,
    /// Where it is listed.
    pub market: Market,
    /// What it is called.
    pub name: String,
    /// How many were sold.
    pub quantity: Amount,
    /// For what each, in `currency`.
    pub sell_price: Amount,
    /// What each had cost, in `currency`.
    pub avg_cost: Amount,
    /// Fees, in `currency`.
    pub fees: Amount,
    /// Tax, in `currency`.
    pub tax: Amount,
    /// Of all these.
    pub currency: Currency,
    /// Won for one of it that was used; null where that was not known.
    pub fx_rate: Option<Amount>,
    /// Won for one of it that was used for the cost; null where that was not known.
    pub cost_fx_rate: Option<Amount>,
    /// What was earned after fees and tax, in `currency`.
    pub profit: Amount,
    /// The same in won, proceeds and cost each by its rate; null where a rate was not known.
    pub profit_krw: Option<Krw>,
    /// What it was sold for, before fees and tax, in won.
    pub proceeds_krw: Option<Krw>,
    /// Fees in won.
    pub fees_krw: Option<Krw>,
    /// Tax in won.
    pub tax_krw: Option<Krw>,
    /// The day, in Asia/Seoul.
    pub sold_at: NaiveDate,
    /// How the cost is known.
    pub method: CostMethod,
    /// More about it.
    pub note: String,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When it was changed last.
    pub updated_at: DateTime<Utc>,
}

/// The day of a sale; that it has come is looked at when the day is known.
#[derive(Debug)]
pub struct SaleDay;

impl Constraint for SaleDay {
    type Input = String;
    type Value = NaiveDate;

    fn check(sent: String) -> Result<NaiveDate, ValidationErrors> {
        Day::check(sent)
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        match Day::schema(components) {
            RefOr::Type(Schema::Object(day)) => day.examples(["2026-10-08"]).into(),
            other => other,
        }
    }
}

/// A sale record to be added.
#[derive(Debug, Clone, Request)]
pub struct NewSale {
    /// Where it was held.
    #[field(Broker)]
    pub broker: String,
    /// Its symbol.
    #[field(Symbol)]
    pub symbol: String,
    /// How many were sold.
    #[field(PositiveAmount)]
    pub quantity: Amount,
    /// For what each.
    #[field(NonNegativeAmount)]
    pub sell_price: Amount,
    /// What each had cost.
    #[field(NonNegativeAmount)]
    pub avg_cost: Amount,
    /// Fees; left out there were none.
    #[field(NonNegativeAmount, default)]
    pub fees: Amount,
    /// Tax; left out there was none.
    #[field(NonNegativeAmount, default)]
    pub tax: Amount,
    /// What it is called; left out it is what the exchange calls it, else its symbol.
    #[field(Name)]
    pub name: Option<String>,
    /// Where it is listed; left out it is where the exchange says, else where the form of the symbol says.
    #[field(MarketName)]
    pub market: Option<Market>,
    /// Of all amounts; left out it is the dollar for the United States, else the won.
    #[field(Unchecked<Currency>)]
    pub currency: Option<Currency>,
    /// Won for one of it; left out it is the rate of now, where that is known.
    #[field(PositiveAmount)]
    pub fx_rate: Option<Amount>,
    /// Won for one of it when it was bought; left out it is the same rate.
    #[field(PositiveAmount)]
    pub cost_fx_rate: Option<Amount>,
    /// The day; left out it is today.
    #[field(SaleDay)]
    pub sold_at: Option<NaiveDate>,
    /// More about it.
    #[field(Note, default)]
    pub note: String,
}

/// What changes of a sale; the rest stays, and no item is touched.
#[derive(Debug, Request)]
#[request(changes = SellRecord)]
pub struct SaleChanges {
    /// Where it was held.
    #[field(Broker, change)]
    pub broker: Option<String>,
    /// Its symbol.
    #[field(Symbol, change)]
    pub symbol: Option<String>,
    /// Where it is listed.
    #[field(MarketName, change)]
    pub market: Option<Market>,
    /// What it is called.
    #[field(Name, change)]
    pub name: Option<String>,
    /// How many were sold.
    #[field(PositiveAmount, change)]
    pub quantity: Option<Amount>,
    /// For what each.
    #[field(NonNegativeAmount, change)]
    pub sell_price: Option<Amount>,
    /// What each had cost.
    #[field(NonNegativeAmount, change)]
    pub avg_cost: Option<Amount>,
    /// Fees.
    #[field(NonNegativeAmount, change)]
    pub fees: Option<Amount>,
    /// Tax.
    #[field(NonNegativeAmount, change)]
    pub tax: Option<Amount>,
    /// Of all amounts.
    #[field(Unchecked<Currency>, change)]
    pub currency: Option<Currency>,
    /// Won for one of it; null: not known.
    #[field(PositiveAmount, clear)]
    pub fx_rate: Option<Option<Amount>>,
    /// Won for one of it when it was bought; null: not known.
    #[field(PositiveAmount, clear)]
    pub cost_fx_rate: Option<Option<Amount>>,
    /// The day.
    #[field(SaleDay, change)]
    pub sold_at: Option<NaiveDate>,
    /// More about it.
    #[field(Note, clear)]
    pub note: Option<Option<String>>,
}

/// What of an item is sold.
#[derive(Debug, Clone, Request)]
pub struct SellOrder {
    /// How many.
    #[field(PositiveAmount)]
    pub quantity: Amount,
    /// For what each, in the currency of the item.
    #[field(NonNegativeAmount)]
    pub sell_price: Amount,
    /// Fees; left out there were none.
    #[field(NonNegativeAmount, default)]
    pub fees: Amount,
    /// Tax; left out there was none.
    #[field(NonNegativeAmount, default)]
    pub tax: Amount,
    /// Won for one of the currency; left out it is the rate of now. Without any, nothing can go to the cash.
    #[field(PositiveAmount)]
    pub fx_rate: Option<Amount>,
    /// The day; left out it is today.
    #[field(SaleDay)]
    pub sold_at: Option<NaiveDate>,
    /// More about it.
    #[field(Note, default)]
    pub note: String,
    /// Whether the net proceeds are added to the broker's cash; left out they are.
    #[field(Unchecked<bool>)]
    pub to_cash: Option<bool>,
}

/// What became of a sale.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Sold {
    /// The sale record.
    pub record: SellRecord,
    /// What is left; null where all of it was sold.
    pub item: Option<Item>,
    /// The cash of the broker; null where the broker has none.
    pub cash: Option<Cash>,
}

impl SellRecord {
    /// The record with everything computed from its amounts, as of `today`.
    ///
    /// # Errors
    /// `INVALID_INPUT` for a day to come, and for amounts beyond all bounds.
    pub fn computed(self, today: NaiveDate) -> Result<SellRecord> {
        if self.sold_at > today {
            return Err(Error::field("sold_at", NOT_IN_FUTURE));
        }
        let is_won = self.currency == Currency::KRW;
        let record = SellRecord {
            fx_rate: if is_won { Amount::new(Decimal::ONE) } else { self.fx_rate },
            cost_fx_rate: if is_won { Amount::new(Decimal::ONE) } else { self.cost_fx_rate },
            ..self
        };
        record.summed().ok_or_else(|| Error::field("quantity", validation_messages::SMALLER))
    }

    /// Net proceeds, after fees and tax, in won; none where the rate is not known.
    pub fn to_cash(&self) -> Option<Krw> {
        let proceeds = self.quantity.get().checked_mul(self.sell_price.get())?;
        let left = proceeds.checked_sub(self.fees.get())?.checked_sub(self.tax.get())?;
        won(left.checked_mul(self.fx_rate?.get())?)
    }

    /// None where something is beyond all bounds.
    fn summed(self) -> Option<SellRecord> {
        let quantity = self.quantity.get();
        let proceeds = quantity.checked_mul(self.sell_price.get())?;
        let cost = quantity.checked_mul(self.avg_cost.get())?;
        let left = proceeds.checked_sub(self.fees.get())?.checked_sub(self.tax.get())?;
        let profit = paid(left.checked_sub(cost)?, self.currency)?;
        let in_won = |sum: Decimal| match self.fx_rate {
            Some(rate) => won(sum.checked_mul(rate.get())?).map(Some),
            None => Some(None),
        };
        let profit_krw = match self.fx_rate.zip(self.cost_fx_rate) {
            Some((now, then)) => Some(won(left.checked_mul(now.get())?.checked_sub(cost.checked_mul(then.get())?)?)?),
            None => None,
        };
        let (proceeds_krw, fees_krw, tax_krw) = (in_won(proceeds)?, in_won(self.fees.get())?, in_won(self.tax.get())?);
        Some(SellRecord { profit, profit_krw, proceeds_krw, fees_krw, tax_krw, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Amount {
        text.parse().unwrap()
    }

    fn sale(currency: Currency, [quantity, sell_price, avg_cost, fees, tax]: [&str; 5]) -> SellRecord {
        let day = |text: &str| text.parse().unwrap();
        SellRecord {
            id: 1,
            broker: "가".to_owned(),
            symbol: "005930".to_owned(),
            market: Market::Kospi,
            name: "삼성전자".to_owned(),
            quantity: amount(quantity),
            sell_price: amount(sell_price),
            avg_cost: amount(avg_cost),
            fees: amount(fees),
            tax: amount(tax),
            currency,
            fx_rate: None,
            cost_fx_rate: None,
            profit: Amount::default(),
            profit_krw: None,
            proceeds_krw: None,
            fees_krw: None,
            tax_krw: None,
            sold_at: day("2026-10-08"),
            method: CostMethod::Average,
            note: String::new(),
            created_at: "2026-10-10T12:30:00Z".parse().unwrap(),
            updated_at: "2026-10-10T12:30:00Z".parse().unwrap(),
        }
    }

    fn today() -> NaiveDate {
        "2026-10-10".parse().unwrap()
    }

    #[test]
    fn a_sale_comes_to_what_is_worked_out_by_hand() {
        // By hand: 7 × 71,500 = 500,500; 7 × 65,300 = 457,100; 500,500 − 70 − 1,001 − 457,100 = 42,329.
        let sold = sale(Currency::KRW, ["7", "71500", "65300", "70", "1001"]).computed(today()).unwrap();
        let won = |krw: Option<Krw>| krw.map(Krw::get);
        assert_eq!(
            (sold.profit, won(sold.profit_krw), won(sold.proceeds_krw)),
            (amount("42329"), Some(42_329), Some(500_500))
        );
        assert_eq!(
            (won(sold.fees_krw), won(sold.tax_krw), won(sold.to_cash())),
            (Some(70), Some(1_001), Some(499_429))
        );
        // By hand: 2.5 × 210.40 = 526 dollars, less 1.27 = 524.73, × 1,391.2 = 730,004.376; 2.5 × 180.25 = 450.625,
        // × 1,302.7 = 587,029.1875; the difference 142,975.1885; in dollars 524.73 − 450.625 = 74.105, which goes up.
        let abroad = sale(Currency::USD, ["2.5", "210.40", "180.25", "1.27", "0"]);
        let abroad = SellRecord { fx_rate: Some(amount("1391.2")), cost_fx_rate: Some(amount("1302.7")), ..abroad };
        let sold = abroad.clone().computed(today()).unwrap();
        assert_eq!(
            (sold.profit, won(sold.profit_krw), won(sold.to_cash())),
            (amount("74.11"), Some(142_975), Some(730_004))
        );
        let without = SellRecord { fx_rate: None, ..abroad }.computed(today()).unwrap();
        assert_eq!((without.profit, without.profit_krw, without.to_cash()), (amount("74.11"), None, None));
    }

    #[test]
    fn a_day_to_come_and_what_is_beyond_all_bounds_are_refused() {
        let refused = |sold: SellRecord| sold.computed(today()).unwrap_err().fields.into_keys().collect::<Vec<_>>();
        let plain = sale(Currency::KRW, ["7", "71500", "65300", "70", "1001"]);
        assert_eq!(refused(SellRecord { sold_at: "2026-10-11".parse().unwrap(), ..plain }), ["sold_at"]);
        let most = "999999999999999";
        assert_eq!(refused(sale(Currency::KRW, [most, most, "1", "0", "0"])), ["quantity"]);
        assert_eq!(refused(sale(Currency::KRW, [most, "100000", "1", "0", "0"])), ["quantity"]);
    }
}
