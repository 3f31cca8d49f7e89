//! What posts said before.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::super::model::{Revision, Row};
use hanok_base::{Error, Result};
use hanok_platform::blobs::BlobsNamed;
use hanok_platform::store::{Index, IndexedTable, Order, ReadTransaction, WriteTx};

/// Table: what posts said before. Key: the id of the post and the number. Value: all of it.
pub const REVISIONS: IndexedTable<(u64, u64), Revision> =
    IndexedTable::new("blog_revisions-1", |revision| (revision.post_id, revision.number), &[&HEADS, &FILES]);
/// Table: what lists show of it. Key: the same. Value: when it was written and replaced, its title and its words.
const HEADS: Index<Revision, (u64, u64), RevisionHead> = Index::new("blog_revision_heads-1", |revision| {
    let Revision { post_id, number, written_at, replaced_at, date, words, .. } = *revision;
    let title = revision.title.clone();
    Some(((post_id, number), RevisionHead { number, written_at, replaced_at, title, date, words }))
});
/// The pictures of what a post said before stay, so that it can say it again.
const FILES: BlobsNamed<Revision> = BlobsNamed::new("blog_revisions", |revision| revision.files.clone());

/// So many are kept of each post; the oldest gives way.
pub const MOST_KEPT: u64 = 50;

/// What lists show of what a post said before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevisionHead {
    /// The version of the post that it was.
    pub number: u64,
    /// When it was written.
    pub written_at: DateTime<Utc>,
    /// When another came in its place.
    pub replaced_at: DateTime<Utc>,
    /// What it was called.
    pub title: String,
    /// The day that it was of.
    pub date: NaiveDate,
    /// How many words it had.
    pub words: u64,
}

/// What the post said before, the last one first.
pub fn list(tx: &impl ReadTransaction, post_id: u64) -> Result<Vec<RevisionHead>> {
    tx.values(&HEADS, (post_id, 0)..=(post_id, u64::MAX), Order::Descending, 0, usize::MAX)
}

/// What the post said in this version.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find(tx: &impl ReadTransaction, post_id: u64, number: u64) -> Result<Revision> {
    tx.get(&REVISIONS, (post_id, number))?.ok_or_else(|| Error::not_found("revision"))
}

/// Keeps what `before` said, when that is worth keeping now that `after` comes in its place.
pub(super) fn keep(tx: &WriteTx, before: &Row, after: &Row) -> Result<()> {
    let id = before.post.id;
    let newest = tx.first(&HEADS, (id, 0)..=(id, u64::MAX), Order::Descending)?;
    let kept_at = newest.map(|newest| newest.value()).transpose()?.map(|newest| newest.replaced_at);
    Revision::of(before, after, kept_at, tx.now()).map_or(Ok(()), |revision| put(tx, &revision))
}

/// Keeps `revision`.
pub(super) fn put(tx: &WriteTx, revision: &Revision) -> Result<()> {
    REVISIONS.put(tx, revision)?;
    let of_post = (revision.post_id, 0)..=(revision.post_id, u64::MAX);
    // The keys alone say how many there are; there is never more than one too many.
    let mut kept = tx.entries(&HEADS, of_post, Order::Descending).skip(MOST_KEPT as usize);
    while let Some(oldest) = kept.next().transpose()? {
        REVISIONS.remove(tx, oldest.key())?;
    }
    Ok(())
}

/// Removes everything that the post said before.
pub(super) fn remove_all(tx: &WriteTx, post_id: u64) -> Result<()> {
    for revision in list(tx, post_id)? {
        REVISIONS.remove(tx, (post_id, revision.number))?;
    }
    Ok(())
}
