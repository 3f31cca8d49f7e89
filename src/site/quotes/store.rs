//! The tables of the quotes and the verbs over a transaction.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::model::{Quote, QuoteContent, QuoteStatus};
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Page, Result, day};
use hanok_platform::events::Change;
use hanok_platform::search::{Document, SearchKind, Searched};
use hanok_platform::store::{
    CountedIndex, CountedRows, DayCounts, Declared, Index, IndexedTable, Order, ReadTransaction, Table, WriteTx,
};

/// Table: quotes. Key: number. Value: the quote.
const QUOTES: IndexedTable<u64, Quote> = IndexedTable::new(
    "quotes-1",
    |quote| quote.number,
    &[&COUNTED, &BY_ID, &BY_STATUS, &IN_STATUS, &BY_REQUEST, &BY_USER, &SEARCHED],
);
/// Table: quotes counted in their order.
const COUNTED: CountedRows<Quote, u64> = CountedRows::new("quotes-1", "quotes_counts-1", |quote| quote.number);
/// Table: quotes by their id. Key: id (UUIDv7). Value: number.
const BY_ID: Index<Quote, &'static str, u64> = Index::unique(
    "quotes_by_id-1",
    |quote| Some((quote.id.as_str(), quote.number)),
    |_| Error::internal("an id was drawn twice"),
);
/// Table: quotes by where they stand. Key: number of the state and number of the quote. Value: nothing.
const BY_STATUS: CountedIndex<Quote, (u64, u64)> =
    CountedIndex::new("quotes_by_status-1", "quotes_by_status_counts-1", |quote| {
        Some(((quote.status.number(), quote.number), ()))
    });
/// Table: how many quotes are in each state. Key: number of the state. Value: how many.
const IN_STATUS: DayCounts<Quote> = DayCounts::new("quotes_in_status-1", |quote| Some(quote.status.number()));
/// Table: quotes by the request that they answer. Key: id of the request and number of the quote. Value: nothing.
const BY_REQUEST: Index<Quote, (&'static str, u64)> = Index::new("quotes_by_request-1", |quote| {
    quote.contact_request_id.as_deref().map(|request| ((request, quote.number), ()))
});
/// Table: quotes by the account that they are linked to. Key: id of the account and number of the quote. Value: nothing.
const BY_USER: Index<Quote, (&'static str, u64)> =
    Index::new("quotes_by_user-1", |quote| quote.user_id.as_deref().map(|user| ((user, quote.number), ())));
/// Table: what customers were shown. Key: number of the quote and revision. Value: the revision.
const REVISIONS: Table<(u64, u32), SentRevision> = Table::new("quote_revisions-1");
/// Table: of which last day customers were reminded. Key: number of the quote. Value: the day.
const REMINDED: Table<u64, NaiveDate> = Table::new("quote_reminders-1");

/// A quote is found by what it is about, by its customer and by its lines.
const SEARCHED: Searched<Quote> = Searched::new(|quote| {
    let content = &quote.content;
    let said = [&content.client_name, &quote.client_email, &quote.client_phone, &content.notes, &quote.internal_notes];
    let lines = content.items.iter().map(|item| &item.name);
    let parts = said.into_iter().chain(lines).filter(|part| !part.is_empty()).map(String::as_str);
    Document {
        tags: vec![quote.status.code().to_owned()],
        text: parts.collect::<Vec<_>>().join("\n"),
        day: Some(day::of(quote.created_at)),
        done: quote.status.is_decided(),
        ..Document::of(KIND, quote.number, &content.title, format!("/admin/quotes/{}", quote.id))
    }
});
/// What quotes are called among what is found.
pub const KIND: &str = "quote";

/// What of the quotes is found by words.
pub const SEARCH: &[SearchKind] = &[SearchKind { name: KIND, walk: |tx, visit| SEARCHED.walk(QUOTES.walk(tx), visit) }];

/// Every table of the quotes.
pub const TABLES: &[&dyn Declared] = &[&QUOTES, &REVISIONS, &REMINDED];

/// The quotes have changed.
pub const CHANGED: Change = Change::new("quotes");

/// A revision of a quote as its customer was shown it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentRevision {
    /// What it says.
    pub content: QuoteContent,
    /// What stands for it.
    pub hash: String,
    /// Since when its link showed it.
    pub sent_at: DateTime<Utc>,
}

