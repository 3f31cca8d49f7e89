//! Knowledge about texts in Markdown, as GitHub reads it (CommonMark with tables, strike-through, tasks, footnotes, alerts
//! and addresses that become links).
//!
//! | part | what it knows |
//! |---|---|
//! | [`html`] | the text as HTML that no browser executes, whatever was written |
//! | [`read`] | what it says without its marks, its beginning, its words and how long they take to read |
//! | [`links`] | where it leads to, and where in it that stands |
//! | [`front`] | the fields that stand before a text in a file |
//! | [`difference`] | what is another in a later state of a text, word by word |
//!
//! Used by `ops/blog`. Deliberately not here: colours for the code in a text.

mod bounds;
mod difference;
mod fields;
mod front;
mod front_toml;
mod html;
mod links;
mod reading;

use comrak::Options;

pub use difference::{Part, PartKind, difference};
pub use fields::{Field, FieldValue, in_marks};
pub use front::{Fronted, front};
pub use html::html;
pub use links::{Link, links};
pub use reading::{Reading, read};

/// How `markdown` is read. A mark of emphasis may stand beside Hangul without a space between them.
fn options(markdown: &str) -> Options<'static> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    extension.strikethrough = true;
    extension.table = !has_many_cells(markdown);
    extension.autolink = !has_many_addresses(markdown);
    extension.tasklist = true;
    extension.footnotes = !has_many_notes(markdown);
    extension.alerts = true;
    extension.cjk_friendly_emphasis = true;
    options
}

/// Quotations in quotations deeper than this are no Markdown: reading them takes time by the square of their depth.
const DEEPEST: usize = 100;

/// Whether `markdown` is meant to take long: then it is taken as it is written.
fn is_too_deep(markdown: &str) -> bool {
    let begins = |c: &char| c.is_ascii_digit() || " \t>-+*.)".contains(*c);
    let quotations = |line: &str| line.chars().take_while(begins).filter(|c| *c == '>').count();
    markdown.len() > DEEPEST && markdown.lines().any(|line| quotations(line) > DEEPEST)
}

/// More mail addresses than this in one line do not become links: the library reads each inside the one before it, and some
/// thousands of them, as whoever copies the receivers of a mail may paste them, would take more stack than a thread has.
const MOST_ADDRESSES: usize = 100;

/// Nor does an address in a line with more of these: behind an address the library counts all of them for each that it leaves out.
const MOST_BRACKETS: usize = 1_000;

fn has_many_addresses(markdown: &str) -> bool {
    let has_more = |line: &str, of: u8, most: usize| line.bytes().filter(|byte| *byte == of).count() > most;
    markdown.lines().any(|line| has_more(line, b'@', MOST_ADDRESSES) || has_more(line, b')', MOST_BRACKETS))
}

/// Footnotes that are named more often than this are none: each naming brings a way to the note and one back, of more than a
/// hundred bytes, and so a text of a hundred kilobytes could become six megabytes.
const MOST_NOTES: usize = 1_000;

fn has_many_notes(markdown: &str) -> bool {
    markdown.matches("[^").count() > MOST_NOTES
}

/// Tables with more cells than this, those that are filled up among them, are no tables: each row has as many cells as the
/// head, whatever is written in it, and so a short text could take gigabytes.
const MOST_CELLS: usize = 100_000;

