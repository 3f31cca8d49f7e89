//! The last good answer under each key: one for each symbol, feed or track, with the instant it is of.
//!
//! A set of answers ([`AnswerSet`]) is a constant of the domain that asks. An answer is fresh for a while and given without
//! asking; after that the first reader asks, by a conditional request where the provider gave an `ETag` or `Last-Modified`,
//! while the others are given the last good one as `stale`, or wait where there is none. After a failure nobody asks again
//! before [`AnswerSet::pause`] is over: all readers are given the last good answer, or that same failure. Answers are kept
//! in the store, as many and as long as the set says, so that a house that was started again has them.
//!
//! How long an answer is fresh goes by time that only passes; how old it is, by the calendar: of a clock that was set back nothing is fresh
//! because of it, and what is of a day to come is stale.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tracing::warn;

use super::attempt::Validators;
use super::{Limits, Provider, UpstreamResponse, Upstreams};
use crate::store::{Order, ReadTransaction, Table, WriteTx};
use hanok_base::{Error, Moment, Result};

/// Table: the last good answers. Key: the name of the set and the key within it.
pub(super) const ANSWERS: Table<(&'static str, &'static str), Stored> = Table::new("upstreams_answers-1");

/// A set of answers of one provider, one under each key.
#[derive(Debug)]
pub struct AnswerSet {
    /// Its name, unique in the house.
    pub name: &'static str,
    /// Who is asked.
    pub provider: &'static Provider,
    /// For how long an answer is given without asking.
    pub fresh_for: TimeDelta,
    /// For how long after a failure nobody asks for the same key again.
    pub pause: TimeDelta,
    /// How old an answer may be at most, for want of a newer one.
    pub kept_for: TimeDelta,
    /// How many keys are kept at most; the oldest answers go first.
    pub most: usize,
    /// What is wrong with an answer: such a one is a failure of the provider and replaces nothing.
    pub check: fn(&UpstreamResponse) -> Result<(), String>,
}

/// The last good answer under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastGood {
    /// The body.
    pub body: Arc<str>,
    /// When the provider gave it, or said that it has not changed.
    pub as_of: DateTime<Utc>,
    /// Whether it is older than it should be: the provider could not be asked, or is being asked.
    pub stale: bool,
}

/// An answer as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Stored {
    #[serde(serialize_with = "written", deserialize_with = "shared")]
    body: Arc<str>,
    as_of: DateTime<Utc>,
    #[serde(default)]
    validators: Validators,
}

fn written<S: Serializer>(body: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(body)
}

fn shared<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<str>, D::Error> {
    String::deserialize(deserializer).map(Into::into)
}

/// What is known under one key.
#[derive(Default)]
struct Slot {
    /// Whether the store was looked into.
    is_read: bool,
    good: Option<Stored>,
    fresh_until: Option<Moment>,
    /// Until when nobody asks, and why.
    failed: Option<(Moment, Error)>,
}

#[derive(Default)]
struct Entry {
    slot: Mutex<Slot>,
    /// Who holds it asks.
    turn: tokio::sync::Mutex<()>,
}

