//! The link by which a customer opens a quote: one for each, made when the quote is sent first, ended with the quote. It is noted
//! for which address it was made: where the quote is sent to another one, and where the desk asks for it, another link takes its
//! place.
//!
//! It is a link of one purpose of its own (`platform/auth`), which can be shown again: at the desk and in later mails.

use chrono::Duration;

use super::super::model::{Quote, QuoteStatus};
use super::super::store;
use crate::frame::address_of;
use hanok_base::{Error, Result};
use hanok_platform::app::App;
use hanok_platform::auth::{self, CustomerRow, Purpose};
use hanok_platform::mail::Language;
use hanok_platform::store::{ReadTransaction, WriteTx};

/// What the links of customers are for.
const LINK: Purpose = Purpose::new("quote");
/// For how many days a link is good: longer than any work.
const LINK_DAYS: i64 = 3660;

/// What links begin with: the address of the site, and while none is set where its door listens, as long as only this machine
/// reaches that; none where neither is known.
pub fn origin(app: &App) -> Option<String> {
    let site = &app.config.site;
    if let Some(origin) = site.origin() {
        return Some(origin.to_owned());
    }
    let listens = app.access.site_address.get().unwrap_or(&site.listen);
    (!site.lacks_address() && listens.port() != 0).then(|| format!("http://{listens}"))
}

/// The page of the quote that `word` opens, in this language.
pub fn page_at(origin: &str, word: &str, language: Language) -> String {
    format!("{origin}{}", address_of(&format!("/quote/{word}"), language))
}

/// The page on which its customer sees the quote; none while it never was sent.
///
/// # Errors
/// Those of reading.
pub fn url_of(tx: &impl ReadTransaction, quote: &Quote, origin: &str) -> Result<Option<String>> {
    let token = token_of(tx, quote)?;
    Ok(token.map(|word| page_at(origin, &word, quote.content.language)))
}

/// The quote that the word of a link opens; never a draft.
///
/// # Errors
/// `NOT_FOUND`, whatever is wrong with the word.
pub fn find_by_token(tx: &impl ReadTransaction, token: &str) -> Result<Quote> {
    let no_such = || Error::not_found("quote");
    let link = auth::opened_link(tx, LINK, token)?.ok_or_else(no_such)?;
    let quote = store::find(tx, &link.about)?;
    if quote.status == QuoteStatus::Draft { Err(no_such()) } else { Ok(quote) }
}

/// The word of the link to the quote; none while it never was sent.
///
/// # Errors
/// Those of reading.
pub fn token_of(tx: &impl ReadTransaction, quote: &Quote) -> Result<Option<String>> {
    let links = auth::list_links(tx, LINK, Some(&quote.id))?;
    links.first().map(|link| auth::word_of(tx, link)).transpose()
}

/// The word of the link to who the quote is sent to now, and whether it is a new one: where there is none, and where it was made
/// for another address, which opens nothing by it any more.
///
/// # Errors
/// Those of writing.
pub fn link(tx: &WriteTx, quote: &Quote) -> Result<(String, bool)> {
    let links = auth::list_links(tx, LINK, Some(&quote.id))?;
    match links.first().filter(|link| link.note.is_empty() || is_of_client(quote, &link.note)) {
        Some(link) => Ok((auth::word_of(tx, link)?, false)),
        None => Ok((renew(tx, quote)?, true)),
    }
}

/// Ends the link to the quote, and makes a new one, whose word it gives.
///
/// # Errors
/// Those of writing.
pub fn renew(tx: &WriteTx, quote: &Quote) -> Result<String> {
    end(tx, quote)?;
    auth::add_link(tx, LINK, &quote.id, &quote.client_email, Duration::days(LINK_DAYS)).map(|(_, word)| word)
}

/// Whether `mail`, the confirmed address of an account, is the one to which the quote is sent.
pub fn is_of_client(quote: &Quote, mail: &str) -> bool {
    !mail.is_empty() && auth::known_as(mail) == auth::known_as(&quote.client_email)
}

/// Whether who has the link to the quote may follow it with this account: always with the address to which it is sent, with
/// another one only while no other account follows it.
pub fn may_follow(quote: &Quote, account: &CustomerRow) -> bool {
    let follower = quote.user_id.as_deref();
    follower.is_none_or(|id| id == account.id) || is_of_client(quote, &account.mail)
}

/// The mail address of the account that follows a quote, which may be empty; none where no account does.
///
/// # Errors
/// Those of reading.
pub fn followed_by(tx: &impl ReadTransaction, quote: &Quote) -> Result<Option<String>> {
    let account = match &quote.user_id {
        Some(id) => auth::find_customer(tx, id)?,
        None => None,
    };
    Ok(account.map(|account| account.mail))
}

/// Ends the link to the quote.
///
/// # Errors
/// Those of writing.
pub fn end(tx: &WriteTx, quote: &Quote) -> Result<()> {
    auth::end_links(tx, LINK, &quote.id)
}
