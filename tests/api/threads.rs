//! The threads that answer serve many connections each: no handler may hold its thread, neither by computing nor by
//! waiting for a disk.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hanok::platform::config::Config;
use hanok::platform::http::watchdog::{self, Held};
use hanok::platform::http::{Door, DoorKind, Doorway, Rules, Shares, guarded};
use reqwest::Method;
use salvo::{Router, Server, handler};
use serde_json::{Value, json};

use crate::changes::{PASSPHRASE, make_every_change};
use crate::document::Document;
use crate::house::{Caller, House, answer};
use crate::raw::Wire;

/// For how long a step of a request may hold its thread.
pub const LIMIT: Duration = Duration::from_millis(20);

/// One line for each step at the door that held its thread too long: once is enough to be named.
pub fn held_at(door: SocketAddr) -> Vec<String> {
    let held = watchdog::held_at(door).into_iter();
    held.map(|Held { route, step, .. }| format!("{route} held its thread: {step:?}")).collect()
}

#[tokio::test]
async fn no_change_that_succeeds_holds_its_thread() {
    watchdog::turn_on(LIMIT);
    let house = House::open_on_the_network(PASSPHRASE).await;
    make_every_change(&house, 2).await;
    let held = held_at(house.appliance.ops_address());
    assert!(held.is_empty(), "{}", held.join("\n"));
}

#[tokio::test]
async fn in_a_full_house_no_handler_holds_its_thread() {
    watchdog::turn_on(LIMIT);
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    household.post("/api/system/backups", Value::Null).await.ok();
    fill(&house.config.data.dir);
    let set = json!([[4, 5, 25, 28, 32, 42], [1, 2, 3, 4, 5, 6], [3, 11, 17, 24, 38, 44]]);
    for number in 0..120 {
        let title = format!("할 일 {number}");
        household.post("/api/todos", json!({"title": title, "note": "가나다 ".repeat(400)})).await.ok();
        household
            .post("/api/lotto/purchase", json!({"draw_no": 1246, "sets": set, "note": "매주".repeat(100)}))
            .await
            .ok();
    }
    for path in ["/api/lotto/briefing", "/api/lotto/report", "/api/admin/simulate?top_k=1000&best_n=100"] {
        household.post(path, json!({})).await.ok();
    }
    let long = "가".repeat(300_000);
    household.post("/api/todos", json!({"title": long})).await.refused(422, "INVALID_INPUT");
    let keyed = household.request(Method::POST, "/api/todos").header("idempotency-key", "k-1");
    answer(keyed.json(&json!({"title": long}))).await.refused(422, "INVALID_INPUT");
    for _ in 0..3 {
        read_everything(&household).await;
        read_everything(&house.passer_by()).await;
    }
    let held = [held_at(house.appliance.ops_address()), held_at(house.appliance.site_address())].concat();
    assert!(held.is_empty(), "{}", held.join("\n"));
}

/// Every read of a door, by its document, with as many rows as it gives.
async fn read_everything(door: &impl Caller) {
    let reads = Document::of(door).await.operations().into_iter().filter(|operation| operation.method == Method::GET);
    for operation in reads.filter(|operation| operation.path != "/api/events") {
        let takes_limit = operation.query.iter().any(|(name, _)| name == "limit");
        let path = operation.path.split('/').map(|part| if part.starts_with('{') { "1246" } else { part });
        let query = match operation.id.as_str() {
            "lottery_co_winners" => "?numbers=1,9,17,25,33,41",
            _ if takes_limit => "?limit=500",
            _ => "",
        };
        let path = path.collect::<Vec<_>>().join("/") + query;
        let answer = door.get(&path).await;
        assert!(answer.status.is_success() || answer.status == 404, "{path}: {answer:?}");
    }
    for path in ["/metrics", "/", "/lotto", "/no-such-page"] {
        door.get(path).await;
    }
}

/// Very many blobs and snapshots, so that whoever lists them needs a while.
fn fill(data: &Path) {
    std::fs::create_dir_all(data.join("blobs")).unwrap();
    for number in 0..30_000 {
        std::fs::File::create(data.join(format!("blobs/{number:064x}"))).unwrap();
    }
    let backups = data.join("backups");
    let mut listed = std::fs::read_dir(&backups).unwrap().map(|entry| entry.unwrap().path());
    let described = listed.find(|path| path.extension().is_some_and(|ending| ending == "json")).unwrap();
    let snapshot: Value = serde_json::from_slice(&std::fs::read(&described).unwrap()).unwrap();
    let name = snapshot["name"].as_str().unwrap();
    let file = std::fs::read_dir(&backups).unwrap().map(|entry| entry.unwrap().path());
    let file = file.filter(|path| *path != described).find(|path| path.to_string_lossy().contains(name)).unwrap();
    let ending = file.extension().unwrap().to_str().unwrap().to_owned();
    for number in 0..1_000 {
        let copy = format!("{name}-{number}");
        let mut described = snapshot.clone();
        described["name"] = json!(copy);
        std::fs::hard_link(&file, backups.join(format!("{copy}.{ending}"))).unwrap();
        std::fs::write(backups.join(format!("{copy}.json")), described.to_string()).unwrap();
    }
}

#[handler]
async fn sleeps() {
    std::thread::sleep(2 * LIMIT);
}

#[handler]
async fn computes() {
    let begun = Instant::now();
    while begun.elapsed() < 20 * LIMIT {}
}

#[handler]
async fn waits() {
    tokio::time::sleep(2 * LIMIT).await;
}

#[tokio::test]
async fn a_handler_that_blocks_and_one_that_computes_are_found_and_one_that_waits_is_not() {
    watchdog::turn_on(LIMIT);
    let config = Config::default();
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let routes = Router::new()
        .push(Router::with_path("sleeps").get(sleeps))
        .push(Router::with_path("computes").get(computes))
        .push(Router::with_path("waits").get(waits));
    let service = guarded(&config, Door { kind: DoorKind::Ops, address, routes });
    let rules = Arc::new(Rules::new(&config, DoorKind::Ops, 100));
    let doorway = Doorway::new(listener, rules, Shares::among(1), 0).unwrap();
    let serving = tokio::spawn(Server::new(doorway).serve(service));
    for path in ["sleeps", "computes", "waits"] {
        let mut wire = Wire::to(address).await;
        wire.say(format!("GET /{path} HTTP/1.1\r\nHost: localhost\r\n\r\n")).await;
        wire.hear().await.unwrap();
    }
    serving.abort();
    let found: Vec<(String, bool)> =
        watchdog::held_at(address).into_iter().map(|held| (held.route, held.step.blocked > LIMIT)).collect();
    assert_eq!(found, [("GET /sleeps".to_owned(), true), ("GET /computes".to_owned(), false)]);
}
