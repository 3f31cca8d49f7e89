//! A full disk: the house opens its doors all the same, looks every few seconds whether there is room again, and then
//! does what had to wait. What the store held whose file was removed is kept as soon as that is known.

use std::time::Duration;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};

use super::health::try_to_write;
use crate::prepare::prepare;
use hanok_base::{Kind, Result};
use hanok_platform::app::App;
use hanok_platform::events::{Change, Event};
use hanok_platform::store::StartReport;
use hanok_platform::store::StorageState;

/// How often to look.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Lets a step of the start wait when there is no room for what it writes. None when it waits.
pub fn unless_full<T>(step: Result<T>) -> Result<Option<T>> {
    match step {
        Err(error) if error.kind == Kind::StorageFull => {
            warn!(%error, "a step of the start waits for room on the disk");
            Ok(None)
        }
        step => step.map(Some),
    }
}

/// Keeps what the store held whose file was removed while it was open, and says so; nothing when it is kept already, or was
/// not removed.
///
/// # Errors
/// Those of the copy.
pub async fn keep_removed(app: &App) -> Result<()> {
    if let Some(kept) = app.data.restores.keep_removed().await? {
        warn!(kept, "hanok.redb was removed while it was open: what it held is kept, as before a restore");
        // Whoever looks at it is told another way back from now on.
        app.events.send(Event::Changed(Change::STORAGE));
    }
    Ok(())
}

/// Waits until the file of the store is found to be out of its place, and [`LOOK_EVERY`] at the longest.
async fn look_again(app: &App, heard: &mut Receiver<Event>) {
    let is_taken_away = async {
        loop {
            match heard.recv().await {
                Ok(Event::Changed(Change::STORAGE)) if app.data.store.state() == StorageState::Away => return,
                Err(RecvError::Closed) => return,
                _ => {}
            }
        }
    };
    let _ = tokio::time::timeout(LOOK_EVERY, is_taken_away).await;
}

/// Until `stop`: when writes were refused, tries one, so that the house heals without a caller; then writes down who
/// signed in meanwhile, and prepares what the start could not.
pub async fn watch_until(stop: CancellationToken, app: App, mut is_prepared: bool) {
    let mut heard = app.events.listen();
    let mut is_kept = Ok(());
    while stop.run_until_cancelled(look_again(&app, &mut heard)).await.is_some() {
        // Also while nobody writes: what was written over is else taken for ours by the next start.
        let _ = app.data.store.look_at_its_place().await;
        if app.data.store.state() == StorageState::Away {
            is_kept = keep_removed(&app).await.inspect_err(|error| {
                // Once: it is tried again.
                if is_kept.is_ok() {
                    error!(%error, "hanok.redb was removed while it was open, and what it held could not be kept yet");
                }
            });
        }
        let nothing_waits = is_prepared && app.access.household.unwritten.is_empty();
        if nothing_waits && matches!(app.data.store.state(), StorageState::Ok | StorageState::Damaged) {
            continue;
        }
        if try_to_write(&app).await.is_err() {
            continue;
        }
        if let Err(error) = app.access.household.unwritten.write_down(&app.data.store).await {
            warn!(%error, "sign-ins still wait to be written down");
        }
        if !is_prepared {
            is_prepared = prepare(&app, &mut StartReport::default())
                .await
                .inspect_err(|error| warn!(%error, "a step of the start still waits"))
                .is_ok();
        }
    }
}
