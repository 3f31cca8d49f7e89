//! The second step of a sign-in: turned on with a code of the phone, asked for after the password, turned off again.
//!
//! What phone and house share is sealed under the key beside the store, so no backup gives it away. Where that key is gone,
//! codes of the phone open nothing; recovery codes, of which only hashes are kept, still do.

use std::net::IpAddr;

use chrono::{DateTime, Duration, Utc};

use super::super::model::{
    AuditAction, Proof, RECOVERY_CODES, SecondStep, SharedSecret, TypedCode, kept_recovery, recovery_code,
};
use super::super::store;
use super::{Device, check_present};
use hanok_base::secret::random_bytes;
use hanok_base::{Error, Kind, MessageTemplate, Result, Secret};
use hanok_platform::app::App;
use hanok_platform::auth::{self, ADMINS, Link, Purpose};
use hanok_platform::store::{ReadTransaction, WriteTx};

const WRONG: MessageTemplate = MessageTemplate::new("admin.wrong_code", "this code is not right, or was used already");
const OVER: MessageTemplate = MessageTemplate::new(
    "admin.half_way_over",
    "the time for the code is over: sign in with name and password once more",
);
const NOT_BEGUN: MessageTemplate =
    MessageTemplate::new("admin.second_step_not_begun", "the time for this is over: begin once more with the password");
const BEGUN_ANEW: MessageTemplate = MessageTemplate::new(
    "admin.second_step_anew",
    "this was begun anew on another page: confirm it there, or begin once more with the password",
);
const CONFIRMED_ALREADY: MessageTemplate = MessageTemplate::new(
    "admin.second_step_confirmed",
    "it is on already; its recovery codes are shown once, and new ones can be made",
);
const ON_ALREADY: MessageTemplate = MessageTemplate::new("admin.second_step_on", "a sign-in asks for a code already");
const OFF_ALREADY: MessageTemplate = MessageTemplate::new("admin.second_step_off", "a sign-in asks for no code");
const CODES_UNREADABLE: MessageTemplate = MessageTemplate::new(
    "admin.second_step_unreadable",
    "codes of the phone can no longer be checked here: use a recovery code, or run `hanok admin phone-lost NAME`",
);

/// Links that lead who has shown the password to the second step. They lead to the name.
const HALF_WAY: Purpose = Purpose::new("admin_half_way");
/// For so long the code can be typed.
const HALF_WAY_LASTS: Duration = Duration::minutes(10);
/// Links by which a second step that was begun is confirmed. They lead to the name, and note the sealed secret.
const BEGUN: Purpose = Purpose::new("admin_second_step");
/// For so long it can be confirmed.
const BEGUN_LASTS: Duration = Duration::minutes(30);

/// A second step that was begun. It does not count before it is confirmed.
pub struct Begun {
    /// By which it is confirmed.
    pub word: String,
    /// What the phone takes.
    pub secret: SharedSecret,
    /// Until when it can be confirmed.
    pub expires_at: DateTime<Utc>,
}

/// Leads the admin `name`, who has shown the password, to the second step.
pub(super) fn half_way(tx: &WriteTx, name: &str) -> Result<String> {
    auth::add_link(tx, HALF_WAY, name, "", HALF_WAY_LASTS).map(|(_, word)| word)
}

/// Ends what was begun of the admin `name`: a sign-in that is half way, a second step that is not confirmed.
pub(super) fn end_links(tx: &WriteTx, name: &str) -> Result<()> {
    auth::end_links(tx, HALF_WAY, name)?;
    auth::end_links(tx, BEGUN, name)
}

/// Whether `word` leads to the second step.
///
/// # Errors
/// Those of reading.
pub async fn is_half_way(app: &App, word: String) -> Result<bool> {
    app.data.store.read_inline(move |tx| Ok(auth::opened_link(tx, HALF_WAY, &word)?.is_some())).await
}

/// Signs in who has come half way by `word` and shows `code`. Gives the token of the session.
///
/// # Errors
/// `UNAUTHORIZED` where the code is not right, was used, or its time is over; `RATE_LIMITED` when too often tried.
pub async fn sign_in(app: &App, word: String, code: TypedCode, device: Device) -> Result<String> {
    let asked = word.clone();
    let over = || Error::new(Kind::Unauthorized, OVER);
    let found = app.data.store.read_inline(move |tx| {
        let name = auth::opened_link(tx, HALF_WAY, &asked)?.ok_or_else(over)?.about;
        store::find_second_step(tx, &name)?.ok_or_else(over)
    });
    let step = found.await?;
    let (codes, address, name) = (&app.access.visitors.codes, device.address, step.name.clone());
    codes.admit(address, &name, app.clock.moment())?;
    let proof = proof_of(app, &step, code, Kind::Unauthorized).await?;
    let begun = app.data.store.write(move |tx| {
        let link = auth::opened_link(tx, HALF_WAY, &word)?.ok_or_else(over)?;
        auth::end_link(tx, HALF_WAY, &link.id)?;
        use_up(tx, &step, &proof, device.address, Kind::Unauthorized)?;
        store::note(tx, &step.name, AuditAction::SignedIn, Some(device.address))?;
        device.begin(tx, &step.name)
    });
    let token = begun.await?;
    codes.succeeded(address, &name);
    Ok(token)
}

