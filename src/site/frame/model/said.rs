//! What the house says, in words of the catalogues that the household's browsers read, too.

use std::collections::HashMap;
use std::sync::LazyLock;

use hanok_base::korean::{is_particle, particle};
use hanok_base::message::{LocalizedMessage, Message, MessageArg};
use hanok_base::text::thousands;
use hanok_platform::mail::Language;

/// Every catalogue of what customers may be told, by its section: a domain that tells them something adds its own.
const CATALOGUES: [(&str, &str); 11] = [
    ("house", include_str!("../../../../assets/ops/src/house/messages.json")),
    ("account", include_str!("../../../../assets/site/account/messages.json")),
    ("admin", include_str!("../../../../assets/site/admin/messages.json")),
    ("contact", include_str!("../../../../assets/site/contact/messages.json")),
    ("quotes", include_str!("../../../../assets/site/quotes/messages.json")),
    ("projects", include_str!("../../../../assets/site/projects/messages.json")),
    ("questionnaire", include_str!("../../../../assets/site/questionnaire/messages.json")),
    ("documents", include_str!("../../../../assets/site/documents/messages.json")),
    ("share", include_str!("../../../../assets/site/share/messages.json")),
    ("analytics", include_str!("../../../../assets/site/analytics/messages.json")),
    ("dashboard", include_str!("../../../../assets/site/dashboard/messages.json")),
];

/// What is said in Korean and in English, by its key.
type Words = HashMap<String, [String; 2]>;

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let of_section = |(section, text): (&'static str, &str)| {
        let rooms: HashMap<String, Words> = serde_json::from_str(text).unwrap_or_default();
        rooms.into_values().flatten().map(move |(key, words)| (format!("{section}.{key}"), words))
    };
    CATALOGUES.into_iter().flat_map(of_section).collect()
});

/// `said` in `language`; its own English where the catalogues do not know it.
pub fn say(said: &Message, language: Language) -> String {
    say_of(said.localized(), said.text(), language)
}

/// What a browser would say for `localized`; `english` where the catalogues do not know it.
pub fn say_of(localized: Option<&LocalizedMessage>, english: &str, language: Language) -> String {
    localized.and_then(|localized| words(localized, language)).unwrap_or_else(|| english.to_owned())
}

fn words(localized: &LocalizedMessage, language: Language) -> Option<String> {
    let text = &WORDS.get(&localized.key)?[usize::from(language == Language::En)];
    let mut said = String::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((place, behind)) = behind.split_once('}') else { break };
        said.push_str(before);
        let mut forms = place.split('|');
        let name = forms.next().unwrap_or_default();
        let value = localized.values.get(name.trim_end_matches(','));
        match (value, forms.next(), forms.next()) {
            (Some(value), Some(one), Some(many)) if is_particle(one, many) => {
                said.push_str(particle(&in_words(value, language), one, many));
            }
            (Some(value), Some(one), Some(many)) => {
                said.push_str(if *value == MessageArg::Number(1) { one } else { many })
            }
            (Some(MessageArg::Number(number)), ..) if name.ends_with(',') => {
                said.push_str(&i64::try_from(*number).map_or_else(|_| number.to_string(), thousands));
            }
            (Some(value), ..) => said.push_str(&in_words(value, language)),
            (None, ..) => said.extend(["{", place, "}"]),
        }
        rest = behind;
    }
    said.push_str(rest);
    Some(said)
}

fn in_words(value: &MessageArg, language: Language) -> String {
    match value {
        MessageArg::Named { ko, .. } if language == Language::Ko => ko.clone(),
        MessageArg::Several(parts) => {
            let parts = parts.iter().map(|part| words(part, language).unwrap_or_else(|| part.key.clone()));
            parts.collect::<Vec<_>>().join(" ")
        }
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hanok_base::{MessageTemplate, validation_messages};

    #[test]
    fn what_the_house_says_is_said_in_the_language_of_the_visitor() {
        let length = validation_messages::LENGTH.with([
            ("least", 1u32.into()),
            ("most", 50u32.into()),
            ("length", 51u32.into()),
        ]);
        assert_eq!(say(&length, Language::Ko), "1~50자여야 합니다. 지금은 51자입니다.");
        let own = say(&length, Language::En);
        assert!(own.contains("51") && !own.contains('{'), "{own}");
    }

    #[test]
    fn a_particle_follows_the_word_that_stands_before_it() {
        let either = |one: &'static str, other: &'static str| {
            let said = validation_messages::EITHER.with([("one", one.into()), ("other", other.into())]);
            say(&said, Language::Ko)
        };
        assert_eq!(either("none", "starttls"), "none 또는 starttls여야 합니다.");
        assert_eq!(either("text", "json"), "text 또는 json이어야 합니다.");
    }

    #[test]
    fn what_no_catalogue_knows_is_said_in_its_own_english() {
        const ELSEWHERE: MessageTemplate = MessageTemplate::new("garden.dry", "the garden is dry");
        assert_eq!(say(&ELSEWHERE.into(), Language::Ko), "the garden is dry");
    }

    #[test]
    fn every_catalogue_can_be_read() {
        for (section, text) in CATALOGUES {
            let rooms: HashMap<String, Words> = serde_json::from_str(text).unwrap();
            assert!(rooms.values().all(|words| !words.is_empty()), "{section}");
        }
    }
}
