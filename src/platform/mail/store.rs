//! The tables of the mail, and every move of a mail between its statuses.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};

use super::folder;
use super::row::{ATTACHED, Mail, MailStatus, Way};
use super::template::Letter;
use crate::events::Change;
use crate::jobs::{self, TaskStatus};
use crate::store::{CountedRows, Declared, Index, IndexedTable, Order, ReadTransaction, Table, WriteTx};
use hanok_base::message::LocalizedMessage;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Message, MessageTemplate, Page, Result, day};

/// Table: mails, without what they say. Key: id. Value: the mail.
pub(super) const MAILS: IndexedTable<u64, Mail> =
    IndexedTable::new("mails-1", |mail| mail.id, &[&COUNTED, &TO, &BY_STATUS, &HANDED, &ABOUT, &FIRST, &ATTACHED]);
/// Table: mails counted in their order.
const COUNTED: CountedRows<Mail, u64> = CountedRows::new("mails-1", "mails_counts-1", |mail| mail.id);
/// Table: mails by where they go. Key: the address in small letters and the id. Value: nothing.
const TO: Index<Mail, (String, u64)> =
    Index::new("mails_to-1", |mail| Some(((mail.to.as_str().to_lowercase(), mail.id), ())));
/// Table: mails by where they stand. Key: the number of the status and the id. Value: nothing.
const BY_STATUS: Index<Mail, (u64, u64)> =
    Index::new("mails_by_standing-1", |mail| Some(((mail.status.number(), mail.id), ())));
/// Table: mails by when they were handed over last. Key: milliseconds since 1970 and the id. Value: nothing.
const HANDED: Index<Mail, (u64, u64)> =
    Index::new("mails_handed-1", |mail| mail.handed_at.map(|at| ((day::millis(at), mail.id), ())));
/// Table: mails by what they are about. Key: its id and the id of the mail. Value: nothing.
const ABOUT: Index<Mail, (String, u64)> =
    Index::new("mails_about-1", |mail| mail.about.as_ref().map(|about| ((about.clone(), mail.id), ())));
/// Table: mails that go before others and were not tried yet. Key: the id. Value: nothing.
const FIRST: Index<Mail, u64> = Index::new("mails_first-1", |mail| {
    (mail.is_first && mail.status == MailStatus::Waiting && mail.attempts == 0).then_some((mail.id, ()))
});
/// Table: what mails say. Key: id of the mail. Value: the letter.
pub(super) const LETTERS: Table<u64, Letter> = Table::new("mails_letters-1");

/// Every table of the mail.
pub const TABLES: &[&dyn Declared] = &[&MAILS, &LETTERS];

/// The most mails that are kept, beside those that wait.
const MOST_KEPT: u64 = 10_000;
/// The span in which mails are counted for the rate.
const MINUTE: Duration = Duration::minutes(1);

const IS_OPEN: MessageTemplate = MessageTemplate::new("house.mail.is_open", "this mail is on its way");
const ENDED_MEANWHILE: MessageTemplate = MessageTemplate::new(
    "house.mail.ended_meanwhile",
    "the appliance ended while the mail went out: it may have been sent",
);
const LEFT_OUT: MessageTemplate = MessageTemplate::new(
    "house.mail.left_out",
    "the backup that was restored does not hold what this mail said, so it cannot be sent",
);

/// A mail as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MailSeen {
    /// Its number.
    pub id: u64,
    /// What it is.
    pub kind: String,
    /// Where it goes.
    pub to: String,
    /// Its subject.
    pub subject: String,
    /// Where it stands.
    pub status: MailStatus,
    /// How it goes, or went, out; none before the first attempt.
    pub way: Option<Way>,
    /// How often it was tried since it was queued last.
    pub attempts: u32,
    /// Why it is not sent.
    pub message: Option<String>,
    /// How a browser says `message` in its language.
    pub localized: Option<LocalizedMessage>,
    /// When it was queued first.
    pub created_at: DateTime<Utc>,
    /// When it is tried again.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// When it was sent.
    pub sent_at: Option<DateTime<Utc>>,
}

/// How many mails need time, or somebody.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Counts {
    /// On their way.
    pub waiting: u64,
    /// May have been sent.
    pub delivery_unknown: u64,
    /// Were not sent.
    pub failed: u64,
    /// Were called off.
    pub held: u64,
    /// When the oldest of those that are on their way was queued.
    pub waiting_since: Option<DateTime<Utc>>,
}

