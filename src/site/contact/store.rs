//! The tables of the requests and the verbs over a transaction.

mod links;
#[cfg(test)]
mod tests;

use uuid::Uuid;

use super::model::{Note, Request, RequestDetails, Status, StatusChange};
use hanok_base::{Error, MessageTemplate, Page, Result, day};
use hanok_platform::events::Change;
use hanok_platform::search::{Document, SearchKind, Searched};
use hanok_platform::store::{
    CountedIndex, CountedRows, DayCounts, Declared, Index, IndexedTable, Order, PreservedOnRestore, ReadTransaction,
    Table, WriteTx,
};

pub use links::{end_link, find_by_token, renew_link};

/// Table: requests. Key: number. Value: the request.
const REQUESTS: IndexedTable<u64, Request> = IndexedTable::new(
    "contact_requests-1",
    |request| request.number,
    &[&COUNTED, &BY_ID, &BY_MAIL, &BY_STATUS, &IN_STATUS, &SEARCHED],
);
/// Table: requests counted in their order.
const COUNTED: CountedRows<Request, u64> =
    CountedRows::new("contact_requests-1", "contact_requests_counts-1", |request| request.number);
/// Table: requests by the id that is known outside. Key: id (UUIDv7). Value: number.
const BY_ID: Index<Request, &'static str, u64> = Index::unique(
    "contact_requests_by_id-1",
    |request| Some((request.id.as_str(), request.number)),
    |_| Error::internal("an id was drawn twice"),
);
/// Table: requests by who sent them. Key: the mail address in small letters and the number. Value: nothing.
const BY_MAIL: Index<Request, (String, u64)> = Index::new("contact_requests_by_mail-1", |request| {
    Some(((request.details.email.to_lowercase(), request.number), ()))
});
/// Table: requests by how far they are. Key: number of the state and number of the request. Value: nothing.
const BY_STATUS: CountedIndex<Request, (u64, u64)> =
    CountedIndex::new("contact_requests_by_status-1", "contact_requests_by_status_counts-1", |request| {
        Some(((request.status.number(), request.number), ()))
    });
/// Table: how many requests are in each state. Key: number of the state. Value: how many.
const IN_STATUS: DayCounts<Request> =
    DayCounts::new("contact_requests_in_status-1", |request| Some(request.status.number()));
/// Table: what is noted of requests. Key: number of the request and id of the note. Value: the note.
const NOTES: Table<(u64, u64), Note> = Table::new("contact_notes-1");
/// Table: how requests were moved. Key: number of the request and number of the move. Value: the move.
const MOVES: Table<(u64, u64), StatusChange> = Table::new("contact_moves-1");

/// A request is found by who wrote it and by what was written.
const SEARCHED: Searched<Request> = Searched::new(|request| {
    let RequestDetails { name, email, message, phone, service, project_type, budget, timeline, .. } = &request.details;
    let said = [service, message, email, phone, project_type, budget, timeline];
    Document {
        tags: vec![request.status.code().to_owned()],
        text: said.into_iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join("\n"),
        day: Some(day::of(request.created_at)),
        done: request.status.is_over(),
        ..Document::of(KIND, request.number, name, format!("/admin/contacts/{}", request.id))
    }
});
/// What requests are called among what is found.
pub const KIND: &str = "contact_request";

/// What of the requests is found by words.
pub const SEARCH: &[SearchKind] =
    &[SearchKind { name: KIND, walk: |tx, visit| SEARCHED.walk(REQUESTS.walk(tx), visit) }];

/// Every table of the requests.
pub const TABLES: &[&dyn Declared] = &[&REQUESTS, &NOTES, &MOVES, &links::LINKS];

/// What a restore does not take back: which links open something.
pub const PRESERVED_ON_RESTORE: &[PreservedOnRestore] =
    &[PreservedOnRestore { carry: links::carry, forget: links::forget }];

