//! Purchases as a table for spreadsheets (RFC 4180), written and read.
//!
//! A line is a purchase. What is written can be read again; of a table of another hand only the columns that are known
//! by name are looked at.

mod lines;
mod records;
mod words;

use std::collections::BTreeMap;
use std::convert::Infallible;

use chrono::{DateTime, Duration, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use lines::{LineNumbers, delimiter, first_line, is_swallowing};
use records::{Record, Records};

use super::games::{Games, MOST_SETS, SentGames};
use super::{NewPurchase, Purchase, PurchaseContent, check_held, check_sold};
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::text::cut;
use hanok_base::validated::Validated;
use hanok_base::{Error, Result, day};
use hanok_calc::lottery::Numbers;
use hanok_calc::lottery::draw::date_of;

/// What Excel takes a table for one of Unicode by.
const MARK: char = '\u{feff}';
/// The most lines of a table: a hundred times what a household writes down in ten years.
const MOST_LINES: usize = 50_000;
/// The most characters of a table.
pub const MOST_CHARACTERS: usize = 200 * MOST_LINES;
/// The draw before which nothing was bought.
const FIRST_DRAW: u32 = 1;
/// How many refused lines are named.
const MOST_NAMED: usize = 100;
/// How many characters of each.
const MOST_SHOWN: usize = 80;
/// The first characters by which a spreadsheet takes a cell for a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The columns, each with its name in Korean and English.
const COLUMNS: [(Column, &str, &str); 12] = [
    (Column::Draw, "회차", "draw_no"),
    (Column::Numbers, "번호", "numbers"),
    (Column::Count, "게임 수", "count"),
    (Column::Amount, "금액", "amount"),
    (Column::Prize, "당첨금", "prize"),
    (Column::Tax, "세금", "tax"),
    (Column::Note, "메모", "note"),
    (Column::Status, "상태", "status"),
    (Column::Written, "적은 때", "created_at"),
    (Column::Id, "번호표", "id"),
    (Column::Ticket, "복권 고유 번호", "ticket"),
    (Column::TierMode, "묶음", "tier_mode"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Draw,
    Numbers,
    Count,
    Amount,
    Prize,
    Tax,
    Note,
    Status,
    Written,
    Id,
    Ticket,
    TierMode,
}

/// A table that was read: what each of its lines says.
#[derive(Debug, Default)]
pub struct ReadTable {
    /// The purchases.
    pub purchases: Vec<ReadLine>,
    /// The lines that are refused.
    pub refused: Vec<RefusedLine>,
    /// How many lines are refused; more may be than are named.
    pub refused_count: u64,
}

/// A line that is a purchase.
#[derive(Debug, Clone)]
pub struct ReadLine {
    /// Its number in the file.
    pub line: u64,
    /// The number of the purchase in the house that wrote the table: two lines with different ones are two purchases.
    pub number: Option<u64>,
    /// The purchase; it has no id yet.
    pub purchase: Purchase,
}

/// A line that is no purchase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RefusedLine {
    /// Its number in the file, the header's is 1.
    pub line: u64,
    /// Why.
    pub reason: LineReason,
    /// What stands there, shortened.
    pub text: String,
}

/// Why a line is no purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineReason {
    /// The table has no column for the draw, or none for numbers or their count.
    Header,
    /// The table has more lines than can be read at once.
    TooMany,
    /// The line is not written as a table's.
    Form,
    /// The draw is no number from 1 to 9999.
    Draw,
    /// The draw is not sold yet.
    NotSold,
    /// The numbers are not sets of six different ones from 1 to 45.
    Numbers,
    /// There are neither numbers nor how many games, or not as many as is said.
    Games,
    /// The amount is no sum in won that can be paid.
    Amount,
    /// The prize is none that can be entered: of a draw that is held, and of games whose numbers were not kept.
    Prize,
    /// The note is longer than 500 characters or has control characters.
    Note,
    /// The ticket's number is none, or of another draw.
    Ticket,
    /// A line before it says something else of the same ticket.
    TicketTwice,
    /// The tiers are none that can be bought together.
    TierMode,
    /// When it was written down is neither an instant nor a day that begins with its year.
    Written,
    /// When it was written down is later than now, or before the first draw was sold.
    WrittenWhen,
}

