//! What a customer chooses in the form, in the language of whoever reads it.

use hanok_platform::mail::Language;

/// Words of which one is chosen, in Korean and in English.
pub type Choices = &'static [(&'static str, &'static str)];

/// What the work is about.
pub const SERVICES: Choices = &[
    ("웹사이트", "Website"),
    ("웹 서비스", "Web service"),
    ("업무 자동화", "Automation of work"),
    ("API와 서버", "API and server"),
    ("봇", "Bot"),
    ("AI 연동", "AI integration"),
    ("그 밖의 일", "Something else"),
];
/// What kind of work it is.
pub const PROJECT_TYPES: Choices = &[
    ("새로 만들기", "Build something new"),
    ("고치거나 더하기", "Change or extend"),
    ("운영과 유지보수", "Run and maintain"),
    ("아직 모름", "Not sure yet"),
];
/// What it may cost.
pub const BUDGETS: Choices = &[
    ("100만 원 미만", "Below 1 million won"),
    ("100만~300만 원", "1 to 3 million won"),
    ("300만~1,000만 원", "3 to 10 million won"),
    ("1,000만 원 이상", "10 million won or more"),
    ("미정", "Not decided"),
];
/// By when it should be done.
pub const TIMELINES: Choices = &[
    ("1개월 안", "Within a month"),
    ("1~3개월", "1 to 3 months"),
    ("3개월 넘게", "More than 3 months"),
    ("미정", "Not decided"),
];

/// What the work is about, its kind, its budget and its time, each with its label. Words of the form are said in `language`,
/// whichever they were chosen in; other words stay as they were written, and what is empty is left out.
pub fn labelled(language: Language, [service, project_type, budget, timeline]: [&str; 4]) -> Vec<(&'static str, &str)> {
    let all = [
        (("분야", "About"), said(language, SERVICES, service)),
        (("종류", "Kind"), said(language, PROJECT_TYPES, project_type)),
        (("예산", "Budget"), said(language, BUDGETS, budget)),
        (("일정", "Time"), said(language, TIMELINES, timeline)),
    ];
    let some = all.into_iter().filter(|(_, word)| !word.is_empty());
    some.map(|(label, word)| (one_of(language, label), word)).collect()
}

/// [`labelled`] without the words that are none of the form.
pub fn chosen(language: Language, words: [&str; 4]) -> Vec<(&'static str, &str)> {
    let all = [SERVICES, PROJECT_TYPES, BUDGETS, TIMELINES];
    let is_one = |choices: Choices, word: &str| choices.iter().any(|(ko, en)| [*ko, *en].contains(&word));
    let mut chosen = words;
    for (word, choices) in chosen.iter_mut().zip(all) {
        if !is_one(choices, word) {
            *word = "";
        }
    }
    labelled(language, chosen)
}

/// `word` in `language`, where it is one of the choices.
pub fn said(language: Language, choices: Choices, word: &str) -> &str {
    let chosen = choices.iter().find(|(ko, en)| [*ko, *en].contains(&word));
    chosen.map_or(word, |choice| one_of(language, *choice))
}

fn one_of(language: Language, (ko, en): (&'static str, &'static str)) -> &'static str {
    match language {
        Language::Ko => ko,
        Language::En => en,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_said_in_the_language_of_who_reads_it_and_what_was_written_stays() {
        let chosen = ["Website", "고치거나 더하기", "500만 원쯤", ""];
        assert_eq!(
            labelled(Language::Ko, chosen),
            [("분야", "웹사이트"), ("종류", "고치거나 더하기"), ("예산", "500만 원쯤")]
        );
        assert_eq!(
            labelled(Language::En, chosen),
            [("About", "Website"), ("Kind", "Change or extend"), ("Budget", "500만 원쯤")]
        );
    }
}
