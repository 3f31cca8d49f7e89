//! The one backup file as it is fetched over the network: packed once and kept for a while, so that whoever was interrupted
//! goes on with the same bytes. It outlives the process: whoever was interrupted by its end goes on with it, too.

use std::fs::{self, DirEntry};
use std::path::PathBuf;

use chrono::{DateTime, Duration, Utc};
use sha2::{Digest, Sha256};

use super::super::file::fault;
use super::super::file::folder::DataFolder;
use super::super::file::names;
use super::super::file::store::Store;
use super::pack::{PackTarget, Packed};
use super::said;
use super::snapshot::Snapshot;
use super::texts;
use crate::blocking;
use hanok_base::secret::hex;
use hanok_base::{Error, Result};

/// How long a packed file waits for whoever fetches it.
const KEPT_HOURS: i64 = 24;
/// How its name begins, and how it ends.
const NAMED: [&str; 2] = ["download-", ".tar.gz"];
/// So many bytes of their digest say in the name which settings and texts are in it.
const SETTINGS_BYTES: usize = 6;

impl Store {
    /// The file that holds `snapshot`, the blobs, `settings` and the owner's texts, without who may enter: packed now where it is not there
    /// yet. One is kept at a time, and the one before it.
    ///
    /// # Errors
    /// `CONFLICT` when the snapshot is damaged; `STORAGE_FULL` where the reserve of room would not be left.
    pub async fn packed_for_download(&self, snapshot: &Snapshot, settings: &str) -> Result<PathBuf> {
        let Some(folder) = self.folder().cloned() else {
            return Err(Error::conflict(said::IN_MEMORY));
        };
        if !snapshot.is_sound() {
            return Err(Error::conflict(said::DAMAGED.with([("name", snapshot.name.as_str().into())])));
        }
        let [begins, ends] = NAMED;
        // With other settings or texts it is another file.
        let (house, mut digest) = (folder.clone(), Sha256::new_with_prefix(settings));
        let texts = blocking::run(move |_| texts::of(&house).map_err(|e| fault::io("reading the owner's texts", e)));
        for (name, text) in texts.await? {
            digest.update(Sha256::digest(name));
            digest.update(Sha256::digest(text));
        }
        let settings_are = hex(&digest.finalize()[..SETTINGS_BYTES]);
        let target = folder.run().join(format!("{begins}{}-{settings_are}{ends}", snapshot.name));
        let is_there = target.clone();
        if !blocking::run(move |_| Ok(is_there.exists())).await? {
            let packed = Packed {
                snapshot: snapshot.clone(),
                settings: settings.to_owned(),
                place: PackTarget::Ours { target: target.clone(), make_way },
            };
            self.pack_without_access(packed).await?;
        }
        Ok(target)
    }

    /// Removes a packed file that nobody has fetched in its time.
    pub async fn clear_downloads(&self, now: DateTime<Utc>) -> Result<()> {
        let Some(folder) = self.folder().cloned() else { return Ok(()) };
        blocking::run(move |_| {
            clear(&folder, |made| (now - made).abs() > Duration::hours(KEPT_HOURS));
            Ok(())
        })
        .await
    }
}

/// Removes the packed files but the newest before another is made: that one may be on its way to whoever asked for it.
fn make_way(folder: &DataFolder) {
    let newest = packed(folder).into_iter().map(|(made, _)| made).max();
    clear(folder, |made| Some(made) != newest);
}

/// The packed files, and when they were made.
fn packed(folder: &DataFolder) -> Vec<(DateTime<Utc>, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder.run()) else { return Vec::new() };
    let ours = entries.flatten().filter(|entry| is_named(&entry.file_name().to_string_lossy()));
    let made = |entry: &DirEntry| Some(entry.metadata().ok()?.modified().ok()?.into());
    ours.filter_map(|entry| Some((made(&entry)?, entry.path()))).collect()
}

/// Whether a packed file is called so: what a person has put there is left alone.
fn is_named(name: &str) -> bool {
    let [begins, ends] = NAMED;
    let rest = name.strip_prefix(begins).and_then(|rest| rest.strip_suffix(ends));
    let parts = rest.and_then(|rest| rest.rsplit_once('-'));
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let are_settings = |text: &str| text.len() == SETTINGS_BYTES * 2 && text.bytes().all(is_hex);
    parts.is_some_and(|(snapshot, settings)| names::is_name(snapshot) && are_settings(settings))
}

/// Removes the packed files that were made when `is_old` says so.
fn clear(folder: &DataFolder, is_old: impl Fn(DateTime<Utc>) -> bool) {
    for (_, path) in packed(folder).into_iter().filter(|(made, _)| is_old(*made)) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests;
