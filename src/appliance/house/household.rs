//! The routes of the household's access: whether one is signed in, signing in and out, the set-up link, devices.

use std::net::IpAddr;
use std::sync::Arc;

use salvo::oapi::endpoint;
use salvo::{Request, Response, Writer};
use serde::{Deserialize, Serialize};

use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::validated::Unchecked;
use hanok_base::{Error, Kind, MessageTemplate, Result, Secret, Validated};
use hanok_platform::app::App;
use hanok_platform::auth::{self, AccessMode, Passphrase};
use hanok_platform::http::{
    Anyone, Body, Deleted, Device, Devices, Done, HandlerResult, Household, Id, Json, Peer, agent_of,
};
use hanok_platform::store::{StorageState, WriteTx};

const CHANGED_MEANWHILE: MessageTemplate =
    MessageTemplate::new("house.passphrase_changed_meanwhile", "the passphrase has been changed meanwhile");
const FIRST_ON_THE_MACHINE: MessageTemplate = MessageTemplate::new(
    "house.first_passphrase_on_the_machine",
    "the first passphrase is set on the machine itself: `hanok household passphrase`",
);
const NOT_THE_PRESENT: MessageTemplate =
    MessageTemplate::new("house.not_the_present_passphrase", "this is not the present household passphrase");
const NO_PASSPHRASE: MessageTemplate = MessageTemplate::new("house.no_passphrase", "no passphrase is set");
const WRONG_PASSPHRASE: MessageTemplate =
    MessageTemplate::new("house.wrong_passphrase", "this is not the household passphrase");

/// How the door is kept and whether the caller is in.
#[derive(Debug, Serialize, ToSchema)]
pub struct HouseholdState {
    /// How the door is kept for the caller: `loopback`, `passphrase` (also on loopback for whom a proxy brings) or `open`.
    pub access: String,
    /// Whether the caller may use the door.
    pub signed_in: bool,
    /// Whether a passphrase is set; true also where a damaged store does not say.
    pub passphrase_set: bool,
    /// The program's version.
    pub version: String,
}

/// A sign-in.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SignIn {
    /// The household passphrase.
    pub passphrase: Validated<Unchecked<String>>,
}

/// A first passphrase, by the one-time link.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Setup {
    /// The word of the link.
    pub token: Validated<Unchecked<String>>,
    /// The new passphrase, 8 to 200 characters.
    pub passphrase: Validated<Passphrase>,
}

/// Another passphrase.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PassphraseChange {
    /// The present one; left out where none is set yet.
    pub present: Option<Validated<Unchecked<String>>>,
    /// The new one, 8 to 200 characters.
    pub passphrase: Validated<Passphrase>,
}

/// Whether the caller is in. Answered without sign-in.
#[endpoint(operation_id = "household_state", tags("household"))]
pub async fn state(app: App, _caller: Anyone, req: &mut Request) -> HandlerResult<Json<HouseholdState>> {
    let signed_in = Household::find(&app, req).await?.is_some();
    let passphrase_set = match app.data.store.read(|tx| auth::is_passphrase_set(tx)).await {
        // Whoever is in without one still comes to the page on which a backup is put back.
        Err(_) if signed_in && app.data.store.state() == StorageState::Damaged => true,
        passphrase => passphrase?.is_some(),
    };
    let access = match Household::access(&app, req) {
        AccessMode::Loopback => "loopback",
        AccessMode::Passphrase => "passphrase",
        AccessMode::Open => "open",
    };
    Ok(Json(HouseholdState {
        access: access.to_owned(),
        signed_in,
        passphrase_set,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }))
}

/// Signs in with the passphrase; the answer sets the session cookie. An `Idempotency-Key` is passed over: the cookie is
/// written down nowhere, so it cannot be given again, and who signs in twice has two sessions.
#[endpoint(operation_id = "household_sign_in", tags("household"))]
pub async fn sign_in(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Body<SignIn>,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Done> {
    let passphrase = Secret::new(Check::of(|check| check.take("passphrase", body.0.passphrase))?);
    let stored = app.data.store.read(|tx| auth::is_passphrase_set(tx)).await?;
    let stored = stored.ok_or_else(|| Error::conflict(NO_PASSPHRASE))?;
    app.access.household.guesses.admit(peer.0, app.clock.moment())?;
    if !auth::matches(passphrase, stored).await? {
        return Err(Error::new(Kind::Unauthorized, WRONG_PASSPHRASE).into());
    }
    app.access.household.guesses.succeeded(peer.0, app.clock.now());
    let agent = agent_of(req);
    Household::keep_cookie(&app, req, res, begin_session(&app, agent, peer.0).await?);
    Ok(Done::default())
}

/// Does `write`, which sets another passphrase, to its end, whoever waits for it. Sessions that wait for room on the disk
/// end, too.
///
/// # Errors
/// Those of `write`.
pub async fn set_passphrase_by<T: Send + 'static>(
    app: &App,
    write: impl FnOnce(&WriteTx) -> Result<T> + Send + 'static,
) -> Result<T> {
    let unwritten = Arc::clone(&app.access.household.unwritten);
    let then = move || {
        unwritten.end_all();
    };
    auth::set_and_note(&app.data.store, &app.workers.claims, then, write).await
}

