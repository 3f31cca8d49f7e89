//! What must hold between the tables of any store that comes up: every index says what its rows say, every running
//! total is the sum of its rows, and the queue of the jobs is what the tasks say of themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use hanok::base::{Clock, Result};
use hanok::platform::events::Events;
use hanok::platform::store::{Order, ReadTx, Reads, Store, Table};
use redb::StorageBackend;
use redb::backends::InMemoryBackend;
use serde_json::{Value, json};

type ById = Table<u64, Value>;
type ByName = Table<&'static str, Value>;
type ByPair = Table<(u64, u64), Value>;
type Blocks = Table<(u64, u64, u64, u64), u64>;
type Place = (u64, u64, u64);

const TODOS: ById = Table::new("todos-1");
const TODOS_ORDER: Table<(u64, u64, u64), u64> = Table::new("todos_order-1");
const TODOS_BLOCKS: Blocks = Table::new("todos_order_counts-1");
const TODOS_BY_DAY: ByPair = Table::new("todos_open_by_day-1");
const PURCHASES: ById = Table::new("lottery_purchases-1");
const BY_DRAW: ByPair = Table::new("lottery_purchases_by_draw-1");
const BY_DRAW_BLOCKS: Blocks = Table::new("lottery_purchases_by_draw_counts-1");
const BY_TIME: ByPair = Table::new("lottery_purchases_by_time-1");
const BY_DAY: ByPair = Table::new("lottery_purchases_by_day-1");
const BY_PRIZE: ByPair = Table::new("lottery_purchases_by_prize-1");
const TOTALS: ByName = Table::new("lottery_purchase_totals-1");
const DRAW_TOTALS: ById = Table::new("lottery_purchase_draw_totals-1");
const DRAWS: ById = Table::new("lottery_draws-1");
const TASKS: ByName = Table::new("tasks-1");
const DUE: Table<(&'static str, u64, &'static str), Value> = Table::new("tasks_due-2");
const RUNNING: ByName = Table::new("tasks_running-1");
const ALONE: ByName = Table::new("tasks_alone-1");
const ANSWERS: ByName = Table::new("idempotency-1");
const ANSWERS_BY_TIME: Table<(u64, &'static str), Value> = Table::new("idempotency_by_time-1");

/// The rows of the tables that callers write, as they are stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    pub todos: BTreeMap<u64, Value>,
    pub purchases: BTreeMap<u64, Value>,
    pub tasks: BTreeMap<String, Value>,
    pub draws: BTreeMap<u64, Value>,
}

/// Opens a store on a copy of these bytes in memory: what a start on them would find, without touching the file.
pub fn open_bytes(bytes: &[u8]) -> Result<Store> {
    let memory = InMemoryBackend::new();
    memory.set_len(bytes.len() as u64).unwrap();
    memory.write(0, bytes).unwrap();
    Store::on_backend(Arc::new(memory), Clock::machine(), Events::default())
}

/// [`open_bytes`] of a file.
pub fn open_file(path: &Path) -> Result<Store> {
    open_bytes(&std::fs::read(path).unwrap())
}

/// Every row that callers wrote.
pub fn rows(store: &Store) -> Rows {
    store
        .read_now(|tx| {
            Ok(Rows {
                todos: by_id(tx, &TODOS)?,
                purchases: by_id(tx, &PURCHASES)?,
                tasks: by_name(tx, &TASKS)?,
                draws: by_id(tx, &DRAWS)?,
            })
        })
        .unwrap()
}

/// What does not fit together, one line each.
pub fn flaws(store: &Store) -> Vec<String> {
    store
        .read_now(|tx| {
            let mut flaws = Vec::new();
            todos(tx, &mut flaws)?;
            purchases(tx, &mut flaws)?;
            tasks(tx, &mut flaws)?;
            first_answers(tx, &mut flaws)?;
            Ok(flaws)
        })
        .unwrap()
}

fn todos(tx: &ReadTx, flaws: &mut Vec<String>) -> Result<()> {
    let mut expected = BTreeSet::new();
    let mut open = Vec::new();
    for (id, todo) in by_id(tx, &TODOS)? {
        let newest_first = u64::MAX - id;
        if todo["done_at"].is_null() {
            open.push(day(&todo["due"]).map_or(u64::from(u32::MAX), |day| day.num_days_from_ce() as u64));
        }
        let place = match instant(&todo["done_at"]) {
            Some(at) => (1, u64::MAX - millis(at), newest_first),
            None => (0, day(&todo["due"]).map_or(u64::MAX, |day| day.num_days_from_ce() as u64), newest_first),
        };
        expected.insert((place, id));
    }
    let mut found = BTreeSet::new();
    tx.each(&TODOS_ORDER, (0u64, 0u64, 0u64).., Order::Ascending, |place, id| {
        found.insert((place, id.decode()?));
        Ok(ControlFlow::Continue(()))
    })?;
    compare("the order of the todos", &expected, &found, flaws);
    let places = expected.into_iter().map(|(place, _)| place).collect();
    blocks(tx, "the blocks of the todos' order", &places, &TODOS_BLOCKS, flaws)?;
    tally(tx, "the open todos by day", &open, &TODOS_BY_DAY, flaws)
}

