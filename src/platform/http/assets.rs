//! The web app inside the binary: hashed files that never change, compressed when the binary was built, and
//! the first page for every route of the app.

use std::borrow::Cow;

use rust_embed::{EmbeddedFile, RustEmbed};
use salvo::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use salvo::http::{HeaderValue, StatusCode};
use salvo::{Request, Response};

use super::answer::has_already;
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

/// The smallest form that the browser takes.
fn encoded<Files: RustEmbed>(path: &str, req: &Request) -> Option<(EmbeddedFile, Option<&'static str>)> {
    let accepted = req.headers().get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    for (encoding, ending) in [("br", ".br"), ("gzip", ".gz")] {
        if takes(accepted, encoding)
            && let Some(file) = Files::get(&format!("{path}{ending}"))
        {
            return Some((file, Some(encoding)));
        }
    }
    Some((Files::get(path)?, None))
}

/// Whether `accepted` (RFC 9110, 12.5.3) names `encoding` and does not refuse it with a weight of zero.
fn takes(accepted: &str, encoding: &str) -> bool {
    accepted.split(',').any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        let weight = weight.trim().strip_prefix("q=").unwrap_or("1");
        name.trim().eq_ignore_ascii_case(encoding) && weight.parse().is_ok_and(|weight: f32| weight > 0.0)
    })
}

fn content_type(path: &str) -> HeaderValue {
    let guess = mime_guess::from_path(path).first_or_octet_stream();
    let text = guess.type_() == "text" || guess.subtype() == "javascript" || guess.subtype() == "json";
    let full = if text { format!("{guess}; charset=utf-8") } else { guess.to_string() };
    HeaderValue::from_str(&full).unwrap_or(HeaderValue::from_static("application/octet-stream"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_form_is_sent_to_who_names_it_and_does_not_refuse_it() {
        for accepted in ["br", "gzip, br", "BR", " br ;q=0.5", "br;q=1.000, *;q=0", "gzip;q=0,br"] {
            assert!(takes(accepted, "br"), "{accepted}");
        }
        for accepted in ["", "*", "gzip", "brotli", "br;q=0", "br; q=0.000", "br;q=", "br;q=nan", "br;q=-1", "br br"] {
            assert!(!takes(accepted, "br"), "{accepted}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_accepted_a_form_is_named_before_it_is_sent(accepted in "[brgzip;q=0.1, *]{0,30}|\\PC{0,30}") {
            for encoding in ["br", "gzip"] {
                prop_assert!(!takes(&accepted, encoding) || accepted.to_ascii_lowercase().contains(encoding));
            }
        }
    }
}