/// Adds a mail with what it says.
pub(super) fn add(tx: &WriteTx, mail: &Mail, letter: &Letter) -> Result<()> {
    tx.put(&LETTERS, mail.id, letter)?;
    put(tx, mail)
}

/// The mail `id`.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find(tx: &impl ReadTransaction, id: u64) -> Result<MailSeen> {
    seen(tx, stored(tx, id)?)
}

/// Mails, newest first, and how many there are.
pub fn list(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<MailSeen>, u64)> {
    let mails = COUNTED.page(tx, 0..=u64::MAX, Order::Descending, page)?;
    Ok((mails.into_iter().map(|mail| seen(tx, mail)).collect::<Result<_>>()?, tx.count(&MAILS)?))
}

/// The mails to this address, newest first.
pub fn list_to(tx: &impl ReadTransaction, address: &str) -> Result<Vec<MailSeen>> {
    let address = address.to_lowercase();
    let range = (address.clone(), 0)..=(address, u64::MAX);
    let ids = tx.entries(&TO, range, Order::Descending).map(|entry| Ok(entry?.key().1));
    let mails = tx.rows(&MAILS, ids.collect::<Result<Vec<u64>>>()?)?;
    mails.into_iter().map(|mail| seen(tx, mail)).collect()
}

/// How many mails need time, or somebody.
pub fn counts(tx: &impl ReadTransaction) -> Result<Counts> {
    let mut counts = Counts::default();
    for status in [MailStatus::Waiting, MailStatus::Sending, MailStatus::HandingOver] {
        for entry in of_status(tx, status) {
            let (_, id) = entry?.key();
            let seen = find(tx, id)?;
            match seen.status {
                MailStatus::DeliveryUnknown => counts.delivery_unknown += 1,
                MailStatus::Held => counts.held += 1,
                _ => {
                    counts.waiting += 1;
                    counts.waiting_since = counts.waiting_since.into_iter().chain([seen.created_at]).min();
                }
            }
        }
    }
    let counted = |status| of_status(tx, status).map(|entry| entry.map(|_| 1)).sum::<Result<u64>>();
    counts.delivery_unknown += counted(MailStatus::DeliveryUnknown)?;
    counts.failed = counted(MailStatus::Failed)?;
    counts.held += counted(MailStatus::Held)?;
    Ok(counts)
}

/// The mails that their rows say stand at `status`, the oldest first.
pub(super) fn of_status<R: ReadTransaction>(
    tx: &R,
    status: MailStatus,
) -> crate::store::Entries<'_, R, (u64, u64), ()> {
    let number = status.number();
    tx.entries(&BY_STATUS, (number, 0)..=(number, u64::MAX), Order::Ascending)
}

/// Removes a mail that is not on its way.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` while it is on its way.
pub fn remove(tx: &WriteTx, id: u64) -> Result<()> {
    closed(tx, id)?;
    take_away(tx, id)
}

/// Removes the mails about the thing of this id, also those that wait: they are not sent any more. Those of before it was noted
/// what a mail is about are known by `is_of`. Gives the names of their files, where they lie in the folder.
pub(super) fn remove_about(tx: &WriteTx, about: &str, is_of: impl Fn(&Mail) -> bool) -> Result<Vec<String>> {
    let range = (about.to_owned(), 0)..=(about.to_owned(), u64::MAX);
    let ids = tx.entries(&ABOUT, range, Order::Ascending).map(|entry| Ok(entry?.key().1));
    let mut mails = tx.rows(&MAILS, ids.collect::<Result<Vec<u64>>>()?)?;
    // A row of another version stays for that.
    mails.extend(MAILS.walk(tx).flatten().filter(|mail| mail.about.is_none() && is_of(mail)));
    let in_folder = mails.iter().filter(|mail| mail.way == Some(Way::Folder)).map(folder::name).collect();
    mails.iter().try_for_each(|mail| take_away(tx, mail.id))?;
    Ok(in_folder)
}

