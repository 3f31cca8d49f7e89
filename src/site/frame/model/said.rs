//! What the house says, in words of the catalogues that the household's browsers read, too.

use std::collections::HashMap;
use std::sync::LazyLock;

use hanok_base::said::{Given, Said, Spoken};
use hanok_base::text::thousands;
use hanok_platform::mail::Language;

/// The catalogues of a section, in Korean and in English.
macro_rules! catalogues {
    ($($section:literal $folder:literal: $($room:literal),+;)+) => {
        [$($((
            $section,
            include_str!(concat!("../../../../assets/", $folder, "/messages/", $room, ".ko.json")),
            include_str!(concat!("../../../../assets/", $folder, "/messages/", $room, ".en.json")),
        ),)+)+]
    };
}

/// Every catalogue of what customers may be told: its section, its Korean, its English.
const CATALOGUES: [Catalogue; 8] = catalogues! {
    "house" "ops/src/house": "said", "refused", "work";
    "account" "site/account": "said";
    "admin" "site/admin": "said", "refused";
    "contact" "site/contact": "said", "refused";
};

/// A section with what it says in Korean and in English.
type Catalogue = (&'static str, &'static str, &'static str);
type Words = HashMap<String, String>;

static WORDS: LazyLock<[Words; 2]> = LazyLock::new(|| {
    let gathered = |text: fn(&Catalogue) -> &'static str| {
        let of_section = |catalogue: Catalogue| {
            let section = catalogue.0;
            let words: HashMap<String, String> = serde_json::from_str(text(&catalogue)).unwrap_or_default();
            words.into_iter().map(move |(key, words)| (format!("{section}.{key}"), words))
        };
        CATALOGUES.into_iter().flat_map(of_section).collect()
    };
    [gathered(|catalogue| catalogue.1), gathered(|catalogue| catalogue.2)]
});

/// `said` in `language`; its own English where the catalogues do not know it.
pub fn say(said: &Said, language: Language) -> String {
    say_of(said.spoken(), said.text(), language)
}

/// What a browser would say for `spoken`; `english` where the catalogues do not know it.
pub fn say_of(spoken: Option<&Spoken>, english: &str, language: Language) -> String {
    spoken.and_then(|spoken| words(spoken, language)).unwrap_or_else(|| english.to_owned())
}

fn words(spoken: &Spoken, language: Language) -> Option<String> {
    let text = WORDS[usize::from(language == Language::En)].get(&spoken.key)?;
    let mut said = String::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((place, behind)) = behind.split_once('}') else { break };
        said.push_str(before);
        let mut forms = place.split('|');
        let name = forms.next().unwrap_or_default();
        let value = spoken.values.get(name.trim_end_matches(','));
        match (value, forms.next(), forms.next()) {
            (Some(value), Some(one), Some(many)) => said.push_str(if *value == Given::Number(1) { one } else { many }),
            (Some(Given::Number(number)), ..) if name.ends_with(',') => {
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

fn in_words(value: &Given, language: Language) -> String {
    match value {
        Given::Named { ko, .. } if language == Language::Ko => ko.clone(),
        Given::Several(parts) => {
            let parts = parts.iter().map(|part| words(part, language).unwrap_or_else(|| part.key.clone()));
            parts.collect::<Vec<_>>().join(" ")
        }
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hanok_base::{Sentence, must};

    #[test]
    fn what_the_house_says_is_said_in_the_language_of_the_visitor() {
        let length = must::LENGTH.with([("least", 1u32.into()), ("most", 50u32.into()), ("length", 51u32.into())]);
        assert_eq!(say(&length, Language::Ko), "1~50자여야 합니다. 지금은 51자입니다.");
        let own = say(&length, Language::En);
        assert!(own.contains("51") && !own.contains('{'), "{own}");
    }

    #[test]
    fn what_no_catalogue_knows_is_said_in_its_own_english() {
        const ELSEWHERE: Sentence = Sentence::new("garden.dry", "the garden is dry");
        assert_eq!(say(&ELSEWHERE.into(), Language::Ko), "the garden is dry");
    }

    #[test]
    fn every_catalogue_can_be_read() {
        for (section, ko, en) in CATALOGUES {
            for text in [ko, en] {
                assert!(serde_json::from_str::<Words>(text).is_ok_and(|words| !words.is_empty()), "{section}");
            }
        }
    }
}
