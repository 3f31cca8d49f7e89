//! The outermost hoop: a request id, one log line, the metrics, and the headers that every answer carries.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Instant;

use metrics::Histogram;
use parking_lot::RwLock;
use salvo::http::{HeaderMap, HeaderName, HeaderValue};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tracing::Instrument;

use super::door_kind::DoorKind;
use super::request_id::{RequestId, RequestIds};
use super::watchdog;

pub(super) struct Watch {
    door: DoorKind,
    address: SocketAddr,
    /// Those of every answer.
    headers: HeaderMap,
    measures: Measures,
    ids: RequestIds,
}

impl Watch {
    pub fn new(door: DoorKind, address: SocketAddr, headers: Vec<(HeaderName, HeaderValue)>) -> Watch {
        Watch {
            door,
            address,
            headers: headers.into_iter().collect(),
            measures: Measures::default(),
            ids: RequestIds::default(),
        }
    }
}

#[async_trait]
impl Handler for Watch {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let begun = Instant::now();
        let RequestId(id) = self.ids.next();
        req.extensions_mut().insert(RequestId(id.clone()));
        // Every answer's line and every error's line carry the id themselves.
        let span = tracing::debug_span!("request", door = self.door.name(), id);
        res.set_headers(self.headers.clone());
        if let Ok(value) = HeaderValue::from_str(&id) {
            res.headers_mut().insert("x-request-id", value);
        }
        if watchdog::is_on() {
            let (address, method, route) = (self.address, method_of(req), route_of(req));
            let note = move |step| watchdog::note(address, method, &route, step);
            watchdog::watched(ctrl.call_next(req, depot, res).instrument(span), note).await;
        } else {
            ctrl.call_next(req, depot, res).instrument(span).await;
        }
        let status = res.status_code.map_or(200, |status| status.as_u16());
        let elapsed = begun.elapsed();
        let route = route_of(req);
        let method = method_of(req);
        self.measures.of(self.door, method, &route, status).record(elapsed.as_secs_f64());
        tracing::info!(
            door = self.door.name(),
            id,
            method,
            route,
            status,
            micros = elapsed.as_micros() as u64,
            "answered"
        );
    }
}

/// The matched pattern, never the path itself: paths may carry tokens, and metrics must stay few.
fn route_of(req: &Request) -> String {
    let matched = req.matched_path();
    if matched.is_empty() { "unmatched".to_owned() } else { format!("/{}", matched.trim_start_matches('/')) }
}

/// The measure of each route, method and status: made once, found by its route.
#[derive(Default)]
struct Measures(RwLock<ByRoute>);

type ByRoute = HashMap<String, Vec<(&'static str, u16, Histogram)>>;

impl Measures {
    fn of(&self, door: DoorKind, method: &'static str, route: &str, status: u16) -> Histogram {
        let known = |all: &ByRoute| {
            let of_route = all.get(route)?;
            of_route.iter().find(|one| (one.0, one.1) == (method, status)).map(|(.., measure)| measure.clone())
        };
        if let Some(measure) = known(&self.0.read()) {
            return measure;
        }
        let measure = metrics::histogram!(
            "hanok_http_request_seconds",
            "door" => door.name(), "method" => method, "route" => route.to_owned(), "status" => status.to_string(),
        );
        self.0.write().entry(route.to_owned()).or_default().push((method, status, measure.clone()));
        measure
    }
}

fn method_of(req: &Request) -> &'static str {
    match req.method().as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}
