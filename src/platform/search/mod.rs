//! One search over everything that the house has, on an index that follows the store.
//!
//! A domain says what of its rows can be found: [`Searched`] among what is derived from a table, and a [`SearchKind`] that
//! walks all of them. A change of a row is noted for the index in the row's own transaction (`waiting`); the index takes it
//! soon after (`follow`), and says with each of its commits how far it is (`index`). The index is worth nothing by itself:
//! where it does not fit the store, is damaged or gone, it is made anew from the rows, beside the running house.
//!
//! Texts are read without a dictionary (`words`): Latin words and numbers as they are, Korean by every two neighbouring
//! syllables, so that a word is found in a compound and before any particle; `query` strips particles, reads compounds as
//! two words, takes initial consonants, the beginning of what is still typed, and Latin words with a letter wrong. What says
//! all of the words stands first; where that is less than a page, `question` tells which words a question is about, and
//! `near` finds what says most of them.
//!
//! What is deliberately not here: what a domain's rows say, and where they are seen.

mod best;
mod counts;
mod document;
mod excerpt;
mod fields;
mod follow;
mod found;
mod index;
mod near;
mod needle;
mod query;
mod question;
mod searched;
mod waiting;
mod words;

pub use document::{Document, SearchKind, Visit};
pub use excerpt::Piece;
pub use follow::Search;
pub use found::{Hit, SearchResults, SearchState};
pub use index::SearchRequest;
pub use query::SearchTerms;
pub use searched::Searched;
pub use waiting::{PRESERVED_ON_RESTORE, TABLES, make_anew, put, remove};

#[cfg(test)]
mod tests;
