//! A large file of the house on its way out, whole or in parts. Whatever it is, no browser executes it: its type is said by
//! its first bytes, nothing is guessed (`nosniff`), and a page that it would be stands alone in a sandbox.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

use futures_util::stream;
use salvo::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue,
};
use salvo::http::{Method, StatusCode};
use salvo::hyper::body::Bytes;
use salvo::oapi::{Components, Content, EndpointOutRegister, Operation, Response as Described};
use salvo::{Depot, Request, Response, Writer, async_trait};

use super::api_error::{ErrorBody, write_error};
use super::documented::document;
use super::file::{ANOTHER_FILE, PART_OF_FILE, binary};
use super::ranges::{SentParts, sent};
use crate::app::App;
use crate::blobs::{self, BlobFlaw, BlobId, MediaKind};
use crate::blocking;
use hanok_base::{Error, Kind, MessageTemplate, Result};

/// Nothing in it is asked for, done or sent, and it belongs to no site.
const UNIQUE: &str = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";
/// Bytes that are read at once, and lie in memory for each who asks.
const PIECE: u64 = 256 << 10;
/// No name that a file is kept under is longer, in signs.
const LONGEST_NAME: usize = 150;

const ROTTEN: MessageTemplate = MessageTemplate::new(
    "house.file_has_changed",
    "this file is not what was put there any more, and is not given out; put the same file there again",
);

/// A file, with its strong tag, of which a part can be asked for (`Range`, `If-Range`).
pub struct StoredFile {
    file: File,
    id: BlobId,
    bytes: u64,
    kind: MediaKind,
    name: Option<String>,
    is_kept: bool,
}

impl StoredFile {
    /// The file `id`, shown where that does no harm, under the name that it has when somebody keeps it.
    ///
    /// # Errors
    /// `NOT_FOUND` where there is none; `INTERNAL` for one whose bytes are others than were put there.
    pub async fn of(app: &App, id: &BlobId, name: Option<String>) -> Result<StoredFile> {
        let absent = || Error::not_found("file");
        let named = id.clone();
        let blob = app.data.store.read_inline(move |tx| blobs::find(tx, &named)).await?.ok_or_else(absent)?;
        if blob.flaw == Some(BlobFlaw::Changed) {
            return Err(Error::new(Kind::Internal, ROTTEN).because(id));
        }
        let path = app.data.blobs.path(id)?;
        let open = move |_: &_| {
            let file = File::open(path).map_err(|error| match error.kind() {
                ErrorKind::NotFound => Error::not_found("file").because(error),
                _ => Error::internal(error),
            })?;
            let bytes = file.metadata().map_err(Error::internal)?.len();
            Ok((file, bytes))
        };
        let (file, bytes) = blocking::run(open).await?;
        if bytes != blob.bytes {
            return Err(Error::new(Kind::Internal, ROTTEN).because(id));
        }
        Ok(StoredFile { file, id: blob.id, bytes, kind: blob.kind, name, is_kept: !blob.kind.is_shown() })
    }

    /// The same, only to be kept.
    pub fn to_keep(self) -> StoredFile {
        StoredFile { is_kept: true, ..self }
    }
}

#[async_trait]
impl Writer for StoredFile {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        let tag = format!("\"{}\"", self.id);
        let sent = sent(req.headers(), &tag, self.bytes, req.method() == Method::GET);
        let (status, from, bytes) = match sent {
            SentParts::Whole => (StatusCode::OK, 0, self.bytes),
            SentParts::Part { from, bytes } => (StatusCode::PARTIAL_CONTENT, from, bytes),
            SentParts::NotModified => {
                put(res.headers_mut(), ETAG, &tag);
                put(res.headers_mut(), CACHE_CONTROL, "private, no-cache");
                res.status_code(StatusCode::NOT_MODIFIED);
                return;
            }
            SentParts::Another => {
                write_error(Error::conflict(ANOTHER_FILE), req, res);
                res.status_code(StatusCode::PRECONDITION_FAILED);
                return;
            }
            SentParts::NoSuchPart => {
                write_error(Error::field("Range", PART_OF_FILE), req, res);
                res.status_code(StatusCode::RANGE_NOT_SATISFIABLE);
                put(res.headers_mut(), CONTENT_RANGE, &format!("bytes */{}", self.bytes));
                return;
            }
        };
        let headers = res.headers_mut();
        put(headers, CONTENT_TYPE, self.kind.media_type());
        put(headers, CONTENT_DISPOSITION, &disposition(self.name.as_deref(), self.is_kept));
        put(headers, CONTENT_SECURITY_POLICY, UNIQUE);
        put(headers, CACHE_CONTROL, "private, no-cache");
        put(headers, ETAG, &tag);
        put(headers, ACCEPT_RANGES, "bytes");
        put(headers, CONTENT_LENGTH, &bytes.to_string());
        if status == StatusCode::PARTIAL_CONTENT {
            put(headers, CONTENT_RANGE, &format!("bytes {from}-{}/{}", from + bytes - 1, self.bytes));
        }
        res.status_code(status);
        if req.method() == Method::GET {
            res.stream(pieces(self.file, from, bytes));
        }
    }
}

