//! What is answered: hits with what was looked for in them, and how the index is.

use serde::{Deserialize, Serialize};

use super::counts::Counts;
use super::document::Document;
use super::excerpt::{Piece, excerpt, whole};
use super::needle::Needle;
use hanok_base::schema::ToSchema;

/// What was found.
#[derive(Debug)]
pub struct SearchResults {
    /// The best first.
    pub hits: Vec<Hit>,
    /// How many there are in all.
    pub total: u64,
    /// How many of each kind.
    pub kinds: Vec<(String, u64)>,
    /// With which tags, and how many with each; the most frequent first.
    pub tags: Vec<(String, u64)>,
    /// Whether the index knows every row that was written before somebody asked.
    pub is_fresh: bool,
    /// Whether some of these say only most of the words; they stand behind those that say all of them.
    pub is_near: bool,
}

/// Something that was found.
#[derive(Debug)]
pub struct Hit {
    /// What it is.
    pub document: Document,
    /// Its title, with what was found in it.
    pub title: Vec<Piece>,
    /// Where in its text it was found; empty when it has none.
    pub excerpt: Vec<Piece>,
}

/// How the index is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchState {
    /// How many things can be found.
    pub documents: u64,
    /// How many bytes the index takes.
    pub bytes: u64,
    /// How many changes it has still to take.
    pub waiting: u64,
    /// Whether it is being made anew, and nothing or not everything is found meanwhile.
    pub is_being_made: bool,
    /// Why it does not follow; null when it does.
    pub trouble: Option<String>,
}

/// How many tags are named.
const TAGS_NAMED: usize = 20;

impl SearchResults {
    pub(super) fn nothing() -> SearchResults {
        SearchResults {
            hits: Vec::new(),
            total: 0,
            kinds: Vec::new(),
            tags: Vec::new(),
            is_fresh: false,
            is_near: false,
        }
    }

    pub(super) fn of(hits: Vec<Hit>, total: u64, counts: Counts, is_fresh: bool, is_near: bool) -> SearchResults {
        let mut tags: Vec<_> = counts.tags.into_iter().collect();
        tags.sort_by(|(one, ones), (other, others)| others.cmp(ones).then_with(|| one.cmp(other)));
        tags.truncate(TAGS_NAMED);
        SearchResults { hits, total, kinds: counts.kinds.into_iter().collect(), tags, is_fresh, is_near }
    }
}

impl Hit {
    pub(super) fn of(document: Document, needles: &[Needle]) -> Hit {
        let title = whole(&document.title, needles);
        let excerpt = excerpt(&document.text, needles);
        Hit { document, title, excerpt }
    }
}
