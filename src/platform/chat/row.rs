//! What is kept of the chat.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::text::{Language, Words};
use crate::store::{Index, IndexedTable, Table, WriteTx};
use hanok_base::Result;
use hanok_base::schema::ToSchema;

/// Table: who is connected, or was. Key: the person. Value: the connection.
pub(super) const CONNECTIONS: Table<&'static str, Connection> = Table::new("chat_connections-1");
/// Table: whose a chat is. Key: the number of the chat. Value: the person.
pub(super) const CHATS: Table<&'static str, Person> = Table::new("chat_chats-1");
/// Table: codes that connect. Key: the hash of the code. Value: for whom, and until when.
pub(super) const CODES: Table<&'static str, Code> = Table::new("chat_codes-1");
/// Table: questions with buttons. Key: the word that its buttons carry. Value: the question.
pub(super) const QUESTIONS: Table<&'static str, Question> = Table::new("chat_questions-1");
/// Table: updates that were taken. Key: the bot and the number of the update. Value: when, in milliseconds since 1970.
pub(super) const SEEN: Table<(&'static str, u64), u64> = Table::new("chat_seen-1");
/// Table: from which update on a bot is asked. Key: the bot. Value: the number of the update.
pub(super) const OFFSETS: Table<&'static str, u64> = Table::new("chat_offsets-1");

/// Table: what is said to a chat. Key: its id. Value: the message.
pub(super) const MESSAGES: IndexedTable<u64, ChatMessage> =
    IndexedTable::new("chat_messages-1", |message| message.id, &[&OPEN, &DELIVERY_UNKNOWN]);
/// Table: what is not decided yet, in order. Key: the id of the message. Value: nothing.
pub(super) const OPEN: Index<ChatMessage, u64> = Index::new("chat_open-1", |message| {
    matches!(message.status, MessageStatus::Waiting | MessageStatus::Sending).then_some((message.id, ()))
});
/// Table: what may have arrived. Key: the id of the message. Value: nothing.
pub(super) const DELIVERY_UNKNOWN: Index<ChatMessage, u64> = Index::new("chat_undecided-1", |message| {
    (message.status == MessageStatus::DeliveryUnknown).then_some((message.id, ()))
});

/// Somebody who may be told something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Person(String);

impl Person {
    /// The owner of the house.
    pub fn owner() -> Person {
        Person("owner".to_owned())
    }

    /// A customer.
    pub fn customer(id: &str) -> Person {
        Person(format!("customer:{id}"))
    }

    pub(super) fn key(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The chat of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connection {
    /// Its number.
    pub chat: i64,
    /// In which language it is written to.
    pub language: Language,
    /// Since when; none where the settings say so.
    pub since: Option<DateTime<Utc>>,
    /// When the person ended it.
    pub ended_at: Option<DateTime<Utc>>,
}

/// A code that connects.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Code {
    pub person: Person,
    pub until: DateTime<Utc>,
}

/// A kind of question, declared by the domain that asks it.
#[derive(Clone, Copy)]
pub struct QuestionKind {
    /// Its name, unique in the house, such as `quote_decision`.
    pub name: &'static str,
    /// What an answer does, in the transaction that notes it: `subject` is what the domain asked about, `choice` the word of
    /// the button. Gives what the person is told. What it refuses is told to the person, and nothing of it is written; the
    /// question stays open.
    pub answered: fn(tx: &WriteTx, subject: &Value, choice: &str) -> Result<Words>,
}

/// A question with buttons.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Question {
    pub kind: String,
    pub subject: Value,
    pub chat: i64,
    pub choices: Vec<String>,
    pub asked_at: DateTime<Utc>,
    /// The answer that counted.
    pub answer: Option<String>,
}

/// How far a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessageStatus {
    /// It is sent when its turn and its time come.
    Waiting,
    /// It is being sent. Whatever ends now may have arrived.
    Sending,
    /// Telegram has taken it.
    Sent,
    /// It is not sent any more; the log says why.
    Failed,
    /// It may have arrived; nobody knows.
    #[serde(alias = "undecided")]
    DeliveryUnknown,
}

/// A status as rows spell it.
fn as_stored<S: Serializer>(status: &MessageStatus, serializer: S) -> Result<S::Ok, S::Error> {
    match status {
        MessageStatus::DeliveryUnknown => serializer.serialize_str("undecided"),
        status => status.serialize(serializer),
    }
}

/// Something that is said to a chat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Its id.
    pub id: u64,
    /// The chat.
    pub chat: i64,
    /// What is said.
    pub call: Call,
    /// How far it is.
    #[serde(rename = "standing", serialize_with = "as_stored")]
    pub status: MessageStatus,
    /// Whether it was cancelled while it was being sent: it is not tried again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cancelled: bool,
    /// How often it was tried.
    pub attempts: u32,
    /// When it was queued.
    pub queued_at: DateTime<Utc>,
    /// When it may be sent.
    pub due_at: DateTime<Utc>,
    /// When its status was written last.
    pub changed_at: DateTime<Utc>,
    /// The id of what it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// What is asked of Telegram.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// A message.
    Text {
        /// Its text as HTML.
        html: String,
        /// Its buttons.
        buttons: Vec<Button>,
    },
    /// The short word by which a pressed button rests.
    Rest {
        /// The press.
        press: String,
        /// The word.
        text: String,
    },
    /// Takes the buttons of a message away.
    TakeButtons {
        /// The number of the message in its chat.
        message: i64,
    },
}

impl Call {
    /// Whether it does no harm when it is done twice.
    pub(super) fn may_be_repeated(&self) -> bool {
        !matches!(self, Call::Text { .. })
    }
}

/// A button below a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Button {
    /// What stands on it.
    pub text: String,
    /// What it brings back.
    pub data: String,
}
