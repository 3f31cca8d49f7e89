//! Imported tables of items: one transaction each, of which the last can be undone.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::super::model::valuation::{Position, Worth};
use super::super::model::{
    ALREADY_CHANGED, Holding, IMPORT_CHANGED, NOTHING_TO_UNDO, NewItem, ROWS_REFUSED, ReadRow, ReadTable, RefusedRow,
    TableReason,
};
use super::{CHANGED, items};
use crate::market::{self, PriceSource};
use hanok_base::{Amount, Currency, Error, Kind, Result};
use hanok_calc::exchange::Market;
use hanok_platform::store::{ReadTransaction, Table, WriteTx};
use rust_decimal::Decimal;

/// Table: the last import, which can be undone. Key: always `last`. Value: what it added.
pub const IMPORTS: Table<&str, Import> = Table::new("portfolio_imports-1");

const LAST: &str = "last";

/// What an import added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// When.
    pub at: DateTime<Utc>,
    /// The items that it added.
    pub items: Vec<u64>,
    /// The prices that it keeps by hand, each with the one that was kept before.
    #[serde(default)]
    pub prices: Vec<ImportedPrice>,
}

/// A price that an import keeps by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedPrice {
    market: Market,
    symbol: String,
    price: Amount,
    before: Option<(Amount, Currency)>,
}

/// What a table would bring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// Its rows, each with whether the same is there already.
    pub rows: Vec<(ReadRow, bool)>,
    /// The rows that are refused.
    pub refused: Vec<RefusedRow>,
}

/// What the rows of `table` would bring. As many rows are there already as there are items that are the same.
pub fn plan(tx: &impl ReadTransaction, table: ReadTable) -> Result<Planned> {
    let lot = |broker: &str, symbol: &str, listed: (Market, Currency), quantity: Amount, price: Amount| {
        (broker.to_owned(), symbol.to_owned(), listed, quantity.get().normalize(), price.get().normalize())
    };
    let (mut there, mut prices) = (HashMap::<_, u64>::new(), HashMap::new());
    for Holding { broker, symbol, market, currency, quantity, avg_price, .. } in items::all(tx)? {
        *there.entry(lot(&broker, &symbol, (market, currency), quantity, avg_price)).or_default() += 1;
    }
    let (mut rows, mut refused) = (Vec::new(), table.refused);
    for row in table.rows {
        let market = market_of(&row);
        let currency = row.currency.unwrap_or_else(|| items::currency_of(market));
        let price = row.current_price.map(|price| (price.get().normalize(), currency));
        let is_other =
            |price: (Decimal, Currency)| *prices.entry((market, row.symbol.clone())).or_insert(price) != price;
        let reason = if is_too_much(&row) {
            Some(TableReason::TooMuch)
        } else {
            price.is_some_and(is_other).then_some(TableReason::OtherPrice)
        };
        if let Some(reason) = reason {
            refused.push(RefusedRow { row: row.row, reason });
            continue;
        }
        let same = there.get_mut(&lot(&row.broker, &row.symbol, (market, currency), row.quantity, row.avg_price));
        let is_there = same.filter(|left| **left > 0).map(|left| *left -= 1).is_some();
        rows.push((row, is_there));
    }
    refused.sort_by_key(|refused| refused.row);
    Ok(Planned { rows, refused })
}

fn market_of(row: &ReadRow) -> Market {
    row.market.unwrap_or_else(|| market::market_of(&row.symbol))
}

fn is_too_much(row: &ReadRow) -> bool {
    let rate = row.buy_fx_rate.or_else(|| Amount::new(Decimal::ONE));
    let currency = if row.buy_fx_rate.is_some() { Currency::USD } else { Currency::KRW };
    let position = Position {
        quantity: row.quantity,
        avg_price: row.avg_price,
        currency,
        buy_fx_rate: rate,
        price: None,
        fx_rate: rate,
    };
    Worth::of(&position).cost_krw.is_none()
}

