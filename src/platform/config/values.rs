//! Values as they are given, kept and shown.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::{Config, SettingSource};

/// A value with where it came from, kept until all sources are read.
pub(super) struct GivenValue {
    pub value: Value,
    pub source: SettingSource,
    /// The words for the message: the value as it was written, and the file's path and line, the variable's or the
    /// flag's name.
    pub written: String,
    pub origin: String,
}

/// What a source gives, by the key of the setting.
pub(super) type Gathered = BTreeMap<&'static str, GivenValue>;

/// Every value under its full key; secrets masked.
pub(super) fn flat(config: &Config) -> BTreeMap<String, Value> {
    // A plain struct of texts, numbers and lists always has a TOML form.
    let of_the_house = Table::try_from(config).unwrap_or_default();
    let of_the_house = of_the_house.into_iter().filter_map(|(section, keys)| Some((section, keys.as_table()?.clone())));
    let of_domains = config.domains.iter().map(|(kind, values)| {
        (kind.name.to_owned(), config.at_once.shown(kind.name).unwrap_or_else(|| values.shown.clone()))
    });
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
