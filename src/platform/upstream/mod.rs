//! Clients of the outside providers: each call has a time limit, a size limit and a breaker.
//!
//! One [`Provider`] constant describes one outside service; it lives with the domain that asks it.
//! No redirect is followed, because it could lead to another host. A request is repeated only when that
//! is safe: a GET that could not connect or met a 5xx. After several failures in a row the provider is
//! left alone for a while ([`health`]); one trial then decides. What a request does there is asked for once ([`posting`]):
//! without an answer it may have been done. The last good answers are kept by key ([`AnswerSet`]).
//!
//! What is deliberately not here: what the answers mean. Each domain reads its own.

mod answers;
mod attempt;
mod clients;
mod health;
mod kept;
mod own_host;
mod posting;
mod state;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_answers;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use crate::config;
use crate::store::Store;
pub use answers::{AnswerSet, LastGood};
use attempt::Failure;
pub use attempt::Validators;
use clients::Clients;
use hanok_base::message::MessageArg;
use hanok_base::text::cut;
use hanok_base::{Clock, Error, Kind, MessageTemplate, Result, Shared};
use health::Health;
use kept::Kept;
pub use kept::TABLES;
pub use posting::{Posted, Unanswered, Verb, WriteRequest};
pub use state::{ProviderCondition, ProviderState};

/// How many requests may be under way to one host at the same time.
const AT_ONCE_PER_HOST: usize = 4;
/// The pause before the first repetition; it doubles with each one, and chance shortens it by up to half.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// How often a failed GET is repeated.
const REPETITIONS: u32 = 2;

/// Characters that the log is told at most of what was wrong with an answer, which may quote it.
const LONGEST_CAUSE: usize = 500;

/// One outside service, as a constant of the domain that asks it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provider {
    /// Its name in answers, logs and metrics.
    pub name: &'static str,
    /// Its title for people, in Korean.
    pub title_ko: &'static str,
    /// Its title for people, in English.
    pub title_en: &'static str,
    /// The setting that holds its address or key.
    pub setting: &'static str,
}

/// What the body of a good answer is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Accept {
    /// Whole JSON, whatever the content type says: some providers send JSON as `text/html`,
    /// and a page under status 200 is a failure.
    #[default]
    Json,
    /// Anything that is not empty.
    Anything,
}

/// The limits of one call.
#[derive(Debug, Clone)]
pub struct Limits {
    /// How long the whole call may take, with its repetitions.
    pub timeout: Duration,
    /// The largest body that is taken.
    pub max_bytes: usize,
    /// What the body must be.
    pub accept: Accept,
    /// Header lines that this provider wants to see.
    pub headers: Vec<(&'static str, String)>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { timeout: Duration::from_secs(10), max_bytes: 4 << 20, accept: Accept::Json, headers: Vec::new() }
    }
}

impl Limits {
    /// JSON within `timeout`, at most 4 MiB.
    pub fn json(timeout: Duration) -> Self {
        Limits { timeout, ..Limits::default() }
    }
}

/// A good answer: status 2xx, within the limits, of the kind that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpstreamResponse {
    /// The status, 200 to 299.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

impl UpstreamResponse {
    /// The body as `T`.
    ///
    /// # Errors
    /// What does not fit, for the log.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_slice(&self.body).map_err(|error| error.to_string())
    }

    /// The body as text.
    ///
    /// # Errors
    /// That it is not UTF-8, for the log.
    pub fn text(&self) -> Result<&str, String> {
        std::str::from_utf8(&self.body).map_err(|error| error.to_string())
    }
}

/// The handle to all providers; clones share it.
#[derive(Clone)]
pub struct Upstreams(Shared<Inner>);

struct Inner {
    clients: Clients,
    clock: Clock,
    settings: config::Upstream,
    first_pause: Duration,
    records: Mutex<BTreeMap<&'static str, ProviderRecord>>,
    hosts: Mutex<HashMap<String, Arc<Semaphore>>>,
    /// Where what is known outlives the process; nowhere but in a house.
    store: OnceLock<Store>,
    answers: answers::Entries,
}

/// What is known about one provider.
struct ProviderRecord {
    provider: Provider,
    configured: bool,
    health: Health,
    /// What the store has of it.
    written: Kept,
}

