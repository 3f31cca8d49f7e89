//! Errors as pages: whoever reads pages is not shown JSON.

use std::fmt;
use std::sync::Arc;

use salvo::http::StatusCode;
use salvo::http::header::ACCEPT;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use super::ErrorBody;

/// Where programs call and no page lies: there an error is JSON, whoever asks.
const OF_PROGRAMS: [&str; 3] = ["api", "health", "metrics"];

/// How a door shows an error to a browser. It is asked for every error outside of `/api`, `/health` and `/metrics` whose
/// caller takes HTML, wherever in the door the error arose.
#[derive(Clone)]
pub struct ErrorPages(Arc<Show>);

type Show = dyn Fn(&Request, StatusCode, &ErrorBody) -> String + Send + Sync;

impl ErrorPages {
    /// Shows errors with the page in HTML that `show` makes of the request, the status and the error.
    pub fn new(show: impl Fn(&Request, StatusCode, &ErrorBody) -> String + Send + Sync + 'static) -> ErrorPages {
        ErrorPages(Arc::new(show))
    }

    pub(super) fn show(&self, req: &Request, status: StatusCode, error: &ErrorBody) -> String {
        (self.0)(req, status, error)
    }
}

impl fmt::Debug for ErrorPages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ErrorPages")
    }
}

/// Marks the requests whose errors are shown as pages.
#[async_trait]
impl Handler for ErrorPages {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let first = req.uri().path().trim_start_matches('/').split('/').next().unwrap_or_default();
        if !OF_PROGRAMS.contains(&first) && takes_html(req) {
            req.extensions_mut().insert(self.clone());
        }
        ctrl.call_next(req, depot, res).await;
    }
}

fn takes_html(req: &Request) -> bool {
    let mut lines = req.headers().get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    lines.any(|line| line.split(',').any(|one| one.split(';').next().is_some_and(|kind| kind.trim() == "text/html")))
}
