//! Asking a host of our own: the compute host on another machine. It is never left alone by the breaker,
//! because somebody of the household may just have switched it on.

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use serde::Serialize;

use super::attempt::{self, Failure};
use super::{Admission, Limits, Provider, UpstreamResponse, Upstreams};
use hanok_base::{Error, Kind, Result, Secret};

impl Upstreams {
    /// Posts `body` as JSON to `url` on a host of our own, with `token` as its bearer word.
    ///
    /// # Errors
    /// `NAS_TIMEOUT` when the time limit passed, `NAS_UNAVAILABLE` for every other failure.
    pub async fn ask_own_host(
        &self,
        provider: &Provider,
        url: &str,
        token: &Secret,
        body: &impl Serialize,
        limits: Limits,
    ) -> Result<UpstreamResponse> {
        let body = serde_json::to_vec(body).map_err(Error::internal)?;
        let admission = Admission { upstreams: self.clone(), provider: *provider, decided: false };
        let asked = async {
            let request = self
                .0
                .clients
                .of(url)
                .post(url)
                .header(ACCEPT, "application/json")
                .header(CONTENT_TYPE, "application/json")
                .header(AUTHORIZATION, format!("Bearer {}", token.reveal()))
                .body(body);
            attempt::send(request, &limits).await
        };
        let outcome = tokio::time::timeout(limits.timeout, asked).await.unwrap_or(Err(Failure::TimedOut));
        let kind = if matches!(outcome, Err(Failure::TimedOut)) { Kind::NasTimeout } else { Kind::NasUnavailable };
        admission.finish(outcome).await.map_err(|error| Error { kind, ..error })
    }
}
