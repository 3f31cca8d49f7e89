//! A reason in words of both languages.

use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;

/// One reason, composed in both languages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Reason {
    /// A stable name such as `long_gap`.
    pub code: String,
    /// The reason in Korean.
    pub text_ko: String,
    /// The reason in English.
    pub text_en: String,
}

impl Reason {
    /// A reason from its three parts.
    pub fn new(code: &str, text_ko: impl Into<String>, text_en: impl Into<String>) -> Self {
        Reason { code: code.into(), text_ko: text_ko.into(), text_en: text_en.into() }
    }
}
