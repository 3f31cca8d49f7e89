//! Somebody who writes without a pause and remembers every answer: what was acknowledged must be there afterwards,
//! and what was under way when the connection ended may be there whole or not at all.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::http::{Answer, Caller};

/// A writer and what it was told.
pub struct Writer {
    name: String,
    dice: Dice,
    caller: Caller,
    serial: u64,
    known: [BTreeMap<u64, Value>; 2],
    /// Tasks that were accepted.
    pub tasks: Vec<String>,
    under_way: Option<UnderWay>,
    /// Acknowledged writes.
    pub acknowledged: u64,
    /// Refusals for lack of room.
    pub refused: u64,
}

/// The two kinds of rows that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Todo,
    Purchase,
}

/// A request whose answer has not come.
#[derive(Debug, Clone)]
struct UnderWay {
    kind: Kind,
    action: Action,
}

#[derive(Debug, Clone)]
enum Action {
    Add { body: Value, key: Option<String> },
    Change { id: u64, fields: Value },
    Remove { id: u64 },
    Task,
}

impl Kind {
    const ALL: [Kind; 2] = [Kind::Todo, Kind::Purchase];

    fn path(self) -> &'static str {
        match self {
            Kind::Todo => "/api/todos",
            Kind::Purchase => "/api/lotto/purchase",
        }
    }

    fn plural(self) -> &'static str {
        match self {
            Kind::Todo => "todos",
            Kind::Purchase => "purchases",
        }
    }

    /// The field that carries the writer's mark.
    fn mark(self) -> &'static str {
        match self {
            Kind::Todo => "title",
            Kind::Purchase => "note",
        }
    }
}

impl Writer {
    pub fn new(number: usize, address: SocketAddr, seed: u64) -> Writer {
        Writer {
            name: format!("w{number}"),
            dice: Dice::new(seed ^ (number as u64) << 32),
            caller: Caller::to(address),
            serial: 0,
            known: Default::default(),
            tasks: Vec::new(),
            under_way: None,
            acknowledged: 0,
            refused: 0,
        }
    }

    /// The appliance came up again somewhere else.
    fn move_to(&mut self, address: SocketAddr) {
        self.caller = Caller::to(address);
    }

    /// Writes until the connection ends or `enough` says so.
    pub fn write_until(&mut self, mut enough: impl FnMut() -> bool) {
        while !enough() && self.write_once().is_ok() {}
    }

    /// One request of chance. An error means that its fate is not known.
    pub fn write_once(&mut self) -> io::Result<()> {
        let action = self.choose();
        self.under_way = Some(action.clone());
        let answer = self.send(&action)?;
        self.under_way = None;
        self.note(&action, answer);
        Ok(())
    }

    fn choose(&mut self) -> UnderWay {
        let kind = Kind::ALL[self.dice.below(2)];
        let known = &self.known[kind as usize];
        let ids: Vec<u64> = known.keys().copied().collect();
        let action = match self.dice.below(100) {
            0..3 => Action::Task,
            3..45 if ids.len() < 40 => self.new_row(kind),
            0..50 if ids.is_empty() => self.new_row(kind),
            _ if ids.is_empty() => Action::Task,
            3..80 => {
                let id = ids[self.dice.below(ids.len())];
                let fields = match kind {
                    Kind::Todo => json!({"done": self.dice.chance(50), "note": self.words()}),
                    Kind::Purchase => json!({"draw_no": self.dice.between(1200, 1250), "amount": 1000}),
                };
                Action::Change { id, fields }
            }
            _ => Action::Remove { id: ids[self.dice.below(ids.len())] },
        };
        UnderWay { kind, action }
    }

    fn new_row(&mut self, kind: Kind) -> Action {
        self.serial += 1;
        let mark = format!("{} #{}", self.name, self.serial);
        let body = match kind {
            Kind::Todo => {
                let due = self.dice.chance(50).then(|| format!("2026-12-{:02}", self.dice.between(1, 29)));
                json!({"title": mark, "note": self.words(), "due": due})
            }
            Kind::Purchase => {
                let sets: Vec<Vec<u64>> = (0..self.dice.between(1, 6)).map(|_| self.dice.lottery_numbers()).collect();
                json!({"note": mark, "draw_no": self.dice.between(1200, 1250), "sets": sets})
            }
        };
        let key = self.dice.chance(50).then(|| {
            // Names may be Korean, and a key is visible ASCII.
            let mark: String = mark.bytes().map(|byte| format!("{byte:02x}")).collect();
            format!("{mark}-{}", kind.plural())
        });
        Action::Add { body, key }
    }

