//! What of a row can be found, and the kinds of things that can.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::store::ReadTx;
use hanok_base::{Result, text};

/// What of a row can be found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// What it is, such as `todo`: the name of a [`SearchKind`](super::SearchKind).
    pub kind: String,
    /// Its id, unique in its kind.
    pub id: u64,
    /// Its title, note or numbers: what is found here stands before what is found in the text.
    pub title: String,
    /// Everything else that it says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Its tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The day that it is of, in Asia/Seoul: of two that say the same the newer stands first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<NaiveDate>,
    /// Where it is seen: an address of the app.
    pub leads_to: String,
    /// Whether it is done with.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub done: bool,
    /// How many there are of what it is made of, such as the games of a purchase; none where it is one thing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The number of the thing that it belongs to, such as a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
}

impl Document {
    /// The same in Unicode's form C, in which it is read and looked for.
    pub(super) fn composed(&self) -> Document {
        let tags = self.tags.iter().map(|tag| text::composed(tag).into_owned()).collect();
        let (title, text) = (text::composed(&self.title).into_owned(), text::composed(&self.text).into_owned());
        Document { title, text, tags, ..self.clone() }
    }

    /// A thing of this kind without text, tags and day, which is open, and of which there is one.
    pub fn of(kind: &str, id: u64, title: impl Into<String>, leads_to: impl Into<String>) -> Document {
        Document {
            kind: kind.to_owned(),
            id,
            title: title.into(),
            text: String::new(),
            tags: Vec::new(),
            day: None,
            leads_to: leads_to.into(),
            done: false,
            count: None,
            number: None,
        }
    }
}

/// Takes one document after the other.
pub type Visit<'v> = &'v mut dyn FnMut(Document) -> Result<()>;

/// A kind of things that can be found.
#[derive(Clone, Copy)]
pub struct SearchKind {
    /// Its name, unique in the house.
    pub name: &'static str,
    /// Gives every one there is, for an index that is made anew.
    pub walk: fn(&ReadTx, Visit<'_>) -> Result<()>,
}
