//! The fields of the index, and a document as they hold it.

use chrono::Datelike;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{TantivyDocument, Term};

use super::document::Document;
use super::words::{self, initials, pairs};
use hanok_base::{Error, Result};

/// Raised with every change of what a document becomes in the index, or of how that is laid down: one of another number is made anew.
pub(super) const FORMAT: u32 = 3;

/// So much of a text is found by initial consonants, in characters: a long one says every two of them somewhere.
const WITH_INITIALS: usize = 200;

/// The fields of the index.
#[derive(Debug, Clone)]
pub(super) struct Fields {
    /// All of them.
    pub schema: Schema,
    /// The kind and the id, as one.
    key: Field,
    /// The document as JSON.
    source: Field,
    /// The kind.
    pub kind: Field,
    /// The tags.
    pub tags: Field,
    /// The day, counted from the year 1; 0 without one.
    day: Field,
    /// Whether it is done with.
    pub done: Field,
    /// The initial consonants of the title and of the beginning of the text.
    pub initials: Field,
    /// The title.
    pub title: TextFields,
    /// The text and the tags.
    pub text: TextFields,
}

/// What is said in one place, by words and by pairs of syllables.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextFields {
    /// Its words.
    pub words: Field,
    /// Its pairs of syllables.
    pub pairs: Field,
}

/// The name of the field of the day, for what reads it of every hit.
pub(super) const DAY: &str = "day";
/// The name of the field of the kind.
pub(super) const KIND: &str = "kind";
/// The name of the field of the tags.
pub(super) const TAGS: &str = "tags";
/// The name of the field of what is done.
pub(super) const DONE: &str = "done";

impl Fields {
    /// The fields of this program's index.
    pub fn new() -> Fields {
        let mut schema = Schema::builder();
        let of = |record| {
            let indexing = TextFieldIndexing::default().set_tokenizer("raw").set_index_option(record);
            TextOptions::default().set_indexing_options(indexing)
        };
        let (counted, placed) = (of(IndexRecordOption::WithFreqs), of(IndexRecordOption::WithFreqsAndPositions));
        let key = schema.add_text_field("key", STRING);
        let source = schema.add_bytes_field("source", STORED);
        let kind = schema.add_text_field(KIND, STRING | FAST);
        let tags = schema.add_text_field(TAGS, STRING | FAST);
        let day = schema.add_u64_field(DAY, FAST);
        let done = schema.add_bool_field(DONE, INDEXED | FAST);
        let initials = schema.add_text_field("initials", placed.clone());
        let mut said = |words: &str, pairs: &str| TextFields {
            words: schema.add_text_field(words, counted.clone()),
            pairs: schema.add_text_field(pairs, placed.clone()),
        };
        let (title, text) = (said("title_words", "title_pairs"), said("text_words", "text_pairs"));
        Fields { schema: schema.build(), key, source, kind, tags, day, done, initials, title, text }
    }

    /// What names the document of this kind and id.
    pub fn key_of(&self, kind: &str, id: u64) -> Term {
        Term::from_field_text(self.key, &key(kind, id))
    }

    /// `document` as the index takes it.
    pub fn indexed(&self, document: &Document) -> Result<TantivyDocument> {
        let document = &document.composed();
        let mut indexed = TantivyDocument::default();
        indexed.add_text(self.key, key(&document.kind, document.id));
        indexed.add_bytes(self.source, &serde_json::to_vec(document).map_err(Error::internal)?);
        indexed.add_text(self.kind, &document.kind);
        document.tags.iter().for_each(|tag| indexed.add_text(self.tags, tag));
        indexed.add_u64(self.day, document.day.map_or(0, |day| day.num_days_from_ce().unsigned_abs().into()));
        indexed.add_bool(self.done, document.done);
        let beginning: String = document.text.chars().take(WITH_INITIALS).collect();
        let said = |text: &str| [words::words(text), pairs(text)];
        let text = format!("{}\n{}", document.text, document.tags.join(" "));
        let ([title_words, title_pairs], [text_words, text_pairs]) = (said(&document.title), said(&text));
        for (field, tokens) in [
            (self.initials, initials(&format!("{} {beginning}", document.title))),
            (self.title.words, title_words),
            (self.title.pairs, title_pairs),
            (self.text.words, text_words),
            (self.text.pairs, text_pairs),
        ] {
            indexed.add_pre_tokenized_text(field, tokenized(tokens));
        }
        Ok(indexed)
    }

    /// The document that `found` was made of.
    pub fn document(&self, found: &TantivyDocument) -> Result<Document> {
        use tantivy::schema::Value;
        let source = found.get_first(self.source).and_then(|source| source.as_bytes());
        serde_json::from_slice(source.unwrap_or_default()).map_err(Error::internal)
    }
}

fn key(kind: &str, id: u64) -> String {
    format!("{kind}/{id}")
}

fn tokenized(tokens: Vec<words::Token>) -> PreTokenizedString {
    let token = |word: words::Token| Token { position: word.position, text: word.text, ..Token::default() };
    PreTokenizedString { text: String::new(), tokens: tokens.into_iter().map(token).collect() }
}
