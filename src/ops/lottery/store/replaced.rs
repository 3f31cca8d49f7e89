//! Reports and briefings that were made anew: their sets were given, so the review of their draw counts them, and they are
//! shown to whoever wrote them down or bought them.

use super::super::model::{Replaced, ReplacedSets, ReplacedText};
use hanok_base::Result;
use hanok_calc::lottery::Numbers;
use hanok_calc::lottery::review::PickSource;
use hanok_platform::store::{Order, ReadTransaction, Table, WriteTx};

/// Table: sets that went when a report or briefing was replaced. Key: number of the draw it is for, and an id that grows
/// within it. Value: the sets and where they were given.
///
/// They stay when the draw is reviewed, as long as reports do: a draw that is corrected is reviewed again. Those that an
/// earlier program replaced are not known.
pub(super) const REPLACED: Table<(u64, u64), ReplacedSets> = Table::new("lottery_replaced_sets-1");

/// Table: the replaced reports and briefings themselves. Key: as of their sets. Value: the whole of it.
pub(super) const TEXTS: Table<(u64, u64), ReplacedText> = Table::new("lottery_replaced_texts-1");

/// Of how many replaced reports and briefings for a draw the sets are kept, and the whole of it, those that were replaced last:
/// whoever has one made anew writes a row.
pub const MOST_KEPT: u64 = 50;

/// Keeps the report or briefing for draw `draw_no` that was `given` with the sets `before`, unless the one in its place has
/// all of them.
pub(super) fn keep(
    tx: &WriteTx,
    draw_no: u32,
    given: &ReplacedText,
    before: &[Numbers],
    now: &[Numbers],
) -> Result<()> {
    let sets: Vec<Numbers> = before.iter().filter(|set| !now.contains(set)).copied().collect();
    if sets.is_empty() {
        return Ok(());
    }
    let draw_no = u64::from(draw_no);
    let newest = tx.first(&REPLACED, (draw_no, 0)..=(draw_no, u64::MAX), Order::Descending)?;
    let id = newest.map_or(1, |newest| newest.key().1 + 1);
    let row = ReplacedSets { from: given.source(), sets, made_at: Some(given.made_at()) };
    tx.put(&REPLACED, (draw_no, id), &row)?;
    tx.put(&TEXTS, (draw_no, id), given)?;
    // Ids grow by one, so that this is the oldest when there is one too many.
    let oldest = (draw_no, id.saturating_sub(MOST_KEPT));
    tx.remove(&TEXTS, oldest)?;
    tx.remove(&REPLACED, oldest).map(drop)
}

/// The reports, or the briefings, for draw `draw_no` that were replaced, the last one first.
pub(super) fn list(tx: &impl ReadTransaction, draw_no: u32, of: PickSource) -> Result<Vec<Replaced>> {
    let draw_no = u64::from(draw_no);
    let mut found = Vec::new();
    for entry in tx.entries(&REPLACED, (draw_no, 0)..=(draw_no, u64::MAX), Order::Descending) {
        let entry = entry?;
        let ReplacedSets { from, made_at, .. } = entry.value()?;
        found.extend(made_at.filter(|_| from == of).map(|made_at| Replaced { id: entry.key().1, made_at }));
    }
    Ok(found)
}

/// The report or briefing for draw `draw_no` that was replaced under this id.
pub(super) fn find(tx: &impl ReadTransaction, draw_no: u64, id: u64) -> Result<Option<ReplacedText>> {
    tx.get(&TEXTS, (draw_no, id))
}

/// The sets for draw `draw_no` that were replaced, with where they were given.
pub(super) fn of_draw(tx: &impl ReadTransaction, draw_no: u32) -> Result<Vec<(Numbers, PickSource)>> {
    let draw_no = u64::from(draw_no);
    let all = tx.values(&REPLACED, (draw_no, 0)..=(draw_no, u64::MAX), Order::Ascending, 0, usize::MAX)?;
    Ok(all
        .into_iter()
        .flat_map(|ReplacedSets { from, sets, .. }| sets.into_iter().map(move |set| (set, from)))
        .collect())
}
