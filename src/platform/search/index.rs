//! The index on its disk: opened, checked, written, asked.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tantivy::collector::{Count, TopDocs};
use tantivy::indexer::IndexWriterOptions;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, Index, IndexReader, IndexWriter, ReloadPolicy, Score, SegmentReader, TantivyDocument, Term};

use super::counts::{Counts, Named};
use super::document::Document;
use super::fields::{DAY, DONE, FORMAT, Fields};
use super::query::{Typing, Words};
use super::waiting::{Position, Waiting};
use hanok_base::{Error, Page, Result};

/// What a writer may gather in memory before it is put on the disk: the least that the library takes.
const GATHERED: usize = 15_000_000;

/// An open index.
pub(super) struct OpenIndex {
    index: Index,
    reader: IndexReader,
    fields: Fields,
    writer: Mutex<Option<IndexWriter>>,
}

/// What an index says of itself with each of its commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Payload {
    format: u32,
    #[serde(flatten)]
    position: Position,
}

/// What is asked of the index.
#[derive(Debug, Clone)]
pub struct Asked {
    /// What is looked for.
    pub words: Words,
    /// Only things of this kind.
    pub kind: Option<String>,
    /// Nothing of these kinds, which are not for who asks.
    pub but: Vec<&'static str>,
    /// Only what bears this tag.
    pub tag: Option<String>,
    /// Only what is done, or only what is not.
    pub done: Option<bool>,
    /// Which part of it.
    pub page: Page,
}

/// What the index gives.
#[derive(Debug)]
pub(super) struct Hits {
    /// The best first.
    pub documents: Vec<Document>,
    /// How many there are in all.
    pub total: u64,
    /// How many of each kind, and with each tag.
    pub counts: Counts,
    /// Whether nothing says all of the words, and these say most of them.
    pub is_near: bool,
}

impl OpenIndex {
    /// The index in `folder`, when there is one of this program's format.
    ///
    /// # Errors
    /// `INTERNAL` when it is damaged, or none.
    pub fn open(folder: &Path) -> Result<OpenIndex> {
        Self::around(Index::open_in_dir(folder).map_err(Error::internal)?)
    }

