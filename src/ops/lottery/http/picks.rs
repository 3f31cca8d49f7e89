//! Recommendations, their history, and the simulation with its best picks.

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};

use super::super::model::{
    BestCount, Candidates, HistoryEntry, Pick, Seed, Simulation, SimulationOrder, TopCount, check_seed,
};
use super::super::store::picks as store;
use super::super::work::picks as work;
use hanok_base::Validated;
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_calc::lottery::Parameters;
use hanok_calc::lottery::combined::CombinedRecommendation;
use hanok_calc::lottery::recommend::Recommendation;
use hanok_calc::lottery::scoring::{AvoidedDraws, RecentWeight, RecentWindow};
use hanok_platform::app::App;
use hanok_platform::http::{
    Deleted, HandlerResult, Household, Id, IdempotencyKey, Json, Paging, Query, SameOrigin, UncachedJson,
};
use hanok_platform::store::WriteTx;

/// How to recommend.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct HowToRecommend {
    /// How many of the newest draws count as recent; left out it is 50.
    pub recent_window: Option<Validated<RecentWindow>>,
    /// How much they count against the long run; left out it is 0.5.
    pub recent_weight: Option<Validated<RecentWeight>>,
    /// Numbers of the last so many draws are avoided; left out it is 3.
    pub avoid_recent_k: Option<Validated<AvoidedDraws>>,
    /// The seed that makes a recommendation again; left out it is chosen at random.
    pub seed: Option<Validated<Seed>>,
}

/// How to combine.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct HowToCombine {
    /// The seed that makes a recommendation again; left out it is chosen at random.
    pub seed: Option<Validated<Seed>>,
}

/// How to simulate.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct HowToSimulate {
    /// How many combinations to look at; 8,145,060 are all of them; left out it is 20,000.
    pub n_candidates: Option<Validated<Candidates>>,
    /// How many of the best to give; left out it is 100.
    pub top_k: Option<Validated<TopCount>>,
    /// How many to keep as best picks, which differ from each other; left out it is 20.
    pub best_n: Option<Validated<BestCount>>,
    /// The seed that makes a simulation again; left out it is chosen at random.
    pub seed: Option<Validated<Seed>>,
}

/// Recommendations that were given, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct History {
    /// The recommendations of this page.
    pub history: Vec<HistoryEntry>,
    /// How many there are.
    pub total: u64,
    /// So many of the newest are kept.
    pub most_kept: u64,
}

/// Combined recommendations that were given, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct CombinedHistory {
    /// The recommendations of this page.
    pub history: Vec<CombinedRecommendation>,
    /// How many there are.
    pub total: u64,
    /// So many of the newest are kept.
    pub most_kept: u64,
}

/// The best picks of the newest simulation, best first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Picks {
    /// The picks of this page.
    pub picks: Vec<Pick>,
    /// How many there are.
    pub total: u64,
}

/// Recommends one set.
#[endpoint(operation_id = "lottery_recommend", tags("lottery"))]
pub async fn recommend(
    app: App,
    _caller: Household,
    _page: SameOrigin,
    how: Query<HowToRecommend>,
) -> HandlerResult<UncachedJson<Recommendation>> {
    let HowToRecommend { recent_window, recent_weight, avoid_recent_k, seed } = how.0;
    let (parameters, seed) = Check::of(|check| {
        let parameters = check.keep(Parameters::parse(recent_window, recent_weight, avoid_recent_k));
        (parameters, check.keep(check_seed(seed)))
    })?;
    Ok(UncachedJson(work::recommend(&app, parameters.unwrap_or_default(), seed.flatten()).await?))
}

/// Asks every method for a set and merges them.
#[endpoint(operation_id = "lottery_combine", tags("lottery"))]
pub async fn combine(
    app: App,
    _caller: Household,
    _page: SameOrigin,
    how: Query<HowToCombine>,
) -> HandlerResult<UncachedJson<CombinedRecommendation>> {
    Ok(UncachedJson(work::combine(&app, check_seed(how.0.seed)?).await?))
}

/// Combined recommendations that were given.
#[endpoint(operation_id = "lottery_combined_history", tags("lottery"))]
pub async fn combined_history(
    app: App,
    _caller: Household,
    paging: Query<Paging<30>>,
) -> HandlerResult<Json<CombinedHistory>> {
    let page = paging.0.page()?;
    let (given, total) = app.data.store.read(move |tx| store::combined_history(tx, page)).await?;
    Ok(Json(CombinedHistory { history: given, total, most_kept: store::MOST_KEPT }))
}

/// Recommendations that were given.
#[endpoint(operation_id = "lottery_history", tags("lottery"))]
pub async fn history(app: App, _caller: Household, paging: Query<Paging<30>>) -> HandlerResult<Json<History>> {
    let page = paging.0.page()?;
    let (given, total) = app.data.store.page(page, move |tx| store::history(tx, page)).await?;
    Ok(Json(History { history: given, total, most_kept: store::MOST_KEPT }))
}

/// Removes a recommendation from the history.
#[endpoint(operation_id = "lottery_history_remove", tags("lottery"))]
pub async fn remove(app: App, _caller: Household, id: Id) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| store::remove(tx, id.0)).await?;
    Ok(Deleted::default())
}

/// The best picks of the newest simulation.
#[endpoint(operation_id = "lottery_best", tags("lottery"))]
pub async fn best(app: App, _caller: Household, paging: Query<Paging<20>>) -> HandlerResult<Json<Picks>> {
    let page = paging.0.page()?;
    let (picks, total) = app.data.store.page(page, move |tx| store::best(tx, page)).await?;
    Ok(Json(Picks { picks, total }))
}

/// Looks at many combinations, or at all of them, and keeps the best picks.
#[endpoint(operation_id = "lottery_simulate", tags("lottery"))]
pub async fn simulate(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    how: Query<HowToSimulate>,
) -> HandlerResult<Json<Simulation>> {
    let HowToSimulate { n_candidates, top_k, best_n, seed } = how.0;
    let order = SimulationOrder::parse(n_candidates, top_k, best_n, seed)?;
    let simulated = key.once(&app, &caller, move |app| async move {
        let run = work::simulate(&app, order).await?;
        Ok(move |tx: &WriteTx| store::add_run(tx, run))
    });
    Ok(Json(simulated.await?))
}
