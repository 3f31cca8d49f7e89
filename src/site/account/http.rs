//! The routes of the accounts, and their pages (`pages`), which do the same by forms.

pub mod chat;
pub mod pages;

use salvo::oapi::endpoint;
use salvo::{Request, Response, Writer};
use serde::Serialize;

use super::model::{Account, Profile, ProfileChanges, within_the_site};
use super::store;
use super::work::own_data::account_of;
use super::work::{self, Device};
use crate::frame::BusinessSettings;
use chat::CodeHere;
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::{Error, Result, Secret};
use hanok_platform::app::App;
use hanok_platform::auth::{CUSTOMERS, Passphrase};
use hanok_platform::http::{
    Accepted, Anyone, Checked, Customer, Deleted, Devices, Done, HandlerResult, Id, Json, Peer, agent_of, link_origin,
};
use hanok_platform::mail::{EmailAddress, Language};
use hanok_platform::store::{ReadTransaction, WriteTx};

/// An address to which a mail is to be written.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The mail address.
    #[field(EmailAddress)]
    pub mail: EmailAddress,
    /// The language of the mail, where there is no account that has one.
    pub language: Option<Language>,
}

/// A sign-in.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The mail address of the account.
    #[field(EmailAddress)]
    pub mail: EmailAddress,
    /// Its password.
    pub password: String,
    /// The page of this site to go on with.
    #[field(Text<0, 2000>)]
    pub next: Option<String>,
}

/// Where to go on.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedIn {
    /// Always true.
    pub ok: bool,
    /// A path of this site.
    pub next: String,
}

/// A password set by the link of a mail.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// The word of the link.
    #[field(Text<1, 200>)]
    pub token: String,
    /// The new password.
    #[field(Passphrase)]
    pub password: Secret,
    /// How the customer is called.
    #[field(Text<0, 50>)]
    pub name: Option<String>,
}

/// Another password.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct PasswordChange {
    /// The present one.
    pub present: String,
    /// The new one.
    #[field(Passphrase)]
    pub password: Secret,
}

/// That the account is to end.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct Removal {
    /// The present password; who has none has signed in within the last ten minutes.
    pub password: Option<String>,
}

/// Begins an account: a mail leads to where its password is set. The answer is the same where there is one already.
/// An `Idempotency-Key` is passed over: each mail has a link of its own.
#[endpoint(operation_id = "account_register", tags("account"))]
pub async fn register(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Checked<Asked>,
    req: &mut Request,
) -> HandlerResult<Accepted<Done>> {
    app.data.store.write(letter(app.clone(), peer, body.0, link_origin(&app, req)?).await?).await?;
    Ok(Accepted(Done::default()))
}

/// Has a mail written by which a forgotten password is set anew. The answer is the same where there is no account.
/// An `Idempotency-Key` is passed over: each mail has a link of its own.
#[endpoint(operation_id = "account_forgotten", tags("account"))]
pub async fn forgotten(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Checked<Asked>,
    req: &mut Request,
) -> HandlerResult<Accepted<Done>> {
    app.data.store.write(letter(app.clone(), peer, body.0, link_origin(&app, req)?).await?).await?;
    Ok(Accepted(Done::default()))
}

/// What writes the mail that leads on whoever is asked for, whether there is an account or not.
async fn letter(
    app: App,
    peer: Peer,
    asked: Asked,
    origin: String,
) -> Result<impl FnOnce(&WriteTx) -> Result<()> + Send + 'static> {
    let Asked { mail, language } = asked;
    let is_written = work::is_written(&app, peer.0, &mail)?;
    Ok(move |tx: &WriteTx| if is_written { work::write_to(tx, &mail, language, &origin) } else { Ok(()) })
}

