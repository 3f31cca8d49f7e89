//! What of a file is sent: all of it, a part, nothing because it is known already, or nothing because there is no such
//! part (RFC 9110, 13.2.2 and 14). A file is known by its strong tag alone.

use salvo::http::header::{HeaderMap, HeaderName, IF_MATCH, IF_NONE_MATCH, IF_RANGE, RANGE};

/// What is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SentParts {
    /// All of it.
    Whole,
    /// So many bytes from the first of these on.
    Part { from: u64, bytes: u64 },
    /// Who asks has it.
    NotModified,
    /// Who asks wants another one.
    Another,
    /// There is no such part.
    NoSuchPart,
}

/// What is sent to a `GET` (or, without a part, a `HEAD`) of a file of so many bytes with this `tag`, quotes and all.
pub(super) fn sent(headers: &HeaderMap, tag: &str, bytes: u64, is_get: bool) -> SentParts {
    if let Some(wanted) = list(headers, IF_MATCH)
        && !names(&wanted, tag, false)
    {
        return SentParts::Another;
    }
    if list(headers, IF_NONE_MATCH).is_some_and(|known| names(&known, tag, true)) {
        return SentParts::NotModified;
    }
    let range = list(headers, RANGE).filter(|_| is_get);
    // A date says nothing of it, and what is not its tag is that of another one.
    let is_of_it = list(headers, IF_RANGE).is_none_or(|named| named.trim() == tag);
    match range.filter(|_| is_of_it) {
        Some(range) => part(&range, bytes),
        None => SentParts::Whole,
    }
}

/// All lines of a header as one.
fn list(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    let lines: Vec<&str> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    (!lines.is_empty()).then(|| lines.join(","))
}

/// Whether a list of tags names `tag`; weak ones count only where it `may_be_weak`.
fn names(tags: &str, tag: &str, may_be_weak: bool) -> bool {
    let tags = tags.split(',').map(str::trim);
    tags.map(|one| one.strip_prefix("W/").filter(|_| may_be_weak).unwrap_or(one)).any(|one| one == tag || one == "*")
}

/// The part that `range` asks for. Several at once, and what is no range of bytes, are passed over.
fn part(range: &str, bytes: u64) -> SentParts {
    let Some((unit, named)) = range.split_once('=') else { return SentParts::Whole };
    if !unit.trim().eq_ignore_ascii_case("bytes") || named.contains(',') {
        return SentParts::Whole;
    }
    let Some((first, last)) = named.trim().split_once('-') else { return SentParts::Whole };
    let (first, last) = match (number(first), number(last)) {
        // The last so many.
        (None, Some(last)) if first.is_empty() => {
            (bytes.saturating_sub(last), if last == 0 { None } else { Some(bytes) })
        }
        (Some(from), None) if last.is_empty() => (from, Some(bytes)),
        (Some(from), Some(to)) if from <= to => (from, Some(to.saturating_add(1).min(bytes))),
        _ => return SentParts::Whole,
    };
    match last.filter(|end| first < *end) {
        Some(end) => SentParts::Part { from: first, bytes: end - first },
        None => SentParts::NoSuchPart,
    }
}

