//! Reading a JSON body: what is no JSON, and what does not fit.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::parts::{RawJson, unfit};
use hanok_base::{Error, Kind, MessageTemplate, Result, validation_messages};

const NOT_JSON: MessageTemplate = MessageTemplate::new("house.not_json", "the body is not valid JSON");

/// The value that `bytes` hold, which must be an object.
///
/// # Errors
/// `INVALID_JSON` when it is no JSON; `INVALID_INPUT` naming the field when it does not fit.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    let body: &RawValue = serde_json::from_slice(bytes).map_err(|_| not_json())?;
    if !body.get().starts_with('{') {
        return Err(Error::field("body", validation_messages::OBJECT));
    }
    serde_path_to_error::deserialize(RawJson::of(body)).map_err(|error| unfit("body", error))
}

fn not_json() -> Error {
    Error::new(Kind::InvalidJson, NOT_JSON)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::*;

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
            ("{\"title\": \"a\", \"title\": \"b\"}", "title is there twice"),
            ("{\"count\": -1}", "count must be between 0 and 4294967295"),
            ("{\"count\": 1.5}", "count must be a whole number"),
            ("{\"count\": 1e400}", "count must be between 0 and 4294967295"),
            ("{\"count\": 4294967296}", "count must be between 0 and 4294967295"),
            (
                "{\"balance\": 99999999999999999999}",
                "balance must be between -9223372036854775808 and 9223372036854775807",
            ),
            ("{\"sets\": [[1, 2], [3, \"4\"]]}", "sets[1][1] must be a whole number"),
            ("{\"sets\": {}}", "sets must be a list"),
            ("{\"sets\": \"at line 3\"}", "sets must be a list"),
            ("{\"sets\": 1e400}", "sets must be a list"),
            ("{\"title\": 1e400}", "title must be text"),
            ("{\"title\": -1e400}", "title must be text"),
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

    #[test]
    fn a_value_of_any_kind_holds_no_number_that_it_cannot_keep() {
        #[derive(Debug, Deserialize)]
        struct Ask {
            work: Value,
        }
        for text in ["1e400", "-1e400", "[1, {\"seed\": 1e400}]"] {
            let error = read::<Ask>(format!("{{\"work\": {text}}}").as_bytes()).unwrap_err();
            assert!(error.message.starts_with("work") && error.message.ends_with(" is too large a number"), "{error}");
        }
        assert_eq!(read::<Ask>(b"{\"work\": 1e300}").unwrap().work, json!(1e300));
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
        fn taking_it_apart_changes_no_value(value in any_json()) {
            let text = value.to_string();
            let plain = Value::deserialize(RawJson::of(serde_json::from_str(&text).unwrap())).unwrap();
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