/// Sets the password by the link of a mail, and signs in. The link works once; every other device is signed out.
/// An `Idempotency-Key` is passed over: the cookie of the answer is written down nowhere.
#[endpoint(operation_id = "account_password_set", tags("account"))]
pub async fn set_password(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Checked<NewPassword>,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Done> {
    let begin = by_link(app.clone(), body.0, device(&app, req, peer), called(&app, req)).await?;
    let begun = app.data.store.write(begin).await?;
    Customer::keep_cookie(&app, req, res, begun);
    Ok(Done::default())
}

/// What sets the password by the link of a mail, and gives the token of the session that begins.
async fn by_link(
    app: App,
    new: NewPassword,
    device: Device,
    site: String,
) -> Result<impl FnOnce(&WriteTx) -> Result<String> + Send + 'static> {
    let NewPassword { token: word, password, name } = new;
    // Hashing is costly: only for who holds the link.
    let asked = word.clone();
    app.data.store.read_inline(move |tx| work::find_link(tx, &asked)).await?;
    let hash = app.access.visitors.hash(password).await?;
    Ok(move |tx: &WriteTx| {
        let customer = work::set_password_by_link(tx, &word, &hash, name, &site)?;
        work::begin(tx, &customer, &device)
    })
}

/// Signs in; the answer sets the session cookie. An `Idempotency-Key` is passed over: the cookie is written down nowhere, so it
/// cannot be given again.
#[endpoint(operation_id = "account_sign_in", tags("account"))]
pub async fn sign_in(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Checked<SignIn>,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Json<SignedIn>> {
    let (begun, next) = come_in(&app, body.0, device(&app, req, peer)).await?;
    Customer::keep_cookie(&app, req, res, begun);
    Ok(Json(SignedIn { ok: true, next }))
}

/// Signs in. Gives the token of the session that begins, and the page of this site to go on with.
async fn come_in(app: &App, sent: SignIn, device: Device) -> Result<(String, String)> {
    let SignIn { mail, password, next } = sent;
    let begun = work::sign_in(app, mail.as_str(), Secret::new(password), device).await?;
    Ok((begun, within_the_site(&next.unwrap_or_default()).to_owned()))
}

/// Signs this device out. An `Idempotency-Key` is passed over: who asks again has no session any more.
#[endpoint(operation_id = "account_sign_out", tags("account"))]
pub async fn sign_out(app: App, caller: Customer, req: &mut Request, res: &mut Response) -> HandlerResult<Done> {
    leave(&app, caller, req, res).await?;
    Ok(Done::default())
}

/// Ends the session of this device and its cookies, for the route and for the page.
async fn leave(app: &App, caller: Customer, req: &Request, res: &mut Response) -> Result<()> {
    app.data.store.write(move |tx| CUSTOMERS.sign_out(tx, &caller.token)).await?;
    end_cookies(app, req, res);
    Ok(())
}

/// Takes away what this browser keeps of a session that has ended: its word, and the code that was made in it.
fn end_cookies(app: &App, req: &Request, res: &mut Response) {
    Customer::end_cookie(app, req, res);
    if let Some(end) = CodeHere::of(app, req).end() {
        res.add_cookie(end);
    }
}

/// The account.
#[endpoint(operation_id = "account_find", tags("account"))]
pub async fn find(app: App, caller: Customer) -> HandlerResult<Json<Account>> {
    Ok(Json(app.data.store.read_inline(move |tx| account_of(tx, &caller.id)).await?))
}

/// Changes the fields of the profile that are sent.
#[endpoint(operation_id = "account_change", tags("account"))]
pub async fn change(app: App, caller: Customer, body: Checked<ProfileChanges>) -> HandlerResult<Json<Profile>> {
    Ok(Json(app.data.store.write(move |tx| store::change_profile(tx, &caller.id, body.0)).await?))
}

/// Sets another password; every other device is signed out.
#[endpoint(operation_id = "account_password_change", tags("account"))]
pub async fn change_password(
    app: App,
    caller: Customer,
    peer: Peer,
    body: Checked<PasswordChange>,
    req: &mut Request,
) -> HandlerResult<Done> {
    let changed = another_password(app.clone(), caller, peer, body.0, called(&app, req)).await?;
    app.data.store.write(changed).await?;
    Ok(Done::default())
}

/// What sets another password, for who knows the present one.
async fn another_password(
    app: App,
    caller: Customer,
    peer: Peer,
    wanted: PasswordChange,
    site: String,
) -> Result<impl FnOnce(&WriteTx) -> Result<()> + Send + 'static> {
    let PasswordChange { present, password } = wanted;
    work::check_present(&app, &caller.id, Secret::new(present), peer.0).await?;
    let hash = app.access.visitors.hash(password).await?;
    Ok(move |tx: &WriteTx| {
        // Another device may have signed this one out while the passwords were looked at.
        CUSTOMERS.find(tx, &caller.token)?.ok_or_else(|| Error::not_found("session"))?;
        work::change_password(tx, &caller.id, &hash, &caller.token, &site)
    })
}

