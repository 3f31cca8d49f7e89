//! The one shape of every error, and the one place where a kind of error becomes a status.

mod pages;

use std::collections::BTreeMap;

use salvo::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use salvo::http::{HeaderValue, StatusCode};
use salvo::oapi::{Components, EndpointOutRegister, Operation, ToSchema};
use salvo::{Depot, Request, Response, Writer, async_trait};
use serde::{Deserialize, Serialize};

use super::body_limits::LetIn;
use super::documented::document_each;
use super::owner::Owner;
use super::request_id::RequestId;
use crate::app::App;
use hanok_base::message::LocalizedMessage;
use hanok_base::{Error, Kind, command};

pub use pages::ErrorPages;

/// What a handler gives: an answer, or an error in the one shape.
pub type HandlerResult<T> = std::result::Result<T, ApiError>;

/// An error on its way to the caller.
#[derive(Debug)]
pub struct ApiError(pub Error);

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        ApiError(error)
    }
}

#[async_trait]
impl Writer for ApiError {
    async fn write(self, req: &mut Request, depot: &mut Depot, res: &mut Response) {
        let is_let_in = req.extensions().get::<LetIn>().is_some();
        write_error(if is_let_in { placed(self.0, depot) } else { self.0 }, req, res);
        if let Some(other) = req.extensions().get::<OtherVersion>() {
            res.status_code(StatusCode::PRECONDITION_FAILED);
            res.headers_mut().insert(other.0, HeaderValue::from_static(other.1));
        }
    }
}

/// Marks a request in another version of a protocol than is spoken here, with the header that names that one.
#[derive(Debug, Clone, Copy)]
pub(super) struct OtherVersion(pub &'static str, pub &'static str);

/// With the data folder named in each command that it offers. That is for the household alone to know.
fn placed(error: Error, depot: &Depot) -> Error {
    match depot.get_typed::<App>() {
        Ok(app) => Error { message: command::placed_whole(&app.config.data.dir, error.message), ..error },
        Err(_) => error,
    }
}

/// Every error of either door.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// The code.
    pub error: String,
    /// One readable sentence.
    pub message: String,
    /// How a browser says `message` in its language: a key of its catalogues, and the values. Only where it is declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub localized: Option<LocalizedMessage>,
    /// For 422: each refused field and what it must be.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
    /// How a browser says what the refused fields must be.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub localized_fields: BTreeMap<String, LocalizedMessage>,
    /// The domain that has refused the fields: its words name them, and those of the house what it has none for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The request's id, as it stands in the log.
    pub request_id: String,
    /// Seconds after which trying again makes sense.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

/// Writes an error in the one shape, or as a page where the door has pages and the caller reads them. What is ours to mend goes to the log with its cause.
pub(super) fn write_error(error: Error, req: &Request, res: &mut Response) {
    let request_id = req.extensions().get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default();
    let status = StatusCode::from_u16(error.kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if error.kind == Kind::Internal {
        tracing::error!(request_id, cause = error.cause.as_deref().unwrap_or("unknown"), "a request failed");
    } else if let Some(cause) = &error.cause {
        tracing::debug!(request_id, code = error.code(), cause, "a request was refused");
    }
    let (mut fields, mut localized_fields) = (BTreeMap::new(), BTreeMap::new());
    for (path, must) in error.foremost() {
        let (text, localized) = must.into_parts();
        localized_fields.extend(localized.map(|localized| (path.clone(), localized)));
        fields.insert(path, text);
    }
    let (code, (message, localized)) = (error.code().to_owned(), error.message.into_parts());
    let owner = req.extensions().get::<Owner>().filter(|_| !fields.is_empty());
    let body = ErrorBody {
        error: code,
        fields,
        localized_fields,
        owner: owner.map(|owner| owner.0.to_owned()),
        message,
        localized,
        request_id,
        retry_after: error.retry_after,
    };
    res.status_code(status);
    let headers = res.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(seconds) = error.retry_after {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    let (content_type, text) = match req.extensions().get::<ErrorPages>() {
        Some(pages) => ("text/html; charset=utf-8", pages.show(req, status, &body).into_bytes()),
        None => ("application/json", serde_json::to_vec(&body).unwrap_or_default()),
    };
    res.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    let _ = res.write_body(text);
}

impl EndpointOutRegister for ApiError {
    fn register(components: &mut Components, operation: &mut Operation) {
        let answers = Kind::all().filter_map(|kind| Some((kind.status().to_string(), meaning(kind)?)));
        document_each::<ErrorBody>(components, operation, answers);
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
        Kind::NasUnavailable | Kind::NotConfigured | Kind::StorageAway => {
            "The compute host or the file of the store is away, or a setting is missing"
        }
        Kind::NasTimeout | Kind::UpstreamTimeout => "The compute host or a provider did not answer in time",
        Kind::StorageFull => "The disk is full",
    })
}

#[cfg(test)]
mod tests {
    use hanok_base::{Clock, Message, message::MessageTemplate, validation_messages};
    use salvo::http::ResBody;
    use serde_json::json;

    use super::*;
    use crate::jobs::Jobs;
    use crate::testing::{app, draw_night};

    /// The body that `error` leaves as.
    fn body_of(error: Error) -> serde_json::Value {
        let mut response = Response::new();
        write_error(error, &Request::default(), &mut response);
        let ResBody::Once(bytes) = response.take_body() else { panic!("a body in one piece") };
        serde_json::from_slice(&bytes).unwrap()
    }

    #[test]
    fn what_people_are_told_leaves_in_english_and_with_the_key_and_values_that_a_browser_says_it_by() {
        const NOT_SOLD: MessageTemplate = MessageTemplate::new("lottery.not_sold", "draw {draw} is not sold yet");
        let conflict = body_of(Error::conflict(NOT_SOLD.with([("draw", 1300u32.into())])));
        assert_eq!(conflict["message"], "draw 1300 is not sold yet");
        assert_eq!(conflict["localized"], json!({"message_key": "lottery.not_sold", "params": {"draw": 1300}}));
        let refused = body_of(Error::field("numbers[2]", validation_messages::between(1, 45)));
        assert_eq!(refused["fields"], json!({"numbers[2]": "must be between 1 and 45"}));
        let between = json!({"message_key": "house.must.between", "params": {"least": 1, "most": 45}});
        assert_eq!(refused["localized_fields"], json!({"numbers[2]": between}));
        assert_eq!(body_of(Error::conflict(Message::english("as it stands"))).get("localized"), None);
    }

    #[tokio::test]
    async fn only_who_was_let_in_hears_where_the_data_lies() {
        let app = app(&Clock::fixed(draw_night()), Jobs::default());
        let heard_by = async |is_let_in: bool| {
            let (mut request, mut depot, mut response) = (Request::default(), Depot::new(), Response::new());
            depot.insert_typed(app.clone());
            if is_let_in {
                request.extensions_mut().insert(LetIn);
            }
            let refusal = ApiError::from(Error::conflict(Message::english("run `hanok restore --latest`")));
            refusal.write(&mut request, &mut depot, &mut response).await;
            let ResBody::Once(bytes) = response.take_body() else { panic!("a body in one piece") };
            String::from_utf8(bytes.to_vec()).unwrap()
        };
        assert!(heard_by(true).await.contains("`hanok restore --latest --data-dir /"));
        assert!(heard_by(false).await.contains("`hanok restore --latest`"));
    }

    #[test]
    fn a_route_documents_the_status_of_every_kind_of_error_that_it_can_answer_with() {
        let mut operation = Operation::new();
        ApiError::register(&mut Components::new(), &mut operation);
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
