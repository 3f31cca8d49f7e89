//! A request comes in: saved together with its mails, and told to the owner. And finding one.

pub mod decoys;
pub mod follow;
pub mod own_data;
pub mod shares;
#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::Arc;

use super::model::{Received, Request, RequestDetails, RequestLanguage, Status, choices};
use super::store;
use hanok_base::{Error, Page, Result, Sentence, day};
use hanok_platform::app::App;
use hanok_platform::auth;
use hanok_platform::chat::{self, ChatSettings, Person, Words};
use hanok_platform::config::rule::{self, SWITCH, Unit};
use hanok_platform::config::{self, BothLanguages, section};
use hanok_platform::domain::Offer;
use hanok_platform::mail::{self, EmailAddress, Language, Letter, Template};
use hanok_platform::search::{Asked, Found, Words as Sought};
use hanok_platform::store::WriteTx;

const MUST_BE_OWNER: Sentence =
    Sentence::new("contact.must.owner", "must be empty or a mail address such as owner@example.com");

section! {
    /// What customers ask for by the form of the site.
    pub struct ContactSettings("contact", "손님의 의뢰") {
        /// false takes no requests: form, route and links to them are gone. Links to earlier requests stay. Holds at once.
        #[ko("의뢰 받기", "끄면 의뢰를 받지 않습니다. 이미 받은 의뢰의 진행은 계속 볼 수 있습니다. 바꾸면 바로 적용됩니다.")]
        #[en("Take requests")]
        on: bool = true, SWITCH.at_once();
        /// How many are taken within an hour in all (0 = no limit): each writes two mails. Holds at once.
        #[ko("한 시간에 받는 의뢰 수", "모든 손님을 합쳐 한 시간에 이만큼 받습니다(0이면 한도 없음). 장난으로 보낸 의뢰와 메일이 쌓이지 않게 합니다. 바꾸면 바로 적용됩니다.")]
        #[en("Requests an hour")]
        per_hour: u32 = 120, rule::whole(Unit::Count, 0, 1_000_000).lowest_means("no limit").at_once();
        /// Where the owner is told of them, e.g. "owner@example.com". Empty = the address that mail comes from.
        #[ko("알림을 받을 주소", "의뢰가 오면 이 주소로 알립니다. 비워 두면 메일을 보내는 주소로 알립니다.")]
        #[en("Address that is told of requests")]
        notice_to: String = String::new(),
            rule::text(MUST_BE_OWNER, |to| to.is_empty() || rule::is_mail_address(to)).entrance();
        /// The language of that mail: "ko" or "en".
        #[ko("알림의 언어", "알림 메일의 언어입니다. ko 또는 en.")]
        #[en("Language of that mail")]
        notice_language: Language = Language::Ko, rule::one_of(&["ko", "en"]).on_page();
    }
}

impl ContactSettings {
    /// Refuses where no requests are taken.
    ///
    /// # Errors
    /// `NOT_FOUND`, as for a path that leads nowhere.
    pub fn check(&self) -> Result<()> {
        if self.on { Ok(()) } else { Err(Error::not_found("path")) }
    }
}

/// Requests as customers are offered to send them.
pub const OFFER: Offer = Offer {
    path: "/contact",
    name: BothLanguages { ko: "의뢰하기", en: "Request" },
    lead: BothLanguages {
        ko: "무엇이 필요한지 몇 가지만 골라 적어 주세요. 접수하면 진행 상황을 볼 수 있는 링크를 드립니다.",
        en: "Tell us in a few steps what you need. You get a link on which you can follow what becomes of it.",
    },
    way: &[
        BothLanguages {
            ko: "의뢰를 보내면 바로 접수되고, 진행 상황을 볼 링크를 받습니다.",
            en: "Send a request: it is received at once, and you get a link to follow it.",
        },
        BothLanguages {
            ko: "내용을 검토하고 견적을 보내 드립니다.", en: "We look at it and send a quote."
        },
        BothLanguages {
            ko: "견적을 받아들이시면 일을 시작합니다.", en: "We begin once you accept the quote."
        },
        BothLanguages {
            ko: "끝날 때까지 링크에서 진행 상황을 봅니다.", en: "Follow it on the link until it is done."
        },
    ],
    call: BothLanguages { ko: "의뢰 시작하기", en: "Start a request" },
    is_on: |config| config.section::<ContactSettings>().on,
};

/// Who sends a request, and where the site is found.
#[derive(Debug, Clone)]
pub struct Visit {
    /// From where it comes.
    pub address: IpAddr,
    /// The language of the browser.
    pub language: RequestLanguage,
    /// What the links of mails begin with, such as `https://shop.example`.
    pub origin: String,
}

