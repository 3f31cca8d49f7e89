//! Items as a table for spreadsheets: what brokers and Excel write, in UTF-8 or in the Korean of Windows (CP949), with commas,
//! semicolons or tabs. Nothing is guessed: a row that is not wholly understood is refused by its number, with why.

use std::str::FromStr;

use encoding_rs::{EUC_KR, Encoding, UTF_8};
use serde::{Deserialize, Serialize};

use super::item::{Broker, Holding, Name, Note};
use super::said::{MUST_BE_TABLE, MUST_HAVE_COLUMNS, MUST_HAVE_ROWS};
use crate::market::{MarketName, Symbol};
use hanok_base::schema::ToSchema;
use hanok_base::validated::Constraint;
use hanok_base::{Amount, Currency, Error, Result};
use hanok_calc::exchange::Market;

/// The mark by which Excel knows Unicode.
const MARK: char = '\u{feff}';
/// Rows that are read at most.
const MOST_ROWS: usize = 1_000;
/// Columns that a table has at most.
const MOST_COLUMNS: usize = 200;
/// What a spreadsheet would work out.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Broker,
    Symbol,
    Name,
    Market,
    Quantity,
    AvgPrice,
    Currency,
    BuyFxRate,
    CurrentPrice,
    Note,
}

/// The columns with their names in Korean and English, in the order in which they are written.
const COLUMNS: [(Column, &str, &str); 10] = [
    (Column::Broker, "증권사", "broker"),
    (Column::Symbol, "종목코드", "symbol"),
    (Column::Name, "종목명", "name"),
    (Column::Market, "시장", "market"),
    (Column::Quantity, "수량", "quantity"),
    (Column::AvgPrice, "평균단가", "avg_price"),
    (Column::Currency, "통화", "currency"),
    (Column::BuyFxRate, "매입환율", "buy_fx_rate"),
    (Column::CurrentPrice, "현재가", "current_price"),
    (Column::Note, "메모", "note"),
];
/// What others call some of them.
const OTHER_NAMES: [(Column, &str); 8] = [
    (Column::Broker, "계좌"),
    (Column::Symbol, "코드"),
    (Column::Symbol, "ticker"),
    (Column::Quantity, "보유수량"),
    (Column::Quantity, "잔고수량"),
    (Column::AvgPrice, "평단가"),
    (Column::AvgPrice, "매입단가"),
    (Column::AvgPrice, "매입평균가"),
];
/// Columns without which no row can be read.
const NEEDED: [Column; 4] = [Column::Broker, Column::Symbol, Column::Quantity, Column::AvgPrice];

/// A row that is an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadRow {
    /// Its number in the table; that of the headings is 1.
    pub row: u64,
    /// Where it is held.
    pub broker: String,
    /// Its symbol.
    pub symbol: String,
    /// Where it is listed; null where the row does not say.
    pub market: Option<Market>,
    /// What it is called; null where the row does not say.
    pub name: Option<String>,
    /// How many.
    pub quantity: Amount,
    /// What one cost.
    pub avg_price: Amount,
    /// Of the prices; null where the row does not say.
    pub currency: Option<Currency>,
    /// Won for one of the currency when it was bought; null where the row does not say.
    pub buy_fx_rate: Option<Amount>,
    /// The price that is kept by hand; null where the row does not say.
    pub current_price: Option<Amount>,
    /// More about it.
    pub note: String,
}

/// A row that is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RefusedRow {
    /// Its number in the table; that of the headings is 1.
    pub row: u64,
    /// Why.
    pub reason: TableReason,
}

/// Why a row is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableReason {
    /// The broker is missing or no name.
    Broker,
    /// The symbol is missing or none.
    Symbol,
    /// The name is too long.
    Name,
    /// The market is not one that is known.
    Market,
    /// The quantity is missing, or no number above zero.
    Quantity,
    /// The average price is missing, or no number that is not below zero.
    AvgPrice,
    /// The currency is not one that is known.
    Currency,
    /// The rate is no number above zero.
    BuyFxRate,
    /// The price of now is no number that is not below zero.
    CurrentPrice,
    /// A row before has another price of now for the same symbol.
    OtherPrice,
    /// The note is too long.
    Note,
    /// It is more than can be computed.
    TooMuch,
}

/// What a table says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadTable {
    /// Its rows that are items.
    pub rows: Vec<ReadRow>,
    /// Those that are refused.
    pub refused: Vec<RefusedRow>,
}

