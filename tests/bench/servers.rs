//! Servers that are measured in turns by the same caller, and the processes of those that are peers.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Loop, ask, drive, post, with_body};
use crate::house::{self, resident};
use crate::load::USUAL;
use crate::report::{Goal, Report};

/// The twin in its usual way and in a faster one: its name and how many worker processes it has.
pub const TWINS: [(&str, usize); 2] = [("FastAPI + SQLite", 1), ("FastAPI + SQLite, two workers", 2)];

/// Every server is measured so many times in turns; the median counts.
const ROUNDS: usize = 3;
/// How each is asked.
const HOW: Loop = Loop { counted: Duration::from_secs(4), ..USUAL };

/// A server under test, by name, with what it is asked.
pub struct Server {
    name: &'static str,
    process: u32,
    asks: Vec<Ask>,
    rounds: Vec<Round>,
}

/// What is measured, at which door, and the requests that are sent in turn.
pub type Ask = (Task, SocketAddr, Vec<Vec<u8>>);

/// What is asked of a server.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Task {
    Latest,
    List,
    One,
    Write,
    Page,
    Search,
    Form,
}

/// What a round of a task gave.
#[derive(Clone, Copy)]
struct Round {
    task: Task,
    /// Answers a second.
    rate: f64,
    /// The 99th percentile in milliseconds.
    p99: f64,
    /// Length of an answer.
    bytes: usize,
}

impl Task {
    fn name(self) -> &'static str {
        match self {
            Task::Latest => "latest",
            Task::List => "list of 30",
            Task::One => "get one",
            Task::Write => "write",
            Task::Page => "page",
            Task::Search => "search",
            Task::Form => "form",
        }
    }
}

impl Server {
    /// The server of this process with what it is asked.
    pub fn new(name: &'static str, process: u32, asks: Vec<Ask>) -> Server {
        Server { name, process, asks, rounds: Vec::new() }
    }

    /// One round of `task`, where it is asked for it.
    fn measure(&mut self, task: Task) {
        let Some((_, door, requests)) = self.asks.iter().find(|(known, ..)| *known == task) else { return };
        let outcome = drive(*door, requests, HOW);
        assert_eq!(outcome.failures, 0, "{} refused requests", self.name);
        let (rate, p99) = (outcome.rate(), outcome.within(0.99));
        self.rounds.push(Round { task, rate, p99, bytes: outcome.body_bytes });
    }

    /// The round whose rate is the median.
    fn found(&self, task: Task) -> Option<Round> {
        let mut rounds: Vec<Round> = self.rounds.iter().filter(|round| round.task == task).copied().collect();
        rounds.sort_by(|one, other| one.rate.total_cmp(&other.rate));
        rounds.get(rounds.len() / 2).copied()
    }
}

/// Measures `tasks` of every server, one server after the other, as often as each is measured.
pub fn in_turns(servers: &mut [Server], tasks: &[Task]) {
    for _ in 0..ROUNDS {
        for server in servers.iter_mut() {
            tasks.iter().for_each(|task| server.measure(*task));
        }
    }
}

/// What every server gave.
pub fn table(title: &str, servers: &[Server], tasks: &[Task]) {
    println!("\n### {title}, {} connections: answers a second (99th percentile)\n", HOW.connections);
    let names: String = tasks.iter().map(|task| format!(" {} |", task.name())).collect();
    println!("| server |{names} memory after |\n|---|{}---|", "---|".repeat(tasks.len()));
    for server in servers {
        let cell = |task: &Task| match server.found(*task) {
            Some(Round { rate, p99, .. }) => format!("{rate:.0} ({p99:.2} ms)"),
            None => String::new(),
        };
        let cells: Vec<String> = tasks.iter().map(cell).collect();
        println!("| {} | {} | {:.0} MB |", server.name, cells.join(" | "), resident(server.process));
    }
}

/// How many times the throughput of `theirs` is that of `ours`.
pub fn compare(report: &mut Report, ours: &Server, theirs: &Server, task: Task, least: f64) {
    let (Some(our), Some(their)) = (ours.found(task), theirs.found(task)) else { return };
    let detail = format!(
        "99th percentile {:.2} ms against {:.2} ms; answers of {} bytes and of {}",
        our.p99, their.p99, our.bytes, their.bytes
    );
    let what = format!("{} against {}", task.name(), theirs.name);
    report.goal(&what, our.rate / their.rate, Goal::AtLeast(least), "times", detail);
}

/// A peer's process; dropping it ends it.
pub struct Process {
    /// Where it listens.
    pub door: SocketAddr,
    child: Child,
}

impl Process {
    /// The program `app` of the folder `peers` with its data in `folder`, which is there.
    pub fn fastapi(folder: &Path, app: &str, workers: usize) -> Process {
        let port = free_port();
        let mut command = Command::new(programs().join("python"));
        command
            .args(["-m", "uvicorn", app, "--host", "127.0.0.1"])
            .args(["--port", &port.to_string(), "--workers", &workers.to_string()])
            .current_dir(peers())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("FOLDER", folder);
        Process::begin(command, port, &folder.join("log"))
    }

    /// PocketBase with its data in `folder`, and with the pages of this folder in `peers`.
    pub fn pocketbase(folder: &Path, pages: Option<&str>) -> Process {
        fs::create_dir_all(folder).unwrap();
        let program = programs().join("pocketbase");
        let data = folder.join("data").display().to_string();
        let made = Command::new(&program)
            .args(["superuser", "upsert", "bench@example.com", "correct horse battery", "--dir", &data])
            .stdout(Stdio::null())
            .status();
        assert!(made.unwrap().success());
        let port = free_port();
        let mut command = Command::new(&program);
        command.args(["serve", "--http", &format!("127.0.0.1:{port}"), "--dir", &data]);
        if let Some(pages) = pages {
            command.arg("--hooksDir").arg(peers().join(pages));
        }
        Process::begin(command, port, &folder.join("log"))
    }

    /// Its id.
    pub fn id(&self) -> u32 {
        self.child.id()
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
        Process { door, child }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        house::stop(&mut self.child);
    }
}

/// Adds collections to a new PocketBase, as its superuser.
pub fn add_collections(door: SocketAddr, collections: &[Value]) {
    let login = json!({"identity": "bench@example.com", "password": "correct horse battery"}).to_string();
    let (status, answer) = ask(door, &post("/api/collections/_superusers/auth-with-password", &login));
    assert_eq!(status, 200, "{answer}");
    let token: Value = serde_json::from_str(&answer).unwrap();
    let token = format!("Authorization: {}\r\n", token["token"].as_str().unwrap());
    for collection in collections {
        let (status, answer) = ask(door, &with_body("POST", "/api/collections", &token, &collection.to_string()));
        assert_eq!(status, 200, "{answer}");
    }
}

/// Where the peers' programs are installed.
pub fn programs() -> PathBuf {
    std::env::var_os("BENCH_PEERS").map(PathBuf::from).expect("BENCH_PEERS names the peers' programs")
}

/// Where what the peers run is written.
pub fn peers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/peers")
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