/// On a full disk, and while the store is out of its place, the household still comes in: the session waits in memory until it can be written.
async fn begin_session(app: &App, agent: String, address: IpAddr) -> Result<String> {
    let written = agent.clone();
    match app.data.store.write(move |tx| auth::add_session(tx, &written, address)).await {
        Err(error) if error.kind.is_want_of_storage() => {
            Ok(app.access.household.unwritten.add(&agent, address, app.clock.now()))
        }
        begun => begun,
    }
}

/// Ends the session that the caller sends, also where the door asks for none. An `Idempotency-Key` is passed over: who asks
/// again has no session any more.
#[endpoint(operation_id = "household_sign_out", tags("household"))]
pub async fn sign_out(app: App, _caller: Household, req: &mut Request, res: &mut Response) -> HandlerResult<Done> {
    if let Some(token) = Household::sent_token(req) {
        // Of its own beside those of the other door: this session may wait in memory for room on the disk.
        let was_unwritten = app.access.household.unwritten.end(&token);
        let ended = app.data.store.write(move |tx| auth::end_session(tx, &token)).await;
        ended.or_else(|error| if was_unwritten && error.kind.is_want_of_storage() { Ok(()) } else { Err(error) })?;
    }
    Household::end_cookie(&app, req, res);
    Ok(Done::default())
}

/// Sets the first passphrase by the one-time link that `serve` prints. An `Idempotency-Key` is passed over: the link works
/// once, and the cookie of the answer is written down nowhere.
#[endpoint(operation_id = "household_setup", tags("household"))]
pub async fn setup(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Body<Setup>,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Done> {
    let Setup { token, passphrase } = body.0;
    let (token, passphrase) = Check::of(|check| (check.take("token", token), check.take("passphrase", passphrase)))?;
    app.access.household.guesses.admit(peer.0, app.clock.moment())?;
    let (asked, links, now) = (token.clone(), app.access.household.setup.clone(), app.clock.moment());
    app.data.store.read(move |tx| links.check(tx, &asked, now)).await?;
    // Hashing is costly: only for who holds the link.
    let hashed = auth::hash(passphrase).await?;
    let (agent, links, now) = (agent_of(req), app.access.household.setup.clone(), app.clock.moment());
    let written = set_passphrase_by(&app, move |tx| {
        links.take(tx, &token, now)?;
        auth::set_passphrase(tx, &hashed)?;
        auth::add_session(tx, &agent, peer.0)
    });
    let token = written.await?;
    app.access.household.guesses.succeeded(peer.0, app.clock.now());
    Household::keep_cookie(&app, req, res, token);
    Ok(Done::default())
}

/// Sets another passphrase, by who knows the present one. Every session ends but the caller's. The first passphrase is set
/// like this, too, on the machine itself.
#[endpoint(operation_id = "household_passphrase_change", tags("household"))]
pub async fn change_passphrase(
    app: App,
    caller: Household,
    peer: Peer,
    body: Body<PassphraseChange>,
) -> HandlerResult<Done> {
    let PassphraseChange { present, passphrase } = body.0;
    let (present, passphrase) = Check::of(|check| {
        (present.map(|present| check.take("present", present)), check.take("passphrase", passphrase))
    })?;
    let stored = app.data.store.read(|tx| auth::is_passphrase_set(tx)).await?;
    check_present(&app, peer.0, present, stored.clone()).await?;
    let hashed = auth::hash(passphrase).await?;
    let written = set_passphrase_by(&app, move |tx| {
        if auth::is_passphrase_set(tx)? != stored {
            return Err(Error::conflict(CHANGED_MEANWHILE));
        }
        auth::change_passphrase(tx, &hashed, caller.token.as_deref())
    });
    written.await?;
    Ok(Done::default())
}

/// Whether the caller may set another passphrase: who knows the present one, and where none is set who sits at this machine.
async fn check_present(app: &App, peer: IpAddr, present: Option<String>, stored: Option<String>) -> Result<()> {
    let Some(stored) = stored else {
        return match app.access.household.mode {
            AccessMode::Loopback => Ok(()),
            _ => Err(Error::conflict(FIRST_ON_THE_MACHINE)),
        };
    };
    let refused = || Error::new(Kind::Forbidden, NOT_THE_PRESENT);
    let present = present.ok_or_else(refused)?;
    app.access.household.guesses.admit(peer, app.clock.moment())?;
    if !auth::matches(Secret::new(present), stored).await? {
        return Err(refused());
    }
    app.access.household.guesses.succeeded(peer, app.clock.now());
    Ok(())
}

/// The devices that are signed in.
#[endpoint(operation_id = "household_sessions", tags("household"))]
pub async fn sessions(app: App, caller: Household) -> HandlerResult<Json<Devices>> {
    let (all, current) = app
        .data
        .store
        .read(move |tx| {
            let current = match &caller.token {
                Some(token) => auth::find_session(tx, token)?.map(|session| session.id),
                None => None,
            };
            Ok((auth::list_sessions(tx)?, current))
        })
        .await?;
    let listed = all.into_iter().map(|session| Device {
        current: Some(session.id) == current,
        id: session.id,
        created_at: session.created_at,
        last_seen_at: session.last_seen_at,
        agent: session.agent,
    });
    Ok(Json(Devices { sessions: listed.collect() }))
}

/// Signs a device out.
#[endpoint(operation_id = "household_end_session", tags("household"))]
pub async fn end_session(app: App, _caller: Household, id: Id) -> HandlerResult<Deleted> {
    let ended = app.data.store.write(move |tx| auth::end_session_by_id(tx, id.0)).await?;
    if ended { Ok(Deleted::default()) } else { Err(Error::not_found("session").into()) }
}
