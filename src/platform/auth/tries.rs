//! Tries that cost more the more there are of them, by whatever they are counted by.

use std::collections::HashMap;
use std::hash::Hash;

use chrono::Duration;

use hanok_base::Moment;

/// Failures that cost nothing: people mistype.
const FREE: u32 = 5;
/// The longest wait, in seconds.
const LONGEST: i64 = 900;
/// After so long without a failure a count starts afresh.
const FORGET: Duration = Duration::hours(1);

/// Tries since the last success, by what they are counted by.
#[derive(Debug)]
pub(super) struct Tries<K>(HashMap<K, Tried>);

#[derive(Debug, Clone, Copy)]
struct Tried {
    times: u32,
    last: Moment,
}

impl<K> Default for Tries<K> {
    fn default() -> Self {
        Tries(HashMap::new())
    }
}

impl<K: Eq + Hash> Tries<K> {
    /// How many seconds `key` has to wait until it may try; none when it may now.
    pub(super) fn left(&self, key: &K, now: Moment) -> Option<i64> {
        let tried = self.0.get(key).filter(|tried| now - tried.last < FORGET && tried.times >= FREE)?;
        let left = tried.last + wait(tried.times) - now;
        (left > Duration::zero()).then(|| left.num_seconds().max(1))
    }

    /// Counts a try of `key`, and forgets those that have been long ago.
    pub(super) fn count(&mut self, key: K, now: Moment) {
        self.0.retain(|_, tried| now - tried.last < FORGET);
        let tried = self.0.entry(key).or_insert(Tried { times: 0, last: now });
        *tried = Tried { times: tried.times + 1, last: now };
    }

    /// Takes one try of `key` back.
    pub(super) fn forgive_one(&mut self, key: &K) {
        if let Some(tried) = self.0.get_mut(key) {
            tried.times = tried.times.saturating_sub(1);
        }
    }

    /// Forgets the tries of `key`.
    pub(super) fn forget(&mut self, key: &K) {
        self.0.remove(key);
    }

    /// How many are counted apart.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

fn wait(times: u32) -> Duration {
    let doublings = times.saturating_sub(FREE).min(16);
    Duration::seconds((1i64 << doublings).min(LONGEST))
}
