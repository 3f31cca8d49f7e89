//! Takes over the one file that moves a house. Whoever made the file: nothing of it counts before everything in it has
//! been checked against its own description, and no more memory or room is taken than the description asks for.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};

use super::super::file::folder::DataFolder;
use super::super::file::{fault, space, store::Store};
use super::super::rows::Schema;
use super::pack::{BLOBS, DESCRIPTION, Description, FORMAT, SETTINGS, STORE, is_digest};
use super::restore::{self, Prepared, Restored, Waiting};
use super::snapshot;
use crate::blocking;
use hanok_base::secret::hex;
use hanok_base::{Clock, Error, Kind, Result};

/// No settings are longer, in bytes.
const SETTINGS_LIMIT: u64 = 1 << 20;
/// No description is longer, in bytes.
const DESCRIPTION_LIMIT: u64 = 64 << 20;

impl Store {
    /// Takes over the file at `source` while the appliance runs. `progress` hears percent.
    /// Gives the text of the settings in it, too: what becomes of them is for the caller to say.
    pub async fn restore_from(
        &self,
        source: &Path,
        progress: impl FnMut(u8) + Send + 'static,
    ) -> Result<(Restored, Option<String>)> {
        let Some(folder) = self.folder().cloned() else {
            return Err(Error::conflict("a store in memory cannot be restored"));
        };
        let _turn = self.restoring.lock().await;
        let (source, place, open) = (source.to_owned(), folder.clone(), Arc::clone(&self.open));
        let unpacked = blocking::run(move |_| unpack(&place, open.schema(), open.clock(), &source, progress));
        let (prepared, settings) = unpacked.await?;
        Ok((self.exchange(prepared).await?, settings))
    }
}

/// Takes over the file at `source` in a folder that no appliance has open, for a program with this `schema`. Gives the
/// text of the settings in it, too.
pub fn offline(
    folder: &DataFolder,
    schema: &Schema,
    clock: &Clock,
    source: &Path,
    progress: impl FnMut(u8),
) -> Result<(Restored, Option<String>)> {
    let unserved = |error| fault::unserved(folder.root(), error);
    restore::tidy(folder, clock).and_then(|_| sweep(folder)).map_err(unserved)?;
    let (prepared, settings) = unpack(folder, schema, clock, source, progress).map_err(unserved)?;
    let restored = restore::put_in_place_offline(folder, prepared, schema, clock).map_err(unserved)?;
    Ok((restored, settings))
}

/// Removes the half files that a killed taking-over has left.
pub(in crate::store) fn sweep(folder: &DataFolder) -> Result<()> {
    let _ = fs::remove_file(partial(&restore::waiting_file(folder)));
    let Ok(blobs) = fs::read_dir(folder.blobs()) else { return Ok(()) };
    for path in blobs.flatten().map(|entry| entry.path()) {
        let is_of_a_blob = path.file_stem().is_some_and(|stem| is_digest(&stem.to_string_lossy()));
        if is_of_a_blob && path.extension().is_some_and(|extension| extension == "partial") {
            fs::remove_file(&path).map_err(|e| fault::io("removing what an interrupted restore left", e))?;
        }
    }
    Ok(())
}

/// Unpacks beside the store and checks everything. Gives the store that waits to be put in place, and the text of the
/// settings.
fn unpack(
    folder: &DataFolder,
    schema: &Schema,
    clock: &Clock,
    source: &Path,
    mut progress: impl FnMut(u8),
) -> Result<(Prepared, Option<String>)> {
    let file = File::open(source).map_err(|e| Error::field("file", "cannot be opened").because(e))?;
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    // Names and sizes stand in plain headers; an extension could ask for any amount of memory.
    let mut entries = archive.entries().map_err(not_whole)?.raw(true);
    let first = entries.next().ok_or_else(|| not_whole("empty"))?.map_err(not_whole)?;
    let description = describe(first)?;
    check_version(&description, schema.version())?;
    let total = check_room(folder, &description)?;
    let mut taken = Taken { folder, description, waiting: Waiting::at(folder), found: BTreeSet::new(), settings: None };
    let mut done = 0u64;
    for entry in entries {
        done = done.saturating_add(taken.take(entry.map_err(not_whole)?)?);
        progress((done.saturating_mul(80) / total).min(80) as u8);
    }
    let Taken { waiting, settings, .. } = taken.whole()?;
    snapshot::sync(&folder.blobs())?;
    snapshot::writable(&waiting.0)?;
    let prepared = restore::prepare(waiting, source.display().to_string(), schema, clock).map_err(|error| {
        // The bytes are those of the description: what is wrong with them was wrong when the file was made.
        if error.kind == Kind::Internal { not_whole(error.cause.unwrap_or(error.message)) } else { error }
    })?;
    let prepared = prepared.bring_up_to_date(schema, clock)?;
    progress(95);
    Ok((prepared, settings))
}

