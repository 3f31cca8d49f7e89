//! Every domain of the house, and what all of them say together.

use chrono::NaiveDate;

use super::chat;
use hanok_base::error::Code;
use hanok_base::{Error, Kind, Message, Result};
use hanok_platform::chat::QuestionKind;
use hanok_platform::compute::WorkKind;
use hanok_platform::config::{Config, Environment, Flags, SectionKind};
use hanok_platform::domain::{Command, Domain, Offers, Verb};
use hanok_platform::events::Change;
use hanok_platform::own_data::OwnPart;
use hanok_platform::search::SearchKind;

/// The household's domains, in the order in which people meet them.
pub const OPS: &[&Domain] = {
    use hanok_ops::*;
    &[
        // A line for each.
        &lottery::DOMAIN,
        &todos::DOMAIN,
        &blog::DOMAIN,
        &market::DOMAIN,
        &portfolio::DOMAIN,
        &trade::DOMAIN,
        &screener::DOMAIN,
    ]
};

/// The customers' domains.
pub const SITE: &[&Domain] = {
    use hanok_site::*;
    &[
        // A line for each.
        &account::DOMAIN,
        &dashboard::DOMAIN,
        &admin::DOMAIN,
        &contact::DOMAIN,
        &quotes::DOMAIN,
        &projects::DOMAIN,
        &questionnaire::DOMAIN,
        &documents::DOMAIN,
        &share::DOMAIN,
        &analytics::DOMAIN,
        &frame::DOMAIN,
        &front::DOMAIN,
    ]
};

/// What the house declares of its own parts as a domain does.
const HOUSE: &[&Domain] = &[&chat::DOMAIN];

/// Every domain of the house.
pub fn all() -> impl Iterator<Item = &'static Domain> {
    OPS.iter().chain(SITE).chain(HOUSE).copied()
}

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
    all().filter_map(|domain| domain.settings).collect()
}

/// What may change while a browser looks.
pub fn changes() -> impl Iterator<Item = Change> {
    Change::OF_THE_HOUSE.into_iter().chain(all().flat_map(|domain| domain.changes).copied())
}

/// The domains' own error codes.
pub fn codes() -> impl Iterator<Item = Code> {
    all().flat_map(|domain| domain.codes).copied()
}

/// The last day of which anything tells that ships with the program.
pub fn newest_shipped() -> Option<NaiveDate> {
    all().flat_map(|domain| domain.shipped_data).filter_map(|data| (data.as_of)()).max()
}

/// What can be found by words, in the order of the domains.
pub fn searched() -> impl Iterator<Item = SearchKind> {
    all().flat_map(|domain| domain.search).copied()
}

/// What the household finds by words: what customers have written is for who keeps the shop.
pub fn found_by_the_household() -> impl Iterator<Item = SearchKind> {
    OPS.iter().chain(HOUSE).flat_map(|domain| domain.search).copied()
}

/// The names of what the household does not find.
pub fn kept_from_the_household() -> Vec<&'static str> {
    SITE.iter().flat_map(|domain| domain.search).map(|kind| kind.name).collect()
}

/// What the navigation of the customer site shows.
pub fn offers() -> Offers {
    Offers {
        services: SITE.iter().filter_map(|domain| domain.offer).collect(),
        nav: SITE.iter().flat_map(|domain| domain.nav).collect(),
        customer_name: SITE.iter().find_map(|domain| domain.customer_name),
    }
}

/// What the house holds of customers, in the order in which they are told.
pub fn of_customers() -> impl Iterator<Item = OwnPart> {
    all().flat_map(|domain| domain.of_customers).copied()
}

/// What people are asked by chat.
pub fn questions() -> impl Iterator<Item = QuestionKind> {
    all().flat_map(|domain| domain.questions).copied()
}

/// What the compute host can do.
pub fn compute() -> impl Iterator<Item = &'static WorkKind> {
    all().flat_map(|domain| domain.compute)
}

/// The domains' commands.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    all().filter_map(|domain| domain.command.as_ref())
}

/// A verb of a domain's command.
pub fn verb(command: &str, verb: &str) -> Option<&'static Verb> {
    commands().find(|known| known.name == command)?.verbs.iter().find(|known| known.name == verb)
}

/// The error that left another process as `code` and `message`.
pub fn error_of(code: &str, message: String) -> Error {
    let message = Message::english(message);
    if let Some(own) = codes().find(|own| own.name == code) {
        return Error::of(own, message);
    }
    Error::new(Kind::all().find(|kind| kind.code() == code).unwrap_or(Kind::Internal), message)
}
