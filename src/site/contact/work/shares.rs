//! Share links of requests: read-only, each good until its last day, listed with when it was used last, and ended one by one.
//!
//! They are links of one purpose of their own (`platform/auth`): no word of another purpose opens a shared page, and theirs
//! opens nothing else.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::super::model::{Request, Share, ShareMaker, ShareWanted, SharedRequest};
use super::super::store::{self, CHANGED, find, history};
use super::follow;
use hanok_base::{Error, Kind, MessageTemplate, Result, day};
use hanok_platform::auth::{self, Link, Purpose};
use hanok_platform::chat;
use hanok_platform::mail::{self, EmailAddress};
use hanok_platform::store::{ReadTransaction, WriteTx};

const SHARED: Purpose = Purpose::new("contact_share");
/// The most share links of one request that are good at the same time.
const MOST: usize = 20;
/// For how many days a link may be good.
pub const LONGEST_DAYS: i64 = 366;

const ENOUGH: MessageTemplate =
    MessageTemplate::new("contact.enough_shares", "a request has at most {most} share links; end one first");
const UNTIL: MessageTemplate =
    MessageTemplate::new("contact.must.until", "must be a day from today to a year from now");

/// What is written beside a link.
#[derive(Serialize, Deserialize)]
struct Beside {
    by: ShareMaker,
    label: String,
}

/// Who makes a share link, until when it is good, and what is written beside it.
#[derive(Debug, Clone)]
pub struct NewShare {
    /// Who makes it.
    pub by: ShareMaker,
    /// The last day on which it opens the request.
    pub until: NaiveDate,
    /// For whom it is; may be empty.
    pub label: String,
}

impl NewShare {
    /// What is asked for, as `by` asks for it.
    pub fn of(ShareWanted { until, label }: ShareWanted, by: ShareMaker) -> NewShare {
        NewShare { by, until, label }
    }
}

/// Makes a share link to the request.
///
/// # Errors
/// `INVALID_INPUT` for a day that is over or too far; `CONFLICT` when there are too many.
pub fn share(tx: &WriteTx, request: &Request, new: NewShare) -> Result<Share> {
    check(&new, auth::list_links(tx, SHARED, Some(&request.id))?.len(), tx.now())?;
    let beside = serde_json::to_string(&Beside { by: new.by, label: new.label }).map_err(Error::internal)?;
    let lasts = day::start(new.until + Duration::days(1)) - tx.now();
    let (link, word) = auth::add_link(tx, SHARED, &request.id, &beside, lasts)?;
    tx.announce(CHANGED);
    seen(link, word)
}

/// Refuses what cannot be made of a request that has so many share links.
///
/// # Errors
/// `INVALID_INPUT` for a day that is over or too far; `CONFLICT` when there are too many.
pub fn check(new: &NewShare, there_are: usize, now: DateTime<Utc>) -> Result<()> {
    let today = day::of(now);
    let is_good = (today..=today + Duration::days(LONGEST_DAYS)).contains(&new.until);
    if !is_good {
        return Err(Error::field("until", UNTIL));
    }
    if there_are >= MOST { Err(Error::conflict(ENOUGH.with([("most", MOST.into())]))) } else { Ok(()) }
}

/// The share links to the request that are good, newest first.
///
/// # Errors
/// Those of reading.
pub fn shares(tx: &impl ReadTransaction, request: &Request) -> Result<Vec<Share>> {
    let links = auth::list_links(tx, SHARED, Some(&request.id))?;
    links.into_iter().map(|link| auth::word_of(tx, &link).and_then(|word| seen(link, word))).collect()
}

/// Ends the share link `id` of the request.
///
/// # Errors
/// `NOT_FOUND`, also where it is another request's.
pub fn end_share(tx: &WriteTx, request: &Request, id: &str) -> Result<()> {
    let is_its_own = auth::list_links(tx, SHARED, Some(&request.id))?.iter().any(|link| link.id == id);
    if !is_its_own || !auth::end_link(tx, SHARED, id)? {
        return Err(Error::not_found("share link"));
    }
    tx.announce(CHANGED);
    Ok(())
}

/// Gives the customer's link anew, and the word that opens the request by it. The one before ends, with that of the mails and
/// with the share links that were made by it.
///
/// # Errors
/// `NOT_FOUND`.
pub fn renew_link(tx: &WriteTx, id: &str) -> Result<String> {
    end_the_customers(tx, &find(tx, id)?)?;
    store::renew_link(tx, id)
}

/// Ends the customer's link, with that of the mails and with the share links that were made by it.
///
/// # Errors
/// `NOT_FOUND`.
pub fn end_link(tx: &WriteTx, id: &str) -> Result<()> {
    end_the_customers(tx, &find(tx, id)?)?;
    store::end_link(tx, id)
}

/// Removes a request with its notes, moves and links, and with all that was said of it: mails and messages, also those that
/// wait.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: &str) -> Result<()> {
    let request = find(tx, id)?;
    follow::end(tx, &request)?;
    auth::end_links(tx, SHARED, &request.id)?;
    // Of mails that were queued before it was noted what they are about, those of this address.
    let is_of_customer = |address: &EmailAddress| address.as_str().eq_ignore_ascii_case(&request.details.email);
    mail::take_back(tx, id, |mail| {
        mail.kind.starts_with("contact_")
            && (is_of_customer(&mail.to) || mail.reply_to.as_ref().is_some_and(is_of_customer))
    })?;
    chat::forget_about(tx, id)?;
    store::remove(tx, id)
}

/// Ends the link of the mails, and the share links that the customer made of the request: whoever had the link of the receipt
/// has no other way in.
fn end_the_customers(tx: &WriteTx, request: &Request) -> Result<()> {
    follow::end(tx, request)?;
    let made = shares(tx, request)?.into_iter().filter(|share| share.by == ShareMaker::Customer);
    made.into_iter().try_for_each(|share| auth::end_link(tx, SHARED, &share.id).map(drop))
}

/// The request that the word of a share link opens, and the link.
///
/// # Errors
/// `NOT_FOUND`, whatever is wrong with the word.
pub fn find_shared(tx: &impl ReadTransaction, word: &str) -> Result<(SharedRequest, Link)> {
    let no_such = |error: Error| if error.kind == Kind::NotFound { Error::not_found("shared page") } else { error };
    let link = auth::find_link(tx, SHARED, word).map_err(no_such)?;
    let request = find(tx, &link.about).map_err(no_such)?;
    let history = history(tx, &request)?;
    Ok((request.shared(history, last_day(link.expires_at)), link))
}

/// The last day of a link that ends at this instant.
fn last_day(expires_at: DateTime<Utc>) -> NaiveDate {
    day::of(expires_at - Duration::milliseconds(1))
}

fn seen(link: Link, word: String) -> Result<Share> {
    let Beside { by, label } = serde_json::from_str(&link.note).map_err(Error::internal)?;
    let (id, created_at, used_at, until) = (link.id, link.created_at, link.used_at, last_day(link.expires_at));
    Ok(Share { id, by, label, until, created_at, used_at, word })
}
