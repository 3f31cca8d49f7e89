//! The settings file as it lies on the disk, while the house runs by what it said at the start, and how one value of it is
//! changed from a page.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use parking_lot::{Mutex, MutexGuard};
use tracing::info;

use crate::config::{Changing, Config, unfit};
use crate::events::{Change, Event, Events};
use crate::store::folder::replace_whole;
use hanok_base::{Error, Kind, Message, MessageTemplate, Result};

const UNREADABLE: MessageTemplate =
    MessageTemplate::new("house.settings_unreadable", "the settings file {path} cannot be read");

const CHANGED_SINCE: MessageTemplate = MessageTemplate::new(
    "house.settings_changed",
    "the settings have been changed since they were shown; look at them again",
);
const NOT_WRITABLE: MessageTemplate =
    MessageTemplate::new("house.settings_not_writable", "{path} cannot be written by the appliance");

static WRITING: Mutex<()> = Mutex::new(());

/// Waits until nobody else changes the file: what was read is what is replaced.
pub fn turn() -> MutexGuard<'static, ()> {
    WRITING.lock()
}

/// What it says; nothing where there is none yet.
///
/// # Errors
/// `CONFLICT` where it cannot be read.
pub fn text_of(path: &Path) -> Result<String> {
    let unreadable = || Error::conflict(UNREADABLE.with([("path", path.display().to_string().into())]));
    // A pipe would be waited for, and a device may have no end.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(unreadable().because("it is no file"));
    }
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| unreadable().because(error)),
    }
}

/// Puts `text` in the place of what the file says, whole; `next` is what the next start makes of it. What holds at once holds
/// from now on, also where a hand had written it before, and every browser is told; where no house runs there are no
/// `events`. Whoever calls has the turn.
///
/// # Errors
/// Those of writing.
pub fn replace(config: &Config, events: Option<&Events>, text: &str, next: &Config) -> Result<()> {
    let path = config.file_to_change();
    if text_of(&path)? != text {
        replace_whole(&path, text.as_bytes())?;
    }
    config.take_at_once(next);
    if let Some(events) = events {
        events.send(Event::Changed(Change::SETTINGS));
    }
    Ok(())
}

/// Gives the setting `key` another value in the file, from the next start on, or at once where it says so. `is_seen` says of the
/// text of the file whether it is the one that was shown. Gives what the file says then. Reads and writes it: for code that
/// is off the async threads.
///
/// # Errors
/// `NOT_FOUND` for what is no setting; `INVALID_INPUT` for a value that it cannot have; `CONFLICT` where the file was changed
/// meanwhile, cannot be written or used, or where a variable or a flag says otherwise; `STORAGE_FULL`.
pub fn change(
    config: &Config,
    events: &Events,
    (key, value): (&str, &str),
    has_passphrase: bool,
    is_seen: impl FnOnce(&str) -> bool,
) -> Result<String> {
    let _turn = turn();
    let path = config.file_to_change();
    let text = text_of(&path)?;
    let changed = config.changed(&text, key, value)?;
    if !is_seen(&text) {
        return Err(Error::conflict(CHANGED_SINCE));
    }
    Changing { now: config, next: &changed.config, has_passphrase }.check(key)?;
    replace(config, Some(events), &changed.text, &changed.config).map_err(|error| match error.kind {
        Kind::StorageFull | Kind::Conflict => error,
        _ => Error::conflict(NOT_WRITABLE.with([("path", path.display().to_string().into())])).because(error),
    })?;
    if changed.text != text {
        info!(key, file = %path.display(), "a setting was changed");
    }
    Ok(changed.text)
}

/// What the next start makes of the file where it says `text`, or why it cannot be used.
///
/// # Errors
/// Why it cannot be used.
pub fn next(config: &Config, text: &str) -> Result<Config, Message> {
    config.with_file(text).map_err(|error| unfit(text, &error))
}

/// Why the next start could not use the file as it lies there; nothing where it can. Reads it: for code that is off the
/// async threads.
pub fn problem(config: &Config) -> Option<Message> {
    text_of(&config.file_to_change()).map_or_else(|error| Some(error.message), |text| config.problem_with(&text))
}

/// What a backup file carries of the settings: those that the next start would have, since the household may have changed
/// some since this one; those in force where the file cannot be used as it stands.
pub fn to_carry(config: &Config) -> String {
    let next = text_of(&config.file_to_change()).and_then(|text| config.with_file(&text));
    next.as_ref().unwrap_or(config).without_secrets()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_in_the_place_of_the_settings_is_refused_and_not_waited_for() {
        let place = tempfile::TempDir::new().unwrap();
        let pipe = place.path().join("appliance.toml");
        assert_eq!(text_of(&pipe).unwrap(), "");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        assert!(text_of(&pipe).unwrap_err().message.contains("cannot be read"));
    }
}