/// Cancels those mails about the thing of this id that `is_of` names. Those of which nothing has gone out are removed; one
/// that is handed over now may arrive, but is not tried again. What has gone out stays.
///
/// # Errors
/// Those of writing.
pub fn cancel(tx: &WriteTx, about: &str, is_of: impl Fn(&Mail) -> bool) -> Result<()> {
    let range = (about.to_owned(), 0)..=(about.to_owned(), u64::MAX);
    let ids = tx.entries(&ABOUT, range, Order::Ascending).map(|entry| Ok(entry?.key().1));
    let mails = tx.rows(&MAILS, ids.collect::<Result<Vec<u64>>>()?)?;
    mails.into_iter().filter(is_of).try_for_each(|mail| match mail.status {
        MailStatus::Waiting | MailStatus::Sending => take_away(tx, mail.id),
        MailStatus::HandingOver => put(tx, &Mail { is_cancelled: true, ..mail }),
        _ => Ok(()),
    })
}

/// The mail that goes before others and was not tried yet, the oldest of them.
pub(super) fn first(tx: &impl ReadTransaction) -> Result<Option<u64>> {
    for entry in tx.entries(&FIRST, 0..=u64::MAX, Order::Ascending) {
        let mail = stored(tx, entry?.key())?;
        // One that was called off is not sent by others, either.
        if jobs::find(tx, &mail.task)?.is_some_and(|task| task.status == TaskStatus::Queued) {
            return Ok(Some(mail.id));
        }
    }
    Ok(None)
}

/// Removes mails that were queued more than `days` ago, and the oldest beyond ten thousand; those on their way stay. Gives
/// how many.
pub fn purge(tx: &WriteTx, days: u32) -> Result<usize> {
    let oldest_kept = tx.now() - Duration::days(days.into());
    let mut beyond = tx.count(&MAILS)?.saturating_sub(MOST_KEPT);
    let mut removed = 0;
    for entry in tx.entries(&MAILS, 0.., Order::Ascending) {
        let entry = entry?;
        // A row of another version stays for that.
        let Ok(mail) = entry.value() else { continue };
        if mail.created_at >= oldest_kept && beyond == 0 {
            break;
        }
        beyond = beyond.saturating_sub(1);
        let id = mail.id;
        if !seen(tx, mail)?.status.is_open() {
            take_away(tx, id)?;
            removed += 1;
        }
    }
    Ok(removed)
}

fn take_away(tx: &WriteTx, id: u64) -> Result<()> {
    MAILS.remove(tx, id)?;
    tx.discard(&LETTERS, id)?;
    tx.announce(Change::MAIL);
    Ok(())
}

/// The mail `id` when it is not on its way and what it says is there, to be sent again as a new one.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` while it is on its way, and where a backup that was restored has left out what it says.
pub(super) fn to_send_again(tx: &WriteTx, id: u64) -> Result<Mail> {
    let mail = closed(tx, id)?;
    if tx.contains(&LETTERS, id)? { Ok(mail) } else { Err(Error::conflict(LEFT_OUT)) }
}

/// The mail `id` when it is not on its way.
fn closed(tx: &WriteTx, id: u64) -> Result<Mail> {
    let mail = stored(tx, id)?;
    if seen(tx, mail.clone())?.status.is_open() { Err(Error::conflict(IS_OPEN)) } else { Ok(mail) }
}

/// Writes `mail` and tells of it.
pub(super) fn put(tx: &WriteTx, mail: &Mail) -> Result<()> {
    tx.announce(Change::MAIL);
    MAILS.put(tx, mail)
}

/// Begins an attempt: gives the mail with what it says, unless it does not wait. One that was going out when the process
/// ended goes out again where that leaves one mail, and may have been sent otherwise.
pub(super) fn begin(tx: &WriteTx, id: u64, way: Way) -> Result<Option<(Mail, Letter)>> {
    let Some(mut mail) = tx.get(&MAILS, id)? else { return Ok(None) };
    let goes_once = mail.is_cancelled || (mail.way, way) != (Some(Way::Folder), Way::Folder);
    if mail.status == MailStatus::HandingOver && goes_once {
        end(tx, id, Ending::DeliveryUnknown(ENDED_MEANWHILE.into()))?;
        return Ok(None);
    }
    if !mail.status.is_open() {
        return Ok(None);
    }
    let Some(letter) = tx.get(&LETTERS, id)? else {
        put(tx, &Mail { status: MailStatus::Failed, problem: Some(Message::from(LEFT_OUT).into()), ..mail })?;
        return Ok(None);
    };
    tx.quiet();
    mail.status = MailStatus::Sending;
    mail.attempts += 1;
    mail.way = Some(way);
    put(tx, &mail)?;
    Ok(Some((mail, letter)))
}

