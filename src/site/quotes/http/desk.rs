//! Quotes at the desk of those who keep the shop: written, sent, duplicated, removed, found by words.

use chrono::{DateTime, NaiveDate, Utc};
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Writer};
use serde::{Deserialize, Serialize};

use super::super::model::{
    NewQuote, OnlyChanges, PublicDecision, Quote, QuoteChanges, QuoteContent, QuoteStatus, Totals, totals,
};
use super::super::store::{self, Revision};
use super::super::work::{self, Sender, links};
use crate::admin::{AuditAction, note_about};
use hanok_base::error::Check;
use hanok_base::page::{Limit, Offset};
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::validated::Unchecked;
use hanok_base::{Page, Result, Validated, day};
use hanok_platform::app::App;
use hanok_platform::http::{
    Admin, Checked, Created, Deleted, HandlerResult, IdempotencyKey, Json, Key, Peer, Query, forget_answers_about,
    link_origin, site_origin, tx_op,
};
use hanok_platform::store::{ReadTransaction, WriteTx};

/// How many quotes a list gives when nobody says otherwise.
const USUAL: u64 = 50;

/// Which quotes are wanted.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct QuotesWanted {
    /// Words or parts of words that they say, in any order; then the best stand first.
    pub q: Option<Validated<Text<1, 200>>>,
    /// Only in this state; left out it is all.
    pub status: Option<Validated<Unchecked<QuoteStatus>>>,
    /// How many; left out it is 50.
    pub limit: Option<Validated<Limit>>,
    /// How many to pass over first.
    pub offset: Option<Validated<Offset>>,
}

/// Quotes.
#[derive(Debug, Serialize, ToSchema)]
pub struct Quotes {
    /// Newest first; those that were found by words, the best first.
    pub quotes: Vec<ListedQuote>,
    /// How many there are on all pages.
    pub total: u64,
    /// How many are in each state, whatever is asked for.
    pub counts: Vec<QuoteCount>,
    /// Whether everything that was written before this was asked has been looked at; otherwise the index of words is behind.
    pub complete: bool,
}

/// How many quotes are in a state.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuoteCount {
    /// The state.
    pub status: QuoteStatus,
    /// How many.
    pub count: u64,
}

/// A quote in a list, without what it says in detail.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedQuote {
    /// Its number, by which people name it.
    pub number: u64,
    /// Its id.
    pub id: String,
    /// Where it stands.
    pub status: QuoteStatus,
    /// Its revision.
    pub revision: u32,
    /// How often anything of it was changed.
    pub version: u32,
    /// What it is about.
    pub title: String,
    /// For whom it is.
    pub client_name: String,
    /// Where the customer is written to; may be empty while it is a draft.
    pub client_email: String,
    /// The customer's telephone number; may be empty.
    pub client_phone: String,
    /// The last day on which it can be accepted, in Asia/Seoul; null where it does not end.
    pub valid_until: Option<NaiveDate>,
    /// The request that it answers.
    pub contact_request_id: Option<String>,
    /// The account that it is linked to.
    pub user_id: Option<String>,
    /// When it was begun.
    pub created_at: DateTime<Utc>,
    /// When it was changed last.
    pub updated_at: DateTime<Utc>,
    /// When it was sent last; null while it never was.
    pub sent_at: Option<DateTime<Utc>>,
    /// What the customer has decided; null while nothing is.
    pub decision: Option<PublicDecision>,
    /// What it adds up to: what was decided, or without any optional line.
    pub totals: Totals,
    /// Whether its last day is over and it is not decided.
    pub expired: bool,
}

/// A quote with everything that belongs to it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct QuoteAtDesk {
    /// The quote.
    #[serde(flatten)]
    pub quote: Quote,
    /// What it adds up to: what was decided, or without any optional line.
    pub totals: Totals,
    /// Whether its last day is over and it is not decided.
    pub expired: bool,
    /// The page on which its customer sees it; null while it never was sent.
    pub quote_url: Option<String>,
    /// What the customer was shown of it, the latest first.
    pub revisions: Vec<Revision>,
}

/// A quote that was sent.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct SentQuote {
    /// The quote.
    pub quote: QuoteAtDesk,
    /// The page on which its customer sees it.
    pub quote_url: String,
    /// Whether the mail to the customer waits to go out.
    pub mail_queued: bool,
}

/// Quotes, of one state or of all, or those that are found by words.
#[endpoint(operation_id = "admin_quotes", tags("admin"))]
pub async fn list(app: App, _caller: Admin, wanted: Query<QuotesWanted>) -> HandlerResult<Json<Quotes>> {
    let QuotesWanted { q, status, limit, offset } = wanted.0;
    let (q, status, page) = Check::of(|check| {
        let q = q.map(|q| check.take("q", q));
        let status = status.and_then(|status| check.find("status", status));
        (q, status, Page::take(check, limit, offset, USUAL))
    })?;
    Ok(Json(find_wanted(&app, q, status, page).await?))
}

