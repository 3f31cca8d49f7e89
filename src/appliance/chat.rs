//! What the house declares of its chat: tables, settings, `hanok chat`, and what the doctor tries to reach for it.

use hanok_base::{Error, Result, Said};
use hanok_platform::app::App;
use hanok_platform::chat::{self, ChatSettings, Person, Standing, Words};
use hanok_platform::config::SectionKind;
use hanok_platform::domain::{Column, Command, Domain, Reach, Verb, View, Word, WordKind};
use serde_json::{Value, json};

/// What the chat says of itself.
pub const DOMAIN: Domain = Domain {
    tables: chat::TABLES,
    carried: chat::CARRIED,
    settings: Some(SectionKind::of::<ChatSettings>()),
    command: Some(COMMAND),
    reaches: &[IN_REACH],
    ..Domain::EMPTY
};

const IN_REACH: Reach = Reach {
    check: "chat",
    setting: "chat.address",
    address: |config| {
        let settings = config.section::<ChatSettings>();
        match settings.check() {
            Ok(()) => Ok(settings.address.clone()),
            Err(_) => Err("is not used (chat.token is not set)"),
        }
    },
    meanwhile: "messages wait and are sent when it can be reached",
    cure: "look at this machine's network, or at chat.address",
};

const COMMAND: Command = Command {
    name: "chat",
    about: "The chat with people by a Telegram bot: connect, test, see what waits",
    example: "hanok chat code",
    verbs: &[
        Verb {
            name: "code",
            about: "A code that connects the owner's chat, good once and for a quarter of an hour",
            example: "hanok chat code",
            takes: &[],
            run: |app, _| Box::pin(async move { code(&app).await }),
            shows: &[View::Thing(&CODE)],
        },
        Verb {
            name: "test",
            about: "Send the owner a message",
            example: "hanok chat test",
            takes: &[],
            run: |app, _| Box::pin(async move { test(&app).await }),
            shows: &[View::Thing(&TEST)],
        },
        Verb {
            name: "status",
            about: "Show who the owner is, what waits, and what may have arrived",
            example: "hanok chat status",
            takes: &[],
            run: |app, _| Box::pin(async move { status(&app).await }),
            shows: &[View::Thing(&STATUS), View::List("messages", &MESSAGES)],
        },
        Verb {
            name: "again",
            about: "Send a message once more that may have arrived",
            example: "hanok chat again 17",
            takes: &[MESSAGE],
            run: |app, words| Box::pin(async move { again(&app, words.number(MESSAGE.name)?).await }),
            shows: &[View::Thing(&TEST)],
        },
    ],
};

const MESSAGE: Word = Word::required("MESSAGE", "The number of the message", WordKind::Number(1, u64::MAX));

const CODE: [Column; 3] = [
    Column::text("write to the bot", "/write"),
    Column::text("or open", "/link"),
    Column::count("good for (minutes)", "/minutes"),
];

const TEST: [Column; 2] = [Column::count("message", "/message"), Column::text("it is", "/standing")];

const STATUS: [Column; 4] = [
    Column::text("owner connected", "/connected"),
    Column::instant("since", "/since"),
    Column::count("waiting", "/waiting"),
    Column::count("may have arrived", "/undecided"),
];

const MESSAGES: [Column; 3] =
    [Column::count("message", "/id"), Column::instant("tried", "/at"), Column::text("text", "/text")];

async fn code(app: &App) -> Result<Value> {
    app.outside.chat.settings().check()?;
    let code = app.data.store.write(|tx| chat::new_code(tx, &Person::owner())).await?;
    let link = app.outside.chat.link(&code).await;
    Ok(json!({"write": format!("/start {code}"), "code": code, "link": link, "minutes": chat::CODE_MINUTES}))
}

async fn test(app: &App) -> Result<Value> {
    let settings = app.outside.chat.settings().clone();
    settings.check()?;
    let title = Words::new("시험 메시지", "A test");
    let body = Words::new("이 채팅으로 집의 소식이 옵니다.", "What concerns you arrives here.");
    let not_connected = "no chat of the owner is connected: `hanok chat code` gives a code for it";
    let told = app.data.store.write(move |tx| chat::tell(tx, &settings, &Person::owner(), &title, &body)).await?;
    let id = told.ok_or_else(|| Error::conflict(Said::english(not_connected)))?;
    outcome(app, id).await
}

async fn again(app: &App, id: u64) -> Result<Value> {
    app.outside.chat.settings().check()?;
    app.data.store.write(move |tx| chat::send_again(tx, id)).await?;
    outcome(app, id).await
}

/// What became of a message, once everything that is due was tried.
async fn outcome(app: &App, id: u64) -> Result<Value> {
    app.outside.chat.say_now().await?;
    let standing = app.data.store.read(move |tx| chat::standing(tx, id)).await?;
    let said = match standing {
        Some(Standing::Sent) => "sent",
        Some(Standing::Waiting | Standing::Sending) => "waiting: it could not be sent yet and is tried again",
        Some(Standing::Undecided) => "undecided: it may have arrived; `hanok chat again` sends it once more",
        Some(Standing::Failed) | None => "not sent; the log says why",
    };
    Ok(json!({"message": id, "standing": said}))
}

async fn status(app: &App) -> Result<Value> {
    let settings = app.outside.chat.settings().clone();
    settings.check()?;
    let read = app.data.store.read(move |tx| {
        let owner = chat::connection(tx, &settings, &Person::owner())?;
        Ok((owner, chat::counts(tx)?, chat::list_undecided(tx)?))
    });
    let (owner, counts, messages) = read.await?;
    let since = owner.as_ref().and_then(|owner| owner.since);
    Ok(json!({
        "connected": owner.is_some(), "since": since, "waiting": counts.waiting, "undecided": counts.undecided,
        "messages": messages,
    }))
}
