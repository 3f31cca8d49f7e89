//! Routes as a tree. They are written as a list, a line for each path; asked one after the other, a request would pay for
//! every line before its own.

use salvo::Router;
use salvo::routing::{FilterInfo, PathFilter};

/// The same routes in the same order, in which neighbours whose paths begin with the same word are asked for it once.
pub(super) fn branched(mut router: Router) -> Router {
    let mut runs: Vec<(Option<String>, Vec<Router>)> = Vec::new();
    for route in router.routers {
        let word = first_word(&route);
        match runs.last_mut() {
            Some((same, run)) if word.is_some() && *same == word => run.push(route),
            _ => runs.push((word, vec![route])),
        }
    }
    router.routers = runs.into_iter().flat_map(|(word, run)| branch(word, run)).collect();
    router
}

fn branch(word: Option<String>, run: Vec<Router>) -> Vec<Router> {
    match word {
        Some(word) if run.len() > 1 => {
            let below = run.into_iter().map(behind_the_word);
            vec![branched(below.fold(Router::with_path(word), Router::push))]
        }
        _ => run.into_iter().map(branched).collect(),
    }
}

/// The word that the path of `route` begins with; none of a parameter, or where it asks for something else than a path.
fn first_word(route: &Router) -> Option<String> {
    let [filter] = &route.filters[..] else { return None };
    let FilterInfo::Path(path) = filter.info() else { return None };
    let word = path.split('/').next()?;
    (!word.is_empty() && !word.contains(['{', '*'])).then(|| word.to_owned())
}

/// `route`, reached when its first word has been asked for.
fn behind_the_word(mut route: Router) -> Router {
    if let Some(FilterInfo::Path(path)) = route.filters.pop().map(|filter| filter.info())
        && let Some((_, rest)) = path.split_once('/')
    {
        route.filters.push(Box::new(PathFilter::new(rest)));
    }
    route
}

#[cfg(test)]
mod tests {
    use salvo::http::Method;
    use salvo::routing::PathState;
    use salvo::{Request, handler};

    use super::*;

    #[handler]
    async fn tell() {}

    fn routes() -> Router {
        let at = |path: &str| Router::with_path(path);
        let api = at("api")
            .push(at("lotto/draws").get(tell))
            .push(at("lotto/draws/latest").get(tell).post(tell))
            .push(at("lotto/draws/{id:num}").get(tell))
            .push(at("lotto/draws/{id:num}/undo").post(tell))
            .push(at("lotto").delete(tell))
            .push(at("lottery").get(tell))
            .push(at("todos").get(tell).post(tell))
            .push(at("todos/done").delete(tell))
            .push(at("todos/{id:num}").put(tell))
            .push(at("lotto/late").get(tell))
            .push(at("{name}/by-name").get(tell));
        Router::new().push(api).push(at("{**rest}").get(tell))
    }

    /// Whether a handler was found, by which path and with which parameters.
    async fn find(routes: &Router, method: &Method, path: &str) -> String {
        let mut request = Request::new();
        *request.method_mut() = method.clone();
        let mut state = PathState::from_borrowed_path(path);
        let found = routes.detect(&mut request, &mut state).await;
        format!("{} {state:?}", found.is_some())
    }

    #[tokio::test]
    async fn every_request_finds_what_it_found_in_the_list() {
        let (list, tree) = (routes(), branched(routes()));
        for path in [
            "/",
            "/api",
            "/api/lotto",
            "/api/lotto/",
            "/api/lotto/draws",
            "/api/lotto/draws/latest",
            "/api/lotto/draws/7",
            "/api/lotto/draws/seven",
            "/api/lotto/draws/7/undo",
            "/api/lotto/draws/7/undo/again",
            "/api/lotto/late",
            "/api/lotto/by-name",
            "/api/lottery",
            "/api/lott",
            "/api/todos",
            "/api/todos/done",
            "/api/todos/7",
            "/api/todos/by-name",
            "/api/todosdone",
            "/elsewhere/todos",
        ] {
            for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE] {
                let expected = find(&list, &method, path).await;
                assert_eq!(find(&tree, &method, path).await, expected, "{method} {path}");
            }
        }
        let found = find(&tree, &Method::GET, "/api/lotto/draws/7").await;
        assert!(found.starts_with("true") && found.contains("\"id\": \"7\""), "{found}");
    }

    #[test]
    fn neighbours_share_their_words_at_every_depth_and_nothing_changes_its_place() {
        fn written(router: &Router) -> String {
            let paths = router.filters.iter().filter_map(|filter| match filter.info() {
                FilterInfo::Path(path) => Some(path),
                _ => None,
            });
            let below: Vec<String> = router.routers.iter().map(written).filter(|below| !below.is_empty()).collect();
            let below = if below.is_empty() { String::new() } else { format!("({})", below.join(" ")) };
            format!("{}{below}", paths.collect::<String>())
        }
        let draws = "draws(latest {id:num} {id:num}/undo)";
        let api = format!("api(lotto({draws}) lottery todos(done {{id:num}}) lotto/late {{name}}/by-name)");
        assert_eq!(written(&branched(routes())), format!("({api} {{**rest}})"));
    }
}
