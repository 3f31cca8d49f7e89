//! A door: its routes with every hoop before them, and one shape for whatever is not found.

use std::net::SocketAddr;

use salvo::catcher::Catcher;
use salvo::http::{HeaderName, HeaderValue, Method, StatusCode};
use salvo::routing::filters;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, Service, affix_state, async_trait, catch_panic};

use super::answer::write_error;
use super::guard::{Guard, Hosts};
use super::input::BodyLimits;
use super::watch::{Ids, Measures, Watch};
use crate::base::{Error, Kind};
use crate::platform::app::App;
use crate::platform::config::Config;

/// Which of the two doors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoorKind {
    /// The household's.
    Ops,
    /// The customers'.
    Site,
}

impl DoorKind {
    /// Its name in logs and metrics.
    pub fn name(self) -> &'static str {
        match self {
            DoorKind::Ops => "ops",
            DoorKind::Site => "site",
        }
    }
}

/// A door that is about to be opened.
pub struct Door {
    /// Which one.
    pub kind: DoorKind,
    /// Where it listens.
    pub address: SocketAddr,
    /// Its routes.
    pub routes: Router,
}

/// The door's service: watch, guard, then the handler; panics and unknown paths end in our error shape.
pub fn service(app: &App, door: Door) -> Service {
    let config = &app.config;
    let hosts = match door.kind {
        DoorKind::Ops => config.ops.hosts.clone(),
        DoorKind::Site => {
            let named = config.site.address.split("://").nth(1).and_then(|rest| rest.split(['/', ':']).next());
            config.site.hosts.iter().cloned().chain(named.map(str::to_owned)).collect()
        }
    };
    Service::new(with_head(door.routes))
        .hoop(Watch {
            door: door.kind,
            headers: headers(config, door.kind),
            measures: Measures::default(),
            ids: Ids::default(),
        })
        .hoop(Guard::new(&config.http, door.kind, Hosts::new(door.address.ip(), hosts)))
        .hoop(catch_panic::CatchPanic::new())
        .hoop(affix_state::inject(app.clone()))
        .hoop(affix_state::inject(BodyLimits::new(config.http.body_limit_bytes, config.http.body_seconds)))
        .catcher(one_shape())
}

/// Puts what the framework refuses by itself into the one error shape.
pub fn one_shape() -> Catcher {
    Catcher::default().hoop(OneShape)
}

/// The headers of every answer of a door.
pub(super) fn headers(config: &Config, door: DoorKind) -> Vec<(HeaderName, HeaderValue)> {
    let https = door == DoorKind::Site && config.site.address.starts_with("https://");
    let mut headers = vec![
        (
            "content-security-policy",
            "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
             media-src 'self' blob:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; \
             form-action 'self'; frame-ancestors 'none'",
        ),
        ("x-frame-options", "DENY"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        (
            "permissions-policy",
            "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(self), usb=()",
        ),
    ];
    if https {
        headers.push(("strict-transport-security", "max-age=31536000; includeSubDomains"));
    }
    headers.into_iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
}

/// Lets every route that answers GET answer HEAD, too; the server leaves the body out.
pub fn with_head(mut router: Router) -> Router {
    let heads: Vec<Router> = router
        .routers
        .iter()
        .filter(|child| child.routers.is_empty() && child.filters.len() == 1 && answers_get(child))
        .filter_map(|child| {
            let mut head = Router::with_filter(filters::head());
            head.hoops.clone_from(&child.hoops);
            head.goal = Some(child.goal.clone()?);
            Some(head)
        })
        .collect();
    router.routers = router.routers.into_iter().map(with_head).chain(heads).collect();
    router
}

fn answers_get(router: &Router) -> bool {
    matches!(router.filters[0].info(), salvo::routing::FilterInfo::Method(method) if method == Method::GET)
}

struct OneShape;

#[async_trait]
impl Handler for OneShape {
    async fn handle(&self, req: &mut Request, _depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let error = match res.status_code {
            Some(StatusCode::METHOD_NOT_ALLOWED) => {
                Error::new(Kind::MethodNotAllowed, "this path does not take that method")
            }
            Some(StatusCode::NOT_FOUND) | None => Error::not_found("path"),
            Some(StatusCode::PAYLOAD_TOO_LARGE) => Error::new(Kind::TooLarge, "the body is too large"),
            Some(StatusCode::BAD_REQUEST) => Error::new(Kind::InvalidJson, "the request cannot be read"),
            other => Error::internal(format!("the framework answered {other:?}")),
        };
        write_error(error, req, res);
        ctrl.skip_rest();
    }
}
