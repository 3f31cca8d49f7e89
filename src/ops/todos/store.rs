//! The tables of the todos and the verbs over a transaction.

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use serde::Serialize;

use super::model::{NewTodo, Todo, TodoChanges};
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Page, Result, day};
use hanok_platform::domain::Today;
use hanok_platform::events::Change;
use hanok_platform::store::{
    CountedIndex, DayCounts, Declared, Derivation, IndexedTable, Order, ReadTx, Reads, WriteTx,
};

/// Table: todos. Key: id. Value: the todo.
const TODOS: IndexedTable<u64, Todo> = IndexedTable::new("todos-1", |todo| todo.id, &[&IN_ORDER, &OPEN_BY_DAY]);
/// Table: the order of the list. Key: open (0) or done (1), then the day it is due or the time since it was
/// done, then newest first, all as numbers that sort that way. Value: the id.
const IN_ORDER: CountedIndex<Todo, (u64, u64, u64), u64> =
    CountedIndex::new("todos_order-1", "todos_order_counts-1", |todo| Some((place(todo), todo.id)));
/// Table: open todos counted by the day they are due; those without one after every day there is.
const OPEN_BY_DAY: DayCounts<Todo> = DayCounts::new("todos_open_by_day-1", |todo| {
    todo.done_at.is_none().then(|| todo.due.map_or(u32::MAX.into(), day_number))
});

/// Every table of the todos.
pub const TABLES: &[&dyn Declared] = &[&TODOS];

/// What follows from the rows of earlier versions.
pub const DERIVATIONS: &[Derivation] = &[Derivation::of(2, "todos: count what was not counted", TABLES)];

/// The todo list has changed.
pub const CHANGED: Change = Change::new("todos");
/// How many todos Today shows.
const DUE_TODAY: usize = 10;

/// The todos' part of Today.
#[derive(Debug, Serialize, ToSchema)]
pub struct TodosToday {
    /// What is due.
    pub todos: Summary,
}

/// What Today shows of the todos.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Summary {
    /// Open and due today or before, the most urgent first; at most ten.
    pub due: Vec<Todo>,
    /// How many are open and due today or before.
    pub due_count: u64,
    /// How many are open.
    pub open_count: u64,
    /// How many are past their day.
    pub overdue_count: u64,
}

/// Todos, open ones first by the day they are due, then done ones, newest first; and how many there are.
pub fn list(tx: &impl Reads, page: Page) -> Result<(Vec<Todo>, u64)> {
    let places = IN_ORDER.page(tx, (0, 0, 0)..=(1, u64::MAX, u64::MAX), Order::Ascending, page)?;
    Ok((tx.rows(&TODOS, places.into_iter().map(|(_, id)| id))?, tx.count(&TODOS)?))
}

impl Today for TodosToday {
    fn read(tx: &ReadTx) -> Result<TodosToday> {
        Ok(TodosToday { todos: summary(tx, day::of(tx.now()))? })
    }
}

/// What is due by `today`.
fn summary(tx: &impl Reads, today: NaiveDate) -> Result<Summary> {
    let (now, tomorrow) = (day_number(today), day_number(today) + 1);
    let ids = tx.values(&IN_ORDER, (0, 0, 0)..(0, tomorrow, 0), Order::Ascending, 0, DUE_TODAY)?;
    Ok(Summary {
        due: tx.rows(&TODOS, ids)?,
        due_count: OPEN_BY_DAY.before(tx, tomorrow)?,
        open_count: OPEN_BY_DAY.total(tx)?,
        overdue_count: OPEN_BY_DAY.before(tx, now)?,
    })
}

/// Adds a todo.
pub fn add(tx: &WriteTx, new: NewTodo) -> Result<Todo> {
    let todo = new.into_todo(tx.next_id("todos")?, tx.now())?;
    write(tx, &todo)?;
    Ok(todo)
}

/// Changes the fields that are sent.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_INPUT`.
pub fn change(tx: &WriteTx, id: u64, changes: TodoChanges) -> Result<Todo> {
    let todo = tx.get(&TODOS, id)?.ok_or_else(|| Error::not_found("todo"))?;
    let todo = changes.apply(todo, tx.now())?;
    write(tx, &todo)?;
    Ok(todo)
}

/// Removes a todo.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: u64) -> Result<()> {
    TODOS.remove(tx, id)?.ok_or_else(|| Error::not_found("todo"))?;
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
    let newest_first = u64::MAX - todo.id;
    match todo.done_at {
        Some(at) => (1, newest_done_first(at), newest_first),
        None => (0, todo.due.map_or(u64::MAX, day_number), newest_first),
    }
}

fn newest_done_first(at: DateTime<Utc>) -> u64 {
    u64::MAX - day::millis(at)
}

fn day_number(day: NaiveDate) -> u64 {
    u64::try_from(day.num_days_from_ce()).unwrap_or(0)
}
