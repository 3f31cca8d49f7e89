//! The owner's own texts for the customer site (`pages/`), in the one file that moves a house: they lie beside the store, and
//! no snapshot has them. Those of a file that is taken over lie beside until its state stands, and take their places then
//! ([`settle`]).

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tracing::{info, warn};

use super::super::file::fault;
use super::super::file::folder::{DataFolder, rename_durably, write_whole};
use super::super::file::marker::{self, FileIdentity};
use super::snapshot;
use hanok_base::{Error, Result};

/// The folder of the texts.
pub(in crate::store) const TEXTS: &str = "pages/";
/// No text is longer, in bytes: it would be no page that anybody reads.
pub const LONGEST_TEXT: u64 = 512 << 10;
/// How the names of texts end in whose place another was put.
const BEFORE: &str = ".before";
/// What the texts are called, each in Korean and in English: `privacy.ko.md`.
pub const OWN_TEXTS: [&str; 2] = ["privacy", "terms"];

impl DataFolder {
    /// Where the owner's own texts for the customer site lie.
    pub fn pages(&self) -> PathBuf {
        self.root().join("pages")
    }

    /// Where the owner puts documents for admins, and the text of the portfolio. No backup holds them.
    pub fn documents(&self) -> PathBuf {
        self.root().join("documents")
    }
}

/// Texts by the names of their files.
pub(in crate::store) type Texts = BTreeMap<String, Vec<u8>>;

/// The name of the text that an entry of the one file is.
pub(super) fn name_of(entry: &str) -> Option<&str> {
    entry.strip_prefix(TEXTS).filter(|name| is_text(name))
}

/// Whether a text is called so.
fn is_text(name: &str) -> bool {
    let parts: Vec<&str> = name.split('.').collect();
    matches!(parts[..], [page, "ko" | "en", "md"] if OWN_TEXTS.contains(&page))
}

/// The texts in `folder`. What else lies there, or is too long to be shown, stays out.
pub(super) fn of(folder: &DataFolder) -> io::Result<Texts> {
    let entries = match fs::read_dir(folder.pages()) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Texts::new()),
        Err(error) => return Err(error),
    };
    let mut texts = Texts::new();
    for entry in entries {
        let entry = entry?;
        let (name, path) = (entry.file_name().to_string_lossy().into_owned(), entry.path());
        let is_shown = fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() <= LONGEST_TEXT);
        if is_shown && is_text(&name) {
            texts.insert(name, fs::read(path)?);
        }
    }
    Ok(texts)
}

/// What is noted of texts that wait, once the state that they come with is about to take its place.
#[derive(Serialize, Deserialize)]
struct Note {
    /// The file of that state.
    with: FileIdentity,
    /// The names of the texts.
    texts: Vec<String>,
}

fn note_file(folder: &DataFolder) -> PathBuf {
    folder.run().join("texts.json")
}

/// Where the text `name` waits.
fn waiting_file(folder: &DataFolder, name: &str) -> PathBuf {
    folder.pages().join(format!("{name}.partial"))
}

/// Texts that lie beside those of the house, to take their place. They are removed when nothing comes of it.
#[derive(Default)]
pub(super) struct WaitingTexts(Vec<(String, PathBuf)>);

