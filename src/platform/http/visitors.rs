//! The permissions of the customer door: a handler that names [`Customer`] is reached by a customer who is signed in, one
//! that names [`Admin`] by who keeps the shop. Neither session is ever taken for the other's.

use std::borrow::Cow;
use std::net::SocketAddr;

use salvo::extract::Metadata;
use salvo::http::cookie::{Cookie, SameSite, time};
use salvo::http::header::HOST;
use salvo::oapi::{Components, EndpointArgRegister, Operation};
use salvo::{Depot, Extractible, Request, Response};

use super::api_error::HandlerResult;
use super::door_kind::DoorKind;
use super::input::none;
use super::peer::{Peer, came_by_https};
use super::permission::{self, Permission, Scheme};
use crate::app::App;
use crate::auth::{self, ADMINS, CUSTOMERS, Session, Sessions};
use crate::store::ReadTx;
use hanok_base::secret::fingerprint;
use hanok_base::{Error, Kind, MessageTemplate, Result};

const SIGN_IN: MessageTemplate = MessageTemplate::new("house.sign_in_customer", "sign in to your account");
const SIGN_IN_ADMIN: MessageTemplate = MessageTemplate::new("house.sign_in_admin", "sign in as admin");

/// The caller is a customer.
#[derive(Debug, Clone)]
pub struct Customer {
    /// Whom the session is of.
    pub id: String,
    /// The session's token.
    pub token: String,
}

/// The caller keeps the shop.
#[derive(Debug, Clone)]
pub struct Admin {
    /// By which one signed in.
    pub name: String,
    /// The session's token.
    pub token: String,
}

impl Customer {
    /// The customer who is signed in, if one is: for what everybody may ask and a customer gets otherwise.
    ///
    /// # Errors
    /// Those of reading.
    pub async fn find(app: &App, req: &Request) -> Result<Option<Customer>> {
        let found = find(app, req, &OF_CUSTOMERS).await?;
        Ok(found.map(|(token, session)| Customer { id: session.whose, token }))
    }

    /// The token of the session that came with the request, whether or not it is one.
    pub fn sent_token(app: &App, req: &Request) -> Option<String> {
        OF_CUSTOMERS.sent(app, req)
    }

    /// Writes the cookie that carries `token` until the session ends by its age.
    pub fn keep_cookie(app: &App, req: &Request, res: &mut Response, token: String) {
        res.add_cookie(OF_CUSTOMERS.cookie(app, req, token));
    }

    /// Takes the cookie away again.
    pub fn end_cookie(app: &App, req: &Request, res: &mut Response) {
        res.add_cookie(OF_CUSTOMERS.cookie(app, req, String::new()));
    }
}

impl Admin {
    /// The admin who is signed in, if one is: for the entrance, which shows who is in the way to the desk.
    ///
    /// # Errors
    /// Those of reading.
    pub async fn find(app: &App, req: &Request) -> Result<Option<Admin>> {
        let found = find(app, req, &OF_ADMINS).await?;
        Ok(found.map(|(token, session)| Admin { name: session.whose, token }))
    }

    /// The token of the session that came with the request, whether or not it is one.
    pub fn sent_token(app: &App, req: &Request) -> Option<String> {
        OF_ADMINS.sent(app, req)
    }

    /// Writes the cookie that carries `token` until the session ends by its age.
    pub fn keep_cookie(app: &App, req: &Request, res: &mut Response, token: String) {
        res.add_cookie(OF_ADMINS.cookie(app, req, token));
    }

    /// Takes the cookie away again.
    pub fn end_cookie(app: &App, req: &Request, res: &mut Response) {
        res.add_cookie(OF_ADMINS.cookie(app, req, String::new()));
    }
}

/// The session that came with a form, also where it is over by now: who sends the form twice that ended it is known by it.
#[derive(Debug, Clone)]
pub struct SentSession(String);

impl SentSession {
    /// That of a customer, as it came with `req`.
    pub fn of_customer(app: &App, req: &Request) -> SentSession {
        let token = Customer::sent_token(app, req).unwrap_or_default();
        SentSession(fingerprint(&format!("session that sent a form {token}")))
    }
}

/// How one kind of visitor is known at the door.
struct Visits {
    scheme: &'static Scheme,
    sessions: Sessions,
    same_site: SameSite,
    /// Whether there still is whom a session is of.
    is_there: fn(&ReadTx, &str) -> Result<bool>,
}

/// A customer follows links from elsewhere: from a mail, from who takes the payment.
const OF_CUSTOMERS: Visits = Visits {
    scheme: &permission::CUSTOMER,
    sessions: CUSTOMERS,
    same_site: SameSite::Lax,
    is_there: |tx, id| Ok(auth::find_customer(tx, id)?.is_some()),
};
const OF_ADMINS: Visits = Visits {
    scheme: &permission::ADMIN,
    sessions: ADMINS,
    same_site: SameSite::Strict,
    is_there: |tx, name| Ok(auth::find_admin(tx, name)?.is_some()),
};