fn not_whole(cause: impl std::fmt::Display) -> Error {
    Error::field("file", "is not a whole hanok backup file").because(cause)
}

fn not_taken(error: io::Error) -> Error {
    if fault::is_full(&error) { fault::io("unpacking", error) } else { not_whole(error) }
}

fn describe<R: Read>(entry: tar::Entry<'_, R>) -> Result<Description> {
    if name_of(&entry)? != DESCRIPTION {
        return Err(not_whole("the description is not the first entry"));
    }
    serde_json::from_reader(entry.take(DESCRIPTION_LIMIT)).map_err(not_whole)
}

fn check_version(description: &Description, known: u32) -> Result<()> {
    let snapshot = &description.snapshot;
    if description.format <= FORMAT && snapshot.store_version <= known {
        return Ok(());
    }
    Err(Error::conflict(format!(
        "the file was written by hanok {} (store version {}); this version can read up to {known}",
        snapshot.app_version, snapshot.store_version
    )))
}

/// Refuses a file that says to hold more than the disk has room for. Gives the bytes that are to come, at least 1.
fn check_room(folder: &DataFolder, description: &Description) -> Result<u64> {
    let sizes = description.blobs.values().chain([&description.snapshot.bytes]);
    let total = sizes.fold(0u64, |sum, size| sum.saturating_add(*size));
    if space::free(folder.root()).is_some_and(|free| free < total) {
        return Err(fault::storage_full().because(format!("the file holds {total} bytes")));
    }
    Ok(total.max(1))
}

/// What has been taken of a file so far.
struct Taken<'a> {
    folder: &'a DataFolder,
    description: Description,
    waiting: Waiting,
    found: BTreeSet<String>,
    settings: Option<String>,
}

impl Taken<'_> {
    /// Takes one entry, once, and only of the size that the description says. Gives the bytes that counted.
    fn take<R: Read>(&mut self, mut entry: tar::Entry<'_, R>) -> Result<u64> {
        let name = name_of(&entry)?;
        let unexpected = || Err(not_whole(format!("unexpected entry {name}")));
        if !entry.header().entry_type().is_file() || !self.found.insert(name.clone()) {
            return unexpected();
        }
        if name == SETTINGS && entry.size() <= SETTINGS_LIMIT {
            let mut text = String::new();
            entry.read_to_string(&mut text).map_err(not_whole)?;
            self.settings = Some(text);
            return Ok(0);
        }
        let Some((target, sha256, size)) = self.place_of(&name) else { return unexpected() };
        if entry.size() != size {
            return unexpected();
        }
        take_checked(&mut entry, &target, &sha256).map_err(not_taken)?;
        Ok(size)
    }

    /// Where an entry belongs, its checksum and its size. None for what the description does not name.
    fn place_of(&self, name: &str) -> Option<(PathBuf, String, u64)> {
        let Description { snapshot, blobs, .. } = &self.description;
        if name == STORE {
            return Some((self.waiting.0.clone(), snapshot.sha256.clone(), snapshot.bytes));
        }
        let blob = name.strip_prefix(BLOBS).filter(|blob| is_digest(blob))?;
        Some((self.folder.blobs().join(blob), blob.to_owned(), *blobs.get(blob)?))
    }

    fn whole(self) -> Result<Self> {
        let blobs = self.found.iter().filter(|name| name.starts_with(BLOBS)).count();
        if !self.found.contains(STORE) || blobs != self.description.blobs.len() {
            return Err(not_whole("an entry is missing"));
        }
        Ok(self)
    }
}

fn name_of<R: Read>(entry: &tar::Entry<'_, R>) -> Result<String> {
    Ok(entry.path().map_err(not_whole)?.to_string_lossy().into_owned())
}

/// Copies an entry to `target` and checks it against `sha256`; what does not match is not left lying.
fn take_checked(entry: &mut impl Read, target: &Path, sha256: &str) -> io::Result<()> {
    let partial = partial(target);
    let taken = copy_checked(entry, &partial, sha256).and_then(|()| fs::rename(&partial, target));
    taken.inspect_err(|_| drop(fs::remove_file(&partial)))
}

/// Where a file lies until it is whole.
fn partial(target: &Path) -> PathBuf {
    target.with_extension("partial")
}

fn copy_checked(entry: &mut impl Read, partial: &Path, sha256: &str) -> io::Result<()> {
    let mut file = File::create(partial)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0u8; 1 << 20];
    loop {
        let read = entry.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        digest.update(&buffer[..read]);
        file.write_all(&buffer[..read])?;
    }
    file.sync_all()?;
    if hex(&digest.finalize()) != sha256 {
        return Err(io::Error::other("checksum does not match"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
