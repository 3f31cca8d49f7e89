//! Who is connected, what is said to them, and what they are asked.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::row::{
    Button, CHATS, CODES, CONNECTIONS, Call, ChatMessage, Code, Connection, DELIVERY_UNKNOWN, MESSAGES, MessageStatus,
    OFFSETS, OPEN, Person, QUESTIONS, Question, QuestionKind, SEEN,
};
use super::settings::ChatSettings;
use super::text::{Language, Words, pieces, without_paths};
use crate::events::Change;
use crate::store::{Declared, Order, ReadTransaction, WriteTx};
use hanok_base::schema::ToSchema;
use hanok_base::secret::{fingerprint, random_token};
use hanok_base::{Error, MessageTemplate, Result, day};

/// Every table of the chat.
pub const TABLES: &[&dyn Declared] = &[&CONNECTIONS, &CHATS, &CODES, &QUESTIONS, &SEEN, &OFFSETS, &MESSAGES];

/// For how many minutes a code connects.
pub const CODE_MINUTES: i64 = 15;
/// Telegram brings an update for a day at most.
const SEEN_DAYS: i64 = 7;
/// So many messages that may have arrived are listed.
const MOST_LISTED: usize = 50;

const DELIVERY_KNOWN: MessageTemplate =
    MessageTemplate::new("house.chat.delivery_known", "only a message that may have arrived is sent again by hand");

/// A fresh code that connects a chat to `person`, good once and for [`CODE_MINUTES`]. Only its hash is kept.
pub fn new_code(tx: &WriteTx, person: &Person) -> Result<String> {
    for entry in tx.entries(&CODES, "".., Order::Ascending) {
        let entry = entry?;
        let known = entry.value()?;
        // One person has one code: whoever asks again has lost the one before.
        if known.person == *person || !is_good(&known, tx.now()) {
            tx.discard(&CODES, entry.key())?;
        }
    }
    let code = random_token(16);
    let until = tx.now() + Duration::minutes(CODE_MINUTES);
    tx.put(&CODES, hash(&code).as_str(), &Code { person: person.clone(), until })?;
    tx.announce(Change::CHAT);
    Ok(code)
}

/// Until when `code` connects a chat to `person`; none where it does not, or not any more.
pub fn code_until(tx: &impl ReadTransaction, person: &Person, code: &str) -> Result<Option<DateTime<Utc>>> {
    let known = tx.get(&CODES, hash(code).as_str())?;
    Ok(known.filter(|known| known.person == *person && is_good(known, tx.now())).map(|known| known.until))
}

/// Uses `code` up. Gives for whom it was, if it was good.
pub(super) fn take_code(tx: &WriteTx, code: &str) -> Result<Option<Person>> {
    let code = tx.remove(&CODES, hash(code).as_str())?;
    Ok(code.filter(|code| is_good(code, tx.now())).map(|code| code.person))
}

fn is_good(code: &Code, now: DateTime<Utc>) -> bool {
    // One of a clock that ran ahead would be good for longer.
    now < code.until && code.until <= now + Duration::minutes(CODE_MINUTES)
}

fn hash(code: &str) -> String {
    fingerprint(&format!("chat code {code}"))
}

/// The chat of `person`, while it is connected.
pub fn connection(tx: &impl ReadTransaction, settings: &ChatSettings, person: &Person) -> Result<Option<Connection>> {
    let stored = tx.get(&CONNECTIONS, person.key())?;
    let of_settings = settings.owner_chat().filter(|_| *person == Person::owner());
    match (stored, of_settings) {
        (Some(stored), None) => Ok(Some(stored).filter(|stored| stored.ended_at.is_none())),
        (Some(stored), Some(chat)) if stored.chat == chat => {
            Ok(Some(stored).filter(|stored| stored.ended_at.is_none()))
        }
        (_, Some(chat)) => Ok(Some(Connection { chat, language: Language::default(), since: None, ended_at: None })),
        (None, None) => Ok(None),
    }
}

/// Whose the chat is.
pub(super) fn person_of(
    tx: &impl ReadTransaction,
    settings: &ChatSettings,
    chat: i64,
) -> Result<Option<(Person, Connection)>> {
    let owner = settings.owner_chat().filter(|owner| *owner == chat).map(|_| Person::owner());
    let person = owner.map_or_else(|| tx.get(&CHATS, chat.to_string().as_str()), |owner| Ok(Some(owner)))?;
    let Some(person) = person else { return Ok(None) };
    let connection = connection(tx, settings, &person)?.filter(|connection| connection.chat == chat);
    Ok(connection.map(|connection| (person, connection)))
}

