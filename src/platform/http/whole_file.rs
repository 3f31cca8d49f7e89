//! A file that is made or read in memory, whole: what a domain packs for whoever asks, and what is brought to it.

use std::fmt;
use std::hash::{DefaultHasher, Hasher};
use std::marker::PhantomData;

use salvo::extract::Metadata;
use salvo::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, HeaderName, HeaderValue};
use salvo::http::{Method, StatusCode};
use salvo::oapi::{
    Components, Content, EndpointArgRegister, EndpointOutRegister, Operation, RequestBody, Required,
    Response as Described,
};
use salvo::{Depot, Extractible, Request, Response, Writer, async_trait};

use super::file::binary;
use super::input::{MOST_BYTES, none, raw_body};
use super::refusal::Answer;
use super::stored_file::disposition;
use super::written::has_already;

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

impl FileKind for Zip {
    const TYPE: &'static str = "application/zip";
}

impl FileKind for Atom {
    const TYPE: &'static str = "application/atom+xml";
}

/// A file as it is answered, with its tag.
pub struct Made<K> {
    bytes: Vec<u8>,
    name: Option<String>,
    kind: PhantomData<fn() -> K>,
}

impl<K> Made<K> {
    /// A file that is shown where it is asked for.
    pub fn shown(bytes: Vec<u8>) -> Made<K> {
        Made { bytes, name: None, kind: PhantomData }
    }

    /// A file that is kept under this name.
    pub fn kept(name: &str, bytes: Vec<u8>) -> Made<K> {
        Made { name: Some(name.to_owned()), ..Made::shown(bytes) }
    }
}

/// A file of at most `MOST` bytes as the body of a request, whatever its sender says that it is.
pub struct Brought<K, const MOST: u64> {
    /// Its bytes.
    pub bytes: Vec<u8>,
    kind: PhantomData<fn() -> K>,
}

impl<K, const MOST: u64> fmt::Debug for Brought<K, MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Brought({} bytes)", self.bytes.len())
    }
}

#[async_trait]
impl<K: FileKind> Writer for Made<K> {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        let mut states = DefaultHasher::new();
        states.write(&self.bytes);
        let tag = format!("\"{:016x}\"", states.finish());
        let mut put = |name: HeaderName, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                res.headers_mut().insert(name, value);
            }
        };
        put(CACHE_CONTROL, "private, no-cache");
        put(ETAG, &tag);
        if has_already(req, &tag) && matches!(*req.method(), Method::GET | Method::HEAD) {
            res.status_code(StatusCode::NOT_MODIFIED);
            return;
        }
        put(CONTENT_TYPE, K::TYPE);
        if let Some(name) = &self.name {
            put(CONTENT_DISPOSITION, &disposition(Some(name), true));
        }
        res.status_code(StatusCode::OK);
        let _ = res.write_body(self.bytes);
    }
}

impl<K: FileKind> EndpointOutRegister for Made<K> {
    fn register(_components: &mut Components, operation: &mut Operation) {
        let whole = Described::new("The whole file").add_content(K::TYPE, Content::new(binary()));
        operation.responses.insert("200", whole);
        let stayed = Described::new("As it was when it had the `ETag` that `If-None-Match` names");
        operation.responses.insert("304", stayed);
    }
}

impl<'ex, K: FileKind, const MOST: u64> Extractible<'ex> for Brought<K, MOST> {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> Answer<Self> {
        Ok(Brought { bytes: raw_body(req, depot).await?.to_vec(), kind: PhantomData })
    }
}

impl<K: FileKind, const MOST: u64> EndpointArgRegister for Brought<K, MOST> {
    fn register(_components: &mut Components, operation: &mut Operation, _arg: &str) {
        let mut body = RequestBody::new().add_content(K::TYPE, Content::new(binary())).required(Required::True);
        body.extensions.insert(MOST_BYTES.to_owned(), MOST.into());
        operation.request_body = Some(body);
    }
}
