//! Changes of some fields: a field that is absent stays, one that is null is cleared.

use serde::{Deserialize, Deserializer};

/// For `Option<Option<T>>` with `#[serde(default)]`: absent is `None`, null is `Some(None)`.
pub fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
