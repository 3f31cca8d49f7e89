//! The two languages that people are spoken to in.

use serde::{Deserialize, Serialize};

use super::schema::ToSchema;

/// A language of screens, mails and messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Korean.
    #[default]
    Ko,
    /// English.
    En,
}

impl Language {
    /// Its tag (BCP 47).
    pub fn tag(self) -> &'static str {
        self.choose("ko", "en")
    }

    /// The one that fits a tag such as `ko` or `en-GB`: English for every other language than Korean, Korean where there is none.
    pub fn of_tag(tag: Option<&str>) -> Language {
        match tag {
            Some(tag) if !tag.starts_with("ko") => Language::En,
            _ => Language::Ko,
        }
    }

    /// What is said in it, of the same thing in both.
    pub fn choose<T>(self, ko: T, en: T) -> T {
        match self {
            Language::Ko => ko,
            Language::En => en,
        }
    }
}
