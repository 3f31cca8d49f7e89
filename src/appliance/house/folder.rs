//! What lies in the data folder, looked at off the threads that answer.

use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::blocking;
use hanok_platform::store::{Snapshot, Space, snapshot};

/// Room and sizes. Every blob is looked at.
pub async fn space(app: &App) -> Result<Space> {
    let store = app.data.store.clone();
    blocking::run(move |_| Ok(store.space())).await
}

/// The newest verified snapshot.
pub async fn newest_snapshot(app: &App) -> Result<Option<Snapshot>> {
    let Some(folder) = app.data.store.folder().cloned() else { return Ok(None) };
    blocking::run(move |_| snapshot::newest(&folder)).await
}

/// The names of the snapshots that a check has found damaged, newest first.
pub async fn damaged_snapshots(app: &App) -> Result<Vec<String>> {
    let Some(folder) = app.data.store.folder().cloned() else { return Ok(Vec::new()) };
    blocking::run(move |_| snapshot::damaged(&folder)).await
}
