//! The tables of the projects and the verbs over a transaction.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::model::{MOST_STEPS, Milestone, MilestoneChanges, MilestoneStatus, NewStep, Untold, usual_steps};
use hanok_base::{Error, MessageTemplate, Result, day, validation_messages};
use hanok_platform::events::Change;
use hanok_platform::mail::Language;
use hanok_platform::store::{Declared, Index, IndexedTable, Order, ReadTransaction, WriteTx};

/// Table: steps. Key: id (UUIDv7). Value: the step.
const MILESTONES: IndexedTable<&'static str, Milestone> =
    IndexedTable::new("milestones-1", |step| step.id.as_str(), &[&OF_QUOTE]);
/// Table: steps by their quote. Key: id of the quote and id of the step. Value: nothing.
const OF_QUOTE: Index<Milestone, (String, String)> =
    Index::new("milestones_of_quote-1", |step| Some(((step.quote_id.clone(), step.id.clone()), ())));
/// Table: what customers have not been told yet. Key: id of the quote. Value: what.
const UNTOLD: IndexedTable<&'static str, Untold> =
    IndexedTable::new("project_notices-1", |untold| untold.quote_id.as_str(), &[&DUE]);
/// Table: the same by when it is due. Key: when (milliseconds since 1970) and the id of the quote. Value: nothing.
const DUE: Index<Untold, (u64, String)> =
    Index::new("project_notices_due-1", |untold| Some(((day::millis(untold.due_at), untold.quote_id.clone()), ())));

/// Every table of the projects.
pub const TABLES: &[&dyn Declared] = &[&MILESTONES, &UNTOLD];

/// The steps, or what is to be told of them, have changed.
pub const CHANGED: Change = Change::new("projects");

const HAS_STEPS: MessageTemplate = MessageTemplate::new(
    "projects.has_steps",
    "this quote has steps already; the usual ones are only added where none are",
);
const ENOUGH_STEPS: MessageTemplate =
    MessageTemplate::new("projects.enough_steps", "a project has at most {most} steps; remove one first");

/// The steps of a quote, in order.
pub fn list(tx: &impl ReadTransaction, quote: &str) -> Result<Vec<Milestone>> {
    let mut steps = Vec::new();
    for entry in tx.entries(&OF_QUOTE, (quote.to_owned(), String::new()).., Order::Ascending) {
        let (of, id) = entry?.key();
        if of != quote {
            break;
        }
        steps.extend(tx.get(&MILESTONES, id.as_str())?);
    }
    steps.sort_by_key(|step| step.step_number);
    Ok(steps)
}

/// The step of this id.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find(tx: &impl ReadTransaction, id: &str) -> Result<Milestone> {
    tx.get(&MILESTONES, id)?.ok_or_else(|| Error::not_found("milestone"))
}

/// Adds the usual steps to a quote that has none, in its language.
///
/// # Errors
/// `CONFLICT` where it has steps already.
pub fn add_usual(tx: &WriteTx, quote: &str, language: Language) -> Result<Vec<Milestone>> {
    if !list(tx, quote)?.is_empty() {
        return Err(Error::conflict(HAS_STEPS));
    }
    let steps: Vec<Milestone> =
        usual_steps(language).into_iter().map(|(title, description)| new(tx, quote, title, description)).collect();
    number(tx, steps)?;
    list(tx, quote)
}

/// Adds a step to a quote, at its place or at the end; those from there on move up.
///
/// # Errors
/// `CONFLICT` where there are too many; `INVALID_INPUT` where there is no such place.
pub fn add(tx: &WriteTx, quote: &str, wanted: NewStep) -> Result<Milestone> {
    let mut steps = list(tx, quote)?;
    if steps.len() >= MOST_STEPS {
        return Err(Error::conflict(ENOUGH_STEPS.with([("most", MOST_STEPS.into())])));
    }
    let places = steps.len() + 1;
    let at = place(wanted.step_number.unwrap_or(u32::try_from(places).unwrap_or(u32::MAX)), places)?;
    let added = new(tx, quote, &wanted.title, &wanted.description);
    let id = added.id.clone();
    steps.insert(at, added);
    number(tx, steps)?;
    find(tx, &id)
}

