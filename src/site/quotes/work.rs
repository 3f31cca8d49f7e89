//! What is done with quotes: begun, changed, sent and decided, each in one transaction with its mails.

mod letters;
pub mod links;
pub mod own_data;
pub mod pdf;
pub mod print;
pub mod reminder;

use super::model::{
    ContactStart, Decide, NewQuote, QUOTE_CHANGED, Quote, QuoteChanges, QuoteContent, QuoteStatus, already_decided,
    check_sendable, hash_of,
};
use super::store;
use crate::contact::{self, Owner, Status};
use hanok_base::error::Error;
use hanok_base::secret::random_token;
use hanok_base::{Kind, MessageTemplate, Page, Result, day};
use hanok_platform::app::App;
use hanok_platform::chat::{self, Person};
use hanok_platform::mail::{self, EmailAddress};
use hanok_platform::search::{SearchRequest, SearchResults, SearchTerms};
use hanok_platform::store::{ReadTransaction, WriteTx};

const NO_SUCH_REQUEST: MessageTemplate =
    MessageTemplate::new("quotes.must.request", "must be the id of a request that is there");
const CHANGED_MEANWHILE: MessageTemplate = MessageTemplate::new(
    "quotes.changed_meanwhile",
    "the quote was changed meanwhile: it is at revision {revision} now; look at it again",
);
const NOT_SENT: MessageTemplate =
    MessageTemplate::new("quotes.not_sent", "the quote never was sent, so there is no link to it yet");
const SENT_STAYS: MessageTemplate =
    MessageTemplate::new("quotes.sent_stays", "only a draft that was never sent can be removed");

/// By whom a request is moved whose customer decides its quote.
const CUSTOMER: &str = "customer";
/// Bytes of randomness in the id of a part of a quote.
const ID_BYTES: usize = 6;

/// Who sends a quote, and what the link begins with, such as `https://shop.example`.
#[derive(Debug, Clone)]
pub struct Sender {
    /// The name of the admin.
    pub by: String,
    /// What the link begins with.
    pub origin: String,
}

/// Begins a quote: a draft, which takes what it leaves out from the request that it answers.
///
/// # Errors
/// `INVALID_INPUT` naming each refused field.
pub fn create(tx: &WriteTx, new: NewQuote) -> Result<Quote> {
    let request = new.contact_request_id.as_deref().map(|id| contact::find(tx, id)).transpose();
    let request = request.map_err(|error| match error.kind {
        Kind::NotFound => Error::field("contact_request_id", NO_SUCH_REQUEST),
        _ => error,
    })?;
    let start = request.map(|request| ContactStart::of(request.details));
    let client = start.as_ref().map(|start| &start.details);
    let client_email = new.client_email.clone().or(client.map(|details| details.email.clone())).unwrap_or_default();
    let client_phone = new.client_phone.clone().or(client.map(|details| details.phone.clone())).unwrap_or_default();
    let (internal_notes, contact_request_id) = (new.internal_notes.clone(), new.contact_request_id.clone());
    let content = QuoteContent::begun(new, start.as_ref(), &mut new_id)?;
    let quote = draft(tx, content)?;
    let quote = Quote { client_email, client_phone, internal_notes, contact_request_id, ..quote };
    store::put(tx, &quote)?;
    Ok(quote)
}

/// Makes a new draft that says what the quote `id` says, for the same customer. A last day that is over is left out.
///
/// # Errors
/// `NOT_FOUND`.
pub fn duplicate(tx: &WriteTx, id: &str) -> Result<Quote> {
    let of = store::find(tx, id)?;
    let valid_until = of.content.valid_until.filter(|_| !of.content.is_expired(day::of(tx.now())));
    let quote = draft(tx, QuoteContent { valid_until, ..of.content })?;
    let Quote { client_email, client_phone, internal_notes, contact_request_id, .. } = of;
    let quote = Quote { client_email, client_phone, internal_notes, contact_request_id, ..quote };
    store::put(tx, &quote)?;
    Ok(quote)
}

