//! Tables of the exchange in the columns of marcap: whole years or single days.

use std::collections::BTreeMap;
use std::io::Read;

use chrono::{Datelike, NaiveDate};
use csv::{ByteRecord, ReaderBuilder};

use super::day::{ListedDay, StoredDay};
use super::said;
use hanok_base::text::cut;
use hanok_base::{Error, Result, day};
use hanok_calc::exchange::Market;

/// What a table must have; `Date` may stand in the file's name instead.
const COLUMNS: [&str; 11] =
    ["Code", "Name", "Market", "Close", "ChangeCode", "Changes", "Open", "High", "Low", "Volume", "Stocks"];
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

/// Reads a table from `from`, whose file is called `name`; `go_on` is asked now and then whether somebody still waits.
///
/// # Errors
/// `INVALID_INPUT` at `file` when it is no such table, its day is not known, or no row can be right; those of `go_on`.
pub fn read_table(name: &str, from: impl Read, mut go_on: impl FnMut() -> Result<()>) -> Result<ListedDays> {
    let no_table = || Error::field("file", said::NOT_A_TABLE.with([("columns", COLUMNS.join(", ").into())]));
    let mut reader = ReaderBuilder::new().flexible(true).has_headers(false).from_reader(from);
    let mut record = ByteRecord::new();
    if !reader.read_byte_record(&mut record).map_err(|error| no_table().because(error))? {
        return Err(no_table());
    }
    let columns = Columns::of(&record).ok_or_else(no_table)?;
    let day_of_file = day_in(name);
    if columns.date.is_none() && day_of_file.is_none() {
        return Err(Error::field("file", said::NO_DAY));
    }
    let (mut found, mut line) = (ListedDays::default(), 1u64);
    while reader.read_byte_record(&mut record).map_err(|error| no_table().because(error))? {
        line += 1;
        if line.is_multiple_of(4096) {
            go_on()?;
        }
        found.add(columns.row(&record, day_of_file).map_err(|what| format!("line {line}: {what}")));
    }
    if found.stocks.is_empty() { Err(Error::field("file", said::NO_ROWS)) } else { Ok(found) }
}

impl Columns {
    fn of(titles: &ByteRecord) -> Option<Columns> {
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

    fn row(&self, record: &ByteRecord, day_of_file: Option<i32>) -> Result<ListedDay, String> {
        let text = |place: usize| record.get(place).and_then(|cell| std::str::from_utf8(cell).ok()).map(str::trim);
        let [code, name, market, close, change_code, changes, open, high, low, volume, stocks] = self.places;
        let symbol = text(code).filter(|code| is_code(code)).ok_or("no code")?;
        let number = |place: usize| text(place).and_then(whole).ok_or_else(|| format!("{symbol}: no number"));
        let day = match self.date {
            Some(place) => text(place).and_then(|day| day::parse(day.get(..10)?)).map(|day| day.num_days_from_ce()),
            None => day_of_file,
        };
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
            day: day.ok_or_else(|| format!("{symbol}: no day"))?,
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

/// A whole number as tables have it: `1,234`, `14600.0`, `-30`.
pub fn whole(text: &str) -> Option<i64> {
    let text = text.replace(',', "");
    let (digits, behind) = text.split_once('.').unwrap_or((&text, ""));
    if behind.bytes().any(|byte| byte != b'0') {
        return None;
    }
    digits.parse().ok()
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
mod tests {
    use super::*;

    const DAY: &str = "\u{feff},Code,ISU_CD,Name,Market,Dept,Close,ChangeCode,Changes,ChagesRatio,Open,High,Low,Volume,Amount,Marcap,Stocks,MarketId
0,005930,KR7005930003,삼성전자,KOSPI,,208500,1,14600,7.53,200500,209000,199700,25148481,5153010769813,1234244506737000,5919637922,STK
1,0126Z0,KR70126Z0004,삼성에피스홀딩스,KOSDAQ GLOBAL,우량기업부,500,2,30,-5.66,510,520,500,10,5000,1,100,KSQ
2,123450,KR7123450009,쉬는 주식,KONEX,관리종목,140,0,0,0.0,0,0,0,0,0,1,100,KNX
3,12345,X,짧은 코드,KONEX,,140,1,0,0.0,1,1,1,1,1,1,100,KNX
4,123460,X,거꾸로,KONEX,,140,1,0,0.0,1,1,5,1,1,1,100,KNX
5,496320,KR7496320001,움직인 종가,KONEX,,613,1,1,0.16,0,0,0,0,0,1,100,KNX
";

    fn read(name: &str, text: &str) -> Result<ListedDays> {
        read_table(name, text.as_bytes(), || Ok(()))
    }

    #[test]
    fn a_day_is_read_as_marcap_writes_it_and_a_bad_row_refuses_itself() {
        let found = read("2026-03-18.csv.gz", DAY).unwrap();
        let day = NaiveDate::from_ymd_opt(2026, 3, 18).unwrap().num_days_from_ce();
        assert_eq!((found.counts(), found.refused, found.named.len()), (BTreeMap::from([(day, 4)]), 2, 2), "{found:?}");
        let [samsung, down, quiet, moved] =
            ["005930", "0126Z0", "123450", "496320"].map(|symbol| &found.stocks[symbol]);
        assert_eq!((moved.days[&day].traded, moved.days[&day].close, moved.days[&day].base), (false, 613, 612));
        let bar = samsung.days[&day];
        assert_eq!((bar.base, bar.traded, bar.amount), (193_900, true, 5_153_010_769));
        assert_eq!((down.days[&day].base, down.market), (530, Market::Kosdaq));
        assert_eq!((quiet.days[&day].traded, quiet.days[&day].close, quiet.dept.as_str()), (false, 140, "관리종목"));
    }

    #[test]
    fn the_ratio_may_be_spelled_either_way_and_the_day_stand_in_a_column() {
        let with_date =
            DAY.replace("ChagesRatio", "ChangesRatio").replace("MarketId", "Date").replace("STK", "2025-01-02");
        let found = read("marcap-2025.csv", &with_date).unwrap();
        assert_eq!((found.stocks.len(), found.refused), (1, 5));
        assert_eq!(read("marcap.csv", DAY).unwrap_err().code(), "INVALID_INPUT");
        for text in ["", "<html></html>", "Code,Name\n005930,삼성전자\n"] {
            assert_eq!(read("2026-03-18.csv", text).unwrap_err().code(), "INVALID_INPUT", "{text}");
        }
        assert_eq!(read("2026-03-18.csv", DAY.lines().next().unwrap()).unwrap_err().code(), "INVALID_INPUT");
    }

    #[test]
    fn whole_numbers_are_read_as_tables_have_them() {
        assert_eq!(
            ["1,234", "14600.0", "-30", "1.5", "", "x"].map(whole),
            [Some(1_234), Some(14_600), Some(-30), None, None, None]
        );
        assert_eq!(day_in("a/krx_20260318.csv"), day_in("2026-03-18.csv.gz"));
        assert_eq!(day_in("marcap.csv"), None);
    }
}
