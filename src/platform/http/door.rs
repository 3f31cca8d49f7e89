//! A door: its routes with every hoop before them, and one shape for whatever is not found.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use salvo::catcher::Catcher;
use salvo::http::{Method, StatusCode};
use salvo::routing::filters;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, Service, affix_state, async_trait, catch_panic};

use super::api_error::{ErrorPages, write_error};
use super::bodies::Bodies;
use super::body_limits::BodyLimits;
use super::branches::branched;
use super::door_kind::{DoorKind, ThisDoor};
use super::guard::{Guard, Hosts, without_port};
use super::headers::headers;
use super::operations::Operations;
use super::owner::with_owners;
use super::permission::check_permissions;
use super::same_origin::writes;
use super::watch::Watch;
use crate::app::App;
use crate::config::Config;
use hanok_base::{Error, Kind, MessageTemplate};

const NO_SUCH_METHOD: MessageTemplate =
    MessageTemplate::new("house.no_such_method", "this path does not take that method");
const TOO_LARGE: MessageTemplate = MessageTemplate::new("house.body_too_large", "the body is too large");
const UNREADABLE: MessageTemplate = MessageTemplate::new("house.request_unreadable", "the request cannot be read");

/// A door that is about to be opened.
pub struct Door {
    /// Which one.
    pub kind: DoorKind,
    /// Where it listens.
    pub address: SocketAddr,
    /// Its routes.
    pub routes: Router,
    /// How browsers are shown its errors; none where it has no pages of its own.
    pub error_pages: Option<ErrorPages>,
}

/// The service of a door of the appliance, each of whose routes says who may call it.
///
/// # Errors
/// `INTERNAL` whose cause names the first route that does not, or that asks for what no caller of this door can have.
pub fn service(app: &App, door: Door) -> hanok_base::Result<Service> {
    let operations = Operations::of(&door.routes);
    check_permissions(door.kind, &door.routes, &operations)?;
    Ok(guarded_with(&app.config, door, &operations).hoop(affix_state::inject(app.clone())))
}

/// What every door has before its handlers: watch and guard; panics and unknown paths end in our error shape.
pub fn guarded(config: &Config, door: Door) -> Service {
    let operations = Operations::of(&door.routes);
    guarded_with(config, door, &operations)
}

fn guarded_with(config: &Config, door: Door, operations: &Operations) -> Service {
    let Door { kind, address, routes, error_pages } = door;
    let hosts = hosts(config, kind, address);
    let this_door = ThisDoor {
        kind,
        body_limits: BodyLimits::new(config.http.body_limit_bytes, config.http.body_seconds),
        trusted_proxies: config.http.trusted_proxies.clone(),
    };
    let bodies = Bodies::of(&routes, operations);
    let answering = branched(with_head(with_owners(routes), operations));
    let watched = Service::new(answering).hoop(Watch::new(kind, address, headers(config, kind)));
    let shown = match error_pages {
        Some(pages) => watched.hoop(pages),
        None => watched,
    };
    shown
        .hoop(HeadLikeWhole)
        .hoop(Guard::new(&config.http, kind, hosts, time_limit(config, kind), bodies))
        .hoop(catch_panic::CatchPanic::new())
        .hoop(affix_state::inject(Arc::new(this_door)))
        .catcher(Catcher::default().hoop(OneShape))
}

/// Whether the customer site, by these settings, answers who asks for it under `host`.
pub fn site_is_known_as(config: &Config, host: &str) -> bool {
    hosts(config, DoorKind::Site, config.site.listen).check(host).is_ok()
}

/// The names under which a door may be asked for.
fn hosts(config: &Config, door: DoorKind, listen: SocketAddr) -> Hosts {
    match door {
        DoorKind::Ops => Hosts::new(listen, config.ops.hosts.clone()),
        DoorKind::Site => {
            let named = config.site.address.split_once("://").and_then(|(_, rest)| without_port(rest));
            Hosts::new(listen, config.site.hosts.iter().cloned().chain(named.map(str::to_owned)).collect())
        }
        // Who knows the token may call the machine what they like.
        DoorKind::Compute if config.compute.token.is_empty() => Hosts::new(listen, Vec::new()),
        DoorKind::Compute => Hosts::any(),
    }
}

