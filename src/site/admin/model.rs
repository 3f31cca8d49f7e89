//! The name of an admin, what is noted of what was done, and the second step of a sign-in.

mod second_step;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::MessageTemplate;
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema, ToSchema};
use hanok_base::validated::{Constraint, ValidationErrors};

pub use second_step::{
    Code, Proof, RECOVERY_CODES, SecondStep, SharedSecret, TypedCode, kept_recovery, picture_of, recovery_code,
};

const NAME: MessageTemplate =
    MessageTemplate::new("admin.must.name", "must be 1 to 50 letters, digits and signs of . _ - @");
/// The most characters of a name.
const LONGEST: usize = 50;

/// By which an admin signs in.
#[derive(Debug)]
pub enum Name {}

impl Constraint for Name {
    type Input = String;
    type Value = String;

    fn check(sent: String) -> Result<String, ValidationErrors> {
        let is_plain = |c: char| c.is_alphanumeric() || "._-@".contains(c);
        let fits = (1..=LONGEST).contains(&sent.chars().count()) && sent.chars().all(is_plain);
        if fits { Ok(sent) } else { Err(NAME.into()) }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).min_length(1).max_length(LONGEST).examples(["minsu"]).into()
    }
}

/// What can be done that is noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditAction {
    /// A set-up link was given out on the command line.
    Invited,
    /// The password was set by a set-up link.
    PasswordSet,
    /// Somebody signed in.
    SignedIn,
    /// Somebody signed out.
    SignedOut,
    /// A device was signed out from another.
    SessionEnded,
    /// Somebody keeps the shop no longer.
    Removed,
    /// A sign-in asks for a code of the phone from here on.
    SecondStepOn,
    /// A sign-in asks for no code any more.
    SecondStepOff,
    /// The second step was taken off on the command line.
    SecondStepTakenOff,
    /// A recovery code was used.
    RecoveryCodeUsed,
    /// New recovery codes were given out, and those before ended.
    RecoveryCodesRenewed,
    /// A request was moved to another state.
    RequestMoved,
    /// The latest step of a request was taken back.
    RequestMoveUndone,
    /// Something was noted of a request.
    RequestNoted,
    /// A note of a request was removed.
    RequestNoteRemoved,
    /// A request was removed with everything that was noted of it.
    RequestRemoved,
    /// The link by which a customer follows a request was given anew, and the one before ended.
    RequestLinkRenewed,
    /// The link by which a customer follows a request was ended.
    RequestLinkEnded,
    /// A share link to a request was made.
    RequestShared,
    /// A share link to a request was ended.
    RequestShareEnded,
    /// A quote was begun, or made of another one.
    QuoteCreated,
    /// A quote was changed.
    QuoteChanged,
    /// A quote was sent to its customer.
    QuoteSent,
    /// The link to a quote was given anew, and the one before ended.
    QuoteLinkRenewed,
    /// A draft of a quote was removed.
    QuoteRemoved,
    /// The usual steps of a project were made.
    MilestonesCreated,
    /// A step of a project was added.
    MilestoneAdded,
    /// A step of a project was changed.
    MilestoneChanged,
    /// A step of a project was removed.
    MilestoneRemoved,
    /// A project was taken off the account that followed it.
    ProjectUnlinked,
    /// Answers to a questionnaire were reviewed, archived or noted upon.
    QuestionnaireChanged,
    /// Answers to a questionnaire were removed.
    QuestionnaireRemoved,
    /// Answers to questionnaires were downloaded as a table.
    QuestionnairesExported,
    /// A project document was opened.
    DocumentOpened,
    /// A link to the portfolio was made.
    ShareLinkMade,
    /// A link to the portfolio was ended.
    ShareLinkEnded,
    /// A service of the site was switched on or off.
    ServiceSwitched,
    /// A mail was sent again.
    MailSentAgain,
}

/// Something that was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditEntry {
    /// Its number.
    pub id: u64,
    /// When.
    pub at: DateTime<Utc>,
    /// The admin whom it is about.
    pub name: String,
    /// What.
    pub deed: AuditAction,
    /// From where; none on the command line.
    pub address: Option<String>,
    /// The id of what it was done to; null where it was the admin.
    #[serde(default)]
    pub about: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_to_fifty_letters_digits_and_a_few_signs() {
        let longest = "가".repeat(50);
        for name in ["a", "minsu", "민수", "min.su_2-a@example.com", &longest] {
            assert_eq!(Name::check(name.to_owned()).ok().as_deref(), Some(name), "as it was sent");
        }
        for name in ["", "min su", " minsu", "minsu\n", "min/su", "minsu+2", &format!("{longest}가")] {
            assert!(Name::check(name.to_owned()).is_err(), "{name:?}");
        }
    }
}
