//! The lines of a table and their cells (RFC 4180), one line after the other, in memory that each uses anew: a line of
//! millions of cells costs no more than another.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

/// The most columns of one table, of which most are another hand's.
pub const MOST_COLUMNS: usize = 200;

/// Reads a table from its beginning on.
pub struct Records<'t> {
    text: &'t str,
    reader: Reader,
    /// How far it is read.
    at: usize,
    cells: Vec<u8>,
    ends: [usize; MOST_COLUMNS],
}

/// One record: a line, or several when a cell has lines of its own.
pub struct Record<'r> {
    /// As it is written, from the end of the one before it to its own.
    pub written: &'r str,
    /// The byte of the text at which that begins.
    pub from: usize,
    /// Whether it has more cells than a table has columns. None of them is kept.
    pub is_too_wide: bool,
    cells: &'r str,
    ends: &'r [usize],
}

impl<'t> Records<'t> {
    /// Of `text`, in which `delimiter` stands between the cells.
    pub fn new(text: &'t str, delimiter: u8) -> Records<'t> {
        let reader = ReaderBuilder::new().delimiter(delimiter).build();
        Records { text, reader, at: 0, cells: vec![0; 1024], ends: [0; MOST_COLUMNS] }
    }

    /// The next record; none when there is no other.
    pub fn next_record(&mut self) -> Option<Record<'_>> {
        let (from, mut length, mut columns, mut is_too_wide) = (self.at, 0, 0, false);
        loop {
            let input = &self.text.as_bytes()[self.at..];
            let (result, read, copied, ended) =
                self.reader.read_record(input, &mut self.cells[length..], &mut self.ends[columns..]);
            self.at += read;
            length += copied;
            columns += ended;
            match result {
                // It hears by an empty input that nothing follows.
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.cells.resize(2 * self.cells.len(), 0),
                ReadRecordResult::OutputEndsFull => (length, columns, is_too_wide) = (0, 0, true),
                ReadRecordResult::End => return None,
                ReadRecordResult::Record => break,
            }
        }
        if is_too_wide {
            (length, columns) = (0, 0);
        }
        let written = self.text.get(from..self.at).unwrap_or_default();
        let cells = std::str::from_utf8(&self.cells[..length]).unwrap_or_default();
        Some(Record { written, from, is_too_wide, cells, ends: &self.ends[..columns] })
    }
}

impl<'r> Record<'r> {
    /// Its cells, the first one first.
    pub fn cells(&self) -> impl Iterator<Item = &'r str> + use<'r> {
        let (cells, ends) = (self.cells, self.ends);
        let begins = std::iter::once(0).chain(ends.iter().copied());
        begins.zip(ends).map(move |(from, until)| cells.get(from..*until).unwrap_or_default())
    }

    /// The cell at `place`, unless it has none there.
    pub fn cell(&self, place: usize) -> Option<&'r str> {
        let from = place.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.cells.get(from..*self.ends.get(place)?)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The cells of each record, or nothing of one that is too wide.
    fn read(text: &str, delimiter: u8) -> Vec<Vec<String>> {
        let mut records = Records::new(text, delimiter);
        let mut found = Vec::new();
        while let Some(record) = records.next_record() {
            let cells: Vec<String> = record.cells().map(str::to_owned).collect();
            let one_by_one: Vec<&str> = (0..cells.len()).map(|place| record.cell(place).unwrap()).collect();
            assert_eq!((one_by_one, record.cell(cells.len())), (cells.iter().map(String::as_str).collect(), None));
            assert_eq!(record.is_too_wide, cells.is_empty());
            found.push(cells);
        }
        found
    }

    #[test]
    fn a_line_of_too_many_cells_is_passed_over_whole_and_takes_no_memory() {
        let wide = |cells: usize| vec!["x"; cells].join(",");
        let text = [wide(2), wide(MOST_COLUMNS), wide(MOST_COLUMNS + 1), wide(70 * MOST_COLUMNS), wide(3)].join("\n");
        let counts: Vec<usize> = read(&text, b',').iter().map(Vec::len).collect();
        assert_eq!(counts, [2, MOST_COLUMNS, 0, 0, 3]);
        let commas = ",".repeat(1_000_000);
        let mut records = Records::new(&commas, b',');
        assert!(records.next_record().unwrap().is_too_wide);
        assert_eq!((records.cells.len(), records.next_record().is_none()), (1024, true));
        let quoted = format!("{}\"a\nb\"\n1", "\"\n\",".repeat(MOST_COLUMNS));
        assert_eq!(read(&quoted, b','), [vec![], vec!["1"]], "over several lines");
    }

    proptest! {
        #[test]
        fn any_text_falls_into_the_cells_that_the_library_for_tables_finds(text in "[a가,;\"\r\n ]{0,60}") {
            for delimiter in [b',', b';'] {
                let mut reader = csv::ReaderBuilder::new();
                let reader = reader.delimiter(delimiter).flexible(true).has_headers(false);
                let records = reader.from_reader(text.as_bytes()).into_records().map(Result::unwrap);
                let expected: Vec<Vec<String>> =
                    records.map(|record| record.iter().map(str::to_owned).collect()).collect();
                prop_assert_eq!(read(&text, delimiter), expected);
            }
        }

        #[test]
        fn what_is_written_of_the_records_is_the_text(text in "[a가,\"\r\n ]{0,60}") {
            let mut records = Records::new(&text, b',');
            let mut together = String::new();
            while let Some(record) = records.next_record() {
                prop_assert_eq!(record.from, together.len());
                together.push_str(record.written);
            }
            let rest = text.strip_prefix(together.as_str()).unwrap();
            prop_assert!(rest.chars().all(|c| matches!(c, '\r' | '\n')), "{:?} of {:?}", rest, text);
        }
    }
}
