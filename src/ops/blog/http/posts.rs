//! Posts: the list, one, and what becomes of it.

use chrono::{DateTime, NaiveDate, Utc};
use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::super::model::{Head, Markdown, NewPost, Post, PostChanges, Status, Tag};
use super::super::store::{self, Wanted};
use super::super::work::{self, FoundPost, FoundPosts, Looked, Piece};
use hanok_base::page::{Limit, Offset};
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::{Page, Request};
use hanok_calc::markdown::Reading;
use hanok_platform::app::App;
use hanok_platform::http::{
    Checked, CheckedQuery, Created, HandlerResult, Household, Id, IdempotencyKey, Json, UncachedJson, tx_op,
    validated_tx_op,
};
use hanok_platform::store::WriteTx;

/// How many posts a list gives when nobody says otherwise.
const USUAL: usize = 50;
/// A post of as many characters as one may have, with what JSON adds to it.
const MOST_BYTES: u64 = 2 << 20;

/// Which posts are wanted.
#[derive(Debug, Request)]
#[request(query)]
pub struct PostsWanted {
    /// Words or parts of words that they say, in any order; then the best stand first.
    #[field(Text<1, 200>)]
    pub q: Option<String>,
    /// Only what bears this tag.
    #[field(Tag)]
    pub tag: Option<String>,
    /// Only of this status; left out it is both.
    pub status: Option<Status>,
    /// Whether with what they say; left out it is.
    pub body: Option<bool>,
    /// How many; left out it is 50.
    #[field(Limit)]
    pub limit: Option<usize>,
    /// How many to pass over first.
    #[field(Offset, default)]
    pub offset: usize,
}

/// Posts.
#[derive(Debug, Serialize, ToSchema)]
pub struct Posts {
    /// By their day, the newest first; those that were found by words, the best first. With what they say there may be
    /// fewer than asked for, when that is long: `offset` goes on from there.
    pub posts: Vec<ListedPost>,
    /// How many there are on all pages.
    pub total: u64,
    /// Whether everything that was written before this was asked has been looked at; otherwise the index of words is
    /// behind, or is being made anew.
    pub complete: bool,
}

/// A post in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedPost {
    /// Its id.
    pub id: u64,
    /// What it is called; a draft may have no title yet.
    pub title: String,
    /// Its tags, in their order.
    pub tags: Vec<String>,
    /// What it says, in Markdown; null where that is not wanted.
    pub body: Option<String>,
    /// The day that it is of.
    pub date: NaiveDate,
    /// What was given for lists, or else how it begins.
    pub excerpt: String,
    /// Whether the excerpt was given.
    pub excerpt_given: bool,
    /// Whether it is for readers.
    pub status: Status,
    /// Counts its changes, from 1.
    pub version: u64,
    /// How many words it has.
    pub words: u64,
    /// How many minutes it takes to read, rounded up.
    pub minutes: u64,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
    /// The title with what was looked for in it; empty where nothing was.
    pub marked: Vec<Piece>,
    /// Where in the text it was found; empty where nothing was looked for.
    pub found: Vec<Piece>,
}

/// A post that is gone.
#[derive(Debug, Serialize, ToSchema)]
pub struct RemovedPost {
    /// Always true.
    pub ok: bool,
    /// As it was. For a while it can be brought back.
    pub post: Post,
}

/// Posts that are gone and can be brought back.
#[derive(Debug, Serialize, ToSchema)]
pub struct RemovedPosts {
    /// The last one first, at most a hundred.
    pub posts: Vec<ListedRemoved>,
}

/// A post that is gone and can be brought back, in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedRemoved {
    /// Its id.
    pub id: u64,
    /// What it is called; a draft may have no title yet.
    pub title: String,
    /// The day that it is of.
    pub date: NaiveDate,
    /// What was given for lists, or else how it begins.
    pub excerpt: String,
    /// Whether it was for readers, and is again when it is brought back.
    pub status: Status,
    /// When it was removed; null where that is not known.
    pub removed_at: Option<DateTime<Utc>>,
}

/// A text to be looked at.
#[derive(Debug, Request)]
pub struct TextToShow {
    /// The text, in Markdown.
    #[field(Markdown)]
    pub body: String,
}

/// A text as readers see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Preview {
    /// The text as HTML that no browser executes.
    pub html: String,
    /// How it begins.
    pub excerpt: String,
    /// How many words it has.
    pub words: u64,
    /// How many minutes it takes to read, rounded up.
    pub minutes: u64,
}

/// The tags of the posts.
#[derive(Debug, Serialize, ToSchema)]
pub struct PostTags {
    /// The most frequent first.
    pub tags: Vec<PostTag>,
}

/// A tag of posts.
#[derive(Debug, Serialize, ToSchema)]
pub struct PostTag {
    /// The tag.
    pub name: String,
    /// How many posts bear it.
    pub count: u64,
}

