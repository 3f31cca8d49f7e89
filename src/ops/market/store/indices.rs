//! The indices: which there are, what was fetched of each last, and their closes. Table `market_indices-1` holds the last
//! quotes, `market_closes-1` the last of each day; closes of the Korean ones ship with the program.

use std::sync::OnceLock;

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Utc};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::{Deserialize, Serialize};

use super::super::model::age::is_stale;
use super::super::model::quote::{Quote, change_since, rounded};
use super::prices::CHANGED;
use hanok_base::schema::ToSchema;
use hanok_base::{Amount, Result, day};
use hanok_platform::store::{Order, ReadTransaction, Table, WriteTx};

/// Day, KOSPI, KOSDAQ and KOSPI 200, oldest first.
const SHIPPED: &str = include_str!("../../../../assets/data/krx/indices.csv");
/// When the Korean exchange closes.
const CLOSE: (u32, u32) = (15, 30);
/// Closes of the provider that are kept of an index at most.
const MOST_CLOSES: u64 = 1500;

/// An index that the house knows.
#[derive(Debug)]
pub struct Known {
    /// What it is called in an address.
    pub code: &'static str,
    /// Its symbol, as the provider calls it.
    pub symbol: &'static str,
    /// What it is called in Korean.
    pub name: &'static str,
    /// What it is counted in.
    currency: &'static str,
    /// Its column among the shipped closes.
    column: Option<usize>,
}

/// Every index, in the order in which they are shown.
pub const ALL: [Known; 8] = [
    known("KOSPI", "^KS11", "코스피", "KRW", Some(0)),
    known("KOSDAQ", "^KQ11", "코스닥", "KRW", Some(1)),
    known("KOSPI200", "^KS200", "코스피 200", "KRW", Some(2)),
    known("SP500", "^GSPC", "S&P 500", "USD", None),
    known("NASDAQ", "^IXIC", "나스닥", "USD", None),
    known("DOW", "^DJI", "다우", "USD", None),
    known("NIKKEI225", "^N225", "니케이 225", "JPY", None),
    known("USDKRW", "KRW=X", "달러/원", "KRW", None),
];

const fn known(
    code: &'static str,
    symbol: &'static str,
    name: &'static str,
    currency: &'static str,
    column: Option<usize>,
) -> Known {
    Known { code, symbol, name, currency, column }
}

/// Table: the last quote of each index. Key: its symbol.
pub const LAST: Table<&str, Last> = Table::new("market_indices-1");
/// Table: the last value of each day. Key: the symbol, and the day counted from 1 January of the year 1.
pub const CLOSES: Table<(&str, u64), Amount> = Table::new("market_closes-1");

/// An index with its change since the day before.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct IndexQuote {
    /// What it is called in addresses, such as `KOSPI`.
    pub code: String,
    /// Its symbol, such as `^KS11`.
    pub symbol: String,
    /// What it is called.
    pub name: String,
    /// Its value, two decimals.
    pub value: f64,
    /// Its change since the close of the day before, two decimals; null where that is not known.
    pub change: Option<f64>,
    /// That change in percent, two decimals; null where that close is not known.
    #[serde(rename = "changePercent")]
    pub change_percent: Option<f64>,
    /// What it is counted in.
    pub currency: Option<String>,
    /// When it was that.
    pub as_of: DateTime<Utc>,
    /// Whether a newer one should be here.
    pub stale: bool,
}

/// The close of a day.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Close {
    /// The day of the exchange.
    pub date: NaiveDate,
    /// The value at its end.
    pub close: f64,
}

/// A quote as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Last {
    value: Amount,
    previous_close: Option<Amount>,
    change: Option<Amount>,
    change_percent: Option<Amount>,
    currency: Option<String>,
    as_of: DateTime<Utc>,
    /// The day of the exchange then.
    day: NaiveDate,
    /// When it was fetched.
    at: DateTime<Utc>,
}

impl Last {
    /// A quote that was fetched then; none of numbers beyond what the house reckons with.
    pub fn of(quote: Quote, at: DateTime<Utc>) -> Option<Last> {
        Some(Last {
            value: Amount::new(quote.value)?,
            previous_close: quote.previous_close.and_then(Amount::new),
            change: quote.change.and_then(Amount::new),
            change_percent: quote.change_percent.and_then(Amount::new),
            currency: quote.currency,
            as_of: quote.as_of.unwrap_or(at).min(at),
            day: quote.day.unwrap_or(day::of(at)).min(day::of(at)),
            at,
        })
    }
}

/// The index of this code or symbol.
pub fn find(name: &str) -> Option<&'static Known> {
    ALL.iter().find(|known| known.code == name || known.symbol == name)
}

/// What Today shows of the markets.
#[derive(Debug, Serialize, ToSchema)]
pub struct MarketToday {
    /// The indices as they were fetched last, in the order of their page; those that never were are left out.
    pub market_indices: Vec<IndexQuote>,
}

/// What was fetched last of every index.
pub fn today(tx: &impl ReadTransaction) -> Result<MarketToday> {
    let mut market_indices = Vec::new();
    for known in &ALL {
        market_indices.extend(fetched(tx, known)?);
    }
    Ok(MarketToday { market_indices })
}

/// What was fetched last of an index, or else the last of the shipped closes.
pub fn last(tx: &impl ReadTransaction, known: &Known) -> Result<Option<IndexQuote>> {
    Ok(fetched(tx, known)?.or_else(|| shipped_last(known)))
}

