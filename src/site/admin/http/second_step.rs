//! The routes of the second step: asked for in a sign-in, turned on and off by who is signed in.

use chrono::{DateTime, Utc};
use salvo::oapi::endpoint;
use salvo::{Request, Response, Writer};
use serde::Serialize;

use super::super::model::{Code, SecondStep, TypedCode, picture_of};
use super::super::work::Come;
use super::super::work::second_step::{self, Begun};
use super::{AdminCome, device};
use crate::frame::BusinessSettings;
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::{Result, Secret};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Anyone, Checked, Done, HandlerResult, Json, Peer, SiteCookie};

/// Carries who has shown the password to the second step, until the browser is closed.
const HALF_WAY: SiteCookie = SiteCookie::new("__Host-hanok-admin-code", 0);

/// The second step of a sign-in.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct AdminCode {
    /// The six digits that the phone shows, or a recovery code.
    #[field(Code)]
    pub code: TypedCode,
}

/// That a second step is to be begun.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct SecondStepWanted {
    /// The present password.
    pub password: String,
}

/// What confirms a second step that was begun.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct SecondStepShown {
    /// The word of what was begun.
    #[field(Text<1, 200>)]
    pub token: String,
    /// The six digits that the phone makes of the secret.
    #[field(Code)]
    pub code: TypedCode,
}

/// What a change of a second step asks for.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct SecondStepChange {
    /// The present password.
    pub password: String,
    /// The six digits that the phone shows, or a recovery code.
    #[field(Code)]
    pub code: TypedCode,
}

/// Whether a sign-in asks for a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SecondStepSeen {
    /// Whether it does.
    pub is_on: bool,
    /// Since when; null where it does not.
    pub since: Option<DateTime<Utc>>,
    /// How many recovery codes were not used.
    pub recovery_codes_left: u64,
}

/// A second step that was begun, which does not count before it is confirmed.
#[derive(Debug, Serialize, ToSchema)]
pub struct SecondStepBegun {
    /// By which it is confirmed.
    pub token: String,
    /// The secret as it is typed into a phone that reads no picture.
    pub secret: String,
    /// The address by which an app on a phone takes it.
    pub address: String,
    /// That address as a QR code (SVG).
    pub picture: String,
    /// Until when it can be confirmed.
    pub expires_at: DateTime<Utc>,
}

/// Recovery codes, each good for one sign-in without the phone.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecoveryCodes {
    /// They are shown this once: only their hashes are kept.
    pub recovery_codes: Vec<String>,
}

