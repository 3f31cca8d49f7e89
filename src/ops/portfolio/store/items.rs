//! What is held.

use std::collections::{HashMap, HashSet};

use super::super::model::valuation::{Worth, merged, sums, won};
use super::super::model::{Holding, Item, ItemChanges, MOST, MOST_ITEMS, NewItem, Portfolio, PortfolioTotals};
use super::{CHANGED, cash};
use crate::market;
use hanok_base::{Amount, Currency, Error, Result, validation_messages};
use hanok_calc::exchange::Market;
use hanok_platform::search::{Document, Searched};
use hanok_platform::store::{IndexedTable, Order, ReadTransaction, WriteTx};
use rust_decimal::Decimal;

/// Table: items. Key: id. Value: the item.
pub const ITEMS: IndexedTable<u64, Holding> = IndexedTable::new("portfolio_items-1", |item| item.id, &[&SEARCHED]);

/// Every item is found by its name, its symbol, its broker and its note.
pub const SEARCHED: Searched<Holding> = Searched::new(|item| Document {
    text: format!("{} {} {}", item.symbol, item.broker, item.note),
    ..Document::of("holding", item.id, &item.name, format!("/portfolio/items/{}", item.id))
});

/// Every item, in the order in which they were added.
pub fn all(tx: &impl ReadTransaction) -> Result<Vec<Holding>> {
    tx.entries(&ITEMS, 0.., Order::Ascending).map(|entry| entry?.value()).collect()
}

/// The item with this id.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find(tx: &impl ReadTransaction, id: u64) -> Result<Holding> {
    tx.get(&ITEMS, id)?.ok_or_else(|| Error::not_found("item"))
}

/// What is held, with what it is worth now.
pub fn portfolio(tx: &impl ReadTransaction) -> Result<Portfolio> {
    let mut held = all(tx)?;
    held.sort_by(|one, other| (&one.broker, one.id).cmp(&(&other.broker, other.id)));
    let cash = cash::all(tx)?;
    let currencies: HashSet<Currency> = held.iter().map(|item| item.currency).collect();
    let rate = |currency| Ok((currency, market::rate(tx, currency)?));
    let rates = currencies.into_iter().map(rate).collect::<Result<HashMap<_, _>>>()?;
    let rate_of = |item: &Holding| rates.get(&item.currency).and_then(Option::as_ref);
    let prices = held.iter().map(|item| market::price(tx, item.market, &item.symbol)).collect::<Result<Vec<_>>>()?;
    let worth: Vec<Worth> = held
        .iter()
        .zip(&prices)
        .map(|(item, price)| Worth::of(&item.position(price.as_ref(), rate_of(item))))
        .collect();
    let sums = sums(&worth, &cash.iter().map(|cash| cash.cash).collect::<Vec<_>>());
    let items: Vec<Item> = held
        .into_iter()
        .zip(&prices)
        .zip(&worth)
        .map(|((item, price), worth)| {
            let rate = rate_of(&item);
            item.valued(price.as_ref(), rate, worth, sums.whole)
        })
        .collect();
    let mut missing: Vec<String> =
        items.iter().filter(|item| item.value_krw.is_none()).map(|item| item.symbol.clone()).collect();
    missing.sort();
    missing.dedup();
    let known = items.iter().filter(|item| item.value_krw.is_some());
    let totals = PortfolioTotals {
        total_assets: sums.assets,
        total_buy: sums.cost,
        total_eval: sums.value,
        total_cash: sums.cash,
        total_profit: sums.profit,
        total_profit_pct: sums.profit_pct,
        as_of: known.flat_map(|item| item.price_as_of.into_iter().chain(item.fx_as_of)).min(),
        partial: !missing.is_empty(),
        missing,
    };
    Ok(Portfolio { items, cash, totals })
}

/// One item, with what it is worth now.
///
/// # Errors
/// `NOT_FOUND`.
pub fn valued(tx: &impl ReadTransaction, id: u64) -> Result<Item> {
    portfolio(tx)?.items.into_iter().find(|item| item.id == id).ok_or_else(|| Error::not_found("item"))
}

/// Adds an item, or puts it into one that is there, and asks for its price from now on.
///
/// # Errors
/// `INVALID_INPUT` for what is beyond all bounds; `CONFLICT` when no more can be kept.
pub fn add(tx: &WriteTx, new: NewItem) -> Result<Item> {
    let id = insert(tx, new)?;
    tx.announce(CHANGED);
    valued(tx, id)
}

/// The same, without what it is worth. Gives its id.
pub(super) fn insert(tx: &WriteTx, new: NewItem) -> Result<u64> {
    let NewItem {
        broker,
        symbol,
        quantity,
        avg_price,
        name,
        market,
        currency,
        current_price,
        buy_fx_rate,
        note,
        merge,
    } = new;
    let market = market.unwrap_or_else(|| market::market_of(&symbol));
    let currency = currency.unwrap_or_else(|| currency_of(market));
    let fresh = Holding {
        id: 0,
        name: name.unwrap_or_else(|| name_of(&symbol)),
        buy_fx_rate: bought_at(tx, currency, buy_fx_rate)?,
        broker,
        symbol,
        market,
        quantity,
        avg_price,
        currency,
        note,
        created_at: tx.now(),
        updated_at: tx.now(),
        changes: 0,
    };
    if let Some(price) = current_price {
        market::set_manual_price(tx, market, &fresh.symbol, price, currency)?;
    }
    let there = if merge { same_as(tx, &fresh)? } else { None };
    match there {
        Some(there) => put(tx, together(there, &fresh)?),
        None if tx.count(&ITEMS)? >= MOST_ITEMS => Err(Error::conflict(MOST.with([("most", MOST_ITEMS.into())]))),
        None => put(tx, Holding { id: tx.next_id("portfolio_items")?, ..fresh }),
    }
}

