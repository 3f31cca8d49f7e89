//! The one file that moves a house: store, blobs and settings without secrets, as a compressed tar.
//! It can be read on another machine and processor; each entry is checked against the description.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use chrono::{DateTime, Utc};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::folder::{self, DataFolder};
use super::migrate;
use super::restore::{self, Prepared, Restored, Waiting};
use super::snapshot::{self, Snapshot};
use super::{Store, fault};
use crate::base::secret::hex;
use crate::base::{Error, Result};

/// What the file holds. It is the first entry, so that a reader knows what follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// Version of this layout.
    pub format: u32,
    /// The snapshot that lies in it.
    pub snapshot: Snapshot,
    /// SHA-256 of each blob, which is its name, with its size.
    pub blobs: BTreeMap<String, u64>,
}

/// The layout that this version writes and reads.
const FORMAT: u32 = 1;
const DESCRIPTION: &str = "hanok.json";
const STORE: &str = "hanok.redb";
const SETTINGS: &str = "appliance.toml";
/// No settings are longer.
const SETTINGS_LIMIT: u64 = 1 << 20;
/// No description is longer.
const DESCRIPTION_LIMIT: u64 = 64 << 20;

/// Writes `snapshot`, the blobs and `settings` into one file at `target`, whole or not at all. Gives its size.
pub fn write(folder: &DataFolder, snapshot: &Snapshot, settings: &str, target: &Path) -> Result<u64> {
    let partial = target.with_extension("partial");
    let failed = |error| fault::io(target.display(), error);
    let packed = write_to(folder, snapshot, settings, &partial).map_err(failed);
    if let Err(error) = packed {
        let _ = fs::remove_file(&partial);
        return Err(error);
    }
    folder::rename_durably(&partial, target)?;
    Ok(fs::metadata(target).map_err(failed)?.len())
}

fn write_to(folder: &DataFolder, snapshot: &Snapshot, settings: &str, partial: &Path) -> io::Result<()> {
    let mut blobs = BTreeMap::new();
    for entry in fs::read_dir(folder.blobs())?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_digest(&name) {
            blobs.insert(name, entry.metadata()?.len());
        }
    }
    let description = Description { format: FORMAT, snapshot: snapshot.clone(), blobs };
    let mut tar = tar::Builder::new(GzEncoder::new(File::create(partial)?, Compression::fast()));
    append(&mut tar, DESCRIPTION, &serde_json::to_vec_pretty(&description)?)?;
    append(&mut tar, SETTINGS, settings.as_bytes())?;
    append_file(&mut tar, STORE, &snapshot::file(folder, &snapshot.name))?;
    for name in description.blobs.keys() {
        append_file(&mut tar, &format!("blobs/{name}"), &folder.blobs().join(name))?;
    }
    tar.into_inner()?.finish()?.sync_all()
}

/// The same header for the same content, whoever writes it and when.
fn header(size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_size(size);
    header.set_mode(0o600);
    header
}

fn append<W: Write>(tar: &mut tar::Builder<W>, name: &str, bytes: &[u8]) -> io::Result<()> {
    tar.append_data(&mut header(bytes.len() as u64), name, bytes)
}

fn append_file<W: Write>(tar: &mut tar::Builder<W>, name: &str, path: &Path) -> io::Result<()> {
    let file = File::open(path)?;
    tar.append_data(&mut header(file.metadata()?.len()), name, file)
}

impl Store {
    /// Takes over the file at `source` while the appliance runs. `progress` hears percent.
    pub async fn restore_from(&self, source: &Path, progress: impl FnMut(u8) + Send + 'static) -> Result<Restored> {
        let Some(folder) = self.folder().cloned() else {
            return Err(Error::conflict("a store in memory cannot be restored"));
        };
        let _turn = self.restoring.lock().await;
        let source = source.to_owned();
        let cache_bytes = self.slot.cache_bytes();
        let prepared = tokio::task::spawn_blocking(move || unpack(&folder, &source, cache_bytes, progress));
        let prepared = prepared.await.map_err(Error::internal)??;
        self.exchange(prepared).await
    }
}

/// Takes over the file at `source` in a folder that no appliance has open.
pub fn offline(
    folder: &DataFolder,
    source: &Path,
    cache_bytes: usize,
    now: DateTime<Utc>,
    progress: impl FnMut(u8),
) -> Result<Restored> {
    let prepared = unpack(folder, source, cache_bytes, progress)?;
    restore::put_in_place(folder, prepared, now)
}

