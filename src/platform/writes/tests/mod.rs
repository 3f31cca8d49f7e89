//! Writes to a provider on a real connection, with the clock held: good days, bad days, and the end of the process at each
//! step.

mod days;
mod killed;
mod restored;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::config::Config;
use crate::events::{Change, Event, Events};
use crate::jobs::{Jobs, Registry};
use crate::store::{ReadTransaction, Store, Table};
use crate::testing::{NOBODY, app_of, draw_night};
use crate::upstream::Limits;
use hanok_base::{Clock, Error};

const BANK: Provider = Provider { name: "bank", title_ko: "은행", title_en: "The bank", setting: "bank.address" };

/// Table of the tests: what followed from outcomes. Key: the id of the write.
const FOLLOWED: Table<u64, Vec<OutboxStatus>> = Table::new("writes_followed-1");

/// A write that can be looked up.
#[derive(Serialize, Deserialize)]
struct Transfer {
    at: String,
}

/// A write whose provider takes a key for a day, and nothing else.
#[derive(Serialize, Deserialize)]
struct Keyed {
    at: String,
}

/// A write that nobody can tell of.
#[derive(Serialize, Deserialize)]
struct Blind {
    at: String,
}

fn request(at: &str, intent: &OutboxEntry) -> Result<WriteRequest> {
    Ok(WriteRequest::json(format!("{at}/transfers"), &"ten won")?.header("Idempotency-Key", &intent.token))
}

fn follow(tx: &WriteTx, intent: &OutboxEntry) -> Result<()> {
    let mut followed = tx.get(&FOLLOWED, intent.id)?.unwrap_or_default();
    followed.push(intent.status);
    tx.put(&FOLLOWED, intent.id, &followed)
}

impl Write for Transfer {
    const KIND: &'static str = "transfer";
    const TITLE: (&'static str, &'static str) = ("이체", "Transfer");
    const PROVIDER: &'static Provider = &BANK;
    const ATTEMPTS: u32 = 3;

    fn target(&self) -> String {
        "account 7".to_owned()
    }

    async fn request(&self, _app: &App, intent: &OutboxEntry) -> Result<WriteRequest> {
        request(&self.at, intent)
    }

    async fn look_up(&self, app: &App, _intent: &OutboxEntry) -> Result<Found> {
        let url = format!("{}/found", self.at);
        let read = |answer: &crate::upstream::UpstreamResponse| answer.json::<Value>();
        Ok(match app.outside.upstream.read(&BANK, &url, Limits::default(), read).await? {
            Value::Null => Found::NotThere,
            found => Found::Done(found),
        })
    }

    fn settled(&self, tx: &WriteTx, intent: &OutboxEntry) -> Result<()> {
        follow(tx, intent)
    }

    fn example(_tx: &WriteTx) -> Result<Self> {
        Ok(Transfer { at: format!("http://{NOBODY}") })
    }
}

impl Write for Keyed {
    const KIND: &'static str = "keyed";
    const TITLE: (&'static str, &'static str) = ("열쇠 이체", "Keyed transfer");
    const PROVIDER: &'static Provider = &BANK;
    const KEY_LASTS: Option<chrono::Duration> = Some(chrono::Duration::days(1));

    fn target(&self) -> String {
        "account 8".to_owned()
    }

    async fn request(&self, _app: &App, intent: &OutboxEntry) -> Result<WriteRequest> {
        request(&self.at, intent)
    }

    fn example(_tx: &WriteTx) -> Result<Self> {
        Ok(Keyed { at: format!("http://{NOBODY}") })
    }
}

impl Write for Blind {
    const KIND: &'static str = "blind";
    const TITLE: (&'static str, &'static str) = ("눈먼 이체", "Blind transfer");
    const PROVIDER: &'static Provider = &BANK;

    fn target(&self) -> String {
        "account 9".to_owned()
    }

    async fn request(&self, _app: &App, intent: &OutboxEntry) -> Result<WriteRequest> {
        request(&self.at, intent)
    }

    fn settled(&self, tx: &WriteTx, intent: &OutboxEntry) -> Result<()> {
        follow(tx, intent)
    }

    fn example(_tx: &WriteTx) -> Result<Self> {
        Ok(Blind { at: format!("http://{NOBODY}") })
    }
}

/// What the bank does with a request.
enum Act {
    Say(u16, &'static str),
    /// Takes the request and breaks the connection.
    Cut,
    /// Takes the request and says nothing.
    Hang,
}

/// A bank that acts as it is told, in order, and notes what it has heard.
struct Bank {
    at: String,
    acts: Arc<Mutex<VecDeque<Act>>>,
    heard: watch::Receiver<Vec<String>>,
}

impl Bank {
    async fn begin(acts: impl IntoIterator<Item = Act>) -> Bank {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = format!("http://{}", listener.local_addr().unwrap());
        let acts = Arc::new(Mutex::new(acts.into_iter().collect::<VecDeque<_>>()));
        let (note, heard) = watch::channel(Vec::new());
        let told = Arc::clone(&acts);
        tokio::spawn(async move {
            let mut hanging = Vec::new();
            while let Ok((mut connection, _)) = listener.accept().await {
                let mut request = Vec::new();
                // A write has a body of one JSON text; reading goes on until its last quote.
                while !(request.ends_with(b"\"") || request.starts_with(b"GET") && request.ends_with(b"\r\n\r\n")) {
                    let mut piece = [0; 4096];
                    match connection.read(&mut piece).await {
                        Ok(0) | Err(_) => break,
                        Ok(read) => request.extend_from_slice(&piece[..read]),
                    }
                }
                note.send_modify(|heard| heard.push(String::from_utf8_lossy(&request).into_owned()));
                let act = told.lock().pop_front().unwrap_or(Act::Cut);
                match act {
                    Act::Say(status, body) => {
                        let length = body.len();
                        let answer = format!(
                            "HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
                        );
                        let _ = connection.write_all(answer.as_bytes()).await;
                    }
                    Act::Cut => drop(connection),
                    Act::Hang => hanging.push(connection),
                }
            }
        });
        Bank { at, acts, heard }
    }

