//! What a handler gives: JSON with an ETag, 201 for what was created, 202 for a task.

use std::borrow::Borrow;
use std::io::{self, Write};
use std::marker::PhantomData;

use salvo::http::{HeaderValue, StatusCode};
use salvo::oapi::{Components, EndpointOutRegister, Operation, ToSchema};
use salvo::{Depot, Request, Response, Writer, async_trait};
use serde::{Deserialize, Serialize};

use super::api_error::write_error;
use super::documented::document;
use super::packed::Packable;
use super::written::{KEPT_BY_THE_CALLER, Written, tag_of};
use crate::blocking;
use hanok_base::{Error, Result};

/// Room for most bodies, so that they need not grow while they are written.
const USUAL_BODY: usize = 2048;
/// Larger bodies are written off the threads that answer: their other callers need not wait for it.
const LARGEST_SMALL_BODY: usize = 64 * 1024;

/// 200 with a JSON body; reads carry an `ETag` and answer 304 to who has it already.
#[derive(Debug)]
pub struct Json<T>(pub T);

/// 200 with a JSON body that is another one each time: it carries no `ETag`, because nobody could have it already.
#[derive(Debug)]
pub struct UncachedJson<T>(pub T);

/// [`Json`] as text, written and tagged off the threads that answer, so that their other callers need not wait for it:
/// for what is large and is kept as text. Clones share the text.
#[derive(Debug)]
pub struct JsonText<T> {
    body: Packable,
    /// None of what is another one each time.
    tag: Option<String>,
    what: PhantomData<fn() -> T>,
}

/// 201 with what was created.
#[derive(Debug)]
pub struct Created<T>(pub T);

/// JSON with a status of the handler's choice, for an answer that is not an error and yet not 200.
#[derive(Debug)]
pub struct WithStatus<T>(pub u16, pub T);

/// 202 with the task that was begun.
#[derive(Debug)]
pub struct Accepted<T>(pub T);

/// 200 `{"ok": true}` of something that is gone.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct Deleted {
    /// Always true.
    pub ok: bool,
}

/// 200 `{"ok": true}` of something that was done and gives nothing else to say.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct Done {
    /// Always true.
    pub ok: bool,
}

/// The answer to work that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskBegun {
    /// The task's id.
    pub task_id: String,
}

impl Default for Deleted {
    fn default() -> Self {
        Deleted { ok: true }
    }
}

impl Default for Done {
    fn default() -> Self {
        Done { ok: true }
    }
}

#[async_trait]
impl<T: Serialize + Send + 'static> Writer for WithStatus<T> {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        let status = StatusCode::from_u16(self.0).unwrap_or(StatusCode::OK);
        write_value(req, res, status, self.1).await;
    }
}

async fn write_value<T: Serialize + Send + 'static>(req: &Request, res: &mut Response, status: StatusCode, value: T) {
    match written(value).await {
        Ok(written) => write_json(req, res, status, written).await,
        Err(error) => write_error(error, req, res),
    }
}

/// The text of `value`, written here as long as it is small.
async fn written<T: Serialize + Send + 'static>(value: T) -> Result<JsonText<T>> {
    let mut small = SmallBody(Vec::with_capacity(USUAL_BODY));
    match serde_json::to_writer(&mut small, &value) {
        Ok(()) => Ok(JsonText::tagged(small.0)),
        Err(error) if error.is_io() => JsonText::of(value).await,
        Err(error) => Err(Error::internal(error)),
    }
}

#[async_trait]
impl<T: Serialize + Send + 'static> Writer for UncachedJson<T> {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        match written(self.0).await {
            Ok(written) => write_json(req, res, StatusCode::OK, JsonText { tag: None, ..written }).await,
            Err(error) => write_error(error, req, res),
        }
    }
}

/// A body that is written where its request is answered, as long as it stays small.
struct SmallBody(Vec<u8>);

impl Write for SmallBody {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LARGEST_SMALL_BODY {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[async_trait]
impl<T: Serialize + Send + 'static> Writer for Json<T> {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        write_value(req, res, StatusCode::OK, self.0).await;
    }
}

