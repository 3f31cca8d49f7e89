//! The settings: what is in force, what each is for, and changing those that are safe to change from a page. A change is
//! written to the settings file and holds from the next start; of a few settings, which say so, at once.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use hanok_base::error::Check;
use hanok_base::message::LocalizedMessage;
use hanok_base::schema::ToSchema;
use hanok_base::secret::hex;
use hanok_base::text::Text;
use hanok_base::validated::Unchecked;
use hanok_base::{Error, MessageTemplate, Result, Validated};
use hanok_platform::app::App;
use hanok_platform::auth;
use hanok_platform::blocking;
use hanok_platform::config::{Config, SectionRow, SettingRow};
use hanok_platform::http::{Body, HandlerResult, Household, Json, Key};
use hanok_platform::settings_file::{self, text_of};

const WITH_A_VALUE: MessageTemplate = MessageTemplate::new("house.must.with_a_value", "is required with a value");

/// The settings.
#[derive(Debug, Serialize, ToSchema)]
pub struct Settings {
    /// In the order of `appliance.toml`.
    pub sections: Vec<SectionRow>,
    /// In the order of `appliance.toml`.
    pub settings: Vec<SettingRow>,
    /// The file that was read at the start.
    pub file: Option<String>,
    /// The file that a change is written to.
    pub written_to: String,
    /// What that file says now, in one word: whoever changes a setting names what they have seen.
    pub revision: String,
    /// What the file says otherwise since the start: it holds from the next one.
    pub next: Vec<NextSetting>,
    /// Why the file cannot be used as it stands; null when it can.
    pub problem: Option<String>,
    /// How a browser says `problem` in its language.
    pub problem_localized: Option<LocalizedMessage>,
}

/// A setting that has another value from the next start on.
#[derive(Debug, Serialize, ToSchema)]
pub struct NextSetting {
    /// The full key.
    pub key: String,
    /// The value that it will have.
    pub value: String,
}

/// A new value of a setting; without one nothing changes.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SettingChange {
    /// The value, written as it is shown: a list with commas, a switch as `true` or `false`.
    pub value: Option<Validated<Text<0, 1024>>>,
    /// The `revision` that was seen; needed with a value, so that no other edit is lost.
    pub revision: Option<Validated<Unchecked<String>>>,
}

/// Every setting with its name, what it is for, its value, default and source.
#[endpoint(operation_id = "system_settings", tags("system"))]
pub async fn settings(app: App, _caller: Household) -> HandlerResult<Json<Settings>> {
    Ok(Json(shown_now(&app).await?))
}

async fn shown_now(app: &App) -> Result<Settings> {
    let config = app.config.clone();
    blocking::run(move |_| Ok(shown(&config, &text_of(&config.file_to_change())?))).await
}

/// Changes a setting from the next start on, or at once where the setting says so: writes it to the settings file, in which everything else stays as it is.
#[endpoint(operation_id = "system_settings_change", tags("system"))]
pub async fn change(
    app: App,
    _caller: Household,
    key: Key,
    body: Body<SettingChange>,
) -> HandlerResult<Json<Settings>> {
    let SettingChange { value, revision } = body.0;
    let (value, revision) = Check::of(|check| {
        (value.map(|value| check.take("value", value)), revision.map(|revision| check.take("revision", revision)))
    })?;
    if !app.config.has(&key.0) {
        return Err(Error::not_found("setting").into());
    }
    let Some(value) = value else { return Ok(Json(shown_now(&app).await?)) };
    let revision = revision.ok_or_else(|| Error::field("revision", WITH_A_VALUE))?;
    let has_passphrase = app.data.store.read(|tx| auth::is_passphrase_set(tx)).await?.is_some();
    let (config, events) = (app.config.clone(), app.events.clone());
    let write = move |_: &_| {
        let is_seen = |text: &str| revision == revision_of(text);
        let text = settings_file::change(&config, &events, (&key.0, &value), has_passphrase, is_seen)?;
        Ok(shown(&config, &text))
    };
    Ok(Json(blocking::run(write).await?))
}

fn shown(config: &Config, text: &str) -> Settings {
    let rows = config.listing();
    let (next, problem) = match settings_file::next(config, text) {
        Ok(next) => (next.listing(), None),
        Err(problem) => (Vec::new(), Some(problem.into_parts())),
    };
    let (problem, problem_localized) = problem.unzip();
    let differs = next.into_iter().zip(&rows).filter(|(next, now)| next.value != now.value && !now.secret);
    Settings {
        next: differs.map(|(next, _)| NextSetting { key: next.key, value: next.value }).collect(),
        sections: config.sections(),
        settings: rows,
        file: config.file().map(|path| path.display().to_string()),
        written_to: config.file_to_change().display().to_string(),
        revision: revision_of(text),
        problem,
        problem_localized: problem_localized.flatten(),
    }
}

fn revision_of(text: &str) -> String {
    hex(&Sha256::digest(text)[..12])
}
