//! Answers come in: saved together with their mails. And finding some.

pub mod kinds;
mod letters;

use std::net::IpAddr;
use std::sync::Arc;

use super::model::{NewResponse, ResponseStatus, Submission, SubmittedResponse};
use super::store;
use hanok_base::{Error, MessageTemplate, Page, Result};
use hanok_platform::app::App;
use hanok_platform::config::rule::{self, SWITCH};
use hanok_platform::config::{self, BothLanguages, section};
use hanok_platform::domain::Offer;
use hanok_platform::mail::{self, EmailAddress, Language};
use hanok_platform::search::{SearchRequest, SearchResults, SearchTerms};
use hanok_platform::store::WriteTx;

const MUST_BE_OWNER: MessageTemplate =
    MessageTemplate::new("questionnaire.must.owner", "must be empty or a mail address such as owner@example.com");

section! {
    /// Forms that are files, and what is answered to them.
    pub struct QuestionnaireSettings("questionnaire", "질문지와 설문") {
        /// false takes no answers: forms and routes are gone. Answers that have come in stay. Holds at once.
        #[ko("답변 받기", "끄면 질문지와 설문의 답변을 받지 않습니다. 이미 받은 답변은 그대로 있습니다. 변경하면 바로 적용됩니다.")]
        #[en("Take answers")]
        enabled: bool = true, SWITCH.at_once();
        /// Where the owner is told of new answers, e.g. "owner@example.com". Empty = the sender address of mail.
        #[ko("알림을 받을 주소", "답변이 오면 이 주소로 알립니다. 비워 두면 메일을 보내는 주소로 알립니다.")]
        #[en("Notification address")]
        notice_to: String = String::new(),
            rule::text(MUST_BE_OWNER, |to| to.is_empty() || rule::is_mail_address(to)).entrance();
        /// The language of the notification mail: "ko" or "en".
        #[ko("알림 언어", "알림 메일의 언어입니다. ko 또는 en.")]
        #[en("Notification language")]
        notice_language: Language = Language::Ko, rule::one_of(&["ko", "en"]).on_page();
    }
}

impl QuestionnaireSettings {
    /// Refuses where no answers are taken.
    ///
    /// # Errors
    /// `NOT_FOUND`, as for a path that leads nowhere.
    pub fn check(&self) -> Result<()> {
        if self.enabled { Ok(()) } else { Err(Error::not_found("path")) }
    }
}

/// Questionnaires as the desk switches them: customers come by the addresses that they are sent.
pub const OFFER: Offer = Offer {
    path: "/admin/questionnaires",
    is_listed: false,
    name: BothLanguages { ko: "질문지와 설문", en: "Questionnaires" },
    lead: BothLanguages {
        ko: "받은 주소에서 질문에 답합니다.",
        en: "Answer questions at the address that you were sent.",
    },
    way: &[],
    call: BothLanguages { ko: "답하기", en: "Answer" },
    setting: "questionnaire.enabled",
    is_on: |config| config.section::<QuestionnaireSettings>().enabled,
};

/// Who sends answers, and how.
#[derive(Debug, Clone)]
pub struct Visit {
    /// From where they come.
    pub address: IpAddr,
    /// The language of the browser.
    pub language: Language,
    /// What the browser calls itself.
    pub user_agent: String,
    /// What links to the site begin with, such as `https://shop.example`, where that is known.
    pub origin: Option<String>,
}

/// To whom the notice goes in a house that has no address of its own: there it stays in the folder.
const NOBODY: &str = "owner@localhost";

/// The owner as they are told of answers.
pub struct Owner {
    to: EmailAddress,
    settings: Arc<QuestionnaireSettings>,
}

impl Owner {
    /// The owner as the settings know them.
    ///
    /// # Errors
    /// `INTERNAL` where the settings hold no address.
    pub fn of(config: &config::Config) -> Result<Owner> {
        let settings = config.section::<QuestionnaireSettings>();
        let known = [settings.notice_to.as_str(), config.mail.from.as_str(), NOBODY];
        let to = known.into_iter().find(|to| !to.is_empty()).unwrap_or(NOBODY);
        let to = EmailAddress::parse(to).map_err(|_| Error::internal("the owner has no mail address"))?;
        Ok(Owner { to, settings })
    }
}

/// The answers of `sent`, held against the questionnaire that they name.
///
/// # Errors
/// `INVALID_INPUT` naming each refused field; `TOO_LARGE`.
pub async fn check(app: &App, sent: Submission) -> Result<NewResponse> {
    let catalogue = kinds::read(app).await?;
    sent.checked(|id| catalogue.find(id))
}

/// Saves answers with the notice to the owner and, where their sender names a mail address and `is_thanked`, with the thanks
/// there, all of it or nothing.
///
/// # Errors
/// Those of the store; `INTERNAL` where a mail cannot be written.
pub fn receive(
    tx: &WriteTx,
    mut new: NewResponse,
    owner: &Owner,
    visit: &Visit,
    is_thanked: bool,
) -> Result<SubmittedResponse> {
    let (language, thanks) = (new.language.unwrap_or(visit.language), new.questionnaire.thanks.clone());
    new.source.user_agent = visit.user_agent.chars().take(500).collect();
    let response = store::add(tx, new, language)?;
    let sender = response.email().and_then(|email| EmailAddress::parse(email).ok());
    if let Some(to) = sender.as_ref().filter(|_| is_thanked) {
        mail::queue(tx, to, None, letters::thanks(&response.title, &thanks, language)?.about(&response.id))?;
    }
    let notice = letters::notice(&response, visit.origin.as_deref(), owner.settings.notice_language)?;
    mail::queue(tx, &owner.to, sender.as_ref(), notice.about(&response.id))?;
    Ok(store::submitted(&response))
}

/// Removes answers with the mails about them.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: &str) -> Result<()> {
    store::remove(tx, id)?;
    mail::take_back(tx, id, |_| true)
}

/// The answers to one questionnaire or to all, of one state or of all, that say these words, the best first.
///
/// # Errors
/// Those of the index.
pub async fn search(
    app: &App,
    words: &str,
    questionnaire: Option<&str>,
    status: Option<ResponseStatus>,
    page: Page,
) -> Result<SearchResults> {
    let tag = match (questionnaire, status) {
        (Some(questionnaire), Some(status)) => Some(store::tag(questionnaire, status)),
        (Some(questionnaire), None) => Some(questionnaire.to_owned()),
        (None, status) => status.map(|status| status.code().to_owned()),
    };
    let (words, kind) = (SearchTerms::of(words), Some(store::KIND.to_owned()));
    app.data.search.find(SearchRequest { words, kind, but: Vec::new(), tag, done: None, page }).await
}
