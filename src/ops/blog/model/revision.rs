//! What a post said before, and when that is worth keeping.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::{Post, Row, Status};
use hanok_platform::blobs::BlobId;

/// What a post said before it was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// The post.
    pub post_id: u64,
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
    /// The excerpt that was given; none: how it began.
    pub excerpt: Option<String>,
    /// Whether it was for readers.
    pub status: Status,
    /// How many words it had.
    pub words: u64,
    /// The files that it showed or led to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<BlobId>,
}

/// Whoever writes is saved again and again: what was replaced is kept once in so long.
const SITTING: Duration = Duration::minutes(10);
/// Less text than this may go without being kept.
const LITTLE: usize = 200;

impl Revision {
    /// What `before` said, when it is worth keeping now that `after` comes in its place: nothing was kept for ten minutes
    /// (`kept_at`), it was given to readers or taken from them, or much of its text goes.
    pub fn of(before: &Row, after: &Row, kept_at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Option<Revision> {
        let since = now - kept_at.unwrap_or(before.post.created_at);
        let (old, new) = (before.post.body.len(), after.post.body.len());
        let goes = old >= LITTLE && new * 2 <= old;
        // A clock that was set back says nothing of how long it was.
        let is_worth = since >= SITTING || since < Duration::zero() || goes || before.post.status != after.post.status;
        is_worth.then(|| Revision::whole(before, now))
    }

    /// What `row` says, as it is replaced at `now`.
    pub fn whole(row: &Row, now: DateTime<Utc>) -> Revision {
        let Post { id, title, tags, body, date, excerpt, excerpt_given, status, version, words, .. } = row.post.clone();
        Revision {
            post_id: id,
            number: version,
            written_at: row.post.updated_at,
            replaced_at: now,
            title,
            tags,
            body,
            date,
            excerpt: excerpt_given.then_some(excerpt),
            status,
            words,
            files: row.files.clone(),
        }
    }

    /// `row` with what it said then. Who reads it goes on reading it, and what was taken back stays so; where it had no
    /// title then, it is a draft again.
    pub fn again(self, row: &Row, now: DateTime<Utc>) -> Row {
        let mut post = row.post.clone();
        (post.title, post.tags, post.body) = (self.title, self.tags, self.body);
        post.date = self.date;
        post.excerpt_given = self.excerpt.is_some();
        post.excerpt = self.excerpt.unwrap_or_default();
        let again = Row { post, ..row.clone() }.read();
        if again == *row { again } else { again.changed(now) }
    }
}
