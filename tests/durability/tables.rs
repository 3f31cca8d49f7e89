//! What must hold in any store that comes up: every index says what its rows say, every count and total is that of its
//! rows (the store's own verb says so), and the queue of the jobs is what the tasks say of themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use hanok::appliance::schema::schema;
use hanok::base::{Clock, Result};
use hanok::platform::events::Events;
use hanok::platform::store::{Order, ReadTransaction, ReadTx, Store, Table};
use redb::StorageBackend;
use redb::backends::InMemoryBackend;
use serde_json::{Value, json};

type ById = Table<u64, Value>;
type ByName = Table<&'static str, Value>;

const TODOS: ById = Table::new("todos-1");
const PURCHASES: ById = Table::new("lottery_purchases-1");
const DRAWS: ById = Table::new("lottery_draws-1");
const REQUESTS: ById = Table::new("contact_requests-1");
const TASKS: ByName = Table::new("tasks-1");
const DUE: Table<(&'static str, u64, &'static str), Value> = Table::new("tasks_due-2");
const RUNNING: ByName = Table::new("tasks_running-1");
const UNIQUE: ByName = Table::new("tasks_alone-1");
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
    Store::on_backend(Arc::new(memory), schema(), Clock::system(), Events::default())
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

/// The mail addresses of the customers' requests.
pub fn requests(store: &Store) -> Vec<String> {
    let requests = store.read_now(|tx| by_id(tx, &REQUESTS)).unwrap().into_values();
    requests.map(|request| request["details"]["email"].as_str().unwrap().to_owned()).collect()
}

/// What does not fit together, one line each.
pub fn flaws(store: &Store) -> Vec<String> {
    store
        .read_now(|tx| {
            let mut flaws = schema().flaws(tx)?.all();
            tasks(tx, &mut flaws)?;
            first_answers(tx, &mut flaws)?;
            Ok(flaws)
        })
        .unwrap()
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
    for entry in tx.entries(&DUE, ("", 0u64, "").., Order::Ascending) {
        let entry = entry?;
        let (lane, at, id) = entry.key();
        found.insert((lane.to_owned(), at, id.to_owned()));
    }
    compare("the queue", &due, &found, flaws);
    compare("what runs", &running, &by_name(tx, &RUNNING)?.into_keys().collect(), flaws);
    for (kind, id) in by_name(tx, &UNIQUE)? {
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
    for entry in tx.entries(&ANSWERS_BY_TIME, (0u64, "").., Order::Ascending) {
        let entry = entry?;
        let (at, scope) = entry.key();
        found.insert((at, scope.to_owned()));
    }
    compare("first answers by time", &expected, &found, flaws);
    Ok(())
}

fn by_id(tx: &ReadTx, table: &ById) -> Result<BTreeMap<u64, Value>> {
    let entries = tx.entries(table, 0u64.., Order::Ascending);
    entries.map(|entry| entry.and_then(|entry| Ok((entry.key(), entry.value()?)))).collect()
}

fn by_name(tx: &ReadTx, table: &ByName) -> Result<BTreeMap<String, Value>> {
    let entries = tx.entries(table, "".., Order::Ascending);
    entries.map(|entry| entry.and_then(|entry| Ok((entry.key().to_owned(), entry.value()?)))).collect()
}

fn compare<T: Ord + std::fmt::Debug>(what: &str, rows: &BTreeSet<T>, index: &BTreeSet<T>, flaws: &mut Vec<String>) {
    let missing: Vec<_> = rows.difference(index).take(3).collect();
    let dangling: Vec<_> = index.difference(rows).take(3).collect();
    if !missing.is_empty() || !dangling.is_empty() {
        flaws.push(format!("{what}: not in the index {missing:?}, without a row {dangling:?}"));
    }
}

fn instant(value: &Value) -> Option<DateTime<Utc>> {
    value.as_str().map(|text| text.parse().unwrap())
}

fn millis(at: DateTime<Utc>) -> u64 {
    at.timestamp_millis() as u64
}
