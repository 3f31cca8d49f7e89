//! Reading a JSON body: what is no JSON, what does not fit, and the words in which both are refused.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use hanok_base::{Error, Kind, Result};

/// The value that `bytes` hold, which must be an object.
///
/// # Errors
/// `INVALID_JSON` when it is no JSON; `INVALID_INPUT` naming the field when it does not fit.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    // The parser looks at the letters of a text only where it is wanted.
    std::str::from_utf8(bytes).map_err(|_| not_json())?;
    let bytes = &*with_whole_numbers(bytes);
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value: Result<T, _> = serde_path_to_error::deserialize(&mut deserializer);
    match value {
        Ok(value) => match deserializer.end() {
            // A list would do for serde, field by field in their order; it will not do for us.
            Ok(()) if !is_object(bytes) => Err(Error::field("body", "must be an object")),
            Ok(()) => Ok(value),
            Err(_) => Err(not_json()),
        },
        Err(error) => Err(refused(bytes, &error.path().to_string(), error.inner())),
    }
}

/// JSON has one kind of number, and 3.0 is the whole number 3 (JSON Schema 2020-12, 6.1.1). The parser takes it
/// for a fraction, so such numbers are written plainly first.
fn with_whole_numbers(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.windows(2).any(|two| two == b".0") {
        return Cow::Borrowed(bytes);
    }
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(&first) = rest.first() {
        let length = match first {
            b'"' => length_of_string(rest),
            b'-' | b'0'..=b'9' => {
                rest.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')).count()
            }
            _ => 1,
        };
        let (token, after) = rest.split_at(length);
        plain.extend_from_slice(without_empty_fraction(token));
        rest = after;
    }
    Cow::Owned(plain)
}

