//! The routes of the accounts.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use salvo::oapi::endpoint;
use salvo::{Request, Response, Writer};
use serde::{Deserialize, Serialize};

use super::model::{Profile, ProfileChanges, within_the_site};
use super::store;
use super::work::{self, Device};
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::sent::Any;
use hanok_base::text::Text;
use hanok_base::{Error, Secret, Sent};
use hanok_platform::app::App;
use hanok_platform::auth::{self, CUSTOMERS, Passphrase};
use hanok_platform::http::{
    Accepted, Answer, Anyone, Body, Customer, Deleted, Done, Id, Json, Peer, agent_of, site_origin,
};
use hanok_platform::mail::{EmailAddress, Language};

/// The account of who asks.
#[derive(Debug, Serialize, ToSchema)]
pub struct Account {
    /// The customer's id.
    pub id: String,
    /// The confirmed mail address.
    pub mail: String,
    /// Since when there is an account.
    pub created_at: DateTime<Utc>,
    /// What the customer says of itself.
    pub profile: Profile,
}

/// An address to which a mail is to be written.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The mail address.
    pub mail: Sent<EmailAddress>,
    /// The language of the mail, where there is no account that has one.
    pub language: Option<Sent<Any<Language>>>,
}

/// A sign-in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The mail address of the account.
    pub mail: Sent<EmailAddress>,
    /// Its password.
    pub password: Sent<Any<String>>,
    /// The page of this site to go on with.
    pub next: Option<Sent<Text<0, 2000>>>,
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
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// The word of the link.
    pub token: Sent<Text<1, 200>>,
    /// The new password.
    pub password: Sent<Passphrase>,
    /// How the customer is called.
    pub name: Option<Sent<Text<0, 50>>>,
}

/// Another password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordChange {
    /// The present one.
    pub present: Sent<Any<String>>,
    /// The new one.
    pub password: Sent<Passphrase>,
}

/// That the account is to end.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Removal {
    /// The present password.
    pub password: Sent<Any<String>>,
}

/// The devices that are signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct CustomerSessions {
    /// Newest first.
    pub sessions: Vec<CustomerSession>,
}

/// A device that is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct CustomerSession {
    /// Its number.
    pub id: u64,
    /// When it signed in.
    pub created_at: DateTime<Utc>,
    /// When it was last seen, to the hour.
    pub last_seen_at: DateTime<Utc>,
    /// What the browser calls itself.
    pub agent: String,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// Begins an account: a mail leads to where its password is set. The answer is the same where there is one already.
/// An `Idempotency-Key` is passed over: each mail has a link of its own.
#[endpoint(operation_id = "account_register", tags("account"))]
pub async fn register(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Body<Asked>,
    req: &mut Request,
) -> Answer<Accepted<Done>> {
    write_to(&app, peer.0, body.0, site_origin(&app, req)).await
}

/// Has a mail written by which a forgotten password is set anew. The answer is the same where there is no account.
/// An `Idempotency-Key` is passed over: each mail has a link of its own.
#[endpoint(operation_id = "account_forgotten", tags("account"))]
pub async fn forgotten(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Body<Asked>,
    req: &mut Request,
) -> Answer<Accepted<Done>> {
    write_to(&app, peer.0, body.0, site_origin(&app, req)).await
}

async fn write_to(app: &App, peer: IpAddr, asked: Asked, origin: String) -> Answer<Accepted<Done>> {
    let (mail, language) = Check::of(|check| {
        let language = asked.language.and_then(|language| check.find("language", language));
        (check.take("mail", asked.mail), language)
    })?;
    app.access.visitors.letters.admit(peer, &auth::known_as(mail.as_str()), app.clock.moment())?;
    app.data.store.write(move |tx| work::write_to(tx, &mail, language, &origin)).await?;
    Ok(Accepted(Done::default()))
}

/// Sets the password by the link of a mail, and signs in. The link works once; every other device is signed out.
/// An `Idempotency-Key` is passed over: the cookie of the answer is written down nowhere.
#[endpoint(operation_id = "account_password_set", tags("account"))]
pub async fn set_password(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Body<NewPassword>,
    req: &mut Request,
    res: &mut Response,
) -> Answer<Done> {
    let NewPassword { token, password, name } = body.0;
    let (word, password, name) = Check::of(|check| {
        let name = name.map(|name| check.take("name", name));
        (check.take("token", token), check.take("password", password), name)
    })?;
    // Hashing is costly: only for who holds the link.
    let asked = word.clone();
    app.data.store.read_inline(move |tx| work::find_link(tx, &asked)).await?;
    let hash = app.access.visitors.hash(password).await?;
    let device = device(&app, req, peer);
    let written = app.data.store.write(move |tx| {
        let customer = work::set_password_by_link(tx, &word, &hash, name)?;
        work::begin(tx, &customer, &device)
    });
    Customer::keep_cookie(&app, req, res, written.await?);
    Ok(Done::default())
}

