//! The routes whose bodies are not like others, found by what their handlers take.

use salvo::http::Method;
use salvo::oapi::RequestBody;
use salvo::routing::FilterInfo;
use salvo::{Handler, Request, Router};

use super::file::OF_ANY_SIZE;
use super::file_response::ANY_SIZE;
use super::input::MOST_BYTES;
use super::operations::Operations;
use super::upload_parts::PART;

/// The routes of a door whose bodies are not like others.
pub(super) struct Bodies(Vec<Route>);

/// A route, as a request matches it: `api/photos/{id}`.
#[derive(Debug, PartialEq)]
struct Route {
    /// None where it takes any.
    method: Option<Method>,
    path: String,
    limit: Limit,
}

/// How much a request may bring.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Limit {
    /// What the handler sets, of size and of time: it takes an [`Incoming`](super::Incoming),
    /// alone or as what it is.
    OfTheHandler,
    /// So many bytes: it takes a [`Body`](super::Body) that says so.
    Bytes(u64),
}

impl Bodies {
    /// Those of these routes, whose operations are known.
    pub fn of(routes: &Router, operations: &Operations) -> Bodies {
        let mut found = Vec::new();
        find(routes, operations, None, "", &mut found);
        Bodies(found)
    }

    /// Whether a file comes in, whose handler sets the limits of size and time.
    pub fn is_upload(&self, req: &Request) -> bool {
        self.limit(req) == Some(Limit::OfTheHandler)
    }

    /// How many bytes it may bring, where its handler says that.
    pub fn most_bytes(&self, req: &Request) -> Option<u64> {
        match self.limit(req)? {
            Limit::Bytes(most) => Some(most),
            Limit::OfTheHandler => None,
        }
    }

    fn limit(&self, req: &Request) -> Option<Limit> {
        let takes = |route: &&Route| route.method.as_ref().is_none_or(|method| method == req.method());
        self.0.iter().filter(takes).find(|route| route.path == req.matched_path()).map(|route| route.limit)
    }
}

fn find(router: &Router, operations: &Operations, method: Option<&Method>, path: &str, found: &mut Vec<Route>) {
    let (mut method, mut path) = (method.cloned(), path.to_owned());
    for filter in &router.filters {
        match filter.info() {
            FilterInfo::Path(part) => {
                part.split('/').filter(|part| !part.is_empty()).for_each(|part| add(&mut path, part));
            }
            FilterInfo::Method(only) => method = Some(only),
            _ => {}
        }
    }
    if let Some(limit) = router.goal.as_ref().and_then(|goal| limit_of(goal.as_ref(), operations)) {
        found.push(Route { method: method.clone(), path: path.clone(), limit });
    }
    router.routers.iter().for_each(|child| find(child, operations, method.as_ref(), &path, found));
}

/// Adds a part of a path; what a parameter must be does not stand there.
fn add(path: &mut String, part: &str) {
    if !path.is_empty() {
        path.push('/');
    }
    match part.split_once(':') {
        Some((name, _)) => path.extend([name, "}"]),
        None => path.push_str(part),
    }
}

fn limit_of(handler: &dyn Handler, operations: &Operations) -> Option<Limit> {
    let RequestBody { contents, extensions, .. } = operations.get(handler)?.request_body.as_ref()?;
    let is_file = [OF_ANY_SIZE, PART].iter().any(|kind| contents.contains_key(*kind));
    if is_file || extensions.contains_key(ANY_SIZE) {
        return Some(Limit::OfTheHandler);
    }
    extensions.get(MOST_BYTES)?.as_u64().map(Limit::Bytes)
}

#[cfg(test)]
mod tests {
    use salvo::Writer;
    use salvo::oapi::endpoint;

    use super::*;
    use crate::http::{Anyone, Body, Done, FileBody, Incoming, Zip};

    #[endpoint]
    async fn take(_caller: Anyone, _body: Incoming) -> Done {
        Done::default()
    }

    #[endpoint]
    async fn bring(_caller: Anyone, _body: FileBody<Zip>) -> Done {
        Done::default()
    }

    #[endpoint]
    async fn attach(_caller: Anyone, _body: Body<u64, { 4 << 20 }>) -> Done {
        Done::default()
    }

    #[endpoint]
    async fn change(_caller: Anyone, _body: Body<u64>) -> Done {
        Done::default()
    }

    #[endpoint]
    async fn look(_caller: Anyone) -> Done {
        Done::default()
    }

    #[test]
    fn a_route_that_takes_a_file_or_a_larger_body_says_so_by_its_handler_whatever_its_path() {
        let photos =
            Router::with_path("photos/{id:num}").get(look).push(Router::with_path("large").post(take).put(bring));
        let mail = Router::with_path("mail/{id:num}/attachment").put(attach).post(change);
        let routes = Router::with_path("api").push(photos).push(mail).push(Router::with_path("restore").post(take));
        let route = |method, path: &str, limit| Route { method: Some(method), path: path.to_owned(), limit };
        let found = [
            route(Method::POST, "api/photos/{id}/large", Limit::OfTheHandler),
            route(Method::PUT, "api/photos/{id}/large", Limit::OfTheHandler),
            route(Method::PUT, "api/mail/{id}/attachment", Limit::Bytes(4 << 20)),
            route(Method::POST, "api/restore", Limit::OfTheHandler),
        ];
        assert_eq!(Bodies::of(&routes, &Operations::of(&routes)).0, found);
    }
}
