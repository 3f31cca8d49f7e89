//! What stands before a text in a file: lines between `---`, in the part of YAML that people write there.

/// What stands before a text, and the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fronted<'t> {
    /// The fields, in their order.
    pub fields: Vec<Field>,
    /// The text.
    pub body: &'t str,
}

/// A field before a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What it says.
    pub value: FieldValue,
    /// The lines that it was written in, with their ends.
    pub written: String,
}

/// What a field says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// One text.
    Text(String),
    /// Several.
    List(Vec<String>),
}

/// `file` in its two parts; one without fields is a text alone. An empty line between both belongs to neither.
pub fn front(file: &str) -> Fronted<'_> {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let alone = Fronted { fields: Vec::new(), body: file };
    let mut lines = file.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else { return alone };
    let mut at = first.len();
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in lines {
        let begin = at;
        at += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            let body = &file[at..];
            let body = body.strip_prefix("\r\n").or(body.strip_prefix('\n')).unwrap_or(body);
            let fields = fields.into_iter().map(|(name, written)| Field { value: value(&written), name, written });
            return Fronted { fields: fields.collect(), body };
        }
        match named(line) {
            Some(name) => fields.push((name.to_owned(), file[begin..at].to_owned())),
            None => match fields.last_mut() {
                Some((_, written)) => written.push_str(line),
                None if line.trim().is_empty() || line.starts_with('#') => {}
                None => return alone,
            },
        }
    }
    alone
}

/// The name of the field that begins in `line`.
fn named(line: &str) -> Option<&str> {
    let (name, behind) = line.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c));
    let begins = !name.starts_with([' ', '-']) && behind.starts_with([' ', '\t', '\r', '\n']) || behind.is_empty();
    (is_name && begins).then(|| name.trim_end())
}

/// What the lines of a field say.
fn value(written: &str) -> FieldValue {
    let said = written.split_once(':').map_or("", |(_, said)| said);
    let (first, rest) = said.split_once('\n').unwrap_or((said, ""));
    let first = first.trim();
    if first.starts_with('[') {
        let all = said.trim().trim_start_matches('[');
        return FieldValue::List(several(all.rsplit_once(']').map_or(all, |(all, _)| all)));
    }
    if matches!(first, "|" | "|-" | ">" | ">-") {
        let between = if first.starts_with('|') { "\n" } else { " " };
        return FieldValue::Text(rest.lines().map(str::trim).collect::<Vec<_>>().join(between).trim().to_owned());
    }
    let items: Vec<&str> = rest.lines().filter_map(|line| line.trim_start().strip_prefix('-')).collect();
    if first.is_empty() && !items.is_empty() {
        return FieldValue::List(items.into_iter().map(plain).collect());
    }
    FieldValue::Text(plain(first))
}

/// Texts between commas, which may stand in marks.
fn several(all: &str) -> Vec<String> {
    let (mut items, mut item, mut mark, mut escaped) = (Vec::new(), String::new(), None, false);
    for c in all.chars() {
        match mark {
            Some(open) => {
                if c == open && !escaped {
                    mark = None;
                }
                escaped = c == '\\' && open == '"' && !escaped;
                item.push(c);
            }
            None if c == ',' => items.push(std::mem::take(&mut item)),
            None => {
                if matches!(c, '"' | '\'') && item.trim().is_empty() {
                    mark = Some(c);
                }
                item.push(c);
            }
        }
    }
    items.push(item);
    items.iter().map(|item| plain(item)).filter(|item| !item.is_empty()).collect()
}

/// A text without its marks, or up to a remark behind it.
fn plain(text: &str) -> String {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return unescaped(inner);
    }
    if let Some(inner) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return inner.replace("''", "'");
    }
    text.split_once(" #").map_or(text, |(text, _)| text.trim_end()).to_owned()
}

fn unescaped(inner: &str) -> String {
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
            Some('u') => {
                let code: String = signs.by_ref().take(4).collect();
                text.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
            }
            Some(other) => text.push(other),
            None => text.push('\\'),
        }
    }
    text
}

/// `text` in marks, as [`front`] and YAML read it, in one line.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(file: &str) -> (Vec<(String, FieldValue)>, &str) {
        let Fronted { fields, body } = front(file);
        (fields.into_iter().map(|field| (field.name, field.value)).collect(), body)
    }

    fn text(name: &str, text: &str) -> (String, FieldValue) {
        (name.to_owned(), FieldValue::Text(text.to_owned()))
    }

    fn list(name: &str, texts: &[&str]) -> (String, FieldValue) {
        (name.to_owned(), FieldValue::List(texts.iter().map(|text| (*text).to_owned()).collect()))
    }

    #[test]
    fn fields_are_read_as_people_write_them() {
        let file = "---\ntitle: 제주: 첫날 # 여름\ndate: 2026-07-01 09:00:00 +0900\ntags: [여행, \"제주, 섬\", 'it''s']\n\
                    categories:\n  - 가족\n  - \"바다\"\nexcerpt: >\n  한 줄\n  두 줄\nlayout: post\nempty:\n---\n\n# 본문\n---\n";
        let expected = vec![
            text("title", "제주: 첫날"),
            text("date", "2026-07-01 09:00:00 +0900"),
            list("tags", &["여행", "제주, 섬", "it's"]),
            list("categories", &["가족", "바다"]),
            text("excerpt", "한 줄 두 줄"),
            text("layout", "post"),
            text("empty", ""),
        ];
        assert_eq!(said(file), (expected, "# 본문\n---\n"));
        assert_eq!(front(file).fields[3].written, "categories:\n  - 가족\n  - \"바다\"\n");
        assert_eq!(said(&file.replace('\n', "\r\n")).0, said(file).0);
    }

    #[test]
    fn a_file_without_fields_is_a_text() {
        for file in ["", "# 제목\n", "---\n가로줄\n---\n", "---\ntitle: 끝이 없다\n", "----\na: b\n---\n", "--- \n"]
        {
            assert_eq!(said(file), (Vec::new(), file), "{file:?}");
        }
        assert_eq!(said("---\n---\n본문"), (Vec::new(), "본문"));
        assert_eq!(said("\u{feff}---\na: b\n---\n\n\n본문"), (vec![text("a", "b")], "\n본문"));
    }

    proptest! {
        #[test]
        fn what_is_written_in_marks_is_read_again(
            one in "\\PC{0,20}|[\"\\\\\n\t #:,\\[\\]'-]{0,12}",
            several in prop::collection::vec("[^\\s]\\PC{0,9}[^\\s]|[\"\\\\,\\]']{1,6}", 0..4),
            body in "\\PC{0,30}|[\n\r-]{0,8}",
        ) {
            let written: Vec<String> = several.iter().map(|one| in_marks(one)).collect();
            let file = format!("---\none: {}\nall: [{}]\n---\n\n{body}", in_marks(&one), written.join(", "));
            let texts: Vec<&str> = several.iter().map(String::as_str).collect();
            prop_assert_eq!(said(&file), (vec![text("one", &one), list("all", &texts)], body.as_str()));
        }

        #[test]
        fn whatever_is_written_is_read(file in "(---\n)?([a:\"'\\[\\]| >,#\n-]{0,60}|\\PC{0,60})(---\n)?\\PC{0,9}") {
            prop_assert!(file.ends_with(front(&file).body));
        }
    }
}