/// Signs in; the answer sets the session cookie. An `Idempotency-Key` is passed over: the cookie is written down nowhere, so it
/// cannot be given again.
#[endpoint(operation_id = "account_sign_in", tags("account"))]
pub async fn sign_in(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Body<SignIn>,
    req: &mut Request,
    res: &mut Response,
) -> Answer<Json<SignedIn>> {
    let SignIn { mail, password, next } = body.0;
    let (mail, password, next) = Check::of(|check| {
        let next = next.map(|next| check.take("next", next)).unwrap_or_default();
        (check.take("mail", mail), check.take("password", password), next)
    })?;
    let token = work::sign_in(&app, mail.as_str(), Secret::new(password), device(&app, req, peer)).await?;
    Customer::keep_cookie(&app, req, res, token);
    Ok(Json(SignedIn { ok: true, next: within_the_site(&next).to_owned() }))
}

/// Signs this device out. An `Idempotency-Key` is passed over: who asks again has no session any more.
#[endpoint(operation_id = "account_sign_out", tags("account"))]
pub async fn sign_out(app: App, caller: Customer, req: &mut Request, res: &mut Response) -> Answer<Done> {
    app.data.store.write(move |tx| CUSTOMERS.sign_out(tx, &caller.token)).await?;
    Customer::end_cookie(&app, req, res);
    Ok(Done::default())
}

/// The account.
#[endpoint(operation_id = "account_find", tags("account"))]
pub async fn find(app: App, caller: Customer) -> Answer<Json<Account>> {
    let found = app.data.store.read_inline(move |tx| {
        let customer = auth::find_customer(tx, &caller.id)?.ok_or_else(|| Error::not_found("customer"))?;
        let profile = store::profile(tx, &customer.id)?;
        Ok(Account { id: customer.id, mail: customer.mail, created_at: customer.created_at, profile })
    });
    Ok(Json(found.await?))
}

/// Changes the fields of the profile that are sent.
#[endpoint(operation_id = "account_change", tags("account"))]
pub async fn change(app: App, caller: Customer, body: Body<ProfileChanges>) -> Answer<Json<Profile>> {
    Ok(Json(app.data.store.write(move |tx| store::change_profile(tx, &caller.id, body.0)).await?))
}

/// Sets another password; every other device is signed out.
#[endpoint(operation_id = "account_password_change", tags("account"))]
pub async fn change_password(
    app: App,
    caller: Customer,
    peer: Peer,
    body: Body<PasswordChange>,
    req: &mut Request,
) -> Answer<Done> {
    let PasswordChange { present, password } = body.0;
    let (present, password) = Check::of(|check| (check.take("present", present), check.take("password", password)))?;
    work::check_present(&app, &caller.id, Secret::new(present), peer.0).await?;
    let (hash, origin) = (app.access.visitors.hash(password).await?, site_origin(&app, req));
    let changed = app.data.store.write(move |tx| {
        // Another device may have signed this one out while the passwords were looked at.
        CUSTOMERS.find(tx, &caller.token)?.ok_or_else(|| Error::not_found("session"))?;
        work::change_password(tx, &caller.id, &hash, &caller.token, &origin)
    });
    changed.await?;
    Ok(Done::default())
}

/// Ends the account, by who knows its password. An `Idempotency-Key` is passed over: who asks again has no account any more.
#[endpoint(operation_id = "account_remove", tags("account"))]
pub async fn remove(
    app: App,
    caller: Customer,
    peer: Peer,
    body: Body<Removal>,
    req: &mut Request,
    res: &mut Response,
) -> Answer<Done> {
    let password = Check::of(|check| check.take("password", body.0.password))?;
    work::check_present(&app, &caller.id, Secret::new(password), peer.0).await?;
    app.data.store.write(move |tx| work::remove(tx, &caller.id)).await?;
    Customer::end_cookie(&app, req, res);
    Ok(Done::default())
}

/// The devices that are signed in.
#[endpoint(operation_id = "account_sessions", tags("account"))]
pub async fn sessions(app: App, caller: Customer) -> Answer<Json<CustomerSessions>> {
    let found = app.data.store.read_inline(move |tx| {
        let current = CUSTOMERS.find(tx, &caller.token)?.map(|session| session.id);
        Ok((CUSTOMERS.list(tx, &caller.id)?, current))
    });
    let (all, current) = found.await?;
    let listed = all.into_iter().map(|session| CustomerSession {
        current: Some(session.id) == current,
        id: session.id,
        created_at: session.created_at,
        last_seen_at: session.last_seen_at,
        agent: session.agent,
    });
    Ok(Json(CustomerSessions { sessions: listed.collect() }))
}

/// Signs every other device out.
#[endpoint(operation_id = "account_end_other_sessions", tags("account"))]
pub async fn end_other_sessions(app: App, caller: Customer) -> Answer<Deleted> {
    app.data.store.write(move |tx| CUSTOMERS.end_all(tx, &caller.id, Some(&caller.token))).await?;
    Ok(Deleted::default())
}

/// Signs a device out.
#[endpoint(operation_id = "account_end_session", tags("account"))]
pub async fn end_session(app: App, caller: Customer, id: Id) -> Answer<Deleted> {
    let ended = app.data.store.write(move |tx| CUSTOMERS.end(tx, &caller.id, id.0)).await?;
    if ended { Ok(Deleted::default()) } else { Err(Error::not_found("session").into()) }
}

fn device(app: &App, req: &Request, peer: Peer) -> Device {
    Device { address: peer.0, agent: agent_of(req), before: Customer::sent_token(app, req) }
}
