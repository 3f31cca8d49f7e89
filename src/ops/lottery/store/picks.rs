//! What was recommended: single sets, combined ones, and the runs of the simulation.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::super::model::{HistoryEntry, Pick, PickResult, Simulation};
use super::draws;
use hanok_base::{Error, Page, Result};
use hanok_calc::lottery::combined::CombinedRecommendation;
use hanok_calc::lottery::recommend::Recommendation;
use hanok_calc::lottery::review::PickSource;
use hanok_calc::lottery::{Draw, Numbers};
use hanok_platform::events::Change;
use hanok_platform::store::{Order, Ranked, Reads, Table, WriteTx};

/// Table: single recommendations. Key: id. Value: the recommendation. Counted, so that every page is found at once.
const HISTORY: Ranked<u64, HistoryEntry> =
    Ranked::new(Table::new("lottery_history-1"), Table::new("lottery_history_counts-1"));
/// Table: single recommendations by draw. Key: number of the draw and id. Value: the set.
const HISTORY_BY_DRAW: Table<(u64, u64), Numbers> = Table::new("lottery_history_by_draw-1");
/// Table: combined recommendations. Key: id. Value: the recommendation. Counted as well.
const COMBINED: Ranked<u64, CombinedRecommendation> =
    Ranked::new(Table::new("lottery_combined-1"), Table::new("lottery_combined_counts-1"));
/// Table: combined recommendations by draw. Key: number of the draw and id. Value: the merged sets.
const COMBINED_BY_DRAW: Table<(u64, u64), Vec<Numbers>> = Table::new("lottery_combined_by_draw-1");
/// Table: runs of the simulation. Key: id. Value: the run without its best picks.
const RUNS: Table<u64, Simulation> = Table::new("lottery_runs-1");
/// Table: best picks. Key: run and place in it. Value: the pick.
const BEST: Table<(u64, u64), Pick> = Table::new("lottery_best-1");
/// Table: best picks by draw. Key: number of the draw and id of the pick. Value: the set.
const BEST_BY_DRAW: Table<(u64, u64), Numbers> = Table::new("lottery_best_by_draw-1");

/// Counts the recommendations of a store that was written before that was done.
pub fn prepare(tx: &WriteTx) -> Result<()> {
    HISTORY.prepare(tx)?;
    COMBINED.prepare(tx).map(drop)
}

/// Keeps a recommendation and gives it its id.
pub fn add(tx: &WriteTx, given: Recommendation) -> Result<Recommendation> {
    let id = tx.next_id("lottery_history")?;
    let given = Recommendation { history_id: id, ..given };
    HISTORY.add(tx, id, &HistoryEntry::of(&given, tx.now()))?;
    tx.put(&HISTORY_BY_DRAW, (u64::from(given.for_draw), id), &given.numbers)?;
    tx.announce(Change::Recommendations);
    Ok(given)
}

/// Recommendations that were given, newest first, with how they fared; and how many there are.
pub fn history(tx: &impl Reads, page: Page) -> Result<(Vec<HistoryEntry>, u64)> {
    let found = HISTORY.page(tx, 0..=u64::MAX, Order::Descending, page)?;
    let mut entries: Vec<HistoryEntry> = found.into_iter().map(|(_, entry)| entry).collect();
    let mut known: HashMap<u32, Option<Draw>> = HashMap::new();
    for entry in &mut entries {
        let draw = match known.get(&entry.for_draw) {
            Some(draw) => draw,
            None => known.entry(entry.for_draw).or_insert(draws::find(tx, entry.for_draw)?),
        };
        entry.result = draw.as_ref().map(|draw| PickResult::of(&entry.numbers, draw));
    }
    Ok((entries, tx.count(HISTORY.rows())?))
}

/// Removes a recommendation from the history.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: u64) -> Result<()> {
    let entry = HISTORY.remove(tx, id)?.ok_or_else(|| Error::not_found("recommendation"))?;
    tx.remove(&HISTORY_BY_DRAW, (u64::from(entry.for_draw), id))?;
    tx.announce(Change::Recommendations);
    Ok(())
}

/// Keeps a combined recommendation and gives it its id.
pub fn add_combined(tx: &WriteTx, given: CombinedRecommendation) -> Result<CombinedRecommendation> {
    let id = tx.next_id("lottery_combined")?;
    let given = CombinedRecommendation { id, ..given };
    let sets: Vec<Numbers> = given.merged.iter().map(|pick| pick.numbers).collect();
    COMBINED.add(tx, id, &given)?;
    tx.put(&COMBINED_BY_DRAW, (u64::from(given.for_draw), id), &sets)?;
    tx.announce(Change::Recommendations);
    Ok(given)
}

/// Combined recommendations that were given, newest first, and how many there are.
pub fn combined_history(tx: &impl Reads, page: Page) -> Result<(Vec<CombinedRecommendation>, u64)> {
    let found = COMBINED.page(tx, 0..=u64::MAX, Order::Descending, page)?;
    Ok((found.into_iter().map(|(_, given)| given).collect(), tx.count(COMBINED.rows())?))
}

/// Keeps a run of the simulation with its best picks and gives all of them their ids.
pub fn add_run(tx: &WriteTx, run: Simulation) -> Result<Simulation> {
    let run_id = tx.next_id("lottery_runs")?;
    let mut run = Simulation { run_id, ..run };
    for pick in &mut run.best {
        pick.id = tx.next_id("lottery_picks")?;
        pick.run_id = run_id;
        tx.put(&BEST, (run_id, u64::from(pick.rank_in_run)), pick)?;
        tx.put(&BEST_BY_DRAW, (u64::from(run.for_draw), pick.id), &pick.numbers)?;
    }
    tx.put(&RUNS, run_id, &Simulation { best: Vec::new(), ..run.clone() })?;
    tx.announce(Change::Recommendations);
    Ok(run)
}

/// The best picks of the newest run, best first, and how many there are.
pub fn best(tx: &impl Reads, page: Page) -> Result<(Vec<Pick>, u64)> {
    let mut newest = None;
    tx.each(&BEST, (0, 0).., Order::Descending, |(run_id, rank_in_run), _| {
        newest = Some((run_id, rank_in_run));
        Ok(ControlFlow::Break(()))
    })?;
    // The place of the last pick of a run is how many it has.
    let Some((run_id, total)) = newest else { return Ok((Vec::new(), 0)) };
    let run = (run_id, 0)..=(run_id, u64::MAX);
    Ok((tx.values(&BEST, run, Order::Ascending, page.offset, page.limit)?, total))
}

/// Every pick that was given for `draw_no`, with where it was given.
pub fn given_for(tx: &impl Reads, draw_no: u32) -> Result<Vec<(Numbers, PickSource)>> {
    let draw = u64::from(draw_no);
    let all = || (draw, 0)..=(draw, u64::MAX);
    let combined = tx.values(&COMBINED_BY_DRAW, all(), Order::Ascending, 0, usize::MAX)?;
    let single = tx.values(&HISTORY_BY_DRAW, all(), Order::Ascending, 0, usize::MAX)?;
    let best = tx.values(&BEST_BY_DRAW, all(), Order::Ascending, 0, usize::MAX)?;
    let from = |source: PickSource| move |numbers: Numbers| (numbers, source);
    Ok(combined
        .into_iter()
        .flatten()
        .map(from(PickSource::Combined))
        .chain(single.into_iter().map(from(PickSource::Recommend)))
        .chain(best.into_iter().map(from(PickSource::Best)))
        .collect())
}
