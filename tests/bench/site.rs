//! Search, the first page and the form of a request next to the peers of the field, all in one run: the same posts,
//! words and requests, the same caller, in turns.
//!
//! Every server keeps its usual settings. Five requests a minute are taken from one address, so hanok is told that a
//! proxy stands in front of it, and each form comes from another client of that proxy; the peers are sent the same
//! bytes. The first page of PocketBase is written by a hook, which is how it gives pages at all.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use crate::client::{ask, get, page, send_all, with_body, with_query};
use crate::data;
use crate::house::{House, fresh_folder};
use crate::report::Report;
use crate::search;
use crate::servers::{self, Ask, Process, Server, Task, compare, in_turns, table};

/// Posts that every server has before it is measured.
const POSTS: u64 = 20_000;
/// Clients of the proxy, each with a request of its own. At 8,000 a second each sends one in a round, three in all.
const CLIENTS: u32 = 40_000;
/// How many times the throughput of a peer is wanted.
const LEAST: f64 = 10.0;
/// What stands on every first page.
const ON_THE_PAGE: &str = "의뢰 시작하기";
/// What is looked for: what stands in the posts as it is asked for, frequent and rare, so that a LIKE finds it, too.
const ASKED: [&str; 12] = [
    "보험",
    "한라산",
    "한라산에서",
    "토마토",
    "빵",
    "고양이",
    "영수증",
    "병원 예약",
    "베란다",
    "생일",
    "backup",
    "아이 학교",
];

/// Measures everything in turns.
pub fn run(report: &mut Report, binary: &Path) {
    let folder = fresh_folder("site");
    let house = House::open_behind_proxy(binary, &folder.join("hanok"));
    let mut servers = vec![hanok(&house)];
    let mut finders = vec![Finder { name: "hanok", door: house.door, address: search::address, total: "total" }];
    let posts: Vec<Value> = (0..POSTS).map(post).collect();
    let mut twins = Vec::new();
    for (name, workers) in servers::TWINS {
        let place = folder.join(format!("fastapi-{workers}"));
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("posts.json"), serde_json::to_string(&posts).unwrap()).unwrap();
        let twin = Process::fastapi(&place, "site_sqlite:app", workers);
        servers.push(fastapi(name, &twin));
        finders.push(Finder { name, door: twin.door, address: search::address, total: "total" });
        twins.push(twin);
    }
    let pocket = Process::pocketbase(&folder.join("pocketbase"), Some("pb_hooks"));
    servers.push(pocketbase(&pocket));
    finders.push(Finder { name: "PocketBase", door: pocket.door, address: filter, total: "totalItems" });

    in_turns(&mut servers, &[Task::Page, Task::Search]);
    let found: Vec<(&str, String)> = ASKED.into_iter().map(|line| (line, found_by(&finders, line))).collect();
    // What follows a form, such as its mails, is not to be in the way of the others.
    in_turns(&mut servers, &[Task::Form]);
    table("Page, search and form", &servers, &[Task::Page, Task::Search, Task::Form]);
    report.begin("Page, search and form against the peers");
    for (line, found) in found {
        report.line(&format!("posts found by {line}"), found);
    }
    let clients = format!(
        "{CLIENTS} client addresses of 198.18.0.0/16, named by a proxy that hanok trusts (`http.trusted_proxies`): its \
         limit of five a minute from each is on"
    );
    report.line("a form is sent by", clients);
    for task in [Task::Page, Task::Search, Task::Form] {
        for peer in [1, 3] {
            compare(report, &servers[0], &servers[peer], task, LEAST);
        }
    }
}

fn hanok(house: &House) -> Server {
    fill(house.door, "/api/blog/posts", 64);
    search::until_taken(house.door, Instant::now());
    let searches = ASKED.iter().map(|line| get(&search::address(line))).collect();
    let asks: Vec<Ask> = vec![
        (Task::Page, house.site, first_page(house.site, "/")),
        (Task::Search, house.door, searches),
        (Task::Form, house.site, forms("/api/contact")),
    ];
    Server::new("hanok", house.process(), asks)
}

fn fastapi(name: &'static str, twin: &Process) -> Server {
    let searches = ASKED.iter().map(|line| get(&search::address(line))).collect();
    let asks: Vec<Ask> = vec![
        (Task::Page, twin.door, first_page(twin.door, "/")),
        (Task::Search, twin.door, searches),
        (Task::Form, twin.door, forms("/api/contact")),
    ];
    Server::new(name, twin.id(), asks)
}

