//! The routes of the snapshots: list, make one now, restore one.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::upkeep;
use hanok_base::Result;
use hanok_base::schema::ToSchema;
use hanok_platform::app::App;
use hanok_platform::blocking;
use hanok_platform::events::{Change, Event};
use hanok_platform::http::{Answer, Created, Household, IdempotencyKey, Json, Key};
use hanok_platform::store::restore::Restored;
use hanok_platform::store::{Snapshot, SnapshotKind, snapshot};

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
    let made =
        key.once_for_good(&app, &caller, |app| async move { upkeep::make_snapshot(&app, SnapshotKind::Manual).await });
    Ok(Created(made.await?))
}

/// Puts a snapshot in the place of the present state, which is kept beside it.
#[endpoint(operation_id = "backups_restore", tags("system"))]
pub async fn restore(app: App, caller: Household, key: IdempotencyKey, name: Key) -> Answer<Json<Restored>> {
    let restored = key.once_for_good(&app, &caller, |app| async move {
        restoring(&app, app.data.store.restore(Some(name.0), |_| ())).await
    });
    Ok(Json(restored.await?))
}

/// Does a restore, and tells that the list of the snapshots is another: the state before is listed there, or
/// one was found damaged.
pub async fn restoring<T>(app: &App, work: impl Future<Output = Result<T>>) -> Result<T> {
    let restored = work.await;
    app.events.send(Event::Changed(Change::BACKUPS));
    restored
}
