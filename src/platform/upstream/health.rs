//! The breaker and the statistics of one provider. Pure: instant and moment are arguments.
//!
//! Closed while it works. After `failures_to_open` failures in a row it opens for `open_seconds`; then one
//! trial is let through. The trial's success closes it, its failure opens it again.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::state::ProviderCondition;
use crate::config;
use hanok_base::message::LocalizedMessage;
use hanok_base::{Message, Moment};

/// For how long others wait while a trial is under way.
const TRIAL_WAIT: TimeDelta = TimeDelta::seconds(1);

/// How one provider does.
#[derive(Debug, Default)]
pub(super) struct Health {
    pub last_success_at: Option<DateTime<Utc>>,
    pub last_failure_at: Option<DateTime<Utc>>,
    /// What failed, in English and as a browser says it.
    pub failure: Option<(String, Option<LocalizedMessage>)>,
    pub consecutive_failures: u32,
    pub open_until: Option<Moment>,
    pub trial_under_way: bool,
}

impl Health {
    /// Lets a call through, or says for how long to leave it alone.
    pub fn admit(&mut self, now: Moment) -> Result<(), TimeDelta> {
        if let Some(left) = self.left_alone_for(now) {
            return Err(left);
        }
        match self.open_until {
            None => Ok(()),
            Some(_) if self.trial_under_way => Err(TRIAL_WAIT),
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
        (at, now): (DateTime<Utc>, Moment),
        failure: &Message,
        asked_pause: Option<Duration>,
        settings: &config::Upstream,
    ) {
        self.trial_under_way = false;
        self.last_failure_at = Some(at);
        self.failure = Some(failure.clone().into_parts());
        self.consecutive_failures = self.consecutive_failures.saturating_add(1);
        let pause = if self.consecutive_failures >= settings.failures_to_open {
            Some(Duration::from_secs(settings.open_seconds).max(asked_pause.unwrap_or_default()))
        } else {
            asked_pause
        };
        self.open_until = pause.map(|pause| now + TimeDelta::from_std(pause).unwrap_or_default());
    }

    /// The caller went away before there was an outcome.
    pub fn abandoned(&mut self) {
        self.trial_under_way = false;
    }

    /// For how long it is left alone from `now` on; none when it may be asked.
    pub fn left_alone_for(&self, now: Moment) -> Option<TimeDelta> {
        self.open_until.filter(|until| now < *until).map(|until| until - now)
    }

    /// The state at `now` in one word.
    pub fn condition(&self, now: Moment) -> ProviderCondition {
        match (self.left_alone_for(now), self.consecutive_failures, self.last_success_at) {
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

    fn at(minute: i64) -> (DateTime<Utc>, Moment) {
        let start: DateTime<Utc> = "2026-10-10T11:40:00Z".parse().unwrap();
        (start + TimeDelta::minutes(minute), moment(minute))
    }

    fn moment(minute: i64) -> Moment {
        Moment::default() + TimeDelta::minutes(minute)
    }

    fn settings() -> config::Upstream {
        config::Upstream { failures_to_open: 2, open_seconds: 300, ..config::Upstream::default() }
    }

    #[test]
    fn only_one_trial_is_let_through_after_the_pause() {
        let mut health = Health::default();
        health.failed(at(0), &Message::english("away"), None, &settings());
        assert_eq!(health.condition(moment(0)), ProviderCondition::Failing);
        assert!(health.admit(moment(0)).is_ok());
        health.failed(at(0), &Message::english("away"), None, &settings());
        assert_eq!(health.condition(moment(4)), ProviderCondition::Open);
        assert_eq!(health.condition(moment(5)), ProviderCondition::Failing, "nobody leaves it alone any more");
        assert_eq!(health.admit(moment(4)), Err(TimeDelta::minutes(1)));
        assert!(health.admit(moment(5)).is_ok());
        assert!(health.admit(moment(5)).is_err());
        health.abandoned();
        assert!(health.admit(moment(5)).is_ok());
        health.failed(at(5), &Message::english("away"), None, &settings());
        assert_eq!(health.admit(moment(9)), Err(TimeDelta::minutes(1)));
        assert!(health.admit(moment(10)).is_ok());
        assert!(health.succeeded(at(10).0));
        assert_eq!(health.condition(moment(10)), ProviderCondition::Ok);
        assert!(health.admit(moment(10)).is_ok());
    }

    #[test]
    fn a_provider_that_asks_for_a_pause_gets_it_at_once() {
        let mut health = Health::default();
        health.failed(at(0), &Message::english("too many requests"), Some(Duration::from_secs(120)), &settings());
        assert_eq!(health.admit(moment(1)), Err(TimeDelta::minutes(1)));
        assert!(health.admit(moment(2)).is_ok());
    }
}
