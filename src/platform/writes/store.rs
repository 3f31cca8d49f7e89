//! The table of the writes, and every move of one between its statuses.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};

use super::row::{OutboxEntry, OutboxStatus, WriteSeen};
use crate::jobs::{self, TaskStatus};
use crate::store::{
    Before, CountedRows, Declared, Entries, Index, IndexedTable, Order, PreservedOnRestore, ReadTransaction, WriteTx,
};
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Message, MessageTemplate, Page, Result};

/// Table: writes to providers. Key: id. Value: the write.
const INTENTS: IndexedTable<u64, OutboxEntry> =
    IndexedTable::new("writes-1", |intent| intent.id, &[&COUNTED, &BY_STATUS]);
/// Table: writes counted in their order.
const COUNTED: CountedRows<OutboxEntry, u64> = CountedRows::new("writes-1", "writes_counts-1", |intent| intent.id);
/// Table: writes by where they stand. Key: the number of the status and the id. Value: nothing.
const BY_STATUS: Index<OutboxEntry, (u64, u64)> =
    Index::new("writes_by_standing-1", |intent| Some(((intent.status.number(), intent.id), ())));

/// Every table of the writes.
pub const TABLES: &[&dyn Declared] = &[&INTENTS];

/// What a restore does not take back: what was asked for outside.
pub const PRESERVED_ON_RESTORE: &[PreservedOnRestore] = &[PreservedOnRestore { carry, forget: |_| Ok(()) }];

const IS_OPEN: MessageTemplate = MessageTemplate::new("house.write.is_open", "this write is on its way");
const NOT_UNDER_WAY: MessageTemplate =
    MessageTemplate::new("house.write.not_under_way", "this write is not under way any more");
const ENDED_MEANWHILE: MessageTemplate = MessageTemplate::new(
    "house.write.ended_meanwhile",
    "the appliance ended while it was being asked for: it may have been done",
);
const RESTORED: MessageTemplate = MessageTemplate::new(
    "house.write.restored",
    "it was open in the state that was restored; whether it has been done since cannot be told",
);

/// How many writes are open, or need somebody.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WriteCounts {
    /// On their way.
    pub open: u64,
    /// May have been done, and are looked up by themselves.
    pub looked_up: u64,
    /// May have been done, and wait for somebody to decide.
    pub delivery_unknown: u64,
    /// Were surely not done, and are not tried any more.
    pub unsent: u64,
    /// When the oldest that is unknown was planned.
    pub delivery_unknown_since: Option<DateTime<Utc>>,
}

/// The write `id`.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find(tx: &impl ReadTransaction, id: u64) -> Result<WriteSeen> {
    seen(tx, stored(tx, id)?)
}

/// Writes, newest first, and how many there are.
///
/// # Errors
/// Those of the store.
pub fn list(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<WriteSeen>, u64)> {
    let intents = COUNTED.page(tx, 0..=u64::MAX, Order::Descending, page)?;
    Ok((intents.into_iter().map(|intent| seen(tx, intent)).collect::<Result<_>>()?, tx.count(&INTENTS)?))
}

/// How many writes are open, or need somebody.
///
/// # Errors
/// Those of the store.
pub fn counts(tx: &impl ReadTransaction) -> Result<WriteCounts> {
    let mut counts = WriteCounts::default();
    for status in [OutboxStatus::Planned, OutboxStatus::Sent, OutboxStatus::DeliveryUnknown, OutboxStatus::Unsent] {
        for entry in of_status(tx, status) {
            let seen = find(tx, entry?.key().1)?;
            match seen.status {
                OutboxStatus::Unsent => counts.unsent += 1,
                OutboxStatus::DeliveryUnknown => {
                    match seen.next_attempt_at {
                        Some(_) => counts.looked_up += 1,
                        None => counts.delivery_unknown += 1,
                    }
                    counts.delivery_unknown_since =
                        counts.delivery_unknown_since.into_iter().chain([seen.planned_at]).min();
                }
                _ => counts.open += 1,
            }
        }
    }
    Ok(counts)
}

/// Removes a write that nothing happens to any more.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` while it is on its way or looked up.
pub fn remove(tx: &WriteTx, id: u64) -> Result<()> {
    closed(tx, id)?;
    INTENTS.remove(tx, id).map(drop)
}

/// Removes writes that were done or refused more than `days` ago. What is unknown or unsent stays until somebody decides.
/// Gives how many.
///
/// # Errors
/// Those of the store.
pub fn purge(tx: &WriteTx, days: i64) -> Result<usize> {
    let oldest_kept = tx.now() - Duration::days(days);
    let mut ended = Vec::new();
    for status in [OutboxStatus::Done, OutboxStatus::Refused] {
        for entry in of_status(tx, status) {
            let id = entry?.key().1;
            // A row of another version stays for that.
            let Ok(Some(intent)) = tx.get(&INTENTS, id) else { continue };
            if intent.settled_at.is_some_and(|at| at < oldest_kept) {
                ended.push(id);
            }
        }
    }
    ended.iter().try_for_each(|id| INTENTS.remove(tx, *id).map(drop))?;
    Ok(ended.len())
}

/// Writes `intent`.
pub(super) fn put(tx: &WriteTx, intent: &OutboxEntry) -> Result<()> {
    INTENTS.put(tx, intent)
}

