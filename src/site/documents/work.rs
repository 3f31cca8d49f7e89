//! The files among the documents: listed, and read.

use std::cmp::Reverse;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::model::{DocumentFile, MOST_BYTES, is_document_name};
use hanok_base::{Error, Page, Result};
use hanok_platform::app::App;
use hanok_platform::blocking;
use hanok_platform::store::DataFolder;

/// The documents, newest first, and how many there are.
///
/// # Errors
/// `INTERNAL` where the folder cannot be read.
pub async fn list(app: &App, page: Page) -> Result<(Vec<DocumentFile>, u64)> {
    let folder = folder(app);
    let mut found = blocking::run(move |_| find(&folder)).await?;
    let total = found.len() as u64;
    found.sort_by(|one, other| (Reverse(one.modified_at), &one.name).cmp(&(Reverse(other.modified_at), &other.name)));
    Ok((found.into_iter().skip(page.offset).take(page.limit).collect(), total))
}

/// What the document of this name says.
///
/// # Errors
/// `NOT_FOUND`, whatever is wrong with it or with its name.
pub async fn read(app: &App, name: &str) -> Result<Vec<u8>> {
    let absent = || Error::not_found("document");
    if !is_document_name(name) {
        return Err(absent());
    }
    let path = folder(app).join(name);
    blocking::run(move |_| read_file(&path).ok_or_else(absent)).await
}

fn folder(app: &App) -> PathBuf {
    DataFolder::at(&app.config.data.dir).documents()
}

/// Every document in the folder; none where there is no folder.
fn find(folder: &Path) -> Result<Vec<DocumentFile>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(Vec::new()),
        entries => entries.map_err(Error::internal)?,
    };
    let document = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok().filter(|name| is_document_name(name))?;
        // Of the entry itself: a link is none.
        let file = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        let modified_at = file.modified().ok()?.into();
        Some(DocumentFile { name, bytes: file.len(), modified_at, can_open: file.len() <= MOST_BYTES })
    };
    Ok(entries.flatten().filter_map(document).collect())
}

/// The bytes of a file that is no link, and is still the same once it is open.
fn read_file(path: &Path) -> Option<Vec<u8>> {
    let there = fs::symlink_metadata(path).ok().filter(|there| there.is_file() && there.len() <= MOST_BYTES)?;
    let file = File::open(path).ok()?;
    let opened = file.metadata().ok()?;
    if !opened.is_file() || (opened.dev(), opened.ino()) != (there.dev(), there.ino()) {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MOST_BYTES).then_some(bytes)
}