/// The text of a file: in UTF-8, or in what its mark says, or in the Korean of Windows.
///
/// # Errors
/// `INVALID_INPUT` for what is none of these.
pub fn decode(bytes: &[u8]) -> Result<String> {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let encoding = marked.unwrap_or(if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { EUC_KR });
    let (text, _, is_broken) = encoding.decode(bytes);
    if is_broken || text.contains('\0') { Err(Error::field("file", MUST_BE_TABLE)) } else { Ok(text.into_owned()) }
}

/// What a table says, with each row that is refused; asks before each row whether to `go_on`.
///
/// # Errors
/// `INVALID_INPUT` where columns that are needed are missing, for too many columns, and for too many rows or none; those of
/// `go_on`.
pub fn read_table(text: &str, go_on: impl Fn() -> Result<()>) -> Result<ReadTable> {
    let text = text.trim_start_matches(MARK);
    let heading = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |sign: u8| heading.bytes().filter(|byte| *byte == sign).count();
    let delimiter = [b'\t', b';', b','].into_iter().max_by_key(|sign| count(*sign)).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
    let headings = reader.headers().map_err(no_table)?;
    if headings.len() > MOST_COLUMNS {
        return Err(Error::field("file", MUST_BE_TABLE));
    }
    let columns: Vec<(Column, usize)> =
        (0..).zip(headings).filter_map(|(place, heading)| Some((column(heading)?, place))).collect();
    let place_of = |wanted: Column| columns.iter().find(|(column, _)| *column == wanted).map(|(_, place)| *place);
    let missing: Vec<&str> = COLUMNS
        .iter()
        .filter(|(one, ..)| NEEDED.contains(one) && place_of(*one).is_none())
        .map(|(_, korean, _)| *korean)
        .collect();
    if !missing.is_empty() {
        return Err(Error::field("file", MUST_HAVE_COLUMNS.with([("columns", missing.join(", ").into())])));
    }
    let mut table = ReadTable::default();
    for (row, record) in (2..).zip(reader.records()) {
        go_on()?;
        let record = record.map_err(no_table)?;
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let cell = |wanted: Column| {
            as_written(place_of(wanted).and_then(|place| record.get(place)).unwrap_or_default().trim())
        };
        match read_row(row, &cell) {
            Ok(item) => table.rows.push(item),
            Err(reason) => table.refused.push(RefusedRow { row, reason }),
        }
        if table.rows.len() + table.refused.len() > MOST_ROWS {
            return Err(wrong_length());
        }
    }
    if table == ReadTable::default() { Err(wrong_length()) } else { Ok(table) }
}

fn no_table(_error: csv::Error) -> Error {
    Error::field("file", MUST_BE_TABLE)
}

fn wrong_length() -> Error {
    Error::field("file", MUST_HAVE_ROWS.with([("most", MOST_ROWS.into())]))
}

fn column(heading: &str) -> Option<Column> {
    let plain: String = heading.to_lowercase().chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    let known = COLUMNS.iter().flat_map(|(column, korean, english)| [(*column, *korean), (*column, *english)]);
    known.chain(OTHER_NAMES).find(|(_, name)| name.replace('_', "") == plain).map(|(column, _)| column)
}

fn read_row<'c>(row: u64, cell: &impl Fn(Column) -> &'c str) -> Result<ReadRow, TableReason> {
    let said = |column: Column| Some(cell(column)).filter(|text| !text.is_empty());
    let optional = |column: Column, reason: TableReason, least: fn(&Amount) -> bool| {
        said(column).map(|text| number(text).filter(least).ok_or(reason)).transpose()
    };
    let broker = taken::<Broker>(cell(Column::Broker), TableReason::Broker)?;
    let symbol = taken::<Symbol>(&symbol_of(cell(Column::Symbol)), TableReason::Symbol)?;
    let read = ReadRow {
        row,
        broker,
        symbol,
        market: said(Column::Market)
            .map(|text| taken::<MarketName>(&text.to_uppercase(), TableReason::Market))
            .transpose()?,
        name: said(Column::Name).map(|text| taken::<Name>(text, TableReason::Name)).transpose()?,
        quantity: number(cell(Column::Quantity)).filter(is_positive).ok_or(TableReason::Quantity)?,
        avg_price: number(cell(Column::AvgPrice)).filter(is_no_debt).ok_or(TableReason::AvgPrice)?,
        currency: said(Column::Currency).map(currency).transpose()?,
        buy_fx_rate: optional(Column::BuyFxRate, TableReason::BuyFxRate, is_positive)?,
        current_price: optional(Column::CurrentPrice, TableReason::CurrentPrice, is_no_debt)?,
        note: taken::<Note>(cell(Column::Note), TableReason::Note)?,
    };
    Ok(read)
}

