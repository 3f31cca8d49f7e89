//! The one file that moves a house: store, blobs, settings without secrets and the owner's texts (`texts`), as a compressed
//! tar. Who may enter stays at home unless it is asked for. It can be read on another machine and processor (`unpack`).

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use redb::TableDefinition;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::super::file::direct::Direct;
use super::super::file::folder::DataFolder;
use super::super::file::open_store::OpenStore;
use super::super::file::partial::Partial;
use super::super::file::{fault, source, space, store::Store};
use super::copy::Copying;
use super::making::{room_for, room_for_copies};
use super::placing::{self, Placing};
use super::rehearsal::on_file;
use super::reserving::Reserving;
use super::said;
use super::snapshot::{self, Snapshot};
use super::target::DESCRIPTION;
use super::texts::{self, TEXTS};
use crate::blocking::{self, Abandonable};
use hanok_base::{Error, Result};

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
pub(in crate::store) const FORMAT: u32 = 2;
/// That of a file in which the owner has no texts, which earlier versions take, too.
const FORMAT_WITHOUT_TEXTS: u32 = 1;
pub(in crate::store) const STORE: &str = "hanok.redb";
pub(in crate::store) const SETTINGS: &str = "appliance.toml";
/// A file with more blobs is neither made nor taken.
pub(in crate::store) const MOST_BLOBS: usize = 200_000;
/// The folder of the blobs.
pub(in crate::store) const BLOBS: &str = "blobs/";

impl Store {
    /// Whether [`Store::pack`] has room here: asked before the snapshot is made that is to be packed, which needs room, too.
    ///
    /// # Errors
    /// `STORAGE_FULL`; `CONFLICT` for a store in memory.
    pub async fn check_packing(&self, with_access: bool) -> Result<()> {
        let open = self.open.clone();
        let check = move |_: &CancellationToken| {
            let folder = folder_of(&open)?;
            room_for_copies(&open, folder, &folder.store_file(), if with_access { 1 } else { 2 })
        };
        blocking::run(check).await
    }

    /// Writes `snapshot`, the blobs, `settings` and the owner's texts into `file`, which is on its disk then. Who may enter is in it only
    /// `with_access`: else a copy is packed without what the schema says that nobody else may know.
    ///
    /// # Errors
    /// Those of [`Store::check_packing`]; `STORAGE_FULL` also where `file` lies; `CONFLICT` when nobody waits for it any
    /// more.
    pub async fn pack(&self, snapshot: &Snapshot, settings: &str, file: File, with_access: bool) -> Result<()> {
        let packed =
            Packed { snapshot: snapshot.clone(), settings: settings.to_owned(), place: PackTarget::Given(file) };
        if with_access {
            let open = self.open.clone();
            let blobs_stay = Arc::clone(&self.blobs_stay).read_owned().await;
            let write = move |abandoned: &CancellationToken| {
                let _blobs_stay = blobs_stay;
                let folder = folder_of(&open)?;
                packed.write(&open, folder, &snapshot::file(folder, &packed.snapshot.name), abandoned)
            };
            return blocking::run(write).await;
        }
        self.pack_without_access(packed).await
    }

    /// Packs a copy without who may enter.
    pub(super) async fn pack_without_access(&self, packed: Packed) -> Result<()> {
        // One copy is packed at a time, as it has one name; and while it is made no other is, so that both find their room.
        let turn = Arc::clone(&self.packing).lock_owned().await;
        let blobs_stay = Arc::clone(&self.blobs_stay).read_owned().await;
        let alone = Arc::clone(&self.copying).lock_owned().await;
        let open = self.open.clone();
        let write = move |abandoned: &CancellationToken| {
            let _held = (turn, blobs_stay);
            let folder = folder_of(&open)?;
            if let PackTarget::Ours { target, make_way } = &packed.place {
                // Whoever had the turn before may have packed the same.
                if target.exists() {
                    return Ok(());
                }
                make_way(folder);
                let original = snapshot::file(folder, &packed.snapshot.name);
                room_for(&open, folder, &original, 2, space::blobs_bytes(folder))?;
            }
            let original = snapshot::file(folder, &packed.snapshot.name);
            // A hand or the retention may have taken it away meanwhile.
            let gone = |error| if original.exists() { error } else { Error::not_found("snapshot") };
            let (copy, snapshot) = without_access(&open, folder, &packed.snapshot, abandoned).map_err(gone)?;
            drop(alone);
            Packed { snapshot, ..packed }.write(&open, folder, copy.path(), abandoned)
        };
        blocking::run(write).await
    }
}

fn folder_of(open: &OpenStore) -> Result<&DataFolder> {
    open.folder().ok_or_else(|| Error::conflict(said::IN_MEMORY))
}

/// What goes into one file, and where that is written.
pub(super) struct Packed {
    pub snapshot: Snapshot,
    pub settings: String,
    pub place: PackTarget,
}

/// Who says where a file is written.
#[derive(Debug)]
pub(super) enum PackTarget {
    /// A person, who has opened it and puts it in its place.
    Given(File),
    /// The house itself, in its own folder, where something may have to go first.
    Ours { target: PathBuf, make_way: fn(&DataFolder) },
}

