//! What was sold, in the order of the days, with its sums.

use chrono::{Datelike, Days, NaiveDate};

use super::super::model::{
    NOT_ENOUGH, NOT_ENOUGH_SHARES, NewSale, ProfitPeriod, ProfitReport, SaleChanges, SaleTotals, SellOrder, SellRecord,
    Sold, month_in_words, month_of,
};
use super::items::{bought_at, currency_of, name_of};
use super::{CHANGED, cash, items};
use crate::market;
use hanok_base::{Amount, Currency, Error, Krw, Page, Result, day, validation_messages};
use hanok_platform::store::{CountedIndex, Index, IndexedTable, Order, ReadTransaction, RunningTotals, WriteTx};

/// Table: sales. Key: id. Value: the sale.
pub const SALES: IndexedTable<u64, SellRecord> =
    IndexedTable::new("portfolio_sales-1", |sale| sale.id, &[&IN_ORDER, &BY_BROKER, &BY_MONTH, &BY_DAY]);
/// Table: the order of the days, counted. Key: the day, counted from 1 January of the year 1, and the id. Value: nothing.
const IN_ORDER: CountedIndex<SellRecord, (u64, u64)> =
    CountedIndex::new("portfolio_sales_order-1", "portfolio_sales_order_counts-1", |sale| {
        Some(((number(sale.sold_at), sale.id), ()))
    });
/// Table: the same of each broker. Key: the broker, the day and the id. Value: the id.
const BY_BROKER: Index<SellRecord, (&'static str, u64, u64), u64> = Index::new("portfolio_sales_by_broker-1", |sale| {
    Some(((sale.broker.as_str(), number(sale.sold_at), sale.id), sale.id))
});
/// Table: what the sales of a month came to. Key: the month, counted from the year 0, and the broker. Value: the sums.
const BY_MONTH: RunningTotals<SellRecord, (u64, &'static str), SaleTotals> = RunningTotals::new(
    "portfolio_sales_by_month-1",
    |sale| (month_of(sale.sold_at), sale.broker.as_str()),
    SaleTotals::count,
    SaleTotals::is_empty,
);
/// Table: what the sales of a day came to. Key: the day and the broker. Value: the sums.
const BY_DAY: RunningTotals<SellRecord, (u64, &'static str), SaleTotals> = RunningTotals::new(
    "portfolio_sales_by_day-1",
    |sale| (number(sale.sold_at), sale.broker.as_str()),
    SaleTotals::count,
    SaleTotals::is_empty,
);

/// Which sales are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those of this broker.
    pub broker: Option<String>,
    /// Only those of the last so many days, today among them.
    pub days: Option<u64>,
}

/// Sales, the newest day first, and what all that pass come to.
pub fn list(tx: &impl ReadTransaction, filter: &Filter, page: Page) -> Result<(Vec<SellRecord>, SaleTotals)> {
    let first = filter
        .days
        .map(|days| day::of(tx.now()).checked_sub_days(Days::new(days.saturating_sub(1))).unwrap_or(NaiveDate::MIN));
    let from = first.map_or(0, number);
    let ids = match filter.broker.as_deref() {
        Some(broker) => {
            let range = (broker, from, 0)..=(broker, u64::MAX, u64::MAX);
            tx.values(&BY_BROKER, range, Order::Descending, page.offset, page.limit)?
        }
        None => {
            let found = IN_ORDER.page(tx, (from, 0)..=(u64::MAX, u64::MAX), Order::Descending, page)?;
            found.into_iter().map(|((_, id), ())| id).collect()
        }
    };
    Ok((tx.rows(&SALES, ids)?, totals(tx, filter.broker.as_deref(), first)?))
}

/// What the sales of a broker, or of all, come to since a day, or all of them: whole months as they are kept, and the days
/// of the month that the day lies in.
fn totals(tx: &impl ReadTransaction, broker: Option<&str>, first: Option<NaiveDate>) -> Result<SaleTotals> {
    let mut totals = SaleTotals::default();
    let mut add = |of: &str, sums: SaleTotals| {
        if broker.is_none_or(|broker| broker == of) {
            totals = totals.plus(sums);
        }
    };
    let mut month = 0;
    if let Some(first) = first {
        month = month_of(first) + 1;
        for entry in tx.entries(&BY_DAY, (number(first), "").., Order::Ascending) {
            let entry = entry?;
            let (day, of) = entry.key();
            if day_of(day).is_none_or(|day| month_of(day) >= month) {
                break;
            }
            add(of, entry.value()?);
        }
    }
    for entry in tx.entries(&BY_MONTH, (month, "").., Order::Ascending) {
        let entry = entry?;
        add(entry.key().1, entry.value()?);
    }
    Ok(totals)
}

/// What was earned in each month and in each year, newest first, and in all.
pub fn profit(tx: &impl ReadTransaction) -> Result<ProfitReport> {
    let (mut months, mut years) = (Vec::<(u64, SaleTotals)>::new(), Vec::<(u64, SaleTotals)>::new());
    let mut all = SaleTotals::default();
    for entry in tx.entries(&BY_MONTH, (0, "").., Order::Descending) {
        let entry = entry?;
        let ((month, _), sums) = (entry.key(), entry.value()?);
        for (periods, number) in [(&mut months, month), (&mut years, month / 12)] {
            match periods.last_mut().filter(|(last, _)| *last == number) {
                Some((_, kept)) => *kept = kept.plus(sums),
                None => periods.push((number, sums)),
            }
        }
        all = all.plus(sums);
    }
    let of_month = |(month, sums): (u64, SaleTotals)| ProfitPeriod {
        month: Some(month_in_words(month)),
        year: month / 12,
        profit_krw: sums.profit(),
        count: sums.count,
    };
    let of_year = |(year, sums): (u64, SaleTotals)| ProfitPeriod {
        month: None,
        year,
        profit_krw: sums.profit(),
        count: sums.count,
    };
    Ok(ProfitReport {
        months: months.into_iter().map(of_month).collect(),
        years: years.into_iter().map(of_year).collect(),
        total_krw: all.profit(),
    })
}

