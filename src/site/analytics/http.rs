//! What is counted of the pages, and the route that tells it.

pub mod pages;

use salvo::http::header::CONTENT_TYPE;
use salvo::http::{Method, StatusCode};
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Writer, async_trait};
use serde::Deserialize;

use super::model::{Agent, Analytics, Arrival, Period, page_of};
use super::work::{AnalyticsSettings, Recorder, Visit, report};
use hanok_base::error::Check;
use hanok_base::validated::Unchecked;
use hanok_base::{Result, Validated};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, HandlerResult, Json, Peer, Query};

/// Which days are wanted.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct AnalyticsWanted {
    /// How many days, today included; left out it is 30.
    pub days: Option<Validated<Unchecked<Period>>>,
}

impl AnalyticsWanted {
    fn period(self) -> Result<Period> {
        Check::of(|check| self.days.and_then(|days| check.find("days", days)).unwrap_or(Period::Month))
    }
}

/// Visits of the last days.
#[endpoint(operation_id = "admin_analytics", tags("admin"))]
pub async fn find(app: App, _caller: Admin, wanted: Query<AnalyticsWanted>) -> HandlerResult<Json<Analytics>> {
    Ok(Json(report(&app, wanted.0.period()?).await?))
}

/// Counts each page that was shown. It stands before the pages of customers and looks at what they have answered.
pub struct CountViews;

#[async_trait]
impl Handler for CountViews {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        ctrl.call_next(req, depot, res).await;
        let (Ok(app), Ok(recorder)) = (depot.get_typed::<App>(), depot.get_typed::<Recorder>()) else { return };
        if app.config.section::<AnalyticsSettings>().enabled
            && is_shown(req, res)
            && Admin::sent_token(app, req).is_none()
            && let Some(visit) = visit_of(app, req)
        {
            recorder.note(app.clock.now(), visit);
        }
    }
}

/// What the header `name` says; empty where it is not there.
fn said<'r>(req: &'r Request, name: &str) -> &'r str {
    req.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Whether a person has opened a page and was shown it: one that the browser had already counts, what it fetches ahead and
/// what it shows inside another page does not. Nor does who asks not to be followed.
fn is_shown(req: &Request, res: &Response) -> bool {
    let content_type = res.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_page = match res.status_code {
        Some(StatusCode::NOT_MODIFIED) => true,
        Some(StatusCode::OK) | None => content_type.starts_with("text/html"),
        Some(_) => false,
    };
    let is_ahead = ["sec-purpose", "purpose", "x-moz"].iter().any(|name| said(req, name).contains("prefetch"));
    let is_inside = !matches!(said(req, "sec-fetch-dest"), "" | "document");
    let is_refused = said(req, "dnt") == "1" || said(req, "sec-gpc") == "1";
    *req.method() == Method::GET && is_page && !is_ahead && !is_inside && !is_refused
}

/// What is counted of the request; none of a program, and none of a page of the desk.
fn visit_of<'r>(app: &App, req: &'r Request) -> Option<Visit<'r>> {
    let page = page_of(req.matched_path());
    let agent = said(req, "user-agent");
    let known = Agent::of(agent)?;
    if page.split('/').nth(1) == Some("admin") {
        return None;
    }
    let query = req.uri().query().unwrap_or_default();
    let mark = |name: &str| {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    let arrival = Arrival {
        referrer: said(req, "referer"),
        is_from_here: said(req, "sec-fetch-site") == "same-origin",
        own_host: said(req, "host"),
        utm_source: &mark("utm_source"),
        utm_medium: &mark("utm_medium"),
        app: known.app,
    };
    let address = Peer::of(req, &app.config.http.trusted_proxies).0;
    Some(Visit { address, agent, page, device: known.device, source: arrival.source() })
}
