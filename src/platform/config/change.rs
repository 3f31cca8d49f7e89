//! One value of the settings file changed by the program: everything else stays as the person wrote it, and what cannot be
//! used is never written.

use toml::Value;
use toml_edit::{Array, DocumentMut, Item, RawString, Table, TableLike, Value as Written};

use super::checks::Changing;
use super::file::unreadable_from;
use super::refusals::find;
use super::renamed::RENAMED;
use super::sources::read_as;
use super::values::flat;
use super::{Config, Setting, SettingSource};
use hanok_base::{Error, Message, MessageTemplate, Result};

const GIVEN_ELSEWHERE: MessageTemplate =
    MessageTemplate::new("house.setting_given", "{key} is set by {origin}, which the file does not change");
const BY_HAND: MessageTemplate =
    MessageTemplate::new("house.setting_by_hand", "{key} is changed in the settings file only");
const UNFIT: MessageTemplate =
    MessageTemplate::new("house.settings_unfit", "the settings file cannot be used as it stands (see {keys}): {why}");
const UNREADABLE: MessageTemplate = MessageTemplate::new(
    "house.settings_unreadable_from",
    "the settings file cannot be read from line {line} on: {why}",
);
const FITS: MessageTemplate = MessageTemplate::new("house.must.fit_setting", "must fit {name} ({key})");

/// A settings file with one value changed.
#[derive(Debug)]
pub struct ChangedFile {
    /// What the file says from now on.
    pub text: String,
    /// What the next start makes of it.
    pub config: Config,
}

impl Config {
    /// The settings file `text` with `value` for the setting `key`, checked as a start checks it. `value` is written as in
    /// a variable: a list has commas.
    ///
    /// # Errors
    /// `NOT_FOUND` for what is no setting, `INVALID_INPUT` for a value that it cannot have, `CONFLICT` when it is changed
    /// elsewhere only, when a variable or a flag says otherwise, or when the file cannot be used as it stands.
    pub fn changed(&self, text: &str, key: &str, value: &str) -> Result<ChangedFile> {
        let setting = find(self, key).ok_or_else(|| Error::not_found("setting"))?;
        if let Some((SettingSource::Environment | SettingSource::Flag, origin)) = self.sources.get(setting.key) {
            let values = [("key", key.into()), ("origin", origin.as_str().into())];
            return Err(Error::conflict(GIVEN_ELSEWHERE.with(values)));
        }
        if !setting.rule.is_on_page() {
            return Err(Error::conflict(BY_HAND.with([("key", key.into())])));
        }
        let before = self.with_file(text).map_err(|error| Error::conflict(unfit(text, &error)))?;
        let must = || Error::field("value", setting.rule.said());
        let wanted = read_as(flat(&self.defaults()).get(setting.key), value);
        if !setting.rule.admits(&wanted) {
            return Err(must());
        }
        let wanted = setting.rule.tidied(wanted);
        if flat(&before).get(setting.key) == Some(&wanted) {
            return Ok(ChangedFile { text: text.to_owned(), config: before });
        }
        let text = put(text, setting.key, &wanted)?;
        let config = self.with_file(&text).map_err(|error| {
            let mut others = error.fields.keys().filter(|field| field.as_str() != key);
            let fits = |other: &Setting| {
                let name = (other.name.ko, other.name.en).into();
                Error::field("value", FITS.with([("name", name), ("key", other.key.into())]))
            };
            others.find_map(|other| find(self, other)).map_or_else(must, fits)
        })?;
        Ok(ChangedFile { text, config })
    }
}

impl Changing<'_> {
    /// Whether the setting `key` may have the value that it would have.
    ///
    /// # Errors
    /// `INVALID_INPUT` with why not.
    pub fn check(&self, key: &str) -> Result<()> {
        let refused = find(self.next, key).and_then(|setting| setting.rule.refuses(self));
        refused.map_or(Ok(()), |why| Err(Error::field("value", why)))
    }
}

/// That a settings file that says `text` is refused with `error`.
pub fn unfit(text: &str, error: &Error) -> Message {
    let why = ("why", error.message.text().into());
    if let Some(line) = unreadable_from(text) {
        return UNREADABLE.with([("line", line.into()), why]);
    }
    let keys: Vec<String> = error.foremost().into_keys().collect();
    UNFIT.with([("keys", keys.join(", ").into()), why])
}

