//! The product next to its peers: the same data, the same caller, the same machine, in turns.
//!
//! Every server keeps its usual settings and writes its usual line for each request. Where a peer can be run
//! in a faster way than the usual one (two worker processes for FastAPI), that is measured too.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Loop, ask, drive, get, post, with_body};
use crate::data;
use crate::house::{self, House, fresh_folder, resident};
use crate::load::USUAL;
use crate::report::{Goal, Report};

/// Purchases that every server has before it is measured.
const PURCHASES: u64 = 3_000;
/// Every server is measured so many times in turns; the median counts.
const ROUNDS: usize = 3;

/// A server under test, by name, with what it is asked.
struct Server {
    name: &'static str,
    door: SocketAddr,
    asks: Vec<(Task, Vec<Vec<u8>>)>,
    resident: Box<dyn Fn() -> f64>,
    /// Task, answers a second, 99th percentile in milliseconds, of every round.
    rounds: Vec<(Task, f64, f64)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    Latest,
    List,
    One,
    Write,
}

/// Measures everything in turns.
pub fn run(report: &mut Report, binary: &Path) {
    let folder = fresh_folder("peers");
    let house = House::open(binary, &folder.join("hanok"));
    let mut servers = vec![hanok(&house)];
    let programs = std::env::var_os("BENCH_PEERS").map(PathBuf::from).expect("BENCH_PEERS names the peers' programs");
    let mut twins = Vec::new();
    for (name, workers) in [("FastAPI + SQLite", 1), ("FastAPI + SQLite, two workers", 2)] {
        let twin = Process::fastapi(&programs, &folder.join(format!("fastapi-{workers}")), workers);
        servers.push(fastapi(name, &twin));
        twins.push(twin);
    }
    let pocket = Process::pocketbase(&programs, &folder.join("pocketbase"));
    servers.push(pocketbase(&pocket));

    for _ in 0..ROUNDS {
        servers.iter_mut().for_each(measure);
    }
    table(&servers);
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
    let process = house.process();
    Server {
        name: "hanok",
        door: house.door,
        asks: vec![
            (Task::Latest, vec![get("/api/lotto/latest")]),
            (Task::List, vec![get("/api/lotto/purchase?limit=30")]),
            (Task::One, one),
            (Task::Write, data::posts("/api/lotto/purchase", (0..1_000).map(data::purchase))),
        ],
        resident: Box::new(move || resident(process)),
        rounds: Vec::new(),
    }
}

fn fastapi(name: &'static str, twin: &Process) -> Server {
    data::add_purchases(twin.door, "/api/lotto/purchase", 0..PURCHASES);
    let process = twin.child.id();
    Server {
        name,
        door: twin.door,
        asks: vec![
            (Task::Latest, vec![get("/api/lotto/latest")]),
            (Task::List, vec![get("/api/lotto/purchase?limit=30")]),
            (Task::Write, data::posts("/api/lotto/purchase", (0..1_000).map(data::purchase))),
        ],
        resident: Box::new(move || resident(process)),
        rounds: Vec::new(),
    }
}

