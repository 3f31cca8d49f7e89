//! The chat that a customer connects, in which it is told what concerns it beside the mails.

use std::net::IpAddr;

use chrono::{DateTime, Duration, Utc};
use serde::Serialize;

use hanok_base::schema::ToSchema;
use hanok_base::{Error, Result};
use hanok_platform::app::App;
use hanok_platform::auth::{CustomerRow, RateLimit};
use hanok_platform::chat::{self, ChatSettings, MessageSeen, Person};
use hanok_platform::own_data::OfCustomer;
use hanok_platform::store::{ReadTransaction, ReadTx, WriteTx};

/// What is written to the bot before a code.
const WRITTEN: &str = "/start ";
/// How often one address may ask for a code.
const CODES: RateLimit = RateLimit { what: "account_chat", most: 20, within: Duration::minutes(10) };

/// The chat of a customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct OwnChat {
    /// Whether there is a chat at all: without a bot of the shop there is none to connect.
    pub offered: bool,
    /// Since when one is connected; null where none is.
    pub connected_at: Option<DateTime<Utc>>,
}

/// A code that connects a chat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct OwnChatCode {
    /// What is written to the bot.
    pub write: String,
    /// Where that is done at one touch; null while the bot does not say what it is called.
    pub link: Option<String>,
    /// For how many minutes a code is good.
    pub minutes: i64,
    /// Until when this one is.
    pub until: DateTime<Utc>,
}

/// How the chat of the customer `id` is.
///
/// # Errors
/// Those of reading.
pub fn own_chat(tx: &impl ReadTransaction, settings: &ChatSettings, id: &str) -> Result<OwnChat> {
    let connection = chat::connection(tx, settings, &Person::customer(id))?;
    Ok(OwnChat { offered: settings.check().is_ok(), connected_at: connection.and_then(|known| known.since) })
}

/// A code that connects a chat to the customer `id`, in the place of the one before.
///
/// # Errors
/// `NOT_CONFIGURED` where the shop has no bot; `RATE_LIMITED`; those of writing.
pub async fn new_code(app: &App, id: &str, from: IpAddr) -> Result<OwnChatCode> {
    check_asked(app, from)?;
    let person = Person::customer(id);
    let made = app.data.store.write(move |tx| {
        let code = chat::new_code(tx, &person)?;
        let until = chat::code_until(tx, &person, &code)?;
        Ok((code, until.ok_or_else(|| Error::internal("a code that is not good"))?))
    });
    let (code, until) = made.await?;
    Ok(shown(app, code, until).await)
}

/// Whether a code is made for who asks `from` there.
///
/// # Errors
/// `NOT_CONFIGURED` where the shop has no bot; `RATE_LIMITED`.
pub fn check_asked(app: &App, from: IpAddr) -> Result<()> {
    app.outside.chat.settings().check()?;
    app.access.paces.admit(CODES, from, app.clock.moment())
}

/// Writes a code that connects a chat to the customer `id`, in the place of the one before.
///
/// # Errors
/// Those of writing.
pub fn write_code(tx: &WriteTx, id: &str) -> Result<String> {
    chat::new_code(tx, &Person::customer(id))
}

/// `code`, as long as it connects a chat to the customer `id`.
///
/// # Errors
/// Those of reading.
pub async fn good_code(app: &App, id: &str, code: String) -> Result<Option<OwnChatCode>> {
    let (person, asked) = (Person::customer(id), code.clone());
    match app.data.store.read_inline(move |tx| chat::code_until(tx, &person, &asked)).await? {
        Some(until) => Ok(Some(shown(app, code, until).await)),
        None => Ok(None),
    }
}

async fn shown(app: &App, code: String, until: DateTime<Utc>) -> OwnChatCode {
    let link = app.outside.chat.link(&code).await;
    OwnChatCode { write: format!("{WRITTEN}{code}"), link, minutes: chat::CODE_MINUTES, until }
}

/// Ends the connection of the customer's chat.
///
/// # Errors
/// `NOT_FOUND` where none is connected.
pub fn end(tx: &WriteTx, id: &str) -> Result<()> {
    if chat::end_connection(tx, &Person::customer(id))? { Ok(()) } else { Err(Error::not_found("chat")) }
}

/// The chats of a customer.
pub enum Chats {}

/// A chat that a customer has connected, as it is told.
#[derive(Debug, Serialize, ToSchema)]
pub struct ToldChat {
    /// Its number at Telegram.
    pub chat: i64,
    /// When it was connected.
    pub connected_at: Option<DateTime<Utc>>,
    /// When that was ended; null while it is connected.
    pub ended_at: Option<DateTime<Utc>>,
    /// What was said there and is kept, newest first.
    pub messages: Vec<MessageSeen>,
}

impl OfCustomer for Chats {
    const FIELD: &'static str = "chats";
    const TABLES: &'static [&'static str] = &["chat_connections-1", "chat_chats-1", "chat_messages-1"];
    type Told = Vec<ToldChat>;

    fn told(tx: &ReadTx, customer: &CustomerRow) -> Result<Vec<ToldChat>> {
        let known = chat::known_chat(tx, &Person::customer(&customer.id))?;
        let told = |known: chat::Connection| {
            let (chat, connected_at, ended_at) = (known.chat, known.since, known.ended_at);
            Ok(ToldChat { chat, connected_at, ended_at, messages: chat::list_said(tx, chat)? })
        };
        known.into_iter().map(told).collect()
    }

    fn end(tx: &WriteTx, customer: &CustomerRow) -> Result<()> {
        chat::forget_person(tx, &Person::customer(&customer.id))
    }
}
