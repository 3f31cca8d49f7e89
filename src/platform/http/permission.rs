//! Who may call, as a type among a handler's arguments: [`Household`](super::Household), [`Customer`](super::Customer),
//! [`Admin`](super::Admin), or [`Anyone`] in so many words.
//!
//! A permission belongs to a door. It writes itself into the OpenAPI document of its route, and from there
//! [`check_permissions`] reads it before a door opens: a route that asks for the permission of another door, or says
//! not who may call it, keeps the appliance from starting. So nothing is open because somebody forgot.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use salvo::extract::Metadata;
use salvo::oapi::security::{ApiKey, ApiKeyValue};
use salvo::oapi::{Components, EndpointArgRegister, Operation, SecurityRequirement, SecurityScheme};
use salvo::routing::FilterInfo;
use salvo::{Depot, Extractible, Request, Router};
use serde::Serialize;

use super::api_error::HandlerResult;
use super::door_kind::{DoorKind, ThisDoor};
use super::input::none;
use super::operations::Operations;
use super::peer::Peer;
use crate::config::one_caller;
use hanok_base::{Error, Result};

/// Who calls, once a request was let in.
pub trait Permission {
    /// The door that let the caller in.
    fn door(&self) -> DoorKind;

    /// A name without spaces that no other caller of this door has: what an idempotency key belongs to.
    fn caller(&self) -> Cow<'static, str>;
}

/// No permission is needed: whoever reaches the door may call.
#[derive(Debug, Clone, Copy)]
pub struct Anyone {
    door: DoorKind,
    address: IpAddr,
}

impl Permission for Anyone {
    fn door(&self) -> DoorKind {
        self.door
    }

    /// All of them that share an address (a network, for IPv6): a stranger has nothing else to be known by.
    fn caller(&self) -> Cow<'static, str> {
        format!("address:{}", one_caller(self.address)).into()
    }
}

impl<'ex> Extractible<'ex> for Anyone {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let door = ThisDoor::of(depot)?;
        Ok(Anyone { door: door.kind, address: Peer::of(req, &door.trusted_proxies).0 })
    }
}

impl EndpointArgRegister for Anyone {
    fn register(_components: &mut Components, operation: &mut Operation, _arg: &str) {
        operation.securities.get_or_insert_default();
    }
}

/// How the callers of a permission show who they are, and at which door.
pub(super) struct Scheme {
    /// Its name in the documents.
    pub name: &'static str,
    /// The one door where it counts.
    pub door: DoorKind,
    /// The cookie that carries the session.
    pub cookie: &'static str,
    /// When it is asked for.
    pub description: &'static str,
    /// Whether there are doors where it is not asked for, as the description says.
    pub may_be_waived: bool,
}

/// The household's session. [`Household`](super::Household) asks for it.
pub(super) const HOUSEHOLD: Scheme = Scheme {
    name: "household",
    door: DoorKind::Ops,
    cookie: "hanok_household",
    description: "The session cookie that a sign-in with the household passphrase sets. Not asked for while the door \
                  listens on its own machine only, or stands open by its settings.",
    may_be_waived: true,
};

/// A customer's session. [`Customer`](super::Customer) asks for it.
pub(super) const CUSTOMER: Scheme = Scheme {
    name: "customer",
    door: DoorKind::Site,
    cookie: "__Host-hanok",
    description: "The session cookie that a customer's sign-in sets; `hanok` where the site is reached without TLS.",
    may_be_waived: false,
};

/// The session of somebody who keeps the shop. [`Admin`](super::Admin) asks for it.
pub(super) const ADMIN: Scheme = Scheme {
    name: "admin",
    door: DoorKind::Site,
    cookie: "__Host-hanok-admin",
    description: "The session cookie that an admin's sign-in sets; `hanok-admin` where the site is reached without TLS. \
                  A customer's session is none.",
    may_be_waived: false,
};

/// Every scheme there is: what a route asks for and does not stand here, no door has.
const SCHEMES: [&Scheme; 3] = [&HOUSEHOLD, &CUSTOMER, &ADMIN];

impl Scheme {
    /// Writes into the document that `operation` asks for this.
    pub fn document(&self, components: &mut Components, operation: &mut Operation) {
        let cookie = ApiKey::Cookie(ApiKeyValue::with_description(self.cookie, self.description));
        components.security_schemes.insert(self.name.to_owned(), SecurityScheme::ApiKey(cookie).into());
        let required = operation.securities.get_or_insert_default();
        required.push(SecurityRequirement::new(self.name, [] as [&str; 0]));
        if self.may_be_waived {
            required.push(SecurityRequirement::default());
        }
    }
}

/// Whether every route says who may call it, and asks for nothing but what callers of this door can have.
///
/// # Errors
/// `INTERNAL` whose cause names the first route that does not.
pub(super) fn check_permissions(door: DoorKind, routes: &Router, operations: &Operations) -> Result<()> {
    check_below(door, operations, routes, "", None)
}

fn check_below(
    door: DoorKind,
    operations: &Operations,
    router: &Router,
    path: &str,
    method: Option<&str>,
) -> Result<()> {
    let (mut path, mut method) = (path.to_owned(), method.map(str::to_owned));
    for filter in &router.filters {
        match filter.info() {
            FilterInfo::Path(part) => path = format!("{path}/{}", part.trim_matches('/')),
            FilterInfo::Method(named) => method = Some(named.to_string()),
            _ => {}
        }
    }
    if let Some(goal) = &router.goal {
        check(door, operations.get(goal.as_ref())).map_err(|what| {
            let route = format!("{} {path}", method.as_deref().unwrap_or("any method"));
            Error::internal(format!("the {} door does not open: {route} {what}", door.name()))
        })?;
    }
    router.routers.iter().try_for_each(|child| check_below(door, operations, child, &path, method.as_deref()))
}