fn pocketbase(pocket: &Process) -> Server {
    let door = pocket.door;
    servers::add_collections(door, &[posts_collection(), requests_collection()]);
    fill(door, "/api/collections/posts/records", 16);
    let asks: Vec<Ask> = vec![
        (Task::Page, door, first_page(door, "/home")),
        (Task::Search, door, ASKED.iter().map(|line| get(&filter(line))).collect()),
        (Task::Form, door, forms("/api/collections/requests/records")),
    ];
    Server::new("PocketBase", pocket.id(), asks)
}

/// Adds every post over so many connections.
fn fill(door: SocketAddr, path: &str, connections: usize) {
    let filled = send_all(door, data::posts(path, (0..POSTS).map(post)), connections);
    assert_eq!(filled, POSTS as usize, "posts were refused");
}

/// A post of some forty words. The same number gives the same post.
fn post(number: u64) -> Value {
    let note = search::note(number);
    json!({"title": note["title"], "body": note["note"]})
}

/// The request for the first page, which is one.
fn first_page(door: SocketAddr, path: &str) -> Vec<Vec<u8>> {
    let request = page(path);
    let (status, html) = ask(door, &request);
    assert!(status == 200 && html.contains(ON_THE_PAGE), "{status}: {html}");
    vec![request]
}

/// The same request for work from each client.
fn forms(path: &str) -> Vec<Vec<u8>> {
    let form = |number: u32| {
        let [_, _, third, fourth] = number.to_be_bytes();
        // Addresses that are set aside for benchmarks (RFC 2544).
        let client = format!("X-Forwarded-For: 198.18.{third}.{fourth}\r\n");
        let body = json!({
            "name": "김지우", "email": format!("customer{number}@example.com"),
            "message": search::note(number.into())["note"], "phone": "010-1234-5678", "service": "웹사이트",
            "project_type": "새로 만들기", "budget": "미정", "timeline": "1개월 안",
        });
        with_body("POST", path, &client, &body.to_string())
    };
    (0..CLIENTS).map(form).collect()
}

/// Where PocketBase is asked for what `line` says, as its manual filters.
fn filter(line: &str) -> String {
    let filter = format!("(title~'{line}' || body~'{line}')");
    with_query("/api/collections/posts/records", &[("perPage", "20"), ("sort", "-created"), ("filter", &filter)])
}

/// How posts are found on a server, and what it calls their number.
struct Finder {
    name: &'static str,
    door: SocketAddr,
    address: fn(&str) -> String,
    total: &'static str,
}

/// How many posts each server finds by `line`.
fn found_by(finders: &[Finder], line: &str) -> String {
    let found = |finder: &Finder| {
        let (status, answer) = ask(finder.door, &get(&(finder.address)(line)));
        assert_eq!(status, 200, "{}: {answer}", finder.name);
        let answer: Value = serde_json::from_str(&answer).unwrap();
        format!("{} {}", finder.name, answer[finder.total])
    };
    finders.iter().map(found).collect::<Vec<_>>().join("; ")
}

fn text(name: &str, most: usize, is_required: bool) -> Value {
    json!({"name": name, "type": "text", "max": most, "required": is_required})
}

fn posts_collection() -> Value {
    json!({
        "name": "posts", "type": "base", "listRule": "", "viewRule": "", "createRule": "",
        "fields": [
            text("title", 300, true), text("body", 200_000, false),
            {"name": "created", "type": "autodate", "onCreate": true},
        ],
        "indexes": ["CREATE INDEX posts_by_time ON posts (created)"],
    })
}

fn requests_collection() -> Value {
    json!({
        "name": "requests", "type": "base", "createRule": "",
        "fields": [
            text("name", 50, true), {"name": "email", "type": "email", "required": true}, text("message", 3_000, true),
            {"name": "phone", "type": "text", "max": 20, "pattern": "^([0-9 ().+-]{7,20})?$"},
            text("service", 100, false), text("project_type", 100, false), text("budget", 100, false),
            text("timeline", 100, false), {"name": "created", "type": "autodate", "onCreate": true},
        ],
        "indexes": [
            "CREATE INDEX requests_by_mail ON requests (email)",
            "CREATE INDEX requests_by_time ON requests (created)",
        ],
    })
}
