//! Takes over the one file that moves a house. Whoever made the file: nothing of it counts before everything in it has
//! been checked against its own description, and no more memory or room is taken than the description asks for.

mod source;
mod told;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::bufread::GzDecoder;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use super::super::file::blob_files::BlobFiles;
use super::super::file::folder::DataFolder;
use super::super::file::open_store::OpenStore;
use super::super::file::{fault, space};
use super::super::rows::Schema;
use super::pack::{BLOBS, FORMAT, SETTINGS, STORE, is_digest};
use super::restore::{self, Prepared, Restored, Waiting};
use super::restores::Restores;
use super::said;
use super::snapshot;
use super::texts::{self, LONGEST_TEXT, Texts, WaitingTexts};
use crate::blocking::{self, Abandonable};
use hanok_base::secret::hex;
use hanok_base::{Clock, Error, Kind, Result};
pub use source::{Source, check_source};
use told::{Told, describe, digest_of, total};

/// No settings are longer, in bytes.
const SETTINGS_LIMIT: u64 = 1 << 20;
/// No archive ends with more zeros, in bytes: it may be filled up to a whole number of records, of 10 KiB most often.
const LONGEST_END: u64 = 1 << 20;
/// Bytes that one packed byte becomes at most (RFC 1951: a length of 258 bytes and its distance take a bit each).
const MOST_PACKED: u64 = 1032;
impl Restores {
    /// Takes over the file at `source` while the appliance runs. `progress` hears percent.
    /// Gives the text of the settings in it, too: what becomes of them is for the caller to say.
    pub async fn restore_from(
        &self,
        source: &Path,
        progress: impl FnMut(u8) + Send + 'static,
    ) -> Result<(Restored, Option<String>)> {
        let named = source.to_owned();
        let source = blocking::run(move |_| Source::file(&named)).await?;
        self.take_over(source, progress).await
    }

    /// The same, of a file that somebody has opened.
    pub async fn take_over(
        &self,
        source: Source,
        progress: impl FnMut(u8) + Send + 'static,
    ) -> Result<(Restored, Option<String>)> {
        let folder = self.folder_to_restore()?;
        let turn = Arc::clone(&self.store.restoring).lock_owned().await;
        let open = self.store.open.clone();
        let unpacked = blocking::run(move |abandoned| {
            let house = Destination::of(&open, &folder);
            let unpacked = unpack(&house, open.clock(), source, abandoned, progress);
            unpacked.map(|unpacked| (unpacked, turn))
        });
        let ((prepared, settings), turn) = unpacked.await?;
        Ok((self.exchange(prepared, turn).await?, settings))
    }
}

/// Takes over the file at `source` in a folder that no appliance has open, for a program with this `schema` that leaves
/// `reserve` bytes of the disk free. Gives the text of the settings in it, too.
pub fn offline(
    folder: &DataFolder,
    schema: &Schema,
    reserve: u64,
    clock: &Clock,
    source: &Path,
    progress: impl FnMut(u8),
) -> Result<(Restored, Option<String>)> {
    let unserved = |error| fault::unserved(folder.root(), error);
    restore::tidy(folder, clock).and_then(|_| sweep(folder)).map_err(unserved)?;
    // Who ends the command ends the process.
    let never = CancellationToken::new();
    let house = Destination { folder, schema, reserve, blob_files: BlobFiles::default() };
    let unpacked = Source::file_or_pipe(source).and_then(|source| unpack(&house, clock, source, &never, progress));
    let (prepared, settings) = unpacked.map_err(unserved)?;
    let restored = restore::put_in_place_offline(folder, prepared, schema, clock).map_err(unserved)?;
    Ok((restored, settings))
}

/// Removes the half files that a killed taking-over has left, behind [`restore::tidy`], which has settled its texts.
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

/// Where a file is taken in.
pub(super) struct Destination<'a> {
    pub folder: &'a DataFolder,
    pub schema: &'a Schema,
    /// Bytes of the disk that stay free.
    pub reserve: u64,
    /// Who has a hand on which large file.
    pub blob_files: BlobFiles,
}

impl<'a> Destination<'a> {
    /// The house that is open in `folder`.
    pub fn of(open: &'a OpenStore, folder: &'a DataFolder) -> Destination<'a> {
        let blob_files = open.blob_files().clone();
        Destination { folder, schema: open.schema(), reserve: open.reserve_bytes(), blob_files }
    }
}

