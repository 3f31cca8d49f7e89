//! Reading the sources in their order and saying which of them a refused value came from.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::file::{self, Written};
use super::sections::RETIRED;
use super::{Config, SectionKind, Setting, SettingSource};
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
    /// The words for the message: the value as it was written, and the file's path and line, the variable's or the
    /// flag's name.
    written: String,
    origin: String,
}

type Gathered = BTreeMap<&'static str, Given>;

impl Config {
    /// Reads default, file, environment and flags in this order and checks every value, those of `domains` included.
    ///
    /// The file is `--config`, else `appliance.toml` in the data folder, else `./appliance.toml`;
    /// the last two may be absent.
    ///
    /// # Errors
    /// [`Kind::InvalidInput`] with each refused key: unknown (the nearest known one is offered),
    /// of a wrong type, out of range, or a file that cannot be read.
    pub fn load(domains: &[SectionKind], flags: &Flags, environment: &Environment) -> Result<Config> {
        let defaults = Config::of(domains);
        let mut gathered = Gathered::new();
        let mut refused = Fields::new();
        let mut retired = Vec::new();
        let outer = from_environment(&defaults, environment, &mut refused, &mut retired);
        let flagged = from_flags(flags, &mut refused);
        let data_dir =
            flagged.get("data.dir").or(outer.get("data.dir")).map(|given| PathBuf::from(plain(&given.value)));
        let file = find_file(flags, &data_dir.unwrap_or_else(|| defaults.data.dir.clone()))?;
        if let Some(path) = &file {
            gathered.extend(from_file(&defaults, path, &mut refused, &mut retired)?);
        }
        gathered.extend(outer);
        gathered.extend(flagged);
        read_secret_files(&defaults, &mut gathered, &mut refused);
        let typed = all_typed(&defaults, &mut gathered, &mut refused)?;
        check(&typed, &gathered, &mut refused);
        if !refused.is_empty() {
            return Err(Error::fields(refused));
        }
        tidy(&defaults, &mut gathered);
        let mut config = all_typed(&defaults, &mut gathered, &mut refused)?;
        config.sources = gathered.into_iter().map(|(key, given)| (key, given.source)).collect();
        config.file = file;
        config.retired = retired;
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
fn from_file(known: &Config, path: &Path, refused: &mut Fields, retired: &mut Vec<String>) -> Result<Gathered> {
    let unreadable = |problem: String| Error::new(Kind::InvalidInput, format!("{}: {problem}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let path = path.display().to_string();
    let values = file::read(&text, &path).map_err(Error::fields)?;
    let defaults = flat(known);
    let mut gathered = Gathered::new();
    for Written { section, key, value, text: written, line } in values {
        let origin = format!("{path}, line {line}");
        let Some(key) = key else {
            refused.insert(section, format!("stands outside every [section] in {origin}"));
            continue;
        };
        let full = format!("{section}.{key}");
        let source = SettingSource::File;
        match (find(known, &full), value) {
            (None, _) if is_retired(&full, &origin, retired) => {}
            (None, _) => drop(refused.insert(full.clone(), format!("{} ({origin})", unknown(known, &full)))),
            (Some(setting), Some(value)) if defaults.get(setting.key) == Some(&value) => {}
            (Some(setting), Some(value)) => {
                gathered.insert(setting.key, Given { value, source, written, origin });
            }
            (Some(setting), None) => {
                let given = Given { value: Value::String(written.clone()), source, written, origin };
                refused.insert(full, must(Some(setting), Some(&given)));
            }
        }
    }
    Ok(gathered)
}

/// What the `HANOK_SECTION__KEY` variables say.
fn from_environment(
    known: &Config,
    environment: &Environment,
    refused: &mut Fields,
    retired: &mut Vec<String>,
) -> Gathered {
    let defaults = flat(known);
    let mut gathered = Gathered::new();
    for (name, value) in &environment.0 {
        let Some(name) = name.to_str().filter(|name| name.starts_with("HANOK_")) else { continue };
        let Some(setting) = known.settings().find(|setting| variable(setting.key) == name) else {
            let key = name.trim_start_matches("HANOK_").replacen("__", ".", 1).to_lowercase();
            if !is_retired(&key, name, retired)
                && let Some(problem) = unknown_variable(known, name)
            {
                refused.insert(name.to_owned(), problem);
            }
            continue;
        };
        match value.to_str() {
            None => drop(refused.insert(setting.key.to_owned(), "must be UTF-8".to_owned())),
            Some(text) => {
                let value = read_as(defaults.get(setting.key), text);
                let (source, written, origin) = (SettingSource::Environment, format!("{text:?}"), name.to_owned());
                gathered.insert(setting.key, Given { value, source, written, origin });
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
            let (source, written, origin) = (SettingSource::Flag, format!("{text:?}"), flag.to_owned());
            gathered.insert(key, Given { value: Value::String(text), source, written, origin });
        }
    }
    gathered
}

/// Fills a secret that was not given itself from the file that its `*_file` setting names.
fn read_secret_files(known: &Config, gathered: &mut Gathered, refused: &mut Fields) {
    for secret in known.settings().filter(|setting| setting.rule.secret) {
        let Some(named) = gathered.get(format!("{}_file", secret.key).as_str()) else { continue };
        let path = plain(&named.value);
        if path.is_empty() || gathered.contains_key(secret.key) {
            continue;
        }
        match secret_in(&path) {
            Ok(text) => {
                let given = Given {
                    value: Value::String(text),
                    source: SettingSource::File,
                    written: String::new(),
                    origin: path,
                };
                gathered.insert(secret.key, given);
            }
            Err(problem) => {
                drop(refused.insert(format!("{}_file", secret.key), format!("names {path}, which {problem}")))
            }
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

/// The defaults overlaid with what was gathered, as the typed settings. What has another type is refused and taken away,
/// so that the others are looked at too.
fn all_typed(defaults: &Config, gathered: &mut Gathered, refused: &mut Fields) -> Result<Config> {
    loop {
        let path = match typed(defaults, gathered)? {
            Ok(config) => return Ok(config),
            Err(path) => path,
        };
        // A list names the element too (`ops.hosts[0]`); the sentence is about the whole setting.
        let key = path.split('[').next().unwrap_or_default();
        let Some(given) = gathered.remove(key) else { return Err(Error::field(key, must(find(defaults, key), None))) };
        refused.insert(key.to_owned(), must(find(defaults, key), Some(&given)));
    }
}

/// The typed settings, or where the first value stands that has another type.
fn typed(defaults: &Config, gathered: &Gathered) -> Result<Result<Config, String>> {
    let mut sections = Table::try_from(defaults).map_err(Error::internal)?;
    for (kind, values) in &defaults.domains {
        sections.insert(kind.name.to_owned(), Value::Table(values.shown.clone()));
    }
    for (key, given) in gathered {
        let Some((section, name)) = key.split_once('.') else { continue };
        if let Some(Value::Table(keys)) = sections.get_mut(section) {
            keys.insert(name.to_owned(), given.value.clone());
        }
    }
    let mut domains = Vec::new();
    for (kind, _) in &defaults.domains {
        let Some(Value::Table(values)) = sections.remove(kind.name) else { continue };
        match (kind.read)(values) {
            Ok(read) => domains.push((*kind, read)),
            Err(error) => return Ok(Err(format!("{}.{}", kind.name, error.path()))),
        }
    }
    let read = serde_path_to_error::deserialize(Value::Table(sections));
    Ok(read.map(|config: Config| Config { domains, ..config }).map_err(|error| error.path().to_string()))
}

/// Refuses what is out of range or malformed, naming each key.
fn check(config: &Config, gathered: &Gathered, refused: &mut Fields) {
    let values = flat(config);
    let holds = |setting: &Setting| {
        // A secret is masked everywhere but where it was given.
        let value = if setting.rule.secret {
            gathered.get(setting.key).map(|given| &given.value)
        } else {
            values.get(setting.key)
        };
        value.is_none_or(|value| setting.rule.admits(value))
    };
    let mut wrong: BTreeSet<&str> =
        config.settings().filter(|setting| !holds(setting)).map(|setting| setting.key).collect();
    if config.ops.session_absolute_days < config.ops.session_idle_days {
        wrong.insert("ops.session_absolute_days");
    }
    refused.extend(wrong.into_iter().map(|key| (key.to_owned(), must(find(config, key), gathered.get(key)))));
}

/// Forms that mean the same are made the same.
fn tidy(known: &Config, gathered: &mut Gathered) {
    for setting in known.settings() {
        if let Some(given) = gathered.get_mut(setting.key) {
            given.value = setting.rule.tidied(given.value.clone());
        }
    }
}

/// The setting of that key.
fn find(known: &Config, key: &str) -> Option<&'static Setting> {
    known.settings().find(|setting| setting.key == key)
}

/// "must be …, but is … in …" for a refused value.
fn must(setting: Option<&Setting>, given: Option<&Given>) -> String {
    let rule = setting.map_or_else(
        || "a valid value".to_owned(),
        |setting| match given {
            Some(Given { source: SettingSource::Environment, .. }) => setting.rule.sentence_outside_the_file(),
            _ => setting.rule.sentence(),
        },
    );
    match given {
        Some(given) if setting.is_some_and(|setting| setting.rule.secret) => {
            format!("must be {rule} (see {})", given.origin)
        }
        Some(given) => format!("must be {rule}, but is {} in {}", given.written, given.origin),
        None => format!("must be {rule}"),
    }
}

/// Whether an earlier version had the setting `key`. A file that served that version serves this one too: what is said
/// there is passed over, and `retired` hears of it.
fn is_retired(key: &str, origin: &str, retired: &mut Vec<String>) -> bool {
    let Some((_, now)) = RETIRED.iter().find(|(earlier, _)| *earlier == key) else { return false };
    retired.push(format!("{key} in {origin} is no setting any more and is passed over; use {now}"));
    true
}

/// "is not known …" with the nearest known key. The key is compared within its section first.
fn unknown(known: &Config, key: &str) -> String {
    match text::nearest(key, known.settings().map(|setting| setting.key)) {
        Some(known) => format!("is not a known setting; did you mean {known}?"),
        None => "is not a known setting; `hanok config` lists them".to_owned(),
    }
}

/// Why a `HANOK_` variable that names no setting is refused. Without the two underscores it may belong
/// to someone else, unless only the second underscore is missing.
fn unknown_variable(known: &Config, name: &str) -> Option<String> {
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

/// Every value under its full key; secrets masked.
pub(super) fn flat(config: &Config) -> BTreeMap<String, Value> {
    // A plain struct of texts, numbers and lists always has a TOML form.
    let of_the_house = Table::try_from(config).unwrap_or_default();
    let of_the_house = of_the_house.into_iter().filter_map(|(section, keys)| Some((section, keys.as_table()?.clone())));
    let of_domains = config.domains.iter().map(|(kind, values)| (kind.name.to_owned(), values.shown.clone()));
    of_the_house
        .chain(of_domains)
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
