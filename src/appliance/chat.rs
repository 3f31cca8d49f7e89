//! What the house declares of its chat: tables, settings, `hanok chat`, and what the doctor tries to reach for it.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};

use hanok_base::message::LocalizedMessage;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Message, MessageTemplate, Result};
use hanok_platform::app::App;
use hanok_platform::chat::{self, ChatCounts, ChatSettings, Hearing, MessageSeen, MessageStatus, Person, Words};
use hanok_platform::config::SectionKind;
use hanok_platform::domain::{Column, Command, Domain, Reach, Verb, View, Word, WordKind};
use hanok_platform::store::WriteTx;

const NOT_CONNECTED: MessageTemplate = MessageTemplate::new(
    "house.chat.not_connected",
    "no chat of the owner is connected: `hanok chat code` gives a code for it",
);

/// How the chat is.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChatState {
    /// The setting that is missing where there is no chat.
    pub missing: Option<&'static str>,
    /// Whether the owner has a chat.
    pub connected: bool,
    /// Since when; null where there is none, and where the settings say so.
    pub since: Option<DateTime<Utc>>,
    /// Where Telegram brings what people write; null where the house asks for it.
    pub hook: Option<String>,
    /// Whether it is heard what people write. False in a house that has just begun, and where none runs.
    pub listening: bool,
    /// When something was written last, since the start of the house.
    pub last_heard_at: Option<DateTime<Utc>>,
    /// What keeps the house from hearing it, and what to do.
    pub trouble: Option<String>,
    /// How a browser says `trouble` in its language.
    pub trouble_localized: Option<LocalizedMessage>,
    /// Since when.
    pub trouble_at: Option<DateTime<Utc>>,
    /// How many need time, or somebody.
    #[serde(flatten)]
    pub counts: ChatCounts,
    /// What was said last.
    pub newest: Option<MessageSeen>,
    /// The newest that may have arrived.
    pub messages: Vec<MessageSeen>,
    /// Of the newest those that were not sent.
    pub failed: Vec<MessageSeen>,
}

/// A code that connects the owner's chat.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChatCode {
    /// The code.
    pub code: String,
    /// What is written to the bot.
    pub write: String,
    /// Where that is done at one touch; null while the bot does not say what it is called.
    pub link: Option<String>,
    /// For how many minutes it is good.
    pub minutes: i64,
}

/// What the chat says of itself.
pub const DOMAIN: Domain = Domain {
    tables: chat::TABLES,
    carried: chat::PRESERVED_ON_RESTORE,
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

const TEST: [Column; 2] = [Column::count("message", "/message"), Column::text("it is", "/status")];

const STATUS: [Column; 7] = [
    Column::text("owner connected", "/connected"),
    Column::instant("since", "/since"),
    Column::text("brought to", "/hook"),
    Column::instant("last heard", "/last_heard_at"),
    Column::text("trouble", "/trouble"),
    Column::count("waiting", "/waiting"),
    Column::count("may have arrived", "/delivery_unknown"),
];

const MESSAGES: [Column; 3] =
    [Column::count("message", "/id"), Column::instant("tried", "/at"), Column::text("text", "/text")];

/// Reads how the chat is.
pub async fn read(app: &App) -> Result<ChatState> {
    let settings = app.outside.chat.settings().clone();
    let missing = settings.check().is_err().then_some("chat.token");
    let (hook, Hearing { is_listening: listening, last_heard_at, trouble }) =
        (app.outside.chat.hook(), app.outside.chat.hearing());
    let (trouble_at, trouble) = trouble.unzip();
    let (trouble, localized) = trouble.map(Message::into_parts).unzip();
    let trouble_localized = localized.flatten();
    let read = app.data.store.read(move |tx| {
        let owner = chat::connection(tx, &settings, &Person::owner())?;
        let (counts, newest, messages) = (chat::counts(tx)?, chat::newest(tx)?, chat::list_delivery_unknown(tx)?);
        let failed = chat::list_failed(tx)?;
        let since = owner.as_ref().and_then(|owner| owner.since);
        Ok(ChatState {
            missing,
            connected: owner.is_some(),
            since,
            hook,
            listening,
            last_heard_at,
            trouble,
            trouble_localized,
            trouble_at,
            counts,
            newest,
            messages,
            failed,
        })
    });
    read.await
}

/// Makes a code that connects the owner's chat.
pub async fn new_code(app: &App) -> Result<ChatCode> {
    app.outside.chat.settings().check()?;
    let code = app.data.store.write(|tx| chat::new_code(tx, &Person::owner())).await?;
    let link = app.outside.chat.link(&code).await;
    Ok(ChatCode { write: format!("/start {code}"), link, minutes: chat::CODE_MINUTES, code })
}

/// Queues a message to the owner that says that the chat works. Gives its id.
pub fn queue_test(tx: &WriteTx, settings: &ChatSettings) -> Result<u64> {
    let title = Words::new("테스트 메시지", "A test");
    let body = Words::new("이 채팅으로 hanok의 알림을 받습니다.", "What concerns you arrives here.");
    let told = chat::tell(tx, settings, &Person::owner(), &title, &body)?;
    told.ok_or_else(|| Error::conflict(NOT_CONNECTED))
}

async fn code(app: &App) -> Result<Value> {
    json(new_code(app).await?)
}

async fn test(app: &App) -> Result<Value> {
    let settings = app.outside.chat.settings().clone();
    settings.check()?;
    outcome(app, app.data.store.write(move |tx| queue_test(tx, &settings)).await?).await
}

async fn again(app: &App, id: u64) -> Result<Value> {
    app.outside.chat.settings().check()?;
    app.data.store.write(move |tx| chat::send_again(tx, id)).await?;
    outcome(app, id).await
}

/// What became of a message, once everything that is due was tried.
async fn outcome(app: &App, id: u64) -> Result<Value> {
    app.outside.chat.say_now().await?;
    let status = app.data.store.read(move |tx| chat::status(tx, id)).await?;
    let said = match status {
        Some(MessageStatus::Sent) => "sent",
        Some(MessageStatus::Waiting | MessageStatus::Sending) => "waiting: it could not be sent yet and is tried again",
        Some(MessageStatus::DeliveryUnknown) => {
            "delivery_unknown: it may have arrived; `hanok chat again` sends it once more"
        }
        Some(MessageStatus::Failed) | None => "not sent; the log says why",
    };
    Ok(json!({"message": id, "status": said}))
}

async fn status(app: &App) -> Result<Value> {
    app.outside.chat.settings().check()?;
    json(read(app).await?)
}

fn json(answer: impl Serialize) -> Result<Value> {
    serde_json::to_value(answer).map_err(Error::internal)
}
