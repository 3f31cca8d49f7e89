//! Work on a file that is not the live store: a migration is rehearsed on a copy before it touches the real file, and
//! what is to be restored is brought up to date before it is put in place. What goes wrong there is no fault of the
//! live store.

use std::fs;
use std::path::Path;

use super::super::file::direct::{Direct, SeparateFile};
use super::super::file::folder::DataFolder;
use super::super::file::open_store::OpenStore;
use super::super::file::partial::Partial;
use super::super::file::{fault, versions};
use super::super::rows::transaction::Storage;
use super::snapshot::{self, Snapshot};
use hanok_base::{Clock, Result};

/// Runs the migration on a copy of `snapshot`, so that the real file is touched only when it will succeed.
pub(in crate::store) fn rehearse(open: &OpenStore, folder: &DataFolder, snapshot: &Snapshot) -> Result<()> {
    let copy = Partial::at(folder.run().join("rehearsal.redb"));
    let original = snapshot::file(folder, &snapshot.name);
    fs::copy(original, copy.path()).map_err(|e| fault::io("copying for the rehearsal", e))?;
    snapshot::writable(copy.path())?;
    on_file(copy.path(), open.cache_bytes(), open.clock(), |store| versions::run(store, open.schema(), None, &mut None))
}

/// Opens a store file of its own for `work`. What is wrong with it is no fault of the live store.
pub(super) fn on_file<T>(
    path: &Path,
    cache_bytes: usize,
    clock: &Clock,
    work: impl FnOnce(&Direct<'_>) -> Result<T>,
) -> Result<T> {
    fault::without_panic(|| {
        let opened = redb::Builder::new().set_cache_size(cache_bytes).open(path);
        let database = opened.map_err(|error| SeparateFile.fault(error.into()))?;
        work(&Direct { database: &database, storage: &SeparateFile, clock })
    })
}
