//! The audit list with the pages of what was done to, where these still are.

use crate::admin::{self, AuditAction, AuditEntry};
use crate::{contact, projects, questionnaire, quotes};
use hanok_base::{Kind, Page, Result};
use hanok_platform::store::ReadTransaction;

/// Something that was done, and the page of what it was done to.
pub struct AuditLine {
    /// The note.
    pub entry: AuditEntry,
    /// The page; none where there is no such page, or no longer.
    pub path: Option<String>,
}

/// What was done, newest first, and how much there is.
///
/// # Errors
/// Those of reading.
pub fn list(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<AuditLine>, u64)> {
    let (entries, total) = admin::list_notes(tx, page)?;
    let noted = |entry: AuditEntry| Ok(AuditLine { path: path_of(tx, &entry)?, entry });
    Ok((entries.into_iter().map(noted).collect::<Result<_>>()?, total))
}

fn path_of(tx: &impl ReadTransaction, entry: &AuditEntry) -> Result<Option<String>> {
    let about = entry.about.as_deref().unwrap_or_default();
    let path = match entry.deed {
        AuditAction::RequestMoved
        | AuditAction::RequestMoveUndone
        | AuditAction::RequestNoted
        | AuditAction::RequestNoteRemoved
        | AuditAction::RequestLinkRenewed
        | AuditAction::RequestLinkEnded
        | AuditAction::RequestShared
        | AuditAction::RequestShareEnded => {
            there(contact::find(tx, about))?.map(|request| format!("/admin/contacts/{}", request.id))
        }
        AuditAction::QuoteCreated
        | AuditAction::QuoteChanged
        | AuditAction::QuoteSent
        | AuditAction::QuoteLinkRenewed => {
            there(quotes::find(tx, about))?.map(|quote| format!("/admin/quotes/{}", quote.id))
        }
        AuditAction::MilestonesCreated | AuditAction::ProjectUnlinked => {
            there(quotes::find(tx, about))?.map(|quote| format!("/admin/projects/{}", quote.id))
        }
        AuditAction::MilestoneAdded | AuditAction::MilestoneChanged => {
            there(projects::find_milestone(tx, about))?.map(|step| format!("/admin/projects/{}", step.quote_id))
        }
        AuditAction::QuestionnaireChanged => {
            there(questionnaire::find(tx, about))?.map(|one| format!("/admin/questionnaires/{}", one.id))
        }
        AuditAction::QuestionnairesExported => Some("/admin/questionnaires".to_owned()),
        AuditAction::DocumentOpened => Some("/admin/documents".to_owned()),
        AuditAction::ShareLinkMade => Some("/admin/share".to_owned()),
        AuditAction::ServiceSwitched => Some("/admin/services".to_owned()),
        AuditAction::MailSentAgain => Some("/admin/mails".to_owned()),
        AuditAction::Invited
        | AuditAction::PasswordSet
        | AuditAction::SignedIn
        | AuditAction::SignedOut
        | AuditAction::SessionEnded
        | AuditAction::Removed
        | AuditAction::SecondStepOn
        | AuditAction::SecondStepOff
        | AuditAction::SecondStepTakenOff
        | AuditAction::RecoveryCodeUsed
        | AuditAction::RecoveryCodesRenewed
        | AuditAction::RequestRemoved
        | AuditAction::QuoteRemoved
        | AuditAction::MilestoneRemoved
        | AuditAction::QuestionnaireRemoved
        | AuditAction::ShareLinkEnded => None,
    };
    Ok(path)
}

/// What was found, or none where it is not there any more.
fn there<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind == Kind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