/// Adds the items of a table that are not there yet. Gives how many, and how many were.
///
/// # Errors
/// `CONFLICT` where a row is refused; those of adding an item.
pub fn import(tx: &WriteTx, table: ReadTable) -> Result<(u64, u64)> {
    let planned = plan(tx, table)?;
    if let Some(first) = planned.refused.first() {
        let said = [("count", planned.refused.len().into()), ("row", first.row.into())];
        return Err(Error::conflict(ROWS_REFUSED.with(said)));
    }
    let mut import = Import { at: tx.now(), items: Vec::new(), prices: Vec::new() };
    let mut duplicates = 0;
    for (row, is_there) in planned.rows {
        if is_there {
            duplicates += 1;
            continue;
        }
        let price = row.current_price;
        let market = market_of(&row);
        if let Some(price) = price {
            let before = market::price(tx, market, &row.symbol)?;
            let before = before.filter(|before| before.source == PriceSource::Manual);
            let before = before.map(|before| (before.price, before.currency));
            import.prices.push(ImportedPrice { market, symbol: row.symbol.clone(), price, before });
        }
        import.items.push(items::insert(tx, of_row(row, market))?);
    }
    let added = import.items.len() as u64;
    if added > 0 {
        tx.put(&IMPORTS, LAST, &import)?;
        tx.announce(CHANGED);
    }
    Ok((added, duplicates))
}

fn of_row(row: ReadRow, market: Market) -> NewItem {
    NewItem {
        broker: row.broker,
        symbol: row.symbol,
        quantity: row.quantity,
        avg_price: row.avg_price,
        name: row.name,
        market: Some(market),
        currency: row.currency,
        current_price: row.current_price,
        buy_fx_rate: row.buy_fx_rate,
        note: row.note,
        merge: false,
    }
}

/// Undoes the last import: its items and its manual prices go. Gives how many items.
///
/// # Errors
/// `NOT_FOUND` where there is none; `IMPORT_CHANGED` once something of it was changed.
pub fn undo(tx: &WriteTx) -> Result<u64> {
    let Some(import) = tx.get(&IMPORTS, LAST)? else { return Err(Error::new(Kind::NotFound, NOTHING_TO_UNDO)) };
    for id in &import.items {
        let item = tx.get(&items::ITEMS, *id)?;
        if let Some(name) = item.as_ref().map_or(Some("#".to_owned() + &id.to_string()), changed_name) {
            return Err(Error::of(IMPORT_CHANGED, ALREADY_CHANGED.with([("name", name.into())])));
        }
    }
    let mut gone = Vec::new();
    for id in &import.items {
        gone.extend(items::ITEMS.remove(tx, *id)?.map(|item| (item.market, item.symbol)));
    }
    items::forget(tx, gone)?;
    for imported in import.prices.iter().rev() {
        restore(tx, imported)?;
    }
    tx.remove(&IMPORTS, LAST)?;
    tx.announce(CHANGED);
    Ok(import.items.len() as u64)
}

fn changed_name(item: &Holding) -> Option<String> {
    (item.changes > 0).then(|| item.name.clone())
}

/// Puts the price back that was kept by hand before, unless somebody has changed it since.
fn restore(tx: &WriteTx, imported: &ImportedPrice) -> Result<()> {
    let ImportedPrice { market, symbol, price, before } = imported;
    let now = market::price(tx, *market, symbol)?;
    if now.is_none_or(|now| now.source != PriceSource::Manual || now.price != *price) {
        return Ok(());
    }
    match before {
        Some((before, currency)) => market::set_manual_price(tx, *market, symbol, *before, *currency),
        None => market::clear_manual_price(tx, *market, symbol),
    }
}

/// The import that can be undone, if any.
pub fn last(tx: &impl ReadTransaction) -> Result<Option<Import>> {
    tx.get(&IMPORTS, LAST)
}
