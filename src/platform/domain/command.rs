//! What a domain can be asked on the command line, in words of its own: `cli` makes commands of them.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::app::App;
use crate::config::Config;
use hanok_base::error::Check;
use hanok_base::{Error, Message, Result, validation_messages};

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
    /// What is typed behind it, in this order; options anywhere.
    pub takes: &'static [Word],
    /// Does it, with the words that were typed.
    pub run: fn(App, Words) -> BoxFuture<'static, Result<Value>>,
    /// What of the answer is shown to people.
    pub shows: &'static [View],
}

/// A word that a verb takes.
#[derive(Debug)]
pub struct Word {
    /// What it stands for, as the help names it; that of an option is typed behind `--`.
    pub name: &'static str,
    /// What it must be.
    pub about: &'static str,
    /// Where it stands.
    pub place: WordPlace,
    /// What it may be.
    pub kind: WordKind,
}

/// Where a word of a verb stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordPlace {
    /// Behind the verb; it cannot be left out.
    Required,
    /// Behind its own name, `--NAME WORD`; it may be left out.
    Option,
}

/// What a word of a verb may be.
#[derive(Debug)]
pub enum WordKind {
    /// Any text.
    Text,
    /// A whole number from the first to the last.
    Number(u64, u64),
    /// One of these.
    OneOf(&'static [&'static str]),
    /// The path of a file of at most so many bytes; the verb gets the text in it.
    File(u64),
    /// The path of something on the machine. Whoever commands opens it, by these settings, with their rights and in their
    /// view of the disks; the verb gets the open file.
    Path(fn(&Path, &Config) -> Result<Opened>),
}

/// A file that whoever commands has opened for a verb.
pub struct Opened {
    /// What the verb gets.
    pub file: File,
    /// What is done with its answer where the file was opened. Where none comes, what was begun there goes with this.
    pub then: Box<dyn FnOnce(Value) -> Result<Value> + Send>,
}

impl Verb {
    /// Checks words that come from another process.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each word that is missing or not one that the verb takes.
    pub fn check(&self, words: &Words) -> Result<()> {
        Check::of(|check| {
            for word in self.takes {
                match words.get(word.name).map(|typed| word.kind.check(typed)) {
                    Some(Err(must)) => check.require(false, word.name, Message::english(must)),
                    Some(Ok(())) => check,
                    None => check.require(word.place == WordPlace::Option, word.name, validation_messages::PRESENT),
                };
            }
        })
    }
}

impl WordKind {
    /// Whether `typed` is such a word; else what it must be.
    pub fn check(&self, typed: &str) -> Result<(), String> {
        match self {
            WordKind::Text | WordKind::File(_) | WordKind::Path(_) => Ok(()),
            WordKind::Number(least, most) => {
                let is_plain = typed.bytes().all(|byte| byte.is_ascii_digit());
                let fits = is_plain && typed.parse().is_ok_and(|number: u64| (*least..=*most).contains(&number));
                if fits { Ok(()) } else { Err(format!("must be a whole number from {least} to {most}")) }
            }
            WordKind::OneOf(words) => {
                let fits = words.contains(&typed);
                if fits { Ok(()) } else { Err(format!("must be one of {}", words.join(", "))) }
            }
        }
    }
}

impl Word {
    /// A word that must be typed.
    pub const fn required(name: &'static str, about: &'static str, kind: WordKind) -> Self {
        Word { name, about, place: WordPlace::Required, kind }
    }

    /// A word that may be typed behind `--name`.
    pub const fn option(name: &'static str, about: &'static str, kind: WordKind) -> Self {
        Word { name, about, place: WordPlace::Option, kind }
    }
}

/// The words that were typed for a verb, by their names.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Words {
    typed: BTreeMap<String, String>,
    /// The open file that came with them.
    #[serde(skip)]
    file: Option<Arc<File>>,
}

impl Words {
    /// The word of this name; none when it was left out.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.typed.get(name).map(String::as_str)
    }

    /// The whole number of this name.
    ///
    /// # Errors
    /// `INVALID_INPUT` when it was left out.
    pub fn number(&self, name: &str) -> Result<u64> {
        let typed = self.get(name).and_then(|typed| typed.parse().ok());
        typed.ok_or_else(|| Error::field(name, validation_messages::WHOLE))
    }

    /// Takes the word of this name out, which may be a whole file; empty when it was left out.
    pub fn take(&mut self, name: &str) -> String {
        self.typed.remove(name).unwrap_or_default()
    }

    /// The same with the open file that came with them.
    #[must_use]
    pub fn with(self, file: Option<File>) -> Self {
        Words { file: file.map(Arc::new), ..self }
    }

    /// Takes the open file out that came with them.
    ///
    /// # Errors
    /// `CONFLICT` when none came.
    pub fn take_file(&mut self) -> Result<File> {
        let file = self.file.take().and_then(Arc::into_inner);
        file.ok_or_else(|| Error::conflict(Message::english("the file that this is about did not come with it")))
    }
}

impl FromIterator<(&'static str, String)> for Words {
    fn from_iter<I: IntoIterator<Item = (&'static str, String)>>(typed: I) -> Self {
        let typed = typed.into_iter().map(|(name, word)| (name.to_owned(), word)).collect();
        Words { typed, file: None }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    const MOVE: Verb = Verb {
        name: "move",
        about: "",
        example: "",
        takes: &[
            Word::required("PLANT", "", WordKind::Number(1, 99)),
            Word::option("to", "", WordKind::OneOf(&["balcony", "kitchen"])),
        ],
        run: |_, _| Box::pin(async { Ok(Value::Null) }),
        shows: &[],
    };

    fn refused<const N: usize>(typed: [(&'static str, &str); N]) -> Vec<String> {
        let words = typed.map(|(name, word)| (name, word.to_owned())).into_iter().collect();
        let fields = MOVE.check(&words).err().map(|error| error.fields).unwrap_or_default();
        fields.into_iter().map(|(name, must)| format!("{name} {must}")).collect()
    }

    #[test]
    fn a_word_that_a_verb_does_not_take_is_refused_with_those_that_it_takes() {
        assert_eq!(refused([("PLANT", "7")]), [""; 0]);
        assert_eq!(refused([("PLANT", "7"), ("to", "kitchen")]), [""; 0]);
        assert_eq!(refused([("to", "kitchen")]), ["PLANT is required"]);
        let both = ["PLANT must be a whole number from 1 to 99", "to must be one of balcony, kitchen"];
        assert_eq!(refused([("PLANT", "100"), ("to", "cellar")]), both);
    }
}