    fn then(&self, act: Act) {
        self.acts.lock().push_back(act);
    }

    /// The writes that it was asked for.
    fn writes(&self) -> Vec<String> {
        self.heard.borrow().iter().filter(|request| request.starts_with("POST")).cloned().collect()
    }

    /// The keys of those writes.
    fn keys(&self) -> Vec<String> {
        let key = |request: &String| {
            let line = request.lines().find(|line| line.to_lowercase().starts_with("idempotency-key:"));
            line.unwrap_or_default().to_owned()
        };
        self.writes().iter().map(key).collect()
    }

    async fn until_heard(&mut self, count: usize) {
        let heard = self.heard.wait_for(|heard| heard.len() >= count);
        tokio::time::timeout(Duration::from_secs(30), heard).await.unwrap().unwrap();
    }
}

/// A house that writes to the bank.
struct House {
    app: App,
    runner: JoinHandle<()>,
    stop: CancellationToken,
}

impl House {
    fn begin() -> House {
        let (clock, events) = (Clock::fixed(draw_night()), Events::default());
        House::on(Store::memory(clock.clone(), events.clone()).unwrap(), events, &clock)
    }

    fn on(store: Store, events: Events, clock: &Clock) -> House {
        let registry = Registry::new().with::<SendJob<Transfer>>().with::<SendJob<Keyed>>().with::<SendJob<Blind>>();
        let app = app_of(Config::default(), store, events, clock, Jobs::new(registry, vec![]));
        let (running, stop) = (app.clone(), CancellationToken::new());
        let until = stop.clone();
        let runner = tokio::spawn(async move {
            running.workers.jobs.recover(&running).await.unwrap();
            running.workers.jobs.run(running.clone(), until).await;
        });
        House { app, runner, stop }
    }

    /// Ends it as a kill does, and begins it anew on what is on disk.
    async fn killed(self) -> House {
        self.runner.abort();
        let _ = self.runner.await;
        House::on(self.app.data.store.clone(), self.app.events.clone(), &self.app.clock)
    }

    async fn plan<W: Write>(&self, write: W) -> u64 {
        self.app.data.store.write(move |tx| Ok(plan(tx, &write)?.id)).await.unwrap()
    }

    async fn seen(&self, id: u64) -> WriteSeen {
        self.app.data.store.read(move |tx| find(tx, id)).await.unwrap()
    }

    async fn counts(&self) -> WriteCounts {
        self.app.data.store.read(|tx| counts(tx)).await.unwrap()
    }

    async fn followed(&self, id: u64) -> Vec<OutboxStatus> {
        self.app.data.store.read(move |tx| tx.get(&FOLLOWED, id)).await.unwrap().unwrap_or_default()
    }

    async fn resolve(&self, id: u64, decision: Decision) {
        let app = self.app.clone();
        self.app.data.store.write(move |tx| resolve(&app, tx, id, decision)).await.unwrap();
    }

    /// Waits until the write is as `wanted`.
    async fn until(&self, id: u64, wanted: impl Fn(&WriteSeen) -> bool) -> WriteSeen {
        let mut changes = self.app.events.listen();
        let waiting = async {
            loop {
                let seen = self.seen(id).await;
                if wanted(&seen) {
                    return seen;
                }
                while !matches!(changes.recv().await, Ok(Event::Changed(Change::JOBS) | Event::Task(_)) | Err(_)) {}
            }
        };
        match tokio::time::timeout(Duration::from_secs(30), waiting).await {
            Ok(seen) => seen,
            Err(_) => panic!("{:?}", self.seen(id).await),
        }
    }

    /// Waits until it stands so and nothing happens to it by itself.
    async fn until_ended(&self, id: u64, status: OutboxStatus) -> WriteSeen {
        self.until(id, |seen| seen.status == status && seen.next_attempt_at.is_none()).await
    }

    /// Waits until it stands so and waits for its next attempt, and lets the pause before that pass.
    async fn until_put_off(&self, id: u64, status: OutboxStatus) -> WriteSeen {
        let now = self.app.clock.now();
        let put_off = |seen: &WriteSeen| seen.status == status && seen.next_attempt_at.is_some_and(|at| at > now);
        let seen = self.until(id, put_off).await;
        self.app.clock.set(seen.next_attempt_at.unwrap());
        seen
    }

    async fn end(self) {
        self.stop.cancel();
        self.runner.await.unwrap();
    }
}
