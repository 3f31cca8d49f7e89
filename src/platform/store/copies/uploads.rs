//! A backup file that comes in over the network: it lies aside, is read whole and checked, and nothing of it counts before
//! somebody has seen what it holds and says so. One at a time; what is not whole, or is broken off, leaves nothing.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use parking_lot::Mutex;
use tokio::sync::OwnedMutexGuard;
use tokio_util::sync::CancellationToken;

use super::super::file::folder::DataFolder;
use super::super::file::open_store::OpenStore;
use super::super::file::partial::Partial;
use super::super::file::{fault, space};
use super::placing;
use super::restore::Restored;
use super::restores::Restores;
use super::said;
use super::unpack;
use super::uploaded::{ImportedSettings, Uploaded, WaitingUpload};
use crate::blocking;
use hanok_base::secret::random_token;
use hanok_base::{Error, Kind, Result};

/// Bytes after which the room is looked at again.
const LOOK_EVERY: u64 = 8 << 20;
/// How long a file waits for the word to restore it.
const KEPT_HOURS: i64 = 24;
/// How the name of an uploaded file begins, and how it ends; its id is between.
const NAMED: [&str; 2] = ["upload-", ".tar.gz"];

/// A file that is coming in. Dropped, it leaves nothing, and holds up nobody on the thread that drops it.
pub struct Upload(Option<Coming>);

/// What has come in so far. A large file takes a while to go: this is dropped where that may take long.
struct Coming {
    turn: OwnedMutexGuard<()>,
    waiting: Arc<Mutex<Option<WaitingUpload>>>,
    ended: CancellationToken,
    open: hanok_base::Shared<OpenStore>,
    id: String,
    place: Partial,
    file: File,
    bytes: u64,
    most: u64,
    look_at: u64,
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let Some(coming) = self.0.take() {
            blocking::drop_elsewhere(coming);
        }
    }
}

impl Restores {
    /// Begins to take a backup file in, of at most `most` bytes; `announced` is the size that its sender says. One that
    /// waits already gives way when this one is whole, or now where there is no room for both.
    ///
    /// # Errors
    /// `CONFLICT` while another comes in or is restored; `TOO_LARGE`; `STORAGE_FULL` where the reserve would not be left.
    pub async fn begin_upload(&self, announced: Option<u64>, most: u64) -> Result<Upload> {
        let folder = self.folder_to_restore()?;
        let busy = || Error::conflict(said::ANOTHER_UPLOAD);
        let turn = Arc::clone(&self.uploads.turn).try_lock_owned().map_err(|_| busy())?;
        let bytes = announced.unwrap_or_default();
        check_size(bytes, most)?;
        let (open, waiting) = (self.store.open.clone(), Arc::clone(&self.uploads.waiting));
        let ended = CancellationToken::new();
        *self.uploads.coming.lock() = Some(ended.clone());
        let begun = blocking::run(move |_| {
            make_room(&open, &folder, bytes, &waiting)?;
            let id = random_token(placing::TOKEN_BYTES);
            let place = Partial::at(file_of(&folder, &id));
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(place.path());
            let file = file.map_err(|e| fault::io("receiving the backup file", e))?;
            let coming = Coming { turn, waiting, ended, open, id, place, file, bytes: 0, most, look_at: LOOK_EVERY };
            Ok(Upload(Some(coming)))
        });
        begun.await
    }

    /// The file that waits, if one does.
    pub fn waiting_upload(&self) -> Option<Uploaded> {
        self.uploads.waiting.lock().as_ref().map(|held| held.uploaded.clone())
    }

    /// Ends the file that comes in, whoever sends it.
    ///
    /// # Errors
    /// `NOT_FOUND` when none comes in.
    pub async fn end_upload(&self) -> Result<()> {
        let is_busy = self.uploads.turn.try_lock().is_err();
        let ended = self.uploads.coming.lock().take().filter(|_| is_busy);
        ended.ok_or_else(|| Error::not_found("uploaded file"))?.cancel();
        // The next one finds its place free.
        drop(self.uploads.turn.lock().await);
        Ok(())
    }

    /// Throws the file away that waits under this id.
    ///
    /// # Errors
    /// `NOT_FOUND`; `CONFLICT` while it is restored.
    pub async fn forget_upload(&self, id: &str) -> Result<()> {
        let busy = || Error::conflict(said::UPLOAD_IN_USE);
        let _turn = Arc::clone(&self.uploads.turn).try_lock_owned().map_err(|_| busy())?;
        let held = self.uploads.waiting.lock().take_if(|held| held.uploaded.id == id);
        remove(held.ok_or_else(gone)?).await
    }

    /// Throws a file away that has waited for a day, and that nobody wants now.
    ///
    /// # Errors
    /// `INTERNAL` when it cannot be done.
    pub async fn clear_uploads(&self, now: DateTime<Utc>) -> Result<()> {
        let Ok(_turn) = Arc::clone(&self.uploads.turn).try_lock_owned() else { return Ok(()) };
        let is_old = |held: &mut WaitingUpload| (now - held.since).abs() > Duration::hours(KEPT_HOURS);
        let held = self.uploads.waiting.lock().take_if(is_old);
        match held {
            Some(held) => remove(held).await,
            None => Ok(()),
        }
    }

