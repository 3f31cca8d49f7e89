//! The routes of the chat that a customer connects.

use salvo::http::cookie::Cookie;
use salvo::oapi::endpoint;
use salvo::{Request, Writer};
use tokio::sync::oneshot;

use super::super::work::chat::{self, OwnChat, OwnChatCode};
use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::http::{Customer, Deleted, Form, HandlerResult, Json, Peer, SentSession, SiteCookie};
use hanok_platform::store::WriteTx;

/// The code that was made last on the page of this browser: only its hash is kept by the house, and the page shows it again
/// for as long as it is good.
const CODE: SiteCookie = SiteCookie::new("__Host-hanok-chat-code", 0);

/// How the customer's chat is.
#[endpoint(operation_id = "account_chat", tags("account"))]
pub async fn find(app: App, caller: Customer) -> HandlerResult<Json<OwnChat>> {
    let settings = app.outside.chat.settings().clone();
    Ok(Json(app.data.store.read_inline(move |tx| chat::own_chat(tx, &settings, &caller.id)).await?))
}

/// A fresh code that connects a chat; the one before is good no more. It takes no `Idempotency-Key`: the answer to one would be
/// kept, and a code is said once.
#[endpoint(operation_id = "account_chat_code", tags("account"))]
pub async fn fresh_code(app: App, caller: Customer, peer: Peer) -> HandlerResult<Json<OwnChatCode>> {
    Ok(Json(chat::new_code(&app, &caller.id, peer.0).await?))
}

/// Disconnects the customer's chat: nothing is said there any more.
#[endpoint(operation_id = "account_chat_end", tags("account"))]
pub async fn end(app: App, caller: Customer) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| chat::end(tx, &caller.id)).await?;
    Ok(Deleted::default())
}

/// Makes a code for the page of this browser. Gives the cookie by which it is shown there until it ends; none where the same
/// form has made one before, whose answer carries that cookie: the code itself is written down nowhere.
pub(super) async fn made_here(
    app: &App,
    caller: &Customer,
    peer: Peer,
    form: &Form,
    req: &Request,
) -> Result<Option<Cookie<'static>>> {
    let (tell, mut told) = oneshot::channel();
    let (sender, id) = (SentSession::of_customer(app, req), caller.id.clone());
    form.key().once(app, &sender, |app| told_code(app, id, peer, tell)).await?;
    Ok(told.try_recv().ok().map(|code| CODE.carrying(app, req, code)))
}

/// What makes a code for the customer `id`, and tells it to who has asked.
async fn told_code(
    app: App,
    id: String,
    peer: Peer,
    tell: oneshot::Sender<String>,
) -> Result<impl FnOnce(&WriteTx) -> Result<()> + Send + 'static> {
    chat::check_asked(&app, peer.0)?;
    // Who has gone meanwhile hears nothing, and the code ends by itself.
    Ok(move |tx: &WriteTx| chat::write_code(tx, &id).map(|code| drop(tell.send(code))))
}

/// The code that was made last on the page of this browser, as its cookie says it.
pub(super) struct CodeHere {
    sent: Option<String>,
    /// Takes the cookie away; none where none was sent.
    end: Option<Cookie<'static>>,
}

impl CodeHere {
    /// As it came with `req`.
    pub(super) fn of(app: &App, req: &Request) -> CodeHere {
        let sent = CODE.sent(app, req).filter(|code| !code.is_empty());
        let ended = sent.as_ref().map(|_| CODE.carrying(app, req, String::new()));
        CodeHere { sent, end: ended }
    }

    /// What takes the cookie away, once the code connects nothing any more or the session has ended that made it; none where
    /// none was sent.
    pub(super) fn end(self) -> Option<Cookie<'static>> {
        self.end
    }

    /// The code, while it is good.
    pub(super) async fn good(&self, app: &App, caller: &Customer) -> Result<Option<OwnChatCode>> {
        match &self.sent {
            Some(code) => chat::good_code(app, &caller.id, code.clone()).await,
            None => Ok(None),
        }
    }
}
