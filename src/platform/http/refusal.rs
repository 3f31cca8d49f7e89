//! The one shape of every error, and the one place where a kind of error becomes a status.

use std::collections::BTreeMap;

use salvo::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use salvo::http::{HeaderValue, StatusCode};
use salvo::oapi::{Components, EndpointOutRegister, Operation, ToSchema};
use salvo::{Depot, Request, Response, Writer, async_trait};
use serde::{Deserialize, Serialize};

use super::documented::document;
use super::request_id::RequestId;
use hanok_base::{Error, Kind};

/// What a handler gives: an answer, or an error in the one shape.
pub type Answer<T> = std::result::Result<T, Refusal>;

/// An error on its way to the caller.
#[derive(Debug)]
pub struct Refusal(pub Error);

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Refusal(error)
    }
}

#[async_trait]
impl Writer for Refusal {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        write_error(self.0, req, res);
    }
}

/// Every error of either door.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// The code.
    pub error: String,
    /// One readable sentence.
    pub message: String,
    /// For 422: each refused field and what it must be.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
    /// The request's id, as it stands in the log.
    pub request_id: String,
    /// Seconds after which trying again makes sense.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

/// Writes an error in the one shape. What is ours to mend goes to the log with its cause.
pub(super) fn write_error(error: Error, req: &Request, res: &mut Response) {
    let request_id = req.extensions().get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default();
    let status = StatusCode::from_u16(error.kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if error.kind == Kind::Internal {
        tracing::error!(request_id, cause = error.cause.as_deref().unwrap_or("unknown"), "a request failed");
    } else if let Some(cause) = &error.cause {
        tracing::debug!(request_id, code = error.code(), cause, "a request was refused");
    }
    let body = ErrorBody {
        error: error.code().to_owned(),
        fields: error.foremost(),
        message: error.message,
        request_id,
        retry_after: error.retry_after,
    };
    res.status_code(status);
    let headers = res.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(seconds) = error.retry_after {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    let _ = res.write_body(serde_json::to_vec(&body).unwrap_or_default());
}

impl EndpointOutRegister for Refusal {
    fn register(components: &mut Components, operation: &mut Operation) {
        for (kind, what) in Kind::all().filter_map(|kind| Some((kind, meaning(kind)?))) {
            document::<ErrorBody>(components, operation, &kind.status().to_string(), what);
        }
    }
}

/// What the status of `kind` says in the document of a route. None when no route answers so.
fn meaning(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::InvalidJson => "The body is not valid JSON",
        Kind::Unauthorized => "No sign-in",
        Kind::Forbidden | Kind::ForeignOrigin => "From another origin or host, or not allowed",
        Kind::NotFound => "Nothing there that the caller may see",
        // The door says this of a method for which there is no route.
        Kind::MethodNotAllowed => return None,
        Kind::Conflict | Kind::IdempotencyConflict => "Contradicts what is stored",
        Kind::TooLarge => "The body is larger than the limit",
        Kind::InvalidInput => "A field or parameter was refused",
        Kind::RateLimited => "Too many requests",
        Kind::Internal => "Ours to mend",
        Kind::UpstreamUnavailable => "An outside provider failed",
        Kind::NasUnavailable | Kind::NotConfigured => "The compute host is away, or a setting is missing",
        Kind::NasTimeout | Kind::UpstreamTimeout => "The compute host or a provider did not answer in time",
        Kind::StorageFull => "The disk is full",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_documents_the_status_of_every_kind_of_error_that_it_can_answer_with() {
        let mut operation = Operation::new();
        Refusal::register(&mut Components::new(), &mut operation);
        let documented: Vec<String> = operation.responses.keys().cloned().collect();
        let mut statuses: Vec<String> =
            Kind::all().filter(|kind| *kind != Kind::MethodNotAllowed).map(|kind| kind.status().to_string()).collect();
        statuses.sort();
        statuses.dedup();
        assert_eq!(documented, statuses);
        for kind in Kind::all().filter(|kind| *kind != Kind::MethodNotAllowed) {
            let same = Kind::all().filter(|other| other.status() == kind.status());
            assert!(same.into_iter().all(|other| meaning(other) == meaning(kind)), "{kind:?}");
        }
    }
}
