//! Secrets: values that never show themselves, and random tokens that are stored only as their hash.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A value that must not be printed. Its `Debug` and `Serialize` forms are masked.
#[derive(Clone, Default, Deserialize, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret value.
    pub fn new(value: impl Into<String>) -> Self {
        Secret(value.into())
    }

    /// The value itself, for the one place that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether nothing was set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "\"\"" } else { "\"***\"" })
    }
}

impl Serialize for Secret {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(if self.0.is_empty() { "" } else { "***" })
    }
}

/// `bytes` fresh random bytes as base64url without padding.
///
/// # Panics
/// When the operating system has no randomness to give: nothing safe can be done then.
pub fn random_token(bytes: usize) -> String {
    let mut buffer = vec![0u8; bytes];
    fill(&mut buffer);
    URL_SAFE_NO_PAD.encode(buffer)
}

/// Fresh random bytes.
///
/// # Panics
/// Those of [`random_token`].
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut buffer = [0u8; N];
    fill(&mut buffer);
    buffer
}

#[allow(clippy::expect_used, reason = "without randomness no token may be handed out")]
fn fill(buffer: &mut [u8]) {
    getrandom::fill(buffer).expect("the operating system gives random bytes");
}

/// The SHA-256 of `text` in lower-case hexadecimal: how a token is kept at rest.
pub fn fingerprint(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_never_shows_itself() {
        let secret = Secret::new("open sesame");
        assert!(!format!("{secret:?}").contains("sesame"));
        assert_eq!(serde_json::to_string(&secret).unwrap(), "\"***\"");
    }

    #[test]
    fn tokens_are_long_and_never_the_same() {
        assert!(random_token(16).len() >= 22);
        assert_ne!(random_token(16), random_token(16));
    }
}