/// Unpacks beside the store and checks everything. Gives the store that waits to be put in place, and the text of the
/// settings.
fn unpack(
    house: &Destination<'_>,
    clock: &Clock,
    source: Source,
    abandoned: &CancellationToken,
    mut progress: impl FnMut(u8),
) -> Result<(Prepared, Option<String>)> {
    let Source { file, name } = source;
    let Destination { folder, schema, .. } = *house;
    let waiting = Waiting::at(folder);
    let mut brought = UnpackedBackup { files: house.blob_files.clone(), folder, names: Vec::new() };
    let keep = |name: &str, sha256: &str, entry: &mut dyn Read| {
        let Some(blob) = name.strip_prefix(BLOBS) else { return take_checked(entry, &waiting.0, sha256) };
        let target = folder.blobs().join(blob);
        if house.blob_files.bring(blob, &target) {
            brought.names.push(blob.to_owned());
        }
        take_checked(entry, &target, sha256)
    };
    let Contents { description, settings, texts } = read_all(file, house, abandoned, keep, &mut progress)?;
    snapshot::sync(&folder.blobs())?;
    snapshot::writable(&waiting.0)?;
    let prepared = restore::prepare(waiting, name, schema, clock).map_err(|error| {
        // The bytes are those of the description: what is wrong with them was wrong when the file was made.
        if error.kind == Kind::Internal {
            not_whole(error.cause.unwrap_or_else(|| error.message.to_string()))
        } else {
            error
        }
    })?;
    let prepared = prepared.noting(description.snapshot.last_write_left_out).bring_up_to_date(schema, clock)?;
    let prepared = prepared.with_texts(WaitingTexts::of(texts, folder)?);
    brought.keep();
    progress(95);
    Ok((prepared, settings))
}

/// Large files that a backup file has brought: they go again where it is refused, unless somebody has put the same
/// meanwhile.
struct UnpackedBackup<'a> {
    files: BlobFiles,
    folder: &'a DataFolder,
    names: Vec<String>,
}

impl UnpackedBackup<'_> {
    fn keep(mut self) {
        self.names.drain(..).for_each(|name| self.files.keep_brought(&name));
    }
}

impl Drop for UnpackedBackup<'_> {
    fn drop(&mut self) {
        self.names.iter().for_each(|name| self.files.take_back(name, &self.folder.blobs().join(name)));
    }
}

/// Reads the file at `source` to its end and checks it against its own description, without keeping anything.
pub(super) fn examine(house: &Destination<'_>, source: &Path, abandoned: &CancellationToken) -> Result<Contents> {
    let file = File::open(source).map_err(|e| fault::io("reading the backup file", e))?;
    let pass_over = |_: &str, sha256: &str, entry: &mut dyn Read| check_digest(entry, sha256, &mut io::sink());
    read_all(file, house, abandoned, pass_over, |_| ())
}

/// What a file holds beside the store and the blobs.
pub(super) struct Contents {
    pub description: Told,
    pub settings: Option<String>,
    /// The owner's texts for the customer site.
    pub texts: Texts,
}

/// Reads a file to its end. Store and blobs, each once and only of the size that the description says, are given to
/// `keep` with name and checksum, which it holds them against.
fn read_all(
    file: File,
    house: &Destination<'_>,
    abandoned: &CancellationToken,
    keep: impl FnMut(&str, &str, &mut dyn Read) -> io::Result<()>,
    progress: impl FnMut(u8),
) -> Result<Contents> {
    // A pipe has no length that could be known.
    let most =
        file.metadata().ok().filter(|there| there.is_file()).map(|there| there.len().saturating_mul(MOST_PACKED));
    // Asked at each piece: one entry may be the whole house, and a small file may become any number of bytes.
    let mut from = Abandonable { from: GzDecoder::new(BufReader::new(file)), abandoned };
    let read = read_entries(&mut from, house, most, keep, progress);
    let contents = read.and_then(|contents| check_end(from).map(|()| contents));
    // What was broken off is no fault of the file.
    blocking::go_on(abandoned)?;
    contents
}

fn read_entries(
    from: impl Read,
    house: &Destination<'_>,
    most: Option<u64>,
    mut keep: impl FnMut(&str, &str, &mut dyn Read) -> io::Result<()>,
    mut progress: impl FnMut(u8),
) -> Result<Contents> {
    let mut archive = tar::Archive::new(from);
    // Names and sizes stand in plain headers; an extension could ask for any amount of memory.
    let mut entries = archive.entries().map_err(not_whole)?.raw(true);
    let description = describe(entries.next().ok_or_else(|| not_whole("empty"))?.map_err(not_whole)?)?;
    check_version(&description, house.schema.version())?;
    let total = total(&description).filter(|total| most.is_none_or(|most| *total <= most));
    let total = total.ok_or_else(|| not_whole("it says to hold more than can be in it"))?;
    check_room(house, total)?;
    let (mut found, mut settings, mut texts, mut done) = (BTreeSet::new(), None, Texts::new(), 0u64);
    for entry in entries {
        let mut entry = entry.map_err(not_whole)?;
        let name = name_of(&entry)?;
        let unexpected = || not_whole(format!("unexpected entry {name}"));
        if !entry.header().entry_type().is_file() || !found.insert(name.clone()) {
            return Err(unexpected());
        }
        if name == SETTINGS && entry.size() <= SETTINGS_LIMIT {
            let mut text = String::new();
            entry.read_to_string(&mut text).map_err(not_whole)?;
            settings = Some(text);
            continue;
        }
        if let Some(of_owner) = texts::name_of(&name)
            && entry.size() <= LONGEST_TEXT
        {
            let mut text = Vec::new();
            entry.read_to_end(&mut text).map_err(not_whole)?;
            texts.insert(of_owner.to_owned(), text);
            continue;
        }
        let named = expected(&description, &name).filter(|(_, size)| *size == entry.size());
        let (sha256, size) = named.ok_or_else(unexpected)?;
        keep(&name, &sha256, &mut entry).map_err(not_taken)?;
        done = done.saturating_add(size);
        progress((done.saturating_mul(80) / total.max(1)).min(80) as u8);
    }
    check_complete(&description, &found)?;
    Ok(Contents { description, settings, texts })
}

