//! Printing answers: JSON as it is, lists as tables, single things as lines of name and value.

use std::io::{ErrorKind, Write};

use chrono::{DateTime, Utc};
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use hanok_base::day::ZONE;
use hanok_base::text::thousands;
use hanok_base::{Error, Result};
pub use hanok_platform::domain::Column;
use hanok_platform::domain::Form;

/// `column`'s value of `row`, for people.
fn cell(column: &Column, row: &Value) -> String {
    let value = row.pointer(column.pointer).unwrap_or(&Value::Null);
    match (column.form, value) {
        (_, Value::Null) => "-".to_owned(),
        (Form::Count, Value::Number(number)) => number.as_i64().map_or(number.to_string(), thousands),
        (Form::Bytes, Value::Number(number)) => bytes(number.as_u64().unwrap_or_default()),
        (Form::Instant, Value::String(text)) => in_one_line(&local(text)),
        _ => in_one_line(&plain(value)),
    }
}

/// `text` with whatever would act on a terminal, or turn round what stands beside it, written out: others may have written it.
pub fn shown(text: &str) -> String {
    let acts = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => shown.push(c),
            _ if acts(c) => shown.extend(c.escape_unicode()),
            _ => shown.push(c),
        }
    }
    shown
}

fn in_one_line(text: &str) -> String {
    shown(text).replace('\n', "\\n").replace('\t', "\\t")
}

fn is_number(column: &Column) -> bool {
    matches!(column.form, Form::Count | Form::Bytes)
}

/// The rows as a table with a header line; numbers to the right.
pub fn table(rows: &[Value], columns: &[Column]) -> Result<()> {
    text(&table_text(rows, columns))
}

/// The same, or `none` where there are no rows.
pub fn table_or(none: &str, rows: &[Value], columns: &[Column]) -> Result<()> {
    if rows.is_empty() { line(none) } else { table(rows, columns) }
}

fn table_text(rows: &[Value], columns: &[Column]) -> String {
    let header: Vec<String> = columns.iter().map(|column| column.title.to_owned()).collect();
    let cells: Vec<Vec<String>> =
        rows.iter().map(|row| columns.iter().map(|column| cell(column, row)).collect()).collect();
    let widths: Vec<usize> = (0..columns.len())
        .map(|index| std::iter::once(&header).chain(&cells).map(|line| line[index].width()).max().unwrap_or_default())
        .collect();
    let mut text = String::new();
    for line in std::iter::once(&header).chain(&cells) {
        let padded: Vec<String> = line
            .iter()
            .zip(columns.iter().zip(&widths))
            .map(|(cell, (column, most))| {
                let gap = " ".repeat(most - cell.width());
                if is_number(column) { gap + cell } else { cell.clone() + &gap }
            })
            .collect();
        text.push_str(padded.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// One thing as lines of name and value.
pub fn thing(value: &Value, lines: &[Column]) -> Result<()> {
    let most = lines.iter().map(|line| line.title.width()).max().unwrap_or_default();
    let line =
        |line: &Column| format!("{}{}  {}\n", line.title, " ".repeat(most - line.title.width()), cell(line, value));
    text(&lines.iter().map(line).collect::<String>())
}

/// The answer as JSON over several lines.
pub fn json(value: &Value) -> Result<()> {
    let json = serde_json::to_string_pretty(value).map_err(Error::internal)?;
    text(&format!("{json}\n"))
}

/// One line.
pub fn line(line: &str) -> Result<()> {
    text(&format!("{}\n", shown(line)))
}

/// One line on standard error, about what stands on standard output.
pub fn note(line: &str) {
    // There is nowhere to say that standard error is closed.
    let _ = writeln!(std::io::stderr(), "{}", shown(line));
}

/// Text on standard output. A reader that has gone away (`| head`) is no failure.
pub fn text(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::internal(error)),
        _ => Ok(()),
    }
}

/// The list under `key` of an answer.
pub fn list<'v>(answer: &'v Value, key: &str) -> &'v [Value] {
    answer.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The rows of an answer that is a list itself.
pub fn rows(answer: &Value) -> &[Value] {
    answer.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// `12.3 GiB`
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut size = bytes as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{size:.1} {}", UNITS[unit]) }
}

/// By the clock of Seoul, in which the household lives: the names of snapshots are in UTC.
fn local(text: &str) -> String {
    match text.parse::<DateTime<Utc>>() {
        Ok(instant) => instant.with_timezone(&ZONE).format("%Y-%m-%d %H:%M KST").to_string(),
        Err(_) => text.to_owned(),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_table_lines_up_also_with_hangul() {
        let rows = [
            json!({ "name": "토요일 추첨", "bytes": 1536, "at": "2026-10-10T11:45:00Z" }),
            json!({ "name": "todo", "bytes": 7, "at": null }),
        ];
        let columns = [Column::text("name", "/name"), Column::bytes("size", "/bytes"), Column::instant("at", "/at")];
        assert_eq!(
            table_text(&rows, &columns),
            "name            size  at\n토요일 추첨  1.5 KiB  2026-10-10 20:45 KST\ntodo             7 B  -\n"
        );
    }

    #[test]
    fn what_others_wrote_does_nothing_to_the_terminal_and_no_cell_has_two_lines() {
        assert_eq!(shown("글\u{1b}[2J.md\u{9b}\u{202e}\n끝"), "글\\u{1b}[2J.md\\u{9b}\\u{202e}\n끝");
        let rows = [json!({ "name": "a\u{7}\nb", "at": "\u{1b}]0;x" })];
        let columns = [Column::text("name", "/name"), Column::instant("at", "/at")];
        assert_eq!(table_text(&rows, &columns), "name       at\na\\u{7}\\nb  \\u{1b}]0;x\n");
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(bytes(13_207_024_435), "12.3 GiB");
    }
}
