//! What is kept of a customer beside the address, and where a sign-in may lead.

use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::{Sent, sent::Any};
use hanok_platform::mail::Language;

/// What a customer says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Profile {
    /// How it is called; may be empty.
    pub name: String,
    /// The language of its mails.
    pub language: Language,
}

impl Default for Profile {
    fn default() -> Self {
        Profile { name: String::new(), language: Language::Ko }
    }
}

/// Changes of a profile; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileChanges {
    /// How it is called; may be empty.
    pub name: Option<Sent<Text<0, 50>>>,
    /// The language of its mails.
    pub language: Option<Sent<Any<Language>>>,
}

/// `next` where it is a path of this site; `/` where it might lead anywhere else.
pub fn within_the_site(next: &str) -> &str {
    let leads_away = |c: char| c == '\\' || c.is_control() || c.is_whitespace();
    let is_path = next.starts_with('/') && !next.starts_with("//") && !next.chars().any(leads_away);
    if is_path { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_in_leads_to_no_other_site() {
        for own in ["/", "/account", "/orders/7?from=mail&a=//b#top", "/@evil.example", "/한글"] {
            assert_eq!(within_the_site(own), own);
        }
        for foreign in [
            "",
            "account",
            "//evil.example",
            "///evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "/\n/evil.example",
            "\\/evil.example",
            " /account",
            "https://evil.example",
            "https:/evil.example",
            "javascript:alert(1)",
            "/a\\b",
            "/\u{85}/evil.example",
        ] {
            assert_eq!(within_the_site(foreign), "/", "{foreign:?}");
        }
    }
}
