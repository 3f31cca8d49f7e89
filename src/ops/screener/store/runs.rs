//! What is screened by, and the runs.

use chrono::NaiveDate;

use super::super::model::runs::{Run, RunWithResults, Screened, StoredResults, VERSION};
use super::super::model::settings::{Settings, SettingsChanges};
use super::CHANGED;
use hanok_base::{Error, Page, Result};
use hanok_platform::store::{Order, ReadTransaction, Table, WriteTx};

/// Table: what is screened by. Key: `saved`. Value: that.
pub const SETTINGS: Table<&str, Settings> = Table::new("screener_settings-1");
const SAVED: &str = "saved";
/// Table: the runs. Key: id. Value: the run without its results.
pub const RUNS: Table<u64, Run> = Table::new("screener_runs-1");
/// Table: the results of each. Key: the id of the run. Value: every stock.
pub const RESULTS: Table<u64, StoredResults> = Table::new("screener_results-1");

/// So many of the newest runs are kept.
pub const MOST_RUNS: u64 = 100;

/// A run that was made and is not written down yet.
#[derive(Debug)]
pub struct NewRun {
    /// What was screened by.
    pub settings: Settings,
    /// The day of the data.
    pub data_day: NaiveDate,
    /// Whether the companies are made up.
    pub is_demo: bool,
    /// What it has found.
    pub screened: Screened,
}

/// What is screened by: as it was saved, or else as usual.
///
/// # Errors
/// Those of the store.
pub fn settings(tx: &impl ReadTransaction) -> Result<Settings> {
    Ok(tx.get(&SETTINGS, SAVED)?.unwrap_or_else(Settings::usual))
}

/// Saves the fields that are sent.
///
/// # Errors
/// Those of the store.
pub fn change_settings(tx: &WriteTx, changes: SettingsChanges) -> Result<Settings> {
    let mut settings = settings(tx)?;
    changes.apply_to(&mut settings);
    tx.put(&SETTINGS, SAVED, &settings)?;
    tx.announce(CHANGED);
    Ok(settings)
}

/// Keeps a run; the oldest goes where there are too many. Gives the run.
///
/// # Errors
/// Those of the store.
pub fn add(tx: &WriteTx, new: NewRun) -> Result<Run> {
    let NewRun { settings, data_day, is_demo, screened: Screened { passed, missing, results } } = new;
    let id = tx.next_id("screener_runs")?;
    let (name, created_at, universe) = (settings.name.clone(), tx.now(), results.0.len() as u64);
    let run = Run { id, name, created_at, data_day, is_demo, version: VERSION, settings, universe, passed, missing };
    tx.put(&RUNS, id, &run)?;
    tx.put(&RESULTS, id, &results)?;
    while tx.count(&RUNS)? > MOST_RUNS {
        let Some(oldest) = tx.first(&RUNS, 0.., Order::Ascending)? else { break };
        tx.discard(&RESULTS, oldest.key())?;
        tx.discard(&RUNS, oldest.key())?;
    }
    tx.announce(CHANGED);
    Ok(run)
}

/// The runs, newest first; and how many there are.
///
/// # Errors
/// Those of the store.
pub fn list(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<Run>, u64)> {
    Ok((tx.values(&RUNS, 0.., Order::Descending, page.offset, page.limit)?, tx.count(&RUNS)?))
}

/// A run with its results: of `symbol` alone where one is asked for.
///
/// # Errors
/// `NOT_FOUND`, also where the run knows no such stock.
pub fn find(tx: &impl ReadTransaction, id: u64, symbol: Option<&str>) -> Result<RunWithResults> {
    let run = tx.get(&RUNS, id)?.ok_or_else(|| Error::not_found("run"))?;
    let results = tx.get(&RESULTS, id)?.unwrap_or_default();
    let found = run.with(&results, symbol);
    if symbol.is_some() && found.results.is_empty() { Err(Error::not_found("stock")) } else { Ok(found) }
}

/// Removes a run.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: u64) -> Result<()> {
    tx.remove(&RUNS, id)?.ok_or_else(|| Error::not_found("run"))?;
    tx.discard(&RESULTS, id)?;
    tx.announce(CHANGED);
    Ok(())
}