    /// A new one, empty.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn create(folder: &Path) -> Result<OpenIndex> {
        Self::around(Index::create_in_dir(folder, Fields::new().schema).map_err(Error::internal)?)
    }

    fn around(index: Index) -> Result<OpenIndex> {
        let fields = Fields::new();
        if index.schema() != fields.schema {
            return Err(Error::internal("the index has other fields than this program's"));
        }
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).doc_store_cache_num_blocks(8);
        let reader: IndexReader = reader.try_into().map_err(Error::internal)?;
        Ok(OpenIndex { index, reader, fields, writer: Mutex::new(None) })
    }

    /// How far it is; none when it is of another program's format, or was never committed.
    ///
    /// # Errors
    /// `INTERNAL` when it is damaged.
    pub fn position(&self) -> Result<Option<Position>> {
        let payload = self.index.load_metas().map_err(Error::internal)?.payload;
        let payload = payload.and_then(|said| serde_json::from_str::<Payload>(&said).ok());
        Ok(payload.filter(|payload| payload.format == FORMAT).map(|payload| payload.position))
    }

    /// Names a file of it that is not as it was written.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn damaged_file(&self) -> Result<Option<String>> {
        let damaged = self.index.validate_checksum().map_err(Error::internal)?;
        Ok(damaged.into_iter().next().map(|path| path.display().to_string()))
    }

    /// Takes `document` in the place of an earlier one, with the next commit.
    pub fn put(&self, document: &Document) -> Result<()> {
        let indexed = self.fields.indexed(document)?;
        self.with_writer(|writer| {
            writer.delete_term(self.fields.key_of(&document.kind, document.id));
            writer.add_document(indexed).map(drop)
        })
    }

    /// Takes what waited, with the next commit.
    pub fn take(&self, waiting: &Waiting) -> Result<()> {
        match waiting {
            Waiting::Put(document) => self.put(document),
            Waiting::Remove { kind, id } => self.with_writer(|writer| {
                writer.delete_term(self.fields.key_of(kind, *id));
                Ok(())
            }),
        }
    }

    /// Puts on the disk what was taken, and that it is as far as `position`; from now on it is found.
    ///
    /// # Errors
    /// Those of the disk; what was taken is forgotten then.
    pub fn commit(&self, position: Position) -> Result<()> {
        let payload = serde_json::to_string(&Payload { format: FORMAT, position }).map_err(Error::internal)?;
        let committed = self.with_writer(|writer| {
            let mut commit = writer.prepare_commit()?;
            commit.set_payload(&payload);
            commit.commit().map(drop)
        });
        if committed.is_err() {
            *self.writer.lock() = None;
        }
        committed?;
        self.reader.reload().map_err(Error::internal)
    }

    /// Lets go of the writer with its threads and its memory, when what it merges is merged.
    pub fn rest(&self) {
        let writer = self.writer.lock().take();
        if let Some(Err(error)) = writer.map(IndexWriter::wait_merging_threads) {
            tracing::warn!(%error, "the index was not merged");
        }
    }

    /// How many documents there are.
    pub fn documents(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// How many bytes it takes on the disk.
    pub fn bytes(&self) -> u64 {
        self.reader.searcher().space_usage().map_or(0, |usage| usage.total().get_bytes())
    }

    /// What is asked for; `today` is counted from the year 1. Where nothing says the words, what says them as if they were
    /// mistyped; where nothing says all of them, what says most.
    ///
    /// # Errors
    /// `INTERNAL` when it is damaged.
    pub fn find(&self, asked: &Asked, today: u64) -> Result<Hits> {
        let all = asked.words.len();
        let mut hits = self.ask(asked, all, Typing::Meant, today)?;
        if hits.total == 0 && asked.words.may_be_mistyped() {
            hits = self.ask(asked, all, Typing::Mistyped, today)?;
        }
        if hits.total > 0 || all < 3 {
            return Ok(hits);
        }
        Ok(Hits { is_near: true, ..self.ask(asked, all - 1, Typing::Mistyped, today)? })
    }

    fn ask(&self, asked: &Asked, least: usize, typing: Typing, today: u64) -> Result<Hits> {
        let searcher = self.reader.searcher();
        let query = self.filtered(asked, asked.words.query(&self.fields, least, typing));
        // What is passed over takes room, too: no more of it is asked for than there is.
        let (offset, limit) = (asked.page.offset, asked.page.limit.max(1));
        let there_are = searcher.num_docs() as usize;
        let top = TopDocs::with_limit(limit.min(there_are.max(1))).and_offset(offset.min(there_are));
        let weighed = top.tweak_score(move |segment: &SegmentReader| {
            let days = segment.fast_fields().u64(DAY).map(|days| days.first_or_default_col(0));
            let done = segment.fast_fields().bool(DONE).map(|done| done.first_or_default_col(false));
            let by_age = BY_AGE.as_slice();
            move |document: DocId, score: Score| {
                let day = days.as_ref().map_or(0, |days| days.get_val(document));
                let is_done = done.as_ref().is_ok_and(|done| done.get_val(document));
                score * freshness(by_age, today, day) * if is_done { DONE_COUNTS } else { 1.0 }
            }
        });
        let (found, total, counts) = searcher.search(&query, &(weighed, Count, Named)).map_err(Error::internal)?;
        let read = |(_, address)| {
            let found: TantivyDocument = searcher.doc(address).map_err(Error::internal)?;
            self.fields.document(&found)
        };
        let found = if asked.page.limit == 0 { Vec::new() } else { found };
        let documents = found.into_iter().map(read).collect::<Result<_>>()?;
        Ok(Hits { documents, total: total as u64, counts, is_near: false })
    }

    fn filtered(&self, asked: &Asked, query: Box<dyn Query>) -> Box<dyn Query> {
        let term = |term: Term| -> Box<dyn Query> { Box::new(TermQuery::new(term, IndexRecordOption::Basic)) };
        let kind = asked.kind.as_ref().map(|kind| term(Term::from_field_text(self.fields.kind, kind)));
        let tag = asked.tag.as_ref().map(|tag| term(Term::from_field_text(self.fields.tags, &tag.to_lowercase())));
        let done = asked.done.map(|done| term(Term::from_field_bool(self.fields.done, done)));
        let mut filters: Vec<_> = [kind, tag, done].into_iter().flatten().collect();
        let mut unwanted = asked.but.iter().map(|kind| term(Term::from_field_text(self.fields.kind, kind))).peekable();
        if filters.is_empty() && unwanted.peek().is_none() {
            return query;
        }
        let unwanted = unwanted.map(|kind| (Occur::MustNot, kind));
        // They decide; what they are worth must not.
        let filters = filters.drain(..).map(|filter| -> (Occur, Box<dyn Query>) {
            (Occur::Must, Box::new(tantivy::query::ConstScoreQuery::new(filter, 0.0)))
        });
        Box::new(BooleanQuery::new(filters.chain(unwanted).chain([(Occur::Must, query)]).collect()))
    }

    fn with_writer<T>(&self, work: impl FnOnce(&mut IndexWriter) -> tantivy::Result<T>) -> Result<T> {
        let mut held = self.writer.lock();
        if held.is_none() {
            let options = IndexWriterOptions::builder().num_worker_threads(1).memory_budget_per_thread(GATHERED);
            *held = Some(self.index.writer_with_options(options.build()).map_err(Error::internal)?);
        }
        match held.as_mut() {
            Some(writer) => work(writer).map_err(Error::internal),
            None => Err(Error::internal("the index has no writer")),
        }
    }
}

/// What is done counts less than what is not.
const DONE_COUNTS: f32 = 0.8;
/// What the oldest counts beside the newest.
const OLDEST_COUNTS: f32 = 0.6;
/// After how many days half of the difference is gone.
const HALF_AFTER_DAYS: f32 = 180.0;

/// For so many days it is told apart how old something is.
const DAYS_TOLD_APART: usize = 3_660;

/// What a document counts by its age in days; every hit is weighed by it.
static BY_AGE: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let of_age = |age| OLDEST_COUNTS + (1.0 - OLDEST_COUNTS) * (-(age as f32) / HALF_AFTER_DAYS).exp2();
    (0..DAYS_TOLD_APART).map(of_age).collect()
});

/// What a document of this day counts: 1 for today and the future, less the older it is. One without a day counts as old.
fn freshness(by_age: &[f32], today: u64, day: u64) -> f32 {
    by_age.get(today.saturating_sub(day) as usize).copied().unwrap_or(OLDEST_COUNTS)
}

impl std::fmt::Debug for OpenIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenIndex").field("documents", &self.documents()).finish_non_exhaustive()
    }
}

/// An index that several ask at once.
pub(super) type SharedIndex = Arc<OpenIndex>;
