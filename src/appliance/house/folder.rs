//! What lies in the data folder, looked at off the threads that answer.

use chrono::{DateTime, Utc};

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

/// The snapshot of this name, where there is one.
pub async fn snapshot_named(app: &App, name: Option<String>) -> Result<Option<Snapshot>> {
    let (Some(folder), Some(name)) = (app.data.store.folder().cloned(), name) else { return Ok(None) };
    blocking::run(move |_| Ok(snapshot::list(&folder)?.into_iter().find(|snapshot| snapshot.name == name))).await
}

/// The snapshots that a check has found damaged, newest first, and as of when no damage is known in the others.
pub async fn damaged_snapshots(app: &App) -> Result<(Vec<Snapshot>, Option<DateTime<Utc>>)> {
    let Some(folder) = app.data.store.folder().cloned() else { return Ok((Vec::new(), None)) };
    blocking::run(move |_| Ok((snapshot::damaged(&folder)?, snapshot::sound_as_of(&snapshot::list(&folder)?)))).await
}
