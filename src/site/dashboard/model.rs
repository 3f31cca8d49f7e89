//! What waits for an admin, the week in numbers, and customers as the desk lists them.

mod words;

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;

use crate::contact;
use crate::quotes::{Quote, QuoteStatus};
use hanok_base::money::Krw;
use hanok_base::schema::ToSchema;

pub use words::{mail_code, mail_kind, mail_status, mail_tone, of_action};

/// What it is that waits, the most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitingKind {
    /// Mails of the last two weeks that were not sent, or of which nobody knows whether they were.
    MailFailed,
    /// Quotes that were sent and not decided, whose last day comes within three days or was in the last seven.
    QuoteEnding,
    /// Requests that nobody has looked at.
    RequestNew,
    /// Answers to questionnaires that nobody has read.
    QuestionnaireNew,
    /// Quotes that were decided in the last seven days.
    QuoteDecided,
    /// Accepted quotes whose work is not done.
    ProjectOpen,
    /// Quotes that were sent and not decided, and have time.
    QuoteOpen,
    /// Quotes that are being written.
    QuoteDraft,
    /// Links to the portfolio that end within three days.
    ShareEnding,
}

impl WaitingKind {
    /// What it is called in Korean and in English.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            WaitingKind::MailFailed => ("보내지 못한 메일", "Mails that were not delivered"),
            WaitingKind::QuoteEnding => ("기한이 다 된 견적", "Quotes near or past their last day"),
            WaitingKind::RequestNew => ("새 의뢰", "New requests"),
            WaitingKind::QuestionnaireNew => ("새 질문지 답변", "New answers"),
            WaitingKind::QuoteDecided => ("최근 결정된 견적", "Quotes decided lately"),
            WaitingKind::ProjectOpen => ("진행할 프로젝트", "Open projects"),
            WaitingKind::QuoteOpen => ("고객의 결정을 기다리는 견적", "Quotes waiting for a decision"),
            WaitingKind::QuoteDraft => ("작성 중인 견적", "Drafts of quotes"),
            WaitingKind::ShareEnding => ("곧 끝나는 포트폴리오 링크", "Portfolio links that end soon"),
        }
    }
}

/// Things of one kind that wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Waiting {
    /// What they are.
    pub kind: WaitingKind,
    /// How many.
    pub count: u64,
    /// Since when the oldest of them waits; null where that does not matter.
    pub since: Option<DateTime<Utc>>,
    /// The page that lists them.
    pub path: String,
    /// Those that come first, at most five.
    pub items: Vec<WaitingItem>,
}

/// One thing that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct WaitingItem {
    /// What it is called, or whose it is.
    pub title: String,
    /// The page on which it is dealt with.
    pub path: String,
    /// Since when it waits.
    pub at: DateTime<Utc>,
    /// Its last day; null where it has none.
    pub until: Option<NaiveDate>,
}

/// The last seven days in numbers, today among them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Week {
    /// The first day.
    pub from: NaiveDate,
    /// Today.
    pub to: NaiveDate,
    /// Requests that came in.
    pub requests: u64,
    /// Customers who registered.
    pub members: u64,
    /// Quotes that were sent.
    pub quotes_sent: u64,
    /// Quotes that were accepted.
    pub quotes_accepted: u64,
    /// What the accepted ones add up to, in won.
    pub accepted_total: Krw,
    /// Visitors of the site, each day's added up; null while none are counted.
    pub visitors: Option<u64>,
}

/// A customer as the desk lists them. How somebody signs in is told, by what is not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Member {
    /// The id.
    pub id: String,
    /// The confirmed mail address; null for who came in by a provider that told none.
    pub mail: Option<String>,
    /// How the customer is called; may be empty.
    pub name: String,
    /// Since when there is an account.
    pub created_at: DateTime<Utc>,
    /// When the customer was seen last, to the hour; null where no device is signed in.
    pub last_seen_at: Option<DateTime<Utc>>,
    /// Whether the customer signs in by a password.
    pub has_password: bool,
    /// The addresses of the providers by which the customer signs in.
    pub providers: Vec<String>,
    /// How many quotes are linked to the account.
    pub quotes: u64,
}

