//! Knowledge about texts in Markdown, as GitHub reads it (CommonMark with tables, strike-through, tasks, footnotes, alerts
//! and addresses that become links).
//!
//! | part | what it knows |
//! |---|---|
//! | [`html`] | the text as HTML that no browser executes, whatever was written |
//! | [`read`] | what it says without its marks, its beginning, its words and how long they take to read |
//! | [`front`] | the fields that stand before a text in a file |
//! | [`difference`] | what is another in a later state of a text, word by word |
//!
//! Used by `ops/blog`. Deliberately not here: colours for the code in a text.

mod difference;
mod front;
mod html;
mod reading;

use comrak::Options;

pub use difference::{Part, PartKind, difference};
pub use front::{Field, FieldValue, Fronted, front, in_marks};
pub use html::html;
pub use reading::{Reading, read};

/// How texts are read. A mark of emphasis may stand beside Hangul without a space between them.
fn options() -> Options<'static> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    extension.strikethrough = true;
    extension.table = true;
    extension.autolink = true;
    extension.tasklist = true;
    extension.footnotes = true;
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
