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
use hanok_base::patch::{Changed, Clearable};
use hanok_base::schema::ToSchema;
use hanok_base::sent::Any;
use hanok_base::{Error, Kind, Result, Sent, Sentence, must};
use hanok_calc::markdown;
use hanok_platform::blobs::BlobId;

pub use file::{first_name_of, from_file, name_in_order, name_of, to_file};
pub use pictures::{leading_beside, leading_inside, links_beside, pictures, place_beside, plain, possible};
pub use revision::Revision;
pub use sent::{Excerpt, Markdown, Tag, Tags, Title, Version};

/// Somebody else has changed the post since.
pub const NEWER_THERE: Code = Code::new("NEWER_VERSION", Kind::Conflict);

const NEWER: Sentence =
    Sentence::new("blog.newer", "version {there} of this post is there; this change was made on version {here}");

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
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewPost {
    /// What it is called; only a draft may have no title.
    #[serde(default)]
    pub title: Option<Sent<Title>>,
    /// Its tags.
    #[serde(default)]
    pub tags: Option<Sent<Tags>>,
    /// What it says, in Markdown.
    #[serde(default)]
    pub body: Option<Sent<Markdown>>,
    /// The day that it is of; left out it is today.
    #[serde(default)]
    pub date: Option<Sent<Day>>,
    /// What lists show of it; left out or empty it is how it begins.
    #[serde(default)]
    pub excerpt: Option<Sent<Excerpt>>,
    /// Whether it is for readers; left out it is.
    #[serde(default)]
    pub status: Option<Sent<Any<Status>>>,
}

/// The fields that change; the others stay.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct PostChanges {
    /// What it is called; only a draft may have no title.
    #[serde(default)]
    pub title: Changed<Title>,
    /// Its tags.
    #[serde(default)]
    pub tags: Changed<Tags>,
    /// What it says, in Markdown.
    #[serde(default)]
    pub body: Changed<Markdown>,
    /// The day that it is of.
    #[serde(default)]
    pub date: Changed<Day>,
    /// What lists show of it; null or empty: how it begins.
    #[serde(default)]
    pub excerpt: Clearable<Excerpt>,
    /// Whether it is for readers.
    #[serde(default)]
    pub status: Changed<Any<Status>>,
    /// The version that this change was made on. Where another is there meanwhile, and it says something else, nothing is
    /// changed. Left out it is whatever is there.
    #[serde(default)]
    pub version: Option<Sent<Version>>,
    /// Whether what is there was written by somebody else and gives way to this change: then it is kept among what the post
    /// said before, however little time has passed. Left out it is not.
    #[serde(default)]
    pub gives_way: Option<Sent<Any<bool>>>,
}

impl NewPost {
    /// The post as it is added at `now`; it has no id yet.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field.
    pub fn into_row(self, now: DateTime<Utc>) -> Result<Row> {
        let was_titled = self.title.is_some();
        let post = Check::of(|check| {
            let mut post = Row::at(now).post;
            post.title = self.title.map(|title| check.take("title", title)).unwrap_or_default();
            post.tags = self.tags.map(|tags| check.take("tags", tags)).unwrap_or_default();
            post.body = self.body.map(|body| check.take("body", body)).unwrap_or_default();
            post.date = self.date.map_or(post.date, |date| check.take("date", date));
            post.excerpt = self.excerpt.map(|excerpt| check.take("excerpt", excerpt)).unwrap_or_default();
            post.excerpt_given = !post.excerpt.is_empty();
            post.status = self.status.map(|status| check.take("status", status)).unwrap_or_default();
            check.require(post.may_stand(), "title", if was_titled { must::NOT_EMPTY } else { must::PRESENT });
            post
        })?;
        Ok(Row { post, ..Row::at(now) }.read())
    }
}

impl PostChanges {
    /// The same, when nothing of it is refused at `now`, whatever post it changes.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field.
    pub fn checked(self, now: DateTime<Utc>) -> Result<PostChanges> {
        let mut any = Row::at(now);
        any.post.title.push('-');
        any.post.status = Status::Draft;
        let refused = self.clone().apply(any, now).err().filter(|error| error.kind == Kind::InvalidInput);
        refused.map_or(Ok(self), Err)
    }

    /// Whether what is there was written by somebody else and gives way.
    pub fn gives_way(&self) -> bool {
        let sent = self.gives_way.clone();
        Check::of(|check| sent.is_some_and(|sent| check.take("gives_way", sent))).unwrap_or_default()
    }

    /// `row` with the changes made at `now`; as it is, when it says that already.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field; `NEWER_VERSION` when another version is there than the one that the
    /// change was made on, and it says something else.
    pub fn apply(self, row: Row, now: DateTime<Utc>) -> Result<Row> {
        let mut post = row.post.clone();
        let made_on = Check::of(|check| {
            check.change("title", self.title, &mut post.title);
            check.change("tags", self.tags, &mut post.tags);
            check.change("body", self.body, &mut post.body);
            check.change("date", self.date, &mut post.date);
            check.change("status", self.status, &mut post.status);
            if self.excerpt.is_sent() {
                check.change_or_empty("excerpt", self.excerpt, &mut post.excerpt);
                post.excerpt_given = !post.excerpt.is_empty();
            }
            check.require(post.may_stand(), "title", must::NOT_EMPTY);
            // What it says is heard by `gives_way`; here it is looked at with the others.
            if let Some(gives_way) = self.gives_way {
                check.take("gives_way", gives_way);
            }
            self.version.map(|version| check.take("version", version))
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
        self.post.body = Check::of(|check| check.take("body", Sent::<Markdown>::of(body)))?;
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
