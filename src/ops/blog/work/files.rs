//! Posts as files in one, out of the house, with the files that they name.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::vec::IntoIter;

use chrono::{DateTime, NaiveDateTime, Utc};

use super::super::model::site::{self, Frame};
use super::super::model::{Post, Row, Status, leading_beside, name_in_order, name_of, place_beside, to_file};
use super::super::store;
use hanok_base::{Error, Kind, MessageTemplate, Result, day};
use hanok_calc::zip::{Archive, Stored};
use hanok_platform::app::App;
use hanok_platform::blobs::{self, Blob, BlobId, Blobs};
use hanok_platform::blocking::OneByOne;
use hanok_platform::store::ReadTransaction;

const NO_ROOM: MessageTemplate =
    MessageTemplate::new("blog.more_than_one_file", "the posts are more than one zip can hold");

/// What posts become.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// A file in Markdown for each post.
    Markdown,
    /// Pages of what is published.
    Site(Frame),
}

/// How many posts a feed has.
const IN_FEED: usize = 20;
/// The turn of feeds: many who ask at once need the memory of one.
static FEEDS: OneByOne = OneByOne::free();
/// So many bytes of a file go out at once.
const PIECE: u64 = 256 << 10;

/// Posts as files in one.
pub struct Exported {
    /// A name for it.
    pub name: String,
    /// Its length.
    pub length: u64,
    /// What its texts are and which files it has; where that is the same, so is the whole.
    pub state: (Vec<u8>, Vec<BlobId>),
    /// How many of the files that posts name stay out: they are not there whole.
    pub missing: usize,
    /// Its bytes, piece by piece.
    pub pieces: Packing,
}

/// The posts as files in one, with what they show: the texts are packed at once, the files while it goes out. What a post
/// names and is not there whole stays out, and its link as it is.
///
/// # Errors
/// `TOO_LARGE` where one file cannot hold them.
pub async fn exported(app: &App, form: Form) -> Result<Exported> {
    let at = app.clock.now();
    let blobs = app.data.blobs.clone();
    let packed = app.data.store.read_in_turn(move |tx| {
        let mut packer = Packer { tx, blobs: &blobs, archive: Archive::default(), files: BTreeMap::new() };
        match form {
            Form::Markdown => packer.as_markdown()?,
            Form::Site(frame) => packer.as_site(frame)?,
        }
        let Packer { mut archive, files, .. } = packer;
        let missing = files.values().filter(|file| file.is_none()).count();
        let files: Vec<Carried> = files.into_values().flatten().collect();
        let with = files.iter().map(|file| (file.place.as_str(), file.blob.bytes));
        let length = archive.length_with(with).ok_or_else(no_room)?;
        let state = (archive.take(), files.iter().map(|file| file.blob.id.clone()).collect());
        let begun = Some(state.0.clone());
        let pieces =
            Packing { blobs, at: local(at), begun, archive: Some(archive), files: files.into_iter(), now: None };
        Ok((length, state, missing, pieces))
    });
    let (length, state, missing, pieces) = packed.await?;
    let what = if matches!(form, Form::Markdown) { "posts" } else { "site" };
    Ok(Exported { name: format!("{what}-{}.zip", day::of(at)), length, state, missing, pieces })
}

/// A file that goes out with the posts.
struct Carried {
    place: String,
    blob: Blob,
}

struct Packer<'a, R> {
    tx: &'a R,
    blobs: &'a Blobs,
    archive: Archive,
    /// What the posts name; none of what is not there whole.
    files: BTreeMap<BlobId, Option<Carried>>,
}

