//! The sentences with which a setting is refused, and what is passed over instead.

use hanok_base::{Message, text};

use super::renamed::{RENAMED, RETIRED};
use super::values::GivenValue;
use super::{Config, Setting, SettingSource};

/// "must be …, but is … in …" for a refused value.
pub(super) fn must(setting: Option<&Setting>, given: Option<&GivenValue>) -> Message {
    let is_variable = given.is_some_and(|given| given.source == SettingSource::Environment);
    let rule = setting.map(|setting| setting.rule.at_a_start(is_variable));
    let must = rule.unwrap_or_else(|| "must be a valid value".to_owned());
    Message::english(match given {
        Some(given) if setting.is_some_and(|setting| setting.rule.is_secret()) => {
            format!("{must} (see {})", given.origin)
        }
        Some(given) => format!("{must}, but is {} in {}", given.written, given.origin),
        None => must,
    })
}

/// "is not known …" with the nearest known key. The key is compared within its section first.
pub(super) fn unknown(known: &Config, key: &str) -> String {
    // What is longer is no slip of the pen, and to compare it takes long.
    let short = Some(key).filter(|key| key.len() <= LONGEST_COMPARED);
    match short.and_then(|key| text::nearest(key, known.settings().map(|setting| setting.key))) {
        Some(known) => format!("is not a known setting; did you mean {known}?"),
        None => UNKNOWN.to_owned(),
    }
}

/// Letters of the longest key that is compared with those that are known.
const LONGEST_COMPARED: usize = 64;
/// What is said of an unknown key to which none is near, or for which none is looked for.
pub(super) const UNKNOWN: &str = "is not a known setting; `hanok config` lists them";

/// Why a `HANOK_` variable that names no setting is refused. Without the two underscores it may belong
/// to someone else, unless only the second underscore is missing.
pub(super) fn unknown_variable(known: &Config, name: &str) -> Option<String> {
    let known: Vec<String> = known.settings().map(|setting| variable(setting.key)).collect();
    let single = |name: &str| name.replace("__", "_");
    let meant = match name.contains("__") {
        true if name.len() > LONGEST_COMPARED => None,
        true => text::nearest(name, known.iter().map(String::as_str)),
        false => Some(known.iter().map(String::as_str).find(|known| single(known) == name)?),
    };
    Some(match meant {
        Some(known) => format!("is not a known setting; did you mean {known}?"),
        None => UNKNOWN.to_owned(),
    })
}

/// Whether an earlier version had the setting `key`. A file that served that version serves this one too: what is said
/// there is passed over, and `retired` hears of it.
pub(super) fn is_retired(key: &str, origin: &str, retired: &mut Vec<String>) -> bool {
    let Some((_, now)) = RETIRED.iter().find(|(earlier, _)| *earlier == key) else { return false };
    retired.push(format!("{key} in {origin} is no setting any more and is passed over; use {now}"));
    true
}

/// The name that the setting `key` of an earlier version has now; `retired` hears of it.
pub(super) fn renamed(known: &Config, key: &str, origin: &str, retired: &mut Vec<String>) -> Option<&'static Setting> {
    let (_, now) = RENAMED.iter().find(|(earlier, _)| *earlier == key)?;
    retired.push(format!("{key} in {origin} is called {now} now"));
    find(known, now)
}

/// The setting of that key.
pub(super) fn find(known: &Config, key: &str) -> Option<&'static Setting> {
    known.settings().find(|setting| setting.key == key)
}

/// `ops.listen` as `HANOK_OPS__LISTEN`.
pub(super) fn variable(key: &str) -> String {
    format!("HANOK_{}", key.replace('.', "__").to_uppercase())
}