    /// Restores the file that waits under this id, which is gone then. Gives the text of the settings in it, too.
    ///
    /// # Errors
    /// `NOT_FOUND`; those of [`Restores::restore_from`], after which it waits on.
    pub async fn restore_uploaded(
        &self,
        id: &str,
        progress: impl FnMut(u8) + Send + 'static,
    ) -> Result<(Restored, Option<String>)> {
        let _turn = Arc::clone(&self.uploads.turn).lock_owned().await;
        // Nothing comes in that could be ended.
        *self.uploads.coming.lock() = None;
        let source = {
            let waiting = self.uploads.waiting.lock();
            let held = waiting.as_ref().filter(|held| held.uploaded.id == id);
            held.map(|held| held.file.path().to_owned()).ok_or_else(gone)?
        };
        let (restored, settings) = self.restore_from(&source, progress).await?;
        // Where it lay is nobody's business, and it is gone now.
        let name = source.file_name().map(|name| name.to_string_lossy().into_owned());
        let restored = Restored { restored: name.unwrap_or_default(), ..restored };
        let held = self.uploads.waiting.lock().take();
        if let Some(held) = held {
            remove(held).await?;
        }
        Ok((restored, settings))
    }
}

/// Nothing waits under the id that it had.
fn gone() -> Error {
    Error::new(Kind::NotFound, said::UPLOAD_GONE)
}

impl Upload {
    /// Says when somebody has ended it.
    pub fn ended(&self) -> CancellationToken {
        self.0.as_ref().map(|coming| coming.ended.clone()).unwrap_or_default()
    }

    /// Why it is not taken in when somebody has ended it.
    pub fn refusal() -> Error {
        Error::conflict(said::UPLOAD_ENDED)
    }

    /// Writes what has come in, on a thread that may block.
    ///
    /// # Errors
    /// `TOO_LARGE`; `STORAGE_FULL`.
    pub async fn write(mut self, bytes: Vec<u8>) -> Result<Upload> {
        let mut coming = self.take()?;
        let written = blocking::run(move |_| {
            coming.write(&bytes)?;
            Ok(Upload(Some(coming)))
        });
        written.await
    }

    /// Reads all of it again and checks it against its own description. From now on it waits. `dry_run` says what would
    /// become of the settings in it, whose text it is given.
    ///
    /// # Errors
    /// `INVALID_INPUT` when it is no whole backup file; `CONFLICT` when it is of a later version; `STORAGE_FULL`.
    pub async fn finish(mut self, dry_run: impl FnOnce(&str) -> ImportedSettings + Send + 'static) -> Result<Uploaded> {
        let coming = self.take()?;
        blocking::run(move |abandoned| coming.finish(dry_run, abandoned)).await
    }

    fn take(&mut self) -> Result<Coming> {
        self.0.take().ok_or_else(|| Error::internal("nothing comes in"))
    }
}

impl Coming {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        check_size(self.bytes, self.most)?;
        if self.bytes >= self.look_at {
            self.look_at = self.bytes + LOOK_EVERY;
            let Some(folder) = self.open.folder() else { return Err(Error::internal("no folder")) };
            space::check_room(folder.root(), 0, self.open.reserve_bytes())?;
        }
        self.file.write_all(bytes).map_err(|e| fault::io("receiving the backup file", e))
    }

    fn finish(self, dry_run: impl FnOnce(&str) -> ImportedSettings, abandoned: &CancellationToken) -> Result<Uploaded> {
        let Some(folder) = self.open.folder() else { return Err(Error::internal("no folder")) };
        let house = unpack::Destination::of(&self.open, folder);
        let found = unpack::examine(&house, self.place.path(), abandoned)?;
        let settings = found.settings.filter(|text| !text.trim().is_empty());
        let uploaded = Uploaded {
            id: self.id,
            bytes: self.bytes,
            snapshot: found.description.snapshot.into(),
            blobs: found.description.blobs.len() as u64,
            has_settings: settings.is_some(),
            settings: settings.as_deref().map(dry_run).unwrap_or_default(),
        };
        let held = WaitingUpload { uploaded: uploaded.clone(), file: self.place, since: self.open.clock().now() };
        let gives_way = self.waiting.lock().replace(held);
        drop(gives_way);
        drop(self.turn);
        Ok(uploaded)
    }
}

/// A large file takes a while to go.
async fn remove(held: WaitingUpload) -> Result<()> {
    let removed = blocking::run(move |_| {
        drop(held);
        Ok(())
    });
    removed.await
}

/// Removes what a process that has ended had taken in. What a person has put there is left alone.
pub(in crate::store) fn sweep(folder: &DataFolder) {
    let Ok(entries) = fs::read_dir(folder.run()) else { return };
    for entry in entries.flatten() {
        if placing::is_named(&entry.file_name().to_string_lossy(), NAMED) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn file_of(folder: &DataFolder, id: &str) -> PathBuf {
    let [begins, ends] = NAMED;
    folder.run().join(format!("{begins}{id}{ends}"))
}

fn check_size(bytes: u64, most: u64) -> Result<()> {
    if bytes <= most {
        return Ok(());
    }
    Err(Error::new(Kind::TooLarge, said::FILE_TOO_LARGE.with([("most", (most >> 20).into())])))
}

/// Room for so many bytes: where there is none beside the file that waits, that one gives way, and only where it helps.
fn make_room(open: &OpenStore, folder: &DataFolder, bytes: u64, waiting: &Mutex<Option<WaitingUpload>>) -> Result<()> {
    let is_room = space::check_room(folder.root(), bytes, open.reserve_bytes());
    let freed = waiting.lock().as_ref().map(|held| held.uploaded.bytes);
    let (Err(_), Some(freed)) = (&is_room, freed) else { return is_room };
    space::check_room(folder.root(), bytes.saturating_sub(freed), open.reserve_bytes())?;
    let gives_way = waiting.lock().take();
    drop(gives_way);
    Ok(())
}

#[cfg(test)]
mod tests;
