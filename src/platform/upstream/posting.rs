//! Posting what is to be done there: once, whatever happens. Without an answer it may have been done, and whoever posted
//! is told so.

use reqwest::StatusCode;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde::Serialize;
use serde::de::IgnoredAny;

use super::attempt::{self, Failure};
use super::{Limits, Provider, Upstreams};
use hanok_base::{Error, Result};

/// An answer of the provider itself, whatever its status: JSON within the limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// There is no answer of the provider.
#[derive(Debug)]
pub struct Unanswered {
    /// Why.
    pub error: Box<Error>,
    /// Whether what was asked for may have been done: it was sent, or part of it.
    pub may_be_done: bool,
}

impl Upstreams {
    /// Posts `body` as JSON to `url`, once. A refusal with JSON is an answer: 400, 403, 409 and 429 are about the request, and
    /// the provider is well; any other counts against it.
    ///
    /// # Errors
    /// That there is no answer, or none in JSON, with the error of [`Upstreams::get`], and whether it may be done.
    pub async fn post_once(
        &self,
        provider: &Provider,
        url: &str,
        body: &impl Serialize,
        limits: Limits,
    ) -> Result<Posted, Unanswered> {
        let surely_not = |error| Unanswered { error: Box::new(error), may_be_done: false };
        let body = serde_json::to_vec(body).map_err(|error| surely_not(Error::internal(error)))?;
        let admission = self.admit(provider).map_err(surely_not)?;
        let request = self.0.client.post(url).header(ACCEPT, "application/json");
        let sent = attempt::send_once(request.header(CONTENT_TYPE, "application/json").body(body), &limits);
        let outcome = tokio::time::timeout(limits.timeout, sent).await.unwrap_or(Err((Failure::TimedOut, true)));
        let outcome = match outcome.and_then(|(status, body)| told(status, body)) {
            Ok((posted, None)) => {
                admission.succeeded();
                Ok(posted)
            }
            Ok((posted, Some(failure))) => {
                admission.failed(&failure);
                Ok(posted)
            }
            Err((failure, may_be_done)) => Err(Unanswered { error: Box::new(admission.failed(&failure)), may_be_done }),
        };
        self.keep(provider.name).await;
        outcome
    }
}

/// What the provider itself has said; with it, what counts against it.
fn told(status: StatusCode, body: Vec<u8>) -> Result<(Posted, Option<Failure>), (Failure, bool)> {
    // A page in the place of the answer comes from what stands before the provider, which may have heard all the same.
    if let Err(error) = serde_json::from_slice::<IgnoredAny>(&body) {
        let failure =
            if status.is_success() { Failure::Unreadable(error.to_string()) } else { Failure::Status(status, None) };
        return Err((failure, true));
    }
    let is_well = status.is_success() || matches!(status.as_u16(), 400 | 403 | 409 | 429);
    let failure = (!is_well).then_some(Failure::Status(status, None));
    Ok((Posted { status: status.as_u16(), body }, failure))
}