/// Connects the chat to `person`, in the place of the one before, and of whoever had it. What was said in a chat is known of
/// the person alone who has it: with another person, or another chat, it is forgotten.
pub(super) fn connect(tx: &WriteTx, person: &Person, chat: i64, language: Language) -> Result<()> {
    let key = chat.to_string();
    if let Some(other) = tx.get(&CHATS, key.as_str())?.filter(|other| other != person) {
        tx.remove(&CONNECTIONS, other.key())?;
        forget_said(tx, chat)?;
    }
    if let Some(before) = tx.get(&CONNECTIONS, person.key())?.filter(|before| before.chat != chat) {
        tx.remove(&CHATS, before.chat.to_string().as_str())?;
        forget_said(tx, before.chat)?;
    }
    let connection = Connection { chat, language, since: Some(tx.now()), ended_at: None };
    tx.put(&CONNECTIONS, person.key(), &connection)?;
    tx.put(&CHATS, key.as_str(), person)?;
    tx.announce(Change::CHAT);
    Ok(())
}

/// Ends the connection of the chat: nothing that waits for it is sent any more, and its buttons do nothing.
pub(super) fn disconnect(tx: &WriteTx, settings: &ChatSettings, chat: i64) -> Result<()> {
    call_off(tx, chat)?;
    if let Some((person, connection)) = person_of(tx, settings, chat)? {
        tx.put(&CONNECTIONS, person.key(), &Connection { ended_at: Some(tx.now()), ..connection })?;
        tx.put(&CHATS, chat.to_string().as_str(), &person)?;
    }
    tx.announce(Change::CHAT);
    Ok(())
}

/// Nothing that waits for this chat is sent any more, and what is being sent is not tried again.
pub(super) fn call_off(tx: &WriteTx, chat: i64) -> Result<()> {
    for entry in tx.entries(&OPEN, 0u64.., Order::Ascending) {
        let open = tx.get(&MESSAGES, entry?.key())?;
        match open.filter(|message| message.chat == chat) {
            Some(message) if message.status == MessageStatus::Sending => cancel_sending(tx, message)?,
            Some(message) => settle(tx, message, MessageStatus::Failed)?,
            None => {}
        }
    }
    Ok(())
}

/// What is being sent may arrive, but is not tried again.
fn cancel_sending(tx: &WriteTx, message: ChatMessage) -> Result<()> {
    MESSAGES.put(tx, &ChatMessage { is_cancelled: true, ..message })
}

/// Forgets what was said to this chat, and what waits to be.
pub(super) fn forget_said(tx: &WriteTx, chat: i64) -> Result<()> {
    call_off(tx, chat)?;
    let all = MESSAGES.walk(tx).collect::<Result<Vec<_>>>()?;
    all.into_iter().filter(|message| message.chat == chat).try_for_each(|one| forget(tx, one))
}

/// Says something to `person`: a title in bold and a text, neither of which is markup. Gives the id of the message, the
/// last of several, if the person has a chat that it goes to; it is sent once this transaction is on disk.
pub fn tell(
    tx: &WriteTx,
    settings: &ChatSettings,
    person: &Person,
    title: &Words,
    body: &Words,
) -> Result<Option<u64>> {
    let Some(connection) = reached(tx, settings, person)? else { return Ok(None) };
    queue_text(tx, &connection, (title, body), Vec::new(), None)
}

/// [`tell`] about the thing of this id, with which it can be forgotten: see [`forget_about`].
pub fn tell_about(
    tx: &WriteTx,
    settings: &ChatSettings,
    person: &Person,
    about: &str,
    said: (&Words, &Words),
) -> Result<Option<u64>> {
    let Some(connection) = reached(tx, settings, person)? else { return Ok(None) };
    queue_text(tx, &connection, said, Vec::new(), Some(about))
}

/// Forgets what was said about the thing of this id, and what waits to be. What is being sent now is written down by who sends
/// it, and not tried again.
pub fn forget_about(tx: &WriteTx, about: &str) -> Result<()> {
    let all = MESSAGES.walk(tx).collect::<Result<Vec<_>>>()?;
    all.into_iter().filter(|message| message.about.as_deref() == Some(about)).try_for_each(|one| forget(tx, one))
}

/// Cancels what is to be said about the thing of this id and was queued at that instant: what waits is forgotten, what is being
/// sent now is not tried again.
pub fn cancel(tx: &WriteTx, about: &str, queued_at: DateTime<Utc>) -> Result<()> {
    for entry in tx.entries(&OPEN, 0u64.., Order::Ascending) {
        let open = tx.get(&MESSAGES, entry?.key())?;
        let is_of_it = |one: &ChatMessage| (one.queued_at, one.about.as_deref()) == (queued_at, Some(about));
        open.filter(is_of_it).map_or(Ok(()), |message| forget(tx, message))?;
    }
    Ok(())
}

