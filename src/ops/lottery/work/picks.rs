//! Recommendations: the compute host finds, this side explains, the store keeps.

use std::sync::Arc;

use super::super::model::{Pick, ScoredSet, Simulation, SimulationOrder, said};
use super::super::store::draws::coming;
use super::super::store::picks;
use super::fitted_draws::{FittedDraws, fitted_draws, with_fitted_draws};
use super::search::SearchWork;
use hanok_base::{Error, Kind, Result};
use hanok_calc::lottery::combined::{CombinedRecommendation, combined};
use hanok_calc::lottery::diverse::diverse;
use hanok_calc::lottery::random::LARGEST_SEED;
use hanok_calc::lottery::recommend::{Recommendation, recommendation, recommendation_search, simulation_search};
use hanok_calc::lottery::scoring::{reasons, units};
use hanok_calc::lottery::search::{LARGEST_TOP, Search, Top};
use hanok_calc::lottery::versions::versions;
use hanok_calc::lottery::{Metrics, Parameters};
use hanok_platform::app::App;
use hanok_platform::compute::Done;
use hanok_platform::store::{ReadTransaction, WriteTx};

/// Recommends one set and keeps it in the history.
///
/// # Errors
/// `INVALID_INPUT`; `NAS_UNAVAILABLE` whichever way the compute host failed.
pub async fn recommend(app: &App, parameters: Parameters, seed: Option<u64>) -> Result<Recommendation> {
    let seed = or_fresh(seed)?;
    let (fitted, search) =
        with_search(app, move |fitted| recommendation_search(&fitted.history(), &parameters, &fitted.co_winners, seed))
            .await?;
    let Done { answer: top, elapsed_ms, .. } =
        app.workers.compute.run(SearchWork(search.clone())).await.map_err(away)?;
    let given = app
        .data
        .store
        .read(move |tx| {
            let (history, for_draw) = (fitted.history(), coming(tx)?);
            let given = recommendation(&history, &parameters, &fitted.co_winners, for_draw, &search, &top);
            given.ok_or_else(|| Error::new(Kind::NasUnavailable, said::NO_RECOMMENDATION))
        })
        .await?;
    let given = Recommendation { elapsed_ms, ..given };
    kept_if_there_is_room(app, given, picks::add).await
}

/// Asks every method for a set, merges them, and keeps the outcome.
pub async fn combine(app: &App, seed: Option<u64>) -> Result<CombinedRecommendation> {
    let seed = or_fresh(seed)?;
    let given = with_fitted_draws(app, move |tx, fitted| {
        Ok(combined(&fitted.history(), &fitted.co_winners, coming(tx)?, seed, tx.now()))
    })
    .await?;
    kept_if_there_is_room(app, given, picks::add_combined).await
}

/// Runs the simulation. Nothing is kept yet: that is for [`picks::add_run`].
///
/// # Errors
/// `NAS_UNAVAILABLE` and `NAS_TIMEOUT` of the compute host.
pub async fn simulate(app: &App, order: SimulationOrder) -> Result<Simulation> {
    let SimulationOrder { candidates, seed, .. } = order;
    let seed = or_fresh(seed)?;
    // The best are alike: picks that differ are found only among far more of them than are given.
    let (fitted, search) = with_search(app, move |fitted| {
        simulation_search(&fitted.history(), &fitted.co_winners, seed, candidates, LARGEST_TOP)
    })
    .await?;
    let done = app.workers.compute.run(SearchWork(search.clone())).await?;
    app.data.store.read(move |tx| explained(tx, &fitted, &search, done, order)).await
}

/// A seed that nobody chose, below 2^53.
pub fn fresh_seed() -> Result<u64> {
    Ok(getrandom::u64().map_err(Error::internal)? & LARGEST_SEED)
}

/// Keeps `given`. On a full disk, and while the store is out of its place, it is given all the same, without an id: asking for a recommendation is reading.
async fn kept_if_there_is_room<T: Clone + Send + 'static>(
    app: &App,
    given: T,
    keep: fn(&WriteTx, T) -> Result<T>,
) -> Result<T> {
    let to_keep = given.clone();
    let kept = app.data.store.write(move |tx| keep(tx, to_keep)).await;
    match kept {
        Err(error) if error.kind.is_want_of_storage() => Ok(given),
        kept => kept,
    }
}

fn or_fresh(seed: Option<u64>) -> Result<u64> {
    seed.map_or_else(fresh_seed, Ok)
}

/// The fitted draws, and the search that `build` makes of them.
async fn with_search(
    app: &App,
    build: impl FnOnce(&FittedDraws) -> Search + Send + 'static,
) -> Result<(Arc<FittedDraws>, Search)> {
    let keep = app.data.derived.clone();
    app.data
        .store
        .read(move |tx| {
            let fitted = fitted_draws(tx, &keep)?;
            let search = build(&fitted);
            Ok((fitted, search))
        })
        .await
}

fn explained(
    tx: &impl ReadTransaction,
    fitted: &FittedDraws,
    search: &Search,
    done: Done<Top>,
    order: SimulationOrder,
) -> Result<Simulation> {
    let Done { answer: top, elapsed_ms, threads } = done;
    let history = fitted.history();
    // Nothing is avoided in a simulation, so no reason may say so.
    let parameters = Parameters { avoid_recent_k: 0, ..Parameters::default() };
    let based_on_draw = history.latest().map_or(0, |draw| draw.draw_no);
    let for_draw = coming(tx)?;
    let best = (1..).zip(diverse(&top.best, order.best_n)).map(|(rank_in_run, scored)| {
        let co_winners = fitted.co_winners.estimate(&scored.numbers, history.draws());
        Pick {
            id: 0,
            numbers: scored.numbers,
            score: units(scored.points),
            rank_in_run,
            run_id: 0,
            based_on_draw,
            for_draw,
            created_at: tx.now(),
            metrics: Metrics::of(&scored.numbers),
            co_winners,
            reasons: reasons(&scored.numbers, &history, &parameters, co_winners.as_ref()),
        }
    });
    Ok(Simulation {
        run_id: 0,
        seed: search.seed,
        based_on_draw,
        for_draw,
        candidates: top.candidates,
        exact: search.is_exact(),
        elapsed_ms,
        best: best.collect(),
        top: top
            .best
            .iter()
            .take(order.top_k)
            .map(|set| ScoredSet { numbers: set.numbers, score: units(set.points) })
            .collect(),
        versions: versions(),
        threads,
    })
}

/// Whatever the compute host failed with, which its sentence says, the recommendation is not there, and the browser may
/// help itself.
fn away(error: Error) -> Error {
    Error { kind: Kind::NasUnavailable, own_code: None, ..error }
}

#[cfg(test)]
mod tests {
    use hanok_base::MessageTemplate;

    use super::*;

    #[test]
    fn a_host_that_is_busy_or_late_is_not_said_to_be_away() {
        const BUSY: MessageTemplate = MessageTemplate::new("lottery.planted", "the compute host has too much to do");
        for kind in [Kind::NasUnavailable, Kind::NasTimeout, Kind::Internal] {
            let told = away(Error::new(kind, BUSY).because("16 wait").retry_after(2));
            assert_eq!((told.code(), told.message.text()), ("NAS_UNAVAILABLE", "the compute host has too much to do"));
            assert_eq!((told.retry_after, told.cause.as_deref()), (Some(2), Some("16 wait")));
        }
    }
}
