//! Addresses in both languages, and what was refused beside its field.

mod notice;
mod said;

use std::collections::BTreeMap;

use hanok_base::{Error, Kind};
use hanok_platform::mail::Language;

pub use notice::Notice;
pub use said::{say, say_of};

/// The first part of every address in English; Korean has none.
const ENGLISH: &str = "/en";

/// The address of the page `path` (`/`, `/contact`) in `language`.
pub fn address_of(path: &str, language: Language) -> String {
    match (language, path) {
        (Language::Ko, _) => path.to_owned(),
        (Language::En, "/") => ENGLISH.to_owned(),
        (Language::En, _) => format!("{ENGLISH}{path}"),
    }
}

/// The language of an address, and the page that it leads to.
pub fn page_of(address: &str) -> (Language, &str) {
    match address.strip_prefix(ENGLISH) {
        Some("") => (Language::En, "/"),
        Some(path) if path.starts_with('/') => (Language::En, path),
        _ => (Language::Ko, address),
    }
}

/// Whether the header `Accept-Language` prefers English to Korean: by its weights, and of two alike the first.
pub fn prefers_english(accepted: &str) -> bool {
    let mut best: Option<(bool, f32)> = None;
    for part in accepted.split(',') {
        let (tag, weight) = part.split_once(';').unwrap_or((part, ""));
        let is_english = match tag.trim().to_ascii_lowercase().split('-').next() {
            Some("ko") => false,
            Some("en") => true,
            _ => continue,
        };
        let weight = weight.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse).unwrap_or(0.0);
        if weight > 0.0 && best.is_none_or(|(_, most)| weight > most) {
            best = Some((is_english, weight));
        }
    }
    best.is_some_and(|(is_english, _)| is_english)
}

/// What was refused of a form, in the visitor's language, by the names of its fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FormErrors {
    fields: BTreeMap<String, String>,
    whole: Option<String>,
}

impl FormErrors {
    /// What `error` says of a form: of its fields, or where it names none of the whole.
    pub fn of(error: &Error, language: Language) -> FormErrors {
        let fields: BTreeMap<String, String> =
            error.foremost().into_iter().map(|(field, must)| (field, say(&must, language))).collect();
        let whole = fields.is_empty().then(|| match error.kind {
            // Which setting it is that is not set is for who runs the shop.
            Kind::NotConfigured => not_set_up(language).to_owned(),
            _ => say(&error.message, language),
        });
        FormErrors { fields, whole }
    }

    /// What is wrong with a form as a whole, in the visitor's language.
    pub fn saying(whole: &str) -> FormErrors {
        FormErrors { whole: Some(whole.to_owned()), ..FormErrors::default() }
    }

    /// What is wrong with the field `name`.
    pub fn at(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    /// What is wrong with the form as a whole.
    pub fn whole(&self) -> Option<&str> {
        self.whole.as_deref()
    }

    /// Whether something is wrong.
    pub fn is_some(&self) -> bool {
        self.whole.is_some() || !self.fields.is_empty()
    }
}

/// What a visitor is told of what the shop has not set up.
pub fn not_set_up(language: Language) -> &'static str {
    match language {
        Language::Ko => "지금은 이 사이트에서 할 수 없습니다. 가게에 직접 알려 주세요.",
        Language::En => "This site cannot do that now. Please tell the shop yourself.",
    }
}

/// Where a mail to `address` is begun (RFC 6068): what would begin something else there is encoded.
pub fn mailto(address: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"@.-_".contains(&byte);
    let mut link = "mailto:".to_owned();
    for byte in address.bytes() {
        if plain(byte) { link.push(char::from(byte)) } else { link.push_str(&format!("%{byte:02X}")) }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;
    use hanok_base::validation_messages;

    #[test]
    fn each_page_has_one_address_in_each_language() {
        assert_eq!(page_of("/en/"), (Language::En, "/"));
        for (path, english) in [("/", "/en"), ("/contact", "/en/contact"), ("/english", "/en/english")] {
            assert_eq!(address_of(path, Language::Ko), path);
            assert_eq!(address_of(path, Language::En), english);
            assert_eq!(page_of(path), (Language::Ko, path));
            assert_eq!(page_of(english), (Language::En, path));
        }
    }

    #[test]
    fn whoever_reads_english_before_korean_is_known_by_the_browser() {
        for accepted in ["en", "en-US,en;q=0.9,ko;q=0.5", "fr, EN-gb;q=0.8", "ko;q=0.4, en; q=0.6"] {
            assert!(prefers_english(accepted), "{accepted}");
        }
        for accepted in ["", "*", "ko-KR,ko;q=0.9,en;q=0.5", "fr", "eng", "\u{ac00}"] {
            assert!(!prefers_english(accepted), "{accepted}");
        }
    }

    #[test]
    fn what_was_refused_is_said_beside_its_field_in_the_language_of_the_page() {
        let error = Error::field("email", validation_messages::PRESENT);
        let faults = FormErrors::of(&error, Language::Ko);
        assert_eq!((faults.at("email"), faults.whole()), (Some("필수 항목입니다."), None));
        assert!(faults.is_some() && faults.at("name").is_none());
        assert!(!FormErrors::default().is_some() && FormErrors::saying("all of it").is_some());
        assert_eq!(FormErrors::saying("all of it").whole(), Some("all of it"));
        let whole = FormErrors::of(&Error::not_found("page"), Language::En);
        assert_eq!((whole.whole(), whole.is_some()), (Some("Not found."), true));
    }

    #[test]
    fn an_address_begins_nothing_but_a_mail_to_it() {
        assert_eq!(mailto("jiwoo.kim+a@example.com"), "mailto:jiwoo.kim%2Ba@example.com");
        let planted = mailto("shop?bcc=eve%40evil.example&subject=@example.com");
        assert_eq!(planted, "mailto:shop%3Fbcc%3Deve%2540evil.example%26subject%3D@example.com");
    }
}