fn purchases(tx: &ReadTx, flaws: &mut Vec<String>) -> Result<()> {
    let (mut by_draw, mut by_time, mut by_prize) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut days = Vec::new();
    let mut all = Sum::default();
    let mut of_draws: BTreeMap<u64, Sum> = BTreeMap::new();
    for (id, purchase) in by_id(tx, &PURCHASES)? {
        let draw_no = purchase["draw_no"].as_u64().unwrap();
        by_draw.insert((draw_no, id));
        let created_at = millis(instant(&purchase["created_at"]).unwrap());
        by_time.insert((created_at, id));
        days.push(created_at / 86_400_000);
        if let Some(prize @ 1..) = purchase["prize"].as_u64() {
            by_prize.insert((prize, id));
        }
        all.add(&purchase);
        of_draws.entry(draw_no).or_default().add(&purchase);
    }
    compare("purchases by draw", &by_draw, &pairs(tx, &BY_DRAW)?, flaws);
    let places = by_draw.into_iter().map(|(draw_no, id)| (draw_no, id, 0)).collect();
    blocks(tx, "the blocks of the purchases by draw", &places, &BY_DRAW_BLOCKS, flaws)?;
    compare("purchases by time", &by_time, &pairs(tx, &BY_TIME)?, flaws);
    compare("purchases by prize", &by_prize, &pairs(tx, &BY_PRIZE)?, flaws);
    let stored = tx.get(&TOTALS, "all")?.map_or(Sum::default(), |totals| Sum::of(&totals));
    compare_one("the totals of all purchases", &all, &stored, flaws);
    let stored: BTreeMap<u64, Sum> =
        by_id(tx, &DRAW_TOTALS)?.into_iter().map(|(draw_no, totals)| (draw_no, Sum::of(&totals))).collect();
    compare_one("the totals of the draws", &of_draws, &stored, flaws);
    tally(tx, "the purchases by day", &days, &BY_DAY, flaws)
}

/// Rows counted by day and by block of 512 days.
fn tally(tx: &ReadTx, what: &str, days: &[u64], table: &ByPair, flaws: &mut Vec<String>) -> Result<()> {
    let mut expected: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for key in days.iter().flat_map(|day| [(0, *day), (1, day / 512)]) {
        *expected.entry(key).or_default() += 1;
    }
    let mut found = BTreeMap::new();
    tx.each(table, (0u64, 0u64).., Order::Ascending, |key, rows| {
        found.insert(key, rows.decode()?.as_u64().unwrap());
        Ok(ControlFlow::Continue(()))
    })?;
    compare_one(what, &expected, &found, flaws);
    Ok(())
}

/// On both levels each block counts the rows from where it begins to where the next one does.
fn blocks(tx: &ReadTx, what: &str, rows: &BTreeSet<Place>, table: &Blocks, flaws: &mut Vec<String>) -> Result<()> {
    for level in [1, 2] {
        let mut begins = BTreeMap::new();
        tx.each(table, (level, 0, 0, 0)..(level + 1, 0, 0, 0), Order::Ascending, |(_, first, second, third), rows| {
            begins.insert((first, second, third), rows.decode()?);
            Ok(ControlFlow::Continue(()))
        })?;
        let ends = begins.keys().skip(1).map(Some).chain([None]);
        let between = |begin, end: Option<&Place>| match end {
            Some(end) => rows.range(begin..*end).count() as u64,
            None => rows.range(begin..).count() as u64,
        };
        let expected: BTreeMap<Place, u64> =
            begins.keys().zip(ends).map(|(begin, end)| (*begin, between(*begin, end))).collect();
        compare_one(what, &expected, &begins, flaws);
        compare_one(what, &(rows.len() as u64), &begins.values().sum(), flaws);
    }
    Ok(())
}

/// The totals that both tables of totals have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sum {
    records: u64,
    games: u64,
    invested: u64,
    prize: u64,
    waiting: u64,
}