/// A revision of a quote as the desk lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Revision {
    /// Which.
    pub revision: u32,
    /// What stands for it.
    pub hash: String,
    /// Since when its link showed it.
    pub sent_at: DateTime<Utc>,
}

/// How many quotes are in each state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts(Vec<(QuoteStatus, u64)>);

impl Counts {
    /// How many are in this state.
    pub fn of(&self, status: QuoteStatus) -> u64 {
        self.0.iter().find(|(known, _)| *known == status).map_or(0, |(_, count)| *count)
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }
}

/// The next number and a new id.
///
/// # Errors
/// Those of writing.
pub fn next(tx: &WriteTx) -> Result<(u64, String)> {
    Ok((tx.next_id("quote")?, Uuid::now_v7().to_string()))
}

/// Writes a quote.
///
/// # Errors
/// Those of writing.
pub fn put(tx: &WriteTx, quote: &Quote) -> Result<()> {
    QUOTES.put(tx, quote)?;
    tx.announce(CHANGED);
    Ok(())
}

/// Writes down what the customer is shown from now on; what was shown before stays as it was.
///
/// # Errors
/// Those of writing.
pub fn put_revision(tx: &WriteTx, quote: &Quote) -> Result<()> {
    let key = (quote.number, quote.revision);
    if tx.contains(&REVISIONS, key)? {
        return Ok(());
    }
    let sent = SentRevision { content: quote.content.clone(), hash: quote.hash.clone(), sent_at: tx.now() };
    tx.put(&REVISIONS, key, &sent)
}

/// What the customer was shown of the quote, the latest first.
///
/// # Errors
/// Those of reading.
pub fn revisions(tx: &impl ReadTransaction, quote: &Quote) -> Result<Vec<Revision>> {
    let range = (quote.number, 0)..=(quote.number, u32::MAX);
    let entries = tx.entries(&REVISIONS, range, Order::Descending).map(|entry| {
        let entry = entry?;
        let SentRevision { hash, sent_at, .. } = entry.value()?;
        Ok(Revision { revision: entry.key().1, hash, sent_at })
    });
    entries.collect()
}

/// A revision of the quote as the customer was shown it; none where it was not.
///
/// # Errors
/// Those of reading.
pub fn revision(tx: &impl ReadTransaction, quote: &Quote, revision: u32) -> Result<Option<SentRevision>> {
    tx.get(&REVISIONS, (quote.number, revision))
}

/// Of which last day the customer was reminded last.
///
/// # Errors
/// Those of reading.
pub fn reminded_of(tx: &impl ReadTransaction, quote: &Quote) -> Result<Option<NaiveDate>> {
    tx.get(&REMINDED, quote.number)
}

/// Notes that the customer is reminded of this last day.
///
/// # Errors
/// Those of writing.
pub fn note_reminder(tx: &WriteTx, quote: &Quote, last: NaiveDate) -> Result<()> {
    tx.put(&REMINDED, quote.number, &last)
}

/// The quote of this id.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find(tx: &impl ReadTransaction, id: &str) -> Result<Quote> {
    let number = tx.get(&BY_ID, id)?.ok_or_else(no_such)?;
    tx.get(&QUOTES, number)?.ok_or_else(no_such)
}

/// Quotes, newest first, of one state or of all, and how many there are of these.
///
/// # Errors
/// Those of reading.
pub fn list(tx: &impl ReadTransaction, status: Option<QuoteStatus>, page: Page) -> Result<(Vec<Quote>, u64)> {
    let Some(status) = status else {
        return Ok((COUNTED.page(tx, 0..=u64::MAX, Order::Descending, page)?, tx.count(&QUOTES)?));
    };
    let range = (status.number(), 0)..=(status.number(), u64::MAX);
    let places = BY_STATUS.page(tx, range, Order::Descending, page)?;
    let quotes = tx.rows(&QUOTES, places.into_iter().map(|((_, number), ())| number))?;
    Ok((quotes, count(tx, status)?))
}

/// Accepted quotes, newest first, and how many there are.
///
/// # Errors
/// Those of reading.
pub fn accepted(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<Quote>, u64)> {
    list(tx, Some(QuoteStatus::Accepted), page)
}

