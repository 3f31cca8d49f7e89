//! The routes of the requests: the form, the link of the receipt, and the desk.

pub mod desk;

pub mod pages;

use chrono::Duration;
use salvo::http::header::ACCEPT_LANGUAGE;
use salvo::oapi::endpoint;
use salvo::{Request, Writer};

use super::model::{NewRequest, Received, RequestLanguage, Status, Tracked};
use super::store;
use super::work::{self, ContactSettings, Owner, Visit};
use hanok_base::Result;
use hanok_base::secret::random_token;
use hanok_platform::app::App;
use hanok_platform::auth::Pace;
use hanok_platform::http::{Answer, Anyone, Body, Created, IdempotencyKey, Json, Key, Peer, site_origin};
use hanok_platform::store::{Reads, WriteTx};

/// How often one address may send a request.
const PACE: Pace = Pace { what: "contact", most: 5, within: Duration::minutes(1) };

/// Takes a request: it is saved with the receipt to the customer and the notice to the owner. At most five a minute from
/// one address.
#[endpoint(operation_id = "contact_submit", tags("contact"))]
pub async fn submit(
    app: App,
    caller: Anyone,
    peer: Peer,
    key: IdempotencyKey,
    body: Body<NewRequest>,
    req: &mut Request,
) -> Answer<Created<Received>> {
    let visit = visit(&app, peer, req);
    Ok(Created(key.once(&app, &caller, |app| receive(app, body.0, visit)).await?))
}

/// A request as whoever has its link sees it.
#[endpoint(operation_id = "contact_track", tags("contact"))]
pub async fn track(app: App, _caller: Anyone, token: Key) -> Answer<Json<Tracked>> {
    Ok(Json(find_tracked(&app, token.0).await?))
}

/// Who sends `req`, and where the site is found.
pub fn visit(app: &App, peer: Peer, req: &Request) -> Visit {
    let accepted = req.headers().get(ACCEPT_LANGUAGE).and_then(|accepted| accepted.to_str().ok());
    let language = RequestLanguage::of_header(accepted.unwrap_or_default());
    Visit { address: peer.0, language, origin: site_origin(app, req) }
}

/// The write that saves what was sent, for [`IdempotencyKey::once`]. A request whose unseen field was filled in is answered
/// like any other, and counted; nothing of it is saved.
///
/// # Errors
/// `NOT_FOUND` while no requests are taken; `INVALID_INPUT` naming each refused field; `RATE_LIMITED`.
pub async fn receive(
    app: App,
    new: NewRequest,
    visit: Visit,
) -> Result<impl FnOnce(&WriteTx) -> Result<Received> + Send + 'static> {
    app.config.section::<ContactSettings>().check()?;
    let details = new.checked(visit.language)?;
    app.access.paces.admit(PACE, visit.address, app.clock.moment())?;
    let owner = Owner::of(&app.config)?;
    if details.is_none() {
        metrics::counter!("hanok_contact_decoys_total").increment(1);
    }
    Ok(move |tx: &WriteTx| match details {
        Some(details) => work::receive(tx, details, &owner, &visit.origin),
        None => Ok(as_if_received(tx, &visit.origin)),
    })
}

/// The request that the word opens.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn find_tracked(app: &App, token: String) -> Result<Tracked> {
    app.data
        .store
        .read_inline(move |tx| {
            let request = store::find_by_token(tx, &token)?;
            let moves = store::moves(tx, &request)?;
            Ok(request.tracked(moves))
        })
        .await
}

/// What is told of a request that is not one.
fn as_if_received(tx: &WriteTx, origin: &str) -> Received {
    let token = random_token(24);
    let track_url = format!("{origin}/contact/{token}");
    let id = uuid::Uuid::now_v7().to_string();
    Received { id, status: Status::Pending, public_token: token, track_url, created_at: tx.now() }
}
