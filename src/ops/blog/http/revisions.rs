//! What posts said before.

use chrono::{DateTime, NaiveDate, Utc};
use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::super::model::{Post, Revision, Status};
use super::super::store::{self, RevisionHead};
use hanok_base::schema::ToSchema;
use hanok_calc::markdown::{Part, difference};
use hanok_platform::app::App;
use hanok_platform::http::{HandlerResult, Household, Id, IdempotencyKey, Json, tx_op};

/// What a post said before.
#[derive(Debug, Serialize, ToSchema)]
pub struct Revisions {
    /// The last one first, at most 50. Of what is saved while somebody writes, one is kept every ten minutes.
    pub revisions: Vec<ListedRevision>,
}

/// What a post said before, in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedRevision {
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

/// What a post said before, beside what it says now.
#[derive(Debug, Serialize, ToSchema)]
pub struct WholeRevision {
    /// The version of the post that it was.
    pub number: u64,
    /// When it was written.
    pub written_at: DateTime<Utc>,
    /// When another came in its place.
    pub replaced_at: DateTime<Utc>,
    /// What it was called.
    pub title: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// What it said.
    pub body: String,
    /// The day that it was of.
    pub date: NaiveDate,
    /// The excerpt that was given; null: how it began.
    pub excerpt: Option<String>,
    /// Whether it was for readers.
    pub status: Status,
    /// The version of the post that it is compared with.
    pub now: u64,
    /// What became of the title.
    pub title_difference: Vec<Part>,
    /// What became of the text, word by word.
    pub difference: Vec<Part>,
    /// What became of the excerpt that was given; one that was not says nothing.
    pub excerpt_difference: Vec<Part>,
    /// The tags that the post has no more.
    pub tags_removed: Vec<String>,
    /// The tags that it has got since.
    pub tags_added: Vec<String>,
    /// The day that it is of now.
    pub date_now: NaiveDate,
    /// Whether it is for readers now.
    pub status_now: Status,
}

/// What a post said before.
#[endpoint(operation_id = "blog_revisions", tags("blog"))]
pub async fn list(app: App, _caller: Household, id: Id) -> HandlerResult<Json<Revisions>> {
    let revisions = app.data.store.read(move |tx| store::list_revisions(tx, id.0)).await?;
    Ok(Json(Revisions { revisions: revisions.into_iter().map(ListedRevision::from).collect() }))
}

/// What a post said in one version, and what became of it.
#[endpoint(operation_id = "blog_revision", tags("blog"))]
pub async fn find(app: App, _caller: Household, id: Id, number: Id) -> HandlerResult<Json<WholeRevision>> {
    let compared = app.data.store.read(move |tx| {
        let (then, now) = store::find_revision(tx, id.0, number.0)?;
        Ok(WholeRevision::of(then, now))
    });
    Ok(Json(compared.await?))
}

/// Lets a post say again what it said in one version, with its tags and its day. Whether it is for readers stays as it is,
/// unless that version has no title: then it is a draft. What it says now is kept, as one more.
#[endpoint(operation_id = "blog_revision_restore", tags("blog"))]
pub async fn restore(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    id: Id,
    number: Id,
) -> HandlerResult<Json<Post>> {
    Ok(Json(key.once(&app, &caller, tx_op(move |tx| store::restore_revision(tx, id.0, number.0))).await?))
}

impl WholeRevision {
    fn of(then: Revision, now: Post) -> WholeRevision {
        let given_now = if now.excerpt_given { now.excerpt.as_str() } else { "" };
        WholeRevision {
            now: now.version,
            title_difference: difference(&then.title, &now.title),
            difference: difference(&then.body, &now.body),
            excerpt_difference: difference(then.excerpt.as_deref().unwrap_or_default(), given_now),
            tags_removed: without(&then.tags, &now.tags),
            tags_added: without(&now.tags, &then.tags),
            date_now: now.date,
            status_now: now.status,
            number: then.number,
            written_at: then.written_at,
            replaced_at: then.replaced_at,
            title: then.title,
            tags: then.tags,
            body: then.body,
            date: then.date,
            excerpt: then.excerpt,
            status: then.status,
        }
    }
}

/// Those of `tags` that are not among `others`.
fn without(tags: &[String], others: &[String]) -> Vec<String> {
    tags.iter().filter(|tag| !others.contains(tag)).cloned().collect()
}

impl From<RevisionHead> for ListedRevision {
    fn from(head: RevisionHead) -> ListedRevision {
        let RevisionHead { number, written_at, replaced_at, title, date, words } = head;
        ListedRevision { number, written_at, replaced_at, title, date, words }
    }
}
