//! Every domain of the house, and what all of them say together.

use super::house::health::CANARY;
use hanok_base::error::Code;
use hanok_base::{Error, Kind, Result};
use hanok_ops::*;
use hanok_platform::compute::WorkKind;
use hanok_platform::config::{Config, Environment, Flags, SectionKind};
use hanok_platform::domain::{Command, Domain, Verb};
use hanok_platform::events::Change;
use hanok_platform::store::Schema;
use hanok_platform::{auth, http, jobs};

/// The domains, in the order in which people meet them.
pub const DOMAINS: &[&Domain] = &[
    // The household's.
    &lottery::DOMAIN,
    &todos::DOMAIN,
];

/// The settings of the house and of every domain, read and checked.
///
/// # Errors
/// Those of [`Config::load`].
pub fn settings(flags: &Flags, environment: &Environment) -> Result<Config> {
    Config::load(&sections(), flags, environment)
}

/// The settings of the house and of every domain at their defaults.
pub fn default_settings() -> Config {
    Config::of(&sections())
}

fn sections() -> Vec<SectionKind> {
    DOMAINS.iter().filter_map(|domain| domain.settings).collect()
}

/// What may change while a browser looks.
pub fn changes() -> impl Iterator<Item = Change> {
    Change::OF_THE_HOUSE.into_iter().chain(DOMAINS.iter().flat_map(|domain| domain.changes).copied())
}

/// The domains' own error codes.
pub fn codes() -> impl Iterator<Item = Code> {
    DOMAINS.iter().flat_map(|domain| domain.codes).copied()
}

/// What the compute host can do.
pub fn compute() -> impl Iterator<Item = &'static WorkKind> {
    DOMAINS.iter().flat_map(|domain| domain.compute)
}

/// The domains' commands.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    DOMAINS.iter().filter_map(|domain| domain.command.as_ref())
}

/// A verb of a domain's command.
pub fn verb(command: &str, verb: &str) -> Option<&'static Verb> {
    commands().find(|known| known.name == command)?.verbs.iter().find(|known| known.name == verb)
}

/// The error that left another process as `code` and `message`.
pub fn error_of(code: &str, message: String) -> Error {
    if let Some(own) = codes().find(|own| own.name == code) {
        return Error::of(own, message);
    }
    Error::new(Kind::all().find(|kind| kind.code() == code).unwrap_or(Kind::Internal), message)
}

/// What is declared of the tables of the whole house.
pub fn schema() -> Schema {
    let of_the_platform = Schema::default()
        .with(jobs::TABLES, jobs::MIGRATIONS, &[])
        .with(auth::TABLES, &[], &[])
        .with(http::TABLES, &[], &[])
        .with(&[&CANARY], &[], &[]);
    DOMAINS.iter().fold(of_the_platform, |all, domain| all.with(domain.tables, domain.migrations, domain.shipped_data))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_table_of_the_house_has_a_name_of_its_own_with_a_version() {
        let names = schema().table_names();
        let different: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(different.len(), names.len(), "{names:?}");
        let is_versioned =
            |name: &&str| name.rsplit_once('-').is_some_and(|(_, version)| version.parse::<u32>().is_ok());
        assert!(names.iter().all(is_versioned), "{names:?}");
    }
}
