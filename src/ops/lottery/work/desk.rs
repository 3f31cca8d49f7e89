//! The desk: every draw and the fitted model in memory, worked out once for each revision of the draws.

use std::sync::Arc;

use super::super::store::draws;
use crate::base::Result;
use crate::calc::lottery::analysis::{Analysis, analysis};
use crate::calc::lottery::statistics::{Statistics, statistics};
use crate::calc::lottery::{CoWinners, Draw, History};
use crate::platform::app::App;
use crate::platform::keep::Keep;
use crate::platform::store::{ReadTx, Reads};

/// What everything else is worked out from.
pub struct Desk {
    /// Every draw, ascending.
    pub draws: Vec<Draw>,
    /// The co-winner model, fitted on them.
    pub co_winners: CoWinners,
}

impl Desk {
    /// What the draws tell.
    pub fn history(&self) -> History<'_> {
        History::of(&self.draws)
    }
}

/// Runs `work` off the async threads with the desk and a picture of the store of the same moment.
pub async fn at_desk<T, F>(app: &App, work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce(&ReadTx, &Desk) -> Result<T> + Send + 'static,
{
    let keep = app.keep.clone();
    app.store.read(move |tx| work(tx, &*desk(tx, &keep)?)).await
}

/// The statistics of all draws.
pub async fn all_statistics(app: &App) -> Result<Arc<Statistics>> {
    let keep = app.keep.clone();
    app.store.read(move |tx| kept_statistics(tx, &keep)).await
}

/// The state of numbers and models.
pub async fn whole_analysis(app: &App) -> Result<Arc<Analysis>> {
    let keep = app.keep.clone();
    app.store
        .read(move |tx| {
            let revision = draws::state(tx)?.revision;
            keep.get(revision, || {
                let desk = desk(tx, &keep)?;
                Ok(analysis(&desk.draws, &desk.co_winners))
            })
        })
        .await
}

pub(super) fn desk(tx: &impl Reads, keep: &Keep) -> Result<Arc<Desk>> {
    keep.get(draws::state(tx)?.revision, || {
        let draws = draws::all(tx)?;
        let co_winners = CoWinners::fit(&draws);
        Ok(Desk { draws, co_winners })
    })
}

pub(super) fn kept_statistics(tx: &impl Reads, keep: &Keep) -> Result<Arc<Statistics>> {
    keep.get(draws::state(tx)?.revision, || Ok(statistics(&desk(tx, keep)?.draws)))
}