/// The write `id` when nothing happens to it by itself.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` otherwise.
pub(super) fn closed(tx: &WriteTx, id: u64) -> Result<OutboxEntry> {
    let intent = stored(tx, id)?;
    let has_ended = jobs::find(tx, &intent.task)?.is_none_or(|task| task.status.has_ended());
    if has_ended { Ok(intent) } else { Err(Error::conflict(IS_OPEN)) }
}

/// Begins an attempt: gives the write as it stands, unless it is settled. One that was being asked for when the process
/// ended is unknown from here on.
pub(super) fn begin(tx: &WriteTx, id: u64) -> Result<Option<OutboxEntry>> {
    let Some(mut intent) = tx.get(&INTENTS, id)? else { return Ok(None) };
    if matches!(intent.status, OutboxStatus::Done | OutboxStatus::Refused) {
        return Ok(None);
    }
    if intent.status == OutboxStatus::Sent {
        intent.status = OutboxStatus::DeliveryUnknown;
        intent.problem = Some(Message::from(ENDED_MEANWHILE).into());
    }
    intent.attempts += 1;
    put(tx, &intent)?;
    Ok(Some(intent))
}

/// Notes that from now on it may be done.
///
/// # Errors
/// `NOT_FOUND` when it is there no more; `CONFLICT` when it is another's or settled: a restore has put another state in place.
pub(super) fn send(tx: &WriteTx, id: u64, token: &str) -> Result<OutboxEntry> {
    let mut intent = stored(tx, id)?;
    if intent.token != token || !matches!(intent.status, OutboxStatus::Planned | OutboxStatus::DeliveryUnknown) {
        return Err(Error::conflict(NOT_UNDER_WAY));
    }
    intent.status = OutboxStatus::Sent;
    intent.sent_at = Some(tx.now());
    intent.first_sent_at = intent.first_sent_at.or(intent.sent_at);
    put(tx, &intent)?;
    Ok(intent)
}

/// The write as it is now, where it is the same one and not settled.
pub(super) fn current(tx: &WriteTx, id: u64, token: &str) -> Result<Option<OutboxEntry>> {
    let is_open = |intent: &OutboxEntry| !matches!(intent.status, OutboxStatus::Done | OutboxStatus::Refused);
    Ok(tx.get(&INTENTS, id)?.filter(|intent| intent.token == token && is_open(intent)))
}

fn of_status<R: ReadTransaction>(tx: &R, status: OutboxStatus) -> Entries<'_, R, (u64, u64), ()> {
    let number = status.number();
    tx.entries(&BY_STATUS, (number, 0)..=(number, u64::MAX), Order::Ascending)
}

fn stored(tx: &impl ReadTransaction, id: u64) -> Result<OutboxEntry> {
    tx.get(&INTENTS, id)?.ok_or_else(|| Error::not_found("write"))
}

/// A write as it is shown: one whose task has ended before it is not tried by itself.
fn seen(tx: &impl ReadTransaction, intent: OutboxEntry) -> Result<WriteSeen> {
    let task = jobs::find(tx, &intent.task)?.filter(|task| !task.status.has_ended());
    let status = match (intent.status, &task) {
        (OutboxStatus::Planned, None) => OutboxStatus::Unsent,
        (OutboxStatus::Sent, None) => OutboxStatus::DeliveryUnknown,
        (status, _) => status,
    };
    let (message, localized) = intent.problem.map(|problem| (problem.message, problem.localized)).unzip();
    let is_settled = matches!(status, OutboxStatus::Done | OutboxStatus::Refused);
    Ok(WriteSeen {
        id: intent.id,
        kind: intent.kind,
        provider: intent.provider,
        target: intent.target,
        status,
        attempts: intent.attempts,
        message,
        localized: localized.flatten(),
        planned_at: intent.planned_at,
        sent_at: intent.sent_at,
        settled_at: intent.settled_at,
        next_attempt_at: task
            .filter(|task| !is_settled && matches!(task.status, TaskStatus::Queued | TaskStatus::Running))
            .map(|task| task.run_at),
    })
}

/// A write that is open in a restored state stands where the state before says that it stands. Where that state says
/// nothing of it, as in another house, it may have been done.
fn carry(before: Before<'_>, restored: &WriteTx) -> Result<()> {
    let mut open = Vec::new();
    for status in [OutboxStatus::Planned, OutboxStatus::Sent, OutboxStatus::DeliveryUnknown, OutboxStatus::Unsent] {
        for entry in of_status(restored, status) {
            open.push(entry?.key().1);
        }
    }
    for id in open {
        let Some(intent) = restored.get(&INTENTS, id)? else { continue };
        // Anything but the token may have changed since, and that changes only once it is known that nothing was done.
        let present = match before.state.filter(|_| !before.is_damaged) {
            Some(state) => state.get(&INTENTS, id)?.filter(|present| present.planned_at == intent.planned_at),
            None => None,
        };
        let carried = present.map_or_else(
            || OutboxEntry {
                status: OutboxStatus::DeliveryUnknown,
                problem: Some(Message::from(RESTORED).into()),
                sent_at: intent.sent_at.or(Some(restored.now())),
                ..intent.clone()
            },
            |present| OutboxEntry { task: intent.task.clone(), ..present },
        );
        put(restored, &carried)?;
    }
    Ok(())
}