/// The checksum and the size that the description gives for an entry. None for what it does not name.
fn expected(description: &Told, name: &str) -> Option<(String, u64)> {
    let Told { snapshot, blobs, .. } = description;
    if name == STORE {
        return Some((snapshot.sha256.clone(), snapshot.bytes));
    }
    let blob = name.strip_prefix(BLOBS)?;
    Some((blob.to_owned(), blobs.size(&digest_of(blob)?)?))
}

fn check_complete(description: &Told, found: &BTreeSet<String>) -> Result<()> {
    let blobs = found.iter().filter(|name| name.starts_with(BLOBS)).count();
    match found.contains(STORE) && blobs == description.blobs.len() {
        true => Ok(()),
        false => Err(not_whole("an entry is missing")),
    }
}

/// Refuses what stands behind the last entry, but the zeros by which an archive ends: nobody would see it.
fn check_end(mut from: Abandonable<'_, GzDecoder<impl BufRead>>) -> Result<()> {
    let mut rest = Vec::new();
    from.by_ref().take(LONGEST_END + 1).read_to_end(&mut rest).map_err(not_whole)?;
    let is_end = rest.len() as u64 <= LONGEST_END && rest.iter().all(|byte| *byte == 0);
    match is_end && from.from.into_inner().fill_buf().map_err(not_whole)?.is_empty() {
        true => Ok(()),
        false => Err(not_whole("something stands behind its end")),
    }
}

fn not_whole(cause: impl std::fmt::Display) -> Error {
    Error::field("file", said::NOT_A_BACKUP_FILE).because(cause)
}

/// What went wrong with an entry: a fault of the house's own disk is none of the file.
fn not_taken(error: io::Error) -> Error {
    match error.downcast::<OwnDisk>() {
        Ok(OwnDisk(error)) => fault::io("unpacking", error),
        Err(error) => not_whole(error),
    }
}

/// The house could not write what it read.
#[derive(Debug)]
struct OwnDisk(io::Error);

impl std::fmt::Display for OwnDisk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for OwnDisk {}

fn own_disk(error: io::Error) -> io::Error {
    io::Error::other(OwnDisk(error))
}

fn check_version(description: &Told, known: u32) -> Result<()> {
    let snapshot = &description.snapshot;
    if description.format <= FORMAT && snapshot.store_version <= known {
        return Ok(());
    }
    Err(Error::conflict(said::FILE_TOO_NEW.with([
        ("program", snapshot.app_version.as_str().into()),
        ("version", snapshot.store_version.into()),
        ("known", known.into()),
    ])))
}

/// Refuses a file of more than there is room for, beside the reserve and the present state, of which another file is made
/// where a disk gives none a second name.
fn check_room(house: &Destination<'_>, total: u64) -> Result<()> {
    let present = fs::metadata(house.folder.store_file()).map_or(0, |store| store.len());
    let needed = total.saturating_add(present).saturating_add(house.reserve);
    let Some(free) = space::free(house.folder.root()).filter(|free| *free < needed) else { return Ok(()) };
    let mebibytes = [("needed", needed.div_ceil(1 << 20).into()), ("free", (free >> 20).into())];
    Err(Error::new(Kind::StorageFull, said::NO_ROOM_FOR_FILE.with(mebibytes)))
}

fn name_of<R: Read>(entry: &tar::Entry<'_, R>) -> Result<String> {
    Ok(entry.path().map_err(not_whole)?.to_string_lossy().into_owned())
}

/// Copies an entry to `target` and checks it against `sha256`; what does not match is not left lying.
fn take_checked(entry: &mut dyn Read, target: &Path, sha256: &str) -> io::Result<()> {
    let partial = partial(target);
    let taken = copy_checked(entry, &partial, sha256).and_then(|()| fs::rename(&partial, target).map_err(own_disk));
    taken.inspect_err(|_| drop(fs::remove_file(&partial)))
}

/// Where a file lies until it is whole.
fn partial(target: &Path) -> PathBuf {
    target.with_extension("partial")
}

fn copy_checked(entry: &mut dyn Read, partial: &Path, sha256: &str) -> io::Result<()> {
    let mut file = File::create(partial).map_err(own_disk)?;
    check_digest(entry, sha256, &mut file)?;
    file.sync_all().map_err(own_disk)
}

/// Passes an entry on to `out`, and checks it against `sha256`.
fn check_digest(entry: &mut dyn Read, sha256: &str, out: &mut impl Write) -> io::Result<()> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0u8; 1 << 20];
    loop {
        let read = entry.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        digest.update(&buffer[..read]);
        out.write_all(&buffer[..read]).map_err(own_disk)?;
    }
    if hex(&digest.finalize()) != sha256 {
        return Err(io::Error::other("checksum does not match"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
