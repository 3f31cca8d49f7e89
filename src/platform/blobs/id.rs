//! The name of a file: the SHA-256 of its bytes.

use std::fmt;

use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;
use hanok_base::secret::hex;

/// The SHA-256 of a file in lower-case hexadecimal, which is its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
pub struct BlobId(String);

impl BlobId {
    /// The file of this name; none where `text` is no SHA-256 in lower-case hexadecimal.
    pub fn parse(text: &str) -> Option<BlobId> {
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 64 && text.bytes().all(is_hex)).then(|| BlobId(text.to_owned()))
    }

    /// The file with this digest.
    pub(super) fn of(digest: &[u8]) -> BlobId {
        BlobId(hex(digest))
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for BlobId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<BlobId, Self::Error> {
        BlobId::parse(&text).ok_or("no SHA-256 in lower-case hexadecimal")
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
