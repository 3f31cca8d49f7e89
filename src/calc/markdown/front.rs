//! What stands before a text in a file: lines between `---`, in the part of YAML that people write there, or between `+++`,
//! in that of TOML.

use super::fields::{Field, FieldValue, in_marks_first, named};
use super::front_toml;

/// What stands before a text, and the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fronted<'t> {
    /// The fields, in their order.
    pub fields: Vec<Field>,
    /// The text.
    pub body: &'t str,
    /// Lines that may be fields and cannot be read as such: whoever must not miss one looks through them.
    pub unread: String,
}

/// `file` in its two parts; one without fields is a text alone. An empty line between both belongs to neither.
pub fn front(file: &str) -> Fronted<'_> {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let begun = file.trim_start();
    let (first, rest) = begun.split_once('\n').unwrap_or((begun, ""));
    let read = match first.trim_end() {
        "---" => yaml(rest),
        "+++" => between(rest, &["+++"])
            .and_then(|(text, body)| Some(Fronted { fields: front_toml::fields(text)?, body, unread: String::new() })),
        _ => None,
    };
    read.unwrap_or_else(|| Fronted { fields: Vec::new(), body: file, unread: unread(first, rest) })
}

/// What stands in `rest` before one of these lines, and the text behind it.
fn between<'t>(rest: &'t str, ends: &[&str]) -> Option<(&'t str, &'t str)> {
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        if ends.contains(&line.trim_end()) {
            let body = &rest[at..];
            return Some((&rest[..begin], body.strip_prefix("\r\n").or(body.strip_prefix('\n')).unwrap_or(body)));
        }
    }
    None
}

/// What may be fields, of one kind or another, where none were read: up to where they end, or the first empty line.
fn unread(first: &str, rest: &str) -> String {
    let first = first.trim();
    let end = match first {
        "---" | "+++" | ";;;" => first,
        _ if first.starts_with('{') => "}",
        // Some programs write them without any marks.
        _ if named(first).is_some() => "",
        _ => return String::new(),
    };
    let lines = rest.lines().take_while(|line| line.trim_end() != end && !line.trim().is_empty());
    std::iter::once(first).chain(lines).collect::<Vec<_>>().join("\n")
}

fn yaml(rest: &str) -> Option<Fronted<'_>> {
    let (text, body) = between(rest, &["---", "..."])?;
    let is_said = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    // All of them may stand further in.
    let first = text.split_inclusive('\n').find(is_said).unwrap_or_default();
    let indent = &first[..first.len() - first.trim_start().len()];
    let mut fields: Vec<(String, String, String)> = Vec::new();
    let mut unread = String::new();
    for line in text.split_inclusive('\n') {
        let line = line.strip_prefix(indent).unwrap_or(line);
        match (named(line), fields.last_mut()) {
            (Some((name, said)), _) => fields.push((name, said.to_owned(), line.to_owned())),
            (None, Some((_, said, written))) => {
                if is_said(&line) && !line.starts_with([' ', '\t', '-']) {
                    unread.push_str(line);
                }
                said.push_str(line);
                written.push_str(line);
            }
            (None, None) if !is_said(&line) => {}
            (None, None) => return None,
        }
    }
    let field = |(name, said, written): (String, String, String)| Field { name, value: value(&said), written };
    Some(Fronted { fields: fields.into_iter().map(field).collect(), body, unread })
}

