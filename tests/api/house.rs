//! The real application in a house of its own: a free port for each door, a temporary data folder, a clock that
//! stands still until it is moved, and an operator of the lottery who does what the test says.
//! Callers are types: what [`Anonymous`] may do and what [`Household`] may do is seen in a test's first line.

use std::net::SocketAddr;
use std::time::Duration;

use chrono::{DateTime, TimeZone, Utc};
use hanok::appliance::start::{Appliance, start};
use hanok::base::Clock;
use hanok::ops::lottery::LotterySettings;
use hanok::ops::market::MarketSettings;
use hanok::platform::config::Config;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::operator::Operator;

/// How long a test waits for something that should come at once.
const PATIENCE: Duration = Duration::from_secs(60);

/// Words that mean something to whoever wrote the program and nothing to whoever uses it.
const INTERNAL_WORDS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "i64", "f64", "usize", "struct", "enum", "redb", "serde", "variant"];

/// Saturday 2026-10-10, 21:30 in Seoul: draw 1245 has been drawn, and everything about it is published.
pub fn evening_of_draw_1245() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 10, 10, 12, 30, 0).unwrap()
}

/// A running house; dropping it leaves nothing behind.
pub struct House {
    pub clock: Clock,
    pub operator: Operator,
    pub appliance: Appliance,
    pub config: Config,
    client: reqwest::Client,
    folder: TempDir,
}

impl House {
    /// A new house on an empty data folder, on the evening of draw 1245.
    pub async fn open() -> House {
        House::open_with(|_| {}).await
    }

    /// The same, with settings of the test's own.
    pub async fn open_with(set: impl FnOnce(&mut Config)) -> House {
        let folder = TempDir::new().unwrap();
        let operator = Operator::start().await;
        let mut config = hanok::appliance::domains::default_settings();
        config.data.dir = folder.path().join("data");
        config.ops.listen = "127.0.0.1:0".parse().unwrap();
        config.site.listen = "127.0.0.1:0".parse().unwrap();
        config.http.requests_per_second = 0;
        config.set(LotterySettings { operator: operator.address(), ..LotterySettings::default() });
        // Nobody listens at their addresses, and nobody is asked unless a test says otherwise.
        let (quotes, sentiment) = ("http://127.0.0.1:9".to_owned(), "http://127.0.0.1:9".to_owned());
        let market = MarketSettings { sync: false, quotes, sentiment, feeds: Vec::new(), ..MarketSettings::default() };
        config.set(market);
        set(&mut config);
        House::start(config, Clock::fixed(evening_of_draw_1245()), operator, folder).await
    }

    /// A house that listens on every address. Its passphrase was set before, through the one-time link that a house
    /// gives out while it still listens on its own machine only.
    pub async fn open_on_the_network(passphrase: &str) -> House {
        let mut house = House::open().await;
        let token = house.setup_word().await;
        let setup = json!({"token": token, "passphrase": passphrase});
        house.anonymous().post("/api/household/setup", setup).await.ok();
        house.config.ops.listen = "0.0.0.0:0".parse().unwrap();
        house.restart().await
    }

    /// The word of a fresh set-up link.
    pub async fn setup_word(&self) -> String {
        let app = self.appliance.app();
        let (links, now) = (app.access.household.setup.clone(), app.clock.moment());
        app.data.store.write(move |tx| links.new_token(tx, now)).await.unwrap()
    }

    /// Stops everything and starts it again on the same data folder, at the same instant.
    pub async fn restart(self) -> House {
        let now = self.clock.now();
        self.restart_at(now).await
    }

    /// Stops everything and starts it again on the same data folder, at another instant.
    pub async fn restart_at(self, instant: DateTime<Utc>) -> House {
        self.appliance.stop().await.unwrap();
        self.clock.set(instant);
        House::start(self.config, self.clock, self.operator, self.folder).await
    }

    async fn start(config: Config, clock: Clock, operator: Operator, folder: TempDir) -> House {
        // The application installs the TLS provider when it starts; a client can be built only after that.
        let appliance = start(config.clone(), clock.clone()).await.unwrap_or_else(|e| panic!("no start: {e}"));
        // The doors speak no TLS: to read the machine's root certificates would be most of what a client costs.
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).tls_certs_only([]);
        let client = client.build().unwrap();
        House { clock, operator, appliance, config, client, folder }
    }

    /// Somebody at the household door without a sign-in.
    pub fn anonymous(&self) -> Anonymous<'_> {
        Anonymous { client: &self.client, address: self.appliance.ops_address() }
    }

    /// Somebody at the customer door without a sign-in.
    pub fn passer_by(&self) -> Anonymous<'_> {
        Anonymous { client: &self.client, address: self.appliance.site_address() }
    }

    /// The household. On a loopback address no sign-in is needed to be it.
    pub fn household(&self) -> Household<'_> {
        Household { door: self.anonymous(), cookie: None }
    }

    /// The household after its sign-in with `passphrase`.
    pub async fn signed_in(&self, passphrase: &str) -> Household<'_> {
        let answer = self.anonymous().post("/api/household/sign-in", json!({"passphrase": passphrase})).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        Household { door: self.anonymous(), cookie: Some(answer.header("set-cookie").to_owned()) }
    }
}

/// Somebody without a sign-in, at one of the doors.
#[derive(Clone, Copy)]
pub struct Anonymous<'a> {
    client: &'a reqwest::Client,
    address: SocketAddr,
}

/// Somebody of the household, at the household door.
pub struct Household<'a> {
    door: Anonymous<'a>,
    cookie: Option<String>,
}

