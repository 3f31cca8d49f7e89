//! What is known of a provider outlives the process: else a house that was started again would say that it was never asked.
//!
//! For how long it is left alone is not kept: whoever starts the house again may try at once.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use tracing::warn;

use super::Upstreams;
use super::health::Health;
use crate::store::{Declared, Order, ReadTransaction, ReadTx, Store, Table, WriteTx};
use hanok_base::Result;
use hanok_base::message::LocalizedMessage;

/// Every table of the providers.
pub const TABLES: &[&dyn Declared] = &[&KEPT, &super::answers::ANSWERS];

/// Table: how each provider did last. Key: its name.
const KEPT: Table<&'static str, Kept> = Table::new("upstreams-1");

/// Of one good answer after another only so many are written down.
const BETWEEN_SUCCESSES: Duration = Duration::minutes(10);

/// How a provider did when it was asked last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    last_success_at: Option<DateTime<Utc>>,
    last_failure_at: Option<DateTime<Utc>>,
    failure: Option<(String, Option<LocalizedMessage>)>,
    consecutive_failures: u32,
}

impl Kept {
    fn of(health: &Health) -> Kept {
        Kept {
            last_success_at: health.last_success_at,
            last_failure_at: health.last_failure_at,
            failure: health.failure.clone(),
            consecutive_failures: health.consecutive_failures,
        }
    }

    fn into_health(self) -> Health {
        Health {
            last_success_at: self.last_success_at,
            last_failure_at: self.last_failure_at,
            failure: self.failure,
            consecutive_failures: self.consecutive_failures,
            ..Health::default()
        }
    }

    /// Whether `self` says nothing that matters beyond `written`.
    fn is_old_news(&self, written: &Kept) -> bool {
        let (Some(now), Some(then)) = (self.last_success_at, written.last_success_at) else { return self == written };
        let otherwise_alike = Kept { last_success_at: Some(then), ..self.clone() } == *written;
        otherwise_alike && (now - then).abs() < BETWEEN_SUCCESSES
    }
}

impl Upstreams {
    /// Knows again what `store` keeps of the providers that are registered, and keeps there what comes.
    ///
    /// # Errors
    /// Those of the read.
    pub async fn keep_in(&self, store: &Store) -> Result<()> {
        let read = |tx: &ReadTx| -> Result<Vec<(String, Kept)>> {
            let mut all = Vec::new();
            for entry in tx.entries(&KEPT, "".., Order::Ascending) {
                let entry = entry?;
                all.push((entry.key().to_owned(), entry.value()?));
            }
            Ok(all)
        };
        let kept = store.read(read).await?;
        for (name, kept) in kept {
            if let Some(record) = self.0.records.lock().get_mut(name.as_str()) {
                record.health = kept.clone().into_health();
                record.written = kept;
            }
        }
        // It is the same store, however often it is said.
        let _ = self.0.store.set(store.clone());
        Ok(())
    }

    /// Writes down what is known of every provider, into a state that a restore puts in place: it is older than that.
    ///
    /// # Errors
    /// Those of the write.
    pub fn carry_into(&self, tx: &WriteTx) -> Result<()> {
        let known: Vec<_> =
            self.0.records.lock().iter().map(|(name, record)| (*name, Kept::of(&record.health))).collect();
        let told = known.into_iter().filter(|(_, kept)| *kept != Kept::default());
        told.into_iter().try_for_each(|(name, kept)| tx.put(&KEPT, name, &kept))
    }

    /// Keeps how `name` did. Where there is no room for it, the present process knows it all the same.
    pub(super) async fn keep(&self, name: &'static str) {
        let Some(store) = self.0.store.get() else { return };
        let news = self.0.records.lock().get(name).and_then(|record| {
            let kept = Kept::of(&record.health);
            (!kept.is_old_news(&record.written)).then_some(kept)
        });
        let Some(news) = news else { return };
        let written = news.clone();
        let write = move |tx: &WriteTx| {
            tx.quiet();
            tx.put(&KEPT, name, &news)
        };
        if let Err(error) = store.write(write).await {
            return warn!(provider = name, %error, "how the provider did is not known after a restart");
        }
        if let Some(record) = self.0.records.lock().get_mut(name) {
            record.written = written;
        }
    }
}