fn length_of_string(text: &[u8]) -> usize {
    let mut is_escaped = false;
    let end = text.iter().skip(1).position(|byte| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

fn without_empty_fraction(token: &[u8]) -> &[u8] {
    let Some(point) = token.iter().position(|byte| *byte == b'.').filter(|_| token[0] != b'"') else { return token };
    let (whole, fraction) = (&token[..point], &token[point + 1..]);
    if fraction.is_empty() || fraction.iter().any(|digit| *digit != b'0') {
        return token;
    }
    if whole == b"-0" { b"0" } else { whole }
}

fn is_object(bytes: &[u8]) -> bool {
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

fn not_json() -> Error {
    Error::new(Kind::InvalidJson, "the body is not valid JSON")
}

/// Not JSON at all is 400; JSON that does not fit is 422 and names the field.
fn refused(bytes: &[u8], path: &str, error: &serde_json::Error) -> Error {
    if serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_err() {
        return not_json();
    }
    let text = error.to_string();
    let must = text.split(" at line ").next().unwrap_or(&text).to_owned();
    let parent = if path == "." || path == "?" { "" } else { path };
    if let Some(name) = must.strip_prefix("missing field `").and_then(|rest| rest.split('`').next()) {
        let path = if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") };
        return Error::field(path, "is required");
    }
    if !is_object(bytes) {
        return Error::field("body", "must be an object");
    }
    Error::field(if parent.is_empty() { "body" } else { parent }, plainly(&must))
}

/// What a value must be, in words for people, from what the parser says about it.
pub(super) fn plainly(said: &str) -> String {
    const WHOLE: &str = "must be a whole number";
    let expected = said.rsplit_once("expected ").map_or(said, |(_, expected)| expected);
    let plain = match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "must be a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" | "invalid digit found in string" => WHOLE,
        "cannot parse integer from empty string" => WHOLE,
        "number too large to fit in target type" | "number too small to fit in target type" => "is out of range",
        "f32" | "f64" | "invalid float literal" | "cannot parse float from empty string" => "must be a number",
        "a string" | "a borrowed string" | "a character" => "must be text",
        "a boolean" | "provided string was not `true` or `false`" | "`true` or `false`" => "must be true or false",
        "a sequence" => "must be a list",
        "a map" => "must be an object",
        "number out of range" => "is out of range",
        "recursion limit exceeded" => "is nested too deeply",
        _ if ["surrogate", "unicode code point", "hex escape"].iter().any(|what| said.contains(what)) => {
            "must be text of whole characters"
        }
        _ if expected.starts_with("a day ") => return format!("must be {expected}"),
        _ if expected.starts_with("struct ") || expected.starts_with("internally tagged") => "must be an object",
        _ if expected.starts_with("an array of length ") || expected.starts_with("a tuple of size ") => {
            let size: String = expected.chars().filter(char::is_ascii_digit).collect();
            return format!("must be a list of {size}");
        }
        _ if said.starts_with("unknown variant") => {
            return format!("must be {}", expected.replace('`', ""));
        }
        _ if said.starts_with("unknown field") => "is not known",
        _ if said.starts_with("duplicate field") => "is there twice",
        _ if said.contains("expected") => "is not of the right kind",
        _ => return format!("cannot be read: {said}"),
    };
    plain.to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::*;
    use hanok_base::day;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Form {
        #[serde(default)]
        title: Option<String>,
        #[serde(default)]
        count: Option<u32>,
        #[serde(default)]
        balance: Option<i64>,
        #[serde(default)]
        share: Option<f64>,
        #[serde(default)]
        sets: Option<Vec<Vec<i64>>>,
        #[serde(default, deserialize_with = "day::given")]
        due: Option<chrono::NaiveDate>,
    }

    fn refusal(text: impl AsRef<[u8]>) -> (Kind, String) {
        let error = read::<Form>(text.as_ref()).unwrap_err();
        let fields: Vec<String> = error.fields.iter().map(|(field, must)| format!("{field} {must}")).collect();
        (error.kind, fields.join("; "))
    }

    #[test]
    fn odd_bodies_are_refused_for_what_they_are() {
        let malformed = [
            "",
            " ",
            "{",
            "{}}",
            "{} {}",
            "nul",
            "\u{feff}{}",
            "{\"title\": \"a\tb\"}",
            "{\"title\":\"\\x\"}",
            "{'title': 1}",
            "{\"count\": 01}",
            "{\"count\": .5}",
            "{\"count\": 1.}",
            "{\"count\": +1}",
            "{\"count\": NaN}",
            "{\"a\":1,}",
            "\0{}",
            "{\"count\": 0x10}",
            "{\"count\": 1e}",
            "{\"count\": --1.0}",
        ];
        for text in malformed {
            assert_eq!(refusal(text).0, Kind::InvalidJson, "{text}");
        }
        assert_eq!(refusal(b"{\"title\": \"\xff\xfe\"}").0, Kind::InvalidJson);
        assert_eq!(refusal("[".repeat(50_000)).0, Kind::InvalidJson);
        for (text, fields) in [
            ("[]", "body must be an object"),
            ("null", "body must be an object"),
            ("[null, 1]", "body must be an object"),
            ("{\"title\": 1}", "title must be text"),
            ("{\"title\": \"\\ud800\"}", "title must be text of whole characters"),
            ("{\"title\": \"a\", \"title\": \"b\"}", "body is there twice"),
            ("{\"count\": -1}", "count must be a whole number, 0 or more"),
            ("{\"count\": 1.5}", "count must be a whole number, 0 or more"),
            ("{\"count\": 1e400}", "count is out of range"),
            ("{\"count\": 4294967296}", "count must be a whole number, 0 or more"),
            ("{\"balance\": 99999999999999999999}", "balance must be a whole number"),
            ("{\"sets\": [[1, 2], [3, \"4\"]]}", "sets[1][1] must be a whole number"),
            ("{\"sets\": {}}", "sets must be a list"),
            ("{\"due\": \"2026-02-30\"}", "due must be a day such as 2026-10-10"),
            ("{\"due\": \"2026-2-3\"}", "due must be a day such as 2026-10-10"),
            ("{\"due\": \"+2026-02-03\"}", "due must be a day such as 2026-10-10"),
            ("{\"due\": 20260203}", "due must be text"),
        ] {
            assert_eq!(refusal(text), (Kind::InvalidInput, fields.to_owned()), "{text}");
        }
        let deep = format!("{{\"sets\": {}1{}}}", "[".repeat(1_000), "]".repeat(1_000));
        assert_eq!(refusal(deep).0, Kind::InvalidInput);
        let unknown = format!("{{\"other\": {}1{}}}", "[".repeat(50_000), "]".repeat(50_000));
        assert_eq!(read::<Form>(unknown.as_bytes()).unwrap().title, None, "what is not known is passed over");
    }

    #[test]
    fn a_number_without_a_fraction_is_a_whole_number_however_it_is_written() {
        let form: Form = read(br#"{"count": 3.0, "balance": -0.00, "share": 2.0, "sets": [[1.0]]}"#).unwrap();
        assert_eq!(
            (form.count, form.balance, form.share, form.sets),
            (Some(3), Some(0), Some(2.0), Some(vec![vec![1]]))
        );
        let form: Form = read(br#"{"title": "1.0 \" 2.0 \\"}"#).unwrap();
        assert_eq!(form.title.unwrap(), "1.0 \" 2.0 \\", "what stands in a text stays");
    }

    /// Any JSON, also the odd kinds.
    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            let key = prop_oneof![
                Just("title".to_owned()),
                Just("count".to_owned()),
                Just("sets".to_owned()),
                Just("due".to_owned()),
                any::<String>()
            ];
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((key, inner), 0..5).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn whatever_comes_is_taken_or_refused_with_a_reason(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            if let Err(error) = read::<Form>(&bytes) {
                prop_assert!(matches!(error.kind, Kind::InvalidJson | Kind::InvalidInput), "{error:?}");
                prop_assert_eq!(error.kind == Kind::InvalidInput, !error.fields.is_empty());
            }
        }

        #[test]
        fn json_of_any_shape_is_never_called_no_json(value in any_json()) {
            if let Err(error) = read::<Form>(value.to_string().as_bytes()) {
                prop_assert_eq!(error.kind, Kind::InvalidInput);
                prop_assert!(!error.fields.is_empty());
            }
        }

        #[test]
        fn writing_numbers_plainly_changes_no_value(value in any_json()) {
            let text = value.to_string();
            let plain: Value = serde_json::from_slice(&with_whole_numbers(text.as_bytes())).unwrap();
            prop_assert!(alike(&plain, &serde_json::from_str(&text).unwrap()), "{text} became {plain}");
        }

        #[test]
        fn cut_anywhere_it_is_no_json(value in any_json(), at in any::<prop::sample::Index>()) {
            let text = json!({"title": "x", "other": value}).to_string();
            let cut = &text.as_bytes()[..at.index(text.len())];
            prop_assert_eq!(read::<Form>(cut).unwrap_err().kind, Kind::InvalidJson);
        }
    }

    /// Equal, when 3.0 and 3 are the same number.
    fn alike(a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
            (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
            (Value::Object(a), Value::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| alike(value, other)))
            }
            (a, b) => a == b,
        }
    }
}
