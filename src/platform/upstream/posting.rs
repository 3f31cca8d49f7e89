//! Posting what is to be done there: once, whatever happens. Without an answer it may have been done, and whoever posted
//! is told so.

use std::fmt;

use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde::Serialize;
use serde::de::IgnoredAny;

use super::attempt::{self, Failure, SentAnswer};
use super::{Accept, Limits, Provider, Upstreams};
use hanok_base::{Error, Result};

/// An answer of the provider itself, whatever its status: JSON within the limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    /// The status.
    pub status: u16,
    /// The header lines, as far as they are text: by some the provider says whether more is to come.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Posted {
    /// The first header line of this name, which is in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(line, _)| line == name).map(|(_, value)| value.as_str())
    }
}

/// The verb of a write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Verb {
    /// Does something.
    #[default]
    Post,
    /// Puts something in its place.
    Put,
    /// Changes part of something.
    Patch,
    /// Takes something away.
    Delete,
    /// Only reads, at a provider whose refusals have to be read, too: asked once, and given whatever its status.
    Get,
}

/// A request that does something at a provider.
#[derive(Clone, Default)]
pub struct WriteRequest {
    /// Its verb.
    pub verb: Verb,
    /// Its address.
    pub url: String,
    /// Header lines, such as the authorization and the idempotency key. They go to no log.
    pub headers: Vec<(&'static str, String)>,
    /// The content type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
    /// Its limits. With [`super::Accept::Anything`] an answer need not be JSON.
    pub limits: Limits,
}

impl WriteRequest {
    /// Posts `body` as JSON to `url`.
    ///
    /// # Errors
    /// `INTERNAL` when it cannot be written as JSON.
    pub fn json(url: impl Into<String>, body: &impl Serialize) -> Result<WriteRequest> {
        let body = serde_json::to_vec(body).map_err(Error::internal)?;
        Ok(WriteRequest { url: url.into(), content_type: "application/json", body, ..WriteRequest::default() })
    }

    /// Posts `fields` as a form to `url`.
    pub fn form(url: impl Into<String>, fields: &[(&str, &str)]) -> WriteRequest {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish().into_bytes();
        WriteRequest {
            url: url.into(),
            content_type: "application/x-www-form-urlencoded",
            body,
            ..WriteRequest::default()
        }
    }

    /// With the header line `name: value`.
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// Neither the body nor the header lines, which may hold secrets.
impl fmt::Debug for WriteRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteRequest").field("verb", &self.verb).finish_non_exhaustive()
    }
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
        let request = WriteRequest::json(url, body);
        let request = request.map_err(|error| Unanswered { error: Box::new(error), may_be_done: false })?;
        self.write_once(provider, WriteRequest { limits, ..request }).await
    }

    /// Sends `request`, once, as [`Upstreams::post_once`] does. What is kept of it beyond the process is `crate::writes`' to do.
    ///
    /// # Errors
    /// Those of [`Upstreams::post_once`].
    pub async fn write_once(&self, provider: &Provider, request: WriteRequest) -> Result<Posted, Unanswered> {
        let surely_not = |error| Unanswered { error: Box::new(error), may_be_done: false };
        let limits = request.limits.clone();
        let admission = self.admit(provider).map_err(surely_not)?;
        let sent = attempt::send_once(self.built(request), &limits);
        let outcome = tokio::time::timeout(limits.timeout, sent).await.unwrap_or(Err((Failure::TimedOut, true)));
        let outcome = match outcome.and_then(|answer| told(answer, limits.accept)) {
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

    fn built(&self, request: WriteRequest) -> reqwest::RequestBuilder {
        let method = match request.verb {
            Verb::Post => Method::POST,
            Verb::Put => Method::PUT,
            Verb::Patch => Method::PATCH,
            Verb::Delete => Method::DELETE,
            Verb::Get => Method::GET,
        };
        let mut built = self.0.clients.of(&request.url).request(method, &request.url);
        if request.limits.accept == Accept::Json {
            built = built.header(ACCEPT, "application/json");
        }
        if !request.body.is_empty() {
            built = built.header(CONTENT_TYPE, request.content_type).body(request.body);
        }
        for (name, value) in request.limits.headers.into_iter().chain(request.headers) {
            built = built.header(name, value);
        }
        built
    }
}

/// What the provider itself has said; with it, what counts against it.
fn told((status, headers, body): SentAnswer, accept: Accept) -> Result<(Posted, Option<Failure>), (Failure, bool)> {
    // A page in the place of the answer comes from what stands before the provider, which may have heard all the same.
    let is_json = serde_json::from_slice::<IgnoredAny>(&body);
    if accept == Accept::Json
        && let Err(error) = is_json
    {
        let failure =
            if status.is_success() { Failure::Unreadable(error.to_string()) } else { Failure::Status(status, None) };
        return Err((failure, true));
    }
    let is_well = status.is_success() || matches!(status.as_u16(), 400 | 403 | 409 | 429);
    let failure = (!is_well).then_some(Failure::Status(status, None));
    Ok((Posted { status: status.as_u16(), headers, body }, failure))
}
