//! What can be found of a domain by words: its rows are walked, newest first and not without end.
//!
//! That is enough for a household's thousands of rows. Where there are more, an index takes the place of the walk; what is
//! asked and answered stays.

use serde::Serialize;

use crate::store::ReadTx;
use hanok_base::Result;
use hanok_base::schema::ToSchema;
use hanok_base::text;

/// How many rows of a kind are looked at.
pub const MOST_LOOKED_AT: usize = 20_000;
/// How many bytes of text in them, if they say a lot.
pub const MOST_BYTES: usize = 8 << 20;

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Hit {
    /// What it is, such as `todo`.
    pub kind: &'static str,
    /// Its id.
    pub id: u64,
    /// Its title, note or numbers; empty where it has none of them.
    pub title: String,
    /// How many there are of what it is made of, such as the games of a purchase; null where it is one thing.
    pub count: Option<u64>,
    /// Whether it is done with.
    pub done: bool,
    /// The number of the thing that it belongs to, such as a draw; null where there is none.
    pub number: Option<u64>,
}

impl Hit {
    /// A thing of this kind, which is open, and of which there is one. The rest is said only where it is otherwise.
    pub fn of(kind: &'static str, id: u64, title: impl Into<String>) -> Hit {
        Hit { kind, id, title: title.into(), count: None, done: false, number: None }
    }

    /// The same, done with or not.
    #[must_use]
    pub fn done(self, done: bool) -> Hit {
        Hit { done, ..self }
    }

    /// The same, made of so many.
    #[must_use]
    pub fn made_of(self, count: u64) -> Hit {
        Hit { count: Some(count), ..self }
    }

    /// The same, of the thing with this number.
    #[must_use]
    pub fn belonging_to(self, number: u64) -> Hit {
        Hit { number: Some(number), ..self }
    }
}

/// A kind of rows that can be found.
#[derive(Clone, Copy)]
pub struct SearchKind {
    /// Its name, unique in the house.
    pub name: &'static str,
    /// Looks at its rows, those first that are wanted first, until [`Walk::look`] has had enough.
    pub walk: fn(&ReadTx, &mut Walk) -> Result<()>,
}

/// What is looked for in the rows of one kind, and what was found.
pub struct Walk<'w> {
    words: &'w SearchWords,
    done: Option<bool>,
    looked_at: usize,
    bytes: usize,
    hits: Vec<Hit>,
}

/// The words of a query.
pub struct SearchWords(Vec<String>);

impl SearchWords {
    /// The words of `query`.
    pub fn of(query: &str) -> SearchWords {
        SearchWords(query.to_lowercase().split_whitespace().map(str::to_owned).collect())
    }

    /// Whether every word is somewhere in `text`, as written or by its initial consonants.
    fn are_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let initials = text::initials(&text);
        self.0.iter().all(|word| text.contains(word) || (text::is_initials(word) && initials.contains(word)))
    }
}

impl<'w> Walk<'w> {
    /// A walk that looks for `words`: only in what is done, only in what is not, or in both.
    pub fn for_words(words: &'w SearchWords, done: Option<bool>) -> Walk<'w> {
        Walk { words, done, looked_at: 0, bytes: 0, hits: Vec::new() }
    }

    /// Whether rows that are `done`, or those that are not, are looked for. A kind that keeps them apart need not walk over
    /// the others.
    pub fn wants(&self, done: bool) -> bool {
        self.done.is_none_or(|wanted| wanted == done)
    }

    /// Looks at a row that says `text`. False when no more rows are looked at.
    pub fn look(&mut self, text: &str, hit: impl FnOnce() -> Hit) -> bool {
        if self.has_had_enough() {
            return false;
        }
        self.looked_at += 1;
        self.bytes = self.bytes.saturating_add(text.len());
        if self.words.are_in(text) {
            self.hits.extend(Some(hit()).filter(|hit| self.wants(hit.done)));
        }
        true
    }

    /// What was found, and whether every row may have been looked at.
    pub fn found(self) -> (Vec<Hit>, bool) {
        let is_whole = !self.has_had_enough();
        (self.hits, is_whole)
    }

    fn has_had_enough(&self) -> bool {
        self.looked_at >= MOST_LOOKED_AT || self.bytes >= MOST_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(id: u64) -> Hit {
        Hit::of("row", id, "")
    }

    #[test]
    fn of_a_hit_only_what_is_otherwise_than_of_one_open_thing_is_said() {
        let plain = Hit { kind: "row", id: 1, title: String::new(), count: None, done: false, number: None };
        assert_eq!(hit(1), plain);
        let said = hit(1).done(true).made_of(5).belonging_to(1246);
        assert_eq!(said, Hit { count: Some(5), done: true, number: Some(1246), ..plain });
    }

    #[test]
    fn words_are_found_in_any_order_in_any_case_and_by_their_initial_consonants() {
        for (query, text) in [
            ("보험", "자동차 보험 갱신"),
            ("갱신 자동차", "자동차 보험 갱신"),
            ("ㅂㅎ", "자동차 보험 갱신"),
            ("ㅈㄷㅊ 갱신", "자동차 보험 갱신"),
            ("MILK", "buy milk"),
            ("  ", "anything"),
        ] {
            assert!(SearchWords::of(query).are_in(text), "{query}");
        }
        for (query, text) in [("보험료", "자동차 보험"), ("ㅂㅋ", "자동차 보험"), ("milk bread", "buy milk")]
        {
            assert!(!SearchWords::of(query).are_in(text), "{query}");
        }
    }

    #[test]
    fn a_walk_ends_and_says_so() {
        let words = SearchWords::of("x");
        let mut walk = Walk::for_words(&words, None);
        let seen = (0..).take_while(|id| walk.look(if id % 2 == 0 { "x" } else { "y" }, || hit(*id))).count();
        let (hits, whole) = walk.found();
        assert_eq!((seen, hits.len(), whole), (MOST_LOOKED_AT, MOST_LOOKED_AT / 2, false));
        let mut walk = Walk::for_words(&words, None);
        walk.look("x", || hit(1));
        assert_eq!(walk.found(), (vec![hit(1)], true));
    }

    #[test]
    fn a_walk_over_long_rows_ends_by_what_they_say_however_few_they_are() {
        let (words, row) = (SearchWords::of("x"), "x".repeat(1 << 20));
        let mut walk = Walk::for_words(&words, None);
        let seen = (0..).take_while(|id| walk.look(&row, || hit(*id))).count();
        let (hits, whole) = walk.found();
        assert_eq!((seen, hits.len(), whole), (8, 8, false));
    }

    #[test]
    fn a_walk_for_what_is_done_or_is_not_finds_nothing_else() {
        let words = SearchWords::of("x");
        for (wanted, ids) in [(None, vec![0, 1]), (Some(false), vec![0]), (Some(true), vec![1])] {
            let mut walk = Walk::for_words(&words, wanted);
            for (id, done) in [(0, false), (1, true)] {
                walk.look("x", || hit(id).done(done));
                assert_eq!(walk.wants(done), ids.contains(&id));
            }
            assert_eq!(walk.found().0.iter().map(|hit| hit.id).collect::<Vec<_>>(), ids);
        }
    }
}
