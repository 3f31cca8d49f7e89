//! What the forms of the customer's own page do.

use salvo::oapi::endpoint;
use salvo::{Request, Response, Writer};
use serde::Deserialize;

use super::super::super::super::model::ProfileChanges;
use super::super::super::super::store;
use super::super::super::super::work::by_provider::{disconnect, ways};
use super::super::super::super::work::{chat, check_owner};
use super::super::super::chat::{CodeHere, made_here};
use super::super::super::{PasswordChange, Removal, another_password, called, end, end_cookies};
use super::super::{OWN, TOLD, by_provider};
use super::{Act, Told, page, to_sign_in};
use crate::frame::{Faults, Frame};
use hanok_base::error::Check;
use hanok_base::sent::Any;
use hanok_base::text::Text;
use hanok_base::{Error, Kind, Result, Secret, Sent, must};
use hanok_platform::app::App;
use hanok_platform::auth::{CUSTOMERS, Passphrase};
use hanok_platform::http::{Answer, Anyone, Customer, Form, Peer, Seal, SeeOther, SentSession, Shown, already};
use hanok_platform::mail::Language;
use hanok_platform::store::WriteTx;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActForm {
    act: Sent<Any<Act>>,
    name: Option<Sent<Text<0, 50>>>,
    language: Option<Sent<Any<Language>>>,
    /// The present password.
    present: Option<Sent<Any<String>>>,
    /// The new one.
    password: Option<Sent<Passphrase>>,
    device: Option<Sent<Any<String>>>,
    /// The provider that is connected, or the address of one that is not any more.
    provider: Option<Sent<Any<String>>>,
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
) -> Answer<Shown> {
    let (act, found) = (Act::named(form.value("act")), Customer::find(&app, req).await?);
    if act == Some(Act::Remove) {
        return remove(&app, found, peer, &frame, &form, req, res).await;
    }
    let Some(caller) = found else { return Ok(Shown::Elsewhere(to_sign_in(&app, &frame, act, req))) };
    match act {
        Some(Act::Connect) => return connect(&app, caller, peer, &frame, &form, req).await,
        Some(Act::Chat) => return make_code(&app, caller, peer, &frame, &form, req).await,
        _ => {}
    }
    let error = match do_it(&app, caller.clone(), peer, &form, req).await {
        Ok(act) => return Ok(saved(&frame, &form, act)),
        // Another device has signed this one out meanwhile.
        Err(error) if error.kind == Kind::NotFound => return Ok(Shown::Elsewhere(to_sign_in(&app, &frame, act, req))),
        Err(error) if TOLD.contains(&error.kind) => error,
        Err(error) => return Err(error.into()),
    };
    refused(&app, caller, &frame, &form, req, error).await
}

/// Where it is said that `act` is done: in its section of the page.
fn saved(frame: &Frame, form: &Form, act: Act) -> Shown {
    let told = format!("{}?saved={}#{}", frame.href(OWN), form.value("act"), act.section());
    Shown::Elsewhere(SeeOther::to(told))
}