fn draft(tx: &WriteTx, content: QuoteContent) -> Result<Quote> {
    let (number, id) = store::next(tx)?;
    Ok(Quote {
        number,
        id,
        status: QuoteStatus::Draft,
        revision: 1,
        version: 0,
        hash: hash_of(number, 1, &content)?,
        content,
        client_email: String::new(),
        client_phone: String::new(),
        internal_notes: String::new(),
        contact_request_id: None,
        user_id: None,
        created_at: tx.now(),
        updated_at: tx.now(),
        sent_at: None,
        decision: None,
    })
}

fn new_id() -> String {
    random_token(ID_BYTES)
}

/// Changes a quote that is not decided. Where it was sent, its customer sees the change at once, and what was shown before can
/// be accepted no more.
///
/// # Errors
/// `NOT_FOUND`; `ALREADY_DECIDED`; `QUOTE_CHANGED` where it is at another revision than was read; `INVALID_INPUT` naming each
/// refused field.
pub fn change(tx: &WriteTx, changes: QuoteChanges) -> Result<Quote> {
    let before = store::find(tx, &changes.id)?;
    if before.status.is_decided() {
        return Err(already_decided());
    }
    let is_of_another = changes.version.is_some_and(|read| read != before.version);
    if is_of_another || changes.revision.is_some_and(|read| read != before.revision) {
        let now = CHANGED_MEANWHILE.with([("revision", before.revision.into())]);
        return Err(Error::of(QUOTE_CHANGED, now));
    }
    let after = before.changed(changes, &mut new_id)?;
    if after == before {
        return Ok(before);
    }
    let after = Quote { updated_at: tx.now(), version: before.version.saturating_add(1), ..after };
    store::put(tx, &after)?;
    if after.revision != before.revision {
        store::put_revision(tx, &after)?;
    }
    Ok(after)
}

/// Sends a quote to its customer, or sends it again: its state, its link, its mail, the revision that is sent, and the state of
/// the request that it answers. Gives it with the word of its link. Where it was sent to another address before, the link of then
/// opens nothing any more.
///
/// # Errors
/// `NOT_FOUND`; `ALREADY_DECIDED`; `INVALID_INPUT` naming what it lacks.
pub fn send(tx: &WriteTx, sender: &Sender, id: &str) -> Result<(Quote, String)> {
    let quote = store::find(tx, id)?;
    if quote.status.is_decided() {
        return Err(already_decided());
    }
    check_sendable(&quote, day::of(tx.now()))?;
    let now = Some(tx.now());
    let quote = Quote { status: QuoteStatus::Sent, sent_at: now, updated_at: tx.now(), ..quote };
    store::put(tx, &quote)?;
    store::put_revision(tx, &quote)?;
    let (word, is_new) = links::link(tx, &quote)?;
    let quote = if is_new { without_strangers(tx, quote)? } else { quote };
    let customer = customer_of(&quote)?.ok_or_else(|| Error::internal("a quote is sent to nobody"))?;
    let letter = letters::sent(&quote, &links::page_at(&sender.origin, &word, quote.content.language))?;
    mail::queue(tx, &customer, None, letter.about(&quote.id))?;
    move_request(tx, &quote, Status::Quoted, &sender.by)?;
    Ok((quote, word))
}

/// Ends the link to a quote that was sent, and makes a new one. Nobody is told.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` where it never was sent.
pub fn renew_link(tx: &WriteTx, id: &str) -> Result<Quote> {
    let quote = store::find(tx, id)?;
    if quote.sent_at.is_none() {
        return Err(Error::conflict(NOT_SENT));
    }
    links::renew(tx, &quote)?;
    without_strangers(tx, quote)
}

