//! A request comes in: saved together with its mails, and told to the owner. And finding one.

pub mod by_link;
pub mod decoys;
pub mod follow;
mod letters;
pub mod own_data;
pub mod shares;
#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::Arc;

use super::model::choices::{self, ChoiceList, Choices};
use super::model::{Received, Request, RequestDetails, Status};
use super::store;
use hanok_base::{Error, MessageTemplate, Page, Result};
use hanok_platform::app::App;
use hanok_platform::auth;
use hanok_platform::chat::{self, ChatSettings, Person, Words};
use hanok_platform::config::rule::{self, Rule, SWITCH, Unit};
use hanok_platform::config::{self, BothLanguages, section};
use hanok_platform::domain::Offer;
use hanok_platform::mail::{self, EmailAddress, Language};
use hanok_platform::search::{SearchRequest, SearchResults, SearchTerms as Sought};
use hanok_platform::store::WriteTx;

use letters::{Told, listed, notice, receipt};

const MUST_BE_OWNER: MessageTemplate =
    MessageTemplate::new("contact.must.owner", "must be empty or a mail address such as owner@example.com");

const MUST_BE_CHOICES: MessageTemplate = MessageTemplate::new(
    "contact.must.choices",
    "must be a list of answers, no two with the same text, each in Korean and in English with a bar between and no longer than 100 characters, such as {example}",
);
const CHOICES: Rule = rule::typed(MUST_BE_CHOICES).such_as(&["웹사이트 | Website", "봇 | Bot"]);

section! {
    /// What customers ask for by the form of the site.
    pub struct ContactSettings("contact", "고객 의뢰") {
        /// false takes no requests: form, route and links to them are gone. Links to earlier requests stay. Holds at once.
        #[ko("의뢰 받기", "끄면 의뢰를 받지 않습니다. 이미 받은 의뢰의 진행 상황은 계속 볼 수 있습니다. 변경하면 바로 적용됩니다.")]
        #[en("Take requests")]
        enabled: bool = true, SWITCH.at_once();
        /// How many requests are taken within an hour in total (0 = no limit): each sends two mails. Takes effect at once.
        #[ko("시간당 의뢰 수", "모든 고객을 합쳐 한 시간에 받는 최대 의뢰 수입니다(0이면 한도 없음). 장난 의뢰와 메일이 쌓이는 것을 막습니다. 변경하면 바로 적용됩니다.")]
        #[en("Requests per hour")]
        per_hour: u32 = 120, rule::whole(Unit::Count, 0, 1_000_000).min_label("no limit").at_once();
        /// Where the owner is told of new requests, e.g. "owner@example.com". Empty = the sender address of mail.
        #[ko("알림을 받을 주소", "의뢰가 오면 이 주소로 알립니다. 비워 두면 메일을 보내는 주소로 알립니다.")]
        #[en("Notification address")]
        notice_to: String = String::new(),
            rule::text(MUST_BE_OWNER, |to| to.is_empty() || rule::is_mail_address(to)).entrance();
        /// The language of the notification mail: "ko" or "en".
        #[ko("알림 언어", "알림 메일의 언어입니다. ko 또는 en.")]
        #[en("Notification language")]
        notice_language: Language = Language::Ko, rule::one_of(&["ko", "en"]).on_page();
        /// For how many months a request is kept of which nothing comes (0 = not said): the form and the draft of the privacy
        /// policy say it, and the desk marks what is over for longer. Nothing is removed by itself. Holds at once.
        #[ko("의뢰 보관 기간(개월)", "계약으로 이어지지 않은 의뢰를 보관하는 기간입니다(0이면 표시 안 함). 의뢰 양식과 개인정보 처리방침 초안에 이 기간을 표시하고, 의뢰 관리에서 기간이 지난 의뢰를 표시합니다. 자동으로 삭제하지는 않습니다. 변경하면 바로 적용됩니다.")]
        #[en("Keep requests for (months)")]
        keep_months: u32 = 36, rule::whole(Unit::Count, 0, 1200).min_label("not said").at_once();
        /// What the form offers to choose: what the work is about, each as "Korean | English". [] does not ask.
        /// Requests keep what was chosen. In a variable an answer has no comma.
        #[ko("의뢰 양식의 분야", "양식에서 선택할 수 있는 분야입니다. \"한국어 | English\"처럼 입력합니다. 비워 두면 묻지 않습니다. 이미 받은 의뢰는 바뀌지 않습니다.")]
        #[en("Form choices: subject")]
        services: ChoiceList = ChoiceList::of(choices::SERVICES), CHOICES;
        /// What kind of work it is.
        #[ko("의뢰 양식의 종류", "양식에서 선택할 수 있는 일의 종류입니다. 비워 두면 묻지 않습니다.")]
        #[en("Form choices: kind of work")]
        project_types: ChoiceList = ChoiceList::of(choices::PROJECT_TYPES), CHOICES;
        /// What it may cost.
        #[ko("의뢰 양식의 예산", "양식에서 선택할 수 있는 예산입니다. 비워 두면 묻지 않습니다.")]
        #[en("Form choices: budget")]
        budgets: ChoiceList = ChoiceList::of(choices::BUDGETS), CHOICES;
        /// By when it should be done.
        #[ko("의뢰 양식의 일정", "양식에서 선택할 수 있는 일정입니다. 비워 두면 묻지 않습니다.")]
        #[en("Form choices: timeline")]
        timelines: ChoiceList = ChoiceList::of(choices::TIMELINES), CHOICES;
    }
}

