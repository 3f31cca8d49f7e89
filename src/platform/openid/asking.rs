//! What is asked of a provider, through the one client of all providers.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use openidconnect::core::CoreTokenResponse;
use openidconnect::http::header::AUTHORIZATION;
use openidconnect::http::{Method, StatusCode};
use openidconnect::{
    AsyncHttpClient, AuthorizationCode, HttpRequest, HttpResponse, PkceCodeVerifier, RequestTokenError,
};

use super::{Client, Found, REFUSED, not_believed};
use crate::upstream::{Accept, Limits, WriteRequest};
use hanok_base::{Error, Kind, Result};

/// How long a provider may take for one answer: somebody waits before a browser.
const PATIENCE: Duration = Duration::from_secs(8);
/// The largest answer; a list of keys is a few kilobytes.
const MOST_BYTES: usize = 256 * 1024;

/// The limits of one question.
pub(super) fn limits() -> Limits {
    Limits { timeout: PATIENCE, max_bytes: MOST_BYTES, accept: Accept::Json, headers: Vec::new() }
}

/// Gives the code for what the provider says of the customer. A code is good once, so this is asked once.
pub(super) async fn for_token(
    found: &Found<'_>,
    client: &Client,
    code: String,
    verifier: &str,
) -> Result<CoreTokenResponse> {
    let request = client.exchange_code(AuthorizationCode::new(code)).map_err(Error::internal)?;
    let request = request.set_pkce_verifier(PkceCodeVerifier::new(verifier.to_owned()));
    request.request_async(&ByUpstream(found)).await.map_err(|error| match error {
        RequestTokenError::Request(Unasked(error)) => error,
        RequestTokenError::ServerResponse(refusal) => {
            let provider = found.provider.name;
            tracing::warn!(provider, refusal = refusal.error().as_ref(), "the provider refuses a code");
            Error::new(Kind::Forbidden, REFUSED)
        }
        other => not_believed(found.provider, &other),
    })
}

/// Carries what the library asks to the one client.
pub(super) struct ByUpstream<'a>(pub &'a Found<'a>);

/// There is no answer.
#[derive(Debug)]
pub(super) struct Unasked(pub Error);

impl std::fmt::Display for Unasked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Unasked {}

impl<'c> AsyncHttpClient<'c> for ByUpstream<'_> {
    type Error = Unasked;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Unasked>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move { self.carry(request).await.map_err(Unasked) })
    }
}

impl ByUpstream<'_> {
    async fn carry(&self, request: HttpRequest) -> Result<HttpResponse> {
        let Found { upstream, provider, .. } = self.0;
        let (head, body) = request.into_parts();
        let url = head.uri.to_string();
        let line = head.headers.get(AUTHORIZATION).and_then(|line| line.to_str().ok());
        let headers: Vec<_> = line.map(|line| ("authorization", line.to_owned())).into_iter().collect();
        let (status, body) = if head.method == Method::POST {
            let content_type = "application/x-www-form-urlencoded";
            let asked = WriteRequest { url, headers, content_type, body, limits: limits(), ..WriteRequest::default() };
            let posted = upstream.write_once(provider, asked).await.map_err(|unanswered| *unanswered.error)?;
            (posted.status, posted.body)
        } else {
            let answer = upstream.get(provider, &url, Limits { headers, ..limits() }).await?;
            (answer.status, answer.body)
        };
        let status = StatusCode::from_u16(status).map_err(Error::internal)?;
        if status.is_server_error() {
            return Err(Error::new(Kind::UpstreamUnavailable, REFUSED));
        }
        let mut answer = HttpResponse::new(body);
        *answer.status_mut() = status;
        Ok(answer)
    }
}
