//! What was recommended: single sets, combined ones, and the runs of the simulation.

use std::collections::HashMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::model::{HistoryEntry, Pick, PickResult, Simulation};
use super::{draws, found};
use hanok_base::{Error, Page, Result};
use hanok_calc::lottery::combined::CombinedRecommendation;
use hanok_calc::lottery::recommend::Recommendation;
use hanok_calc::lottery::review::PickSource;
use hanok_calc::lottery::{Draw, Numbers};
use hanok_platform::events::Change;
use hanok_platform::store::{CountedRows, Index, IndexedTable, Order, Reads, Table, WriteTx};

/// Recommendations or best picks have changed.
pub const CHANGED: Change = Change::new("recommendations");
/// Table: single recommendations. Key: id. Value: the recommendation.
pub(super) const HISTORY: IndexedTable<u64, HistoryEntry> = IndexedTable::new(
    "lottery_history-1",
    |given| given.id,
    &[&HISTORY_COUNTED, &HISTORY_BY_DRAW, &found::RECOMMENDATIONS],
);
/// Table: single recommendations, counted.
const HISTORY_COUNTED: CountedRows<HistoryEntry, u64> =
    CountedRows::new("lottery_history-1", "lottery_history_counts-1", |given| given.id);
/// Table: single recommendations by draw. Key: number of the draw and id. Value: the set.
const HISTORY_BY_DRAW: Index<HistoryEntry, (u64, u64), Numbers> =
    Index::new("lottery_history_by_draw-1", |given| Some(((given.for_draw.into(), given.id), given.numbers)));
/// Table: combined recommendations. Key: id. Value: the recommendation.
pub(super) const COMBINED: IndexedTable<u64, CombinedRecommendation> =
    IndexedTable::new("lottery_combined-1", |given| given.id, &[&COMBINED_COUNTED, &COMBINED_BY_DRAW]);
/// Table: combined recommendations, counted.
const COMBINED_COUNTED: CountedRows<CombinedRecommendation, u64> =
    CountedRows::new("lottery_combined-1", "lottery_combined_counts-1", |given| given.id);
/// Table: combined recommendations by draw. Key: number of the draw and id. Value: the merged sets.
const COMBINED_BY_DRAW: Index<CombinedRecommendation, (u64, u64), Vec<Numbers>> =
    Index::new("lottery_combined_by_draw-1", |given| {
        let sets = given.merged.iter().map(|pick| pick.numbers).collect();
        Some(((given.for_draw.into(), given.id), sets))
    });
/// Table: runs of the simulation. Key: id. Value: the run without its best picks.
pub(super) const RUNS: Table<u64, Simulation> = Table::new("lottery_runs-1");
/// Table: best picks. Key: run and place in it. Value: the pick.
pub(super) const BEST: IndexedTable<(u64, u64), Pick> =
    IndexedTable::new("lottery_best-1", |pick| (pick.run_id, pick.rank_in_run.into()), &[&BEST_BY_DRAW]);
/// Table: best picks by draw. Key: number of the draw and id of the pick. Value: the set.
const BEST_BY_DRAW: Index<Pick, (u64, u64), Numbers> =
    Index::new("lottery_best_by_draw-1", |pick| Some(((pick.for_draw.into(), pick.id), pick.numbers)));

/// How many recommendations of a kind are kept: whoever asks for one writes a row.
pub const MOST_KEPT: u64 = 10_000;
/// How many of the oldest go with a new one: an earlier version kept all of them.
const GO_AT_ONCE: u64 = 10;

/// Keeps a recommendation and gives it its id.
pub fn add(tx: &WriteTx, given: Recommendation) -> Result<Recommendation> {
    let id = tx.next_id("lottery_history")?;
    let given = Recommendation { history_id: id, ..given };
    HISTORY.put(tx, &HistoryEntry::of(&given, tx.now()))?;
    end_oldest(tx, &HISTORY, MOST_KEPT)?;
    tx.announce(CHANGED);
    Ok(given)
}

/// Recommendations that were given, newest first, with how they fared; and how many there are.
pub fn history(tx: &impl Reads, page: Page) -> Result<(Vec<HistoryEntry>, u64)> {
    let mut entries = HISTORY_COUNTED.page(tx, 0..=u64::MAX, Order::Descending, page)?;
    let mut known: HashMap<u32, Option<Draw>> = HashMap::new();
    for entry in &mut entries {
        let draw = match known.get(&entry.for_draw) {
            Some(draw) => draw,
            None => known.entry(entry.for_draw).or_insert(draws::find(tx, entry.for_draw)?),
        };
        entry.result = draw.as_ref().map(|draw| PickResult::of(&entry.numbers, draw));
    }
    Ok((entries, tx.count(&HISTORY)?))
}

