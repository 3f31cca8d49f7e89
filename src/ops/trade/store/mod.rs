//! The tables of the orders and of the paper account, and what is read of them.

pub mod paper;

use chrono::{Days, NaiveDate};
use hanok_base::money::Currency;
use hanok_base::{Error, MessageTemplate, Page, Result, day};
use hanok_calc::exchange::{Market, PriceLimits, Session, current_or_next_session, price_limits, session};
use hanok_platform::events::Change;
use hanok_platform::store::{
    CountedIndex, CountedRows, Declared, IndexedTable, Order as Direction, ReadTransaction, RunningTotals, Table,
    WriteTx,
};
use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize};

use super::model::{Account, Balance, Holding, KnownPrice, NewOrder, Order, OrderStatus, TRADING_STOPPED, Terms};
use crate::market::{self, Price, PriceSource};

/// Orders, cash or holdings have changed.
pub const CHANGED: Change = Change::new("trade");

/// Table: orders. Key: id. Value: the order.
const ORDERS: IndexedTable<u64, Order> =
    IndexedTable::new("trade_orders-1", |order| order.id, &[&COUNTED, &BY_STATUS, &STATUS_COUNTS]);
/// Table: orders counted in their order.
const COUNTED: CountedRows<Order, u64> = CountedRows::new("trade_orders-1", "trade_orders_counts-1", |order| order.id);
/// Table: orders by where they stand. Key: the number of the status and the id. Value: nothing.
const BY_STATUS: CountedIndex<Order, (u64, u64)> =
    CountedIndex::new("trade_orders_by_status-1", "trade_orders_by_status_counts-1", |order| {
        Some(((order.status.number(), order.id), ()))
    });
/// Table: how many orders stand where. Key: the number of the status. Value: how many.
const STATUS_COUNTS: RunningTotals<Order, u64, u64> = RunningTotals::new(
    "trade_orders_status_totals-1",
    |order| order.status.number(),
    |total, _, count| *total = count(*total, 1),
    |total| *total == 0,
);
/// Table: what is held in the paper account. Key: the symbol. Value: the holding.
const HOLDINGS: Table<&str, Holding> = Table::new("trade_holdings-1");
/// Table: the paper account, once anything was done with it. Key: 0.
const ACCOUNT: Table<u64, Account> = Table::new("trade_account-1");
/// Table: whether trading is stopped. Key: 0.
const STOP: Table<u64, Stop> = Table::new("trade_stop-1");
/// Table: what a real broker said of its account last. Key: 0.
const LAST_BALANCE: Table<u64, Balance> = Table::new("trade_last_balance-1");
/// The key of a table with one row.
const ONLY: u64 = 0;

/// Of so many orders the numbers at the broker are looked at.
const NEWEST: usize = 500;

/// Every table of the room.
pub const TABLES: &[&dyn Declared] = &[&ORDERS, &HOLDINGS, &ACCOUNT, &STOP, &LAST_BALANCE];

const STOPPED: MessageTemplate =
    MessageTemplate::new("trade.stopped", "trading is stopped: let it go on before you order");
const NOT_KOREAN: MessageTemplate = MessageTemplate::new(
    "trade.must.korean",
    "must be KOSPI, KOSDAQ, KONEX or ETF; for what the list does not know, say which",
);
const OTHER_MARKET: MessageTemplate = MessageTemplate::new(
    "trade.must.listed_there",
    "must be the market that the list has for this symbol, or be left out",
);

/// Whether trading is stopped.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Stop {
    stopped: bool,
}

/// Whether new orders are refused.
pub fn is_stopped(tx: &impl ReadTransaction) -> Result<bool> {
    Ok(tx.get(&STOP, ONLY)?.unwrap_or_default().stopped)
}

/// Stops trading, or lets it go on.
pub fn stop(tx: &WriteTx, stopped: bool) -> Result<()> {
    tx.put(&STOP, ONLY, &Stop { stopped })?;
    tx.announce(CHANGED);
    Ok(())
}

/// That trading is not stopped.
///
/// # Errors
/// `TRADING_STOPPED`.
pub fn must_go_on(tx: &impl ReadTransaction) -> Result<()> {
    if is_stopped(tx)? { Err(Error::of(TRADING_STOPPED, STOPPED)) } else { Ok(()) }
}

/// Orders, newest first, and how many there are; those of one status, or all.
pub fn list(tx: &impl ReadTransaction, status: Option<OrderStatus>, page: Page) -> Result<(Vec<Order>, u64)> {
    let Some(number) = status.map(OrderStatus::number) else {
        return Ok((COUNTED.page(tx, 0..=u64::MAX, Direction::Descending, page)?, tx.count(&ORDERS)?));
    };
    let found = BY_STATUS.page(tx, (number, 0)..=(number, u64::MAX), Direction::Descending, page)?;
    let total = tx.get(&STATUS_COUNTS, number)?.unwrap_or_default();
    Ok((tx.rows(&ORDERS, found.into_iter().map(|((_, id), ())| id))?, total))
}

