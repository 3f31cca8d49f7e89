//! A request comes in: saved together with its mails, and told to the owner. And finding one.

#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::Arc;

use super::model::{Received, Request, RequestDetails, RequestLanguage, Status};
use super::store;
use hanok_base::{Error, Page, Result, Sentence};
use hanok_platform::app::App;
use hanok_platform::chat::{self, ChatSettings, Person, Words};
use hanok_platform::config::rule::{self, SWITCH};
use hanok_platform::config::{self, BothLanguages, section};
use hanok_platform::domain::Offer;
use hanok_platform::mail::{self, EmailAddress, Language, Letter, Template};
use hanok_platform::search::{Asked, Found, Words as Sought};
use hanok_platform::store::WriteTx;

const MUST_BE_OWNER: Sentence =
    Sentence::new("contact.must.owner", "must be empty or a mail address such as owner@example.com");

section! {
    /// What customers ask for by the form of the site.
    pub struct ContactSettings("contact", "손님의 요청") {
        /// false takes no requests: form, route and links to them are gone. Links to earlier requests stay. Holds at once.
        #[ko("요청 받기", "끄면 요청을 받지 않습니다. 이미 받은 요청의 진행은 계속 볼 수 있습니다. 바꾸면 바로 적용됩니다.")]
        #[en("Take requests")]
        on: bool = true, SWITCH.at_once();
        /// Where the owner is told of them, e.g. "owner@example.com". Empty = the address that mail comes from.
        #[ko("알림을 받을 주소", "요청이 오면 이 주소로 알립니다. 비워 두면 메일을 보내는 주소로 알립니다.")]
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
        ko: "무엇이 필요한지 몇 가지만 골라 적어 주세요. 접수하면 진행 상황을 볼 수 있는 링크를 메일로 보내 드립니다.",
        en: "Tell us in a few steps what you need. You get a link by mail on which you can follow what becomes of it.",
    },
    way: &[
        BothLanguages {
            ko: "의뢰를 보내면 바로 접수되고, 링크를 메일로 받습니다.",
            en: "Send a request: it is received at once, and a link comes by mail.",
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

/// Saves a request with its receipt, its notice and what the owner is told by chat, all of it or nothing.
///
/// # Errors
/// Those of the store; `INTERNAL` where a mail cannot be written.
pub fn receive(tx: &WriteTx, details: RequestDetails, owner: &Owner, origin: &str) -> Result<Received> {
    let (request, token) = store::add(tx, details)?;
    let track_url = format!("{origin}/contact/{token}");
    let customer = EmailAddress::parse(&request.details.email)
        .map_err(|_| Error::internal("a mail address of a request is none"))?;
    let details = &request.details;
    mail::queue(tx, &customer, None, receipt(details, &track_url)?)?;
    mail::queue(tx, &owner.to, Some(&customer), notice(details, owner.language)?)?;
    let title = Words::new(format!("새 요청: {}", details.name), format!("New request: {}", details.name));
    let body = Words::new(listed(details, Language::Ko, true), listed(details, Language::En, true));
    chat::tell(tx, &owner.chat, &Person::owner(), &title, &body)?;
    let Request { id, status, created_at, .. } = request;
    Ok(Received { id, status, public_token: token, track_url, created_at })
}

/// What the customer gets, in the language of the request.
fn receipt(details: &RequestDetails, link: &str) -> Result<Letter> {
    let language = language(details.language);
    let listed = listed(details, language, false);
    RECEIPT.filled(language, &[("name", &details.name), ("details", &listed), ("link", link)])
}

/// What the owner gets.
fn notice(details: &RequestDetails, language: Language) -> Result<Letter> {
    let listed = listed(details, language, true);
    NOTICE.filled(language, &[("name", &details.name), ("details", &listed)])
}

fn language(language: RequestLanguage) -> Language {
    match language {
        RequestLanguage::Ko => Language::Ko,
        RequestLanguage::En => Language::En,
    }
}

/// What the customer wrote, line by line, and last the message.
fn listed(details: &RequestDetails, language: Language, with_reach: bool) -> String {
    let reach = if with_reach { [details.email.as_str(), details.phone.as_str()] } else { [""; 2] };
    let lines = [
        (("메일", "Mail"), reach[0]),
        (("전화", "Telephone"), reach[1]),
        (("분야", "About"), &details.service),
        (("종류", "Kind"), &details.project_type),
        (("예산", "Budget"), &details.budget),
        (("일정", "Time"), &details.timeline),
    ];
    let line = |((ko, en), value): ((&str, &str), &str)| {
        let label = if language == Language::Ko { ko } else { en };
        (!value.is_empty()).then(|| format!("{label}: {value}"))
    };
    let mut text: Vec<String> = lines.into_iter().filter_map(line).collect();
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
