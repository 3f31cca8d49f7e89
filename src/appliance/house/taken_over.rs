//! The settings in a backup file. They come from elsewhere: they are read and checked before they count, a house that has
//! its own keeps them, and where the house is reached and whom it believes is never taken from there.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use hanok_base::message::{LocalizedMessage, MessageArg};
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Message, MessageTemplate, Result};
use hanok_platform::app::App;
use hanok_platform::blocking;
use hanok_platform::config::{Config, ToTakeOver};
use hanok_platform::events::Events;
use hanok_platform::settings_file::{self, text_of};
use hanok_platform::store::folder::{replace_whole, settings_laid_aside};
use hanok_platform::store::restore::Restored;
use hanok_platform::store::{ImportedSetting, ImportedSettings, room_left};

const TAKEN: MessageTemplate = MessageTemplate::new("house.settings_taken", "taken over into {own}");
const TAKEN_BUT: MessageTemplate = MessageTemplate::new(
    "house.settings_taken_but",
    "taken over into {own} but for {keys}, which stay as they are here; those of the backup file are in {aside}",
);
const NONE_TAKEN: MessageTemplate = MessageTemplate::new(
    "house.settings_none_taken",
    "none were taken over: {keys} stay as they are here; those of the backup file are in {aside}",
);
const OWN_STAY: MessageTemplate = MessageTemplate::new(
    "house.settings_stay",
    "those of this house stay ({own}); those of the backup file are in {aside}",
);
const UNUSABLE: MessageTemplate = MessageTemplate::new(
    "house.settings_unusable",
    "none were taken over, they cannot be used ({why}); those of the backup file are in {aside}",
);
const NOT_LAID_DOWN: MessageTemplate =
    MessageTemplate::new("house.settings_not_laid_down", "those of the backup file could not be laid down ({code})");

/// What a restore of a file did.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct RestoredFile {
    /// What it did.
    pub restored: Restored,
    /// A sentence on what became of the settings that were in it. Null where there were none to take over.
    pub settings: Option<String>,
    /// How a browser says `settings` in its language.
    #[serde(default)]
    pub settings_localized: Option<LocalizedMessage>,
}

impl RestoredFile {
    /// What a restore in the running house did, whose file held `settings`.
    pub async fn of(app: &App, restored: Restored, settings: Option<String>) -> RestoredFile {
        let (config, events) = (app.config.clone(), app.events.clone());
        let taken = blocking::run(move |_| Ok(taken_over(&config, Some(&events), settings)));
        RestoredFile::telling(restored, taken.await.unwrap_or_else(|error| Some(not_laid_down(&error))))
    }

    /// The same where no house runs.
    pub fn offline(config: &Config, restored: Restored, settings: Option<String>) -> RestoredFile {
        RestoredFile::telling(restored, taken_over(config, None, settings))
    }

    fn telling(restored: Restored, settings: Option<Message>) -> RestoredFile {
        let (settings, localized) = settings.map(Message::into_parts).unzip();
        RestoredFile { restored, settings, settings_localized: localized.flatten() }
    }

    /// As the command line tells it: what was done, and a line on the settings.
    pub fn told(self) -> Result<Value> {
        let mut answer = serde_json::to_value(self.restored).map_err(Error::internal)?;
        if let Value::Object(fields) = &mut answer {
            fields.insert("settings".to_owned(), self.settings.into());
        }
        Ok(answer)
    }
}

/// What became of the settings of a backup file; none where it held none.
fn taken_over(config: &Config, events: Option<&Events>, settings: Option<String>) -> Option<Message> {
    let text = settings.filter(|text| !text.trim().is_empty())?;
    // The state is in place already: what goes wrong here is said of the settings alone.
    take_over(config, events, &text).unwrap_or_else(|error| Some(not_laid_down(&error)))
}

fn not_laid_down(error: &Error) -> Message {
    NOT_LAID_DOWN.with([("code", error.code().into())])
}

/// Takes over what may be taken over. Gives a sentence that says what became of it and of the rest; none where the text
/// says nothing that a house without settings does not do.
fn take_over(config: &Config, events: Option<&Events>, text: &str) -> Result<Option<Message>> {
    let _turn = settings_file::turn();
    let unusable = |why: String| {
        let laid = lay_aside(config, text)?;
        Ok(Some(UNUSABLE.with([("why", why.into()), laid])))
    };
    let theirs = match config.of_another(text, aside(config, 1)) {
        Ok(theirs) => theirs,
        Err(error) => return unusable(error.to_string()),
    };
    let imported = theirs.to_take_over(config, room_left(&config.data.dir));
    if imported.taken.is_empty() && imported.left.is_empty() {
        return Ok(None);
    }
    let path = config.file_to_change();
    let own = ("own", path.display().to_string().into());
    // The household may have written it since the start: what lies there counts, not what was read.
    if !text_of(&path)?.trim().is_empty() {
        return Ok(Some(OWN_STAY.with([own, lay_aside(config, text)?])));
    }
    // What this machine is told elsewhere counts, too: with it the next start must be able to use them.
    let next = match settings_file::next(config, &imported.text) {
        Ok(next) => next,
        Err(why) => return unusable(why.to_string()),
    };
    let keys = imported.left.iter().map(|(key, _)| *key).collect::<Vec<_>>().join(", ");
    let laid = if keys.is_empty() { None } else { Some(lay_aside(config, &imported.left_of(text))?) };
    let left = laid.map(|laid| [("keys", keys.into()), laid]);
    if imported.taken.is_empty() {
        return Ok(left.map(|left| NONE_TAKEN.with(left)));
    }
    settings_file::replace(config, events, &imported.text, &next)?;
    Ok(Some(match left {
        None => TAKEN.with([own]),
        Some([keys, laid]) => TAKEN_BUT.with([own, keys, laid]),
    }))
}

/// Lays settings of a backup file down where nothing else lies, and says where. What was laid aside before stays: what says
/// the same is not laid there twice.
fn lay_aside(config: &Config, text: &str) -> Result<(&'static str, MessageArg)> {
    for place in (1..).map(|number| aside(config, number)) {
        match fs::symlink_metadata(&place) {
            Err(error) if error.kind() == ErrorKind::NotFound => replace_whole(&place, text.as_bytes())?,
            Err(error) => return Err(Error::internal(error)),
            Ok(_) if text_of(&place).is_ok_and(|lies| lies == text) => (),
            Ok(_) => continue,
        }
        return Ok(("aside", place.display().to_string().into()));
    }
    Err(Error::internal("there are no more numbers"))
}

/// Where the settings of a backup file are laid that are not taken over.
fn aside(config: &Config, number: u32) -> PathBuf {
    config.data.dir.join(settings_laid_aside(number))
}

/// What a restore would make of the settings `text` of a backup file, so that whoever decides on it sees them before.
pub fn foreseen(config: &Config, text: &str) -> ImportedSettings {
    let has_own = || text_of(&config.file_to_change()).map_or(true, |own| !own.trim().is_empty());
    let Ok(theirs) = config.of_another(text, aside(config, 1)) else {
        return ImportedSettings { usable: false, ..ImportedSettings::default() };
    };
    let ToTakeOver { mut taken, mut left, .. } = theirs.to_take_over(config, room_left(&config.data.dir));
    if has_own() {
        left.splice(0..0, taken.drain(..));
    }
    let shown =
        |all: Vec<(&str, String)>| all.into_iter().map(|(key, value)| ImportedSetting::of(key, &value)).collect();
    ImportedSettings { usable: true, taken: shown(taken), left: shown(left) }
}

#[cfg(test)]
mod tests;
