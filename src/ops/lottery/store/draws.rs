//! What comes in of draws, and what is shown of them.

use super::super::model::{Decisions, DrawSource, LatestDraw, Merged, StoredDraw, merge, next_draw};
use super::corrections;
pub use super::stored_draws::{
    CHANGED, all, all_stored, coming, find, known, list, missing, missing_ranges, newest, note_contact, state,
};
use super::stored_draws::{find_stored, note_revision, put};
use hanok_base::{Error, Page, Result, day};
use hanok_calc::lottery::{Draw, Published};
use hanok_platform::store::{ReadTransaction, WriteTx};

/// Of decisions and corrections so many are shown with the newest draw; the others have lists of their own.
const SHOWN_WITH_THE_NEWEST: Page = Page { limit: 10, offset: 0 };

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
    /// Draws that were kept aside, and were not before.
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
pub fn latest(tx: &impl ReadTransaction) -> Result<LatestDraw> {
    let newest = newest(tx)?.ok_or_else(|| Error::not_found("draw"))?;
    let now = tx.now();
    let missing = missing(tx)?;
    let Decisions { conflicts, undecided, total: decisions } = corrections::decisions(tx, SHOWN_WITH_THE_NEWEST)?;
    let (corrections, corrected) = corrections::corrections(tx, SHOWN_WITH_THE_NEWEST)?;
    Ok(LatestDraw {
        // Where the clock is behind, the draw was held today at the earliest.
        age_days: (day::of(now) - newest.draw.date).num_days().max(0),
        next_draw: next_draw(coming(tx)?)?,
        missing,
        missing_ranges: missing_ranges(tx, missing)?,
        source: newest.source,
        as_of: state(tx)?.last_contact_at,
        failure: None,
        stale: missing > 0,
        conflicts,
        undecided,
        decisions,
        corrections,
        corrected,
        draw: newest.draw,
    })
}

/// Takes draws from `source`: adds what is new, completes what was not published before, keeps aside what
/// contradicts. A draw that was brought by hand gives way to the operator's, which is noted, unless the household has
/// decided about it. The revision changes when any draw did.
pub fn receive(tx: &WriteTx, received: &[Draw], source: DrawSource) -> Result<Receipt> {
    let mut receipt = Receipt::default();
    for draw in received {
        let draw_no = draw.draw_no;
        let Some(stored) = find_stored(tx, draw_no)? else {
            put(tx, &StoredDraw::new(draw.clone(), source))?;
            // What the same source said of it before is answered.
            corrections::keep_aside(tx, draw, source, Vec::new())?;
            receipt.added.push(draw_no);
            continue;
        };
        let Merged { draw: merged, completed, contradictions } = merge(&stored.draw, draw);
        let contradicts = !contradictions.is_empty();
        let overwrite = stored.source == DrawSource::Import && !stored.confirmed;
        if contradicts && source == DrawSource::Operator && overwrite {
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