/// The second step of the admin `name`, where a sign-in asks for one.
///
/// # Errors
/// Those of reading.
pub async fn find(app: &App, name: String) -> Result<Option<SecondStep>> {
    app.data.store.read_inline(move |tx| store::find_second_step(tx, &name)).await
}

/// Begins a second step for the admin `name`, who knows the password. One that was begun before ends.
///
/// # Errors
/// `FORBIDDEN` when it is not the password; `CONFLICT` where there is a second step; `RATE_LIMITED`.
pub async fn begin(app: &App, name: &str, password: Secret, address: IpAddr) -> Result<Begun> {
    check_present(app, name, password, address).await?;
    let secret = SharedSecret::of(random_bytes());
    let sealed = app.data.sealing.seal(&sealed_as(name), secret.bytes()).await?;
    let name = name.to_owned();
    let begun = app.data.store.write(move |tx| {
        check_off(tx, &name)?;
        auth::end_links(tx, BEGUN, &name)?;
        auth::add_link(tx, BEGUN, &name, &sealed, BEGUN_LASTS)
    });
    let (link, word) = begun.await?;
    Ok(Begun { word, secret, expires_at: link.expires_at })
}

/// What the admin `name` has begun under `word`, to show it again.
///
/// # Errors
/// `CONFLICT` where there is no such thing any more.
pub async fn begun(app: &App, name: &str, word: String) -> Result<Begun> {
    let (of, asked) = (name.to_owned(), word.clone());
    let link = app.data.store.read_inline(move |tx| find_begun(tx, &of, &asked)).await?;
    let opened = app.data.sealing.open(&sealed_as(name), &link.note).await?;
    let secret = opened.and_then(|bytes| SharedSecret::kept(&bytes)).ok_or_else(|| Error::conflict(NOT_BEGUN))?;
    Ok(Begun { word, secret, expires_at: link.expires_at })
}

/// Turns on what the admin `name` has begun under `word`, by a code that the phone makes of it: from here on a sign-in asks for one.
/// Ends every session but that of `token`: they were begun without. Gives the recovery codes, which are kept as hashes only.
///
/// # Errors
/// `FORBIDDEN` where the code is not right; `CONFLICT` where there is nothing to confirm; `RATE_LIMITED`.
pub async fn confirm(
    app: &App,
    (name, token): (&str, &str),
    word: String,
    code: TypedCode,
    address: IpAddr,
) -> Result<Vec<String>> {
    let Begun { word, secret, .. } = begun(app, name, word).await?;
    let codes = &app.access.visitors.codes;
    codes.admit(address, name, app.clock.moment())?;
    let wrong = || Error::new(Kind::Forbidden, WRONG);
    let TypedCode::OfPhone(code) = code else { return Err(wrong()) };
    let last_step = secret.step_of(&code, app.clock.now()).ok_or_else(wrong)?;
    let (given, recovery) = recovery_codes(name);
    let (whose, token) = (name.to_owned(), token.to_owned());
    let confirmed = app.data.store.write(move |tx| {
        let link = find_begun(tx, &whose, &word)?;
        check_off(tx, &whose)?;
        let step = SecondStep { name: whose, sealed: link.note, since: tx.now(), last_step, recovery };
        store::put_second_step(tx, &step)?;
        end_links(tx, &step.name)?;
        ADMINS.end_all(tx, &step.name, Some(&token))?;
        store::note(tx, &step.name, AuditAction::SecondStepOn, Some(address))
    });
    confirmed.await?;
    codes.succeeded(address, name);
    Ok(given)
}

/// Gives the admin `name`, who knows the password and shows a code, new recovery codes. Those before open nothing any more.
///
/// # Errors
/// `FORBIDDEN` where password or code is not right; `CONFLICT` where there is no second step; `RATE_LIMITED`.
pub async fn renew_recovery(
    app: &App,
    name: &str,
    (password, code): (Secret, TypedCode),
    address: IpAddr,
) -> Result<Vec<String>> {
    let (given, recovery) = recovery_codes(name);
    let renew = move |tx: &WriteTx, left: SecondStep| {
        store::put_second_step(tx, &SecondStep { recovery, ..left })?;
        Ok(AuditAction::RecoveryCodesRenewed)
    };
    change(app, name, (password, code), address, renew).await?;
    Ok(given)
}