fn fetched(tx: &impl ReadTransaction, known: &Known) -> Result<Option<IndexQuote>> {
    let last = tx.get(&LAST, known.symbol)?;
    Ok(last.map(|last| {
        let stale = is_stale(last.at, tx.now());
        told(known, last, stale)
    }))
}

/// A quote as it is shown.
pub fn told(known: &Known, last: Last, stale: bool) -> IndexQuote {
    IndexQuote {
        code: known.code.to_owned(),
        symbol: known.symbol.to_owned(),
        name: known.name.to_owned(),
        value: number(last.value.get()),
        change: last.change.map(|change| number(change.get())),
        change_percent: last.change_percent.map(|percent| number(percent.get())),
        currency: last.currency.or_else(|| Some(known.currency.to_owned())),
        as_of: last.as_of,
        stale,
    }
}

/// The last shipped close with its change since the one before.
fn shipped_last(known: &Known) -> Option<IndexQuote> {
    let mut closes = shipped(known.column?).iter().rev();
    let ((date, close), (_, before)) = (closes.next()?, closes.next()?);
    let (change, change_percent) = change_since(rounded(*close), Some(*before));
    let time = NaiveTime::from_hms_opt(CLOSE.0, CLOSE.1, 0)?;
    Some(IndexQuote {
        code: known.code.to_owned(),
        symbol: known.symbol.to_owned(),
        name: known.name.to_owned(),
        value: number(*close),
        change: change.map(number),
        change_percent: change_percent.map(number),
        currency: Some(known.currency.to_owned()),
        as_of: day::at(*date, time),
        stale: true,
    })
}

/// Keeps what was fetched: the last quote of each, and the value as that of its day.
pub fn keep(tx: &WriteTx, all: Vec<(&'static Known, Last)>) -> Result<()> {
    tx.quiet();
    for (known, last) in all {
        let of_day = u64::try_from(last.day.num_days_from_ce()).unwrap_or(0);
        tx.put(&CLOSES, (known.symbol, of_day), &last.value)?;
        tx.discard(&CLOSES, (known.symbol, of_day.saturating_sub(MOST_CLOSES)))?;
        tx.put(&LAST, known.symbol, &last)?;
    }
    tx.announce(CHANGED);
    Ok(())
}

/// The closes of an index, oldest first: the shipped ones, and those that were fetched. At most `most`, the newest ones.
pub fn history(tx: &impl ReadTransaction, known: &Known, most: usize) -> Result<Vec<Close>> {
    let close = |(date, close): (NaiveDate, Decimal)| Close { date, close: number(close) };
    let mut closes: Vec<Close> = known.column.map_or(&[][..], shipped).iter().copied().map(close).collect();
    let newest = closes.last().map_or(0, |close| close.date.num_days_from_ce() + 1);
    let from = (known.symbol, u64::try_from(newest).unwrap_or(0));
    for entry in tx.entries(&CLOSES, from..=(known.symbol, u64::MAX), Order::Ascending) {
        let entry = entry?;
        let date = i32::try_from(entry.key().1).ok().and_then(NaiveDate::from_num_days_from_ce_opt);
        if let Some(date) = date {
            closes.push(close((date, entry.value()?.get())));
        }
    }
    let beyond = closes.len().saturating_sub(most);
    Ok(closes.split_off(beyond))
}

/// The shipped closes of a column, oldest first.
fn shipped(column: usize) -> &'static [(NaiveDate, Decimal)] {
    static READ: OnceLock<[Vec<(NaiveDate, Decimal)>; 3]> = OnceLock::new();
    let all = READ.get_or_init(|| {
        let of = |column: usize| {
            let line = |line: &str| {
                let mut fields = line.split(',');
                let date = fields.next()?.parse().ok()?;
                Some((date, fields.nth(column)?.parse().ok()?))
            };
            SHIPPED.lines().skip(1).filter_map(line).collect()
        };
        [of(0), of(1), of(2)]
    });
    all.get(column).map_or(&[], Vec::as_slice)
}

/// A number of JSON, two decimals.
fn number(decimal: Decimal) -> f64 {
    rounded(decimal).to_f64().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::super::model::quote;
    use super::*;

    #[test]
    fn the_last_shipped_closes_are_told_with_their_change_worked_out_by_hand() {
        // 2026-03-20: KOSPI 5781.2 after 5763.22, so 17.98, which is 0.3119...%
        let kospi = shipped_last(&ALL[0]).unwrap();
        assert_eq!((kospi.value, kospi.change, kospi.change_percent), (5781.2, Some(17.98), Some(0.31)));
        assert_eq!(kospi.as_of.to_rfc3339(), "2026-03-20T06:30:00+00:00");
        assert!(kospi.stale);
        assert_eq!(shipped_last(&ALL[3]), None);
    }

    #[test]
    fn what_is_of_an_instant_to_come_is_of_the_day_of_the_answer() {
        let meta = r#"{"regularMarketPrice":1,"regularMarketTime":4102444800,"gmtoffset":32400}"#;
        let chart = format!(r#"{{"chart":{{"result":[{{"meta":{meta}}}]}}}}"#);
        let at = "2026-10-10T12:30:00Z".parse().unwrap();
        let last = Last::of(quote::read(chart.as_bytes()).unwrap(), at).unwrap();
        assert_eq!((last.day.to_string().as_str(), last.as_of), ("2026-10-10", at));
    }

    #[test]
    fn every_shipped_close_is_read_and_in_order() {
        for column in 0..3 {
            assert_eq!(shipped(column).len(), SHIPPED.lines().count() - 1);
            assert!(shipped(column).is_sorted_by(|one, next| one.0 < next.0));
        }
    }
}