impl Packed {
    /// Writes it with the store file at `store`.
    fn write(&self, open: &OpenStore, folder: &DataFolder, store: &Path, abandoned: &CancellationToken) -> Result<()> {
        let reserve = open.reserve_bytes();
        let failed = |error| blocking::go_on(abandoned).err().unwrap_or_else(|| fault::io("the backup file", error));
        match &self.place {
            PackTarget::Given(file) => {
                let without_room = |error| match fault::is_full(&error) {
                    true => fault::storage_full().saying(said::NO_ROOM_THERE).because(error),
                    false => failed(error),
                };
                write_to(folder, store, self, file, reserve, abandoned).map_err(without_room)
            }
            PackTarget::Ours { target, .. } => {
                let placing = Placing::at_home(target)?;
                write_to(folder, store, self, placing.file(), reserve, abandoned).map_err(failed)?;
                placing.finish().map(drop)
            }
        }
    }
}

/// Where the copy lies that is packed.
fn packing_file(folder: &DataFolder) -> PathBuf {
    folder.backups().join("packing.partial")
}

/// Removes the copy that a killed packing has left, which may say who may enter (earlier versions gave each a name of its
/// own), and half of the file that it would have become.
pub(in crate::store) fn sweep(folder: &DataFolder) {
    let _ = fs::remove_file(packing_file(folder));
    placing::sweep_in(&folder.run());
    let Ok(entries) = fs::read_dir(folder.backups()) else { return };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && placing::is_named(&entry.file_name().to_string_lossy(), ["packing-", ".partial"]) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A copy of `snapshot` without what the schema says that nobody else may know, and its description.
fn without_access(
    open: &OpenStore,
    folder: &DataFolder,
    snapshot: &Snapshot,
    abandoned: &CancellationToken,
) -> Result<(Partial, Snapshot)> {
    let original = snapshot::file(folder, &snapshot.name);
    room_for_copies(open, folder, &original, 1)?;
    let nobody_writes = Arc::default();
    let copying = Copying::begin(Arc::clone(&nobody_writes), &original, packing_file(folder), abandoned)?;
    let copy = copying.finish(&nobody_writes, &original)?;
    let path = copy.path();
    snapshot::writable(path)?;
    on_file(path, source::CHECK_CACHE, open.clock(), |store| {
        store.write(|tx| open.schema().carried().try_for_each(|one| (one.forget)(tx)))?;
        fill_free_pages(store, path, abandoned)
    })?;
    blocking::go_on(abandoned)?;
    let tables = snapshot::inspect(path)?;
    let (sha256, bytes) = snapshot::sha256(path, |_| blocking::go_on(abandoned))?;
    Ok((copy, Snapshot { bytes, rows: tables.values().sum(), tables, sha256, ..snapshot.clone() }))
}

/// What was removed still stands in the pages that are free now. Each is written over once: the file grows only when none
/// is left.
fn fill_free_pages(store: &Direct<'_>, path: &Path, abandoned: &CancellationToken) -> Result<()> {
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
            blocking::go_on(abandoned)?;
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

fn write_to(
    folder: &DataFolder,
    store: &Path,
    packed: &Packed,
    file: &File,
    reserve: u64,
    abandoned: &CancellationToken,
) -> io::Result<()> {
    let mut blobs = BTreeMap::new();
    for entry in fs::read_dir(folder.blobs())?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_digest(&name) {
            blobs.insert(name, entry.metadata()?.len());
        }
    }
    if blobs.len() > MOST_BLOBS {
        return Err(io::Error::other(format!("more than {MOST_BLOBS} files are more than one backup file takes")));
    }
    let texts = texts::of(folder)?;
    let format = if texts.is_empty() { FORMAT_WITHOUT_TEXTS } else { FORMAT };
    let description = Description { format, snapshot: packed.snapshot.clone(), blobs };
    let out = Reserving::new(file, folder, reserve)?;
    let mut tar = tar::Builder::new(GzEncoder::new(out, Compression::fast()));
    append(&mut tar, DESCRIPTION, &serde_json::to_vec_pretty(&description)?)?;
    append(&mut tar, SETTINGS, packed.settings.as_bytes())?;
    for (name, text) in &texts {
        append(&mut tar, &format!("{TEXTS}{name}"), text)?;
    }
    append_file(&mut tar, STORE, store, abandoned)?;
    for name in description.blobs.keys() {
        append_file(&mut tar, &format!("{BLOBS}{name}"), &folder.blobs().join(name), abandoned)?;
    }
    tar.into_inner()?.finish()?;
    file.sync_all()
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

fn append_file<W: Write>(
    tar: &mut tar::Builder<W>,
    name: &str,
    path: &Path,
    abandoned: &CancellationToken,
) -> io::Result<()> {
    let file = File::open(path)?;
    tar.append_data(&mut header(file.metadata()?.len()), name, Abandonable { from: file, abandoned })
}

/// Whether `name` is the name of a blob: SHA-256 in lower-case hexadecimal.
pub(in crate::store) fn is_digest(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase())
}