/// Notes that from now on the mail may be sent.
///
/// # Errors
/// `NOT_FOUND` when it is there no more; `CONFLICT` when no attempt is under way: a restore has put another state in place.
pub(super) fn hand_over(tx: &WriteTx, id: u64) -> Result<()> {
    let mut mail = stored(tx, id)?;
    if mail.status != MailStatus::Sending {
        return Err(Error::conflict(IS_OPEN));
    }
    tx.quiet();
    mail.status = MailStatus::HandingOver;
    mail.handed_at = Some(tx.now());
    put(tx, &mail)
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ending {
    Sent,
    /// Surely not sent, to be tried again.
    Later(Message),
    /// Surely not sent, for good.
    Failed(Message),
    DeliveryUnknown(Message),
}

/// Writes down how an attempt ended, if it is under way still: a restore may have put another state in place. A mail that was
/// cancelled meanwhile and has surely not gone out is removed.
pub(super) fn end(tx: &WriteTx, id: u64, ending: Ending) -> Result<()> {
    let is_under_way = |mail: &Mail| matches!(mail.status, MailStatus::Sending | MailStatus::HandingOver);
    let Some(mut mail) = tx.get(&MAILS, id)?.filter(is_under_way) else { return Ok(()) };
    if mail.is_cancelled && matches!(ending, Ending::Later(_) | Ending::Failed(_)) {
        return take_away(tx, id);
    }
    (mail.status, mail.problem) = match ending {
        Ending::Sent => (MailStatus::Sent, None),
        Ending::Later(problem) => (MailStatus::Waiting, Some(problem.into())),
        Ending::Failed(problem) => (MailStatus::Failed, Some(problem.into())),
        Ending::DeliveryUnknown(problem) => (MailStatus::DeliveryUnknown, Some(problem.into())),
    };
    mail.sent_at = (mail.status == MailStatus::Sent).then(|| tx.now());
    put(tx, &mail)
}

/// When the next mail may be handed over, if not now, when `per_minute` are within a minute.
pub(super) fn next_turn(tx: &impl ReadTransaction, per_minute: u32) -> Result<Option<DateTime<Utc>>> {
    let (from, to) = (day::millis(tx.now() - MINUTE), day::millis(tx.now()));
    // What a clock that ran ahead has left is not of this minute.
    let mut lately = tx.entries(&HANDED, (from + 1, 0)..=(to, u64::MAX), Order::Descending);
    let Some(entry) = lately.nth(per_minute.saturating_sub(1) as usize) else { return Ok(None) };
    let (at, _) = entry?.key();
    let at = i64::try_from(at).ok().and_then(DateTime::from_timestamp_millis);
    Ok(at.map(|at| at + MINUTE))
}

fn stored(tx: &impl ReadTransaction, id: u64) -> Result<Mail> {
    tx.get(&MAILS, id)?.ok_or_else(|| Error::not_found("mail"))
}

/// A mail as it is shown: one whose task has ended before it does not go out by itself.
fn seen(tx: &impl ReadTransaction, mail: Mail) -> Result<MailSeen> {
    let task = if mail.status.is_open() { jobs::find(tx, &mail.task)? } else { None };
    let task = task.filter(|task| !task.status.has_ended());
    let status = match (mail.status, &task) {
        (MailStatus::HandingOver, None) => MailStatus::DeliveryUnknown,
        (open, None) if open.is_open() => MailStatus::Held,
        (status, _) => status,
    };
    let next = task.filter(|task| task.status == TaskStatus::Queued && mail.attempts > 0).map(|task| task.run_at);
    let (message, localized) = mail.problem.map(|problem| (problem.message, problem.localized)).unzip();
    Ok(MailSeen {
        id: mail.id,
        kind: mail.kind,
        to: mail.to.as_str().to_owned(),
        subject: mail.subject,
        status,
        way: mail.way,
        attempts: mail.attempts,
        message,
        localized: localized.flatten(),
        created_at: mail.created_at,
        next_attempt_at: next,
        sent_at: mail.sent_at,
    })
}