/// The quote without the account that follows it, where that has another address than the quote is sent to: it came by a link
/// that is ended.
fn without_strangers(tx: &WriteTx, quote: Quote) -> Result<Quote> {
    let follower = links::followed_by(tx, &quote)?;
    match follower.is_some_and(|mail| !links::is_of_client(&quote, &mail)) {
        true => store::unlink_customer(tx, &quote.id),
        false => Ok(quote),
    }
}

/// Removes a draft that was never sent.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` where it was sent.
pub fn remove(tx: &WriteTx, id: &str) -> Result<()> {
    let quote = store::find(tx, id)?;
    if quote.status != QuoteStatus::Draft || quote.sent_at.is_some() {
        return Err(Error::conflict(SENT_STAYS));
    }
    links::end(tx, &quote)?;
    store::remove(tx, &quote)
}

/// Decides the quote that the word of a link opens: what was decided stays with everything as it was shown, the request that it
/// answers is moved, and customer and owner are told. The customer's mail leads to the quote where it is known what links begin
/// with (`origin`).
///
/// # Errors
/// `NOT_FOUND`; `ALREADY_DECIDED`; `QUOTE_EXPIRED`; `QUOTE_CHANGED`; `INVALID_INPUT` for a line or plan that it does not have.
pub fn decide(tx: &WriteTx, token: &str, decide: &Decide, (owner, origin): (&Owner, Option<&str>)) -> Result<Quote> {
    let quote = links::find_by_token(tx, token)?.decided(decide, day::of(tx.now()), tx.now())?;
    store::put(tx, &quote)?;
    let decision = quote.decision.as_ref().ok_or_else(|| Error::internal("a decided quote without a decision"))?;
    let to = if decision.accepted { Status::Accepted } else { Status::OnHold };
    move_request(tx, &quote, to, CUSTOMER)?;
    let customer = customer_of(&quote)?;
    if let (true, Some(customer)) = (decision.accepted, &customer) {
        let link = origin.map(|origin| links::page_at(origin, token, decision.content.language));
        let letter = letters::accepted(&quote, decision, link.as_deref())?;
        mail::queue(tx, customer, None, letter.about(&quote.id))?;
    }
    let notice = letters::decided(&quote, decision, owner.language())?;
    mail::queue(tx, owner.address(), customer.as_ref(), notice.about(&quote.id))?;
    let (title, body) = letters::by_chat(&quote, decision);
    chat::tell_about(tx, owner.chat(), &Person::owner(), &quote.id, (&title, &body))?;
    Ok(quote)
}

/// Where the customer is written to; none where nothing is known.
fn customer_of(quote: &Quote) -> Result<Option<EmailAddress>> {
    if quote.client_email.is_empty() {
        return Ok(None);
    }
    let address = EmailAddress::parse(&quote.client_email);
    address.map(Some).map_err(|_| Error::internal("a mail address of a quote is none"))
}

/// Moves the request that the quote answers, where it may be moved so; otherwise it stays. It may be gone by now.
fn move_request(tx: &WriteTx, quote: &Quote, to: Status, by: &str) -> Result<()> {
    let Some(id) = &quote.contact_request_id else { return Ok(()) };
    let mut request = match contact::find(tx, id) {
        Ok(request) => request,
        Err(error) if error.kind == Kind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if (request.status, to) == (Status::Pending, Status::Quoted) {
        request = contact::change_status(tx, id, Status::Reviewing, by)?;
    }
    if request.next().contains(&to) {
        contact::change_status(tx, id, to, by)?;
    }
    Ok(())
}

/// The quotes of `status`, or of any, that say these words, the best first.
///
/// # Errors
/// Those of the index.
pub async fn search(app: &App, words: &str, status: Option<QuoteStatus>, page: Page) -> Result<SearchResults> {
    let (kind, tag) = (Some(store::KIND.to_owned()), status.map(|status| status.code().to_owned()));
    let words = SearchTerms::of(words);
    app.data.search.find(SearchRequest { words, kind, but: Vec::new(), tag, done: None, page }).await
}