impl Upstreams {
    /// Clients with these limits. Nothing is connected yet.
    ///
    /// # Errors
    /// `INTERNAL` when no TLS client can be built at all.
    pub fn new(settings: &config::Upstream, clock: Clock) -> Result<Self> {
        Self::with_first_pause(settings, clock, FIRST_PAUSE)
    }

    fn with_first_pause(settings: &config::Upstream, clock: Clock, first_pause: Duration) -> Result<Self> {
        Ok(Upstreams(Shared::new(Inner {
            clients: Clients::new(settings)?,
            clock,
            settings: settings.clone(),
            first_pause,
            records: Mutex::default(),
            hosts: Mutex::default(),
            store: OnceLock::new(),
            answers: answers::Entries::default(),
        })))
    }

    /// Makes a provider known to [`Upstreams::report`] before it is asked; `configured` is false while
    /// its setting is missing.
    pub fn register(&self, provider: &Provider, configured: bool) {
        self.with_record(provider, |record| record.configured = configured);
    }

    /// Gets `url` from `provider`.
    ///
    /// # Errors
    /// `UPSTREAM_TIMEOUT` when the time limit passed, `UPSTREAM_UNAVAILABLE` for every other failure and
    /// while the provider is left alone (`retry_after` says for how long). The message names the provider.
    pub async fn get(&self, provider: &Provider, url: &str, limits: Limits) -> Result<UpstreamResponse> {
        self.read(provider, url, limits, |answer| Ok(answer.clone())).await
    }

    /// Gets `url` from `provider` and reads the answer with `read`. An answer that cannot be read counts
    /// as a failure of the provider, exactly like no answer.
    ///
    /// # Errors
    /// As [`Upstreams::get`]; what `read` objects to goes to the log.
    pub async fn read<T>(
        &self,
        provider: &Provider,
        url: &str,
        limits: Limits,
        read: impl FnOnce(&UpstreamResponse) -> Result<T, String>,
    ) -> Result<T> {
        let read = self.read_if_changed(provider, url, limits, &Validators::default(), read).await?;
        read.map(|(read, _)| read).ok_or_else(|| Error::internal("an answer without validators has not changed"))
    }

    /// As [`Upstreams::read`], with what tells the next answer from this one; none when the answer is still the one that
    /// `known` is of.
    ///
    /// # Errors
    /// As [`Upstreams::read`].
    pub async fn read_if_changed<T>(
        &self,
        provider: &Provider,
        url: &str,
        limits: Limits,
        known: &Validators,
        read: impl FnOnce(&UpstreamResponse) -> Result<T, String>,
    ) -> Result<Option<(T, Validators)>> {
        // Waiting for our own turn is no failure of the provider.
        let turn = self.turn(host_of(url)).acquire_owned();
        let Ok(_turn) = tokio::time::timeout(limits.timeout, turn).await else { return Err(busy(provider)) };
        let admission = self.admit(provider)?;
        let outcome = match tokio::time::timeout(limits.timeout, self.attempts(url, &limits, known)).await {
            Err(_) => Err(Failure::TimedOut),
            Ok(Err(failure)) => Err(failure),
            Ok(Ok(None)) => Ok(None),
            Ok(Ok(Some((answer, validators)))) => read(&answer)
                .map(|read| Some((read, validators)))
                .map_err(|what| Failure::Unreadable(cut(&what, LONGEST_CAUSE))),
        };
        admission.finish(outcome).await
    }

    /// The state of every provider that was registered or asked, by name.
    pub fn report(&self) -> Vec<ProviderState> {
        self.0.records.lock().values().map(|record| state::of(record, &self.0.clock)).collect()
    }

    /// Asks up to three times, as far as repeating is safe and makes sense.
    async fn attempts(
        &self,
        url: &str,
        limits: &Limits,
        known: &Validators,
    ) -> Result<Option<(UpstreamResponse, Validators)>, Failure> {
        let url = reqwest::Url::parse(url).map_err(|error| Failure::NotConnected(error.to_string()))?;
        let mut repetition = 0;
        loop {
            match attempt::get(self.0.clients.of(url.as_str()), url.clone(), limits, known).await {
                Err(failure) if failure.may_be_repeated() && repetition < REPETITIONS => {
                    tokio::time::sleep(pause(self.0.first_pause, repetition)).await;
                    repetition += 1;
                }
                outcome => return outcome,
            }
        }
    }

