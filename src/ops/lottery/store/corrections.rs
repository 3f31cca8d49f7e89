//! What contradicts stored draws, and what the household and the rule made of it.

use super::super::model::{
    AsideBefore, Conflict, Contradiction, CorrectedBy, Correction, Decision, Decisions, DrawSource, KeptAside,
    StoredDraw, Undecided, in_place_of, merge, said, since,
};
use super::stored_draws::{self, CHANGED};
use hanok_base::{Error, Page, Result};
use hanok_calc::lottery::Draw;
use hanok_platform::store::{Order, ReadTransaction, Table, WriteTx};

/// Table: what contradicts stored draws. Key: number of the draw in six digits, source and field. Value: both values.
pub(super) const CONFLICTS: Table<&'static str, Conflict> = Table::new("lottery_conflicts-1");
/// Table: the received draws behind them. Key: number of the draw in six digits and source. Value: the draw.
pub(super) const KEPT_ASIDE: Table<&'static str, KeptAside> = Table::new("lottery_kept_aside-1");
/// Table: what the household has refused of what cannot be a draw. Key: number of the draw in six digits and source. Value:
/// both values.
pub(super) const REFUSED: Table<&'static str, Conflict> = Table::new("lottery_refused_rows-1");
/// Table: stored draws that gave way. Key: id. Value: both draws and who decided.
pub(super) const CORRECTIONS: Table<u64, Correction> = Table::new("lottery_corrections-1");
/// Table: what all sources had sent when a stored draw gave way. Key: id of the correction. Value: what was kept aside.
pub(super) const ASIDE_BEFORE: Table<u64, Vec<AsideBefore>> = Table::new("lottery_aside_before-1");

/// Decisions that wait for the household, newest draws first.
pub fn decisions(tx: &impl ReadTransaction, page: Page) -> Result<Decisions> {
    let (mut found, mut total) = (Decisions { conflicts: Vec::new(), undecided: Vec::new(), total: 0 }, 0);
    each_decision(tx, |place| {
        if (page.offset..page.offset.saturating_add(page.limit)).contains(&total) {
            let conflicts = said_at(tx, place)?;
            found.undecided.extend(undecided(tx, place, &conflicts)?);
            found.conflicts.extend(conflicts);
        }
        total += 1;
        Ok(())
    })?;
    Ok(Decisions { total: total as u64, ..found })
}

/// How many decisions wait.
pub fn count_decisions(tx: &impl ReadTransaction) -> Result<u64> {
    let mut total = 0;
    each_decision(tx, |_| {
        total += 1;
        Ok(())
    })?;
    Ok(total)
}

/// Calls `visit` with the place of each draw and source that contradicts it, newest draws first. The conflicts are not
/// read: a draw and a source have as many as fields contradict.
fn each_decision(tx: &impl ReadTransaction, mut visit: impl FnMut(&str) -> Result<()>) -> Result<()> {
    let mut visited = String::new();
    for entry in tx.entries(&CONFLICTS, "".., Order::Descending) {
        let entry = entry?;
        let place = entry.key().rsplit_once('/').map_or("", |(place, _)| place);
        if place != visited {
            place.clone_into(&mut visited);
            visit(place)?;
        }
    }
    Ok(())
}

/// The received draw behind `conflicts`, those at `place`, when it can be accepted.
fn undecided(tx: &impl ReadTransaction, place: &str, conflicts: &[Conflict]) -> Result<Option<Undecided>> {
    let (Some(&Conflict { draw_no, source, .. }), Some(kept)) = (conflicts.first(), kept_whole(tx, place, conflicts)?)
    else {
        return Ok(None);
    };
    let stored = stored_draws::find(tx, draw_no)?;
    Ok(stored.map(|stored| Undecided { draw_no, source, accepted: in_place_of(&stored, &kept.draw), stored }))
}

/// The received draw behind `conflicts`, those at `place`. What cannot be a draw has none: the one that is kept there was
/// sent and refused before.
fn kept_whole(tx: &impl ReadTransaction, place: &str, conflicts: &[Conflict]) -> Result<Option<KeptAside>> {
    if conflicts.iter().any(|conflict| conflict.can_be_accepted) { tx.get(&KEPT_ASIDE, place) } else { Ok(None) }
}

/// Stored draws that gave way to others, newest first, and how many there are.
pub fn corrections(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<Correction>, u64)> {
    let newest = tx.entries(&CORRECTIONS, 0.., Order::Descending).skip(page.offset).take(page.limit);
    let corrections = newest.map(|entry| entry.and_then(|entry| Ok(Correction { id: entry.key(), ..entry.value()? })));
    Ok((corrections.collect::<Result<_>>()?, tx.count(&CORRECTIONS)?))
}

