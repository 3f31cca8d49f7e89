//! A file that is not whole yet.

use std::fs;
use std::path::{Path, PathBuf};

/// A file that is being made. When it does not come to be used under another name, it is removed.
pub(crate) struct Partial(PathBuf);

impl Partial {
    /// At `path`, where an earlier one may have been left.
    pub(crate) fn at(path: PathBuf) -> Partial {
        let _ = fs::remove_file(&path);
        Partial(path)
    }

    /// The one that lies at `path`.
    pub(crate) fn of(path: PathBuf) -> Partial {
        Partial(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
