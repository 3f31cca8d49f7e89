//! What comes from Telegram: each update is taken once, in one transaction with all that it does.

use serde::Deserialize;
use serde_json::Value;
use tracing::warn;

use super::client::{Answered, BotRefusal};
use super::commands;
use super::hearing::{ASKED_ELSEWHERE, REFUSED, TOKEN_REFUSED};
use super::incoming::{Incoming, Place};
use super::line::Chat;
use super::row::{Call, OFFSETS, QUESTIONS, Question, SEEN};
use super::store::{disconnect, person_of, queue};
use super::text::{Language, Words};
use crate::events::Change;
use crate::store::{ReadTransaction, WriteTx};
use crate::upstream::Unanswered;
use hanok_base::text::cut;
use hanok_base::{Error, Kind, Message, Result, day};

/// Characters of the word by which a pressed button rests.
const LONGEST_WORD: usize = 200;

/// What the bot is called.
pub(super) async fn name(chat: &Chat) -> Result<String> {
    let me = done(chat.client().who_am_i().await)?;
    let name = me["username"].as_str().ok_or_else(|| Error::internal("the bot has no name"))?.to_owned();
    *chat.parts().name.lock() = Some(name.clone());
    Ok(name)
}

/// Takes the updates that wait. Gives how many there were.
pub(super) async fn poll(chat: &Chat) -> Result<usize> {
    let parts = chat.parts();
    let bot = parts.settings.bot().to_owned();
    let from = parts.store.read(move |tx| tx.get(&OFFSETS, bot.as_str())).await?;
    let Value::Array(came) = done(chat.client().updates(from).await)? else {
        return Err(Error::internal("the updates are no list"));
    };
    let mut numbered: Vec<(u64, Value)> =
        came.into_iter().filter_map(|update| Some((update["update_id"].as_u64()?, update))).collect();
    numbered.sort_by_key(|(number, _)| *number);
    let newest = numbered.last().map_or(0, |(number, _)| *number);
    // After a week without updates the numbers may begin anew below those that we know.
    let begins_anew = from.is_some_and(|from| newest < from);
    let count = numbered.len();
    if count > 0 {
        chat.has_heard();
    }
    for (number, update) in numbered {
        let asks_next = (!begins_anew || number == newest).then_some(number + 1);
        take(chat, number, update, asks_next).await?;
    }
    Ok(count)
}

/// Takes one update, in whatever order they come.
pub(super) async fn take(chat: &Chat, number: u64, update: Value, asks_next: Option<u64>) -> Result<()> {
    let store = &chat.parts().store;
    // What cannot be read is none of ours, and is passed over.
    let update: Update = serde_json::from_value(update).unwrap_or_default();
    let (line, this) = (chat.clone(), update.clone());
    let taken = store.write(move |tx| once(tx, &line, number, asks_next, |tx| this.taken(tx, &line)));
    match taken.await {
        // It is asked for again.
        Err(error) if error.kind.is_want_of_storage() => Err(error),
        Err(error) => {
            warn!(update = number, %error, "an update was refused");
            let line = chat.clone();
            store.write(move |tx| once(tx, &line, number, asks_next, |tx| update.refused(tx, &line, &error))).await
        }
        Ok(()) => Ok(()),
    }
}

/// Does `what` unless the update was taken before, and notes in the same transaction that it is.
fn once(
    tx: &WriteTx,
    line: &Chat,
    number: u64,
    asks_next: Option<u64>,
    what: impl FnOnce(&WriteTx) -> Result<()>,
) -> Result<()> {
    let bot = line.parts().settings.bot();
    if !tx.contains(&SEEN, (bot, number))? {
        what(tx)?;
        tx.put(&SEEN, (bot, number), &day::millis(tx.now()))?;
    }
    asks_next.map_or(Ok(()), |next| tx.put(&OFFSETS, bot, &next))
}

/// Something that has happened at Telegram.
#[derive(Clone, Default, Deserialize)]
struct Update {
    message: Option<Incoming>,
    callback_query: Option<Press>,
    my_chat_member: Option<Membership>,
}

/// Somebody has pressed a button.
#[derive(Clone, Deserialize)]
struct Press {
    id: String,
    message: Option<Pressed>,
    #[serde(default)]
    data: String,
}

#[derive(Clone, Deserialize)]
struct Pressed {
    message_id: i64,
    chat: Place,
}

/// The bot may do something else in a chat than before.
#[derive(Clone, Deserialize)]
struct Membership {
    chat: Place,
    new_chat_member: Member,
}

