//! Posts as files in one, into the house, with the files that they show.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Seek};
use std::ops::Range;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::super::model::{
    Row, Status, first_name_of, from_file, leading_inside, links_beside, pictures, plain, possible,
};
use super::super::store;
use hanok_base::schema::ToSchema;
use hanok_base::text::cut;
use hanok_base::{Error, MessageTemplate, Result};
use hanok_calc::zip::{self, Flaw, Packed};
use hanok_platform::app::App;
use hanok_platform::blobs::{BlobId, Fresh, MediaKind, Passing, Put};
use hanok_platform::store::ReadTransaction;

const NO_ARCHIVE: MessageTemplate = MessageTemplate::new("blog.must.be_zip", "must be a zip that is whole");
const TOO_MUCH: MessageTemplate =
    MessageTemplate::new("blog.must.hold_less", "must hold at most {files} files of {mebibytes} MiB together");

/// What became of the files that were brought.
#[derive(Debug, Default)]
pub struct Imported {
    /// How many became posts.
    pub added: u64,
    /// How many say the same as a post that is there.
    pub repeated: u64,
    /// How many files that the posts which were added show came in with them.
    pub pictures: u64,
    /// Those that were not taken, by their names, as many as are named.
    pub refused: Vec<(String, FileReason)>,
    /// How many were not taken.
    pub refused_count: u64,
    /// How many other files were passed over.
    pub others: u64,
    /// Their names, as many as are named.
    pub passed_over: Vec<String>,
}

/// Why a file was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileReason {
    /// It has a password, or was packed in another way.
    NotOpened,
    /// It is larger than any post, or than a file of the house may be.
    TooLarge,
    /// It is another than was packed.
    Damaged,
    /// It is no text in UTF-8.
    NotText,
    /// What stands before its text cannot be read.
    Front,
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
    /// A post shows it, and it is not there.
    Absent,
    /// It is another kind of file than its name says.
    Kind,
    /// It lies in a folder, and the house may not read it.
    Unreadable,
    /// It lies in a folder and leads to another place.
    Linked,
}

/// No zip is larger.
pub(super) const MOST_OF_ARCHIVE: u64 = 4 << 30;
/// A file of more bytes is no post.
pub(super) const MOST_OF_FILE: usize = 1 << 20;
/// So many files are read.
pub(super) const MOST_FILES: usize = 20_000;
/// No file is called by a longer name, in bytes.
const LONGEST_NAME: usize = 1_000;
/// So many MiB posts may have together, opened.
const MOST_MEBIBYTES: u64 = 128;
/// And what they show.
pub(super) const MOST_MEBIBYTES_SHOWN: u64 = 4096;
/// How many files that are refused are named.
pub(super) const NAMED: usize = 100;
/// So many posts are written in one transaction: who writes meanwhile waits for no more.
const AT_ONCE: usize = 100;

/// A zip on its way in, of which nothing stays but what is taken from it.
///
/// # Errors
/// `TOO_LARGE`; `STORAGE_FULL`.
pub async fn begin(app: &App, announced: Option<u64>) -> Result<Put> {
    app.data.blobs.begin(announced, MOST_OF_ARCHIVE).await
}

/// Adds the posts in the files in Markdown of `archive`, and the files that they show: all of them as drafts, or each as it
/// says. What is added before a failure stays: brought again, it is left out.
///
/// # Errors
/// `INVALID_INPUT` when it is no zip, or holds more than is read; `STORAGE_FULL`.
pub async fn imported(app: &App, archive: Put, as_drafts: bool) -> Result<Imported> {
    let archive = Arc::new(archive.pass());
    let opened = archive.clone();
    let Found { posts, files, mut imported } = app.data.store.read_in_turn(move |tx| read(&opened, tx)).await?;
    let shown: BTreeSet<usize> = posts.iter().flat_map(|post| &post.shows).map(|(_, file)| *file).collect();
    imported.others = imported.others.saturating_sub(shown.len() as u64);
    let others = files.iter().enumerate().filter(|(place, file)| !shown.contains(place) && !is_post(&file.name));
    imported.passed_over = others.take(NAMED).map(|(_, file)| cut(&file.name, LONGEST_NAME / 4)).collect();
    let mut fresh: BTreeMap<usize, Fresh> = BTreeMap::new();
    for place in shown {
        let file = &files[place];
        match put(app, &archive, file).await? {
            Ok(put) => drop(fresh.insert(place, put)),
            Err(reason) => imported.refuse(&file.name, reason),
        }
    }
    let mut rows = Vec::new();
    // Posts go out the last one first: so they are in the same order here.
    for FoundPost { name, row, shows } in posts.into_iter().rev() {
        let inside = |(at, file): (Range<usize>, usize)| Some((at, fresh.get(&file)?.blob.id.clone()));
        let inside: Vec<(Range<usize>, BlobId)> = shows.into_iter().filter_map(inside).collect();
        if inside.is_empty() {
            rows.push(row);
            continue;
        }
        let body = leading_inside(&row.post.body, inside);
        match row.saying(body) {
            Ok(row) => rows.push(row),
            Err(_) => imported.refuse(&name, FileReason::Body),
        }
    }
    if as_drafts {
        rows.iter_mut().for_each(|row| row.post.status = Status::Draft);
    }
    let mut shown = BTreeSet::new();
    for some in rows.chunks(AT_ONCE).map(<[Row]>::to_vec) {
        let count = some.len() as u64;
        let added = app.data.store.write(move |tx| store::bring(tx, some, as_drafts)).await?;
        imported.added += added.len() as u64;
        imported.repeated += count - added.len() as u64;
        shown.extend(added.iter().flat_map(|post| pictures(&post.body)));
    }
    imported.pictures = fresh.values().filter(|put| shown.contains(&put.blob.id)).count() as u64;
    Ok(imported)
}