/// `text` with this value. What stands around it stays.
fn put(text: &str, key: &str, value: &Value) -> Result<String> {
    let mut document: DocumentMut = text.parse().map_err(Error::internal)?;
    let (section, name) = key.split_once('.').ok_or_else(|| Error::internal("a setting without a section"))?;
    let keys = document.entry(section).or_insert_with(|| Item::Table(Table::new()));
    let keys = keys.as_table_like_mut().ok_or_else(|| Error::internal("a section that is none"))?;
    // A name of an earlier version gives way to the present one.
    let of_section = |earlier: &'static str| earlier.strip_prefix(section)?.strip_prefix('.');
    let earlier = RENAMED.iter().find(|(_, now)| *now == key).and_then(|(earlier, _)| of_section(earlier));
    if let Some(item) = earlier.and_then(|earlier| keys.remove(earlier))
        && keys.get(name).is_none()
    {
        keys.insert(name, item);
    }
    replace(keys, name, value);
    let written = document.to_string();
    Ok(if ends_lines_as_windows_does(text) { written.replace("\r\n", "\n").replace('\n', "\r\n") } else { written })
}

/// Whether most lines of `text` end in two characters. Its reader makes one of them.
fn ends_lines_as_windows_does(text: &str) -> bool {
    text.matches("\r\n").count() * 2 > text.matches('\n').count()
}

fn replace(keys: &mut dyn TableLike, name: &str, value: &Value) {
    let Some(there) = keys.get_mut(name).and_then(Item::as_value_mut) else {
        keys.insert(name, Item::Value(written(value)));
        return;
    };
    if let (Written::Array(list), Value::Array(wanted)) = (&mut *there, value) {
        return revise(list, wanted);
    }
    let decor = there.decor().clone();
    *there = written(value);
    *there.decor_mut() = decor;
}

/// What stays in a list keeps its place, and every comment stays: one that stands behind an entry belongs to the next.
fn revise(list: &mut Array, wanted: &[Value]) {
    let mut missing: Vec<&str> = wanted.iter().filter_map(Value::as_str).collect();
    let (mut revised, mut around) = (Array::new(), String::new());
    for there in list.iter() {
        let mut there = there.clone();
        let part = |part: Option<&RawString>| part.and_then(RawString::as_str).unwrap_or_default().to_owned();
        around += &part(there.decor().prefix());
        match missing.iter().position(|wanted| there.as_str() == Some(wanted)) {
            Some(stays) => {
                missing.remove(stays);
                there.decor_mut().set_prefix(std::mem::take(&mut around));
                revised.push_formatted(there);
            }
            None => around += &part(there.decor().suffix()),
        }
    }
    for new in missing {
        let mut new = Written::from(new);
        if around.is_empty() && !revised.is_empty() {
            around.push(' ');
        }
        new.decor_mut().set_prefix(std::mem::take(&mut around));
        revised.push_formatted(new);
    }
    revised.set_trailing_comma(list.trailing_comma() && !revised.is_empty());
    revised.set_trailing(around + list.trailing().as_str().unwrap_or_default());
    *revised.decor_mut() = list.decor().clone();
    *list = revised;
}