    /// The queue for requests to one host.
    fn turn(&self, host: String) -> Arc<Semaphore> {
        let mut hosts = self.0.hosts.lock();
        Arc::clone(hosts.entry(host).or_insert_with(|| Arc::new(Semaphore::new(AT_ONCE_PER_HOST))))
    }

    fn admit(&self, provider: &Provider) -> Result<Admission> {
        let now = self.0.clock.moment();
        match self.with_record(provider, |record| record.health.admit(now)) {
            Ok(()) => Ok(Admission { upstreams: self.clone(), provider: *provider, decided: false }),
            Err(left) => {
                let seconds = left.num_seconds().max(1).unsigned_abs();
                let message = LEFT_ALONE.with([("who", title(provider))]);
                Err(Error::new(Kind::UpstreamUnavailable, message).retry_after(seconds))
            }
        }
    }

    fn with_record<T>(&self, provider: &Provider, work: impl FnOnce(&mut ProviderRecord) -> T) -> T {
        let mut records = self.0.records.lock();
        work(records.entry(provider.name).or_insert_with(|| ProviderRecord {
            provider: *provider,
            configured: true,
            health: Health::default(),
            written: Kept::default(),
        }))
    }
}

/// One admitted call. Dropped undecided (the caller went away), it counts neither way.
struct Admission {
    upstreams: Upstreams,
    provider: Provider,
    decided: bool,
}

impl Admission {
    /// Notes how the call ended, and keeps it.
    async fn finish<T>(self, outcome: Result<T, Failure>) -> Result<T> {
        let (upstreams, name) = (self.upstreams.clone(), self.provider.name);
        let outcome = match outcome {
            Ok(value) => {
                self.succeeded();
                Ok(value)
            }
            Err(failure) => Err(self.failed(&failure)),
        };
        upstreams.keep(name).await;
        outcome
    }

    fn succeeded(mut self) {
        self.decided = true;
        let now = self.upstreams.0.clock.now();
        let again = self.upstreams.with_record(&self.provider, |record| record.health.succeeded(now));
        if again {
            tracing::info!(provider = self.provider.name, "the provider answers again");
        }
        self.count("ok");
    }

    /// Notes the failure and gives the error for the caller.
    fn failed(mut self, failure: &Failure) -> Error {
        self.decided = true;
        let Inner { clock, settings, .. } = &*self.upstreams.0;
        let message = failure.sentence(title(&self.provider));
        let streak = self.upstreams.with_record(&self.provider, |record| {
            record.health.failed((clock.now(), clock.moment()), &message, failure.asked_pause(), settings);
            record.health.consecutive_failures
        });
        tracing::warn!(provider = self.provider.name, failures = streak, cause = %failure.cause(), "{message}");
        self.count(failure.name());
        let error = Error::new(failure.kind(), message).because(failure.cause());
        match failure.asked_pause() {
            Some(pause) => error.retry_after(pause.as_secs()),
            None => error,
        }
    }

    fn count(&self, outcome: &'static str) {
        metrics::counter!("hanok_upstream_calls_total", "provider" => self.provider.name, "outcome" => outcome)
            .increment(1);
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        if !self.decided {
            self.upstreams.with_record(&self.provider, |record| record.health.abandoned());
        }
    }
}

/// The breaker is open.
const LEFT_ALONE: MessageTemplate =
    MessageTemplate::new("house.upstream.left_alone", "{who} failed several times and is left alone for a while");

const BUSY: MessageTemplate =
    MessageTemplate::new("house.upstream.busy", "{who} is being asked too much at once; try again in a moment");

fn busy(provider: &Provider) -> Error {
    Error::new(Kind::UpstreamUnavailable, BUSY.with([("who", title(provider))])).retry_after(1)
}

fn host_of(url: &str) -> String {
    reqwest::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

fn title(provider: &Provider) -> MessageArg {
    (provider.title_ko, provider.title_en).into()
}

/// `first`, doubled for each repetition before, shortened by chance to between half and all of it,
/// so that many waiters do not come back together.
fn pause(first: Duration, repetition: u32) -> Duration {
    let chance = getrandom::u32().map_or(0.5, |random| f64::from(random) / f64::from(u32::MAX));
    first.mul_f64(f64::from(2u32.saturating_pow(repetition)) * (0.5 + chance / 2.0))
}
