//! The tables of the todos and the verbs over a transaction.

use std::ops::Range;

use chrono::{DateTime, Datelike, Duration, NaiveDate, Timelike, Utc};
use serde::Serialize;

use super::model::{Todo, TodoChanges};
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Page, Result, day};
use hanok_platform::events::Change;
use hanok_platform::search::{Document, SearchKind, Searched};
use hanok_platform::store::{
    CountedIndex, DayCounts, Declared, Derivation, Index, IndexedTable, Order, ReadTransaction, WriteTx,
};

/// Table: todos. Key: id. Value: the todo.
const TODOS: IndexedTable<u64, Todo> =
    IndexedTable::new("todos-1", |todo| todo.id, &[&IN_ORDER, &OPEN_BY_DAY, &REMINDERS, &REMINDED, &SEARCHED]);
/// Table: the order of the list. Key: open (0) or done (1), then the day it is due or the time since it was
/// done, then the time of that day and newest first, all as numbers that sort that way. Value: the id.
const IN_ORDER: CountedIndex<Todo, (u64, u64, u64), u64> =
    CountedIndex::new("todos_order-1", "todos_order_counts-1", |todo| Some((place(todo), todo.id)));
/// Table: open todos counted by the day they are due; those without one after every day there is.
const OPEN_BY_DAY: DayCounts<Todo> = DayCounts::new("todos_open_by_day-1", |todo| {
    todo.done_at.is_none().then(|| todo.due.map_or(u32::MAX.into(), day_number))
});
/// Table: open todos that are to be brought to mind. Key: when (milliseconds since 1970) and the id. Value: nothing.
const REMINDERS: Index<Todo, (u64, u64)> = Index::new("todos_reminders-1", |todo| {
    todo.remind_at.filter(|_| !todo.done).map(|at| ((day::millis(at), todo.id), ()))
});
/// Table: open todos that were brought to mind. Key: when (milliseconds since 1970) and the id. Value: nothing.
const REMINDED: Index<Todo, (u64, u64)> = Index::new("todos_reminded-1", |todo| {
    todo.reminded_at.filter(|_| !todo.done).map(|at| ((day::millis(at), todo.id), ()))
});

/// Every todo is found by its title and its note.
const SEARCHED: Searched<Todo> = Searched::new(|todo| Document {
    text: todo.note.clone(),
    day: Some(todo.due.unwrap_or_else(|| day::of(todo.created_at))),
    done: todo.done,
    ..Document::of("todo", todo.id, &todo.title, format!("/todos?todo={}", todo.id))
});

/// What of the todos is found by words.
pub const SEARCH: &[SearchKind] =
    &[SearchKind { name: "todo", walk: |tx, visit| SEARCHED.walk(TODOS.walk(tx), visit) }];

/// Every table of the todos.
pub const TABLES: &[&dyn Declared] = &[&TODOS];

/// What follows from the rows of earlier versions.
pub const DERIVATIONS: &[Derivation] = &[
    Derivation::of(
        2,
        "todos: count what was not counted",
        ("세지 않았던 할 일을 셌습니다", "Todos that were not counted were counted"),
        TABLES,
    ),
    Derivation::of(
        3,
        "todos: reminders at instants there are",
        (
            "알릴 수 없는 때로 적힌 할 일 알림을 가장 가까운 때로 옮겼습니다",
            "Reminders at instants that no clock shows were moved to the nearest one",
        ),
        TABLES,
    ),
    Derivation::by(
        3,
        "todos: next days of what repeats",
        (
            "반복하는 할 일을 끝낼 때까지 그날마다 알리게 했습니다",
            "Todos that repeat are brought to mind on each of their days until they are done",
        ),
        TABLES,
        |tx| is_one_silent(tx),
        bring_back,
    ),
    Derivation::of(
        3,
        "todos: those of one day by their time",
        ("같은 날 할 일을 시각 순서로 놓았습니다", "Todos of one day stand in the order of their time"),
        TABLES,
    ),
];