/// Adds a sale record; no item changes.
///
/// # Errors
/// `INVALID_INPUT` for a day to come, and for amounts beyond all bounds.
pub fn add(tx: &WriteTx, new: NewSale) -> Result<SellRecord> {
    let market = new.market.unwrap_or_else(|| market::market_of(&new.symbol));
    let currency = new.currency.unwrap_or_else(|| currency_of(market));
    let fx_rate = bought_at(tx, currency, new.fx_rate)?;
    write(
        tx,
        SellRecord {
            id: tx.next_id("portfolio_sales")?,
            name: new.name.unwrap_or_else(|| name_of(&new.symbol)),
            cost_fx_rate: new.cost_fx_rate.or(fx_rate),
            fx_rate,
            broker: new.broker,
            symbol: new.symbol,
            market,
            quantity: new.quantity,
            sell_price: new.sell_price,
            avg_cost: new.avg_cost,
            fees: new.fees,
            tax: new.tax,
            currency,
            profit: Amount::default(),
            profit_krw: None,
            proceeds_krw: None,
            fees_krw: None,
            tax_krw: None,
            sold_at: new.sold_at.unwrap_or(day::of(tx.now())),
            method: Default::default(),
            note: new.note,
            created_at: tx.now(),
            updated_at: tx.now(),
        },
    )
}

/// Changes the fields of a sale record that are sent; no item changes.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_INPUT` for a day to come, and for amounts beyond all bounds.
pub fn change(tx: &WriteTx, id: u64, changes: SaleChanges) -> Result<SellRecord> {
    let mut sale = tx.get(&SALES, id)?.ok_or_else(|| Error::not_found("record"))?;
    changes.apply_to(&mut sale);
    write(tx, SellRecord { updated_at: tx.now(), ..sale })
}

/// Removes a sale record; no item changes.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: u64) -> Result<()> {
    SALES.remove(tx, id)?.ok_or_else(|| Error::not_found("record"))?;
    tx.announce(CHANGED);
    Ok(())
}

/// Sells shares of an item: adds the sale record, reduces the item, and adds the net proceeds to the broker's cash.
///
/// # Errors
/// `NOT_FOUND`; `NOT_ENOUGH_SHARES`; `INVALID_INPUT` as [`add`], and where the rate that the cash needs is not known.
pub fn sell(tx: &WriteTx, id: u64, order: SellOrder) -> Result<Sold> {
    let item = items::find(tx, id)?;
    let left = item.quantity.get() - order.quantity.get();
    if left < rust_decimal::Decimal::ZERO {
        let wanted = order.quantity.to_string();
        let said = [("held", item.quantity.to_string().into()), ("name", item.name.into()), ("wanted", wanted.into())];
        return Err(Error::of(NOT_ENOUGH_SHARES, NOT_ENOUGH.with(said)));
    }
    let broker = item.broker.clone();
    let fx_rate = bought_at(tx, item.currency, order.fx_rate)?;
    let cost_fx_rate = item.buy_fx_rate.or(fx_rate);
    let record = add(
        tx,
        NewSale {
            broker: broker.clone(),
            symbol: item.symbol.clone(),
            quantity: order.quantity,
            sell_price: order.sell_price,
            avg_cost: item.avg_price,
            fees: order.fees,
            tax: order.tax,
            name: Some(item.name.clone()),
            market: Some(item.market),
            currency: Some(item.currency),
            fx_rate,
            cost_fx_rate,
            sold_at: order.sold_at,
            note: order.note,
        },
    )?;
    if order.to_cash.unwrap_or(true) {
        let earned = match (record.to_cash(), record.currency) {
            (Some(earned), _) => earned,
            (None, Currency::KRW) => return Err(Error::field("quantity", validation_messages::SMALLER)),
            (None, _) => return Err(Error::field("fx_rate", validation_messages::PRESENT)),
        };
        let before = cash::find(tx, &broker)?.map_or(Krw::ZERO, |cash| cash.cash);
        let after = before.plus(earned).ok_or_else(|| Error::field("quantity", validation_messages::SMALLER))?;
        cash::set(tx, broker.clone(), after)?;
    }
    items::reduce(tx, item, Amount::new(left).filter(|left| left.get() > rust_decimal::Decimal::ZERO))?;
    let item = if left.is_zero() { None } else { Some(items::valued(tx, id)?) };
    Ok(Sold { record, item, cash: cash::find(tx, &broker)? })
}

fn write(tx: &WriteTx, sale: SellRecord) -> Result<SellRecord> {
    let sale = sale.computed(day::of(tx.now()))?;
    SALES.put(tx, &sale)?;
    tx.announce(CHANGED);
    Ok(sale)
}

fn number(day: NaiveDate) -> u64 {
    u64::try_from(day.num_days_from_ce()).unwrap_or(0)
}

fn day_of(number: u64) -> Option<NaiveDate> {
    NaiveDate::from_num_days_from_ce_opt(i32::try_from(number).ok()?)
}

#[cfg(test)]
mod tests;
