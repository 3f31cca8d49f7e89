//! The link by which a customer opens a quote: one for each, made when the quote is sent first, ended with the quote.
//!
//! It is a link of one purpose of its own (`platform/auth`), which can be shown again: at the desk and in later mails.

use chrono::Duration;

use super::super::model::{Quote, QuoteStatus};
use super::super::store;
use crate::frame::address_of;
use hanok_base::{Error, Result};
use hanok_platform::auth::{self, Purpose};
use hanok_platform::mail::Language;
use hanok_platform::store::{ReadTransaction, WriteTx};

/// What the links of customers are for.
const LINK: Purpose = Purpose::new("quote");
/// For how many days a link is good: longer than any work.
const LINK_DAYS: i64 = 3660;

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

/// [`token_of`], of a link that is made where there is none.
///
/// # Errors
/// Those of writing.
pub fn link(tx: &WriteTx, quote: &Quote) -> Result<String> {
    match token_of(tx, quote)? {
        Some(token) => Ok(token),
        None => auth::add_link(tx, LINK, &quote.id, "", Duration::days(LINK_DAYS)).map(|(_, word)| word),
    }
}

/// Ends the link to the quote.
///
/// # Errors
/// Those of writing.
pub fn end(tx: &WriteTx, quote: &Quote) -> Result<()> {
    auth::end_links(tx, LINK, &quote.id)
}
