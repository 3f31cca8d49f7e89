//! A line that somebody typed as a question to the index.

use tantivy::Term;
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, FuzzyTermQuery, PhraseQuery, Query, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use super::fields::{Fields, TextFields};
use super::needle::{Needle, steps};
use super::question::Question;
use super::words::{Run, Script, is_particle, pairs_in, parts, runs, without_particle};
use hanok_base::text;

/// What somebody looks for.
#[derive(Debug, Clone)]
pub struct SearchTerms {
    words: Vec<Word>,
    question: Question,
}

/// A word of it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    script: Script,
    text: String,
    /// Whether it may still be typed.
    is_last: bool,
}

/// So many words are looked for; a longer line is cut behind them.
const MOST_WORDS: usize = 12;
/// How much more a hit in the title counts.
const IN_TITLE: f32 = 3.0;
/// How much less a word counts that is found otherwise than it was typed.
const AS_STEM: f32 = 0.8;
const AS_WHOLE_WORD: f32 = 0.5;
const AS_BEGINNING: f32 = 0.6;
const AS_COMPOUND: f32 = 0.5;
const MISTYPED: f32 = 0.3;

impl SearchTerms {
    /// The words of `line`.
    pub fn of(line: &str) -> SearchTerms {
        let line = &*text::composed(line);
        let ends_open = line.chars().next_back().is_some_and(char::is_alphanumeric);
        let mut runs = runs(line);
        // A particle behind a Latin word or a number, and a consonant behind a syllable that is still typed, say nothing.
        let idle: Vec<bool> = (0..runs.len())
            .map(|at| {
                let (run, before) = (&runs[at], at.checked_sub(1).map(|before| &runs[before]));
                let follows = |script| run.is_joined && before.is_some_and(|before: &Run| before.script == script);
                (follows(Script::Letters) && is_particle(&run.text))
                    || (follows(Script::Syllables) && run.script == Script::Consonants)
            })
            .collect();
        let mut idle = idle.into_iter();
        runs.retain(|_| !idle.next().unwrap_or(false));
        runs.truncate(MOST_WORDS);
        let question = Question::of(line, &runs);
        let last = runs.len().saturating_sub(1);
        let word =
            |(at, run): (usize, Run)| Word { script: run.script, text: run.text, is_last: at == last && ends_open };
        SearchTerms { words: runs.into_iter().enumerate().map(word).collect(), question }
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// They as a question, for what matches partly.
    pub(super) fn question(&self) -> &Question {
        &self.question
    }

    /// What is to be seen in a text where it was found, the most exact first.
    pub(super) fn needles(&self) -> Vec<Needle> {
        self.words.iter().flat_map(Word::needles).collect()
    }

    /// Whether one of them may be mistyped.
    pub(super) fn may_be_mistyped(&self) -> bool {
        self.words.iter().any(|word| word.script == Script::Letters && steps(&word.text) > 0)
    }

    /// What asks for documents in which all of the words are, as they were typed or near to it.
    pub(super) fn query(&self, fields: &Fields, typing: Typing) -> Box<dyn Query> {
        let words = self.words.iter().map(|word| word.query(fields, typing)).collect::<Vec<_>>();
        Box::new(BooleanQuery::intersection(words))
    }
}

/// How words are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Typing {
    /// As they were typed.
    Meant,
    /// Latin words also with a letter or two that differ: many words are looked at for that.
    Mistyped,
}

impl Word {
    fn needles(&self) -> Vec<Needle> {
        let text = || self.text.clone();
        match self.script {
            Script::Letters => match steps(&self.text) {
                0 => vec![Needle::AtBeginning(text())],
                steps => vec![Needle::AtBeginning(text()), Needle::Near(text(), steps.into())],
            },
            Script::Consonants => vec![Needle::Initials(text())],
            Script::Syllables => {
                let stem = without_particle(&self.text).map(|stem| Needle::Anywhere(stem.to_owned()));
                let read = without_particle(&self.text).unwrap_or(&self.text);
                let parts = parts(read).into_iter().flat_map(|(first, second)| [first, second]);
                let parts = parts.map(|part| Needle::Anywhere(part.to_owned()));
                std::iter::once(Needle::Anywhere(text())).chain(stem).chain(parts).collect()
            }
        }
    }

