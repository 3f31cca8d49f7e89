//! What a parser says of a value that does not fit, in words for people. Nothing of it is the parser's own, and nothing
//! is what was sent.

use super::message::Message;
use super::validation_messages;

/// What the value must be ("must be …"), from what the parser `said` about it.
pub fn plainly(said: &str) -> Message {
    let said = without_place(said);
    let expected = said.rsplit_once("expected ").map_or(said, |(_, expected)| expected);
    let plain = match expected {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => validation_messages::WHOLE,
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => validation_messages::WHOLE,
        "f32" | "f64" => validation_messages::NUMBER,
        "a string" | "a borrowed string" | "a character" => validation_messages::TEXT,
        "a boolean" | "provided string was not `true` or `false`" | "`true` or `false`" => {
            validation_messages::TRUE_OR_FALSE
        }
        "a sequence" => validation_messages::LIST,
        "a map" => validation_messages::OBJECT,
        _ if said.starts_with("must be ") => return again(said),
        "recursion limit exceeded" => validation_messages::NOT_NESTED,
        "lone leading surrogate in hex escape" | "end of hex escape" | "invalid unicode code point" => {
            validation_messages::WHOLE_CHARACTERS
        }
        "JSON number out of range" => validation_messages::SMALLER,
        _ if expected.starts_with("struct ") || expected.starts_with("internally tagged") => {
            validation_messages::OBJECT
        }
        _ if expected.starts_with("an array of length ")
            || expected.starts_with("a tuple of size ")
            || expected.ends_with("elements in sequence") =>
        {
            let size: String = expected.chars().filter(char::is_ascii_digit).collect();
            return validation_messages::LIST_OF.with([("count", size.into())]);
        }
        _ if expected.starts_with("a list of ") => return again(&format!("must be {expected}")),
        _ if said.starts_with("unknown variant") => return again(&format!("must be {}", expected.replace('`', ""))),
        _ if said.starts_with("missing field") => validation_messages::PRESENT,
        _ if said.starts_with("unknown field") => validation_messages::KNOWN,
        _ if said.starts_with("duplicate field") => validation_messages::ONCE,
        _ => validation_messages::FITTING,
    };
    plain.into()
}

/// What went through a parser as text ("must be …"), as the sentence that it was before.
fn again(text: &str) -> Message {
    let known = [validation_messages::WHOLE, validation_messages::NUMBER]
        .into_iter()
        .map(Message::from)
        .find(|known| *known == text);
    let bounds = || text.strip_prefix("must be between ")?.split_once(" and ");
    let words = || text.strip_prefix("must be one of ");
    let count = || text.strip_prefix("must be a list of ");
    let either = || text.strip_prefix("must be ")?.split_once(" or ");
    let said = known
        .or_else(|| {
            bounds().map(|(least, most)| {
                validation_messages::BETWEEN.with([("least", least.into()), ("most", most.into())])
            })
        })
        .or_else(|| words().map(|words| validation_messages::ONE_OF.with([("words", words.into())])))
        .or_else(|| count().map(|count| validation_messages::LIST_OF.with([("count", count.into())])))
        .or_else(|| {
            either()
                .map(|(one, other)| validation_messages::EITHER.with([("one", one.into()), ("other", other.into())]))
        });
    said.unwrap_or_else(|| Message::english(text))
}

/// What a text must be that is none of the words in `known`.
pub fn one_of(known: &[&str]) -> Message {
    match known {
        [one] => validation_messages::WORD.with([("word", (*one).into())]),
        [one, other] => validation_messages::EITHER.with([("one", (*one).into()), ("other", (*other).into())]),
        _ => validation_messages::ONE_OF.with([("words", known.join(", ").into())]),
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
