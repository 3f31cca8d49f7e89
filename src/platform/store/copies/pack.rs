//! The one file that moves a house: store, blobs and settings without secrets, as a compressed tar. Who may enter stays
//! at home unless it is asked for. It can be read on another machine and processor (`unpack`).

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use redb::TableDefinition;
use serde::{Deserialize, Serialize};

use super::super::file::direct::Direct;
use super::super::file::fault;
use super::super::file::folder::{self, DataFolder};
use super::super::file::source;
use super::super::rows::Schema;
use super::copy::Partial;
use super::rehearsal::on_file;
use super::snapshot::{self, Snapshot};
use hanok_base::secret::random_token;
use hanok_base::{Clock, Error, Result};

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
pub(in crate::store) const FORMAT: u32 = 1;
pub(in crate::store) const DESCRIPTION: &str = "hanok.json";
pub(in crate::store) const STORE: &str = "hanok.redb";
pub(in crate::store) const SETTINGS: &str = "appliance.toml";
/// The folder of the blobs.
pub(in crate::store) const BLOBS: &str = "blobs/";

/// Writes `snapshot`, the blobs and `settings` into one file at `target`, whole or not at all, for its owner alone. Gives
/// its size.
///
/// # Errors
/// `INVALID_INPUT` when `target` lies inside the data folder; `STORAGE_FULL`.
pub fn write(folder: &DataFolder, snapshot: &Snapshot, settings: &str, target: &Path) -> Result<u64> {
    check_place(folder, target)?;
    write_whole(folder, &snapshot::file(folder, &snapshot.name), snapshot, settings, target)
}

/// [`write`] without what `schema` says that nobody else may know: who may enter.
pub fn write_without_access(
    folder: &DataFolder,
    schema: &Schema,
    clock: &Clock,
    snapshot: &Snapshot,
    settings: &str,
    target: &Path,
) -> Result<u64> {
    check_place(folder, target)?;
    let (copy, described) = without_access(folder, schema, clock, snapshot)?;
    write_whole(folder, copy.path(), &described, settings, target)
}

/// Refuses a place in the folder that the file is made of, with which it would be lost.
///
/// # Errors
/// `INVALID_INPUT`, also where there is no folder for it.
pub fn check_place(folder: &DataFolder, target: &Path) -> Result<()> {
    let parent = target.parent().and_then(|parent| parent.canonicalize().ok());
    let (Some(parent), Ok(root)) = (parent, folder.root().canonicalize()) else {
        return Err(Error::field("path", "must be a file in a folder that exists"));
    };
    if parent.starts_with(&root) {
        let sentence = format!("must lie outside the data folder {}, with which it would be lost", root.display());
        return Err(Error::field("path", sentence));
    }
    Ok(())
}

/// Under a name that nobody can foresee until it is whole: two who write to one place do not meet, and no link that lies
/// there is followed.
fn write_whole(folder: &DataFolder, store: &Path, described: &Snapshot, settings: &str, target: &Path) -> Result<u64> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let partial = Partial::at(target.with_file_name(format!(".{name}.{}.partial", random_token(12))));
    let failed = |error| fault::io(target.display(), error);
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(partial.path()).map_err(failed)?;
    write_to(folder, store, described, settings, file).map_err(failed)?;
    folder::rename_durably(partial.path(), target)?;
    Ok(fs::metadata(target).map_err(failed)?.len())
}

/// A copy of `snapshot` without what `schema` says that nobody else may know, and its description.
fn without_access(
    folder: &DataFolder,
    schema: &Schema,
    clock: &Clock,
    snapshot: &Snapshot,
) -> Result<(Partial, Snapshot)> {
    let copy = Partial::at(folder.backups().join(format!("packing-{}.partial", random_token(12))));
    let path = copy.path();
    fs::copy(snapshot::file(folder, &snapshot.name), path).map_err(|e| fault::io("copying the snapshot", e))?;
    snapshot::writable(path)?;
    on_file(path, source::CHECK_CACHE, clock, |store| {
        store.write(|tx| schema.carried().try_for_each(|one| (one.forget)(tx)))?;
        fill_free_pages(store, path)
    })?;
    let tables = snapshot::inspect(path)?;
    let (sha256, bytes) = snapshot::sha256(path, |_| Ok(()))?;
    Ok((copy, Snapshot { bytes, rows: tables.values().sum(), tables, sha256, ..snapshot.clone() }))
}

/// What was removed still stands in the pages that are free now. Each is written over once: the file grows only when none
/// is left.
fn fill_free_pages(store: &Direct<'_>, path: &Path) -> Result<()> {
    const FILLING: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("filling");
    /// So long that a page has room for one.
    const ROW: [u8; 3000] = [0; 3000];
    let database = store.database;
    // What a transaction frees can be taken by the next but one.
    for _ in 0..2 {
        database.begin_write().map_err(Error::internal)?.commit().map_err(|e| store.storage.fault(e.into()))?;
    }
    let length = || fs::metadata(path).map_or(u64::MAX, |file| file.len());
    let before = length();
    let filling = database.begin_write().map_err(Error::internal)?;
    {
        let mut table = filling.open_table(FILLING).map_err(Error::internal)?;
        for number in 0..before / 1024 {
            table.insert(number, ROW.as_slice()).map_err(|e| store.storage.fault(e.into()))?;
            if length() > before {
                break;
            }
        }
    }
    filling.commit().map_err(|e| store.storage.fault(e.into()))?;
    let emptied = database.begin_write().map_err(Error::internal)?;
    emptied.delete_table(FILLING).map_err(Error::internal)?;
    emptied.commit().map_err(|e| store.storage.fault(e.into()))
}

fn write_to(folder: &DataFolder, store: &Path, described: &Snapshot, settings: &str, file: File) -> io::Result<()> {
    let mut blobs = BTreeMap::new();
    for entry in fs::read_dir(folder.blobs())?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_digest(&name) {
            blobs.insert(name, entry.metadata()?.len());
        }
    }
    let description = Description { format: FORMAT, snapshot: described.clone(), blobs };
    let mut tar = tar::Builder::new(GzEncoder::new(file, Compression::fast()));
    append(&mut tar, DESCRIPTION, &serde_json::to_vec_pretty(&description)?)?;
    append(&mut tar, SETTINGS, settings.as_bytes())?;
    append_file(&mut tar, STORE, store)?;
    for name in description.blobs.keys() {
        append_file(&mut tar, &format!("{BLOBS}{name}"), &folder.blobs().join(name))?;
    }
    tar.into_inner()?.finish()?.sync_all()
}

/// The same header for the same content, whoever writes it and when.
pub(in crate::store) fn header(size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_size(size);
    header.set_mode(0o600);
    header
}

pub(in crate::store) fn append<W: Write>(tar: &mut tar::Builder<W>, name: &str, bytes: &[u8]) -> io::Result<()> {
    tar.append_data(&mut header(bytes.len() as u64), name, bytes)
}

fn append_file<W: Write>(tar: &mut tar::Builder<W>, name: &str, path: &Path) -> io::Result<()> {
    let file = File::open(path)?;
    tar.append_data(&mut header(file.metadata()?.len()), name, file)
}

/// Whether `name` is the name of a blob: SHA-256 in lower-case hexadecimal.
pub(in crate::store) fn is_digest(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase())
}