fn forget(tx: &WriteTx, message: ChatMessage) -> Result<()> {
    if message.status == MessageStatus::Sending {
        return cancel_sending(tx, message);
    }
    tx.announce(Change::CHAT);
    MESSAGES.remove(tx, message.id).map(drop)
}

/// How far a message is; none where it was cleared.
pub fn status(tx: &impl ReadTransaction, id: u64) -> Result<Option<MessageStatus>> {
    Ok(tx.get(&MESSAGES, id)?.map(|message| message.status))
}

/// Asks `person` with a button for each of `choices`, each a word for the domain and what stands on it. The answer goes to
/// `kind` with `subject`. Gives the id of the message, if the person has a chat that it goes to.
pub fn ask(
    tx: &WriteTx,
    settings: &ChatSettings,
    person: &Person,
    (kind, subject): (&QuestionKind, Value),
    (title, body): (&Words, &Words),
    choices: &[(&str, Words)],
) -> Result<Option<u64>> {
    let Some(connection) = reached(tx, settings, person)? else { return Ok(None) };
    let word = random_token(16);
    let button = |(place, (_, text)): (usize, &(&str, Words))| Button {
        text: text.of(connection.language).to_owned(),
        data: format!("{word}.{place}"),
    };
    let buttons = choices.iter().enumerate().map(button).collect();
    let question = Question {
        kind: kind.name.to_owned(),
        subject,
        chat: connection.chat,
        choices: choices.iter().map(|(choice, _)| (*choice).to_owned()).collect(),
        asked_at: tx.now(),
        answer: None,
    };
    tx.put(&QUESTIONS, word.as_str(), &question)?;
    queue_text(tx, &connection, (title, body), buttons, None)
}

fn reached(tx: &WriteTx, settings: &ChatSettings, person: &Person) -> Result<Option<Connection>> {
    if settings.check().is_err() { Ok(None) } else { connection(tx, settings, person) }
}

fn queue_text(
    tx: &WriteTx,
    to: &Connection,
    (title, body): (&Words, &Words),
    buttons: Vec<Button>,
    about: Option<&str>,
) -> Result<Option<u64>> {
    let mut pieces = pieces(title.of(to.language), body.of(to.language));
    let last = pieces.pop();
    for html in pieces {
        queue_about(tx, to.chat, Call::Text { html, buttons: Vec::new() }, about)?;
    }
    last.map(|html| queue_about(tx, to.chat, Call::Text { html, buttons }, about)).transpose()
}

/// Queues what is asked of Telegram. Gives its id.
pub(super) fn queue(tx: &WriteTx, chat: i64, call: Call) -> Result<u64> {
    queue_about(tx, chat, call, None)
}

fn queue_about(tx: &WriteTx, chat: i64, call: Call, about: Option<&str>) -> Result<u64> {
    let (id, now) = (tx.next_id("chat_message")?, tx.now());
    let (status, attempts, about) = (MessageStatus::Waiting, 0, about.map(str::to_owned));
    let (queued_at, due_at, changed_at, is_cancelled) = (now, now, now, false);
    let message = ChatMessage { id, chat, call, status, is_cancelled, attempts, queued_at, due_at, changed_at, about };
    MESSAGES.put(tx, &message)?;
    tx.announce(Change::CHAT);
    Ok(id)
}

/// Writes how far a message is.
pub(super) fn settle(tx: &WriteTx, message: ChatMessage, status: MessageStatus) -> Result<()> {
    tx.announce(Change::CHAT);
    let is_done = matches!(status, MessageStatus::Sent | MessageStatus::Failed);
    if is_done && message.call.may_be_repeated() {
        return MESSAGES.remove(tx, message.id).map(drop);
    }
    MESSAGES.put(tx, &ChatMessage { status, changed_at: tx.now(), ..message })
}

/// Sends a message once more that may have arrived.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` when its status is known.
pub fn send_again(tx: &WriteTx, id: u64) -> Result<()> {
    let message = tx.get(&MESSAGES, id)?.ok_or_else(|| Error::not_found("message"))?;
    if message.status != MessageStatus::DeliveryUnknown {
        return Err(Error::conflict(DELIVERY_KNOWN));
    }
    let (queued_at, due_at) = (tx.now(), tx.now());
    settle(tx, ChatMessage { attempts: 0, is_cancelled: false, queued_at, due_at, ..message }, MessageStatus::Waiting)
}

