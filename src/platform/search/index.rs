//! The index on its disk: opened, checked, written, asked.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tantivy::index::{SegmentId, SegmentMeta};
use tantivy::indexer::IndexWriterOptions;
use tantivy::query::{AllQuery, BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{
    FutureResult, Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term,
};
use tokio_util::sync::CancellationToken;

use super::best::{Best, Gathered};
use super::counts::Counts;
use super::document::Document;
use super::fields::{FORMAT, Fields};
use super::near::Near;
use super::query::{SearchTerms, Typing};
use super::waiting::{Position, Waiting};
use crate::blocking;
use hanok_base::{Error, Page, Result};

/// What a writer may gather in memory before it is put on the disk: the least that the library takes.
const GATHERED: usize = 15_000_000;
/// So many bytes of documents are packed together, and unpacked to read one of them: the hits of a page seldom stand together.
const UNPACKED_AT_ONCE: usize = 4_096;
/// Where fewer say all of the words, and they do not fill the page, those follow that say most of them.
const FEW: usize = 10;

/// An open index.
pub(super) struct OpenIndex {
    index: Index,
    reader: IndexReader,
    fields: Fields,
    writer: Mutex<Option<Writer>>,
}

/// What writes an index.
struct Writer {
    inner: IndexWriter,
    /// What becomes of the segments that it was asked to merge.
    merging: Option<FutureResult<Option<SegmentMeta>>>,
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
pub struct SearchRequest {
    /// What is looked for.
    pub words: SearchTerms,
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
    /// How many of these documents say all of the words; those behind them say most.
    pub whole: usize,
    /// Whether some of all say only most of the words.
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
            writer.inner.delete_term(self.fields.key_of(&document.kind, document.id));
            writer.inner.add_document(indexed).map(drop)
        })
    }

    /// Takes what waited, with the next commit.
    pub fn take(&self, waiting: &Waiting) -> Result<()> {
        match waiting {
            Waiting::Put(document) => self.put(document),
            Waiting::Remove { kind, id } => self.with_writer(|writer| {
                writer.inner.delete_term(self.fields.key_of(kind, *id));
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
            let mut commit = writer.inner.prepare_commit()?;
            commit.set_payload(&payload);
            commit.commit().map(drop)
        });
        if committed.is_err() {
            *self.writer.lock() = None;
        }
        committed?;
        self.reader.reload().map_err(Error::internal)
    }

    /// Tidies up while nothing is written: lets go of the writer, and begins to merge what lies apart, as each segment is
    /// searched by itself.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn rest(&self) -> Result<()> {
        self.let_go()?;
        let apart = self.apart()?;
        if apart.is_empty() {
            return Ok(());
        }
        self.with_writer(|writer| {
            writer.merging = Some(writer.inner.merge(&apart));
            Ok(())
        })
    }

    /// Lets go of the writer with its threads and its memory, and of what it has merged, when that is done.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn let_go(&self) -> Result<()> {
        let Some(writer) = self.writer.lock().take() else { return Ok(()) };
        if let Some(merging) = writer.merging {
            merging.wait().map_err(Error::internal)?;
            // Nobody asks the segments any more of which one was made.
            self.reader.reload().map_err(Error::internal)?;
            writer.inner.garbage_collect_files().wait().map_err(Error::internal)?;
        }
        if let Err(error) = writer.inner.wait_merging_threads() {
            tracing::warn!(%error, "the index was not merged");
        }
        self.reader.reload().map_err(Error::internal)
    }

    /// The segments that are to be one.
    fn apart(&self) -> Result<Vec<SegmentId>> {
        let mut segments = self.index.searchable_segment_metas().map_err(Error::internal)?;
        segments.sort_by_key(|segment| Reverse(segment.num_docs()));
        let sizes: Vec<u32> = segments.iter().map(SegmentMeta::num_docs).collect();
        Ok(segments[whole_ones(&sizes)..].iter().map(SegmentMeta::id).collect())
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
    /// mistyped; where less than a page says all of them, what says most stands behind it.
    ///
    /// # Errors
    /// `INTERNAL` when it is damaged; `CONFLICT` when nobody waits for it any more.
    pub fn find(&self, asked: &SearchRequest, today: u64, abandoned: &CancellationToken) -> Result<Hits> {
        let (searcher, question, page) = (self.reader.searcher(), asked.words.question(), asked.page);
        let mut found = self.ask(&searcher, asked, Typing::Meant, today)?;
        if found.total == 0 && asked.words.may_be_mistyped() && !question.is_asked {
            blocking::go_on(abandoned)?;
            found = self.ask(&searcher, asked, Typing::Mistyped, today)?;
        }
        let whole = found.best.len();
        let mut is_near = false;
        if found.total < page.limit.min(FEW) as u64
            && let Some(coverage) = question.coverage(whole > 0)
        {
            blocking::go_on(abandoned)?;
            let near = Near { searcher: &searcher, fields: &self.fields, question, found: &found.best };
            let near = near.find(coverage, self.filter(asked)).map_err(Error::internal)?;
            found.counts.add(Counts::of(&searcher, &near).map_err(Error::internal)?);
            found.total += near.len() as u64;
            is_near = !near.is_empty();
            found.best.extend(near);
        }
        let read = |address| {
            let found: TantivyDocument = searcher.doc(address).map_err(Error::internal)?;
            self.fields.document(&found)
        };
        let documents = found.best.into_iter().skip(page.offset).take(page.limit).map(read).collect::<Result<_>>()?;
        let whole = whole.saturating_sub(page.offset);
        Ok(Hits { documents, total: found.total, counts: found.counts, whole, is_near })
    }

    /// What says all of the words: the best up to the end of the page, and [`FEW`] at least.
    fn ask(&self, searcher: &Searcher, asked: &SearchRequest, typing: Typing, today: u64) -> Result<Gathered> {
        let query = self.filtered(asked, asked.words.query(&self.fields, typing));
        // What is passed over takes room, too: no more of it is asked for than there is.
        let most = asked.page.offset.saturating_add(asked.page.limit).max(FEW).min(searcher.num_docs() as usize);
        searcher.search(&query, &Best { most, today }).map_err(Error::internal)
    }

    /// What lets pass what `asked` leaves over beside its words; none where that is everything.
    fn filter(&self, asked: &SearchRequest) -> Option<Box<dyn Query>> {
        let is_everything = asked.kind.is_none() && asked.tag.is_none() && asked.done.is_none() && asked.but.is_empty();
        (!is_everything).then(|| self.filtered(asked, Box::new(AllQuery)))
    }

    fn filtered(&self, asked: &SearchRequest, query: Box<dyn Query>) -> Box<dyn Query> {
        let term = |term: Term| -> Box<dyn Query> { Box::new(TermQuery::new(term, IndexRecordOption::Basic)) };
        let kind = asked.kind.as_ref().map(|kind| term(Term::from_field_text(self.fields.kind, kind)));
        let tag = asked.tag.as_ref().map(|tag| term(Term::from_field_text(self.fields.tags, tag)));
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

    fn with_writer<T>(&self, work: impl FnOnce(&mut Writer) -> tantivy::Result<T>) -> Result<T> {
        let mut held = self.writer.lock();
        if held.is_none() {
            let options = IndexWriterOptions::builder().num_worker_threads(1).memory_budget_per_thread(GATHERED);
            let inner = self.index.writer_with_options(options.build()).map_err(Error::internal)?;
            *held = Some(Writer { inner, merging: None });
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

/// How many of these segments, the largest first, stay as they are: each of them is larger than all behind it together, so
/// that there are few, and a document is merged no more often than the index doubles.
fn whole_ones(sizes: &[u32]) -> usize {
    let behind = |at: usize| sizes[at + 1..].iter().map(|size| u64::from(*size)).sum::<u64>();
    let is_whole = |at: &usize| u64::from(sizes[*at]) > behind(*at);
    (0..sizes.len()).take_while(is_whole).count()
}

#[cfg(test)]
mod tests {
    use super::whole_ones;

    #[test]
    fn what_is_no_larger_than_all_that_is_smaller_is_merged_with_it() {
        for (sizes, whole) in [
            (&[][..], 0),
            (&[7], 1),
            (&[100, 1], 2),
            (&[100, 60, 40], 0),
            (&[100, 30, 20, 10], 1),
            (&[100, 40, 1, 1], 2),
            (&[5, 5], 0),
            (&[9, 0], 1),
        ] {
            assert_eq!(whole_ones(sizes), whole, "{sizes:?}");
        }
    }
}
