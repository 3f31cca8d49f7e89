//! Draws and their statistics.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::super::model::LatestDraw;
use super::super::store::draws as store;
use super::super::work::{SyncNow, desk};
use super::Part;
use crate::base::schema::ToSchema;
use crate::base::{Error, Result};
use crate::calc::lottery::Draw;
use crate::calc::lottery::analysis::Analysis;
use crate::calc::lottery::performance::Performance;
use crate::calc::lottery::statistics::Statistics;
use crate::platform::app::App;
use crate::platform::http::{Accepted, Household, Id, Json, Once, Query, TaskBegun};
use crate::platform::jobs::enqueue;

/// Draws, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Draws {
    /// The draws of this page.
    pub draws: Vec<Draw>,
    /// How many there are.
    pub total: u64,
}

/// The newest draw, how old it is, and which comes next.
#[endpoint(operation_id = "lottery_latest", tags("lottery"))]
pub async fn latest(app: App, _caller: Household) -> Result<Json<LatestDraw>> {
    app.store.glance(|tx| store::latest(tx)).await.map(Json)
}

/// The draws, newest first.
#[endpoint(operation_id = "lottery_draws", tags("lottery"))]
pub async fn list(app: App, _caller: Household, part: Query<Part>) -> Result<Json<Draws>> {
    let page = part.0.page(30)?;
    let (draws, total) = app.store.page(page, move |tx| store::list(tx, page)).await?;
    Ok(Json(Draws { draws, total }))
}

/// One draw.
#[endpoint(operation_id = "lottery_draw", tags("lottery"))]
pub async fn find(app: App, _caller: Household, draw_no: Id) -> Result<Json<Draw>> {
    let draw_no = u32::try_from(draw_no.0).map_err(|_| Error::not_found("draw"))?;
    let found = app.store.glance(move |tx| store::find(tx, draw_no)).await?;
    found.map(Json).ok_or_else(|| Error::not_found("draw"))
}

/// What all draws look like, next to chance.
#[endpoint(operation_id = "lottery_statistics", tags("lottery"))]
pub async fn statistics(app: App, _caller: Household) -> Result<Json<Statistics>> {
    let kept = desk::all_statistics(&app).await?;
    Ok(Json((*kept).clone()))
}

/// Fetches new draws from the operator.
#[endpoint(operation_id = "lottery_sync", tags("lottery"))]
pub async fn sync(app: App, _caller: Household, once: Once) -> Result<Accepted<TaskBegun>> {
    if !app.config.lottery.sync {
        return Err(Error::not_configured("lottery.sync"));
    }
    once.write(&app, |tx| Ok(TaskBegun { task_id: enqueue(tx, &SyncNow {})? })).await.map(Accepted)
}

/// The latest state of the numbers and models.
#[endpoint(operation_id = "lottery_analysis", tags("lottery"))]
pub async fn analysis(app: App, _caller: Household) -> Result<Json<Analysis>> {
    let kept = desk::whole_analysis(&app).await?;
    Ok(Json((*kept).clone()))
}

/// How every method would have done, next to chance.
#[endpoint(operation_id = "lottery_performance", tags("lottery"))]
pub async fn performance(app: App, _caller: Household) -> Result<Json<Performance>> {
    desk::whole_performance(&app).await.map(Json)
}
