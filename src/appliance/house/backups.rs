//! The routes of the snapshots: list, make one now, restore one.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::upkeep;
use crate::domains;
use crate::prepare::prepare;
use hanok_base::Result;
use hanok_base::schema::ToSchema;
use hanok_platform::app::App;
use hanok_platform::blocking;
use hanok_platform::events::{Change, Event};
use hanok_platform::http::{Answer, Created, Household, IdempotencyKey, Json, Key};
use hanok_platform::store::open::StartReport;
use hanok_platform::store::restore::Restored;
use hanok_platform::store::{Snapshot, SnapshotKind, WriteTx, snapshot};

/// The snapshots.
#[derive(Debug, Serialize, ToSchema)]
pub struct Backups {
    /// Newest first.
    pub backups: Vec<Snapshot>,
    /// How many there are.
    pub total: usize,
}

/// The snapshots, with what the last check of each has found.
#[endpoint(operation_id = "backups_list", tags("system"))]
pub async fn list(app: App, _caller: Household) -> Answer<Json<Backups>> {
    let Some(folder) = app.data.store.folder().cloned() else { return Ok(Json(Backups { backups: vec![], total: 0 })) };
    let backups = blocking::run(move |_| snapshot::list(&folder)).await?;
    Ok(Json(Backups { total: backups.len(), backups }))
}

/// Makes and verifies a snapshot now.
#[endpoint(operation_id = "backups_make", tags("system"))]
pub async fn make(app: App, caller: Household, key: IdempotencyKey) -> Answer<Created<Snapshot>> {
    let made = key.once(&app, &caller, |app| async move {
        let made = upkeep::make_snapshot(&app, SnapshotKind::Manual).await?;
        Ok(move |_: &WriteTx| Ok(made))
    });
    Ok(Created(made.await?))
}

/// Puts a snapshot in the place of the present state, which is kept beside it.
#[endpoint(operation_id = "backups_restore", tags("system"))]
pub async fn restore(app: App, caller: Household, key: IdempotencyKey, name: Key) -> Answer<Json<Restored>> {
    let restored = key.once(&app, &caller, |app| async move {
        let restored = restore_snapshot(&app, Some(name.0), |_| ()).await?;
        Ok(move |_: &WriteTx| Ok(restored))
    });
    Ok(Json(restored.await?))
}

/// Restores the snapshot `name`, or the newest sound one, while the appliance runs; everything kept in memory is
/// computed anew. `progress` hears percent.
pub async fn restore_snapshot(
    app: &App,
    name: Option<String>,
    progress: impl FnMut(u8) + Send + 'static,
) -> Result<Restored> {
    let restored = app.data.store.restore(name, progress).await.inspect_err(|_| {
        // It may have been found damaged.
        app.events.send(Event::Changed(Change::BACKUPS));
    })?;
    after_restore(app).await?;
    Ok(restored)
}

/// Forgets what was computed from the state before, prepares the restored one as a start does (it may have been made
/// by an earlier version, and jobs were running in it), and tells every browser to read again.
pub async fn after_restore(app: &App) -> Result<()> {
    app.data.derived.clear();
    prepare(app, &mut StartReport::default()).await?;
    for change in domains::changes() {
        app.events.send(Event::Changed(change));
    }
    Ok(())
}