#[async_trait]
impl<T: Serialize + Send + 'static> Writer for Created<T> {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        write_value(req, res, StatusCode::CREATED, self.0).await;
    }
}

#[async_trait]
impl<T: Serialize + Send + 'static> Writer for Accepted<T> {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        write_value(req, res, StatusCode::ACCEPTED, self.0).await;
    }
}

#[async_trait]
impl Writer for Deleted {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        write_value(req, res, StatusCode::OK, self).await;
    }
}

#[async_trait]
impl Writer for Done {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        write_value(req, res, StatusCode::OK, self).await;
    }
}

impl<T> Clone for JsonText<T> {
    fn clone(&self) -> Self {
        JsonText { body: self.body.clone(), tag: self.tag.clone(), what: PhantomData }
    }
}

impl<T> JsonText<T> {
    fn tagged(body: Vec<u8>) -> JsonText<T> {
        let tag = Some(tag_of(&body));
        JsonText { body: Packable::new(body), tag, what: PhantomData }
    }
}

impl<T: Serialize + 'static> JsonText<T> {
    /// The text of what `make` gives.
    ///
    /// # Errors
    /// Those of `make`.
    pub async fn made_by<FileResponse>(
        make: impl FnOnce() -> Result<FileResponse> + Send + 'static,
    ) -> Result<JsonText<T>>
    where
        FileResponse: Borrow<T>,
    {
        let made =
            blocking::run(move |_| serde_json::to_vec(make()?.borrow()).map(JsonText::tagged).map_err(Error::internal));
        made.await
    }

    /// The text of `value`, which may be shared.
    ///
    /// # Errors
    /// `INTERNAL` when it cannot be written as JSON.
    pub async fn of(value: impl Borrow<T> + Send + 'static) -> Result<JsonText<T>> {
        JsonText::made_by(move || Ok(value)).await
    }
}

#[async_trait]
impl<T: Send> Writer for JsonText<T> {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        write_json(req, res, StatusCode::OK, self).await;
    }
}

async fn write_json<T>(req: &Request, res: &mut Response, status: StatusCode, json: JsonText<T>) {
    let (content_type, keep) = (HeaderValue::from_static("application/json"), KEPT_BY_THE_CALLER);
    Written { status, content_type, keep, tag: json.tag, body: json.body }.write(req, res).await;
}

/// Says that who has the answer already is told so. Of answers that are no reads the document takes it away again: whether
/// an operation reads, its answer does not know.
fn say_that_it_may_have_stayed(operation: &mut Operation) {
    let stayed = salvo::oapi::Response::new("Not modified: it still has the `ETag` that `If-None-Match` names");
    operation.responses.insert("304", stayed);
}

impl<T: ToSchema> EndpointOutRegister for UncachedJson<T> {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<T>(components, operation, "200", "OK; never cached");
    }
}

impl<T: ToSchema> EndpointOutRegister for Json<T> {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<T>(components, operation, "200", "OK");
        say_that_it_may_have_stayed(operation);
    }
}

impl<T: ToSchema> EndpointOutRegister for JsonText<T> {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<T>(components, operation, "200", "OK");
        say_that_it_may_have_stayed(operation);
    }
}

impl<T: ToSchema> EndpointOutRegister for WithStatus<T> {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<T>(components, operation, "200", "OK");
        say_that_it_may_have_stayed(operation);
        document::<T>(components, operation, "503", "The same, when it does not work");
    }
}

impl<T: ToSchema> EndpointOutRegister for Created<T> {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<T>(components, operation, "201", "Created");
    }
}

impl<T: ToSchema> EndpointOutRegister for Accepted<T> {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<T>(components, operation, "202", "The task that was begun");
    }
}

impl EndpointOutRegister for Done {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<Done>(components, operation, "200", "Done");
    }
}

impl EndpointOutRegister for Deleted {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<Deleted>(components, operation, "200", "Deleted");
    }
}
