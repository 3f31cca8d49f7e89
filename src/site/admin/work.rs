//! Signing in as admin, and `hanok admin`.

use std::net::IpAddr;

use chrono::Duration;
use serde_json::{Value, json};

use super::model::{Deed, Name};
use super::store;
use hanok_base::error::Check;
use hanok_base::{Error, Kind, Result, Secret, Sent, Sentence};
use hanok_platform::app::App;
use hanok_platform::auth::{self, ADMINS, Purpose};
use hanok_platform::domain::{Column, Command, Verb, View, Word, WordKind};
use hanok_platform::store::WriteTx;

const WRONG: Sentence = Sentence::new("admin.wrong_password", "no admin has this name and this password");

/// Links by which an admin sets the password. They lead to the name.
const SETUP: Purpose = Purpose::new("admin_setup");
/// For how many hours a set-up link is good.
const SETUP_HOURS: i64 = 24;

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
    fn begin(&self, tx: &WriteTx, name: &str, deed: Deed) -> Result<String> {
        store::note(tx, name, deed, Some(self.address))?;
        ADMINS.begin(tx, name, self.before.as_deref(), &self.agent, self.address)
    }
}

/// Signs the admin `name` in. It takes the same time whether there is none, or another password.
///
/// # Errors
/// `UNAUTHORIZED`, the same for both; `RATE_LIMITED` when too often tried.
pub async fn sign_in(app: &App, name: String, password: Secret, device: Device) -> Result<String> {
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
        device.begin(tx, &signs_in, Deed::SignedIn)
    });
    let token = begun.await?;
    visitors.admins.succeeded(address, &name);
    Ok(token)
}

/// Whether a set-up link is good, before anybody has to think of a password.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn check_link(app: &App, word: String) -> Result<()> {
    app.data.store.read_inline(move |tx| auth::find_link(tx, SETUP, &word).map(drop)).await
}

/// Sets the password of whom the set-up link of `word` is for, who is an admin from here on, and signs in.
///
/// # Errors
/// `NOT_FOUND` when it is no link that is good.
pub async fn set_up(app: &App, word: String, password: Secret, device: Device) -> Result<String> {
    // Hashing is costly: only for who holds the link.
    let asked = word.clone();
    app.data.store.read_inline(move |tx| auth::find_link(tx, SETUP, &asked)).await?;
    let hash = app.access.visitors.hash(password).await?;
    let set = app.data.store.write(move |tx| {
        let name = auth::take_link(tx, SETUP, &word)?.about;
        auth::end_links(tx, SETUP, &name)?;
        auth::set_admin_password(tx, &name, &hash)?;
        device.begin(tx, &name, Deed::PasswordSet)
    });
    set.await
}

/// `hanok admin`.
pub const COMMAND: Command = Command {
    name: "admin",
    about: "Who keeps the shop at the customer door",
    example: "hanok admin create minsu",
    verbs: &[
        Verb {
            name: "create",
            about: "Give out a one-time link by which an admin sets the password, a new or a forgotten one, within 24 hours",
            example: "hanok admin create minsu",
            takes: &[NAME],
            run: |app, mut words| Box::pin(async move { create(&app, words.take(NAME.name)).await }),
            shows: &[View::Thing(&LINK)],
        },
        Verb {
            name: "list",
            about: "List who keeps the shop",
            example: "hanok admin list --json",
            takes: &[],
            run: |app, _| Box::pin(async move { list(&app).await }),
            shows: &[View::List("admins", &ADMIN)],
        },
        Verb {
            name: "remove",
            about: "End an admin with every sign-in",
            example: "hanok admin remove minsu",
            takes: &[NAME],
            run: |app, mut words| Box::pin(async move { remove(&app, words.take(NAME.name)).await }),
            shows: &[View::Thing(&[Column::text("removed", "/name")])],
        },
    ],
};

const NAME: Word = Word::required("NAME", "By which the admin signs in", WordKind::Text);
const LINK: [Column; 3] =
    [Column::text("admin", "/name"), Column::text("link", "/link"), Column::instant("good until", "/expires_at")];
const ADMIN: [Column; 2] = [Column::text("admin", "/name"), Column::instant("since", "/created_at")];

async fn create(app: &App, name: String) -> Result<Value> {
    let name = Check::of(|check| check.take("NAME", Sent::<Name>::of(name)))?;
    let site = &app.config.site;
    let origin = match site.address.trim_end_matches('/') {
        "" => format!("http://{}", site.listen),
        address => address.to_owned(),
    };
    let written = app.data.store.write(move |tx| {
        auth::end_links(tx, SETUP, &name)?;
        let (link, word) = auth::add_link(tx, SETUP, &name, "", Duration::hours(SETUP_HOURS))?;
        store::note(tx, &name, Deed::Invited, None)?;
        let address = format!("{origin}/admin/setup?token={word}");
        Ok(json!({"name": name, "link": address, "expires_at": link.expires_at}))
    });
    written.await
}

async fn list(app: &App) -> Result<Value> {
    let admins = app.data.store.read(|tx| auth::list_admins(tx)).await?;
    let listed: Vec<Value> =
        admins.iter().map(|admin| json!({"name": admin.name, "created_at": admin.created_at})).collect();
    Ok(json!({"admins": listed}))
}

async fn remove(app: &App, name: String) -> Result<Value> {
    let removed = app.data.store.write(move |tx| {
        auth::end_links(tx, SETUP, &name)?;
        if !auth::remove_admin(tx, &name)? {
            return Err(Error::not_found("admin"));
        }
        store::note(tx, &name, Deed::Removed, None)?;
        Ok(json!({"name": name}))
    });
    removed.await
}
