//! The webhook: Telegram brings what comes to the customer site, where nobody is asked for it.
//!
//! Whoever brings something shows a word that Telegram alone was told: the seal of the token (HMAC-SHA-256), so that it is the
//! same after a restart and says nothing of the token. What is brought goes the way of what was asked for, once.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;
use tracing::warn;

use super::hearing::{HOOK_REFUSED, HOOK_UNREACHED, Heard};
use super::line::Chat;
use super::updates;
use hanok_base::{Error, Kind, Result, day};

/// Where updates are brought to, below the address of the customer site.
pub const HOOK_PATH: &str = "/api/chat/hook";
/// How often it is looked whether Telegram still brings them here.
const LOOK_EVERY: Duration = Duration::from_secs(300);

impl Chat {
    /// Whether updates are brought, and `word` is what Telegram was told to show. It takes the same time whatever they have in
    /// common.
    pub fn is_brought_with(&self, word: &str) -> bool {
        if self.hook().is_none() || self.settings().check().is_err() {
            return false;
        }
        URL_SAFE_NO_PAD.decode(word).is_ok_and(|shown| seal(self).is_ok_and(|seal| seal.verify_slice(&shown).is_ok()))
    }

    /// Takes the update of this number, unless it was taken before, in whatever order they are brought.
    ///
    /// # Errors
    /// Those of the store; it is brought again then.
    pub async fn brought(&self, number: u64, update: Value) -> Result<()> {
        updates::take(self, number, update, None).await?;
        self.has_heard();
        Ok(())
    }

    /// The address to which updates are brought; none where they are asked for.
    pub fn hook(&self) -> Option<String> {
        let address = &self.settings().webhook;
        (!address.is_empty()).then(|| format!("{address}{HOOK_PATH}"))
    }
}

/// Has updates brought to `address`, and looks from time to time whether they are.
pub(super) async fn look_after(chat: &Chat, address: &str, is_set: bool) -> Result<Heard> {
    if !is_set {
        set(chat, address).await?;
        updates::name(chat).await?;
        return Ok(Heard { pause: LOOK_EVERY, trouble: None });
    }
    let info = updates::done(chat.client().webhook().await)?;
    if info["url"].as_str() != Some(address) {
        warn!("another program has taken the messages of this bot: they are brought here again");
        set(chat, address).await?;
    }
    let failed_at = info["last_error_date"].as_u64().map(|seconds| seconds.saturating_mul(1000));
    let heard_at = chat.last_heard().map(day::millis).unwrap_or_default();
    let trouble = failed_at.filter(|failed| *failed > heard_at).map(|_| {
        let why = info["last_error_message"].as_str().unwrap_or_default();
        warn!(why, "Telegram cannot bring what comes");
        HOOK_UNREACHED.with([("address", address.into())])
    });
    Ok(Heard { pause: LOOK_EVERY, trouble })
}

async fn set(chat: &Chat, address: &str) -> Result<()> {
    let word = URL_SAFE_NO_PAD.encode(seal(chat)?.finalize().into_bytes());
    updates::done(chat.client().begin_webhook(address, &word).await).map(drop).map_err(|error| match error.kind {
        // It does not take the address.
        Kind::Conflict => Error::conflict(HOOK_REFUSED.with([("address", address.into())])).because(error),
        _ => error,
    })
}

fn seal(chat: &Chat) -> Result<Hmac<Sha256>> {
    let token = chat.settings().token.reveal();
    let mut seal = Hmac::<Sha256>::new_from_slice(token.as_bytes()).map_err(Error::internal)?;
    seal.update(b"chat webhook");
    Ok(seal)
}
