//! How the text of a table falls into lines and cells, and where each of them stands.

/// Whether a cell of the record that is `written` so has swallowed what follows it: its quote is not closed, or was closed
/// in the middle of a later line. A reader takes either for one long cell.
pub fn is_swallowing(written: &str, delimiter: u8) -> bool {
    let mut bytes = written.bytes().peekable();
    let (mut is_quoted, mut begins_cell, mut has_lines) = (false, true, false);
    while let Some(byte) = bytes.next() {
        if !is_quoted {
            is_quoted = begins_cell && byte == b'"';
            begins_cell = byte == delimiter || matches!(byte, b'\r' | b'\n');
            has_lines = false;
            continue;
        }
        has_lines |= matches!(byte, b'\r' | b'\n');
        if byte == b'"' && bytes.next_if_eq(&b'"').is_none() {
            let is_closed = bytes.peek().is_none_or(|next| *next == delimiter || matches!(next, b'\r' | b'\n'));
            if has_lines && !is_closed {
                return true;
            }
            is_quoted = false;
        }
    }
    is_quoted
}

/// Counts the lines of a text from its beginning on, whichever way they end: with `\n`, `\r\n`, or `\r` alone.
pub struct LineNumbers<'t> {
    text: &'t [u8],
    counted: usize,
    line: u64,
}

impl<'t> LineNumbers<'t> {
    /// At the beginning of a text.
    pub fn new(text: &'t str) -> Self {
        LineNumbers { text: text.as_bytes(), counted: 0, line: 1 }
    }

    /// The number of the line at which the record begins whose position is `from`, that of the empty lines before it. No
    /// record before the last one that was asked for.
    pub fn of_record_at(&mut self, from: usize) -> u64 {
        let empty = self.text.iter().skip(from).take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let begins = from.saturating_add(empty).min(self.text.len());
        for at in self.counted..begins {
            let is_end = match self.text[at] {
                b'\n' => true,
                b'\r' => self.text.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            self.line += u64::from(is_end);
        }
        self.counted = self.counted.max(begins);
        self.line
    }
}

/// Where a spreadsheet is set so, semicolons or tabs stand between the cells.
pub fn delimiter(text: &str) -> u8 {
    let first = first_line(text);
    let count = |mark: u8| first.bytes().filter(|byte| *byte == mark).count();
    [b',', b';', b'\t'].into_iter().rev().max_by_key(|mark| count(*mark)).unwrap_or(b',')
}

/// The first line that is not empty.
pub fn first_line(text: &str) -> &str {
    text.trim_start().split(['\r', '\n']).next().unwrap_or_default()
}
