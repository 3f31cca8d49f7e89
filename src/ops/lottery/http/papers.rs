//! The weekly report, the briefing with what the curator took, and the reviews.

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};

use super::super::model::{CuratorUsage, ReportEntry};
use super::super::store::papers as store;
use super::super::work::papers as work;
use super::Part;
use crate::base::schema::ToSchema;
use crate::base::{Error, Page, Result};
use crate::calc::lottery::briefing::Briefing;
use crate::calc::lottery::report::Report;
use crate::calc::lottery::review::Review;
use crate::platform::app::App;
use crate::platform::http::{Created, Household, Id, Json, Once, Query};

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
    #[salvo(parameter(minimum = 1, maximum = 366))]
    pub days: Option<u32>,
}

/// The report for the newest draw that has one.
#[endpoint(operation_id = "lottery_report_latest", tags("lottery"))]
pub async fn latest_report(app: App, _caller: Household) -> Result<Json<Report>> {
    let found = app.store.glance(|tx| store::latest_report(tx)).await?;
    found.map(Json).ok_or_else(|| Error::not_found("report"))
}

/// The report for a draw.
#[endpoint(operation_id = "lottery_report", tags("lottery"))]
pub async fn find_report(app: App, _caller: Household, drw_no: Id) -> Result<Json<Report>> {
    let found = app.store.glance(move |tx| store::find_report(tx, drw_no.0)).await?;
    found.map(Json).ok_or_else(|| Error::not_found("report"))
}

/// The reports.
#[endpoint(operation_id = "lottery_reports", tags("lottery"))]
pub async fn list_reports(app: App, _caller: Household, part: Query<Part>) -> Result<Json<Reports>> {
    let page = part.0.page(10)?;
    let (reports, total) = app.store.read(move |tx| store::list_reports(tx, page)).await?;
    Ok(Json(Reports { reports, total }))
}

/// Makes the coming draw's report now.
#[endpoint(operation_id = "lottery_report_make", tags("lottery"))]
pub async fn make_report(app: App, _caller: Household, once: Once) -> Result<Created<Report>> {
    if let Some(first) = once.first(&app).await? {
        return Ok(Created(first));
    }
    let made = work::report_now(&app).await?;
    once.write(&app, move |tx| store::put_report(tx, &made).map(|()| made)).await.map(Created)
}

/// The briefing for the newest draw that has one.
#[endpoint(operation_id = "lottery_briefing_latest", tags("lottery"))]
pub async fn latest_briefing(app: App, _caller: Household) -> Result<Json<Briefing>> {
    let found = app.store.glance(|tx| store::latest_briefing(tx)).await?;
    found.map(Json).ok_or_else(|| Error::not_found("briefing"))
}

/// Composes the coming draw's briefing now.
#[endpoint(operation_id = "lottery_briefing_compose", tags("lottery"))]
pub async fn compose_briefing(app: App, _caller: Household, once: Once) -> Result<Created<Briefing>> {
    if let Some(first) = once.first(&app).await? {
        return Ok(Created(first));
    }
    let composed = work::briefing_now(&app).await?;
    once.write(&app, move |tx| store::put_briefing(tx, &composed).map(|()| composed)).await.map(Created)
}

/// What the curator took.
#[endpoint(operation_id = "lottery_curator_usage", tags("lottery"))]
pub async fn curator_usage(app: App, _caller: Household, days: Query<Days>) -> Result<Json<CuratorUsage>> {
    let days = days.0.days.unwrap_or(30);
    if !(1..=366).contains(&days) {
        return Err(Error::field("days", "must be between 1 and 366"));
    }
    app.store.read(move |tx| store::curator_usage(tx, days)).await.map(Json)
}

/// The review of the newest draw that has one.
#[endpoint(operation_id = "lottery_review_latest", tags("lottery"))]
pub async fn latest_review(app: App, _caller: Household) -> Result<Json<Review>> {
    let newest = app.store.read(|tx| store::list_reviews(tx, Page { limit: 1, offset: 0 })).await?.0.pop();
    newest.map(Json).ok_or_else(|| Error::not_found("review"))
}

/// The reviews.
#[endpoint(operation_id = "lottery_reviews", tags("lottery"))]
pub async fn list_reviews(app: App, _caller: Household, part: Query<Part>) -> Result<Json<Reviews>> {
    let page = part.0.page(4)?;
    let (reviews, total) = app.store.read(move |tx| store::list_reviews(tx, page)).await?;
    Ok(Json(Reviews { reviews, total }))
}
