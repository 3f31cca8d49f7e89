//! The line to Telegram while the house runs: one part that says what waits, one that hears what comes.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::line::Chat;
use super::{hear, send, updates};
use crate::events::{Change, Event};
use hanok_base::Result;

/// What cannot be written down is tried again so much later.
const AGAIN_AFTER: Duration = Duration::from_secs(10);

impl Chat {
    /// Says what waits and hears what comes, until `stop`. Without a token it asks nothing.
    pub async fn run(self, stop: CancellationToken) {
        if self.parts().settings.check().is_err() {
            return stop.cancelled().await;
        }
        while let Err(error) = self.parts().store.write(send::find_what_was_cut_off).await {
            warn!(%error, "what the chat was saying when the process ended is not known yet");
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.parts().clock.sleep(AGAIN_AFTER) => {}
            }
        }
        tokio::join!(self.say(&stop), hear::hear(&self, &stop));
    }

    /// Says what is due, once. For a command that works where no house runs.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn say_now(&self) -> Result<()> {
        send::send_due(self, &CancellationToken::new()).await.map(drop)
    }

    /// Where a chat with the bot begins that connects by `code`, when the bot says what it is called.
    pub async fn link(&self, code: &str) -> Option<String> {
        let known = self.parts().name.lock().clone();
        let name = match known {
            Some(name) => name,
            None => updates::name(self).await.ok()?,
        };
        Some(format!("https://t.me/{name}?start={code}"))
    }

    async fn say(&self, stop: &CancellationToken) {
        let mut heard = self.parts().events.listen();
        while !stop.is_cancelled() {
            while heard.try_recv().is_ok() {}
            let next = send::send_due(self, stop).await;
            let now = self.parts().clock.now();
            let wait = async {
                match next {
                    Ok(None) => std::future::pending().await,
                    Ok(Some(at)) => self.parts().clock.sleep_until_or_set_back(at, now).await,
                    Err(error) => {
                        warn!(%error, "the chat cannot say what waits; it is tried again");
                        self.parts().clock.sleep(AGAIN_AFTER).await;
                    }
                }
            };
            let something_new =
                async { while !matches!(heard.recv().await, Ok(Event::Changed(Change::CHAT)) | Err(_)) {} };
            tokio::select! {
                () = stop.cancelled() => {}
                () = something_new => {}
                () = wait => {}
            }
        }
    }
}
