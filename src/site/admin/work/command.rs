//! `hanok admin`: who keeps the shop.

use chrono::Duration;
use serde_json::{Value, json};

use super::super::model::{AuditAction, Name};
use super::super::store;
use super::{SETUP, end_links, second_step};
use hanok_base::error::Check;
use hanok_base::{Error, Result, Validated};
use hanok_platform::app::App;
use hanok_platform::auth::{self, ADMINS, AdminRow};
use hanok_platform::domain::{Column, Command, Verb, View, Word, WordKind};

/// For how many hours a set-up link is good.
const SETUP_HOURS: i64 = 24;

/// `hanok admin`.
pub const COMMAND: Command = Command {
    name: "admin",
    about: "Who keeps the shop on the customer site",
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
        Verb {
            name: "phone-lost",
            about: "Ask an admin for no code of a phone any more, and end every sign-in",
            example: "hanok admin phone-lost minsu",
            takes: &[NAME],
            run: |app, mut words| Box::pin(async move { take_off(&app, words.take(NAME.name)).await }),
            shows: &[View::Thing(&[Column::text("signs in without a code", "/name")])],
        },
    ],
};

const NAME: Word = Word::required("NAME", "By which the admin signs in", WordKind::Text);
const LINK: [Column; 3] =
    [Column::text("admin", "/name"), Column::text("link", "/link"), Column::instant("good until", "/expires_at")];
const ADMIN: [Column; 3] = [
    Column::text("admin", "/name"),
    Column::instant("since", "/created_at"),
    Column::text("second step", "/second_step"),
];

async fn create(app: &App, name: String) -> Result<Value> {
    let name = Check::of(|check| check.take("NAME", Validated::<Name>::of(name)))?;
    let origin = link_origin(app)?;
    let written = app.data.store.write(move |tx| {
        auth::end_links(tx, SETUP, &name)?;
        let (link, word) = auth::add_link(tx, SETUP, &name, "", Duration::hours(SETUP_HOURS))?;
        store::note(tx, &name, AuditAction::Invited, None)?;
        let address = format!("{origin}/admin/setup?token={word}");
        Ok(json!({"name": name, "link": address, "expires_at": link.expires_at}))
    });
    written.await
}

/// What the link begins with: the address of the site, and while none is set where its door listens, as long as only this
/// machine reaches that.
///
/// # Errors
/// `NOT_CONFIGURED` naming `site.address` where neither is known.
fn link_origin(app: &App) -> Result<String> {
    let site = &app.config.site;
    if let Some(origin) = site.origin() {
        return Ok(origin.to_owned());
    }
    let listens = app.access.site_address.get().unwrap_or(&site.listen);
    // Which free port the machine gives is not known before the door is open.
    if site.lacks_address() || listens.port() == 0 {
        return Err(Error::not_configured("site.address"));
    }
    Ok(format!("http://{listens}"))
}

async fn list(app: &App) -> Result<Value> {
    let listed = app.data.store.read(|tx| {
        let seen = |admin: &AdminRow| {
            let second_step = store::find_second_step(tx, &admin.name)?.is_some();
            Ok(json!({"name": admin.name, "created_at": admin.created_at, "second_step": second_step}))
        };
        auth::list_admins(tx)?.iter().map(seen).collect::<Result<Vec<Value>>>()
    });
    Ok(json!({"admins": listed.await?}))
}

async fn remove(app: &App, name: String) -> Result<Value> {
    let removed = app.data.store.write(move |tx| {
        end_links(tx, &name)?;
        store::remove_second_step(tx, &name)?;
        if !auth::remove_admin(tx, &name)? {
            return Err(Error::not_found("admin"));
        }
        store::note(tx, &name, AuditAction::Removed, None)?;
        Ok(json!({"name": name}))
    });
    removed.await
}

async fn take_off(app: &App, name: String) -> Result<Value> {
    let taken_off = app.data.store.write(move |tx| {
        if !store::remove_second_step(tx, &name)? {
            return Err(Error::not_found("second step"));
        }
        second_step::end_links(tx, &name)?;
        ADMINS.end_all(tx, &name, None)?;
        store::note(tx, &name, AuditAction::SecondStepTakenOff, None)?;
        Ok(json!({"name": name}))
    });
    taken_off.await
}
