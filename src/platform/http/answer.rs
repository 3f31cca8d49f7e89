//! What a handler gives: JSON with an ETag, 201 for what was created, 202 for a task, the one shape of errors.

use std::collections::BTreeMap;

use salvo::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, RETRY_AFTER};
use salvo::http::{HeaderValue, Method, StatusCode};
use salvo::oapi::{Components, Content, EndpointOutRegister, Operation, Response as Documented, ToSchema};
use salvo::{Depot, Request, Response, Writer, async_trait};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::watch::RequestId;
use hanok_base::secret::hex;
use hanok_base::{Error, Kind};

/// Room for most bodies, so that they need not grow while they are written.
const USUAL_BODY: usize = 2048;

/// 200 with a JSON body; reads carry an `ETag` and answer 304 to who has it already.
#[derive(Debug)]
pub struct Json<T>(pub T);

/// 201 with what was created.
#[derive(Debug)]
pub struct Created<T>(pub T);

/// JSON with a status of the handler's choice, for an answer that is not an error and yet not 200.
#[derive(Debug)]
pub struct WithStatus<T>(pub u16, pub T);

/// 202 with the task that was begun.
#[derive(Debug)]
pub struct Accepted<T>(pub T);

/// 200 `{"ok": true}`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct Deleted {
    /// Always true.
    pub ok: bool,
}

/// The answer to work that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskBegun {
    /// The task's id.
    pub task_id: String,
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

impl Default for Deleted {
    fn default() -> Self {
        Deleted { ok: true }
    }
}

#[async_trait]
impl<T: Serialize + Send> Writer for WithStatus<T> {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        let status = StatusCode::from_u16(self.0).unwrap_or(StatusCode::OK);
        let mut body = Vec::with_capacity(USUAL_BODY);
        match serde_json::to_writer(&mut body, &self.1) {
            Ok(()) => write_json(req, res, status, body),
            Err(error) => write_error(Error::internal(error), req, res),
        }
    }
}

#[async_trait]
impl<T: Serialize + Send> Writer for Json<T> {
    async fn write(self, req: &mut Request, depot: &mut Depot, res: &mut Response) {
        WithStatus(200, self.0).write(req, depot, res).await;
    }
}

#[async_trait]
impl<T: Serialize + Send> Writer for Created<T> {
    async fn write(self, req: &mut Request, depot: &mut Depot, res: &mut Response) {
        WithStatus(201, self.0).write(req, depot, res).await;
    }
}

#[async_trait]
impl<T: Serialize + Send> Writer for Accepted<T> {
    async fn write(self, req: &mut Request, depot: &mut Depot, res: &mut Response) {
        WithStatus(202, self.0).write(req, depot, res).await;
    }
}

#[async_trait]
impl Writer for Deleted {
    async fn write(self, req: &mut Request, depot: &mut Depot, res: &mut Response) {
        Json(self).write(req, depot, res).await;
    }
}

fn write_json(req: &Request, res: &mut Response, status: StatusCode, body: Vec<u8>) {
    res.status_code(status);
    let headers = res.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    if status == StatusCode::OK && matches!(*req.method(), Method::GET | Method::HEAD) {
        let tag = format!("\"{}\"", hex(&Sha256::digest(&body)[..12]));
        let known = has_already(req, &tag);
        if let Ok(value) = HeaderValue::from_str(&tag) {
            headers.insert(ETAG, value);
        }
        if known {
            headers.remove(CONTENT_TYPE);
            res.status_code(StatusCode::NOT_MODIFIED);
            return;
        }
    }
    let _ = res.write_body(body);
}

/// Whether the caller says that it has what `tag` names (RFC 9110, 13.1.2).
pub(super) fn has_already(req: &Request, tag: &str) -> bool {
    let mut lines = req.headers().get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    lines.any(|line| names(line, tag))
}

fn names(line: &str, tag: &str) -> bool {
    line.split(',').map(str::trim).any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
}

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

/// Writes an error in the one shape. What is ours to mend goes to the log with its cause.
pub(super) fn write_error(error: Error, req: &Request, res: &mut Response) {
    let request_id = req.extensions().get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default();
    let status = StatusCode::from_u16(error.kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if error.kind == Kind::Internal {
        tracing::error!(request_id, cause = error.cause.as_deref().unwrap_or("unknown"), "a request failed");
    } else if let Some(cause) = &error.cause {
        tracing::debug!(request_id, code = error.kind.code(), cause, "a request was refused");
    }
    let body = ErrorBody {
        error: error.kind.code().to_owned(),
        message: error.message,
        fields: error.fields,
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

impl<T: ToSchema> EndpointOutRegister for Json<T> {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<T>(components, operation, "200", "What was asked for");
    }
}

impl<T: ToSchema> EndpointOutRegister for WithStatus<T> {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<T>(components, operation, "200", "What was asked for");
        document::<T>(components, operation, "503", "The same, when it does not work");
    }
}

impl<T: ToSchema> EndpointOutRegister for Created<T> {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<T>(components, operation, "201", "What was created");
    }
}

impl<T: ToSchema> EndpointOutRegister for Accepted<T> {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<T>(components, operation, "202", "The task that was begun");
    }
}

impl EndpointOutRegister for Deleted {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<Deleted>(components, operation, "200", "It is gone");
    }
}

impl EndpointOutRegister for Refusal {
    fn register(components: &mut Components, operation: &mut Operation) {
        for (status, what) in [
            ("400", "The body is not valid JSON"),
            ("401", "No sign-in"),
            ("403", "From another origin or host, or not allowed"),
            ("404", "Nothing there that the caller may see"),
            ("409", "Contradicts what is stored"),
            ("413", "The body is larger than the limit"),
            ("422", "A field or parameter was refused"),
            ("429", "Too many requests"),
            ("500", "Ours to mend"),
            ("502", "An outside provider failed"),
            ("503", "The compute host is away, or a setting is missing"),
            ("504", "The compute host or a provider did not answer in time"),
            ("507", "The disk is full"),
        ] {
            document::<ErrorBody>(components, operation, status, what);
        }
    }
}

fn document<T: ToSchema>(components: &mut Components, operation: &mut Operation, status: &str, what: &str) {
    let content = Content::new(T::to_schema(components));
    operation.responses.insert(status, Documented::new(what).add_content("application/json", content));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_tag_is_named_whole_weak_or_with_others() {
        for line in ["\"a1\"", "W/\"a1\"", "\"b2\", \"a1\"", " \"a1\" ,", "*"] {
            assert!(names(line, "\"a1\""), "{line}");
        }
        for line in ["", "a1", "\"a1", "\"a12\"", "\"a1\"\"a1\"", "W/W/\"a1\"", "**", "\"A1\""] {
            assert!(!names(line, "\"a1\""), "{line}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_sent_nothing_is_left_out_that_was_not_named(line in "[\"Wa1/,* ]{0,24}|\\PC{0,24}") {
            prop_assert!(!names(&line, "\"a1\"") || line.contains("\"a1\"") || line.contains('*'));
        }
    }
}
