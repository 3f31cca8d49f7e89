//! The settings file: each value as it is written, with the line it stands in.

use serde::Deserialize;
use serde::de::IntoDeserializer;
use toml::Value;
use toml::de::{DeTable, DeValue};

use hanok_base::Message;
use hanok_base::error::{Fields, MOST_FIELDS};

/// What the parser says of a key that stands twice.
const DUPLICATE: &str = "duplicate key";

/// A value of the settings file.
pub(super) struct Written {
    /// `[section]`.
    pub section: String,
    /// Its name in the section; none for what stands outside every section.
    pub key: Option<String>,
    /// None for a number that is larger than any setting.
    pub value: Option<Value>,
    /// As it stands there.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
}

/// Every value of `text`, which stands in the file `origin`.
///
/// # Errors
/// What keeps it from being TOML: each key that stands twice, or else the lines that cannot be read.
pub(super) fn read(text: &str, origin: &str) -> Result<Vec<Written>, Fields> {
    let (sections, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(errors
            .iter()
            .take(MOST_FIELDS)
            .map(|error| flaw(text, origin, error))
            .map(|(key, flaw)| (key, Message::english(flaw)))
            .collect());
    }
    let mut found = Vec::new();
    for (section, keys) in sections.into_inner() {
        let (place, section) = (section.span().start, section.into_inner().into_owned());
        let DeValue::Table(keys) = keys.into_inner() else {
            let (text, line) = (String::new(), line_of(text, place));
            found.push(Written { section, key: None, value: None, text, line });
            continue;
        };
        for (key, value) in keys {
            let (place, span) = (key.span().start, value.span());
            found.push(Written {
                section: section.clone(),
                key: Some(key.into_inner().into_owned()),
                value: Value::deserialize(value.into_deserializer()).ok(),
                text: text[span].to_owned(),
                line: line_of(text, place),
            });
        }
    }
    Ok(found)
}

/// The first line of `text` that keeps it from being TOML. A key that stands twice is no such line: it has a name.
pub(super) fn unreadable_from(text: &str) -> Option<usize> {
    let (_, errors) = DeTable::parse_recoverable(text);
    let unreadable = errors.iter().filter(|error| error.message() != DUPLICATE);
    unreadable.map(|error| line_of(text, error.span().unwrap_or_default().start)).min()
}

/// The key, or else the line, and what is wrong with it. The text of the line is not repeated: it may be a secret.
fn flaw(text: &str, origin: &str, error: &toml::de::Error) -> (String, String) {
    let place = error.span().unwrap_or_default();
    let line = line_of(text, place.start);
    if error.message() != DUPLICATE {
        return (format!("{origin}, line {line}"), format!("cannot be read: {}", error.message()));
    }
    let key = &text[place.clone()];
    let (before, begun) = text[..place.start].rsplit_once('\n').unwrap_or(("", &text[..place.start]));
    let is_header = begun.trim_start().starts_with('[');
    let section = before.lines().rev().find_map(header).filter(|_| !is_header);
    let name = section.map_or_else(|| key.to_owned(), |section| format!("{section}.{key}"));
    let mut within = None;
    let first = before.lines().position(|line| match header(line) {
        Some(begun) => {
            within = Some(begun);
            is_header && begun == key
        }
        None => !is_header && within == section && line.split('=').next().is_some_and(|name| name.trim() == key),
    });
    let first = first.map_or_else(String::new, |before| format!("in line {} and ", before + 1));
    (name, format!("must stand once, but stands {first}again in line {line} of {origin}"))
}

/// The section that `line` begins.
fn header(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('[')?.split(']').next().map(str::trim)
}

fn line_of(text: &str, place: usize) -> usize {
    1 + text[..place].matches('\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_stands_twice_is_named_with_both_lines_of_its_own_section() {
        let refused = read("[ops]\nport = 1\n[site]\nport = 2\nport = 3\n", "appliance.toml").err().unwrap();
        let said = "must stand once, but stands in line 4 and again in line 5 of appliance.toml";
        assert_eq!(refused.into_iter().collect::<Vec<_>>(), [("site.port".to_owned(), Message::english(said))]);
    }
}
