//! The draws, what is known about them as a whole, and what was kept aside.

use super::super::model::{
    Conflict, Contradiction, DrawSource, DrawsState, LatestDraw, StoredDraw, merge, newest_drawn, next_draw,
};
use hanok_base::{Error, Page, Result, day};
use hanok_calc::lottery::Draw;
use hanok_platform::events::Change;
use hanok_platform::store::{Order, Reads, Table, WriteTx};

/// The stored draws have changed, or what was kept aside of them.
pub const CHANGED: Change = Change::new("draws");
/// Table: draws. Key: number of the draw. Value: the draw and where it came from.
pub(super) const DRAWS: Table<u64, StoredDraw> = Table::new("lottery_draws-1");
/// Table: what is known about the draws as a whole. Key: `state`. Value: revision, last contact.
pub(super) const STATE: Table<&'static str, DrawsState> = Table::new("lottery_draws_state-1");
/// Table: what contradicts stored draws. Key: number of the draw in six digits, source and field. Value: both values.
pub(super) const CONFLICTS: Table<&'static str, Conflict> = Table::new("lottery_conflicts-1");

const THE_STATE: &str = "state";
/// How many conflicts are shown.
const CONFLICTS_SHOWN: usize = 50;

/// What became of draws that were received.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Receipt {
    /// Draws that are new.
    pub added: Vec<u32>,
    /// Draws of which more is known now.
    pub completed: Vec<u32>,
    /// Draws that said nothing new.
    pub unchanged: u64,
    /// Draws that were kept aside.
    pub conflicts: u64,
}

impl Receipt {
    /// The draws that are new or more complete, ascending.
    pub fn changed(&self) -> Vec<u32> {
        let mut changed: Vec<u32> = self.added.iter().chain(&self.completed).copied().collect();
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
        conflicts: tx.values(&CONFLICTS, "".., Order::Descending, 0, CONFLICTS_SHOWN)?,
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
    let stored = tx.values(&DRAWS, 0.., Order::Ascending, 0, usize::MAX)?;
    Ok(stored.into_iter().map(|stored| stored.draw).collect())
}

/// What is known about the draws as a whole.
pub fn state(tx: &impl Reads) -> Result<DrawsState> {
    Ok(tx.get(&STATE, THE_STATE)?.unwrap_or_default())
}

/// Takes draws from `source`: adds what is new, completes what was not published before, keeps aside what
/// contradicts. The revision changes when any draw did.
pub fn receive(tx: &WriteTx, received: &[Draw], source: DrawSource) -> Result<Receipt> {
    let mut receipt = Receipt::default();
    for draw in received {
        let Some(stored) = tx.get(&DRAWS, u64::from(draw.draw_no))? else {
            tx.put(&DRAWS, u64::from(draw.draw_no), &StoredDraw { draw: draw.clone(), source })?;
            receipt.added.push(draw.draw_no);
            continue;
        };
        let merged = merge(&stored.draw, draw);
        receipt.conflicts += u64::from(!merged.contradictions.is_empty());
        keep_aside(tx, draw.draw_no, source, merged.contradictions)?;
        if merged.completed {
            receipt.completed.push(draw.draw_no);
            tx.put(&DRAWS, u64::from(draw.draw_no), &StoredDraw { draw: merged.draw, ..stored })?;
        } else {
            receipt.unchanged += 1;
        }
    }
    if !receipt.added.is_empty() || !receipt.completed.is_empty() {
        let revision = getrandom::u64().map_err(Error::internal)?;
        tx.put(&STATE, THE_STATE, &DrawsState { revision, ..state(tx)? })?;
        tx.announce(CHANGED);
    }
    Ok(receipt)
}

/// Notes what `source` says against draw `draw_no` now; what it does not say any more is forgotten.
pub fn keep_aside(tx: &WriteTx, draw_no: u32, source: DrawSource, contradictions: Vec<Contradiction>) -> Result<()> {
    let said_before = said_before(tx, draw_no, source)?;
    let key = |field: &str| format!("{draw_no:06}/{}/{field}", source.name());
    let gone = said_before.iter().filter(|before| !contradictions.iter().any(|now| now.field == before.field));
    for before in gone {
        tx.remove(&CONFLICTS, key(&before.field).as_str())?;
        tx.announce(CHANGED);
    }
    for Contradiction { field, stored, received } in contradictions {
        let known = said_before.iter().any(|before| before.field == field && before.received == received);
        let key = key(&field);
        let conflict = Conflict { draw_no, field, stored, received, source, seen_at: tx.now() };
        tx.put(&CONFLICTS, key.as_str(), &conflict)?;
        if !known {
            tx.announce(CHANGED);
        }
    }
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

fn said_before(tx: &WriteTx, draw_no: u32, source: DrawSource) -> Result<Vec<Conflict>> {
    let (from, to) = (format!("{draw_no:06}/{}/", source.name()), format!("{draw_no:06}/{}0", source.name()));
    tx.values(&CONFLICTS, from.as_str()..to.as_str(), Order::Ascending, 0, usize::MAX)
}
