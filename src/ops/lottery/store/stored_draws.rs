//! The draws that are stored, and what is known about them as a whole.

use super::super::model::{DrawRange, DrawsState, StoredDraw, coming_draw, newest_drawn};
use hanok_base::{Error, Page, Result};
use hanok_calc::lottery::Draw;
use hanok_platform::events::Change;
use hanok_platform::store::{Order, ReadTransaction, Table, WriteTx};

/// The stored draws have changed, or what was kept aside of them.
pub const CHANGED: Change = Change::new("draws");
/// Table: draws. Key: number of the draw. Value: the draw and where it came from.
pub(super) const DRAWS: Table<u64, StoredDraw> = Table::new("lottery_draws-1");
/// Table: what is known about the draws as a whole. Key: `state`. Value: revision, last contact.
pub(super) const STATE: Table<&'static str, DrawsState> = Table::new("lottery_draws_state-1");

const THE_STATE: &str = "state";

/// The newest stored draw.
pub fn newest(tx: &impl ReadTransaction) -> Result<Option<StoredDraw>> {
    Ok(tx.values(&DRAWS, 0.., Order::Descending, 0, 1)?.pop())
}

/// The number of the coming draw: the first one that has not been held by the calendar, and that is not stored. Where the
/// clock is behind, the stored draws know better.
pub fn coming(tx: &impl ReadTransaction) -> Result<u32> {
    let newest = tx.first(&DRAWS, 0.., Order::Descending)?.map_or(0, |newest| newest.key());
    Ok(coming_draw(tx.now()).max(u32::try_from(newest + 1).unwrap_or(u32::MAX)))
}

/// So many ranges of missing draws are named.
const RANGES_NAMED: usize = 20;

/// How many draws have been held but are not stored. One that was stored while the clock ran ahead stands for no other.
pub fn missing(tx: &impl ReadTransaction) -> Result<u64> {
    let held = u64::from(newest_drawn(tx.now()));
    let mut ahead = tx.entries(&DRAWS, held + 1.., Order::Ascending);
    let ahead = ahead.try_fold(0, |count, entry| entry.map(|_| count + 1))?;
    Ok((held + ahead).saturating_sub(tx.count(&DRAWS)?))
}

/// Which draws have been held but are not stored, of which there are `missing`: ascending, the first 20 ranges. The stored
/// ones are walked only where others are missing below the newest of them.
pub fn missing_ranges(tx: &impl ReadTransaction, missing: u64) -> Result<Vec<DrawRange>> {
    let held = u64::from(newest_drawn(tx.now()));
    let newest = tx.first(&DRAWS, ..=held, Order::Descending)?.map_or(0, |newest| newest.key());
    let behind = (newest < held).then_some((newest + 1, held));
    let mut ranges = Vec::new();
    if missing > held - newest {
        let mut expected = 1;
        for stored in tx.entries(&DRAWS, 1..=newest, Order::Ascending) {
            let draw_no = stored?.key();
            if draw_no > expected {
                ranges.push((expected, draw_no - 1));
            }
            expected = draw_no + 1;
            if ranges.len() == RANGES_NAMED {
                break;
            }
        }
    }
    let number = |draw_no: u64| u32::try_from(draw_no).unwrap_or(u32::MAX);
    let range = |(from, to)| DrawRange { from: number(from), to: number(to) };
    Ok(ranges.into_iter().chain(behind).take(RANGES_NAMED).map(range).collect())
}

/// The draw of this number with where it came from.
pub fn find_stored(tx: &impl ReadTransaction, draw_no: u32) -> Result<Option<StoredDraw>> {
    tx.get(&DRAWS, u64::from(draw_no))
}

/// The draw of this number.
pub fn find(tx: &impl ReadTransaction, draw_no: u32) -> Result<Option<Draw>> {
    Ok(tx.get(&DRAWS, u64::from(draw_no))?.map(|stored| stored.draw))
}

/// Draws, newest first, and how many there are.
pub fn list(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<Draw>, u64)> {
    let stored = tx.values(&DRAWS, 0.., Order::Descending, page.offset, page.limit)?;
    Ok((stored.into_iter().map(|stored| stored.draw).collect(), tx.count(&DRAWS)?))
}

/// Every draw, ascending.
pub fn all(tx: &impl ReadTransaction) -> Result<Vec<Draw>> {
    Ok(all_stored(tx)?.into_iter().map(|stored| stored.draw).collect())
}

/// Those of `draws`, ascending, up to draw `newest`.
pub fn known(draws: &[Draw], newest: u32) -> &[Draw] {
    &draws[..draws.partition_point(|draw| draw.draw_no <= newest)]
}

/// Every draw with where it came from, ascending.
pub fn all_stored(tx: &impl ReadTransaction) -> Result<Vec<StoredDraw>> {
    tx.values(&DRAWS, 0.., Order::Ascending, 0, usize::MAX)
}

/// What is known about the draws as a whole.
pub fn state(tx: &impl ReadTransaction) -> Result<DrawsState> {
    Ok(tx.get(&STATE, THE_STATE)?.unwrap_or_default())
}

/// Puts a draw in the place of the one that is stored.
pub fn put(tx: &WriteTx, stored: &StoredDraw) -> Result<()> {
    tx.put(&DRAWS, u64::from(stored.draw.draw_no), stored)
}

/// Notes that draws have changed: what was worked out from them before is no longer right.
pub fn note_revision(tx: &WriteTx) -> Result<()> {
    let revision = getrandom::u64().map_err(Error::internal)?;
    tx.put(&STATE, THE_STATE, &DrawsState { revision, ..state(tx)? })?;
    tx.announce(CHANGED);
    Ok(())
}

/// Notes that the operator has given a good answer.
pub fn note_contact(tx: &WriteTx) -> Result<()> {
    tx.put(&STATE, THE_STATE, &DrawsState { last_contact_at: Some(tx.now()), ..state(tx)? })
}
