//! What an answer costs on one core, beside a handler of the same web library that knows nothing and sends the same
//! bytes: the difference is what the product does for an answer.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use salvo::conn::{Acceptor, Listener, TcpListener};
use salvo::http::{HeaderName, HeaderValue, Method, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, Server, async_trait};
use serde::{Deserialize, Serialize};

use crate::client::{Loop, ask_whole, drive, get, post};
use crate::data;
use crate::house::{House, computed, fresh_folder, on_core, stop};
use crate::report::{Report, median};

/// The core on which both answer, in turn; the callers have the others.
const CORE: usize = 0;
/// How often each is measured in turn; the medians count.
const ROUNDS: usize = 9;
/// Connections of all callers together, at least.
const CONNECTIONS: usize = 16;
const ROUND: Duration = Duration::from_millis(700);
/// Purchases, and as many todos.
const ROWS: u64 = 3_000;

/// Measures a few usual requests.
pub fn run(report: &mut Report, binary: &Path) {
    report.begin("Beside a bare handler, both on one core");
    let callers = leave_the_core();
    let folder = fresh_folder("bare");
    let house = House::open_on(CORE, binary, &folder.join("data"));
    data::add_purchases(house.door, "/api/lotto/purchase", 0..ROWS);
    data::add_todos(house.door, 0..ROWS);
    for (what, path, body) in [
        ("the newest draw", "/api/lotto/latest", None),
        ("one draw", "/api/lotto/draws/1200", None),
        ("one todo", "/api/todos?limit=1", None),
        ("30 purchases", "/api/lotto/purchase?limit=30", None),
        ("a todo written", "/api/todos", Some(data::todo(1).to_string())),
    ] {
        let request = body.map_or_else(|| get(path), |body| post(path, &body));
        let bare = Bare::open(&folder.join("answer.json"), &Answer::of(house.door, path, &request));
        let mut rounds = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            rounds[0].push(cost(bare.door, bare.child.id(), &request, callers));
            rounds[1].push(cost(house.door, house.process(), &request, callers));
        }
        let [bare, ours] = rounds.map(median);
        report.line(what, format!("{:.2} times ({bare:.1} µs bare, {ours:.1} µs)", ours / bare));
    }
}

/// Moves this process to all cores but one, and says how many those are.
fn leave_the_core() -> usize {
    let cores = std::thread::available_parallelism().unwrap().get();
    assert!(cores > 1, "the callers need a core of their own");
    let others = format!("{}-{}", CORE + 1, cores - 1);
    let moved = Command::new("taskset").args(["-acp", &others, &std::process::id().to_string()]).output();
    assert!(moved.unwrap().status.success(), "taskset moves the callers to the cores {others}");
    cores - 1
}

/// What one answer costs, in microseconds of the core: what the server has computed meanwhile, whoever else was there.
fn cost(door: SocketAddr, process: u32, request: &[u8], callers: usize) -> f64 {
    let how = Loop { connections: CONNECTIONS.div_ceil(callers), warm: Duration::ZERO, counted: ROUND };
    let before = computed(process);
    let answers: u64 = std::thread::scope(|scope| {
        let request = [request.to_vec()];
        let drivers: Vec<_> = (0..callers)
            .map(|_| {
                scope.spawn({
                    let request = request.clone();
                    move || drive(door, &request, how)
                })
            })
            .collect();
        drivers
            .into_iter()
            .map(|driver| driver.join().unwrap())
            .map(|outcome| {
                assert_eq!(outcome.failures, 0);
                outcome.answers
            })
            .sum()
    });
    (computed(process) - before) * 1e6 / answers as f64
}

/// An answer of the house as the bare handler gives it again, its length and date aside, which the library adds.
#[derive(Serialize, Deserialize)]
struct Answer {
    path: String,
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Answer {
    fn of(door: SocketAddr, path: &str, request: &[u8]) -> Answer {
        let (status, mut headers, body) = ask_whole(door, request);
        headers.retain(|(name, _)| !["date", "content-length"].contains(&name.as_str()));
        let path = path.split('?').next().unwrap_or_default().to_owned();
        Answer { path, status, headers, body }
    }
}

/// A process of the bare handler.
struct Bare {
    door: SocketAddr,
    child: Child,
}

impl Bare {
    fn open(file: &Path, answer: &Answer) -> Bare {
        fs::write(file, serde_json::to_vec(answer).unwrap()).unwrap();
        let own = std::env::current_exe().unwrap();
        let mut child = on_core(CORE, &own).arg("answer").arg(file).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let door = lines.next().expect("a line for the door").unwrap().parse().unwrap();
        Bare { door, child }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        stop(&mut self.child);
    }
}

/// The bare handler's process: gives the answer in the file that `words` name, on one thread, until it is stopped.
pub fn answer(words: &[String]) {
    let [file] = words else { panic!("speed answer FILE") };
    let answer: Answer = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let router = Router::with_path(answer.path.trim_start_matches('/')).goal(Same::of(answer));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let acceptor = TcpListener::new("127.0.0.1:0").bind().await;
        println!("{}", acceptor.holdings()[0].local_addr.clone().into_std().unwrap());
        Server::new(acceptor).serve(router).await;
    });
}

/// Sends the same each time.
struct Same {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: &'static str,
}

impl Same {
    fn of(answer: Answer) -> Same {
        let headers = answer.headers.into_iter();
        let headers = headers.map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        Same { status: StatusCode::from_u16(answer.status).unwrap(), headers, body: answer.body.leak() }
    }
}

#[async_trait]
impl Handler for Same {
    async fn handle(&self, req: &mut Request, _depot: &mut Depot, res: &mut Response, _ctrl: &mut FlowCtrl) {
        if req.method() == Method::POST {
            req.payload().await.unwrap();
        }
        res.status_code(self.status);
        for (name, value) in &self.headers {
            res.headers_mut().insert(name.clone(), value.clone());
        }
        res.write_body(self.body.as_bytes()).unwrap();
    }
}
