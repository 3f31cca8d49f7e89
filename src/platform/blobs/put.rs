//! A file that comes in: hashed while it is written beside its place, and put there when it is whole.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::id::BlobId;
use super::kind::{LOOKED_AT, MediaKind};
use super::row::{self, Blob};
use super::{Blobs, path_in};
use crate::blocking;
use crate::store::{BlobHold, DataFolder, Partial, file_fault, folder};
use hanok_base::secret::hex;
use hanok_base::{Error, Kind, MessageTemplate, Result};

const TOO_LARGE: MessageTemplate =
    MessageTemplate::new("house.blob_too_large", "a file of at most {most} MiB is taken here");

/// Bytes after which the room is looked at again.
const LOOK_EVERY: u64 = 8 << 20;

/// A file that is coming in. Dropped, it leaves nothing, and holds up nobody on the thread that drops it.
pub struct Put(Option<Coming>);

/// What has come in so far. A large file takes a while to go: this is dropped where that may take long.
struct Coming {
    blobs: Blobs,
    place: Partial,
    file: File,
    written: Written,
    most: u64,
    look_at: u64,
}

/// A file that has come in and is only looked at. Dropped, it is gone.
pub struct Passing(Put);

/// What is known of bytes by the time they are all there.
#[derive(Default)]
pub(super) struct Written {
    digest: Sha256,
    head: Vec<u8>,
    bytes: u64,
}

/// A file that was put, and that nobody collects while this is held: until a row names it.
pub struct Fresh {
    /// The file.
    pub blob: Blob,
    _hold: BlobHold,
}

impl Drop for Put {
    fn drop(&mut self) {
        if let Some(coming) = self.0.take() {
            blocking::drop_elsewhere(coming);
        }
    }
}

impl Blobs {
    /// Begins to take a file in, of at most `most` bytes; `announced` is the size that its sender says.
    ///
    /// # Errors
    /// `TOO_LARGE`; `STORAGE_FULL` where the reserve would not be left; `CONFLICT` for a house in memory.
    pub async fn begin(&self, announced: Option<u64>, most: u64) -> Result<Put> {
        let blobs = self.clone();
        let bytes = announced.unwrap_or_default();
        check_size(bytes, most)?;
        let begun = blocking::run(move |_| {
            blobs.store.check_room(bytes)?;
            let place = Partial::at(place_of_a_new_one(blobs.folder()?)?);
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(place.path());
            let file = file.map_err(|error| file_fault("taking a file in", error))?;
            let written = Written::default();
            Ok(Put(Some(Coming { blobs, place, file, written, most, look_at: LOOK_EVERY })))
        });
        begun.await
    }

    /// Puts what `bytes` are.
    ///
    /// # Errors
    /// Those of [`Blobs::begin`], [`Put::write`] and [`Put::finish`].
    pub async fn put(&self, bytes: Vec<u8>) -> Result<Fresh> {
        let length = bytes.len() as u64;
        self.begin(Some(length), length).await?.write(bytes).await?.finish().await
    }

    /// Puts a file in its place that is whole and on its disk, and notes it. The hold comes first: from then on nobody
    /// removes what lies there.
    pub(super) async fn keep(&self, place: Partial, written: Written) -> Result<Fresh> {
        let (id, bytes, kind) = (written.id(), written.bytes, MediaKind::of(&written.head));
        let blobs = self.clone();
        let placed = blocking::run(move |_| {
            let hold = blobs.files.hold(id.as_str());
            let to = path_in(blobs.folder()?, &id);
            // A kept state may name one that lies there, though the present one knows nothing of it.
            let was_there = to.exists();
            // Over one that is there already: the same bytes, and sound ones in the place of such as have rotted.
            folder::rename_durably(place.path(), &to)?;
            Ok((id, hold, was_there))
        });
        let (id, hold, was_there) = placed.await?;
        let noted = self.store.write(move |tx| {
            tx.quiet();
            row::note_put(tx, id, bytes, kind, was_there)
        });
        Ok(Fresh { blob: noted.await?, _hold: hold })
    }
}

/// Where a file lies while it comes in: beside its place, so that the one and the other are on the same disk, and under a
/// name that looks like a half one, which the next start sweeps away. Nobody can foresee it.
fn place_of_a_new_one(folder: &DataFolder) -> Result<PathBuf> {
    Ok(folder.blobs().join(format!("{}.partial", random_name()?)))
}

