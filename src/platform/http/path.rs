//! The one spelling of a path. What the guard judges is what the router sees only where both read the same, so a path
//! that could be spelled more plainly is none of ours.

/// Whether `path` is spelled plainly: no empty parts, no `.` and `..`, no parameters of parts (`;`), no backslash, and
/// nothing encoded that need not be, or that would make other parts (RFC 3986, 6.2.2).
pub(super) fn is_plain(path: &str) -> bool {
    path == "/" || path.strip_prefix('/').is_some_and(|parts| parts.split('/').all(is_plain_part))
}

/// Whether `path` is spelled plainly but for its last part, which is any text that somebody wrote, encoded: nothing in it
/// makes other parts, because the router parts the path before it decodes it.
pub(super) fn is_plain_before_a_text(path: &str) -> bool {
    let is_text = |part: &str| {
        !matches!(part, "" | "." | "..") && !part.contains([';', '\\']) && part.split('%').skip(1).all(encodes_a_text)
    };
    let parts = path.strip_prefix('/').and_then(|parts| parts.rsplit_once('/'));
    parts.is_some_and(|(before, text)| before.split('/').all(is_plain_part) && is_text(text))
}

/// The path without the slash at its end, where that is all that keeps it from being plain. It begins with one slash, so
/// that whoever is sent there stays here.
pub(super) fn without_last_slash(path: &str) -> Option<&str> {
    path.strip_suffix('/').filter(|plain| *plain != "/" && is_plain(plain))
}

fn is_plain_part(part: &str) -> bool {
    !matches!(part, "" | "." | "..") && !part.contains([';', '\\']) && part.split('%').skip(1).all(is_plainly_encoded)
}

/// Whether what follows a percent sign encodes a byte that cannot stand for itself.
fn is_plainly_encoded(rest: &str) -> bool {
    encodes_a_text(rest) && encoded_byte(rest).is_some_and(|byte| !b"/\\%;".contains(&byte))
}

/// Whether what follows a percent sign encodes a byte of a text that cannot stand for itself.
fn encodes_a_text(rest: &str) -> bool {
    encoded_byte(rest).is_some_and(|byte| {
        let stands_for_itself = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        !stands_for_itself && !byte.is_ascii_control()
    })
}

fn encoded_byte(rest: &str) -> Option<u8> {
    let digits = rest.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    u8::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_path_has_one_spelling() {
        for path in
            ["/", "/api/todos", "/api/todos/7", "/lottery", "/a-b_c.d~e", "/%EC%9A%B0%ec%9c%a0", "/a%3Ab", "/a:b"]
        {
            assert!(is_plain(path), "{path}");
        }
        for path in [
            "",
            "*",
            "//",
            "//api/todos",
            "/api//todos",
            "/api/todos/",
            "/api/todos//",
            "/./api/todos",
            "/api/./todos",
            "/api/../api/todos",
            "/api/..",
            "/%61pi/todos",
            "/api%2ftodos",
            "/api%2Ftodos",
            "/api/%2e/todos",
            "/api/%252e",
            "/api;a=b/todos",
            "/api/todos;a",
            "/api/todos%3Ba",
            "/api\\todos",
            "/api%5ctodos",
            "/api/%00",
            "/api/%7f",
            "/api/%",
            "/api/%4",
            "/api/%zz",
            "/api/%+1",
            "/api/%\u{ac00}",
        ] {
            assert!(!is_plain(path), "{path}");
        }
    }

    #[test]
    fn a_path_that_ends_with_a_slash_has_one_without_it_that_is_no_address_elsewhere() {
        for (path, plain) in
            [("/lottery/", "/lottery"), ("/lottery/draws/", "/lottery/draws"), ("/%EC%9A%B0/", "/%EC%9A%B0")]
        {
            assert_eq!(without_last_slash(path), Some(plain));
        }
        for path in
            ["/", "//", "/lottery", "//evil.example/", "/\\evil.example/", "/lottery//", "/./", "/%2fevil/", "evil/"]
        {
            assert_eq!(without_last_slash(path), None, "{path}");
        }
    }

    #[test]
    fn a_text_at_the_end_of_a_path_may_hold_any_sign_and_still_has_one_spelling() {
        for path in [
            "/api/cash/A%2FB%20%EC%A6%9D",
            "/api/cash/100%25",
            "/api/cash/a%5Cb%3B",
            "/api/cash/..%2F..",
            "/api/cash/a:b",
        ] {
            assert!(is_plain_before_a_text(path), "{path}");
        }
        for path in [
            "",
            "/cash%2F",
            "/api%2Fcash/a",
            "/api/../a",
            "/api/cash/",
            "/api/cash/.",
            "/api/cash/..",
            "/api/cash/%2e%2e",
            "/api/cash/%61",
            "/api/cash/a;b",
            "/api/cash/a\\b",
            "/api/cash/a%00",
            "/api/cash/a%0A",
            "/api/cash/a%2",
        ] {
            assert!(!is_plain_before_a_text(path), "{path}");
        }
    }

    proptest! {
        #[test]
        fn any_part_that_is_encoded_by_the_rules_is_plain(part in "[^\\x00-\\x1f\\x7f/%;\\\\]{1,20}") {
            prop_assume!(part != "." && part != "..");
            let encoded: String = form_urlencoded::byte_serialize(part.as_bytes()).collect();
            let encoded = encoded.replace('+', "%20").replace("%7E", "~");
            prop_assert!(is_plain(&format!("/{encoded}")), "{encoded}");
        }
    }
}
