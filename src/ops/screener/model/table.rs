//! Tables of the exchange in the columns of marcap: whole years or single days.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::ops::RangeInclusive;

use chrono::{Datelike, NaiveDate};
use csv::{ByteRecord, ReaderBuilder};

use super::day::{ListedDay, MOST_AMOUNT, StoredDay};
use super::said;
use hanok_base::text::cut;
use hanok_base::{Error, Result, day};
use hanok_calc::exchange::Market;

/// What a table must have; `Date` may stand in the file's name instead.
const COLUMNS: [&str; 11] =
    ["Code", "Name", "Market", "Close", "ChangeCode", "Changes", "Open", "High", "Low", "Volume", "Stocks"];
/// The exchange opened in this year.
const FIRST_YEAR: i32 = 1956;
/// Stocks that a table may have, and the house: those that were ever listed are half of it.
pub const MOST_STOCKS: u64 = 10_000;
/// Days that a table may have.
const MOST_DAYS: u64 = 400;
/// Years in which they must lie.
const MOST_YEARS: u64 = 3;
/// Rows that a table may have: a year of all stocks has half of it.
const MOST_ROWS: u64 = 1_500_000;
/// Columns that a row may have.
const MOST_COLUMNS: usize = 200;
/// Bytes that may come before a row ends.
const MOST_OF_ROW: usize = 64 << 10;
/// How many refused rows are named.
const NAMED: usize = 10;
/// Characters that are said of one.
const LONGEST: usize = 60;

/// What a table brought.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ListedDays {
    /// Each stock by its code.
    pub stocks: BTreeMap<String, ListedStock>,
    /// How many rows cannot be right.
    pub refused: u64,
    /// The first of them.
    pub named: Vec<String>,
}

/// A stock of a table: what it is by its newest day, and its days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedStock {
    /// What it is called.
    pub name: String,
    /// Where it is listed.
    pub market: Market,
    /// The division it belongs to there.
    pub dept: String,
    /// What it was worth, by day.
    pub days: BTreeMap<i32, StoredDay>,
}

impl ListedDays {
    /// How many stocks each day has.
    pub fn counts(&self) -> BTreeMap<i32, u64> {
        let mut counts = BTreeMap::new();
        self.stocks.values().flat_map(|stock| stock.days.keys()).for_each(|day| *counts.entry(*day).or_default() += 1);
        counts
    }

    /// Puts the rows of another table beside those of this one.
    pub fn join(&mut self, other: ListedDays) {
        self.refused += other.refused;
        self.named.extend(other.named);
        self.stocks.extend(other.stocks);
    }

    /// Adds a row, or notes that it cannot be right.
    pub fn add(&mut self, row: Result<ListedDay, String>) {
        match row {
            Ok(ListedDay { symbol, name, market, dept, bar }) => {
                let days = BTreeMap::new();
                let entry = self.stocks.entry(symbol);
                let stock =
                    entry.or_insert_with(|| ListedStock { name: String::new(), market, dept: String::new(), days });
                if stock.days.last_key_value().is_none_or(|(newest, _)| *newest <= bar.day) {
                    (stock.name, stock.market, stock.dept) = (name, market, dept);
                }
                stock.days.insert(bar.day, bar);
            }
            Err(what) => {
                self.refused += 1;
                if self.named.len() < NAMED {
                    self.named.push(cut(&what, LONGEST));
                }
            }
        }
    }
}

/// Where the columns stand.
struct Columns {
    places: [usize; COLUMNS.len()],
    date: Option<usize>,
    dept: Option<usize>,
    amount: Option<usize>,
}

/// Bytes on their way to rows: an error where too many come before a row ends.
struct Rows<R> {
    from: R,
    left: usize,
}

impl<R: Read> Read for Rows<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let most = to.len().min(self.left);
        let read = self.from.read(&mut to[..most])?;
        self.left -= read;
        Ok(read)
    }
}

/// Reads a table from `from`, whose file is called `name`; `go_on` is asked now and then whether somebody still waits. Rows of a
/// day after `today`, or from before the exchange opened, are refused.
///
/// # Errors
/// `INVALID_INPUT` at `file` when it is no such table, its day is not known, no row can be right, or it has more than is taken;
/// those of `go_on`.
pub fn read_table(
    name: &str,
    from: impl Read,
    today: NaiveDate,
    mut go_on: impl FnMut() -> Result<()>,
) -> Result<ListedDays> {
    let no_table = || Error::field("file", said::NOT_A_TABLE.with([("columns", COLUMNS.join(", ").into())]));
    let mut reader =
        ReaderBuilder::new().flexible(true).has_headers(false).from_reader(Rows { from, left: MOST_OF_ROW });
    let mut record = ByteRecord::new();
    if !reader.read_byte_record(&mut record).map_err(|error| no_table().because(error))? {
        return Err(no_table());
    }
    let columns = Columns::of(&record).ok_or_else(no_table)?;
    let day_of_file = day_in(name);
    if columns.date.is_none() && day_of_file.is_none() {
        return Err(Error::field("file", said::NO_DAY));
    }
    let first = NaiveDate::from_yo_opt(FIRST_YEAR, 1).map_or(i32::MAX, |day| day.num_days_from_ce());
    let possible = first..=today.num_days_from_ce();
    let (mut found, mut days, mut line) = (ListedDays::default(), BTreeSet::new(), 1u64);
    while reader.read_byte_record(&mut record).map_err(|error| no_table().because(error))? {
        reader.get_mut().left = MOST_OF_ROW;
        line += 1;
        if line.is_multiple_of(4096) {
            go_on()?;
        }
        let row = columns.row(&record, day_of_file, &possible);
        days.extend(row.as_ref().map(|row| row.bar.day));
        found.add(row.map_err(|what| format!("line {line}: {what}")));
        if line > MOST_ROWS || found.stocks.len() as u64 > MOST_STOCKS || !is_short(&days) {
            return Err(Error::field(
                "file",
                said::TOO_MUCH.with([
                    ("stocks", MOST_STOCKS.into()),
                    ("rows", MOST_ROWS.into()),
                    ("days", MOST_DAYS.into()),
                    ("years", MOST_YEARS.into()),
                ]),
            ));
        }
    }
    if found.stocks.is_empty() { Err(Error::field("file", said::NO_ROWS)) } else { Ok(found) }
}