/// The order `id`.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find(tx: &impl ReadTransaction, id: u64) -> Result<Order> {
    tx.get(&ORDERS, id)?.ok_or_else(|| Error::not_found("order"))
}

/// Of how many orders something may still be done.
pub fn count_open(tx: &impl ReadTransaction) -> Result<u64> {
    let mut total = 0;
    for status in OrderStatus::ALL.into_iter().filter(|status| status.is_open()) {
        total += tx.get(&STATUS_COUNTS, status.number())?.unwrap_or_default();
    }
    Ok(total)
}

/// Every order of which something may still be done, oldest first.
pub fn open(tx: &impl ReadTransaction) -> Result<Vec<Order>> {
    let mut ids = Vec::new();
    for status in OrderStatus::ALL.into_iter().filter(|status| status.is_open()) {
        let number = status.number();
        for entry in tx.entries(&BY_STATUS, (number, 0)..=(number, u64::MAX), Direction::Ascending) {
            ids.push(entry?.key().1);
        }
    }
    ids.sort_unstable();
    tx.rows(&ORDERS, ids)
}

/// The numbers that a real broker has given the newest orders of the session of `day`: they begin anew with each.
pub fn broker_numbers(tx: &impl ReadTransaction, day: NaiveDate) -> Result<Vec<String>> {
    let newest = COUNTED.page(tx, 0..=u64::MAX, Direction::Descending, Page { limit: NEWEST, offset: 0 })?;
    Ok(newest.into_iter().filter(|order| order.session == day).filter_map(|order| order.broker_order).collect())
}

/// Writes `order`.
pub fn put(tx: &WriteTx, order: &Order) -> Result<()> {
    ORDERS.put(tx, order)?;
    tx.announce(CHANGED);
    Ok(())
}

/// The id of the next order.
pub fn next_id(tx: &WriteTx) -> Result<u64> {
    tx.next_id("trade_order")
}

/// What a real broker said of its account last.
pub fn last_balance(tx: &impl ReadTransaction) -> Result<Option<Balance>> {
    tx.get(&LAST_BALANCE, ONLY)
}

/// Keeps what a real broker said of its account.
pub fn keep_balance(tx: &WriteTx, balance: &Balance) -> Result<()> {
    tx.quiet();
    tx.put(&LAST_BALANCE, ONLY, balance)
}

/// What is known of what `new` orders: it is listed where what is `held` of it is, where the order says, or where the shipped
/// list says.
///
/// # Errors
/// `INVALID_INPUT` for what is not listed at the Korean exchange, or is listed elsewhere than the order says.
pub fn terms(tx: &impl ReadTransaction, new: &NewOrder, held: Option<Market>, fee_percent: Decimal) -> Result<Terms> {
    let symbol = new.symbol.as_str();
    let listing = market::listing(symbol);
    let named = new.market.filter(|market| held != Some(*market));
    if listing.as_ref().is_some_and(|listing| named.is_some_and(|market| market != listing.market)) {
        return Err(Error::field("market", OTHER_MARKET));
    }
    let market = held.or(new.market).unwrap_or_else(|| market::market_of(symbol));
    if !market.is_korean() {
        return Err(Error::field("market", NOT_KOREAN));
    }
    let now = tx.now();
    let session = current_or_next_session(now).ok_or_else(|| Error::internal("the calendar has ended"))?;
    let price = market::price(tx, market, symbol)?.filter(|price| price.currency == Currency::KRW);
    Ok(Terms {
        name: listing.map_or_else(|| symbol.to_owned(), |listing| listing.name),
        market,
        limits: price.as_ref().and_then(|price| limits(price, session)),
        price: price.as_ref().and_then(known),
        session,
        now,
        fee_percent,
    })
}

/// The price of `symbol` in whole won, where one is known.
pub fn known_price(tx: &impl ReadTransaction, market: Market, symbol: &str) -> Result<Option<KnownPrice>> {
    Ok(market::price(tx, market, symbol)?.as_ref().and_then(known))
}

fn known(price: &Price) -> Option<KnownPrice> {
    let whole = price.price.get().round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
    let won = whole.to_i64().filter(|won| *won > 0 && price.currency == Currency::KRW)?;
    Some(KnownPrice { won, as_of: price.as_of, stale: price.stale })
}

/// The limits of `session`, where its base is known: the close of the session before. Funds have limits of their own.
fn limits(price: &Price, next: Session) -> Option<PriceLimits> {
    if price.market == Market::Etf {
        return None;
    }
    let as_of = day::of(price.as_of);
    let before = next.day.pred_opt()?;
    let last = (0..14).filter_map(|days| session(before - Days::new(days))).next()?;
    let is_close = price.source == PriceSource::Import || price.as_of >= last.closes;
    let base = if as_of == next.day {
        price.previous_close
    } else if as_of == last.day && is_close && price.source != PriceSource::Manual {
        Some(price.price)
    } else {
        None
    };
    price_limits(price.market, base?.get().to_i64()?)
}
