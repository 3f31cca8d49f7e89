//! Texts that match a question partly: the best by BM25, of as many as one answer may hold.
//!
//! How many there are in all is never asked, as that would be a walk over most of the index: block-max WAND passes over what
//! cannot be among the best, and tokens that too many texts hold only tell how much of the question a good one covers.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::query::{BooleanQuery, BoostQuery, EnableScoring, Query, Scorer, TermQuery, Weight};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocId, DocSet, Score, Searcher, SegmentOrdinal, SegmentReader, Term};

use super::best::Weighed;
use super::fields::Fields;
use super::question::{Coverage, Keyword, Question, Tokens};
use hanok_base::text;

/// So many partial matches are given at most.
const MOST: usize = 20;
/// Of so many of the best it is looked at how much of the question they cover.
const CANDIDATES: usize = 40;
/// So many places in the index are ranked by at most, those of the rarest tokens first.
const MOST_POSTINGS: u64 = 40_000;
/// How much more a token in the title counts.
const IN_TITLE: f32 = 2.0;
/// How much less a word counts that is spelled otherwise.
const MISTYPED: f32 = 0.3;
/// So many spellings of a word are looked for.
const MOST_SPELLINGS: usize = 8;
/// So many words of the index are compared with a misspelt one at most, and so many of a question's may be misspelt.
const MOST_COMPARED: usize = 20_000;
const MOST_MISSPELT: usize = 3;
/// A keyword is said where this share of its pairs of syllables stands.
const SAID: f32 = 0.6;
/// What a keyword that no text knows is worth at most, as rarity: about that of a word in one text of ten.
const UNKNOWN: f32 = 2.3;
/// Texts that say about as much of the question, by tenths of it, are ranked by BM25.
const STEPS_OF_SHARE: f32 = 10.0;

/// What looks for partial matches.
pub(super) struct Near<'a> {
    /// The index.
    pub searcher: &'a Searcher,
    /// Its fields.
    pub fields: &'a Fields,
    /// What is asked.
    pub question: &'a Question,
    /// What is among the answers already.
    pub found: &'a [DocAddress],
}

/// What is known of a keyword in the index: a token, in the title and in the text.
struct KnownClue {
    /// The place of the keyword.
    keyword: usize,
    /// The token in the title and in the text, what it is worth there, and in how many documents it is.
    terms: Vec<(Term, Score, u64)>,
    /// How rare it is.
    rarity: f32,
    /// Whether it tells that the keyword is said.
    counts: bool,
}