/// The quotes that were sent and are not decided, whose last day comes first before the others; those without one last.
///
/// # Errors
/// Those of reading.
pub fn waiting(tx: &impl ReadTransaction) -> Result<Vec<Quote>> {
    let sent = QuoteStatus::Sent.number();
    let entries = tx.entries(&BY_STATUS, (sent, 0)..=(sent, u64::MAX), Order::Ascending);
    let mut quotes = tx.rows(&QUOTES, entries.map(|entry| Ok(entry?.key().1)).collect::<Result<Vec<u64>>>()?)?;
    quotes.sort_by_key(|quote| (quote.content.valid_until.is_none(), quote.content.valid_until, quote.number));
    Ok(quotes)
}

/// The quotes that answer this request, newest first; drafts are among them.
///
/// # Errors
/// Those of reading.
pub fn of_request(tx: &impl ReadTransaction, request: &str) -> Result<Vec<Quote>> {
    let entries = tx.entries(&BY_REQUEST, (request, 0)..=(request, u64::MAX), Order::Descending);
    let numbers = entries.map(|entry| Ok(entry?.key().1)).collect::<Result<Vec<u64>>>()?;
    tx.rows(&QUOTES, numbers)
}

/// The quotes that are linked to this account, newest first, whatever state they are in.
///
/// # Errors
/// Those of reading.
pub fn linked_to(tx: &impl ReadTransaction, user_id: &str) -> Result<Vec<Quote>> {
    let entries = tx.entries(&BY_USER, (user_id, 0)..=(user_id, u64::MAX), Order::Descending);
    let numbers = entries.map(|entry| Ok(entry?.key().1)).collect::<Result<Vec<u64>>>()?;
    tx.rows(&QUOTES, numbers)
}

/// The quotes that are linked to this account and were sent or accepted, newest first.
///
/// # Errors
/// Those of reading.
pub fn of_customer(tx: &impl ReadTransaction, user_id: &str) -> Result<Vec<Quote>> {
    let is_seen = |quote: &Quote| matches!(quote.status, QuoteStatus::Sent | QuoteStatus::Accepted);
    Ok(linked_to(tx, user_id)?.into_iter().filter(is_seen).collect())
}

/// Links the quote to an account, in the place of the one that it was linked to.
///
/// # Errors
/// `NOT_FOUND`.
pub fn link_customer(tx: &WriteTx, id: &str, user_id: &str) -> Result<Quote> {
    set_user(tx, id, Some(user_id.to_owned()))
}

/// Takes the quote off the account that it is linked to.
///
/// # Errors
/// `NOT_FOUND`.
pub fn unlink_customer(tx: &WriteTx, id: &str) -> Result<Quote> {
    set_user(tx, id, None)
}

fn set_user(tx: &WriteTx, id: &str, user_id: Option<String>) -> Result<Quote> {
    let quote = Quote { user_id, ..find(tx, id)? };
    put(tx, &quote)?;
    Ok(quote)
}

/// Those of the quotes of these numbers that are there, in this order.
///
/// # Errors
/// Those of reading.
pub fn numbered(tx: &impl ReadTransaction, numbers: Vec<u64>) -> Result<Vec<Quote>> {
    numbers.into_iter().filter_map(|number| tx.get(&QUOTES, number).transpose()).collect()
}

/// How many quotes are in each state.
///
/// # Errors
/// Those of reading.
pub fn counts(tx: &impl ReadTransaction) -> Result<Counts> {
    QuoteStatus::ALL.into_iter().map(|status| Ok((status, count(tx, status)?))).collect::<Result<_>>().map(Counts)
}

fn count(tx: &impl ReadTransaction, status: QuoteStatus) -> Result<u64> {
    Ok(IN_STATUS.before(tx, status.number() + 1)? - IN_STATUS.before(tx, status.number())?)
}

/// Removes a quote with its revisions.
///
/// # Errors
/// Those of writing.
pub fn remove(tx: &WriteTx, quote: &Quote) -> Result<()> {
    for entry in tx.entries(&REVISIONS, (quote.number, 0)..=(quote.number, u32::MAX), Order::Ascending) {
        tx.remove(&REVISIONS, entry?.key())?;
    }
    tx.remove(&REMINDED, quote.number)?;
    QUOTES.remove(tx, quote.number)?;
    tx.announce(CHANGED);
    Ok(())
}

fn no_such() -> Error {
    Error::not_found("quote")
}