/// How many messages wait, and how many may have arrived.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChatCounts {
    /// Those that wait.
    pub waiting: u64,
    /// Those that may have arrived.
    pub delivery_unknown: u64,
}

/// How many messages there are to care about.
pub fn counts(tx: &impl ReadTransaction) -> Result<ChatCounts> {
    Ok(ChatCounts { waiting: tx.count(&OPEN)?, delivery_unknown: tx.count(&DELIVERY_UNKNOWN)? })
}

/// A message as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MessageSeen {
    /// Its id.
    pub id: u64,
    /// When its status was written last.
    pub at: DateTime<Utc>,
    /// How far it is.
    pub status: MessageStatus,
    /// Its text as HTML. Of an address in it only the host is told: what follows may open something.
    pub text: String,
}

impl MessageSeen {
    /// `message`, when it says something.
    pub(super) fn of(message: ChatMessage) -> Option<MessageSeen> {
        let ChatMessage { id, changed_at: at, status, .. } = message;
        match message.call {
            Call::Text { html, .. } => Some(MessageSeen { id, at, status, text: without_paths(&html) }),
            Call::Rest { .. } | Call::TakeButtons { .. } => None,
        }
    }
}

/// The newest messages that may have arrived.
pub fn list_delivery_unknown(tx: &impl ReadTransaction) -> Result<Vec<MessageSeen>> {
    let newest = tx.entries(&DELIVERY_UNKNOWN, 0u64.., Order::Descending).take(MOST_LISTED);
    let ids = newest.map(|entry| entry.map(|entry| entry.key())).collect::<Result<Vec<u64>>>()?;
    Ok(tx.rows(&MESSAGES, ids)?.into_iter().filter_map(MessageSeen::of).collect())
}

/// Of the newest messages those that were not sent.
pub fn list_failed(tx: &impl ReadTransaction) -> Result<Vec<MessageSeen>> {
    let newest = tx.values(&MESSAGES, 0u64.., Order::Descending, 0, MOST_LISTED)?;
    let failed = newest.into_iter().filter(|message| message.status == MessageStatus::Failed);
    Ok(failed.filter_map(MessageSeen::of).collect())
}

/// The newest message.
pub fn newest(tx: &impl ReadTransaction) -> Result<Option<MessageSeen>> {
    for entry in tx.entries(&MESSAGES, 0u64.., Order::Descending).take(MOST_LISTED) {
        if let Some(seen) = MessageSeen::of(entry?.value()?) {
            return Ok(Some(seen));
        }
    }
    Ok(None)
}

/// Clears what was sent, was asked or has failed more than `days` ago, and updates that Telegram does not bring any more.
/// What may have arrived stays until somebody decides. Gives how many messages.
pub fn purge(tx: &WriteTx, days: u32) -> Result<usize> {
    let before = tx.now() - Duration::days(days.into());
    let mut cleared = 0;
    for message in MESSAGES.walk(tx) {
        let message = message?;
        if message.changed_at < before && matches!(message.status, MessageStatus::Sent | MessageStatus::Failed) {
            MESSAGES.remove(tx, message.id)?;
            cleared += 1;
        }
    }
    for entry in tx.entries(&QUESTIONS, "".., Order::Ascending) {
        let entry = entry?;
        if entry.value()?.asked_at < before {
            tx.discard(&QUESTIONS, entry.key())?;
        }
    }
    let seen_before = day::millis(tx.now() - Duration::days(SEEN_DAYS));
    for entry in tx.entries(&SEEN, ("", 0).., Order::Ascending) {
        let entry = entry?;
        if entry.value()? < seen_before {
            tx.discard(&SEEN, entry.key())?;
        }
    }
    Ok(cleared)
}

/// How many messages wait for one chat.
pub(super) fn counts_of(tx: &impl ReadTransaction, chat: i64) -> Result<usize> {
    let mut waiting = 0;
    for entry in tx.entries(&OPEN, 0u64.., Order::Ascending) {
        let is_of_it = |message: &ChatMessage| message.chat == chat && !message.call.may_be_repeated();
        waiting += usize::from(tx.get(&MESSAGES, entry?.key())?.is_some_and(|message| is_of_it(&message)));
    }
    Ok(waiting)
}

/// Queues a reply to who has written, connected or not.
pub(super) fn queue_reply(tx: &WriteTx, chat: i64, language: Language, words: &Words) -> Result<()> {
    let to = Connection { chat, language, since: None, ended_at: None };
    queue_text(tx, &to, (&Words::new("", ""), words), Vec::new(), None).map(drop)
}