    fn words(&mut self) -> String {
        let length = self.dice.below(400);
        "화분에 물 주기 ".chars().cycle().take(length).collect::<String>().trim().to_owned()
    }

    fn send(&mut self, UnderWay { kind, action }: &UnderWay) -> io::Result<Answer> {
        let path = kind.path();
        match action {
            Action::Add { body, key } => self.caller.send("POST", path, Some(body), key.as_deref()),
            Action::Change { id, fields } => self.caller.put(&format!("{path}/{id}"), fields),
            Action::Remove { id } => self.caller.delete(&format!("{path}/{id}")),
            Action::Task => self.caller.post("/api/lotto/sync", &Value::Null),
        }
    }

    fn note(&mut self, UnderWay { kind, action }: &UnderWay, answer: Answer) {
        if answer.status == 507 {
            assert_eq!(answer.code(), "STORAGE_FULL");
            self.refused += 1;
            return;
        }
        let body = answer.ok();
        self.acknowledged += 1;
        let known = &mut self.known[*kind as usize];
        match action {
            Action::Add { .. } => drop(known.insert(body["id"].as_u64().unwrap(), body)),
            Action::Change { id, .. } => drop(known.insert(*id, body)),
            Action::Remove { id } => drop(known.remove(id)),
            Action::Task => self.tasks.push(body["task_id"].as_str().unwrap().to_owned()),
        }
    }

    /// Compares what is there with what was acknowledged, and goes on from what is there. What is wrong, one line each.
    fn check(&mut self, there: &There) -> Vec<String> {
        let mut wrong = Vec::new();
        let under_way = self.under_way.take();
        for kind in Kind::ALL {
            let ours = there.marked(kind, &self.name);
            let under_way = under_way.as_ref().filter(|request| request.kind == kind);
            wrong.extend(differences(&self.name, &self.known[kind as usize], &ours, under_way));
            self.known[kind as usize] = ours;
        }
        let lost = self.tasks.iter().filter(|id| !there.tasks.contains_key(*id));
        wrong.extend(lost.map(|id| format!("{}: the task {id} was accepted and is gone", self.name)));
        if let Some(UnderWay { kind, action: Action::Add { body, key: Some(key) } }) = under_way {
            wrong.extend(self.ask_again(kind, body, &key));
        }
        wrong
    }

    /// The same request with the same key: the row is there once, whether the first one had been done or not.
    fn ask_again(&mut self, kind: Kind, body: Value, key: &str) -> Option<String> {
        let row = self.caller.send("POST", kind.path(), Some(&body), Some(key)).unwrap().ok();
        let known = &mut self.known[kind as usize];
        let same = |row: &Value| row[kind.mark()] == body[kind.mark()];
        let before = known.values().find(|row| same(row)).cloned();
        known.insert(row["id"].as_u64().unwrap(), row.clone());
        match before {
            Some(before) if before != row => Some(format!("{}: {before} was done again as {row}", self.name)),
            _ => None,
        }
    }
}

fn differences(
    name: &str,
    known: &BTreeMap<u64, Value>,
    there: &BTreeMap<u64, Value>,
    under_way: Option<&UnderWay>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for (id, row) in known {
        let may_be_gone = matches!(under_way, Some(UnderWay { action: Action::Remove { id: gone }, .. }) if gone == id);
        match there.get(id) {
            Some(found) if found == row => {}
            Some(found) => match under_way {
                Some(UnderWay { action: Action::Change { id: changed, fields }, .. })
                    if changed == id && has(found, fields) => {}
                _ => wrong.push(format!("{name}: {id} was acknowledged as {row} and is {found}")),
            },
            None if may_be_gone => {}
            None => wrong.push(format!("{name}: {id} was acknowledged as {row} and is gone")),
        }
    }
    for (id, found) in there.iter().filter(|(id, _)| !known.contains_key(id)) {
        let is_under_way =
            matches!(under_way, Some(UnderWay { action: Action::Add { body, .. }, .. }) if has(found, body));
        if !is_under_way {
            wrong.push(format!("{name}: {id} is there as {found} and nobody was told"));
        }
    }
    wrong
}

