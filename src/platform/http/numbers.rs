//! How a number is read, the same in a body and in a query. JSON has one kind of number: 3.0 and 1e2 are whole numbers
//! (JSON Schema 2020-12, 6.1.1). One that is too large for its type is refused by the bounds of the type.

/// What is said of a value that is no whole number.
pub(super) const NOT_WHOLE: &str = "must be a whole number";
/// What is said of a value that is no number.
pub(super) const NO_NUMBER: &str = "must be a number";

/// The whole number that `text` writes, however it does; the largest or the smallest of 128 bits for one beyond them.
pub(super) fn whole(text: &str) -> Option<i128> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let exponent_digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    if ![before, behind, exponent_digits].into_iter().all(are_digits) {
        return None;
    }
    let digits = format!("{before}{behind}");
    let significant = digits.trim_end_matches('0');
    if significant.trim_start_matches('0').is_empty() {
        return Some(0);
    }
    let beyond = if exponent.starts_with('-') { i64::MIN } else { i64::MAX };
    let zeros = i64::try_from(digits.len() - significant.len()).ok()? - i64::try_from(behind.len()).ok()?;
    let zeros = exponent.parse().unwrap_or(beyond).saturating_add(zeros);
    if zeros < 0 {
        return None;
    }
    let most = if sign.is_empty() { i128::MAX } else { i128::MIN };
    let number = format!("{sign}{significant}").parse().unwrap_or(most);
    Some(number.saturating_mul(10i128.saturating_pow(u32::try_from(zeros).unwrap_or(u32::MAX))))
}

/// The number that `text` writes. One beyond the largest is infinite, and so within the bounds of nothing.
pub(super) fn number(text: &str) -> Option<f64> {
    text.ends_with(|last: char| last.is_ascii_digit() || last == '.').then(|| text.parse().ok()).flatten()
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;
    use serde::de::value::MapDeserializer;

    use super::*;
    use crate::http::json;
    use crate::http::parts::{parameters, unfit};
    use hanok_base::error::Check;
    use hanok_base::validated::{Fraction, IntRange, Unchecked};
    use hanok_base::{Result, Validated};

    #[derive(Debug, Default, Clone, Copy, Deserialize, salvo::oapi::ToSchema)]
    #[salvo(schema(name = "number_of_a_test"))]
    #[serde(rename_all = "snake_case")]
    enum Size {
        #[default]
        Small,
        Large,
        Huge,
    }

    #[derive(Deserialize)]
    struct Form {
        limit: Option<Validated<IntRange<1, 500>>>,
        share: Option<Validated<Fraction>>,
        size: Option<Validated<Unchecked<Size>>>,
        count: Option<u32>,
        balance: Option<i64>,
    }

    /// What is said of a form with one field: nothing when it is taken.
    fn said(form: Result<Form>) -> String {
        let refused = form.and_then(|form| {
            let _ = (form.count, form.balance);
            Check::of(|check| {
                form.limit.map(|limit| check.take("limit", limit));
                form.share.map(|share| check.take("share", share));
                form.size.map(|size| check.take("size", size));
            })
        });
        refused.err().map(|error| error.message.to_string()).unwrap_or_default()
    }

    fn in_body(field: &str, text: &str) -> String {
        said(json::read(format!("{{\"{field}\": {text}}}").as_bytes()))
    }

    fn in_query(field: &str, text: &str) -> String {
        let query = format!("{field}={text}");
        let fields = MapDeserializer::new(parameters(&query).into_iter());
        said(serde_path_to_error::deserialize(fields).map_err(|error| unfit("query", error)))
    }

    #[test]
    fn one_wrong_number_gets_one_true_sentence_at_either_door() {
        const LIMIT: &str = "limit must be between 1 and 500";
        const SHARE: &str = "share must be between 0 and 1";
        const SIZE: &str = "size must be one of small, large, huge";
        const COUNT: &str = "count must be between 0 and 4294967295";
        const BALANCE: &str = "balance must be between -9223372036854775808 and 9223372036854775807";
        let long = "4".repeat(44);
        for (field, text, must) in [
            ("limit", "-1", LIMIT),
            ("limit", "501", LIMIT),
            ("limit", "0.0", LIMIT),
            ("limit", "99999999999999999999", LIMIT),
            ("limit", "1e23", LIMIT),
            ("limit", "-1e400", LIMIT),
            ("limit", "1.5e99999999999999999999", LIMIT),
            ("limit", &long, LIMIT),
            ("limit", "1.5", "limit must be a whole number"),
            ("limit", "1e-2", "limit must be a whole number"),
            ("limit", "1e-99999999999999999999", "limit must be a whole number"),
            ("limit", "true", "limit must be a whole number"),
            ("limit", "1e2", ""),
            ("limit", "3.0e0", ""),
            ("limit", "1.50e1", ""),
            ("limit", "300e-2", ""),
            ("share", "-1", SHARE),
            ("share", "1e400", SHARE),
            ("share", "true", "share must be a number"),
            ("share", "5e-1", ""),
            ("size", "5", SIZE),
            ("size", "true", SIZE),
            ("count", "-1", COUNT),
            ("count", "4294967296", COUNT),
            ("count", &long, COUNT),
            ("count", "1.5", "count must be a whole number"),
            ("count", "1e2", ""),
            ("balance", "1e23", BALANCE),
            ("balance", &long, BALANCE),
            ("balance", "-3.0", ""),
        ] {
            assert_eq!(in_body(field, text), must, "{field}: {text}");
            assert_eq!(in_query(field, text), must, "?{field}={text}");
        }
        for text in ["{}", "{\"small\": 1}", "[]", "[\"small\"]", "[\"at line 3\"]", "1.5", "1e400", "\"tiny\"", "\"\""]
        {
            assert_eq!(in_body("size", text), SIZE, "{text}");
        }
        for text in ["a at line 3", "expected ", "must be tiny", "", "Small", "1e400"] {
            assert_eq!(in_body("size", &format!("\"{text}\"")), SIZE, "{text}");
            assert_eq!(in_query("size", text), SIZE, "{text}");
        }
        for text in ["abc", "", "nan", "inf", "0x10", "1 2", ".", "e", "--1"] {
            assert_eq!(in_query("limit", text), "limit must be a whole number", "{text}");
            assert_eq!(in_query("share", text), "share must be a number", "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_whole_number_is_read_however_it_is_written(number in any::<i64>(), zeros in 0usize..5) {
            let number = i128::from(number);
            let fraction = "0".repeat(zeros + 1);
            prop_assert_eq!(whole(&number.to_string()), Some(number));
            prop_assert_eq!(whole(&format!("{number}.{fraction}")), Some(number));
            prop_assert_eq!(whole(&format!("{number}{fraction}e-{}", zeros + 1)), Some(number));
            prop_assert_eq!(whole(&format!("{number}e{zeros}")), Some(number * 10i128.pow(zeros as u32)));
        }

        #[test]
        fn any_text_is_a_number_or_none(text in "[-+]?[0-9]{0,5}[.]?[0-9]{0,5}([eE][-+]?[0-9]{0,3})?|\\PC{0,9}") {
            if let (Some(whole), Some(number)) = (whole(&text), number(&text)) && number.abs() < 1e15 {
                prop_assert_eq!(whole as f64, number);
            }
        }
    }
}
