//! Days of stocks come in, each table in one transaction.

use std::collections::BTreeMap;

use chrono::{Datelike, NaiveDate, NaiveTime};
use rust_decimal::Decimal;

use super::super::model::day::{PackedYear, StoredDay};
use super::super::model::said;
use super::super::model::table::{ListedDays, ListedStock, MOST_STOCKS};
use super::super::model::universe::Instrument;
use super::CHANGED;
use super::bars::{BARS, DAYS, Extent, INSTRUMENTS, STATE, extent, set_state, year};
use crate::market;
use hanok_base::{Amount, Error, Result, day};
use hanok_platform::store::{ReadTransaction, WriteTx};

/// When the exchange closes.
const CLOSES: NaiveTime = NaiveTime::from_hms_opt(15, 30, 0).unwrap();

/// Where days come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// From the exchange.
    Exchange,
    /// Nobody has ever traded them.
    Demo,
}

/// What became of days that came in.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct ImportOutcome {
    /// How many days the table has.
    pub days: u64,
    /// How many rows it has.
    pub rows: u64,
    /// How many rows cannot be right and were left out.
    pub refused: u64,
    /// The first of them.
    pub refused_rows: Vec<String>,
    /// How many stocks have changed by it; 0 where the house knew all of it.
    pub changed: u64,
    /// The newest day that there is now.
    pub data_day: Option<NaiveDate>,
    /// How many stocks that has.
    pub symbols: u64,
}

/// Takes days in. Those of the exchange take the place of a demo; what was there is kept, and said anew where it is said.
///
/// # Errors
/// `CONFLICT` for a demo where there are days of the exchange; `INVALID_INPUT` at `file` where there would be too many stocks.
pub fn import_bars(tx: &WriteTx, listed: &ListedDays, source: Source) -> Result<ImportOutcome> {
    let there = extent(tx)?;
    match (source, there.is_demo) {
        (_, true) => clear(tx)?,
        (Source::Demo, false) if there.data_day.is_some() => return Err(Error::conflict(said::REAL_DATA)),
        _ => {}
    }
    let mut changed = 0;
    for (symbol, stock) in &listed.stocks {
        changed += u64::from(put(tx, symbol, stock)?);
    }
    if tx.count(&INSTRUMENTS)? > MOST_STOCKS {
        return Err(Error::field("file", said::NO_ROOM.with([("most", MOST_STOCKS.into())])));
    }
    let counts = listed.counts();
    for (of, count) in &counts {
        let key = u64::from(of.unsigned_abs());
        let known = tx.get(&DAYS, key)?.unwrap_or_default();
        if *count > known {
            tx.put(&DAYS, key, count)?;
        }
    }
    if changed > 0 {
        set_state(tx, source == Source::Demo)?;
        tx.announce(CHANGED);
    }
    let Extent { data_day, symbols, .. } = extent(tx)?;
    if let (Source::Exchange, Some(newest), true) = (source, data_day, changed > 0) {
        give_prices(tx, listed, newest)?;
    }
    let (days, rows) = (counts.len() as u64, counts.values().sum());
    let (refused, refused_rows) = (listed.refused, listed.named.clone());
    Ok(ImportOutcome { days, rows, refused, refused_rows, changed, data_day, symbols })
}

/// Takes the demo away. Runs that were made with it stay, marked as such.
///
/// # Errors
/// `NOT_FOUND` when there is none.
pub fn remove_demo(tx: &WriteTx) -> Result<()> {
    if !extent(tx)?.is_demo {
        return Err(Error::not_found("demo data"));
    }
    remove(tx)
}

/// Takes all data away, those of the exchange or a demo. Runs stay, and so do the closes that the other rooms have got, until
/// others come.
///
/// # Errors
/// `NOT_FOUND` when there are none.
pub fn remove_all(tx: &WriteTx) -> Result<()> {
    if extent(tx)?.data_day.is_none() {
        return Err(Error::not_found("bars"));
    }
    remove(tx)
}

fn remove(tx: &WriteTx) -> Result<()> {
    clear(tx)?;
    set_state(tx, false)?;
    tx.announce(CHANGED);
    Ok(())
}

fn clear(tx: &WriteTx) -> Result<()> {
    tx.clear(&BARS)?;
    tx.clear(&INSTRUMENTS)?;
    tx.clear(&DAYS)?;
    tx.clear(&STATE)
}

/// Puts the days of a stock beside those that are known; whether that changes anything.
fn put(tx: &WriteTx, symbol: &str, stock: &ListedStock) -> Result<bool> {
    let mut years: BTreeMap<i32, Vec<&StoredDay>> = BTreeMap::new();
    for of in stock.days.values() {
        let day =
            NaiveDate::from_num_days_from_ce_opt(of.day).ok_or_else(|| Error::internal("a day beyond the calendar"))?;
        years.entry(day.year()).or_default().push(of);
    }
    let mut is_changed = false;
    for (of, days) in years {
        let known = year(tx, symbol, of)?;
        let mut merged: BTreeMap<i32, StoredDay> = known.iter().map(|day| (day.day, *day)).collect();
        merged.extend(days.into_iter().map(|day| (day.day, *day)));
        let merged: Vec<StoredDay> = merged.into_values().collect();
        if merged != known {
            tx.put(&BARS, (symbol, u64::from(of.unsigned_abs())), &PackedYear::of(&merged))?;
            is_changed = true;
        }
    }
    put_instrument(tx, symbol, stock, is_changed)?;
    Ok(is_changed)
}

fn put_instrument(tx: &WriteTx, symbol: &str, stock: &ListedStock, is_changed: bool) -> Result<()> {
    let known = tx.get(&INSTRUMENTS, symbol)?.filter(|_| is_changed);
    let (Some((_, first)), Some((_, last))) = (stock.days.first_key_value(), stock.days.last_key_value()) else {
        return Ok(());
    };
    if !is_changed {
        return Ok(());
    }
    let of = |day: i32| NaiveDate::from_num_days_from_ce_opt(day).unwrap_or_default();
    let (first_day, last_day) = (of(first.day), of(last.day));
    let earliest = known.as_ref().map_or(first_day, |known| known.first_day.min(first_day));
    let row = match known {
        Some(known) if known.last_day > last_day => Instrument { first_day: earliest, ..known },
        _ => Instrument {
            symbol: symbol.to_owned(),
            name: stock.name.clone(),
            market: stock.market,
            dept: stock.dept.clone(),
            stocks: last.stocks,
            first_day: earliest,
            last_day,
            halted: !last.traded,
            close: last.close,
            base: last.base,
        },
    };
    tx.put(&INSTRUMENTS, symbol, &row)
}

/// The closes of the newest day are prices for the other rooms, too.
fn give_prices(tx: &WriteTx, listed: &ListedDays, newest: NaiveDate) -> Result<()> {
    // A table of today may come before the close.
    let as_of = day::at(newest, CLOSES).min(tx.now());
    let won = |price: i64| Amount::new(Decimal::from(price));
    for (symbol, stock) in &listed.stocks {
        let Some(bar) = stock.days.get(&newest.num_days_from_ce()) else { continue };
        let Some(close) = won(bar.close) else { continue };
        market::set_imported_price(tx, stock.market, symbol, close, won(bar.base), as_of)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
