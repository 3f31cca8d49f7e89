//! Tries that cost more the more there are of them, by whatever they are counted by.

use std::collections::HashMap;
use std::hash::Hash;

use chrono::Duration;

use hanok_base::Moment;

/// Failures that cost nothing where nothing else is said: people mistype.
const FREE: u32 = 5;
/// The longest wait, in seconds.
const LONGEST: i64 = 900;
/// After so long without a failure a count starts afresh.
const FORGET: Duration = Duration::hours(1);

/// Tries since the last success, by what they are counted by.
#[derive(Debug)]
pub(super) struct Tries<K> {
    tried: HashMap<K, Tried>,
    /// So many failures cost nothing.
    free: u32,
}

#[derive(Debug, Clone, Copy)]
struct Tried {
    times: u32,
    last: Moment,
}

impl<K> Default for Tries<K> {
    fn default() -> Self {
        Tries::after(FREE)
    }
}

impl<K> Tries<K> {
    /// None yet, of which so many cost nothing.
    pub(super) fn after(free: u32) -> Tries<K> {
        Tries { tried: HashMap::new(), free }
    }
}

impl<K: Eq + Hash> Tries<K> {
    /// How many seconds `key` has to wait until it may try; none when it may now.
    pub(super) fn left(&self, key: &K, now: Moment) -> Option<i64> {
        let tried = self.tried.get(key).filter(|tried| now - tried.last < FORGET && tried.times >= self.free)?;
        let left = tried.last + wait(tried.times - self.free) - now;
        (left > Duration::zero()).then(|| left.num_seconds().max(1))
    }

    /// Counts a try of `key`, and forgets those that have been long ago.
    pub(super) fn count(&mut self, key: K, now: Moment) {
        self.tried.retain(|_, tried| now - tried.last < FORGET);
        let tried = self.tried.entry(key).or_insert(Tried { times: 0, last: now });
        *tried = Tried { times: tried.times + 1, last: now };
    }

    /// Takes one try of `key` back.
    pub(super) fn forgive_one(&mut self, key: &K) {
        if let Some(tried) = self.tried.get_mut(key) {
            tried.times = tried.times.saturating_sub(1);
        }
    }

    /// Forgets the tries of `key`.
    pub(super) fn forget(&mut self, key: &K) {
        self.tried.remove(key);
    }

    /// How many are counted apart.
    pub(super) fn len(&self) -> usize {
        self.tried.len()
    }
}

/// The wait after so many more failures than cost nothing.
fn wait(beyond: u32) -> Duration {
    Duration::seconds((1i64 << beyond.min(16)).min(LONGEST))
}
