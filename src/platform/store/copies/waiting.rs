//! The file beside the store that is to take its place.

use std::fs;
use std::path::PathBuf;

use super::super::file::folder::DataFolder;

/// The file beside the store that is to take its place. When it does not come to that, it is removed.
pub(in crate::store) struct Waiting(pub(in crate::store) PathBuf);

impl Waiting {
    pub(in crate::store) fn at(folder: &DataFolder) -> Waiting {
        let path = waiting_file(folder);
        let _ = fs::remove_file(&path);
        Waiting(path)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

pub(in crate::store) fn waiting_file(folder: &DataFolder) -> PathBuf {
    folder.root().join("hanok.redb.restoring")
}
