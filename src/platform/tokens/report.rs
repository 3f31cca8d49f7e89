//! What is known of the permissions, for whoever watches over the house. No token is part of it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::Tokens;
use super::store::{self, GrantTokens};
use hanok_base::Result;
use hanok_base::schema::ToSchema;

/// How a permission is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TokenStatus {
    /// It gives access now.
    Good,
    /// Its token is past its end, and is renewed when it is needed next.
    Due,
    /// The provider has ended it, or it cannot be read here: it is given once more.
    Ended,
}

/// What is known of a permission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenState {
    /// Its name.
    pub name: String,
    /// How it is.
    pub status: TokenStatus,
    /// Since when there is one.
    pub connected_at: DateTime<Utc>,
    /// When its token ends; null where that was not said.
    pub ends_at: Option<DateTime<Utc>>,
}

impl TokenState {
    fn of(name: String, tokens: &GrantTokens, now: DateTime<Utc>) -> TokenState {
        let GrantTokens { connected_at, ends_at, .. } = *tokens;
        let status = match (&tokens.access, &tokens.refresh) {
            (None, None) => TokenStatus::Ended,
            (Some(_), _) if ends_at.is_none_or(|end| now < end) => TokenStatus::Good,
            _ => TokenStatus::Due,
        };
        TokenState { name, status, connected_at, ends_at }
    }
}

impl Tokens {
    /// Every permission that is kept, by name.
    ///
    /// # Errors
    /// Those of reading.
    pub async fn report(&self) -> Result<Vec<TokenState>> {
        let now = self.0.clock.now();
        let kept = store::read_all(self).await?;
        Ok(kept.into_iter().map(|(name, tokens)| TokenState::of(name, &tokens, now)).collect())
    }
}
