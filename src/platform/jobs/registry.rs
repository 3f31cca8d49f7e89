//! Which kinds of job there are. A job is a small serialisable value and one verb.

use std::collections::BTreeMap;
use std::future::Future;

use futures_util::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::lane::Lane;
use super::progress::Progress;
use crate::app::App;
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
    const ALONE: bool = false;
    /// How often it is tried before it counts as failed; pauses double from one minute to 64.
    const ATTEMPTS: u32 = 1;
    /// What it may be told to do, as JSON: with this every kind of job is begun and cancelled in a test.
    const EXAMPLE: &'static str = "{}";

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
    pub example: &'static str,
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
        let (kind, lane, resume, alone) = (J::KIND, J::LANE, J::RESUME, J::ALONE);
        let (attempts, example) = (J::ATTEMPTS, J::EXAMPLE);
        self.0.insert(kind, Entry { kind, lane, resume, alone, attempts, example, run });
        self
    }

    /// Every kind, with what it may be told to do.
    pub fn kinds(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.iter().map(|(kind, entry)| (*kind, entry.example))
    }

    pub(super) fn get(&self, kind: &str) -> Option<&Entry> {
        self.0.get(kind)
    }
}
