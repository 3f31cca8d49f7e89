//! The end of an open store: it is marked as closed cleanly, and its file is closed.

use std::fs::File;

use tracing::warn;

use super::fault;
use super::folder::DataFolder;
use super::marker::{self, MARKER, MARKER_KEY, ShutdownMarker};
use super::open_store::OpenStore;
use super::space::StorageState;
use hanok_base::Result;

/// Writes that the store is closed, and closes the file. What cannot be written is left to the next start to repair.
pub(in crate::store) fn close(open: &OpenStore) -> Result<()> {
    let Some(folder) = open.folder().filter(|_| open.must_be_in_place().is_ok() && open.state() == StorageState::Ok)
    else {
        return just_close(open);
    };
    match mark_and_close(open, folder) {
        Err(error) if fault::is_for_lack_of_room(&error) => {
            warn!(%error, "the store was closed without its marker; the next start repairs it");
            just_close(open)
        }
        closed => closed,
    }
}

fn just_close(open: &OpenStore) -> Result<()> {
    open.alone(|database| {
        *database = None;
        Ok(())
    })
}

fn mark_and_close(open: &OpenStore, folder: &DataFolder) -> Result<()> {
    let closed = ShutdownMarker::closed(marker::identity(&folder.store_file())?);
    open.alone(|database| {
        if let Some(database) = database.as_ref() {
            open.direct(database).write(|tx| tx.put(&MARKER, MARKER_KEY, &closed))?;
        }
        drop(database.take());
        File::open(folder.store_file()).and_then(|file| file.sync_all()).map_err(|e| fault::io("closing", e))
    })?;
    let copied = marker::beside(folder).is_some_and(|marker| marker.copied);
    marker::put_beside(folder, &ShutdownMarker { copied, ..closed })
}
