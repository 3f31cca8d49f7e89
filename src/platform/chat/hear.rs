//! Hearing what people write while the house runs: it is asked for, or Telegram is watched bringing it.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::hearing::Heard;
use super::hook;
use super::line::Chat;
use super::updates::{done, name, poll};
use hanok_base::Result;

/// The pause after the first failure; it doubles with each one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// How often it doubles: to a minute and a bit.
const DOUBLINGS: u32 = 6;
/// The pause when there was nothing, for a Bot API that does not hold a question.
const BREATH: Duration = Duration::from_secs(1);

/// Hears what comes until `stop`.
pub(super) async fn hear(chat: &Chat, stop: &CancellationToken) {
    let (mut is_ready, mut failures) = (false, 0u32);
    while !stop.is_cancelled() {
        let looked = tokio::select! {
            () = stop.cancelled() => return,
            looked = look(chat, is_ready) => looked,
        };
        let pause = match looked {
            Ok(Heard { pause, trouble }) => {
                (is_ready, failures) = (true, 0);
                chat.note(true, trouble);
                pause
            }
            Err(error) => {
                warn!(%error, "the chat hears nothing; it is tried again");
                chat.note(false, Some(error.message));
                failures = failures.saturating_add(1);
                let own = FIRST_PAUSE * 2u32.pow(failures.min(DOUBLINGS));
                error.retry_after.map_or(own, Duration::from_secs)
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = chat.parts().clock.sleep(pause) => {}
        }
    }
}

/// Looks once for what has come, where it is asked for; where it is brought, whether it still is.
async fn look(chat: &Chat, is_ready: bool) -> Result<Heard> {
    if let Some(address) = chat.hook() {
        return hook::look_after(chat, &address, is_ready).await;
    }
    if !is_ready {
        done(chat.client().end_webhook().await)?;
        name(chat).await?;
    }
    let heard = poll(chat).await?;
    Ok(Heard { pause: if heard == 0 { BREATH } else { Duration::ZERO }, trouble: None })
}