impl ContactSettings {
    /// Refuses where no requests are taken.
    ///
    /// # Errors
    /// `NOT_FOUND`, as for a path that leads nowhere.
    pub fn check(&self) -> Result<()> {
        if self.enabled { Ok(()) } else { Err(Error::not_found("path")) }
    }

    /// What the form offers to choose.
    pub fn choices(&self) -> Choices<'_> {
        let ContactSettings { services, project_types, budgets, timelines, .. } = self;
        let [services, project_types, budgets, timelines] =
            [services, project_types, budgets, timelines].map(ChoiceList::all);
        Choices { services, project_types, budgets, timelines }
    }

    /// For how long a request is kept of which nothing comes, such as `3년` or `18 months`; none where that is not said.
    pub fn kept_for(&self, language: Language) -> Option<String> {
        let (number, is_years) =
            if self.keep_months.is_multiple_of(12) { (self.keep_months / 12, true) } else { (self.keep_months, false) };
        let unit = match (language, is_years, number) {
            (Language::Ko, true, _) => "년",
            (Language::Ko, false, _) => "개월",
            (Language::En, true, 1) => " year",
            (Language::En, true, _) => " years",
            (Language::En, false, 1) => " month",
            (Language::En, false, _) => " months",
        };
        (number > 0).then(|| format!("{number}{unit}"))
    }
}

/// Requests as customers are offered to send them.
pub const OFFER: Offer = Offer {
    path: "/contact",
    is_listed: true,
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
    setting: "contact.enabled",
    is_on: |config| config.section::<ContactSettings>().enabled,
};

/// Who sends a request, and where the site is found.
#[derive(Debug, Clone)]
pub struct Visit {
    /// From where it comes.
    pub address: IpAddr,
    /// The language of the browser.
    pub language: Language,
    /// What the links of mails begin with, such as `https://shop.example`.
    pub origin: String,
}

/// To whom the notice goes in a house that has no address of its own: there it stays in the folder.
const NOBODY: &str = "owner@localhost";

/// The owner as they are told of a request.
pub struct Owner {
    to: EmailAddress,
    chat: Arc<ChatSettings>,
    contact: Arc<ContactSettings>,
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
        Ok(Owner { to, chat: settings.section(), contact })
    }

    /// Where the owner is written to.
    pub fn address(&self) -> &EmailAddress {
        &self.to
    }

    /// The language in which the owner is written to.
    pub fn language(&self) -> Language {
        self.contact.notice_language
    }

    /// How the owner is told by chat.
    pub fn chat(&self) -> &ChatSettings {
        &self.chat
    }
}

/// Who sits at the desk, and how customers are told what is done there.
pub struct Desk {
    by: String,
    address: Option<String>,
    chat: Arc<ChatSettings>,
    contact: Arc<ContactSettings>,
}

impl Desk {
    /// The desk at which `by` sits; `address` is where customers reach the site, where that is known.
    pub fn of(app: &App, by: &str, address: Option<String>) -> Desk {
        let (chat, contact) = (app.outside.chat.settings().clone(), app.config.section());
        Desk { by: by.to_owned(), address, chat, contact }
    }

