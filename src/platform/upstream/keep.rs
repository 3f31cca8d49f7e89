//! The last good answer of a provider, kept in the store with its age.
//!
//! Only an answer that its reader accepted is remembered, so good data is never overwritten by an empty
//! or broken answer.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Limits, Provider, Upstreams};
use crate::store::{Reads, Store, Table, WriteTx};
use hanok_base::{Error, Result};

/// table: the last good answers. key: what was asked, as its domain names it. value: [`Kept`].
const ANSWERS: Table<&'static str, Kept> = Table::new("upstream_answers-1");

/// A good answer with its age.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The body as it came.
    pub body: String,
    /// When it came.
    pub at: DateTime<Utc>,
}

/// What was read, fresh or from the keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known<T> {
    /// What `read` made of the body.
    pub value: T,
    /// When the provider said so.
    pub as_of: DateTime<Utc>,
    /// Whether the provider failed and this is its last good answer.
    pub stale: bool,
}

/// Remembers `body` as the last good answer under `key`. An empty body is not remembered.
pub fn remember(tx: &WriteTx, key: &str, body: &str) -> Result<()> {
    if body.trim().is_empty() {
        return Ok(());
    }
    tx.put(&ANSWERS, key, &Kept { body: body.to_owned(), at: tx.now() })
}

/// The last good answer under `key`.
pub fn recall(tx: &impl Reads, key: &str) -> Result<Option<Kept>> {
    tx.get(&ANSWERS, key)
}

impl Upstreams {
    /// Gets and reads `url`; remembers what was read well; gives the last good answer when the provider fails.
    ///
    /// # Errors
    /// The provider's failure, when there is no good answer from before.
    pub async fn get_or_kept<T>(
        &self,
        store: &Store,
        provider: &Provider,
        key: &'static str,
        url: &str,
        limits: Limits,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Known<T>> {
        let fresh = self
            .read(provider, url, limits, |answer| {
                let body = answer.text()?;
                read(body).map(|value| (value, body.to_owned()))
            })
            .await;
        match fresh {
            Ok((value, body)) => {
                let as_of = store.write(move |tx| remember(tx, key, &body).map(|()| tx.now())).await?;
                Ok(Known { value, as_of, stale: false })
            }
            Err(failure) => {
                let kept = store.read(move |tx| recall(tx, key)).await?;
                let Some(Kept { body, at }) = kept else { return Err(failure) };
                let value = read(&body).map_err(|problem| Error::internal(format!("the kept {key}: {problem}")))?;
                Ok(Known { value, as_of: at, stale: true })
            }
        }
    }
}
