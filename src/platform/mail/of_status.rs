//! The mails of one status, as their readers see it.

use super::row::MailStatus;
use super::store::{MailSeen, find, of_status};
use crate::store::ReadTransaction;
use hanok_base::{Page, Result};

/// The mails that stand at `status`, newest first, and how many there are.
///
/// # Errors
/// Those of reading.
pub fn list_with(tx: &impl ReadTransaction, status: MailStatus, page: Page) -> Result<(Vec<MailSeen>, u64)> {
    let open = [MailStatus::Waiting, MailStatus::Sending, MailStatus::HandingOver];
    let mut ids = Vec::new();
    // One that its row says is on its way may be seen as another: its task may have ended.
    for stored in open.into_iter().chain([status].into_iter().filter(|status| !status.is_open())) {
        for entry in of_status(tx, stored) {
            let (_, id) = entry?.key();
            if !stored.is_open() || find(tx, id)?.status == status {
                ids.push(id);
            }
        }
    }
    ids.sort_unstable_by(|one, other| other.cmp(one));
    let shown = ids.iter().skip(page.offset).take(page.limit).map(|id| find(tx, *id)).collect::<Result<_>>()?;
    Ok((shown, ids.len() as u64))
}
