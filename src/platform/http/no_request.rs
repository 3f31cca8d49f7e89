//! Answers that are written before there is a request: to what is none, in the place of the library's own words, and to
//! whoever comes while nothing is served.

use super::api_error::ErrorBody;
use hanok_base::secret::random_token;
use hanok_base::{Error, Kind, MessageTemplate};

const HEADER_TOO_LARGE: MessageTemplate =
    MessageTemplate::new("house.header_too_large", "the header of the request is too large");
const UNREADABLE: MessageTemplate = MessageTemplate::new("house.not_a_request", "the request cannot be read");

/// The answer in our shape, when `bytes` are what the library says to something that is no request: of all
/// answers only that one carries no request id. It is a head without a body, which no part of a body of ours looks like.
pub(super) fn refusal(bytes: &[u8], lines: &str) -> Option<Vec<u8>> {
    let status = bytes.strip_prefix(b"HTTP/1.1 ").or_else(|| bytes.strip_prefix(b"HTTP/1.0 "))?;
    // Of answers that refuse nothing, no more is looked at.
    if !status.starts_with(b"4") || !bytes.ends_with(b"\r\n\r\n") {
        return None;
    }
    let head = std::str::from_utf8(bytes).ok()?;
    if !head.contains("\r\ncontent-length: 0\r\n") || head.contains("x-request-id") {
        return None;
    }
    let date = head.lines().find(|line| line.starts_with("date:")).map(|line| format!("{line}\r\n"));
    let lines = format!("{lines}{}", date.unwrap_or_default());
    Some(if status.starts_with(b"431") || status.starts_with(b"414") {
        in_our_shape("413 Payload Too Large", Error::new(Kind::TooLarge, HEADER_TOO_LARGE), &lines)
    } else {
        in_our_shape("400 Bad Request", Error::new(Kind::InvalidJson, UNREADABLE), &lines)
    })
}

/// An answer that refuses, as it goes over the wire: the last one of its connection. `lines` are those of every answer.
pub(super) fn in_our_shape(status: &str, refused: Error, lines: &str) -> Vec<u8> {
    let request_id = random_token(9);
    let error = refused.code().to_owned();
    let (message, localized) = refused.message.into_parts();
    let body = ErrorBody {
        error,
        message,
        localized,
        fields: Default::default(),
        localized_fields: Default::default(),
        owner: None,
        request_id: request_id.clone(),
        retry_after: None,
    };
    let body = serde_json::to_string(&body).unwrap_or_default();
    let answer = format!(
        "HTTP/1.1 {status}\r\n{lines}x-request-id: {request_id}\r\ncontent-type: application/json\r\n\
         cache-control: no-store\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    answer.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_library_says_to_nonsense_takes_our_shape_and_our_own_answers_stay() {
        let own = b"HTTP/1.1 400 Bad Request\r\nx-request-id: abc\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(refusal(own, ""), None);
        let bare = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        let words = String::from_utf8(refusal(bare, "x-frame-options: DENY\r\n").unwrap()).unwrap();
        assert!(words.starts_with("HTTP/1.1 413 Payload Too Large\r\nx-frame-options: DENY\r\n"), "{words}");
        assert!(words.contains("\"error\":\"TOO_LARGE\""), "{words}");
    }
}
