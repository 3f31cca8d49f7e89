//! The routes of share links: made, listed and ended by who has the link of the receipt and at the desk, and what others see.

use chrono::{DateTime, NaiveDate, Utc};
use salvo::http::Method;
use salvo::oapi::endpoint;
use salvo::{Request, Writer};
use serde::Serialize;

use super::super::model::{self, Share, ShareMaker, ShareWanted, SharedRequest};
use super::super::store;
use super::super::work::shares::{self, NewShare};
use super::super::work::{by_link, decoys};
use super::reached;
use crate::admin::{AuditAction, note_about};
use crate::frame::address_of;
use hanok_base::Result;
use hanok_base::schema::ToSchema;
use hanok_platform::app::App;
use hanok_platform::auth::{self, RateLimit};
use hanok_platform::http::{Admin, Anyone, Checked, Created, Deleted, HandlerResult, Json, Key, Peer, site_origin};
use hanok_platform::mail::Language;
use hanok_platform::store::{ReadTransaction, WriteTx};

/// How often one address may make a share link by the link of a receipt.
pub const PACE: RateLimit = RateLimit { what: "contact_share", most: 10, within: chrono::Duration::minutes(1) };

/// A share link as who may end it sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ShareSeen {
    /// Its id.
    pub id: String,
    /// Who made it.
    pub by: ShareMaker,
    /// For whom it is; may be empty.
    pub label: String,
    /// The last day on which it opens the request.
    pub until: NaiveDate,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was used last, to the minute; null where it never was.
    pub used_at: Option<DateTime<Utc>>,
    /// The page that it opens, with its word.
    pub share_url: String,
}

/// The share links of a request.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharesSeen {
    /// Those that are good, newest first.
    pub shares: Vec<ShareSeen>,
}

/// Makes a share link by the link of the receipt. An `Idempotency-Key` is passed over: the word of a link is written down
/// nowhere.
#[endpoint(operation_id = "contact_share", tags("contact"))]
pub async fn add(
    app: App,
    _caller: Anyone,
    peer: Peer,
    token: Key,
    body: Checked<ShareWanted>,
    req: &mut Request,
) -> HandlerResult<Created<ShareSeen>> {
    let new = NewShare::of(body.0, ShareMaker::Customer);
    app.access.paces.admit(PACE, peer.0, app.clock.moment())?;
    let made = app.data.store.write(move |tx| by_link::share(tx, &token.0, new));
    let (share, language) = made.await?;
    Ok(Created(seen(share, &site_origin(&app, req), language)))
}

/// The share links of the request that the link of the receipt opens.
#[endpoint(operation_id = "contact_shares", tags("contact"))]
pub async fn list(app: App, _caller: Anyone, token: Key, req: &mut Request) -> HandlerResult<Json<SharesSeen>> {
    let origin = site_origin(&app, req);
    let (shares, language) = app.data.store.read_inline(move |tx| by_link::shares(tx, &token.0)).await?;
    Ok(Json(SharesSeen { shares: shares.into_iter().map(|share| seen(share, &origin, language)).collect() }))
}

/// Ends a share link by the link of the receipt.
#[endpoint(operation_id = "contact_end_share", tags("contact"))]
pub async fn end(app: App, _caller: Anyone, token: Key, share: Key) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| by_link::end_share(tx, &token.0, &share.0)).await?;
    Ok(Deleted::default())
}

/// A request as others see it by a share link, who can change nothing.
#[endpoint(operation_id = "shared_contact", tags("contact"))]
pub async fn find(app: App, _caller: Anyone, token: Key, req: &mut Request) -> HandlerResult<Json<SharedRequest>> {
    Ok(Json(find_shared(&app, token.0, req).await?))
}

