//! What is kept of a customer beside the address, and where a sign-in may lead.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
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

/// The account of who asks.
#[derive(Debug, Serialize, ToSchema)]
pub struct Account {
    /// The customer's id.
    pub id: String,
    /// The confirmed mail address; null for who came in by a provider that told none.
    pub mail: Option<String>,
    /// Whether one signs in by a password.
    pub has_password: bool,
    /// The accounts elsewhere by which one signs in.
    pub providers: Vec<Connected>,
    /// Since when there is an account.
    pub created_at: DateTime<Utc>,
    /// What the customer says of itself.
    pub profile: Profile,
}

/// An account elsewhere by which a customer signs in.
#[derive(Debug, Serialize, ToSchema)]
pub struct Connected {
    /// The address of the provider.
    pub issuer: String,
    /// What the provider called it when it was connected; may be empty.
    pub shown_as: String,
    /// Since when.
    pub added_at: DateTime<Utc>,
}

/// Changes of a profile; what is left out stays.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct ProfileChanges {
    /// How it is called; may be empty.
    #[field(Text<0, 50>)]
    pub name: Option<String>,
    /// The language of its mails.
    pub language: Option<Language>,
}

/// `next` where it is a path of this site in its one spelling; `/` where it might lead anywhere else.
pub fn within_the_site(next: &str) -> &str {
    let leads_away = |c: char| c == '\\' || c.is_control() || c.is_whitespace();
    let path = next.split(['?', '#']).next().unwrap_or_default();
    let is_plain = |part: &str| {
        // What some reader would take for a slash, a dot or another sign of the way.
        let hidden = part.split('%').skip(1).any(|rest| {
            let digits = rest.get(..2).unwrap_or_default().to_ascii_lowercase();
            matches!(digits.as_str(), "2f" | "5c" | "2e" | "25" | "")
                || digits.starts_with(['0', '1'])
                || digits == "7f"
        });
        !matches!(part, "" | "." | "..") && !hidden
    };
    let is_path = path == "/" || path.strip_prefix('/').is_some_and(|parts| parts.split('/').all(is_plain));
    if is_path && !next.chars().any(leads_away) { next } else { "/" }
}

/// What browsers call themselves by; those stand first whose line names others, too.
const BROWSERS: [(&str, &str); 8] = [
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Whale", "Whale"),
    ("KAKAOTALK", "KakaoTalk"),
    ("Firefox", "Firefox"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
];
const SYSTEMS: [(&str, &str); 6] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// A browser and its system; empty where neither is known.
pub fn device_name(agent: &str) -> String {
    let named =
        |names: &[(&str, &'static str)]| names.iter().find(|(mark, _)| agent.contains(mark)).map(|known| known.1);
    [named(&BROWSERS), named(&SYSTEMS)].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_in_leads_to_no_other_site() {
        for own in [
            "/",
            "/account",
            "/orders/7?from=mail&a=//b#top",
            "/@evil.example",
            "/한글",
            "/%ED%95%9C",
            "/.well-known/a..b",
            "/a?next=%2F%2Fevil.example",
            "/#%0a",
        ] {
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
            "/a//evil.example",
            "/./evil.example",
            "/../evil.example",
            "/%2F%2fevil.example",
            "/%5cevil.example",
            "/%2e%2e/evil.example",
            "/%252fevil.example",
            "/%0d%0aset-cookie:a",
            "/a%",
            "/%2",
            "/a%1B",
            "/a%7F",
            "/account/",
            "/a/..",
            "/account?a b",
        ] {
            assert_eq!(within_the_site(foreign), "/", "{foreign:?}");
        }
    }

    #[test]
    fn a_device_is_called_by_its_browser_and_its_system() {
        let chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36";
        let safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
        assert_eq!(device_name(chrome), "Chrome · Windows");
        assert_eq!(device_name(&format!("{chrome} Edg/141.0")), "Edge · Windows");
        assert_eq!(device_name(safari), "Safari · iPhone");
        assert_eq!(device_name("curl/8.5.0"), "");
        let phone = "Mozilla/5.0 (Linux; Android 15; SM-S931N) AppleWebKit/537.36 (KHTML, like Gecko)";
        for (rest, name) in [
            ("Chrome/141.0 Mobile Safari/537.36", "Chrome · Android"),
            ("SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36", "Samsung Internet · Android"),
            ("Chrome/141.0 Whale/1.0 Mobile Safari/537.36", "Whale · Android"),
            ("Chrome/141.0 Mobile Safari/537.36 OPR/90.0", "Opera · Android"),
            ("Version/4.0 Chrome/141.0 Mobile Safari/537.36 KAKAOTALK/25.9", "KakaoTalk · Android"),
        ] {
            assert_eq!(device_name(&format!("{phone} {rest}")), name);
        }
        let mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15";
        assert_eq!(device_name(mac), "Safari · macOS");
        assert_eq!(device_name(&safari.replace("iPhone", "iPad")), "Safari · iPad");
        assert_eq!(
            device_name("Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"),
            "Firefox · Linux"
        );
        assert_eq!(device_name("a tool on Linux"), "Linux");
    }
}
