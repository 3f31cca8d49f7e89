//! Files that come in in parts, as tus 1.0.0 says it (tus.io/protocols/resumable-upload: core, creation, termination,
//! expiration): `POST` announces a file, `HEAD` says how far it is, `PATCH` brings the next part, `DELETE` ends it. It is
//! spoken here and not by the library's own: that lets every site in, gives out what has come in, and knows nobody.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use salvo::extract::Metadata;
use salvo::http::StatusCode;
use salvo::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use salvo::oapi::{
    Components, Content, EndpointArgRegister, EndpointOutRegister, Operation, Parameter, ParameterIn, RequestBody,
    Required, Response as Described,
};
use salvo::{Depot, Extractible, Request, Response, Writer, async_trait};

use super::answer::{UncachedJson, WithStatus};
use super::api_error::{ErrorBody, HandlerResult, OtherVersion};
use super::documented::document;
use super::file::{Incoming, binary};
use super::input::none;
use crate::blobs::Upload;
use hanok_base::{Error, MessageTemplate, Result};

/// The version of the protocol.
const VERSION: &str = "1.0.0";
/// What of it is spoken beyond its core.
const EXTENSIONS: &str = "creation,termination,expiration";
/// How a part stands in the document: by this a door finds the routes that take one.
pub(super) const PART: &str = "application/offset+octet-stream";
/// No name of a file is longer, in signs.
const LONGEST_NAME: usize = 200;

const RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
const LENGTH: HeaderName = HeaderName::from_static("upload-length");
const OFFSET: HeaderName = HeaderName::from_static("upload-offset");
const METADATA: HeaderName = HeaderName::from_static("upload-metadata");

const A_NUMBER: MessageTemplate = MessageTemplate::new("house.must.count_bytes", "must be a number of bytes");
const A_PART: MessageTemplate = MessageTemplate::new("house.must.be_a_part", "must be application/offset+octet-stream");
const OTHER_VERSION: MessageTemplate = MessageTemplate::new(
    "house.other_tus_version",
    "files come in in parts by version {version} of tus alone (Tus-Resumable)",
);

/// A file that is announced.
#[derive(Debug)]
pub struct UploadCreate {
    /// Its bytes.
    pub length: u64,
    /// The name that its sender has for it.
    pub name: Option<String>,
}

/// The next part of a file.
pub struct IncomingPart {
    /// Where it begins.
    pub offset: u64,
    /// Its bytes.
    pub body: Incoming,
}

/// Whether a request that needs it names the version that is spoken here.
#[derive(Debug, Clone, Copy)]
pub struct TusVersion;

/// How far a file is, with the status and the headers of the protocol: 200 and 201 say it in words, too.
pub struct UploadOffset<const STATUS: u16>(pub Upload);

/// Nothing but that it is done (204).
pub struct NoContent;

impl<'ex> Extractible<'ex> for TusVersion {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, _depot: &'ex mut Depot) -> HandlerResult<Self> {
        match text(req.headers(), &RESUMABLE) {
            Some(VERSION) => Ok(TusVersion),
            _ => {
                req.extensions_mut().insert(OtherVersion("tus-version", VERSION));
                Err(Error::conflict(OTHER_VERSION.with([("version", VERSION.into())])).into())
            }
        }
    }
}

impl EndpointArgRegister for TusVersion {
    fn register(components: &mut Components, operation: &mut Operation, _arg: &str) {
        document::<ErrorBody>(components, operation, "412", "Another version of the protocol");
        asks_for(operation, "Tus-Resumable", "The version of the protocol: 1.0.0", VERSION);
    }
}

impl<'ex> Extractible<'ex> for UploadCreate {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, _depot: &'ex mut Depot) -> HandlerResult<Self> {
        let headers = req.headers();
        Ok(UploadCreate {
            length: number(headers, &LENGTH, "Upload-Length")?,
            name: text(headers, &METADATA).and_then(name_in),
        })
    }
}

impl EndpointArgRegister for UploadCreate {
    fn register(_components: &mut Components, operation: &mut Operation, _arg: &str) {
        asks_for(operation, "Upload-Length", "The bytes of the file", "0");
        let names = "`filename` and its name in base64";
        let metadata = Parameter::new("Upload-Metadata").location(ParameterIn::Header).description(names);
        operation.parameters.insert(metadata.schema(super::documented::text()));
    }
}

