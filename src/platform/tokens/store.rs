//! The table of the tokens.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use tracing::warn;

use super::answer::TokenGrant;
use super::{Grant, Tokens};
use crate::store::{Declared, Order, PreservedOnRestore, ReadTransaction, Table, WriteTx};
use hanok_base::{Error, Result};

/// Table: tokens of outside providers. Key: the name of the grant.
pub(super) const TOKENS: Table<&'static str, Sealed> = Table::new("tokens-1");

/// Every table of the tokens.
pub const TABLES: &[&dyn Declared] = &[&TOKENS];

/// A restore goes back to no token, because a provider may have ended those of that time; a file that leaves the house has none.
pub const PRESERVED_ON_RESTORE: &[PreservedOnRestore] = &[PreservedOnRestore {
    carry: |before, restored| {
        let Some(present) = before.state else { return Ok(()) };
        restored.clear(&TOKENS)?;
        restored.put_all_of(&TOKENS, present)
    },
    forget: |tx| tx.clear(&TOKENS),
}];

/// Tokens as they are kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Sealed {
    /// Base64url of nonce, sealed JSON of [`GrantTokens`], tag.
    sealed: String,
    /// Since when there is a permission, which is no secret.
    connected_at: DateTime<Utc>,
}

/// The tokens of one grant.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct GrantTokens {
    pub access: Option<String>,
    pub refresh: Option<String>,
    pub scope: Option<String>,
    pub connected_at: DateTime<Utc>,
    /// When the access token was given.
    pub given_at: DateTime<Utc>,
    /// When it ends, where that was said.
    pub ends_at: Option<DateTime<Utc>>,
}

impl GrantTokens {
    /// What was `given` now, after what there was `before`.
    pub fn of(given: TokenGrant, before: Option<GrantTokens>, now: DateTime<Utc>) -> GrantTokens {
        let (refresh, scope, connected_at) = match before {
            Some(before) => (before.refresh, before.scope, before.connected_at),
            None => (None, None, now),
        };
        GrantTokens {
            access: Some(given.access),
            // A provider that gives no other goes on with the one it gave.
            refresh: given.refresh.or(refresh),
            scope: given.scope.or(scope),
            connected_at,
            given_at: now,
            ends_at: given.lasts.map(|lasts| now + lasts),
        }
    }

    /// What is left of a permission of `since` that cannot be read: it has ended.
    fn lost(since: DateTime<Utc>) -> GrantTokens {
        GrantTokens { access: None, refresh: None, scope: None, connected_at: since, given_at: since, ends_at: None }
    }

    /// The same, ended by the provider.
    pub fn ended(self) -> GrantTokens {
        GrantTokens { access: None, refresh: None, ..self }
    }
}

pub(super) async fn write(our: &Tokens, grant: &'static Grant, tokens: GrantTokens) -> Result<()> {
    let text = serde_json::to_vec(&tokens).map_err(Error::internal)?;
    let sealed = our.0.sealing.seal(grant.name, &text).await?;
    let row = Sealed { sealed, connected_at: tokens.connected_at };
    our.0.store.write(move |tx: &WriteTx| tx.put(&TOKENS, grant.name, &row)).await
}

/// What is kept of `grant`.
pub(super) async fn read(our: &Tokens, grant: &'static Grant) -> Result<Option<GrantTokens>> {
    let Some(row) = our.0.store.read(move |tx| tx.get(&TOKENS, grant.name)).await? else { return Ok(None) };
    let since = row.connected_at;
    let tokens = opened(our, grant.name, row).await?;
    if tokens.is_none() {
        warn!(grant = grant.name, "a permission cannot be read here, under the key of this data folder");
    }
    Ok(Some(tokens.unwrap_or(GrantTokens::lost(since))))
}

/// What is kept of every grant, by its name.
pub(super) async fn read_all(our: &Tokens) -> Result<Vec<(String, GrantTokens)>> {
    let rows = our.0.store.read(|tx| {
        let entries = tx.entries(&TOKENS, "".., Order::Ascending);
        entries.map(|entry| entry.and_then(|entry| Ok((entry.key().to_owned(), entry.value()?)))).collect()
    });
    let rows: Vec<(String, Sealed)> = rows.await?;
    let mut kept = Vec::with_capacity(rows.len());
    for (name, row) in rows {
        let since = row.connected_at;
        let tokens = opened(our, &name, row).await?;
        kept.push((name, tokens.unwrap_or(GrantTokens::lost(since))));
    }
    Ok(kept)
}

/// The tokens in `row`. None where they were sealed under another key, as in a backup that another machine took over, or
/// written otherwise by another version.
async fn opened(our: &Tokens, name: &str, row: Sealed) -> Result<Option<GrantTokens>> {
    let text = our.0.sealing.open(name, &row.sealed).await?;
    Ok(text.and_then(|text| serde_json::from_slice(&text).ok()))
}

pub(super) async fn remove(our: &Tokens, grant: &'static Grant) -> Result<()> {
    our.0.store.write(move |tx: &WriteTx| tx.discard(&TOKENS, grant.name).map(drop)).await
}