impl Near<'_> {
    /// What says at least `coverage` of the question and passes `filter`, the best first.
    pub fn find(&self, coverage: Coverage, filter: Option<Box<dyn Query>>) -> tantivy::Result<Vec<DocAddress>> {
        let clues = self.clues()?;
        let filter = filter.map(|filter| filter.weight(EnableScoring::disabled_from_searcher(self.searcher)));
        let filter = filter.transpose()?;
        let nearest = Nearest { found: self.found, filter: filter.as_deref() };
        let candidates = self.searcher.search(&ranked_by(&clues), &nearest)?;
        let said = self.said(&clues, &candidates)?;
        let with_share =
            candidates.into_iter().zip(said).map(|(address, said)| (address, self.share(&clues, &said), said));
        let mut covered: Vec<_> =
            with_share.filter(|(_, share, said)| self.is_covered(coverage, *share, &clues, said)).collect();
        // What says more of the question stands first; of those that say as much, the better one by BM25.
        covered.sort_by_key(|(_, share, _)| Reverse((share * STEPS_OF_SHARE) as u32));
        Ok(covered.into_iter().map(|(address, ..)| address).take(MOST).collect())
    }

    fn clues(&self) -> tantivy::Result<Vec<KnownClue>> {
        let (mut known, mut misspelt) = (Vec::new(), 0);
        for (at, keyword) in self.question.keywords.iter().enumerate() {
            let before = known.len();
            for clue in keyword.clues() {
                known.push(self.known_clue(at, &clue.text, clue.tokens, clue.weight, clue.counts)?);
            }
            let is_unknown = known[before..].iter().all(KnownClue::is_unknown);
            if keyword.steps() > 0 && is_unknown && misspelt < MOST_MISSPELT {
                misspelt += 1;
                for spelling in self.spelled_like(keyword)? {
                    known.push(self.known_clue(at, &spelling, Tokens::Words, MISTYPED, true)?);
                }
            }
        }
        Ok(known)
    }

    fn known_clue(
        &self,
        keyword: usize,
        token: &str,
        tokens: Tokens,
        weight: f32,
        counts: bool,
    ) -> tantivy::Result<KnownClue> {
        let (title, text) = (self.fields.title, self.fields.text);
        let places: &[(Field, f32)] = match tokens {
            Tokens::Words => &[(title.words, IN_TITLE), (text.words, 1.0)],
            Tokens::Pairs => &[(title.pairs, IN_TITLE), (text.pairs, 1.0)],
            Tokens::Initials => &[(self.fields.initials, 1.0)],
        };
        let (mut terms, mut most) = (Vec::new(), 0);
        for (field, boost) in places {
            let term = Term::from_field_text(*field, token);
            let documents = self.searcher.doc_freq(&term)?;
            most = most.max(documents);
            if documents > 0 {
                terms.push((term, boost * weight, documents));
            }
        }
        // As BM25 counts it.
        let all = self.searcher.segment_readers().iter().map(|segment| u64::from(segment.max_doc())).sum::<u64>();
        let rarity = (1.0 + (all.saturating_sub(most) as f32 + 0.5) / (most as f32 + 0.5)).ln();
        Ok(KnownClue { keyword, terms, rarity, counts })
    }

    /// Words of the index that begin with the same letter and may be what `keyword` means.
    fn spelled_like(&self, keyword: &Keyword) -> tantivy::Result<BTreeSet<String>> {
        let (word, steps) = (&keyword.text, usize::from(keyword.steps()));
        let (mut found, mut compared) = (BTreeSet::new(), 0);
        let Some(first) = word.bytes().next() else { return Ok(found) };
        for segment in self.searcher.segment_readers() {
            for field in [self.fields.title.words, self.fields.text.words] {
                let index = segment.inverted_index(field)?;
                let mut terms = index.terms().range().ge([first]).lt([first + 1]).into_stream()?;
                while found.len() < MOST_SPELLINGS && compared < MOST_COMPARED && terms.advance() {
                    compared += 1;
                    let Ok(term) = std::str::from_utf8(terms.key()) else { continue };
                    if term.len().abs_diff(word.len()) <= steps && text::is_near(word, term, steps) {
                        found.insert(term.to_owned());
                    }
                }
            }
        }
        Ok(found)
    }

    /// Which of `clues` each of `candidates` says.
    fn said(&self, clues: &[KnownClue], candidates: &[DocAddress]) -> tantivy::Result<Vec<Vec<bool>>> {
        let mut said = vec![vec![false; clues.len()]; candidates.len()];
        // A list of places is walked in one direction.
        let mut in_order: Vec<(usize, DocAddress)> = candidates.iter().copied().enumerate().collect();
        in_order.sort_unstable_by_key(|(_, address)| *address);
        for of_segment in in_order.chunk_by(|(_, one), (_, other)| one.segment_ord == other.segment_ord) {
            let segment = self.searcher.segment_reader(of_segment[0].1.segment_ord);
            for (at, clue) in clues.iter().enumerate().filter(|(_, clue)| clue.counts) {
                for (term, ..) in &clue.terms {
                    let index = segment.inverted_index(term.field())?;
                    let Some(mut places) = index.read_postings(term, IndexRecordOption::Basic)? else { continue };
                    for (candidate, address) in of_segment {
                        said[*candidate][at] |= stands_at(&mut places, address.doc_id);
                    }
                }
            }
        }
        Ok(said)
    }

    /// How much of a keyword is said, and how much there is of it, with or without what no text says.
    fn of_keyword(&self, at: usize, clues: &[KnownClue], said: &[bool], with_unknown: bool) -> (f32, f32) {
        let (mut got, mut all, mut rarest) = (0.0, 0.0, 0.0_f32);
        let counted = clues.iter().zip(said).filter(|(clue, _)| clue.keyword == at && clue.counts);
        for (clue, is_said) in counted.filter(|(clue, _)| with_unknown || !clue.is_unknown()) {
            got += if *is_said { clue.rarity } else { 0.0 };
            all += clue.rarity;
            rarest = rarest.max(clue.rarity);
        }
        match self.question.keywords[at].is_said_by_one_clue() {
            true if got > 0.0 => (rarest, rarest),
            true => (0.0, rarest),
            false => (got, all),
        }
    }

    /// Which share of the question is said, 0 to 1. A keyword that no text knows at all counts as one that is not said.
    fn share(&self, clues: &[KnownClue], said: &[bool]) -> f32 {
        let of = |at: usize| match self.of_keyword(at, clues, said, false) {
            (_, 0.0) => (0.0, self.of_keyword(at, clues, said, true).1.min(UNKNOWN)),
            known => known,
        };
        let sums = (0..self.question.keywords.len()).map(of);
        let (got, all) = sums.fold((0.0, 0.0), |sum, (got, all)| (sum.0 + got, sum.1 + all));
        if all > 0.0 { got / all } else { 0.0 }
    }

    /// Whether what is `said` of `clues`, which is this share of the question, is enough.
    fn is_covered(&self, coverage: Coverage, share: f32, clues: &[KnownClue], said: &[bool]) -> bool {
        let keywords = 0..self.question.keywords.len();
        match coverage {
            Coverage::Share(least) => share > 0.0 && share >= least,
            Coverage::AllButOne => {
                let is_said = |at: &usize| matches!(self.of_keyword(*at, clues, said, true), (got, all) if got > 0.0 && got >= SAID * all);
                keywords.len() - keywords.filter(is_said).count() <= 1
            }
        }
    }
}

