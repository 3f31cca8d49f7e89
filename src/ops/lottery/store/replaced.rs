//! The sets of reports and briefings that were made anew: they were given, so the review of their draw counts them.

use super::super::model::ReplacedSets;
use hanok_base::Result;
use hanok_calc::lottery::Numbers;
use hanok_calc::lottery::review::PickSource;
use hanok_platform::store::{Order, Reads, Table, WriteTx};

/// Table: sets that went when a report or briefing was replaced. Key: number of the draw it is for, and an id that grows
/// within it. Value: the sets and where they were given.
///
/// They stay when the draw is reviewed, as long as reports do: a draw that is corrected is reviewed again. Those that an
/// earlier program replaced are not known.
pub(super) const REPLACED: Table<(u64, u64), ReplacedSets> = Table::new("lottery_replaced_sets-1");

/// Of how many replaced reports and briefings for a draw the sets are kept, those that were replaced last: whoever has one
/// made anew writes a row.
pub const MOST_KEPT: u64 = 50;

/// Keeps what a report or briefing for draw `draw_no` had `before` and the one in its place has not.
pub(super) fn keep(tx: &WriteTx, draw_no: u32, from: PickSource, before: &[Numbers], now: &[Numbers]) -> Result<()> {
    let sets: Vec<Numbers> = before.iter().filter(|set| !now.contains(set)).copied().collect();
    if sets.is_empty() {
        return Ok(());
    }
    let draw_no = u64::from(draw_no);
    let newest = tx.first(&REPLACED, (draw_no, 0)..=(draw_no, u64::MAX), Order::Descending)?;
    let id = newest.map_or(1, |newest| newest.key().1 + 1);
    tx.put(&REPLACED, (draw_no, id), &ReplacedSets { from, sets })?;
    // Ids grow by one, so that this is the oldest when there is one too many.
    tx.remove(&REPLACED, (draw_no, id.saturating_sub(MOST_KEPT))).map(drop)
}

/// The sets for draw `draw_no` that were replaced, with where they were given.
pub(super) fn of_draw(tx: &impl Reads, draw_no: u32) -> Result<Vec<(Numbers, PickSource)>> {
    let draw_no = u64::from(draw_no);
    let all = tx.values(&REPLACED, (draw_no, 0)..=(draw_no, u64::MAX), Order::Ascending, 0, usize::MAX)?;
    Ok(all.into_iter().flat_map(|ReplacedSets { from, sets }| sets.into_iter().map(move |set| (set, from))).collect())
}