/// The purchases as a table, with the names of the columns in Korean or English.
pub fn write_table<'p>(purchases: impl Iterator<Item = &'p Purchase>, in_korean: bool) -> Result<String> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let header = COLUMNS.map(|(_, korean, english)| if in_korean { korean } else { english });
    writer.write_record(header).map_err(Error::internal)?;
    for purchase in purchases {
        let cells = COLUMNS.map(|(column, ..)| harmless(cell(purchase, column, in_korean)));
        writer.write_record(cells).map_err(Error::internal)?;
    }
    let bytes = writer.into_inner().map_err(|error| Error::internal(error.error()))?;
    let table = String::from_utf8(bytes).map_err(Error::internal)?;
    Ok(format!("{MARK}{table}"))
}

fn cell(purchase: &Purchase, column: Column, in_korean: bool) -> String {
    let optional = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    match column {
        Column::Draw => purchase.draw_no.to_string(),
        Column::Numbers => {
            let set = |set: &Numbers| set.iter().map(|number| number.to_string()).collect::<Vec<_>>().join(" ");
            purchase.sets.iter().map(set).collect::<Vec<_>>().join(" / ")
        }
        Column::Count => purchase.count.to_string(),
        Column::Amount => purchase.amount.to_string(),
        Column::Prize => optional(purchase.prize),
        Column::Tax => optional(purchase.tax.filter(|_| !purchase.tax_at_most)),
        Column::Note => purchase.note.clone(),
        Column::Status => words::of_status(purchase.status, in_korean),
        Column::Written => purchase.created_at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
        Column::Id => purchase.id.to_string(),
        Column::Ticket => purchase.ticket.clone().unwrap_or_default(),
        Column::TierMode => purchase.tier_mode.map(|mode| words::of_tiers(mode, in_korean)).unwrap_or_default(),
    }
}

/// With an apostrophe before what a spreadsheet would work out, and before another one, so that each comes back.
fn harmless(cell: String) -> String {
    if is_escaped(&cell) { format!("'{cell}") } else { cell }
}

fn is_escaped(cell: &str) -> bool {
    cell.starts_with(FORMULA) || cell.starts_with('\'')
}

/// Without the apostrophe of [`harmless`].
fn as_written(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| is_escaped(rest)).unwrap_or(cell)
}

/// The purchases that the lines of `text` say, written down at `now` where they do not say when; they have no ids yet.
pub fn read_table(text: &str, now: DateTime<Utc>) -> ReadTable {
    let Ok(table) = read_table_while(text, now, || Ok::<_, Infallible>(()));
    table
}

/// [`read_table`], which asks before each line whether to `go_on`.
///
/// # Errors
/// Those of `go_on`.
pub fn read_table_while<E>(
    text: &str,
    now: DateTime<Utc>,
    mut go_on: impl FnMut() -> Result<(), E>,
) -> Result<ReadTable, E> {
    let text = text.trim_start_matches(MARK);
    let mut table = ReadTable::default();
    let mark = delimiter(text);
    let mut records = Records::new(text, mark);
    let header = records.next_record();
    let columns: Vec<Option<Column>> = header.iter().flat_map(Record::cells).map(named).collect();
    // Found once: a table may have many lines.
    let places = COLUMNS.map(|(wanted, ..)| columns.iter().position(|column| *column == Some(wanted)));
    let place = |wanted: Column| places[wanted as usize];
    let has = |column| place(column).is_some();
    let mut numbers = LineNumbers::new(text);
    if !(has(Column::Draw) && (has(Column::Numbers) || has(Column::Count))) {
        table.refuse(numbers.of_record_at(0), LineReason::Header, first_line(text).chars());
        return Ok(table);
    }
    if header.is_some_and(|header| is_swallowing(header.written, mark)) {
        table.refuse(numbers.of_record_at(0), LineReason::Form, text.trim_start().chars());
        return Ok(table);
    }
    let mut tickets = BTreeMap::new();
    while let Some(record) = records.next_record() {
        go_on()?;
        let line = numbers.of_record_at(record.from);
        if !record.is_too_wide && record.cells().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if table.purchases.len() + table.refused_count as usize >= MOST_LINES {
            table.refuse(line, LineReason::TooMany, "".chars());
            break;
        }
        if record.is_too_wide || is_swallowing(record.written, mark) {
            table.refuse(line, LineReason::Form, record.written.trim_start().chars());
            continue;
        }
        let cell = |wanted| {
            let cell = as_written(record.cell(place(wanted)?)?.trim());
            (!cell.is_empty()).then_some(cell)
        };
        match purchase(cell, now) {
            Ok(purchase) if says_otherwise(&mut tickets, &purchase) => {
                table.refuse(line, LineReason::TicketTwice, joined(&record));
            }
            Ok(purchase) => {
                let number = cell(Column::Id).and_then(whole);
                table.purchases.push(ReadLine { line, number, purchase });
            }
            Err(reason) => table.refuse(line, reason, joined(&record)),
        }
    }
    Ok(table)
}

