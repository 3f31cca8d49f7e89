//! Rung 8, effects: a job with effects outside the house is killed at each step, before, within and after each of
//! them. Each effect reaches the other side once, or the task says that nobody knows; it is never done twice.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hanok::appliance::domains::schema;
use hanok::base::{Clock, Error, Kind, Result};
use hanok::platform::app::{Access, App, Data, Outside, Parts, Workers};
use hanok::platform::auth::{AccessMode, HouseholdAccess};
use hanok::platform::compute::Compute;
use hanok::platform::config::Config;
use hanok::platform::events::Events;
use hanok::platform::jobs::{Failure, Job, Jobs, Progress, Registry, enqueue};
use hanok::platform::store::Store;
use hanok::platform::store::open::Options;
use hanok::platform::upstream::Upstreams;
use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::dice::Dice;
use crate::http::Caller;
use crate::{rounds, tables};

/// Orders three things from a server, one after the other.
#[derive(Serialize, Deserialize)]
struct Order {
    server: SocketAddr,
}

const THINGS: [&str; 3] = ["paper", "ink", "stamps"];

impl Job for Order {
    const KIND: &'static str = "ladder_order";
    const TITLE: (&'static str, &'static str) = ("주문", "Order");
    const ATTEMPTS: u32 = 3;

    async fn run(self, _app: App, progress: Progress) -> Result<()> {
        for (number, thing) in THINGS.into_iter().enumerate() {
            progress.say(30 * number as u8, thing).await?;
            let server = self.server;
            let receipt: Value = progress.once(thing, |key| order(server, thing, key)).await?;
            assert_eq!(receipt["thing"], thing);
        }
        Ok(())
    }
}

async fn order(server: SocketAddr, thing: &'static str, key: String) -> Result<Value, Failure> {
    let asked = tokio::task::spawn_blocking(move || {
        Caller::to(server).send("POST", "/orders", Some(&json!({"thing": thing})), Some(&key))
    });
    let unknown =
        |error: &dyn std::fmt::Display| Failure::Unknown(Error::new(Kind::UpstreamTimeout, "no answer").because(error));
    asked.await.map_err(|error| unknown(&error))?.map(|answer| answer.body).map_err(|error| unknown(&error))
}

/// The world of the process that is killed: the jobs of the house on a real data folder.
fn work(data: &Path, server: SocketAddr, again: bool) -> ! {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (clock, events, config) = (Clock::machine(), Events::default(), Config::default());
        let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
        let (store, _) = Store::open(data, &options, schema(), clock.clone(), events.clone()).unwrap();
        let upstream = Upstreams::new(&config.upstream, clock.clone()).unwrap();
        let jobs = Jobs::new(Registry::new().with::<Order>(), Vec::new());
        let app = App::new(Parts {
            data: Data { store, derived: Default::default() },
            workers: Workers { compute: Compute::new(&config.compute, &upstream).unwrap(), jobs: jobs.clone() },
            outside: Outside { upstream },
            access: Access {
                household: HouseholdAccess {
                    mode: AccessMode::Loopback,
                    guesses: Default::default(),
                    unwritten: Default::default(),
                },
            },
            config: Arc::new(config),
            clock,
            events,
        });
        jobs.recover(&app).await.unwrap();
        let tasks = tables::rows(&app.data.store).tasks;
        match tasks.keys().next() {
            Some(id) if again => jobs.retry(&app.data.store, id).await.unwrap(),
            Some(_) => {}
            None => drop(app.data.store.write(move |tx| enqueue(tx, &Order { server })).await.unwrap()),
        }
        let stop = CancellationToken::new();
        let mut changes = app.events.listen();
        let running = tokio::spawn({
            let (app, stop) = (app.clone(), stop.clone());
            async move { jobs.run(app, stop).await }
        });
        while tables::rows(&app.data.store)
            .tasks
            .values()
            .any(|kept| matches!(kept["task"]["status"].as_str(), Some("queued" | "running")))
        {
            let _ = tokio::time::timeout(Duration::from_millis(100), changes.recv()).await;
        }
        stop.cancel();
        running.await.unwrap();
        app.data.store.close().await.unwrap();
    });
    std::process::exit(0);
}