const RECEIPT: Template = Template {
    kind: "contact_receipt",
    ko: include_str!("../../../assets/mail/contact_receipt.ko.txt"),
    en: include_str!("../../../assets/mail/contact_receipt.en.txt"),
};
const NOTICE: Template = Template {
    kind: "contact_notice",
    ko: include_str!("../../../assets/mail/contact_notice.ko.txt"),
    en: include_str!("../../../assets/mail/contact_notice.en.txt"),
};
const MOVED: Template = Template {
    kind: "contact_moved",
    ko: include_str!("../../../assets/mail/contact_moved.ko.txt"),
    en: include_str!("../../../assets/mail/contact_moved.en.txt"),
};
/// The same where the link to the request was ended, or where it is not known where the customer reaches the site.
const MOVED_UNLINKED: Template = Template {
    kind: "contact_moved_unlinked",
    ko: include_str!("../../../assets/mail/contact_moved_unlinked.ko.txt"),
    en: include_str!("../../../assets/mail/contact_moved_unlinked.en.txt"),
};
/// To whom the notice goes in a house that has no address of its own: there it stays in the folder.
const NOBODY: &str = "owner@localhost";

/// The owner as they are told of a request.
pub struct Owner {
    to: EmailAddress,
    language: Language,
    chat: Arc<ChatSettings>,
}

impl Owner {
    /// The owner as the settings know them.
    ///
    /// # Errors
    /// `INTERNAL` where the settings hold no address.
    pub fn of(settings: &config::Config) -> Result<Owner> {
        let contact = settings.section::<ContactSettings>();
        let known = [contact.notice_to.as_str(), settings.mail.from.as_str(), NOBODY];
        let to = known.into_iter().find(|to| !to.is_empty()).unwrap_or(NOBODY);
        let to = EmailAddress::parse(to).map_err(|_| Error::internal("the owner has no mail address"))?;
        Ok(Owner { to, language: contact.notice_language, chat: settings.section() })
    }
}

/// Saves a request with its notice and what the owner is told by chat, and with its receipt where its customer
/// `gets_receipt`, all of it or nothing.
///
/// # Errors
/// Those of the store; `INTERNAL` where a mail cannot be written.
pub fn receive(
    tx: &WriteTx,
    details: RequestDetails,
    owner: &Owner,
    origin: &str,
    gets_receipt: bool,
) -> Result<Received> {
    let (request, token) = store::add(tx, details)?;
    let track_url = follow::page_at(origin, &token, language(request.details.language));
    let customer = EmailAddress::parse(&request.details.email)
        .map_err(|_| Error::internal("a mail address of a request is none"))?;
    let details = &request.details;
    if gets_receipt {
        mail::queue(tx, &customer, None, receipt(details, &track_url)?.about(&request.id))?;
    }
    mail::queue(tx, &owner.to, Some(&customer), notice(details, owner.language)?.about(&request.id))?;
    let title = Words::new(format!("새 의뢰: {}", details.name), format!("New request: {}", details.name));
    let body = Words::new(listed(details, Language::Ko), listed(details, Language::En));
    chat::tell_about(tx, &owner.chat, &Person::owner(), &request.id, (&title, &body))?;
    let Request { id, status, created_at, .. } = request;
    Ok(Received { id, status, public_token: token, track_url, created_at })
}

/// Moves a request to another state, by whom is noted, and tells the customer with the `message` for it: by mail, and in the chat that the account of
/// this address has connected, each with a link to the request in its language where it is known at which `address` customers
/// reach the site. All of it or nothing.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` naming the states that it may be moved to; those of the store.
pub fn move_on(
    tx: &WriteTx,
    chat: &ChatSettings,
    id: &str,
    to: Status,
    by: &str,
    address: Option<&str>,
    message: &str,
) -> Result<Request> {
    let request = store::change_status_with(tx, id, to, by, message)?;
    let followed_at = match address {
        Some(origin) => follow::word_of_mails(tx, &request)?.map(|word| (origin, word)),
        None => None,
    };
    let link = |language| followed_at.as_ref().map(|(origin, word)| follow::page_at(origin, word, language));
    let details = &request.details;
    let customer =
        EmailAddress::parse(&details.email).map_err(|_| Error::internal("a mail address of a request is none"))?;
    let written_in = language(details.language);
    mail::queue(tx, &customer, None, moved(details, to, message, link(written_in).as_deref())?.about(&request.id))?;
    if let Some(account) = auth::find_customer_by_mail(tx, &details.email)? {
        let followed = |label: &str, language| link(language).map(|link| format!("\n{label}: {link}"));
        let said = if message.is_empty() { String::new() } else { format!("\n{message}") };
        let body = Words::new(
            format!("지금 상태: {}{said}{}", to.in_korean(), followed("진행 상황", Language::Ko).unwrap_or_default()),
            format!("It is now: {}{said}{}", to.in_english(), followed("Follow it", Language::En).unwrap_or_default()),
        );
        chat::tell_about(tx, chat, &Person::customer(&account.id), id, (&called(&request), &body))?;
    }
    Ok(request)
}

