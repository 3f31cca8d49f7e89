//! A text on its way out: packed where it is worth it and its caller takes it, and told to have stayed where its caller has
//! it already.

use std::hash::{DefaultHasher, Hasher};

use salvo::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use salvo::http::{HeaderValue, Method, StatusCode};
use salvo::{Request, Response};

use super::packed::{Packable, takes};

/// A whole text with what is said of it.
pub(super) struct Written {
    pub status: StatusCode,
    pub content_type: HeaderValue,
    /// Who may keep it, and for how long.
    pub keep: HeaderValue,
    /// None of what is another one each time.
    pub tag: Option<String>,
    pub body: Packable,
}

/// The caller alone may keep it, and asks each time whether it still holds.
pub(super) const KEPT_BY_THE_CALLER: HeaderValue = HeaderValue::from_static("private, no-cache");
/// Nobody keeps it.
pub(super) const NOT_KEPT: HeaderValue = HeaderValue::from_static("no-store");

impl Written {
    /// Writes it. A read carries its tag, and answers 304 to who has it already. What may be sent in two forms has a weak tag:
    /// the bytes differ, what they say does not.
    pub async fn write(self, req: &Request, res: &mut Response) {
        res.status_code(self.status);
        let headers = res.headers_mut();
        headers.insert(CACHE_CONTROL, self.keep);
        let weak = if self.body.varies() { "W/" } else { "" };
        if self.body.varies() {
            headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        }
        let is_read = self.status == StatusCode::OK && matches!(*req.method(), Method::GET | Method::HEAD);
        if let Some(tag) = self.tag.filter(|_| is_read) {
            if let Ok(value) = HeaderValue::from_str(&format!("{weak}{tag}")) {
                headers.insert(ETAG, value);
            }
            if has_already(req, &tag) {
                res.status_code(StatusCode::NOT_MODIFIED);
                return;
            }
        }
        headers.insert(CONTENT_TYPE, self.content_type);
        let packed = if takes(req, "gzip") { self.body.packed().await } else { None };
        if packed.is_some() {
            res.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        let _ = res.write_body(packed.unwrap_or_else(|| self.body.plain()));
    }
}

/// Tells one state of a text from another, and is no seal: a seal of every answer would cost more than writing it.
pub(super) fn tag_of(body: &[u8]) -> String {
    let mut states = DefaultHasher::new();
    states.write(body);
    format!("\"{:016x}\"", states.finish())
}

/// Whether the caller says that it has what `tag` names (RFC 9110, 13.1.2).
pub(super) fn has_already(req: &Request, tag: &str) -> bool {
    let mut lines = req.headers().get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    lines.any(|line| names(line, tag))
}

fn names(line: &str, tag: &str) -> bool {
    line.split(',').map(str::trim).any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
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
