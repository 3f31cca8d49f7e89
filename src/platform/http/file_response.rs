//! A file that is made for whoever asks, and one that is brought: what it is stands in its type. A small one is made in
//! memory ([`FileResponse`]); one that may be large goes out as it is made ([`Streamed`]), and comes in piece by piece ([`FileBody`]).

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::marker::PhantomData;
use std::pin::Pin;

use futures_util::stream::{self, Stream};

use salvo::extract::Metadata;
use salvo::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderName, HeaderValue,
};
use salvo::http::{Method, StatusCode};
use salvo::hyper::body::Bytes;
use salvo::oapi::{
    Components, Content, EndpointArgRegister, EndpointOutRegister, Operation, RequestBody, Required,
    Response as Described,
};
use salvo::{Depot, Extractible, Request, Response, Writer, async_trait};

use super::api_error::HandlerResult;
use super::file::{Incoming, binary};
use super::input::none;
use super::stored_file::disposition;
use super::written::{NOT_KEPT, has_already};
use crate::blocking;
use hanok_base::Result;

/// What a file is.
pub trait FileKind: Send + Sync + 'static {
    /// Its media type.
    const TYPE: &'static str;
}

/// Several files in one.
#[derive(Debug)]
pub enum Zip {}

/// A feed.
#[derive(Debug)]
pub enum Atom {}

/// A document as it is printed.
#[derive(Debug)]
pub enum Pdf {}

impl FileKind for Zip {
    const TYPE: &'static str = "application/zip";
}

impl FileKind for Atom {
    const TYPE: &'static str = "application/atom+xml";
}

impl FileKind for Pdf {
    const TYPE: &'static str = "application/pdf";
}

/// A file that lies in memory, with its tag.
pub struct FileResponse<K> {
    bytes: Vec<u8>,
    /// What it is called where it is for one pair of eyes.
    own_name: Option<String>,
    kind: PhantomData<fn() -> K>,
}

/// A file that is kept, made while it goes out, on threads that may block. Who hears less of it than its length has not
/// heard all.
pub struct Streamed<K> {
    pieces: Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>,
    length: u64,
    tag: String,
    name: String,
    kind: PhantomData<fn() -> K>,
}

impl<K> FileResponse<K> {
    /// A file that is shown where it is asked for.
    pub fn shown(bytes: Vec<u8>) -> FileResponse<K> {
        FileResponse { bytes, own_name: None, kind: PhantomData }
    }

    /// A file of this name for one pair of eyes, shown where it is asked for: nobody on the way keeps it, and no search engine
    /// lists it.
    pub fn own(bytes: Vec<u8>, name: String) -> FileResponse<K> {
        FileResponse { bytes, own_name: Some(name), kind: PhantomData }
    }
}

impl<K> Streamed<K> {
    /// A file of this `length` that is kept under this name, made of `pieces`. Where `state` is the same, so is the file.
    pub fn kept<I>(name: &str, length: u64, state: impl Hash, pieces: I) -> Streamed<K>
    where
        I: Iterator<Item = Result<Vec<u8>>> + Send + 'static,
    {
        let pieces = stream::try_unfold(pieces, |mut pieces| async move {
            let next = blocking::run(move |_| Ok((pieces.next().transpose()?, pieces))).await;
            let (piece, pieces) = next.map_err(io::Error::other)?;
            Ok(piece.map(|piece| (Bytes::from(piece), pieces)))
        });
        Streamed { pieces: Box::pin(pieces), length, tag: tag(state), name: name.to_owned(), kind: PhantomData }
    }
}

fn tag(state: impl Hash) -> String {
    let mut states = DefaultHasher::new();
    state.hash(&mut states);
    format!("\"{:016x}\"", states.finish())
}

/// A file of any size as the body of a request, whatever its sender says that it is. Its handler sets the limits.
pub struct FileBody<K> {
    /// Its bytes.
    pub body: Incoming,
    kind: PhantomData<fn() -> K>,
}

/// Says with a type of body that it may have any size.
pub(super) const ANY_SIZE: &str = "x-any-size";

/// Puts what is said of a file before its bytes. Gives whether these are wanted.
fn head<K: FileKind>(req: &Request, res: &mut Response, tag: &str, name: Option<&str>) -> bool {
    let mut put = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            res.headers_mut().insert(name, value);
        }
    };
    put(CACHE_CONTROL, "private, no-cache");
    put(ETAG, tag);
    if has_already(req, tag) && matches!(*req.method(), Method::GET | Method::HEAD) {
        res.status_code(StatusCode::NOT_MODIFIED);
        return false;
    }
    put(CONTENT_TYPE, K::TYPE);
    if name.is_some() {
        put(CONTENT_DISPOSITION, &disposition(name, true));
    }
    res.status_code(StatusCode::OK);
    true
}

#[async_trait]
impl<K: FileKind> Writer for FileResponse<K> {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        let is_wanted = head::<K>(req, res, &tag(&self.bytes), None);
        if let Some(name) = self.own_name {
            let shown = HeaderValue::from_str(&disposition(Some(&name), false));
            res.headers_mut().insert(CONTENT_DISPOSITION, shown.unwrap_or(HeaderValue::from_static("inline")));
            res.headers_mut().insert(CACHE_CONTROL, NOT_KEPT);
            res.headers_mut().insert("x-robots-tag", HeaderValue::from_static("noindex"));
        }
        if is_wanted {
            let _ = res.write_body(self.bytes);
        }
    }
}

#[async_trait]
impl<K: FileKind> Writer for Streamed<K> {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        if !head::<K>(req, res, &self.tag, Some(&self.name)) {
            return;
        }
        res.headers_mut().insert(CONTENT_LENGTH, self.length.into());
        if req.method() == Method::GET {
            res.stream(self.pieces);
        }
    }
}

impl<K: FileKind> EndpointOutRegister for FileResponse<K> {
    fn register(_components: &mut Components, operation: &mut Operation) {
        describe::<K>(operation);
    }
}

impl<K: FileKind> EndpointOutRegister for Streamed<K> {
    fn register(_components: &mut Components, operation: &mut Operation) {
        describe::<K>(operation);
    }
}

fn describe<K: FileKind>(operation: &mut Operation) {
    let whole = Described::new("The whole file").add_content(K::TYPE, Content::new(binary()));
    operation.responses.insert("200", whole);
    let stayed = Described::new("Not modified: it still has the `ETag` that `If-None-Match` names");
    operation.responses.insert("304", stayed);
}

impl<'ex, K: FileKind> Extractible<'ex> for FileBody<K> {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        Ok(FileBody { body: Incoming::extract(req, depot).await?, kind: PhantomData })
    }
}

impl<K: FileKind> EndpointArgRegister for FileBody<K> {
    fn register(_components: &mut Components, operation: &mut Operation, _arg: &str) {
        let mut body = RequestBody::new().add_content(K::TYPE, Content::new(binary())).required(Required::True);
        body.extensions.insert(ANY_SIZE.to_owned(), true.into());
        operation.request_body = Some(body);
    }
}
