//! The share links of a request as who has the link of the receipt makes, lists and ends them: those of a request, or of what a
//! program sent that only looks like one.

use super::super::model::Share;
use super::shares::{self, NewShare};
use super::{decoys, follow};
use hanok_base::Result;
use hanok_platform::mail::Language;
use hanok_platform::store::{ReadTransaction, WriteTx};

/// Makes a share link to the request that the word of the customer opens. Gives it with the language of that request.
///
/// # Errors
/// `NOT_FOUND`; those of [`shares::share`].
pub fn share(tx: &WriteTx, token: &str, new: NewShare) -> Result<(Share, Language)> {
    if let Some(made) = decoys::share(token, &new, tx.now()) {
        return made;
    }
    let request = follow::find_by_token(tx, token)?;
    Ok((shares::share(tx, &request, new)?, request.details.language))
}

/// The share links that are good to the request that the word of the customer opens, newest first, with the language of that
/// request.
///
/// # Errors
/// `NOT_FOUND`.
pub fn shares(tx: &impl ReadTransaction, token: &str) -> Result<(Vec<Share>, Language)> {
    if let Some(found) = decoys::shares(token) {
        return Ok(found);
    }
    let request = follow::find_by_token(tx, token)?;
    Ok((shares::shares(tx, &request)?, request.details.language))
}

/// Ends the share link `id` of the request that the word of the customer opens.
///
/// # Errors
/// `NOT_FOUND`, also where it is another request's.
pub fn end_share(tx: &WriteTx, token: &str, id: &str) -> Result<()> {
    match decoys::end_share(token, id) {
        Some(ended) => ended,
        None => shares::end_share(tx, &follow::find_by_token(tx, token)?, id),
    }
}
