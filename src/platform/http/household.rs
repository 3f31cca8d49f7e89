//! The permission of the household: a handler that names [`Household`] is reached by the household only, at its own
//! door.

use std::borrow::Cow;

use salvo::extract::Metadata;
use salvo::http::cookie::{Cookie, SameSite, time};
use salvo::oapi::{Components, EndpointArgRegister, Operation};
use salvo::{Depot, Extractible, Request, Response};

use super::api_error::HandlerResult;
use super::body_limits::LetIn;
use super::door_kind::DoorKind;
use super::input::none;
use super::peer::{Peer, came_by_https, is_brought};
use super::permission::{self, Permission};
use crate::app::App;
use crate::auth::{self, AccessMode};
use hanok_base::{Error, Kind, MessageTemplate, Result};

/// The cookie that carries a session of the household.
pub const HOUSEHOLD_COOKIE: &str = permission::HOUSEHOLD.cookie;

/// The caller belongs to the household.
#[derive(Debug, Clone)]
pub struct Household {
    /// The session's token, when the door asks for one.
    pub token: Option<String>,
}

impl Household {
    /// Whether the caller belongs to the household, without refusing.
    pub async fn find(app: &App, req: &Request) -> Result<Option<Household>> {
        if Household::access(app, req) != AccessMode::Passphrase {
            return Ok(Some(Household { token: None }));
        }
        let Some(token) = Household::sent_token(req) else { return Ok(None) };
        let Some(session) = live_session(app, &token).await? else { return Ok(None) };
        if session.is_seen_anew(app.clock.now()) {
            let (seen, from) = (token.clone(), Peer::of(req, &app.config.http.trusted_proxies).0);
            // On a full disk the household still comes in; only the time it was last seen stays old.
            let _ = app.data.store.write(move |tx| auth::touch_session(tx, &seen, from)).await;
        }
        Ok(Some(Household { token: Some(token) }))
    }

    /// How the door is kept for whoever asks.
    pub fn access(app: &App, req: &Request) -> AccessMode {
        match app.access.household.mode {
            // A proxy on this machine brings callers from elsewhere.
            AccessMode::Loopback if is_brought(req) => AccessMode::Passphrase,
            mode => mode,
        }
    }

    /// The token of the session that came with the request, also where the door asks for none.
    pub fn sent_token(req: &Request) -> Option<String> {
        req.cookie(HOUSEHOLD_COOKIE).map(|cookie| cookie.value().to_owned())
    }

    /// Writes the cookie that carries `token` until the session ends by its age.
    pub fn keep_cookie(app: &App, req: &Request, res: &mut Response, token: String) {
        let days = app.config.ops.session_absolute_days.into();
        res.add_cookie(cookie(app, req, token, time::Duration::days(days)));
    }

    /// Takes the cookie away again.
    pub fn end_cookie(app: &App, req: &Request, res: &mut Response) {
        res.add_cookie(cookie(app, req, String::new(), time::Duration::ZERO));
    }

    /// Whether the caller's session has not ended since, for answers that go on for long.
    pub async fn is_still_in(&self, app: &App) -> bool {
        match &self.token {
            Some(token) => live_session(app, token).await.is_ok_and(|session| session.is_some()),
            None => true,
        }
    }
}

/// One form for the cookie that begins and the one that ends it: a browser takes them for the same only then. It is kept
/// to TLS where the caller came by it.
fn cookie(app: &App, req: &Request, token: String, max_age: time::Duration) -> Cookie<'static> {
    Cookie::build((HOUSEHOLD_COOKIE, token))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(came_by_https(req, &app.config.http.trusted_proxies))
        .max_age(max_age)
        .build()
}

async fn live_session(app: &App, token: &str) -> Result<Option<auth::HouseholdSession>> {
    let asked = token.to_owned();
    let written = app.data.store.read_inline(move |tx| auth::find_session(tx, &asked)).await?;
    let session = written.or_else(|| app.access.household.unwritten.find(token));
    let (now, ops) = (app.clock.now(), &app.config.ops);
    Ok(session.filter(|session| session.is_alive(now, ops.session_idle_days, ops.session_absolute_days)))
}

const SIGN_IN: MessageTemplate = MessageTemplate::new(
    "house.sign_in",
    "sign in with the household passphrase (`hanok household passphrase --data-dir DIR` sets it)",
);

impl<'ex> Extractible<'ex> for Household {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let app = depot.get_typed::<App>().map_err(|_| Error::internal("no app in this door"))?.clone();
        let found = Household::find(&app, req).await?;
        let household = found.ok_or_else(|| Error::new(Kind::Unauthorized, SIGN_IN))?;
        req.extensions_mut().insert(LetIn);
        Ok(household)
    }
}

impl EndpointArgRegister for Household {
    fn register(components: &mut Components, operation: &mut Operation, _arg: &str) {
        permission::HOUSEHOLD.document(components, operation);
    }
}

impl Permission for Household {
    fn door(&self) -> DoorKind {
        permission::HOUSEHOLD.door
    }

    /// The household is one caller, on however many devices: they see and change the same things.
    fn caller(&self) -> Cow<'static, str> {
        "household".into()
    }
}
