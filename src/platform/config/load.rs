//! Reading the sources in their order and saying which of them a refused value came from.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use toml::{Table, Value};

use super::refusals::{find, must};
use super::sources::{
    Environment, Flags, Settled, find_file, from_environment, from_file, from_flags, read_secret_files,
};
use super::values::{Gathered, flat, plain};
use super::{Config, SectionKind, Setting};
use hanok_base::error::{Error, Fields, Result};

impl Config {
    /// Reads default, file, environment and flags in this order and checks every value, those of `domains` included.
    ///
    /// The file is `--config`, else `appliance.toml` in the data folder, else `./appliance.toml`;
    /// the last two may be absent.
    ///
    /// # Errors
    /// `INVALID_INPUT` with each refused key: unknown (the nearest known one is offered),
    /// of a wrong type, out of range, or a file that cannot be read.
    pub fn load(domains: &[SectionKind], flags: &Flags, environment: &Environment) -> Result<Config> {
        let file = named_file(domains, flags, environment)?.map(Settled::read).transpose()?;
        Config::of_sources(domains, flags, environment, file)
    }

    /// The settings that the next start would have with the same flags and variables, if the settings file said `text`.
    ///
    /// # Errors
    /// Those of [`Config::load`].
    pub fn with_file(&self, text: &str) -> Result<Config> {
        let domains: Vec<SectionKind> = self.domains.iter().map(|(kind, _)| *kind).collect();
        let file = Settled { path: self.file_to_change(), text: text.to_owned() };
        Config::of_sources(&domains, &self.given.0, &self.given.1, Some(file))
    }

    /// What stands in no file comes from `flags` and `environment`.
    pub(super) fn of_sources(
        domains: &[SectionKind],
        flags: &Flags,
        environment: &Environment,
        file: Option<Settled>,
    ) -> Result<Config> {
        let defaults = Config::of(domains);
        let mut gathered = Gathered::new();
        let mut refused = Fields::new();
        let mut retired = Vec::new();
        let outer = from_environment(&defaults, environment, &mut refused, &mut retired);
        let flagged = from_flags(flags, &mut refused);
        if let Some(file) = &file {
            gathered.extend(from_file(&defaults, file, &mut refused, &mut retired)?);
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
        config.sources = gathered.into_iter().map(|(key, given)| (key, (given.source, given.origin))).collect();
        config.file = file.map(|file| file.path);
        config.given = Arc::new((flags.clone(), environment.of_ours()));
        config.retired = retired;
        Ok(config)
    }
}

/// The settings file that these sources name.
fn named_file(domains: &[SectionKind], flags: &Flags, environment: &Environment) -> Result<Option<PathBuf>> {
    let defaults = Config::of(domains);
    // What is refused here is refused again, with all the rest.
    let (mut refused, mut retired) = (Fields::new(), Vec::new());
    let outer = from_environment(&defaults, environment, &mut refused, &mut retired);
    let flagged = from_flags(flags, &mut refused);
    let data_dir = flagged.get("data.dir").or(outer.get("data.dir")).map(|given| PathBuf::from(plain(&given.value)));
    find_file(flags, &data_dir.unwrap_or(defaults.data.dir))
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
        let value = if setting.rule.is_secret() {
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
    if config.mail.signs_in_openly() {
        wrong.insert("mail.security");
    }
    if !config.mail.host.is_empty() && config.mail.from.is_empty() {
        wrong.insert("mail.from");
    }
    let keys = ["sign_in.client_id", "sign_in_2.client_id", "sign_in_3.client_id"];
    for (key, provider) in keys.into_iter().zip(config.sign_in_providers()) {
        if !provider.issuer.is_empty() && !provider.is_set() {
            wrong.insert(key);
        }
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
