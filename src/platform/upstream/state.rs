//! What is known about a provider, as callers see it.

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::ProviderRecord;
use hanok_base::Clock;
use hanok_base::message::LocalizedMessage;
use hanok_base::schema::ToSchema;

/// How a provider does, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProviderCondition {
    /// The last call succeeded.
    Ok,
    /// The last call failed.
    Failing,
    /// So many calls failed, or it asked for a pause: it is not asked before `retry_at`.
    Open,
    /// Never asked.
    Unused,
    /// Its setting is missing.
    NotConfigured,
}

/// What is known about a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProviderState {
    /// Its name.
    pub name: String,
    /// Its title in Korean.
    pub title_ko: String,
    /// Its title in English.
    pub title_en: String,
    /// How it does.
    pub state: ProviderCondition,
    /// The instant of the last good answer.
    pub last_success_at: Option<DateTime<Utc>>,
    /// The instant of the last failure.
    pub last_failure_at: Option<DateTime<Utc>>,
    /// What failed then, in one readable sentence.
    pub failure: Option<String>,
    /// How a browser says `failure` in its language.
    #[serde(default)]
    pub failure_localized: Option<LocalizedMessage>,
    /// Failures since the last good answer.
    pub consecutive_failures: u32,
    /// From when on it can be asked again, to the second; null where it can be asked now. Nothing is asked by that alone.
    pub retry_at: Option<DateTime<Utc>>,
    /// The setting that holds its address or key.
    pub setting: String,
}

/// What is known of it now.
pub(super) fn of(record: &ProviderRecord, clock: &Clock) -> ProviderState {
    let ProviderRecord { provider, configured, health, .. } = record;
    let (now, moment) = (clock.now(), clock.moment());
    ProviderState {
        name: provider.name.to_owned(),
        title_ko: provider.title_ko.to_owned(),
        title_en: provider.title_en.to_owned(),
        state: if *configured { health.condition(moment) } else { ProviderCondition::NotConfigured },
        last_success_at: health.last_success_at,
        last_failure_at: health.last_failure_at,
        failure: health.failure.as_ref().map(|(text, _)| text.clone()),
        failure_localized: health.failure.as_ref().and_then(|(_, localized)| localized.clone()),
        consecutive_failures: health.consecutive_failures,
        retry_at: health.left_alone_for(moment).map(|left| second_of(now + left)),
        setting: provider.setting.to_owned(),
    }
}

/// The whole second at which `instant` has come: two readings of one pause differ by less than that.
fn second_of(instant: DateTime<Utc>) -> DateTime<Utc> {
    let begun = instant.trunc_subsecs(0);
    if begun == instant { begun } else { begun + TimeDelta::seconds(1) }
}