/// What is wrong with who may call a handler whose `operation` this is.
fn check(door: DoorKind, operation: Option<&Operation>) -> std::result::Result<(), String> {
    let forgotten = "says not who may call it: give its handler a permission, or the argument `Anyone`";
    let required = operation.and_then(|operation| operation.securities.as_ref()).ok_or(forgotten)?;
    let foreign = names(required)?.into_iter().find_map(|name| foreign(door, name));
    foreign.map_or(Ok(()), Err)
}

/// Every scheme that stands in what a route asks for. The library shows them in the written document alone.
fn names(required: &impl Serialize) -> std::result::Result<BTreeSet<String>, String> {
    let written = serde_json::to_value(required).and_then(serde_json::from_value::<Vec<BTreeMap<String, Vec<String>>>>);
    let ways = written.map_err(|error| format!("asks for what cannot be read: {error}"))?;
    Ok(ways.into_iter().flat_map(BTreeMap::into_keys).collect())
}

/// What is wrong with asking for the scheme `name` at `door`, unless it is one of the door's own.
fn foreign(door: DoorKind, name: String) -> Option<String> {
    match SCHEMES.iter().find(|scheme| scheme.name == name) {
        Some(scheme) if scheme.door == door => None,
        Some(scheme) => Some(format!("asks for `{name}`, which only callers of the {} door have", scheme.door.name())),
        None => {
            Some(format!("asks for `{name}`, which callers of no door have: list its scheme among those there are"))
        }
    }
}

#[cfg(test)]
mod tests {
    use salvo::Writer;
    use salvo::oapi::endpoint;
    use salvo::{Depot, Response, handler};

    use super::*;
    use crate::http::door::{Door, service};
    use crate::http::{Done, Household};
    use crate::jobs::Jobs;
    use hanok_base::Clock;

    #[endpoint]
    async fn of_the_household(_caller: Household) -> Done {
        Done::default()
    }

    #[endpoint]
    async fn of_anyone(_caller: Anyone) -> Done {
        Done::default()
    }

    #[endpoint]
    async fn of_nobody_knows_whom() -> Done {
        Done::default()
    }

    /// A permission whose scheme nobody listed.
    struct Guest;

    const GUEST: Scheme = Scheme { name: "guest", door: DoorKind::Site, cookie: "", description: "", ..HOUSEHOLD };

    impl<'ex> Extractible<'ex> for Guest {
        fn metadata() -> &'static Metadata {
            none()
        }

        #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
        async fn extract(_req: &'ex mut Request, _depot: &'ex mut Depot) -> HandlerResult<Self> {
            Ok(Guest)
        }
    }

    impl EndpointArgRegister for Guest {
        fn register(components: &mut Components, operation: &mut Operation, _arg: &str) {
            GUEST.document(components, operation);
        }
    }

    #[endpoint]
    async fn of_a_guest(_caller: Guest) -> Done {
        Done::default()
    }

    #[handler]
    async fn outside_the_document(_depot: &mut Depot, _res: &mut Response) {}

    fn refusal(door: DoorKind, routes: Router) -> String {
        let below = Router::with_path("api").push(routes);
        check_permissions(door, &below, &Operations::of(&below)).err().and_then(|error| error.cause).unwrap_or_default()
    }

    #[test]
    fn a_route_that_asks_for_the_permission_of_another_door_keeps_its_door_closed_and_is_named() {
        let routes = || Router::with_path("orders/{id}").get(of_anyone).delete(of_the_household);
        assert_eq!(refusal(DoorKind::Ops, routes()), "");
        let refused = refusal(DoorKind::Site, routes());
        let sentence = "the site door does not open: DELETE /api/orders/{id} asks for `household`, which only callers of \
                        the ops door have";
        assert_eq!(refused, sentence);
    }

    #[tokio::test]
    async fn a_door_with_a_route_that_it_may_not_have_is_no_service() {
        let app = crate::testing::app(&Clock::system(), Jobs::default());
        let door = |kind| {
            let routes = Router::with_path("orders/{id}").delete(of_the_household);
            let address = ([127, 0, 0, 1], 0).into();
            service(&app, Door { kind, address, routes, error_pages: None }).map(drop)
        };
        assert!(door(DoorKind::Ops).is_ok());
        assert!(door(DoorKind::Site).is_err());
    }

    #[test]
    fn a_route_that_asks_for_what_no_door_has_keeps_every_door_closed_and_is_named() {
        for door in [DoorKind::Ops, DoorKind::Site] {
            let refused = refusal(door, Router::with_path("orders").get(of_a_guest));
            let name = door.name();
            let sentence = format!(
                "the {name} door does not open: GET /api/orders asks for `guest`, which callers of no door have: list \
                 its scheme among those there are"
            );
            assert_eq!(refused, sentence);
        }
    }

    #[test]
    fn a_route_that_says_not_who_may_call_it_keeps_its_door_closed_and_is_named() {
        for routes in
            [Router::with_path("x").post(of_nobody_knows_whom), Router::with_path("x").post(outside_the_document)]
        {
            let refused = refusal(DoorKind::Ops, routes);
            assert!(
                refused.starts_with("the ops door does not open: POST /api/x says not who may call it"),
                "{refused}"
            );
        }
    }
}