/// When the process that orders is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// The order has been sent and is not looked at: it has not happened.
    Unread,
    /// The order has happened and is not answered.
    Unanswered,
    /// The answer has been sent.
    Answered,
    /// So long after the order has come; its answer is sent so long after it. The intent is written down before the
    /// order, and its outcome after the answer.
    Between { death: Duration, answer: Duration },
}

/// The other side: it counts what reaches it, and kills the caller at one order.
struct Shop {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    orders: BTreeMap<String, u32>,
    /// Which order brings death, when, and to whom.
    deadly: Option<(usize, Moment)>,
    caller: Option<Pid>,
}

impl Shop {
    fn open() -> Shop {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state: Arc<Mutex<State>> = Arc::default();
        let shared = Arc::clone(&state);
        std::thread::spawn(move || listener.incoming().flatten().for_each(|stream| take_order(stream, &shared)));
        Shop { address, state }
    }

    fn orders(&self) -> BTreeMap<String, u32> {
        self.state.lock().unwrap().orders.clone()
    }
}

fn take_order(mut stream: TcpStream, state: &Mutex<State>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut line, mut length) = (String::new(), 0);
    while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let order: Value = serde_json::from_slice(&body).unwrap();
    let thing = order["thing"].as_str().unwrap().to_owned();
    let mut state = state.lock().unwrap();
    let position = THINGS.iter().position(|known| *known == thing).unwrap();
    let moment = state.deadly.filter(|(deadly, _)| *deadly == position).map(|(_, moment)| moment);
    let kill = |state: &mut State| {
        state.deadly = None;
        if let Some(caller) = state.caller {
            let _ = kill_process(caller, Signal::KILL);
        }
    };
    if moment == Some(Moment::Unread) {
        return kill(&mut state);
    }
    *state.orders.entry(thing.clone()).or_default() += 1;
    if moment == Some(Moment::Unanswered) {
        return kill(&mut state);
    }
    if let (Some(Moment::Between { death, answer }), Some(caller)) = (moment, state.caller) {
        state.deadly = None;
        std::thread::spawn(move || {
            std::thread::sleep(death);
            let _ = kill_process(caller, Signal::KILL);
        });
        drop(state);
        std::thread::sleep(answer);
        return send_answer(&mut stream, &thing);
    }
    send_answer(&mut stream, &thing);
    if moment == Some(Moment::Answered) {
        kill(&mut state);
    }
}

fn send_answer(stream: &mut TcpStream, thing: &str) {
    let answer = json!({"thing": thing}).to_string();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", answer.len());
    let _ = stream.write_all(format!("{head}{answer}").as_bytes());
}

/// Begins the process that orders. It lives until it has done its work or is killed.
fn begin(data: &Path, shop: &Shop, again: bool) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["effects::", "--test-threads", "1"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("HANOK_LADDER_DATA", data).env("HANOK_LADDER_SHOP", shop.address.to_string());
    if again {
        command.env("HANOK_LADDER_AGAIN", "1");
    }
    // Whoever orders before the shop knows its name cannot be killed by it.
    let mut state = shop.state.lock().unwrap();
    let child = command.spawn().unwrap();
    state.caller = Some(Pid::from_child(&child));
    child
}

/// In the process that is to be killed, this test is its whole life.
fn live_another_life() {
    let word = |name: &str| std::env::var(name).ok();
    if let (Some(data), Some(shop)) = (word("HANOK_LADDER_DATA"), word("HANOK_LADDER_SHOP")) {
        work(Path::new(&data), shop.parse().unwrap(), word("HANOK_LADDER_AGAIN").is_some());
    }
}