/// The posts.
#[endpoint(operation_id = "blog_list", tags("blog"))]
pub async fn list(app: App, _caller: Household, wanted: CheckedQuery<PostsWanted>) -> HandlerResult<Json<Posts>> {
    let PostsWanted { q, tag, status, body, limit, offset } = wanted.0;
    let page = Page { limit: limit.unwrap_or(USUAL), offset };
    let wanted = Wanted { tag, status, with_bodies: body.unwrap_or(true), page };
    let FoundPosts { posts, total, is_fresh } = match q {
        Some(words) => work::found(&app, &words, wanted).await?,
        None => app.data.store.read(move |tx| store::list(tx, &wanted)).await?.into(),
    };
    Ok(Json(Posts { posts: posts.into_iter().map(ListedPost::from).collect(), total, complete: is_fresh }))
}

/// A post.
#[endpoint(operation_id = "blog_find", tags("blog"))]
pub async fn find(app: App, _caller: Household, id: Id) -> HandlerResult<Json<Post>> {
    Ok(Json(app.data.store.read_inline(move |tx| store::find(tx, id.0)).await?))
}

/// Adds a post.
#[endpoint(operation_id = "blog_add", tags("blog"))]
pub async fn add(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    new: Checked<NewPost, MOST_BYTES>,
) -> HandlerResult<Created<Post>> {
    let write = validated_tx_op(|now| {
        let row = new.0.into_row(now)?;
        Ok(|tx: &WriteTx| store::add(tx, row))
    });
    Ok(Created(key.once(&app, &caller, write).await?))
}

/// Changes the fields that are sent.
#[endpoint(operation_id = "blog_change", tags("blog"))]
pub async fn change(
    app: App,
    _caller: Household,
    id: Id,
    changes: Checked<PostChanges, MOST_BYTES>,
) -> HandlerResult<Json<Post>> {
    Ok(Json(app.data.store.write(move |tx| store::change(tx, id.0, changes.0)).await?))
}

/// Removes a post.
#[endpoint(operation_id = "blog_remove", tags("blog"))]
pub async fn remove(app: App, _caller: Household, id: Id) -> HandlerResult<Json<RemovedPost>> {
    let post = app.data.store.write(move |tx| store::remove(tx, id.0)).await?;
    Ok(Json(RemovedPost { ok: true, post }))
}

/// The posts that were removed and can be brought back.
#[endpoint(operation_id = "blog_removed", tags("blog"))]
pub async fn list_removed(app: App, _caller: Household) -> HandlerResult<Json<RemovedPosts>> {
    let removed = app.data.store.read(|tx| store::list_removed(tx)).await?;
    let listed = |(head, removed_at): (Head, Option<DateTime<Utc>>)| {
        let Head { id, title, date, excerpt, status, .. } = head;
        ListedRemoved { id, title, date, excerpt, status, removed_at }
    };
    Ok(Json(RemovedPosts { posts: removed.into_iter().map(listed).collect() }))
}

/// Brings back a post that was removed; one that is there stays as it is.
#[endpoint(operation_id = "blog_restore", tags("blog"))]
pub async fn restore(app: App, caller: Household, key: IdempotencyKey, id: Id) -> HandlerResult<Json<Post>> {
    Ok(Json(key.once(&app, &caller, tx_op(move |tx| store::restore(tx, id.0))).await?))
}

/// A text as readers see it. Takes no Idempotency-Key: nothing is written.
#[endpoint(operation_id = "blog_preview", tags("blog"))]
pub async fn preview(
    _caller: Household,
    text: Checked<TextToShow, MOST_BYTES>,
) -> HandlerResult<UncachedJson<Preview>> {
    Ok(UncachedJson(Preview::from(work::look_at(text.0.body).await?)))
}

/// The tags of the posts.
#[endpoint(operation_id = "blog_tags", tags("blog"))]
pub async fn list_tags(app: App, _caller: Household) -> HandlerResult<Json<PostTags>> {
    let tags = app.data.store.read(|tx| store::tags(tx)).await?;
    Ok(Json(PostTags { tags: tags.into_iter().map(|(name, count)| PostTag { name, count }).collect() }))
}

impl From<Looked> for Preview {
    fn from(Looked { html, reading: Reading { excerpt, words, minutes, .. } }: Looked) -> Preview {
        Preview { html, excerpt, words, minutes }
    }
}

impl From<FoundPost> for ListedPost {
    fn from(FoundPost { head, body, title: marked, text: found }: FoundPost) -> ListedPost {
        let Head { id, title, tags, date, excerpt, excerpt_given, status, version, words, minutes, .. } = head;
        let Head { created_at, updated_at, .. } = head;
        ListedPost {
            id,
            title,
            tags,
            body,
            date,
            excerpt,
            excerpt_given,
            status,
            version,
            words,
            minutes,
            created_at,
            updated_at,
            marked,
            found,
        }
    }
}
