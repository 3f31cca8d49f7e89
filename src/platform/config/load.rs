//! Reading the sources in their order and saying which of them a refused value came from.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::settings::{self, RETIRED, SETTINGS};
use super::{Config, SettingSource, check};
use hanok_base::error::{Error, Fields, Kind, Result};
use hanok_base::text;

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
#[derive(Debug, Clone, Default)]
pub struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
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

/// A value with where it came from, kept until all sources are read.
struct Given {
    value: Value,
    source: SettingSource,
    /// The words for the message: the file's path, the variable's or the flag's name.
    origin: String,
}

type Gathered = BTreeMap<&'static str, Given>;

impl Config {
    /// Reads default, file, environment and flags in this order and checks every value.
    ///
    /// The file is `--config`, else `appliance.toml` in the data folder, else `./appliance.toml`;
    /// the last two may be absent.
    ///
    /// # Errors
    /// [`Kind::InvalidInput`] with each refused key: unknown (the nearest known one is offered),
    /// of a wrong type, out of range, or a file that cannot be read.
    pub fn load(flags: &Flags, environment: &Environment) -> Result<Config> {
        let mut gathered = Gathered::new();
        let mut refused = Fields::new();
        let outer = from_environment(environment, &mut refused);
        let flagged = from_flags(flags, &mut refused);
        let data_dir =
            flagged.get("data.dir").or(outer.get("data.dir")).map(|given| PathBuf::from(plain(&given.value)));
        let file = find_file(flags, &data_dir.unwrap_or_else(|| Config::default().data.dir))?;
        if let Some(path) = &file {
            gathered.extend(from_file(path, &mut refused)?);
        }
        gathered.extend(outer);
        gathered.extend(flagged);
        if !refused.is_empty() {
            return Err(Error::fields(refused));
        }
        read_secret_files(&mut gathered)?;
        let mut config = typed(&gathered)?;
        let wrong: Fields =
            check::refused(&config).into_iter().map(|key| (key.to_owned(), must(key, gathered.get(key)))).collect();
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
        config.sources = gathered.into_iter().map(|(key, given)| (key, given.source)).collect();
        config.file = file;
        tidy(&mut config);
        Ok(config)
    }
}

/// The settings file to read.
fn find_file(flags: &Flags, data_dir: &Path) -> Result<Option<PathBuf>> {
    match &flags.config {
        Some(path) if path.is_file() => Ok(Some(path.clone())),
        Some(path) => Err(Error::new(Kind::InvalidInput, format!("--config: there is no file {}", path.display()))),
        None => Ok([data_dir.join("appliance.toml"), PathBuf::from("./appliance.toml")]
            .into_iter()
            .find(|candidate| candidate.is_file())),
    }
}

