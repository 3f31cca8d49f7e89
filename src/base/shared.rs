//! A handle to what many hold at once.

use std::ops::Deref;
use std::sync::Arc;

/// An `Arc` that the compiler does not look through.
///
/// Every future that holds a handle must be proved `Send`, and for an `Arc<T>` that means proving it of each field that `T`
/// reaches, anew for every future. Handles to wide parts (the application, the store, the search index) are held by nearly
/// all of them, and those proofs took most of the time of a build. Whether `T` is `Send + Sync` is proved once, where the
/// handle is made; behind the trait object nobody asks again. A read costs one virtual call more than an `Arc`.
pub struct Shared<T>(Arc<dyn Deref<Target = T> + Send + Sync>);

struct Owned<T>(T);

impl<T> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Send + Sync + 'static> Shared<T> {
    /// The first handle to `value`; it is dropped with the last one.
    pub fn new(value: T) -> Shared<T> {
        Shared(Arc::new(Owned(value)))
    }
}

impl<T: Default + Send + Sync + 'static> Default for Shared<T> {
    fn default() -> Self {
        Shared::new(T::default())
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(Arc::clone(&self.0))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