/// What a request is called to its customer: what it is about, or the day on which it came in.
fn called(request: &Request) -> Words {
    let service = |language| choices::said(language, choices::SERVICES, &request.details.service);
    if !request.details.service.is_empty() {
        let (ko, en) = (service(Language::Ko), service(Language::En));
        return Words::new(format!("의뢰의 진행 상황: {ko}"), format!("Your request: {en}"));
    }
    let day = day::of(request.created_at);
    Words::new(
        format!("{}에 보내신 의뢰의 진행 상황", day.format("%Y년 %-m월 %-d일")),
        format!("Your request of {}", day.format("%-d %B %Y")),
    )
}

/// What the customer gets, in the language of the request. Anybody may name anybody's address: none of the words that were
/// written go there, but those of the form that were chosen. The rest is behind the link.
fn receipt(details: &RequestDetails, link: &str) -> Result<Letter> {
    let language = language(details.language);
    let RequestDetails { service, project_type, budget, timeline, .. } = details;
    let chosen = choices::chosen(language, [service, project_type, budget, timeline]);
    let listed: Vec<String> = chosen.into_iter().map(|(label, value)| format!("{label}: {value}")).collect();
    RECEIPT.filled(language, &[("details", &listed.join("\n")), ("link", link)])
}

/// What the customer gets when the request has moved, in the language of the request.
fn moved(details: &RequestDetails, to: Status, message: &str, link: Option<&str>) -> Result<Letter> {
    let language = language(details.language);
    let status = if language == Language::Ko { to.in_korean() } else { to.in_english() };
    let told = told(to, language);
    let values = [("name", details.name.as_str()), ("told", told), ("status", status), ("message", message)];
    match link {
        Some(link) => MOVED.filled(language, &[&values[..], &[("link", link)]].concat()),
        None => MOVED_UNLINKED.filled(language, &values),
    }
}

/// What has become of a request that was moved to this state, behind the name of its customer.
fn told(to: Status, language: Language) -> &'static str {
    let (ko, en) = match to {
        Status::OnHold => ("의뢰하신 일을 잠시 멈추었습니다.", "your request is on hold for now."),
        Status::Completed => ("의뢰하신 일이 끝났습니다.", "your request is done."),
        Status::Cancelled => ("의뢰가 취소되었습니다.", "your request was cancelled."),
        _ => ("의뢰하신 일이 다음 단계로 갔습니다.", "your request has moved on."),
    };
    if language == Language::Ko { ko } else { en }
}

/// What the owner gets.
fn notice(details: &RequestDetails, language: Language) -> Result<Letter> {
    let listed = listed(details, language);
    NOTICE.filled(language, &[("name", &details.name), ("details", &listed)])
}

/// The language in which a customer is written to.
pub fn language(language: RequestLanguage) -> Language {
    match language {
        RequestLanguage::Ko => Language::Ko,
        RequestLanguage::En => Language::En,
    }
}

/// How the customer is reached and what was written, line by line, and last the message.
fn listed(details: &RequestDetails, language: Language) -> String {
    let RequestDetails { email, phone, service, project_type, budget, timeline, .. } = details;
    let reach = match language {
        Language::Ko => [("메일", email.as_str()), ("전화", phone)],
        Language::En => [("Mail", email.as_str()), ("Telephone", phone)],
    };
    let reach = reach.into_iter().filter(|(_, value)| !value.is_empty());
    let work = choices::labelled(language, [service, project_type, budget, timeline]);
    let mut text: Vec<String> = reach.chain(work).map(|(label, value)| format!("{label}: {value}")).collect();
    if !text.is_empty() {
        text.push(String::new());
    }
    text.push(details.message.clone());
    text.join("\n")
}

/// The requests of `status`, or of any, that say these words, the best first.
///
/// # Errors
/// Those of the index.
pub async fn search(app: &App, words: &str, status: Option<Status>, page: Page) -> Result<Found> {
    let (kind, tag) = (Some(store::KIND.to_owned()), status.map(|status| status.code().to_owned()));
    app.data.search.find(Asked { words: Sought::of(words), kind, but: Vec::new(), tag, done: None, page }).await
}