/// Runs the order to its end through one death; gives how the task ended.
fn order_through(data: &Path, shop: &Shop, kill_after: Option<Duration>) -> Value {
    let mut child = begin(data, shop, false);
    if let Some(after) = kill_after {
        std::thread::sleep(after);
        let _ = child.kill();
    }
    child.wait().unwrap();
    assert!(begin(data, shop, false).wait().unwrap().success());
    task(data)
}

fn task(data: &Path) -> Value {
    let store = tables::open_file(&data.join("hanok.redb")).unwrap();
    assert_eq!(tables::flaws(&store), [""; 0]);
    let mut tasks = tables::rows(&store).tasks.into_values();
    tasks.next().unwrap()["task"].clone()
}

#[test]
fn killed_around_each_effect_it_happens_once_or_nobody_claims_to_know() {
    live_another_life();
    for (position, deadly) in THINGS.iter().enumerate() {
        for moment in [Moment::Unread, Moment::Unanswered, Moment::Answered] {
            let folder = TempDir::new().unwrap();
            let shop = Shop::open();
            shop.state.lock().unwrap().deadly = Some((position, moment));
            let ended = order_through(folder.path(), &shop, None);
            let orders = shop.orders();
            assert!(orders.values().all(|times| *times == 1), "{moment:?} {position}: {orders:?}");
            if ended["status"] == "succeeded" {
                assert_eq!((orders.len(), moment), (THINGS.len(), Moment::Answered));
                continue;
            }
            assert_eq!((&ended["status"], &ended["error"]), (&json!("failed"), &json!("UNDECIDED")), "{ended}");
            assert!(ended["message"].as_str().unwrap().contains(deadly), "{ended}");
            assert_eq!(orders.contains_key(*deadly), moment != Moment::Unread);
            if moment == Moment::Unread {
                // Somebody has looked on the other side and found nothing there.
                assert!(begin(folder.path(), &shop, true).wait().unwrap().success());
                assert_eq!(task(folder.path())["status"], "succeeded");
                assert!(THINGS.iter().all(|thing| shop.orders()[*thing] == 1), "{:?}", shop.orders());
            }
        }
    }
}

#[test]
fn killed_at_any_moment_no_effect_happens_twice() {
    live_another_life();
    let (seed, mut dice) = Dice::of_this_run();
    let (mut ends, mut between): (BTreeMap<String, u32>, u32) = Default::default();
    for round in 0..rounds(12, 300) {
        let folder = TempDir::new().unwrap();
        let shop = Shop::open();
        // Every third death comes from a moment of the whole life, the others from one around an order.
        let of_the_whole_life = (round % 3 == 2).then(|| Duration::from_millis(dice.between(10, 250)));
        if of_the_whole_life.is_none() {
            let within = |dice: &mut Dice| Duration::from_micros(dice.between(0, 20_000));
            let moment = Moment::Between { death: within(&mut dice), answer: within(&mut dice) };
            shop.state.lock().unwrap().deadly = Some((dice.below(THINGS.len()), moment));
        }
        let ended = order_through(folder.path(), &shop, of_the_whole_life);
        let orders = shop.orders();
        assert!(orders.values().all(|times| *times == 1), "seed {seed}, round {round}: {orders:?}");
        let end = ended["error"].as_str().or(ended["status"].as_str()).unwrap().to_owned();
        assert!(end == "UNDECIDED" || (end == "succeeded" && orders.len() == THINGS.len()), "seed {seed}: {ended}");
        between += u32::from(end == "UNDECIDED");
        *ends.entry(end).or_default() += 1;
    }
    println!(
        "a job with three outside effects killed at any moment ended as {ends:?}: {between} deaths fell between an intent \
         and its outcome; no effect happened twice; seed {seed}"
    );
    assert!(between > 0, "seed {seed}: no death fell between an intent and its outcome");
}
