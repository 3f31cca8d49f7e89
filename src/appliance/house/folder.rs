//! What lies in the data folder, looked at off the threads that answer.

use tokio::task::spawn_blocking;

use hanok_base::{Error, Result};
use hanok_platform::app::App;
use hanok_platform::store::{Snapshot, Space, snapshot};

/// Room and sizes. Every blob is looked at.
pub async fn space(app: &App) -> Result<Space> {
    let store = app.data.store.clone();
    spawn_blocking(move || store.space()).await.map_err(Error::internal)
}

/// The newest verified snapshot.
pub async fn newest_snapshot(app: &App) -> Result<Option<Snapshot>> {
    let Some(folder) = app.data.store.folder().cloned() else { return Ok(None) };
    let listed = spawn_blocking(move || snapshot::list(&folder));
    Ok(listed.await.map_err(Error::internal)??.into_iter().next())
}
