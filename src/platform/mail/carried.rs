//! What a restore does not take back of the mails, and what a file that leaves the house goes without.

use super::row::{Mail, MailStatus};
use super::store::{LETTERS, MAILS, of_status, put};
use crate::store::{Before, PreservedOnRestore, ReadTransaction, ReadTx, WriteTx};
use hanok_base::{Message, MessageTemplate, Result};

const RESTORED: MessageTemplate = MessageTemplate::new(
    "house.mail.restored",
    "it waited in the state that was restored; whether it has been sent since cannot be told",
);

/// What a restore does not take back: which mails have gone out. A file that leaves the house says of each mail that there
/// was one, and not what it says: that holds links.
pub const PRESERVED_ON_RESTORE: &[PreservedOnRestore] = &[PreservedOnRestore { carry, forget }];

/// A mail that waits in a restored state stands where the state before says that it stands. Where that state says nothing
/// of it, as in another house, it may have been sent.
fn carry(before: Before<'_>, restored: &WriteTx) -> Result<()> {
    let state_before = before.state.filter(|_| !before.is_damaged);
    if let Some(state) = state_before {
        put_back(state, restored)?;
    }
    let mut open = Vec::new();
    for status in [MailStatus::Waiting, MailStatus::Sending, MailStatus::HandingOver] {
        for entry in of_status(restored, status) {
            open.push(entry?.key().1);
        }
    }
    for id in open {
        let Some(mail) = restored.get(&MAILS, id)? else { continue };
        let present = match state_before {
            Some(state) => state.get(&MAILS, id)?.filter(|present| present.token == mail.token),
            None => None,
        };
        let carried = present.map_or_else(
            || Mail {
                status: MailStatus::DeliveryUnknown,
                problem: Some(Message::from(RESTORED).into()),
                ..mail.clone()
            },
            |present| Mail { task: mail.task.clone(), ..present },
        );
        put(restored, &carried)?;
    }
    Ok(())
}

/// Puts back what [`forget`] has left out, where the state before has the same mail.
fn put_back(present: &ReadTx<'_>, restored: &WriteTx) -> Result<()> {
    // A row of another version stays for that.
    for mail in MAILS.walk(restored).flatten() {
        if restored.contains(&LETTERS, mail.id)? {
            continue;
        }
        let same = present.get(&MAILS, mail.id)?.filter(|same| same.token == mail.token);
        let (Some(same), Some(letter)) = (same, present.get(&LETTERS, mail.id)?) else { continue };
        restored.put(&LETTERS, mail.id, &letter)?;
        if same.way_out.is_some() {
            MAILS.put(restored, &Mail { way_out: same.way_out, ..mail })?;
        }
    }
    Ok(())
}

/// Leaves out what mails say, and how their readers leave them. One that waits is not sent by another house: see [`carry`].
fn forget(tx: &WriteTx) -> Result<()> {
    tx.clear(&LETTERS)?;
    for mail in MAILS.walk(tx).flatten() {
        if mail.way_out.is_some() {
            MAILS.put(tx, &Mail { way_out: None, ..mail })?;
        }
    }
    Ok(())
}
