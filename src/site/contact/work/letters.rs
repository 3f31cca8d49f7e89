//! What customers and the owner are written: the letters, each in the language of who reads it.

use super::super::model::choices::Choices;
use super::super::model::{Request, RequestDetails, Status};
use hanok_base::{Result, day};
use hanok_platform::chat::Words;
use hanok_platform::mail::{Language, Letter, Template};

const RECEIPT: Template = Template {
    kind: "contact_receipt",
    ko: include_str!("../../../../assets/mail/contact_receipt.ko.txt"),
    en: include_str!("../../../../assets/mail/contact_receipt.en.txt"),
};
const NOTICE: Template = Template {
    kind: "contact_notice",
    ko: include_str!("../../../../assets/mail/contact_notice.ko.txt"),
    en: include_str!("../../../../assets/mail/contact_notice.en.txt"),
};
/// How the kinds of the mails begin that tell a customer of a state.
pub const OF_A_STATE: &str = MOVED.kind;
const MOVED: Template = Template {
    kind: "contact_moved",
    ko: include_str!("../../../../assets/mail/contact_moved.ko.txt"),
    en: include_str!("../../../../assets/mail/contact_moved.en.txt"),
};
/// The same where the link to the request was ended, or where it is not known where the customer reaches the site.
const MOVED_UNLINKED: Template = Template {
    kind: "contact_moved_unlinked",
    ko: include_str!("../../../../assets/mail/contact_moved_unlinked.ko.txt"),
    en: include_str!("../../../../assets/mail/contact_moved_unlinked.en.txt"),
};

/// What has become of a request, in Korean and in English, as it stands behind the name of its customer.
#[derive(Debug, Clone, Copy)]
pub struct Told(&'static str, &'static str);

impl Told {
    /// That the latest step was taken back.
    pub const CORRECTED: Told = Told("의뢰의 상태를 바로잡았습니다.", "we have corrected the state of your request.");

    /// That it was moved to this state.
    pub fn moved(to: Status) -> Told {
        match to {
            Status::OnHold => Told("의뢰하신 일을 잠시 멈추었습니다.", "your request is on hold for now."),
            Status::Completed => Told("의뢰하신 일이 끝났습니다.", "your request is done."),
            Status::Cancelled => Told("의뢰가 취소되었습니다.", "your request was cancelled."),
            _ => Told("의뢰하신 일이 다음 단계로 갔습니다.", "your request has moved on."),
        }
    }
}

/// What the customer gets, in the language of the request. Anybody may name anybody's address: none of the words that were
/// written go there, but those of the form that were chosen. The rest is behind the link.
pub fn receipt(details: &RequestDetails, choices: Choices<'_>, link: &str) -> Result<Letter> {
    let language = details.language;
    let RequestDetails { service, project_type, budget, timeline, .. } = details;
    let chosen = choices.chosen(language, [service, project_type, budget, timeline]);
    let listed: Vec<String> = chosen.into_iter().map(|(label, value)| format!("{label}: {value}")).collect();
    RECEIPT.filled(language, &[("details", &listed.join("\n")), ("link", link)])
}

/// What the customer gets when the request is in another state, in the language of the request.
pub fn moved(details: &RequestDetails, told: Told, to: Status, message: &str, link: Option<&str>) -> Result<Letter> {
    let language = details.language;
    let (told, status) = match language {
        Language::Ko => (told.0, to.in_korean()),
        Language::En => (told.1, to.in_english()),
    };
    let values = [("name", details.name.as_str()), ("told", told), ("status", status), ("message", message)];
    match link {
        Some(link) => MOVED.filled(language, &[&values[..], &[("link", link)]].concat()),
        None => MOVED_UNLINKED.filled(language, &values),
    }
}

/// What the owner gets.
pub fn notice(details: &RequestDetails, choices: Choices<'_>, language: Language) -> Result<Letter> {
    let listed = listed(details, choices, language);
    NOTICE.filled(language, &[("name", &details.name), ("details", &listed)])
}

/// What a request is called to its customer: what it is about, or the day on which it came in.
pub fn called(request: &Request, choices: Choices<'_>) -> Words {
    let service = |language| choices.service(language, &request.details.service);
    if !request.details.service.is_empty() {
        let (ko, en) = (service(Language::Ko), service(Language::En));
        return Words::new(format!("의뢰 진행 상황: {ko}"), format!("Your request: {en}"));
    }
    let day = day::of(request.created_at);
    Words::new(
        format!("{}에 보내신 의뢰의 진행 상황", day.format("%Y년 %-m월 %-d일")),
        format!("Your request of {}", day.format("%-d %B %Y")),
    )
}

/// How the customer is reached and what was written, line by line, and last the message.
pub fn listed(details: &RequestDetails, choices: Choices<'_>, language: Language) -> String {
    let RequestDetails { email, phone, service, project_type, budget, timeline, .. } = details;
    let reach = match language {
        Language::Ko => [("메일", email.as_str()), ("전화", phone)],
        Language::En => [("Mail", email.as_str()), ("Telephone", phone)],
    };
    let reach = reach.into_iter().filter(|(_, value)| !value.is_empty());
    let work = choices.labelled(language, [service, project_type, budget, timeline]);
    let mut text: Vec<String> = reach.chain(work).map(|(label, value)| format!("{label}: {value}")).collect();
    if !text.is_empty() {
        text.push(String::new());
    }
    text.push(details.message.clone());
    text.join("\n")
}