/// Who has sent what is kept aside against draw `draw_no`.
pub fn sources(tx: &impl ReadTransaction, draw_no: u32) -> Result<Vec<DrawSource>> {
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
    let place = place(draw_no, source);
    let conflicts = said_at(tx, &place)?;
    if conflicts.is_empty() {
        return Err(Error::not_found("draw kept aside"));
    }
    let kept = kept_whole(tx, &place, &conflicts)?;
    let stored = stored_draws::find_stored(tx, draw_no)?;
    match (kept, stored) {
        (Some(kept), Some(stored)) if accept => {
            replace(tx, &stored, &kept.draw, source, CorrectedBy::Household)?;
            forget_all(tx, draw_no)?;
            refuse_from_others(tx, &stored.draw, source)?;
            stored_draws::note_revision(tx)?;
        }
        _ if accept => return Err(Error::conflict(said::NOT_KEPT_WHOLE)),
        (kept, stored) => {
            if let Some(kept) = kept {
                tx.put(&KEPT_ASIDE, place.as_str(), &KeptAside { refused: true, ..kept })?;
            } else if let Some(impossible) = conflicts.first() {
                tx.put(&REFUSED, place.as_str(), impossible)?;
            }
            if let Some(stored) = stored {
                stored_draws::put(tx, &StoredDraw { confirmed: true, ..stored })?;
            }
            forget(tx, conflicts)?;
        }
    }
    Ok(accept)
}

/// Takes the newest correction of draw `draw_no` back, which must be `correction` when one is named: what was stored before
/// is stored again, as the household's decision, with what has completed the draw since as far as it can be true of both.
/// What was stored until now is kept aside as it is; so is what the other sources had sent by the correction, as far as they
/// have sent nothing since, and what was refused stays refused. What depends on it is the caller's to follow up.
///
/// # Errors
/// `NOT_FOUND` when no correction of this draw is noted; `CONFLICT` when its newest one is not the one that is named.
pub fn take_back(tx: &WriteTx, draw_no: u32, correction: Option<u64>) -> Result<()> {
    for entry in tx.entries(&CORRECTIONS, 0.., Order::Descending) {
        let entry = entry?;
        let Correction { draw_no: corrected, before, before_source, after, .. } = entry.value()?;
        if corrected != draw_no {
            continue;
        }
        if correction.is_some_and(|named| named != entry.key()) {
            return Err(Error::conflict(said::NOT_NEWEST_CORRECTION));
        }
        let now = stored_draws::find_stored(tx, draw_no)?.ok_or_else(|| Error::not_found("draw"))?;
        let of_others = said_by_others(tx, draw_no, entry.key(), &before, now.source)?;
        forget_all(tx, draw_no)?;
        tx.remove(&ASIDE_BEFORE, entry.key())?;
        tx.remove(&CORRECTIONS, entry.key())?;
        // Who said what was noted without it nobody knows any more: it is as if it were brought by hand.
        let before_source = before_source.unwrap_or(DrawSource::Import);
        let put_back = in_place_of(&since(&now.draw, &before, &after), &before);
        let contradictions = merge(&put_back, &now.draw).contradictions;
        stored_draws::put(tx, &StoredDraw { draw: put_back.clone(), source: before_source, confirmed: true })?;
        put_aside(tx, &now.draw, now.source, contradictions)?;
        for AsideBefore { source, kept } in of_others {
            if kept.refused {
                tx.put(&KEPT_ASIDE, place(draw_no, source).as_str(), &kept)?;
            } else {
                put_aside(tx, &kept.draw, source, merge(&put_back, &kept.draw).contradictions)?;
            }
        }
        return stored_draws::note_revision(tx);
    }
    Err(Error::not_found("correction of this draw"))
}

/// What the sources other than `taken` say against draw `draw_no`: what they have sent since correction `id` of what was
/// stored `before`, or else what was kept aside of them by then.
fn said_by_others(
    tx: &impl ReadTransaction,
    draw_no: u32,
    id: u64,
    before: &Draw,
    taken: DrawSource,
) -> Result<Vec<AsideBefore>> {
    let by_then = tx.get(&ASIDE_BEFORE, id)?.unwrap_or_default();
    let since = aside(tx, draw_no)?;
    // What gave way was refused from all with the correction: nobody has sent that.
    let since: Vec<_> = since.into_iter().filter(|one| !(one.kept.refused && one.kept.draw == *before)).collect();
    let is_said_anew = |one: &AsideBefore| since.iter().any(|other| other.source == one.source);
    let mut all: Vec<_> = by_then.into_iter().filter(|one| !is_said_anew(one)).collect();
    all.extend(since);
    all.retain(|one| one.source != taken);
    Ok(all)
}

