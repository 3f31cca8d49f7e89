//! Draws and their statistics.

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};

use super::super::model::{Correction, CorrectionId, Decisions, DrawSource, LatestDraw, SixNumbers};
use super::super::store::{corrections, draws as store};
use super::super::work::draws as work;
use super::super::work::settings::LotterySettings;
use super::super::work::{SyncNow, fitted_draws};
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Validated};
use hanok_calc::lottery::Draw;
use hanok_calc::lottery::analysis::Analysis;
use hanok_calc::lottery::co_winners::CoWinnerCheck;
use hanok_calc::lottery::performance::Performance;
use hanok_calc::lottery::statistics::Statistics;
use hanok_platform::app::App;
use hanok_platform::http::{
    Accepted, HandlerResult, Household, Id, IdempotencyKey, Json, Paging, Query, TaskBegun, tx_op,
};
use hanok_platform::jobs::enqueue;

/// Draws, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Draws {
    /// The draws of this page.
    pub draws: Vec<Draw>,
    /// How many there are.
    pub total: u64,
}

/// Stored draws that gave way to others, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Corrections {
    /// The corrections of this page.
    pub corrections: Vec<Correction>,
    /// How many there are.
    pub total: u64,
}

/// The newest draw, how old it is, and which comes next.
#[endpoint(operation_id = "lottery_latest", tags("lottery"))]
pub async fn latest(app: App, _caller: Household) -> HandlerResult<Json<LatestDraw>> {
    Ok(Json(work::told(&app, app.data.store.read_inline(|tx| store::latest(tx)).await?)))
}

/// The draws, newest first.
#[endpoint(operation_id = "lottery_draws", tags("lottery"))]
pub async fn list(app: App, _caller: Household, paging: Query<Paging<30>>) -> HandlerResult<Json<Draws>> {
    let page = paging.0.page()?;
    let (draws, total) = app.data.store.page(page, move |tx| store::list(tx, page)).await?;
    Ok(Json(Draws { draws, total }))
}

/// The decisions that wait for the household, newest draws first, each with all that contradicts.
#[endpoint(operation_id = "lottery_decisions", tags("lottery"))]
pub async fn decisions(app: App, _caller: Household, paging: Query<Paging<10>>) -> HandlerResult<Json<Decisions>> {
    let page = paging.0.page()?;
    Ok(Json(app.data.store.read(move |tx| corrections::decisions(tx, page)).await?))
}

/// The corrections of draws, newest first.
#[endpoint(operation_id = "lottery_corrections", tags("lottery"))]
pub async fn list_corrections(
    app: App,
    _caller: Household,
    paging: Query<Paging<10>>,
) -> HandlerResult<Json<Corrections>> {
    let page = paging.0.page()?;
    let (corrections, total) = app.data.store.page(page, move |tx| corrections::corrections(tx, page)).await?;
    Ok(Json(Corrections { corrections, total }))
}

/// One draw.
#[endpoint(operation_id = "lottery_draw", tags("lottery"))]
pub async fn find(app: App, _caller: Household, draw_no: Id) -> HandlerResult<Json<Draw>> {
    let draw_no = u32::try_from(draw_no.0).map_err(|_| Error::not_found("draw"))?;
    let found = app.data.store.read_inline(move |tx| store::find(tx, draw_no)).await?;
    Ok(Json(found.ok_or_else(|| Error::not_found("draw"))?))
}

/// Who sent the draw that is decided about.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct DrawSourceQuery {
    /// `operator`, `import` or `built_in`; left out it is the only one that is kept aside.
    pub source: Option<Validated<DrawSource>>,
}

/// Takes a draw that was kept aside in the place of the stored one; purchases, review, report and briefing follow. Gives
/// the newest draw with what is still kept aside.
#[endpoint(operation_id = "lottery_draw_accept", tags("lottery"))]
pub async fn accept(
    app: App,
    caller: Household,
    draw_no: Id,
    key: IdempotencyKey,
    who: Query<DrawSourceQuery>,
) -> HandlerResult<Json<LatestDraw>> {
    decide(app, caller, draw_no, key, who.0, true).await
}