impl Visits {
    fn sent(&self, app: &App, req: &Request) -> Option<String> {
        let sent = req.cookie(self.name(is_by_tls(app, req)))?.value().to_owned();
        Some(sent).filter(|token| !token.is_empty())
    }

    /// The name of the cookie. By TLS it is one that no other host can plant.
    fn name(&self, is_by_tls: bool) -> &'static str {
        let name = self.scheme.cookie;
        if is_by_tls { name } else { name.trim_start_matches("__Host-") }
    }

    /// One form for the cookie that begins and, without a token, the one that ends it: a browser takes them for the same
    /// only then.
    fn cookie(&self, app: &App, req: &Request, token: String) -> Cookie<'static> {
        let is_by_tls = is_by_tls(app, req);
        let days = if token.is_empty() { 0 } else { self.sessions.absolute_days };
        Cookie::build((self.name(is_by_tls), token))
            .path("/")
            .http_only(true)
            .same_site(self.same_site)
            .secure(is_by_tls)
            .max_age(time::Duration::days(days.into()))
            .build()
    }
}

/// Whether browsers reach the site by TLS: by its address, and while none is set as the proxy says.
pub(super) fn is_by_tls(app: &App, req: &Request) -> bool {
    match app.config.site.address.as_str() {
        "" => came_by_https(req, &app.config.http.trusted_proxies),
        address => address.starts_with("https://"),
    }
}

async fn find(app: &App, req: &Request, visits: &'static Visits) -> Result<Option<(String, Session)>> {
    let Some(token) = visits.sent(app, req) else { return Ok(None) };
    let asked = token.clone();
    let found = app.data.store.read_inline(move |tx| {
        let session = visits.sessions.find(tx, &asked)?;
        match session {
            Some(session) if (visits.is_there)(tx, &session.whose)? => Ok(Some(session)),
            _ => Ok(None),
        }
    });
    let Some(session) = found.await? else { return Ok(None) };
    if session.is_seen_anew(app.clock.now()) {
        let (seen, from) = (token.clone(), Peer::of(req, &app.config.http.trusted_proxies).0);
        // On a full disk one still comes in; only the time of the last visit stays old.
        let _ = app.data.store.write(move |tx| visits.sessions.touch(tx, &seen, from)).await;
    }
    Ok(Some((token, session)))
}

impl<'ex> Extractible<'ex> for Customer {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let found = Customer::find(app_of(depot)?, req).await?;
        Ok(found.ok_or_else(|| Error::new(Kind::Unauthorized, SIGN_IN))?)
    }
}

impl<'ex> Extractible<'ex> for Admin {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let found = Admin::find(app_of(depot)?, req).await?;
        Ok(found.ok_or_else(|| Error::new(Kind::Unauthorized, SIGN_IN_ADMIN))?)
    }
}

fn app_of(depot: &Depot) -> Result<&App> {
    depot.get_typed::<App>().map_err(|_| Error::internal("no app in this door"))
}

impl EndpointArgRegister for Customer {
    fn register(components: &mut Components, operation: &mut Operation, _arg: &str) {
        permission::CUSTOMER.document(components, operation);
    }
}

impl EndpointArgRegister for Admin {
    fn register(components: &mut Components, operation: &mut Operation, _arg: &str) {
        permission::ADMIN.document(components, operation);
    }
}

impl Permission for Customer {
    fn door(&self) -> DoorKind {
        permission::CUSTOMER.door
    }

    fn caller(&self) -> Cow<'static, str> {
        format!("customer:{}", self.id).into()
    }
}

impl Permission for Admin {
    fn door(&self) -> DoorKind {
        permission::ADMIN.door
    }

    fn caller(&self) -> Cow<'static, str> {
        format!("admin:{}", self.name).into()
    }
}

impl Permission for SentSession {
    fn door(&self) -> DoorKind {
        permission::CUSTOMER.door
    }

    fn caller(&self) -> Cow<'static, str> {
        format!("session:{}", self.0).into()
    }
}

/// What links begin with that are sent to somebody, such as `https://shop.example`: the address of the site, and while none is
/// set where its door listens, as long as only this machine reaches that. Nothing that a request says takes part in it.
///
/// # Errors
/// `NOT_CONFIGURED` naming `site.address` where neither is known.
pub fn link_origin(app: &App, req: &Request) -> Result<String> {
    let site = &app.config.site;
    if site.lacks_address() {
        return Err(Error::not_configured("site.address"));
    }
    let listens = || {
        // Port 0 in the settings stands for a free one.
        let port = req.local_addr().port().unwrap_or(site.listen.port());
        format!("http://{}", SocketAddr::new(site.listen.ip(), port))
    };
    Ok(site.origin().map_or_else(listens, str::to_owned))
}

/// Where the site is reached, such as `https://shop.example`: its address, and while none is set where the request went. For
/// what goes back to who asks, alone: the request may say anything.
pub fn site_origin(app: &App, req: &Request) -> String {
    if let Some(origin) = app.config.site.origin() {
        return origin.to_owned();
    }
    let scheme = if is_by_tls(app, req) { "https" } else { "http" };
    let host = req.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    format!("{scheme}://{host}")
}