impl Drop for WaitingTexts {
    fn drop(&mut self) {
        for (_, path) in &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

impl WaitingTexts {
    /// Lays those of `texts` down in `folder` that are others there.
    pub fn of(texts: Texts, folder: &DataFolder) -> Result<WaitingTexts> {
        let mut waiting = WaitingTexts::default();
        for (name, bytes) in texts {
            if fs::read(folder.pages().join(&name)).is_ok_and(|there| there == bytes) {
                continue;
            }
            let path = waiting_file(folder, &name);
            let _ = fs::remove_file(&path);
            let what = format!("writing the text {name}");
            waiting.0.push((name, path.clone()));
            let laid_down = fs::create_dir_all(folder.pages()).and_then(|()| {
                let mut file = File::create_new(&path)?;
                file.write_all(&bytes)?;
                file.sync_all()
            });
            laid_down.map_err(|e| fault::io(what, e))?;
        }
        Ok(waiting)
    }

    /// Leaves them to [`settle`]: the state `with` which they come is about to take its place, and from here on that decides
    /// what becomes of them, also when this process is killed.
    pub fn hand_over(mut self, folder: &DataFolder, with: &FileIdentity) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        snapshot::sync(&folder.pages())?;
        let texts = self.0.iter().map(|(name, _)| name.clone()).collect();
        let note = serde_json::to_vec(&Note { with: with.clone(), texts }).map_err(Error::internal)?;
        fs::create_dir_all(folder.run()).map_err(|e| fault::io("creating run/", e))?;
        write_whole(&note_file(folder), &note)?;
        self.0.clear();
        Ok(())
    }
}

/// Puts the texts that wait in their places where the state that they come with has taken its own, and removes them where it
/// has not. One that was there stays beside (`keep_beside`). Gives the names of those that were put in their places. Killed in
/// it, the next start goes on; what the disk refuses is no failure of the restore, and is tried again by the next start.
pub(super) fn settle(folder: &DataFolder) -> Vec<String> {
    let (mut put, mut left) = (Vec::new(), Vec::new());
    let note: Option<Note> = fs::read(note_file(folder)).ok().and_then(|note| serde_json::from_slice(&note).ok());
    let stands = |note: &Note| marker::identity(&folder.store_file()).is_ok_and(|file| file == note.with);
    for name in note.filter(stands).into_iter().flat_map(|note| note.texts).filter(|name| is_text(name)) {
        match put_in_place(folder, &name) {
            Ok(true) => put.push(name),
            Ok(false) => {}
            Err(error) => {
                let file = folder.pages().join(&name);
                warn!(file = %file.display(), %error, "this text of the backup file was not put in its place");
                left.push(name);
            }
        }
    }
    sweep(folder, &left);
    if left.is_empty() {
        let _ = fs::remove_file(note_file(folder));
    }
    put
}

/// Puts the text `name` in its place. False when it is there already.
fn put_in_place(folder: &DataFolder, name: &str) -> Result<bool> {
    let (waiting, target) = (waiting_file(folder, name), folder.pages().join(name));
    if !waiting.exists() {
        return Ok(false);
    }
    let kept = keep_beside(&target)?;
    rename_durably(&waiting, &target)?;
    match kept {
        Some(kept) => {
            info!(file = %target.display(), kept = %kept.display(), "a text of the backup file took the place of yours");
        }
        None => info!(file = %target.display(), "a text of the backup file was put in its place"),
    }
    Ok(true)
}

/// Keeps the text at `path` under a second name and gives that: `privacy.ko.md.before`, or with a number where another
/// one has it. None when there is no text.
fn keep_beside(path: &Path) -> Result<Option<PathBuf>> {
    let cannot = |error| fault::io("keeping the text that was there", error);
    let text = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(cannot)?,
    };
    for number in 1u32.. {
        let mut name = path.to_owned().into_os_string();
        name.push(if number == 1 { BEFORE.to_owned() } else { format!("{BEFORE}-{number}") });
        let before = PathBuf::from(name);
        match fs::symlink_metadata(&before) {
            // Whole or not at all: half of it would look like what was there.
            Err(error) if error.kind() == ErrorKind::NotFound => {
                write_whole(&before, &text)?;
                return Ok(Some(before));
            }
            Err(error) => return Err(cannot(error)),
            Ok(_) if fs::read(&before).is_ok_and(|there| there == text) => return Ok(Some(before)),
            Ok(_) => {}
        }
    }
    Ok(None)
}

/// Removes the half texts that a killed taking-over has left, but for those `left` to wait.
fn sweep(folder: &DataFolder, left: &[String]) {
    let Ok(entries) = fs::read_dir(folder.pages()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().and_then(|name| name.strip_suffix(".partial")) else { continue };
        let waits = left.iter().any(|one| one == name);
        // Also half of what [`keep_beside`] keeps.
        if !waits && is_text(name.split_once(BEFORE).map_or(name, |(text, _)| text)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
