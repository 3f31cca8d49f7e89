//! Posts in a folder or a zip of whoever commands. On the way in a folder becomes what somebody else would have packed
//! and sent, on the way out a zip is opened again: there is one reader of posts and one writer. The house has the open file
//! alone: as a service it sees other disks, and has other rights.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use chrono::NaiveDateTime;
use serde_json::{Value, json};

use super::super::model::plain;
use super::files::{Exported, Form, exported};
use super::import::{
    Broken, FileReason, Imported, MOST_FILES, MOST_MEBIBYTES_SHOWN, MOST_OF_ARCHIVE, MOST_OF_FILE, NAMED, begin,
    imported, is_post, kind_of, too_much,
};
use hanok_base::{Error, MessageTemplate, Result};
use hanok_calc::zip::{self, Archive, Stored};
use hanok_platform::app::App;
use hanok_platform::blocking;
use hanok_platform::config::Config;
use hanok_platform::domain::Opened;
use hanok_platform::store::giving::{self, Giving};

const NOT_READ: MessageTemplate =
    MessageTemplate::new("blog.must.be_read", "must be a folder or a zip that hanok may read");
const NOT_NEW: MessageTemplate = MessageTemplate::new("blog.must.be_new", "must be a place where nothing lies yet");
const NOT_WRITTEN: MessageTemplate =
    MessageTemplate::new("blog.must.be_written", "must be a place where hanok may write");
const NOT_PACKED: MessageTemplate =
    MessageTemplate::new("blog.not_packed", "what is in the folder could not be packed among the temporary files");

/// So many bytes are read at once.
const PIECE: usize = 256 << 10;

/// Opens the zip at `path`, or makes one of what is in the folder there, for a house to bring in. What cannot be read
/// there, and links, are named in its answer among what is refused.
///
/// # Errors
/// `INVALID_INPUT` when nothing at `path` can be read; `CONFLICT` where what is in the folder finds no room among the temporary files.
pub fn to_bring(path: &Path, config: &Config) -> Result<Opened> {
    let not_read = |error: io::Error| Error::field("file", NOT_READ).because(error);
    let there = fs::metadata(path).map_err(not_read)?;
    if there.is_dir() {
        fs::read_dir(path).map_err(not_read)?;
        let (mut to, mut refused) = (giving::nameless().map_err(not_packed)?, Vec::new());
        let most = config.store.upload_mib << 20;
        Walk { archive: Archive::default(), most, to: &mut to, refused: &mut refused }.walk(path)?;
        to.rewind().map_err(not_packed)?;
        return Ok(Opened { file: to, then: Box::new(move |answer| Ok(refused_too(answer, refused))) });
    }
    if !there.is_file() {
        return Err(Error::field("file", NOT_READ));
    }
    Ok(Opened { file: File::open(path).map_err(not_read)?, then: Box::new(Ok::<Value, Error>) })
}

/// What a house answered, with what else was refused.
fn refused_too(mut answer: Value, refused: Vec<(String, FileReason)>) -> Value {
    let count = answer["refused_count"].as_u64().unwrap_or_default() + refused.len() as u64;
    answer["refused_count"] = count.into();
    if let Some(named) = answer["refused"].as_array_mut() {
        let left = NAMED.saturating_sub(named.len());
        named.extend(refused.into_iter().take(left).map(|(name, reason)| json!({"name": name, "reason": reason})));
    }
    answer
}

/// Adds the posts in the zip that was opened.
///
/// # Errors
/// Those of [`imported`].
pub async fn brought(app: &App, mut file: File) -> Result<Imported> {
    let filled = begin(app, None).await?.fill(move |give| {
        let mut piece = vec![0; PIECE];
        loop {
            match file.read(&mut piece).map_err(|error| Error::field("file", NOT_READ).because(error))? {
                0 => return Ok(Ok::<(), Error>(())),
                read => give(&piece[..read])?,
            }
        }
    });
    imported(app, filled.await??, false).await
}

fn not_packed(error: io::Error) -> Error {
    Error::conflict(NOT_PACKED).because(error)
}

/// A folder on its way into an archive.
struct Walk<'g> {
    archive: Archive,
    /// No file that posts show is larger.
    most: u64,
    to: &'g mut File,
    refused: &'g mut Vec<(String, FileReason)>,
}

