//! Recommendations, their history, and the simulation with its best picks.

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};

use super::super::model::{HistoryEntry, Pick, Simulation, SimulationOrder, check_seed};
use super::super::store::picks as store;
use super::super::work::picks as work;
use super::Part;
use hanok_base::schema::ToSchema;
use hanok_calc::lottery::Parameters;
use hanok_calc::lottery::combined::CombinedRecommendation;
use hanok_calc::lottery::recommend::Recommendation;
use hanok_platform::app::App;
use hanok_platform::http::{Answer, Deleted, Household, Id, IdempotencyKey, Json, Query};
use hanok_platform::store::WriteTx;

/// How to recommend.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct HowToRecommend {
    /// How many of the newest draws count as recent; left out it is 50.
    #[salvo(parameter(minimum = 5, maximum = 500))]
    pub recent_window: Option<u32>,
    /// How much they count against the long run; left out it is 0.5.
    #[salvo(parameter(minimum = 0, maximum = 1))]
    pub recent_weight: Option<f64>,
    /// Numbers of the last so many draws are avoided; left out it is 3.
    #[salvo(parameter(maximum = 10))]
    pub avoid_recent_k: Option<u32>,
    /// The seed that makes a recommendation again; left out it is chosen at random.
    #[salvo(parameter(maximum = 9007199254740991_f64))]
    pub seed: Option<u64>,
}

/// The seed of a combined recommendation.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Seed {
    /// The seed that makes a recommendation again; left out it is chosen at random.
    #[salvo(parameter(maximum = 9007199254740991_f64))]
    pub seed: Option<u64>,
}

/// How to simulate.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct HowToSimulate {
    /// How many combinations to look at; 8,145,060 are all of them; left out it is 20,000.
    #[salvo(parameter(minimum = 100, maximum = 8145060))]
    pub n_candidates: Option<u64>,
    /// How many of the best to give; left out it is 100.
    #[salvo(parameter(minimum = 1, maximum = 1000))]
    pub top_k: Option<u64>,
    /// How many to keep as best picks; left out it is 20, or `top_k` when that is less.
    #[salvo(parameter(minimum = 1, maximum = 100))]
    pub best_n: Option<u64>,
    /// The seed that makes a simulation again; left out it is chosen at random.
    #[salvo(parameter(maximum = 9007199254740991_f64))]
    pub seed: Option<u64>,
}

/// Recommendations that were given, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct History {
    /// The recommendations of this page.
    pub history: Vec<HistoryEntry>,
    /// How many there are.
    pub total: u64,
}

/// Combined recommendations that were given, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct CombinedHistory {
    /// The recommendations of this page.
    pub history: Vec<CombinedRecommendation>,
    /// How many there are.
    pub total: u64,
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
pub async fn recommend(app: App, _caller: Household, how: Query<HowToRecommend>) -> Answer<Json<Recommendation>> {
    let HowToRecommend { recent_window, recent_weight, avoid_recent_k, seed } = how.0;
    let usual = Parameters::default();
    let parameters = Parameters {
        recent_window: recent_window.unwrap_or(usual.recent_window),
        recent_weight: recent_weight.unwrap_or(usual.recent_weight),
        avoid_recent_k: avoid_recent_k.unwrap_or(usual.avoid_recent_k),
    };
    Ok(Json(work::recommend(&app, parameters, check_seed(seed)?).await?))
}

/// Asks every method for a set and merges them.
#[endpoint(operation_id = "lottery_combine", tags("lottery"))]
pub async fn combine(app: App, _caller: Household, seed: Query<Seed>) -> Answer<Json<CombinedRecommendation>> {
    Ok(Json(work::combine(&app, check_seed(seed.0.seed)?).await?))
}

/// Combined recommendations that were given.
#[endpoint(operation_id = "lottery_combined_history", tags("lottery"))]
pub async fn combined_history(app: App, _caller: Household, part: Query<Part>) -> Answer<Json<CombinedHistory>> {
    let page = part.0.page(30)?;
    let (given, total) = app.data.store.read(move |tx| store::combined_history(tx, page)).await?;
    Ok(Json(CombinedHistory { history: given, total }))
}

/// Recommendations that were given.
#[endpoint(operation_id = "lottery_history", tags("lottery"))]
pub async fn history(app: App, _caller: Household, part: Query<Part>) -> Answer<Json<History>> {
    let page = part.0.page(30)?;
    let (given, total) = app.data.store.page(page, move |tx| store::history(tx, page)).await?;
    Ok(Json(History { history: given, total }))
}

/// Removes a recommendation from the history.
#[endpoint(operation_id = "lottery_history_remove", tags("lottery"))]
pub async fn remove(app: App, _caller: Household, id: Id) -> Answer<Deleted> {
    app.data.store.write(move |tx| store::remove(tx, id.0)).await?;
    Ok(Deleted::default())
}

/// The best picks of the newest simulation.
#[endpoint(operation_id = "lottery_best", tags("lottery"))]
pub async fn best(app: App, _caller: Household, part: Query<Part>) -> Answer<Json<Picks>> {
    let page = part.0.page(20)?;
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
) -> Answer<Json<Simulation>> {
    let HowToSimulate { n_candidates, top_k, best_n, seed } = how.0;
    let order = SimulationOrder::parse(n_candidates, top_k, best_n)?;
    let seed = check_seed(seed)?;
    let simulated = key.once(&app, &caller, move |app| async move {
        let run = work::simulate(&app, order, seed).await?;
        Ok(move |tx: &WriteTx| store::add_run(tx, run))
    });
    Ok(Json(simulated.await?))
}