fn taken<C: Constraint<Input = String>>(text: &str, reason: TableReason) -> Result<C::Value, TableReason> {
    C::check(text.to_owned()).map_err(|_| reason)
}

fn is_positive(amount: &Amount) -> bool {
    amount.get() > rust_decimal::Decimal::ZERO
}

fn is_no_debt(amount: &Amount) -> bool {
    amount.get() >= rust_decimal::Decimal::ZERO
}

fn currency(text: &str) -> Result<Currency, TableReason> {
    let code = match text {
        "원" | "₩" => "KRW".to_owned(),
        "달러" | "$" => "USD".to_owned(),
        other => other.to_uppercase(),
    };
    Currency::ALL.iter().copied().find(|known| known.code() == code).ok_or(TableReason::Currency)
}

/// A symbol as brokers and spreadsheets write it: `A005930`, and `5930` where the zeros before it were lost.
fn symbol_of(cell: &str) -> String {
    let is_code = |code: &str| crate::market::listing(code).is_some();
    let without = cell.strip_prefix('A').filter(|code| code.len() == 6 && is_code(code));
    let filled = format!("{cell:0>6}");
    match without {
        Some(code) => code.to_owned(),
        None if cell.len() < 6 && cell.bytes().all(|byte| byte.is_ascii_digit()) && is_code(&filled) => filled,
        None => cell.to_owned(),
    }
}

/// A number as people write it: with thousands apart by commas, and a sign of its currency.
fn number(cell: &str) -> Option<Amount> {
    let is_idle = |c: char| c.is_whitespace() || matches!(c, '₩' | '￦' | '\\' | '$' | '원' | '주');
    let plain = cell.trim_matches(is_idle);
    let (whole, behind) = plain.split_once('.').unwrap_or((plain, "0"));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let parts: Vec<&str> = digits.split(',').collect();
    let are_apart = parts.len() == 1
        || (parts.iter().skip(1).all(|part| part.len() == 3)
            && parts.first().is_some_and(|part| (1..=3).contains(&part.len())));
    let digits = parts.concat();
    let digits = match digits.trim_start_matches('0') {
        "" if !digits.is_empty() => "0",
        rest => rest,
    };
    let behind = match behind.trim_end_matches('0') {
        "" if !behind.is_empty() => "0",
        rest => rest,
    };
    are_apart.then(|| Amount::from_str(&format!("{sign}{digits}.{behind}")).ok()).flatten().and_then(shortest)
}

fn shortest(amount: Amount) -> Option<Amount> {
    Amount::new(amount.get().normalize())
}

/// Items as a table, each with the price that is kept by hand, with the names of the columns in Korean or English.
///
/// # Errors
/// `INTERNAL`, which no item gives.
pub fn write_table<'h>(items: impl Iterator<Item = (&'h Holding, Option<Amount>)>, in_korean: bool) -> Result<String> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let header = COLUMNS.map(|(_, korean, english)| if in_korean { korean } else { english });
    writer.write_record(header).map_err(Error::internal)?;
    let optional = |amount: Option<Amount>| amount.map(|amount| amount.to_string()).unwrap_or_default();
    for (item, price) in items {
        let cells = COLUMNS.map(|(column, ..)| match column {
            Column::Broker => harmless(&item.broker),
            Column::Symbol => harmless(&item.symbol),
            Column::Name => harmless(&item.name),
            Column::Market => item.market.to_string(),
            Column::Quantity => item.quantity.to_string(),
            Column::AvgPrice => item.avg_price.to_string(),
            Column::Currency => item.currency.code().to_owned(),
            Column::BuyFxRate => optional(item.buy_fx_rate),
            Column::CurrentPrice => optional(price),
            Column::Note => harmless(&item.note),
        });
        writer.write_record(cells).map_err(Error::internal)?;
    }
    let bytes = writer.into_inner().map_err(|error| Error::internal(error.error()))?;
    let table = String::from_utf8(bytes).map_err(Error::internal)?;
    Ok(format!("{MARK}{table}"))
}

/// With an apostrophe before what a spreadsheet would work out, and before another one, so that each comes back.
fn harmless(cell: &str) -> String {
    if is_escaped(cell) { format!("'{cell}") } else { cell.to_owned() }
}

fn is_escaped(cell: &str) -> bool {
    cell.starts_with(FORMULA) || cell.starts_with('\'')
}

/// Without the apostrophe of [`harmless`].
fn as_written(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| is_escaped(rest)).unwrap_or(cell)
}

#[cfg(test)]
mod tests;
