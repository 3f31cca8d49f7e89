//! The settings of the appliance: built-in default < `appliance.toml` < environment < flag.
//!
//! A setting is `section.key`. The same setting is `[section] key = …` in the file and
//! `HANOK_SECTION__KEY` in the environment. Every value is checked once, here; whoever gets a
//! [`Config`] can rely on it. This is the only room that reads the environment.

mod file;
mod load;
mod network;
mod refusals;
pub mod rule;
mod section;
mod sections;
mod sources;
#[cfg(test)]
mod tests;
mod values;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;

pub use crate::section;
pub use network::{Network, one_caller};
use section::Values;
pub use section::{Section, SectionKind, Setting};
pub use sections::{Access, Backup, Compute, Data, Http, Jobs, Level, Log, LogFormat, Ops, Site, Store, Upstream};
pub use sources::{Environment, Flags};

/// Every setting, checked. One part for each section of the house, and [`Config::section`] for those of the domains.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
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
    /// Limits of every outside provider.
    pub upstream: Upstream,
    /// The log.
    pub log: Log,
    /// The sections of the domains.
    #[serde(skip)]
    domains: Vec<(SectionKind, Values)>,
    /// Where each value that is not the default came from.
    #[serde(skip)]
    sources: BTreeMap<&'static str, SettingSource>,
    /// The settings file that was read.
    #[serde(skip)]
    file: Option<PathBuf>,
    /// A sentence for each setting of an earlier version that was passed over.
    #[serde(skip)]
    retired: Vec<String>,
}

/// How `appliance.toml` begins.
const HEAD: &str = "\
# hanok: every setting, at its default.
#
# Copy this file into the data folder (or name it with --config FILE) and change what you need;
# what you leave out keeps its default. The same settings can come from the environment as
# HANOK_SECTION__KEY, for example HANOK_OPS__LISTEN=0.0.0.0:8420 (lists with commas), and the
# flags of `hanok serve` win over both. `hanok config` shows what is in force and why.
#
# Written by `hanok config --example` from what each section says of itself.
";

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

/// The sections of the house, in the order of `appliance.toml`.
const OF_THE_HOUSE: [SectionKind; 10] = [
    SectionKind::of::<Data>(),
    SectionKind::of::<Ops>(),
    SectionKind::of::<Site>(),
    SectionKind::of::<Http>(),
    SectionKind::of::<Store>(),
    SectionKind::of::<Backup>(),
    SectionKind::of::<Compute>(),
    SectionKind::of::<Jobs>(),
    SectionKind::of::<Upstream>(),
    SectionKind::of::<Log>(),
];

impl Config {
    /// Every setting at its default: those of the house and those of `domains`.
    pub fn of(domains: &[SectionKind]) -> Config {
        let domains = domains.iter().map(|kind| (*kind, (kind.default)())).collect();
        Config { domains, ..Config::default() }
    }

    /// A domain's section; its defaults where these settings were made without it.
    pub fn section<S: Section>(&self) -> Arc<S> {
        let held = self.domains.iter().find_map(|(_, values)| Arc::clone(&values.typed).downcast().ok());
        held.unwrap_or_default()
    }

    /// Puts a domain's section in place of the one that is there.
    pub fn set<S: Section>(&mut self, section: S) {
        self.domains.retain(|(kind, _)| kind.name != S::NAME);
        self.domains.push((SectionKind::of::<S>(), Values::of(section)));
    }

    /// The `appliance.toml` that says all this: every setting with what it is for.
    pub fn as_file(&self) -> String {
        let values = values::flat(self);
        let mut text = HEAD.to_owned();
        for kind in self.kinds() {
            text += &format!("\n{}[{}]\n", commented(kind.about), kind.name);
            for setting in kind.settings {
                let key = setting.key.split_once('.').map_or(setting.key, |(_, key)| key);
                let value = values.get(setting.key).map(ToString::to_string).unwrap_or_default();
                text += &format!("{}{key} = {value}\n", commented(setting.about));
            }
        }
        text
    }

    /// Every setting in the order of `appliance.toml`, with its source.
    pub fn listing(&self) -> Vec<SettingRow> {
        let values = values::flat(self);
        let defaults = values::flat(&self.defaults());
        let shown =
            |table: &BTreeMap<String, toml::Value>, key: &str| table.get(key).map(values::plain).unwrap_or_default();
        self.settings()
            .map(|setting| SettingRow {
                key: setting.key.to_owned(),
                value: shown(&values, setting.key),
                default: shown(&defaults, setting.key),
                source: self.source(setting.key),
                secret: setting.rule.secret,
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
        self.text_of(|setting| !setting.rule.secret && !setting.rule.local)
    }

    /// What of the settings of another machine is taken over, as the text of an `appliance.toml`, and the keys that
    /// are not: paths and secrets, where the house is reached and whom it believes.
    pub fn to_take_over(&self) -> (String, Vec<&'static str>) {
        let stays = |setting: &Setting| setting.rule.secret || setting.rule.local || setting.rule.entrance;
        let said = self.settings().filter(|setting| self.source(setting.key) != SettingSource::Default);
        let staying = said.filter(|setting| stays(setting)).map(|setting| setting.key);
        (self.text_of(|setting| !stays(setting)), staying.collect())
    }

    fn text_of(&self, is_said: impl Fn(&Setting) -> bool) -> String {
        let values = values::flat(self);
        let defaults = values::flat(&self.defaults());
        let mut sections = toml::Table::new();
        for setting in self.settings().filter(|setting| is_said(setting)) {
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

    /// A sentence for each setting of an earlier version that was found and passed over.
    pub fn retired(&self) -> &[String] {
        &self.retired
    }

    /// The same settings at their defaults.
    fn defaults(&self) -> Config {
        Config::of(&self.domains.iter().map(|(kind, _)| *kind).collect::<Vec<_>>())
    }

    fn kinds(&self) -> impl Iterator<Item = SectionKind> {
        OF_THE_HOUSE.into_iter().chain(self.domains.iter().map(|(kind, _)| *kind))
    }

    fn settings(&self) -> impl Iterator<Item = &'static Setting> {
        self.kinds().flat_map(|kind| kind.settings)
    }
}

fn commented(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("#{line}\n")).collect()
}