/// Whether `row` has all of `fields`.
fn has(row: &Value, fields: &Value) -> bool {
    fields.as_object().unwrap().iter().all(|(name, value)| &row[name] == value)
}

/// What is wrong with the household that came up again at `address`, by its own word and by that of `writers`, who go
/// on there.
pub fn wrong_after(address: SocketAddr, writers: &mut [Writer]) -> Vec<String> {
    let there = There::read(&mut Caller::to(address));
    let mut wrong = there.flaws();
    for writer in writers {
        writer.move_to(address);
        wrong.extend(writer.check(&there));
    }
    wrong
}

/// What the appliance shows of everything that is written.
struct There {
    rows: [Vec<Value>; 2],
    tasks: BTreeMap<String, Value>,
    statistics: Value,
}

impl There {
    /// Asks for all of it.
    fn read(caller: &mut Caller) -> There {
        let mut all = |path: &str, plural: &str| {
            let mut rows = Vec::new();
            loop {
                let page = caller.get(&format!("{path}?limit=500&offset={}", rows.len())).unwrap().ok();
                rows.extend(page[plural].as_array().unwrap().iter().cloned());
                if rows.len() as u64 >= page["total"].as_u64().unwrap() {
                    return rows;
                }
            }
        };
        let rows = Kind::ALL.map(|kind| all(kind.path(), kind.plural()));
        let tasks = all("/api/system/jobs", "jobs").into_iter();
        let tasks = tasks.map(|task| (task["id"].as_str().unwrap().to_owned(), task)).collect();
        There { rows, tasks, statistics: caller.get("/api/lotto/purchase/stats").unwrap().ok() }
    }

    fn marked(&self, kind: Kind, name: &str) -> BTreeMap<u64, Value> {
        let mark = format!("{name} #");
        let ours = |row: &&Value| row[kind.mark()].as_str().is_some_and(|text| text.starts_with(&mark));
        let rows = self.rows[kind as usize].iter().filter(ours);
        rows.map(|row| (row["id"].as_u64().unwrap(), row.clone())).collect()
    }

    /// What does not fit together in what is shown, one line each.
    fn flaws(&self) -> Vec<String> {
        let mut flaws = Vec::new();
        let purchases = &self.rows[Kind::Purchase as usize];
        let sum = |field: &str| purchases.iter().map(|row| row[field].as_u64().unwrap_or(0)).sum::<u64>();
        let expected = json!({
            "total_records": purchases.len(),
            "total_games": sum("count"),
            "total_invested": sum("amount"),
            "total_prize": sum("prize"),
            "prize_count": purchases.iter().filter(|row| row["prize"].as_u64() > Some(0)).count(),
            "max_prize": purchases.iter().filter_map(|row| row["prize"].as_u64()).max().unwrap_or(0),
            "waiting": purchases.iter().filter(|row| row["status"] == "waiting").count(),
        });
        if !has(&self.statistics, &expected) {
            flaws.push(format!("the purchases add up to {expected}, shown is {}", self.statistics));
        }
        let todos = &self.rows[Kind::Todo as usize];
        let place = |todo: &Value| {
            let done_at = todo["done_at"].as_str().map(|at| at.parse::<chrono::DateTime<chrono::Utc>>().unwrap());
            let newest_first = u64::MAX - todo["id"].as_u64().unwrap();
            match done_at {
                Some(at) => (1, String::new(), i64::MAX - at.timestamp_millis(), newest_first),
                None => (0, todo["due"].as_str().unwrap_or("9999-99-99").to_owned(), 0, newest_first),
            }
        };
        if !todos.is_sorted_by_key(place) {
            flaws.push("the todos are not in their order".to_owned());
        }
        flaws
    }
}
