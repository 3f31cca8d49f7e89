//! Signing in as admin, and `hanok admin`.

mod command;
pub mod second_step;

use std::net::IpAddr;

use super::model::AuditAction;
use super::store;
use hanok_base::{Error, Kind, MessageTemplate, Result, Secret};
use hanok_platform::app::App;
use hanok_platform::auth::{self, ADMINS, Purpose};
use hanok_platform::store::WriteTx;

pub use command::COMMAND;

const WRONG: MessageTemplate = MessageTemplate::new("admin.wrong_password", "no admin has this name and this password");
const NOT_THE_PRESENT: MessageTemplate =
    MessageTemplate::new("admin.not_the_present_password", "this is not the present password");

/// Links by which an admin sets the password. They lead to the name.
const SETUP: Purpose = Purpose::new("admin_setup");

/// The device that signs in.
pub struct Device {
    /// From where it comes.
    pub address: IpAddr,
    /// What it calls itself.
    pub agent: String,
    /// The session that it came with.
    pub before: Option<String>,
}

impl Device {
    fn begin(&self, tx: &WriteTx, name: &str) -> Result<String> {
        ADMINS.begin(tx, name, self.before.as_deref(), &self.agent, self.address)
    }
}

/// How far a sign-in has come.
#[derive(Debug, PartialEq, Eq)]
pub enum Come {
    /// In, with the token of the session.
    In(String),
    /// To the second step, which this word leads to.
    HalfWay(String),
}

/// Goes on after the password was shown to be right, or set: a session, or the second step where one is asked for.
fn go_on(tx: &WriteTx, name: &str, device: &Device) -> Result<Come> {
    match store::find_second_step(tx, name)? {
        Some(_) => second_step::half_way(tx, name).map(Come::HalfWay),
        None => device.begin(tx, name).map(Come::In),
    }
}

/// Ends every link that leads the admin `name` in, however far.
fn end_links(tx: &WriteTx, name: &str) -> Result<()> {
    auth::end_links(tx, SETUP, name)?;
    second_step::end_links(tx, name)
}

/// Signs the admin `name` in, or leads to the second step. It takes the same time whether there is none, or another password.
///
/// # Errors
/// `UNAUTHORIZED`, the same for both; `RATE_LIMITED` when too often tried.
pub async fn sign_in(app: &App, name: String, password: Secret, device: Device) -> Result<Come> {
    let visitors = &app.access.visitors;
    visitors.admins.admit(device.address, &name, app.clock.moment())?;
    let asked = name.clone();
    let known = app.data.store.read_inline(move |tx| auth::find_admin(tx, &asked)).await?;
    let hash = known.map(|admin| admin.password);
    let wrong = || Error::new(Kind::Unauthorized, WRONG);
    if !visitors.is_right(password, hash.clone()).await? {
        return Err(wrong());
    }
    let (address, signs_in) = (device.address, name.clone());
    let begun = app.data.store.write(move |tx| {
        // Another password may have been set, or the admin removed, while this one was looked at.
        if auth::find_admin(tx, &signs_in)?.map(|admin| admin.password) != hash {
            return Err(wrong());
        }
        let come = go_on(tx, &signs_in, &device)?;
        if matches!(come, Come::In(_)) {
            store::note(tx, &signs_in, AuditAction::SignedIn, Some(device.address))?;
        }
        Ok(come)
    });
    let come = begun.await?;
    visitors.admins.succeeded(address, &name);
    Ok(come)
}

/// Whether a set-up link is good, before anybody has to think of a password.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn check_link(app: &App, word: String) -> Result<()> {
    app.data.store.read_inline(move |tx| auth::find_link(tx, SETUP, &word).map(drop)).await
}

/// Whether `password` is the present one of the admin `name`.
///
/// # Errors
/// `FORBIDDEN` when it is not; `RATE_LIMITED` when too often tried.
async fn check_present(app: &App, name: &str, password: Secret, address: IpAddr) -> Result<()> {
    let visitors = &app.access.visitors;
    visitors.admins.admit(address, name, app.clock.moment())?;
    let asked = name.to_owned();
    let known = app.data.store.read_inline(move |tx| auth::find_admin(tx, &asked)).await?;
    if !visitors.is_right(password, known.map(|admin| admin.password)).await? {
        return Err(Error::new(Kind::Forbidden, NOT_THE_PRESENT));
    }
    visitors.admins.succeeded(address, name);
    Ok(())
}

/// Sets the password of whom the set-up link of `word` is for, who is an admin from here on, and signs in; where a second
/// step is asked for, that is still to be taken.
///
/// # Errors
/// `NOT_FOUND` when it is no link that is good.
pub async fn set_up(app: &App, word: String, password: Secret, device: Device) -> Result<Come> {
    // Hashing is costly: only for who holds the link.
    let asked = word.clone();
    app.data.store.read_inline(move |tx| auth::find_link(tx, SETUP, &asked)).await?;
    let hash = app.access.visitors.hash(password).await?;
    let set = app.data.store.write(move |tx| {
        let name = auth::take_link(tx, SETUP, &word)?.about;
        end_links(tx, &name)?;
        auth::set_admin_password(tx, &name, &hash)?;
        store::note(tx, &name, AuditAction::PasswordSet, Some(device.address))?;
        go_on(tx, &name, &device)
    });
    set.await
}