#[derive(Clone, Deserialize)]
struct Member {
    status: String,
}

impl Update {
    fn taken(&self, tx: &WriteTx, line: &Chat) -> Result<()> {
        let settings = &line.parts().settings;
        if let Some(message) = self.message.as_ref().filter(|message| message.chat.kind == "private") {
            commands::hear(tx, settings, message)?;
        }
        if let Some(press) = &self.callback_query {
            press.taken(tx, line)?;
        }
        match &self.my_chat_member {
            Some(Membership { chat, new_chat_member }) if new_chat_member.status == "kicked" => {
                disconnect(tx, settings, chat.id)
            }
            _ => Ok(()),
        }
    }

    /// What it was to do is refused: who pressed is told why, and may press again.
    fn refused(&self, tx: &WriteTx, line: &Chat, error: &Error) -> Result<()> {
        let Some(press) = &self.callback_query else { return Ok(()) };
        let why = Words::new("처리하지 못했습니다. 앱에서 확인해 주세요.", error.message.text());
        press.rest(tx, line, &why)
    }
}

impl Press {
    fn taken(&self, tx: &WriteTx, line: &Chat) -> Result<()> {
        let parts = line.parts();
        let Some(pressed) = &self.message else { return Ok(()) };
        let Some((word, question, choice)) = self.question(tx, pressed.chat.id)? else {
            return self.rest(
                tx,
                line,
                &Words::new("더 이상 답할 수 없는 질문입니다.", "This cannot be answered any more."),
            );
        };
        if person_of(tx, &parts.settings, pressed.chat.id)?.is_none() {
            return self.rest(tx, line, &Words::new("연결된 채팅이 아닙니다.", "This chat is not connected."));
        }
        if question.answer.is_some() {
            return self.rest(tx, line, &Words::new("이미 답했습니다.", "You have answered already."));
        }
        let kind = parts.kinds.iter().find(|kind| kind.name == question.kind);
        let kind = kind.ok_or_else(|| Error::internal(format!("nobody takes answers to {}", question.kind)))?;
        let told = (kind.answered)(tx, &question.subject, &choice)?;
        tx.put(&QUESTIONS, word, &Question { answer: Some(choice), ..question })?;
        tx.announce(Change::CHAT);
        self.rest(tx, line, &told)?;
        queue(tx, pressed.chat.id, Call::TakeButtons { message: pressed.message_id }).map(drop)
    }

    /// The question that the button belongs to, where it was put to this chat, and the word of the choice.
    fn question(&self, tx: &WriteTx, chat: i64) -> Result<Option<(&str, Question, String)>> {
        let Some((word, place)) = self.data.split_once('.') else { return Ok(None) };
        let Some(question) = tx.get(&QUESTIONS, word)?.filter(|question| question.chat == chat) else {
            return Ok(None);
        };
        let choice = place.parse().ok().and_then(|place: usize| question.choices.get(place)).cloned();
        Ok(choice.map(|choice| (word, question, choice)))
    }

    fn rest(&self, tx: &WriteTx, line: &Chat, words: &Words) -> Result<()> {
        let Some(pressed) = &self.message else { return Ok(()) };
        let person = person_of(tx, &line.parts().settings, pressed.chat.id)?;
        let language = person.map_or(Language::default(), |(_, connection)| connection.language);
        let text = cut(words.of(language), LONGEST_WORD);
        queue(tx, pressed.chat.id, Call::Rest { press: self.id.clone(), text }).map(drop)
    }
}

/// What was done, or why not as an error.
pub(super) fn done(answered: Result<Answered, Unanswered>) -> Result<Value> {
    match answered {
        Ok(Answered::Done(value)) => Ok(value),
        Ok(Answered::Refused(BotRefusal { status, description, retry_after })) => {
            // Where somebody must put it right, it is not asked again at once.
            let (said, pause) = match status {
                409 => (Message::from(ASKED_ELSEWHERE), Some(30)),
                401 | 404 => (TOKEN_REFUSED.into(), Some(300)),
                _ => (REFUSED.with([("status", u64::from(status).into())]), retry_after),
            };
            let kind = if status == 400 { Kind::Conflict } else { Kind::UpstreamUnavailable };
            let error = Error::new(kind, said).because(format!("status {status}: {description}"));
            Err(match pause {
                Some(pause) => error.retry_after(pause),
                None => error,
            })
        }
        Err(unanswered) => Err(*unanswered.error),
    }
}
