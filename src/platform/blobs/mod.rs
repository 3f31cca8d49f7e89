//! Large files: pictures, songs, papers. Each is known by the SHA-256 of its bytes, is written once and never changed.
//!
//! A file comes in piece by piece ([`Blobs::begin`]), is hashed while it is written beside its place, and gets its name
//! when it is whole and on the disk ([`Put`]). A domain refers to it from its rows: [`BlobsNamed`] among what is derived
//! from a table says, once, which files a row names, and keeps that in the row's own transaction. A row that names a file
//! that is not there is refused.
//!
//! What no row names any more is collected later ([`Blobs::collect`]): not before a day has passed, nor while anybody holds
//! it ([`Fresh`]), nor while a snapshot is kept that is from before it was named no more: whoever returns to that finds the
//! file. So no snapshot copies files; a backup file holds all of them. Files without a row (the process ended between the
//! two, or a state without it was restored) become such that nobody names.
//!
//! A browser sends a file in parts ([`Blobs::begin_upload`]), of which each begins where the one before it ended.
//!
//! What is deliberately not here: what a file is for, who may see it, and what becomes of its content.

mod check;
mod collect;
mod id;
mod kind;
mod named;
mod put;
mod row;
#[cfg(test)]
mod tests;
mod upload_row;
mod uploads;

pub use check::Checked;
pub use collect::Collected;
pub use id::BlobId;
pub use kind::MediaKind;
pub use named::BlobsNamed;
pub use put::{Fresh, Passing, Put};
pub use row::{Blob, BlobFlaw, Totals, find, totals};
pub use upload_row::Upload;
pub use uploads::Receiving;

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::Deref;
use std::path::PathBuf;

use crate::store::{BlobFiles, DataFolder, Declared, PreservedOnRestore, Store};
use hanok_base::{Clock, Error, MessageTemplate, Result, Shared};

/// Every table of the files.
pub const TABLES: &[&dyn Declared] = &[&row::BLOBS, &row::NAMED, &upload_row::UPLOADS];

/// What a restore does not take back.
pub const PRESERVED_ON_RESTORE: &[PreservedOnRestore] = &[row::SINCE_WHEN, upload_row::GO_ON];

const IN_MEMORY: MessageTemplate = MessageTemplate::new("house.no_files_in_memory", "a house in memory keeps no files");

/// The large files of a house; clones share them.
#[derive(Clone)]
pub struct Blobs(Shared<Parts>);

/// What the handles share.
pub struct Parts {
    store: Store,
    clock: Clock,
    files: BlobFiles,
    resting: uploads::Resting,
}

impl Deref for Blobs {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Blobs {
    /// The files beside `store`.
    pub fn new(store: Store, clock: Clock) -> Blobs {
        Blobs(Shared::new(Parts { files: store.blob_files(), store, clock, resting: uploads::Resting::default() }))
    }

    /// Where the bytes of a file lie.
    ///
    /// # Errors
    /// `CONFLICT` for a house in memory.
    pub fn path(&self, id: &BlobId) -> Result<PathBuf> {
        Ok(path_in(self.folder()?, id))
    }

    /// A file to be read, on a thread that may block; none where it is gone or another than was put there.
    ///
    /// # Errors
    /// Those of the disk; `CONFLICT` for a house in memory.
    pub fn open(&self, blob: &Blob) -> Result<Option<File>> {
        let opened = File::open(self.path(&blob.id)?).and_then(|file| Ok((file.metadata()?.len(), file)));
        match opened {
            Ok((length, file)) => Ok((length == blob.bytes && blob.flaw.is_none()).then_some(file)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::internal(error)),
        }
    }

    /// The bytes of a small file, each of them looked at, and what it is; none where it is gone, is another than was put
    /// there, or has more than `most`.
    ///
    /// # Errors
    /// Those of the disk and of the store; `CONFLICT` for a house in memory.
    pub async fn read(&self, id: BlobId, most: u64) -> Result<Option<(MediaKind, Vec<u8>)>> {
        let blobs = self.clone();
        let read = self.store.read(move |tx| {
            let Some(blob) = find(tx, &id)?.filter(|blob| blob.bytes <= most) else { return Ok(None) };
            let Some(file) = blobs.open(&blob)? else { return Ok(None) };
            let mut bytes = Vec::new();
            file.take(most).read_to_end(&mut bytes).map_err(Error::internal)?;
            let mut written = put::Written::default();
            written.take(&bytes);
            Ok((written.id() == id).then_some((blob.kind, bytes)))
        });
        read.await
    }

    fn folder(&self) -> Result<&DataFolder> {
        self.store.folder().ok_or_else(|| Error::conflict(IN_MEMORY))
    }
}

fn path_in(folder: &DataFolder, id: &BlobId) -> PathBuf {
    folder.blobs().join(id.as_str())
}