/// A file of the archive as one of the house, or why it is none.
async fn put(app: &App, archive: &Arc<Passing>, file: &Packed) -> Result<Result<Fresh, FileReason>> {
    let most = app.config.store.upload_mib << 20;
    if file.size > most {
        return Ok(Err(FileReason::TooLarge));
    }
    let (archive, packed) = (archive.clone(), file.clone());
    let filled = app.data.blobs.begin(Some(file.size), most).await?.fill(move |give| {
        let unpacked = packed.unpack(&mut archive.open()?, most, |piece| give(piece).map_err(Broken::Failed));
        match unpacked {
            Ok(()) => Ok(Ok(())),
            Err(Broken::Flaw(flaw)) => Ok(Err(FileReason::of(flaw)?)),
            Err(Broken::Failed(error)) => Err(error),
        }
    });
    match filled.await? {
        Ok(put) if kind_of(&file.name) == Some(put.kind()) => Ok(Ok(put.finish().await?)),
        Ok(_) => Ok(Err(FileReason::Kind)),
        Err(reason) => Ok(Err(reason)),
    }
}

/// What ends the unpacking of a file.
pub(super) enum Broken {
    /// It is not given out.
    Flaw(Flaw),
    /// Who takes it failed.
    Failed(Error),
}

impl From<Flaw> for Broken {
    fn from(flaw: Flaw) -> Broken {
        Broken::Flaw(flaw)
    }
}

/// What a file is by its name; none where nothing is known of that.
pub(super) fn kind_of(name: &str) -> Option<MediaKind> {
    name.rsplit_once('.').and_then(|(_, ending)| MediaKind::of_ending(ending))
}

/// What is in an archive.
struct Found {
    posts: Vec<FoundPost>,
    files: Vec<Packed>,
    imported: Imported,
}

/// A post, and where it leads to which of the files.
struct FoundPost {
    name: String,
    row: Row,
    shows: Vec<(Range<usize>, usize)>,
}

/// What posts show and is not there: each is counted once, and no more are kept than are named.
#[derive(Default)]
struct Absent {
    named: BTreeSet<String>,
    counted: HashSet<u64>,
}

impl Absent {
    fn add(&mut self, name: String) {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        if self.counted.insert(hasher.finish()) && self.named.len() < NAMED {
            self.named.insert(name);
        }
    }
}

/// The posts in `archive`, and what is said of the other files.
fn read(archive: &Passing, tx: &impl ReadTransaction) -> Result<Found> {
    let mut archive = archive.open()?;
    let files = listed(&mut archive)?;
    if files.len() > MOST_FILES {
        return Err(too_much(MOST_MEBIBYTES));
    }
    let is_known = |file: &Packed| file.name.len() <= LONGEST_NAME && kind_of(&file.name).is_some();
    let known = files.iter().enumerate().filter(|(_, file)| is_known(file));
    let places: BTreeMap<String, usize> = known.filter_map(|(at, file)| Some((plain(&file.name)?, at))).collect();
    let (mut posts, mut imported, mut bytes) = (Vec::new(), Imported::default(), 0);
    let (mut shown, mut absent) = (BTreeSet::new(), Absent::default());
    for file in &files {
        tx.while_waited_for()?;
        if !is_post(&file.name) {
            imported.others += 1;
            continue;
        }
        if file.name.len() > LONGEST_NAME {
            imported.refuse(&cut(&file.name, LONGEST_NAME / 4), FileReason::Unreadable);
            continue;
        }
        // By what it says, before it is opened: what is refused then has been read all the same.
        bytes += Some(file.size).filter(|size| *size <= MOST_OF_FILE as u64).unwrap_or_default();
        if bytes > MOST_MEBIBYTES << 20 {
            return Err(too_much(MOST_MEBIBYTES));
        }
        let opened = match file.open(&mut archive, MOST_OF_FILE) {
            Ok(bytes) => Ok(bytes),
            Err(flaw) => Err(FileReason::of(flaw)?),
        };
        match opened.and_then(|bytes| read_post(&file.name, bytes, tx.now())) {
            Ok(row) => {
                let mut shows = Vec::new();
                for (at, address) in links_beside(&row.post.body).into_iter().filter(|(_, to)| kind_of(to).is_some()) {
                    tx.while_waited_for()?;
                    let names = possible(&file.name, &address);
                    match names.iter().find_map(|name| places.get(name)) {
                        Some(place) => shows.push((at, *place)),
                        None => names.into_iter().take(1).for_each(|name| absent.add(name)),
                    }
                }
                shown.extend(shows.iter().map(|(_, place)| *place));
                posts.push(FoundPost { name: file.name.clone(), row, shows });
            }
            Err(reason) => imported.refuse(&file.name, reason),
        }
    }
    if shown.iter().map(|place| files[*place].size).sum::<u64>() > MOST_MEBIBYTES_SHOWN << 20 {
        return Err(too_much(MOST_MEBIBYTES_SHOWN));
    }
    imported.refused_count += (absent.counted.len() - absent.named.len()) as u64;
    absent.named.iter().for_each(|name| imported.refuse(name, FileReason::Absent));
    Ok(Found { posts: as_named(posts), files, imported })
}