/// Makes a share link at the desk. An `Idempotency-Key` is passed over: the word of a link is written down nowhere.
#[endpoint(operation_id = "admin_share_contact", tags("admin"))]
pub async fn add_at_desk(
    app: App,
    caller: Admin,
    peer: Peer,
    id: Key,
    body: Checked<ShareWanted>,
    req: &mut Request,
) -> HandlerResult<Created<ShareSeen>> {
    let (new, reached) = (NewShare::of(body.0, ShareMaker::Admin), reached(&app, req));
    let made = app.data.store.write(move |tx| {
        let share = share_at_desk(tx, (&caller, peer), &id.0, new)?;
        let request = store::find(tx, &id.0)?;
        Ok(seen(share, reached.shown(), request.details.language))
    });
    Ok(Created(made.await?))
}

/// The share links of a request.
#[endpoint(operation_id = "admin_contact_shares", tags("admin"))]
pub async fn list_at_desk(app: App, _caller: Admin, id: Key, req: &mut Request) -> HandlerResult<Json<SharesSeen>> {
    let reached = reached(&app, req);
    let found = app.data.store.read_inline(move |tx| {
        let request = store::find(tx, &id.0)?;
        seen_of(tx, &request, reached.shown(), request.details.language)
    });
    Ok(Json(SharesSeen { shares: found.await? }))
}

/// Ends a share link at the desk, whoever made it.
#[endpoint(operation_id = "admin_end_contact_share", tags("admin"))]
pub async fn end_at_desk(app: App, caller: Admin, peer: Peer, id: Key, share: Key) -> HandlerResult<Deleted> {
    let ended = app.data.store.write(move |tx| end_share_at_desk(tx, (&caller, peer), &id.0, &share.0));
    ended.await?;
    Ok(Deleted::default())
}

/// Makes a share link at the desk, and notes it.
///
/// # Errors
/// `NOT_FOUND`; those of [`shares::share`].
pub fn share_at_desk(tx: &WriteTx, (caller, peer): (&Admin, Peer), id: &str, new: NewShare) -> Result<Share> {
    let made = shares::share(tx, &store::find(tx, id)?, new)?;
    note_about(tx, &caller.name, AuditAction::RequestShared, peer.0, id)?;
    Ok(made)
}

/// Ends a share link at the desk, and notes it.
///
/// # Errors
/// `NOT_FOUND`.
pub fn end_share_at_desk(tx: &WriteTx, (caller, peer): (&Admin, Peer), id: &str, share: &str) -> Result<()> {
    shares::end_share(tx, &store::find(tx, id)?, share)?;
    note_about(tx, &caller.name, AuditAction::RequestShareEnded, peer.0, id)
}

/// The request that the word of a share link opens; that it was used is noted.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn find_shared(app: &App, word: String, req: &Request) -> Result<SharedRequest> {
    if let Some(decoy) = decoys::find_shared(&word, app.clock.now()) {
        return Ok(decoy);
    }
    let (shared, link) = app.data.store.read_inline(move |tx| shares::find_shared(tx, &word)).await?;
    // Who asks for the head alone has not looked at it.
    if *req.method() != Method::HEAD && link.is_used_anew(app.clock.now()) {
        // On a full disk it is seen all the same; only the time of its last use stays old.
        let _ = app.data.store.write(move |tx| auth::note_use(tx, &link.id)).await;
    }
    Ok(shared)
}

/// The share links of the request, with the addresses of their pages in `language`.
///
/// # Errors
/// Those of reading.
pub fn seen_of(
    tx: &impl ReadTransaction,
    request: &model::Request,
    origin: &str,
    language: Language,
) -> Result<Vec<ShareSeen>> {
    Ok(shares::shares(tx, request)?.into_iter().map(|share| seen(share, origin, language)).collect())
}

/// The share link as who may end it sees it, with the address of its page in `language`.
pub fn seen(share: Share, origin: &str, language: Language) -> ShareSeen {
    let Share { id, by, label, until, created_at, used_at, word } = share;
    let share_url = format!("{origin}{}", address_of(&format!("/shared/{word}"), language));
    ShareSeen { id, by, label, until, created_at, used_at, share_url }
}
