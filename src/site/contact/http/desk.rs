//! The desk: requests as those see them who keep the shop, moved from state to state, noted upon, found by words.

pub mod pages;

use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Writer};
use serde::{Deserialize, Serialize};

use super::super::model::{self, NewNote, Note, RequestChange, Status, StatusChange};
use super::super::store;
use super::super::work::{self, Desk, follow, shares};
use super::reached;
use crate::admin::{AuditAction, note_about};
use hanok_base::error::Check;
use hanok_base::page::{Limit, Offset};
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::validated::Unchecked;
use hanok_base::{Page, Result, Validated};
use hanok_platform::app::App;
use hanok_platform::http::{
    Admin, Checked, Created, Deleted, HandlerResult, Id, IdempotencyKey, Json, Key, Peer, Query, forget_answers_about,
    link_origin, tx_op,
};
use hanok_platform::store::{ReadTransaction, WriteTx};

/// How many requests a list gives when nobody says otherwise.
const USUAL: u64 = 50;

/// Which requests are wanted.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct RequestsWanted {
    /// Words or parts of words that they say, in any order; then the best stand first.
    pub q: Option<Validated<Text<1, 200>>>,
    /// Only in this state; left out it is all.
    pub status: Option<Validated<Unchecked<Status>>>,
    /// How many; left out it is 50.
    pub limit: Option<Validated<Limit>>,
    /// How many to pass over first.
    pub offset: Option<Validated<Offset>>,
}

/// Requests.
#[derive(Debug, Serialize, ToSchema)]
pub struct Requests {
    /// Newest first; those that were found by words, the best first.
    pub contacts: Vec<model::Request>,
    /// How many there are on all pages.
    pub total: u64,
    /// How many are in each state, whatever is asked for.
    pub counts: Vec<StatusCount>,
    /// Whether everything that came in before this was asked has been looked at; otherwise the index of words is behind.
    pub complete: bool,
}

/// How many requests are in a state.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatusCount {
    /// The state.
    pub status: Status,
    /// How many.
    pub count: u64,
}

/// A request with everything that belongs to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct RequestAtDesk {
    /// The request.
    #[serde(flatten)]
    pub request: model::Request,
    /// The states that it may be moved to.
    pub next: Vec<Status>,
    /// The state to which its latest step leads back when it is taken back; null where nothing was done since it came in.
    pub undo: Option<Status>,
    /// How it was moved, the first move first.
    pub history: Vec<StatusChange>,
    /// What is noted of it, newest first. The customer never sees it.
    pub notes: Vec<Note>,
    /// Whether the customer can follow it by a link.
    pub has_link: bool,
}

/// The link by which a customer follows a request.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct RequestLink {
    /// The page, with the word that opens it. It is shown this once: only its hash is kept.
    pub track_url: String,
}

/// Requests, of one state or of all, or those that are found by words.
#[endpoint(operation_id = "admin_contacts", tags("admin"))]
pub async fn list(app: App, _caller: Admin, wanted: Query<RequestsWanted>) -> HandlerResult<Json<Requests>> {
    let RequestsWanted { q, status, limit, offset } = wanted.0;
    let (q, status, page) = Check::of(|check| {
        let q = q.map(|q| check.take("q", q));
        let status = status.and_then(|status| check.find("status", status));
        (q, status, Page::take(check, limit, offset, USUAL))
    })?;
    Ok(Json(find_wanted(&app, q, status, page).await?))
}

/// The requests of a state, or of any; those that say the words, where there are some.
///
/// # Errors
/// Those of the store and of the index.
pub async fn find_wanted(app: &App, words: Option<String>, status: Option<Status>, page: Page) -> Result<Requests> {
    let found = match words {
        Some(words) => Some(work::search(app, &words, status, page).await?),
        None => None,
    };
    let listed = app.data.store.read(move |tx| {
        let counts = store::counts(tx)?;
        let counts = Status::ALL.map(|status| StatusCount { status, count: counts.of(status) }).into();
        let Some(found) = found else {
            let (contacts, total) = store::list(tx, status, page)?;
            return Ok(Requests { contacts, total, counts, complete: true });
        };
        let numbers = found.hits.iter().map(|hit| hit.document.id).collect();
        let contacts = store::numbered(tx, numbers)?;
        Ok(Requests { contacts, total: found.total, counts, complete: found.is_fresh })
    });
    listed.await
}

/// A request with its moves and notes.
#[endpoint(operation_id = "admin_contact", tags("admin"))]
pub async fn find(app: App, _caller: Admin, id: Key) -> HandlerResult<Json<RequestAtDesk>> {
    Ok(Json(app.data.store.read(move |tx| at_desk(tx, &id.0)).await?))
}

/// Moves a request to another state, which the customer is told by mail and in a connected chat. Or, with `undo`, takes its
/// latest step back, which the customer is told there only with a `message`; what waits to be sent of that step is not sent.
#[endpoint(operation_id = "admin_move_contact", tags("admin"))]
pub async fn change(
    app: App,
    caller: Admin,
    peer: Peer,
    id: Key,
    body: Checked<RequestChange>,
    req: &mut Request,
) -> HandlerResult<Json<RequestAtDesk>> {
    let desk = Desk::of(&app, &caller.name, link_origin(&app, req).ok());
    let RequestChange { status, message, undo } = body.0;
    let moved = app.data.store.write(move |tx| {
        let step = if undo { undo_at_desk } else { move_at_desk };
        step(tx, (&desk, peer), &id.0, status, &message)?;
        at_desk(tx, &id.0)
    });
    Ok(Json(moved.await?))
}