/// Ends the account, by who knows its password or, where it has none, has just signed in. An `Idempotency-Key` is passed over: who asks again has no account any more.
#[endpoint(operation_id = "account_remove", tags("account"))]
pub async fn remove(
    app: App,
    caller: Customer,
    peer: Peer,
    body: Checked<Removal>,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Done> {
    let ended = end(app.clone(), caller, peer, body.0).await?;
    app.data.store.write(ended).await?;
    end_cookies(&app, req, res);
    Ok(Done::default())
}

/// What ends the account, for who knows its password or has just signed in.
async fn end(
    app: App,
    caller: Customer,
    peer: Peer,
    asked: Removal,
) -> Result<impl FnOnce(&WriteTx) -> Result<()> + Send + 'static> {
    work::check_owner(&app, (&caller.id, &caller.token), asked.password.map(Secret::new), peer.0).await?;
    let own = app.data.own.clone();
    Ok(move |tx: &WriteTx| {
        // Another device may have signed this one out while the password was looked at.
        CUSTOMERS.find(tx, &caller.token)?.ok_or_else(|| Error::not_found("session"))?;
        work::remove(tx, &own, &caller.id)
    })
}

/// The devices that are signed in.
#[endpoint(operation_id = "account_sessions", tags("account"))]
pub async fn sessions(app: App, caller: Customer) -> HandlerResult<Json<Devices>> {
    Ok(Json(app.data.store.read_inline(move |tx| devices_of(tx, &caller)).await?))
}

fn devices_of(tx: &impl ReadTransaction, caller: &Customer) -> Result<Devices> {
    let current = CUSTOMERS.find(tx, &caller.token)?.map(|session| session.id);
    Ok(Devices::of(CUSTOMERS.list(tx, &caller.id)?, current))
}

/// Signs every other device out.
#[endpoint(operation_id = "account_end_other_sessions", tags("account"))]
pub async fn end_other_sessions(app: App, caller: Customer) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| CUSTOMERS.end_all(tx, &caller.id, Some(&caller.token))).await?;
    Ok(Deleted::default())
}

/// Signs a device out.
#[endpoint(operation_id = "account_end_session", tags("account"))]
pub async fn end_session(app: App, caller: Customer, id: Id) -> HandlerResult<Deleted> {
    let ended = app.data.store.write(move |tx| CUSTOMERS.end(tx, &caller.id, id.0)).await?;
    if ended { Ok(Deleted::default()) } else { Err(Error::not_found("session").into()) }
}

/// What the site is called in a mail that has no link: where customers reach it, or the name of the shop.
fn called(app: &App, req: &Request) -> String {
    link_origin(app, req).unwrap_or_else(|_| app.config.section::<BusinessSettings>().shop().to_owned())
}

fn device(app: &App, req: &Request, peer: Peer) -> Device {
    Device { address: peer.0, agent: agent_of(req), before: Customer::sent_token(app, req) }
}
