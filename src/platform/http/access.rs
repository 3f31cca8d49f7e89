//! The permission as a type: a handler that names [`Household`] is reached by the household only.

use chrono::Duration;
use salvo::extract::Metadata;
use salvo::oapi::{Components, EndpointArgRegister, Operation};
use salvo::{Depot, Extractible, Request};

use super::input::none;
use crate::base::{Error, Kind, Result};
use crate::platform::app::App;
use crate::platform::auth::{self, Keeping};

/// The caller belongs to the household.
#[derive(Debug, Clone)]
pub struct Household {
    /// The session's token, when the door asks for one.
    pub token: Option<String>,
}

impl Household {
    /// Whether the caller belongs to the household, without refusing.
    pub async fn find(app: &App, req: &Request) -> Result<Option<Household>> {
        let asks = match app.doorkeeper.keeping {
            Keeping::Open => false,
            // A proxy on this machine brings callers from elsewhere.
            Keeping::Loopback => is_forwarded(req),
            Keeping::Passphrase => true,
        };
        if !asks {
            return Ok(Some(Household { token: None }));
        }
        let Some(token) = req.cookie(auth::http::COOKIE).map(|cookie| cookie.value().to_owned()) else {
            return Ok(None);
        };
        let asked = token.clone();
        let session = app.store.glance(move |tx| auth::find_session(tx, &asked)).await?;
        let now = app.clock.now();
        let ops = &app.config.ops;
        let alive = |s: &auth::HouseholdSession| s.is_alive(now, ops.session_idle_days, ops.session_absolute_days);
        let Some(session) = session.filter(alive) else { return Ok(None) };
        if now - session.last_seen_at > Duration::hours(1) {
            let seen = token.clone();
            // On a full disk the household still comes in; only the time it was last seen stays old.
            let _ = app.store.write(move |tx| auth::touch_session(tx, &seen)).await;
        }
        Ok(Some(Household { token: Some(token) }))
    }
}

fn is_forwarded(req: &Request) -> bool {
    ["x-forwarded-for", "forwarded", "x-real-ip"].iter().any(|name| req.headers().contains_key(*name))
}

impl<'ex> Extractible<'ex> for Household {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> Result<Self> {
        let app = depot.get_typed::<App>().map_err(|_| Error::internal("no app in this door"))?.clone();
        let found = Household::find(&app, req).await?;
        found.ok_or_else(|| {
            Error::new(
                Kind::Unauthorized,
                "sign in with the household passphrase (`hanok household passphrase` sets it)",
            )
        })
    }
}

impl EndpointArgRegister for Household {
    fn register(_components: &mut Components, _operation: &mut Operation, _arg: &str) {}
}