fn pocketbase(pocket: &Process) -> Server {
    let door = pocket.door;
    let login = json!({"identity": "bench@example.com", "password": "correct horse battery"}).to_string();
    let (status, answer) = ask(door, &post("/api/collections/_superusers/auth-with-password", &login));
    assert_eq!(status, 200, "{answer}");
    let token: Value = serde_json::from_str(&answer).unwrap();
    let token = format!("Authorization: {}\r\n", token["token"].as_str().unwrap());
    for collection in [purchases_collection(), draws_collection()] {
        let (status, answer) = ask(door, &with_body("POST", "/api/collections", &token, &collection.to_string()));
        assert_eq!(status, 200, "{answer}");
    }
    let path = "/api/collections/purchases/records";
    let rows = |numbers: std::ops::Range<u64>| numbers.map(|number| checked(&data::purchase(number)));
    let filled = crate::client::send_all(door, data::posts(path, rows(0..PURCHASES)), 16);
    assert_eq!(filled, PURCHASES as usize, "purchases were refused");
    let newest = data::draws().iter().rev().take(50);
    let one = newest.map(|draw| {
        let (status, answer) =
            ask(door, &post("/api/collections/draws/records", &serde_json::to_string(draw).unwrap()));
        assert_eq!(status, 200, "{answer}");
        let made: Value = serde_json::from_str(&answer).unwrap();
        get(&format!("/api/collections/draws/records/{}", made["id"].as_str().unwrap()))
    });
    let process = pocket.child.id();
    Server {
        name: "PocketBase",
        door,
        asks: vec![
            (Task::List, vec![get(&format!("{path}?perPage=30&sort=-draw_no,-created_at"))]),
            (Task::One, one.collect()),
            (Task::Write, data::posts(path, rows(0..1_000))),
        ],
        resident: Box::new(move || resident(process)),
        rounds: Vec::new(),
    }
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

/// One round of every task.
fn measure(server: &mut Server) {
    for (task, requests) in &server.asks {
        let how = Loop { counted: Duration::from_secs(4), ..USUAL };
        let outcome = drive(server.door, requests, how);
        assert_eq!(outcome.failures, 0, "{} refused requests", server.name);
        server.rounds.push((*task, outcome.rate(), outcome.within(0.99)));
    }
}

fn table(servers: &[Server]) {
    println!("\n### Peers, 16 connections: answers a second (99th percentile)\n");
    println!("| server | latest | list of 30 | get one | write | memory after |\n|---|---|---|---|---|---|");
    for server in servers {
        let cell = |task| match server.found(task) {
            Some((rate, p99)) => format!("{rate:.0} ({p99:.2} ms)"),
            None => String::new(),
        };
        let tasks = [Task::Latest, Task::List, Task::One, Task::Write].map(cell).join(" | ");
        println!("| {} | {tasks} | {:.0} MB |", server.name, (server.resident)());
    }
}

fn compare(report: &mut Report, ours: &Server, theirs: &Server, task: Task, least: f64) {
    let name = match task {
        Task::Latest => "latest",
        Task::List => "list of 30",
        Task::One => "get one",
        Task::Write => "write",
    };
    let (Some((rate, p99)), Some((their_rate, their_p99))) = (ours.found(task), theirs.found(task)) else { return };
    let detail = format!("99th percentile {p99:.2} ms against {their_p99:.2} ms");
    report.goal(&format!("{name} against {}", theirs.name), rate / their_rate, Goal::AtLeast(least), "times", detail);
}

impl Server {
    /// Rate and 99th percentile of the round whose rate is the median.
    fn found(&self, task: Task) -> Option<(f64, f64)> {
        let of_task = self.rounds.iter().filter(|(measured, ..)| *measured == task);
        let mut rounds: Vec<(f64, f64)> = of_task.map(|(_, rate, p99)| (*rate, *p99)).collect();
        rounds.sort_by(|one, other| one.0.total_cmp(&other.0));
        rounds.get(rounds.len() / 2).copied()
    }
}

/// A peer's process; dropping it ends it.
struct Process {
    child: Child,
    door: SocketAddr,
}

impl Process {
    fn fastapi(programs: &Path, folder: &Path, workers: usize) -> Process {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("draws.json"), serde_json::to_string(data::draws()).unwrap()).unwrap();
        let port = free_port();
        let mut command = Command::new(programs.join("python"));
        command
            .args(["-m", "uvicorn", "fastapi_sqlite:app", "--host", "127.0.0.1"])
            .args(["--port", &port.to_string(), "--workers", &workers.to_string()])
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/peers"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("DRAWS", folder.join("draws.json"))
            .env("DATABASE", folder.join("twin.db"));
        Process::begin(command, port, &folder.join("log"))
    }

    fn pocketbase(programs: &Path, folder: &Path) -> Process {
        fs::create_dir_all(folder).unwrap();
        let program = programs.join("pocketbase");
        let data = folder.join("data").display().to_string();
        let made = Command::new(&program)
            .args(["superuser", "upsert", "bench@example.com", "correct horse battery", "--dir", &data])
            .stdout(Stdio::null())
            .status();
        assert!(made.unwrap().success());
        let port = free_port();
        let mut command = Command::new(&program);
        command.args(["serve", "--http", &format!("127.0.0.1:{port}"), "--dir", &data]);
        Process::begin(command, port, &folder.join("log"))
    }

    fn begin(mut command: Command, port: u16, log: &Path) -> Process {
        let log = File::create(log).unwrap();
        let child = command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap();
        let door = SocketAddr::from(([127, 0, 0, 1], port));
        let begun = Instant::now();
        while TcpStream::connect(door).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "{command:?} does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Process { child, door }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        house::stop(&mut self.child);
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
