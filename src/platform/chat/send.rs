//! Sending what waits: one after the other, those of one chat in their order, each once.

use std::collections::HashSet;
use std::time::Duration as Span;

use chrono::{DateTime, Duration, Utc};
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::client::{Answered, BotRefusal};
use super::line::Chat;
use super::row::{ChatMessage, MESSAGES, MessageStatus, OPEN};
use super::settings::ChatSettings;
use super::store::{disconnect, settle};
use crate::events::Change;
use crate::store::{Order, ReadTransaction, WriteTx};
use crate::upstream::Unanswered;
use hanok_base::Result;

/// The pause after the first failure; it doubles with each one.
const FIRST_PAUSE: Duration = Duration::seconds(5);
/// How often it doubles: to an hour and a bit.
const DOUBLINGS: u32 = 10;
/// After so long a message is not news any more.
const GIVEN_UP_AFTER: Duration = Duration::days(3);
/// How long to wait before what became of a message is written again.
const WRITE_AGAIN: Span = Span::from_secs(5);

/// Of what was being sent when the process ended nobody knows whether it arrived.
pub(super) fn find_what_was_cut_off(tx: &WriteTx) -> Result<()> {
    for entry in tx.entries(&OPEN, 0u64.., Order::Ascending) {
        let message = tx.get(&MESSAGES, entry?.key())?;
        if let Some(message) = message.filter(|message| message.status == MessageStatus::Sending) {
            let status = match (message.call.may_be_repeated(), message.is_cancelled) {
                (false, _) => MessageStatus::DeliveryUnknown,
                (true, false) => MessageStatus::Waiting,
                (true, true) => MessageStatus::Failed,
            };
            settle(tx, message, status)?;
        }
    }
    Ok(())
}

/// Sends what is due until nothing is. Gives when the next may be sent, if any waits.
pub(super) async fn send_due(chat: &Chat, stop: &CancellationToken) -> Result<Option<DateTime<Utc>>> {
    let parts = chat.parts();
    let _turn = parts.sending.lock().await;
    while !stop.is_cancelled() {
        match parts.store.read(|tx| next(tx)).await? {
            Next::Due(id) => send_one(chat, id, stop).await?,
            Next::Later(at) => return Ok(at),
        }
    }
    Ok(None)
}

/// What is to be sent next.
enum Next {
    Due(u64),
    Later(Option<DateTime<Utc>>),
}

fn next(tx: &impl ReadTransaction) -> Result<Next> {
    // Behind one that is not due, those of the same chat wait, too.
    let (mut held_up, mut later): (HashSet<i64>, Option<DateTime<Utc>>) = (HashSet::new(), None);
    for entry in tx.entries(&OPEN, 0u64.., Order::Ascending) {
        let Some(message) = tx.get(&MESSAGES, entry?.key())? else { continue };
        let is_in_order = message.call.may_be_repeated() || !held_up.contains(&message.chat);
        if message.status != MessageStatus::Waiting || !is_in_order {
            continue;
        }
        if message.due_at <= tx.now() {
            return Ok(Next::Due(message.id));
        }
        if !message.call.may_be_repeated() {
            held_up.insert(message.chat);
        }
        later = later.into_iter().chain([message.due_at]).min();
    }
    Ok(Next::Later(later))
}

async fn send_one(chat: &Chat, id: u64, stop: &CancellationToken) -> Result<()> {
    let parts = chat.parts();
    let Some(message) = parts.store.write(move |tx| claim(tx, id)).await? else { return Ok(()) };
    let ended = Ended::of(chat.client().perform(message.chat, &message.call).await);
    if let Ended::Refused(why) | Ended::Blocked(why) = &ended {
        warn!(message = id, why, "Telegram does not take a message");
    }
    loop {
        let (settings, message, ended) = (parts.settings.clone(), message.clone(), ended.clone());
        let Err(error) = parts.store.write(move |tx| note(tx, &settings, message, ended)).await else { return Ok(()) };
        warn!(message = id, %error, "what became of a message is not written down yet");
        tokio::select! {
            () = stop.cancelled() => return Err(error),
            () = parts.clock.sleep(WRITE_AGAIN) => {}
        }
    }
}

fn claim(tx: &WriteTx, id: u64) -> Result<Option<ChatMessage>> {
    let waiting = tx.get(&MESSAGES, id)?.filter(|message| message.status == MessageStatus::Waiting);
    let Some(message) = waiting else { return Ok(None) };
    let message = ChatMessage { attempts: message.attempts.saturating_add(1), ..message };
    settle(tx, message.clone(), MessageStatus::Sending)?;
    Ok(Some(message))
}

/// How an attempt ended.
#[derive(Clone)]
enum Ended {
    /// It is done.
    Done,
    /// It may have arrived.
    Unknown,
    /// It was surely not done; again after so long, if Telegram or the breaker says how long.
    Again(Option<Duration>),
    /// It will never be done.
    Refused(String),
    /// The person does not want to hear from us.
    Blocked(String),
}

impl Ended {
    fn of(answered: Result<Answered, Unanswered>) -> Ended {
        let span = |seconds: u64| Duration::seconds(i64::try_from(seconds.clamp(1, 86_400)).unwrap_or(1));
        match answered {
            Ok(Answered::Done(_)) => Ended::Done,
            Ok(Answered::Refused(BotRefusal { status, description, retry_after })) => match status {
                400 if description.contains("chat not found") => Ended::Blocked(description),
                403 => Ended::Blocked(description),
                // A token that is wrong is put right by the owner.
                401 | 404 | 429 | 500.. => Ended::Again(retry_after.map(span)),
                _ => Ended::Refused(description),
            },
            Err(Unanswered { may_be_done: true, .. }) => Ended::Unknown,
            Err(Unanswered { error, .. }) => Ended::Again(error.retry_after.map(span)),
        }
    }
}

fn note(tx: &WriteTx, settings: &ChatSettings, message: ChatMessage, ended: Ended) -> Result<()> {
    let chat = message.chat;
    match ended {
        Ended::Done => settle(tx, message, MessageStatus::Sent),
        Ended::Unknown if !message.call.may_be_repeated() => settle(tx, message, MessageStatus::DeliveryUnknown),
        Ended::Unknown => wait(tx, message, None),
        Ended::Again(pause) => wait(tx, message, pause),
        Ended::Refused(_) => settle(tx, message, MessageStatus::Failed),
        Ended::Blocked(_) => {
            settle(tx, message, MessageStatus::Failed)?;
            disconnect(tx, settings, chat)
        }
    }
}

fn wait(tx: &WriteTx, message: ChatMessage, asked: Option<Duration>) -> Result<()> {
    if tx.get(&MESSAGES, message.id)?.is_none_or(|stored| stored.is_cancelled) {
        tx.announce(Change::CHAT);
        return MESSAGES.remove(tx, message.id).map(drop);
    }
    if message.queued_at + GIVEN_UP_AFTER <= tx.now() {
        warn!(message = message.id, "a message could not be sent for three days and is given up");
        return settle(tx, message, MessageStatus::Failed);
    }
    let own = FIRST_PAUSE * 2i32.pow(message.attempts.saturating_sub(1).min(DOUBLINGS));
    let due_at = tx.now() + asked.unwrap_or(own);
    settle(tx, ChatMessage { due_at, ..message }, MessageStatus::Waiting)
}
