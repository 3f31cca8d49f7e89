//! Every draw and the fitted co-winner model in memory, worked out once for each revision of the draws.

use std::sync::Arc;

use super::super::store::{draws, reports};
use hanok_base::Result;
use hanok_calc::lottery::analysis::{Analysis, analysis};
use hanok_calc::lottery::co_winners::CoWinnerCheck;
use hanok_calc::lottery::performance::{Performance, PicksChecked, performance};
use hanok_calc::lottery::statistics::{Statistics, statistics};
use hanok_calc::lottery::{CoWinners, Draw, History, Numbers};
use hanok_platform::app::App;
use hanok_platform::derived::DerivedCache;
use hanok_platform::store::{ReadTransaction, ReadTx};

/// What everything else is worked out from.
pub struct FittedDraws {
    /// Every draw, ascending.
    pub draws: Vec<Draw>,
    /// The co-winner model, fitted on them.
    pub co_winners: CoWinners,
    /// Their revision.
    pub revision: u64,
}

impl FittedDraws {
    /// What the draws tell.
    pub fn history(&self) -> History<'_> {
        History::of(&self.draws)
    }
}

/// Runs `work` off the async threads with the fitted draws and a picture of the store of the same moment.
pub async fn with_fitted_draws<T, F>(app: &App, work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce(&ReadTx, &FittedDraws) -> Result<T> + Send + 'static,
{
    let keep = app.data.derived.clone();
    app.data.store.read(move |tx| work(tx, &*fitted_draws(tx, &keep)?)).await
}

/// What the co-winner model says of a set.
pub async fn checked_set(app: &App, numbers: Numbers) -> Result<CoWinnerCheck> {
    with_fitted_draws(app, move |_, fitted| Ok(fitted.co_winners.check(&numbers, &fitted.draws))).await
}

/// The statistics of all draws.
pub async fn all_statistics(app: &App) -> Result<Arc<Statistics>> {
    let keep = app.data.derived.clone();
    app.data.store.read(move |tx| kept_statistics(tx, &keep)).await
}

/// The state of numbers and models.
pub async fn whole_analysis(app: &App) -> Result<Arc<Analysis>> {
    let keep = app.data.derived.clone();
    app.data
        .store
        .read(move |tx| {
            let revision = draws::state(tx)?.revision;
            keep.get(revision, || {
                let fitted = fitted_draws(tx, &keep)?;
                Ok(analysis(&fitted.draws, &fitted.co_winners))
            })
        })
        .await
}

/// How every method would have done, with the picks that were really given.
pub async fn whole_performance(app: &App) -> Result<Performance> {
    let keep = app.data.derived.clone();
    app.data
        .store
        .read(move |tx| {
            let kept = keep.get(draws::state(tx)?.revision, || {
                Ok(performance(&fitted_draws(tx, &keep)?.draws, tx.now(), PicksChecked::default()))
            })?;
            Ok(Performance { picks: reports::checked_picks(tx)?, ..(*kept).clone() })
        })
        .await
}

/// The draws of this moment, with the model fitted on them.
pub fn fitted_draws(tx: &impl ReadTransaction, keep: &DerivedCache) -> Result<Arc<FittedDraws>> {
    let revision = draws::state(tx)?.revision;
    keep.get(revision, || {
        let draws = draws::all(tx)?;
        let co_winners = CoWinners::fit(&draws);
        Ok(FittedDraws { draws, co_winners, revision })
    })
}

/// The statistics of this moment.
pub fn kept_statistics(tx: &impl ReadTransaction, keep: &DerivedCache) -> Result<Arc<Statistics>> {
    keep.get(draws::state(tx)?.revision, || Ok(statistics(&fitted_draws(tx, keep)?.draws)))
}
