//! The fields that stand before a text in TOML: as much of it as people write there.

use super::fields::{Field, FieldValue, in_marks, name_in_marks, unescaped};

/// The fields in `text`, in their order; those of a table with its name before theirs. None where it cannot be read.
pub(super) fn fields(text: &str) -> Option<Vec<Field>> {
    let mut reader = Reader { rest: text };
    let (mut fields, mut table) = (Vec::new(), String::new());
    loop {
        reader.skip_lines();
        if reader.rest.is_empty() {
            return Some(fields);
        }
        if reader.takes("[") {
            let ends = if reader.takes("[") { "]]" } else { "]" };
            table = format!("{}.", reader.key()?);
            reader.takes(ends).then_some(())?;
        } else {
            let name = format!("{table}{}", reader.key()?);
            reader.takes("=").then_some(())?;
            reader.skip_spaces();
            let value = reader.value()?;
            let written = format!("{}: {}\n", name_in_marks(&name), value.written());
            fields.push(Field { name, value: value.field(), written });
        }
        reader.skip_spaces();
        if !(reader.rest.is_empty() || reader.rest.starts_with(['\n', '\r', '#'])) {
            return None;
        }
    }
}

/// A value as it stands in TOML.
enum Value {
    /// In marks.
    Text(String),
    /// A number, a day, yes or no.
    Bare(String),
    List(Vec<Value>),
    /// A table in a line, as it is written.
    Table(String),
}

impl Value {
    fn field(self) -> FieldValue {
        match self {
            Value::Text(text) | Value::Bare(text) => FieldValue::Text(text),
            Value::List(values) => {
                let text = |value| match value {
                    Value::Text(text) | Value::Bare(text) => Some(text),
                    _ => None,
                };
                values.into_iter().map(text).collect::<Option<_>>().map_or(FieldValue::Unreadable, FieldValue::List)
            }
            Value::Table(_) => FieldValue::Unreadable,
        }
    }

