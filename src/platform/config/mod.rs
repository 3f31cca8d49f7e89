//! The settings of the appliance: built-in default < `appliance.toml` < environment < flag.
//!
//! A setting is `section.key`. The same setting is `[section] key = …` in the file and
//! `HANOK_SECTION__KEY` in the environment. Every value is checked once, here; whoever gets a
//! [`Config`] can rely on it. This is the only room that reads the environment.

mod check;
mod load;
mod network;
mod sections;
mod settings;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;

pub use load::{Environment, Flags};
pub use network::{Network, one_caller};
pub use sections::{
    Access, Backup, Compute, Data, Http, Jobs, Level, Log, LogFormat, Lottery, Ops, Site, Store, Upstream,
};

/// The `appliance.toml` that ships inside the binary: every setting at its default, explained.
pub const APPLIANCE_TOML: &str = include_str!("../../../appliance.toml");

/// Every setting, checked. One part for each section of `appliance.toml`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Where the data folder is.
    pub data: Data,
    /// The household door.
    pub ops: Ops,
    /// The customer door.
    pub site: Site,
    /// Limits of both doors.
    pub http: Http,
    /// The store.
    pub store: Store,
    /// When snapshots are made and how long they are kept.
    pub backup: Backup,
    /// The compute host.
    pub compute: Compute,
    /// Durable jobs and the schedule.
    pub jobs: Jobs,
    /// The lottery desk.
    pub lottery: Lottery,
    /// Limits of every outside provider.
    pub upstream: Upstream,
    /// The log.
    pub log: Log,
    /// Where each value that is not the default came from.
    #[serde(skip)]
    sources: BTreeMap<&'static str, SettingSource>,
    /// The settings file that was read.
    #[serde(skip)]
    file: Option<PathBuf>,
}

/// Where the value of a setting came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SettingSource {
    /// Built in. A file that repeats the default changes nothing and counts as this.
    Default,
    /// `appliance.toml`, or the file that a `*_file` setting names.
    File,
    /// A `HANOK_SECTION__KEY` variable.
    Environment,
    /// A flag of the command line.
    Flag,
}

impl SettingSource {
    /// The word for this source, as it stands in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            SettingSource::Default => "default",
            SettingSource::File => "file",
            SettingSource::Environment => "environment",
            SettingSource::Flag => "flag",
        }
    }
}

/// One setting as it is shown to people: secrets masked, lists joined with commas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SettingRow {
    /// The full key, `section.key`.
    pub key: String,
    /// The value in force; a secret that is set shows as `***`.
    pub value: String,
    /// The built-in value.
    pub default: String,
    /// Where the value came from.
    pub source: SettingSource,
    /// Whether the value is never shown.
    pub secret: bool,
}

impl Config {
    /// Every setting in the order of `appliance.toml`, with its source.
    pub fn listing(&self) -> Vec<SettingRow> {
        let values = load::flat(self);
        let defaults = load::flat(&Config::default());
        let shown =
            |table: &BTreeMap<String, toml::Value>, key: &str| table.get(key).map(load::plain).unwrap_or_default();
        settings::SETTINGS
            .iter()
            .map(|setting| SettingRow {
                key: setting.key.to_owned(),
                value: shown(&values, setting.key),
                default: shown(&defaults, setting.key),
                source: self.source(setting.key),
                secret: setting.secret,
            })
            .collect()
    }

    /// Where the value of `key` came from; an unknown key counts as default.
    pub fn source(&self, key: &str) -> SettingSource {
        self.sources.get(key).copied().unwrap_or(SettingSource::Default)
    }

    /// What differs from the defaults, as the text of an `appliance.toml` that a backup file carries to another
    /// machine: without secrets, without the paths of this machine, and without flags, which are for one run.
    pub fn without_secrets(&self) -> String {
        let values = load::flat(self);
        let defaults = load::flat(&Config::default());
        let mut sections = toml::Table::new();
        for setting in settings::SETTINGS.iter().filter(|setting| !setting.secret && !setting.local) {
            let (Some(value), Some((section, key))) = (values.get(setting.key), setting.key.split_once('.')) else {
                continue;
            };
            if defaults.get(setting.key) != Some(value)
                && self.source(setting.key) != SettingSource::Flag
                && let toml::Value::Table(keys) =
                    sections.entry(section).or_insert_with(|| toml::Value::Table(toml::Table::new()))
            {
                keys.insert(key.to_owned(), value.clone());
            }
        }
        sections.to_string()
    }

    /// The settings file that was read, when there is one.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}
