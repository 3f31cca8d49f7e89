//! Who has a hand on a file of `blobs/`: nobody removes one that another is about to refer to.
//!
//! A file is put in its place before any row speaks of it. Between the two, and until a row refers to it, whoever has put
//! it there holds it ([`BlobHold`]). A restore that brings files takes back only those that nobody has put meanwhile.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;

use hanok_base::Result;

/// The files of `blobs/` that somebody has a hand on. Clones share them.
#[derive(Clone, Default)]
pub struct BlobFiles(Arc<Mutex<Hands>>);

#[derive(Default)]
struct Hands {
    /// How many hold the file of a name.
    held: HashMap<String, usize>,
    /// Names of files that a restore has brought and may take back.
    brought: HashSet<String>,
}

/// A hold on the file of one name; dropped, it lets go.
pub struct BlobHold {
    files: BlobFiles,
    name: String,
}

impl BlobFiles {
    /// Holds the file `name`, which may come only now.
    pub(crate) fn hold(&self, name: &str) -> BlobHold {
        let mut hands = self.0.lock();
        *hands.held.entry(name.to_owned()).or_default() += 1;
        hands.brought.remove(name);
        BlobHold { files: self.clone(), name: name.to_owned() }
    }

    /// Whether anybody holds the file `name`.
    pub(crate) fn is_held(&self, name: &str) -> bool {
        self.0.lock().held.contains_key(name)
    }

    /// Removes the file `name` at `path` unless somebody holds it, or `is_free` says otherwise; nobody gets a hold on it
    /// meanwhile. Gives whether it is gone.
    ///
    /// # Errors
    /// Those of `is_free`.
    pub(crate) fn remove(&self, name: &str, path: &Path, is_free: impl FnOnce() -> Result<bool>) -> Result<bool> {
        let hands = self.0.lock();
        Ok(!hands.held.contains_key(name) && is_free()? && fs::remove_file(path).is_ok())
    }

    /// Notes that a restore is about to bring the file `name`, unless it is there or somebody is about to put it there.
    /// Gives whether it was noted.
    pub(in crate::store) fn bring(&self, name: &str, path: &Path) -> bool {
        let mut hands = self.0.lock();
        !hands.held.contains_key(name) && !path.exists() && hands.brought.insert(name.to_owned())
    }

    /// What was brought stays.
    pub(in crate::store) fn keep_brought(&self, name: &str) {
        self.0.lock().brought.remove(name);
    }

    /// Takes back what was brought, unless somebody has put the same meanwhile.
    pub(in crate::store) fn take_back(&self, name: &str, path: &Path) {
        let mut hands = self.0.lock();
        if hands.brought.remove(name) {
            let _ = fs::remove_file(path);
        }
    }
}

impl Drop for BlobHold {
    fn drop(&mut self) {
        let mut hands = self.files.0.lock();
        if let Some(held) = hands.held.get_mut(&self.name) {
            *held -= 1;
            if *held == 0 {
                hands.held.remove(&self.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_a_restore_brought_is_taken_back_only_where_nobody_has_put_the_same_meanwhile() {
        let place = tempfile::TempDir::new().unwrap();
        let (files, at) = (BlobFiles::default(), |name: &str| place.path().join(name));
        for (name, is_put) in [("alone", false), ("put", true)] {
            assert!(files.bring(name, &at(name)));
            fs::write(at(name), "a song").unwrap();
            if is_put {
                drop(files.hold(name));
            }
            files.take_back(name, &at(name));
            assert_eq!(at(name).exists(), is_put, "{name}");
        }
        // What was there before, or is being put there, was not brought.
        let _hold = files.hold("coming");
        assert!(!files.bring("put", &at("put")) && !files.bring("coming", &at("coming")));
    }

    #[test]
    fn a_file_that_somebody_holds_is_not_removed_and_goes_when_the_last_lets_go() {
        let place = tempfile::TempDir::new().unwrap();
        let (files, path) = (BlobFiles::default(), place.path().join("song"));
        fs::write(&path, "a song").unwrap();
        let (first, second) = (files.hold("song"), files.hold("song"));
        drop(first);
        assert!(!files.remove("song", &path, || Ok(true)).unwrap());
        drop(second);
        assert!(!files.remove("song", &path, || Ok(false)).unwrap());
        assert!(files.remove("song", &path, || Ok(true)).unwrap() && !path.exists());
    }
}
