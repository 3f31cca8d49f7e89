//! A post and its rules.

mod file;
mod pictures;
mod readers;
mod revision;
mod sent;
pub mod site;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::day::{self, Day};
use hanok_base::error::{Check, Code};
use hanok_base::schema::ToSchema;
use hanok_base::validated::Unchecked;
use hanok_base::{Error, Kind, MessageTemplate, Request, Result, Validated, validation_messages};
use hanok_calc::markdown;
use hanok_platform::blobs::BlobId;

pub use file::{first_name_of, from_file, name_in_order, name_of, to_file};
pub use pictures::{leading_beside, leading_inside, links_beside, pictures, place_beside, plain, possible};
pub use revision::Revision;
pub use sent::{Excerpt, Markdown, Tag, Tags, Title, Version};

/// Somebody else has changed the post since.
pub const NEWER_THERE: Code = Code::new("NEWER_VERSION", Kind::Conflict);

const NEWER: MessageTemplate =
    MessageTemplate::new("blog.newer", "version {there} of this post is there; this change was made on version {here}");

/// Whether a post is for readers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is still being written: it stands in no feed.
    Draft,
    /// It is for readers.
    #[default]
    Published,
}

/// A post.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Post {
    /// Ever increasing, never reused.
    pub id: u64,
    /// What it is called; a draft may have no title yet.
    pub title: String,
    /// Its tags, in their order.
    pub tags: Vec<String>,
    /// What it says, in Markdown.
    pub body: String,
    /// The day that it is of.
    pub date: NaiveDate,
    /// What lists show of it: what was given, or else how it begins.
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
}

/// What lists show of a post.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    pub id: u64,
    pub title: String,
    pub tags: Vec<String>,
    pub date: NaiveDate,
    pub excerpt: String,
    pub excerpt_given: bool,
    pub status: Status,
    pub version: u64,
    pub words: u64,
    pub minutes: u64,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// A post as it is stored, with what is derived from what it says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The post.
    pub post: Post,
    /// What it says without the marks of Markdown.
    pub plain: String,
    /// Fields of the file that it came in which posts do not have, as they were written there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub others: String,
    /// The files that it shows or leads to and that were there when it was written: as long as it does, nobody takes them away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<BlobId>,
}

/// A post that was removed, as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// The post.
    pub row: Row,
    /// Counts removals.
    pub order: u64,
    /// When it was removed; none where an earlier version did that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<DateTime<Utc>>,
}

/// A post to be added.
#[derive(Debug, Request)]
pub struct NewPost {
    /// What it is called; only a draft may have no title.
    #[field(Title)]
    pub title: Option<String>,
    /// Its tags.
    #[field(Tags, default)]
    pub tags: Vec<String>,
    /// What it says, in Markdown.
    #[field(Markdown, default)]
    pub body: String,
    /// The day that it is of; left out it is today.
    #[field(Day)]
    pub date: Option<NaiveDate>,
    /// What lists show of it; left out or empty it is how it begins.
    #[field(Excerpt, default)]
    pub excerpt: String,
    /// Whether it is for readers; left out it is.
    #[field(Unchecked<Status>, default)]
    pub status: Status,
}

/// The fields that change; the others stay.
#[derive(Debug, Clone, Default, Request)]
#[request(changes = Post)]
pub struct PostChanges {
    /// What it is called; only a draft may have no title.
    #[field(Title, change)]
    pub title: Option<String>,
    /// Its tags.
    #[field(Tags, change)]
    pub tags: Option<Vec<String>>,
    /// What it says, in Markdown.
    #[field(Markdown, change)]
    pub body: Option<String>,
    /// The day that it is of.
    #[field(Day, change)]
    pub date: Option<NaiveDate>,
    /// What lists show of it; null or empty: how it begins.
    #[field(Excerpt, clear)]
    pub excerpt: Option<Option<String>>,
    /// Whether it is for readers.
    #[field(Unchecked<Status>, change)]
    pub status: Option<Status>,
    /// The version that this change was made on. Where another is there meanwhile, and it says something else, nothing is
    /// changed. Left out it is whatever is there.
    #[field(Version)]
    pub version: Option<u64>,
    /// Whether what is there was written by somebody else and is overwritten by this change: then it is kept among what the
    /// post said before, however little time has passed. Left out it is not.
    #[field(Unchecked<bool>, default)]
    pub overwrite: bool,
}