/// Changes a step. Gives it as it was and as it is.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` naming the states that it may be moved to; `INVALID_INPUT` where there is no such place.
pub fn change(tx: &WriteTx, id: &str, changes: MilestoneChanges) -> Result<(Milestone, Milestone)> {
    let before = find(tx, id)?;
    let now = tx.now();
    let MilestoneChanges { status, note, title, description, step_number } = changes;
    let mut after = before.clone().moved(status.unwrap_or(before.status), now)?;
    after.note = note.map_or(after.note, Option::unwrap_or_default);
    after.title = title.unwrap_or(after.title);
    after.description = description.map_or(after.description, Option::unwrap_or_default);
    let mut steps = list(tx, &before.quote_id)?;
    let at = place(step_number.unwrap_or(before.step_number), steps.len())?;
    after.step_number = u32::try_from(at + 1).unwrap_or(u32::MAX);
    if after == before {
        return Ok((before.clone(), before));
    }
    after.updated_at = now;
    steps.retain(|step| step.id != id);
    steps.insert(at, after.clone());
    MILESTONES.put(tx, &after)?;
    number(tx, steps)?;
    Ok((before, after))
}

/// Removes a step; those behind it close up. Gives it.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: &str) -> Result<Milestone> {
    let gone = MILESTONES.remove(tx, id)?.ok_or_else(|| Error::not_found("milestone"))?;
    number(tx, list(tx, &gone.quote_id)?)?;
    Ok(gone)
}

fn new(tx: &WriteTx, quote: &str, title: &str, description: &str) -> Milestone {
    Milestone {
        id: Uuid::now_v7().to_string(),
        quote_id: quote.to_owned(),
        step_number: 0,
        title: title.to_owned(),
        description: description.to_owned(),
        status: MilestoneStatus::Pending,
        note: String::new(),
        completed_at: None,
        created_at: tx.now(),
        updated_at: tx.now(),
    }
}

/// The place of the step with this number among so many.
fn place(number: u32, places: usize) -> Result<usize> {
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    match number.checked_sub(1).filter(|at| *at < places) {
        Some(at) => Ok(at),
        None => Err(Error::field("step_number", validation_messages::between(1, places as u64))),
    }
}

/// Numbers the steps from 1 on in this order, and writes those whose number is another one.
fn number(tx: &WriteTx, steps: Vec<Milestone>) -> Result<()> {
    for (step_number, step) in (1..).zip(steps) {
        if step.step_number != step_number {
            MILESTONES.put(tx, &Milestone { step_number, ..step })?;
        }
    }
    tx.announce(CHANGED);
    Ok(())
}

/// What the customer of a quote has not been told yet.
pub fn untold(tx: &impl ReadTransaction, quote: &str) -> Result<Option<Untold>> {
    tx.get(&UNTOLD, quote)
}

/// Keeps what the customer of a quote has not been told yet.
pub fn keep_untold(tx: &WriteTx, untold: &Untold) -> Result<()> {
    UNTOLD.put(tx, untold)?;
    tx.announce(CHANGED);
    Ok(())
}

/// Takes those out of which customers are to be told now, at most so many.
pub fn take_due(tx: &WriteTx, most: usize) -> Result<Vec<Untold>> {
    let until = (day::millis(tx.now()) + 1, String::new());
    let due = tx.entries(&DUE, (0, String::new())..until, Order::Ascending).take(most);
    let quotes: Vec<String> = due.map(|entry| Ok(entry?.key().1)).collect::<Result<_>>()?;
    let mut taken = Vec::new();
    for quote in quotes {
        taken.extend(UNTOLD.remove(tx, quote.as_str())?);
    }
    Ok(taken)
}

/// When the next customer is to be told something.
pub fn next_due(tx: &impl ReadTransaction) -> Result<Option<DateTime<Utc>>> {
    let next = tx.first(&DUE, (0, String::new()).., Order::Ascending)?;
    Ok(next.and_then(|next| DateTime::from_timestamp_millis(i64::try_from(next.key().0).ok()?)))
}
