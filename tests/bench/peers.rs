//! The product next to its peers: the same data, the same caller, the same machine, in turns.
//!
//! Every server keeps its usual settings and writes its usual line for each request. Where a peer can be run
//! in a faster way than the usual one (two worker processes for FastAPI), that is measured too.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use serde_json::{Value, json};

use crate::client::{ask, get, post, send_all};
use crate::data;
use crate::house::{House, fresh_folder};
use crate::report::Report;
use crate::servers::{self, Ask, Process, Server, Task, compare, in_turns, table};

/// Purchases that every server has before it is measured.
const PURCHASES: u64 = 3_000;

/// Measures everything in turns.
pub fn run(report: &mut Report, binary: &Path) {
    let folder = fresh_folder("peers");
    let house = House::open(binary, &folder.join("hanok"));
    let mut servers = vec![hanok(&house)];
    let mut twins = Vec::new();
    for (name, workers) in servers::TWINS {
        let place = folder.join(format!("fastapi-{workers}"));
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("draws.json"), serde_json::to_string(data::draws()).unwrap()).unwrap();
        let twin = Process::fastapi(&place, "fastapi_sqlite:app", workers);
        servers.push(fastapi(name, &twin));
        twins.push(twin);
    }
    let pocket = Process::pocketbase(&folder.join("pocketbase"), None);
    servers.push(pocketbase(&pocket));

    let tasks = [Task::Latest, Task::List, Task::One, Task::Write];
    in_turns(&mut servers, &tasks);
    table("Peers", &servers, &tasks);
    report.begin("Against the peers");
    for (task, peer, least) in [
        (Task::Latest, 1, 15.0),
        (Task::Write, 1, 5.0),
        (Task::List, 1, 15.0),
        (Task::List, 3, 4.0),
        (Task::One, 3, 4.0),
        (Task::Write, 3, 2.0),
    ] {
        compare(report, &servers[0], &servers[peer], task, least);
    }
}

fn hanok(house: &House) -> Server {
    data::add_purchases(house.door, "/api/lotto/purchase", 0..PURCHASES);
    let newest = data::draws().last().map_or(1, |draw| draw.draw_no);
    let one = (0..50).map(|back| get(&format!("/api/lotto/draws/{}", newest - back))).collect();
    let mut asks = as_of_the_household(house.door);
    asks.push((Task::One, house.door, one));
    Server::new("hanok", house.process(), asks)
}

fn fastapi(name: &'static str, twin: &Process) -> Server {
    data::add_purchases(twin.door, "/api/lotto/purchase", 0..PURCHASES);
    Server::new(name, twin.id(), as_of_the_household(twin.door))
}

/// What hanok and its twin are asked at the same addresses.
fn as_of_the_household(door: SocketAddr) -> Vec<Ask> {
    vec![
        (Task::Latest, door, vec![get("/api/lotto/latest")]),
        (Task::List, door, vec![get("/api/lotto/purchase?limit=30")]),
        (Task::Write, door, data::posts("/api/lotto/purchase", (0..1_000).map(data::purchase))),
    ]
}

fn pocketbase(pocket: &Process) -> Server {
    let door = pocket.door;
    servers::add_collections(door, &[purchases_collection(), draws_collection()]);
    let path = "/api/collections/purchases/records";
    let rows = |numbers: std::ops::Range<u64>| numbers.map(|number| checked(&data::purchase(number)));
    let filled = send_all(door, data::posts(path, rows(0..PURCHASES)), 16);
    assert_eq!(filled, PURCHASES as usize, "purchases were refused");
    let newest = data::draws().iter().rev().take(50);
    let one = newest.map(|draw| {
        let (status, answer) =
            ask(door, &post("/api/collections/draws/records", &serde_json::to_string(draw).unwrap()));
        assert_eq!(status, 200, "{answer}");
        let made: Value = serde_json::from_str(&answer).unwrap();
        get(&format!("/api/collections/draws/records/{}", made["id"].as_str().unwrap()))
    });
    let asks: Vec<Ask> = vec![
        (Task::List, door, vec![get(&format!("{path}?perPage=30&sort=-draw_no,-created_at"))]),
        (Task::One, door, one.collect()),
        (Task::Write, door, data::posts(path, rows(0..1_000))),
    ];
    Server::new("PocketBase", pocket.id(), asks)
}

/// A purchase as hanok keeps it once it is checked: PocketBase is spared that work and gets the result.
fn checked(purchase: &Value) -> Value {
    let results: Vec<Value> = purchase["sets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|set| json!({"numbers": set, "rank": null, "matched": [set[0]], "bonus_matched": false, "prize": 0}))
        .collect();
    json!({
        "draw_no": purchase["draw_no"], "sets": purchase["sets"], "count": 2, "numbers_known": true,
        "amount": 2000, "note": purchase["note"], "tier_mode": "", "status": "checked",
        "results": results, "prize": 0, "net": -2000,
    })
}

fn purchases_collection() -> Value {
    let field = |name: &str, kind: &str| json!({"name": name, "type": kind});
    json!({
        "name": "purchases", "type": "base", "listRule": "", "viewRule": "", "createRule": "",
        "fields": [
            field("draw_no", "number"), field("sets", "json"), field("count", "number"),
            field("numbers_known", "bool"), field("amount", "number"), field("note", "text"),
            {"name": "created_at", "type": "autodate", "onCreate": true}, field("tier_mode", "text"),
            field("status", "text"), field("results", "json"), field("prize", "number"), field("net", "number"),
        ],
        "indexes": [
            "CREATE INDEX purchases_by_draw ON purchases (draw_no DESC, created_at DESC)",
            "CREATE INDEX purchases_by_time ON purchases (created_at)",
            "CREATE INDEX purchases_by_prize ON purchases (prize)",
        ],
    })
}

fn draws_collection() -> Value {
    let field = |name: &str, kind: &str| json!({"name": name, "type": kind});
    json!({
        "name": "draws", "type": "base", "listRule": "", "viewRule": "", "createRule": "",
        "fields": [
            field("draw_no", "number"), field("date", "text"), field("numbers", "json"), field("bonus", "number"),
            field("total_sales", "number"), field("prizes", "json"), field("first_prize_methods", "json"),
            field("published", "text"),
        ],
        "indexes": ["CREATE UNIQUE INDEX draws_by_number ON draws (draw_no)"],
    })
}
