//! Days of stocks as they are kept, and read again.

use chrono::{Datelike, NaiveDate};
use serde::{Deserialize, Serialize};

use super::super::model::day::{PackedYear, StoredDay};
use super::super::model::demo;
use super::super::model::universe::{Instrument, Loaded, Universe};
use crate::market;
use hanok_base::{Error, Result};
use hanok_platform::store::{Order, ReadTransaction, Table, WriteTx};

/// Table: days of stocks, in won as they were then. Key: code and year. Value: the days.
pub const BARS: Table<(&str, u64), PackedYear> = Table::new("screener_bars-1");
/// Table: the stocks that the house knows. Key: code. Value: what it is.
pub const INSTRUMENTS: Table<&str, Instrument> = Table::new("screener_instruments-1");
/// Table: the days of which there are data. Key: the day, counted from 1 January of the year 1. Value: how many stocks it has.
pub const DAYS: Table<u64, u64> = Table::new("screener_days-1");
/// Table: what is said of all data. Key: `state`. Value: that.
pub const STATE: Table<&str, State> = Table::new("screener_state-1");
const THE_STATE: &str = "state";

/// Years that are held in memory, with that of the newest day.
const YEARS: i32 = 3;

/// What is said of all data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Another number after every change.
    pub revision: u64,
    /// Whether they are made up.
    pub is_demo: bool,
}

/// What there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// The first day.
    pub first: Option<NaiveDate>,
    /// The newest day.
    pub data_day: Option<NaiveDate>,
    /// How many stocks that has.
    pub symbols: u64,
    /// Whether they are made up.
    pub is_demo: bool,
}

/// The state of the data; the usual one before there are any.
///
/// # Errors
/// Those of the store.
pub fn state(tx: &impl ReadTransaction) -> Result<State> {
    Ok(tx.get(&STATE, THE_STATE)?.unwrap_or_default())
}

/// Notes that the data are others now.
///
/// # Errors
/// Those of the store.
pub fn set_state(tx: &WriteTx, is_demo: bool) -> Result<()> {
    let revision = getrandom::u64().map_err(Error::internal)?;
    tx.put(&STATE, THE_STATE, &State { revision, is_demo })
}

/// What there is.
///
/// # Errors
/// Those of the store.
pub fn extent(tx: &impl ReadTransaction) -> Result<Extent> {
    let (first, last) = (tx.first(&DAYS, 0.., Order::Ascending)?, tx.first(&DAYS, 0.., Order::Descending)?);
    let symbols = last.as_ref().map(|entry| entry.value()).transpose()?.unwrap_or_default();
    let day = |number: u64| NaiveDate::from_num_days_from_ce_opt(i32::try_from(number).ok()?);
    Ok(Extent {
        first: first.and_then(|entry| day(entry.key())),
        data_day: last.and_then(|entry| day(entry.key())),
        symbols,
        is_demo: state(tx)?.is_demo,
    })
}

/// The days of `symbol` in `year`.
///
/// # Errors
/// `INTERNAL` when they are damaged.
pub fn year(tx: &impl ReadTransaction, symbol: &str, year: i32) -> Result<Vec<StoredDay>> {
    let Some(packed) = tx.get(&BARS, (symbol, u64::from(year.unsigned_abs())))? else { return Ok(Vec::new()) };
    packed.days().ok_or_else(|| Error::internal(format!("the days of {symbol} in {year} are damaged")))
}

/// The days of `symbol` in the years up to that of `data_day` that are held in memory.
///
/// # Errors
/// As [`year`].
pub fn recent(tx: &impl ReadTransaction, symbol: &str, data_day: NaiveDate) -> Result<Vec<StoredDay>> {
    let last = data_day.year();
    let mut days = Vec::new();
    for of in last + 1 - YEARS..=last {
        days.extend(year(tx, symbol, of)?);
    }
    Ok(days)
}

/// All stocks of the newest day with their series; none before there are data.
///
/// # Errors
/// As [`year`].
pub fn universe(tx: &impl ReadTransaction) -> Result<Option<Universe>> {
    let Extent { first: Some(first), data_day: Some(data_day), is_demo, .. } = extent(tx)? else { return Ok(None) };
    let mut loaded: Vec<Loaded> = Vec::new();
    for entry in tx.entries(&INSTRUMENTS, "".., Order::Ascending) {
        let entry = entry?;
        let days = recent(tx, entry.key(), data_day)?;
        let instrument = entry.value()?;
        loaded.push((instrument, sector(entry.key()), days));
    }
    Ok(Some(Universe::of(data_day, first, is_demo, loaded)))
}

/// What a stock does: as the shipped list says, or the demo.
pub fn sector(symbol: &str) -> Option<String> {
    demo::sector(symbol).map(str::to_owned).or_else(|| market::listing(symbol)?.sector)
}