/// The quotes of a state, or of any; those that say the words, where there are some.
///
/// # Errors
/// Those of the store and of the index.
pub async fn find_wanted(app: &App, words: Option<String>, status: Option<QuoteStatus>, page: Page) -> Result<Quotes> {
    let found = match words {
        Some(words) => Some(work::search(app, &words, status, page).await?),
        None => None,
    };
    let listed = app.data.store.read(move |tx| {
        let counts = store::counts(tx)?;
        let counts = QuoteStatus::ALL.map(|status| QuoteCount { status, count: counts.of(status) }).into();
        let (quotes, total, complete) = match found {
            None => {
                let (quotes, total) = store::list(tx, status, page)?;
                (quotes, total, true)
            }
            Some(found) => {
                let numbers = found.hits.iter().map(|hit| hit.document.id).collect();
                (store::numbered(tx, numbers)?, found.total, found.is_fresh)
            }
        };
        let quotes = quotes.into_iter().map(|quote| listed(tx, quote)).collect::<Result<_>>()?;
        Ok(Quotes { quotes, total, counts, complete })
    });
    listed.await
}

/// A quote with everything that belongs to it.
#[endpoint(operation_id = "admin_quote", tags("admin"))]
pub async fn find(app: App, _caller: Admin, id: Key, req: &mut Request) -> HandlerResult<Json<QuoteAtDesk>> {
    let origin = shown_origin(&app, req);
    Ok(Json(app.data.store.read(move |tx| at_desk(tx, store::find(tx, &id.0)?, &origin)).await?))
}

/// Begins a quote: a draft, which nobody but the desk sees.
#[endpoint(operation_id = "admin_add_quote", tags("admin"))]
pub async fn add(
    app: App,
    caller: Admin,
    peer: Peer,
    key: IdempotencyKey,
    body: Checked<NewQuote>,
    req: &mut Request,
) -> HandlerResult<Created<QuoteAtDesk>> {
    let (origin, by) = (shown_origin(&app, req), caller.name.clone());
    let begun = tx_op(move |tx: &WriteTx| at_desk(tx, create_at_desk(tx, (&by, peer), body.0)?, &origin));
    Ok(Created(key.once(&app, &caller, begun).await?))
}

/// Changes a quote that is not decided. Whatever is sent beside what can be changed is refused by name, and nothing is changed. A
/// quote that was sent gets another revision and another hash.
#[endpoint(operation_id = "admin_change_quote", tags("admin"))]
pub async fn change(
    app: App,
    caller: Admin,
    peer: Peer,
    body: Checked<OnlyChanges>,
    req: &mut Request,
) -> HandlerResult<Json<QuoteAtDesk>> {
    let (origin, OnlyChanges(changes)) = (shown_origin(&app, req), body.0);
    let changed = app.data.store.write(move |tx| {
        let quote = change_at_desk(tx, (&caller.name, peer), changes)?;
        at_desk(tx, quote, &origin)
    });
    Ok(Json(changed.await?))
}

/// Removes a draft that was never sent.
#[endpoint(operation_id = "admin_remove_quote", tags("admin"))]
pub async fn remove(app: App, caller: Admin, peer: Peer, id: Key) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| remove_at_desk(tx, (&caller.name, peer), &id.0)).await?;
    Ok(Deleted::default())
}

/// Sends a quote to its customer by mail, with a link to it; or sends it again.
#[endpoint(operation_id = "admin_send_quote", tags("admin"))]
pub async fn send(
    app: App,
    caller: Admin,
    peer: Peer,
    key: IdempotencyKey,
    id: Key,
    req: &mut Request,
) -> HandlerResult<Json<SentQuote>> {
    let sender = Sender { by: caller.name.clone(), origin: link_origin(&app, req)? };
    let sent = tx_op(move |tx: &WriteTx| {
        let (quote, word) = send_at_desk(tx, (&sender, peer), &id.0)?;
        let quote_url = links::page_at(&sender.origin, &word, quote.content.language);
        Ok(SentQuote { quote: at_desk(tx, quote, &sender.origin)?, quote_url, mail_queued: true })
    });
    Ok(Json(key.once(&app, &caller, sent).await?))
}

/// Ends the link to a quote that was sent, and makes a new one. No mail goes out.
#[endpoint(operation_id = "admin_renew_quote_link", tags("admin"))]
pub async fn renew_link(
    app: App,
    caller: Admin,
    peer: Peer,
    key: IdempotencyKey,
    id: Key,
    req: &mut Request,
) -> HandlerResult<Created<QuoteAtDesk>> {
    let (origin, by) = (shown_origin(&app, req), caller.name.clone());
    let renewed = tx_op(move |tx: &WriteTx| at_desk(tx, renew_link_at_desk(tx, (&by, peer), &id.0)?, &origin));
    Ok(Created(key.once(&app, &caller, renewed).await?))
}