/// What the settings file says. A value that repeats the default is left out: it changes nothing.
fn from_file(path: &Path, refused: &mut Fields) -> Result<Gathered> {
    let unreadable = |problem: String| Error::new(Kind::InvalidInput, format!("{}: {problem}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let sections: Table = text.parse().map_err(|error: toml::de::Error| unreadable(error.to_string()))?;
    let defaults = flat(&Config::default());
    let mut gathered = Gathered::new();
    for (section, keys) in sections {
        let Value::Table(keys) = keys else {
            refused.insert(section.clone(), format!("stands outside every [section] of {}", path.display()));
            continue;
        };
        for (key, value) in keys {
            let full = format!("{section}.{key}");
            match settings::find(&full) {
                None => drop(refused.insert(full.clone(), unknown(&full))),
                Some(setting) if defaults.get(setting.key) == Some(&value) => {}
                Some(setting) => {
                    let origin = path.display().to_string();
                    gathered.insert(setting.key, Given { value, source: SettingSource::File, origin });
                }
            }
        }
    }
    Ok(gathered)
}

/// What the `HANOK_SECTION__KEY` variables say.
fn from_environment(environment: &Environment, refused: &mut Fields) -> Gathered {
    let defaults = flat(&Config::default());
    let mut gathered = Gathered::new();
    for (name, value) in &environment.0 {
        let Some(name) = name.to_str().filter(|name| name.starts_with("HANOK_")) else { continue };
        let Some(setting) = SETTINGS.iter().find(|setting| variable(setting.key) == name) else {
            if let Some(problem) = unknown_variable(name) {
                refused.insert(name.to_owned(), problem);
            }
            continue;
        };
        match value.to_str() {
            None => drop(refused.insert(setting.key.to_owned(), "must be UTF-8".to_owned())),
            Some(text) => {
                let value = read_as(defaults.get(setting.key), text);
                gathered
                    .insert(setting.key, Given { value, source: SettingSource::Environment, origin: name.to_owned() });
            }
        }
    }
    gathered
}

/// What the flags say.
fn from_flags(flags: &Flags, refused: &mut Fields) -> Gathered {
    let mut gathered = Gathered::new();
    let data_dir = flags.data_dir.as_ref().map(|path| path.to_str().map(str::to_owned));
    if data_dir == Some(None) {
        refused.insert("data.dir".to_owned(), "must be UTF-8".to_owned());
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
            gathered.insert(
                key,
                Given { value: Value::String(text), source: SettingSource::Flag, origin: flag.to_owned() },
            );
        }
    }
    gathered
}

/// Fills a secret that was not given itself from the file that its `*_file` setting names.
fn read_secret_files(gathered: &mut Gathered) -> Result<()> {
    for secret in SETTINGS.iter().filter(|setting| setting.secret) {
        let Some(named) = gathered.get(format!("{}_file", secret.key).as_str()) else { continue };
        let path = plain(&named.value);
        if path.is_empty() || gathered.contains_key(secret.key) {
            continue;
        }
        let unreadable =
            |problem: String| Error::field(format!("{}_file", secret.key), format!("names {path}, which {problem}"));
        let length = std::fs::metadata(&path).map_err(|error| unreadable(format!("cannot be read: {error}")))?.len();
        if length > LARGEST_SECRET {
            return Err(unreadable("is too large for a secret".to_owned()));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| unreadable(format!("cannot be read: {error}")))?;
        let value = Value::String(text.trim().to_owned());
        gathered.insert(secret.key, Given { value, source: SettingSource::File, origin: path });
    }
    Ok(())
}

/// The defaults overlaid with what was gathered, as the typed settings.
fn typed(gathered: &Gathered) -> Result<Config> {
    let mut sections = Table::try_from(Config::default()).map_err(Error::internal)?;
    for (key, given) in gathered {
        let Some((section, name)) = key.split_once('.') else { continue };
        if let Some(Value::Table(keys)) = sections.get_mut(section) {
            keys.insert(name.to_owned(), given.value.clone());
        }
    }
    serde_path_to_error::deserialize(Value::Table(sections)).map_err(|error| {
        let path = error.path().to_string();
        // A list names the element too (`ops.hosts[0]`); the sentence is about the whole setting.
        let key = path.split('[').next().unwrap_or_default();
        Error::field(key, must(key, gathered.get(key)))
    })
}

/// "must be …, but is … in …" for a refused value.
fn must(key: &str, given: Option<&Given>) -> String {
    let setting = settings::find(key);
    let rule = setting.map_or("a valid value", |setting| setting.must);
    match given {
        Some(given) if setting.is_some_and(|setting| setting.secret) => {
            format!("must be {rule} (see {})", given.origin)
        }
        Some(given) => format!("must be {rule}, but is {} in {}", given.value, given.origin),
        None => format!("must be {rule}"),
    }
}

/// "is not known …" with the nearest known key. The key is compared within its section first.
fn unknown(key: &str) -> String {
    if let Some((_, now)) = RETIRED.iter().find(|(retired, _)| *retired == key) {
        return format!("is no setting any more; use {now}");
    }
    match text::nearest(key, SETTINGS.iter().map(|setting| setting.key)) {
        Some(known) => format!("is not a known setting; did you mean {known}?"),
        None => "is not a known setting; `hanok config` lists them".to_owned(),
    }
}

/// Why a `HANOK_` variable that names no setting is refused. Without the two underscores it may belong
/// to someone else, unless only the second underscore is missing.
fn unknown_variable(name: &str) -> Option<String> {
    let known: Vec<String> = SETTINGS.iter().map(|setting| variable(setting.key)).collect();
    if let Some((_, now)) = RETIRED.iter().find(|(retired, _)| variable(retired) == name) {
        return Some(format!("is no setting any more; use {now}"));
    }
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

/// `ops.listen` as `HANOK_OPS__LISTEN`.
fn variable(key: &str) -> String {
    format!("HANOK_{}", key.replace('.', "__").to_uppercase())
}

/// `text` as a value of the same type as the default; what does not fit stays text and is refused later.
fn read_as(default: Option<&Value>, text: &str) -> Value {
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

/// Forms that mean the same are made the same: host names in lower case, addresses without a last slash.
fn tidy(config: &mut Config) {
    for host in config.ops.hosts.iter_mut().chain(&mut config.site.hosts) {
        host.make_ascii_lowercase();
    }
    let operator = config.lottery.operator.trim_end_matches('/').len();
    config.lottery.operator.truncate(operator);
}

/// Every value under its full key; secrets masked.
pub(super) fn flat(config: &Config) -> BTreeMap<String, Value> {
    // A plain struct of texts, numbers and lists always has a TOML form.
    let sections = Table::try_from(config).unwrap_or_default();
    sections
        .into_iter()
        .filter_map(|(section, keys)| Some((section, keys.as_table()?.clone())))
        .flat_map(|(section, keys)| keys.into_iter().map(move |(key, value)| (format!("{section}.{key}"), value)))
        .collect()
}

/// A value for people: texts without quotes, lists joined with commas.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
