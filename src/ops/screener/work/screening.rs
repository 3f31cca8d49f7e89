//! Runs, and the bars of one stock, over the series that are held in memory.

use std::sync::Arc;

use super::super::model::adjust::adjusted;
use super::super::model::chart::{Chart, ChartSubject};
use super::super::model::runs::screen;
use super::super::model::said;
use super::super::model::settings::SettingsChanges;
use super::super::model::universe::Universe;
use super::super::store::bars;
use super::super::store::runs::{NewRun, settings};
use hanok_base::{Error, Result};
use hanok_platform::app::App;
use hanok_platform::derived::DerivedCache;
use hanok_platform::store::ReadTx;

/// What is held in memory: the series of all stocks, or that there are none.
struct Held(Option<Arc<Universe>>);

/// The series of all stocks, read once for each revision of the data; none before there are data.
fn universe(tx: &ReadTx, keep: &DerivedCache) -> Result<Option<Arc<Universe>>> {
    let held = keep.get(bars::state(tx)?.revision, || Ok(Held(bars::universe(tx)?.map(Arc::new))))?;
    Ok(held.0.clone())
}

/// Screens by what is saved, with what is sent in its place; nothing of that is saved.
///
/// # Errors
/// `CONFLICT` before there are data.
pub async fn run(app: &App, changes: SettingsChanges) -> Result<NewRun> {
    let keep = app.data.derived.clone();
    let screened = app.data.store.read(move |tx| {
        let mut settings = settings(tx)?;
        changes.apply_to(&mut settings);
        let universe = universe(tx, &keep)?.ok_or_else(|| Error::conflict(said::NO_DATA))?;
        let screened = screen(&universe, &settings);
        Ok(NewRun { settings, data_day: universe.data_day, is_demo: universe.is_demo, screened })
    });
    screened.await
}

/// The last `days` bars of a stock with its indicators.
///
/// # Errors
/// `NOT_FOUND` for a stock that is not listed on the newest day.
pub async fn chart(app: &App, symbol: String, days: usize) -> Result<Chart> {
    let keep = app.data.derived.clone();
    let read = app.data.store.read(move |tx| {
        let no_stock = || Error::not_found("stock");
        let universe = universe(tx, &keep)?.ok_or_else(no_stock)?;
        let stock = universe.find(&symbol).ok_or_else(no_stock)?;
        let stored = bars::recent(tx, &symbol, universe.data_day)?;
        let (name, market, sector) = (stock.instrument.name.clone(), stock.instrument.market, stock.sector.clone());
        let subject = ChartSubject { symbol, name, market, sector, is_demo: universe.is_demo };
        Ok(Chart::of(subject, &adjusted(&stored, &universe.behind_gaps), days))
    });
    read.await
}
