//! The routes of the desk: what waits, members, services, mails.

pub mod pages;

use salvo::oapi::endpoint;
use salvo::{Depot, Writer};
use serde::Serialize;
use serde_json::{Value, json};

use super::model::{Member, MemberAtDesk, Service, Waiting, Week};
use super::work::waiting::waiting;
use super::work::week::week;
use super::work::{mails, members, newest_quotes, services};
use crate::analytics::{self, AnalyticsSettings, Period};
use hanok_base::page::{Limit, Offset};
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::{Error, Language, Page, Request, Result};
use hanok_platform::app::App;
use hanok_platform::domain::Offers;
use hanok_platform::http::{
    Accepted, Admin, Checked, CheckedQuery, HandlerResult, Id, IdempotencyKey, Json, Key, ListQuery, Peer, tx_op,
};
use hanok_platform::mail::{MailSeen, MailStatus};

/// How many a list gives when nobody says otherwise.
const USUAL: u64 = 50;

/// What the OpenAPI document says of the requests beyond their types.
pub fn document_rules() -> Value {
    json!({"dashboard.ServiceSwitch": {"examples": [{"id": "contact", "is_active": true}]}})
}

/// What waits for an admin, and the week in numbers.
#[derive(Debug, Serialize, ToSchema)]
pub struct Dashboard {
    /// What waits, the most urgent first; a kind of which nothing waits is left out.
    pub waiting: Vec<Waiting>,
    /// How many things wait in all.
    pub total: u64,
    /// The last seven days in numbers.
    pub week: Week,
}

/// Customers.
#[derive(Debug, Serialize, ToSchema)]
pub struct Members {
    /// Newest first.
    pub members: Vec<Member>,
    /// How many there are on all pages.
    pub total: u64,
}

/// The services of the site.
#[derive(Debug, Serialize, ToSchema)]
pub struct Services {
    /// In the order of the navigation.
    pub services: Vec<Service>,
}

/// A service to be switched on or off.
#[derive(Debug, Request)]
#[serde(deny_unknown_fields)]
pub struct ServiceSwitch {
    /// Its name.
    #[field(Text<1, 40>)]
    pub id: String,
    /// Whether it is offered from now on.
    pub is_active: bool,
}

/// Which mails.
#[derive(Debug, Request)]
#[request(query)]
pub struct MailQuery {
    /// Only those that stand there; left out it is all.
    pub status: Option<MailStatus>,
    /// How many, at most 500; left out it is 50.
    #[field(Limit)]
    pub limit: Option<u64>,
    /// How many to pass over first.
    #[field(Offset)]
    pub offset: Option<u64>,
}

/// Mails without what they say.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailsAtDesk {
    /// Newest first.
    pub mails: Vec<MailSeen>,
    /// How many there are on all pages.
    pub total: u64,
}

impl MailQuery {
    fn page(&self) -> Page {
        Page { limit: self.limit.unwrap_or(USUAL) as usize, offset: self.offset.unwrap_or(0) as usize }
    }
}

/// What waits for an admin, the most urgent first, and the last seven days in numbers.
#[endpoint(operation_id = "admin_dashboard", tags("admin"))]
pub async fn dashboard(app: App, _caller: Admin) -> HandlerResult<Json<Dashboard>> {
    Ok(Json(read(&app, Language::En).await?))
}

/// What waits for an admin, named in `language`, and the week in numbers.
async fn read(app: &App, language: Language) -> Result<Dashboard> {
    let read = app.data.store.read(move |tx| {
        let newest = newest_quotes(tx)?;
        let waiting = waiting(tx, &newest, language)?;
        Ok(Dashboard { total: waiting.iter().map(|kind| kind.count).sum(), waiting, week: week(tx, &newest)? })
    });
    let mut desk = read.await?;
    if app.config.section::<AnalyticsSettings>().enabled {
        desk.week.visitors = Some(analytics::report(app, Period::Week).await?.visitors.now);
    }
    Ok(desk)
}

/// Customers, newest first; with `q` those whose name or mail address says it.
#[endpoint(operation_id = "admin_members", tags("admin"))]
pub async fn list_members(app: App, _caller: Admin, wanted: ListQuery<USUAL>) -> HandlerResult<Json<Members>> {
    let (members, total) = app.data.store.read(move |tx| members::list(tx, &wanted.q, wanted.page)).await?;
    Ok(Json(Members { members, total }))
}

/// One customer with the requests and devices of the account.
#[endpoint(operation_id = "admin_member", tags("admin"))]
pub async fn find_member(app: App, _caller: Admin, id: Key) -> HandlerResult<Json<MemberAtDesk>> {
    Ok(Json(app.data.store.read(move |tx| members::one(tx, &id.0)).await?))
}

/// The services of the site, on or off.
#[endpoint(operation_id = "admin_services", tags("admin"))]
pub async fn list_services(app: App, _caller: Admin, depot: &mut Depot) -> HandlerResult<Json<Services>> {
    Ok(Json(Services { services: services::list(offers(depot)?, &app.config) }))
}

/// Switches a service on or off, at once: its pages and routes are not found while it is off, and what it holds stays.
#[endpoint(operation_id = "admin_switch_service", tags("admin"))]
pub async fn switch_service(
    app: App,
    caller: Admin,
    peer: Peer,
    body: Checked<ServiceSwitch>,
    depot: &mut Depot,
) -> HandlerResult<Json<Service>> {
    let ServiceSwitch { id, is_active } = body.0;
    Ok(Json(services::switch(&app, offers(depot)?, &id, is_active, (caller.name, peer.0)).await?))
}

/// Mails, newest first, without what they say.
#[endpoint(operation_id = "admin_mails", tags("admin"))]
pub async fn list_mails(app: App, _caller: Admin, wanted: CheckedQuery<MailQuery>) -> HandlerResult<Json<MailsAtDesk>> {
    let (status, page) = (wanted.0.status, wanted.0.page());
    let (mails, total) = app.data.store.read(move |tx| mails::list(tx, status, page)).await?;
    Ok(Json(MailsAtDesk { mails, total }))
}

/// Sends a mail again that was not sent, or of which nobody knows whether it was.
#[endpoint(operation_id = "admin_send_mail_again", tags("admin"))]
pub async fn send_mail_again(
    app: App,
    caller: Admin,
    peer: Peer,
    key: IdempotencyKey,
    id: Id,
) -> HandlerResult<Accepted<MailSeen>> {
    let by = caller.name.clone();
    let sent = tx_op(move |tx| mails::send_again(tx, id.0, &by, peer.0));
    Ok(Accepted(key.once(&app, &caller, sent).await?))
}

/// What the site offers, on or off.
fn offers(depot: &Depot) -> Result<&Offers> {
    depot.get_typed::<Offers>().map_err(|_| Error::internal("no offers in this door"))
}
