//! The index on its disk: opened, checked, written, asked.

use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tantivy::indexer::IndexWriterOptions;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, TantivyDocument, Term};

use super::best::Best;
use super::counts::Counts;
use super::document::Document;
use super::fields::{FORMAT, Fields};
use super::query::{Typing, Words};
use super::waiting::{Position, Waiting};
use hanok_base::{Error, Page, Result};

/// What a writer may gather in memory before it is put on the disk: the least that the library takes.
const GATHERED: usize = 15_000_000;
/// So many bytes of documents are packed together, and unpacked to read one of them: the hits of a page seldom stand together.
const UNPACKED_AT_ONCE: usize = 4_096;

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
        let settings = IndexSettings { docstore_blocksize: UNPACKED_AT_ONCE, ..IndexSettings::default() };
        let made = Index::builder().schema(Fields::new().schema).settings(settings).create_in_dir(folder);
        Self::around(made.map_err(Error::internal)?)
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
        let there_are = searcher.num_docs() as usize;
        let (offset, limit) = (asked.page.offset.min(there_are), asked.page.limit.min(there_are));
        let found = searcher.search(&query, &Best { offset, limit, today }).map_err(Error::internal)?;
        let read = |address| {
            let found: TantivyDocument = searcher.doc(address).map_err(Error::internal)?;
            self.fields.document(&found)
        };
        let documents = found.best.into_iter().map(read).collect::<Result<_>>()?;
        Ok(Hits { documents, total: found.total, counts: found.counts, is_near: false })
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

impl std::fmt::Debug for OpenIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenIndex").field("documents", &self.documents()).finish_non_exhaustive()
    }
}

/// An index that several ask at once.
pub(super) type SharedIndex = Arc<OpenIndex>;
