//! Collecting: files that no row names go, when nobody can come back to a state in which one does.
//!
//! A file whose last row went is named by no snapshot that is made from then on. So the largest number of a snapshot is
//! noted with it when it is looked at first, and it goes when every snapshot up to that one has gone. Numbers only rise,
//! whatever the clock says; and while a snapshot is made, restored or packed, nothing is collected.

use std::fs::{self, File};
use std::io::Read;
use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};

use super::id::BlobId;
use super::kind::{LOOKED_AT, MediaKind};
use super::row::{BLOBS, Blob, UNUSED, Unused};
use super::{Blobs, path_in};
use crate::blocking;
use crate::store::{DataFolder, KeptStates, Order, ReadTransaction, WriteTx, file_fault};
use hanok_base::Result;

/// How long a file waits for a row to name it.
const KEPT_HOURS: i64 = 24;
/// So many are looked at in one transaction.
const AT_ONCE: usize = 256;

/// What was collected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Collected {
    /// Files that have gone.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files that lay there and no row knew.
    pub found: u64,
}

impl Blobs {
    /// Removes what nobody needs any more. None where something is being copied now: it is tried again later.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub async fn collect(&self) -> Result<Option<Collected>> {
        let Some(folder) = self.store.folder().cloned() else { return Ok(Some(Collected::default())) };
        let Some(held) = self.store.hold_copies() else { return Ok(None) };
        let blobs = self.clone();
        let looked = blocking::run(move |_| {
            let states = blobs.store.kept_states(&folder, &blobs.clock, &held)?;
            Ok((states, blobs.unknown(&folder)?, folder, held))
        });
        let (states, unknown, folder, _held) = looked.await?;
        let mut collected = Collected { found: unknown.len() as u64, ..Collected::default() };
        for some in unknown.chunks(AT_ONCE) {
            let some = some.to_vec();
            let note = move |tx: &WriteTx| {
                tx.quiet();
                some.into_iter().try_for_each(|(id, bytes, kind)| note_found(tx, id, bytes, kind))
            };
            self.store.write(note).await?;
        }
        let folder = Arc::new(folder);
        let mut unused = self.store.read(unused_for_long).await?;
        unused.retain(|id| !self.files.is_held(id.as_str()));
        for some in unused.chunks(AT_ONCE) {
            let (some, place) = (some.to_vec(), Arc::clone(&folder));
            let judge = move |tx: &WriteTx| {
                tx.quiet();
                some.into_iter().filter_map(|id| judge(tx, id, &states, &place).transpose()).collect::<Result<_>>()
            };
            let gone: Vec<Blob> = self.store.write(judge).await?;
            let (blobs, folder) = (self.clone(), Arc::clone(&folder));
            let removed = blocking::run(move |_| blobs.remove(&folder, gone)).await?;
            (collected.files, collected.bytes) = (collected.files + removed.0, collected.bytes + removed.1);
        }
        Ok(Some(collected))
    }

    /// Files that lie there, of which the store knows nothing and which nobody holds.
    fn unknown(&self, folder: &DataFolder) -> Result<Vec<(BlobId, u64, MediaKind)>> {
        let lying = fs::read_dir(folder.blobs()).map_err(|error| file_fault("reading blobs/", error))?;
        self.store.read_now(|tx| {
            let mut unknown = Vec::new();
            for entry in lying.flatten() {
                let id = entry.file_name().to_str().and_then(BlobId::parse);
                let file = entry.metadata().ok().filter(|file| file.is_file());
                let (Some(id), Some(file)) = (id, file) else { continue };
                if !self.files.is_held(id.as_str()) && !tx.contains(&BLOBS, id.as_str())? {
                    unknown.push((id, file.len(), kind_of(&entry.path())));
                }
            }
            Ok(unknown)
        })
    }

    /// Removes the files of which no row speaks any more, unless one of them was put once more. Gives how many went, and
    /// their bytes.
    pub(super) fn remove(&self, folder: &DataFolder, gone: Vec<Blob>) -> Result<(u64, u64)> {
        let (mut files, mut bytes) = (0, 0);
        for blob in gone {
            let is_unknown = || self.store.read_now(|tx| Ok(!tx.contains(&BLOBS, blob.id.as_str())?));
            if self.files.remove(blob.id.as_str(), &path_in(folder, &blob.id), is_unknown)? {
                (files, bytes) = (files + 1, bytes + blob.bytes);
            }
        }
        Ok((files, bytes))
    }
}

fn kind_of(path: &std::path::Path) -> MediaKind {
    let mut head = Vec::new();
    let _ = File::open(path).and_then(|file| file.take(LOOKED_AT as u64).read_to_end(&mut head));
    MediaKind::of(&head)
}

/// A file without a row may have been named by a state that is kept.
fn note_found(tx: &WriteTx, id: BlobId, bytes: u64, kind: MediaKind) -> Result<()> {
    if tx.contains(&BLOBS, id.as_str())? {
        return Ok(());
    }
    let unused = Some(Unused::now(tx, true));
    BLOBS.put(tx, &Blob { id, bytes, kind, put_at: tx.now(), unused, flaw: None })
}

/// Whether its time is over. A clock that was set back is no reason to wait for years.
fn is_over(unused: &Unused, now: DateTime<Utc>) -> bool {
    (now - unused.since).abs() > Duration::hours(KEPT_HOURS)
}

fn unused_for_long(tx: &crate::store::ReadTx) -> Result<Vec<BlobId>> {
    let mut found = Vec::new();
    for entry in tx.entries(&UNUSED, (i64::MIN, "").., Order::Ascending) {
        let entry = entry?;
        let id = BlobId::parse(entry.key().1);
        let Some(blob) = id.as_ref().map(|id| tx.get(&BLOBS, id.as_str())).transpose()?.flatten() else { continue };
        if blob.unused.is_some_and(|unused| is_over(&unused, tx.now())) {
            found.extend(id);
        }
    }
    Ok(found)
}

/// Takes the row of a file away that goes, and gives it; else notes what it waits for.
fn judge(tx: &WriteTx, id: BlobId, states: &KeptStates, folder: &DataFolder) -> Result<Option<Blob>> {
    let Some(blob) = tx.get(&BLOBS, id.as_str())? else { return Ok(None) };
    let Some(unused) = blob.unused.clone().filter(|unused| is_over(unused, tx.now())) else { return Ok(None) };
    let is_named_no_more = |upto: u64| states.are_all && states.oldest.is_none_or(|oldest| oldest > upto);
    let is_there = path_in(folder, &id).exists();
    match unused.upto {
        _ if !unused.was_named || !is_there => BLOBS.remove(tx, id.as_str()),
        Some(upto) if is_named_no_more(upto) => BLOBS.remove(tx, id.as_str()),
        Some(upto) if upto <= states.newest => Ok(None),
        // When all snapshots have gone, their numbers begin anew.
        _ if states.are_all => {
            let unused = Some(Unused { upto: Some(states.newest), ..unused });
            BLOBS.put(tx, &Blob { unused, ..blob }).map(|()| None)
        }
        _ => Ok(None),
    }
}
