//! What a program sent that filled in the field which nobody sees: answered like a request, followed by its link and shared like
//! one, so that nothing tells that program apart. It is kept in memory only, and not for long.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::super::model::{Received, Request, RequestDetails, Share, SharedRequest, Status, StatusChange, Tracked};
use super::follow;
use super::shares::{self, NewShare};
use hanok_base::secret::random_token;
use hanok_base::{Error, Result, day};
use hanok_platform::mail::Language;

/// The most that are kept; the oldest go first.
const MOST: usize = 200;

static KEPT: Mutex<VecDeque<Decoy>> = Mutex::new(VecDeque::new());

struct Decoy {
    token: String,
    request: Request,
    /// Newest first.
    shares: Vec<Share>,
}

impl Decoy {
    fn history(&self) -> Vec<StatusChange> {
        vec![StatusChange::received(self.request.created_at)]
    }

    fn language(&self) -> Language {
        self.request.details.language
    }
}

/// What is told of a request that is not one.
pub fn receive(now: DateTime<Utc>, details: RequestDetails, origin: &str) -> Received {
    let (id, status, token) = (Uuid::now_v7().to_string(), Status::Pending, random_token(24));
    let track_url = follow::page_at(origin, &token, details.language);
    let request = Request {
        number: 0,
        id: id.clone(),
        details,
        status,
        status_before_hold: None,
        created_at: now,
        updated_at: now,
    };
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.truncate(MOST - 1);
    kept.push_front(Decoy { token: token.clone(), request, shares: Vec::new() });
    Received { id, status, public_token: token, track_url, created_at: now }
}

/// What is shown to who follows the link; none where the word is of no decoy, as with all that follow.
pub fn find(token: &str) -> Option<Tracked> {
    with(token, |decoy| decoy.request.clone().tracked(decoy.history()))
}

/// A share link of one, as of a request.
pub fn share(token: &str, new: &NewShare, now: DateTime<Utc>) -> Option<Result<(Share, Language)>> {
    with(token, |decoy| {
        shares::check(new, decoy.shares.len(), now)?;
        let (id, NewShare { by, until, label }) = (Uuid::now_v7().simple().to_string(), new.clone());
        let word = format!("{id}.{}", random_token(32));
        let share = Share { id, by, label, until, created_at: now, used_at: None, word };
        decoy.shares.insert(0, share.clone());
        Ok((share, decoy.language()))
    })
}

/// The share links of one, newest first.
pub fn shares(token: &str) -> Option<(Vec<Share>, Language)> {
    with(token, |decoy| (decoy.shares.clone(), decoy.language()))
}

/// Ends a share link of one.
pub fn end_share(token: &str, id: &str) -> Option<Result<()>> {
    with(token, |decoy| {
        let before = decoy.shares.len();
        decoy.shares.retain(|share| share.id != id);
        if decoy.shares.len() < before { Ok(()) } else { Err(Error::not_found("share link")) }
    })
}

/// What is shown to who has a share link of one.
pub fn find_shared(word: &str, now: DateTime<Utc>) -> Option<SharedRequest> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.iter_mut().find_map(|decoy| {
        let history = decoy.history();
        let share = decoy.shares.iter_mut().find(|share| share.word == word && share.until >= day::of(now))?;
        share.used_at = Some(now);
        Some(decoy.request.clone().shared(history, share.until))
    })
}

fn with<T>(token: &str, work: impl FnOnce(&mut Decoy) -> T) -> Option<T> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.iter_mut().find(|decoy| decoy.token == token).map(work)
}