impl<'ex> Extractible<'ex> for IncomingPart {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        if text(req.headers(), &CONTENT_TYPE) != Some(PART) {
            return Err(Error::field("Content-Type", A_PART).into());
        }
        let offset = number(req.headers(), &OFFSET, "Upload-Offset")?;
        Ok(IncomingPart { offset, body: Incoming::extract(req, depot).await? })
    }
}

impl EndpointArgRegister for IncomingPart {
    fn register(_components: &mut Components, operation: &mut Operation, _arg: &str) {
        asks_for(operation, "Upload-Offset", "Where the part begins: as far as the file is", "0");
        let body = RequestBody::new().add_content(PART, Content::new(binary())).required(Required::True);
        operation.request_body = Some(body);
    }
}

fn asks_for(operation: &mut Operation, name: &str, what: &str, example: &str) {
    let parameter = Parameter::new(name).location(ParameterIn::Header).description(what).required(Required::True);
    operation.parameters.insert(parameter.schema(super::documented::text()).example(example.into()));
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn number(headers: &HeaderMap, name: &HeaderName, shown: &str) -> Result<u64> {
    let digits = text(headers, name).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    digits.and_then(|text| text.parse().ok()).ok_or_else(|| Error::field(shown, A_NUMBER))
}

/// The name of the file among what is said of it: words, each with its value in base64. What cannot be read has none.
fn name_in(metadata: &str) -> Option<String> {
    let mut pairs = metadata.split(',').filter_map(|pair| pair.trim().split_once(' '));
    let (_, encoded) = pairs.find(|(key, _)| *key == "filename")?;
    let name = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let name: String = name.chars().filter(|sign| !sign.is_control()).take(LONGEST_NAME).collect();
    (!name.trim().is_empty()).then_some(name)
}

#[async_trait]
impl<const STATUS: u16> Writer for UploadOffset<STATUS> {
    async fn write(self, req: &mut Request, depot: &mut Depot, res: &mut Response) {
        let Upload { length, offset, expires_at, .. } = self.0;
        let headers = res.headers_mut();
        put(headers, "tus-resumable", VERSION);
        put(headers, "tus-version", VERSION);
        put(headers, "tus-extension", EXTENSIONS);
        put(headers, "upload-offset", &offset.to_string());
        put(headers, "upload-length", &length.to_string());
        put(headers, "upload-expires", &http_date(expires_at));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        match STATUS {
            204 => {
                res.status_code(StatusCode::NO_CONTENT);
            }
            201 => {
                put(headers, LOCATION.as_str(), &format!("{}/{}", req.uri().path(), self.0.id));
                WithStatus(STATUS, self.0).write(req, depot, res).await;
            }
            _ => {
                UncachedJson(self.0).write(req, depot, res).await;
                res.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
            }
        }
    }
}

#[async_trait]
impl Writer for NoContent {
    async fn write(self, _req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        put(res.headers_mut(), "tus-resumable", VERSION);
        res.status_code(StatusCode::NO_CONTENT);
    }
}

fn put(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(HeaderName::from_static(name), value);
    }
}

/// An instant as HTTP writes it (RFC 9110, 5.6.7).
fn http_date(at: DateTime<Utc>) -> String {
    at.format("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

impl<const STATUS: u16> EndpointOutRegister for UploadOffset<STATUS> {
    fn register(components: &mut Components, operation: &mut Operation) {
        let what = "How far it is (`Upload-Offset`)";
        match STATUS {
            204 => {
                operation.responses.insert("204", Described::new(what));
            }
            _ => document::<Upload>(components, operation, &STATUS.to_string(), what),
        }
    }
}

impl EndpointOutRegister for NoContent {
    fn register(_components: &mut Components, operation: &mut Operation) {
        operation.responses.insert("204", Described::new("Nothing of it is there any more"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_is_read_from_what_is_said_of_it() {
        let encoded = STANDARD.encode("견적서 42.pdf");
        assert_eq!(name_in(&format!("filetype dGV4dA==, filename {encoded}")).unwrap(), "견적서 42.pdf");
        assert_eq!(name_in(&format!("filename {}", STANDARD.encode("a\r\nb"))).unwrap(), "ab");
        for none in ["", "filename", "filename !!!", "name YQ==", "filename /w=="] {
            assert_eq!(name_in(none), None, "{none}");
        }
    }

    #[test]
    fn an_instant_is_written_as_http_does() {
        assert_eq!(http_date("2026-10-10T11:40:00Z".parse().unwrap()), "Sat, 10 Oct 2026 11:40:00 GMT");
    }
}