/// The todo list has changed.
pub const CHANGED: Change = Change::new("todos");
/// Todos were brought to mind: whoever listens reads [`reminded`].
pub const REMINDED_NOW: Change = Change::new("todo_reminders");
/// How many are brought to mind in one transaction: who writes meanwhile waits for no more.
const AT_ONCE: usize = 200;
/// Brought to mind by so little too early, it stays so: a clock is always put right by a little.
const A_LITTLE_EARLY: Duration = Duration::minutes(1);
/// How many of those that were brought to mind are listed.
const LISTED: usize = 20;
/// How many due todos Today shows.
const DUE_TODAY: usize = 10;
/// How many it names of those that come after them: more than it shows, so that others follow when some are ticked off.
const NEXT: usize = 8;

/// The todos' part of Today.
#[derive(Debug, Serialize, ToSchema)]
pub struct TodosToday {
    /// What is due.
    pub todos: Summary,
}

/// What Today shows of the todos.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Summary {
    /// Open and due today or before, the most urgent first, those of one day by their time; at most ten.
    pub due: Vec<Todo>,
    /// How many are open and due today or before.
    pub due_count: u64,
    /// Open and due later or on no day, in the order of the list; at most eight.
    pub next: Vec<Todo>,
    /// How many are open.
    pub open_count: u64,
    /// How many are past their day.
    pub overdue_count: u64,
}

/// Todos, open ones first by the day and the time they are due, then done ones, newest first; and how many there are.
pub fn list(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<Todo>, u64)> {
    let places = IN_ORDER.page(tx, (0, 0, 0)..=(1, u64::MAX, u64::MAX), Order::Ascending, page)?;
    Ok((tx.rows(&TODOS, places.into_iter().map(|(_, id)| id))?, tx.count(&TODOS)?))
}

/// What Today shows of it.
pub fn today(tx: &impl ReadTransaction) -> Result<TodosToday> {
    Ok(TodosToday { todos: summary(tx, day::of(tx.now()))? })
}

/// What is due by `today`.
fn summary(tx: &impl ReadTransaction, today: NaiveDate) -> Result<Summary> {
    let (now, tomorrow) = (day_number(today), day_number(today) + 1);
    let due = tx.values(&IN_ORDER, (0, 0, 0)..(0, tomorrow, 0), Order::Ascending, 0, DUE_TODAY)?;
    let next = tx.values(&IN_ORDER, (0, tomorrow, 0)..(1, 0, 0), Order::Ascending, 0, NEXT)?;
    Ok(Summary {
        due: tx.rows(&TODOS, due)?,
        next: tx.rows(&TODOS, next)?,
        due_count: OPEN_BY_DAY.before(tx, tomorrow)?,
        open_count: OPEN_BY_DAY.total(tx)?,
        overdue_count: OPEN_BY_DAY.before(tx, now)?,
    })
}

/// Adds a todo and gives it its id; one that is done and repeats is followed by the next.
pub fn add(tx: &WriteTx, new: Todo) -> Result<Todo> {
    let mut todo = Todo { id: tx.next_id("todos")?, ..new };
    if todo.done {
        todo.followed_by = follow(tx, &todo)?;
    }
    write(tx, &todo)?;
    Ok(todo)
}

/// Changes the fields that are sent. One that is done now and repeats is followed by the next; one that is done no more
/// takes that back.
///
/// # Errors
/// `NOT_FOUND`.
pub fn change(tx: &WriteTx, id: u64, changes: TodoChanges) -> Result<Todo> {
    let before = tx.get(&TODOS, id)?.ok_or_else(|| Error::not_found("todo"))?;
    let mut todo = changes.apply(before.clone(), tx.now());
    match (before.done, todo.done) {
        (false, true) => todo.followed_by = follow(tx, &todo)?.or(todo.followed_by),
        (true, false) => take_back(tx, &before, &mut todo)?,
        _ => {}
    }
    write(tx, &todo)?;
    Ok(todo)
}