    /// The name of who sits there.
    pub fn by(&self) -> &str {
        &self.by
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
    let track_url = follow::page_at(origin, &token, request.details.language);
    let customer = EmailAddress::parse(&request.details.email)
        .map_err(|_| Error::internal("a mail address of a request is none"))?;
    let (details, choices) = (&request.details, owner.contact.choices());
    if gets_receipt {
        mail::queue(tx, &customer, None, receipt(details, choices, &track_url)?.about(&request.id))?;
    }
    let notice = notice(details, choices, owner.contact.notice_language)?;
    mail::queue(tx, &owner.to, Some(&customer), notice.about(&request.id))?;
    let title = Words::new(format!("새 의뢰: {}", details.name), format!("New request: {}", details.name));
    let body = Words::new(listed(details, choices, Language::Ko), listed(details, choices, Language::En));
    chat::tell_about(tx, &owner.chat, &Person::owner(), &request.id, (&title, &body))?;
    let Request { id, status, created_at, .. } = request;
    Ok(Received { id, status, public_token: token, track_url, created_at })
}

/// Moves a request to another state, by whom is noted, and tells the customer with the `message` for it: by mail, and in the
/// chat that the account of this address has connected. All of it or nothing.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` naming the states that it may be moved to; those of the store.
pub fn move_on(tx: &WriteTx, desk: &Desk, id: &str, to: Status, message: &str) -> Result<Request> {
    let request = store::change_status_with(tx, id, to, &desk.by, message)?;
    tell_customer(tx, desk, &request, Told::moved(to), message)?;
    Ok(request)
}

/// Takes back the latest step of a request, which leads to the state `to` again, by whom is noted. What the customer was to be
/// told of that step and has not gone out yet stays unsaid; a correction that waits is still told. Only where there is a
/// `message` the customer is told of this, as of a move; otherwise it stands on the page of the request alone.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` where there is nothing to take back, or where its latest step does not lead back to `to`.
pub fn undo(tx: &WriteTx, desk: &Desk, id: &str, to: Status, message: &str) -> Result<Request> {
    let (request, undone) = store::undo_status(tx, id, to, &desk.by, message)?;
    // What one transaction queues has one instant; a correction of a later step is none of this step's, and stays.
    mail::cancel(tx, id, |mail| mail.kind.starts_with(letters::OF_A_STATE) && mail.created_at == undone.at)?;
    chat::cancel(tx, id, undone.at)?;
    if !message.is_empty() {
        tell_customer(tx, desk, &request, Told::CORRECTED, message)?;
    }
    Ok(request)
}

/// Tells the customer in which state the request is now, with a link to it in its language where it is known at which address
/// customers reach the site.
fn tell_customer(tx: &WriteTx, desk: &Desk, request: &Request, told: Told, message: &str) -> Result<()> {
    let followed_at = match &desk.address {
        Some(origin) => follow::word_of_mails(tx, request)?.map(|word| (origin, word)),
        None => None,
    };
    let link = |language| followed_at.as_ref().map(|(origin, word)| follow::page_at(origin, word, language));
    let (details, to) = (&request.details, request.status);
    let customer =
        EmailAddress::parse(&details.email).map_err(|_| Error::internal("a mail address of a request is none"))?;
    let written_in = details.language;
    let letter = letters::moved(details, told, to, message, link(written_in).as_deref())?;
    mail::queue(tx, &customer, None, letter.about(&request.id))?;
    if let Some(account) = auth::find_customer_by_mail(tx, &details.email)? {
        let followed = |label: &str, language| link(language).map(|link| format!("\n{label}: {link}"));
        let said = if message.is_empty() { String::new() } else { format!("\n{message}") };
        let body = Words::new(
            format!("현재 상태: {}{said}{}", to.in_korean(), followed("진행 상황", Language::Ko).unwrap_or_default()),
            format!("Status: {}{said}{}", to.in_english(), followed("Follow it", Language::En).unwrap_or_default()),
        );
        let title = letters::called(request, desk.contact.choices());
        chat::tell_about(tx, &desk.chat, &Person::customer(&account.id), &request.id, (&title, &body))?;
    }
    Ok(())
}

/// The requests of `status`, or of any, that say these words, the best first.
///
/// # Errors
/// Those of the index.
pub async fn search(app: &App, words: &str, status: Option<Status>, page: Page) -> Result<SearchResults> {
    let (kind, tag) = (Some(store::KIND.to_owned()), status.map(|status| status.code().to_owned()));
    app.data.search.find(SearchRequest { words: Sought::of(words), kind, but: Vec::new(), tag, done: None, page }).await
}