/// The posts that go out under one name and a number, in the order of these numbers, whatever order they came in: so each goes
/// out again under the name that it came by. Every other one stays where it was.
fn as_named(posts: Vec<FoundPost>) -> Vec<FoundPost> {
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, post) in posts.iter().enumerate() {
        places.entry(first_name_of(&post.row.post)).or_default().push(at);
    }
    let mut order: Vec<usize> = (0..posts.len()).collect();
    // Of two numbers the shorter is the smaller one, and none is before all.
    let written = |at: usize| {
        let name = posts[at].name.as_str();
        let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
        (name.len(), name)
    };
    for of_one in places.values() {
        let mut sorted = of_one.clone();
        sorted.sort_by_key(|at| written(*at));
        for (place, from) in of_one.iter().zip(sorted) {
            order[*place] = from;
        }
    }
    let mut posts: Vec<Option<FoundPost>> = posts.into_iter().map(Some).collect();
    order.into_iter().filter_map(|from| posts[from].take()).collect()
}

/// More files than are read, or more of them than so many MiB.
pub(super) fn too_much(mebibytes: u64) -> Error {
    Error::field("file", TOO_MUCH.with([("files", MOST_FILES.into()), ("mebibytes", mebibytes.into())]))
}

fn listed(archive: &mut (impl Read + Seek)) -> Result<Vec<Packed>> {
    zip::files(archive).map_err(|flaw| match flaw {
        Flaw::Io(error) => Error::internal(error),
        _ => Error::field("file", NO_ARCHIVE),
    })
}

/// A file in Markdown that somebody has written: systems add some of their own, whose names begin with a point.
pub(super) fn is_post(name: &str) -> bool {
    let mut parts = name.split(['/', '\\']);
    let is_of_system = parts.any(|part| part == "__MACOSX" || (part.starts_with('.') && part.len() > 1));
    let end = name.rsplit_once('.').map_or("", |(_, end)| end).to_lowercase();
    !is_of_system && matches!(end.as_str(), "md" | "markdown")
}

fn read_post(name: &str, bytes: Vec<u8>, now: DateTime<Utc>) -> Result<Row, FileReason> {
    let text = String::from_utf8(bytes).map_err(|_| FileReason::NotText)?;
    from_file(name, &text, now).map_err(|error| {
        let refused = |field: &str| error.fields.keys().any(|key| key.starts_with(field));
        let reasons = [
            ("front", FileReason::Front),
            ("title", FileReason::Title),
            ("tags", FileReason::Tags),
            ("date", FileReason::Date),
            ("created", FileReason::Date),
            ("updated", FileReason::Date),
            ("excerpt", FileReason::Excerpt),
            ("fields", FileReason::Fields),
        ];
        reasons.into_iter().find(|(field, _)| refused(field)).map_or(FileReason::Body, |(_, reason)| reason)
    })
}

impl Imported {
    pub(super) fn refuse(&mut self, name: &str, reason: FileReason) {
        self.refused_count += 1;
        if self.refused.len() < NAMED {
            self.refused.push((name.to_owned(), reason));
        }
    }
}

impl FileReason {
    /// Why a file with this flaw is not taken. That the archive cannot be read is no reason, but a failure.
    fn of(flaw: Flaw) -> Result<FileReason> {
        match flaw {
            Flaw::NotRead => Ok(FileReason::NotOpened),
            Flaw::TooLarge => Ok(FileReason::TooLarge),
            Flaw::NoArchive | Flaw::Damaged => Ok(FileReason::Damaged),
            Flaw::Io(error) => Err(Error::internal(error)),
        }
    }
}

#[cfg(test)]
mod tests;
