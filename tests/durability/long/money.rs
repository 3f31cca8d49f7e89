//! SIGKILL in the middle of sales, orders and imports of items: each is there whole or not at all, what was acknowledged is
//! there, and what was under way is there once when it is asked for again under its key.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::appliance::Appliance;
use crate::dice::Dice;
use crate::http::Caller;
use crate::installation::Installation;
use crate::{rounds, tables};

/// Shares that are there at the beginning, of which one is sold at a time.
const SHARES: u64 = 1_000_000;
const PRICE: u64 = 1_000;
/// Rows of each table that is imported.
const ROWS: usize = 40;
const PAPER_CASH: i64 = 100_000_000;

/// Somebody who does one thing without a pause, under a key each time.
struct Writer {
    work: Work,
    serial: u64,
    /// The ids that were acknowledged, by serial.
    told: BTreeMap<u64, Value>,
    under_way: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
enum Work {
    Sell,
    Order,
    Import,
}

impl Writer {
    fn write_until_the_end(&mut self, mut caller: Caller) {
        loop {
            self.serial += 1;
            self.under_way = Some(self.serial);
            let Ok(id) = self.ask(&mut caller, self.serial) else { return };
            self.note(id);
        }
    }

    fn note(&mut self, id: Value) {
        self.told.extend(self.under_way.take().map(|serial| (serial, id)));
    }

