//! Good days and bad days of Telegram, played by a local server, with the clock held.

mod days;
mod heard;
mod hooked;
mod kept;

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use wiremock::matchers::path;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::row::{Call, ChatMessage, Connection, MESSAGES, QuestionKind};
use super::store::connect;
use super::*;
use crate::config;
use crate::events::Events;
use crate::store::{ReadTransaction, Store, WriteTx};
use crate::upstream::Upstreams;
use hanok_base::{Clock, Result, Secret};

const OWNER: i64 = 6_000_000_001;

/// A house with a chat, and a server in the place of Telegram.
struct World {
    clock: Clock,
    store: Store,
    chat: Chat,
    server: MockServer,
}

fn start() -> DateTime<Utc> {
    "2026-10-10T11:45:00Z".parse().unwrap()
}

fn words(text: &str) -> Words {
    Words::new(text, text)
}

fn settings(address: String) -> ChatSettings {
    ChatSettings { token: Secret::new("123:abc"), address, ..ChatSettings::default() }
}

fn chat_on(store: &Store, clock: &Clock, settings: ChatSettings, kinds: Vec<QuestionKind>) -> Chat {
    let upstream = Upstreams::new(&config::Upstream::default(), clock.clone()).unwrap();
    Chat::new((store.clone(), clock.clone(), Events::default()), upstream, Arc::new(settings), kinds)
}

impl World {
    async fn new() -> World {
        World::asking(Vec::new()).await
    }

    /// A house where answers go to `kinds`.
    async fn asking(kinds: Vec<QuestionKind>) -> World {
        let (server, clock) = (MockServer::start().await, Clock::fixed(start()));
        let store = Store::memory(clock.clone(), Events::default()).unwrap();
        let chat = chat_on(&store, &clock, settings(server.uri()), kinds);
        World { clock, store, chat, server }
    }

    async fn write<T: Send + 'static>(&self, write: impl FnOnce(&WriteTx) -> Result<T> + Send + 'static) -> T {
        self.store.write(write).await.unwrap()
    }

    async fn connected(self) -> World {
        self.write(|tx| connect(tx, &Person::owner(), OWNER, Language::En)).await;
        self
    }

    /// Tells the owner something.
    async fn tell(&self, text: &'static str) -> bool {
        let settings = self.chat.settings().clone();
        self.write(move |tx| tell(tx, &settings, &Person::owner(), &words(""), &words(text))).await.is_some()
    }

    /// Telegram answers `method` like this from now on, or so often.
    async fn answers(&self, method: &str, answer: ResponseTemplate, times: Option<u64>) {
        let mock = Mock::given(path(format!("/bot123:abc/{method}"))).respond_with(answer);
        match times {
            Some(times) => mock.up_to_n_times(times).mount(&self.server).await,
            None => mock.mount(&self.server).await,
        }
    }

    async fn takes_messages(&self) {
        self.answers("sendMessage", done(json!({"message_id": 7})), None).await;
    }

    async fn takes_rest(&self) {
        self.answers("answerCallbackQuery", done(json!(true)), None).await;
        self.answers("editMessageReplyMarkup", done(json!(true)), None).await;
    }

    /// Telegram brings these updates once, and nothing after.
    async fn brings(&self, updates: Value) {
        self.answers("getUpdates", done(updates), Some(1)).await;
    }

    async fn send(&self) -> Option<DateTime<Utc>> {
        send::send_due(&self.chat, &CancellationToken::new()).await.unwrap()
    }

    async fn hear(&self) -> usize {
        updates::poll(&self.chat).await.unwrap()
    }

    /// What was asked of `method`, in order.
    async fn asked(&self, method: &str) -> Vec<Value> {
        let requests = self.server.received_requests().await.unwrap();
        let of_method = requests.iter().filter(|request| request.url.path().ends_with(method));
        of_method.map(|request| serde_json::from_slice(&request.body).unwrap()).collect()
    }

    async fn texts(&self) -> Vec<String> {
        let asked = self.asked("sendMessage").await;
        asked.iter().map(|body| body["text"].as_str().unwrap().to_owned()).collect()
    }

    fn statuses(&self) -> Vec<MessageStatus> {
        let messages = self.store.read_now(|tx| MESSAGES.walk(tx).collect::<Result<Vec<ChatMessage>>>()).unwrap();
        messages.into_iter().map(|message| message.status).collect()
    }

    fn owner(&self) -> Option<Connection> {
        self.store.read_now(|tx| connection(tx, self.chat.settings(), &Person::owner())).unwrap()
    }

    fn later(&self, seconds: i64) {
        self.clock.set(self.clock.now() + TimeDelta::seconds(seconds));
    }
}

fn done(result: Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({"ok": true, "result": result}))
}

fn refused(status: u16, description: &str, parameters: Value) -> ResponseTemplate {
    let body = json!({"ok": false, "error_code": status, "description": description, "parameters": parameters});
    ResponseTemplate::new(status).set_body_json(body)
}

/// Somebody writes to the bot.
fn wrote(number: u64, chat: i64, text: &str) -> Value {
    json!({"update_id": number, "message": {
        "message_id": 12, "date": 1_795_143_600, "text": text,
        "from": {"id": chat, "is_bot": false, "first_name": "A", "language_code": "en"},
        "chat": {"id": chat, "type": "private"},
    }})
}

/// Somebody presses a button.
fn pressed(number: u64, chat: i64, data: &str) -> Value {
    json!({"update_id": number, "callback_query": {
        "id": "4382", "from": {"id": chat, "is_bot": false, "first_name": "A"}, "data": data, "chat_instance": "1",
        "message": {"message_id": 13, "chat": {"id": chat, "type": "private"}, "date": 1_795_143_610},
    }})
}
