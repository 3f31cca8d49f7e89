//! The tables of the blog and the verbs over a transaction.

mod list;
mod revisions;

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use serde::Serialize;

use super::model::{Head, Post, PostChanges, Removed, Revision, Row, Status, pictures};
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Result};
use hanok_platform::blobs::{self, BlobsNamed};
use hanok_platform::events::Change;
use hanok_platform::search::{Document, SearchKind, Searched};
use hanok_platform::store::{
    CountedIndex, DayCounts, Declared, Index, IndexedTable, ManyIndex, Order, ReadTransaction, WriteTx,
};

pub use list::{Listed, Wanted, each, found, list, newest, tags};
pub use revisions::RevisionHead;

/// Table: posts. Key: id. Value: the post, and what it says without its marks.
const POSTS: IndexedTable<u64, Row> = IndexedTable::new(
    "blog_posts-1",
    |row| row.post.id,
    &[&HEADS, &IN_ORDER, &OF_STATUS, &BY_STATUS, &TAGGED, &SAYING, &SEARCHED, &FILES],
);
/// Table: what lists show of the posts. Key: id. Value: all but what they say.
const HEADS: Index<Row, u64, Head> = Index::new("blog_heads-1", |row| Some((row.post.id, row.head())));
/// Table: the order of the posts. Key: the day, counted from 1 January of the year 1, and the id. Value: the id.
const IN_ORDER: CountedIndex<Row, (u64, u64), u64> =
    CountedIndex::new("blog_order-1", "blog_order_counts-1", |row| Some(((day_number(row), row.post.id), row.post.id)));
/// Table: the order of drafts, and of what is published. Key: the status, then as above. Value: the id.
const OF_STATUS: CountedIndex<Row, (u64, u64, u64), u64> =
    CountedIndex::new("blog_order_of_status-1", "blog_order_of_status_counts-1", |row| {
        Some(((number(row.post.status), day_number(row), row.post.id), row.post.id))
    });
/// Table: the posts counted by their status, as it stands in the order.
const BY_STATUS: DayCounts<Row> = DayCounts::new("blog_by_status-1", |row| Some(number(row.post.status)));
/// Table: posts by their tags. Key: the tag, then as in the order. Value: the status.
const TAGGED: ManyIndex<Row, (&'static str, u64, u64), Status> = ManyIndex::new("blog_tags-1", |row| {
    row.post.tags.iter().map(|tag| ((tag.as_str(), day_number(row), row.post.id), row.post.status)).collect()
});
/// Table: posts by what they say, to find those that say the same. Key: a number made from title, day and text, and the id.
const SAYING: Index<Row, (u64, u64)> = Index::new("blog_saying-1", |row| Some(((row.post.saying(), row.post.id), ())));
/// Every post is found by its title and what it says, a draft as what is still open.
const SEARCHED: Searched<Row> = Searched::new(|Row { post, plain, .. }| Document {
    text: plain.clone(),
    tags: post.tags.clone(),
    day: Some(post.date),
    done: post.status == Status::Published,
    ..Document::of(KIND, post.id, &post.title, format!("/blog/write?post={}", post.id))
});
/// The pictures of a post stay as long as it shows them.
const FILES: BlobsNamed<Row> = BlobsNamed::new("blog_posts", |row| row.files.clone());
/// Table: posts that were removed and can be brought back. Key: id. Value: the post, and its number among the removed.
const REMOVED: IndexedTable<u64, Removed> =
    IndexedTable::new("blog_removed-1", |removed| removed.row.post.id, &[&REMOVED_ORDER, &REMOVED_FILES]);
/// Table: the order in which they were removed. Key: the number. Value: the id.
const REMOVED_ORDER: Index<Removed, u64, u64> =
    Index::new("blog_removed_order-1", |removed| Some((removed.order, removed.row.post.id)));
/// And as long as it can be brought back.
const REMOVED_FILES: BlobsNamed<Removed> = BlobsNamed::new("blog_removed", |removed| removed.row.files.clone());

/// What a post is among the things that are found by words.
pub const KIND: &str = "post";

