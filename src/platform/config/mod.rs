//! The settings of the appliance: built-in default < `appliance.toml` < environment < flag.
//!
//! A setting is `section.key`. The same setting is `[section] key = …` in the file and
//! `HANOK_SECTION__KEY` in the environment. Every value is checked once, here; whoever gets a
//! [`Config`] can rely on it. This is the only room that reads the environment.

mod addresses;
mod at_once;
mod change;
mod checks;
mod file;
mod imported;
mod judged;
mod listing;
mod load;
mod mail;
mod network;
mod refusals;
mod renamed;
pub mod rule;
mod said;
mod section;
mod sections;
mod sign_in;
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
pub use change::unfit;
pub use checks::Changing;
pub use imported::ToTakeOver;
pub use listing::{InBoth, SectionRow, SettingRow, UnitRow};
pub use mail::{Mail, MailSecurity};
pub use network::{Network, one_caller};
pub use rule::{Entry, Unit};
use section::Values;
pub use section::{BothLanguages, Section, SectionKind, Setting};
pub use sections::{Access, Backup, Compute, Data, Http, Jobs, Level, Log, LogFormat, Ops, Site, Store, Upstream};
pub use sign_in::{OpenIdProvider, SignIn, SignIn2, SignIn3};
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
    /// Mail.
    pub mail: Mail,
    /// A provider by which customers sign in.
    pub sign_in: SignIn,
    /// A second one.
    pub sign_in_2: SignIn2,
    /// A third one.
    pub sign_in_3: SignIn3,
    /// The log.
    pub log: Log,
    /// The sections of the domains.
    #[serde(skip)]
    domains: Vec<(SectionKind, Values)>,
    /// Where each value that is not the default came from, and the place there.
    #[serde(skip)]
    sources: BTreeMap<&'static str, (SettingSource, String)>,
    /// The flags and the variables.
    #[serde(skip)]
    given: Arc<(Flags, Environment)>,
    /// The settings file that was read.
    #[serde(skip)]
    file: Option<PathBuf>,
    /// A sentence for each setting of an earlier version that was passed over.
    #[serde(skip)]
    retired: Vec<String>,
    /// What was changed since the start and holds already; shared by all who hold these settings.
    #[serde(skip)]
    at_once: at_once::AppliedAtOnce,
    /// What was found out last about the settings file; shared by all who hold these settings.
    #[serde(skip)]
    judged: judged::Judged,
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

/// The sections of the house, in the order of `appliance.toml`.
const OF_THE_HOUSE: [SectionKind; 14] = [
    SectionKind::of_the_house::<Data>(),
    SectionKind::of_the_house::<Ops>(),
    SectionKind::of_the_house::<Site>(),
    SectionKind::of_the_house::<Http>(),
    SectionKind::of_the_house::<Store>(),
    SectionKind::of_the_house::<Backup>(),
    SectionKind::of_the_house::<Compute>(),
    SectionKind::of_the_house::<Jobs>(),
    SectionKind::of_the_house::<Upstream>(),
    SectionKind::of_the_house::<Mail>(),
    SectionKind::of_the_house::<SignIn>(),
    SectionKind::of_the_house::<SignIn2>(),
    SectionKind::of_the_house::<SignIn3>(),
    SectionKind::of_the_house::<Log>(),
];

impl Config {
    /// Every setting at its default: those of the house and those of `domains`.
    pub fn of(domains: &[SectionKind]) -> Config {
        let domains = domains.iter().map(|kind| (*kind, (kind.default)())).collect();
        Config { domains, ..Config::default() }
    }

    /// The providers by which customers can sign in, in their order, and those that are not set.
    pub fn sign_in_providers(&self) -> [OpenIdProvider; 3] {
        sign_in::providers(&self.sign_in, &self.sign_in_2, &self.sign_in_3)
    }

    /// A domain's section; its defaults where these settings were made without it.
    pub fn section<S: Section>(&self) -> Arc<S> {
        let start = || self.domains.iter().find_map(|(_, values)| Arc::clone(&values.typed).downcast().ok());
        self.at_once.section().or_else(start).unwrap_or_default()
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

    /// Whether there is a setting of that key.
    pub fn has(&self, key: &str) -> bool {
        refusals::find(self, key).is_some()
    }

    /// Where the value of `key` came from; an unknown key counts as default.
    pub fn source(&self, key: &str) -> SettingSource {
        self.place(key).map_or(SettingSource::Default, |(source, _)| source)
    }

    /// The variable or the flag by which the value of `key` was given: whatever the settings file says, it stays.
    pub fn fixed_by(&self, key: &str) -> Option<String> {
        let fixes = |source| matches!(source, SettingSource::Environment | SettingSource::Flag);
        self.place(key).filter(|(source, _)| fixes(*source)).map(|(_, origin)| origin)
    }

    /// What differs from the defaults, as the text of an `appliance.toml` that a backup file carries to another
    /// machine: without secrets, without the paths of this machine, and without flags, which are for one run.
    pub fn without_secrets(&self) -> String {
        self.text_of(|setting| setting.rule.is_carried())
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

    /// The settings file that a change is written to: the one that was read, or that which the next start finds.
    pub fn file_to_change(&self) -> PathBuf {
        self.file.clone().unwrap_or_else(|| self.data.dir.join("appliance.toml"))
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

    /// Where the value of `key` came from, and the place there; nothing for the default.
    fn place(&self, key: &str) -> Option<(SettingSource, String)> {
        self.at_once.place(key).unwrap_or_else(|| self.sources.get(key).cloned())
    }

    fn settings(&self) -> impl Iterator<Item = &'static Setting> {
        self.kinds().flat_map(|kind| kind.settings)
    }
}

fn commented(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("#{line}\n")).collect()
}
