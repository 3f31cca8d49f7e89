//! The routes of the snapshots: list, make one now, restore one.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::upkeep;
use crate::appliance::start::prepare;
use crate::base::schema::ToSchema;
use crate::base::{Error, Result};
use crate::platform::app::App;
use crate::platform::events::{Change, Event};
use crate::platform::http::{Created, Household, Json, Key, Once};
use crate::platform::store::open::StartReport;
use crate::platform::store::restore::Restored;
use crate::platform::store::{Snapshot, SnapshotKind, snapshot};

/// The snapshots.
#[derive(Debug, Serialize, ToSchema)]
pub struct Backups {
    /// Newest first.
    pub backups: Vec<Snapshot>,
    /// How many there are.
    pub total: usize,
}

/// The verified snapshots.
#[endpoint(operation_id = "backups_list", tags("system"))]
pub async fn list(app: App, _caller: Household) -> Result<Json<Backups>> {
    let Some(folder) = app.store.folder().cloned() else { return Ok(Json(Backups { backups: vec![], total: 0 })) };
    let listed = tokio::task::spawn_blocking(move || snapshot::list(&folder));
    let backups = listed.await.map_err(Error::internal)??;
    Ok(Json(Backups { total: backups.len(), backups }))
}

/// Makes and verifies a snapshot now.
#[endpoint(operation_id = "backups_make", tags("system"))]
pub async fn make(app: App, _caller: Household, once: Once) -> Result<Created<Snapshot>> {
    if let Some(first) = once.first(&app).await? {
        return Ok(Created(first));
    }
    let made = upkeep::make_snapshot(&app, SnapshotKind::Manual).await?;
    once.write(&app, move |_| Ok(made)).await.map(Created)
}

/// Puts a snapshot in the place of the present state, which is kept beside it.
#[endpoint(operation_id = "backups_restore", tags("system"))]
pub async fn restore(app: App, _caller: Household, once: Once, name: Key) -> Result<Json<Restored>> {
    if let Some(first) = once.first(&app).await? {
        return Ok(Json(first));
    }
    let restored = restore_snapshot(&app, Some(name.0), |_| ()).await?;
    once.write(&app, move |_| Ok(restored)).await.map(Json)
}

/// Restores the snapshot `name`, or the newest sound one, while the appliance runs; everything kept in memory is
/// computed anew. `progress` hears percent.
pub async fn restore_snapshot(
    app: &App,
    name: Option<String>,
    progress: impl FnMut(u8) + Send + 'static,
) -> Result<Restored> {
    let restored = app.store.restore(name, progress).await?;
    after_restore(app).await?;
    Ok(restored)
}

/// Forgets what was computed from the state before, prepares the restored one as a start does (it may have been made
/// by an earlier version, and jobs were running in it), and tells every browser to read again.
pub async fn after_restore(app: &App) -> Result<()> {
    app.keep.clear();
    prepare(app, &mut StartReport::default()).await?;
    for change in Change::ALL {
        app.events.send(Event::Changed(change));
    }
    Ok(())
}
