//! The routes of the snapshots: list, make one now, restore one, remove a damaged one.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::listed_snapshot::ListedSnapshot;
use super::upkeep;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Result};
use hanok_platform::app::App;
use hanok_platform::blocking;
use hanok_platform::events::{Change, Event};
use hanok_platform::http::{Deferred, Deleted, HandlerResult, Household, IdempotencyKey, Json, Key};
use hanok_platform::store::restore::Restored;
use hanok_platform::store::retention;
use hanok_platform::store::{SnapshotKind, Uploaded, by_hand, snapshot};

/// The snapshots.
#[derive(Debug, Serialize, ToSchema)]
pub struct Backups {
    /// Newest first.
    pub backups: Vec<ListedSnapshot>,
    /// How many there are.
    pub total: usize,
    /// The name of the one that undoes the last restore. Null when there was none, or the state before it is damaged.
    pub undo: Option<String>,
    /// The backup file that was brought and waits for the word to restore it, for a day at most. Null when none waits.
    pub uploaded: Option<Uploaded>,
    /// How many are kept.
    pub keep: KeptBackups,
    /// The minutes between those that are made by themselves when something changed; null where none is.
    pub every_minutes: Option<u64>,
}

/// How many snapshots are kept.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeptBackups {
    /// Hours of which the newest is kept.
    pub hourly: u32,
    /// Days of which the newest is kept.
    pub daily: u32,
    /// Weeks of which the newest is kept.
    pub weekly: u32,
    /// So many of those made by hand are kept, beside the newest of each of these days and weeks.
    pub by_hand: usize,
}

/// The snapshots, with what the last check of each has found.
#[endpoint(operation_id = "backups_list", tags("system"))]
pub async fn list(app: App, _caller: Household) -> HandlerResult<Json<Backups>> {
    let (backups, undo) = match app.data.store.folder().cloned() {
        Some(folder) => {
            let look =
                move |_: &CancellationToken| Ok((snapshot::list(&folder)?, by_hand::undoes_the_last_restore(&folder)?));
            blocking::run(look).await?
        }
        None => (Vec::new(), None),
    };
    let settings = &app.config.backup;
    let keep = KeptBackups {
        hourly: settings.hourly,
        daily: settings.daily,
        weekly: settings.weekly,
        by_hand: retention::ASKED_FOR,
    };
    let uploaded = app.data.restores.waiting_upload();
    let backups: Vec<_> = backups.into_iter().map(ListedSnapshot::from).collect();
    let every_minutes = upkeep::backup_minutes(&app.config);
    Ok(Json(Backups { total: backups.len(), backups, undo, uploaded, keep, every_minutes }))
}

/// Makes and verifies a snapshot now. A large one may take longer than a request: it goes on then, and the same request with
/// the same key hears what came of it.
#[endpoint(operation_id = "backups_make", tags("system"))]
pub async fn make(app: App, caller: Household, key: IdempotencyKey) -> HandlerResult<Deferred<ListedSnapshot, 201>> {
    let work = |app| async move { upkeep::make_snapshot(&app, SnapshotKind::Manual).await.map(ListedSnapshot::from) };
    Ok(key.once_for_good_soon(&app, &caller, work).await?)
}

/// Puts a snapshot in the place of the present state, which is kept beside it. Where it takes longer than a request it goes
/// on, and the same request with the same key hears what came of it.
#[endpoint(operation_id = "backups_restore", tags("system"))]
pub async fn restore(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    name: Key,
) -> HandlerResult<Deferred<Restored, 200>> {
    let restored = key.once_for_good_soon(&app, &caller, |app| async move {
        restoring(&app, app.data.restores.restore(Some(name.0), |_| ())).await
    });
    Ok(restored.await?)
}

/// Removes a snapshot that a check has found damaged.
#[endpoint(operation_id = "backups_remove", tags("system"))]
pub async fn remove(app: App, _caller: Household, name: Key) -> HandlerResult<Deleted> {
    let Some(folder) = app.data.store.folder().cloned() else { return Err(Error::not_found("snapshot").into()) };
    let claims = app.workers.claims.clone();
    // It may take longer to read once more than a request may last: it is read once, to its end, whoever waits for it.
    let work = {
        let (name, now) = (name.0.clone(), app.clock.now());
        async move {
            let to_its_end = move |abandoned: &CancellationToken| {
                by_hand::remove_damaged(&folder, &name, now, |_| blocking::go_on(abandoned))
            };
            let removed = blocking::run(to_its_end).await;
            // It may have been found whole.
            app.events.send(Event::Changed(Change::BACKUPS));
            removed.map(|()| Value::Null)
        }
    };
    claims.run(REMOVALS, &name.0, "", work).await?;
    Ok(Deleted::default())
}

/// Who claims the name of a snapshot that is being removed: nobody who comes in at a door is called so.
const REMOVALS: &str = "removals";

/// Does a restore, and tells that the list of the snapshots is another: the state before is listed there, or
/// one was found damaged: then the others are checked.
pub async fn restoring<T>(app: &App, work: impl Future<Output = Result<T>>) -> Result<T> {
    let restored = work.await;
    if restored.is_err()
        && let Err(error) = upkeep::check_the_others(app).await
    {
        warn!(%error, "the other snapshots are not read before the next weekly check");
    }
    app.events.send(Event::Changed(Change::BACKUPS));
    restored
}