/// Ticks one off. Gives it as it was before; none where somebody has deleted it.
pub fn tick_off(tx: &WriteTx, id: u64) -> Result<Option<Todo>> {
    let before = tx.get(&TODOS, id)?;
    if before.as_ref().is_some_and(|todo| !todo.done) {
        change(tx, id, TodoChanges { done: Some(true), ..TodoChanges::default() })?;
    }
    Ok(before)
}

/// Writes the one that follows `todo`. Gives its id.
fn follow(tx: &WriteTx, todo: &Todo) -> Result<Option<u64>> {
    if todo.repeat.is_none() {
        return Ok(None);
    }
    let next = todo.following(tx.next_id("todos")?, tx.now());
    next.map(|next| write(tx, &next).map(|()| next.id)).transpose()
}

/// Removes the one that followed `before`, as long as nobody has touched it. Otherwise the repetition goes on from that
/// one, which follows nothing any more, and `todo` is open this once; it still names that one, for whoever deletes it.
/// Where somebody has deleted that one, the repetition goes on from `todo`.
fn take_back(tx: &WriteTx, before: &Todo, todo: &mut Todo) -> Result<()> {
    let Some(next) = one(tx, todo.followed_by)? else {
        todo.followed_by = None;
        return Ok(());
    };
    if next.is_untouched_after(before) {
        todo.followed_by = None;
        return remove(tx, next.id);
    }
    if next.follows == Some(before.id) {
        write(tx, &Todo { follows: None, ..next })?;
    }
    *todo = todo.clone().open_this_once(tx.now());
    Ok(())
}

fn one(tx: &WriteTx, id: Option<u64>) -> Result<Option<Todo>> {
    id.map_or(Ok(None), |id| tx.get(&TODOS, id))
}

/// Lets the one before `gone` be followed by the one after it, so that each repetition has one end.
fn close_gap(tx: &WriteTx, gone: &Todo) -> Result<()> {
    let before = one(tx, gone.follows)?.filter(|before| before.followed_by == Some(gone.id));
    if let Some(before) = before {
        write(tx, &Todo { followed_by: gone.followed_by, ..before })?;
    }
    let after = one(tx, gone.followed_by)?.filter(|after| after.follows == Some(gone.id));
    if let Some(after) = after {
        write(tx, &Todo { follows: gone.follows, ..after })?;
    }
    Ok(())
}

/// Brings to mind what is due for it, once at a time however often that was missed, and not more than a few in one
/// transaction, in which `tell` tells those to whoever is to hear of them. Gives whether there is more to do.
pub fn remind(tx: &WriteTx, tell: impl Fn(&WriteTx, &[Todo]) -> Result<()>) -> Result<bool> {
    let now = tx.now();
    let few = |table: &Index<Todo, (u64, u64)>, range: Range<(u64, u64)>| -> Result<Vec<u64>> {
        tx.entries(table, range, Order::Ascending).take(AT_ONCE).map(|entry| Ok(entry?.key().1)).collect()
    };
    let ahead = few(&REMINDED, reminded_ahead(now)..(u64::MAX, u64::MAX))?;
    for todo in tx.rows(&TODOS, ahead.iter().copied())? {
        write(tx, &todo.still_to_remind(now))?;
    }
    let due = few(&REMINDERS, (0, 0)..(day::millis(now) + 1, 0))?;
    let rows = tx.rows(&TODOS, due.iter().copied())?;
    let reminded: Vec<Todo> = rows.into_iter().map(|todo| todo.reminded(now)).collect();
    reminded.iter().try_for_each(|todo| write(tx, todo))?;
    tell(tx, &reminded)?;
    if !(ahead.is_empty() && due.is_empty()) {
        tx.announce(REMINDED_NOW);
    }
    Ok(ahead.len().max(due.len()) == AT_ONCE)
}

/// From where on what was brought to mind lies so far in the future that the clock must have been set back since.
fn reminded_ahead(now: DateTime<Utc>) -> (u64, u64) {
    (day::millis(now + A_LITTLE_EARLY) + 1, 0)
}