/// The requests have changed.
pub const CHANGED: Change = Change::new("contact_requests");

/// The most notes of one request.
const MOST_NOTES: usize = 200;

const ENOUGH_NOTES: MessageTemplate =
    MessageTemplate::new("contact.enough_notes", "a request has at most {most} notes; remove one first");

/// How many requests are in each state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts(Vec<(Status, u64)>);

impl Counts {
    /// How many are in this state.
    pub fn of(&self, status: Status) -> u64 {
        self.0.iter().find(|(known, _)| *known == status).map_or(0, |(_, count)| *count)
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }
}

/// Adds a request with its link. Gives it and the word that opens it, of which only the hash is kept here.
pub fn add(tx: &WriteTx, details: RequestDetails) -> Result<(Request, String)> {
    let now = tx.now();
    let (number, id) = (tx.next_id("contact_request")?, Uuid::now_v7().to_string());
    let status = Status::Pending;
    let request = Request { number, id, details, status, status_before_hold: None, created_at: now, updated_at: now };
    REQUESTS.put(tx, &request)?;
    note_move(tx, &request, StatusChange::received(now))?;
    let token = links::renew(tx, number)?;
    tx.announce(CHANGED);
    Ok((request, token))
}

/// The request of this id.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find(tx: &impl ReadTransaction, id: &str) -> Result<Request> {
    let number = tx.get(&BY_ID, id)?.ok_or_else(no_such)?;
    tx.get(&REQUESTS, number)?.ok_or_else(no_such)
}

/// Requests, newest first, of one state or of all, and how many there are of these.
pub fn list(tx: &impl ReadTransaction, status: Option<Status>, page: Page) -> Result<(Vec<Request>, u64)> {
    let Some(status) = status else {
        return Ok((COUNTED.page(tx, 0..=u64::MAX, Order::Descending, page)?, tx.count(&REQUESTS)?));
    };
    let range = (status.number(), 0)..=(status.number(), u64::MAX);
    let places = BY_STATUS.page(tx, range, Order::Descending, page)?;
    let requests = tx.rows(&REQUESTS, places.into_iter().map(|((_, number), ())| number))?;
    Ok((requests, count(tx, status)?))
}

/// The requests that were sent with this mail address, newest first; none where it is empty.
pub fn list_by_mail(tx: &impl ReadTransaction, mail: &str) -> Result<Vec<Request>> {
    let mail = mail.to_lowercase();
    let range = (mail.clone(), 0)..=(mail, u64::MAX);
    let sent = tx.entries(&BY_MAIL, range, Order::Descending).map(|entry| Ok(entry?.key().1));
    tx.rows(&REQUESTS, sent.collect::<Result<Vec<u64>>>()?)
}

/// Those of the requests of these numbers that are there, in this order.
pub fn numbered(tx: &impl ReadTransaction, numbers: Vec<u64>) -> Result<Vec<Request>> {
    numbers.into_iter().filter_map(|number| tx.get(&REQUESTS, number).transpose()).collect()
}

/// How many requests are in each state.
pub fn counts(tx: &impl ReadTransaction) -> Result<Counts> {
    Status::ALL.into_iter().map(|status| Ok((status, count(tx, status)?))).collect::<Result<_>>().map(Counts)
}

fn count(tx: &impl ReadTransaction, status: Status) -> Result<u64> {
    Ok(IN_STATUS.before(tx, status.number() + 1)? - IN_STATUS.before(tx, status.number())?)
}

/// Moves a request to another state, by whom is noted.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` naming the states that it may be moved to.
pub fn change_status(tx: &WriteTx, id: &str, to: Status, by: &str) -> Result<Request> {
    change_status_with(tx, id, to, by, "")
}

