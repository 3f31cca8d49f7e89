//! The weekly report, the briefing with what the curator took, and the reviews.

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};

use super::super::model::{CuratorUsage, ReplacedId, ReportEntry, ShownBriefing, ShownReport};
use super::super::store::reports as store;
use super::super::work::reports as work;
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::validated::IntRange;
use hanok_base::{Error, Page, Validated};
use hanok_calc::lottery::review::Review;
use hanok_platform::app::App;
use hanok_platform::http::{Created, HandlerResult, Household, Id, IdempotencyKey, Json, Paging, Query};
use hanok_platform::store::{ReadTx, WriteTx};

/// The reports, newest draw first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Reports {
    /// The reports of this page.
    pub reports: Vec<ReportEntry>,
    /// How many there are.
    pub total: u64,
}

/// The reviews, newest draw first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Reviews {
    /// The reviews of this page.
    pub reviews: Vec<Review>,
    /// How many there are.
    pub total: u64,
}

/// Over how many days.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Days {
    /// How many days up to today; left out it is 30.
    pub days: Option<Validated<IntRange<1, 366>>>,
}

/// The report for the newest draw that has one.
#[endpoint(operation_id = "lottery_report_latest", tags("lottery"))]
pub async fn latest_report(app: App, _caller: Household) -> HandlerResult<Json<ShownReport>> {
    let read = |tx: &ReadTx| store::latest_report(tx)?.map(|report| store::shown_report(tx, report)).transpose();
    let found = app.data.store.read_inline(read).await?;
    Ok(Json(found.ok_or_else(|| Error::not_found("report"))?))
}

/// Which report or briefing of a draw.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct WhichOne {
    /// The `id` of one that was replaced; left out it is the one that stands.
    pub replaced: Option<Validated<ReplacedId>>,
}

/// The report for a draw, or one that it has taken the place of.
#[endpoint(operation_id = "lottery_report", tags("lottery"))]
pub async fn find_report(
    app: App,
    _caller: Household,
    drw_no: Id,
    which: Query<WhichOne>,
) -> HandlerResult<Json<ShownReport>> {
    let replaced = Check::of(|check| which.0.replaced.and_then(|id| check.find("replaced", id)))?;
    let found = match replaced {
        // It is told anew of all draws.
        Some(id) => app.data.store.read(move |tx| store::find_replaced_report(tx, drw_no.0, id)).await?,
        None => app.data.store.read_inline(move |tx| store::find_report(tx, drw_no.0)).await?,
    };
    let report = found.ok_or_else(|| Error::not_found("report"))?;
    Ok(Json(app.data.store.read_inline(move |tx| store::shown_report(tx, report)).await?))
}

/// The reports.
#[endpoint(operation_id = "lottery_reports", tags("lottery"))]
pub async fn list_reports(app: App, _caller: Household, paging: Query<Paging<10>>) -> HandlerResult<Json<Reports>> {
    let page = paging.0.page()?;
    let (reports, total) = app.data.store.read(move |tx| store::list_reports(tx, page)).await?;
    Ok(Json(Reports { reports, total }))
}

/// Makes the coming draw's report now.
#[endpoint(operation_id = "lottery_report_make", tags("lottery"))]
pub async fn make_report(app: App, caller: Household, key: IdempotencyKey) -> HandlerResult<Created<ShownReport>> {
    let made = key.once(&app, &caller, |app| async move {
        let made = work::report_now(&app).await?;
        Ok(move |tx: &WriteTx| store::put_report(tx, &made).and_then(|()| store::shown_report(tx, made.text)))
    });
    Ok(Created(made.await?))
}

/// The briefing for the newest draw that has one.
#[endpoint(operation_id = "lottery_briefing_latest", tags("lottery"))]
pub async fn latest_briefing(app: App, _caller: Household) -> HandlerResult<Json<ShownBriefing>> {
    let read = |tx: &ReadTx| store::latest_briefing(tx)?.map(|one| store::shown_briefing(tx, one)).transpose();
    let found = app.data.store.read_inline(read).await?;
    Ok(Json(found.ok_or_else(|| Error::not_found("briefing"))?))
}

/// The briefing for a draw, or one that it has taken the place of.
#[endpoint(operation_id = "lottery_briefing", tags("lottery"))]
pub async fn find_briefing(
    app: App,
    _caller: Household,
    draw_no: Id,
    which: Query<WhichOne>,
) -> HandlerResult<Json<ShownBriefing>> {
    let replaced = Check::of(|check| which.0.replaced.and_then(|id| check.find("replaced", id)))?;
    let draw_no = u32::try_from(draw_no.0).map_err(|_| Error::not_found("briefing"))?;
    let found = match replaced {
        // It is told anew of all draws.
        Some(id) => app.data.store.read(move |tx| store::find_replaced_briefing(tx, draw_no, id)).await?,
        None => app.data.store.read_inline(move |tx| store::find_briefing(tx, draw_no)).await?,
    };
    let briefing = found.ok_or_else(|| Error::not_found("briefing"))?;
    Ok(Json(app.data.store.read_inline(move |tx| store::shown_briefing(tx, briefing)).await?))
}

/// Composes the coming draw's briefing now.
#[endpoint(operation_id = "lottery_briefing_compose", tags("lottery"))]
pub async fn compose_briefing(
    app: App,
    caller: Household,
    key: IdempotencyKey,
) -> HandlerResult<Created<ShownBriefing>> {
    let composed = key.once(&app, &caller, |app| async move {
        let composed = work::briefing_now(&app).await?;
        Ok(move |tx: &WriteTx| {
            store::put_briefing(tx, &composed).and_then(|()| store::shown_briefing(tx, composed.text))
        })
    });
    Ok(Created(composed.await?))
}

/// What the curator took.
#[endpoint(operation_id = "lottery_curator_usage", tags("lottery"))]
pub async fn curator_usage(app: App, _caller: Household, days: Query<Days>) -> HandlerResult<Json<CuratorUsage>> {
    let days = Check::of(|check| days.0.days.map_or(30, |days| check.take("days", days) as u32))?;
    Ok(Json(app.data.store.read(move |tx| store::curator_usage(tx, days)).await?))
}

/// The review of the newest draw that has one.
#[endpoint(operation_id = "lottery_review_latest", tags("lottery"))]
pub async fn latest_review(app: App, _caller: Household) -> HandlerResult<Json<Review>> {
    let newest = app.data.store.read(|tx| store::list_reviews(tx, Page { limit: 1, offset: 0 })).await?.0.pop();
    Ok(Json(newest.ok_or_else(|| Error::not_found("review"))?))
}

/// The review of a draw.
#[endpoint(operation_id = "lottery_review", tags("lottery"))]
pub async fn find_review(app: App, _caller: Household, draw_no: Id) -> HandlerResult<Json<Review>> {
    let found = app
        .data
        .store
        .read_inline(move |tx| u32::try_from(draw_no.0).map_or(Ok(None), |draw_no| store::find_review(tx, draw_no)))
        .await?;
    Ok(Json(found.ok_or_else(|| Error::not_found("review"))?))
}

/// The reviews.
#[endpoint(operation_id = "lottery_reviews", tags("lottery"))]
pub async fn list_reviews(app: App, _caller: Household, paging: Query<Paging<4>>) -> HandlerResult<Json<Reviews>> {
    let page = paging.0.page()?;
    let (reviews, total) = app.data.store.read(move |tx| store::list_reviews(tx, page)).await?;
    Ok(Json(Reviews { reviews, total }))
}
