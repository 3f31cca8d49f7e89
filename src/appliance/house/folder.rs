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
    let app = app.clone();
    blocking::run(move |_| newest_snapshot_now(&app)).await
}

/// [`newest_snapshot`] for code that is off the async threads already.
pub fn newest_snapshot_now(app: &App) -> Result<Option<Snapshot>> {
    app.data.store.folder().map_or(Ok(None), snapshot::newest)
}

/// The snapshot of this name, where there is one.
pub async fn snapshot_named(app: &App, name: Option<String>) -> Result<Option<Snapshot>> {
    let (Some(folder), Some(name)) = (app.data.store.folder().cloned(), name) else { return Ok(None) };
    blocking::run(move |_| Ok(snapshot::list(&folder)?.into_iter().find(|snapshot| snapshot.name == name))).await
}

/// What Today says of the snapshots, from one look at them.
#[derive(Debug, Default)]
pub struct Backups {
    /// The one to return to when nothing else is said.
    pub newest: Option<Snapshot>,
    /// Those that a check has found damaged, newest first.
    pub damaged: Vec<Snapshot>,
    /// As of when no damage is known in the others.
    pub sound_as_of: Option<DateTime<Utc>>,
}

/// How the snapshots are. Reads the folder: for code that is off the async threads.
pub fn backups(app: &App) -> Result<Backups> {
    let Some(folder) = app.data.store.folder() else { return Ok(Backups::default()) };
    let all = snapshot::list(folder)?;
    let (newest, sound_as_of) = (snapshot::newest_of(&all).cloned(), snapshot::sound_as_of(&all));
    Ok(Backups { newest, damaged: all.into_iter().filter(|snapshot| !snapshot.is_sound()).collect(), sound_as_of })
}
