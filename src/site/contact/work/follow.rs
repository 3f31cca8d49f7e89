//! By what a customer follows a request: the link of the receipt, and the link of the mails and messages that come later.
//!
//! Beside a request only the hash of the word of the receipt is kept; the word itself stands in the letter that was sent, as
//! long as letters are kept, and for a day in the answer that is given again by its key. What comes later carries a link of
//! one purpose of its own (`platform/auth`), which can be said again: one for each request, and it ends with the link of the
//! receipt.

use chrono::Duration;

use super::super::model::Request;
use super::super::store;
use crate::frame::address_of;
use hanok_base::Result;
use hanok_platform::auth::{self, Purpose};
use hanok_platform::mail::Language;
use hanok_platform::store::{ReadTransaction, WriteTx};

const FOLLOWED: Purpose = Purpose::new("contact_follow");
/// For how many days it is good: longer than any work, as the link of the receipt.
const DAYS: i64 = 3660;

/// Where the site is reached, as far as the desk can say.
#[derive(Debug, Clone)]
pub struct Reached {
    /// By customers; none while nobody has said by which address.
    pub address: Option<String>,
    /// By who sits at the desk.
    pub here: String,
}

impl Reached {
    /// What links begin with that the desk is shown, for who gives them on: as those that customers are sent, and where nobody
    /// knows that, as the desk itself is reached.
    pub fn shown(&self) -> &str {
        self.address.as_deref().unwrap_or(&self.here)
    }
}

/// The page of the request that `word` opens, in this language.
pub fn page_at(origin: &str, word: &str, language: Language) -> String {
    format!("{origin}{}", address_of(&format!("/contact/{word}"), language))
}

/// The request that the word opens: that of the receipt, or of a later mail.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find_by_token(tx: &impl ReadTransaction, token: &str) -> Result<Request> {
    match auth::opened_link(tx, FOLLOWED, token)? {
        Some(link) => store::find(tx, &link.about),
        None => store::find_by_token(tx, token),
    }
}

/// The word by which later mails lead to the request; none where its link was ended: no mail opens it again.
///
/// # Errors
/// Those of the store.
pub fn word_of_mails(tx: &WriteTx, request: &Request) -> Result<Option<String>> {
    if !store::has_link(tx, request)? {
        return Ok(None);
    }
    match auth::list_links(tx, FOLLOWED, Some(&request.id))?.first() {
        Some(link) => auth::word_of(tx, link).map(Some),
        None => auth::add_link(tx, FOLLOWED, &request.id, "", Duration::days(DAYS)).map(|(_, word)| Some(word)),
    }
}

/// Ends what later mails lead by.
///
/// # Errors
/// Those of the store.
pub fn end(tx: &WriteTx, request: &Request) -> Result<()> {
    auth::end_links(tx, FOLLOWED, &request.id)
}
