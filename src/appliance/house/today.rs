//! Today: what needs the household now, from every domain.

use chrono::{DateTime, Utc};
use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::folder::newest_snapshot;
use hanok_base::Page;
use hanok_base::schema::ToSchema;
use hanok_ops::{lottery, todos};
use hanok_platform::app::App;
use hanok_platform::http::{Answer, Household, Json};
use hanok_platform::jobs::{self, Task, TaskStatus};
use hanok_platform::store::{Snapshot, StorageState};
use hanok_platform::upstream::ProviderCondition;

/// What needs the household now.
#[derive(Debug, Serialize, ToSchema)]
pub struct Today {
    /// Now.
    pub now: DateTime<Utc>,
    /// The newest and the coming draw, and the best picks.
    pub draw: lottery::DrawToday,
    /// What is due.
    pub todos: todos::Summary,
    /// The purchases that wait for the next draw that was played.
    pub purchases_waiting: Option<lottery::WaitingPurchases>,
    /// What is running or waits.
    pub tasks: Vec<Task>,
    /// The newest verified snapshot.
    pub last_verified_backup: Option<Snapshot>,
    /// Whether writes are taken.
    pub storage_state: StorageState,
    /// Outside providers that fail.
    pub providers_failing: usize,
}

/// What needs the household now.
#[endpoint(operation_id = "today", tags("house"))]
pub async fn today(app: App, _caller: Household) -> Answer<Json<Today>> {
    let day = app.clock.today();
    let ((draw, purchases_waiting), todos, recent) = app
        .data
        .store
        .read(move |tx| {
            let recent = jobs::list(tx, Page { limit: 20, offset: 0 })?.0;
            Ok((lottery::today(tx)?, todos::summary(tx, day)?, recent))
        })
        .await?;
    let failing = |state: ProviderCondition| matches!(state, ProviderCondition::Failing | ProviderCondition::Open);
    Ok(Json(Today {
        now: app.clock.now(),
        draw,
        todos,
        purchases_waiting,
        tasks: recent.into_iter().filter(|task| task.status == TaskStatus::Running).collect(),
        last_verified_backup: newest_snapshot(&app).await?,
        storage_state: app.data.store.state(),
        providers_failing: app.outside.upstream.report().iter().filter(|provider| failing(provider.state)).count(),
    }))
}