/// A name that nobody can foresee.
pub(super) fn random_name() -> Result<String> {
    let mut random = [0u8; 32];
    getrandom::fill(&mut random).map_err(Error::internal)?;
    Ok(hex(&random))
}

pub(super) fn check_size(bytes: u64, most: u64) -> Result<()> {
    if bytes <= most {
        return Ok(());
    }
    Err(Error::new(Kind::TooLarge, TOO_LARGE.with([("most", most.div_ceil(1 << 20).into())])))
}

impl Put {
    /// Writes what has come in, on a thread that may block.
    ///
    /// # Errors
    /// `TOO_LARGE`; `STORAGE_FULL`.
    pub async fn write(mut self, bytes: Vec<u8>) -> Result<Put> {
        let mut coming = self.take()?;
        let written = blocking::run(move |_| {
            coming.write(&bytes)?;
            Ok(Put(Some(coming)))
        });
        written.await
    }

    /// Writes what `give` gives piece by piece, on a thread that may block.
    ///
    /// # Errors
    /// `TOO_LARGE`; `STORAGE_FULL`; those of `give`.
    pub async fn fill<F, E>(mut self, give: F) -> Result<Result<Put, E>>
    where
        F: FnOnce(&mut dyn FnMut(&[u8]) -> Result<()>) -> Result<Result<(), E>> + Send + 'static,
        E: Send + 'static,
    {
        let mut coming = self.take()?;
        let filled = blocking::run(move |abandoned| {
            let given = give(&mut |piece| {
                blocking::go_on(abandoned)?;
                coming.write(piece)
            })?;
            Ok(given.map(|()| Put(Some(coming))))
        });
        filled.await
    }

    /// What it is, by its first bytes.
    pub fn kind(&self) -> MediaKind {
        self.0.as_ref().map_or(MediaKind::Other, |coming| MediaKind::of(&coming.written.head))
    }

    /// Keeps the file only for as long as what this gives is held.
    pub fn pass(self) -> Passing {
        Passing(self)
    }

    /// Puts the file in its place. It stays there while what this gives is held, and from then on while a row names it.
    ///
    /// # Errors
    /// `STORAGE_FULL`.
    pub async fn finish(mut self) -> Result<Fresh> {
        let coming = self.take()?;
        let synced = blocking::run(move |_| {
            coming.file.sync_all().map_err(|error| file_fault("taking a file in", error))?;
            Ok(coming)
        });
        let Coming { blobs, place, written, .. } = synced.await?;
        blobs.keep(place, written).await
    }

    fn take(&mut self) -> Result<Coming> {
        self.0.take().ok_or_else(|| Error::internal("nothing comes in"))
    }
}

impl Passing {
    /// The file to be read, on a thread that may block.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn open(&self) -> Result<File> {
        let coming = self.0.0.as_ref().ok_or_else(|| Error::internal("nothing has come in"))?;
        File::open(coming.place.path()).map_err(Error::internal)
    }
}

impl Coming {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        check_size(self.written.bytes.saturating_add(bytes.len() as u64), self.most)?;
        if self.written.bytes >= self.look_at {
            self.look_at = self.written.bytes + LOOK_EVERY;
            self.blobs.store.check_room(0)?;
        }
        self.file.write_all(bytes).map_err(|error| file_fault("taking a file in", error))?;
        self.written.take(bytes);
        Ok(())
    }
}

impl Written {
    /// What all that `from` gives is, asking `go_on` at each piece.
    pub(super) fn of(mut from: impl Read, mut go_on: impl FnMut() -> Result<()>) -> Result<std::io::Result<Written>> {
        let (mut written, mut buffer) = (Written::default(), vec![0u8; 1 << 20]);
        loop {
            go_on()?;
            match from.read(&mut buffer) {
                Ok(0) => return Ok(Ok(written)),
                Ok(read) => written.take(&buffer[..read]),
                Err(error) => return Ok(Err(error)),
            }
        }
    }

    /// How many there were.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn take(&mut self, bytes: &[u8]) {
        self.digest.update(bytes);
        self.bytes += bytes.len() as u64;
        let wanted = LOOKED_AT.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..wanted]);
    }

    /// The name of these bytes.
    pub(super) fn id(&self) -> BlobId {
        BlobId::of(&self.digest.clone().finalize())
    }
}