/// Every key that was asked for in this process.
#[derive(Default)]
pub(super) struct Entries(Mutex<HashMap<(&'static str, String), Arc<Entry>>>);

impl Entries {
    /// The entry of `key`. What nobody reads makes room for it.
    fn entry(&self, set: &AnswerSet, key: &str) -> Arc<Entry> {
        let mut all = self.0.lock();
        let known = all.len();
        let entry = Arc::clone(all.entry((set.name, key.to_owned())).or_default());
        if all.len() > known && all.keys().filter(|(name, _)| *name == set.name).count() > set.most {
            // The store has what is forgotten here.
            all.retain(|(name, _), entry| *name != set.name || Arc::strong_count(entry) > 1);
        }
        entry
    }
}

impl Upstreams {
    /// The last good answer under `key` of `set`, which is asked for at `url` when it is not fresh. One request serves all who
    /// read the same key at the same time, also when it fails.
    ///
    /// # Errors
    /// Those of [`Upstreams::get`], when there is no answer that is young enough.
    pub async fn last_good(&self, set: &'static AnswerSet, key: &str, url: &str, limits: Limits) -> Result<LastGood> {
        let entry = self.0.answers.entry(set, key);
        self.read_kept(set, key, &entry).await;
        if let Some(told) = self.told(set, &entry) {
            return told;
        }
        let _turn = match entry.turn.try_lock() {
            Ok(turn) => turn,
            Err(_) => match self.usable(set, &entry) {
                Some(stale) => return Ok(stale),
                None => {
                    let turn = entry.turn.lock().await;
                    if let Some(told) = self.told(set, &entry) {
                        return told;
                    }
                    turn
                }
            },
        };
        self.ask(set, key, url, limits, &entry).await
    }

    /// What can be said without asking: a fresh answer or, shortly after a failure, what there is.
    fn told(&self, set: &AnswerSet, entry: &Entry) -> Option<Result<LastGood>> {
        let moment = self.0.clock.moment();
        let (is_fresh, failed) = {
            let slot = entry.slot.lock();
            let failed = slot.failed.as_ref().filter(|(until, _)| moment < *until).map(|(_, error)| error.clone());
            (slot.fresh_until.is_some_and(|until| moment < until), failed)
        };
        let usable = self.usable(set, entry);
        match (usable, failed) {
            (Some(good), _) if is_fresh => Some(Ok(LastGood { stale: false, ..good })),
            (Some(good), Some(_)) => Some(Ok(good)),
            (None, Some(error)) => Some(Err(error)),
            _ => None,
        }
    }

    /// The last good answer as a stale one, unless it is too old.
    fn usable(&self, set: &AnswerSet, entry: &Entry) -> Option<LastGood> {
        let slot = entry.slot.lock();
        let good = slot.good.as_ref().filter(|good| self.0.clock.now() - good.as_of <= set.kept_for)?;
        Some(LastGood { body: Arc::clone(&good.body), as_of: good.as_of, stale: true })
    }

    async fn ask(
        &self,
        set: &'static AnswerSet,
        key: &str,
        url: &str,
        limits: Limits,
        entry: &Entry,
    ) -> Result<LastGood> {
        let known = entry.slot.lock().good.clone();
        let validators = known.as_ref().map(|good| good.validators.clone()).unwrap_or_default();
        let read = |answer: &UpstreamResponse| {
            (set.check)(answer)?;
            answer.text().map(Arc::<str>::from)
        };
        let outcome = self.read_if_changed(set.provider, url, limits, &validators, read).await;
        let as_of = self.0.clock.now();
        let (good, outcome) = match (outcome, known) {
            (Ok(Some((body, validators))), _) => (Stored { body, as_of, validators }, "changed"),
            (Ok(None), Some(known)) => (Stored { as_of, ..known }, "unchanged"),
            (Ok(None), None) => return Err(Error::internal("an answer that was never given has not changed")),
            (Err(error), _) => {
                count(set, "failed");
                entry.slot.lock().failed = Some((self.0.clock.moment() + set.pause, error.clone()));
                return self.usable(set, entry).ok_or(error);
            }
        };
        count(set, outcome);
        {
            let mut slot = entry.slot.lock();
            slot.failed = None;
            slot.fresh_until = Some(self.0.clock.moment() + set.fresh_for);
            slot.good = Some(good.clone());
        }
        self.write_kept(set, key, good.clone()).await;
        Ok(LastGood { body: good.body, as_of, stale: false })
    }

    /// Knows again what the store has under `key`.
    async fn read_kept(&self, set: &'static AnswerSet, key: &str, entry: &Entry) {
        if entry.slot.lock().is_read {
            return;
        }
        let found = match self.0.store.get() {
            Some(store) => {
                let key = key.to_owned();
                store.read(move |tx| tx.get(&ANSWERS, (set.name, key.as_str()))).await
            }
            None => Ok(None),
        };
        // A row of another version is no answer.
        let found = found.unwrap_or_default();
        let (now, moment) = (self.0.clock.now(), self.0.clock.moment());
        let mut slot = entry.slot.lock();
        if slot.is_read {
            return;
        }
        slot.is_read = true;
        if slot.good.is_none()
            && let Some(good) = found
        {
            let age = now - good.as_of;
            slot.fresh_until = (age >= TimeDelta::zero()).then(|| moment + (set.fresh_for - age));
            slot.good = Some(good);
        }
    }

    /// Keeps `good` under `key`, and no more than the set may have. Where there is no room, this process knows it all the same.
    async fn write_kept(&self, set: &'static AnswerSet, key: &str, good: Stored) {
        let Some(store) = self.0.store.get() else { return };
        let key = key.to_owned();
        let write = move |tx: &WriteTx| {
            tx.quiet();
            let is_new = !tx.contains(&ANSWERS, (set.name, key.as_str()))?;
            tx.put(&ANSWERS, (set.name, key.as_str()), &good)?;
            if is_new { make_room(tx, set) } else { Ok(()) }
        };
        if let Err(error) = store.write(write).await {
            warn!(set = set.name, %error, "an answer is not known after a restart");
        }
    }
}

/// Removes the oldest answers beyond what the set may have, and those that are too old to be given.
fn make_room(tx: &WriteTx, set: &AnswerSet) -> Result<()> {
    let mut kept = Vec::new();
    for entry in tx.entries(&ANSWERS, (set.name, "").., Order::Ascending) {
        let entry = entry?;
        let (name, key) = entry.key();
        if name != set.name {
            break;
        }
        let as_of = entry.value().map_or(DateTime::UNIX_EPOCH, |good| good.as_of);
        kept.push((as_of, key.to_owned()));
    }
    kept.sort();
    let beyond = kept.len().saturating_sub(set.most);
    let oldest = tx.now() - set.kept_for;
    for (_, key) in
        kept.iter().enumerate().filter(|(at, (as_of, _))| *at < beyond || *as_of < oldest).map(|(_, one)| one)
    {
        tx.discard(&ANSWERS, (set.name, key.as_str()))?;
    }
    Ok(())
}

fn count(set: &AnswerSet, outcome: &'static str) {
    metrics::counter!("hanok_upstream_answers_total", "set" => set.name, "outcome" => outcome).increment(1);
}
