//! Posts as files in one, out of the house and into it.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::super::model::site::{self, Frame};
use super::super::model::{Post, Row, Status, from_file, name_of, to_file};
use super::super::store;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Kind, Result, Sentence, day};
use hanok_calc::zip::{self, Archive, Flaw};
use hanok_platform::app::App;
use hanok_platform::store::Reads;

const NO_ARCHIVE: Sentence = Sentence::new("blog.must.be_zip", "must be a zip that is whole");
const TOO_MUCH: Sentence =
    Sentence::new("blog.must.hold_less", "must hold at most {files} files of {mebibytes} MiB together");
const NO_ROOM: Sentence = Sentence::new("blog.more_than_one_file", "the posts are more than one zip can hold");

/// What posts become.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// A file in Markdown for each post.
    Markdown,
    /// Pages of what is published.
    Site(Frame),
}

/// What became of the files that were brought.
#[derive(Debug, Default)]
pub struct Imported {
    /// How many became posts.
    pub added: u64,
    /// How many say the same as a post that is there.
    pub repeated: u64,
    /// Those that can be no post, by their names, as many as are named.
    pub refused: Vec<(String, FileReason)>,
    /// How many can be no post.
    pub refused_count: u64,
    /// How many other files were passed over.
    pub others: u64,
}

/// Why a file can be no post.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileReason {
    /// It has a password, or was packed in another way.
    NotOpened,
    /// It is larger than any post.
    TooLarge,
    /// It is another than was packed.
    Damaged,
    /// It is no text in UTF-8.
    NotText,
    /// It has no title, or one that is too long.
    Title,
    /// It has too many tags, or one that is too long.
    Tags,
    /// Its day is none.
    Date,
    /// Its excerpt is too long.
    Excerpt,
    /// What it says is too long, or has signs that no text has.
    Body,
    /// Its other fields are too long.
    Fields,
}

/// A file of more bytes is no post.
const MOST_OF_FILE: usize = 1 << 20;
/// So many files are read.
const MOST_FILES: usize = 20_000;
/// So many MiB they may have together, opened.
const MOST_MEBIBYTES: usize = 128;
/// How many files that are refused are named.
const NAMED: usize = 100;
/// So many posts are written in one transaction: who writes meanwhile waits for no more.
const AT_ONCE: usize = 100;
/// How many posts a feed has.
const IN_FEED: usize = 20;

/// The posts as files in one, and a name for it.
///
/// # Errors
/// `TOO_LARGE` where one file cannot hold them.
pub async fn exported(app: &App, form: Form) -> Result<(String, Vec<u8>)> {
    let packed = app.data.store.read_in_turn(move |tx| match form {
        Form::Markdown => as_markdown(tx),
        Form::Site(frame) => as_site(tx, frame),
    });
    let bytes = packed.await?;
    let what = if matches!(form, Form::Markdown) { "posts" } else { "site" };
    Ok((format!("{what}-{}.zip", day::of(app.clock.now())), bytes))
}

fn as_markdown(tx: &impl Reads) -> Result<Vec<u8>> {
    let (mut archive, mut taken) = (Archive::default(), BTreeSet::new());
    store::each(tx, None, &mut |row: Row| {
        let name = format!("{}.md", name_of(&row.post, &mut taken));
        put(&mut archive, &name, row.post.updated_at, &to_file(&row))
    })?;
    Ok(archive.finish())
}

fn as_site(tx: &impl Reads, frame: Frame) -> Result<Vec<u8>> {
    let (mut archive, mut taken) = (Archive::default(), BTreeSet::new());
    let (mut listed, mut fed) = (Vec::new(), Vec::new());
    store::each(tx, Some(Status::Published), &mut |row: Row| {
        let name = name_of(&row.post, &mut taken);
        let page = site::page(frame, &row.post);
        put(&mut archive, &format!("posts/{name}.html"), row.post.updated_at, &page)?;
        let body = String::new();
        listed.push((name.clone(), Post { body, ..row.post.clone() }));
        if fed.len() < IN_FEED {
            fed.push((name, row));
        }
        Ok(())
    })?;
    let newest = listed.iter().map(|(_, post)| post.updated_at).max().unwrap_or_default();
    put(&mut archive, "index.html", newest, &site::index(frame, &listed))?;
    let (names, rows): (Vec<String>, Vec<Row>) = fed.into_iter().unzip();
    let name_of = |post: &Post| {
        let place = rows.iter().position(|row| row.post.id == post.id);
        place.map_or(String::new(), |place| format!("posts/{}.html", names[place]))
    };
    put(&mut archive, "feed.xml", newest, &site::feed(frame, &rows, name_of))?;
    Ok(archive.finish())
}

