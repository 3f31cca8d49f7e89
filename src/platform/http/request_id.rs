//! The id of a request, by which its answer is found in the log.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The id of a request, as it stands in the log and in error bodies.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

/// Ids that nobody meets twice: a count, scrambled with a key of this process.
#[derive(Default)]
pub(super) struct RequestIds {
    key: RandomState,
    given: AtomicU64,
}

impl RequestIds {
    pub fn next(&self) -> RequestId {
        let count = self.given.fetch_add(1, Ordering::Relaxed);
        RequestId(URL_SAFE_NO_PAD.encode(self.key.hash_one(count).to_le_bytes()))
    }
}
