//! How a person's chat ends from this side: disconnected by the person on a page, or forgotten with the account.

use super::row::{CHATS, CODES, CONNECTIONS, Connection, MESSAGES, Person};
use super::store::{MessageSeen, call_off, forget_said};
use crate::events::Change;
use crate::store::{Order, ReadTransaction, WriteTx};
use hanok_base::Result;

/// The chat that `person` has or had, connected or not.
///
/// # Errors
/// Those of reading.
pub fn known_chat(tx: &impl ReadTransaction, person: &Person) -> Result<Option<Connection>> {
    tx.get(&CONNECTIONS, person.key())
}

/// What was said to the chat `chat`, newest first.
///
/// # Errors
/// Those of reading.
pub fn list_said(tx: &impl ReadTransaction, chat: i64) -> Result<Vec<MessageSeen>> {
    let mut said = Vec::new();
    for message in tx.entries(&MESSAGES, 0u64.., Order::Descending) {
        let message = message?.value()?;
        if message.chat == chat {
            said.extend(MessageSeen::of(message));
        }
    }
    Ok(said)
}

/// Ends the connection of `person`: nothing that waits is sent any more. False where there was none.
///
/// # Errors
/// Those of writing.
pub fn end_connection(tx: &WriteTx, person: &Person) -> Result<bool> {
    let Some(connection) = known_chat(tx, person)?.filter(|known| known.ended_at.is_none()) else { return Ok(false) };
    call_off(tx, connection.chat)?;
    tx.put(&CONNECTIONS, person.key(), &Connection { ended_at: Some(tx.now()), ..connection })?;
    tx.announce(Change::CHAT);
    Ok(true)
}

/// Forgets the chat of `person`, the codes that would connect one, and what was said there.
///
/// # Errors
/// Those of writing.
pub fn forget_person(tx: &WriteTx, person: &Person) -> Result<()> {
    end_codes(tx, person)?;
    let Some(connection) = known_chat(tx, person)? else { return Ok(()) };
    forget_said(tx, connection.chat)?;
    tx.remove(&CONNECTIONS, person.key())?;
    let chat = connection.chat.to_string();
    if tx.get(&CHATS, chat.as_str())?.as_ref() == Some(person) {
        tx.remove(&CHATS, chat.as_str())?;
    }
    tx.announce(Change::CHAT);
    Ok(())
}

/// Ends the codes by which a chat would be connected to `person`.
fn end_codes(tx: &WriteTx, person: &Person) -> Result<()> {
    for entry in tx.entries(&CODES, "".., Order::Ascending) {
        let entry = entry?;
        if entry.value()?.person == *person {
            tx.discard(&CODES, entry.key())?;
        }
    }
    Ok(())
}