/// Moves a request to another state, and notes that.
///
/// # Errors
/// As for [`work::move_on`].
pub fn move_at_desk(tx: &WriteTx, (desk, peer): (&Desk, Peer), id: &str, to: Status, message: &str) -> Result<()> {
    work::move_on(tx, desk, id, to, message)?;
    note_about(tx, desk.by(), AuditAction::RequestMoved, peer.0, id)
}

/// Takes back the latest step of a request, and notes that.
///
/// # Errors
/// As for [`work::undo`].
pub fn undo_at_desk(tx: &WriteTx, (desk, peer): (&Desk, Peer), id: &str, to: Status, message: &str) -> Result<()> {
    work::undo(tx, desk, id, to, message)?;
    note_about(tx, desk.by(), AuditAction::RequestMoveUndone, peer.0, id)
}

/// Removes a request with its notes, moves and link: what a customer may ask for by law.
#[endpoint(operation_id = "admin_remove_contact", tags("admin"))]
pub async fn remove(app: App, caller: Admin, peer: Peer, id: Key) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| remove_at_desk(tx, (&caller, peer), &id.0)).await?;
    Ok(Deleted::default())
}

/// Removes a request with the answers that are kept for who sends it again, and notes that.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove_at_desk(tx: &WriteTx, (caller, peer): (&Admin, Peer), id: &str) -> Result<()> {
    shares::remove(tx, id)?;
    forget_answers_about(tx, id)?;
    note_about(tx, &caller.name, AuditAction::RequestRemoved, peer.0, id)
}

/// Notes something of a request; the customer never sees it.
#[endpoint(operation_id = "admin_note_contact", tags("admin"))]
pub async fn add_note(
    app: App,
    caller: Admin,
    peer: Peer,
    key: IdempotencyKey,
    id: Key,
    body: Checked<NewNote>,
) -> HandlerResult<Created<Note>> {
    let NewNote { text } = body.0;
    let by = caller.name.clone();
    let noted = tx_op(move |tx| {
        let note = store::add_note(tx, &id.0, text, &by)?;
        note_about(tx, &by, AuditAction::RequestNoted, peer.0, &id.0)?;
        Ok(note)
    });
    Ok(Created(key.once(&app, &caller, noted).await?))
}

/// Removes a note.
#[endpoint(operation_id = "admin_remove_contact_note", tags("admin"))]
pub async fn remove_note(app: App, caller: Admin, peer: Peer, id: Key, note: Id) -> HandlerResult<Deleted> {
    let removed = app.data.store.write(move |tx| {
        store::remove_note(tx, &id.0, note.0)?;
        note_about(tx, &caller.name, AuditAction::RequestNoteRemoved, peer.0, &id.0)
    });
    removed.await?;
    Ok(Deleted::default())
}

/// Gives the customer's link anew, for who has lost it; the one before opens nothing any more. An `Idempotency-Key` is passed
/// over: the word of the link is written down nowhere, so it cannot be given again.
#[endpoint(operation_id = "admin_renew_contact_link", tags("admin"))]
pub async fn renew_link(
    app: App,
    caller: Admin,
    peer: Peer,
    id: Key,
    req: &mut Request,
) -> HandlerResult<Created<RequestLink>> {
    let reached = reached(&app, req);
    let renewed = app.data.store.write(move |tx| {
        let token = shares::renew_link(tx, &id.0)?;
        note_about(tx, &caller.name, AuditAction::RequestLinkRenewed, peer.0, &id.0)?;
        let request = store::find(tx, &id.0)?;
        let language = request.details.language;
        Ok(RequestLink { track_url: follow::page_at(reached.shown(), &token, language) })
    });
    Ok(Created(renewed.await?))
}

/// Ends the customer's link.
#[endpoint(operation_id = "admin_end_contact_link", tags("admin"))]
pub async fn end_link(app: App, caller: Admin, peer: Peer, id: Key) -> HandlerResult<Deleted> {
    let ended = app.data.store.write(move |tx| {
        shares::end_link(tx, &id.0)?;
        note_about(tx, &caller.name, AuditAction::RequestLinkEnded, peer.0, &id.0)
    });
    ended.await?;
    Ok(Deleted::default())
}

/// The request of this id with everything that belongs to it.
///
/// # Errors
/// `NOT_FOUND`.
pub fn at_desk(tx: &impl ReadTransaction, id: &str) -> Result<RequestAtDesk> {
    let request = store::find(tx, id)?;
    let (history, notes) = (store::history(tx, &request)?, store::notes(tx, &request)?);
    let undo = model::undo_of(&history);
    Ok(RequestAtDesk { next: request.next(), has_link: store::has_link(tx, &request)?, undo, history, notes, request })
}
