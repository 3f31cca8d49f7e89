//! Which kinds of job there are. A job is a small serialisable value and one verb.

use std::collections::BTreeMap;
use std::future::Future;

use chrono::Duration;
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::lane::Lane;
use super::progress::Progress;
use crate::app::App;
use crate::store::WriteTx;
use hanok_base::{Error, Result};

/// One kind of job.
pub trait Job: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Its name, unique in the house, such as `lottery_sync`.
    const KIND: &'static str;
    /// What it is, in Korean and English, for the activity list.
    const TITLE: (&'static str, &'static str);
    /// Where it waits for its turn.
    const LANE: Lane;
    /// Whether it may be begun again after the process ended in the middle of it.
    const RESUME: bool = true;
    /// Whether a second one is not queued while one is open.
    const UNIQUE: bool = false;
    /// For how long one of those that wait once lets others join it before it begins: what follows from every one of many
    /// writes is done once for all that come together. Below the minute of a next attempt; of use with
    /// [`super::enqueue_once`] alone.
    const SETTLES: Duration = Duration::zero();
    /// How often it is tried before it counts as failed; pauses double from one minute to 64.
    const ATTEMPTS: u32 = 1;
    /// Whether nobody is called when it fails: what it leaves undone is said where it is missed, with the cause.
    const QUIET: bool = false;
    /// What it is for. Of all that is for the same, the end that came last decides whether that fails just now: what another
    /// kind has mended needs no care any more. Work that is told what to do is for just that: what fails for one draw is
    /// mended only where the same has been done. None where nothing is missed when it fails, as where somebody asked for it
    /// once and was told.
    const SUBJECT: Option<&'static str> = Some(Self::KIND);
    /// Whether one that is open in a state that is restored goes on there by itself. Not where somebody asked once for work
    /// that changes what the household wrote: whoever goes back to a state wants it as it was then, and asks again.
    const RESUME_AFTER_RESTORE: bool = true;

    /// Clears what it kept for tasks that are not there any more. Asked of each kind when ended tasks have been cleared away.
    ///
    /// # Errors
    /// Those of the store.
    fn clear_left(_tx: &WriteTx) -> Result<()> {
        Ok(())
    }

    /// One that can be begun, with the rows that it works on: so every kind of job is begun and cancelled in a test. A job
    /// that is told what to do, or that finds it in a table, says so here.
    ///
    /// # Errors
    /// Those of the store.
    fn example(_tx: &WriteTx) -> Result<Self> {
        serde_json::from_str("{}").map_err(Error::internal)
    }

    /// Does it. Cancelled, it is dropped wherever it waits, but within [`Progress::uninterrupted`]; what it hands to
    /// other threads goes through [`crate::blocking`], so that it ends with the job.
    fn run(self, app: App, progress: Progress) -> impl Future<Output = Result<()>> + Send;
}

/// The kinds of job that this house knows.
#[derive(Default)]
pub struct Registry(BTreeMap<&'static str, Entry>);

pub(super) struct Entry {
    pub kind: &'static str,
    pub lane: Lane,
    pub resume: bool,
    pub alone: bool,
    pub attempts: u32,
    pub subject: Option<&'static str>,
    pub goes_on_restored: bool,
    pub clear_left: fn(&WriteTx) -> Result<()>,
    pub example: fn(&WriteTx) -> Result<Value>,
    pub run: fn(Value, App, Progress) -> BoxFuture<'static, Result<()>>,
}

impl Registry {
    /// Knows no job yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Knows `J`, too.
    pub fn with<J: Job>(mut self) -> Self {
        let run = |payload: Value, app: App, progress: Progress| -> BoxFuture<'static, Result<()>> {
            Box::pin(async move {
                let job: J = serde_json::from_value(payload).map_err(Error::internal)?;
                job.run(app, progress).await
            })
        };
        let example = |tx: &WriteTx| serde_json::to_value(J::example(tx)?).map_err(Error::internal);
        let (kind, lane, resume, alone) = (J::KIND, J::LANE, J::RESUME, J::UNIQUE);
        let (attempts, subject, goes_on_restored) = (J::ATTEMPTS, J::SUBJECT, J::RESUME_AFTER_RESTORE);
        let clear_left = J::clear_left;
        self.0.insert(
            kind,
            Entry { kind, lane, resume, alone, attempts, subject, goes_on_restored, clear_left, example, run },
        );
        self
    }

    /// Every kind.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().copied()
    }

    /// The lane in which jobs of this kind wait.
    pub fn lane(&self, kind: &str) -> Option<Lane> {
        self.0.get(kind).map(|entry| entry.lane)
    }

    /// What makes an example of this kind: what it is told to do, with the rows that it works on.
    pub fn example(&self, kind: &str) -> Option<fn(&WriteTx) -> Result<Value>> {
        self.0.get(kind).map(|entry| entry.example)
    }

    /// Clears what jobs of each kind kept for tasks that are not there any more.
    pub(super) fn clear_left(&self, tx: &WriteTx) -> Result<()> {
        self.0.values().try_for_each(|entry| (entry.clear_left)(tx))
    }

    pub(super) fn get(&self, kind: &str) -> Option<&Entry> {
        self.0.get(kind)
    }
}
