//! The domain that answers a request: its handler stands in the domain's folder, and so in the name of its type.

use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, async_trait};

/// The domain whose handler answers a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owner(pub &'static str);

/// The crates whose rooms are domains.
const ROOMS_OF_DOMAINS: [&str; 3] = ["hanok_ops", "hanok_site", "hanok_calc"];

/// `todos` for `hanok_ops::todos::model::Todo`; none for what belongs to no domain.
pub(super) fn domain_of(type_name: &str) -> Option<&str> {
    let (room, rest) = type_name.split_once("::")?;
    let (domain, _) = rest.split_once("::")?;
    ROOMS_OF_DOMAINS.contains(&room).then_some(domain)
}

/// The routes, of which each says to its requests whose it is.
pub(super) fn with_owners(mut router: Router) -> Router {
    let owner = router.goal.as_ref().and_then(|goal| domain_of(Handler::type_name(goal.as_ref())));
    router.routers = router.routers.into_iter().map(with_owners).collect();
    match owner {
        Some(owner) => router.hoop(Owner(owner)),
        None => router,
    }
}

#[async_trait]
impl Handler for Owner {
    async fn handle(&self, req: &mut Request, _depot: &mut Depot, _res: &mut Response, _ctrl: &mut FlowCtrl) {
        req.extensions_mut().insert(*self);
    }
}