/// Signs in who has shown the password and is asked for a code; the answer sets the session cookie. An `Idempotency-Key` is
/// passed over: a code works once, and the cookie of the answer is written down nowhere.
#[endpoint(operation_id = "admin_sign_in_code", tags("admin"))]
pub async fn sign_in(
    app: App,
    _caller: Anyone,
    peer: Peer,
    body: Checked<AdminCode>,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Done> {
    come_in(&app, peer, body.0.code, req, res).await?;
    Ok(Done::default())
}

/// Whether a sign-in of who asks takes a second step.
#[endpoint(operation_id = "admin_second_step", tags("admin"))]
pub async fn find(app: App, caller: Admin) -> HandlerResult<Json<SecondStepSeen>> {
    Ok(Json(seen(second_step::find(&app, caller.name).await?)))
}

/// Begins a second step: gives what the phone takes. It does not count before it is confirmed; one that was begun before
/// ends. An `Idempotency-Key` is passed over: the secret is written down nowhere but sealed.
#[endpoint(operation_id = "admin_begin_second_step", tags("admin"))]
pub async fn begin(
    app: App,
    caller: Admin,
    peer: Peer,
    body: Checked<SecondStepWanted>,
) -> HandlerResult<Json<SecondStepBegun>> {
    let begun = second_step::begin(&app, &caller.name, Secret::new(body.0.password), peer.0).await?;
    Ok(Json(shown(&app, &caller.name, &begun)?))
}

/// Turns on what was begun, by a code that the phone makes of it. Every other device is signed out. An `Idempotency-Key` is
/// passed over: the recovery codes are written down nowhere, so they cannot be given again.
#[endpoint(operation_id = "admin_confirm_second_step", tags("admin"))]
pub async fn confirm(
    app: App,
    caller: Admin,
    peer: Peer,
    body: Checked<SecondStepShown>,
) -> HandlerResult<Json<RecoveryCodes>> {
    let SecondStepShown { token, code } = body.0;
    let recovery_codes = second_step::confirm(&app, (&caller.name, &caller.token), token, code, peer.0).await?;
    Ok(Json(RecoveryCodes { recovery_codes }))
}

/// Gives new recovery codes; those before open nothing any more. An `Idempotency-Key` is passed over, as with the first ones.
#[endpoint(operation_id = "admin_renew_recovery_codes", tags("admin"))]
pub async fn renew(
    app: App,
    caller: Admin,
    peer: Peer,
    body: Checked<SecondStepChange>,
) -> HandlerResult<Json<RecoveryCodes>> {
    let recovery_codes = second_step::renew_recovery(&app, &caller.name, proved(body.0), peer.0).await?;
    Ok(Json(RecoveryCodes { recovery_codes }))
}

/// Turns the second step off: a sign-in asks for name and password alone. An `Idempotency-Key` is passed over: a code works
/// once.
#[endpoint(operation_id = "admin_turn_second_step_off", tags("admin"))]
pub async fn turn_off(app: App, caller: Admin, peer: Peer, body: Checked<SecondStepChange>) -> HandlerResult<Done> {
    second_step::turn_off(&app, &caller.name, proved(body.0), peer.0).await?;
    Ok(Done::default())
}

/// Keeps with the browser how far its sign-in has come.
pub fn keep(app: &App, req: &Request, res: &mut Response, come: Come) -> AdminCome {
    let asks_for_code = matches!(come, Come::HalfWay(_));
    match come {
        Come::In(token) => Admin::keep_cookie(app, req, res, token),
        Come::HalfWay(word) => {
            res.add_cookie(HALF_WAY.carrying(app, req, word));
        }
    }
    AdminCome { ok: true, asks_for_code }
}

/// Whether the browser has come half way.
///
/// # Errors
/// Those of reading.
pub async fn is_half_way(app: &App, req: &Request) -> Result<bool> {
    match HALF_WAY.sent(app, req) {
        Some(word) => second_step::is_half_way(app, word).await,
        None => Ok(false),
    }
}

/// Signs in the browser that has come half way, by a code.
///
/// # Errors
/// Those of [`second_step::sign_in`].
pub async fn come_in(app: &App, peer: Peer, code: TypedCode, req: &Request, res: &mut Response) -> Result<()> {
    let word = HALF_WAY.sent(app, req).unwrap_or_default();
    let token = second_step::sign_in(app, word, code, device(app, req, peer)).await?;
    Admin::keep_cookie(app, req, res, token);
    res.add_cookie(HALF_WAY.carrying(app, req, String::new()));
    Ok(())
}

/// What is told of a second step.
pub fn seen(step: Option<SecondStep>) -> SecondStepSeen {
    let left = step.as_ref().map_or(0, |step| step.recovery.len() as u64);
    SecondStepSeen { is_on: step.is_some(), since: step.map(|step| step.since), recovery_codes_left: left }
}

/// What was begun, as a phone takes it.
///
/// # Errors
/// `INTERNAL` where no picture can be made of it.
pub fn shown(app: &App, name: &str, begun: &Begun) -> Result<SecondStepBegun> {
    let business = app.config.section::<BusinessSettings>();
    let address = begun.secret.address(business.shop(), name)?;
    let (token, secret, picture) = (begun.word.clone(), begun.secret.letters(), picture_of(&address)?);
    Ok(SecondStepBegun { token, secret, address, picture, expires_at: begun.expires_at })
}

/// Password and code of a change.
pub fn proved(change: SecondStepChange) -> (Secret, TypedCode) {
    (Secret::new(change.password), change.code)
}