fn put(archive: &mut Archive, name: &str, at: DateTime<Utc>, text: &str) -> Result<()> {
    let at = at.with_timezone(&day::ZONE).naive_local();
    let is_in = archive.add(name, at, text.as_bytes());
    if is_in { Ok(()) } else { Err(Error::new(Kind::TooLarge, NO_ROOM)) }
}

/// The last posts that are published, as a feed.
///
/// # Errors
/// Those of the store.
pub async fn feed(app: &App, frame: Frame) -> Result<Vec<u8>> {
    let written = app.data.store.read(move |tx| {
        let rows = store::newest(tx, IN_FEED)?;
        Ok(site::feed(frame, &rows, |post| format!("/blog/write?post={}", post.id)))
    });
    Ok(written.await?.into_bytes())
}

/// Adds the posts in the files in Markdown of `archive`. What is added before a failure stays: brought again, it is left
/// out.
///
/// # Errors
/// `INVALID_INPUT` when it is no zip, or holds more than is read.
pub async fn imported(app: &App, archive: Vec<u8>) -> Result<Imported> {
    let (rows, mut imported) = app.data.store.read_in_turn(move |tx| read(&archive, tx)).await?;
    for some in rows.chunks(AT_ONCE).map(<[Row]>::to_vec) {
        let count = some.len() as u64;
        let added = app.data.store.write(move |tx| store::bring(tx, some)).await?;
        imported.added += added;
        imported.repeated += count - added;
    }
    Ok(imported)
}

/// The posts in `archive`, and what is said of the other files.
fn read(archive: &[u8], tx: &impl Reads) -> Result<(Vec<Row>, Imported)> {
    let files = zip::files(archive).map_err(|_| Error::field("file", NO_ARCHIVE))?;
    let too_much = || {
        let bounds = [("files", MOST_FILES.into()), ("mebibytes", MOST_MEBIBYTES.into())];
        Error::field("file", TOO_MUCH.with(bounds))
    };
    if files.len() > MOST_FILES {
        return Err(too_much());
    }
    let (mut rows, mut imported, mut bytes) = (Vec::new(), Imported::default(), 0);
    for file in files {
        tx.while_waited_for()?;
        if !is_post(&file.name) {
            imported.others += 1;
            continue;
        }
        let opened = file.open(archive, MOST_OF_FILE);
        bytes += opened.as_ref().map_or(0, Vec::len);
        if bytes > MOST_MEBIBYTES << 20 {
            return Err(too_much());
        }
        match opened.map_err(FileReason::from).and_then(|bytes| row(&file.name, bytes, tx.now())) {
            Ok(row) => rows.push(row),
            Err(reason) => {
                imported.refused_count += 1;
                if imported.refused.len() < NAMED {
                    imported.refused.push((file.name, reason));
                }
            }
        }
    }
    Ok((rows, imported))
}

/// A file in Markdown that somebody has written: systems add some of their own, whose names begin with a point.
fn is_post(name: &str) -> bool {
    let mut parts = name.split(['/', '\\']);
    let is_of_system = parts.any(|part| part == "__MACOSX" || (part.starts_with('.') && part.len() > 1));
    let end = name.rsplit_once('.').map_or("", |(_, end)| end).to_lowercase();
    !is_of_system && matches!(end.as_str(), "md" | "markdown")
}

fn row(name: &str, bytes: Vec<u8>, now: DateTime<Utc>) -> Result<Row, FileReason> {
    let text = String::from_utf8(bytes).map_err(|_| FileReason::NotText)?;
    from_file(name, &text, now).map_err(|error| {
        let refused = |field: &str| error.fields.keys().any(|key| key.starts_with(field));
        let reasons = [
            ("title", FileReason::Title),
            ("tags", FileReason::Tags),
            ("date", FileReason::Date),
            ("excerpt", FileReason::Excerpt),
            ("fields", FileReason::Fields),
        ];
        reasons.into_iter().find(|(field, _)| refused(field)).map_or(FileReason::Body, |(_, reason)| reason)
    })
}

impl From<Flaw> for FileReason {
    fn from(flaw: Flaw) -> FileReason {
        match flaw {
            Flaw::NotRead => FileReason::NotOpened,
            Flaw::TooLarge => FileReason::TooLarge,
            Flaw::NoArchive | Flaw::Damaged => FileReason::Damaged,
        }
    }
}
