//! The web app inside the binary: hashed files that never change, compressed when the binary was built, and
//! the first page for every route of the app.

use std::borrow::Cow;

use rust_embed::{EmbeddedFile, RustEmbed};
use salvo::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, LOCATION, VARY};
use salvo::http::{HeaderValue, StatusCode};
use salvo::{Request, Response};

use super::packed::takes;
use super::path::without_last_slash;
use super::written::has_already;
use hanok_base::secret::hex;
use hanok_base::{Error, Result};

/// Writes the file `path` of `Files`. Files below `assets/` carry a hash in their name and are kept for good.
///
/// # Errors
/// `NOT_FOUND`.
pub fn asset<Files: RustEmbed>(path: &str, req: &Request, res: &mut Response) -> Result<()> {
    let compressed = path.ends_with(".br") || path.ends_with(".gz") || path.starts_with('.');
    let found = if compressed { None } else { encoded::<Files>(path, req) };
    let (file, encoding) = found.ok_or_else(|| Error::not_found("file"))?;
    let lasting = path.starts_with("assets/");
    let keep = if lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
    let tag = format!("\"{}\"", hex(&file.metadata.sha256_hash()[..12]));
    let known = has_already(req, &tag);
    let headers = res.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(keep));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    if known {
        res.status_code(StatusCode::NOT_MODIFIED);
        return Ok(());
    }
    if let Some(encoding) = encoding {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    headers.insert(CONTENT_TYPE, content_type(path));
    res.status_code(StatusCode::OK);
    match file.data {
        Cow::Borrowed(bytes) => res.write_body(bytes),
        Cow::Owned(bytes) => res.write_body(bytes),
    }
    .map_err(Error::internal)
}

/// Writes the app's first page, with `status`: the app itself shows what belongs to the address.
pub fn page<Files: RustEmbed>(status: StatusCode, req: &Request, res: &mut Response) -> Result<()> {
    asset::<Files>("index.html", req, res)?;
    if res.status_code == Some(StatusCode::OK) {
        res.status_code(status);
    }
    Ok(())
}

/// Shows the way to the one spelling of a page's path, where that of the request ends with a slash: whoever types one finds
/// the page, and it has one address all the same. Gives whether it did.
///
/// # Errors
/// `INTERNAL` when the address cannot stand in a header.
pub fn shown_the_way(req: &Request, res: &mut Response) -> Result<bool> {
    let Some(plain) = without_last_slash(req.uri().path()) else { return Ok(false) };
    let query = req.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    let address = HeaderValue::from_str(&format!("{plain}{query}")).map_err(Error::internal)?;
    res.headers_mut().insert(LOCATION, address);
    res.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    res.status_code(StatusCode::PERMANENT_REDIRECT);
    Ok(true)
}

/// The smallest form that the browser takes.
fn encoded<Files: RustEmbed>(path: &str, req: &Request) -> Option<(EmbeddedFile, Option<&'static str>)> {
    for (encoding, ending) in [("br", ".br"), ("gzip", ".gz")] {
        if takes(req, encoding)
            && let Some(file) = Files::get(&format!("{path}{ending}"))
        {
            return Some((file, Some(encoding)));
        }
    }
    Some((Files::get(path)?, None))
}

fn content_type(path: &str) -> HeaderValue {
    let guess = mime_guess::from_path(path).first_or_octet_stream();
    let text = guess.type_() == "text" || guess.subtype() == "javascript" || guess.subtype() == "json";
    let full = if text { format!("{guess}; charset=utf-8") } else { guess.to_string() };
    HeaderValue::from_str(&full).unwrap_or(HeaderValue::from_static("application/octet-stream"))
}
