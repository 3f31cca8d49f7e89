//! What was recommended: single sets, combined ones, and the runs of the simulation.

use std::collections::HashMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::model::{HistoryEntry, Pick, PickResult, Simulation};
use super::draws::known;
use super::{draws, found};
use hanok_base::{Error, Page, Result};
use hanok_calc::lottery::combined::CombinedRecommendation;
use hanok_calc::lottery::recommend::Recommendation;
use hanok_calc::lottery::review::PickSource;
use hanok_calc::lottery::scoring::put_right;
use hanok_calc::lottery::{Draw, Numbers};
use hanok_platform::events::Change;
use hanok_platform::store::{CountedRows, Index, IndexedTable, Order, ReadTransaction, Table, WriteTx};

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
pub fn history(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<HistoryEntry>, u64)> {
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
pub fn combined_history(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<CombinedRecommendation>, u64)> {
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
pub fn best(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<Pick>, u64)> {
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

/// Whether any recommendation or best pick is kept.
pub fn are_any_kept(tx: &impl ReadTransaction) -> Result<bool> {
    Ok(tx.count(&HISTORY)? + tx.count(&COMBINED)? + tx.count(&BEST)? > 0)
}

/// Puts right what earlier programs told of sets that many people play, each by the draws that were known.
pub fn put_all_right(tx: &WriteTx) -> Result<()> {
    let draws = draws::all(tx)?;
    for entry in tx.entries(&HISTORY, 0.., Order::Ascending) {
        let before: HistoryEntry = entry?.value()?;
        let mut after = before.clone();
        put_right(&after.numbers, known(&draws, after.based_on_draw), &mut after.co_winners, &mut after.reasons);
        if after != before {
            HISTORY.put(tx, &after)?;
        }
    }
    for entry in tx.entries(&COMBINED, 0.., Order::Ascending) {
        let before: CombinedRecommendation = entry?.value()?;
        let after = before.clone().put_right(known(&draws, before.based_on_draw));
        if after != before {
            COMBINED.put(tx, &after)?;
        }
    }
    for entry in tx.entries(&BEST, (0, 0).., Order::Ascending) {
        let before: Pick = entry?.value()?;
        let mut after = before.clone();
        put_right(&after.numbers, known(&draws, after.based_on_draw), &mut after.co_winners, &mut after.reasons);
        if after != before {
            BEST.put(tx, &after)?;
        }
    }
    tx.announce(CHANGED);
    Ok(())
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
pub fn given_for(tx: &impl ReadTransaction, draw_no: u32) -> Result<Vec<(Numbers, PickSource)>> {
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
    use chrono::{DateTime, Utc};

    use super::super::super::model::DrawSource;
    use super::super::{DERIVATIONS, reports};
    use super::*;
    use hanok_base::Clock;
    use hanok_calc::lottery::briefing::{Tier, briefing};
    use hanok_calc::lottery::combined::combined;
    use hanok_calc::lottery::import::built_in;
    use hanok_calc::lottery::methods::Method;
    use hanok_calc::lottery::report::report;
    use hanok_calc::lottery::{CoWinners, History, Metrics, Parameters, Ratio, Reason};
    use hanok_platform::events::Events;
    use hanok_platform::store::{Declared, Schema, Store};

    const ROWS: IndexedTable<u64, u64> = IndexedTable::new("rows_of_a_test-1", |row| *row, &[]);

    #[tokio::test]
    async fn the_newest_stay_and_the_oldest_go_a_few_at_a_time() {
        let sunday = "2026-10-11T03:00:00Z".parse().unwrap();
        let store = Store::memory(Clock::fixed(sunday), Events::default()).unwrap();
        let put_30 = |tx: &WriteTx| (1..=30u64).try_for_each(|row| ROWS.put(tx, &row));
        store.write(put_30).await.unwrap();
        for left in [20, 10, 5, 5] {
            store.write(|tx| end_oldest(tx, &ROWS, 5)).await.unwrap();
            let rows = store.read(|tx| tx.values(&ROWS, 0.., Order::Ascending, 0, usize::MAX)).await.unwrap();
            assert_eq!(rows, (31 - left..=30).collect::<Vec<_>>());
        }
    }

    const PROMISED: Option<Ratio> = Some(Ratio { ratio: 0.892, low: 0.85, high: 0.93, single_set: None });

    /// A recommendation for draw 1246 as earlier programs told of it.
    fn entry(id: u64, numbers: Numbers, created_at: DateTime<Utc>) -> HistoryEntry {
        HistoryEntry {
            id,
            numbers,
            score: 1.0,
            seed: 1,
            based_on_draw: 1_245,
            for_draw: 1_246,
            method: Method::Weighted,
            created_at,
            parameters: Parameters::default(),
            metrics: Metrics::of(&numbers),
            co_winners: PROMISED,
            reasons: vec![Reason::new("long_gap", "", ""), Reason::new("fewer_co_winners", "", "")],
            result: None,
        }
    }

    #[tokio::test]
    async fn what_earlier_programs_promised_of_a_set_that_many_people_play_gives_way_to_the_warning() {
        let sunday: DateTime<Utc> = "2026-10-11T03:00:00Z".parse().unwrap();
        let store = Store::memory(Clock::fixed(sunday), Events::default()).unwrap();
        store.write(|tx| draws::receive(tx, &built_in()[..1_245], DrawSource::BuiltIn)).await.unwrap();
        let numbers = Numbers::new([38, 40, 42, 43, 44, 45]).unwrap();
        let ordinary = entry(2, Numbers::new([2, 11, 19, 26, 38, 44]).unwrap(), sunday);
        let single = entry(1, numbers, sunday);
        let one_of_the_best = Pick {
            id: 1,
            numbers,
            score: 1.0,
            rank_in_run: 1,
            run_id: 1,
            based_on_draw: 1_245,
            for_draw: 1_246,
            created_at: sunday,
            metrics: Metrics::of(&numbers),
            co_winners: PROMISED,
            reasons: single.reasons.clone(),
        };
        let (history, co_winners) = (History::of(built_in()), CoWinners::fit(built_in()));
        let mut merged = CombinedRecommendation { id: 1, ..combined(&history, &co_winners, 1_246, 11, sunday) };
        for pick in &mut merged.methods {
            (pick.numbers, pick.co_winners) = (numbers, PROMISED);
        }
        for pick in &mut merged.merged {
            (pick.numbers, pick.co_winners, pick.reasons) = (numbers, PROMISED, single.reasons.clone());
        }
        let mut weekly = report(&history, &co_winners, 1_246, 1, sunday);
        for set in &mut weekly.recommended_sets {
            (set.numbers, set.co_winners) = (numbers, PROMISED);
        }
        let mut curated = briefing(&history, &co_winners, 1_246, 1, sunday);
        for pick in curated.tiers.iter_mut().flat_map(|tier| &mut tier.picks) {
            (pick.numbers, pick.co_winners) = (numbers, PROMISED);
            pick.reason_en = "A first prize would be shared with about 11% fewer people than average".to_owned();
        }
        let as_given = ordinary.clone();
        let put = move |tx: &WriteTx| {
            HISTORY.put(tx, &single)?;
            HISTORY.put(tx, &ordinary)?;
            COMBINED.put(tx, &merged)?;
            BEST.put(tx, &one_of_the_best)?;
            reports::REPORTS.put(tx, &weekly)?;
            reports::BRIEFINGS.put(tx, &curated)
        };
        store.write(put).await.unwrap();

        let schema = Schema::default().deriving(DERIVATIONS);
        let step = schema.steps().iter().find(|step| step.name.contains("many people play")).copied().unwrap();
        assert!(store.read_now(|tx| step.is_needed(tx)).unwrap());
        store.write(move |tx| step.apply(tx)).await.unwrap();

        let singles = store.read_now(|tx| tx.values(&HISTORY, 0.., Order::Ascending, 0, 9)).unwrap();
        let (merged, best) = store.read_now(|tx| Ok((tx.get(&COMBINED, 1u64)?, best(tx, PAGE)?.0))).unwrap();
        let (report, briefing) =
            store.read_now(|tx| Ok((reports::find_report(tx, 1_246)?, reports::find_briefing(tx, 1_246)?))).unwrap();
        let (merged, report, briefing) = (merged.unwrap(), report.unwrap(), briefing.unwrap());
        let codes = |reasons: &[Reason]| reasons.iter().map(|reason| reason.code.clone()).collect::<Vec<_>>();
        for reasons in [&singles[0].reasons, &best[0].reasons, &merged.merged[0].reasons] {
            assert_eq!(codes(reasons), ["run", "long_gap"]);
        }
        let of_method = merged.methods.iter().find(|pick| pick.method == Method::CoWinners).unwrap();
        assert_eq!(of_method.reason.code, "run");
        let warning = &of_method.reason.text_en;
        let of_method = report.recommended_sets.iter().find(|set| set.strategy == Method::CoWinners).unwrap();
        assert_eq!(&of_method.description_en, warning);
        assert!(briefing.picks_through(Tier::Full).all(|pick| pick.reason_en.starts_with(warning.as_str())));
        let told = serde_json::to_string(&(&singles[0], &merged, &best, &report, &briefing)).unwrap();
        for promise in [r#""ratio":0.892"#, "fewer_co_winners", "would be shared", "fewest expected"] {
            assert!(!told.contains(promise), "{promise}: {told}");
        }
        assert_eq!(singles[1], as_given, "what is told of others stays");
        assert_eq!(store.read_now(|tx| HISTORY.flaws(tx)).unwrap().all(), [""; 0]);
    }

    const PAGE: Page = Page { limit: 10, offset: 0 };
}
