//! The outermost hoop: a request id, one log line, the metrics, and the headers that every answer carries.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use metrics::Histogram;
use parking_lot::RwLock;
use salvo::http::{HeaderName, HeaderValue};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tracing::Instrument;

use super::door::DoorKind;

/// The id of a request, as it stands in the log and in error bodies.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

pub(super) struct Watch {
    pub door: DoorKind,
    pub headers: Vec<(HeaderName, HeaderValue)>,
    pub measures: Measures,
    pub ids: Ids,
}

/// Ids that nobody meets twice: a count, scrambled with a key of this process.
#[derive(Default)]
pub(super) struct Ids {
    key: RandomState,
    given: AtomicU64,
}

impl Ids {
    fn next(&self) -> String {
        let count = self.given.fetch_add(1, Ordering::Relaxed);
        URL_SAFE_NO_PAD.encode(self.key.hash_one(count).to_le_bytes())
    }
}

#[async_trait]
impl Handler for Watch {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let begun = Instant::now();
        let id = self.ids.next();
        req.extensions_mut().insert(RequestId(id.clone()));
        // Every answer's line and every error's line carry the id themselves.
        let span = tracing::debug_span!("request", door = self.door.name(), id);
        for (name, value) in &self.headers {
            res.headers_mut().insert(name.clone(), value.clone());
        }
        if let Ok(value) = HeaderValue::from_str(&id) {
            res.headers_mut().insert("x-request-id", value);
        }
        ctrl.call_next(req, depot, res).instrument(span).await;
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
pub(super) struct Measures(RwLock<ByRoute>);

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
