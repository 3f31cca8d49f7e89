//! The fields that stand before a text, and how their names and what they say are written.

/// A field before a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What it says.
    pub value: FieldValue,
    /// The lines that it was written in, with their ends; of one in TOML, the same in YAML.
    pub written: String,
}

/// What a field says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// One text.
    Text(String),
    /// Several.
    List(Vec<String>),
    /// What is a list without an end, or has more behind it: nobody knows what was meant.
    Unreadable,
}

/// The name of the field that begins in `line`, and what stands behind it.
pub(super) fn named(line: &str) -> Option<(String, &str)> {
    let ends = |behind: &str| behind.is_empty() || behind.starts_with([' ', '\t', '\r', '\n']);
    if line.starts_with(['"', '\'']) {
        let (name, behind) = in_marks_first(line)?;
        let behind = behind.trim_start_matches([' ', '\t']).strip_prefix(':')?;
        return ends(behind).then_some((name, behind));
    }
    let (name, behind) = line.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c));
    (is_name && !name.starts_with([' ', '-']) && ends(behind)).then(|| (name.trim_end().to_owned(), behind))
}

/// The text in marks with which `text` begins, and what stands behind it.
pub(super) fn in_marks_first(text: &str) -> Option<(String, &str)> {
    let mark = text.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    let mut is_escaped = false;
    let mut signs = text.char_indices().skip(1).peekable();
    while let Some((at, sign)) = signs.next() {
        match sign {
            _ if std::mem::take(&mut is_escaped) => {}
            '\\' if mark == '"' => is_escaped = true,
            '\'' if mark == '\'' && signs.peek().is_some_and(|(_, next)| *next == '\'') => drop(signs.next()),
            sign if sign == mark => {
                let inner = &text[1..at];
                let inner = if mark == '"' { unescaped(inner) } else { inner.replace("''", "'") };
                return Some((inner, &text[at + 1..]));
            }
            _ => {}
        }
    }
    None
}

/// What stands between marks, with the signs that are written there in another way.
pub(super) fn unescaped(inner: &str) -> String {
    let mut text = String::new();
    let mut signs = inner.chars();
    while let Some(c) = signs.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match signs.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some(length @ ('u' | 'U')) => {
                let code: String = signs.by_ref().take(if length == 'u' { 4 } else { 8 }).collect();
                text.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
            }
            Some(other) => text.push(other),
            None => text.push('\\'),
        }
    }
    text
}

/// `text` in marks, as [`front`](fn@super::front) and YAML read it, in one line.
pub fn in_marks(text: &str) -> String {
    let mut written = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => written.extend(['\\', c]),
            '\n' => written.push_str("\\n"),
            '\t' => written.push_str("\\t"),
            '\r' => written.push_str("\\r"),
            // What YAML takes for the end of a line.
            '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => written.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => written.push(c),
        }
    }
    written.push('"');
    written
}

/// `name` as it stands before a field: in marks where it has other signs than names have.
pub(super) fn name_in_marks(name: &str) -> String {
    let line = format!("{name}:");
    if named(&line).is_some_and(|(read, _)| read == name) { name.to_owned() } else { in_marks(name) }
}