/// What of the blog is found by words.
pub const SEARCH: &[SearchKind] = &[SearchKind { name: KIND, walk: |tx, visit| SEARCHED.walk(POSTS.walk(tx), visit) }];

/// Every table of the blog.
pub const TABLES: &[&dyn Declared] = &[&POSTS, &REMOVED, &revisions::REVISIONS];

/// The posts have changed.
pub const CHANGED: Change = Change::new("blog");
/// So many posts that were removed can be brought back, those that were removed last.
const MOST_REMOVED: u64 = 100;
/// How many drafts Today shows.
const DRAFTS_TODAY: usize = 3;

/// The blog's part of Today.
#[derive(Debug, Serialize, ToSchema)]
pub struct BlogToday {
    /// What is being written, and what was.
    pub blog: Summary,
}

/// What Today shows of the blog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Summary {
    /// Drafts by their day, the newest first; at most three.
    pub drafts: Vec<Draft>,
    /// How many drafts there are.
    pub draft_count: u64,
    /// How many posts are published.
    pub published_count: u64,
    /// The last of them by its day; none where nothing is published.
    pub last_published: Option<Published>,
}

/// What is published, as Today names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Published {
    /// Its id.
    pub id: u64,
    /// What it is called.
    pub title: String,
    /// The day that it is of.
    pub date: NaiveDate,
}

/// A draft, as Today names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Draft {
    /// Its id.
    pub id: u64,
    /// What it is called; empty when it has no title yet.
    pub title: String,
    /// How it begins.
    pub excerpt: String,
}

/// What Today shows of it.
pub fn today(tx: &impl ReadTransaction) -> Result<BlogToday> {
    let of_drafts = (number(Status::Draft), 0, 0)..(number(Status::Published), 0, 0);
    let ids = tx.values(&OF_STATUS, of_drafts, Order::Descending, 0, DRAFTS_TODAY)?;
    let drafts = tx.rows(&HEADS, ids)?.into_iter();
    let drafts = drafts.map(|Head { id, title, excerpt, .. }| Draft { id, title, excerpt }).collect();
    let draft_count = list::count(tx, Some(Status::Draft))?;
    let published_count = list::count(tx, Some(Status::Published))?;
    let of_published = (number(Status::Published), 0, 0)..=(number(Status::Published), u64::MAX, u64::MAX);
    let last = tx.values(&OF_STATUS, of_published, Order::Descending, 0, 1)?;
    let last = tx.rows(&HEADS, last)?.into_iter().next();
    let last_published = last.map(|Head { id, title, date, .. }| Published { id, title, date });
    Ok(BlogToday { blog: Summary { drafts, draft_count, published_count, last_published } })
}

/// The post with this id.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find(tx: &impl ReadTransaction, id: u64) -> Result<Post> {
    Ok(row(tx, id)?.post)
}

fn row(tx: &impl ReadTransaction, id: u64) -> Result<Row> {
    tx.get(&POSTS, id)?.ok_or_else(not_there)
}

fn not_there() -> Error {
    Error::not_found("post")
}

/// Adds a post and gives it its id.
pub fn add(tx: &WriteTx, new: Row) -> Result<Post> {
    let mut row = new;
    row.post.id = tx.next_id("blog_posts")?;
    write(tx, row)
}

/// Adds posts that are brought, but those that say the same as one that is there; whether that is for readers as well counts
/// only where the file has said it, and not `as_drafts`. Gives those that were added.
pub fn bring(tx: &WriteTx, rows: Vec<Row>, as_drafts: bool) -> Result<Vec<Post>> {
    let mut added = Vec::new();
    for row in rows {
        if !is_there(tx, &row.post, as_drafts)? {
            added.push(add(tx, row)?);
        }
    }
    Ok(added)
}