/// The cells of a line as people read them.
fn joined<'r>(record: &Record<'r>) -> impl Iterator<Item = char> + use<'r> {
    record.cells().enumerate().flat_map(|(place, cell)| if place == 0 { "" } else { ", " }.chars().chain(cell.chars()))
}

/// Whether a line before it has said something else of its ticket.
fn says_otherwise(tickets: &mut BTreeMap<String, (PurchaseContent, Option<u64>)>, purchase: &Purchase) -> bool {
    let Some(ticket) = &purchase.ticket else { return false };
    let says = (purchase.says(), purchase.entered_prize());
    tickets.get(ticket).is_some_and(|before| *before != says) || {
        tickets.entry(ticket.clone()).or_insert(says);
        false
    }
}

impl ReadTable {
    fn refuse(&mut self, line: u64, reason: LineReason, text: impl Iterator<Item = char>) {
        self.refused_count += 1;
        if self.refused.len() < MOST_NAMED {
            // One more than is shown, so that it is seen to be cut.
            let text = cut(&text.take(MOST_SHOWN + 1).collect::<String>(), MOST_SHOWN);
            self.refused.push(RefusedLine { line, reason, text });
        }
    }
}

fn named(cell: &str) -> Option<Column> {
    let name = cell.trim().trim_start_matches(MARK).to_lowercase();
    let known = COLUMNS.iter().find(|(_, korean, english)| *korean == name || *english == name);
    known.map(|(column, ..)| *column)
}

fn purchase<'c>(cell: impl Fn(Column) -> Option<&'c str>, now: DateTime<Utc>) -> Result<Purchase, LineReason> {
    let draw_no = cell(Column::Draw).and_then(whole).ok_or(LineReason::Draw)?;
    let count = cell(Column::Count).map(|count| whole(count).ok_or(LineReason::Games)).transpose()?;
    let games = match (cell(Column::Numbers), count) {
        (Some(numbers), count) => {
            let sets = sets(numbers).ok_or(LineReason::Numbers)?;
            if count.is_some_and(|count| count != sets.len() as u64) {
                return Err(LineReason::Games);
            }
            Validated::taken(Games::known(sets))
        }
        (None, Some(count)) => Validated::of(SentGames::Count(count.into())),
        (None, None) => return Err(LineReason::Games),
    };
    let is_known = games.value().is_some_and(Games::are_known);
    let amount = cell(Column::Amount).map(|amount| whole(amount).ok_or(LineReason::Amount)).transpose()?;
    // The prize of numbers that were kept is worked out from the draw.
    let prize = cell(Column::Prize).filter(|_| !is_known);
    let prize = prize.map(|prize| whole(prize).ok_or(LineReason::Prize)).transpose()?;
    let new = NewPurchase {
        draw_no: Some(Validated::of(draw_no.into())),
        sets: Some(games),
        amount: amount.map(|amount| Validated::of(amount.into())),
        note: cell(Column::Note).map(|note| Validated::of(note.to_owned())),
        prize: prize.map(|prize| Validated::of(prize.into())),
        ticket: cell(Column::Ticket).map(|ticket| Validated::of(ticket.to_owned())),
        ..NewPurchase::default()
    };
    let read = Check::of(|check| new.read(check, now));
    let purchase =
        read.map_err(|error| error.fields.keys().next().map_or(LineReason::Games, |field| of_field(field)))?;
    check_sold(purchase.draw_no, now).map_err(|_| LineReason::NotSold)?;
    check_held(purchase.prize, purchase.draw_no, now).map_err(|_| LineReason::Prize)?;
    purchase.check_ticket().map_err(|_| LineReason::Ticket)?;
    let known = |said| words::tiers(said).ok_or(LineReason::TierMode);
    let tier_mode = cell(Column::TierMode).map(known).transpose()?;
    // Earlier programs kept the tiers of a purchase whose games were changed, and wrote them into their tables.
    let tier_mode = tier_mode.filter(|mode| mode.games() as u64 == purchase.count);
    let created_at = cell(Column::Written).map_or(Ok(now), |cell| written_at(cell, now))?;
    Ok(Purchase { tier_mode, created_at, ..purchase })
}

