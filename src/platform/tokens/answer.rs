//! What a token endpoint answers (RFC 6749, sections 5.1 and 5.2).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::TimeDelta;
use serde::Deserialize;
use serde_json::Value;

/// No token is longer.
const LONGEST: usize = 16 << 10;

/// Whatever is said, no token is believed to last longer.
const LONGEST_LIFE: TimeDelta = TimeDelta::days(400);

/// A token that was given.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TokenGrant {
    pub access: String,
    pub refresh: Option<String>,
    pub lasts: Option<TimeDelta>,
    pub scope: Option<String>,
}

/// There is no token in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// The endpoint says why, by a code.
    Refused(String),
    /// It is nothing that such an endpoint answers.
    Odd,
}

#[derive(Deserialize)]
struct Body {
    access_token: Option<String>,
    token_type: Option<String>,
    /// Some send it as text.
    expires_in: Option<Value>,
    refresh_token: Option<String>,
    scope: Option<String>,
    error: Option<String>,
}

pub(super) fn read(body: &[u8]) -> Result<TokenGrant, Unread> {
    let body: Body = serde_json::from_slice(body).map_err(|_| Unread::Odd)?;
    if let Some(error) = body.error {
        return Err(Unread::Refused(error));
    }
    let is_bearer = body.token_type.is_none_or(|kind| kind.eq_ignore_ascii_case("bearer"));
    let lasts = body.expires_in.as_ref().map(|lasts| seconds(lasts).ok_or(Unread::Odd)).transpose()?;
    let refresh = body.refresh_token.filter(|token| !token.is_empty());
    match body.access_token {
        Some(access) if is_bearer && is_token(&access) && refresh.as_deref().is_none_or(is_token) => {
            Ok(TokenGrant { access, refresh, lasts, scope: body.scope })
        }
        _ => Err(Unread::Odd),
    }
}

/// The line that tells who we are.
pub(super) fn basic(id: &str, secret: &str) -> String {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    format!("Basic {}", STANDARD.encode(format!("{}:{}", encoded(id), encoded(secret))))
}

/// What can stand in a header line.
fn is_token(token: &str) -> bool {
    !token.is_empty() && token.len() <= LONGEST && token.bytes().all(|byte| byte.is_ascii_graphic())
}

fn seconds(lasts: &Value) -> Option<TimeDelta> {
    let seconds = lasts.as_i64().or_else(|| lasts.as_str()?.parse().ok())?;
    let lasts = TimeDelta::try_seconds(seconds).unwrap_or(LONGEST_LIFE).min(LONGEST_LIFE);
    (lasts > TimeDelta::zero()).then_some(lasts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_with_its_odd_forms_and_nothing_else_is_a_token() {
        let read = |text: &str| read(text.as_bytes());
        let plain = TokenGrant { access: "a".to_owned(), refresh: None, lasts: None, scope: None };
        assert_eq!(read(r#"{"access_token":"a"}"#).unwrap(), plain);
        let lasting = |seconds| TokenGrant {
            lasts: Some(TimeDelta::seconds(seconds)),
            ..read(r#"{"access_token":"a"}"#).unwrap()
        };
        assert_eq!(read(r#"{"access_token":"a","token_type":"BEARER","expires_in":"60"}"#).unwrap(), lasting(60));
        assert_eq!(read(r#"{"access_token":"a","expires_in":9000000000}"#).unwrap(), lasting(400 * 86_400));
        assert_eq!(read(r#"{"error":"invalid_grant"}"#), Err(Unread::Refused("invalid_grant".to_owned())));
        for odd in [
            "{}",
            "[]",
            "<html>",
            r#"{"access_token":""}"#,
            r#"{"access_token":"a b"}"#,
            r#"{"access_token":"a\r\nx: y"}"#,
            r#"{"access_token":"a","token_type":"mac"}"#,
            r#"{"access_token":"a","expires_in":0}"#,
            r#"{"access_token":"a","expires_in":-5}"#,
            r#"{"access_token":"a","expires_in":"soon"}"#,
            r#"{"access_token":"a","refresh_token":"b\n"}"#,
        ] {
            assert_eq!(read(odd), Err(Unread::Odd), "{odd}");
        }
        let long = format!(r#"{{"access_token":"{}"}}"#, "a".repeat(LONGEST + 1));
        assert_eq!(read(&long), Err(Unread::Odd));
    }

    #[test]
    fn who_we_are_is_told_as_the_standard_says() {
        // "my id:a+b" as a form, then by base64, worked out with another program.
        assert_eq!(basic("my id", "a+b:"), "Basic bXkraWQ6YSUyQmIlM0E=");
    }
}