/// What stands behind the name of a field says.
fn value(said: &str) -> FieldValue {
    let (first, rest) = said.split_once('\n').unwrap_or((said, ""));
    let first = first.trim();
    let first = if first.starts_with('#') { "" } else { first };
    if first.starts_with('[') {
        return match said.trim().trim_start_matches('[').rsplit_once(']') {
            Some((all, behind)) if behind.trim().is_empty() || behind.trim_start().starts_with('#') => {
                FieldValue::List(several(all))
            }
            _ => FieldValue::Unreadable,
        };
    }
    if first.starts_with('{') {
        return FieldValue::Unreadable;
    }
    if let Some(how) = first.strip_prefix(['|', '>'])
        && how.split(" #").next().unwrap_or_default().trim().chars().all(|c| "+-123456789".contains(c))
    {
        let between = if first.starts_with('|') { "\n" } else { " " };
        return FieldValue::Text(rest.lines().map(str::trim).collect::<Vec<_>>().join(between).trim().to_owned());
    }
    let more = || rest.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let items: Vec<&str> = more().filter_map(|line| line.strip_prefix('-')).collect();
    if first.is_empty() && !items.is_empty() {
        return FieldValue::List(items.into_iter().map(plain).collect());
    }
    if first.is_empty() && more().any(|line| named(line).is_some()) {
        return FieldValue::Unreadable;
    }
    // A text may go on in the lines below.
    let whole: Vec<&str> = std::iter::once(first).filter(|first| !first.is_empty()).chain(more()).collect();
    FieldValue::Text(plain(&whole.join(" ")))
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
    let is_remark =
        |behind: &str| behind.is_empty() || behind.starts_with([' ', '\t']) && behind.trim_start().starts_with('#');
    if let Some((inner, _)) = in_marks_first(text).filter(|(_, behind)| is_remark(behind)) {
        return inner;
    }
    text.split_once(" #").map_or(text, |(text, _)| text.trim_end()).to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fields::in_marks;
    use super::*;

    fn said(file: &str) -> (Vec<(String, FieldValue)>, &str) {
        let Fronted { fields, body, .. } = front(file);
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
    fn a_list_without_an_end_or_with_more_behind_it_is_none() {
        for (list, is_read) in [("[a, b]", true), ("[a,\n  b] # c", true), ("[broken", false), ("[공지] 김장", false)]
        {
            let file = format!("---\ntitle: {list}\n---\n");
            assert_eq!(front(&file).fields[0].value != FieldValue::Unreadable, is_read, "{list}");
        }
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

    #[test]
    fn a_field_is_read_however_its_name_and_what_it_says_are_written() {
        let file = "\n---\n  \"draft\" : \"true\" # 아직\n  'it''s': >+\n    한\n    줄\n  status:\n    private\n  title: 긴\n    제목\n  \
                    cover:\n    image: a.png\n---\n본문";
        let expected = vec![
            text("draft", "true"),
            text("it's", "한 줄"),
            text("status", "private"),
            text("title", "긴 제목"),
            ("cover".to_owned(), FieldValue::Unreadable),
        ];
        assert_eq!(said(file), (expected, "본문"));
        let toml = "+++\ntitle = '바다'\ntags = ['여행']\n+++\n\n본문\n";
        assert_eq!(said(toml), (vec![text("title", "바다"), list("tags", &["여행"])], "본문\n"));
        assert_eq!(front(toml).fields[1].written, "tags: [\"여행\"]\n");
    }

    #[test]
    fn lines_that_may_be_fields_and_cannot_be_read_are_given() {
        for (file, unread) in [
            ("---\ntitle: a\ndraft:true\n---\n", "draft:true\n"),
            ("---\ndraft: true\n\n본문", "---\ndraft: true"),
            ("+++\ndraft: true\n+++\n", "+++\ndraft: true"),
            (";;;\n\"draft\": true\n;;;\n", ";;;\n\"draft\": true"),
            ("{\n\"draft\": true\n}\n", "{\n\"draft\": true"),
            (
                "{\n\"a\": {\n  \"b\": 1\n  },\n  }\n\"draft\": true\n}\n",
                "{\n\"a\": {\n  \"b\": 1\n  },\n  }\n\"draft\": true",
            ),
            ("Title: a\nStatus: draft\n\n본문: b\n", "Title: a\nStatus: draft"),
            ("---\ntitle: a\n  draft:true\n# b\n---\n", ""),
            ("본문\ndraft: true\n", ""),
        ] {
            assert_eq!(front(file).unread, unread, "{file}");
        }
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
