//! What a restore takes nothing back of: who is connected, what was asked and answered, and what was sent. Otherwise what
//! has gone out since would go out again, and an answer would count twice.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::row::{CHATS, CODES, CONNECTIONS, ChatMessage, MESSAGES, MessageStatus, OFFSETS, QUESTIONS, SEEN};
use crate::store::{Order, PreservedOnRestore, ReadTransaction, ReadTx, Table, WriteTx};
use hanok_base::Result;

/// What a restore does not take back, and what a file that leaves the house goes without.
pub const PRESERVED_ON_RESTORE: &[PreservedOnRestore] = &[PreservedOnRestore {
    carry: |before, restored| match before.state {
        Some(present) => carry(present, restored),
        None => doubt(restored),
    },
    forget,
}];

fn carry(present: &ReadTx, restored: &WriteTx) -> Result<()> {
    let messages = MESSAGES.walk(present).collect::<Result<Vec<_>>>()?;
    forget(restored)?;
    messages.iter().try_for_each(|message| MESSAGES.put(restored, message))?;
    restored.put_all_of(&SEEN, present)?;
    copy(present, restored, &OFFSETS)?;
    copy(present, restored, &CONNECTIONS)?;
    copy(present, restored, &CHATS)?;
    copy(present, restored, &CODES)?;
    copy(present, restored, &QUESTIONS)
}

fn copy<V: Serialize + DeserializeOwned>(from: &ReadTx, to: &WriteTx, table: &Table<&'static str, V>) -> Result<()> {
    for entry in from.entries(table, "".., Order::Ascending) {
        let entry = entry?;
        to.put(table, entry.key(), &entry.value()?)?;
    }
    Ok(())
}

/// Nobody knows what went out since, and who was connected: what waits may have arrived, and whoever is to be told
/// something connects again.
fn doubt(restored: &WriteTx) -> Result<()> {
    for message in MESSAGES.walk(restored).collect::<Result<Vec<_>>>()? {
        if matches!(message.status, MessageStatus::Waiting | MessageStatus::Sending) {
            MESSAGES.put(restored, &ChatMessage { status: MessageStatus::DeliveryUnknown, ..message })?;
        }
    }
    restored.clear(&CONNECTIONS)?;
    restored.clear(&CHATS)?;
    restored.clear(&CODES)?;
    restored.clear(&QUESTIONS)
}

fn forget(tx: &WriteTx) -> Result<()> {
    for message in MESSAGES.walk(tx).collect::<Result<Vec<_>>>()? {
        MESSAGES.remove(tx, message.id)?;
    }
    tx.clear(&SEEN)?;
    tx.clear(&OFFSETS)?;
    tx.clear(&CONNECTIONS)?;
    tx.clear(&CHATS)?;
    tx.clear(&CODES)?;
    tx.clear(&QUESTIONS)
}