/// Unpacks beside the store and checks everything, before anything is put in place.
fn unpack(folder: &DataFolder, source: &Path, cache_bytes: usize, mut progress: impl FnMut(u8)) -> Result<Prepared> {
    let broken =
        |cause: &dyn std::fmt::Display| Error::field("file", "is not a whole hanok backup file").because(cause);
    let not_taken = |e: io::Error| if fault::is_full(&e) { fault::io("unpacking", e) } else { broken(&e) };
    let file = File::open(source).map_err(|e| Error::field("file", "cannot be opened").because(e))?;
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    let mut entries = archive.entries().map_err(|e| broken(&e))?;
    let first = entries.next().ok_or_else(|| broken(&"empty"))?.map_err(|e| broken(&e))?;
    let description = describe(first).map_err(|e| broken(&e))?;
    if description.format > FORMAT || description.snapshot.store_version > migrate::current(migrate::MIGRATIONS) {
        return Err(Error::conflict(format!(
            "the file was written by hanok {} (store version {}); this version can read up to {}",
            description.snapshot.app_version,
            description.snapshot.store_version,
            migrate::current(migrate::MIGRATIONS)
        )));
    }
    let waiting = Waiting::at(folder);
    let mut settings = None;
    let total = (description.snapshot.bytes + description.blobs.values().sum::<u64>()).max(1);
    let mut done = 0;
    let mut store_found = false;
    let mut blobs_found = 0;
    for entry in entries {
        let mut entry = entry.map_err(|e| broken(&e))?;
        let name = entry.path().map_err(|e| broken(&e))?.to_string_lossy().into_owned();
        match name.strip_prefix("blobs/") {
            Some(blob) if description.blobs.contains_key(blob) && is_digest(blob) => {
                done += take(&mut entry, &folder.blobs().join(blob), blob).map_err(not_taken)?;
                blobs_found += 1;
            }
            None if name == STORE => {
                done += take(&mut entry, &waiting.0, &description.snapshot.sha256).map_err(not_taken)?;
                store_found = true;
            }
            None if name == SETTINGS => settings = Some(read_settings(&mut entry).map_err(|e| broken(&e))?),
            _ => return Err(broken(&format!("unexpected entry {name}"))),
        }
        progress((done * 80 / total).min(80) as u8);
    }
    if !store_found || blobs_found != description.blobs.len() {
        return Err(broken(&"an entry is missing"));
    }
    snapshot::sync(&folder.blobs())?;
    snapshot::writable(&waiting.0)?;
    let prepared = restore::prepare(waiting, source.display().to_string(), cache_bytes)?;
    if let Some(settings) = settings {
        keep_settings(folder, &settings)?;
    }
    progress(95);
    Ok(prepared)
}

fn describe(entry: impl Read) -> io::Result<Description> {
    Ok(serde_json::from_reader(entry.take(DESCRIPTION_LIMIT))?)
}

/// Copies an entry to `target` and checks it against `sha256`; what does not match is not left lying.
fn take(entry: &mut impl Read, target: &Path, sha256: &str) -> io::Result<u64> {
    let partial = target.with_extension("partial");
    let taken = copy_checked(entry, &partial, sha256).and_then(|bytes| fs::rename(&partial, target).map(|()| bytes));
    taken.inspect_err(|_| drop(fs::remove_file(&partial)))
}

fn copy_checked(entry: &mut impl Read, partial: &Path, sha256: &str) -> io::Result<u64> {
    let mut file = File::create(partial)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0u8; 1 << 20];
    let mut total = 0;
    loop {
        let read = entry.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        digest.update(&buffer[..read]);
        file.write_all(&buffer[..read])?;
        total += read as u64;
    }
    file.sync_all()?;
    if hex(&digest.finalize()) != sha256 {
        return Err(io::Error::other("checksum does not match"));
    }
    Ok(total)
}

fn read_settings(entry: &mut impl Read) -> io::Result<String> {
    let mut text = String::new();
    entry.take(SETTINGS_LIMIT).read_to_string(&mut text)?;
    Ok(text)
}

/// Settings are put in place only where there are none; otherwise they are laid beside.
fn keep_settings(folder: &DataFolder, text: &str) -> Result<()> {
    let own = folder.root().join(SETTINGS);
    let target = if own.exists() { folder.root().join("appliance.restored.toml") } else { own };
    folder::write_whole(&target, text.as_bytes())
}

fn is_digest(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase())
}