/// Changes the fields that are sent.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_INPUT` for what is beyond all bounds.
pub fn change(tx: &WriteTx, id: u64, changes: ItemChanges) -> Result<Item> {
    let mut item = find(tx, id)?;
    let before = (item.market, item.symbol.clone());
    let ItemChanges { broker, symbol, quantity, avg_price, name, market, currency, current_price, buy_fx_rate, note } =
        changes;
    let is_another = symbol.as_ref().is_some_and(|symbol| *symbol != item.symbol);
    item.symbol = symbol.unwrap_or(item.symbol);
    item.market = market.unwrap_or(if is_another { market::market_of(&item.symbol) } else { item.market });
    item.name = name.unwrap_or(if is_another { name_of(&item.symbol) } else { item.name });
    item.broker = broker.unwrap_or(item.broker);
    item.quantity = quantity.unwrap_or(item.quantity);
    item.avg_price = avg_price.unwrap_or(item.avg_price);
    item.note = note.map_or(item.note, Option::unwrap_or_default);
    let currency = currency.unwrap_or(item.currency);
    let is_in_another = currency != item.currency;
    item.currency = currency;
    item.buy_fx_rate = match buy_fx_rate {
        Some(rate) => rate.filter(|_| currency != Currency::KRW),
        None if is_in_another => bought_at(tx, currency, None)?,
        None => item.buy_fx_rate,
    };
    match current_price {
        Some(Some(price)) => market::set_manual_price(tx, item.market, &item.symbol, price, currency)?,
        Some(None) => market::clear_manual_price(tx, item.market, &item.symbol)?,
        None => {}
    }
    put(tx, changed(tx, item))?;
    forget(tx, vec![before])?;
    tx.announce(CHANGED);
    valued(tx, id)
}

/// Puts an item in the place of itself, counted as changed; without any left it goes.
pub(super) fn reduce(tx: &WriteTx, item: Holding, quantity: Option<Amount>) -> Result<()> {
    match quantity {
        Some(quantity) => put(tx, changed(tx, Holding { quantity, ..item })).map(drop),
        None => {
            ITEMS.remove(tx, item.id)?;
            forget(tx, vec![(item.market, item.symbol)])
        }
    }
}

/// Asks no more for the prices of those that are not held any more.
pub(super) fn forget(tx: &WriteTx, gone: Vec<(Market, String)>) -> Result<()> {
    let held: HashSet<(Market, String)> = all(tx)?.into_iter().map(|item| (item.market, item.symbol)).collect();
    let mut gone = gone.into_iter().filter(|one| !held.contains(one));
    gone.try_for_each(|(market, symbol)| market::unwatch(tx, market, &symbol))
}

/// Removes an item.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: u64) -> Result<()> {
    let item = ITEMS.remove(tx, id)?.ok_or_else(|| Error::not_found("item"))?;
    tx.announce(CHANGED);
    forget(tx, vec![(item.market, item.symbol)])
}

/// What something is traded in, for want of better knowledge.
pub(super) fn currency_of(market: Market) -> Currency {
    if market == Market::Us { Currency::USD } else { Currency::KRW }
}

/// What the exchange calls it, else its symbol.
pub(super) fn name_of(symbol: &str) -> String {
    market::listing(symbol).map_or_else(|| symbol.to_owned(), |listing| listing.name)
}

/// Won for one of `currency`: what was said, else what it is now; none of the won itself.
pub(super) fn bought_at(tx: &impl ReadTransaction, currency: Currency, said: Option<Amount>) -> Result<Option<Amount>> {
    match (currency, said) {
        (Currency::KRW, _) => Ok(None),
        (_, Some(rate)) => Ok(Some(rate)),
        _ => Ok(market::rate(tx, currency)?.map(|rate| rate.rate)),
    }
}

/// The item of the same broker, symbol, market and currency that was added first.
fn same_as(tx: &impl ReadTransaction, fresh: &Holding) -> Result<Option<Holding>> {
    let is_same = |item: &Holding| {
        item.broker == fresh.broker
            && item.symbol == fresh.symbol
            && item.market == fresh.market
            && item.currency == fresh.currency
    };
    Ok(all(tx)?.into_iter().find(is_same))
}

fn together(there: Holding, fresh: &Holding) -> Result<Holding> {
    let lots = (there.position(None, None), fresh.position(None, None));
    let (quantity, avg_price, rate) =
        merged(&lots.0, &lots.1).ok_or_else(|| Error::field("quantity", validation_messages::SMALLER))?;
    let note = if there.note.is_empty() { fresh.note.clone() } else { there.note };
    let (updated_at, changes) = (fresh.updated_at, there.changes + 1);
    Ok(Holding { quantity, avg_price, buy_fx_rate: rate, note, updated_at, changes, ..there })
}

fn changed(tx: &WriteTx, item: Holding) -> Holding {
    Holding { updated_at: tx.now(), changes: item.changes + 1, ..item }
}

fn put(tx: &WriteTx, item: Holding) -> Result<u64> {
    let rate = item.buy_fx_rate.map_or(Decimal::ONE, Amount::get);
    let cost = item.quantity.get().checked_mul(item.avg_price.get()).and_then(|cost| cost.checked_mul(rate));
    if cost.and_then(won).is_none() {
        return Err(Error::field("quantity", validation_messages::SMALLER));
    }
    market::watch_while_held(tx, item.market, &item.symbol)?;
    ITEMS.put(tx, &item)?;
    Ok(item.id)
}