impl KnownClue {
    fn is_unknown(&self) -> bool {
        self.terms.is_empty()
    }
}

/// What ranks by the rarest of `clues`.
fn ranked_by(clues: &[KnownClue]) -> BooleanQuery {
    let mut terms: Vec<_> = clues.iter().flat_map(|clue| &clue.terms).collect();
    terms.sort_by_key(|(.., documents)| *documents);
    let mut places = 0;
    let affordable = terms.into_iter().take_while(|(.., documents)| {
        let is_first = places == 0;
        places += documents;
        is_first || places <= MOST_POSTINGS
    });
    let ranked = affordable.map(|(term, boost, _)| -> Box<dyn Query> {
        let term = TermQuery::new(term.clone(), IndexRecordOption::WithFreqs);
        Box::new(BoostQuery::new(Box::new(term), *boost))
    });
    BooleanQuery::union(ranked.collect())
}

/// Whether `documents`, which are walked forwards, hold `document`.
fn stands_at<D: DocSet + ?Sized>(documents: &mut D, document: DocId) -> bool {
    if documents.doc() < document {
        documents.seek(document);
    }
    documents.doc() == document
}

/// Gathers the candidates.
struct Nearest<'a> {
    found: &'a [DocAddress],
    filter: Option<&'a dyn Weight>,
}

/// [`Nearest`] in one segment.
struct NearestInSegment {
    number: SegmentOrdinal,
    /// The worst of them is on top.
    best: BinaryHeap<Reverse<Weighed>>,
}

impl Collector for Nearest<'_> {
    type Fruit = Vec<DocAddress>;
    type Child = NearestInSegment;

    fn for_segment(&self, number: SegmentOrdinal, _segment: &SegmentReader) -> tantivy::Result<NearestInSegment> {
        Ok(NearestInSegment { number, best: BinaryHeap::new() })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, segments: Vec<Vec<Weighed>>) -> tantivy::Result<Vec<DocAddress>> {
        let mut all: Vec<Weighed> = segments.into_iter().flatten().collect();
        all.sort_unstable_by(|one, other| other.cmp(one));
        Ok(all.into_iter().take(CANDIDATES).map(|hit| hit.at).collect())
    }

    fn collect_segment(
        &self,
        weight: &dyn Weight,
        number: SegmentOrdinal,
        segment: &SegmentReader,
    ) -> tantivy::Result<Vec<Weighed>> {
        let mut nearest = self.for_segment(number, segment)?;
        let mut allowed: Option<Box<dyn Scorer>> = self.filter.map(|filter| filter.scorer(segment, 1.0)).transpose()?;
        let mut is_wanted = |document| {
            segment.alive_bitset().is_none_or(|alive| alive.is_alive(document))
                && !self.found.contains(&DocAddress::new(number, document))
                && allowed.as_mut().is_none_or(|allowed| stands_at(allowed.as_mut(), document))
        };
        weight.for_each_pruning(Score::MIN, segment, &mut |document, score| {
            if is_wanted(document) {
                nearest.collect(document, score);
            }
            nearest.threshold()
        })?;
        Ok(nearest.harvest())
    }
}

impl NearestInSegment {
    /// What is worth no more than this is not among the best.
    fn threshold(&self) -> Score {
        match self.best.peek() {
            Some(Reverse(worst)) if self.best.len() >= CANDIDATES => worst.worth,
            _ => Score::MIN,
        }
    }
}

impl SegmentCollector for NearestInSegment {
    type Fruit = Vec<Weighed>;

    fn collect(&mut self, document: DocId, score: Score) {
        self.best.push(Reverse(Weighed { worth: score, at: DocAddress::new(self.number, document) }));
        if self.best.len() > CANDIDATES {
            self.best.pop();
        }
    }

    fn harvest(self) -> Vec<Weighed> {
        self.best.into_iter().map(|Reverse(hit)| hit).collect()
    }
}