/// Whoever can ask a door for something.
pub trait Caller {
    /// A request to the caller's door, with the caller's sign-in.
    fn request(&self, method: Method, path: &str) -> RequestBuilder;

    async fn get(&self, path: &str) -> Answer {
        answer(self.request(Method::GET, path)).await
    }

    async fn post(&self, path: &str, body: Value) -> Answer {
        answer(self.request(Method::POST, path).json(&body)).await
    }

    async fn put(&self, path: &str, body: Value) -> Answer {
        answer(self.request(Method::PUT, path).json(&body)).await
    }

    async fn delete(&self, path: &str) -> Answer {
        answer(self.request(Method::DELETE, path)).await
    }
}

impl Caller for Anonymous<'_> {
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        // A listener on every address is reached through the loopback one.
        let port = self.address.port();
        self.client.request(method, format!("http://127.0.0.1:{port}{path}")).header("accept", "application/json")
    }
}

impl Caller for Household<'_> {
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.door.request(method, path);
        match &self.cookie {
            Some(_) => request.header("cookie", self.cookie_line().split(';').next().unwrap_or_default()),
            None => request,
        }
    }
}

impl Household<'_> {
    /// The `Set-Cookie` line of the sign-in.
    pub fn cookie_line(&self) -> &str {
        self.cookie.as_deref().unwrap_or_default()
    }

    /// Waits until nothing is due and no task is waiting for its turn or running: what a start brings with it is done.
    pub async fn rest(&self) {
        let mut events = self.events().await;
        let now = self.get("/api/today").await.ok()["now"].clone();
        let is_open = |task: &Value| match task["status"].as_str() {
            Some("queued") => task["run_at"].as_str() <= now.as_str(),
            status => status == Some("running"),
        };
        let is_due = |entry: &Value| entry["next_run_at"].as_str() <= now.as_str();
        loop {
            let work = self.get("/api/system/jobs").await.ok();
            let any = |list: &str, holds: &dyn Fn(&Value) -> bool| work[list].as_array().unwrap().iter().any(holds);
            if !any("jobs", &is_open) && !any("schedule", &|entry| !entry["next_run_at"].is_null() && is_due(entry)) {
                return;
            }
            events.until("task", |task| !is_open(task)).await;
        }
    }

    /// The live events from now on.
    pub async fn events(&self) -> Events {
        self.greeted().await.0
    }

    /// The live events from now on, and what they begin with.
    pub async fn greeted(&self) -> (Events, Value) {
        let response = self.request(Method::GET, "/api/events").send().await.unwrap();
        assert_eq!(response.status(), 200);
        let mut events = Events { response, text: String::new() };
        let hello = events.until("hello", |_| true).await;
        (events, hello)
    }
}

/// Server-sent events as they come in.
pub struct Events {
    response: reqwest::Response,
    text: String,
}

impl Events {
    /// Waits until the server ends the stream.
    pub async fn until_it_ends(&mut self) {
        let ends = async { while self.response.chunk().await.is_ok_and(|piece| piece.is_some()) {} };
        tokio::time::timeout(PATIENCE, ends).await.unwrap_or_else(|_| panic!("the events went on for {PATIENCE:?}"));
    }

    /// Waits for the first event of this name whose data is the one that is wanted.
    pub async fn until(&mut self, name: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let mut heard = Vec::new();
        let wanted = async {
            loop {
                while let Some((event, rest)) = self.text.split_once("\n\n") {
                    let (event, rest) = (event.to_owned(), rest.to_owned());
                    self.text = rest;
                    let line = |key: &str| event.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
                    let data = line("data:").and_then(|data| serde_json::from_str(data).ok()).unwrap_or(Value::Null);
                    if line("event:") == Some(name) && is_wanted(&data) {
                        return data;
                    }
                    heard.push(event);
                }
                let piece = self.response.chunk().await.unwrap().expect("the events ended");
                self.text.push_str(&String::from_utf8_lossy(&piece));
            }
        };
        let found = tokio::time::timeout(PATIENCE, wanted).await;
        found.unwrap_or_else(|_| panic!("no such event {name} within {PATIENCE:?}; heard: {heard:#?}"))
    }
}

/// Sends a request and reads the whole answer.
pub async fn answer(request: RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    Answer { status, headers, text: response.text().await.unwrap() }
}

/// A whole answer.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Answer {
    /// The JSON body of a success.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.text);
        self.json()
    }

    /// The JSON body.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{} is not JSON ({e}): {}", self.status, self.text))
    }

    /// A header's text; empty when it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// What breaks the contract's error shape, if anything does.
    pub fn error_flaw(&self) -> Option<String> {
        if !self.header("content-type").starts_with("application/json") {
            return Some(format!("content type {:?}", self.header("content-type")));
        }
        let Ok(body) = serde_json::from_str::<Value>(&self.text) else { return Some("not JSON".to_owned()) };
        let code = body["error"].as_str().unwrap_or_default();
        let is_code = !code.is_empty() && code.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        let has_words =
            ["message", "request_id"].iter().all(|key| body[*key].as_str().is_some_and(|text| !text.is_empty()));
        let fields_fit = body.get("fields").is_some_and(|fields| !fields.is_null()) == (self.status == 422);
        if !is_code || !has_words || !fields_fit {
            return Some(format!("shape {body}"));
        }
        let words = format!("{} {}", body["message"], body["fields"]);
        let ours = words.split(|c: char| !c.is_alphanumeric()).find(|word| INTERNAL_WORDS.contains(word));
        ours.map(|word| format!("the word {word} in {body}"))
    }

    /// Asserts the contract's error shape with this status and code.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        assert_eq!(self.error_flaw(), None);
        assert_eq!(self.json()["error"], code);
    }
}
