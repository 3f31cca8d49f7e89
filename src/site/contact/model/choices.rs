//! What a customer chooses in the form, in the language of whoever reads it. The owner's settings say what there is to choose;
//! until they do, it is what stands here.

use serde::{Deserialize, Serialize};

use hanok_platform::mail::Language;

/// One answer that can be chosen. In the settings it is written `"웹사이트 | Website"`.
///
/// ```text
/// services = ["웹사이트 | Website", "봇 | Bot"]
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Choice {
    ko: String,
    en: String,
}

/// The answers of a question, no two of which have a text in common: a request keeps the text of what was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Choice>", into = "Vec<Choice>")]
pub struct ChoiceList(Vec<Choice>);

/// The answers of each question of the form; a question without any is not asked.
#[derive(Debug, Clone, Copy)]
pub struct Choices<'a> {
    /// What the work is about.
    pub services: &'a [Choice],
    /// What kind of work it is.
    pub project_types: &'a [Choice],
    /// What it may cost.
    pub budgets: &'a [Choice],
    /// By when it should be done.
    pub timelines: &'a [Choice],
}

/// What the work is about, where the settings do not say it.
pub const SERVICES: &[&str] = &[
    "웹사이트 | Website",
    "웹 서비스 | Web service",
    "업무 자동화 | Automation of work",
    "API와 서버 | API and server",
    "봇 | Bot",
    "AI 연동 | AI integration",
    "그 밖의 일 | Something else",
];
/// What kind of work it is.
pub const PROJECT_TYPES: &[&str] = &[
    "새로 만들기 | Build something new",
    "고치거나 더하기 | Change or extend",
    "운영과 유지보수 | Run and maintain",
    "아직 모름 | Not sure yet",
];
/// What it may cost.
pub const BUDGETS: &[&str] = &[
    "100만 원 미만 | Below 1 million won",
    "100만~300만 원 | 1 to 3 million won",
    "300만~1,000만 원 | 3 to 10 million won",
    "1,000만 원 이상 | 10 million won or more",
    "미정 | Not decided",
];
/// By when it should be done.
pub const TIMELINES: &[&str] =
    &["1개월 안 | Within a month", "1~3개월 | 1 to 3 months", "3개월 넘게 | More than 3 months", "미정 | Not decided"];

/// The longest answer in one language, in characters: as long as what a request may say there.
const LONGEST: usize = 100;

impl ChoiceList {
    /// The choices that these lines say. A line that says none is left out.
    pub fn of(lines: &[&str]) -> ChoiceList {
        ChoiceList(lines.iter().filter_map(|line| Choice::try_from((*line).to_owned()).ok()).collect())
    }

    /// Each of them, in order.
    pub fn all(&self) -> &[Choice] {
        &self.0
    }
}

impl TryFrom<Vec<Choice>> for ChoiceList {
    type Error = String;

    fn try_from(choices: Vec<Choice>) -> Result<ChoiceList, String> {
        for (place, choice) in choices.iter().enumerate() {
            if let Some(text) = choices[..place].iter().find_map(|other| choice.shared_with(other)) {
                return Err(format!("{text:?} is the text of two answers"));
            }
        }
        Ok(ChoiceList(choices))
    }
}

impl From<ChoiceList> for Vec<Choice> {
    fn from(list: ChoiceList) -> Vec<Choice> {
        list.0
    }
}

impl Choice {
    /// It in this language.
    pub fn text(&self, language: Language) -> &str {
        match language {
            Language::Ko => &self.ko,
            Language::En => &self.en,
        }
    }

    /// A text that both have, in whichever language.
    fn shared_with(&self, other: &Choice) -> Option<&str> {
        [self.ko.as_str(), self.en.as_str()].into_iter().find(|text| other.is(text))
    }

    /// Whether this is what was chosen, in whichever language.
    fn is(&self, word: &str) -> bool {
        self.ko == word || self.en == word
    }
}

impl TryFrom<String> for Choice {
    type Error = String;

