//! The one file that moves a house: store, blobs and settings without secrets, as a compressed tar.
//! It can be read on another machine and processor (`unpack`).

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use super::super::file::fault;
use super::super::file::folder::{self, DataFolder};
use super::snapshot::{self, Snapshot};
use hanok_base::Result;

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
