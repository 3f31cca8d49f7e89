//! The routes of the projects: those of a customer, and the desk.

pub mod desk;
pub mod pages;

use chrono::Duration;
use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;
use serde_json::{Value, json};

use super::model::{LinkWanted, Project, word_in};
use super::work::{self, Linked};
use hanok_base::Result;
use hanok_base::schema::ToSchema;
use hanok_platform::app::App;
use hanok_platform::auth::RateLimit;
use hanok_platform::http::{Checked, Customer, HandlerResult, Json, Paging, Peer, Query};

/// How often one account may try to link a quote.
const OF_ACCOUNT: RateLimit = RateLimit { what: "project_link", most: 10, within: Duration::minutes(1) };
/// And how often one address may.
const OF_ADDRESS: RateLimit = RateLimit { what: "project_link_of_address", most: 30, within: Duration::minutes(1) };

/// The projects of a customer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Projects {
    /// Newest first.
    pub projects: Vec<Project>,
    /// How many there are on all pages.
    pub total: usize,
}

/// The projects of the account: the quotes that are linked to it, with their steps.
#[endpoint(operation_id = "projects_list", tags("projects"))]
pub async fn list(app: App, caller: Customer, paging: Query<Paging<100>>) -> HandlerResult<Json<Projects>> {
    let page = paging.0.page()?;
    let projects = app.data.store.read(move |tx| work::projects(tx, &caller.id)).await?;
    let total = projects.len();
    let projects = projects.into_iter().skip(page.offset).take(page.limit).collect();
    Ok(Json(Projects { projects, total }))
}

/// Links the quote of a link to the account, once: one that no account follows yet, or one that was sent to the address of
/// this account, which takes it over from another. At most ten tries a minute. An `Idempotency-Key` is passed over: what is
/// linked already stays so.
#[endpoint(operation_id = "projects_link", tags("projects"))]
pub async fn link(app: App, caller: Customer, peer: Peer, body: Checked<LinkWanted>) -> HandlerResult<Json<Linked>> {
    Ok(Json(link_to(&app, &caller, peer, body.0).await?))
}

/// Links the quote that is wanted to the account of the caller.
///
/// # Errors
/// `NOT_FOUND`, also where it is another's; `RATE_LIMITED`.
pub async fn link_to(app: &App, caller: &Customer, peer: Peer, wanted: LinkWanted) -> Result<Linked> {
    let (paces, now) = (&app.access.paces, app.clock.moment());
    paces.admit(OF_ADDRESS, peer.0, now)?;
    paces.admit_to(OF_ACCOUNT, &caller.id, now)?;
    let account = caller.id.clone();
    app.data.store.write(move |tx| work::link(tx, &account, word_in(&wanted.token))).await
}

/// What no type says of the requests: a new step has a title, or the usual steps stand alone.
pub fn document_rules() -> Value {
    let step =
        json!({"quote_id": "0199c0de-0000-7000-8000-000000000001", "title": "검수", "description": "함께 확인합니다."});
    json!({"projects.NewMilestone": {"examples": [step]}})
}
