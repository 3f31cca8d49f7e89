//! What contradicts stored draws, and what the household and the rule made of it.

use super::super::model::{
    Conflict, Contradiction, CorrectedBy, Correction, Decision, DrawSource, KeptAside, StoredDraw, Undecided,
    in_place_of, merge,
};
use super::stored_draws::{self, CHANGED};
use hanok_base::{Error, Result};
use hanok_calc::lottery::Draw;
use hanok_platform::store::{Order, Reads, Table, WriteTx};

/// Table: what contradicts stored draws. Key: number of the draw in six digits, source and field. Value: both values.
pub(super) const CONFLICTS: Table<&'static str, Conflict> = Table::new("lottery_conflicts-1");
/// Table: the received draws behind them. Key: number of the draw in six digits and source. Value: the draw.
pub(super) const KEPT_ASIDE: Table<&'static str, KeptAside> = Table::new("lottery_kept_aside-1");
/// Table: stored draws that gave way. Key: id. Value: both draws and who decided.
pub(super) const CORRECTIONS: Table<u64, Correction> = Table::new("lottery_corrections-1");

/// How many conflicts are shown.
const CONFLICTS_SHOWN: usize = 50;
/// How many corrections are shown.
const CORRECTIONS_SHOWN: usize = 10;

/// What contradicts stored draws, newest draws first.
pub fn conflicts(tx: &impl Reads) -> Result<Vec<Conflict>> {
    tx.values(&CONFLICTS, "".., Order::Descending, 0, CONFLICTS_SHOWN)
}

/// Stored draws that gave way to others, newest first.
pub fn newest(tx: &impl Reads) -> Result<Vec<Correction>> {
    tx.values(&CORRECTIONS, 0.., Order::Descending, 0, CORRECTIONS_SHOWN)
}

/// What is to be decided about `conflicts`: number of the draw and who sent it, each once however many fields contradict.
pub fn decisions(conflicts: &[Conflict]) -> Vec<(u32, DrawSource)> {
    let mut decisions: Vec<_> = conflicts.iter().map(|conflict| (conflict.draw_no, conflict.source)).collect();
    decisions.dedup();
    decisions
}

/// The received draws behind `conflicts` that can be accepted, in their order.
pub fn undecided(tx: &impl Reads, conflicts: &[Conflict]) -> Result<Vec<Undecided>> {
    let mut undecided = Vec::new();
    for (draw_no, source) in decisions(conflicts) {
        let kept = tx.get(&KEPT_ASIDE, place(draw_no, source).as_str())?;
        if let (Some(kept), Some(StoredDraw { draw: stored, .. })) = (kept, stored_draws::find_stored(tx, draw_no)?) {
            let accepted = in_place_of(&stored, &kept.draw);
            undecided.push(Undecided { draw_no, source, stored, accepted });
        }
    }
    Ok(undecided)
}

/// Who has sent what is kept aside against draw `draw_no`.
pub fn sources(tx: &impl Reads, draw_no: u32) -> Result<Vec<DrawSource>> {
    let mut sources = Vec::new();
    for source in DrawSource::ALL {
        if !said_before(tx, draw_no, source)?.is_empty() {
            sources.push(source);
        }
    }
    Ok(sources)
}

/// Decides about the draw that `decision.source` sent against draw `draw_no`. Gives whether the stored draw has changed;
/// what depends on it is the caller's to follow up.
///
/// # Errors
/// `NOT_FOUND` when nothing of that source is kept aside; `CONFLICT` when it cannot be taken, because it was not kept
/// whole.
pub fn decide(tx: &WriteTx, draw_no: u32, decision: Decision) -> Result<bool> {
    let Decision { source, accept } = decision;
    if said_before(tx, draw_no, source)?.is_empty() {
        return Err(Error::not_found("draw kept aside"));
    }
    let kept = tx.get(&KEPT_ASIDE, place(draw_no, source).as_str())?;
    let stored = stored_draws::find_stored(tx, draw_no)?;
    match (kept, stored) {
        (Some(kept), Some(stored)) if accept => {
            replace(tx, &stored, &kept.draw, source, CorrectedBy::Household)?;
            forget_all(tx, draw_no)?;
            refuse_from_others(tx, &stored.draw, source)?;
            stored_draws::note_revision(tx)?;
        }
        _ if accept => return Err(Error::conflict("this draw was not kept whole; fetch or import it again")),
        (kept, stored) => {
            if let Some(kept) = kept {
                tx.put(&KEPT_ASIDE, place(draw_no, source).as_str(), &KeptAside { refused: true, ..kept })?;
            }
            if let Some(stored) = stored {
                stored_draws::put(tx, &StoredDraw { confirmed: true, ..stored })?;
            }
            forget(tx, said_before(tx, draw_no, source)?)?;
        }
    }
    Ok(accept)
}

/// Takes the newest correction of draw `draw_no` back: what was stored before is stored again, as the household's
/// decision, and what had taken its place is kept aside. What depends on it is the caller's to follow up.
///
/// # Errors
/// `NOT_FOUND` when no correction of this draw is noted.
pub fn take_back(tx: &WriteTx, draw_no: u32) -> Result<()> {
    for entry in tx.entries(&CORRECTIONS, 0.., Order::Descending) {
        let entry = entry?;
        let correction = entry.value()?;
        if correction.draw_no != draw_no {
            continue;
        }
        let Correction { before, before_source, after, source, .. } = correction;
        forget_all(tx, draw_no)?;
        tx.remove(&CORRECTIONS, entry.key())?;
        // Who said what was noted without it nobody knows any more: it is as if it were brought by hand.
        let before_source = before_source.unwrap_or(DrawSource::Import);
        let contradictions = merge(&before, &after).contradictions;
        stored_draws::put(tx, &StoredDraw { draw: before, source: before_source, confirmed: true })?;
        keep_aside(tx, &after, source, contradictions)?;
        return stored_draws::note_revision(tx);
    }
    Err(Error::not_found("correction of this draw"))
}

