//! The routes of the chat: who the owner is, what waits, a code that connects, a test, and a decision about what may have
//! arrived. The same is asked by `hanok chat`.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::{Deserialize, Serialize};

use crate::chat::{ChatCode, ChatState, new_code, queue_test, read};
use hanok_base::schema::ToSchema;
use hanok_platform::app::App;
use hanok_platform::chat;
use hanok_platform::http::{Accepted, Answer, Household, Id, IdempotencyKey, Json, to_write};

/// A message that was queued.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct Told {
    /// Its id.
    pub message: u64,
}

/// How the chat is.
#[endpoint(operation_id = "chat", tags("system"))]
pub async fn state(app: App, _caller: Household) -> Answer<Json<ChatState>> {
    Ok(Json(read(&app).await?))
}

/// A fresh code that connects the owner's chat. It takes no `Idempotency-Key`: the answer to one would be kept, and a code is
/// said once.
#[endpoint(operation_id = "chat_code", tags("system"))]
pub async fn fresh_code(app: App, _caller: Household) -> Answer<Json<ChatCode>> {
    Ok(Json(new_code(&app).await?))
}

/// Sends the owner a message by which they see that the chat works.
#[endpoint(operation_id = "chat_test", tags("system"))]
pub async fn test(app: App, caller: Household, key: IdempotencyKey) -> Answer<Accepted<Told>> {
    let settings = app.outside.chat.settings().clone();
    settings.check()?;
    let write = to_write(move |tx| Ok(Told { message: queue_test(tx, &settings)? }));
    Ok(Accepted(key.once(&app, &caller, write).await?))
}

/// Sends a message once more that may have arrived.
#[endpoint(operation_id = "chat_send", tags("system"))]
pub async fn send(app: App, caller: Household, key: IdempotencyKey, id: Id) -> Answer<Accepted<Told>> {
    let write = to_write(move |tx| chat::send_again(tx, id.0).map(|()| Told { message: id.0 }));
    Ok(Accepted(key.once(&app, &caller, write).await?))
}