/// Turns the second step of `caller` off, who knows the password and shows a code.
///
/// # Errors
/// `FORBIDDEN` where password or code is not right; `CONFLICT` where there is no second step; `RATE_LIMITED`.
pub async fn turn_off(app: &App, name: &str, (password, code): (Secret, TypedCode), address: IpAddr) -> Result<()> {
    let turn_off = |tx: &WriteTx, left: SecondStep| {
        store::remove_second_step(tx, &left.name)?;
        end_links(tx, &left.name)?;
        Ok(AuditAction::SecondStepOff)
    };
    change(app, name, (password, code), address, turn_off).await
}

/// Does `change` to what is left of the second step of the admin `name` once the code is used up, and notes the deed.
async fn change(
    app: &App,
    name: &str,
    (password, code): (Secret, TypedCode),
    address: IpAddr,
    change: impl FnOnce(&WriteTx, SecondStep) -> Result<AuditAction> + Send + 'static,
) -> Result<()> {
    let step = find(app, name.to_owned()).await?.ok_or_else(|| Error::conflict(OFF_ALREADY))?;
    check_present(app, name, password, address).await?;
    let codes = &app.access.visitors.codes;
    codes.admit(address, name, app.clock.moment())?;
    let proof = proof_of(app, &step, code, Kind::Forbidden).await?;
    let changed = app.data.store.write(move |tx| {
        let left = use_up(tx, &step, &proof, address, Kind::Forbidden)?;
        let deed = change(tx, left)?;
        store::note(tx, &step.name, deed, Some(address))
    });
    changed.await?;
    codes.succeeded(address, name);
    Ok(())
}

/// What `code` proves of `step`. Whether that was used before is seen where it is used up.
async fn proof_of(app: &App, step: &SecondStep, code: TypedCode, kind: Kind) -> Result<Proof> {
    let code = match code {
        TypedCode::Recovery(letters) => return Ok(Proof::Recovery(kept_recovery(&step.name, &letters))),
        TypedCode::OfPhone(code) => code,
    };
    let opened = app.data.sealing.open(&sealed_as(&step.name), &step.sealed).await?;
    let secret = opened.and_then(|bytes| SharedSecret::kept(&bytes)).ok_or(Error::new(kind, CODES_UNREADABLE))?;
    let at = secret.step_of(&code, app.clock.now());
    at.map(Proof::Step).ok_or_else(|| Error::new(kind, WRONG))
}

/// Whether `error` is of the code that was typed, and not of the password.
pub fn is_of_code(error: &Error) -> bool {
    let said = error.message.localized();
    [WRONG, CODES_UNREADABLE].iter().any(|of_code| said.is_some_and(|said| said.key == of_code.key()))
}

fn use_up(tx: &WriteTx, step: &SecondStep, proof: &Proof, address: IpAddr, kind: Kind) -> Result<SecondStep> {
    let left = store::use_up(tx, step, proof)?.ok_or_else(|| Error::new(kind, WRONG))?;
    if matches!(proof, Proof::Recovery(_)) {
        store::note(tx, &step.name, AuditAction::RecoveryCodeUsed, Some(address))?;
    }
    Ok(left)
}

fn find_begun(tx: &impl ReadTransaction, name: &str, word: &str) -> Result<Link> {
    if let Some(link) = auth::opened_link(tx, BEGUN, word)?.filter(|link| link.about == name) {
        return Ok(link);
    }
    let is_on = store::find_second_step(tx, name)?.is_some();
    let is_begun = !auth::list_links(tx, BEGUN, Some(name))?.is_empty();
    Err(Error::conflict(match (is_on, is_begun) {
        (true, _) => CONFIRMED_ALREADY,
        (false, true) => BEGUN_ANEW,
        (false, false) => NOT_BEGUN,
    }))
}

fn check_off(tx: &WriteTx, name: &str) -> Result<()> {
    match store::find_second_step(tx, name)? {
        Some(_) => Err(Error::conflict(ON_ALREADY)),
        None => Ok(()),
    }
}

/// Recovery codes of the admin `name`, as they are given out and as they are kept.
fn recovery_codes(name: &str) -> (Vec<String>, Vec<String>) {
    let given: Vec<String> = (0..RECOVERY_CODES).map(|_| recovery_code(random_bytes())).collect();
    let kept = given.iter().map(|code| kept_recovery(name, &code.replace('-', ""))).collect();
    (given, kept)
}

/// The name under which the secret of the admin `name` is sealed.
fn sealed_as(name: &str) -> String {
    format!("admin second step {name}")
}