/// Whether the tables of `markdown` may have very many cells. Every line that may stand below a head counts as one, and as its
/// rows all that follow up to an empty line.
fn has_many_cells(markdown: &str) -> bool {
    let (mut columns, mut cells) = (0, 0_usize);
    for line in markdown.replace("\r\n", "\n").split(['\n', '\r']) {
        let is_below_a_head =
            line.contains('-') && line.chars().all(|c| c.is_ascii_digit() || "|:- \t\x0b\x0c>+*.)".contains(c));
        if is_below_a_head {
            columns = columns.max(line.matches('|').count() + 1);
        } else if line.trim().is_empty() {
            columns = 0;
        }
        cells = cells.saturating_add(columns);
    }
    cells > MOST_CELLS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As long as a text may be that the blog takes.
    const LONGEST: usize = 200_000;

    #[test]
    fn a_short_text_makes_no_table_of_very_many_cells_and_a_long_table_stays_one() {
        let table = |columns: usize, rows: usize, ending: &str, before: &str, row: &str| {
            let [head, below] = ["|a", "|-"].map(|cell| format!("{before}{}|{ending}", cell.repeat(columns)));
            format!("{head}{below}{}", format!("{before}{row}{ending}").repeat(rows))
        };
        for (ending, before) in [("\n", ""), ("\r\n", ""), ("\r", ""), ("\n", "> "), ("\n", "- "), ("\n", "10. ")] {
            let wide = html(&table(300, 10_000, ending, before, "a"));
            assert!(!wide.contains("<td") && wide.len() < 20 * LONGEST, "{ending:?} {before:?}: {}", wide.len());
        }
        let long = html(&table(5, 9_000, "\n", "", "| 1 | 2 | 3 | 4 | 5 |"));
        assert_eq!((long.matches("<td").count(), long.matches("<th").count() - 1), (45_000, 5));
        let below_many_lines = html(&format!("{}\n{}", "a\n\n".repeat(40_000), table(20, 2, "\n", "", "a")));
        assert_eq!(below_many_lines.matches("<td").count(), 40);
    }

    #[test]
    fn brackets_behind_an_address_are_not_counted_for_ever() {
        let of = |count: usize| html(&format!("www.a.b{}", ")".repeat(count))).contains("<a ");
        assert_eq!([of(2), of(MOST_BRACKETS), of(MOST_BRACKETS + 1), of(199_000)], [true, true, false, false]);
    }

    #[test]
    fn a_note_that_is_named_thousands_of_times_is_no_more_than_a_link() {
        let of = |count: usize| html(&format!("{}\n\n[^1]: note\n", "[^1] ".repeat(count)));
        // The note itself is written with the same mark.
        assert!(of(MOST_NOTES - 1).contains("footnote-ref") && !of(MOST_NOTES).contains("footnote-ref"));
        let many = of(40_000);
        assert!(!many.contains("footnote") && many.len() < 1_500_000, "{}", many.len());
    }

    #[test]
    fn an_address_is_a_link_and_of_a_line_of_very_many_none_is() {
        let of = |count: usize| html(&"a@a.b ".repeat(count)).matches("mailto:a@a.b").count();
        assert_eq!((of(1), of(MOST_ADDRESSES), of(MOST_ADDRESSES + 1)), (1, MOST_ADDRESSES, 0));
        assert_eq!(html(&"a@a.b\n".repeat(300)).matches("mailto:").count(), 300);
    }

    /// For the long suite.
    mod long {
        use super::*;

        #[test]
        fn no_text_of_the_largest_size_takes_more_stack_than_a_thread_has() {
            let parts = [
                "a@a.b ",
                "a@a.b,",
                "a@a.b\n",
                "http://a.b ",
                "www.a.b ",
                "*a_ ",
                "[",
                "[a](",
                "![a](",
                "[^a] ",
                "[^a]: b\n",
                "> ",
                ">\n",
                "- ",
                " - a\n",
                "1. ",
                "<div>",
                "<div>\n",
                "&amp;",
                "`",
                "``a",
                "~~a",
                "| a ",
                "| a |\n",
                "\\",
                "# a\n",
                "<a@a.b>",
            ];
            // This thread has the two mebibytes that those of the house have, and unoptimized code takes more of them.
            for part in parts {
                let text = part.repeat(LONGEST / part.len());
                assert!(read(&text).words <= LONGEST as u64 && html(&text).len() < 20 * LONGEST, "{part:?}");
                assert!(links(&text).len() < LONGEST, "{part:?}");
            }
        }
    }
}
