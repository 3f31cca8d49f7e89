//! What this process knows of one grant.

use std::sync::Arc;

use chrono::TimeDelta;
use parking_lot::Mutex;

use super::store::GrantTokens;
use hanok_base::secret::Secret;
use hanok_base::{Clock, Moment};

/// No token is used for longer than until this before its end.
const AHEAD: TimeDelta = TimeDelta::minutes(5);

/// What is known of one grant, and who may change it.
#[derive(Default)]
pub(super) struct Slot {
    pub held: Mutex<Held>,
    /// Who holds it asks the provider, reads what is kept, or changes it.
    pub turn: Arc<tokio::sync::Mutex<()>>,
}

/// What is known of one grant.
#[derive(Default)]
pub(super) struct Held {
    /// Whether the store was looked into.
    pub is_read: bool,
    /// Whether the store lacks it.
    pub is_unwritten: bool,
    pub tokens: Option<GrantTokens>,
    /// From when on the access token is renewed, and until when it is good. None while nothing is said of its end.
    pub renew_from: Option<Moment>,
    pub good_until: Option<Moment>,
}

impl Slot {
    /// The access token, while it is good; and whether it is time to renew it.
    pub fn good(&self, now: Moment) -> Option<(Secret, bool)> {
        let held = self.held.lock();
        let token = held.tokens.as_ref()?.access.as_ref()?;
        let is_good = held.good_until.is_none_or(|until| now < until);
        is_good.then(|| (Secret::new(token.as_str()), held.renew_from.is_some_and(|from| now >= from)))
    }

    /// Knows `tokens` from here on.
    pub fn hold(&self, clock: &Clock, tokens: GrantTokens) {
        let (now, moment) = (clock.now(), clock.moment());
        let mut held = self.held.lock();
        let left = tokens.ends_at.map(|end| end - now);
        let lasts = tokens.ends_at.map(|end| end - tokens.given_at);
        // Of a clock that was set back nothing is good for longer.
        let left = left.zip(lasts).map(|(left, lasts)| left.min(lasts));
        held.good_until = left.map(|left| moment + left);
        held.renew_from = left.zip(lasts).map(|(left, lasts)| moment + (left - AHEAD.min(lasts / 5)));
        held.tokens = Some(tokens);
        held.is_read = true;
        held.is_unwritten = false;
    }

    /// What the store lacks.
    pub fn unwritten(&self) -> Option<GrantTokens> {
        let held = self.held.lock();
        if held.is_unwritten { held.tokens.clone() } else { None }
    }

    /// Knows that there is nothing.
    pub fn forget(&self) {
        *self.held.lock() = Held { is_read: true, ..Held::default() };
    }
}
