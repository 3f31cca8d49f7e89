//! What a domain can be asked on the command line, in words of its own: `cli` makes commands of them.

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::app::App;
use hanok_base::Result;

/// `hanok NAME`, with its verbs.
pub struct Command {
    /// The word on the command line.
    pub name: &'static str,
    /// What it is, as one line of the help.
    pub about: &'static str,
    /// A whole line as a person types it.
    pub example: &'static str,
    /// What can be done.
    pub verbs: &'static [Verb],
}

/// `hanok NAME VERB`. Every verb takes `--json`.
pub struct Verb {
    /// The word on the command line.
    pub name: &'static str,
    /// What it does, as one line of the help.
    pub about: &'static str,
    /// A whole line as a person types it.
    pub example: &'static str,
    /// The file that it reads.
    pub file: Option<TextFile>,
    /// The word that it takes, instead of a file.
    pub word: Option<Word>,
    /// Does it, with the text of the file or the word.
    pub run: fn(App, String) -> BoxFuture<'static, Result<Value>>,
    /// What of the answer is shown to people.
    pub shows: &'static [View],
}

/// A file that is read before the verb begins.
pub struct TextFile {
    /// What it must hold.
    pub about: &'static str,
    /// More bytes than this are refused.
    pub largest: u64,
}

/// A word that is typed behind the verb.
pub struct Word {
    /// What it stands for, as the help names it.
    pub name: &'static str,
    /// What it must be.
    pub about: &'static str,
}

/// A part of an answer as people see it.
pub enum View {
    /// The answer itself as lines of name and value.
    Thing(&'static [Column]),
    /// The list under this name as a table, when there is anything in it.
    List(&'static str, &'static [Column]),
}

/// One column of a table, or one line of a single thing.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its title.
    pub title: &'static str,
    /// Where the value stands in the JSON (RFC 6901).
    pub pointer: &'static str,
    /// How it is written.
    pub form: Form,
}

/// How a value is written for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A text, a list, a yes or no.
    Text,
    /// A whole number, with its thousands apart.
    Count,
    /// A number of bytes.
    Bytes,
    /// An instant, shown in Asia/Seoul.
    Instant,
}

impl Column {
    /// A text, a list, a yes or no.
    pub const fn text(title: &'static str, pointer: &'static str) -> Self {
        Column { title, pointer, form: Form::Text }
    }

    /// A whole number, with its thousands apart.
    pub const fn count(title: &'static str, pointer: &'static str) -> Self {
        Column { title, pointer, form: Form::Count }
    }

    /// A number of bytes.
    pub const fn bytes(title: &'static str, pointer: &'static str) -> Self {
        Column { title, pointer, form: Form::Bytes }
    }

    /// An instant, shown in Asia/Seoul.
    pub const fn instant(title: &'static str, pointer: &'static str) -> Self {
        Column { title, pointer, form: Form::Instant }
    }
}