impl Walk<'_> {
    /// Packs what is in the folder `root` and the folders in it: when all of it is known, and not more than a house takes.
    fn walk(mut self, root: &Path) -> Result<()> {
        let files = self.list(root)?;
        let length = |(path, name): &(PathBuf, String)| match (self.most_of(name), fs::symlink_metadata(path)) {
            (Some(most), Ok(there)) => there.len().min(most),
            _ => 0,
        };
        if files.iter().map(length).sum::<u64>() > MOST_OF_ARCHIVE {
            return Err(too_much(MOST_MEBIBYTES_SHOWN));
        }
        files.iter().try_for_each(|(path, name)| self.pack(path, name))?;
        self.to.write_all(&self.archive.finish()).map_err(not_packed)
    }

    /// The files in the folder `root` and the folders in it, each with its name in the archive.
    fn list(&mut self, root: &Path) -> Result<Vec<(PathBuf, String)>> {
        let (mut folders, mut files, mut count) = (vec![(root.to_owned(), String::new())], Vec::new(), 0);
        while let Some((folder, above)) = folders.pop() {
            let listed = fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
            let Ok(entries) = listed else {
                self.refused(&above, FileReason::Unreadable);
                continue;
            };
            for entry in entries {
                count += 1;
                if count > MOST_FILES {
                    return Err(too_much(MOST_MEBIBYTES_SHOWN));
                }
                let name = format!("{above}{}", entry.file_name().to_string_lossy());
                match entry.file_type() {
                    // It may lead out of the folder, or in a circle.
                    Ok(kind) if kind.is_symlink() => self.refused(&name, FileReason::Linked),
                    Ok(kind) if kind.is_dir() => folders.push((entry.path(), format!("{name}/"))),
                    Ok(kind) if kind.is_file() => files.push((entry.path(), name)),
                    _ => self.refused(&name, FileReason::Unreadable),
                }
            }
        }
        Ok(files)
    }

    /// So much of a file is packed: of what is too large no more than shows that. None of what is neither a post nor a file
    /// that posts may show.
    fn most_of(&self, name: &str) -> Option<u64> {
        if is_post(name) {
            return Some(MOST_OF_FILE as u64 + 1);
        }
        kind_of(name).map(|_| self.most + 1)
    }

    /// Packs a file, or its name alone: whoever reads the archive says the rest.
    fn pack(&mut self, path: &Path, name: &str) -> Result<()> {
        let Some(most) = self.most_of(name) else { return self.announce(name, Stored { size: 0, crc: 0 }) };
        let opened = opened(path).and_then(|mut file| {
            let stored = Stored::of((&mut file).take(most))?;
            file.rewind()?;
            Ok((file, stored))
        });
        let Ok((mut file, mut stored)) = opened else {
            self.refused(name, FileReason::Unreadable);
            return Ok(());
        };
        if stored.size == most {
            // A house by other settings might take it: its sum does not let a part pass for the whole.
            stored.crc = !stored.crc;
        }
        self.announce(name, stored)?;
        let (mut left, mut piece) = (stored.size, vec![0; PIECE]);
        while left > 0 {
            let wanted = left.min(PIECE as u64) as usize;
            // What is another meanwhile is found damaged by its sum, and its place in the archive stays as long as was said.
            let read = match file.read(&mut piece[..wanted]) {
                Ok(0) | Err(_) => {
                    piece[..wanted].fill(0);
                    wanted
                }
                Ok(read) => read,
            };
            self.to.write_all(&piece[..read]).map_err(not_packed)?;
            left -= read as u64;
        }
        Ok(())
    }

    fn announce(&mut self, name: &str, stored: Stored) -> Result<()> {
        if !self.archive.announce(name, NaiveDateTime::default(), stored) {
            return Err(too_much(MOST_MEBIBYTES_SHOWN));
        }
        self.to.write_all(&self.archive.take()).map_err(not_packed)
    }

    fn refused(&mut self, name: &str, reason: FileReason) {
        self.refused.push((name.to_owned(), reason));
    }
}

/// The file at `path`, when that is no link.
fn opened(path: &Path) -> io::Result<File> {
    let there = fs::symlink_metadata(path)?;
    let file = File::open(path)?;
    let is = file.metadata()?;
    let is_same = is.is_file() && (is.dev(), is.ino()) == (there.dev(), there.ino());
    is_same.then_some(file).ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// Begins a zip beside `path`, which a house fills, and makes of it a new zip at `path` where that ends with `.zip`, else
/// a new folder there. It has its name only when it is whole.
///
/// # Errors
/// `INVALID_INPUT` when something lies at `path`, nothing can be written there, or it lies in the data folder.
pub fn to_give(path: &Path, config: &Config) -> Result<Opened> {
    let is_zip = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"));
    let (giving, file) = Giving::begin(&config.data.dir, path, not_given)?;
    let then = move |answer: Value| -> Result<Value> {
        let files = zip::files(&mut giving.written().map_err(Error::internal)?).map_err(unsound)?;
        let posts = files.iter().filter(|file| is_post(&file.name)).count();
        let counted = json!({"posts": posts, "pictures": files.len() - posts, "missing": answer["missing"]});
        if is_zip {
            giving.finish().map_err(not_given)?;
        } else {
            giving.finish_as_folder(|from, make| unpack(&files, from, make), not_given)?;
        }
        Ok(counted)
    };
    Ok(Opened { file, then: Box::new(then) })
}

fn not_given(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::AlreadyExists => Error::field("file", NOT_NEW),
        _ => Error::field("file", NOT_WRITTEN).because(error),
    }
}

/// Writes the posts and what they show into the file that was opened. Gives how many files that they name stay out, as they
/// are not there whole.
///
/// # Errors
/// `INVALID_INPUT` when nothing can be written there; those of [`exported`].
pub async fn given(app: &App, mut file: File) -> Result<usize> {
    let Exported { pieces, missing, .. } = exported(app, Form::Markdown).await?;
    let write = move |abandoned: &_| {
        for piece in pieces {
            blocking::go_on(abandoned)?;
            file.write_all(&piece?).map_err(not_given)?;
        }
        Ok(missing)
    };
    blocking::run(write).await
}

/// Writes what is packed in `from` into the files that `make` makes.
fn unpack(files: &[zip::Packed], mut from: File, make: &mut dyn FnMut(&Path) -> io::Result<File>) -> Result<()> {
    for file in files {
        let name = plain(&file.name).ok_or_else(|| Error::internal("a name leads out of its folder"))?;
        let mut to = make(Path::new(&name)).map_err(not_given)?;
        let write = |piece: &[u8]| to.write_all(piece).map_err(|error| Broken::Failed(not_given(error)));
        file.unpack(&mut from, file.size, write).map_err(|broken| match broken {
            Broken::Failed(error) => error,
            Broken::Flaw(flaw) => unsound(flaw),
        })?;
    }
    Ok(())
}

fn unsound(flaw: zip::Flaw) -> Error {
    match flaw {
        zip::Flaw::Io(error) => Error::internal(error),
        _ => Error::internal("what was packed is damaged"),
    }
}
