//! The Bot API, as far as the chat needs it. The token is part of the address: no error and no log names that.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::row::{Button, Call};
use super::settings::{ChatSettings, TELEGRAM};
use crate::upstream::{Limits, Unanswered, Upstreams};
use hanok_base::Error;

/// How long Telegram may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long it may hold a question for updates while there are none.
const HELD: Duration = Duration::from_secs(50);
/// How many updates it brings at the same time.
const BROUGHT_AT_ONCE: u32 = 4;
/// What of it we want to be told.
const WANTED: [&str; 3] = ["message", "callback_query", "my_chat_member"];

/// What Telegram has answered.
#[derive(Debug)]
pub(super) enum Answered {
    /// It is done.
    Done(Value),
    /// It is not done.
    Refused(BotRefusal),
}

/// Why it is not done.
#[derive(Debug)]
pub(super) struct BotRefusal {
    /// The status.
    pub status: u16,
    /// In Telegram's words, for the log.
    pub description: String,
    /// After how many seconds it may be asked again.
    pub retry_after: Option<u64>,
}

/// Asks Telegram.
pub(super) struct Client<'c> {
    pub upstream: &'c Upstreams,
    pub settings: &'c ChatSettings,
}

impl Client<'_> {
    /// Does what a message asks for.
    pub async fn perform(&self, chat: i64, call: &Call) -> Result<Answered, Unanswered> {
        let (method, body) = match call {
            Call::Text { html, buttons } => ("sendMessage", text(chat, html, buttons)),
            Call::Rest { press, text } => ("answerCallbackQuery", json!({"callback_query_id": press, "text": text})),
            Call::TakeButtons { message } => (
                "editMessageReplyMarkup",
                json!({"chat_id": chat, "message_id": message, "reply_markup": {"inline_keyboard": []}}),
            ),
        };
        self.ask(method, &body, PATIENCE).await
    }

    /// The updates from number `from` on, or all that wait.
    pub async fn updates(&self, from: Option<u64>) -> Result<Answered, Unanswered> {
        let mut body = json!({"limit": 100, "timeout": HELD.as_secs(), "allowed_updates": WANTED});
        if let Some(from) = from {
            body["offset"] = from.into();
        }
        self.ask("getUpdates", &body, HELD + PATIENCE).await
    }

    /// Ends the way by which updates came before: Telegram refuses to be asked while there is one.
    pub async fn end_webhook(&self) -> Result<Answered, Unanswered> {
        self.ask("deleteWebhook", &json!({"drop_pending_updates": false}), PATIENCE).await
    }

    /// Has updates brought to `address` by who shows `word`, few at a time: each is one write.
    pub async fn begin_webhook(&self, address: &str, word: &str) -> Result<Answered, Unanswered> {
        let body = json!({
            "url": address, "secret_token": word, "allowed_updates": WANTED, "max_connections": BROUGHT_AT_ONCE,
            "drop_pending_updates": false,
        });
        self.ask("setWebhook", &body, PATIENCE).await
    }

    /// Where updates are brought to, and what went wrong on the way.
    pub async fn webhook(&self) -> Result<Answered, Unanswered> {
        self.ask("getWebhookInfo", &json!({}), PATIENCE).await
    }

    /// Who the bot is.
    pub async fn who_am_i(&self) -> Result<Answered, Unanswered> {
        self.ask("getMe", &json!({}), PATIENCE).await
    }

    async fn ask(&self, method: &str, body: &Value, patience: Duration) -> Result<Answered, Unanswered> {
        let url = format!("{}/bot{}/{method}", self.settings.address, self.settings.token.reveal());
        let posted = self.upstream.post_once(&TELEGRAM, &url, body, Limits::json(patience)).await?;
        read(posted.status, &posted.body)
    }
}

/// As Telegram answers, done or not.
#[derive(Deserialize)]
struct BotResponse {
    ok: bool,
    /// Not every server says one where there is nothing to say.
    #[serde(default)]
    result: Value,
    #[serde(default)]
    description: String,
    #[serde(default)]
    parameters: Parameters,
}

#[derive(Default, Deserialize)]
struct Parameters {
    retry_after: Option<u64>,
}

fn read(status: u16, body: &[u8]) -> Result<Answered, Unanswered> {
    let is_success = (200..300).contains(&status);
    match serde_json::from_slice::<BotResponse>(body) {
        Ok(BotResponse { ok: true, result, .. }) if is_success => Ok(Answered::Done(result)),
        Ok(BotResponse { ok: false, description, parameters, .. }) if !is_success => {
            Ok(Answered::Refused(BotRefusal { status, description, retry_after: parameters.retry_after }))
        }
        // Somebody else has answered in its place; it may have heard.
        _ => {
            let error = Error::internal(format!("status {status} with an answer that is none of Telegram's"));
            Err(Unanswered { error: Box::new(error), may_be_done: true })
        }
    }
}

fn text(chat: i64, html: &str, buttons: &[Button]) -> Value {
    let mut body = json!({
        "chat_id": chat, "text": html, "parse_mode": "HTML", "link_preview_options": {"is_disabled": true},
    });
    if !buttons.is_empty() {
        let row = |button: &Button| json!([{"text": button.text, "callback_data": button.data}]);
        body["reply_markup"] = json!({"inline_keyboard": buttons.iter().map(row).collect::<Vec<_>>()});
    }
    body
}