/// A number in digits alone; one that is too large is the largest.
fn number(text: &str) -> Option<u64> {
    let are_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    are_digits.then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use salvo::http::HeaderValue;

    use super::*;

    const TAG: &str = "\"abc\"";

    fn asked(lines: &[(HeaderName, &str)]) -> SentParts {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name, HeaderValue::from_str(value).unwrap());
        }
        sent(&headers, TAG, 10, true)
    }

    fn part_of(from: u64, bytes: u64) -> SentParts {
        SentParts::Part { from, bytes }
    }

    #[test]
    fn a_part_is_what_its_first_and_last_byte_say_and_never_beyond_the_end() {
        for (range, expected) in [
            ("bytes=0-0", part_of(0, 1)),
            ("bytes=2-5", part_of(2, 4)),
            ("Bytes = 2-5", part_of(2, 4)),
            ("bytes=2-", part_of(2, 8)),
            ("bytes=9-99", part_of(9, 1)),
            ("bytes=-3", part_of(7, 3)),
            ("bytes=-99", part_of(0, 10)),
            ("bytes=0-99999999999999999999999", part_of(0, 10)),
            ("bytes=10-", SentParts::NoSuchPart),
            ("bytes=10-12", SentParts::NoSuchPart),
            ("bytes=-0", SentParts::NoSuchPart),
            ("bytes=99999999999999999999999-", SentParts::NoSuchPart),
            ("bytes=5-2", SentParts::Whole),
            ("bytes=0-1,4-5", SentParts::Whole),
            ("bytes=", SentParts::Whole),
            ("bytes=-", SentParts::Whole),
            ("bytes=+1-2", SentParts::Whole),
            ("lines=0-1", SentParts::Whole),
            ("0-1", SentParts::Whole),
        ] {
            assert_eq!(asked(&[(RANGE, range)]), expected, "{range}");
        }
    }

    #[test]
    fn a_file_without_bytes_has_no_parts() {
        let mut headers = HeaderMap::new();
        for range in ["bytes=0-", "bytes=-1", "bytes=0-0"] {
            headers.insert(RANGE, HeaderValue::from_static(range));
            assert_eq!(sent(&headers, TAG, 0, true), SentParts::NoSuchPart, "{range}");
        }
    }

    #[test]
    fn conditions_are_asked_in_their_order_and_a_part_only_of_the_same_file() {
        let some = (RANGE, "bytes=1-2");
        for (lines, expected) in [
            (vec![(IF_NONE_MATCH, TAG)], SentParts::NotModified),
            (vec![(IF_NONE_MATCH, "W/\"abc\"")], SentParts::NotModified),
            (vec![(IF_NONE_MATCH, "\"x\", \"abc\"")], SentParts::NotModified),
            (vec![(IF_NONE_MATCH, "\"x\""), (IF_NONE_MATCH, TAG)], SentParts::NotModified),
            (vec![(IF_NONE_MATCH, "*")], SentParts::NotModified),
            (vec![(IF_NONE_MATCH, "\"x\"")], SentParts::Whole),
            (vec![(IF_NONE_MATCH, TAG), some.clone()], SentParts::NotModified),
            (vec![(IF_MATCH, TAG), some.clone()], part_of(1, 2)),
            (vec![(IF_MATCH, "*")], SentParts::Whole),
            (vec![(IF_MATCH, "W/\"abc\"")], SentParts::Another),
            (vec![(IF_MATCH, "\"x\""), (IF_NONE_MATCH, TAG)], SentParts::Another),
            (vec![(IF_RANGE, TAG), some.clone()], part_of(1, 2)),
            (vec![(IF_RANGE, "\"x\""), some.clone()], SentParts::Whole),
            (vec![(IF_RANGE, "W/\"abc\""), some.clone()], SentParts::Whole),
            (vec![(IF_RANGE, "Sun, 01 Jan 2090 00:00:00 GMT"), some.clone()], SentParts::Whole),
        ] {
            assert_eq!(asked(&lines), expected, "{lines:?}");
        }
        let mut headers = HeaderMap::new();
        headers.insert(RANGE, HeaderValue::from_static("bytes=1-2"));
        assert_eq!(sent(&headers, TAG, 10, false), SentParts::Whole, "a HEAD has no parts");
    }

    proptest! {
        #[test]
        fn whatever_is_asked_a_part_lies_within_the_file(range in "[a-z]{0,6}=?[0-9]{0,21}[-,]?[0-9]{0,21}|\\PC{0,20}", bytes in 0..20u64) {
            if let SentParts::Part { from, bytes: length } = part(&range, bytes) {
                prop_assert!(length > 0 && from + length <= bytes);
            }
        }
    }
}
