//! What a program sent that filled in the field which nobody sees: answered like a request and followed by its link like one, so
//! that nothing tells that program apart. It is kept in memory only, and not for long.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::super::model::{MoveMade, Received, Request, RequestDetails, Status, Tracked};
use super::{follow, language};
use hanok_base::secret::random_token;

/// The most that are kept; the oldest go first.
const MOST: usize = 200;

static KEPT: Mutex<VecDeque<(String, Tracked)>> = Mutex::new(VecDeque::new());

/// What is told of a request that is not one.
pub fn receive(now: DateTime<Utc>, details: RequestDetails, origin: &str) -> Received {
    let (id, status, token) = (Uuid::now_v7().to_string(), Status::Pending, random_token(24));
    let track_url = follow::page_at(origin, &token, language(details.language));
    let request =
        Request { number: 0, id: id.clone(), details, status, held_from: None, created_at: now, updated_at: now };
    let received = MoveMade { from: None, to: status, by: String::new(), message: String::new(), at: now };
    let tracked = request.tracked(vec![received]);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.truncate(MOST - 1);
    kept.push_front((token.clone(), tracked));
    Received { id, status, public_token: token, track_url, created_at: now }
}

/// What is shown to who follows the link.
pub fn find(token: &str) -> Option<Tracked> {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.iter().find(|(known, _)| known == token).map(|(_, tracked)| tracked.clone())
}