impl<R: ReadTransaction> Packer<'_, R> {
    fn as_markdown(&mut self) -> Result<()> {
        let mut taken = BTreeMap::new();
        store::each(self.tx, None, &mut |row: Row| {
            let name = format!("{}.md", name_in_order(&row.post, &mut taken));
            let row = self.beside(row, "")?;
            self.put(&name, row.post.updated_at, &to_file(&row))
        })
    }

    fn as_site(&mut self, frame: Frame) -> Result<()> {
        let mut taken = BTreeSet::new();
        let (mut listed, mut fed) = (Vec::new(), Vec::new());
        store::each(self.tx, Some(Status::Published), &mut |row: Row| {
            let name = name_of(&row.post, &mut taken);
            if fed.len() < IN_FEED {
                fed.push((name.clone(), self.beside(row.clone(), "")?));
            }
            let Row { post, .. } = self.beside(row, "../")?;
            self.put(&format!("posts/{name}.html"), post.updated_at, &site::page(frame, &post))?;
            listed.push((name, Post { body: String::new(), ..post }));
            Ok(())
        })?;
        let newest = listed.iter().map(|(_, post)| post.updated_at).max().unwrap_or_default();
        self.put("index.html", newest, &site::index(frame, &listed))?;
        let (names, rows): (Vec<String>, Vec<Row>) = fed.into_iter().unzip();
        let name_of = |post: &Post| {
            let place = rows.iter().position(|row| row.post.id == post.id);
            place.map_or(String::new(), |place| format!("posts/{}.html", names[place]))
        };
        self.put("feed.xml", newest, &site::feed(frame, &rows, name_of))
    }

    /// `row` as it leads to the files that go out with it, from a folder to which `up` leads back.
    fn beside(&mut self, mut row: Row, up: &str) -> Result<Row> {
        for id in &row.files {
            if !self.files.contains_key(id) {
                let blob = blobs::find(self.tx, id)?;
                let is_there = |blob: &Blob| Ok(self.blobs.open(blob)?.is_some());
                let blob = blob.map(|blob| Ok(is_there(&blob)?.then_some(blob))).transpose()?.flatten();
                let carried = blob.map(|blob| Carried { place: place_beside(id, blob.kind.ending()), blob });
                self.files.insert(id.clone(), carried);
            }
        }
        let place = |id: &BlobId| self.files.get(id)?.as_ref().map(|file| format!("{up}{}", file.place));
        row.post.body = leading_beside(&row.post.body, place);
        Ok(row)
    }

    fn put(&mut self, name: &str, at: DateTime<Utc>, text: &str) -> Result<()> {
        if self.archive.add(name, local(at), text.as_bytes()) { Ok(()) } else { Err(no_room()) }
    }
}

fn local(at: DateTime<Utc>) -> NaiveDateTime {
    at.with_timezone(&day::ZONE).naive_local()
}

fn no_room() -> Error {
    Error::new(Kind::TooLarge, NO_ROOM)
}

/// An archive on its way out. Of the files in it only a piece is held.
pub struct Packing {
    blobs: Blobs,
    at: NaiveDateTime,
    /// The texts, which go first.
    begun: Option<Vec<u8>>,
    archive: Option<Archive>,
    files: IntoIter<Carried>,
    /// The file that is going out, and how much of it is left.
    now: Option<(File, u64)>,
}

impl Iterator for Packing {
    type Item = Result<Vec<u8>>;

    fn next(&mut self) -> Option<Result<Vec<u8>>> {
        if let Some(begun) = self.begun.take() {
            return Some(Ok(begun));
        }
        if let Some((mut file, left)) = self.now.take().filter(|(_, left)| *left > 0) {
            let mut piece = vec![0; left.min(PIECE) as usize];
            let read = file.read_exact(&mut piece).map_err(Error::internal);
            self.now = Some((file, left - piece.len() as u64));
            return Some(read.map(|()| piece));
        }
        let archive = self.archive.take()?;
        match self.files.next() {
            Some(file) => Some(self.announced(archive, &file)),
            None => Some(Ok(archive.finish())),
        }
    }
}

impl Packing {
    /// What stands before `file`, which goes out next. A file is read twice: its sum stands before it.
    fn announced(&mut self, mut archive: Archive, file: &Carried) -> Result<Vec<u8>> {
        let open = || self.blobs.open(&file.blob)?.ok_or_else(|| Error::internal("a file went while it was packed"));
        let stored = Stored::of(open()?).map_err(Error::internal)?;
        if stored.size != file.blob.bytes || !archive.announce(&file.place, self.at, stored) {
            return Err(Error::internal("a file is another than was packed"));
        }
        self.now = Some((open()?, stored.size));
        let before = archive.take();
        self.archive = Some(archive);
        Ok(before)
    }
}

/// The last posts that are published, as a feed.
///
/// # Errors
/// Those of the store.
pub async fn feed(app: &App, frame: Frame) -> Result<Vec<u8>> {
    let rows = app.data.store.read(|tx| store::newest(tx, IN_FEED)).await?;
    let write = move |_: &_| Ok(site::feed(frame, &rows, |post| format!("/blog/write?post={}", post.id)));
    Ok(FEEDS.run(write).await?.into_bytes())
}