/// Refuses a draw that was kept aside, for good: the stored one stays. Gives the newest draw with what is still kept aside.
#[endpoint(operation_id = "lottery_draw_refuse", tags("lottery"))]
pub async fn refuse(
    app: App,
    caller: Household,
    draw_no: Id,
    key: IdempotencyKey,
    who: Query<DrawSourceQuery>,
) -> HandlerResult<Json<LatestDraw>> {
    decide(app, caller, draw_no, key, who.0, false).await
}

/// Which correction is taken back.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct WhichCorrection {
    /// The `id` of the correction; 409 when it is not the draw's newest any more. Left out it is the newest.
    pub correction: Option<Validated<CorrectionId>>,
}

/// Takes the newest correction of a draw back: what was stored before is stored again, with what has completed the draw
/// since as far as it can be true of both; what had taken its place is kept aside, and purchases, review, report and
/// briefing follow. Gives the newest draw with what is kept aside.
#[endpoint(operation_id = "lottery_draw_undo", tags("lottery"))]
pub async fn undo(
    app: App,
    caller: Household,
    draw_no: Id,
    key: IdempotencyKey,
    which: Query<WhichCorrection>,
) -> HandlerResult<Json<LatestDraw>> {
    let correction = Check::of(|check| which.0.correction.and_then(|id| check.find("correction", id)))?;
    let draw_no = u32::try_from(draw_no.0).map_err(|_| Error::not_found("draw"))?;
    let write = tx_op(move |tx| {
        work::take_back(tx, draw_no, correction)?;
        store::latest(tx)
    });
    Ok(Json(work::told(&app, key.once(&app, &caller, write).await?)))
}

async fn decide(
    app: App,
    caller: Household,
    draw_no: Id,
    key: IdempotencyKey,
    who: DrawSourceQuery,
    takes: bool,
) -> HandlerResult<Json<LatestDraw>> {
    let source = Check::of(|check| who.source.and_then(|source| check.find("source", source)))?;
    let draw_no = u32::try_from(draw_no.0).map_err(|_| Error::not_found("draw"))?;
    let write = tx_op(move |tx| {
        work::decide_about(tx, draw_no, source, takes)?;
        store::latest(tx)
    });
    Ok(Json(work::told(&app, key.once(&app, &caller, write).await?)))
}

/// What all draws look like, next to chance.
#[endpoint(operation_id = "lottery_statistics", tags("lottery"))]
pub async fn statistics(app: App, _caller: Household) -> HandlerResult<Json<Statistics>> {
    let kept = fitted_draws::all_statistics(&app).await?;
    Ok(Json((*kept).clone()))
}

/// Fetches new draws from the operator.
#[endpoint(operation_id = "lottery_sync", tags("lottery"))]
pub async fn sync(app: App, caller: Household, key: IdempotencyKey) -> HandlerResult<Accepted<TaskBegun>> {
    if !app.config.section::<LotterySettings>().sync {
        return Err(Error::not_configured("lottery.sync").into());
    }
    let write = tx_op(|tx| Ok(TaskBegun { task_id: enqueue(tx, &SyncNow {})? }));
    Ok(Accepted(key.once(&app, &caller, write).await?))
}

/// The latest state of the numbers and models.
#[endpoint(operation_id = "lottery_analysis", tags("lottery"))]
pub async fn analysis(app: App, _caller: Household) -> HandlerResult<Json<Analysis>> {
    let kept = fitted_draws::whole_analysis(&app).await?;
    Ok(Json((*kept).clone()))
}

/// Which set.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct CoWinnersQuery {
    /// Six different numbers of 1 to 45 with commas between them.
    pub numbers: Validated<SixNumbers>,
}

/// With how many a first prize of a set would be shared, what that is worth, and which popular patterns it has.
#[endpoint(operation_id = "lottery_co_winners", tags("lottery"))]
pub async fn co_winners(
    app: App,
    _caller: Household,
    which: Query<CoWinnersQuery>,
) -> HandlerResult<Json<CoWinnerCheck>> {
    let numbers = which.0.numbers.checked().map_err(|refused| Error::fields(refused.at("numbers").collect()))?;
    Ok(Json(fitted_draws::checked_set(&app, numbers).await?))
}

/// How every method would have done, next to chance.
#[endpoint(operation_id = "lottery_performance", tags("lottery"))]
pub async fn performance(app: App, _caller: Household) -> HandlerResult<Json<Performance>> {
    Ok(Json(fitted_draws::whole_performance(&app).await?))
}
