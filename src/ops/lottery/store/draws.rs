//! The draws, what is known about them as a whole, and what was kept aside.

use super::super::model::{DrawSource, DrawsState, LatestDraw, Merged, StoredDraw, merge, newest_drawn, next_draw};
use super::corrections;
use hanok_base::{Error, Page, Result, day};
use hanok_calc::lottery::{Draw, Published};
use hanok_platform::events::Change;
use hanok_platform::store::{Order, Reads, Table, WriteTx};

/// The stored draws have changed, or what was kept aside of them.
pub const CHANGED: Change = Change::new("draws");
/// Table: draws. Key: number of the draw. Value: the draw and where it came from.
pub(super) const DRAWS: Table<u64, StoredDraw> = Table::new("lottery_draws-1");
/// Table: what is known about the draws as a whole. Key: `state`. Value: revision, last contact.
pub(super) const STATE: Table<&'static str, DrawsState> = Table::new("lottery_draws_state-1");

const THE_STATE: &str = "state";

/// What became of draws that were received.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Receipt {
    /// Draws that are new.
    pub added: Vec<u32>,
    /// Draws of which more is known now.
    pub completed: Vec<u32>,
    /// Draws that said nothing new.
    pub unchanged: u64,
    /// Draws that gave way to what was received.
    pub corrected: Vec<u32>,
    /// Draws that were kept aside.
    pub conflicts: u64,
}

impl Receipt {
    /// The draws that are new, more complete or corrected, ascending.
    pub fn changed(&self) -> Vec<u32> {
        let mut changed: Vec<u32> = self.added.iter().chain(&self.completed).chain(&self.corrected).copied().collect();
        changed.sort_unstable();
        changed
    }
}

/// The newest draw with its age.
///
/// # Errors
/// `NOT_FOUND` before any draw is stored.
pub fn latest(tx: &impl Reads) -> Result<LatestDraw> {
    let newest = newest(tx)?.ok_or_else(|| Error::not_found("draw"))?;
    let now = tx.now();
    let missing = missing(tx)?;
    Ok(LatestDraw {
        age_days: (day::of(now) - newest.draw.date).num_days(),
        next_draw: next_draw(now)?,
        missing,
        source: newest.source,
        as_of: state(tx)?.last_contact_at,
        stale: missing > 0,
        conflicts: corrections::conflicts(tx)?,
        corrections: corrections::newest(tx)?,
        draw: newest.draw,
    })
}

/// The newest stored draw.
pub fn newest(tx: &impl Reads) -> Result<Option<StoredDraw>> {
    Ok(tx.values(&DRAWS, 0.., Order::Descending, 0, 1)?.pop())
}

/// How many draws have been held but are not stored.
pub fn missing(tx: &impl Reads) -> Result<u64> {
    Ok(u64::from(newest_drawn(tx.now())).saturating_sub(tx.count(&DRAWS)?))
}

/// The draw of this number with where it came from.
pub(super) fn find_stored(tx: &impl Reads, draw_no: u32) -> Result<Option<StoredDraw>> {
    tx.get(&DRAWS, u64::from(draw_no))
}

/// The draw of this number.
pub fn find(tx: &impl Reads, draw_no: u32) -> Result<Option<Draw>> {
    Ok(tx.get(&DRAWS, u64::from(draw_no))?.map(|stored| stored.draw))
}

/// Draws, newest first, and how many there are.
pub fn list(tx: &impl Reads, page: Page) -> Result<(Vec<Draw>, u64)> {
    let stored = tx.values(&DRAWS, 0.., Order::Descending, page.offset, page.limit)?;
    Ok((stored.into_iter().map(|stored| stored.draw).collect(), tx.count(&DRAWS)?))
}

/// Every draw, ascending.
pub fn all(tx: &impl Reads) -> Result<Vec<Draw>> {
    Ok(all_stored(tx)?.into_iter().map(|stored| stored.draw).collect())
}

/// Every draw with where it came from, ascending.
pub fn all_stored(tx: &impl Reads) -> Result<Vec<StoredDraw>> {
    tx.values(&DRAWS, 0.., Order::Ascending, 0, usize::MAX)
}

/// What is known about the draws as a whole.
pub fn state(tx: &impl Reads) -> Result<DrawsState> {
    Ok(tx.get(&STATE, THE_STATE)?.unwrap_or_default())
}

/// Takes draws from `source`: adds what is new, completes what was not published before, keeps aside what
/// contradicts. A draw that was brought by hand gives way to the operator's, which is noted. The revision changes when
/// any draw did.
pub fn receive(tx: &WriteTx, received: &[Draw], source: DrawSource) -> Result<Receipt> {
    let mut receipt = Receipt::default();
    for draw in received {
        let draw_no = draw.draw_no;
        let Some(stored) = tx.get(&DRAWS, u64::from(draw_no))? else {
            put(tx, &StoredDraw::new(draw.clone(), source))?;
            receipt.added.push(draw_no);
            continue;
        };
        let Merged { draw: merged, completed, contradictions } = merge(&stored.draw, draw);
        let contradicts = !contradictions.is_empty();
        if contradicts && source == DrawSource::Operator && stored.source == DrawSource::Import {
            corrections::give_way_to_operator(tx, &stored, draw)?;
            receipt.corrected.push(draw_no);
            continue;
        }
        receipt.conflicts += u64::from(corrections::keep_aside(tx, draw, source, contradictions)?);
        let said_again = source == DrawSource::Operator && !contradicts && draw.published == Published::Complete;
        let confirmed = stored.confirmed || (said_again && stored.is_old(day::of(tx.now())));
        if completed {
            receipt.completed.push(draw_no);
        } else {
            receipt.unchanged += 1;
        }
        if completed || confirmed != stored.confirmed {
            put(tx, &StoredDraw { draw: merged, confirmed, ..stored })?;
        }
    }
    if !receipt.changed().is_empty() {
        note_revision(tx)?;
    }
    Ok(receipt)
}

/// Puts a draw in the place of the one that is stored.
pub(super) fn put(tx: &WriteTx, stored: &StoredDraw) -> Result<()> {
    tx.put(&DRAWS, u64::from(stored.draw.draw_no), stored)
}

/// Notes that draws have changed: what was worked out from them before is no longer right.
pub(super) fn note_revision(tx: &WriteTx) -> Result<()> {
    let revision = getrandom::u64().map_err(Error::internal)?;
    tx.put(&STATE, THE_STATE, &DrawsState { revision, ..state(tx)? })?;
    tx.announce(CHANGED);
    Ok(())
}

/// Notes that the operator has given a good answer.
pub fn note_contact(tx: &WriteTx) -> Result<()> {
    tx.put(&STATE, THE_STATE, &DrawsState { last_contact_at: Some(tx.now()), ..state(tx)? })
}

/// Puts in the draws that ship with the program, when this version has not done so yet. What is stored
/// stays. Gives what became of them, none when there was nothing to do.
pub fn add_built_in(tx: &WriteTx, draws: impl FnOnce() -> &'static [Draw]) -> Result<Option<Receipt>> {
    let version = env!("CARGO_PKG_VERSION");
    if state(tx)?.built_in_of == version {
        return Ok(None);
    }
    let receipt = receive(tx, draws(), DrawSource::BuiltIn)?;
    tx.put(&STATE, THE_STATE, &DrawsState { built_in_of: version.to_owned(), ..state(tx)? })?;
    Ok(Some(receipt))
}