/// Removes a recommendation from the history.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: u64) -> Result<()> {
    HISTORY.remove(tx, id)?.ok_or_else(|| Error::not_found("recommendation"))?;
    tx.announce(CHANGED);
    Ok(())
}

/// Keeps a combined recommendation and gives it its id.
pub fn add_combined(tx: &WriteTx, given: CombinedRecommendation) -> Result<CombinedRecommendation> {
    let id = tx.next_id("lottery_combined")?;
    let given = CombinedRecommendation { id, ..given };
    COMBINED.put(tx, &given)?;
    end_oldest(tx, &COMBINED, MOST_KEPT)?;
    tx.announce(CHANGED);
    Ok(given)
}

/// Combined recommendations that were given, newest first, and how many there are.
pub fn combined_history(tx: &impl Reads, page: Page) -> Result<(Vec<CombinedRecommendation>, u64)> {
    Ok((COMBINED_COUNTED.page(tx, 0..=u64::MAX, Order::Descending, page)?, tx.count(&COMBINED)?))
}

/// Keeps a run of the simulation with its best picks and gives all of them their ids.
pub fn add_run(tx: &WriteTx, run: Simulation) -> Result<Simulation> {
    let run_id = tx.next_id("lottery_runs")?;
    let mut run = Simulation { run_id, ..run };
    for pick in &mut run.best {
        pick.id = tx.next_id("lottery_picks")?;
        pick.run_id = run_id;
        BEST.put(tx, pick)?;
    }
    tx.put(&RUNS, run_id, &Simulation { best: Vec::new(), ..run.clone() })?;
    tx.announce(CHANGED);
    Ok(run)
}

/// The best picks of the newest run, best first, and how many there are; a run that was made while the clock ran ahead is
/// passed over.
pub fn best(tx: &impl Reads, page: Page) -> Result<(Vec<Pick>, u64)> {
    let coming = draws::coming(tx)?;
    let mut end = (u64::MAX, u64::MAX);
    let (run_id, total) = loop {
        let Some(newest) = tx.first(&BEST, (0, 0)..end, Order::Descending)? else { return Ok((Vec::new(), 0)) };
        // The place of the last pick of a run is how many it has.
        let (run_id, total) = newest.key();
        if newest.value()?.for_draw <= coming {
            break (run_id, total);
        }
        end = (run_id, 0);
    };
    let run = (run_id, 0)..=(run_id, u64::MAX);
    Ok((tx.values(&BEST, run, Order::Ascending, page.offset, page.limit)?, total))
}

/// Removes the oldest rows of `table` beyond the newest `most`, a few at a time.
fn end_oldest<V: Serialize + DeserializeOwned>(tx: &WriteTx, table: &IndexedTable<u64, V>, most: u64) -> Result<()> {
    for _ in 0..tx.count(table)?.saturating_sub(most).min(GO_AT_ONCE) {
        let Some(oldest) = tx.first(table, 0.., Order::Ascending)? else { break };
        table.remove(tx, oldest.key())?;
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use hanok_base::Clock;
    use hanok_platform::events::Events;
    use hanok_platform::store::Store;

    const ROWS: IndexedTable<u64, u64> = IndexedTable::new("rows_of_a_test-1", |row| *row, &[]);

    #[tokio::test]
    async fn the_newest_stay_and_the_oldest_go_a_few_at_a_time() {
        let sunday = "2026-10-11T03:00:00Z".parse().unwrap();
        let store = Store::memory(Clock::held(sunday), Events::default()).unwrap();
        let put_30 = |tx: &WriteTx| (1..=30u64).try_for_each(|row| ROWS.put(tx, &row));
        store.write(put_30).await.unwrap();
        for left in [20, 10, 5, 5] {
            store.write(|tx| end_oldest(tx, &ROWS, 5)).await.unwrap();
            let rows = store.read(|tx| tx.values(&ROWS, 0.., Order::Ascending, 0, usize::MAX)).await.unwrap();
            assert_eq!(rows, (31 - left..=30).collect::<Vec<_>>());
        }
    }
}
