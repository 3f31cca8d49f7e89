//! How much room there is, and whether writes are refused for lack of it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::fault;
use super::folder::DataFolder;
use hanok_base::Result;
use hanok_base::schema::ToSchema;

/// Whether the storage takes writes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StorageState {
    /// Reads and writes work.
    #[default]
    Ok,
    /// No room: reads go on, writes are refused until there is room again.
    Full,
    /// The file is not in its place, another one stands there, or something else has written over it: reads go on, writes
    /// are refused until it is back, or until a restore.
    Away,
    /// An I/O error was met; the file is opened again with the next request.
    Recovering,
    /// A page of the store has rotted: nothing is served until a restore.
    Damaged,
}

/// Sizes and room, in bytes. Disk figures are null for a store in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Space {
    /// Whether writes are taken.
    pub state: StorageState,
    /// Size of the store file.
    pub store_bytes: u64,
    /// Size of all blobs.
    pub blobs_bytes: u64,
    /// Room left on the disk for an ordinary user.
    pub disk_free_bytes: Option<u64>,
    /// Size of the disk.
    pub disk_total_bytes: Option<u64>,
}

/// Room left at `path`, in bytes, for an ordinary user.
pub fn free(path: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(path).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// Refuses what takes `more` bytes at `place` where less than `reserve` would stay free.
///
/// # Errors
/// `STORAGE_FULL` with the figures.
pub(in crate::store) fn check_room(place: &Path, more: u64, reserve: u64) -> Result<()> {
    let needed = more.saturating_add(reserve);
    match free(place).filter(|free| *free < needed) {
        Some(free) => Err(fault::too_little_room(needed, reserve, free)),
        None => Ok(()),
    }
}

pub(in crate::store) fn of(folder: &DataFolder) -> Space {
    let disk = rustix::fs::statvfs(folder.root()).ok();
    Space {
        state: StorageState::Ok,
        store_bytes: std::fs::metadata(folder.store_file()).map_or(0, |file| file.len()),
        blobs_bytes: blobs_bytes(folder),
        disk_free_bytes: disk.as_ref().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize)),
        disk_total_bytes: disk.as_ref().map(|disk| disk.f_blocks.saturating_mul(disk.f_frsize)),
    }
}

/// Size of all blobs.
pub(in crate::store) fn blobs_bytes(folder: &DataFolder) -> u64 {
    size_of_files(&folder.blobs())
}

fn size_of_files(folder: &Path) -> u64 {
    std::fs::read_dir(folder)
        .map(|entries| entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).sum())
        .unwrap_or(0)
}