/// When the next one is to be brought to mind: at once, too, where a clock that ran ahead has done it.
pub fn next_reminder(tx: &impl ReadTransaction) -> Result<Option<DateTime<Utc>>> {
    if tx.first(&REMINDED, reminded_ahead(tx.now()).., Order::Ascending)?.is_some() {
        return Ok(Some(tx.now()));
    }
    let next = tx.first(&REMINDERS, (0, 0).., Order::Ascending)?;
    Ok(next.and_then(|next| DateTime::from_timestamp_millis(i64::try_from(next.key().0).ok()?)))
}

/// Whether one that repeats is open and would come no more.
fn is_one_silent(tx: &impl ReadTransaction) -> Result<bool> {
    for entry in tx.entries(&TODOS, 0.., Order::Ascending) {
        if entry?.value()?.coming_again(tx.now()).is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Lets those that repeat and are open come again: an earlier version brought them to mind on their own day only.
fn bring_back(tx: &WriteTx) -> Result<()> {
    TODOS.rebuild(tx)?;
    for entry in tx.entries(&TODOS, 0.., Order::Ascending) {
        if let Some(todo) = entry?.value()?.coming_again(tx.now()) {
            TODOS.put(tx, &todo)?;
        }
    }
    Ok(())
}

/// Open todos that were brought to mind, the last first.
pub fn reminded(tx: &impl ReadTransaction) -> Result<Vec<Todo>> {
    let entries = tx.entries(&REMINDED, (0, 0).., Order::Descending).take(LISTED);
    let ids: Vec<u64> = entries.map(|entry| entry.map(|entry| entry.key().1)).collect::<Result<_>>()?;
    tx.rows(&TODOS, ids)
}

/// Removes a todo.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: u64) -> Result<()> {
    let gone = TODOS.remove(tx, id)?.ok_or_else(|| Error::not_found("todo"))?;
    close_gap(tx, &gone)?;
    tx.announce(CHANGED);
    Ok(())
}

/// Removes every todo that is done, or that was done at `until` or before. Gives how many.
pub fn remove_done(tx: &WriteTx, until: Option<DateTime<Utc>>) -> Result<u64> {
    let newest = until.map_or(0, newest_done_first);
    let ids = tx.values(&IN_ORDER, (1, newest, 0).., Order::Ascending, 0, usize::MAX)?;
    let mut done = tx.rows(&TODOS, ids)?;
    // The order knows milliseconds, a todo more than that.
    done.retain(|todo| until.is_none_or(|until| todo.done_at.is_some_and(|at| at <= until)));
    for todo in &done {
        remove(tx, todo.id)?;
    }
    Ok(done.len() as u64)
}

fn write(tx: &WriteTx, todo: &Todo) -> Result<()> {
    TODOS.put(tx, todo)?;
    tx.announce(CHANGED);
    Ok(())
}

/// Where a todo stands in the list.
fn place(todo: &Todo) -> (u64, u64, u64) {
    match todo.done_at {
        Some(at) => (1, newest_done_first(at), u64::MAX - todo.id),
        None => (0, todo.due.map_or(u64::MAX, day_number), in_day(todo)),
    }
}

/// Where an open todo stands among those of its day: by its time, those without one behind them; then newest first.
fn in_day(todo: &Todo) -> u64 {
    const OF_IDS: u32 = 53;
    const ALL_DAY: u64 = 24 * 60;
    let minute = todo.time.map_or(ALL_DAY, |time| u64::from(time.time().num_seconds_from_midnight() / 60));
    (minute << OF_IDS) + ((1_u64 << OF_IDS) - 1).saturating_sub(todo.id)
}

fn newest_done_first(at: DateTime<Utc>) -> u64 {
    u64::MAX - day::millis(at)
}

fn day_number(day: NaiveDate) -> u64 {
    u64::try_from(day.num_days_from_ce()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