impl Member {
    /// What the customer is called at the desk: the name, else the mail address, else the beginning of the id.
    pub fn called(&self) -> &str {
        let id = self.id.get(..8).unwrap_or(&self.id);
        [self.name.as_str(), self.mail.as_deref().unwrap_or_default()]
            .into_iter()
            .find(|said| !said.is_empty())
            .unwrap_or(id)
    }

    /// The providers by their hosts, as people know them.
    pub fn provider_hosts(&self) -> Vec<&str> {
        let host = |issuer: &str| issuer.split_once("://").map_or(0, |(scheme, _)| scheme.len() + 3);
        self.providers.iter().map(|issuer| issuer[host(issuer)..].split('/').next().unwrap_or_default()).collect()
    }
}

/// A customer with what belongs to the account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct MemberAtDesk {
    /// The customer.
    #[serde(flatten)]
    pub member: Member,
    /// On how many devices the customer is signed in.
    pub sessions: u64,
    /// The requests that were sent with this mail address, newest first.
    pub requests: Vec<MemberRequest>,
    /// The quotes that are linked to the account, newest first.
    pub linked_quotes: Vec<MemberQuote>,
}

/// A request of a customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct MemberRequest {
    /// Its id.
    pub id: String,
    /// What it is about; may be empty.
    pub service: String,
    /// How far it is.
    pub status: contact::Status,
    /// When it came in.
    pub created_at: DateTime<Utc>,
}

/// A quote of a customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct MemberQuote {
    /// Its id.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// Where it stands.
    pub status: QuoteStatus,
    /// When it was begun.
    pub created_at: DateTime<Utc>,
}

impl From<Quote> for MemberQuote {
    fn from(quote: Quote) -> MemberQuote {
        let Quote { id, content, status, created_at, .. } = quote;
        MemberQuote { id, title: content.title, status, created_at }
    }
}

impl From<contact::Request> for MemberRequest {
    fn from(request: contact::Request) -> MemberRequest {
        let contact::Request { id, details, status, created_at, .. } = request;
        MemberRequest { id, service: details.service, status, created_at }
    }
}

/// A service of the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Service {
    /// Its name in a change.
    pub id: String,
    /// What it is called in Korean.
    pub name: String,
    /// What it is called in English.
    pub name_en: String,
    /// The address of its page.
    pub path: String,
    /// The setting that is its switch.
    pub setting: String,
    /// Whether it is offered.
    pub is_active: bool,
    /// The variable or the flag that decides it, so that it cannot be switched here; null where it can.
    pub fixed_by: Option<String>,
}

/// Whether `words` stand in the name or the mail address of a customer, whatever their case.
pub fn is_found(words: &str, mail: &str, name: &str) -> bool {
    let words = words.trim().to_lowercase();
    mail.to_lowercase().contains(&words) || name.to_lowercase().contains(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, mail: Option<&str>) -> Member {
        Member {
            id: "01890a5d-ac96-774b-bcce-b302099a8057".to_owned(),
            mail: mail.map(str::to_owned),
            name: name.to_owned(),
            created_at: DateTime::UNIX_EPOCH,
            last_seen_at: None,
            has_password: false,
            quotes: 0,
            providers: vec!["https://accounts.example.com/realm".to_owned(), "other.example".to_owned()],
        }
    }

    #[test]
    fn a_customer_is_called_by_name_else_by_mail_else_by_the_id() {
        assert_eq!(member("지우", Some("jiwoo@example.com")).called(), "지우");
        assert_eq!(member("", Some("jiwoo@example.com")).called(), "jiwoo@example.com");
        assert_eq!(member("", None).called(), "01890a5d");
        assert_eq!(member("", None).provider_hosts(), ["accounts.example.com", "other.example"]);
    }

    #[test]
    fn words_are_found_in_name_and_mail_whatever_their_case() {
        assert!(is_found(" JIWOO", "jiwoo@example.com", "") && is_found("지우", "", "김지우") && is_found("", "", ""));
        assert!(!is_found("hajun", "jiwoo@example.com", "김지우"));
    }

    #[test]
    fn what_waits_is_ordered_by_how_urgent_it_is() {
        assert!(WaitingKind::MailFailed < WaitingKind::RequestNew);
    }
}