impl Sum {
    fn of(totals: &Value) -> Sum {
        let number = |key: &str| totals[key].as_u64().unwrap();
        Sum {
            records: number("records"),
            games: number("games"),
            invested: number("invested"),
            prize: number("prize"),
            waiting: number("waiting"),
        }
    }

    fn add(&mut self, purchase: &Value) {
        self.records += 1;
        self.games += purchase["count"].as_u64().unwrap();
        self.invested += purchase["amount"].as_u64().unwrap();
        self.prize += purchase["prize"].as_u64().unwrap_or(0);
        self.waiting += u64::from(purchase["status"] == "waiting");
    }
}

fn tasks(tx: &ReadTx, flaws: &mut Vec<String>) -> Result<()> {
    let (mut due, mut running) = (BTreeSet::new(), BTreeSet::new());
    let tasks = by_name(tx, &TASKS)?;
    for (id, kept) in &tasks {
        match kept["task"]["status"].as_str().unwrap() {
            "queued" => {
                let lane = kept["lane"].as_str().unwrap_or("quick").to_owned();
                due.insert((lane, millis(instant(&kept["task"]["run_at"]).unwrap()), id.clone()));
            }
            "running" => drop(running.insert(id.clone())),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    tx.each(&DUE, ("", 0u64, "").., Order::Ascending, |(lane, at, id), _| {
        found.insert((lane.to_owned(), at, id.to_owned()));
        Ok(ControlFlow::Continue(()))
    })?;
    compare("the queue", &due, &found, flaws);
    compare("what runs", &running, &by_name(tx, &RUNNING)?.into_keys().collect(), flaws);
    for (kind, id) in by_name(tx, &ALONE)? {
        let task = id.as_str().and_then(|id| tasks.get(id)).map_or(&Value::Null, |kept| &kept["task"]);
        let is_open = matches!(task["status"].as_str(), Some("queued" | "running"));
        if !is_open || task["kind"] != json!(kind) {
            flaws.push(format!("{kind} is said to be open as {id}, which is {task}"));
        }
    }
    Ok(())
}

fn first_answers(tx: &ReadTx, flaws: &mut Vec<String>) -> Result<()> {
    let answers = by_name(tx, &ANSWERS)?.into_iter();
    let expected = answers.map(|(scope, first)| (millis(instant(&first["at"]).unwrap()), scope)).collect();
    let mut found = BTreeSet::new();
    tx.each(&ANSWERS_BY_TIME, (0u64, "").., Order::Ascending, |(at, scope), _| {
        found.insert((at, scope.to_owned()));
        Ok(ControlFlow::Continue(()))
    })?;
    compare("first answers by time", &expected, &found, flaws);
    Ok(())
}

fn by_id(tx: &ReadTx, table: &ById) -> Result<BTreeMap<u64, Value>> {
    let mut rows = BTreeMap::new();
    tx.each(table, 0u64.., Order::Ascending, |id, row| {
        rows.insert(id, row.decode()?);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(rows)
}

fn by_name(tx: &ReadTx, table: &ByName) -> Result<BTreeMap<String, Value>> {
    let mut rows = BTreeMap::new();
    tx.each(table, "".., Order::Ascending, |name, row| {
        rows.insert(name.to_owned(), row.decode()?);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(rows)
}

fn pairs(tx: &ReadTx, table: &ByPair) -> Result<BTreeSet<(u64, u64)>> {
    let mut keys = BTreeSet::new();
    tx.each(table, (0u64, 0u64).., Order::Ascending, |key, _| {
        keys.insert(key);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(keys)
}

fn compare<T: Ord + std::fmt::Debug>(what: &str, rows: &BTreeSet<T>, index: &BTreeSet<T>, flaws: &mut Vec<String>) {
    let missing: Vec<_> = rows.difference(index).take(3).collect();
    let dangling: Vec<_> = index.difference(rows).take(3).collect();
    if !missing.is_empty() || !dangling.is_empty() {
        flaws.push(format!("{what}: not in the index {missing:?}, without a row {dangling:?}"));
    }
}

fn compare_one<T: PartialEq + std::fmt::Debug>(what: &str, rows: &T, stored: &T, flaws: &mut Vec<String>) {
    if rows != stored {
        flaws.push(format!("{what}: the rows say {rows:?}, stored is {stored:?}"));
    }
}

fn instant(value: &Value) -> Option<DateTime<Utc>> {
    value.as_str().map(|text| text.parse().unwrap())
}

fn day(value: &Value) -> Option<NaiveDate> {
    value.as_str().map(|text| text.parse().unwrap())
}

fn millis(at: DateTime<Utc>) -> u64 {
    at.timestamp_millis() as u64
}
