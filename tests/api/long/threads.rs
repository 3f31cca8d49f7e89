//! The threads that answer serve many connections each: no handler may hold its thread, neither by computing nor by
//! waiting for a disk.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hanok::platform::config::Config;
use hanok::platform::http::watchdog::{self, Held, Step};
use hanok::platform::http::{Acceptor, Balancer, ConnectionLimits, Door, DoorKind, guarded};
use reqwest::Method;
use salvo::{Router, Server, handler};
use serde_json::{Value, json};

use crate::bot;
use crate::changes::{PASSPHRASE, make_every_change};
use crate::document::Document;
use crate::house::{Caller, House, answer};
use crate::raw::Wire;
use crate::screener;
use crate::visitors::Everybody;

/// For how long a step of a request may hold its thread.
pub const LIMIT: Duration = Duration::from_millis(20);

/// How often the limit a step computes before it is named at its first time. What a shared processor does for others counts
/// as computing here as far as it is not known as stolen, which is told in ticks: a short step looks long once, not twice.
const COMPUTED_FOR_SURE: u32 = 3;

/// One line for each step at the door that held its thread too long.
pub fn held_at(door: SocketAddr) -> Vec<String> {
    let held = watchdog::held_at(door);
    named(&held).into_iter().map(|Held { route, step, .. }| format!("{route} held its thread: {step:?}")).collect()
}

/// Which of what was found is the fault of the code: who waits, or computes for sure, at once, and who computes less at the
/// second time of the same route.
fn named(held: &[Held]) -> Vec<&Held> {
    let times = |route: &str| held.iter().filter(|other| other.route == route).count();
    let sure = |one: &Held| one.step.blocked > LIMIT || one.step.computed() > COMPUTED_FOR_SURE * LIMIT;
    held.iter().filter(|one| sure(one) || times(&one.route) > 1).collect()
}

#[test]
fn who_computes_for_sure_or_waits_is_named_at_once_and_who_computes_a_little_long_at_the_second_time() {
    let found = |route: &str, computed: u64, blocked: u64| {
        let stolen = Duration::from_millis(90);
        let (computing, blocked) = (stolen + Duration::from_millis(computed), Duration::from_millis(blocked));
        let door = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        Held { door, route: route.to_owned(), step: Step { computing, stolen, blocked } }
    };
    let routes = |held: &[Held]| named(held).into_iter().map(|one| one.route.clone()).collect::<Vec<_>>();
    assert_eq!(routes(&[found("a", 21, 0), found("b", 60, 0)]), [""; 0], "each looked long once");
    assert_eq!(routes(&[found("a", 21, 0), found("b", 25, 0), found("a", 21, 0)]), ["a", "a"]);
    assert_eq!(routes(&[found("a", 61, 0), found("b", 21, 0)]), ["a"], "no machine does that by itself");
    assert_eq!(routes(&[found("a", 1, 21), found("b", 21, 0)]), ["a"], "it waited by its own doing");
}

#[tokio::test]
async fn no_change_that_succeeds_holds_its_thread() {
    watchdog::turn_on(LIMIT);
    let bot = bot::unclear().await;
    let mut house = House::open_on_the_network(PASSPHRASE).await;
    house.config.set(bot::settings(&bot));
    let exchange = screener::exchange().await;
    house.config.set(screener::settings_of(&exchange));
    let house = house.restart().await;
    make_every_change(&house, 2).await;
    let held = held_at(house.appliance.ops_address());
    assert!(held.is_empty(), "{}", held.join("\n"));
}

#[tokio::test]
async fn in_a_full_house_no_handler_holds_its_thread() {
    watchdog::turn_on(LIMIT);
    // How long a thread is held is asked here, not how fast a busy machine answers.
    let house = House::open_with(|config| config.http.request_seconds = 600).await;
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
    // Each twice: who computes a little too long is named at the second time.
    for key in ["k-1", "k-2"] {
        for path in ["/api/lotto/briefing", "/api/lotto/report", "/api/admin/simulate?top_k=1000&best_n=100"] {
            household.post(path, json!({})).await.ok();
        }
        let long = "가".repeat(300_000);
        household.post("/api/todos", json!({"title": long})).await.refused(422, "INVALID_INPUT");
        let keyed = household.request(Method::POST, "/api/todos").header("idempotency-key", key);
        answer(keyed.json(&json!({"title": long}))).await.refused(422, "INVALID_INPUT");
    }
    let everybody = Everybody::of(&house).await;
    for _ in 0..3 {
        read_everything(&household).await;
        read_everything(&everybody).await;
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
        let mut path = path.collect::<Vec<_>>().join("/") + &operation.least_query;
        if takes_limit {
            path += if operation.least_query.is_empty() { "?limit=500" } else { "&limit=500" };
        }
        let answer = door.get(&path).await;
        let is_well = match operation.leads_on {
            true => answer.status == 303,
            false => answer.status.is_success() || answer.status == 404,
        };
        assert!(is_well, "{path}: {answer:?}");
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
    let service = guarded(&config, Door { kind: DoorKind::Ops, address, routes, error_pages: None });
    let rules = Arc::new(ConnectionLimits::new(&config, DoorKind::Ops, 100));
    let doorway = Acceptor::new(listener, rules, Balancer::among(1), 0).unwrap();
    let serving = tokio::spawn(Server::new(doorway).serve(service));
    // Twice each: a step that had to read a page of the program from the disk is forgiven its waiting.
    for path in ["sleeps", "sleeps", "computes", "computes", "waits", "waits"] {
        let mut wire = Wire::to(address).await;
        wire.say(format!("GET /{path} HTTP/1.1\r\nHost: localhost\r\n\r\n")).await;
        wire.hear().await.unwrap();
    }
    serving.abort();
    let mut found: Vec<(String, bool)> =
        watchdog::held_at(address).into_iter().map(|held| (held.route, held.step.blocked > LIMIT)).collect();
    found.dedup();
    assert_eq!(found, [("GET /sleeps".to_owned(), true), ("GET /computes".to_owned(), false)]);
}
