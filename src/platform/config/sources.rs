//! The sources of settings: the file, the environment and the flags, and the files that hold secrets.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use toml::Value;

use super::file::{self, Written};
use super::refusals::{UNKNOWN, find, is_retired, must, renamed, unknown, unknown_variable, variable};
use super::values::{Gathered, GivenValue, flat, plain};
use super::{Config, SettingSource};
use hanok_base::Message;
use hanok_base::error::{Error, Fields, Kind, MOST_FIELDS, Result};

/// The largest secret file that is read; more than this is some other file.
const LARGEST_SECRET: u64 = 64 * 1024;

/// What the command line may set. A flag that was left out is `None`.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--config`: the settings file, which must exist then.
    pub config: Option<PathBuf>,
    /// `--data-dir`: `data.dir`.
    pub data_dir: Option<PathBuf>,
    /// `--ops-listen`: `ops.listen`.
    pub ops_listen: Option<String>,
    /// `--site-listen`: `site.listen`.
    pub site_listen: Option<String>,
    /// `hanok compute --listen`: `compute.listen`.
    pub compute_listen: Option<String>,
    /// `--log-format`: `log.format`.
    pub log_format: Option<String>,
}

/// The environment variables of this process, or those that a test makes up.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<OsString, OsString>);

impl fmt::Debug for Environment {
    /// A variable may hold a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Environment({} variables)", self.0.len())
    }
}

impl Environment {
    /// Those that may be settings.
    pub(super) fn of_ours(&self) -> Self {
        let is_ours = |name: &OsString| name.to_str().is_some_and(|name| name.starts_with("HANOK_"));
        Environment(self.0.iter().filter(|(name, _)| is_ours(name)).map(|(n, v)| (n.clone(), v.clone())).collect())
    }

    /// The real environment.
    pub fn of_process() -> Self {
        #[expect(clippy::disallowed_methods, reason = "the one room that reads the environment")]
        let variables = std::env::vars_os().collect();
        Environment(variables)
    }