/// Puts the operator's draw in the place of one that was brought by hand, with a note.
pub(super) fn give_way_to_operator(tx: &WriteTx, stored: &StoredDraw, received: &Draw) -> Result<()> {
    forget_all(tx, received.draw_no)?;
    replace(tx, stored, received, DrawSource::Operator, CorrectedBy::Rule)
}

/// Notes what `source` says with `received` against the stored draw; what it does not say any more is forgotten, and
/// what the household has refused says nothing. Gives whether anything is kept aside.
pub(super) fn keep_aside(
    tx: &WriteTx,
    received: &Draw,
    source: DrawSource,
    contradictions: Vec<Contradiction>,
) -> Result<bool> {
    let place = place(received.draw_no, source);
    let before = tx.get(&KEPT_ASIDE, place.as_str())?;
    if contradictions.is_empty() {
        if before.is_some() {
            tx.remove(&KEPT_ASIDE, place.as_str())?;
        }
    } else if before.as_ref().is_some_and(|kept| kept.refused && kept.draw == *received) {
        return Ok(false);
    } else if before.is_none_or(|kept| kept.draw != *received) {
        tx.put(&KEPT_ASIDE, place.as_str(), &KeptAside { draw: received.clone(), refused: false })?;
    }
    note(tx, received.draw_no, source, contradictions, true)
}

/// Notes what cannot be a draw: `source` says of draw `draw_no` what contradicts the calendar.
pub fn note_impossible(tx: &WriteTx, draw_no: u32, source: DrawSource, contradiction: Contradiction) -> Result<bool> {
    note(tx, draw_no, source, vec![contradiction], false)
}

fn note(
    tx: &WriteTx,
    draw_no: u32,
    source: DrawSource,
    contradictions: Vec<Contradiction>,
    can_be_accepted: bool,
) -> Result<bool> {
    let said_before = said_before(tx, draw_no, source)?;
    let (still, gone): (Vec<_>, Vec<_>) =
        said_before.into_iter().partition(|before| contradictions.iter().any(|now| now.field == before.field));
    forget(tx, gone)?;
    let any = !contradictions.is_empty();
    for Contradiction { field, stored, received } in contradictions {
        let known = still.iter().any(|before| before.field == field && before.received == received);
        let conflict = Conflict { draw_no, field, stored, received, source, seen_at: tx.now(), can_be_accepted };
        tx.put(&CONFLICTS, key(&conflict).as_str(), &conflict)?;
        if !known {
            tx.announce(CHANGED);
        }
    }
    Ok(any)
}

/// Puts `received` in the place of `stored`, with a note.
fn replace(tx: &WriteTx, stored: &StoredDraw, received: &Draw, source: DrawSource, by: CorrectedBy) -> Result<()> {
    let after = in_place_of(&stored.draw, received);
    let id = tx.next_id("lottery_corrections")?;
    let (before, before_source) = (stored.draw.clone(), Some(stored.source));
    let (draw_no, at) = (received.draw_no, tx.now());
    let correction = Correction { draw_no, at, before, before_source, after: after.clone(), source, by };
    tx.put(&CORRECTIONS, id, &correction)?;
    stored_draws::put(tx, &StoredDraw { draw: after, source, confirmed: by == CorrectedBy::Household })
}

/// What gave way to the draw of `source` is refused from now on, whoever else says it again: it has been decided about.
fn refuse_from_others(tx: &WriteTx, draw: &Draw, source: DrawSource) -> Result<()> {
    for other in DrawSource::ALL.into_iter().filter(|other| *other != source) {
        let place = place(draw.draw_no, other);
        tx.put(&KEPT_ASIDE, place.as_str(), &KeptAside { draw: draw.clone(), refused: true })?;
    }
    Ok(())
}

/// Forgets whatever was said against a draw, by whomever.
fn forget_all(tx: &WriteTx, draw_no: u32) -> Result<()> {
    for source in DrawSource::ALL {
        forget(tx, said_before(tx, draw_no, source)?)?;
        tx.remove(&KEPT_ASIDE, place(draw_no, source).as_str())?;
    }
    Ok(())
}

fn forget(tx: &WriteTx, conflicts: Vec<Conflict>) -> Result<()> {
    for conflict in conflicts {
        tx.remove(&CONFLICTS, key(&conflict).as_str())?;
        tx.announce(CHANGED);
    }
    Ok(())
}

fn said_before(tx: &impl Reads, draw_no: u32, source: DrawSource) -> Result<Vec<Conflict>> {
    let (from, to) = (format!("{}/", place(draw_no, source)), format!("{}0", place(draw_no, source)));
    tx.values(&CONFLICTS, from.as_str()..to.as_str(), Order::Ascending, 0, usize::MAX)
}

fn place(draw_no: u32, source: DrawSource) -> String {
    format!("{draw_no:06}/{}", source.name())
}

fn key(conflict: &Conflict) -> String {
    format!("{}/{}", place(conflict.draw_no, conflict.source), conflict.field)
}
