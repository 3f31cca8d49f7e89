//! The routes of links to the portfolio.

pub mod pages;

use salvo::oapi::endpoint;
use salvo::{Request, Writer};

use super::model::{NewPortfolioLink, PortfolioLink};
use super::work;
use crate::admin::{AuditAction, note_about};
use crate::frame::address_of;
use hanok_base::Result;
use hanok_base::page::Paged;
use hanok_platform::app::App;
use hanok_platform::auth::Link;
use hanok_platform::http::{
    Admin, Checked, Created, Deleted, HandlerResult, IdempotencyKey, Json, Key, Paging, Peer, Query, link_origin,
    site_origin, tx_op,
};
use hanok_platform::mail::Language;
use hanok_platform::store::WriteTx;

/// How many links a list gives when nobody says otherwise.
const USUAL: u64 = 50;

/// Makes a link to the portfolio.
#[endpoint(operation_id = "admin_share_portfolio", tags("admin"))]
pub async fn add(
    app: App,
    caller: Admin,
    peer: Peer,
    key: IdempotencyKey,
    body: Checked<NewPortfolioLink>,
    req: &mut Request,
) -> HandlerResult<Created<PortfolioLink>> {
    let (by, new, origin) = (caller.clone(), body.0, origin(&app, req));
    // The word of a link is written down nowhere: what is kept of the answer is its id.
    let id = key.once(&app, &caller, tx_op(move |tx| share_at_desk(tx, (&by, peer), new))).await?;
    let found = app.data.store.read_inline(move |tx| work::link(tx, &id)).await?;
    Ok(Created(seen(found, &origin, Language::Ko)))
}

/// The links to the portfolio that are good, newest first.
#[endpoint(operation_id = "admin_portfolio_links", tags("admin"))]
pub async fn list(
    app: App,
    _caller: Admin,
    paging: Query<Paging<USUAL>>,
    req: &mut Request,
) -> HandlerResult<Json<Paged<PortfolioLink>>> {
    let (page, origin) = (paging.0.page()?, origin(&app, req));
    let (links, total) = app.data.store.read(move |tx| work::links(tx, page)).await?;
    let links = links.into_iter().map(|link| seen(link, &origin, Language::Ko)).collect();
    Ok(Json(Paged { items: links, total }))
}

/// Ends a link to the portfolio.
#[endpoint(operation_id = "admin_end_portfolio_link", tags("admin"))]
pub async fn end(app: App, caller: Admin, peer: Peer, id: Key) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| end_at_desk(tx, (&caller, peer), &id.0)).await?;
    Ok(Deleted::default())
}

/// Where links to the portfolio begin, as far as the desk can say.
pub fn origin(app: &App, req: &Request) -> String {
    link_origin(app, req).unwrap_or_else(|_| site_origin(app, req))
}

/// Makes a link, and notes it. Gives its id.
///
/// # Errors
/// `CONFLICT` when there are too many.
pub fn share_at_desk(tx: &WriteTx, (caller, peer): (&Admin, Peer), new: NewPortfolioLink) -> Result<String> {
    let link = work::share(tx, new)?;
    note_about(tx, &caller.name, AuditAction::ShareLinkMade, peer.0, &link.id)?;
    Ok(link.id)
}

/// Ends a link, and notes it.
///
/// # Errors
/// `NOT_FOUND`.
pub fn end_at_desk(tx: &WriteTx, (caller, peer): (&Admin, Peer), id: &str) -> Result<()> {
    work::end(tx, id)?;
    note_about(tx, &caller.name, AuditAction::ShareLinkEnded, peer.0, id)
}

/// A link with its word, as the desk sees it, with the address of its page in `language`.
pub fn seen((link, token): (Link, String), origin: &str, language: Language) -> PortfolioLink {
    let Link { id, note: memo, created_at, expires_at, used_at, .. } = link;
    let url = format!("{origin}{}", address_of(&format!("/portfolio/{token}"), language));
    PortfolioLink { id, token, url, memo, created_at, expires_at, used_at }
}