/// Whether a table may have these days.
fn is_short(days: &BTreeSet<i32>) -> bool {
    let span = days.last().zip(days.first()).map_or(0, |(last, first)| last.abs_diff(*first));
    days.len() as u64 <= MOST_DAYS && u64::from(span) <= MOST_YEARS * 366
}

impl Columns {
    fn of(titles: &ByteRecord) -> Option<Columns> {
        if titles.len() > MOST_COLUMNS {
            return None;
        }
        let titles: Vec<&str> = titles
            .iter()
            .map(|title| std::str::from_utf8(title).unwrap_or_default().trim_start_matches('\u{feff}').trim())
            .collect();
        let find = |name: &str| titles.iter().position(|title| *title == name);
        let mut places = [0; COLUMNS.len()];
        for (place, name) in places.iter_mut().zip(COLUMNS) {
            *place = find(name)?;
        }
        Some(Columns { places, date: find("Date"), dept: find("Dept"), amount: find("Amount") })
    }

    fn row(
        &self,
        record: &ByteRecord,
        day_of_file: Option<i32>,
        possible: &RangeInclusive<i32>,
    ) -> Result<ListedDay, String> {
        if record.len() > MOST_COLUMNS {
            return Err("too many columns".to_owned());
        }
        let text = |place: usize| record.get(place).and_then(|cell| std::str::from_utf8(cell).ok()).map(str::trim);
        let [code, name, market, close, change_code, changes, open, high, low, volume, stocks] = self.places;
        let symbol = text(code).filter(|code| is_code(code)).ok_or("no code")?;
        let number = |place: usize| text(place).and_then(whole).ok_or_else(|| format!("{symbol}: no number"));
        let day = match self.date {
            Some(place) => text(place).and_then(|day| day::parse(day.get(..10)?)).map(|day| day.num_days_from_ce()),
            None => day_of_file,
        };
        let day = day.ok_or_else(|| format!("{symbol}: no day"))?;
        if !possible.contains(&day) {
            return Err(format!("{symbol}: a day that cannot be"));
        }
        // At KONEX a close can move where nothing was traded.
        let traded = number(change_code)? != 0 && number(volume)? > 0;
        // Some years have the change without its sign, which its code has, too: 2 and 5 are down.
        let change = match number(change_code)? {
            2 | 5 => -number(changes)?.abs(),
            1 | 4 => number(changes)?.abs(),
            _ => number(changes)?,
        };
        let close = number(close)?;
        let of_bar = |place: usize| if traded { number(place) } else { Ok(0) };
        let amount = match self.amount {
            Some(place) if traded => number(place)? / 1000,
            _ => 0,
        };
        let bar = StoredDay {
            day,
            traded,
            open: of_bar(open)?,
            high: of_bar(high)?,
            low: of_bar(low)?,
            close,
            base: close.saturating_sub(change),
            volume: of_bar(volume)?,
            amount,
            stocks: number(stocks)?,
        };
        let market = market_of(text(market).unwrap_or_default()).ok_or_else(|| format!("{symbol}: no market"))?;
        let dept = self.dept.and_then(text).unwrap_or_default();
        listed(symbol, text(name).unwrap_or_default(), market, dept, bar)
    }
}

/// A row, if it can have been.
///
/// # Errors
/// What is wrong with it.
pub fn listed(symbol: &str, name: &str, market: Market, dept: &str, bar: StoredDay) -> Result<ListedDay, String> {
    if !bar.is_possible() {
        return Err(format!("{symbol}: prices that cannot be"));
    }
    let of_name = |text: &str| cut(text, LONGEST);
    Ok(ListedDay { symbol: symbol.to_owned(), name: of_name(name), market, dept: of_name(dept), bar })
}

/// Whether it is a code of the Korean exchange.
pub fn is_code(text: &str) -> bool {
    text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// The market of this name; a segment belongs to its board.
pub fn market_of(name: &str) -> Option<Market> {
    match name {
        "KOSPI" => Some(Market::Kospi),
        "KOSDAQ" | "KOSDAQ GLOBAL" => Some(Market::Kosdaq),
        "KONEX" => Some(Market::Konex),
        _ => None,
    }
}

/// A whole number as tables have it: `1,234`, `14600.0`, `-30`; none beyond the largest sum that is taken.
pub fn whole(text: &str) -> Option<i64> {
    let text = text.replace(',', "");
    let (digits, behind) = text.split_once('.').unwrap_or((&text, ""));
    if behind.bytes().any(|byte| byte != b'0') {
        return None;
    }
    digits.parse().ok().filter(|number: &i64| (-MOST_AMOUNT..=MOST_AMOUNT).contains(number))
}

/// The first day in a name, written `2026-03-18` or `20260318`.
fn day_in(name: &str) -> Option<i32> {
    let starts = || name.char_indices().map(|(at, _)| &name[at..]);
    let plain = |text: &str| {
        let digits = text.get(..8).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
        NaiveDate::parse_from_str(digits, "%Y%m%d").ok()
    };
    let found = starts().find_map(|text| text.get(..10).and_then(day::parse)).or_else(|| starts().find_map(plain));
    found.map(|day| day.num_days_from_ce())
}

#[cfg(test)]
mod tests;
