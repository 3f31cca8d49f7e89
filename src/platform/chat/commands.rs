//! What a person can write to the bot.

use super::incoming::Incoming;
use super::row::{Connection, Person};
use super::settings::ChatSettings;
use super::store::{connect, counts_of, disconnect, person_of, queue_reply, take_code};
use super::text::{Language, Words};
use crate::store::WriteTx;
use hanok_base::{Result, day};

/// Does what was written. Strangers are only told how to connect, and only when they begin or ask for help.
pub(super) fn hear(tx: &WriteTx, settings: &ChatSettings, message: &Incoming) -> Result<()> {
    let chat = message.chat.id;
    let code = message.from.as_ref().and_then(|from| from.language_code.as_deref());
    let language = Language::of_tag(code);
    let mut words = message.text.split_whitespace();
    let command = words.next().unwrap_or_default();
    // In the form of groups, too: `/start@bot`.
    let command = command.split('@').next().unwrap_or_default();
    let known = person_of(tx, settings, chat)?;
    let reply = match (command, words.next(), known) {
        ("/start", Some(code), known) => begin(tx, settings, chat, language, code, known)?,
        ("/start", None, None) if settings.owner_chat() == Some(chat) => {
            connect(tx, &Person::owner(), chat, language)?;
            connected()
        }
        ("/start" | "/help", _, None) => stranger(),
        ("/stop", _, Some(_)) => {
            disconnect(tx, settings, chat)?;
            Words::new(
                "연결을 해제했습니다. 이제 메시지를 보내지 않습니다.",
                "Disconnected. You are told nothing any more.",
            )
        }
        ("/status", _, Some((_, connection))) => status(tx, &connection)?,
        (_, _, Some(_)) => help(),
        (_, _, None) => return Ok(()),
    };
    queue_reply(tx, chat, language, &reply)
}

fn begin(
    tx: &WriteTx,
    settings: &ChatSettings,
    chat: i64,
    language: Language,
    code: &str,
    known: Option<(Person, Connection)>,
) -> Result<Words> {
    match take_code(tx, code)? {
        Some(person) if person == Person::owner() && settings.owner_chat().is_some_and(|owner| owner != chat) => {
            Ok(Words::new(
                "운영자의 채팅은 설정(chat.owner)에서 지정되어 있습니다.",
                "The settings (chat.owner) name another chat of the owner.",
            ))
        }
        // What the owner is told goes to nobody else, and no account that ends may end it.
        Some(person) if person != Person::owner() && is_the_owners(settings, chat, known.as_ref()) => Ok(Words::new(
            "운영자의 채팅입니다. 다른 텔레그램 계정에서 연결해 주세요.",
            "This is the chat of the house's owner. Connect from another Telegram account.",
        )),
        Some(person) => {
            connect(tx, &person, chat, language)?;
            Ok(connected())
        }
        None if known.is_some() => Ok(Words::new(
            "이미 연결되어 있습니다. 이 코드는 사용할 수 없습니다.",
            "You are connected already. This code is not good.",
        )),
        None => Ok(Words::new(
            "코드가 맞지 않거나 만료되었거나 이미 사용했습니다. 새 코드를 받아 주세요.",
            "This code is wrong, too old or used already. Ask for a new one.",
        )),
    }
}

fn is_the_owners(settings: &ChatSettings, chat: i64, known: Option<&(Person, Connection)>) -> bool {
    settings.owner_chat() == Some(chat) || known.is_some_and(|(person, _)| *person == Person::owner())
}

fn connected() -> Words {
    Words::new("연결되었습니다. 알림을 그만 받으려면 /stop", "Connected. To hear nothing any more: /stop")
}

fn stranger() -> Words {
    Words::new(
        "hanok에서 받은 코드로 연결합니다: /start 코드",
        "Connect with the code that the house gave you: /start CODE",
    )
}

fn help() -> Words {
    Words::new(
        "/status 연결 상태\n/stop 알림 그만 받기\n/help 도움말",
        "/status how it is\n/stop hear nothing any more\n/help this",
    )
}

fn status(tx: &WriteTx, connection: &Connection) -> Result<Words> {
    let waiting = counts_of(tx, connection.chat)?;
    let since = connection.since.map(|since| since.with_timezone(&day::ZONE).format("%Y-%m-%d %H:%M").to_string());
    let (ko, en) = since.map_or_else(
        || ("연결되어 있습니다(설정).".to_owned(), "Connected by the settings.".to_owned()),
        |since| (format!("{since}부터 연결되어 있습니다."), format!("Connected since {since} (Seoul).")),
    );
    Ok(Words::new(format!("{ko} 대기 중인 메시지 {waiting}개"), format!("{en} Messages that wait: {waiting}")))
}