/// What is kept aside against draw `draw_no`, by source.
fn aside(tx: &impl ReadTransaction, draw_no: u32) -> Result<Vec<AsideBefore>> {
    let mut all = Vec::new();
    for source in DrawSource::ALL {
        let kept = tx.get(&KEPT_ASIDE, place(draw_no, source).as_str())?;
        all.extend(kept.map(|kept| AsideBefore { source, kept }));
    }
    Ok(all)
}

/// Puts the operator's draw in the place of one that was brought by hand, with a note.
pub(super) fn give_way_to_operator(tx: &WriteTx, stored: &StoredDraw, received: &Draw) -> Result<()> {
    replace(tx, stored, received, DrawSource::Operator, CorrectedBy::Rule)?;
    forget_all(tx, received.draw_no)
}

/// Notes what `source` says with `received` against the stored draw; what it does not say any more is forgotten, and
/// what the household has refused says nothing. Gives whether it says anything that was not kept aside before.
pub(super) fn keep_aside(
    tx: &WriteTx,
    received: &Draw,
    source: DrawSource,
    contradictions: Vec<Contradiction>,
) -> Result<bool> {
    let place = place(received.draw_no, source);
    if tx.get(&REFUSED, place.as_str())?.is_some() {
        tx.remove(&REFUSED, place.as_str())?;
    }
    put_aside(tx, received, source, contradictions)
}

fn put_aside(tx: &WriteTx, received: &Draw, source: DrawSource, contradictions: Vec<Contradiction>) -> Result<bool> {
    let place = place(received.draw_no, source);
    let before = tx.get(&KEPT_ASIDE, place.as_str())?;
    if contradictions.is_empty() {
        if before.is_some() {
            tx.remove(&KEPT_ASIDE, place.as_str())?;
        }
    } else if before.as_ref().is_some_and(|kept| kept.refused && kept.draw == *received) {
        return note(tx, received.draw_no, source, Vec::new(), true);
    } else if before.is_none_or(|kept| kept.draw != *received) {
        tx.put(&KEPT_ASIDE, place.as_str(), &KeptAside { draw: received.clone(), refused: false })?;
    }
    note(tx, received.draw_no, source, contradictions, true)
}

/// Notes what cannot be a draw: `source` says of draw `draw_no` what contradicts the calendar. What it does not say any more is
/// forgotten, and what the household has refused says nothing. Gives whether that was not kept aside before.
pub fn note_impossible(tx: &WriteTx, draw_no: u32, source: DrawSource, contradiction: Contradiction) -> Result<bool> {
    let place = place(draw_no, source);
    if tx.get(&KEPT_ASIDE, place.as_str())?.is_some_and(|kept| !kept.refused) {
        tx.remove(&KEPT_ASIDE, place.as_str())?;
    }
    if let Some(refused) = tx.get(&REFUSED, place.as_str())? {
        if refused.field == contradiction.field && refused.received == contradiction.received {
            return note(tx, draw_no, source, Vec::new(), false);
        }
        tx.remove(&REFUSED, place.as_str())?;
    }
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
    let mut is_new = false;
    for Contradiction { field, stored, received } in contradictions {
        let known = still.iter().any(|before| before.field == field && before.received == received);
        let conflict = Conflict { draw_no, field, stored, received, source, seen_at: tx.now(), can_be_accepted };
        tx.put(&CONFLICTS, key(&conflict).as_str(), &conflict)?;
        if !known {
            is_new = true;
            tx.announce(CHANGED);
        }
    }
    Ok(is_new)
}

/// Puts `received` in the place of `stored`, with a note.
fn replace(tx: &WriteTx, stored: &StoredDraw, received: &Draw, source: DrawSource, by: CorrectedBy) -> Result<()> {
    let after = in_place_of(&stored.draw, received);
    let id = tx.next_id("lottery_corrections")?;
    let (before, before_source) = (stored.draw.clone(), Some(stored.source));
    let (draw_no, at) = (received.draw_no, tx.now());
    let correction = Correction { id, draw_no, at, before, before_source, after: after.clone(), source, by };
    tx.put(&CORRECTIONS, id, &correction)?;
    let aside = aside(tx, draw_no)?;
    if !aside.is_empty() {
        tx.put(&ASIDE_BEFORE, id, &aside)?;
    }
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

fn said_before(tx: &impl ReadTransaction, draw_no: u32, source: DrawSource) -> Result<Vec<Conflict>> {
    said_at(tx, &place(draw_no, source))
}

fn said_at(tx: &impl ReadTransaction, place: &str) -> Result<Vec<Conflict>> {
    let (from, to) = (format!("{place}/"), format!("{place}0"));
    tx.values(&CONFLICTS, from.as_str()..to.as_str(), Order::Ascending, 0, usize::MAX)
}

fn place(draw_no: u32, source: DrawSource) -> String {
    format!("{draw_no:06}/{}", source.name())
}

fn key(conflict: &Conflict) -> String {
    format!("{}/{}", place(conflict.draw_no, conflict.source), conflict.field)
}