/// Makes a new draft that says what a quote says.
#[endpoint(operation_id = "admin_duplicate_quote", tags("admin"))]
pub async fn duplicate(
    app: App,
    caller: Admin,
    peer: Peer,
    key: IdempotencyKey,
    id: Key,
    req: &mut Request,
) -> HandlerResult<Created<QuoteAtDesk>> {
    let (origin, by) = (shown_origin(&app, req), caller.name.clone());
    let made = tx_op(move |tx: &WriteTx| at_desk(tx, duplicate_at_desk(tx, (&by, peer), &id.0)?, &origin));
    Ok(Created(key.once(&app, &caller, made).await?))
}

/// Begins a quote, and notes that.
///
/// # Errors
/// Those of [`work::create`].
pub fn create_at_desk(tx: &WriteTx, (by, peer): (&str, Peer), new: NewQuote) -> Result<Quote> {
    let quote = work::create(tx, new)?;
    note_about(tx, by, AuditAction::QuoteCreated, peer.0, &quote.id)?;
    Ok(quote)
}

/// Changes a quote, and notes that.
///
/// # Errors
/// Those of [`work::change`].
pub fn change_at_desk(tx: &WriteTx, (by, peer): (&str, Peer), changes: QuoteChanges) -> Result<Quote> {
    let quote = work::change(tx, changes)?;
    note_about(tx, by, AuditAction::QuoteChanged, peer.0, &quote.id)?;
    Ok(quote)
}

/// Sends a quote, and notes that. Gives it with the word of its link.
///
/// # Errors
/// Those of [`work::send`].
pub fn send_at_desk(tx: &WriteTx, (sender, peer): (&Sender, Peer), id: &str) -> Result<(Quote, String)> {
    let sent = work::send(tx, sender, id)?;
    note_about(tx, &sender.by, AuditAction::QuoteSent, peer.0, id)?;
    Ok(sent)
}

/// Makes a new link to a quote, and notes that.
///
/// # Errors
/// Those of [`work::renew_link`].
pub fn renew_link_at_desk(tx: &WriteTx, (by, peer): (&str, Peer), id: &str) -> Result<Quote> {
    let quote = work::renew_link(tx, id)?;
    note_about(tx, by, AuditAction::QuoteLinkRenewed, peer.0, id)?;
    Ok(quote)
}

/// Makes a new draft of a quote, and notes that.
///
/// # Errors
/// Those of [`work::duplicate`].
pub fn duplicate_at_desk(tx: &WriteTx, (by, peer): (&str, Peer), id: &str) -> Result<Quote> {
    let quote = work::duplicate(tx, id)?;
    note_about(tx, by, AuditAction::QuoteCreated, peer.0, &quote.id)?;
    Ok(quote)
}

/// Removes a draft with the answers that are kept for who sends it again, and notes that.
///
/// # Errors
/// Those of [`work::remove`].
pub fn remove_at_desk(tx: &WriteTx, (by, peer): (&str, Peer), id: &str) -> Result<()> {
    work::remove(tx, id)?;
    forget_answers_about(tx, id)?;
    note_about(tx, by, AuditAction::QuoteRemoved, peer.0, id)
}

/// What the links begin with that the desk is shown: as those that customers are sent, and where nobody knows that, as the desk
/// itself is reached.
pub fn shown_origin(app: &App, req: &Request) -> String {
    link_origin(app, req).unwrap_or_else(|_| site_origin(app, req))
}

/// A quote with everything that belongs to it.
///
/// # Errors
/// Those of reading.
pub fn at_desk(tx: &impl ReadTransaction, quote: Quote, origin: &str) -> Result<QuoteAtDesk> {
    let (quote_url, revisions) = (links::url_of(tx, &quote, origin)?, store::revisions(tx, &quote)?);
    let (totals, expired) = sum_of(tx, &quote)?;
    Ok(QuoteAtDesk { quote, totals, expired, quote_url, revisions })
}

/// A quote as a list has it.
///
/// # Errors
/// `INTERNAL` where it adds up to no sum.
pub fn listed(tx: &impl ReadTransaction, quote: Quote) -> Result<ListedQuote> {
    let (totals, expired) = sum_of(tx, &quote)?;
    let decision = quote.decision.as_ref().map(PublicDecision::from);
    let Quote { number, id, status, revision, version, content, client_email, client_phone, .. } = quote;
    let Quote { contact_request_id, user_id, created_at, updated_at, sent_at, .. } = quote;
    let QuoteContent { title, client_name, valid_until, .. } = content;
    Ok(ListedQuote {
        number,
        id,
        status,
        revision,
        version,
        title,
        client_name,
        client_email,
        client_phone,
        valid_until,
        contact_request_id,
        user_id,
        created_at,
        updated_at,
        sent_at,
        decision,
        totals,
        expired,
    })
}

/// What a quote adds up to, and whether its last day is over and it is not decided.
fn sum_of(tx: &impl ReadTransaction, quote: &Quote) -> Result<(Totals, bool)> {
    let totals = match &quote.decision {
        Some(decision) => decision.totals,
        None => totals(&quote.content, &[])?,
    };
    let expired = quote.decision.is_none() && quote.content.is_expired(day::of(tx.now()));
    Ok((totals, expired))
}