/// Whether a post says the same, whatever its id and its version; where it is asked for, also for whomever it is.
fn is_there(tx: &impl ReadTransaction, post: &Post, for_whomever: bool) -> Result<bool> {
    let saying = post.saying();
    for entry in tx.entries(&SAYING, (saying, 0)..=(saying, u64::MAX), Order::Ascending) {
        let other = row(tx, entry?.key().1)?.post;
        let says = |post: &Post| (post.title.clone(), post.tags.clone(), post.body.clone(), post.date);
        if says(&other) == says(post) && (for_whomever || other.status == post.status) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Changes the fields that are sent.
///
/// # Errors
/// `NOT_FOUND`; those of [`PostChanges::apply`].
pub fn change(tx: &WriteTx, id: u64, changes: PostChanges) -> Result<Post> {
    let before = row(tx, id)?;
    let overwrite = changes.overwrite;
    let after = changes.apply(before.clone(), tx.now())?;
    if after == before {
        return Ok(before.post);
    }
    if overwrite {
        revisions::put(tx, &Revision::whole(&before, tx.now()))?;
    } else {
        revisions::keep(tx, &before, &after)?;
    }
    write(tx, after)
}

/// What a post that is there said before, the last one first.
///
/// # Errors
/// `NOT_FOUND`.
pub fn list_revisions(tx: &impl ReadTransaction, id: u64) -> Result<Vec<RevisionHead>> {
    row(tx, id)?;
    revisions::list(tx, id)
}

/// What a post said in version `number`, and what it says now.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find_revision(tx: &impl ReadTransaction, id: u64, number: u64) -> Result<(Revision, Post)> {
    let now = row(tx, id)?.post;
    Ok((revisions::find(tx, id, number)?, now))
}

/// Lets a post say again what it said in version `number`. What it says now is kept.
///
/// # Errors
/// `NOT_FOUND`.
pub fn restore_revision(tx: &WriteTx, id: u64, number: u64) -> Result<Post> {
    let before = row(tx, id)?;
    let after = revisions::find(tx, id, number)?.again(&before, tx.now());
    if after == before {
        return Ok(before.post);
    }
    revisions::put(tx, &Revision::whole(&before, tx.now()))?;
    write(tx, after)
}

/// Removes a post and gives it; [`restore`] brings it back, as long as not many others were removed after it.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: u64) -> Result<Post> {
    let row = POSTS.remove(tx, id)?.ok_or_else(not_there)?;
    let post = row.post.clone();
    REMOVED.put(tx, &Removed { row, order: tx.next_id("blog_removed")?, at: Some(tx.now()) })?;
    if tx.count(&REMOVED)? > MOST_REMOVED
        && let Some(oldest) = tx.first(&REMOVED_ORDER, 0.., Order::Ascending)?
    {
        let oldest = oldest.value()?;
        REMOVED.remove(tx, oldest)?;
        revisions::remove_all(tx, oldest)?;
    }
    tx.announce(CHANGED);
    Ok(post)
}

/// What lists show of the posts that were removed and can be brought back, each with when it was, the last one first.
pub fn list_removed(tx: &impl ReadTransaction) -> Result<Vec<(Head, Option<DateTime<Utc>>)>> {
    let mut removed = Vec::new();
    for entry in tx.entries(&REMOVED_ORDER, 0.., Order::Descending) {
        let Some(Removed { row, at, .. }) = tx.get(&REMOVED, entry?.value()?)? else { continue };
        removed.push((row.head(), at));
    }
    Ok(removed)
}

/// Brings back a post that was removed, as it was; one that is there stays as it is.
///
/// # Errors
/// `NOT_FOUND`.
pub fn restore(tx: &WriteTx, id: u64) -> Result<Post> {
    if let Some(there) = tx.get(&POSTS, id)? {
        return Ok(there.post);
    }
    let removed = REMOVED.remove(tx, id)?.ok_or_else(not_there)?;
    write(tx, removed.row)
}

fn write(tx: &WriteTx, row: Row) -> Result<Post> {
    // An address that somebody has typed may lead to no file: that is no reason to lose the text.
    let mut files = Vec::new();
    for file in pictures(&row.post.body) {
        if blobs::find(tx, &file)?.is_some() {
            files.push(file);
        }
    }
    let row = Row { files, ..row };
    POSTS.put(tx, &row)?;
    tx.announce(CHANGED);
    Ok(row.post)
}

fn number(status: Status) -> u64 {
    match status {
        Status::Draft => 0,
        Status::Published => 1,
    }
}

fn day_number(row: &Row) -> u64 {
    u64::try_from(row.post.date.num_days_from_ce()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