    fn ask(&self, caller: &mut Caller, serial: u64) -> io::Result<Value> {
        let key = format!("{:?}-{serial}", self.work);
        let answer = match self.work {
            Work::Sell => {
                let sale = json!({"quantity": 1, "sell_price": PRICE});
                caller.send("POST", "/api/portfolio/1/sell", Some(&sale), Some(&key))?.ok()["record"]["id"].clone()
            }
            Work::Order => {
                let order = json!({"symbol": "005930", "side": "buy", "quantity": 1, "price": PRICE});
                let placed = caller.send("POST", "/api/trade/order", Some(&order), Some(&key))?.ok();
                // Outside the session it waits, and no more than so many may.
                let _ = caller.delete(&format!("/api/trade/orders/{}", placed["id"]))?;
                placed["id"].clone()
            }
            Work::Import => {
                let rows: String = (0..ROWS).map(|row| format!("나 증권,A{row},{},1\n", row + 1)).collect();
                let table = format!("broker,symbol,quantity,avg_price\n{rows}");
                let added = caller.send_text("/api/portfolio/import", "text/csv", &table)?.ok()["added"].clone();
                let undone = caller.post("/api/portfolio/import/undo", &Value::Null)?.ok()["removed"].clone();
                assert_eq!((&added, &undone), (&json!(ROWS), &json!(ROWS)));
                json!(serial)
            }
        };
        Ok(answer)
    }
}

#[test]
fn killed_in_a_sale_an_order_or_an_import_it_is_there_whole_or_not_at_all() {
    let (seed, mut dice) = Dice::of_this_run();
    let rounds = rounds(3, 300);
    let installation = Installation::new().with("HANOK_MARKET__SYNC", "false");
    let mut appliance = installation.serve();
    let mut caller = appliance.caller();
    let item =
        json!({"broker": "가 증권", "symbol": "005930", "quantity": SHARES, "avg_price": 1, "current_price": PRICE});
    caller.post("/api/portfolio", &item).unwrap().ok();
    let mut writers = [Work::Sell, Work::Order, Work::Import].map(|work| Writer {
        work,
        serial: 0,
        told: BTreeMap::new(),
        under_way: None,
    });
    for round in 0..rounds {
        let alive = Duration::from_millis(dice.between(20, 400));
        let callers = writers.each_ref().map(|_| appliance.caller());
        let process = Mutex::new(Some(appliance));
        thread::scope(|scope| {
            for (writer, caller) in writers.iter_mut().zip(callers) {
                scope.spawn(|| writer.write_until_the_end(caller));
            }
            thread::sleep(alive);
            process.lock().unwrap().take().unwrap().kill();
        });
        let mut wrong = tables::flaws(&tables::open_file(&installation.store()).unwrap());
        appliance = installation.serve();
        wrong.extend(wrong_after(&appliance, &mut writers));
        assert!(wrong.is_empty(), "seed {seed}, round {round}:\n{}", wrong.join("\n"));
    }
    appliance.end();
    let told = writers.each_ref().map(|writer| writer.told.len());
    println!("{rounds} rounds of SIGKILL: {told:?} sales, orders and imports acknowledged, none lost; seed {seed}");
    assert!(told.iter().all(|count| *count >= rounds), "{told:?}");
}

fn wrong_after(appliance: &Appliance, writers: &mut [Writer; 3]) -> Vec<String> {
    let mut caller = appliance.caller();
    let mut wrong = wrong_sums(&mut caller);
    match imported(&mut caller) {
        0 => {}
        ROWS => drop(caller.post("/api/portfolio/import/undo", &Value::Null).unwrap().ok()),
        some => wrong.push(format!("{some} of the {ROWS} rows of a table are there")),
    }
    for writer in writers.iter_mut() {
        let Some(serial) = writer.under_way else { continue };
        let id = writer.ask(&mut caller, serial).unwrap();
        let is_told = writer.told.values().any(|known| *known == id);
        wrong.extend(is_told.then(|| format!("{:?} {serial} has the id {id} of another", writer.work)));
        writer.note(id);
    }
    let [sales, orders, _] = writers;
    let sold = all(&mut caller, "/api/portfolio/sell-history", "records");
    let placed = all(&mut caller, "/api/trade/orders", "orders");
    for (writer, there, what) in [(&*sales, &sold, "sales"), (&*orders, &placed, "orders")] {
        let count = writer.told.len();
        wrong.extend(
            (there.len() != count).then(|| format!("{} {what} are there, {count} were asked for", there.len())),
        );
    }
    let left = imported(&mut caller);
    wrong.extend((left != 0).then(|| format!("{left} imported rows are left")));
    wrong.extend(wrong_sums(&mut caller));
    wrong
}

/// How many items are there beside the one that is sold.
fn imported(caller: &mut Caller) -> usize {
    caller.get("/api/portfolio").unwrap().ok()["items"].as_array().unwrap().len() - 1
}

/// What does not add up: shares and cash of the sales, cash of the paper account.
fn wrong_sums(caller: &mut Caller) -> Vec<String> {
    let mut wrong = Vec::new();
    let portfolio = caller.get("/api/portfolio").unwrap().ok();
    let sold = all(caller, "/api/portfolio/sell-history", "records").len() as u64;
    let left = portfolio["items"][0]["quantity"].as_str().unwrap().parse::<u64>().unwrap();
    wrong.extend((left + sold != SHARES).then(|| format!("{left} shares are left of {SHARES}, {sold} were sold")));
    let cash = portfolio["cash"].as_array().unwrap().iter().map(|cash| cash["cash"].as_u64().unwrap()).sum::<u64>();
    wrong.extend((cash != sold * PRICE).then(|| format!("{cash} won came of {sold} sales")));
    let won = |value: &Value| value.as_str().map_or_else(|| value.as_i64().unwrap_or(0), |text| text.parse().unwrap());
    let paid = |order: &Value| won(&order["average_price"]) * won(&order["filled_quantity"]) + won(&order["fees"]);
    let spent: i64 = all(caller, "/api/trade/orders", "orders").iter().map(paid).sum();
    let account = won(&caller.get("/api/trade/balance").unwrap().ok()["cash"]);
    wrong.extend((account + spent != PAPER_CASH).then(|| format!("{account} won are left, {spent} were spent")));
    wrong
}

/// Every row of a list.
fn all(caller: &mut Caller, path: &str, name: &str) -> Vec<Value> {
    let mut rows: Vec<Value> = Vec::new();
    loop {
        let page = caller.get(&format!("{path}?limit=500&offset={}", rows.len())).unwrap().ok();
        rows.extend(page[name].as_array().unwrap().iter().cloned());
        if rows.len() as u64 >= page["total"].as_u64().unwrap() {
            return rows;
        }
    }
}
