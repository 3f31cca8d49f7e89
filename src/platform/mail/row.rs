//! A mail as it is kept, and as callers see it.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, Serializer};

use crate::blobs::{BlobId, BlobsNamed};
use crate::config::rule::is_mail_address;
use crate::jobs::TaskId;
use hanok_base::message::LocalizedMessage;
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema, ToSchema};
use hanok_base::text::cut;
use hanok_base::validated::{Constraint, ValidationErrors};
use hanok_base::{Message, MessageTemplate};

const MUST_BE_AN_ADDRESS: MessageTemplate =
    MessageTemplate::new("house.must.mail_address", "must be a mail address such as name@example.com");

/// The longest name of a file, in characters.
const LONGEST_NAME: usize = 150;
/// The longest ending of a name, in bytes.
const LONGEST_ENDING: usize = 10;
/// The form of an address; what stands around it is taken away.
const FORM: &str = concat!(
    r"^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*",
    r"@[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$"
);

/// An address that a mail server takes: plain characters, nothing hidden in it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// The address in `text`.
    ///
    /// # Errors
    /// What it must be.
    pub fn parse(text: &str) -> Result<EmailAddress, ValidationErrors> {
        let text = text.trim();
        if is_mail_address(text) { Ok(EmailAddress(text.to_owned())) } else { Err(MUST_BE_AN_ADDRESS.into()) }
    }

    /// It as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands behind the sign.
    pub(super) fn domain(&self) -> &str {
        self.0.rsplit_once('@').map_or("localhost", |(_, domain)| domain)
    }
}

/// Whose address it is goes to no log.
impl fmt::Debug for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "…@{}", self.domain())
    }
}

impl Constraint for EmailAddress {
    type Input = String;
    type Value = EmailAddress;

    fn check(sent: String) -> Result<EmailAddress, ValidationErrors> {
        EmailAddress::parse(&sent)
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).max_length(254).pattern(FORM).examples(["name@example.com"]).into()
    }
}

/// Where a mail stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MailStatus {
    /// Waits for its turn, or for the next attempt.
    Waiting,
    /// An attempt is under way, and nothing of the mail has gone out.
    Sending,
    /// The mail itself is going out. Whatever ends here may have been sent.
    HandingOver,
    /// The server has taken it, or it lies in the folder.
    Sent,
    /// It was not sent: the server refuses it for good, or has put it off too often.
    Failed,
    /// It may have been sent. It goes out again only when somebody says so.
    #[serde(alias = "undecided")]
    DeliveryUnknown,
    /// It was not sent, and does not go out by itself: its task was called off.
    Held,
}

impl MailStatus {
    /// Whether something still happens to it by itself.
    pub fn is_open(self) -> bool {
        matches!(self, MailStatus::Waiting | MailStatus::Sending | MailStatus::HandingOver)
    }

    /// As a number by which it is found.
    pub(super) fn number(self) -> u64 {
        match self {
            MailStatus::Waiting => 0,
            MailStatus::Sending => 1,
            MailStatus::HandingOver => 2,
            MailStatus::Sent => 3,
            MailStatus::Failed => 4,
            MailStatus::DeliveryUnknown => 5,
            MailStatus::Held => 6,
        }
    }
}

/// A status as rows spell it.
fn as_stored<S: Serializer>(status: &MailStatus, serializer: S) -> Result<S::Ok, S::Error> {
    match status {
        MailStatus::DeliveryUnknown => serializer.serialize_str("undecided"),
        status => status.serialize(serializer),
    }
}

/// How a mail leaves the house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// As a file in the folder: doing it twice leaves one file.
    Folder,
    /// Through a mail server.
    Server,
}

