//! What a parser says of a value that does not fit, in words for people. Nothing of it is the parser's own, and nothing
//! is what was sent.

/// What the value must be ("must be …"), from what the parser `said` about it.
pub fn plainly(said: &str) -> String {
    const WHOLE: &str = "must be a whole number";
    let said = without_place(said);
    let expected = said.rsplit_once("expected ").map_or(said, |(_, expected)| expected);
    let plain = match expected {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => WHOLE,
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => WHOLE,
        "f32" | "f64" => "must be a number",
        "a string" | "a borrowed string" | "a character" => "must be text",
        "a boolean" | "provided string was not `true` or `false`" | "`true` or `false`" => "must be true or false",
        "a sequence" => "must be a list",
        "a map" => "must be an object",
        _ if said.starts_with("must be ") => said,
        "recursion limit exceeded" => "is nested too deeply",
        "lone leading surrogate in hex escape" | "end of hex escape" | "invalid unicode code point" => {
            "must be text of whole characters"
        }
        "JSON number out of range" => "is too large a number",
        _ if expected.starts_with("struct ") || expected.starts_with("internally tagged") => "must be an object",
        _ if expected.starts_with("an array of length ")
            || expected.starts_with("a tuple of size ")
            || expected.ends_with("elements in sequence") =>
        {
            let size: String = expected.chars().filter(char::is_ascii_digit).collect();
            return format!("must be a list of {size}");
        }
        _ if expected.starts_with("a list of ") => return format!("must be {expected}"),
        _ if said.starts_with("unknown variant") => return format!("must be {}", expected.replace('`', "")),
        _ if said.starts_with("missing field") => "is required",
        _ if said.starts_with("unknown field") => "is not known",
        _ if said.starts_with("duplicate field") => "is there twice",
        _ => "is not of the right kind",
    };
    plain.to_owned()
}

/// What a text must be that is none of the words in `known`.
pub fn one_of(known: &[&str]) -> String {
    match known {
        [one] => format!("must be {one}"),
        [one, other] => format!("must be {one} or {other}"),
        _ => format!("must be one of {}", known.join(", ")),
    }
}

/// `said` without the " at line 1 column 2" at its end. What was sent may hold the same words.
fn without_place(said: &str) -> &str {
    let is_place = |place: &str| {
        let numbers = place.split_once(" column ");
        numbers.is_some_and(|(line, column)| [line, column].iter().all(|number| number.parse::<u64>().is_ok()))
    };
    said.rsplit_once(" at line ").filter(|(_, place)| is_place(place)).map_or(said, |(said, _)| said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_is_not_taken_for_what_the_parser_says_of_it() {
        for (said, must) in [
            ("invalid type: string \"a at line 3\", expected a sequence", "must be a list"),
            ("invalid type: string \"a\", expected a sequence at line 1 column 3", "must be a list"),
            ("invalid type: string \"expected u8\", expected a sequence at line 1 column 3", "must be a list"),
            ("invalid type: string \"hex escape\", expected a list of sets", "must be a list of sets"),
            ("unexpected end of hex escape at line 1 column 8", "must be text of whole characters"),
            ("lone leading surrogate in hex escape at line 1 column 8", "must be text of whole characters"),
            ("number out of range at line 1 column 5", "is not of the right kind"),
        ] {
            assert_eq!(plainly(said), must, "{said}");
        }
    }

    #[test]
    fn the_words_that_are_known_are_named() {
        assert_eq!(one_of(&["core"]), "must be core");
        assert_eq!(one_of(&["core", "full"]), "must be core or full");
        assert_eq!(one_of(&["small", "large", "huge"]), "must be one of small, large, huge");
    }
}