/// Ends the account. The session ends with it: by that one is known who sends the same form once more, to whom the same is
/// answered. A session that ended otherwise has ended no account, and leads to the entrance.
async fn remove(
    app: &App,
    found: Option<Customer>,
    peer: Peer,
    frame: &Frame,
    form: &Form,
    req: &Request,
    res: &mut Response,
) -> Answer<Shown> {
    let removed = async {
        let password = form.read::<ActForm>()?.present;
        let (is_typed, caller) = (password.is_some(), found.clone());
        let ending = |app| end_of(app, caller, peer, Removal { password });
        let ended = form.key().once(app, &SentSession::of_customer(app, req), ending).await;
        ended.map_err(|error| of_this_form(error, is_typed))
    };
    let error = match removed.await {
        Ok(()) => {
            end_cookies(app, req, res);
            return Ok(Shown::Elsewhere(SeeOther::to(frame.href("/"))));
        }
        Err(error) if TOLD.contains(&error.kind) => error,
        Err(error) => return Err(error.into()),
    };
    match found {
        Some(caller) if error.kind != Kind::NotFound => refused(app, caller, frame, form, req, error).await,
        _ => Ok(Shown::Elsewhere(to_sign_in(app, frame, Some(Act::Remove), req))),
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

/// The page with what was refused in its place.
async fn refused(
    app: &App,
    caller: Customer,
    frame: &Frame,
    form: &Form,
    req: &Request,
    error: Error,
) -> Answer<Shown> {
    let seal = Seal::again(app, req, form);
    let (refused, faults) = (Act::named(form.value("act")), Faults::of(&error, frame.language()));
    let told = Told { refused, faults, ..Told::default() };
    let page = page(app, frame, &seal, caller, CodeHere::of(app, req), told).await?;
    Ok(Shown::Here(page.refusing(&error).kept_by_nobody()))
}

/// Leads on to a provider that is to be connected, by who knows the password or has just signed in.
async fn connect(app: &App, caller: Customer, peer: Peer, frame: &Frame, form: &Form, req: &Request) -> Answer<Shown> {
    let begun = async {
        let ActForm { present, provider, .. } = form.read()?;
        let (present, provider) = Check::of(|check| {
            let provider = provider.map(|provider| check.take("provider", provider)).unwrap_or_default();
            (present.map(|present| check.take("present", present)), provider)
        })?;
        let is_typed = present.is_some();
        let owner = check_owner(app, (&caller.id, &caller.token), present.map(Secret::new), peer.0).await;
        owner.map_err(|error| of_this_form(error, is_typed))?;
        by_provider::onward(app, frame, peer, req, (provider, String::new(), Some(caller.id.clone()))).await
    };
    let error = match begun.await {
        Ok(page) => return Ok(Shown::Here(page)),
        Err(error) => error,
    };
    let faults = by_provider::faults_of(app, frame, &error, form.value("provider"));
    let Some(faults) = faults.filter(|_| error.kind != Kind::NotFound) else { return Err(error.into()) };
    let seal = Seal::again(app, req, form);
    let connecting = form.value("provider");
    let told = Told { refused: Some(Act::Connect), connecting, faults, ..Told::default() };
    let page = page(app, frame, &seal, caller, CodeHere::of(app, req), told).await?;
    Ok(Shown::Here(page.refusing(&error).kept_by_nobody()))
}

/// Makes a code that connects a chat. Loading the page again shows the same one.
async fn make_code(
    app: &App,
    caller: Customer,
    peer: Peer,
    frame: &Frame,
    form: &Form,
    req: &Request,
) -> Answer<Shown> {
    form.read::<ActForm>()?;
    match made_here(app, &caller, peer, form, req).await {
        Ok(cookie) => {
            let own = SeeOther::to(format!("{}?saved=chat", frame.href(OWN)));
            Ok(Shown::Elsewhere(match cookie {
                Some(cookie) => own.with_cookie(cookie),
                None => own,
            }))
        }
        Err(error) if TOLD.contains(&error.kind) => refused(app, caller, frame, form, req, error).await,
        Err(error) => Err(error.into()),
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

async fn do_it(app: &App, caller: Customer, peer: Peer, form: &Form, req: &Request) -> Result<Act> {
    let ActForm { act, name, language, present, password, device, provider } = form.read()?;
    let (act, device, provider) = Check::of(|check| {
        let act = check.find("act", act);
        let needs = |acts: &[Act]| act.is_some_and(|act| acts.contains(&act));
        check.require(!needs(&[Act::Password]) || present.is_some(), "present", must::PRESENT);
        check.require(!needs(&[Act::Password]) || password.is_some(), "password", must::PRESENT);
        let device: Option<u64> = device.and_then(|device| check.take("device", device).parse().ok());
        let provider = provider.map(|provider| check.take("provider", provider)).unwrap_or_default();
        (act, device.unwrap_or_default(), provider)
    })?;
    match (act, present, password) {
        (Some(Act::Password), Some(present), Some(password)) => {
            let (wanted, origin) = (PasswordChange { present, password }, called(app, req));
            let give = |app| another_password(app, caller, peer, wanted, origin);
            // Done twice, the second would be refused: the present password is another one by then.
            let taken = form.key().once(app, &SentSession::of_customer(app, req), give).await;
            taken.map_err(|error| if error.kind == Kind::Forbidden { of_this_form(error, true) } else { error })?;
        }
        (Some(Act::Disconnect), ..) => {
            let known = ways(&app.config);
            app.data.store.write(move |tx| already(disconnect(tx, &caller.id, &provider, &known))).await?;
        }
        (Some(Act::Unchat), ..) => {
            app.data.store.write(move |tx| already(chat::end(tx, &caller.id))).await?;
        }
        (Some(Act::Device), ..) => {
            app.data.store.write(move |tx| CUSTOMERS.end(tx, &caller.id, device)).await?;
        }
        (Some(Act::Devices), ..) => {
            app.data.store.write(move |tx| CUSTOMERS.end_all(tx, &caller.id, Some(&caller.token))).await?;
        }
        _ => {
            // A field that was left empty counts as not sent; here that takes the name away.
            let name = Some(name.unwrap_or_else(|| Sent::taken(String::new())));
            let changes = ProfileChanges { name, language };
            app.data.store.write(move |tx| store::change_profile(tx, &caller.id, changes)).await?;
        }
    }
    Ok(act.unwrap_or(Act::Profile))
}