/// A mail as it is kept, without what it says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mail {
    /// Its number.
    pub id: u64,
    /// What it is: the kind of its template.
    pub kind: String,
    /// Where it goes.
    pub to: EmailAddress,
    /// Where an answer goes, when not to the sender.
    #[serde(default)]
    pub reply_to: Option<EmailAddress>,
    /// Its subject.
    pub subject: String,
    /// The random part of its message id: it is the same in every attempt, so that whoever gets it twice can tell.
    pub token: String,
    /// Where it stands.
    #[serde(rename = "standing", serialize_with = "as_stored")]
    pub status: MailStatus,
    /// Whether it was cancelled while it was handed over: it is not tried again by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cancelled: bool,
    /// How it goes, or went, out; none before the first attempt.
    #[serde(default)]
    pub way: Option<Way>,
    /// How often it was tried since it was queued last.
    pub attempts: u32,
    /// Why it is not sent.
    #[serde(default)]
    pub problem: Option<Problem>,
    /// The task that sends it.
    pub task: TaskId,
    /// When it was queued first.
    pub created_at: DateTime<Utc>,
    /// When its last handing over began.
    #[serde(default)]
    pub handed_at: Option<DateTime<Utc>>,
    /// When it was sent.
    #[serde(default)]
    pub sent_at: Option<DateTime<Utc>>,
    /// The files that go with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attached: Vec<Attached>,
    /// Where its reader says that no more of these are wanted; none for one that answers what somebody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way_out: Option<String>,
    /// The id of what it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Whether it goes before others: somebody waits for it at a page.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_first: bool,
}

/// A file that goes with a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attached {
    /// What it is called there, such as `견적서 42.pdf`.
    pub name: String,
    /// The file.
    pub file: BlobId,
}

impl Attached {
    /// The file of the house under this name; what of it would be a path, or is not seen, is not part of it.
    pub fn new(name: &str, file: BlobId) -> Attached {
        let hides = |sign: char| matches!(sign, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
        let seen = name.chars().filter(|sign| !sign.is_control() && !hides(*sign));
        let plain: String = seen.map(|sign| if matches!(sign, '/' | '\\' | ':' | '"') { '_' } else { sign }).collect();
        let plain = plain.trim_matches([' ', '.']);
        // What it is called by its reader's machine stands behind the last point.
        let name = match plain.rsplit_once('.').filter(|(_, ending)| ending.len() <= LONGEST_ENDING) {
            Some((stem, ending)) => format!("{}.{ending}", cut(stem, LONGEST_NAME - 1 - LONGEST_ENDING)),
            None => cut(plain, LONGEST_NAME),
        };
        Attached { name: if name.is_empty() { "file".to_owned() } else { name }, file }
    }
}

/// The files that go with mails are there as long as those are.
pub(super) const ATTACHED: BlobsNamed<Mail> =
    BlobsNamed::new("mails", |mail| mail.attached.iter().map(|attached| attached.file.clone()).collect());

/// Why a mail is not sent, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// In English.
    pub message: String,
    /// How a browser says it in its language.
    #[serde(rename = "spoken")]
    pub localized: Option<LocalizedMessage>,
}

impl From<Message> for Problem {
    fn from(said: Message) -> Problem {
        let (message, localized) = said.into_parts();
        Problem { message, localized }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_mail_of_an_earlier_version_is_read_and_written_as_it_was() {
        let row = json!({"id": 1, "kind": "test", "to": "name@example.com", "reply_to": null, "subject": "s", "token": "t",
            "standing": "undecided", "way": "server", "attempts": 1, "problem": null, "task": TaskId::new(),
            "created_at": "2026-10-10T12:30:00Z", "handed_at": null, "sent_at": null});
        let mail: Mail = serde_json::from_value(row.clone()).unwrap();
        assert_eq!((mail.status, mail.is_cancelled), (MailStatus::DeliveryUnknown, false));
        assert_eq!(serde_json::to_value(&mail).unwrap(), row);
        assert_eq!(json!(mail.status), "delivery_unknown", "to callers it has the word of today");
    }

    #[test]
    fn a_name_is_one_of_a_file_and_hides_nothing() {
        let file = || BlobId::parse(&"a".repeat(64)).unwrap();
        for (sent, name) in [
            ("견적서 42.pdf", "견적서 42.pdf"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("사진\u{202e}gnp.exe\r\nBcc: a", "사진gnp.exeBcc_ a"),
            (" .. ", "file"),
            ("\"a\"", "_a_"),
        ] {
            assert_eq!(Attached::new(sent, file()).name, name);
        }
        let long = Attached::new(&format!("{}.pdf", "가".repeat(200)), file()).name;
        assert!(long.ends_with("….pdf") && long.chars().count() <= LONGEST_NAME, "{long}");
        assert_eq!(Attached::new(&"가".repeat(200), file()).name.chars().count(), LONGEST_NAME);
    }
}