    /// An environment of the given names and values.
    pub fn of<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        Environment(variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

/// The settings file to read.
pub(super) fn find_file(flags: &Flags, data_dir: &Path) -> Result<Option<PathBuf>> {
    match &flags.config {
        Some(path) if path.is_file() => Ok(Some(path.clone())),
        Some(path) => Err(Error::new(
            Kind::InvalidInput,
            Message::english(format!("--config: there is no file {}", path.display())),
        )),
        None => Ok([data_dir.join("appliance.toml"), PathBuf::from("./appliance.toml")]
            .into_iter()
            .find(|candidate| candidate.is_file())),
    }
}

/// A settings file.
pub(super) struct Settled {
    pub path: PathBuf,
    pub text: String,
}

impl Settled {
    pub fn read(path: PathBuf) -> Result<Settled> {
        let unreadable =
            |error| Error::new(Kind::InvalidInput, Message::english(format!("{}: {error}", path.display())));
        let text = std::fs::read_to_string(&path).map_err(unreadable)?;
        Ok(Settled { path, text })
    }
}

/// What the settings file says. A value that repeats the default is left out: it changes nothing.
pub(super) fn from_file(
    known: &Config,
    Settled { path, text }: &Settled,
    refused: &mut Fields,
    retired: &mut Vec<String>,
) -> Result<Gathered> {
    let path = path.display().to_string();
    let values = file::read(text, &path).map_err(Error::fields)?;
    let defaults = flat(known);
    let mut gathered = Gathered::new();
    let mut unknown_keys = 0;
    let name = |written: &Written| Some(format!("{}.{}", written.section, written.key.as_ref()?));
    let names: Vec<String> = values.iter().filter_map(name).collect();
    for Written { section, key, value, text: written, line } in values {
        let origin = format!("{path}, line {line}");
        let Some(key) = key else {
            refused.insert(section, Message::english(format!("stands outside every [section] in {origin}")));
            continue;
        };
        let full = format!("{section}.{key}");
        let source = SettingSource::File;
        let setting = find(known, &full);
        let earlier = if setting.is_none() { renamed(known, &full, &origin, retired) } else { None };
        // Where a file says both names, the present one holds.
        if earlier.is_some_and(|setting| names.iter().any(|name| name == setting.key)) {
            continue;
        }
        match (setting.or(earlier), value) {
            (None, _) if is_retired(&full, &origin, retired) => {}
            (None, _) => {
                unknown_keys += 1;
                // An answer names no more of them.
                let said = if unknown_keys > MOST_FIELDS { UNKNOWN.to_owned() } else { unknown(known, &full) };
                refused.insert(full, Message::english(format!("{said} ({origin})")));
            }
            (Some(setting), Some(value)) if defaults.get(setting.key) == Some(&value) => {}
            (Some(setting), Some(value)) => {
                gathered.insert(setting.key, GivenValue { value, source, written, origin });
            }
            (Some(setting), None) => {
                let given = GivenValue { value: Value::String(written.clone()), source, written, origin };
                refused.insert(full, must(Some(setting), Some(&given)));
            }
        }
    }
    Ok(gathered)
}

/// What the `HANOK_SECTION__KEY` variables say.
pub(super) fn from_environment(
    known: &Config,
    environment: &Environment,
    refused: &mut Fields,
    retired: &mut Vec<String>,
) -> Gathered {
    let defaults = flat(known);
    let mut gathered = Gathered::new();
    for (name, value) in &environment.0 {
        let Some(name) = name.to_str().filter(|name| name.starts_with("HANOK_")) else { continue };
        let key = name.strip_prefix("HANOK_").unwrap_or_default().replacen("__", ".", 1).to_lowercase();
        let setting = known.settings().find(|setting| variable(setting.key) == name);
        let earlier = if setting.is_none() { renamed(known, &key, name, retired) } else { None };
        if earlier.is_some_and(|setting| environment.0.iter().any(|(name, _)| *name == *variable(setting.key))) {
            continue;
        }
        let Some(setting) = setting.or(earlier) else {
            if !is_retired(&key, name, retired)
                && let Some(problem) = unknown_variable(known, name)
            {
                refused.insert(name.to_owned(), Message::english(problem));
            }
            continue;
        };
        match value.to_str() {
            None => drop(refused.insert(setting.key.to_owned(), Message::english("must be UTF-8"))),
            Some(text) => {
                let value = read_as(defaults.get(setting.key), text);
                let (source, written, origin) = (SettingSource::Environment, format!("{text:?}"), name.to_owned());
                gathered.insert(setting.key, GivenValue { value, source, written, origin });
            }
        }
    }
    gathered
}

/// What the flags say.
pub(super) fn from_flags(flags: &Flags, refused: &mut Fields) -> Gathered {
    let mut gathered = Gathered::new();
    let data_dir = flags.data_dir.as_ref().map(|path| path.to_str().map(str::to_owned));
    if data_dir == Some(None) {
        refused.insert("data.dir".to_owned(), Message::english("must be UTF-8"));
    }
    let texts = [
        ("data.dir", "--data-dir", data_dir.flatten()),
        ("ops.listen", "--ops-listen", flags.ops_listen.clone()),
        ("site.listen", "--site-listen", flags.site_listen.clone()),
        ("compute.listen", "--listen", flags.compute_listen.clone()),
        ("log.format", "--log-format", flags.log_format.clone()),
    ];
    for (key, flag, text) in texts {
        if let Some(text) = text {
            let (source, written, origin) = (SettingSource::Flag, format!("{text:?}"), flag.to_owned());
            gathered.insert(key, GivenValue { value: Value::String(text), source, written, origin });
        }
    }
    gathered
}

/// Fills a secret that was not given itself from the file that its `*_file` setting names.
pub(super) fn read_secret_files(known: &Config, gathered: &mut Gathered, refused: &mut Fields) {
    for secret in known.settings().filter(|setting| setting.rule.is_secret()) {
        let Some(named) = gathered.get(format!("{}_file", secret.key).as_str()) else { continue };
        let path = plain(&named.value);
        if path.is_empty() || gathered.contains_key(secret.key) {
            continue;
        }
        match secret_in(&path) {
            Ok(text) => {
                let given = GivenValue {
                    value: Value::String(text),
                    source: SettingSource::File,
                    written: String::new(),
                    origin: path,
                };
                gathered.insert(secret.key, given);
            }
            Err(problem) => drop(
                refused
                    .insert(format!("{}_file", secret.key), Message::english(format!("names {path}, which {problem}"))),
            ),
        }
    }
}

fn secret_in(path: &str) -> Result<String, String> {
    // What is no file may have no end, or wait for a writer that never comes.
    if std::fs::metadata(path).is_ok_and(|named| !named.is_file()) {
        return Err("is no file".to_owned());
    }
    let mut text = String::new();
    let opened = File::open(path).and_then(|file| file.take(LARGEST_SECRET + 1).read_to_string(&mut text));
    let length = opened.map_err(|error| format!("cannot be read: {error}"))?;
    if length as u64 > LARGEST_SECRET {
        Err("is too large for a secret".to_owned())
    } else {
        Ok(text.trim().to_owned())
    }
}

/// `text` as a value of the same type as the default; what does not fit stays text and is refused later.
pub(super) fn read_as(default: Option<&Value>, text: &str) -> Value {
    let as_text = || Value::String(text.to_owned());
    match default {
        Some(Value::Integer(_)) => text.trim().parse().map_or_else(|_| as_text(), Value::Integer),
        Some(Value::Boolean(_)) => text.trim().parse().map_or_else(|_| as_text(), Value::Boolean),
        Some(Value::Array(_)) => Value::Array(
            text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(|part| part.into()).collect(),
        ),
        _ => as_text(),
    }
}