    fn try_from(line: String) -> Result<Choice, String> {
        let fits = |text: &str| {
            (1..=LONGEST).contains(&text.chars().count()) && !text.chars().any(|c| c.is_control() || c == '|')
        };
        let (ko, en) = line.split_once('|').map(|(ko, en)| (ko.trim(), en.trim())).unwrap_or_default();
        if fits(ko) && fits(en) {
            Ok(Choice { ko: ko.to_owned(), en: en.to_owned() })
        } else {
            Err(format!("{line:?} is not one line such as \"웹사이트 | Website\""))
        }
    }
}

impl From<Choice> for String {
    fn from(Choice { ko, en }: Choice) -> String {
        format!("{ko} | {en}")
    }
}

impl<'a> Choices<'a> {
    /// What the work is about, its kind, its budget and its time, each with its label. Words of the form are said in
    /// `language`, whichever they were chosen in; other words stay as they were written, and what is empty is left out.
    pub fn labelled(self, language: Language, words: [&'a str; 4]) -> Vec<(&'static str, &'a str)> {
        let labels = match language {
            Language::Ko => ["분야", "종류", "예산", "일정"],
            Language::En => ["About", "Kind", "Budget", "Time"],
        };
        let said = self.all().into_iter().zip(words).map(|(choices, word)| said(language, choices, word));
        labels.into_iter().zip(said).filter(|(_, word)| !word.is_empty()).collect()
    }

    /// [`Choices::labelled`] without the words that are none of the form.
    pub fn chosen(self, language: Language, mut words: [&'a str; 4]) -> Vec<(&'static str, &'a str)> {
        for (word, choices) in words.iter_mut().zip(self.all()) {
            if !choices.iter().any(|choice| choice.is(word)) {
                *word = "";
            }
        }
        self.labelled(language, words)
    }

    /// What the work is about, in `language` where it is one of the choices.
    pub fn service(self, language: Language, word: &'a str) -> &'a str {
        said(language, self.services, word)
    }

    fn all(self) -> [&'a [Choice]; 4] {
        [self.services, self.project_types, self.budgets, self.timelines]
    }
}

fn said<'a>(language: Language, choices: &'a [Choice], word: &'a str) -> &'a str {
    choices.iter().find(|choice| choice.is(word)).map_or(word, |choice| choice.text(language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_said_in_the_language_of_who_reads_it_and_what_was_written_stays() {
        let (services, project_types) = (ChoiceList::of(&["누리집|Website"]), ChoiceList::of(PROJECT_TYPES));
        let (services, project_types) = (services.all(), project_types.all());
        let choices = Choices { services, project_types, budgets: &[], timelines: &[] };
        let words = ["Website", "고치거나 더하기", "500만 원쯤", ""];
        assert_eq!(
            choices.labelled(Language::Ko, words),
            [("분야", "누리집"), ("종류", "고치거나 더하기"), ("예산", "500만 원쯤")]
        );
        assert_eq!(
            choices.labelled(Language::En, words),
            [("About", "Website"), ("Kind", "Change or extend"), ("Budget", "500만 원쯤")]
        );
        assert_eq!(choices.chosen(Language::Ko, words).len(), 2, "the budget is none of the form");
    }

    #[test]
    fn two_answers_have_no_text_in_common_in_whichever_language() {
        for lines in [["기와 | Tiles", "기와 | Roof"], ["기와 | Tiles", "타일|Tiles"], ["Tiles | 기와", "기와 | Roof"]]
        {
            assert!(serde_json::from_value::<ChoiceList>(serde_json::json!(lines)).is_err(), "{lines:?}");
        }
        serde_json::from_value::<ChoiceList>(serde_json::json!(["봇 | 봇", "기와 | Tiles"])).unwrap();
    }

    #[test]
    fn a_choice_has_a_text_in_each_language_and_every_built_in_one_is_a_choice() {
        for line in ["웹사이트", "웹사이트 |", "| Website", "웹|사이트|Website", "웹\n사이트 | Website", ""]
        {
            assert!(Choice::try_from(line.to_owned()).is_err(), "{line:?}");
        }
        for lines in [SERVICES, PROJECT_TYPES, BUDGETS, TIMELINES] {
            let list = ChoiceList::of(lines);
            assert_eq!(serde_json::to_value(&list).unwrap(), serde_json::json!(lines));
            assert_eq!(ChoiceList::try_from(list.all().to_vec()), Ok(list), "no two have a text in common");
        }
    }
}
