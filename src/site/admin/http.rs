//! The routes of those who keep the shop.

pub mod pages;
pub mod second_step;

use salvo::oapi::endpoint;
use salvo::{Request, Response, Writer};
use serde::Serialize;

use super::model::{AuditAction, AuditEntry, Name};
use super::store;
use super::work::{self, Device};
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::{Error, Result, Secret};
use hanok_platform::app::App;
use hanok_platform::auth::{ADMINS, Passphrase};
use hanok_platform::http::{
    Admin, Anyone, Checked, Deleted, Devices, Done, HandlerResult, Id, Json, Paging, Peer, Query, agent_of,
};

/// A sign-in.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct AdminSignIn {
    /// The name of the admin.
    #[field(Name)]
    pub name: String,
    /// The password.
    pub password: String,
}

/// A password set by a set-up link.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct AdminSetup {
    /// The word of the link that `hanok admin create` gives out.
    #[field(Text<1, 200>)]
    pub token: String,
    /// The new password.
    #[field(Passphrase)]
    pub password: Secret,
}

/// How far a sign-in has come.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminCome {
    /// Always true.
    pub ok: bool,
    /// Whether a code is still asked for, at `/api/admin/sign-in/code` within ten minutes: then nobody is signed in yet.
    pub asks_for_code: bool,
}

/// Who is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminSeen {
    /// The name of the admin.
    pub name: String,
}

/// What was done.
#[derive(Debug, Serialize, ToSchema)]
pub struct Audit {
    /// Newest first.
    pub notes: Vec<AuditEntry>,
    /// How many there are.
    pub total: u64,
}

/// Signs in as admin; the answer sets a session cookie of its own, or where a second step is asked for one that leads to it. An `Idempotency-Key` is passed over: the cookie is written
/// down nowhere, so it cannot be given again.
#[endpoint(operation_id = "admin_sign_in", tags("admin"))]
pub async fn sign_in(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Checked<AdminSignIn>,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Json<AdminCome>> {
    let AdminSignIn { name, password } = body.0;
    let come = work::sign_in(&app, name, Secret::new(password), device(&app, req, peer)).await?;
    Ok(Json(second_step::keep(&app, req, res, come)))
}

/// Sets the password by a set-up link, and signs in as with name and password. An `Idempotency-Key` is passed over: the link works once, and the cookie
/// of the answer is written down nowhere.
#[endpoint(operation_id = "admin_setup", tags("admin"))]
pub async fn set_up(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Checked<AdminSetup>,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Json<AdminCome>> {
    let AdminSetup { token, password } = body.0;
    let come = work::set_up(&app, token, password, device(&app, req, peer)).await?;
    Ok(Json(second_step::keep(&app, req, res, come)))
}

/// Signs this device out. An `Idempotency-Key` is passed over: who asks again has no session any more.
#[endpoint(operation_id = "admin_sign_out", tags("admin"))]
pub async fn sign_out(
    app: App,
    caller: Admin,
    peer: Peer,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Done> {
    leave(&app, caller, peer, req, res).await?;
    Ok(Done::default())
}

/// Ends the session of this device and its cookie, for the route and for the page. Apart from the customers' sign-out: what
/// an admin does is noted, in the same transaction.
async fn leave(app: &App, caller: Admin, peer: Peer, req: &Request, res: &mut Response) -> Result<()> {
    let ended = app.data.store.write(move |tx| {
        store::note(tx, &caller.name, AuditAction::SignedOut, Some(peer.0))?;
        ADMINS.sign_out(tx, &caller.token)
    });
    ended.await?;
    Admin::end_cookie(app, req, res);
    Ok(())
}

/// Who is signed in.
#[endpoint(operation_id = "admin_session", tags("admin"))]
pub async fn who(caller: Admin) -> HandlerResult<Json<AdminSeen>> {
    Ok(Json(AdminSeen { name: caller.name }))
}

/// The devices on which one is signed in.
#[endpoint(operation_id = "admin_sessions", tags("admin"))]
pub async fn sessions(app: App, caller: Admin) -> HandlerResult<Json<Devices>> {
    let found = app.data.store.read_inline(move |tx| {
        let current = ADMINS.find(tx, &caller.token)?.map(|session| session.id);
        Ok((ADMINS.list(tx, &caller.name)?, current))
    });
    let (all, current) = found.await?;
    Ok(Json(Devices::of(all, current)))
}

/// Signs a device out.
#[endpoint(operation_id = "admin_end_session", tags("admin"))]
pub async fn end_session(app: App, caller: Admin, peer: Peer, id: Id) -> HandlerResult<Deleted> {
    let ended = app.data.store.write(move |tx| {
        if !ADMINS.end(tx, &caller.name, id.0)? {
            return Err(Error::not_found("session"));
        }
        store::note(tx, &caller.name, AuditAction::SessionEnded, Some(peer.0))
    });
    ended.await?;
    Ok(Deleted::default())
}

/// What those who keep the shop have done.
#[endpoint(operation_id = "admin_audit", tags("admin"))]
pub async fn audit(app: App, _caller: Admin, paging: Query<Paging<50>>) -> HandlerResult<Json<Audit>> {
    let page = paging.0.page()?;
    let (notes, total) = app.data.store.page(page, move |tx| store::list(tx, page)).await?;
    Ok(Json(Audit { notes, total }))
}

fn device(app: &App, req: &Request, peer: Peer) -> Device {
    Device { address: peer.0, agent: agent_of(req), before: Admin::sent_token(app, req) }
}
