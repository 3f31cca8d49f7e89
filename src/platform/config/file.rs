//! The settings file: each value as it is written, with the line it stands in.

use serde::Deserialize;
use serde::de::IntoDeserializer;
use toml::Value;
use toml::de::{DeTable, DeValue};

use hanok_base::error::{Fields, MOST_FIELDS};

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
        return Err(errors.iter().take(MOST_FIELDS).map(|error| flaw(text, origin, error)).collect());
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

/// The key, or else the line, and what is wrong with it. The text of the line is not repeated: it may be a secret.
fn flaw(text: &str, origin: &str, error: &toml::de::Error) -> (String, String) {
    let place = error.span().unwrap_or_default();
    let line = line_of(text, place.start);
    if error.message() != "duplicate key" {
        return (format!("{origin}, line {line}"), format!("cannot be read: {}", error.message()));
    }
    let key = &text[place.clone()];
    let before = &text[..place.start];
    let header = before.lines().rev().find_map(|line| line.trim().strip_prefix('[')?.split(']').next());
    let stands_in_header = before.lines().last().is_some_and(|begun| begun.trim_start().starts_with('['));
    let (name, first) = match header.filter(|_| !stands_in_header) {
        Some(section) => {
            let place = before.rfind(&format!("[{section}]")).unwrap_or_default();
            (format!("{section}.{key}"), first_line(before, place, key))
        }
        None => (key.to_owned(), first_line(before, 0, &format!("[{key}]"))),
    };
    let first = first.map_or_else(String::new, |first| format!("in line {first} and "));
    (name, format!("must stand once, but stands {first}again in line {line} of {origin}"))
}

/// The first line behind `place` that begins with `word`.
fn first_line(text: &str, place: usize, word: &str) -> Option<usize> {
    let behind = text[place..].lines().position(|line| line.trim_start().starts_with(word))?;
    Some(line_of(text, place) + behind)
}

fn line_of(text: &str, place: usize) -> usize {
    1 + text[..place].matches('\n').count()
}
