//! One request, and everything that can go wrong with it.

use std::time::Duration;

use reqwest::header::{
    ACCEPT, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, RETRY_AFTER,
};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::{Accept, Limits, UpstreamResponse};
use hanok_base::message::MessageArg;
use hanok_base::{Kind, Message, MessageTemplate};

/// The longest pause that a provider may ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(3600);

const TIMED_OUT: MessageTemplate = MessageTemplate::new("house.upstream.timed_out", "{who} did not answer in time");
const NOT_REACHED: MessageTemplate = MessageTemplate::new("house.upstream.not_reached", "{who} cannot be reached");
const ELSEWHERE: MessageTemplate = MessageTemplate::new(
    "house.upstream.elsewhere",
    "{who} sent us elsewhere (status {status}), which is not followed",
);
const FEWER: MessageTemplate = MessageTemplate::new("house.upstream.fewer", "{who} asks for fewer requests");
const STATUS: MessageTemplate = MessageTemplate::new("house.upstream.status", "{who} answered with status {status}");
const TOO_LARGE: MessageTemplate =
    MessageTemplate::new("house.upstream.too_large", "{who} sent more than {most} bytes");
const CUT_OFF: MessageTemplate =
    MessageTemplate::new("house.upstream.cut_off", "{who} broke off in the middle of its answer");
const UNREADABLE: MessageTemplate =
    MessageTemplate::new("house.upstream.unreadable", "{who} answered with something else than its data");

/// Why there is no good answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// The time limit passed.
    TimedOut,
    /// No connection, or it broke before there was an answer.
    NotConnected(String),
    /// A status other than 2xx; perhaps with the pause the provider asks for.
    Status(StatusCode, Option<Duration>),
    /// The body is larger than the limit.
    TooLarge(usize),
    /// The connection broke within the body.
    CutOff(String),
    /// A whole answer that is not what was asked for.
    Unreadable(String),
}

/// By what a provider can tell whether an answer has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    etag: Option<String>,
    last_modified: Option<String>,
}

impl Validators {
    fn of(response: &Response) -> Validators {
        let line = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Validators { etag: line(ETAG), last_modified: line(LAST_MODIFIED) }
    }

    fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// Asks once. None when the answer is still the one that `known` is of.
pub(super) async fn get(
    client: &Client,
    url: Url,
    limits: &Limits,
    known: &Validators,
) -> Result<Option<(UpstreamResponse, Validators)>, Failure> {
    let mut request = client.get(url);
    if limits.accept == Accept::Json {
        request = request.header(ACCEPT, "application/json");
    }
    for (name, value) in &limits.headers {
        request = request.header(*name, value);
    }
    if let Some(etag) = &known.etag {
        request = request.header(IF_NONE_MATCH, etag);
    }
    if let Some(day) = &known.last_modified {
        request = request.header(IF_MODIFIED_SINCE, day);
    }
    let response = request.send().await.map_err(|error| Failure::NotConnected(chain(error)))?;
    if response.status() == StatusCode::NOT_MODIFIED && !known.is_empty() {
        return Ok(None);
    }
    let validators = Validators::of(&response);
    Ok(Some((good(response, limits).await?, validators)))
}

/// Sends a request and takes its answer within the limits.
pub(super) async fn send(request: RequestBuilder, limits: &Limits) -> Result<UpstreamResponse, Failure> {
    let response = request.send().await.map_err(|error| Failure::NotConnected(chain(error)))?;
    good(response, limits).await
}

async fn good(response: Response, limits: &Limits) -> Result<UpstreamResponse, Failure> {
    let status = response.status();
    if !status.is_success() {
        return Err(Failure::Status(status, asked_pause(&response)));
    }
    let content_type =
        response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let body = within(response, limits.max_bytes).await?;
    expect(limits.accept, &body, &content_type)?;
    Ok(UpstreamResponse { status: status.as_u16(), body })
}

/// A status, its header lines and its body.
pub(super) type SentAnswer = (StatusCode, Vec<(String, String)>, Vec<u8>);

/// Sends a request and takes whatever has a status and a body within the limits. Beside a failure stands whether the
/// request may have been done all the same.
pub(super) async fn send_once(request: RequestBuilder, limits: &Limits) -> Result<SentAnswer, (Failure, bool)> {
    let response = request.send().await.map_err(|error| {
        let may_be_done = !surely_did_not_leave(&error);
        (Failure::NotConnected(chain(error)), may_be_done)
    })?;
    let status = response.status();
    let line = |(name, value): (&HeaderName, &HeaderValue)| Some((name.to_string(), value.to_str().ok()?.to_owned()));
    let headers = response.headers().iter().filter_map(line).collect();
    let body = within(response, limits.max_bytes).await.map_err(|failure| (failure, true))?;
    Ok((status, headers, body))
}

/// Whether nothing of a request has left the house: its address is none, its host has no name, nobody listens there, or no
/// safe connection came about. Everything else, a time limit of the whole call among it, may have been heard. This is the
/// one place that tells them apart.
fn surely_did_not_leave(error: &reqwest::Error) -> bool {
    error.is_connect() || error.is_builder()
}

/// The body, read piece by piece so that no more than the limit is ever held.
async fn within(mut response: Response, max_bytes: usize) -> Result<Vec<u8>, Failure> {
    if response.content_length().is_some_and(|length| length > max_bytes as u64) {
        return Err(Failure::TooLarge(max_bytes));
    }
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|error| Failure::CutOff(chain(error)))? {
        if body.len() + piece.len() > max_bytes {
            return Err(Failure::TooLarge(max_bytes));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

fn expect(accept: Accept, body: &[u8], content_type: &str) -> Result<(), Failure> {
    let problem = match accept {
        Accept::Json => serde_json::from_slice::<IgnoredAny>(body).err().map(|error| error.to_string()),
        Accept::Anything => body.is_empty().then(|| "the body is empty".to_owned()),
    };
    match problem {
        Some(problem) => Err(Failure::Unreadable(format!("{problem} (content type {content_type:?})"))),
        None => Ok(()),
    }
}

/// `Retry-After` in seconds, for the statuses where it means "leave me alone".
fn asked_pause(response: &Response) -> Option<Duration> {
    if !matches!(response.status(), StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
        return None;
    }
    pause(response.headers().get(RETRY_AFTER)?.to_str().ok()?)
}

fn pause(seconds: &str) -> Option<Duration> {
    seconds.trim().parse().ok().map(|seconds| Duration::from_secs(seconds).min(LONGEST_PAUSE))
}

impl Failure {
    /// Whether asking again at once is safe and may help.
    pub fn may_be_repeated(&self) -> bool {
        match self {
            Failure::NotConnected(_) => true,
            Failure::Status(status, pause) => status.is_server_error() && pause.is_none(),
            Failure::TimedOut | Failure::TooLarge(_) | Failure::CutOff(_) | Failure::Unreadable(_) => false,
        }
    }

    /// How long the provider asked to be left alone.
    pub fn asked_pause(&self) -> Option<Duration> {
        match self {
            Failure::Status(_, pause) => *pause,
            _ => None,
        }
    }

    pub fn kind(&self) -> Kind {
        match self {
            Failure::TimedOut => Kind::UpstreamTimeout,
            _ => Kind::UpstreamUnavailable,
        }
    }

    /// The name in the metrics.
    pub fn name(&self) -> &'static str {
        match self {
            Failure::TimedOut => "timeout",
            Failure::NotConnected(_) => "connect",
            Failure::Status(..) => "status",
            Failure::TooLarge(_) => "too_large",
            Failure::CutOff(_) => "cut_off",
            Failure::Unreadable(_) => "unreadable",
        }
    }

    /// One sentence for people, without anything that the provider sent.
    pub fn sentence(&self, title: MessageArg) -> Message {
        let who = ("who", title);
        match self {
            Failure::TimedOut => TIMED_OUT.with([who]),
            Failure::NotConnected(_) => NOT_REACHED.with([who]),
            Failure::Status(status, _) if status.is_redirection() => {
                ELSEWHERE.with([who, ("status", status.as_u16().into())])
            }
            Failure::Status(StatusCode::TOO_MANY_REQUESTS, _) => FEWER.with([who]),
            Failure::Status(status, _) => STATUS.with([who, ("status", status.as_u16().into())]),
            Failure::TooLarge(most) => TOO_LARGE.with([who, ("most", (*most).into())]),
            Failure::CutOff(_) => CUT_OFF.with([who]),
            Failure::Unreadable(_) => UNREADABLE.with([who]),
        }
    }

    /// The technical cause, for the log.
    pub fn cause(&self) -> &str {
        match self {
            Failure::NotConnected(cause) | Failure::CutOff(cause) | Failure::Unreadable(cause) => cause,
            Failure::TimedOut | Failure::Status(..) | Failure::TooLarge(_) => "",
        }
    }
}

/// The error and its causes, without the address, which may carry a key.
fn chain(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(next) = cause {
        text = format!("{text}: {next}");
        cause = next.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn whatever_a_provider_asks_for_it_is_a_pause_of_an_hour_at_most_or_none(text in "[0-9]{0,22}|[-+ ]?[0-9]{1,4}s?|\\PC{0,12}") {
            match pause(&text) {
                Some(pause) => {
                    let asked: u64 = text.trim().parse().unwrap();
                    prop_assert_eq!(pause.as_secs(), asked.min(3600));
                }
                None => prop_assert!(text.trim().parse::<u64>().is_err()),
            }
        }
    }
}
