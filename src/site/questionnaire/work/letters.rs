//! What the owner and who has answered are written.

use super::super::model::{Response, Words};
use hanok_base::Result;
use hanok_base::text::cut;
use hanok_platform::mail::{Language, Letter, Template};

const OWNER: Template = Template {
    kind: "questionnaire_owner",
    ko: include_str!("../../../../assets/mail/questionnaire_owner.ko.txt"),
    en: include_str!("../../../../assets/mail/questionnaire_owner.en.txt"),
};
const RECEIVED: Template = Template {
    kind: "questionnaire_received",
    ko: include_str!("../../../../assets/mail/questionnaire_received.ko.txt"),
    en: include_str!("../../../../assets/mail/questionnaire_received.en.txt"),
};

/// The longest answer in the mail to the owner, in characters: the whole of it is at the desk.
const LONGEST_ANSWER: usize = 500;

/// What who has answered gets: the words of the owner's file alone. Anybody may name anybody's address, so nothing that was
/// typed goes there.
pub fn thanks(title: &Words, thanks: &Words, language: Language) -> Result<Letter> {
    RECEIVED.filled(language, &[("title", title.text(language)), ("thanks", thanks.text(language))])
}

/// What the owner gets; `origin` is where the site is reached, where that is known.
pub fn notice(response: &Response, origin: Option<&str>, language: Language) -> Result<Letter> {
    let client = &response.client;
    let (reach, whose) = match (language, client.name.as_str()) {
        (Language::Ko, "") => (["메일", "전화"], "새".to_owned()),
        (Language::Ko, name) => (["메일", "전화"], format!("{name} 님의")),
        (Language::En, "") => (["Mail", "Telephone"], "New answers".to_owned()),
        (Language::En, name) => (["Mail", "Telephone"], format!("{name} sent answers")),
    };
    let named = if client.name.is_empty() { String::new() } else { format!(" ({})", client.name) };
    let reached = reach.into_iter().zip([&client.email, &client.phone]).filter(|(_, value)| !value.is_empty());
    let reached: Vec<String> = reached.map(|(label, value)| format!("{label}: {value}")).collect();
    let given = response.answers.iter().filter(|answer| answer.value.is_some());
    let said = given.map(|answer| {
        format!("{}\n- {}", answer.text.text(language), cut(&answer.shown(language, ", "), LONGEST_ANSWER))
    });
    let page = match language {
        Language::Ko => format!("/admin/questionnaires/{}", response.id),
        Language::En => format!("/en/admin/questionnaires/{}", response.id),
    };
    let link = origin.map(|origin| format!("{origin}{page}")).unwrap_or_default();
    let values = [
        ("title", response.title.text(language)),
        ("named", &named),
        ("whose", &whose),
        ("reach", &reached.join("\n")),
        ("answers", &said.collect::<Vec<_>>().join("\n")),
        ("link", &link),
    ];
    OWNER.filled(language, &values)
}