fn put(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// So many bytes of a file, read on threads that may block, a piece when the one before it has gone out.
fn pieces(file: File, from: u64, bytes: u64) -> impl stream::Stream<Item = io::Result<Bytes>> + Send {
    stream::try_unfold((file, from, bytes), |(mut file, from, left)| async move {
        if left == 0 {
            return Ok(None);
        }
        let read = blocking::run(move |_| {
            let mut piece = vec![0; left.min(PIECE) as usize];
            let read = file.seek(SeekFrom::Start(from)).and_then(|_| file.read_exact(&mut piece));
            read.map_err(Error::internal)?;
            Ok((file, piece))
        });
        let (file, piece) = read.await.map_err(io::Error::other)?;
        let read = piece.len() as u64;
        Ok(Some((Bytes::from(piece), (file, from + read, left - read))))
    })
}

/// How a file is shown or kept, and under which name: in ASCII for old programs, and as it is (RFC 6266, RFC 8187).
pub(super) fn disposition(name: Option<&str>, is_kept: bool) -> String {
    let how = if is_kept { "attachment" } else { "inline" };
    let name: String = name.unwrap_or_default().chars().filter(|sign| !steers(*sign)).map(no_path).collect();
    let name: String = name.trim_matches([' ', '.']).chars().take(LONGEST_NAME).collect();
    if name.is_empty() {
        return how.to_owned();
    }
    let is_plain = |sign: char| sign == ' ' || (sign.is_ascii_graphic() && !matches!(sign, '"' | '\\' | '%'));
    let plain: String = name.chars().map(|sign| if is_plain(sign) { sign } else { '_' }).collect();
    if plain == name {
        return format!("{how}; filename=\"{plain}\"");
    }
    let is_attr = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte);
    let encode = |byte: u8| if is_attr(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let encoded: String = name.bytes().map(encode).collect();
    format!("{how}; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

/// Whether a sign is not seen and changes how others are: it would hide what a name ends with.
fn steers(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A name is none of a folder.
fn no_path(sign: char) -> char {
    if matches!(sign, '/' | '\\' | ':') { '_' } else { sign }
}

impl EndpointOutRegister for StoredFile {
    fn register(components: &mut Components, operation: &mut Operation) {
        for (status, what) in [("200", "The whole file"), ("206", "The part of it that was asked for")] {
            let described = Described::new(what).add_content("application/octet-stream", Content::new(binary()));
            operation.responses.insert(status, described);
        }
        operation.responses.insert("304", Described::new("Who asks has it already"));
        document::<ErrorBody>(
            components,
            operation,
            "412",
            "Precondition failed: it has another `ETag` than `If-Match` names",
        );
        document::<ErrorBody>(components, operation, "416", "No such part");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_korean_name_is_said_as_it_is_and_in_ascii_for_old_programs() {
        assert_eq!(disposition(Some("song.flac"), true), "attachment; filename=\"song.flac\"");
        assert_eq!(
            disposition(Some("견적서 42.pdf"), true),
            "attachment; filename=\"___ 42.pdf\"; filename*=UTF-8''%EA%B2%AC%EC%A0%81%EC%84%9C%2042.pdf"
        );
        assert_eq!(
            disposition(Some("a\"b\\c%20.txt"), false),
            "inline; filename=\"a_b_c_20.txt\"; filename*=UTF-8''a%22b_c%2520.txt"
        );
        assert_eq!(disposition(None, true), "attachment");
        assert_eq!(disposition(Some("\r\n.. "), false), "inline");
        assert_eq!(disposition(Some("../../etc/passwd"), false), "inline; filename=\"_.._etc_passwd\"");
        assert_eq!(disposition(Some("photo\u{202e}gnp.exe"), true), "attachment; filename=\"photognp.exe\"");
    }

    proptest! {
        #[test]
        fn whatever_a_name_is_the_header_is_one_line_of_plain_signs(name in "\\PC{0,200}|[\\x00-\\x7f]{0,40}") {
            let said = disposition(Some(&name), true);
            prop_assert!(HeaderValue::from_str(&said).is_ok() && said.is_ascii());
            prop_assert!([0, 2].contains(&said.matches('"').count()));
        }
    }
}
