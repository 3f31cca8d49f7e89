//! Mails at the desk: listed without what they say, and sent again where they were not sent.

use std::net::IpAddr;

use crate::admin::{AuditAction, note_about};
use hanok_base::{Error, MessageTemplate, Page, Result};
use hanok_platform::mail::{self, MailSeen, MailStatus};
use hanok_platform::store::{ReadTransaction, WriteTx};

const SENT: MessageTemplate = MessageTemplate::new("dashboard.mail_is_sent", "this mail has been sent already");

/// Mails, newest first, of one status or of all, and how many there are of these.
///
/// # Errors
/// Those of reading.
pub fn list(tx: &impl ReadTransaction, status: Option<MailStatus>, page: Page) -> Result<(Vec<MailSeen>, u64)> {
    match status {
        Some(status) => mail::list_with(tx, status, page),
        None => mail::list(tx, page),
    }
}

/// Whether a mail can be sent again from the desk: it was not sent, or nobody knows whether it was.
pub fn is_again(status: MailStatus) -> bool {
    matches!(status, MailStatus::Failed | MailStatus::DeliveryUnknown | MailStatus::Held)
}

/// Sends a mail again that was not sent, or of which that is not known, and notes who asked for it.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` where it has been sent or is on its way.
pub fn send_again(tx: &WriteTx, id: u64, by: &str, address: IpAddr) -> Result<MailSeen> {
    if mail::find(tx, id)?.status == MailStatus::Sent {
        return Err(Error::conflict(SENT));
    }
    mail::send_again(tx, id)?;
    note_about(tx, by, AuditAction::MailSentAgain, address, &id.to_string())?;
    mail::find(tx, id)
}