    /// As the other kind of fields writes it.
    fn written(&self) -> String {
        match self {
            Value::Text(text) | Value::Table(text) => in_marks(text),
            Value::Bare(text) => text.clone(),
            Value::List(values) => {
                format!("[{}]", values.iter().map(Value::written).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Lists in lists are no deeper than this.
const DEEPEST: usize = 8;

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    /// Empty lines and remarks.
    fn skip_lines(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with('#') {
                return;
            }
            self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
        }
    }

    /// A name, of several parts with points between them where it is one in a table.
    fn key(&mut self) -> Option<String> {
        let mut key = String::new();
        loop {
            self.skip_spaces();
            if self.rest.starts_with(['"', '\'']) {
                key += &self.in_marks()?;
            } else {
                let is_of_name = |c: char| c.is_alphanumeric() || "_-".contains(c);
                let end = self.rest.find(|c| !is_of_name(c)).filter(|end| *end > 0)?;
                key += &self.rest[..end];
                self.rest = &self.rest[end..];
            }
            self.skip_spaces();
            if !self.takes(".") {
                return Some(key);
            }
            key.push('.');
        }
    }

    fn value(&mut self) -> Option<Value> {
        self.value_within(0)
    }

    fn value_within(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        if self.rest.starts_with(['"', '\'']) {
            return self.in_marks().map(Value::Text);
        }
        if self.rest.starts_with('{') {
            return self.table().map(Value::Table);
        }
        if self.takes("[") {
            let mut values = Vec::new();
            loop {
                self.skip_lines();
                if self.takes("]") {
                    return Some(Value::List(values));
                }
                values.push(self.value_within(depth + 1)?);
                self.skip_lines();
                if !self.takes(",") && !self.rest.starts_with(']') {
                    return None;
                }
            }
        }
        let end = self.rest.find(['\n', '\r', '#', ',', ']']).unwrap_or(self.rest.len());
        let (bare, rest) = self.rest.split_at(end);
        self.rest = rest;
        let bare = bare.trim();
        let is_bare = |c: char| c.is_ascii_alphanumeric() || "+-_.: ".contains(c);
        (!bare.is_empty() && bare.chars().all(is_bare)).then(|| Value::Bare(bare.to_owned()))
    }

    /// A table in a line, up to its end.
    fn table(&mut self) -> Option<String> {
        let (all, mut depth) = (self.rest, 0_usize);
        loop {
            match self.rest.chars().next()? {
                '"' | '\'' => drop(self.in_marks()?),
                sign => {
                    self.rest = &self.rest[sign.len_utf8()..];
                    match sign {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        '\n' => return None,
                        _ => {}
                    }
                }
            }
            if depth == 0 {
                return Some(all[..all.len() - self.rest.len()].to_owned());
            }
        }
    }

    /// A text in its marks, one or three on each side.
    fn in_marks(&mut self) -> Option<String> {
        let mark = if self.rest.starts_with('"') { '"' } else { '\'' };
        let marks: String = std::iter::repeat_n(mark, 3).collect();
        let is_long = self.takes(&marks);
        if !is_long {
            self.rest = &self.rest[1..];
        } else if !self.takes("\r\n") {
            self.takes("\n");
        }
        let (mut at, mut is_escaped) = (0, false);
        loop {
            let sign = self.rest[at..].chars().next()?;
            let ends = if is_long { self.rest[at..].starts_with(&marks) } else { sign == mark };
            if ends && !is_escaped {
                break;
            }
            if sign == '\n' && !is_long {
                return None;
            }
            is_escaped = mark == '"' && sign == '\\' && !is_escaped;
            at += sign.len_utf8();
        }
        let text = &self.rest[..at];
        let text = if mark == '"' { unescaped(text) } else { text.to_owned() };
        self.rest = &self.rest[at + if is_long { 3 } else { 1 }..];
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn fields_are_read_as_people_write_them() {
        let text = "title = \"바다 \\\"이야기\\\"\" # 여름\ndate = 2026-03-03T10:00:00Z\ndraft = true\n\n# 사이\n\
                    tags = [\n  'it', # 하나\n  \"바다, 섬\",\n]\nweight=3\n\"a b\" = '''\n두\n줄'''\n\
                    cover = { image = \"a}.png\" }\n[menu.main]\n  name = \"글\"\n[[resources]]\nsrc = 'a.png'\n";
        let read = fields(text).unwrap();
        let said: Vec<(&str, &FieldValue)> = read.iter().map(|field| (field.name.as_str(), &field.value)).collect();
        let texts = |texts: &[&str]| FieldValue::List(texts.iter().map(|text| (*text).to_owned()).collect());
        let text = |text: &str| FieldValue::Text(text.to_owned());
        let expected = [
            ("title", text("바다 \"이야기\"")),
            ("date", text("2026-03-03T10:00:00Z")),
            ("draft", text("true")),
            ("tags", texts(&["it", "바다, 섬"])),
            ("weight", text("3")),
            ("a b", text("두\n줄")),
            ("cover", FieldValue::Unreadable),
            ("menu.main.name", text("글")),
            ("resources.src", text("a.png")),
        ];
        assert_eq!(said, expected.iter().map(|(name, value)| (*name, value)).collect::<Vec<_>>());
        let written: String = read.iter().map(|field| field.written.as_str()).collect();
        let expected = "title: \"바다 \\\"이야기\\\"\"\ndate: 2026-03-03T10:00:00Z\ndraft: true\ntags: [\"it\", \"바다, 섬\"]\nweight: 3\n\
                        a b: \"두\\n줄\"\ncover: \"{ image = \\\"a}.png\\\" }\"\nmenu.main.name: \"글\"\nresources.src: \"a.png\"\n";
        assert_eq!(written, expected);
    }

    #[test]
    fn what_is_no_toml_is_none() {
        for text in ["title: a", "a = ", "a = \"b", "a = [1", "a = 'b' c", "= 1", "[a", "a = {b = 1", "글", "a = 글"]
        {
            assert!(fields(text).is_none(), "{text}");
        }
        assert_eq!(fields("\n# nothing\n"), Some(Vec::new()));
    }

    proptest! {
        #[test]
        fn whatever_is_written_nothing_panics(text in "[a=\\[\\]{}\"'\\\\,#.\n ]{0,40}|\\PC{0,40}") {
            let _ = fields(&text);
        }
    }
}
