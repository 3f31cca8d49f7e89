//! What the forms of the customer's own page do.

use salvo::oapi::endpoint;
use salvo::{Request, Response, Writer};

use super::super::super::super::model::ProfileChanges;
use super::super::super::super::store;
use super::super::super::super::work::by_provider::{disconnect, ways};
use super::super::super::super::work::{chat, check_owner};
use super::super::super::chat::made_here;
use super::super::super::{PasswordChange, Removal, another_password, called, end, end_cookies};
use super::super::{OWN, by_provider};
use super::{NOTICES, page, to_sign_in};
use crate::frame::{Frame, Notice};
use hanok_base::{Error, Kind, Result, Secret, validation_messages};
use hanok_platform::app::App;
use hanok_platform::auth::CUSTOMERS;
use hanok_platform::http::{Anyone, Customer, Form, HandlerResult, Peer, SentSession, Shown, already};
use hanok_platform::store::WriteTx;

/// The provider that is to be connected.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub(super) struct Connect {
    provider: String,
    /// The present password; who has none has just signed in.
    present: Option<String>,
}

/// That the account is to end.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub(super) struct Remove {
    /// The present password; who has none has just signed in.
    present: Option<String>,
}

#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
struct Disconnect {
    /// The address of the provider.
    provider: String,
}

#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
struct EndDevice {
    device: u64,
}

/// Does what one of the forms asks for, once however often the form is sent. What is refused is said in its place; who is not
/// in any more is asked to sign in first.
#[endpoint]
pub async fn change(
    app: App,
    _caller: Anyone,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Shown> {
    let found = frame.customer().cloned();
    match (form.act(), found) {
        ("remove", found) => remove(&app, found, peer, frame, form, req, res).await,
        (act, None) => to_sign_in(&app, &frame, act, req),
        ("connect", Some(caller)) => connect(&app, caller, peer, frame, form, req).await,
        ("chat", Some(caller)) => make_code(&app, caller, peer, frame, form, req).await,
        (_, Some(caller)) => {
            let done = do_it(&app, caller.clone(), peer, &form, req).await;
            finished(&app, caller, frame, form, req, done).await
        }
    }
}

/// Says that what `form` asks for is done, or why it is not. Another device may have signed this one out meanwhile.
async fn finished(
    app: &App,
    caller: Customer,
    frame: Frame,
    form: Form,
    req: &Request,
    done: Result<()>,
) -> HandlerResult<Shown> {
    match done {
        Ok(()) => frame.done(OWN, Notice::of(NOTICES, form.act())),
        Err(error) if error.kind == Kind::NotFound => to_sign_in(app, &frame, form.act(), req),
        Err(error) => page(app, &frame.refused(form, error)?, caller, req).await,
    }
}

async fn do_it(app: &App, caller: Customer, peer: Peer, form: &Form, req: &Request) -> Result<()> {
    let store = &app.data.store;
    match form.act() {
        "profile" => {
            let mut changes: ProfileChanges = form.checked()?;
            // A field that was left empty counts as not sent; here that takes the name away.
            changes.name.get_or_insert_default();
            store.write(move |tx| store::change_profile(tx, &caller.id, changes)).await.map(drop)
        }
        "password" => {
            let (wanted, origin) = (form.checked::<PasswordChange>()?, called(app, req));
            let give = |app| another_password(app, caller, peer, wanted, origin);
            // Done twice, the second would be refused: the present password is another one by then.
            let taken = form.key().once(app, &SentSession::of_customer(app, req), give).await;
            taken.map_err(|error| if error.kind == Kind::Forbidden { of_this_form(error, true) } else { error })
        }
        "disconnect" => {
            let (Disconnect { provider }, known) = (form.checked()?, ways(&app.config));
            store.write(move |tx| already(disconnect(tx, &caller.id, &provider, &known))).await
        }
        "unchat" => {
            form.read_nothing()?;
            store.write(move |tx| already(chat::end(tx, &caller.id))).await
        }
        "device" => {
            let EndDevice { device } = form.checked()?;
            store.write(move |tx| CUSTOMERS.end(tx, &caller.id, device)).await.map(drop)
        }
        "devices" => {
            form.read_nothing()?;
            store.write(move |tx| CUSTOMERS.end_all(tx, &caller.id, Some(&caller.token))).await.map(drop)
        }
        _ => Err(Error::field("act", validation_messages::KNOWN)),
    }
}

/// Ends the account. The session ends with it: by that one is known who sends the same form once more, to whom the same is
/// answered. A session that ended otherwise has ended no account, and leads to the entrance.
async fn remove(
    app: &App,
    found: Option<Customer>,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &Request,
    res: &mut Response,
) -> HandlerResult<Shown> {
    let removed = async {
        let password = form.checked::<Remove>()?.present;
        let (is_typed, caller) = (password.is_some(), found.clone());
        let ending = |app| end_of(app, caller, peer, Removal { password });
        let ended = form.key().once(app, &SentSession::of_customer(app, req), ending).await;
        ended.map_err(|error| of_this_form(error, is_typed))
    };
    match (removed.await, found) {
        (Ok(()), _) => {
            end_cookies(app, req, res);
            frame.go_to("/")
        }
        (done, Some(caller)) => finished(app, caller, frame, form, req, done).await,
        (Err(_), None) => to_sign_in(app, &frame, "remove", req),
    }
}

/// What ends the account of `caller`, who may be gone.
async fn end_of(
    app: App,
    caller: Option<Customer>,
    peer: Peer,
    asked: Removal,
) -> Result<impl FnOnce(&WriteTx) -> Result<()> + Send + 'static> {
    end(app, caller.ok_or_else(|| Error::not_found("session"))?, peer, asked).await
}

/// Leads on to a provider that is to be connected, by who knows the password or has just signed in.
async fn connect(
    app: &App,
    caller: Customer,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &Request,
) -> HandlerResult<Shown> {
    let begun = async {
        let Connect { provider, present } = form.checked()?;
        let is_typed = present.is_some();
        let owner = check_owner(app, (&caller.id, &caller.token), present.map(Secret::new), peer.0).await;
        owner.map_err(|error| of_this_form(error, is_typed))?;
        by_provider::onward(app, &frame, peer, req, (provider, String::new(), Some(caller.id.clone()))).await
    };
    match begun.await {
        Ok(page) => Ok(Shown::Here(page)),
        Err(error) => page(app, &by_provider::refused(app, frame, form, error)?, caller, req).await,
    }
}

/// Makes a code that connects a chat. Loading the page again shows the same one.
async fn make_code(
    app: &App,
    caller: Customer,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &Request,
) -> HandlerResult<Shown> {
    let made = async {
        form.read_nothing()?;
        made_here(app, &caller, peer, &form, req).await
    };
    match made.await {
        Ok(cookie) => Ok(frame.go_to(&format!("{OWN}?saved=chat"))?.with_cookie(cookie)),
        Err(error) => page(app, &frame.refused(form, error)?, caller, req).await,
    }
}

/// What is wrong with the password that is asked for, which a form calls the present one: one that was typed and is not right
/// is refused beside its field.
fn of_this_form(mut error: Error, is_typed: bool) -> Error {
    if is_typed && error.kind == Kind::Forbidden {
        error.fields.insert("present".to_owned(), error.message.clone());
    } else if let Some(must) = error.fields.remove("password") {
        error.fields.insert("present".to_owned(), must);
    }
    error
}
