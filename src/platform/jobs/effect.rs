//! Effects outside the house that must not happen twice: a mail, an order, a paid request.
//!
//! The intent is written down before the effect and its outcome after it. A task that is begun again finds its outcome
//! and does not repeat it; one that finds an intent without an outcome does not know whether the effect happened,
//! and says so (`UNDECIDED`) instead of trying its luck. A person who has looked at the other side tries the task
//! again, which forgets the intent, or leaves it.

use std::future::Future;
use std::ops::ControlFlow;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::progress::Progress;
use crate::store::{Order, Reads, Table, WriteTx};
use hanok_base::{Error, Kind, Result};

/// Table: effects of tasks that have not been cleared. Key: task id, a space, and the effect's name. Value: the effect.
const EFFECTS: Table<&'static str, Effect> = Table::new("tasks_effects-1");

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Effect {
    intended_at: DateTime<Utc>,
    /// What came of it; none while nobody knows.
    outcome: Option<Value>,
}

/// How long to wait for room on a full disk before trying again to write an outcome down.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// How an effect failed.
#[derive(Debug)]
pub enum Failure {
    /// It has not happened: it was refused, or never sent. It may be tried again.
    Refused(Error),
    /// Nobody knows: the answer did not come.
    Unknown(Error),
}

impl Progress {
    /// Does `effect` once in the life of this task, however often the task is begun, and gives what came of it.
    /// `name` tells the effects of one task apart; the effect hears a key that stays the same, for providers that
    /// take an idempotency key.
    ///
    /// # Errors
    /// `UNDECIDED` when an earlier attempt ended in the middle of it or nobody knows whether it happened; that of a
    /// refusal as it is.
    pub async fn once<T, F>(&self, name: &str, effect: impl FnOnce(String) -> F + Send) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = Result<T, Failure>> + Send,
    {
        let key = format!("{} {name}", self.task_id());
        if let Some(outcome) = self.intend(key.clone(), name).await? {
            return serde_json::from_value(outcome).map_err(Error::internal);
        }
        match effect(key.clone()).await {
            Ok(value) => {
                let outcome = serde_json::to_value(&value).map_err(Error::internal)?;
                self.note(key, Some(outcome)).await?;
                Ok(value)
            }
            Err(Failure::Refused(error)) => {
                self.note(key, None).await?;
                Err(error)
            }
            Err(Failure::Unknown(error)) => Err(undecided(name).because(error)),
        }
    }

    /// Writes the intent down. The outcome when there is one already.
    async fn intend(&self, key: String, name: &str) -> Result<Option<Value>> {
        let name = name.to_owned();
        let intended = self.store().write(move |tx| match tx.get(&EFFECTS, key.as_str())? {
            Some(Effect { outcome: Some(outcome), .. }) => Ok(Some(outcome)),
            Some(_) => Err(undecided(&name)),
            None => {
                tx.put(&EFFECTS, key.as_str(), &Effect { intended_at: tx.now(), outcome: None })?;
                Ok(None)
            }
        });
        intended.await
    }

    /// Writes the outcome down, or forgets the intent of an effect that has not happened. Waits for room on a full
    /// disk: an outcome that is known now must not become one that nobody knows.
    async fn note(&self, key: String, outcome: Option<Value>) -> Result<()> {
        loop {
            let (key, outcome) = (key.clone(), outcome.clone());
            let noted = self.store().write(move |tx| match (tx.get(&EFFECTS, key.as_str())?, outcome) {
                (Some(effect), Some(outcome)) => {
                    tx.put(&EFFECTS, key.as_str(), &Effect { outcome: Some(outcome), ..effect })
                }
                _ => tx.remove(&EFFECTS, key.as_str()).map(drop),
            });
            match noted.await {
                Err(error) if error.kind == Kind::StorageFull => tokio::time::sleep(LOOK_AGAIN).await,
                noted => return noted,
            }
        }
    }
}

fn undecided(name: &str) -> Error {
    Error::new(
        Kind::Undecided,
        format!(
            "it is not known whether `{name}` happened; look on the other side, then try the task again or leave it"
        ),
    )
}

/// Forgets the effects of a task of which nobody knows whether they happened: somebody has looked and decided.
pub(super) fn decide(tx: &WriteTx, task_id: &str) -> Result<()> {
    forget(tx, task_id, |effect| effect.outcome.is_none())
}

/// Forgets every effect of a task that is cleared.
pub(super) fn clear(tx: &WriteTx, task_id: &str) -> Result<()> {
    forget(tx, task_id, |_| true)
}

fn forget(tx: &WriteTx, task_id: &str, which: impl Fn(&Effect) -> bool) -> Result<()> {
    let (from, to) = (format!("{task_id} "), format!("{task_id}!"));
    let mut keys = Vec::new();
    tx.each(&EFFECTS, from.as_str()..to.as_str(), Order::Ascending, |key, effect| {
        if which(&effect.decode()?) {
            keys.push(key.to_owned());
        }
        Ok(ControlFlow::Continue(()))
    })?;
    keys.iter().try_for_each(|key| tx.remove(&EFFECTS, key.as_str()).map(drop))
}