fn written(value: &Value) -> Written {
    match value {
        Value::Integer(number) => (*number).into(),
        Value::Boolean(yes) => (*yes).into(),
        Value::Array(values) => values.iter().map(written).collect::<Array>().into(),
        Value::String(text) => text.as_str().into(),
        other => other.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::{Environment, Flags};
    use hanok_base::Kind;

    const FILE: &str = "# our house\n\n[backup] # on the second disk\nhourly = 12 # enough\n# grandmother asked for it\n\
                        daily = 30\n\n[ops]\nhosts = [\n  \"hanok.lan\", # the router's word\n  \"nas.lan\",\n]\n\n# the end\n";

    fn house() -> Config {
        Config::load(&[], &Flags::default(), &Environment::default()).unwrap()
    }

    #[test]
    fn a_setting_by_its_name_of_an_earlier_version_is_written_by_its_present_one() {
        let off = Value::Boolean(false);
        assert_eq!(put("[contact]\non = true\n", "contact.enabled", &off).unwrap(), "[contact]\nenabled = false\n");
        let both = "[contact]\non = true\nenabled = true # open\n";
        assert_eq!(put(both, "contact.enabled", &off).unwrap(), "[contact]\nenabled = false # open\n");
    }

    #[test]
    fn one_value_changes_and_every_comment_stays() {
        let text = house().changed(FILE, "backup.hourly", "48").unwrap().text;
        assert_eq!(text, FILE.replace("hourly = 12", "hourly = 48"));
        let text = house().changed(FILE, "ops.hosts", "hanok.lan, new.lan").unwrap().text;
        assert!(text.contains("\"hanok.lan\", # the router's word"), "{text}");
        assert_eq!(text, FILE.replace("nas.lan", "new.lan"));
        let text = house().changed(FILE, "ops.hosts", "").unwrap().text;
        assert!(text.contains("# the router's word"), "{text}");
        let text = house().changed(FILE, "backup.weekly", "3").unwrap().text;
        assert!(text.contains("daily = 30\nweekly = 3\n"), "{text}");
        let text = house().changed(FILE, "log.level", "debug").unwrap().text;
        assert!(text.contains("[log]\nlevel = \"debug\"\n") && text.contains("# the end\n"), "{text}");
        assert_eq!(house().changed("", "jobs.schedule", "false").unwrap().text, "[jobs]\nschedule = false\n");
        assert_eq!(house().changed(FILE, "backup.hourly", "12").unwrap().text, FILE, "nothing changes");
    }

    #[test]
    fn a_file_that_was_written_on_windows_keeps_the_ends_of_its_lines() {
        let file = FILE.replace('\n', "\r\n");
        for (key, value) in [("backup.hourly", "48"), ("ops.hosts", "hanok.lan, new.lan"), ("backup.weekly", "3")] {
            let text = house().changed(&file, key, value).unwrap().text;
            let as_elsewhere = house().changed(FILE, key, value).unwrap().text;
            assert_eq!(text, as_elsewhere.replace('\n', "\r\n"), "{key}");
        }
    }

    #[test]
    fn a_value_that_it_cannot_have_is_refused_for_what_it_must_be() {
        for (key, value, must) in [
            ("backup.hourly", "many", "must be between 0 and 1000"),
            ("backup.hourly", "1001", "must be between 0 and 1000"),
            ("jobs.schedule", "perhaps", "must be true or false"),
            ("log.level", "loud", "must be one of error, warn, info, debug, trace"),
            ("log.format", "loud", "must be text or json"),
            ("ops.hosts", "http://hanok.lan", "must be a list of host names"),
            ("ops.listen", "here", "must be an address with a port"),
            ("ops.session_idle_days", "200", "must fit Maximum sign-in lifetime (ops.session_absolute_days)"),
            ("ops.session_absolute_days", "7", "must be between 1 and 3650; must not be fewer than"),
        ] {
            let error = house().changed(FILE, key, value).unwrap_err();
            assert_eq!(error.kind, Kind::InvalidInput, "{key}");
            assert!(error.fields["value"].starts_with(must), "{key}: {error:?}");
            assert!(error.fields["value"].localized().is_some(), "{key}: {error:?}");
        }
    }

    #[test]
    fn what_is_set_elsewhere_secret_or_an_entrance_is_not_changed_here() {
        let environment = Environment::of([("HANOK_BACKUP__DAILY", "3")]);
        let flags = Flags { log_format: Some("json".to_owned()), ..Flags::default() };
        let house = Config::load(&[], &flags, &environment).unwrap();
        for (key, said) in [
            ("backup.daily", "set by HANOK_BACKUP__DAILY"),
            ("log.format", "set by --log-format"),
            ("compute.token", "settings file only"),
            ("ops.access", "settings file only"),
            ("data.dir", "settings file only"),
            ("http.max_connections", "settings file only"),
        ] {
            let error = house.changed(FILE, key, "1").unwrap_err();
            assert_eq!(error.kind, Kind::Conflict);
            assert!(error.message.contains(said), "{key}: {error}");
        }
        assert_eq!(house.changed(FILE, "no.such", "1").unwrap_err().kind, Kind::NotFound);
        assert_eq!(house.changed("[ops\n", "backup.hourly", "1").unwrap_err().kind, Kind::Conflict);
        assert_eq!(house.changed("[ops]\nport = 1\n", "backup.hourly", "1").unwrap_err().kind, Kind::Conflict);
    }

    proptest! {
        #[test]
        fn whatever_is_asked_the_result_is_settings_with_that_value_or_nothing(
            place in any::<prop::sample::Index>(),
            value in prop_oneof!["[a-z0-9., ]{0,20}", "\\PC{0,12}", "-?[0-9]{1,22}", "true|false|debug|text"],
        ) {
            let house = house();
            let rows = house.listing();
            let key = &rows[place.index(rows.len())].key;
            match house.changed(FILE, key, &value) {
                Ok(ChangedFile { text, config }) => {
                    let again = house.with_file(&text).unwrap();
                    for ((after, before), said) in again.listing().iter().zip(house.with_file(FILE).unwrap().listing()).zip(config.listing()) {
                        prop_assert_eq!(&after.value, &said.value);
                        if after.key != *key {
                            prop_assert_eq!(&after.value, &before.value, "{} changed with {}", after.key, key);
                        }
                    }
                    for comment in ["# our house", "# on the second disk", "# enough", "# grandmother asked for it", "# the router's word", "# the end"] {
                        prop_assert!(text.contains(comment), "{text}");
                    }
                }
                Err(error) => {
                    prop_assert!(matches!(error.kind, Kind::InvalidInput | Kind::Conflict), "{error:?}");
                    let is_said = error.fields.values().all(|must| must.localized().is_some());
                    prop_assert!(is_said && (error.message.localized().is_some() || !error.fields.is_empty()), "{error:?}");
                }
            }
        }
    }
}