/// When a purchase was written down, by which its month is told: as an instant, or as a day. Not later than `now`, nor
/// before the first draw was sold.
fn written_at(cell: &str, now: DateTime<Utc>) -> Result<DateTime<Utc>, LineReason> {
    let instant = DateTime::parse_from_rfc3339(cell).ok().map(|instant| instant.with_timezone(&Utc));
    let written = instant.or_else(|| written_day(cell).map(day::start)).ok_or(LineReason::Written)?;
    let can_be = date_of(FIRST_DRAW).is_ok_and(|first| day::of(written) >= first - Duration::days(5)) && written <= now;
    if can_be { Ok(written) } else { Err(LineReason::WrittenWhen) }
}

/// A day that begins with its year, however it is written, and whatever hour stands behind it: `2026/10/30`,
/// `2026. 10. 30.`, `2026년 10월 30일 09:00`, `20261030`.
fn written_day(text: &str) -> Option<NaiveDate> {
    let mut figures = text.split(|one: char| !one.is_ascii_digit()).filter(|figures| !figures.is_empty());
    let first = figures.next()?;
    let (year, month, day) = match first.len() {
        4 => (first, figures.next()?, figures.next()?),
        8 => (&first[..4], &first[4..6], &first[6..]),
        _ => return None,
    };
    NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
}

/// Why a line is no purchase whose `field` is refused.
fn of_field(field: &str) -> LineReason {
    match field {
        "draw_no" => LineReason::Draw,
        "amount" => LineReason::Amount,
        "note" => LineReason::Note,
        "prize" => LineReason::Prize,
        "ticket" => LineReason::Ticket,
        // The games, however they were named.
        _ => LineReason::Games,
    }
}

/// A whole number, with or without what people write around it: `1,245회`, `5,000원`.
fn whole(text: &str) -> Option<u64> {
    let digits = text.trim().trim_start_matches(['제', '₩']).trim_end_matches(['원', '회', '개', '차']).trim();
    let (groups, plain) = (digits.split(','), digits.replace(',', ""));
    let is_grouped = !digits.contains(',') || groups.skip(1).all(|group| group.len() == 3);
    let is_number = !plain.is_empty() && plain.len() <= 15 && plain.bytes().all(|byte| byte.is_ascii_digit());
    (is_grouped && is_number).then(|| plain.parse().ok()).flatten()
}

/// Sets of six numbers, apart by a slash, a semicolon or a new line.
fn sets(text: &str) -> Option<Vec<Numbers>> {
    let sets: Option<Vec<Numbers>> =
        text.split(['/', ';', '\n', '|']).filter(|set| !set.trim().is_empty()).map(set).collect();
    sets.filter(|sets| !sets.is_empty() && sets.len() <= MOST_SETS)
}

fn set(text: &str) -> Option<Numbers> {
    let parts = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let numbers: Vec<u8> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || matches!(c, ',' | '·' | '-' | '.'));
    Numbers::new(numbers.try_into().ok()?).ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests;
