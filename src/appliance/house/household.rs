//! The routes of the household's access: whether one is signed in, signing in and out, the set-up link, devices.

use chrono::{DateTime, Utc};
use salvo::oapi::endpoint;
use salvo::{Request, Response, Writer};
use serde::{Deserialize, Serialize};

use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::sent::Any;
use hanok_base::{Error, Kind, Result, Secret, Sent};
use hanok_platform::app::App;
use hanok_platform::auth::{self, AccessMode, Passphrase};
use hanok_platform::http::{Answer, Anyone, Body, Deleted, Done, Household, Id, Json, Peer};

/// How the door is kept and whether the caller is in.
#[derive(Debug, Serialize, ToSchema)]
pub struct HouseholdState {
    /// `loopback`, `passphrase` or `open`.
    pub access: String,
    /// Whether the caller may use the door.
    pub signed_in: bool,
    /// Whether a passphrase is set.
    pub passphrase_set: bool,
    /// The program's version.
    pub version: String,
}

/// A sign-in.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SignIn {
    /// The household passphrase.
    pub passphrase: Sent<Any<String>>,
}

/// A first passphrase, by the one-time link.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Setup {
    /// The word of the link.
    pub token: Sent<Any<String>>,
    /// The new passphrase, 8 to 200 characters.
    pub passphrase: Sent<Passphrase>,
}

/// Devices that are signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sessions {
    /// Newest first.
    pub sessions: Vec<Session>,
}

/// A device that is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct Session {
    /// A number to name it by.
    pub id: u64,
    /// When it signed in.
    pub created_at: DateTime<Utc>,
    /// When it was last seen, to the hour.
    pub last_seen_at: DateTime<Utc>,
    /// What the browser calls itself.
    pub agent: String,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// Whether the caller is in. Answered without sign-in.
#[endpoint(operation_id = "household_state", tags("household"))]
pub async fn state(app: App, _caller: Anyone, req: &mut Request) -> Answer<Json<HouseholdState>> {
    let passphrase = app.data.store.read(|tx| auth::is_passphrase_set(tx)).await?;
    let access = match app.access.household.mode {
        AccessMode::Loopback => "loopback",
        AccessMode::Passphrase => "passphrase",
        AccessMode::Open => "open",
    };
    Ok(Json(HouseholdState {
        access: access.to_owned(),
        signed_in: Household::find(&app, req).await?.is_some(),
        passphrase_set: passphrase.is_some(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }))
}

/// Signs in with the passphrase; the answer sets the session cookie.
#[endpoint(operation_id = "household_sign_in", tags("household"))]
pub async fn sign_in(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Body<SignIn>,
    req: &mut Request,
    res: &mut Response,
) -> Answer<Done> {
    let passphrase = Secret::new(Check::of(|check| check.take("passphrase", body.0.passphrase))?);
    let stored = app.data.store.read(|tx| auth::is_passphrase_set(tx)).await?;
    let stored = stored.ok_or_else(|| Error::conflict("no passphrase is set"))?;
    app.access.household.guesses.admit(peer.0, app.clock.now())?;
    if !auth::matches(passphrase, stored).await? {
        return Err(Error::new(Kind::Unauthorized, "this is not the household passphrase").into());
    }
    app.access.household.guesses.succeeded(peer.0, app.clock.now());
    let agent = agent_of(req);
    Household::keep_cookie(&app, req, res, begin_session(&app, agent).await?);
    Ok(Done::default())
}

/// On a full disk the household still comes in: the session waits in memory until it can be written.
async fn begin_session(app: &App, agent: String) -> Result<String> {
    let written = agent.clone();
    match app.data.store.write(move |tx| auth::add_session(tx, &written)).await {
        Err(error) if error.kind == Kind::StorageFull => {
            Ok(app.access.household.unwritten.add(&agent, app.clock.now()))
        }
        begun => begun,
    }
}

/// Ends the caller's session.
#[endpoint(operation_id = "household_sign_out", tags("household"))]
pub async fn sign_out(app: App, caller: Household, req: &mut Request, res: &mut Response) -> Answer<Done> {
    if let Some(token) = caller.token {
        let was_unwritten = app.access.household.unwritten.end(&token);
        let ended = app.data.store.write(move |tx| auth::end_session(tx, &token)).await;
        ended.or_else(|error| if was_unwritten && error.kind == Kind::StorageFull { Ok(()) } else { Err(error) })?;
    }
    Household::end_cookie(&app, req, res);
    Ok(Done::default())
}

/// Sets the first passphrase by the one-time link that `serve` prints.
#[endpoint(operation_id = "household_setup", tags("household"))]
pub async fn setup(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Body<Setup>,
    req: &mut Request,
    res: &mut Response,
) -> Answer<Done> {
    let Setup { token, passphrase } = body.0;
    let (token, passphrase) = Check::of(|check| (check.take("token", token), check.take("passphrase", passphrase)))?;
    app.access.household.guesses.admit(peer.0, app.clock.now())?;
    let asked = token.clone();
    app.data.store.read(move |tx| auth::check_setup_token(tx, &asked)).await?;
    // Hashing is costly: only for who holds the link.
    let hashed = auth::hash(passphrase).await?;
    let agent = agent_of(req);
    let written = app.data.store.write(move |tx| {
        auth::take_setup_token(tx, &token)?;
        auth::set_passphrase(tx, &hashed)?;
        auth::add_session(tx, &agent)
    });
    let token = written.await?;
    app.access.household.guesses.succeeded(peer.0, app.clock.now());
    Household::keep_cookie(&app, req, res, token);
    Ok(Done::default())
}

/// The devices that are signed in.
#[endpoint(operation_id = "household_sessions", tags("household"))]
pub async fn sessions(app: App, caller: Household) -> Answer<Json<Sessions>> {
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
    let listed = all.into_iter().map(|session| Session {
        current: Some(session.id) == current,
        id: session.id,
        created_at: session.created_at,
        last_seen_at: session.last_seen_at,
        agent: session.agent,
    });
    Ok(Json(Sessions { sessions: listed.collect() }))
}

/// Signs a device out.
#[endpoint(operation_id = "household_end_session", tags("household"))]
pub async fn end_session(app: App, _caller: Household, id: Id) -> Answer<Deleted> {
    let ended = app.data.store.write(move |tx| auth::end_session_by_id(tx, id.0)).await?;
    if ended { Ok(Deleted::default()) } else { Err(Error::not_found("session").into()) }
}

fn agent_of(req: &Request) -> String {
    let agent = req.headers().get("user-agent").and_then(|value| value.to_str().ok());
    agent.unwrap_or("unknown").chars().filter(|c| !c.is_control()).collect()
}
