//! The breaker and the statistics of one provider. Pure: the instant is an argument.
//!
//! Closed while it works. After `failures_to_open` failures in a row it opens for `open_seconds`; then one
//! trial is let through. The trial's success closes it, its failure opens it again.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::ProviderCondition;
use crate::config;

/// For how long others wait while a trial is under way.
const TRIAL_WAIT: chrono::Duration = chrono::Duration::seconds(1);

/// How one provider does.
#[derive(Debug, Default)]
pub(super) struct Health {
    pub last_success_at: Option<DateTime<Utc>>,
    pub last_failure_at: Option<DateTime<Utc>>,
    pub failure: Option<String>,
    pub consecutive_failures: u32,
    pub open_until: Option<DateTime<Utc>>,
    trial_under_way: bool,
}

impl Health {
    /// Lets a call through, or says when to ask again.
    pub fn admit(&mut self, now: DateTime<Utc>) -> Result<(), DateTime<Utc>> {
        match self.open_until {
            None => Ok(()),
            Some(until) if now < until => Err(until),
            Some(_) if self.trial_under_way => Err(now + TRIAL_WAIT),
            Some(_) => {
                self.trial_under_way = true;
                Ok(())
            }
        }
    }

    /// A good answer closes the breaker. Whether there were failures before it.
    pub fn succeeded(&mut self, now: DateTime<Utc>) -> bool {
        let recovered = self.consecutive_failures > 0;
        *self = Health { last_success_at: Some(now), last_failure_at: self.last_failure_at, ..Health::default() };
        recovered
    }

    /// A failure; `asked_pause` is how long the provider itself asked to be left alone.
    pub fn failed(
        &mut self,
        now: DateTime<Utc>,
        failure: &str,
        asked_pause: Option<Duration>,
        settings: &config::Upstream,
    ) {
        self.trial_under_way = false;
        self.last_failure_at = Some(now);
        self.failure = Some(failure.to_owned());
        self.consecutive_failures = self.consecutive_failures.saturating_add(1);
        let pause = if self.consecutive_failures >= settings.failures_to_open {
            Some(Duration::from_secs(settings.open_seconds).max(asked_pause.unwrap_or_default()))
        } else {
            asked_pause
        };
        self.open_until = pause.map(|pause| now + pause);
    }

    /// The caller went away before there was an outcome.
    pub fn abandoned(&mut self) {
        self.trial_under_way = false;
    }

    /// The state in one word.
    pub fn condition(&self) -> ProviderCondition {
        match (self.open_until, self.consecutive_failures, self.last_success_at) {
            (Some(_), _, _) => ProviderCondition::Open,
            (None, 1.., _) => ProviderCondition::Failing,
            (None, 0, Some(_)) => ProviderCondition::Ok,
            (None, 0, None) => ProviderCondition::Unused,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64) -> DateTime<Utc> {
        let start: DateTime<Utc> = "2026-10-10T11:40:00Z".parse().unwrap();
        start + chrono::Duration::minutes(minute)
    }

    fn settings() -> config::Upstream {
        config::Upstream { failures_to_open: 2, open_seconds: 300, ..config::Upstream::default() }
    }

    #[test]
    fn only_one_trial_is_let_through_after_the_pause() {
        let mut health = Health::default();
        health.failed(at(0), "away", None, &settings());
        assert_eq!(health.condition(), ProviderCondition::Failing);
        assert!(health.admit(at(0)).is_ok());
        health.failed(at(0), "away", None, &settings());
        assert_eq!(health.condition(), ProviderCondition::Open);
        assert_eq!(health.admit(at(4)), Err(at(5)));
        assert!(health.admit(at(5)).is_ok());
        assert!(health.admit(at(5)).is_err());
        health.abandoned();
        assert!(health.admit(at(5)).is_ok());
        health.failed(at(5), "away", None, &settings());
        assert_eq!(health.admit(at(9)), Err(at(10)));
        assert!(health.admit(at(10)).is_ok());
        assert!(health.succeeded(at(10)));
        assert_eq!(health.condition(), ProviderCondition::Ok);
        assert!(health.admit(at(10)).is_ok());
    }

    #[test]
    fn a_provider_that_asks_for_a_pause_gets_it_at_once() {
        let mut health = Health::default();
        health.failed(at(0), "too many requests", Some(Duration::from_secs(120)), &settings());
        assert_eq!(health.admit(at(1)), Err(at(2)));
        assert!(health.admit(at(2)).is_ok());
    }
}