impl NewPost {
    /// The post as it is added at `now`; it has no id yet.
    ///
    /// # Errors
    /// `INVALID_INPUT` where it has no title and is for readers.
    pub fn into_row(self, now: DateTime<Utc>) -> Result<Row> {
        let NewPost { title, tags, body, date, excerpt, status } = self;
        let missing = if title.is_some() { validation_messages::NOT_EMPTY } else { validation_messages::PRESENT };
        let row = Row::at(now);
        let (title, date) = (title.unwrap_or_default(), date.unwrap_or(row.post.date));
        let excerpt_given = !excerpt.is_empty();
        let post = Post { title, tags, body, date, excerpt, excerpt_given, status, ..row.post };
        Check::of(|check| {
            check.require(post.may_stand(), "title", missing);
        })?;
        Ok(Row { post, ..Row::at(now) }.read())
    }
}

impl PostChanges {
    /// `row` with the changes made at `now`; as it is, when it says that already.
    ///
    /// # Errors
    /// `INVALID_INPUT` where it would be for readers and have no title; `NEWER_VERSION` when another version is there than
    /// the one that the change was made on, and it says something else.
    pub fn apply(self, row: Row, now: DateTime<Utc>) -> Result<Row> {
        let made_on = self.version;
        let names_excerpt = self.excerpt.is_some();
        let mut post = row.post.clone();
        self.apply_to(&mut post);
        if names_excerpt {
            post.excerpt_given = !post.excerpt.is_empty();
        }
        Check::of(|check| {
            check.require(post.may_stand(), "title", validation_messages::NOT_EMPTY);
        })?;
        let changed = Row { post, ..row.clone() }.read();
        if changed == row {
            return Ok(row);
        }
        if let Some(here) = made_on.filter(|here| *here != row.post.version) {
            let versions = [("there", row.post.version.into()), ("here", here.into())];
            return Err(Error::of(NEWER_THERE, NEWER.with(versions)));
        }
        Ok(changed.changed(now))
    }
}

impl Post {
    /// Whether it has a title, or needs none: only a draft may have none.
    fn may_stand(&self) -> bool {
        self.status == Status::Draft || !self.title.is_empty()
    }

    /// A number that is the same for posts with the same title, day and text, on every machine (FNV-1a, 64 bits).
    pub fn saying(&self) -> u64 {
        let day = self.date.to_string();
        let parts = [self.title.as_str(), "\0", &day, "\0", &self.body];
        let bytes = parts.into_iter().flat_map(str::bytes);
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}

impl Row {
    /// Nothing yet, at `now`.
    fn at(now: DateTime<Utc>) -> Row {
        let post = Post {
            id: 0,
            title: String::new(),
            tags: Vec::new(),
            body: String::new(),
            date: day::of(now),
            excerpt: String::new(),
            excerpt_given: false,
            status: Status::Published,
            version: 1,
            words: 0,
            minutes: 0,
            created_at: now,
            updated_at: now,
        };
        Row { post, plain: String::new(), others: String::new(), files: Vec::new() }
    }

    /// The same with what is derived from what it says. Every post is made by it, and none without a title is for
    /// readers: whoever asks for that is refused before, and what comes to it otherwise is a draft.
    fn read(mut self) -> Row {
        let markdown::Reading { text, excerpt, words, minutes } = markdown::read(&self.post.body);
        let post = &mut self.post;
        if !post.excerpt_given {
            post.excerpt = excerpt;
        }
        (post.words, post.minutes) = (words, minutes);
        if !post.may_stand() {
            post.status = Status::Draft;
        }
        Row { plain: text, ..self }
    }

    /// The same, saying `body`.
    ///
    /// # Errors
    /// `INVALID_INPUT` where no post says that.
    pub fn saying(mut self, body: String) -> Result<Row> {
        self.post.body = Check::of(|check| check.take("body", Validated::<Markdown>::of(body)))?;
        Ok(self.read())
    }

    /// The same as it was changed at `now`.
    fn changed(mut self, now: DateTime<Utc>) -> Row {
        self.post.version += 1;
        self.post.updated_at = now;
        self
    }

    /// What lists show of it.
    pub fn head(&self) -> Head {
        let Post { id, title, tags, date, excerpt, excerpt_given, status, version, words, minutes, .. } =
            self.post.clone();
        let Post { created_at, updated_at, .. } = self.post;
        Head { id, title, tags, date, excerpt, excerpt_given, status, version, words, minutes, created_at, updated_at }
    }
}

#[cfg(test)]
mod tests;
