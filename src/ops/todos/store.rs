//! The tables of the todos and the verbs over a transaction.

use std::ops::ControlFlow;

use chrono::{Datelike, NaiveDate};
use serde::Serialize;

use super::model::{NewTodo, Todo, TodoChanges};
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Page, Result};
use hanok_platform::events::Change;
use hanok_platform::store::{Order, Ranked, Reads, Table, Tally, WriteTx};

/// Table: todos. Key: id. Value: the todo.
const TODOS: Table<u64, Todo> = Table::new("todos-1");
/// Table: the order of the list. Key: open (0) or done (1), then the day it is due or the time since it was
/// done, then newest first, all as numbers that sort that way. Value: the id. Counted, so that every page of the list
/// is found at once.
const IN_ORDER: Ranked<(u64, u64, u64), u64> =
    Ranked::new(Table::new("todos_order-1"), Table::new("todos_order_counts-1"));
/// Table: open todos counted by the day they are due. Key and value: those of a tally.
const OPEN_BY_DAY: Tally = Tally::on(Table::new("todos_open_by_day-1"));
/// Where open todos without a day are counted: after every day there is.
const NO_DAY: u64 = u32::MAX as u64;
/// How many todos Today shows.
const DUE_TODAY: usize = 10;

/// What Today shows of the todos.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Summary {
    /// Open and due today or before, the most urgent first; at most ten.
    pub due: Vec<Todo>,
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

/// What is due by `today`.
pub fn summary(tx: &impl Reads, today: NaiveDate) -> Result<Summary> {
    let (now, tomorrow) = (day_number(today), day_number(today) + 1);
    let ids = tx.values(IN_ORDER.rows(), (0, 0, 0)..(0, tomorrow, 0), Order::Ascending, 0, DUE_TODAY)?;
    Ok(Summary {
        due: tx.rows(&TODOS, ids)?,
        open_count: OPEN_BY_DAY.total(tx)?,
        overdue_count: OPEN_BY_DAY.before(tx, now)?,
    })
}

/// Counts the todos of a store that was written before they were counted. Gives whether it had to.
pub fn prepare(tx: &WriteTx) -> Result<bool> {
    let counted = IN_ORDER.prepare(tx)?;
    if OPEN_BY_DAY.total(tx)? > 0 {
        return Ok(counted);
    }
    let mut open = Vec::new();
    tx.each(IN_ORDER.rows(), (0, 0, 0)..(1, 0, 0), Order::Ascending, |(_, due, _), _| {
        open.push(due.min(NO_DAY));
        Ok(ControlFlow::Continue(()))
    })?;
    open.iter().try_for_each(|day| OPEN_BY_DAY.add(tx, *day))?;
    Ok(counted || !open.is_empty())
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
    let before = existing(tx, id)?;
    take_out(tx, &before)?;
    let after = changes.apply(before, tx.now())?;
    write(tx, &after)?;
    Ok(after)
}

/// Removes a todo.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: u64) -> Result<()> {
    let todo = tx.remove(&TODOS, id)?.ok_or_else(|| Error::not_found("todo"))?;
    take_out(tx, &todo)?;
    tx.announce(Change::Todos);
    Ok(())
}

/// Removes every todo that is done. Gives how many.
pub fn remove_done(tx: &WriteTx) -> Result<u64> {
    let done = tx.values(IN_ORDER.rows(), (1, 0, 0).., Order::Ascending, 0, usize::MAX)?;
    for id in &done {
        remove(tx, *id)?;
    }
    Ok(done.len() as u64)
}

fn existing(tx: &impl Reads, id: u64) -> Result<Todo> {
    tx.get(&TODOS, id)?.ok_or_else(|| Error::not_found("todo"))
}

fn write(tx: &WriteTx, todo: &Todo) -> Result<()> {
    tx.put(&TODOS, todo.id, todo)?;
    IN_ORDER.add(tx, place(todo), &todo.id)?;
    if todo.done_at.is_none() {
        OPEN_BY_DAY.add(tx, due_day(todo))?;
    }
    tx.announce(Change::Todos);
    Ok(())
}

/// Takes a todo out of the order and of the counts.
fn take_out(tx: &WriteTx, todo: &Todo) -> Result<()> {
    IN_ORDER.remove(tx, place(todo))?;
    if todo.done_at.is_none() {
        OPEN_BY_DAY.subtract(tx, due_day(todo))?;
    }
    Ok(())
}

/// Where a todo stands in the list.
fn place(todo: &Todo) -> (u64, u64, u64) {
    let newest_first = u64::MAX - todo.id;
    match todo.done_at {
        Some(at) => (1, u64::MAX - u64::try_from(at.timestamp_millis()).unwrap_or(0), newest_first),
        None => (0, todo.due.map_or(u64::MAX, day_number), newest_first),
    }
}

fn due_day(todo: &Todo) -> u64 {
    todo.due.map_or(NO_DAY, day_number)
}

fn day_number(day: NaiveDate) -> u64 {
    u64::try_from(day.num_days_from_ce()).unwrap_or(0)
}
