//! Values computed from the store and kept in memory until what they were computed from changes.
//!
//! One value for each type. The caller names the revision of its source; another revision computes anew, once, while
//! others wait for it. A revision is drawn at random with each change of the source, in the same transaction, and never
//! counted: a restore takes a counter back, and what is counted on from there meets an old number with other rows.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use hanok_base::{Error, Result, Shared};

/// The kept values.
#[derive(Clone, Default)]
pub struct DerivedCache(Shared<Mutex<HashMap<TypeId, CacheEntry>>>);

type CacheEntry = Arc<Mutex<Option<(u64, Arc<dyn Any + Send + Sync>)>>>;

impl DerivedCache {
    /// The kept `T` of `revision` if it is there already, without computing anything.
    pub fn peek<T: Send + Sync + 'static>(&self, revision: u64) -> Option<Arc<T>> {
        let entry = self.entry::<T>();
        let held = entry.try_lock()?;
        let (kept, value) = held.as_ref()?;
        if *kept != revision {
            return None;
        }
        Arc::clone(value).downcast().ok()
    }

    /// The `T` of `revision`, computed by `compute` when it is not kept yet.
    /// May take long: call it off the async threads.
    pub fn get<T: Send + Sync + 'static>(&self, revision: u64, compute: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        let entry = self.entry::<T>();
        let mut held = entry.lock();
        if let Some((kept, value)) = held.as_ref()
            && *kept == revision
        {
            return Arc::clone(value).downcast().map_err(|_| Error::internal("a kept value has another type"));
        }
        let value = Arc::new(compute()?);
        *held = Some((revision, value.clone()));
        Ok(value)
    }

    /// Forgets everything, when the store was put back to another state.
    pub fn clear(&self) {
        self.0.lock().clear();
    }

    fn entry<T: 'static>(&self) -> CacheEntry {
        Arc::clone(self.0.lock().entry(TypeId::of::<T>()).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_once_for_each_revision() {
        let keep = DerivedCache::default();
        let mut computed = 0;
        for revision in [1, 1, 2, 2] {
            let value = keep
                .get::<u64>(revision, || {
                    computed += 1;
                    Ok(revision * 10)
                })
                .unwrap();
            assert_eq!(*value, revision * 10);
        }
        assert_eq!(computed, 2);
        assert_eq!(keep.peek::<u64>(2).as_deref(), Some(&20));
        assert_eq!(keep.peek::<u64>(3), None);
    }
}