    fn query(&self, fields: &Fields, typing: Typing) -> Box<dyn Query> {
        let places = [(fields.title, IN_TITLE), (fields.text, 1.0)];
        let ways: Vec<Box<dyn Query>> = match self.script {
            Script::Consonants => return pairs_query(fields.initials, &self.text),
            Script::Letters => places.iter().flat_map(|(said, boost)| self.of_letters(*said, *boost, typing)).collect(),
            Script::Syllables => places.iter().flat_map(|(said, boost)| self.of_syllables(*said, *boost)).collect(),
        };
        Box::new(DisjunctionMaxQuery::with_tie_breaker(ways, 0.1))
    }

    fn of_letters(&self, said: TextFields, boost: f32, typing: Typing) -> Vec<Box<dyn Query>> {
        let term = Term::from_field_text(said.words, &self.text);
        let mut ways = vec![boosted(word_query(said.words, &self.text), boost)];
        if self.is_last && self.text.chars().count() > 1 {
            let beginning = FuzzyTermQuery::new_prefix(term.clone(), 0, true);
            ways.push(Box::new(ConstScoreQuery::new(Box::new(beginning), boost * AS_BEGINNING)));
        }
        if let (Typing::Mistyped, steps @ 1..) = (typing, steps(&self.text)) {
            let near = FuzzyTermQuery::new(term, steps, true);
            ways.push(Box::new(ConstScoreQuery::new(Box::new(near), boost * MISTYPED)));
        }
        ways
    }

    fn of_syllables(&self, said: TextFields, boost: f32) -> Vec<Box<dyn Query>> {
        if self.text.chars().count() < 2 {
            let term = Term::from_field_text(said.words, &self.text);
            let beginning = FuzzyTermQuery::new_prefix(term, 0, true);
            return vec![Box::new(ConstScoreQuery::new(Box::new(beginning), boost * AS_BEGINNING))];
        }
        let read = without_particle(&self.text).unwrap_or(&self.text);
        let mut ways = vec![
            boosted(pairs_query(said.pairs, &self.text), boost),
            boosted(word_query(said.words, &self.text), boost * (1.0 + AS_WHOLE_WORD)),
        ];
        if read != self.text {
            ways.push(boosted(pairs_query(said.pairs, read), boost * AS_STEM));
        }
        for (first, second) in parts(read) {
            let both =
                BooleanQuery::intersection(vec![pairs_query(said.pairs, first), pairs_query(said.pairs, second)]);
            ways.push(boosted(Box::new(both), boost * AS_COMPOUND));
        }
        ways
    }
}

/// What asks for the syllables of `run` one behind the other; nothing of it where there is but one.
fn pairs_query(field: Field, run: &str) -> Box<dyn Query> {
    let pairs = pairs_in(run);
    let terms: Vec<Term> = pairs.iter().map(|pair| Term::from_field_text(field, pair)).collect();
    match terms.as_slice() {
        [] => Box::new(tantivy::query::EmptyQuery),
        [one] => Box::new(TermQuery::new(one.clone(), IndexRecordOption::WithFreqs)),
        _ => Box::new(PhraseQuery::new(terms)),
    }
}

fn word_query(field: Field, word: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs))
}

fn boosted(query: Box<dyn Query>, boost: f32) -> Box<dyn Query> {
    Box::new(BoostQuery::new(query, boost))
}

impl Needle {
    /// Where it is in `run`, in characters; none where it is not.
    pub fn is_in(&self, run: &str) -> Option<(usize, usize)> {
        match self {
            Needle::Anywhere(text) => place(run, text),
            Needle::AtBeginning(text) => run.starts_with(text.as_str()).then(|| (0, run.chars().count())),
            Needle::Near(text, steps) => {
                let length = run.chars().count();
                // Each character more or less is a step.
                (length.abs_diff(text.len()) <= *steps && text::is_near(text, run, *steps)).then_some((0, length))
            }
            Needle::Initials(consonants) => place(&text::initials(run), consonants),
        }
    }
}

fn place(run: &str, text: &str) -> Option<(usize, usize)> {
    // A run is short: what prepares a search in a long text costs more than this.
    let at = run.as_bytes().windows(text.len().max(1)).position(|part| part == text.as_bytes())?;
    let from = run[..at].chars().count();
    Some((from, from + text.chars().count()))
}