/// How long a request may take. Work of the compute host has a limit of its own, and must come to it.
fn time_limit(config: &Config, door: DoorKind) -> Duration {
    let work = if door == DoorKind::Compute { config.compute.timeout_seconds } else { 0 };
    Duration::from_secs(config.http.request_seconds + work)
}

/// Lets every route that answers GET answer HEAD, too, but where the GET writes; the server leaves the body out.
fn with_head(mut router: Router, operations: &Operations) -> Router {
    let heads: Vec<Router> = router
        .routers
        .iter()
        .filter(|child| child.routers.is_empty() && child.filters.len() == 1 && answers_get(child))
        .filter_map(|child| {
            let goal = child.goal.as_ref().filter(|goal| !writes(goal.as_ref(), operations))?;
            let mut head = Router::with_filter(filters::head());
            head.hoops.clone_from(&child.hoops);
            head.goal = Some(goal.clone());
            Some(head)
        })
        .collect();
    router.routers = router.routers.into_iter().map(|child| with_head(child, operations)).chain(heads).collect();
    router
}

fn answers_get(router: &Router) -> bool {
    matches!(router.filters[0].info(), salvo::routing::FilterInfo::Method(method) if method == Method::GET)
}

/// The catcher is not asked about `HEAD`: whatever is not found has its head written here.
struct HeadLikeWhole;

#[async_trait]
impl Handler for HeadLikeWhole {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        ctrl.call_next(req, depot, res).await;
        let is_refused = res.status_code.is_some_and(|status| status.is_client_error() || status.is_server_error());
        if req.method() == Method::HEAD && is_refused && res.body.is_none() {
            OneShape.handle(req, depot, res, ctrl).await;
        }
    }
}

struct OneShape;

#[async_trait]
impl Handler for OneShape {
    async fn handle(&self, req: &mut Request, _depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let error = match res.status_code {
            Some(StatusCode::METHOD_NOT_ALLOWED) => Error::new(Kind::MethodNotAllowed, NO_SUCH_METHOD),
            Some(StatusCode::NOT_FOUND) | None => Error::not_found("path"),
            Some(StatusCode::PAYLOAD_TOO_LARGE) => Error::new(Kind::TooLarge, TOO_LARGE),
            Some(StatusCode::BAD_REQUEST) => Error::new(Kind::InvalidJson, UNREADABLE),
            other => Error::internal(format!("the framework answered {other:?}")),
        };
        write_error(error, req, res);
        ctrl.skip_rest();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_customer_door_is_known_by_the_name_in_its_address_and_by_no_other() {
        for (address, name) in [
            ("https://shop.example", "shop.example"),
            ("http://Shop.Example:8080", "shop.example:8080"),
            ("https://[2001:db8::7]", "[2001:db8::7]"),
            ("https://[2001:db8::7]:8443", "[2001:db8::7]:8443"),
        ] {
            let mut config = Config::default();
            config.site.address = address.to_owned();
            assert!(site_is_known_as(&config, name), "{address}");
            for other in ["evil.example", "[", "", "shop.example.evil.example", "[2001:db8::8]"] {
                assert!(!site_is_known_as(&config, other), "{address}: {other}");
            }
        }
    }

    #[test]
    fn a_compute_host_that_asks_for_no_token_answers_to_its_own_names_only() {
        let mut config = Config::default();
        let knows = |config: &Config, name| hosts(config, DoorKind::Compute, config.compute.listen).check(name);
        assert!(knows(&config, "127.0.0.1:8430").is_ok());
        assert!(knows(&config, "rebound.evil.example:8430").is_err());
        config.compute.token = hanok_base::Secret::new("the word of both machines");
        assert!(knows(&config, "nas.lan:8430").is_ok());
    }

    #[test]
    fn work_comes_to_its_own_limit_of_time_before_the_request_that_carries_it() {
        let mut config = Config::default();
        config.compute.timeout_seconds = 10 * config.http.request_seconds;
        for kind in [DoorKind::Ops, DoorKind::Site] {
            assert_eq!(time_limit(&config, kind).as_secs(), config.http.request_seconds);
        }
        assert!(time_limit(&config, DoorKind::Compute).as_secs() > config.compute.timeout_seconds);
    }
}
