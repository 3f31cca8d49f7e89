//! What a parser says of a value that does not fit, in words for people.

/// What the value must be ("must be …"), from what the parser `said` about it.
pub fn plainly(said: &str) -> String {
    const WHOLE: &str = "must be a whole number";
    let said = said.rsplit_once(" at line ").map_or(said, |(said, _)| said);
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
        _ if ["surrogate", "unicode code point", "hex escape"].iter().any(|what| said.contains(what)) => {
            "must be text of whole characters"
        }
        _ if expected.starts_with("struct ") || expected.starts_with("internally tagged") => "must be an object",
        _ if expected.starts_with("an array of length ")
            || expected.starts_with("a tuple of size ")
            || expected.ends_with("elements in sequence") =>
        {
            let size: String = expected.chars().filter(char::is_ascii_digit).collect();
            return format!("must be a list of {size}");
        }
        _ if expected.starts_with("a list of ") => return format!("must be {expected}"),
        _ if said.starts_with("unknown variant") => {
            return format!("must be {}", expected.replace('`', ""));
        }
        _ if said.starts_with("missing field") => "is required",
        _ if said.starts_with("unknown field") => "is not known",
        _ if said.starts_with("duplicate field") => "is there twice",
        _ if said.contains("expected") => "is not of the right kind",
        _ => return format!("cannot be read: {said}"),
    };
    plain.to_owned()
}