/// [`change_status`] with what its customer is told.
///
/// # Errors
/// Those of [`change_status`].
pub fn change_status_with(tx: &WriteTx, id: &str, to: Status, by: &str, message: &str) -> Result<Request> {
    let before = find(tx, id)?;
    let from = Some(before.status);
    let request = before.moved(to, tx.now())?;
    REQUESTS.put(tx, &request)?;
    let (by, message) = (by.to_owned(), message.to_owned());
    note_move(tx, &request, StatusChange { from, to, by, message, undo: false, at: tx.now() })?;
    tx.announce(CHANGED);
    Ok(request)
}

/// Takes back the latest step of a request, which leads to the state `to` again; by whom is noted, with what its customer is
/// told. Gives the request and the step that was taken back.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` as for [`Request::undone`].
pub fn undo_status(tx: &WriteTx, id: &str, to: Status, by: &str, message: &str) -> Result<(Request, StatusChange)> {
    let before = find(tx, id)?;
    let (from, history) = (Some(before.status), history(tx, &before)?);
    let (request, undone) = before.undone(&history, to, tx.now())?;
    REQUESTS.put(tx, &request)?;
    let (by, message) = (by.to_owned(), message.to_owned());
    note_move(tx, &request, StatusChange { from, to, by, message, undo: true, at: tx.now() })?;
    tx.announce(CHANGED);
    Ok((request, undone))
}

fn note_move(tx: &WriteTx, request: &Request, made: StatusChange) -> Result<()> {
    tx.put(&MOVES, (request.number, tx.next_id("contact_move")?), &made)
}

/// How the request was moved, the first move first.
pub fn history(tx: &impl ReadTransaction, request: &Request) -> Result<Vec<StatusChange>> {
    let range = (request.number, 0)..=(request.number, u64::MAX);
    tx.entries(&MOVES, range, Order::Ascending).map(|entry| entry?.value()).collect()
}

/// Notes something of a request; the customer never sees it.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` when there are too many.
pub fn add_note(tx: &WriteTx, id: &str, text: String, by: &str) -> Result<Note> {
    let request = find(tx, id)?;
    if notes(tx, &request)?.len() >= MOST_NOTES {
        return Err(Error::conflict(ENOUGH_NOTES.with([("most", MOST_NOTES.into())])));
    }
    let note = Note { id: tx.next_id("contact_note")?, text, by: by.to_owned(), at: tx.now() };
    tx.put(&NOTES, (request.number, note.id), &note)?;
    tx.announce(CHANGED);
    Ok(note)
}

/// What is noted of the request, newest first.
pub fn notes(tx: &impl ReadTransaction, request: &Request) -> Result<Vec<Note>> {
    let range = (request.number, 0)..=(request.number, u64::MAX);
    tx.entries(&NOTES, range, Order::Descending).map(|entry| entry?.value()).collect()
}

/// Removes a note.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove_note(tx: &WriteTx, id: &str, note: u64) -> Result<()> {
    let request = find(tx, id)?;
    tx.remove(&NOTES, (request.number, note))?.ok_or_else(|| Error::not_found("note"))?;
    tx.announce(CHANGED);
    Ok(())
}

/// Whether somebody can follow the request by a link.
pub fn has_link(tx: &impl ReadTransaction, request: &Request) -> Result<bool> {
    Ok(tx.get(&links::LINKS, request.number)?.is_some())
}

/// Removes a request with its notes, moves and link.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: &str) -> Result<()> {
    let request = find(tx, id)?;
    let range = (request.number, 0)..=(request.number, u64::MAX);
    for entry in tx.entries(&NOTES, range.clone(), Order::Ascending) {
        tx.remove(&NOTES, entry?.key())?;
    }
    for entry in tx.entries(&MOVES, range, Order::Ascending) {
        tx.remove(&MOVES, entry?.key())?;
    }
    links::LINKS.remove(tx, request.number)?;
    REQUESTS.remove(tx, request.number)?;
    tx.announce(CHANGED);
    Ok(())
}

fn no_such() -> Error {
    Error::not_found("request")
}
