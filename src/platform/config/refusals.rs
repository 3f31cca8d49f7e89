//! The sentences with which a setting is refused, and what is passed over instead.

use hanok_base::text;

use super::sections::RETIRED;
use super::values::Given;
use super::{Config, Setting, SettingSource};

/// "must be …, but is … in …" for a refused value.
pub(super) fn must(setting: Option<&Setting>, given: Option<&Given>) -> String {
    let is_variable = given.is_some_and(|given| given.source == SettingSource::Environment);
    let rule = setting.map(|setting| setting.rule.sentence_for(is_variable));
    let rule = rule.unwrap_or_else(|| "a valid value".to_owned());
    match given {
        Some(given) if setting.is_some_and(|setting| setting.rule.secret) => {
            format!("must be {rule} (see {})", given.origin)
        }
        Some(given) => format!("must be {rule}, but is {} in {}", given.written, given.origin),
        None => format!("must be {rule}"),
    }
}

/// "is not known …" with the nearest known key. The key is compared within its section first.
pub(super) fn unknown(known: &Config, key: &str) -> String {
    match text::nearest(key, known.settings().map(|setting| setting.key)) {
        Some(known) => format!("is not a known setting; did you mean {known}?"),
        None => "is not a known setting; `hanok config` lists them".to_owned(),
    }
}

/// Why a `HANOK_` variable that names no setting is refused. Without the two underscores it may belong
/// to someone else, unless only the second underscore is missing.
pub(super) fn unknown_variable(known: &Config, name: &str) -> Option<String> {
    let known: Vec<String> = known.settings().map(|setting| variable(setting.key)).collect();
    let single = |name: &str| name.replace("__", "_");
    let meant = match name.contains("__") {
        true => text::nearest(name, known.iter().map(String::as_str)),
        false => Some(known.iter().map(String::as_str).find(|known| single(known) == name)?),
    };
    Some(match meant {
        Some(known) => format!("is not a known setting; did you mean {known}?"),
        None => "is not a known setting; `hanok config` lists them".to_owned(),
    })
}

/// Whether an earlier version had the setting `key`. A file that served that version serves this one too: what is said
/// there is passed over, and `retired` hears of it.
pub(super) fn is_retired(key: &str, origin: &str, retired: &mut Vec<String>) -> bool {
    let Some((_, now)) = RETIRED.iter().find(|(earlier, _)| *earlier == key) else { return false };
    retired.push(format!("{key} in {origin} is no setting any more and is passed over; use {now}"));
    true
}

/// The setting of that key.
pub(super) fn find(known: &Config, key: &str) -> Option<&'static Setting> {
    known.settings().find(|setting| setting.key == key)
}

/// `ops.listen` as `HANOK_OPS__LISTEN`.
pub(super) fn variable(key: &str) -> String {
    format!("HANOK_{}", key.replace('.', "__").to_uppercase())
}
