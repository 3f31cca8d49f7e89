//! What the next start will do with a store, found out without changing a byte of it.

use std::path::Path;
use std::sync::Arc;

use super::file::direct::{Direct, SeparateFile};
use super::file::source::{self, StoreSource};
use super::file::{fault, marker, space, versions};
use super::open::{refuse_beside_snapshots, refuse_copied, refuse_newer, room_to_migrate, unreadable};
use super::{DataFolder, Schema, Step};
use hanok_base::{Clock, Result};

/// A migration that the next start will do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationPlan {
    /// Version of the store's tables now.
    pub from: u32,
    /// Their version then.
    pub to: u32,
    /// The names of the steps that find something to do; none: nothing has to be changed, and no room is needed.
    pub steps: Vec<&'static str>,
    /// Bytes that must be free for it, at least.
    pub needed_bytes: u64,
    /// Bytes that are free, where the system tells.
    pub free_bytes: Option<u64>,
}

impl MigrationPlan {
    /// Whether there is too little room for it.
    pub fn lacks_room(&self) -> bool {
        self.free_bytes.is_some_and(|free| free < self.needed_bytes)
    }
}

/// No larger store is read whole to foresee a start, in bytes: that would take its time.
const READ_WHOLE: u64 = 1 << 30;

/// Whether [`dry_run`] reads every page of the store, as a start does.
pub fn reads_pages(folder: &DataFolder) -> bool {
    std::fs::metadata(folder.store_file()).is_ok_and(|file| file.len() <= READ_WHOLE)
}

/// What a start of a program with this `schema` would migrate in the data folder at `root`, which nobody has open; none
/// where there is nothing to do. `reserve_bytes` are kept free.
///
/// # Errors
/// Those with which that start would refuse the store: a newer version, a hot copy, a damaged file, none at all beside
/// snapshots.
pub fn dry_run(root: &Path, reserve_bytes: u64, schema: &Schema, clock: &Clock) -> Result<Option<MigrationPlan>> {
    let folder = DataFolder::at(root);
    if !folder.store_file().exists() {
        return refuse_beside_snapshots(&folder).map(|()| None);
    }
    if let Some(marker) = marker::beside(&folder) {
        refuse_copied(&folder, &marker, &marker::identity(&folder.store_file())?)?;
    }
    let (source, known) = (StoreSource::File(folder.clone()), Arc::default());
    let closed = if reads_pages(&folder) { source::check_closed(&source, Arc::clone(&known)) } else { Ok(None) };
    let opened = closed.and_then(|closed| match closed {
        Some(closed) => Ok(closed),
        None => source::open_read_only(&source, known, source::CHECK_CACHE),
    });
    let database = opened.map_err(|broken| unreadable(&folder, broken))?;
    fault::without_panic(|| {
        let store = Direct { database: &database, storage: &SeparateFile, clock };
        refuse_newer(&store, schema, &folder)?;
        let pending = versions::pending(&store, schema)?;
        let Some(found) = versions::found(&store)?.filter(|_| !pending.is_empty()) else { return Ok(None) };
        let mut needed: Vec<Step> = Vec::new();
        for step in pending {
            if store.read(|tx| step.is_needed_after(&needed, tx))? {
                needed.push(*step);
            }
        }
        let steps: Vec<&str> = needed.iter().map(|step| step.name).collect();
        Ok(Some(MigrationPlan {
            from: found.store,
            to: found.store.max(schema.version()),
            needed_bytes: if steps.is_empty() { 0 } else { room_to_migrate(&folder, reserve_bytes) },
            steps,
            free_bytes: space::free(folder.root()),
        }))
    })
}
