//! Files of any size on their way out and in: nothing of them is held in memory but the piece that is under way.

use std::path::PathBuf;
use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use salvo::extract::Metadata;
use salvo::fs::NamedFile;
use salvo::http::header::{CACHE_CONTROL, CONTENT_LENGTH, HeaderValue};
use salvo::http::{ReqBody, StatusCode};
use salvo::oapi::schema::{BasicType, KnownFormat, Object, SchemaFormat};
use salvo::oapi::{
    Components, Content, EndpointArgRegister, EndpointOutRegister, Operation, RequestBody, Required,
    Response as Described,
};
use salvo::{Depot, Extractible, Request, Response, Writer, async_trait};
use tokio::time::Instant;

use super::answer::WithStatus;
use super::api_error::{ErrorBody, HandlerResult, write_error};
use super::deferred::InProgress;
use super::documented::document;
use super::door_kind::ThisDoor;
use super::input::none;
use hanok_base::{Error, MessageTemplate, Result};

/// What a sender brings in a second on the whole, in bytes, beyond the silence that is granted: a phone at the far end of
/// the house does. One that brings less keeps others from bringing theirs.
const LEAST_RATE: u64 = 64 << 10;

/// No more than this, and what came with the last of it, is given at once.
const MOST_AT_ONCE: usize = 1 << 20;

/// A file to be kept under a name, of which a part can be asked for (`Range`, `If-Range`); 202 while it is being made.
#[derive(Debug)]
pub struct FileSoon {
    /// Where it lies; none while it is being made.
    pub path: Option<PathBuf>,
    /// The name under which it is kept.
    pub name: String,
}

#[async_trait]
impl Writer for FileSoon {
    async fn write(self, req: &mut Request, depot: &mut Depot, res: &mut Response) {
        let Some(path) = self.path else {
            return WithStatus(202, InProgress { in_progress: true }).write(req, depot, res).await;
        };
        // A second is too coarse to know a file by, and an older one may take the place of a newer: the tag alone says whether
        // it is the same.
        let file = NamedFile::builder(path.clone()).attached_name(self.name).use_last_modified(false);
        match file.build().await {
            // Others were packed meanwhile, and it gave way: it is packed again for who asks again.
            Err(_) if !tokio::fs::try_exists(&path).await.unwrap_or(true) => {
                WithStatus(202, InProgress { in_progress: true }).write(req, depot, res).await;
            }
            Ok(file) => {
                res.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
                file.send_with_method(&req.method().clone(), req.headers(), res).await;
                say_what_is_wrong(req, res);
            }
            Err(error) => write_error(Error::internal(error), req, res),
        }
    }
}

pub(super) const ANOTHER_FILE: MessageTemplate =
    MessageTemplate::new("house.another_file", "the file is another one than `If-Match` names");
pub(super) const PART_OF_FILE: MessageTemplate =
    MessageTemplate::new("house.must.part_of_file", "must name a part of the file");
const NOT_WHOLE: MessageTemplate =
    MessageTemplate::new("house.must.arrive_whole", "did not arrive whole; nothing was changed");
const NOT_IN_TIME: MessageTemplate =
    MessageTemplate::new("house.must.arrive_in_time", "did not arrive in time; nothing was changed");

/// What the library answers with a status alone.
fn say_what_is_wrong(req: &Request, res: &mut Response) {
    let Some(status) = res.status_code.filter(StatusCode::is_client_error) else { return };
    let error = match status {
        StatusCode::PRECONDITION_FAILED => Error::conflict(ANOTHER_FILE),
        _ => Error::field("Range", PART_OF_FILE),
    };
    write_error(error, req, res);
    res.status_code(status);
}

impl EndpointOutRegister for FileSoon {
    fn register(components: &mut Components, operation: &mut Operation) {
        for (status, what) in [("200", "The whole file"), ("206", "The part of it that was asked for")] {
            operation
                .responses
                .insert(status, Described::new(what).add_content("application/gzip", Content::new(binary())));
        }
        operation
            .responses
            .insert("304", Described::new("Not modified: it still has the `ETag` that `If-None-Match` names"));
        document::<ErrorBody>(
            components,
            operation,
            "412",
            "Precondition failed: it has another `ETag` than `If-Match` names",
        );
        document::<ErrorBody>(components, operation, "416", "No such part");
        document::<InProgress>(
            components,
            operation,
            "202",
            "In progress: send the same request again to go on waiting",
        );
    }
}

pub(super) fn binary() -> Object {
    Object::with_type(BasicType::String).format(SchemaFormat::KnownFormat(KnownFormat::Binary))
}

/// A body of any size, taken in piece by piece. A route whose handler takes one is not asked for the limits of the door, of
/// size and of time: whoever takes it in has limits of their own.
pub struct Incoming {
    body: ReqBody,
    silence: Duration,
    /// Since when it has come in, and how much of it.
    begun: Option<Instant>,
    received: u64,
    /// Why no more comes, until that has been said.
    broken_off: Option<Error>,
    /// The size that its sender says.
    pub announced: Option<u64>,
}

impl Incoming {
    /// The next piece; none at the end. It is never held for more: whoever is interrupted while that is awaited, or breaks
    /// off, has lost nothing of what has come in.
    ///
    /// # Errors
    /// `INVALID_INPUT` when its sender is silent for too long, too slow on the whole, or breaks off.
    pub async fn piece(&mut self) -> Result<Option<Vec<u8>>> {
        if let Some(error) = self.broken_off.take() {
            return Err(error);
        }
        let mut piece = Vec::new();
        while piece.len() < MOST_AT_ONCE {
            let next = if piece.is_empty() {
                let begun = *self.begun.get_or_insert_with(Instant::now);
                let on_the_whole = begun + self.silence + Duration::from_secs(self.received / LEAST_RATE);
                let in_time = on_the_whole.min(Instant::now() + self.silence);
                let next = tokio::time::timeout_at(in_time, self.body.next()).await;
                next.map_err(|_| Error::field("file", NOT_IN_TIME))?
            } else {
                let Some(next) = self.body.next().now_or_never() else { break };
                next
            };
            match next {
                None => break,
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        self.received = self.received.saturating_add(data.len() as u64);
                        piece.extend_from_slice(&data);
                    }
                }
                Some(Err(error)) => {
                    let error = Error::field("file", NOT_WHOLE).because(error);
                    if piece.is_empty() {
                        return Err(error);
                    }
                    self.broken_off = Some(error);
                    break;
                }
            }
        }
        Ok((!piece.is_empty()).then_some(piece))
    }
}

impl<'ex> Extractible<'ex> for Incoming {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let silence = Duration::from_secs(ThisDoor::of(depot)?.body_limits.seconds);
        let announced = req.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        Ok(Incoming { body: req.take_body(), silence, begun: None, received: 0, broken_off: None, announced })
    }
}

/// How a body of any size stands in the document: by this a door finds the routes that take one.
pub(super) const OF_ANY_SIZE: &str = "application/gzip";

impl EndpointArgRegister for Incoming {
    fn register(_components: &mut Components, operation: &mut Operation, _arg: &str) {
        let body = RequestBody::new().add_content(OF_ANY_SIZE, Content::new(binary())).required(Required::True);
        operation.request_body = Some(body);
    }
}
