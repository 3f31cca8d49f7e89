//! A full disk: the house opens its doors all the same, looks every few seconds whether there is room again, and then
//! does what had to wait.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::health::try_to_write;
use crate::prepare::prepare;
use hanok_base::{Kind, Result};
use hanok_platform::app::App;
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

/// Until `stop`: when writes were refused, tries one, so that the house heals without a caller; then writes down who
/// signed in meanwhile, and prepares what the start could not.
pub async fn watch_until(stop: CancellationToken, app: App, mut is_prepared: bool) {
    while tokio::time::timeout(LOOK_EVERY, stop.cancelled()).await.is_err() {
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
