//! The routes of the requests: the form, the link of the receipt, and the desk.

pub mod desk;

pub mod pages;
pub mod shares;

use chrono::Duration;
use salvo::http::header::ACCEPT_LANGUAGE;
use salvo::oapi::endpoint;
use salvo::{Request, Writer};

use super::model::{NewRequest, Received, Tracked, language_of};
use super::store;
use super::work::follow::Reached;
use super::work::{self, ContactSettings, Owner, Visit, decoys, follow};
use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::auth::{self, RateLimit};
use hanok_platform::http::{
    Anyone, Checked, Created, HandlerResult, IdempotencyKey, Json, Key, Peer, link_origin, site_origin,
};
use hanok_platform::store::{ReadTransaction, WriteTx};

/// How often one address may send a request.
const PACE: RateLimit = RateLimit { what: "contact", most: 5, within: Duration::minutes(1) };
/// And within an hour, so that one address alone does not use up what is taken in all.
const PACE_OF_HOUR: RateLimit = RateLimit { what: "contact_of_hour", most: 20, within: Duration::hours(1) };
/// How many requests are taken in all, as the settings say.
const OF_ALL: RateLimit = RateLimit { what: "contact_of_all", most: 0, within: Duration::hours(1) };
/// How many receipts one address of mail gets, whoever names it. What comes beyond is taken without one.
const RECEIPTS: RateLimit = RateLimit { what: "contact_receipts", most: 5, within: Duration::days(1) };

/// Takes a request: it is saved with the receipt to the customer and the notice to the owner. At most five a minute from
/// one address.
#[endpoint(operation_id = "contact_submit", tags("contact"))]
pub async fn submit(
    app: App,
    caller: Anyone,
    peer: Peer,
    key: IdempotencyKey,
    body: Checked<NewRequest>,
    req: &mut Request,
) -> HandlerResult<Created<Received>> {
    app.config.section::<ContactSettings>().check()?;
    let visit = visit(&app, peer, req)?;
    Ok(Created(key.once(&app, &caller, |app| receive(app, body.0, visit)).await?))
}

/// A request as whoever has its link sees it.
#[endpoint(operation_id = "contact_track", tags("contact"))]
pub async fn track(app: App, _caller: Anyone, token: Key) -> HandlerResult<Json<Tracked>> {
    Ok(Json(find_tracked(&app, token.0).await?))
}

/// Who sends `req`, and where the site is found.
///
/// # Errors
/// `NOT_CONFIGURED` where nobody has said how customers reach the site: no receipt could lead to it.
pub fn visit(app: &App, peer: Peer, req: &Request) -> Result<Visit> {
    let accepted = req.headers().get(ACCEPT_LANGUAGE).and_then(|accepted| accepted.to_str().ok());
    let language = language_of(accepted.unwrap_or_default());
    Ok(Visit { address: peer.0, language, origin: link_origin(app, req)? })
}

/// Where the site is reached, as far as the desk can say that asks by `req`.
pub fn reached(app: &App, req: &Request) -> Reached {
    Reached { address: link_origin(app, req).ok(), here: site_origin(app, req) }
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
    let settings = app.config.section::<ContactSettings>();
    settings.check()?;
    let (details, is_person) = new.into_details(visit.language);
    let (paces, now) = (&app.access.paces, app.clock.moment());
    paces.admit(PACE, visit.address, now)?;
    if settings.per_hour > 0 && is_person {
        paces.admit(PACE_OF_HOUR, visit.address, now)?;
        paces.admit_to(RateLimit { most: settings.per_hour as usize, ..OF_ALL }, "", now)?;
    }
    let owner = Owner::of(&app.config)?;
    if !is_person {
        metrics::counter!("hanok_contact_decoys_total").increment(1);
    }
    let gets_receipt = is_person && paces.admit_to(RECEIPTS, &auth::known_as(&details.email), now).is_ok();
    Ok(move |tx: &WriteTx| {
        if is_person {
            work::receive(tx, details, &owner, &visit.origin, gets_receipt)
        } else {
            Ok(decoys::receive(tx.now(), details, &visit.origin))
        }
    })
}

/// The request that the word opens.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn find_tracked(app: &App, token: String) -> Result<Tracked> {
    if let Some(decoy) = decoys::find(&token) {
        return Ok(decoy);
    }
    let found = app.data.store.read_inline(move |tx| {
        let request = follow::find_by_token(tx, &token)?;
        let history = store::history(tx, &request)?;
        Ok(request.tracked(history))
    });
    found.await
}
