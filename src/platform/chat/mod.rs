//! Chat: a Telegram bot that tells people what concerns them and asks them what they decide.
//!
//! A person connects a chat with a code ([`new_code`]) that is good once and for a quarter of an hour; the chat in
//! `chat.owner` is the owner's without one. A domain tells somebody something ([`tell`]) or asks with buttons ([`ask`]) in the
//! transaction of the row that it is about. What becomes of an answer stands in a [`QuestionKind`]: the answer, what the
//! domain makes of it and the number of the update are one transaction, so that it reaches the domain once, however often
//! and in whatever order Telegram brings it ([`updates`]).
//!
//! A message is sent once ([`send`]): that it is being sent is on disk before the request, and how it went after. One that
//! may have arrived without an answer is [`MessageStatus::DeliveryUnknown`] and sent again only when somebody says so ([`send_again`]).
//! Everything else is tried again with growing pauses for three days; a pause that Telegram asks for is kept. Messages of
//! one chat keep their order. A person who blocks the bot is not connected any more.
//!
//! What people write is asked for by long polling, so that a house behind a router needs no address; or Telegram brings it to the
//! customer site (`chat.webhook`, [`hook`]). Either way it goes through the same hands, once.
//!
//! Only chats with one person connect: what is for one is never said in a group. What a restore puts back takes nothing
//! back of who is connected and of what was sent ([`PRESERVED_ON_RESTORE`]).
//!
//! Deliberately not here: when to tell whom what. That is the domains' to know.

mod carried;
mod client;
mod commands;
mod ending;
mod hear;
mod hearing;
mod hook;
mod incoming;
mod line;
mod row;
mod run;
mod send;
mod settings;
mod store;
#[cfg(test)]
mod tests;
mod text;
mod updates;

pub use carried::PRESERVED_ON_RESTORE;
pub use ending::{end_connection, forget_person, known_chat, list_said};
pub use hearing::Hearing;
pub use hook::HOOK_PATH;
pub use line::Chat;
pub use row::{ChatMessage, Connection, MessageStatus, Person, QuestionKind};
pub use settings::{ChatSettings, TELEGRAM};
pub use store::{
    CODE_MINUTES, ChatCounts, MessageSeen, TABLES, ask, cancel, code_until, connection, counts, forget_about,
    list_delivery_unknown, list_failed, new_code, newest, purge, send_again, status, tell, tell_about,
};
pub use text::{Language, Words};
