//! The settings as they are shown to people.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::rule::{Entry, Unit};
use super::values::{flat, plain};
use super::{Config, SettingSource};
use hanok_base::command;
use hanok_base::schema::ToSchema;

/// The same in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InBoth {
    /// In Korean.
    pub ko: String,
    /// In English.
    pub en: String,
}

/// Settings that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SectionRow {
    /// The first part of their keys.
    pub key: String,
    /// What they are about.
    pub name: InBoth,
}

/// What the number of a setting counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UnitRow {
    /// Which it is; `count` where the name of the setting says what is counted.
    pub key: Unit,
    /// What stands behind the number.
    pub name: InBoth,
}

impl From<Unit> for UnitRow {
    fn from(unit: Unit) -> UnitRow {
        let (ko, en) = unit.names();
        UnitRow { key: unit, name: InBoth { ko: ko.to_owned(), en: en.to_owned() } }
    }
}

/// One setting as it is shown to people: secrets masked, lists joined with commas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SettingRow {
    /// The full key, `section.key`.
    pub key: String,
    /// What it is called.
    pub name: InBoth,
    /// What it is for.
    pub about: InBoth,
    /// The value in force; a secret that is set shows as `***`.
    pub value: String,
    /// The built-in value.
    pub default: String,
    /// Where the value came from.
    pub source: SettingSource,
    /// The file with its line, the variable or the flag; null for the built-in value.
    pub origin: Option<String>,
    /// Whether the value is never shown.
    pub secret: bool,
    /// Whether it can be changed on the page of the settings.
    pub editable: bool,
    /// How a value is entered.
    pub entry: Entry,
    /// The words that it may be, where these are few.
    pub words: Vec<String>,
    /// The lowest number that it may be.
    pub least: Option<u64>,
    /// The highest.
    pub most: Option<u64>,
    /// What the number counts; null where the value is none.
    pub unit: Option<UnitRow>,
}

impl Config {
    /// The sections, in the order of `appliance.toml`.
    pub fn sections(&self) -> Vec<SectionRow> {
        let en = |about: &[&str]| about.first().map_or("", |line| line.trim().trim_end_matches('.')).to_owned();
        let row = |kind: super::SectionKind| SectionRow {
            key: kind.name.to_owned(),
            name: InBoth { ko: kind.ko.to_owned(), en: en(kind.about) },
        };
        self.kinds().map(row).collect()
    }

    /// Every setting in the order of `appliance.toml`, with its source.
    pub fn listing(&self) -> Vec<SettingRow> {
        let values = flat(self);
        let defaults = flat(&self.defaults());
        let shown = |table: &BTreeMap<String, toml::Value>, key: &str| table.get(key).map(plain).unwrap_or_default();
        let placed = |about: &str| command::placed(&self.data.dir, about);
        let rows = self.settings().map(|setting| {
            let rule = &setting.rule;
            let about: Vec<&str> = setting.about.iter().map(|line| line.trim()).collect();
            let source = self.source(setting.key);
            let standard = defaults.get(setting.key);
            SettingRow {
                key: setting.key.to_owned(),
                name: InBoth { ko: setting.name.ko.to_owned(), en: setting.name.en.to_owned() },
                about: InBoth { ko: placed(setting.about_ko), en: placed(&about.join(" ")) },
                value: shown(&values, setting.key),
                default: shown(&defaults, setting.key),
                source,
                origin: self.place(setting.key).map(|(_, origin)| origin),
                secret: rule.is_secret(),
                editable: rule.is_on_page() && self.fixed_by(setting.key).is_none(),
                entry: standard.map_or(Entry::Text, |standard| rule.entry(standard)),
                words: rule.words().iter().map(|word| (*word).to_owned()).collect(),
                least: rule.bounds().map(|(least, _)| least),
                most: rule.bounds().map(|(_, most)| most),
                unit: rule.unit().map(UnitRow::from),
            }
        });
        rows.collect()
    }
}
