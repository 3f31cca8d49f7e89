//! The routes of the chat: who the owner is, what waits, a code that connects, a test, and a decision about what may have
//! arrived, which `hanok chat` does, too; and, at the customer door, what Telegram brings by itself.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::chat::{ChatCode, ChatState, new_code, queue_test, read};
use hanok_base::Validated;
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::validated::Unchecked;
use hanok_platform::app::App;
use hanok_platform::chat;
use hanok_platform::http::{
    Accepted, Anyone, Body, Done, FromChat, HandlerResult, Household, Id, IdempotencyKey, Json, tx_op,
};

/// A message that was queued.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct Told {
    /// Its id.
    pub message: u64,
}

/// How the chat is.
#[endpoint(operation_id = "chat", tags("system"))]
pub async fn state(app: App, _caller: Household) -> HandlerResult<Json<ChatState>> {
    Ok(Json(read(&app).await?))
}

/// Something that has happened at Telegram, as it brings it (Bot API, `Update`), as far as the house wants to be told.
#[derive(Debug, Deserialize, ToSchema)]
pub struct BotUpdate {
    /// Its number, by which it is taken once.
    pub update_id: Validated<Unchecked<u64>>,
    /// Somebody has written.
    pub message: Option<Validated<Unchecked<Value>>>,
    /// Somebody has pressed a button.
    pub callback_query: Option<Validated<Unchecked<Value>>>,
    /// The bot may do something else in a chat than before.
    pub my_chat_member: Option<Validated<Unchecked<Value>>>,
}

/// Takes what Telegram brings, once and in whatever order. Whoever does not show the word that Telegram was told finds nothing
/// here. An `Idempotency-Key` is passed over: each update has a number.
#[endpoint(operation_id = "chat_hook", tags("chat"))]
pub async fn brought(app: App, _caller: Anyone, _telegram: FromChat, update: Body<BotUpdate>) -> HandlerResult<Done> {
    let BotUpdate { update_id, message, callback_query, my_chat_member } = update.0;
    let (number, update) = Check::of(|check| {
        let mut of = |name, sent: Option<Validated<Unchecked<Value>>>| sent.map(|sent| check.take(name, sent));
        let update = json!({
            "message": of("message", message),
            "callback_query": of("callback_query", callback_query),
            "my_chat_member": of("my_chat_member", my_chat_member),
        });
        (check.take("update_id", update_id), update)
    })?;
    app.outside.chat.brought(number, update).await?;
    Ok(Done::default())
}

/// A fresh code that connects the owner's chat. It takes no `Idempotency-Key`: the answer to one would be kept, and a code is
/// said once.
#[endpoint(operation_id = "chat_code", tags("system"))]
pub async fn fresh_code(app: App, _caller: Household) -> HandlerResult<Json<ChatCode>> {
    Ok(Json(new_code(&app).await?))
}

/// Sends the owner a message by which they see that the chat works.
#[endpoint(operation_id = "chat_test", tags("system"))]
pub async fn test(app: App, caller: Household, key: IdempotencyKey) -> HandlerResult<Accepted<Told>> {
    let settings = app.outside.chat.settings().clone();
    settings.check()?;
    let write = tx_op(move |tx| Ok(Told { message: queue_test(tx, &settings)? }));
    Ok(Accepted(key.once(&app, &caller, write).await?))
}

/// Sends a message once more that may have arrived.
#[endpoint(operation_id = "chat_send", tags("system"))]
pub async fn send(app: App, caller: Household, key: IdempotencyKey, id: Id) -> HandlerResult<Accepted<Told>> {
    let write = tx_op(move |tx| chat::send_again(tx, id.0).map(|()| Told { message: id.0 }));
    Ok(Accepted(key.once(&app, &caller, write).await?))
}
