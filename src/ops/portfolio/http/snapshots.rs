//! What everything was worth, day by day.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::super::model::{NewSnapshot, Snapshot, SnapshotSource};
use super::super::store::snapshots as store;
use super::DaysBack;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Krw, Request, day};
use hanok_platform::app::App;
use hanok_platform::http::{
    CheckedOrEmpty, CheckedQuery, Created, Deleted, HandlerResult, Household, IdempotencyKey, Json, Key, tx_op,
};

/// Days that are shown where none are asked for.
const USUAL_DAYS: u64 = 30;

/// Which snapshots.
#[derive(Debug, Request)]
#[request(query)]
pub struct SnapshotQuery {
    /// Those of the last so many days, today among them; left out or empty it is 30.
    #[field(DaysBack, default)]
    pub days: Option<u64>,
}

/// What everything was worth, day by day.
#[derive(Debug, Serialize, ToSchema)]
pub struct SnapshotHistory {
    /// The snapshots, oldest first; a day without one has none.
    pub history: Vec<Snapshot>,
}

/// The snapshots of the last days, oldest first.
#[endpoint(operation_id = "portfolio_snapshots", tags("portfolio"))]
pub async fn history(
    app: App,
    _caller: Household,
    which: CheckedQuery<SnapshotQuery>,
) -> HandlerResult<Json<SnapshotHistory>> {
    let days = which.0.days.unwrap_or(USUAL_DAYS);
    Ok(Json(SnapshotHistory { history: app.data.store.read(move |tx| store::history(tx, days)).await? }))
}

/// Takes today's snapshot, replacing an earlier one of today. Without a body the total is computed.
#[endpoint(operation_id = "portfolio_snapshot_make", tags("portfolio"))]
pub async fn make(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    new: CheckedOrEmpty<NewSnapshot>,
) -> HandlerResult<Created<Snapshot>> {
    let said = new.0.total_assets.and_then(|won| Krw::new(won.cast_signed()));
    let source = if said.is_some() { SnapshotSource::Manual } else { SnapshotSource::Computed };
    Ok(Created(key.once(&app, &caller, tx_op(move |tx| store::make(tx, said, source))).await?))
}

/// Removes the snapshot of a day, such as `2026-10-10`.
#[endpoint(operation_id = "portfolio_snapshot_remove", tags("portfolio"))]
pub async fn remove(app: App, _caller: Household, date: Key) -> HandlerResult<Deleted> {
    let date = day::parse(&date.0).ok_or_else(|| Error::not_found("snapshot"))?;
    app.data.store.write(move |tx| store::remove(tx, date)).await?;
    Ok(Deleted::default())
}
